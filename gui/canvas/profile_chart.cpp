#include "gui/canvas/profile_chart.h"

#include <QClipboard>
#include <QEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "engine/io/image_writer.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr double kPad = 8;

QString figure(double v) {
    // Samples of 16 bits have five digits, and an exponent is harder to read than a fifth.
    const bool long16 = std::abs(v) >= 1e4 && std::abs(v) < 1e6;
    return long16 ? QString::number(v, 'f', 0) : QString::number(v, 'g', 4);
}

// Of points from end to end the one nearest to a part of the length.
std::optional<double> valueAt(const std::vector<double>& values, double part) {
    if (values.empty()) return {};
    return values[std::size_t(std::lround(part * double(values.size() - 1)))];
}

}  // namespace

LineProfile profileAlong(const Image& image, const QLineF& line, int most, bool onlyInside) {
    LineProfile profile;
    profile.length = line.length();
    if (image.isNull()) return profile;
    const int count = std::clamp(int(std::lround(profile.length)) + 1, 2, std::max(2, most));
    profile.values.reserve(std::size_t(count));
    visitSampleType(image.format(), [&]<class T>() {
        const auto view = image.view<T>();
        for (int i = 0; i < count; ++i) {
            const QPointF at = line.pointAt(i / double(count - 1));
            if (onlyInside && !QRectF(0, 0, view.width, view.height).contains(at)) {
                profile.values.push_back(std::nan(""));
                if (view.channels == 4)
                    for (auto& color : profile.colors) color.push_back(std::nan(""));
                continue;
            }
            const int x = std::clamp(int(std::floor(at.x())), 0, view.width - 1);
            const int y = std::clamp(int(std::floor(at.y())), 0, view.height - 1);
            const T* p = view.row(y) + std::ptrdiff_t(x) * view.channels;
            profile.values.push_back(view.channels == 1
                                         ? double(p[0])
                                         : 0.299 * double(p[0]) + 0.587 * double(p[1]) +
                                               0.114 * double(p[2]));
            if (view.channels == 4)
                for (std::size_t c = 0; c < 3; ++c) profile.colors[c].push_back(double(p[c]));
        }
    });
    return profile;
}

ProfileChart::ProfileChart(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("profileChart"));
    setMouseTracking(true);
    const auto button = [this] {
        auto* made = new QToolButton(this);
        made->setAutoRaise(true);
        // A click leaves the keys with the picture.
        made->setFocusPolicy(Qt::TabFocus);
        return made;
    };
    for (auto& toggle : m_switches) {
        toggle = button();
        toggle->setCheckable(true);
        connect(toggle, &QToolButton::toggled, this, [this] {
            updateRange();
            update();
        });
    }
    m_switches[0]->setChecked(true);
    m_copy = button();
    m_save = button();
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(csv()); });
    connect(m_save, &QToolButton::clicked, this, &ProfileChart::askForFile);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    retranslate();
    hide();
}

void ProfileChart::retranslate() {
    setAccessibleName(tr("Profile along the line"));
    const QString letters[] = {tr("L"), tr("R"), tr("G"), tr("B")};
    const QString names[] = {tr("Luminance"), tr("Red"), tr("Green"), tr("Blue")};
    for (std::size_t i = 0; i < kCurves; ++i) {
        m_switches[i]->setText(letters[i]);
        m_switches[i]->setAccessibleName(names[i]);
        m_switches[i]->setToolTip(names[i]);
    }
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copies the values along the line as CSV"));
    m_save->setText(tr("CSV …"));
    m_save->setToolTip(tr("Saves the values along the line"));
    m_save->setAccessibleName(tr("Save the values along the line"));
    updateButtons();
}

void ProfileChart::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && m_save) retranslate();
    QWidget::changeEvent(event);
}

bool ProfileChart::hasColors() const {
    return !m_first.colors[0].empty() || !m_second.colors[0].empty();
}

bool ProfileChart::isShown(int curve) const {
    return hasColors() ? m_switches[std::size_t(curve)]->isChecked() : curve == 0;
}

const std::vector<double>& ProfileChart::curveOf(const LineProfile& profile, int curve) {
    return curve == 0 ? profile.values : profile.colors[std::size_t(curve - 1)];
}

QColor ProfileChart::colorOf(int curve) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QColor all[] = {colors.text, colors.red, colors.green, colors.blue};
    return all[curve];
}

// In the corner above; gray images have nothing to choose from.
void ProfileChart::updateButtons() {
    int right = width() - 4;
    const auto place = [&](QToolButton* button, bool shown) {
        button->setVisible(shown);
        if (!shown) return;
        const QSize size = button->sizeHint();
        right -= size.width();
        button->setGeometry(right, 3, size.width(), size.height());
    };
    place(m_save, true);
    place(m_copy, true);
    for (std::size_t i = kCurves; i-- > 0;) place(m_switches[i], hasColors());
}

