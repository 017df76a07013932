#include "gui/teststrip/test_strip.h"

#include <QCheckBox>
#include <QCloseEvent>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/base/queued_call.h"
#include "gui/canvas/canvas.h"
#include "gui/display/display_settings.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/document/label_result.h"
#include "gui/teststrip/strip_grid.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/flow_layout.h"
#include "gui/widgets/folding_controls.h"
#include "gui/widgets/quiet_combo_box.h"
#include "gui/widgets/segmented_control.h"

namespace warpscope::gui {
namespace {

// Before work begins again: dragging the view sends changes without end.
constexpr int kRestMs = 60;
// On a cell, before the canvas shows it.
constexpr int kPointMs = 200;
constexpr std::uint64_t kMostBytes = 512ull << 20;
// Height for the pictures, below which the controls fold.
constexpr int kGridWanted = 140;

const ParamSpec* specOf(const Step& step, const QString& parameter) {
    const Operation* operation = findOperation(step.operation);
    if (!operation) return nullptr;
    for (const ParamSpec& spec : operation->description().parameters)
        if (QString::fromStdString(spec.id) == parameter) return &spec;
    return nullptr;
}

QWidget* labelled(const QString& label, const QList<QWidget*>& fields, QWidget* parent) {
    auto* group = new QWidget(parent);
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    if (!label.isEmpty()) row->addWidget(new QLabel(label, group));
    for (int i = 0; i < fields.size(); ++i) row->addWidget(fields[i], i == 0 ? 1 : 0);
    return group;
}

}  // namespace

TestStrip::TestStrip(Document& document, EngineBridge& bridge, DisplaySettings& display,
                     Canvas& canvas, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_bridge(bridge),
      m_canvas(canvas),
      m_pictures(queuedCall(this, "drain")) {
    setObjectName(QStringLiteral("testStrip"));
    setWindowTitle(tr("Test strip"));
    auto* controls = new QWidget(this);
    auto* parts = new FlowLayout(8, controls, FlowLayout::Widths::Own);
    buildControls(*parts);
    m_controls =
        new FoldingControls(controls, tr("Values…"), tr("Parameters and values to try"), this);
    m_controls->button().setObjectName(QStringLiteral("stripValuesButton"));
    m_grid = new StripGrid(display, this);
    m_value = new QLabel(this);
    m_value->setObjectName(QStringLiteral("stripValue"));
    m_value->setWordWrap(true);
    auto* all = new QVBoxLayout(this);
    m_head = new QHBoxLayout;
    m_head->addWidget(m_controls);
    all->addLayout(m_head);
    all->addWidget(m_grid, 1);
    all->addWidget(m_value);

    m_wait.setSingleShot(true);
    m_wait.setInterval(kRestMs);
    connect(&m_wait, &QTimer::timeout, this, &TestStrip::compute);
    connect(m_grid, &StripGrid::roomChanged, this, &TestStrip::changed);
    connect(m_grid, &StripGrid::taken, this, &TestStrip::take);
    connect(m_grid, &StripGrid::pointedAt, this, &TestStrip::point);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kPointMs);
    connect(&m_rest, &QTimer::timeout, this, &TestStrip::showOnCanvas);
    connect(&document, &Document::pipelineChanged, this, &TestStrip::changed);
    connect(&document, &Document::sourceChanged, this, &TestStrip::changed);
    connect(&document, &Document::secondChanged, this, &TestStrip::changed);
    connect(&document, &Document::regionChanged, this, &TestStrip::changed);
    connect(&document, &Document::currentStepChanged, this, &TestStrip::changed);
    connect(&document, &Document::interactionChanged, this, &TestStrip::changed);
    connect(&canvas, &Canvas::viewportChanged, this, &TestStrip::changed);
    connect(&bridge, &EngineBridge::staleChanged, this, [this] {
        if (m_heldBack) changed();
    });
}

TestStrip::~TestStrip() = default;

void TestStrip::buildControls(QLayout& controls) {
    const auto choice = [this](const char* name, const QString& spoken) {
        auto* box = new QuietComboBox(this);
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(spoken);
        connect(box, &QComboBox::activated, this, &TestStrip::changed);
        connect(box, &QComboBox::activated, this, &TestStrip::switched);
        return box;
    };
    const auto count = [&](const char* name, const QString& spoken, int at) {
        QuietComboBox* box = choice(name, spoken);
        box->setMinimumContentsLength(1);
        for (const int values : {3, 5, 7, 9}) box->addItem(QString::number(values), values);
        box->setCurrentIndex(box->findData(at));
        return box;
    };
    m_across = choice("stripAcross", tr("Parameter"));
    m_acrossCount = count("stripAcrossCount", tr("Number of values"), 9);
    m_down = choice("stripDown", tr("Second parameter, downwards"));
    m_downCount = count("stripDownCount", tr("Number of values of the second parameter"), 3);
    m_spread = new SegmentedControl(
        {tr("Around"), tr("Whole range")},
        {tr("Values near the present one"), tr("Values over all of the slider")}, this);
    m_spread->setAccessibleName(tr("Which values"));
    m_spread->setCurrent(0);
    connect(m_spread, &SegmentedControl::chosen, this, &TestStrip::changed);
    connect(m_spread, &SegmentedControl::chosen, this, &TestStrip::switched);
    m_later = new QCheckBox(tr("Later steps too"), this);
    m_later->setToolTip(tr("Cells look as the result will; off: as this step leaves the image"));
    m_later->setChecked(true);
    connect(m_later, &QCheckBox::toggled, this, &TestStrip::changed);
    connect(m_later, &QCheckBox::toggled, this, &TestStrip::switched);
    controls.addWidget(labelled(tr("Try"), {m_across, m_acrossCount}, this));
    controls.addWidget(labelled(tr("and"), {m_down, m_downCount}, this));
    controls.addWidget(m_spread);
    controls.addWidget(m_later);
}

QSize TestStrip::minimumSizeHint() const {
    const QMargins margins = layout()->contentsMargins();
    const int head = std::max(m_controls->button().sizeHint().height(), 2 * fontMetrics().height());
    return {
        m_grid->minimumWidth() + margins.left() + margins.right(),
        head + layout()->spacing() + m_grid->minimumHeight() + margins.top() + margins.bottom()};
}

// In a low or narrow panel the pictures get the room: the controls fold, and what is said of a
// picture stands beside their button, in two lines so that the pictures keep their size.
void TestStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const QMargins margins = layout()->contentsMargins();
    const int inside = width() - margins.left() - margins.right();
    const int others = m_controls->controlsHeight(inside) + fontMetrics().height() +
                       2 * layout()->spacing() + margins.top() + margins.bottom();
    const bool folded = height() - others < kGridWanted;
    if (folded == m_controls->isFolded()) return;
    m_controls->setFolded(folded);
    layout()->removeWidget(m_value);
    if (folded)
        m_head->addWidget(m_value, 1);
    else
        static_cast<QVBoxLayout*>(layout())->addWidget(m_value);
    m_value->setMaximumHeight(folded ? 2 * fontMetrics().height() : QWIDGETSIZE_MAX);
    m_value->setMinimumHeight(folded ? 2 * fontMetrics().height() : 0);
}

