#include "gui/steps/step_controls.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "gui/document/step_levels.h"
#include "gui/steps/about_section.h"
#include "gui/steps/curve_plot.h"
#include "gui/steps/image_row.h"
#include "gui/steps/matrix_grid.h"
#include "gui/steps/param_row.h"
#include "gui/widgets/choice_row.h"
#include "gui/widgets/color_toggle.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/value_slider.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {

namespace {

// Pixels that the operation takes when this parameter is 0: the plan knows how far it reaches, and
// how large what it gives is. 0 where there is no plan, or nothing that says it.
int automaticSize(const Step& step, const std::string& parameter, Size input) {
    const Operation* operation = findOperation(step.operation);
    if (!operation || operation->description().accepts.empty()) return 0;
    PlanRequest request;
    request.parameters = step.parameters;
    request.parameters.set(parameter, std::int64_t{0});
    request.format = operation->description().accepts.front();
    if (parameter == "width" || parameter == "height") {  // of what it gives
        if (input.empty()) return 0;
        request.size = input;
        const auto plan = operation->plan(request);
        if (!plan || (*plan)->outputSize == input) return 0;
        return parameter == "width" ? (*plan)->outputSize.width : (*plan)->outputSize.height;
    }
    request.size = {kMaxSide, kMaxSide};  // no reason to look at less than the whole window
    const auto plan = operation->plan(request);
    return plan && (*plan)->halo > 0 ? 2 * (*plan)->halo + 1 : 0;
}

// As the parameter has it, with as few digits as, typed again, part the same pixels.
double inGreyLevels(const ThresholdLevel& found) {
    const double level = found.level * 255 / fullScale(found.input);
    return isFloat(found.input) ? QString::number(level, 'g', 6).toDouble()
                                : std::ceil(level * 1000) / 1000;
}

}  // namespace

StepControls::StepControls(Document& document, QWidget* parent)
    : QScrollArea(parent), m_document(document) {
    setObjectName(QStringLiteral("stepControls"));
    setAccessibleName(tr("Controls of the selected step"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);

    m_content = new QWidget;
    m_content->setAcceptDrops(true);
    m_content->installEventFilter(this);
    m_title = new WrapLabel(m_content);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_title->setFont(strong);
    m_reset = new QToolButton(m_content);
    m_reset->setObjectName(QStringLiteral("resetStep"));
    m_reset->setText(tr("Reset"));
    m_reset->setToolTip(tr("Set all parameters of this step to their defaults"));
    m_reset->setAutoRaise(true);
    m_reset->setFocusPolicy(Qt::StrongFocus);
    m_about = new AboutSection(m_content);
    m_hint = new WrapLabel(m_content);
    m_hint->setText(tr("Select a step to see its controls."), Tone::Weak);

    m_page = new QWidget(m_content);
    auto* header = new QHBoxLayout;
    header->setSpacing(8);
    header->addWidget(m_title, 1);
    header->addWidget(m_reset, 0, Qt::AlignTop);
    auto* page = new QVBoxLayout(m_page);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(8);
    page->addLayout(header);
    page->addSpacing(4);
    page->addWidget(m_about);
    auto* all = new QVBoxLayout(m_content);
    all->setContentsMargins(12, 8, 12, 12);
    all->addWidget(m_hint);
    all->addWidget(m_page);
    all->addStretch(1);
    setWidget(m_content);
    m_content->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);

    connect(m_reset, &QToolButton::clicked, this, [this] { m_document.resetStep(m_index); });
    connect(m_about, &AboutSection::opened, this, [this] {
        // After the layout has given the text its place.
        QTimer::singleShot(0, this, [this] { ensureWidgetVisible(m_about, 0, 8); });
    });
    connect(&m_document, &Document::pipelineChanged, this, &StepControls::sync);
    connect(&m_document, &Document::currentStepChanged, this, &StepControls::sync);
    // What automatic sizes, second inputs and the region's button stand for.
    for (const auto signal :
         {&Document::sourceChanged, &Document::secondChanged, &Document::regionChanged})
        connect(&m_document, signal, this, &StepControls::sync);
    sync();
}