void ProfileChart::resizeEvent(QResizeEvent*) {
    updateButtons();
}

void ProfileChart::setProfiles(const LineProfile& first, const QString& firstLabel,
                               double firstScale, const LineProfile& second,
                               const QString& secondLabel) {
    m_first = first;
    m_second = second;
    m_firstLabel = firstLabel;
    m_secondLabel = secondLabel;
    m_firstScale = firstScale;
    updateButtons();
    updateRange();
    update();
}

void ProfileChart::updateRange() {
    bool any = false;
    const auto widen = [&](const std::vector<double>& values, double scale) {
        for (const double v : values) {
            if (!std::isfinite(v)) continue;
            m_low = any ? std::min(m_low, v * scale) : v * scale;
            m_high = any ? std::max(m_high, v * scale) : v * scale;
            any = true;
        }
    };
    for (int i = 0; i < kCurves; ++i) {
        if (!isShown(i)) continue;
        widen(curveOf(m_first, i), m_firstScale);
        widen(curveOf(m_second, i), 1.0);
    }
    if (!any) m_low = m_high = 0;
    if (!(m_high > m_low)) {
        m_low -= 0.5;
        m_high += 0.5;
    }
}

void ProfileChart::mouseMoveEvent(QMouseEvent* event) {
    // The picture under it is being moved.
    if (event->buttons() != Qt::NoButton) return event->ignore();
    const double part = (event->position().x() - m_plot.left()) / m_plot.width();
    if (!(part >= 0 && part <= 1)) return leaveEvent(nullptr);
    // At a point that has a value, so that value and pixel belong together.
    const auto& owner = m_first.values.empty() ? m_second.values : m_first.values;
    const double last = double(std::max<std::size_t>(owner.size(), 2) - 1);
    m_hover = std::round(part * last) / last;
    update();
    emit hovered(m_line.pointAt(*m_hover));
}

void ProfileChart::leaveEvent(QEvent*) {
    if (!m_hover) return;
    m_hover.reset();
    update();
    emit hoverEnded();
}

QString ProfileChart::readout() const {
    if (!m_hover) return tr("distance in pixels");
    const QPointF at = m_line.pointAt(*m_hover);
    QStringList parts{tr("%1 px (%2, %3)")
                          .arg(figure(*m_hover * std::max(m_first.length, m_second.length)))
                          .arg(int(std::floor(at.x())))
                          .arg(int(std::floor(at.y())))};
    const auto text = [](const std::optional<double>& value) {
        return value ? QString::number(*value, 'g', 5) : QStringLiteral("–");
    };
    for (int i = 0; i < kCurves; ++i) {
        if (!isShown(i)) continue;
        const auto first = valueAt(curveOf(m_first, i), *m_hover);
        const auto second = valueAt(curveOf(m_second, i), *m_hover);
        QString values = text(first);
        if (!m_second.values.empty()) values += QStringLiteral(" → ") + text(second);
        parts << QStringLiteral("%1 %2").arg(m_switches[std::size_t(i)]->text(), values);
    }
    return parts.join(QStringLiteral("   "));
}

QString ProfileChart::valueTitle() const {
    return hasColors() ? tr("sample value") : tr("luminance");
}