void TestStrip::popUp() {
    emit opening();
    show();
    activateWindow();
    compute();
    m_grid->focusPresent();
}

void TestStrip::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    changed();
    emit switched();
}

void TestStrip::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_rest.stop();
    m_bridge.setTrial(std::nullopt);
    changed();
    emit switched();
}

void TestStrip::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return leave();
    QWidget::keyPressEvent(event);
}

void TestStrip::closeEvent(QCloseEvent* event) {
    auto* dock = qobject_cast<QDockWidget*>(parentWidget());
    if (!dock) return QWidget::closeEvent(event);
    event->ignore();
    dock->hide();
}

void TestStrip::leave() {
    const bool focused = isAncestorOf(QApplication::focusWidget());
    close();
    if (!focused) return;
    // The keys go to the image again.
    m_canvas.window()->activateWindow();
    m_canvas.setFocus();
}

StripState TestStrip::state() const {
    return {m_across->currentData().toString(), m_acrossCount->currentData().toInt(),
            m_down->currentData().toString(),   m_downCount->currentData().toInt(),
            m_spread->current() == 1,           m_later->isChecked()};
}

void TestStrip::open(const StripState& state) {
    offerParameters();
    const auto choose = [](QComboBox& box, const QVariant& wanted) {
        if (const int index = box.findData(wanted); index >= 0) box.setCurrentIndex(index);
    };
    choose(*m_across, state.across);
    choose(*m_acrossCount, state.acrossCount);
    choose(*m_down, state.down);
    choose(*m_downCount, state.downCount);
    m_spread->setCurrent(state.wholeRange ? 1 : 0);
    m_later->setChecked(state.laterSteps);
    popUp();
}

const Step* TestStrip::step() const {
    const int current = m_document.currentStep();
    const auto& steps = m_document.pipeline().steps;
    return current >= 0 && current < int(steps.size()) ? &steps[std::size_t(current)] : nullptr;
}