StepControls::~StepControls() {
    endGesture();
}

const Step* StepControls::step() const {
    const int index = m_document.currentStep();
    const auto& steps = m_document.pipeline().steps;
    return index >= 0 && index < int(steps.size()) ? &steps[std::size_t(index)] : nullptr;
}

void StepControls::endGesture() {
    if (!m_gesture) return;
    m_gesture = false;
    m_document.endInteraction();
}

void StepControls::sync() {
    const Step* current = step();
    const Operation* operation = current ? findOperation(current->operation) : nullptr;
    m_hint->setVisible(!operation && !m_document.pipeline().steps.empty());
    m_page->setVisible(operation);
    const bool otherStep = m_index != m_document.currentStep();
    if (otherStep) endGesture();
    m_index = m_document.currentStep();
    if (!operation) return;
    const OperationDescription& description = operation->description();
    const bool wrong = !description.wrongVariants.empty() &&
                       (m_showWrong || description.isWrongOnPurpose(current->variant));
    if (operation != m_operation || wrong != m_rowsHaveWrong) {
        m_rowsHaveWrong = wrong;
        rebuild(*operation);
    }
    for (const auto& read : m_readers) read(*current, otherStep);
    const auto defaults = m_document.stepToAdd(current->operation);
    m_reset->setEnabled(defaults && !(defaults->parameters == current->parameters));
}

void StepControls::rebuild(const Operation& operation) {
    endGesture();
    const OperationDescription& description = operation.description();
    m_operation = &operation;
    m_readers.clear();
    const bool hadFocus = m_rows && m_rows->isAncestorOf(QApplication::focusWidget());
    if (m_rows) {
        // The old controls may be in the middle of an event of their own, and a field that loses
        // the focus by hiding must not give its text to the step that is selected now.
        for (QObject* child : m_rows->findChildren<QObject*>()) child->disconnect(this);
        m_rows->hide();
        m_rows->setParent(nullptr);
        m_rows->deleteLater();
    }
    m_title->setText(engineText(description.label));
    m_title->setToolTip(engineText(description.summary));
    m_rows = new QWidget(m_page);
    auto* layout = new QVBoxLayout(m_rows);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    for (const ParamSpec& spec : description.parameters) {
        switch (spec.kind) {
            case ParamKind::Choice:
                addChoice(*layout, spec);
                break;
            case ParamKind::Points:
            case ParamKind::Matrix:
                addList(*layout, operation, spec);
                break;
            case ParamKind::Image:
                addImage(*layout, spec);
                break;
            case ParamKind::Integer:
            case ParamKind::Real:
                addNumber(*layout, spec);
                break;
        }
    }
    const bool objects = description.id == "connected_components";
    if (description.id == "crop" || description.id == "rotate" || objects) {
        auto* buttons = new QHBoxLayout;
        buttons->setSpacing(8);
        if (m_handles && !objects) addHandles(*buttons);
        if (objects) addObjects(*buttons);
        if (description.id == "crop") addFromRegion(*buttons);
        buttons->addStretch(1);
        layout->addLayout(buttons);
    }
    if (description.id == "levels") addAutomatic(*layout);
    if (description.variants.size() > 1 || m_rowsHaveWrong) addVariants(*layout, description);
    static_cast<QVBoxLayout*>(m_page->layout())->insertWidget(1, m_rows);
    m_rows->show();
    m_about->setOperation(description);
    if (hadFocus) focusFirst();
}

template <class Row>
void StepControls::connectValue(Row* row, const std::string& id) {
    connect(row, &Row::gestureStarted, this, [this] {
        m_gesture = true;
        m_document.beginInteraction();
    });
    connect(row, &Row::gestureEnded, this, &StepControls::endGesture);
    connect(row, &Row::edited, this, [this, id](const ParamValue& value, EditPhase phase) {
        m_document.setParameter(m_index, id, value, phase);
    });
    m_readers.push_back([row, id](const Step& step, bool otherStep) {
        if (otherStep) row->discardTyped();
        if (const ParamValue* value = step.parameters.find(id)) row->setValue(*value);
    });
}