QString ProfileChart::csv() const {
    const LineProfile& owner = m_first.values.empty() ? m_second : m_first;
    const std::size_t points = owner.values.size();
    if (points < 2) return {};
    const char* const names[] = {"luma", "red", "green", "blue"};
    QStringList heads{QStringLiteral("position"), QStringLiteral("x"), QStringLiteral("y")};
    std::vector<const std::vector<double>*> columns;
    for (const LineProfile* profile : {&m_first, &m_second})
        for (int i = 0; i < kCurves; ++i) {
            if (curveOf(*profile, i).empty()) continue;
            columns.push_back(&curveOf(*profile, i));
            heads << QStringLiteral("%1_%2").arg(
                profile == &m_first ? QStringLiteral("first") : QStringLiteral("second"),
                QLatin1String(names[i]));
        }
    QStringList lines{heads.join(QLatin1Char(','))};
    const auto number = [](double v) {
        return std::isnan(v) ? QString() : QString::number(v, 'g', QLocale::FloatingPointShortest);
    };
    for (std::size_t i = 0; i < points; ++i) {
        const double part = double(i) / double(points - 1);
        const QPointF at = m_line.pointAt(part);
        QStringList cells{number(part * owner.length), number(at.x()), number(at.y())};
        for (const auto* values : columns) cells << number(valueAt(*values, part).value());
        lines << cells.join(QLatin1Char(','));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

Result<void> ProfileChart::save(const QString& path) const {
    const QByteArray bytes = csv().toUtf8();
    const std::span text(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                         std::size_t(bytes.size()));
    return writeFileAtomically(std::filesystem::path(path.toStdU16String()), text);
}

void ProfileChart::askForFile() {
    const QString path =
        QFileDialog::getSaveFileName(window(), tr("Save profile"), QStringLiteral("profile.csv"),
                                     tr("Comma-separated values (*.csv)"));
    if (path.isEmpty()) return;
    if (const auto saved = save(path); !saved)
        emit saveFailed(
            tr("Could not save the profile. %1").arg(engineText(saved.error().message)));
}

QPolygonF ProfileChart::curve(const std::vector<double>& values, double scale, std::size_t from,
                              std::size_t to) const {
    QPolygonF points;
    const double across = m_plot.width() / double(values.size() - 1);
    for (std::size_t i = from; i < to; ++i)
        points << QPointF(
            m_plot.left() + double(i) * across,
            m_plot.bottom() - (values[i] * scale - m_low) / (m_high - m_low) * m_plot.height());
    return points;
}

// Samples that are no finite numbers leave gaps.
void ProfileChart::drawProfile(QPainter& painter, const std::vector<double>& values,
                               double scale) const {
    if (values.size() < 2) return;
    std::size_t from = 0;
    for (std::size_t i = 0; i <= values.size(); ++i) {
        if (i < values.size() && std::isfinite(values[i])) continue;
        if (i > from) painter.drawPolyline(curve(values, scale, from, i));
        from = i + 1;
    }
}

void ProfileChart::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor back = colors.window;
    back.setAlpha(235);
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(back);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);

    painter.setFont(Theme::instance().figureFont());
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    const double left = kPad + line + 4 +
                        std::max(metrics.horizontalAdvance(figure(m_low)),
                                 metrics.horizontalAdvance(figure(m_high)));
    m_plot = QRectF(QPointF(left, std::max(kPad + line, double(m_save->geometry().bottom())) + 4),
                    QPointF(width() - kPad, height() - kPad - line - 2));
    painter.setPen(QPen(colors.chartGrid, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_plot);
    painter.setPen(colors.weakText);
    const auto value = [&](double v, double y) {
        painter.drawText(QRectF(0, y - line / 2, left - 4, line), Qt::AlignRight | Qt::AlignVCenter,
                         figure(v));
    };
    value(m_high, m_plot.top() + line / 4);
    value(m_low, m_plot.bottom() - line / 4);
    const QRectF under(m_plot.left(), m_plot.bottom() + 2, m_plot.width(), line);
    if (m_hover) {
        const QRectF whole(kPad, under.top(), width() - 2 * kPad, line);
        painter.setPen(colors.text);
        painter.drawText(whole, Qt::AlignHCenter,
                         metrics.elidedText(readout(), Qt::ElideRight, whole.width()));
        const double x = m_plot.left() + *m_hover * m_plot.width();
        painter.setPen(QPen(colors.accent, 1));
        painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
    } else {
        painter.drawText(under, Qt::AlignLeft, QStringLiteral("0"));
        painter.drawText(under, Qt::AlignHCenter, readout());
        const double length = std::max(m_first.length, m_second.length);
        painter.drawText(under, Qt::AlignRight, figure(length));
    }
    painter.save();
    painter.setPen(colors.weakText);
    painter.translate(kPad / 2, m_plot.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-m_plot.height() / 2, 0, m_plot.height(), line), Qt::AlignCenter,
                     metrics.elidedText(valueTitle(), Qt::ElideRight, m_plot.height()));
    painter.restore();

    // Direct labels with a piece of their line.
    double x = kPad;
    const double room =
        (hasColors() ? m_switches[0] : m_copy)->geometry().left() / 2.0 - kPad - 20 - 8;
    const auto label = [&](const QString& whole, const QPen& pen) {
        const QString text = metrics.elidedText(whole, Qt::ElideMiddle, std::max(room, 20.0));
        painter.setPen(pen);
        painter.drawLine(QPointF(x, kPad + line / 2), QPointF(x + 16, kPad + line / 2));
        painter.setPen(colors.text);
        painter.drawText(QRectF(x + 20, kPad, width() - x, line), Qt::AlignLeft, text);
        x += 20 + metrics.horizontalAdvance(text) + 8;
    };
    const QPen weak(colors.weakText, 1, Qt::DashLine);
    const QPen strong(colors.text, 1.5);
    if (!m_first.values.empty()) label(m_firstLabel, weak);
    if (!m_second.values.empty()) label(m_secondLabel, strong);
    painter.setClipRect(m_plot.adjusted(-1, -1, 1, 1));
    for (int i = 0; i < kCurves; ++i) {
        if (!isShown(i)) continue;
        painter.setPen(QPen(i == 0 ? colors.weakText : colorOf(i), 1, Qt::DashLine));
        drawProfile(painter, curveOf(m_first, i), m_firstScale);
        painter.setPen(QPen(colorOf(i), 1.5));
        drawProfile(painter, curveOf(m_second, i), 1.0);
    }
}

}  // namespace warpscope::gui
