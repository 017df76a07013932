#include "gui/showcase/showcase_items.h"

#include <QStringList>
#include <algorithm>

#include "engine/report/bench_command.h"
#include "gui/base/file_name.h"
#include "gui/document/step_levels.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

const QString kOwn = QStringLiteral("pipeline");
const QString kImage = QStringLiteral("image");

QString valueText(const ParamSpec& spec, const ParamValue& value) {
    if (const auto* choice = std::get_if<std::string>(&value)) {
        const ChoiceSpec* known = spec.findChoice(*choice);
        return engineText(known ? known->label : *choice);
    }
    const std::string number = toText(value);
    if (spec.zeroIsAutomatic && number == "0") return tr("automatic");
    const QString text = QString::fromStdString(number);
    return spec.unit.empty() ? text : QStringLiteral("%1 %2").arg(text, engineText(spec.unit));
}

QString labelOf(const Step& step) {
    return engineText(findOperation(step.operation)->description().label);
}

template <class List>
int indexOf(const List& list, const QString& id) {
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i].id == id) return int(i);
    return -1;
}

// Of the first operation that looks around a pixel: what only moves bytes is timed by its
// transfers.
int firstSpatial(const std::vector<ShowcaseOperation>& operations) {
    const auto looksAround = [](const ShowcaseOperation& item) {
        const auto& parameters =
            findOperation(item.pipeline.steps.front().operation)->description().parameters;
        return std::any_of(parameters.begin(), parameters.end(),
                           [](const ParamSpec& spec) { return spec.spatial; });
    };
    const auto found = std::find_if(operations.begin(), operations.end(), looksAround);
    return found == operations.end() ? 0 : int(found - operations.begin());
}

template <class List>
QString idsOf(const List& list) {
    QStringList ids;
    for (const auto& item : list) ids << item.id;
    return ids.join(QStringLiteral(", "));
}

}  // namespace

QString parametersText(const Step& step) {
    QStringList texts;
    const OperationDescription& description = findOperation(step.operation)->description();
    for (const ParamSpec& spec : description.parameters)
        if (const ParamValue* value = step.parameters.find(spec.id);
            value && isUsed(step.operation, step.parameters, spec.id))
            texts << QStringLiteral("%1 %2").arg(engineText(spec.label), valueText(spec, *value));
    return texts.join(QStringLiteral(" · "));
}

std::vector<ShowcaseOperation> showcaseOperations(const Pipeline& own) {
    std::vector<ShowcaseOperation> list;
    QStringList steps;
    for (const Step& step : own.steps)
        if (step.enabled) steps << labelOf(step);
    if (!steps.isEmpty())
        list.push_back({kOwn, tr("Your pipeline"), steps.join(QStringLiteral(" → ")), own});
    for (const Operation* operation : allOperations()) {
        const OperationDescription& description = operation->description();
        // A race has one picture.
        const bool two =
            std::any_of(description.parameters.begin(), description.parameters.end(),
                        [](const ParamSpec& spec) { return spec.kind == ParamKind::Image; });
        if (description.kind != OperationKind::Filter || two) continue;
        auto step = makeStep(description.id);
        if (!step) continue;
        const QString details = parametersText(*step);
        list.push_back({QString::fromStdString(description.id), engineText(description.label),
                        details, Pipeline{{std::move(*step)}}});
    }
    return list;
}

std::vector<ShowcaseSize> showcaseSizes(const Image& atHand, const QString& title,
                                        const StillLook& look) {
    std::vector<ShowcaseSize> list;
    for (const int side : {256, 512, 1024})
        list.push_back({QString::number(side), QString::number(side), {side, side}, {}});
    list.push_back({QStringLiteral("hd"), QStringLiteral("Full HD"), {1920, 1080}, {}});
    list.push_back({QStringLiteral("4k"), QStringLiteral("4K"), {3840, 2160}, {}});
    list.push_back({QStringLiteral("8k"), QStringLiteral("8K"), {7680, 4320}, {}});
    if (atHand.isNull()) return list;
    // Among its neighbours; before one of its own size.
    const auto after = std::find_if(list.begin(), list.end(), [&](const ShowcaseSize& size) {
        return size.size.pixels() >= atHand.size().pixels();
    });
    list.insert(after, {kImage, title, atHand.size(), atHand, look});
    return list;
}

QString raceCommand(const ShowcaseOperation& operation, const ShowcaseSize& size, bool gray,
                    const std::vector<BackendKind>& backends) {
    BenchmarkPlan plan;
    for (const Step& step : operation.pipeline.steps) {
        if (!step.enabled) continue;
        plan.operations.push_back(step.operation);
        plan.steps.push_back({step.operation, step.parameters, {step.variant}});
    }
    if (plan.steps.size() != 1 || backends.empty()) return {};
    plan.backends = backends;
    if (size.image.isNull()) {
        plan.sizes = {size.size};
        plan.pixels = gray ? BenchmarkPixels::Gray : BenchmarkPixels::Color;
    } else {
        plan.image = size.image;
        plan.imageFile = nameToBytes(size.file).toStdString();
    }
    return QString::fromStdString(shellQuoted(benchCommand(plan)));
}

ShowcaseStart showcaseStart(const QString& text, const std::vector<ShowcaseOperation>& operations,
                            const std::vector<ShowcaseSize>& sizes) {
    ShowcaseStart start;
    const int own = indexOf(operations, kOwn);
    const int image = indexOf(sizes, kImage);
    start.operation = own >= 0 ? own : firstSpatial(operations);
    start.size = image >= 0 ? image : std::max(0, indexOf(sizes, QStringLiteral("hd")));
    for (const QString& id : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString known = id.trimmed().toLower();
        const int operation = indexOf(operations, known);
        const int size = indexOf(sizes, known);
        if (operation >= 0)
            start.operation = operation;
        else if (size >= 0)
            start.size = size;
        else
            start.error = tr("there is no '%1'; operations are %2; sizes are %3")
                              .arg(id.trimmed(), idsOf(operations), idsOf(sizes));
    }
    return start;
}

}  // namespace warpscope::gui