void StepControls::addNumber(QVBoxLayout& layout, const ParamSpec& spec) {
    auto* row = new ParamRow(spec, m_rows);
    layout.addWidget(row);
    if (m_operation->description().id == "crop") fitToInput(row, spec);
    if (m_operation->description().id == "threshold") return connectLevel(row, spec.id);
    connectValue(row, spec.id);
    if (!spec.zeroIsAutomatic || m_operation->description().id == "crop") return;
    // Of the other parameters alone: while its own slider is dragged nothing is planned.
    m_readers.push_back([this, row, id = spec.id, known = std::optional<std::pair<Step, Size>>()](
                            const Step& step, bool) mutable {
        std::pair now(step, m_document.shapeBefore(m_index).place.whole);
        now.first.parameters.set(id, std::int64_t{0});
        if (now == known) return;
        // Where it is automatic, the chain has been planned with it, which others ask for, too.
        const bool side = id == "width" || id == "height";
        const Size made = side && step.enabled && now.first == step
                              ? m_document.shapeBefore(m_index + 1).place.whole
                              : Size{};
        row->setAutomaticSize(made.empty() || made == now.second
                                  ? automaticSize(now.first, id, now.second)
                              : id == "width" ? made.width
                                              : made.height);
        known = std::move(now);
    });
}

// What a method found stands in the field and at the slider; moved there, it is a fixed level from
// then on, as with the handle in the histogram.
void StepControls::connectLevel(ParamRow* row, const std::string& id) {
    connect(row, &ParamRow::gestureStarted, this, [this] {
        m_gesture = true;
        m_document.beginInteraction();
    });
    connect(row, &ParamRow::gestureEnded, this, &StepControls::endGesture);
    connect(row, &ParamRow::edited, this, [this, id](const ParamValue& value, EditPhase phase) {
        m_document.setParameters(m_index, {{"method", std::string("fixed")}, {id, value}}, phase);
    });
    m_readers.push_back([this, row, id](const Step& step, bool otherStep) {
        if (otherStep) row->discardTyped();
        const bool fixed = step.parameters.choice("method") == "fixed";
        row->setFound(!fixed);
        const auto found = fixed || !m_bridge ? std::optional<ThresholdLevel>()
                                              : thresholdLevel(m_document, *m_bridge, m_index);
        if (found)
            row->setValue(ParamValue(inGreyLevels(*found)));
        else
            row->setValue(*step.parameters.find(id));
    });
}

void StepControls::follow(const EngineBridge& bridge) {
    m_bridge = &bridge;
    connect(&bridge, &EngineBridge::thresholdsChanged, this, &StepControls::sync);
}

// The sliders of a crop reach as far as the rectangle does in what the step is given; the fields
// take any number.
void StepControls::fitToInput(ParamRow* row, const ParamSpec& spec) {
    const bool extent = spec.zeroIsAutomatic;
    if (extent) {
        row->setAutomaticName(tr("to the edge"));
        row->slider().setZeroIsMost(true);
        row->slider().setRange(1, row->slider().scale().high());
    }
    const bool across = spec.id == "x" || spec.id == "width";
    m_readers.push_back([this, row, extent, across](const Step& step, bool) {
        const Size input = m_document.shapeBefore(m_index).place.whole;
        if (input.empty()) return;
        const int side = across ? input.width : input.height;
        const auto other = int(step.parameters.integer(extent   ? across ? "x" : "y"
                                                       : across ? "width"
                                                                : "height"));
        const int room = side - std::max(other, extent ? 0 : 1);
        row->slider().setRange(extent ? 1 : 0, room);
        if (extent) row->setAutomaticSize(room);
    });
}

