#include "gui/timings/waterfall.h"

#include <QCoreApplication>
#include <algorithm>

#include "gui/steps/engine_text.h"

namespace warpscope::gui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Waterfall", text);
}

QString operationName(const std::string& id) {
    const Operation* operation = findOperation(id);
    return operation ? engineText(operation->description().label) : QString::fromStdString(id);
}

QString nameOf(const RunEvent& event) {
    switch (event.kind) {
        case RunEvent::Kind::Upload:
            return tr("upload");
        case RunEvent::Kind::Download:
            return tr("download");
        case RunEvent::Kind::Convert:
            return tr("to 8 bits");
        case RunEvent::Kind::Reduce:
            return tr("reduced copies");
        case RunEvent::Kind::Compute:
            break;
    }
    const QString name = operationName(event.label);
    return event.step ? QStringLiteral("%1  %2").arg(*event.step + 1).arg(name) : name;
}

}  // namespace

Waterfall buildWaterfall(const std::vector<RunEvent>& events, const std::optional<DrawTime>& draw,
                         const Pipeline& pipeline, const std::vector<StepReport>& reports) {
    Waterfall waterfall;
    for (const RunEvent& event : events)
        waterfall.rows.push_back(
            {nameOf(event), event.backend,
             event.kind == RunEvent::Kind::Upload || event.kind == RunEvent::Kind::Download,
             event.startMs, event.ms});
    if (draw) waterfall.rows.push_back({tr("draw"), {}, false, draw->startMs, draw->ms});
    std::stable_sort(waterfall.rows.begin(), waterfall.rows.end(),
                     [](const auto& a, const auto& b) { return a.startMs < b.startMs; });
    for (const WaterfallRow& row : waterfall.rows)
        waterfall.endMs = std::max(waterfall.endMs, row.startMs + row.ms);

    QStringList kept;
    for (const StepReport& report : reports)
        if (report.fromCache && report.stepIndex < pipeline.steps.size())
            kept << QStringLiteral("%1  %2")
                        .arg(report.stepIndex + 1)
                        .arg(operationName(pipeline.steps[report.stepIndex].operation));
    if (!kept.isEmpty())
        waterfall.note =
            tr("Kept from before, not in this run: %1").arg(kept.join(QStringLiteral(", ")));
    return waterfall;
}

}  // namespace warpscope::gui
