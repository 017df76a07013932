#include "gui/objects/objects_panel.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "engine/io/image_writer.h"
#include "engine/report/analysis_text.h"
#include "gui/base/task_runner.h"
#include "gui/display/region_words.h"
#include "gui/display/result_place.h"
#include "gui/document/settings.h"
#include "gui/objects/polarity_hint.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

// More at once are a carpet, and slow to draw.
constexpr std::size_t kMostOutlined = 1000;
// Around an object that is zoomed to, in its own pixels.
constexpr int kLeastAround = 8;

bool numbersObjects(const Step& step) {
    return step.enabled && step.operation == "connected_components";
}

QPolygonF onSource(const PixelMap& sourceFromInput, const QRect& box) {
    QPolygonF corners;
    for (const QPointF& corner :
         {QPointF(box.left(), box.top()), QPointF(box.left() + box.width(), box.top()),
          QPointF(box.left() + box.width(), box.top() + box.height()),
          QPointF(box.left(), box.top() + box.height())})
        corners << mapPoint(sourceFromInput, corner);
    return corners;
}

}  // namespace

ObjectsPanel::ObjectsPanel(Document& document, EngineBridge& bridge,
                           RenderWorker::BackendFactory factory, QWidget* parent)
    : QWidget(parent), m_document(document), m_bridge(bridge), m_counter(std::move(factory)) {
    build();
    connect(&m_counter, &ObjectCounter::counted, this, &ObjectsPanel::sync);
    connect(&document, &Document::pipelineChanged, this, &ObjectsPanel::sync);
    connect(&document, &Document::currentStepChanged, this, &ObjectsPanel::sync);
    connect(&document, &Document::secondChanged, this, &ObjectsPanel::sync);
    connect(&document, &Document::sourceChanged, this, [this] {
        m_model.setObjects(nullptr);
        sync();
        publishOutlines();
    });
    connect(&bridge, &EngineBridge::fullReady, this, &ObjectsPanel::sync);
    connect(&bridge, &EngineBridge::stepFailureChanged, this, &ObjectsPanel::sync);
    connect(&bridge, &EngineBridge::busyChanged, this, &ObjectsPanel::sync);
    connect(&bridge, &EngineBridge::backendsOutdated, this, [this] { m_counter.giveMemoryBack(); });
    sync();
}

ObjectsPanel::~ObjectsPanel() {
    m_counter.interrupt();
    delete m_table;  // it looks at the model
}

void ObjectsPanel::build() {
    m_caption = new QLabel(this);
    m_caption->setObjectName(QStringLiteral("objectsCaption"));
    m_caption->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table = new QTableView(this);
    m_table->setObjectName(QStringLiteral("objectsTable"));
    m_table->setAccessibleName(tr("Objects"));
    m_table->setModel(&m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSortIndicator(0, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->installEventFilter(this);
    connect(m_table, &QTableView::doubleClicked, this, &ObjectsPanel::zoomToCurrent);
    // What is chosen stays in sight in another order; without it the first rows are wanted.
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, [this] {
        if (m_table->selectionModel()->hasSelection())
            m_table->scrollTo(m_table->currentIndex());
        else
            m_table->scrollToTop();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ObjectsPanel::publishOutlines);

    m_copy = new QAction(tr("Copy rows"), this);
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetShortcut);
    m_copy->setToolTip(tr("Copies the selected rows, or all, as text with tabs"));
    connect(m_copy, &QAction::triggered, this, &ObjectsPanel::copy);
    m_save = new QAction(tr("Save as CSV…"), this);
    m_save->setToolTip(tr("Writes all rows, in the order of their labels"));
    connect(m_save, &QAction::triggered, this, &ObjectsPanel::askForFile);
    m_table->addActions({m_copy, m_save});
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);

    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 0, 8, 0);
    line->setSpacing(8);
    line->addWidget(m_caption, 1);
    for (QAction* action : {m_copy, m_save}) {
        auto* button = new QPushButton(action->text(), this);
        button->setObjectName(action == m_copy ? QStringLiteral("copyObjects")
                                               : QStringLiteral("saveObjects"));
        button->setToolTip(action->toolTip());
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        line->addWidget(button);
    }
    m_content = new QWidget(this);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    column->addLayout(line);
    column->addWidget(new PolarityHint(m_document, m_content));
    column->addWidget(m_table, 1);
    m_empty = new QLabel(this);
    m_empty->setObjectName(QStringLiteral("objectsEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(16);
    m_pages = new QStackedLayout(this);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_content);
    connect(&Theme::instance(), &Theme::changed, this, &ObjectsPanel::applyTheme);
    applyTheme();
}