void StepControls::addChoice(QVBoxLayout& layout, const ParamSpec& spec) {
    QVector<ChoiceItem> items;
    for (const ChoiceSpec& choice : spec.choices)
        items.append({choice.id, engineText(choice.label), engineText(choice.help)});
    auto* row =
        new ChoiceRow(spec.id, engineText(spec.label), engineText(spec.help), items, m_rows);
    layout.addWidget(row);
    connect(row, &ChoiceRow::chosen, this, [this, id = spec.id](const std::string& choice) {
        m_document.setParameter(m_index, id, ParamValue(choice), EditPhase::Single);
    });
    m_readers.push_back([row, id = spec.id](const Step& step, bool) {
        if (const ParamValue* value = step.parameters.find(id))
            if (const auto* choice = std::get_if<std::string>(value)) row->setChoice(*choice);
    });
}

// What the operation makes of points, its other parameters as they are; nothing for one that draws
// no curve.
CurvePlot::Curve StepControls::curveOf(const Operation& operation, const std::string& parameter) {
    const OperationDescription& description = operation.description();
    if (!description.mapsLevels || description.dependsOnWholeImage) return {};
    return [this, &operation, parameter](const PointList& points) -> std::vector<double> {
        const Step* current = step();
        if (!current || current->operation != operation.description().id) return {};
        Step changed = *current;
        changed.parameters.set(parameter, points);
        const std::vector<ToneCurve> curves = toneCurvesOf(changed);
        return curves.empty() ? std::vector<double>() : curves.front().outputs;
    };
}

void StepControls::addList(QVBoxLayout& layout, const Operation& operation, const ParamSpec& spec) {
    ListEditor* editor = spec.kind == ParamKind::Matrix
                             ? static_cast<ListEditor*>(new MatrixGrid(spec))
                             : new CurvePlot(spec, curveOf(operation, spec.id));
    auto* row = new ListRow(spec, editor, m_rows);
    layout.addWidget(row);
    connectValue(row, spec.id);
}

void StepControls::addImage(QVBoxLayout& layout, const ParamSpec& spec) {
    auto* row = new ImageRow(m_document, spec, m_rows);
    layout.addWidget(row);
    connect(row, &ImageRow::secondDropped, this, &StepControls::secondDropped);
    m_readers.push_back([this, row](const Step&, bool) { row->show(m_index); });
}

void StepControls::setHandlesAction(QAction* action) {
    m_handles = action;
    m_operation = nullptr;  // the rows are made anew
    sync();
}

void StepControls::addHandles(QHBoxLayout& layout) {
    auto* button =
        new ColorToggle(tr("Handles"), tr("Handles in the image"), m_handles->toolTip(), m_rows);
    button->setObjectName(QStringLiteral("stepHandles"));
    layout.addWidget(button);
    const auto show = [action = m_handles, button] {
        button->setChecked(action->isChecked());
        button->setEnabled(action->isEnabled());
        button->setToolTip(action->toolTip());
    };
    connect(m_handles, &QAction::changed, button, show);
    show();
    connect(button, &QAbstractButton::clicked, m_handles, &QAction::trigger);
}

void StepControls::addFromRegion(QHBoxLayout& layout) {
    auto* button = new QPushButton(tr("From region"), m_rows);
    button->setObjectName(QStringLiteral("cropFromRegion"));
    button->setToolTip(tr("Crop to the region of the image (Shift and drag makes one)"));
    layout.addWidget(button);
    connect(button, &QPushButton::clicked, this, [this] { m_document.setCropToRegion(m_index); });
    m_readers.push_back(
        [this, button](const Step&, bool) { button->setEnabled(m_document.region().has_value()); });
}

