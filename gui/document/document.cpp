#include "gui/document/document.h"

#include "gui/widgets/engine_text.h"

#include <QUndoCommand>
#include <algorithm>

#include "engine/base/log.h"

namespace warpscope::gui {

// Keeps the whole pipeline before and after: a pipeline is a small value, and a command that holds
// both can never undo into something that was not there.
class PipelineCommand : public QUndoCommand {
  public:
    struct Change {
        Pipeline before, after;
        int currentBefore = -1, currentAfter = -1;
        bool structural = false;
        int stepIndex = -1;
        int gesture = 0;          // 0: never merges
        std::string parameterId;  // of a drag
    };

    PipelineCommand(Document& document, Change change, const QString& text)
        : QUndoCommand(text), m_document(document), m_change(std::move(change)) {}

    int id() const override { return m_change.gesture > 0 ? 1 : -1; }

    bool mergeWith(const QUndoCommand* other) override {
        const auto& next = static_cast<const PipelineCommand*>(other)->m_change;
        if (next.gesture != m_change.gesture || next.stepIndex != m_change.stepIndex ||
            next.parameterId != m_change.parameterId)
            return false;
        m_change.after = next.after;
        m_change.currentAfter = next.currentAfter;
        setObsolete(m_change.before == m_change.after);  // dragged there and back
        return true;
    }

    void redo() override {
        m_document.apply(m_change.after, m_change.structural, m_change.stepIndex,
                         m_change.currentAfter);
    }
    void undo() override {
        m_document.apply(m_change.before, m_change.structural, m_change.stepIndex,
                         m_change.currentBefore);
    }

