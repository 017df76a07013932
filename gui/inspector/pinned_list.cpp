#include "gui/inspector/pinned_list.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <algorithm>

#include "gui/display/pixel_values.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kPinColumns = 4;
// Longer than "255 255 255 255" the samples of a pixel stand below each other: two columns of them
// fit the dock.
constexpr qsizetype kMostInLine = 15;
constexpr int kLeastWidth = 120;

QString valuesOf(const Image& image, const QPoint& pixel) {
    QStringList values;
    for (const SampleText& sample : sampleTexts(image, pixel)) values << sample.decimal;
    if (values.isEmpty()) return QStringLiteral("–");
    const QString line = values.join(QLatin1Char(' '));
    return line.size() > kMostInLine ? values.join(QLatin1Char('\n')) : line;
}

QString detailsOf(const Image& image, const QPoint& pixel) {
    QStringList values;
    for (const SampleText& s : sampleTexts(image, pixel))
        values << QStringLiteral("%1 %2 (%3)").arg(s.channel, s.decimal, s.hex);
    return values.join(QStringLiteral("\n"));
}

}  // namespace

PinnedList::PinnedList(QWidget* parent) : QTreeWidget(parent) {
    setColumnCount(kPinColumns);
    setRootIsDecorated(false);
    setAlternatingRowColors(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setTextElideMode(Qt::ElideRight);  // all digits are in the tool tip
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setTabKeyNavigation(false);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    header()->setStretchLastSection(false);
    for (const int column : {2, 3}) header()->setSectionResizeMode(column, QHeaderView::Stretch);
    // By the person; filling the list chooses none.
    connect(this, &QTreeWidget::itemPressed, this, &PinnedList::choose);
    connect(this, &QTreeWidget::itemActivated, this, &PinnedList::choose);
    connect(this, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (hasFocus() && item) choose(item);
    });
    rebuild();
}

void PinnedList::choose(QTreeWidgetItem* item) {
    const int row = indexOfTopLevelItem(item);
    if (row >= 0 && row < int(m_pixels.size())) emit pinChosen(m_pixels[std::size_t(row)]);
}

void PinnedList::toggle(const QPoint& pixel) {
    if (pixel.x() < 0 || pixel.y() < 0) return;
    const auto there = std::find(m_pixels.begin(), m_pixels.end(), pixel);
    if (there != m_pixels.end())
        m_pixels.erase(there);
    else
        m_pixels.push_back(pixel);
    if (m_pixels.size() > std::size_t(kMost)) m_pixels.erase(m_pixels.begin());
    rebuild();
    emit pinsChanged();
}

void PinnedList::clearPins() {
    if (m_pixels.empty()) return;
    m_pixels.clear();
    rebuild();
    emit pinsChanged();
}

void PinnedList::setPins(const std::vector<QPoint>& pixels) {
    m_pixels.clear();
    for (const QPoint& pixel : pixels)
        if (isInside(m_source, pixel) && m_pixels.size() < std::size_t(kMost) &&
            std::find(m_pixels.begin(), m_pixels.end(), pixel) == m_pixels.end())
            m_pixels.push_back(pixel);
    rebuild();
    emit pinsChanged();
}

void PinnedList::setImages(const Image& source, const Image& result,
                           const PixelMap& sourceFromResult, bool forAWhile) {
    const ResultPlace place{result.size(), sourceFromResult};
    const bool sameSource = source.id() == m_source.id();
    if (sameSource && result.id() == m_result.id() && place == m_place) return;
    m_source = source;
    m_result = result;
    m_place = place;
    const auto gone = [&](const QPoint& pixel) { return !isInside(m_source, pixel); };
    const std::size_t before = m_pixels.size();
    if (!forAWhile)
        m_pixels.erase(std::remove_if(m_pixels.begin(), m_pixels.end(), gone), m_pixels.end());
    rebuild();
    if (m_pixels.size() != before) emit pinsChanged();
}

void PinnedList::rebuild() {
    setAccessibleName(tr("Pinned pixels"));
    setToolTip(tr("A click goes there in the image, Delete takes it away"));
    setHeaderLabels({tr("No."), tr("x, y"), tr("Source"), tr("Result")});
    const QSignalBlocker quiet(this);  // what was current is gone, and nobody chose another
    clear();
    const QFont figures = Theme::instance().figureFont();
    for (const QPoint& pixel : m_pixels) {
        const QPoint over = pairOfSource(pixel, m_place, m_source.size()).result;
        auto* item =
            new QTreeWidgetItem(this, {QString::number(topLevelItemCount() + 1),
                                       QStringLiteral("%1, %2").arg(pixel.x()).arg(pixel.y()),
                                       valuesOf(m_source, pixel), valuesOf(m_result, over)});
        for (int column = 0; column < kPinColumns; ++column) {
            item->setFont(column, figures);
            item->setTextAlignment(column, Qt::AlignLeft | Qt::AlignTop);
        }
        item->setToolTip(2, detailsOf(m_source, pixel));
        item->setToolTip(3, m_result.isNull() || over != kNoPixel ? detailsOf(m_result, over)
                                                                  : tr("outside the result"));
    }
    updateGeometry();
}

QSize PinnedList::sizeHint() const {
    int height = header()->sizeHint().height() + 2 * frameWidth();
    for (int row = 0; row < topLevelItemCount(); ++row)
        height += visualItemRect(topLevelItem(row)).height();
    int width = 2 * frameWidth();
    for (int column = 0; column < kPinColumns; ++column)
        width += std::max(sizeHintForColumn(column), header()->sectionSizeHint(column));
    return {width, height};
}

QSize PinnedList::minimumSizeHint() const {
    return {kLeastWidth, sizeHint().height()};
}

void PinnedList::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)
        removeSelected();
    else if (event->matches(QKeySequence::Copy))
        copySelected();
    else
        QTreeWidget::keyPressEvent(event);
}

void PinnedList::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) rebuild();
    QTreeWidget::changeEvent(event);
}

void PinnedList::removeSelected() {
    std::vector<QPoint> kept;
    for (int i = 0; i < topLevelItemCount(); ++i)
        if (!topLevelItem(i)->isSelected()) kept.push_back(m_pixels[std::size_t(i)]);
    if (kept.size() == m_pixels.size()) return;
    m_pixels = std::move(kept);
    rebuild();
    emit pinsChanged();
}

void PinnedList::copySelected() const {
    QStringList lines;
    for (int i = 0; i < topLevelItemCount(); ++i) {
        const QTreeWidgetItem* item = topLevelItem(i);
        if (item->isSelected())
            lines << QStringList{item->text(1), item->text(2), item->text(3)}
                         .join(QLatin1Char('\t'))
                         .replace(QLatin1Char('\n'), QLatin1Char(' '));
    }
    if (!lines.isEmpty()) QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace warpscope::gui