void StepControls::addAutomatic(QVBoxLayout& layout) {
    auto* button = new QPushButton(tr("Auto"), m_rows);
    button->setObjectName(QStringLiteral("levelsAuto"));
    button->setAccessibleName(tr("Black and white automatically"));
    button->setToolTip(
        tr("Black and white where what the step is given begins and ends: 0.35% of "
           "the samples lie beyond each, an even black or white surround aside"));
    layout.addWidget(button, 0, Qt::AlignLeft);
    connect(button, &QPushButton::clicked, this, [this] {
        if (!m_bridge) return;
        if (const auto range = usedLevelsBefore(m_document, *m_bridge, m_index))
            m_document.setParameters(m_index, {{"black", range->black}, {"white", range->white}},
                                     EditPhase::Single);
        else
            emit m_document.refused(
                tr("What this step is given is not counted, or has one level only. The histogram "
                   "counts it while it is shown."));
    });
}

void StepControls::addObjects(QHBoxLayout& layout) {
    auto* button = new QPushButton(tr("Objects"), m_rows);
    button->setObjectName(QStringLiteral("objectsOfStep"));
    button->setToolTip(tr("A table of the objects: area, place and values of each"));
    layout.addWidget(button);
    connect(button, &QPushButton::clicked, this, &StepControls::objectsRequested);
}

void StepControls::addVariants(QVBoxLayout& layout, const OperationDescription& description) {
    QVector<ChoiceItem> items;
    std::vector<VariantSpec> variants = description.variants;
    if (m_rowsHaveWrong)
        variants.insert(variants.end(), description.wrongVariants.begin(),
                        description.wrongVariants.end());
    for (const VariantSpec& variant : variants) {
        QString help = engineText(variant.help);
        if (!variant.source.empty())
            help += QLatin1Char('\n') + tr("Source: %1").arg(engineText(variant.source));
        items.append({variant.id, engineText(variant.label), help});
    }
    auto* row =
        new ChoiceRow("variant", tr("Variant"),
                      m_rowsHaveWrong ? tr("How the result is computed; some are wrong on purpose")
                                      : tr("How the result is computed; the result is the same"),
                      items, m_rows);
    layout.addWidget(row);
    connect(row, &ChoiceRow::chosen, this,
            [this](const std::string& variant) { m_document.setStepVariant(m_index, variant); });
    m_readers.push_back([row](const Step& step, bool) { row->setChoice(step.variant); });
}

// Beside the field of a second image means the field: elsewhere a drop opens the image.
bool StepControls::eventFilter(QObject* watched, QEvent* event) {
    const bool drag = event->type() == QEvent::DragEnter || event->type() == QEvent::DragLeave ||
                      event->type() == QEvent::Drop;
    auto* row = watched == m_content && drag && m_rows && m_page->isVisible()
                    ? m_rows->findChild<ImageRow*>()
                    : nullptr;
    if (!row) return QScrollArea::eventFilter(watched, event);
    row->takeDrag(*event);
    return true;
}

bool StepControls::focusNextPrevChild(bool next) {
    const bool moved = QScrollArea::focusNextPrevChild(next);
    if (QWidget* focused = QApplication::focusWidget(); focused && m_content->isAncestorOf(focused))
        ensureWidgetVisible(focused, 0, 24);
    return moved;
}

void StepControls::focusFirst(Qt::FocusReason reason) {
    if (!m_rows || m_page->isHidden()) return;
    for (QWidget* child : m_rows->findChildren<QWidget*>()) {
        if (!(child->focusPolicy() & Qt::TabFocus) || !child->isEnabled()) continue;
        child->setFocus(reason);
        return;
    }
    m_about->findChild<QToolButton*>()->setFocus(reason);
}

void StepControls::setWrongVariantsShown(bool shown) {
    m_showWrong = shown;
    sync();
}

int StepControls::contentHeight() const {
    const QLayout* layout = m_content->layout();
    return layout->hasHeightForWidth() ? layout->totalHeightForWidth(viewport()->width())
                                       : layout->totalSizeHint().height();
}

void StepControls::showAbout() {
    m_about->setOpen(true);
    m_about->findChild<QToolButton*>()->setFocus(Qt::OtherFocusReason);
}

}  // namespace warpscope::gui