void ObjectsPanel::applyTheme() {
    QPalette weak = palette();
    weak.setColor(QPalette::WindowText, Theme::instance().colors().weakText);
    m_empty->setPalette(weak);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
    m_table->viewport()->update();
}

// --- what is counted ---

// The selected step's, or else those of the last step that numbers any.
int ObjectsPanel::step() const {
    const auto& steps = m_document.pipeline().steps;
    const int current = m_document.currentStep();
    if (current >= 0 && numbersObjects(steps[std::size_t(current)])) return current;
    const auto last = std::find_if(steps.rbegin(), steps.rend(), numbersObjects);
    return last == steps.rend() ? -1 : int(steps.rend() - last) - 1;
}

std::optional<ObjectCounter::Request> ObjectsPanel::wanted() const {
    const int index = step();
    if (index < 0 || !m_document.source()) return std::nullopt;
    ObjectCounter::Request request;
    request.source = m_document.source();
    request.second = m_document.second();
    request.before = m_document.pipeline();
    request.step = request.before.steps[std::size_t(index)];
    request.before.steps.resize(std::size_t(index));
    request.backend = m_bridge.backend();
    request.memoryBudget = m_bridge.memoryBudget() / 4;
    request.sourceFromInput = m_document.shapeBefore(index).sourceFromResult;
    return request;
}

bool ObjectsPanel::isCurrent() const {
    return m_counter.objects() && m_model.objects() == m_counter.objects();
}

// The picture comes first: nothing is counted before it is there.
void ObjectsPanel::sync() {
    if (!seen()) return;
    const auto request = wanted();
    const bool held = !m_bridge.held().isEmpty();  // somebody measures
    if (m_counter.asked() && (m_counter.asked() != request || (held && !m_counter.objects())))
        m_counter.interrupt();
    const bool pictureIsThere = m_bridge.resultIsCurrent() || m_bridge.stepFailure();
    if (request && pictureIsThere && !held) m_counter.count(*request);
    if (!request && m_model.objects()) {
        m_model.setObjects(nullptr);
        publishOutlines();
    }
    if (m_counter.objects() && !isCurrent()) take();
    showState();
}

// The object that was chosen stays so where one is still at its place.
void ObjectsPanel::take() {
    const std::vector<int> rows = selectedRows();
    std::optional<QPoint> chosen;
    if (rows.size() == 1) {
        const QPointF at =
            mapPoint(m_model.objects()->sourceFromInput, m_model.centroidOf(rows.front()));
        chosen = QPoint(int(std::floor(at.x())), int(std::floor(at.y())));
    }
    const bool first = m_model.columnCount() == 0;
    m_model.setObjects(m_counter.objects());
    if (first && m_model.rowCount() > 0) m_table->resizeColumnsToContents();
    if (chosen) selectAt(*chosen);
    publishOutlines();
}

void ObjectsPanel::showState() {
    const bool current = isCurrent();
    m_model.setOutdated(!current);
    QString why;
    if (!m_document.source())
        why = tr("Open an image to see its objects");
    else if (step() < 0)
        why =
            tr("Objects are listed where the step Connected components is on, mostly behind a "
               "threshold");
    else if (!m_model.objects())
        why = tr("Counting…");
    else if (!m_model.objects()->problem.empty())
        why = engineText(m_model.objects()->problem);
    else if (m_model.rowCount() == 0)
        why =
            tr("No objects: what the step is given has no area of non-zero pixels that is large "
               "enough");
    m_empty->setText(why);
    m_pages->setCurrentWidget(why.isEmpty() ? m_content : m_empty);
    QString text = m_model.rowCount() == 1
                       ? tr("One object")
                       : tr("%1 objects").arg(groupedCount(std::uint64_t(m_model.rowCount())));
    if (const int index = step(); index >= 0) text = tr("%1, step %2").arg(text).arg(index + 1);
    m_caption->setText(current ? text : tr("%1; counting…").arg(text));
    findChild<PolarityHint*>()->look(current ? m_model.objects().get() : nullptr, step());
    m_save->setEnabled(current);
    findChild<QPushButton*>(QStringLiteral("saveObjects"))->setEnabled(current);
}