  private:
    Document& m_document;
    Change m_change;
};

namespace {

constexpr int kUndoLimit = 1000;

int stepCount(const Pipeline& pipeline) {
    return int(pipeline.steps.size());
}

bool hasStep(const Pipeline& pipeline, int index) {
    return index >= 0 && index < stepCount(pipeline);
}

QString labelOf(const Step& step) {
    const Operation* operation = findOperation(step.operation);
    return engineText(operation ? operation->description().label : step.operation);
}

}  // namespace

Document::Document(QObject* parent) : QObject(parent) {
    m_undoStack.setUndoLimit(kUndoLimit);
}

Image Document::image() const {
    return m_source && !m_source->levels.empty() ? m_source->levels.front() : Image();
}

void Document::setSource(PyramidPtr source, const QString& filePath, const QString& title) {
    const Size before = image().size();
    m_source = std::move(source);
    m_filePath = filePath;
    m_title = title;
    const bool dropRegion = m_region && !(image().size() == before);
    if (dropRegion) m_region.reset();
    emit sourceChanged();
    if (dropRegion) emit regionChanged();
}

void Document::setSecond(PyramidPtr second, const QString& filePath, const QString& title) {
    if (!second && !m_second) return;
    m_second = std::move(second);
    m_secondPath = filePath;
    m_secondTitle = title;
    emit secondChanged();
}

namespace {

// Of an image of that size. Each tick of a slider asks for the same several times, and a plan may
// be tables as long as the image is wide: those asked for last are kept.
ChainShape plannedShape(Pipeline steps, PixelFormat format, Size size) {
    struct Known {
        Pipeline steps;
        PixelFormat format;
        Size size;
        ChainShape shape;
    };
    constexpr std::size_t kMostKnown = 4;
    thread_local std::vector<Known> known;  // the last one last
    const auto found = std::ranges::find_if(known, [&](const Known& one) {
        return one.format == format && one.size == size && one.steps == steps;
    });
    if (found != known.end()) {
        std::rotate(found, found + 1, known.end());
        return known.back().shape;
    }
    if (known.size() == kMostKnown) known.erase(known.begin());
    ChainShape shape = computablePart(steps, format, Placement::all(size)).shape;
    known.push_back({std::move(steps), format, size, std::move(shape)});
    return known.back().shape;
}

}  // namespace

ChainShape Document::shapeBefore(int count) const {
    Pipeline before = m_pipeline;
    before.steps.resize(std::min(before.steps.size(), std::size_t(std::max(count, 0))));
    if (image().isNull()) return {};
    return plannedShape(std::move(before), image().format(), image().size());
}

std::optional<PixelFormat> Document::formatAt(int count) const {
    if (image().isNull()) return std::nullopt;
    return shapeBefore(count).format;
}

int Document::placeOfNewStep() const {
    return m_currentStep < 0 ? stepCount(m_pipeline) : m_currentStep + 1;
}

void Document::setCurrentStep(int index) {
    index = hasStep(m_pipeline, index) ? index : -1;
    if (index == m_currentStep) return;
    m_currentStep = index;
    emit currentStepChanged(index);
}

void Document::push(Pipeline after, bool structural, int stepIndex, int currentAfter,
                    const QString& text, int gesture, const std::string& parameterId) {
    dropIdleNames(after);
    if (after == m_pipeline) return;
    PipelineCommand::Change change{m_pipeline, after,     m_currentStep, currentAfter,
                                   structural, stepIndex, gesture,       parameterId};
    m_undoStack.push(new PipelineCommand(*this, std::move(change), text));
}

void Document::dropIdleNames(Pipeline& pipeline) const {
    const auto referred = [&](const std::string& name) {
        return std::ranges::any_of(pipeline.steps, [&](const Step& step) {
            const auto reference = secondInputOf(step);
            return reference && reference->kind == ImageReference::Kind::Step &&
                   reference->step == name;
        });
    };
    for (Step& step : pipeline.steps)
        if (m_givenNames.contains(step.name) && !referred(step.name)) step.name.clear();
}

bool Document::hasRoomForStep() {
    if (m_pipeline.steps.size() < kMaxSteps) return true;
    emit refused(tr("A pipeline has at most %1 steps: nothing was added.").arg(kMaxSteps));
    return false;
}

void Document::insertStep(int at, const Step& step) {
    if (!hasRoomForStep()) return;
    at = std::clamp(at, 0, stepCount(m_pipeline));
    Pipeline after = m_pipeline;
    after.steps.insert(after.steps.begin() + at, step);
    push(after, true, at, at, tr("Add %1").arg(labelOf(step)));
}

std::optional<Step> Document::stepToAdd(const std::string& operation) const {
    auto made = makeStep(operation);
    if (!made) return std::nullopt;
    Step step = std::move(*made);
    // Half of white makes dark images black throughout, all 16-bit ones of a 12-bit camera.
    if (operation == "threshold") step.parameters.set("method", "otsu");
    if (!secondInputOf(step)) return step;
    // A difference with itself, which the defaults give, is black.
    for (const ParamSpec& spec : findOperation(operation)->description().parameters) {
        if (spec.kind == ParamKind::Image && m_second) step.parameters.set(spec.id, "second");
        for (const ChoiceSpec& choice : spec.choices)
            if (choice.id == "average") step.parameters.set(spec.id, choice.id);
    }
    return step;
}

void Document::addStep(const std::string& operation) {
    const auto step = stepToAdd(operation);
    if (!step) return;
    const std::size_t before = m_pipeline.steps.size();
    insertStep(placeOfNewStep(), *step);
    if (m_pipeline.steps.size() == before) return;
    if (secondInputOf(*step)) emit secondTaken(m_currentStep);
    emit stepAdded(m_currentStep);
}

void Document::removeStep(int index) {
    if (!hasStep(m_pipeline, index)) return;
    Pipeline after = m_pipeline;
    const QString label = labelOf(after.steps[std::size_t(index)]);
    after.steps.erase(after.steps.begin() + index);
    push(after, true, index, std::min(index, stepCount(after) - 1), tr("Remove %1").arg(label));
}

void Document::duplicateStep(int index) {
    if (!hasStep(m_pipeline, index) || !hasRoomForStep()) return;
    Pipeline after = m_pipeline;
    Step copy = after.steps[std::size_t(index)];
    copy.name.clear();
    after.steps.insert(after.steps.begin() + index + 1, copy);
    push(after, true, index + 1, index + 1, tr("Duplicate %1").arg(labelOf(copy)));
}

void Document::moveStep(int from, int to) {
    if (!hasStep(m_pipeline, from) || !hasStep(m_pipeline, to) || from == to) return;
    Pipeline after = m_pipeline;
    const Step step = after.steps[std::size_t(from)];
    after.steps.erase(after.steps.begin() + from);
    after.steps.insert(after.steps.begin() + to, step);
    push(after, true, to, to, tr("Move %1").arg(labelOf(step)));
}

void Document::setStepEnabled(int index, bool enabled) {
    if (!hasStep(m_pipeline, index)) return;
    Pipeline after = m_pipeline;
    Step& step = after.steps[std::size_t(index)];
    step.enabled = enabled;
    push(after, false, index, index,
         (enabled ? tr("Turn on %1") : tr("Turn off %1")).arg(labelOf(step)));
}

void Document::setStepVariant(int index, const std::string& variant) {
    if (!hasStep(m_pipeline, index)) return;
    Pipeline after = m_pipeline;
    Step& step = after.steps[std::size_t(index)];
    step.variant = variant;
    push(after, false, index, index, tr("Change the variant of %1").arg(labelOf(step)));
}

void Document::resetStep(int index) {
    if (!hasStep(m_pipeline, index)) return;
    Pipeline after = m_pipeline;
    Step& step = after.steps[std::size_t(index)];
    const auto fresh = stepToAdd(step.operation);
    if (!fresh) return;
    step.parameters = fresh->parameters;
    push(after, false, index, index, tr("Reset %1").arg(labelOf(step)));
}

void Document::setStepValues(int index, const ParamSet& parameters, const std::string& variant,
                             const QString& undoText, EditPhase phase) {
    if (!hasStep(m_pipeline, index)) return;
    Pipeline after = m_pipeline;
    Step& step = after.steps[std::size_t(index)];
    step.parameters = parameters;
    step.variant = variant;
    const auto checked = checkStep(step);
    if (!checked) {
        emit refused(engineText(checked.error().message));
        return;
    }
    step = *checked;
    const bool drag = phase == EditPhase::Drag && m_interacting;
    push(after, false, index, index, undoText, drag ? m_gesture : 0);
}

void Document::setParameter(int index, const std::string& id, const ParamValue& value,
                            EditPhase phase) {
    setParameters(index, {{id, value}}, phase);
}

void Document::setParameters(int index,
                             const std::vector<std::pair<std::string, ParamValue>>& values,
                             EditPhase phase) {
    if (!hasStep(m_pipeline, index)) return;
    Pipeline after = m_pipeline;
    Step& step = after.steps[std::size_t(index)];
    const Operation* operation = findOperation(step.operation);
    const ParamSpec* spec = nullptr;
    for (const auto& [id, value] : values) {
        spec = operation ? operation->description().findParameter(id) : nullptr;
        if (!spec) return;
        const auto checked = checkParameter(*spec, value);
        if (!checked) {  // controls keep to the range; whoever gets here has a mistake of his own
            logMessage(LogLevel::Warning, checked.error().message);
            return;
        }
        step.parameters.set(id, *checked);
    }
    if (!spec) return;
    const bool drag = phase == EditPhase::Drag && m_interacting;
    push(after, false, index, index,
         tr("Change %1 of %2").arg(engineText(spec->label), labelOf(step)), drag ? m_gesture : 0,
         values.back().first);
}

void Document::setStepName(int index, const QString& name) {
    if (!hasStep(m_pipeline, index)) return;
    Pipeline after = m_pipeline;
    const std::string before = after.steps[std::size_t(index)].name;
    const std::string wanted = name.toStdString();
    m_givenNames.erase(wanted);
    if (wanted == before) return;
    if (!wanted.empty() && !isStepName(wanted)) {
        emit refused(tr("\u201c%1\u201d is no name for a step: letters, digits, _ and - are, at "
                        "most 64.")
                         .arg(name));
        return;
    }
    for (Step& step : after.steps) {
        const auto reference = secondInputOf(step);
        const bool refers = reference && reference->kind == ImageReference::Kind::Step;
        if (!wanted.empty() && step.name == wanted) {
            emit refused(tr("Another step is called %1 already.").arg(name));
            return;
        }
        if (!refers || before.empty() || reference->step != before) continue;
        if (wanted.empty()) {
            emit refused(tr("The name %1 stays: %2 takes its second input from there.")
                             .arg(QString::fromStdString(before), labelOf(step)));
            return;
        }
        for (const ParamSpec& spec : findOperation(step.operation)->description().parameters)
            if (spec.kind == ParamKind::Image) step.parameters.set(spec.id, "step:" + wanted);
    }
    after.steps[std::size_t(index)].name = wanted;
    push(after, false, index, index, tr("Name %1").arg(labelOf(after.steps[std::size_t(index)])));
}

void Document::referToStep(int index, const std::string& parameterId, int earlier) {
    if (!hasStep(m_pipeline, index) || earlier < 0 || earlier >= index) return;
    Pipeline after = m_pipeline;
    const bool named = !after.steps[std::size_t(earlier)].name.empty();
    const std::string name = nameOfStep(after, std::size_t(earlier));
    if (!named) m_givenNames.insert(name);
    Step& step = after.steps[std::size_t(index)];
    step.parameters.set(parameterId, "step:" + name);
    push(after, false, index, index, tr("Change the second input of %1").arg(labelOf(step)));
}

void Document::replacePipeline(const Pipeline& pipeline, const QString& undoText) {
    m_givenNames.clear();
    push(pipeline, true, -1, stepCount(pipeline) - 1, undoText);
}

void Document::beginInteraction() {
    if (m_interacting) return;
    m_interacting = true;
    ++m_gesture;
    emit interactionChanged(true);
}

void Document::endInteraction() {
    if (!m_interacting) return;
    m_interacting = false;
    emit interactionChanged(false);
}

void Document::setRegion(std::optional<RegionShape> region) {
    if (region) {
        const Rect whole{0, 0, image().width(), image().height()};
        const Rect inside = intersect(region->box(), whole);
        if (region->isRectangle()) region = inside;
        // Any rectangle and any ellipse that lies inside has pixels.
        const bool sure =
            region->kind() != RegionShape::Kind::Polygon && contains(whole, region->box());
        if (inside.empty() || (!sure && !holdsPixels(*region, inside))) region.reset();
    }
    if (region == m_region) return;
    m_region = std::move(region);
    emit regionChanged();
}

std::optional<Step> Document::cropAt(int index) {
    if (!m_region || image().isNull()) {
        emit refused(tr("There is no region: Shift and drag in the image makes one."));
        return std::nullopt;
    }
    const ChainShape shape = shapeBefore(index);
    const Size whole = shape.place.whole;
    const Rect kept = intersect(mapped(inverse(shape.sourceFromResult), m_region->box()),
                                Rect{0, 0, whole.width, whole.height});
    if (kept.empty()) {
        emit refused(tr("Nothing of the region is left at that step."));
        return std::nullopt;
    }
    auto step = makeStep("crop");
    if (!step) return std::nullopt;
    step->parameters.set("x", std::int64_t{kept.x});
    step->parameters.set("y", std::int64_t{kept.y});
    step->parameters.set("width", std::int64_t{kept.width});
    step->parameters.set("height", std::int64_t{kept.height});
    return *step;
}

void Document::cropToRegion() {
    if (!hasRoomForStep()) return;
    const int end = stepCount(m_pipeline);
    const auto step = cropAt(end);
    if (!step) return;
    Pipeline after = m_pipeline;
    after.steps.push_back(*step);
    push(after, true, end, end, tr("Crop to region"));
}

void Document::setCropToRegion(int index) {
    if (!hasStep(m_pipeline, index)) return;
    if (const auto step = cropAt(index))
        setStepValues(index, step->parameters, m_pipeline.steps[std::size_t(index)].variant,
                      tr("Crop to region"));
}

void Document::apply(const Pipeline& pipeline, bool structural, int stepIndex, int currentStep) {
    m_pipeline = pipeline;
    const int current = hasStep(pipeline, currentStep) ? currentStep : -1;
    const bool moved = current != m_currentStep;
    m_currentStep = current;
    emit pipelineChanged(structural, stepIndex);
    if (moved) emit currentStepChanged(current);
}

}  // namespace warpscope::gui