void TestStrip::offerParameters() {
    const Step* current = step();
    const std::string operation = current ? current->operation : std::string();
    if (operation == m_operation) return;
    m_operation = operation;
    m_across->clear();
    m_down->clear();
    m_down->addItem(tr("nothing else"), QString());
    const Operation* known = current ? findOperation(operation) : nullptr;
    setWindowTitle(known ? tr("Test strip: %1").arg(engineText(known->description().label))
                         : tr("Test strip"));
    if (!known) return;
    for (const ParamSpec& spec : known->description().parameters) {
        if (!canVary(spec)) continue;
        for (QComboBox* box : {m_across, m_down})
            box->addItem(engineText(spec.label), QString::fromStdString(spec.id));
        // A number rather than a choice, where there is one.
        if (spec.choices.empty() && m_across->currentIndex() == 0 &&
            !specOf(*current, m_across->currentData().toString())->choices.empty())
            m_across->setCurrentIndex(m_across->count() - 1);
    }
}

std::optional<StripAxis> TestStrip::axisOf(const QComboBox& parameter,
                                           const QComboBox& count) const {
    const Step* current = step();
    const ParamSpec* spec =
        current ? specOf(*current, parameter.currentData().toString()) : nullptr;
    const ParamValue* present = spec ? current->parameters.find(spec->id) : nullptr;
    if (!present) return std::nullopt;
    const Size size = m_document.shapeBefore(m_document.currentStep()).place.whole;
    return axisFor(*spec, *present, count.currentData().toInt(),
                   m_spread->current() == 0 ? StripSpread::Around : StripSpread::Range,
                   std::max(size.width, size.height));
}

std::size_t TestStrip::cellCount() const {
    if (!m_acrossAxis) return 0;
    return m_acrossAxis->values.size() * (m_downAxis ? m_downAxis->values.size() : 1);
}

ParamSet TestStrip::valuesOf(std::size_t cell) const {
    ParamSet values = step()->parameters;
    const std::size_t columns = m_acrossAxis->values.size();
    values.set(m_acrossAxis->spec.id, m_acrossAxis->values[cell % columns]);
    if (m_downAxis) values.set(m_downAxis->spec.id, m_downAxis->values[cell / columns]);
    return values;
}

QString TestStrip::namesOf(std::size_t cell) const {
    const auto name = [](const StripAxis& axis, std::size_t at) {
        return tr("%1 %2", "parameter and value")
            .arg(engineText(axis.spec.label), valueLabel(axis.spec, axis.values[at]));
    };
    const std::size_t columns = m_acrossAxis->values.size();
    const QString across = name(*m_acrossAxis, cell % columns);
    return m_downAxis ? tr("%1, %2").arg(across, name(*m_downAxis, cell / columns)) : across;
}

Rect TestStrip::seen() const {
    const Size size = m_document.image().size();
    const Rect whole{0, 0, size.width, size.height};
    const Rect seen = intersect(m_document.region().value_or(m_canvas.viewport().visible), whole);
    return seen.empty() ? whole : seen;
}

// Reduced further than in the view a cell would not show what is judged there: the middle of the
// view, as large as there, takes the place of all of it. A region is what somebody wants to see.
Viewport TestStrip::viewport() const {
    const QSize room = m_grid->pictureRoom();
    Viewport view;
    view.visible = seen();
    view.zoom = std::min(double(room.width()) / view.visible.width,
                         double(room.height()) / view.visible.height);
    const double least = std::min(1.0, m_canvas.viewport().zoom);
    if (m_document.region() || view.zoom >= least) return view;
    const auto cut = [&](int& at, int& length, int most) {
        const int kept = std::clamp(int(std::ceil(most / least)), 1, length);
        at += (length - kept) / 2;
        length = kept;
    };
    cut(view.visible.x, view.visible.width, room.width());
    cut(view.visible.y, view.visible.height, room.height());
    view.zoom = least;
    return view;
}

void TestStrip::changed() {
    ++m_revision;
    if (m_renderer) m_renderer->cancel();
    m_pictures.clear();
    m_wait.stop();
    if (!isVisible()) return;
    for (StripCell* cell : m_grid->cells()) cell->setPicture({}, {});
    // The slider that is held has the processor for itself.
    if (!m_document.interacting()) m_wait.start();
}

void TestStrip::compute() {
    changed();
    m_wait.stop();
    if (!isVisible()) return;
    offerParameters();
    m_acrossAxis = axisOf(*m_across, *m_acrossCount);
    m_downAxis = axisOf(*m_down, *m_downCount);
    if (m_downAxis && m_acrossAxis && m_downAxis->spec.id == m_acrossAxis->spec.id)
        m_downAxis.reset();
    m_acrossCount->setVisible(m_acrossAxis && m_acrossAxis->spec.choices.empty());
    m_downCount->setVisible(m_downAxis && m_downAxis->spec.choices.empty());
    showValues();
    m_shownRevision = m_revision;
    m_heldBack = !m_bridge.held().isEmpty();
    if (!m_document.source() || cellCount() == 0 || m_heldBack) return;

    ChainJob job;
    job.revision = m_revision;
    job.source = m_document.source();
    job.second = m_document.second();
    job.step = std::size_t(m_document.currentStep());
    job.viewport = viewport();
    for (std::size_t i = 0; i < cellCount(); ++i) job.cells.push_back(chainOf(i));
    if (!m_renderer)
        m_renderer = std::make_unique<ChainRenderer>(
            [this](ChainPicture picture) { m_pictures.post(std::move(picture)); },
            std::min(kMostBytes, m_bridge.memoryBudget() / 4));
    m_renderer->start(std::move(job));
}