QString ObjectsPanel::caption() const {
    return m_pages->currentWidget() == m_content ? m_caption->text() : m_empty->text();
}

void ObjectsPanel::setInSight(bool inSight) {
    m_inSight = inSight;
    if (!seen()) {
        if (!m_counter.objects()) m_counter.interrupt();
        m_counter.giveMemoryBack();
    }
    sync();
    publishOutlines();
}

void ObjectsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    setInSight(m_inSight);
}

void ObjectsPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    setInSight(m_inSight);
}

// --- rows and picture ---

std::vector<int> ObjectsPanel::selectedRows() const {
    std::vector<int> rows;
    for (const QItemSelectionRange& range : m_table->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row) rows.push_back(row);
    std::ranges::sort(rows);
    return rows;
}

void ObjectsPanel::publishOutlines() {
    std::vector<QPolygonF> outlines;
    if (seen()) {
        std::vector<int> rows = selectedRows();
        if (rows.size() > kMostOutlined) rows.resize(kMostOutlined);
        for (const int row : rows)
            outlines.push_back(onSource(m_model.objects()->sourceFromInput, m_model.boxOf(row)));
    }
    emit outlinesChanged(outlines);
}

void ObjectsPanel::selectAt(const QPoint& pixel) {
    if (!seen() || !m_model.objects() || m_model.rowCount() == 0) return;
    const auto& objects = *m_model.objects();
    const QPointF at =
        mapPoint(inverse(objects.sourceFromInput), QPointF(pixel) + QPointF(0.5, 0.5));
    const std::uint32_t label =
        objects.found.labelAt(int(std::floor(at.x())), int(std::floor(at.y())));
    const int row = label == 0 ? -1 : m_model.rowOf(label);
    if (row < 0) return;
    m_table->selectRow(row);
    m_table->scrollTo(m_model.index(row, 0));
}

void ObjectsPanel::zoomToCurrent() {
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid()) return;
    QRect box = m_model.boxOf(current.row());
    const int around = std::max({kLeastAround, box.width(), box.height()});
    box.adjust(-around, -around, around, around);
    emit zoomRequested(onSource(m_model.objects()->sourceFromInput, box).boundingRect());
}

bool ObjectsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            zoomToCurrent();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

// --- text ---

// The numbers of the CSV, in the order that is seen.
void ObjectsPanel::copy() const {
    std::vector<int> rows = selectedRows();
    if (rows.empty())
        for (int row = 0; row < m_model.rowCount(); ++row) rows.push_back(row);
    std::string text = analysisText(m_model.tableOf(rows), "csv");
    std::ranges::replace(text, ',', '\t');  // only numbers and ids: no comma is within one
    QGuiApplication::clipboard()->setText(QString::fromStdString(text));
}

void ObjectsPanel::askForFile() {
    auto* dialog = new QFileDialog(window(), tr("Save objects"),
                                   m_settings ? m_settings->lastFolder() : QString(),
                                   tr("Comma-separated values (*.csv)"));
    dialog->setObjectName(QStringLiteral("saveObjectsDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    const QString image = QFileInfo(m_document.title()).completeBaseName();
    dialog->selectFile((image.isEmpty() ? QString() : image + QLatin1Char('-')) +
                       QStringLiteral("objects.csv"));
    connect(dialog, &QFileDialog::fileSelected, this, &ObjectsPanel::saveTo);
    dialog->open();
}

void ObjectsPanel::saveTo(const QString& path) {
    const ObjectCounter::ObjectsPtr objects = m_model.objects();
    if (!objects || objects->found.table.columns.empty()) return;
    WriteOptions write;
    for (const QString& open : {m_document.filePath(), m_document.secondPath()})
        if (!open.isEmpty()) write.protectedFiles.emplace_back(open.toStdU16String());
    if (!m_saves) m_saves = std::make_unique<TaskRunner>();
    m_saves->run([this, objects, path, write]() -> TaskRunner::Finish {
        const std::string text = analysisText(objects->found.table, "csv");
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
        const auto done = writeFileAtomically(path.toStdU16String(), {bytes, text.size()}, write);
        return [this, path, why = done ? std::string() : done.error().message] {
            if (!why.empty()) return emit saveFailed(engineText(why));
            if (m_settings) m_settings->setLastFolder(QFileInfo(path).absolutePath());
            emit saved(path);
        };
    });
}

}  // namespace warpscope::gui
