#include "gui/inspector/likeness_view.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollBar>
#include <QTableWidget>
#include <cmath>

#include "engine/report/analysis_text.h"
#include "gui/display/comparison.h"
#include "gui/display/display_levels.h"
#include "gui/display/region_words.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/tight_table.h"

namespace warpscope::gui {
namespace {

// What changes more often is being moved: a region, a slider.
constexpr int kRestMs = 120;

QString likenessText(double value) {
    if (std::isnan(value)) return QStringLiteral("–");
    return std::isinf(value) ? QStringLiteral("∞") : QString::number(value, 'g', 5);
}

Rect wholeOf(const Image& image) {
    return {0, 0, image.width(), image.height()};
}

FiguresCounter::Part partOf(const Image& image, const RegionShape& region) {
    FiguresCounter::Part part{image,
                              image.isNull() ? Rect{} : intersect(wholeOf(image), region.box())};
    if (!region.isRectangle()) part.shape = region;
    return part;
}

// Of a part that is not all of its image.
std::uint64_t pixelsOf(const FiguresCounter::Part& part) {
    return part.shape ? RegionRows(*part.shape, part.rect).pixels()
                      : std::uint64_t(part.rect.size().pixels());
}

}  // namespace

LikenessView::LikenessView(Document& document, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_document(document), m_bridge(bridge) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_title = new QLabel(this);
    m_title->setWordWrap(true);
    m_title->setForegroundRole(QPalette::PlaceholderText);
    m_table = new QTableWidget(this);
    m_table->setObjectName(QStringLiteral("likeness"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setMinimumWidth(120);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setMinimumSectionSize(24);
    m_table->verticalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setMinimumSectionSize(16);
    m_copy = new QPushButton(this);
    m_copyCsv = new QPushButton(this);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_copy);
    buttons->addWidget(m_copyCsv);
    buttons->addStretch();
    column->addWidget(m_title);
    column->addWidget(m_table);
    column->addLayout(buttons);

    m_timer.setSingleShot(true);
    m_timer.setInterval(kRestMs);
    connect(&m_timer, &QTimer::timeout, this, &LikenessView::begin);
    const auto wait = [this] { m_timer.start(); };
    // A slider that moves has the processor for itself; one that is held still does not.
    connect(&document, &Document::pipelineChanged, this, [this] {
        m_counter.interrupt();
        m_timer.start();
    });
    connect(&document, &Document::sourceChanged, this, [this, wait] {
        m_counter.forget();
        wait();
        showFound();
        emit changed();
    });
    connect(&document, &Document::regionChanged, this, wait);
    connect(&document, &Document::interactionChanged, this, wait);
    connect(&bridge, &EngineBridge::fullReady, this, wait);
    connect(&m_counter, &FiguresCounter::counted, this, [this] {
        showFound();
        emit changed();
    });
    connect(m_copy, &QPushButton::clicked, this, [this] { copy("table"); });
    connect(m_copyCsv, &QPushButton::clicked, this, [this] { copy("csv"); });
    connect(&Theme::instance(), &Theme::changed, this, &LikenessView::fillTable);
    showFound();
}

void LikenessView::setComparison(const Comparison* comparison) {
    m_comparison = comparison;
    m_timer.start();
}

bool LikenessView::isCurrent() const {
    return m_counter.isCurrent() && !m_timer.isActive() &&
           (m_comparison || m_bridge.resultIsCurrent());
}

void LikenessView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_timer.start();
}

void LikenessView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width() && !m_table->isHidden())
        tighten(*m_table);
}

void LikenessView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) showFound();
    QWidget::changeEvent(event);
}

void LikenessView::begin() {
    if (!isVisible()) return;
    // Until the result is there, what is shown stays: fullReady follows.
    if (!m_comparison && m_document.source() && !m_bridge.resultIsCurrent()) return;
    m_counter.count(requested());
    showFound();
    // Where nothing new was asked for, what is there is current again.
    emit changed();
}