Pipeline TestStrip::chainOf(std::size_t cell) const {
    Pipeline chain = m_document.pipeline();
    const auto at = std::size_t(m_document.currentStep());
    // Switched off, not cut off: the cards keep their numbers.
    for (std::size_t i = at + 1; i < chain.steps.size() && !m_later->isChecked(); ++i)
        chain.steps[i].enabled = false;
    chain.steps[at].enabled = true;
    chain.steps[at].parameters = valuesOf(cell);
    return chain;
}

void TestStrip::point(int index) {
    explain(index);
    m_pointed = index;
    m_rest.start();
}

// Without the mouse the cell that has the focus.
void TestStrip::showOnCanvas() {
    const auto& cells = m_grid->cells();
    int index = m_pointed;
    for (std::size_t i = 0; index < 0 && isActiveWindow() && i < cells.size(); ++i)
        if (cells[i]->hasFocus()) index = int(i);
    const bool known = isVisible() && m_revision == m_shownRevision && step() && index >= 0 &&
                       index < int(cellCount()) && m_document.source();
    if (!known || m_bridge.paused() || m_document.interacting())
        m_bridge.setTrial(std::nullopt);
    else
        m_bridge.setTrial(chainOf(std::size_t(index)));
}

// Those with which the pictures are largest.
int TestStrip::columnsFor(int count) const {
    const Rect seen = this->seen();
    int best = 1;
    double largest = 0;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const int high = m_grid->height() / rows - fontMetrics().height();
        const double scale = std::min(double(m_grid->width()) / columns / std::max(1, seen.width),
                                      double(high) / std::max(1, seen.height));
        if (scale > largest) best = columns;
        largest = std::max(largest, scale);
    }
    return best;
}

void TestStrip::showValues() {
    std::vector<StripGrid::Value> values;
    for (std::size_t i = 0; i < cellCount(); ++i) {
        const std::size_t columns = m_acrossAxis->values.size();
        const std::size_t across = i % columns, down = i / columns;
        QString label = valueLabel(m_acrossAxis->spec, m_acrossAxis->values[across]);
        bool present = across == m_acrossAxis->present;
        if (m_downAxis) {
            label = tr("%1, %2").arg(label, valueLabel(m_downAxis->spec, m_downAxis->values[down]));
            present = present && down == m_downAxis->present;
        }
        values.push_back({label, namesOf(i), present});
    }
    const int columns =
        m_downAxis ? int(m_acrossAxis->values.size()) : columnsFor(int(values.size()));
    m_grid->setValues(values, columns);
    explain(-1);
}

void TestStrip::explain(int index) {
    const auto& cells = m_grid->cells();
    if (index < 0)
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i]->hasFocus()) index = int(i);
    if (!m_document.source())
        m_value->setText(tr("Open an image first."));
    else if (!step())
        m_value->setText(tr("Select a step whose values to try."));
    else if (cells.empty())
        m_value->setText(tr("This step has no values to try."));
    else if (!m_bridge.held().isEmpty())
        m_value->setText(m_bridge.held());
    else if (index >= 0 && index < int(cells.size()))
        m_value->setText(tr("%1. Click or Return takes it, with Shift the strip stays.")
                             .arg(namesOf(std::size_t(index))));
    else
        m_value->setText(tr("Click a picture to take its value."));
}

void TestStrip::take(int index, bool stay) {
    // What has just changed may be the step, whose values these are not.
    if (m_revision != m_shownRevision || !step() || index < 0 || index >= int(cellCount())) return;
    const QString what = m_downAxis ? tr("%1 and %2")
                                          .arg(engineText(m_acrossAxis->spec.label),
                                               engineText(m_downAxis->spec.label))
                                    : engineText(m_acrossAxis->spec.label);
    const ParamSet values = valuesOf(std::size_t(index));
    const std::string variant = step()->variant;
    if (!stay) leave();
    m_document.setStepValues(m_document.currentStep(), values, variant,
                             tr("%1 from test strip").arg(what));
    if (!stay) return;
    compute();
    m_grid->focusPresent();
}

void TestStrip::drain() {
    for (ChainPicture& ready : m_pictures.take())
        if (ready.revision == m_revision && ready.index < m_grid->cells().size())
            m_grid->cells()[ready.index]->setPicture(ready.picture, engineText(ready.problem),
                                                     givesLabels(chainOf(ready.index)));
}

}  // namespace warpscope::gui
