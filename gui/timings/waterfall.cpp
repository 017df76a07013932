#include "gui/timings/waterfall.h"

#include <QLocale>
#include <algorithm>
#include <iterator>
#include <utility>

#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {

namespace {

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
            return tr("conversion");
        case RunEvent::Kind::Reduce:
            return tr("reduced copies");
        case RunEvent::Kind::Compute:
            break;
    }
    const QString name = operationName(event.label);
    return event.step ? QStringLiteral("%1  %2").arg(*event.step + 1).arg(name) : name;
}

using Rows = std::vector<WaterfallRow>;

WaterfallRow rowOf(QString name, std::optional<BackendKind> backend, double startMs, double ms) {
    WaterfallRow row;
    row.name = std::move(name);
    row.backend = backend;
    row.startMs = startMs;
    row.ms = ms;
    row.bars = {{startMs, ms}};
    return row;
}

void describe(WaterfallRow& row, const QString& subject) {
    row.detail = tr("%1: %2 ms, begun at %3 ms")
                     .arg(subject, millisecondText(row.ms), millisecondText(row.startMs));
    if (row.launches == 1) row.detail += tr(", 1 launch");
    if (row.launches > 1) row.detail += tr(", %1 launches").arg(QLocale().toString(row.launches));
}

// Of work that was done in several pieces: a large image is computed in bands of rows.
bool goesOn(const RunEvent& a, const RunEvent& b) {
    return a.kind == RunEvent::Kind::Compute && a.kind == b.kind && a.label == b.label &&
           a.step == b.step && a.step && a.backend == b.backend && a.kernels.empty() &&
           b.kernels.empty();
}

// The operation, and below it a row for each kernel that it launched, in the order of their first
// launch. An operation of one kernel is one row.
Rows rowsOf(const RunEvent& event) {
    Rows rows{rowOf(nameOf(event), event.backend, event.startMs, event.ms)};
    rows[0].transfer =
        event.kind == RunEvent::Kind::Upload || event.kind == RunEvent::Kind::Download;
    const QString operation = rows[0].name;
    std::vector<std::string> names;
    for (const KernelLaunches& kernel : event.kernels) {
        const auto found = std::find(names.begin(), names.end(), kernel.name);
        const std::size_t at = 1 + std::size_t(found - names.begin());
        if (found == names.end()) {
            names.push_back(kernel.name);
            rows.push_back(rowOf(
                kernel.name.empty() ? tr("further launches") : QString::fromStdString(kernel.name),
                event.backend, kernel.startMs, 0));
            rows[at].kernel = true;
            rows[at].bars.clear();
        }
        rows[at].ms += kernel.ms;
        rows[at].launches += kernel.launches;
        rows[at].bars.push_back({kernel.startMs, kernel.ms});
        rows[0].launches += kernel.launches;
    }
    for (WaterfallRow& row : rows) {
        describe(row, row.kernel ? QStringLiteral("%1: %2").arg(operation, row.name) : row.name);
        if (row.kernel && row.launches > 1)
            row.name += QStringLiteral(" × %1").arg(QLocale().toString(row.launches));
    }
    if (rows.size() != 2) return rows;
    WaterfallRow& only = rows.front();
    only.name += QStringLiteral(": %1").arg(rows.back().name);
    describe(only, only.name);
    rows.pop_back();
    return rows;
}

}  // namespace

Waterfall buildWaterfall(const std::vector<RunEvent>& events, const std::optional<DrawTime>& draw,
                         const Pipeline& pipeline, const std::vector<StepReport>& reports) {
    std::vector<Rows> pieces;
    std::vector<const RunEvent*> first;
    for (const RunEvent& event : events) {
        const auto begun = std::ranges::find_if(
            first, [&](const RunEvent* earlier) { return goesOn(*earlier, event); });
        if (begun == first.end()) {
            first.push_back(&event);
            pieces.push_back(rowsOf(event));
            continue;
        }
        WaterfallRow& row = pieces[std::size_t(begun - first.begin())].front();
        row.bars.push_back({event.startMs, event.ms});
        row.ms += event.ms;
        describe(row, row.name);
    }
    if (draw) {
        pieces.push_back({rowOf(tr("draw"), {}, draw->startMs, draw->ms)});
        describe(pieces.back().front(), pieces.back().front().name);
    }
    std::stable_sort(pieces.begin(), pieces.end(), [](const Rows& a, const Rows& b) {
        return a.front().startMs < b.front().startMs;
    });
    Waterfall waterfall;
    for (Rows& rows : pieces)
        std::move(rows.begin(), rows.end(), std::back_inserter(waterfall.rows));
    for (const WaterfallRow& row : waterfall.rows)
        for (const WaterfallBar& bar : row.bars)
            waterfall.endMs = std::max(waterfall.endMs, bar.startMs + bar.ms);

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
