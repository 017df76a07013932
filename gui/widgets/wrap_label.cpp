#include "gui/widgets/wrap_label.h"

#include <QEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

// As long as it was; a figure and its unit, a size, and "8-bit" stay in one line.
QString withFiguresWhole(QString text) {
    static const QRegularExpression space(
        QString::fromUtf8("(?<=\\d) (?=(?:ms|s|px|MB|GB|MiB|GiB|GB/s|%)(?![A-Za-z])|×)|"
                          "(?<=×) (?=\\d)"));
    static const QRegularExpression hyphen(QStringLiteral("(?<=\\d)-(?=bit)"));
    constexpr char16_t kWholeHyphen = 0x2011;
    return text.replace(space, QString(QChar(QChar::Nbsp)))
        .replace(hyphen, QString(QChar(kWholeHyphen)));
}

// Lays the lines out under each other and returns the height.
double layOut(QTextLayout& layout, double width, Qt::Alignment alignment) {
    QTextOption option(alignment);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    double y = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max(1.0, width));
        line.setPosition({0, y});
        y += line.height();
    }
    layout.endLayout();
    return y;
}

}  // namespace

WrapLabel::WrapLabel(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void WrapLabel::setText(const QString& text, Tone tone) {
    setPieces(text.isEmpty() ? QVector<TextPiece>() : QVector<TextPiece>{{text, tone, {}}});
}

void WrapLabel::setPieces(const QVector<TextPiece>& pieces) {
    QVector<TextPiece> wanted = pieces;
    // To a text layout a line feed is a character like any other.
    for (TextPiece& piece : wanted) piece.text.replace(QLatin1Char('\n'), QChar::LineSeparator);
    // Most are told the same again with each tick of a slider, and a text is laid out to be
    // painted.
    if (wanted == m_pieces) return;
    const QString before = text();
    m_pieces = std::move(wanted);
    if (text() != before) {
        setAccessibleName(text());
        updateGeometry();
    }
    update();
}

QString WrapLabel::text() const {
    QString all;
    for (const TextPiece& piece : m_pieces) all += piece.text;
    return all;
}

void WrapLabel::setAlignment(Qt::Alignment alignment) {
    m_alignment = alignment;
    update();
}

void WrapLabel::setReservesLine(bool reserves) {
    m_reservesLine = reserves;
    updateGeometry();
}

int WrapLabel::heightForWidth(int width) const {
    const QString all = text();
    if (all.isEmpty()) return m_reservesLine ? fontMetrics().height() : 0;
    QTextLayout layout(withFiguresWhole(all), font());
    return int(std::ceil(layOut(layout, width, m_alignment)));
}

QSize WrapLabel::sizeHint() const {
    const int width = std::min(fontMetrics().horizontalAdvance(text()) + 2, 360);
    return {width, heightForWidth(std::max(1, width))};
}

QSize WrapLabel::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 6, m_reservesLine ? fontMetrics().height() : 0};
}

QColor WrapLabel::colorOf(const TextPiece& piece) const {
    const ThemeColors& colors = Theme::instance().colors();
    switch (piece.tone) {
        case Tone::Text:
            return isEnabled() ? colors.text : colors.weakText;
        case Tone::Weak:
            return colors.weakText;
        case Tone::Warning:
            return colors.warning;
        case Tone::Error:
            return colors.error;
        case Tone::Fixed:
            return piece.color;
    }
    return colors.text;
}

void WrapLabel::paintEvent(QPaintEvent*) {
    const QString all = text();
    if (all.isEmpty()) return;
    QTextLayout layout(withFiguresWhole(all), font());
    QVector<QTextLayout::FormatRange> formats;
    int start = 0;
    for (const TextPiece& piece : m_pieces) {
        QTextLayout::FormatRange range;
        range.start = start;
        range.length = int(piece.text.size());
        range.format.setForeground(colorOf(piece));
        formats.append(range);
        start += range.length;
    }
    layout.setFormats(formats);
    const double height = layOut(layout, width(), m_alignment);
    QPainter painter(this);
    // In a row with something higher, a single line stands on the middle.
    layout.draw(&painter, {0, std::max(0.0, std::floor((this->height() - height) / 2))});
}

void WrapLabel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) updateGeometry();
    if (event->type() == QEvent::EnabledChange) update();
    QWidget::changeEvent(event);
}

}  // namespace warpscope::gui
