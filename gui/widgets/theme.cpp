#include "gui/widgets/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QSvgRenderer>
#include <algorithm>
#include <utility>

// Resources of a static library are not registered by themselves. Outside any namespace, as the
// macro wants it.
static void registerResources() {
    Q_INIT_RESOURCE(warpscope);
}

namespace warpscope::gui {
namespace {

QColor grey(int level) {
    return QColor(level, level, level);
}

// Greys have no tint. Backend colours and warnings are from the set of Okabe and Ito, which people
// with any usual colour blindness can tell apart; the accent is none of them.
ThemeColors darkColors() {
    ThemeColors c;
    c.window = grey(0x2c);
    c.base = grey(0x20);
    c.raised = grey(0x3a);
    c.border = grey(0x4c);
    c.text = grey(0xe4);
    c.weakText = grey(0xa6);
    c.disabledText = grey(0x74);
    c.accent = QColor(0xd9, 0x8c, 0x3a);
    c.accentText = grey(0x10);
    c.canvas = grey(0x18);
    c.checkerLight = grey(0x66);
    c.checkerDark = grey(0x55);
    c.chartGrid = grey(0x3c);
    c.warning = QColor(0xf0, 0xe4, 0x42);
    c.error = QColor(0xff, 0x8a, 0x6e);
    c.cpuSingle = grey(0x9a);
    c.cpu = QColor(0x56, 0xb4, 0xe9);
    c.gpu = QColor(0x2f, 0xb8, 0x8d);
    c.red = QColor(0xf0, 0x5a, 0x50);
    c.green = QColor(0x4f, 0xc0, 0x5c);
    c.blue = QColor(0x5a, 0x8d, 0xf5);
    c.luma = grey(0xc8);
    return c;
}

ThemeColors lightColors() {
    ThemeColors c;
    c.window = grey(0xee);
    c.base = grey(0xff);
    c.raised = grey(0xe2);
    c.border = grey(0xb8);
    c.text = grey(0x1a);
    c.weakText = grey(0x5c);
    c.disabledText = grey(0x9a);
    c.accent = QColor(0xb3, 0x5f, 0x0a);
    c.accentText = grey(0xff);
    c.canvas = grey(0xd0);
    c.checkerLight = grey(0xff);
    c.checkerDark = grey(0xe2);
    c.chartGrid = grey(0xdc);
    c.warning = QColor(0x7a, 0x60, 0x00);
    c.error = QColor(0xb8, 0x2c, 0x0c);
    c.cpuSingle = grey(0x78);
    c.cpu = QColor(0x00, 0x72, 0xb2);
    c.gpu = QColor(0x00, 0x86, 0x62);
    c.red = QColor(0xc8, 0x28, 0x20);
    c.green = QColor(0x1e, 0x85, 0x2c);
    c.blue = QColor(0x1f, 0x4f, 0xc8);
    c.luma = grey(0x50);
    return c;
}

QPalette paletteOf(const ThemeColors& c) {
    QPalette p;
    p.setColor(QPalette::Window, c.window);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.base);
    p.setColor(QPalette::AlternateBase, c.window);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::PlaceholderText, c.weakText);
    p.setColor(QPalette::Button, c.raised);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, c.error);
    p.setColor(QPalette::ToolTipBase, c.raised);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::Highlight, c.accent);
    p.setColor(QPalette::HighlightedText, c.accentText);
    p.setColor(QPalette::Link, c.accent);
    p.setColor(QPalette::LinkVisited, c.accent);
    p.setColor(QPalette::Light, c.raised.lighter(120));
    p.setColor(QPalette::Midlight, c.raised);
    p.setColor(QPalette::Mid, c.border);
    p.setColor(QPalette::Dark, c.window.darker(140));
    p.setColor(QPalette::Shadow, grey(0));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, c.disabledText);
    p.setColor(QPalette::Disabled, QPalette::Highlight, c.border);
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, c.disabledText);
    return p;
}

// What Fusion draws heavier than an image program wants: bars without gradients, separators of one
// pixel, dock titles as quiet headings.
QString styleSheetOf(const ThemeColors& c) {
    return QStringLiteral(R"(
        QMainWindow::separator { background: %1; width: 1px; height: 1px; }
        QMainWindow::separator:hover { background: %2; }
        QToolBar { background: %3; border: 0; border-bottom: 1px solid %1; padding: 4px 8px; spacing: 4px; }
        QToolBar::separator { background: %1; width: 1px; margin: 4px 4px; }
        QStatusBar { background: %3; border-top: 1px solid %1; }
        QStatusBar::item { border: 0; }
        QStatusBar QToolButton::menu-indicator { image: none; }
        QToolTip { background: %4; color: %5; border: 1px solid %1; padding: 4px; }
    )")
        .arg(c.border.name(), c.accent.name(), c.window.name(), c.raised.name(), c.text.name());
}

