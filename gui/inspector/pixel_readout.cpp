#include "gui/inspector/pixel_readout.h"

#include <QFontMetrics>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include "gui/widgets/elided_label.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr QSize kSwatchSize{36, 12};

// Digits that a sample may need, so that the table does not jump from pixel to pixel.
int decimalDigits(PixelFormat format) {
    switch (bytesPerSample(format)) {
        case 1:
            return 3;
        case 2:
            return 5;
        case 8:
            return 20;
        default:
            return isFloat(format) ? 13 : 10;  // of a float most; exponents may take two more
    }
}

// Bits of a float say little, digits of wide samples need the room: they are in the tool tip.
bool showsHex(PixelFormat format) {
    return bytesPerSample(format) <= 2;
}

}  // namespace

ColorSwatch::ColorSwatch(QWidget* parent) : QFrame(parent) {
    setFixedSize(kSwatchSize);
}

void ColorSwatch::setColor(const QColor& color) {
    if (color == m_color) return;
    m_color = color;
    update();
}

void ColorSwatch::paintEvent(QPaintEvent*) {
    if (!m_color.isValid()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::instance().colors().border, 1));
    painter.setBrush(m_color);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}

PixelReadout::PixelReadout(QWidget* parent)
    : QWidget(parent),
      m_title(new ElidedLabel(this)),
      m_swatch(new ColorSwatch(this)),
      m_grid(new QGridLayout) {
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_title);
    head->addWidget(m_swatch);
    head->addStretch();
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(3, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(head);
    column->addLayout(m_grid);
    column->addStretch();
}

void PixelReadout::setTitle(const QString& title) {
    m_title->setText(title);
    setAccessibleName(title);
}

void PixelReadout::setOutdated(bool outdated) {
    if (outdated == m_outdated) return;
    m_outdated = outdated;
    const auto role = outdated ? QPalette::PlaceholderText : QPalette::WindowText;
    m_title->setForegroundRole(role);
    for (const Row& row : m_rows) row.decimal->setForegroundRole(role);
}

QString PixelReadout::text() const {
    return m_text;
}

PixelReadout::Row PixelReadout::makeRow() {
    const int at = int(m_rows.size());
    Row row{new QLabel(this), new QLabel(this), new QLabel(this)};
    row.channel->setForegroundRole(QPalette::PlaceholderText);
    row.hex->setForegroundRole(QPalette::PlaceholderText);
    if (m_outdated) row.decimal->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* figure : {row.decimal, row.hex}) {
        figure->setFont(Theme::instance().figureFont());
        figure->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    m_grid->addWidget(row.channel, at, 0);
    m_grid->addWidget(row.decimal, at, 1);
    m_grid->addWidget(row.hex, at, 2);
    return row;
}

void PixelReadout::reserveWidth(const Image& image) {
    const QFontMetrics metrics(Theme::instance().figureFont());
    const int digit = metrics.horizontalAdvance(QLatin1Char('0'));
    for (const Row& row : m_rows) {
        row.decimal->setMinimumWidth(digit * decimalDigits(image.format()));
        row.hex->setMinimumWidth(digit * 2 * bytesPerSample(image.format()));
    }
}

int PixelReadout::widthFor(const Image& image) const {
    if (image.id() == 0) return 0;
    const QFontMetrics metrics(Theme::instance().figureFont());
    const int digits = decimalDigits(image.format()) +
                       (showsHex(image.format()) ? 2 * bytesPerSample(image.format()) : 0);
    return metrics.horizontalAdvance(QLatin1Char('0')) * digits +
           fontMetrics().horizontalAdvance(QLatin1Char('R')) + 2 * m_grid->horizontalSpacing();
}

void PixelReadout::showTexts(const std::vector<SampleText>& texts, bool hex) {
    while (m_rows.size() < texts.size()) m_rows.push_back(makeRow());
    QStringList spoken;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const bool used = i < texts.size();
        for (QLabel* label : {row.channel, row.decimal, row.hex}) label->setVisible(used);
        if (!used) continue;
        row.channel->setText(texts[i].channel);
        row.decimal->setText(texts[i].decimal);
        row.hex->setText(texts[i].hex);
        row.hex->setVisible(hex);
        row.decimal->setToolTip(hex ? QString() : tr("Bits: %1").arg(texts[i].hex));
        spoken
            << QStringLiteral("%1 %2 (%3)").arg(texts[i].channel, texts[i].decimal, texts[i].hex);
    }
    m_text = spoken.join(QStringLiteral(", "));
    setAccessibleDescription(m_text);
}

void PixelReadout::setPixel(const Image& image, const QPoint& pixel, const QColor& shown) {
    std::vector<SampleText> texts = sampleTexts(image, pixel);
    for (const SampleText& raw : rawSampleTexts(image, pixel)) texts.push_back(raw);
    m_swatch->setColor(texts.empty() ? QColor() : shown);
    if (texts.empty()) {
        const QString dash = QStringLiteral("–");
        for (int c = 0; c < shownChannels(image); ++c)
            texts.push_back({channelLetter(image, c), dash, dash});
    }
    showTexts(texts, image.id() == 0 || showsHex(image.format()));
    if (image.id() != 0) reserveWidth(image);
}

}  // namespace warpscope::gui