// Of the source and of what lies over the region in the result; compared is what both have.
FiguresCounter::Request LikenessView::requested() {
    FiguresCounter::Request request;
    m_heading.clear();
    m_obstacle.clear();
    const Image source = exactImage(m_document.source());
    if (source.isNull()) return request;
    const Image result = m_bridge.resultIsCurrent() ? exactImage(m_bridge.result()) : Image();
    const PixelMap map = m_bridge.sourceFromResult();
    const RegionShape region = m_document.regionShape().value_or(wholeOf(source));
    request.source = partOf(source, region);
    if (!result.isNull())
        request.result = partOf(result, m_document.region() ? mapped(inverse(map), region)
                                                            : RegionShape(wholeOf(result)));
    QString first = tr("Source"), second = tr("Result");
    if (m_comparison) {
        const bool common = m_comparison->commonFirst != nullptr;
        const Image a = exactImage(common ? m_comparison->commonFirst : m_comparison->first);
        const Image b = exactImage(common ? m_comparison->commonSecond : m_comparison->second);
        if (a.isNull() || b.isNull()) return request;
        const bool limited = m_document.region() && takesRegion(*m_comparison, source.size());
        request.first = partOf(a, limited ? region : RegionShape(wholeOf(a)));
        request.second = partOf(b, limited ? region : RegionShape(wholeOf(b)));
        first = m_comparison->firstLabel;
        second = m_comparison->secondLabel;
    } else if (result.isNull()) {
        return request;
    } else if (result.id() == source.id()) {
        m_obstacle = tr("The result is the source itself.");
        return request;
    } else if (!map.isShift()) {
        m_obstacle = tr("Source and result are not the same pixels.");
        return request;
    } else {
        const int dx = int(map.dx), dy = int(map.dy);
        const Rect both = intersect(request.source.rect, {dx, dy, result.width(), result.height()});
        request.first = {source, both, request.source.shape};
        if (both.empty() || pixelsOf(request.first) == 0) {
            request.first = {};
            m_obstacle = tr("The region lies outside the result.");
            return request;
        }
        request.second = {result, {both.x - dx, both.y - dy, both.width, both.height}};
    }
    const Rect& part = request.first.rect;
    m_heading = tr("%1 and %2, %3 × %4 pixels").arg(first, second).arg(part.width).arg(part.height);
    if (request.first.shape)
        m_heading =
            tr("%1 and %2 %3")
                .arg(first, second, regionInWords(*request.first.shape, pixelsOf(request.first)));
    else if (part.size() != request.first.image.size())
        m_heading = tr("%1 at %2, %3").arg(m_heading).arg(part.x).arg(part.y);
    if (request.first.image.format() != request.second.image.format()) {
        m_obstacle = tr("%1 and %2 have samples of different kinds.").arg(first, second);
        request.first = request.second = {};
    } else if (!request.first.image.isNull()) {
        m_peak = fullScale(request.first.image.format());
        m_heading = tr("%1; PSNR in dB of a peak of %2").arg(m_heading, QLocale().toString(m_peak));
    }
    return request;
}

void LikenessView::showFound() {
    m_table->setAccessibleName(tr("How like the two images are"));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copies the comparison as text"));
    m_copyCsv->setText(tr("Copy as CSV"));
    m_copyCsv->setToolTip(tr("Copies the comparison as comma-separated values"));
    const QString title = tr("Comparison");
    const QString problem = engineText(m_counter.figures().problem);
    const QString why = !m_obstacle.isEmpty() ? m_obstacle : problem;
    m_title->setText(!why.isEmpty()         ? tr("%1: %2").arg(title, why)
                     : !m_heading.isEmpty() ? tr("%1: %2").arg(title, m_heading)
                                            : title);
    fillTable();
}

void LikenessView::fillTable() {
    const auto& rows = m_counter.figures().likeness;
    const bool any = !rows.empty() && m_obstacle.isEmpty();
    setVisible(m_document.source() != nullptr);
    for (QWidget* widget : {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_copy),
                            static_cast<QWidget*>(m_copyCsv)})
        widget->setVisible(any);
    if (!any) return;
    m_table->setColumnCount(5);
    m_table->setRowCount(int(rows.size()));
    m_table->setHorizontalHeaderLabels({tr("RMSE"), tr("PSNR"), tr("SSIM"), tr("MAE"), tr("Max")});
    const QString peak = QLocale().toString(m_peak);
    const QString tips[] = {
        tr("Root of the mean squared difference"),
        tr("Peak signal-to-noise ratio in dB; the peak is the full scale of the format, %1")
            .arg(peak),
        tr("Structural similarity, Gaussian window of 11 × 11 pixels, of a full scale of %1; 1: "
           "the same. RGB has the mean of its three.")
            .arg(peak),
        tr("Mean absolute difference"), tr("Largest difference")};
    for (int column = 0; column < 5; ++column)
        m_table->horizontalHeaderItem(column)->setToolTip(tips[column]);
    const auto nameOf = [](const std::string& channel) {
        if (channel == "all") return tr("RGB");
        if (channel == "luma") return tr("Luma");
        if (channel == "gray") return QStringLiteral("Y");
        return QString(QChar::fromLatin1(channel.front())).toUpper();
    };
    for (int r = 0; r < int(rows.size()); ++r) {
        const ChannelLikeness& row = rows[std::size_t(r)];
        auto* head = new QTableWidgetItem(nameOf(row.channel));
        QStringList notes;
        if (row.channel == "all") notes << tr("Red, green and blue together, without alpha");
        if (row.channel == "alpha") notes << tr("Alpha, which counts in no other row");
        if (row.notFinite)
            notes << tr("%n samples are not finite and left out", nullptr, int(row.notFinite));
        head->setToolTip(notes.join(QLatin1Char('\n')));
        m_table->setVerticalHeaderItem(r, head);
        const double values[] = {row.rootMeanSquared, row.psnr, row.ssim, row.meanAbsolute,
                                 row.largest};
        for (int column = 0; column < 5; ++column) {
            auto* item = new QTableWidgetItem(likenessText(values[column]));
            item->setToolTip(QString::number(values[column], 'g', 12));
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            item->setFont(Theme::instance().figureFont());
            if (!isCurrent()) item->setForeground(Theme::instance().colors().disabledText);
            m_table->setItem(r, column, item);
        }
    }
    tighten(*m_table);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() +
                            m_table->verticalHeader()->length() + 2 * m_table->frameWidth() +
                            m_table->horizontalScrollBar()->sizeHint().height());
}

void LikenessView::copy(const char* format) {
    const AnalysisResult table = likenessTable(m_counter.figures().likeness);
    QGuiApplication::clipboard()->setText(QString::fromStdString(analysisText(table, format)));
}

}  // namespace warpscope::gui