// Fusion without the engraved second copy of disabled texts, which looks blurred on dark ground,
// and without icons of another family in dialogs.
class QuietFusion : public QProxyStyle {
  public:
    QuietFusion() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override {
        if (hint == SH_EtchDisabledText || hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
        return QProxyStyle::styleHint(hint, option, widget, data);
    }

    // Fusion takes the edge of an empty box from the ground, on which it is then not seen.
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        if (!button || (element != PE_IndicatorCheckBox && element != PE_IndicatorRadioButton))
            return QProxyStyle::drawPrimitive(element, option, painter, widget);
        QStyleOptionButton edged(*button);
        edged.palette.setColor(QPalette::Window, edged.palette.color(QPalette::PlaceholderText));
        QProxyStyle::drawPrimitive(element, &edged, painter, widget);
    }
};

// Draws single-colour SVG icons in the text colour of the theme that is on when they are painted,
// so that icons made once follow every change of theme and stay sharp at every scale.
class IconEngine : public QIconEngine {
  public:
    explicit IconEngine(const QString& name) : m_name(name) {
        QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
        if (file.open(QIODevice::ReadOnly)) m_svg = file.readAll();
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    QIconEngine* clone() const override { return new IconEngine(*this); }
    bool isNull() override { return m_svg.isEmpty(); }

  private:
    QString m_name;
    QByteArray m_svg;  // with "currentColor" still in it
};

void IconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) {
    const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
    QPixmap picture = pixmap((QSizeF(rect.size()) * ratio).toSize(), mode, state);
    picture.setDevicePixelRatio(ratio);
    painter->drawPixmap(rect.topLeft(), picture);
}

QPixmap IconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) {
    if (m_svg.isEmpty() || size.isEmpty()) return {};
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = mode == QIcon::Disabled   ? colors.disabledText
                         : mode == QIcon::Selected ? colors.accentText
                                                   : colors.text;
    const QString key = QStringLiteral("warpscope/%1/%2/%3x%4")
                            .arg(m_name, color.name())
                            .arg(size.width())
                            .arg(size.height());
    QPixmap picture;
    if (QPixmapCache::find(key, &picture)) return picture;

    QByteArray svg = m_svg;
    svg.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(svg);
    picture = QPixmap(size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    // Icons are square; in a rectangle they stand in the middle.
    const int side = std::min(size.width(), size.height());
    renderer.render(&painter,
                    QRectF((size.width() - side) / 2, (size.height() - side) / 2, side, side));
    painter.end();
    QPixmapCache::insert(key, picture);
    return picture;
}

}  // namespace

Theme& Theme::instance() {
    static Theme theme;
    return theme;
}

Theme::Theme() : m_colors(darkColors()) {
    registerResources();
}

void Theme::setChoice(ThemeChoice choice) {
    m_choice = choice;
    m_colors = choice == ThemeChoice::Dark ? darkColors() : lightColors();
    if (!std::exchange(m_styled, true)) QApplication::setStyle(new QuietFusion);
    QApplication::setPalette(paletteOf(m_colors));
    qApp->setStyleSheet(styleSheetOf(m_colors));
    emit changed();
}

PictureColors::PictureColors(ThemeChoice choice) : m_before(Theme::instance().m_colors) {
    Theme::instance().m_colors = choice == ThemeChoice::Dark ? darkColors() : lightColors();
}

PictureColors::~PictureColors() {
    Theme::instance().m_colors = m_before;
}

QIcon Theme::icon(const QString& name) const {
    return QIcon(new IconEngine(name));
}

QColor Theme::channelColor(HistogramChannel channel) const {
    switch (channel) {
        case HistogramChannel::Red:
            return m_colors.red;
        case HistogramChannel::Green:
            return m_colors.green;
        case HistogramChannel::Blue:
            return m_colors.blue;
        case HistogramChannel::Luma:
            break;
    }
    return m_colors.luma;
}

QColor Theme::backendColor(BackendKind backend) const {
    if (backend == BackendKind::Cuda) return m_colors.gpu;
    return backend == BackendKind::Cpu ? m_colors.cpu : m_colors.cpuSingle;
}

QFont Theme::figureFont() const {
    // Qt 6.4 cannot ask a font for its tabular figures; most interface fonts have them as they are.
    // Where one does not, the fixed-pitch font of the system stands in.
    QFont font = QApplication::font();
    const QFontMetricsF metrics(font);
    const qreal zero = metrics.horizontalAdvance(QLatin1Char('0'));
    const QString digits = QStringLiteral("123456789");
    const bool tabular = std::all_of(digits.begin(), digits.end(), [&](QChar digit) {
        return qAbs(metrics.horizontalAdvance(digit) - zero) < 0.01;
    });
    if (!tabular) {
        const qreal size = font.pointSizeF();
        font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        if (size > 0) font.setPointSizeF(size);
    }
    return font;
}

}  // namespace warpscope::gui
