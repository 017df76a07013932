// The tables of the source texts beside ours.
#include <algorithm>

#include "engine/report/bench_command.h"
#include "engine/report/report_tables.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/sheet_cells.h"
#include "gui/demos/demo_table.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

using namespace sheet_cells;

SheetCell printed(const PublishedFigure& published, const QString& unit = {}) {
    SheetCell cell = words(publishedText(published), CellTone::Weak);
    if (!published.known()) {
        cell.text = tr("none", "no published figure");
        return cell;
    }
    cell.text += unit;
    cell.number = published.value;
    return cell;
}

// Of a noisy figure its interval beneath it.
SheetCell ours(const StepTiming& row, double ms, const SampleSummary& time) {
    if (!row.measured()) return words(QStringLiteral("—"), CellTone::Weak);
    SheetCell cell = milliseconds(ms);
    if (!time.noisy()) return cell;
    const QString low = time.lowMs > 0 ? millisecondText(time.lowMs) : QStringLiteral("0");
    cell.text += QLatin1Char('\n') + tr("%1 – %2").arg(low, millisecondText(time.highMs));
    cell.tone = CellTone::Warning;
    cell.toolTip = tr("Noisy: so far do the rounds of this run scatter (95% interval)");
    return cell;
}

bool anyOurs(const PublishedComparison& line) {
    return line.single.measured() || line.cores.measured() || line.gpu.measured();
}

// The chosen results may be the recorded ones.
bool sameFigures(const PublishedComparison& a, const PublishedComparison& b) {
    const auto same = [](const StepTiming& x, const StepTiming& y) {
        return x.time.medianMs == y.time.medianMs && x.endToEndMs == y.endToEndMs;
    };
    return same(a.single, b.single) && same(a.cores, b.cores) && same(a.gpu, b.gpu);
}

QString titleOf(const PublishedComparison& line) {
    const PublishedExperiment& e = *line.experiment;
    const PublishedRow& r = *line.row;
    return r.method.empty() ? engineText(e.title)
                            : tr("%1: %2").arg(engineText(e.title), engineText(r.method).toLower());
}

SheetCell sizeOf(const PublishedComparison& line) {
    StepTiming sized;
    sized.width = line.row->size.width;
    sized.height = line.row->size.height;
    return sizeCell(sized);
}

// The cells behind the published ones.
void addOurs(SheetRow& cells, const PublishedComparison& line) {
    const std::vector<const StepTiming*> step{&line.single, &line.cores, &line.gpu};
    QString faster = fasterText(step, line.gpu);
    if (faster.isEmpty()) faster = fasterText(step, line.cores);
    cells.push_back(ours(line.single, line.single.time.medianMs, line.single.time));
    cells.push_back(ours(line.cores, line.cores.time.medianMs, line.cores.time));
    cells.push_back(ours(line.gpu, line.gpu.kernelMs, line.gpu.time));
    cells.push_back(ours(line.gpu, line.gpu.endToEndMs, line.gpu.endToEnd));
    cells.push_back(words(faster));
}

SheetRow publishedRow(const PublishedComparison& line) {
    const PublishedExperiment& e = *line.experiment;
    const PublishedRow& r = *line.row;
    SheetCell title = words(titleOf(line));
    for (const std::string& note : {e.summary, e.note, r.note})
        if (!note.empty()) title.toolTip += engineText(note) + QLatin1Char('\n');
    title.toolTip.chop(1);
    SheetRow cells{std::move(title), sizeOf(line), printed(r.cpuMs), printed(r.gpuMs),
                   printed(r.speedup, QStringLiteral("×"))};
    addOurs(cells, line);
    cells.push_back(words(e.cpuName.empty()
                              ? tr("not known")
                              : tr("%1 and %2").arg(engineText(e.cpuName), engineText(e.gpuName)),
                          CellTone::Weak));
    cells.push_back(words(engineText(e.source), CellTone::Weak));
    return cells;
}

SheetRow recordedRow(const PublishedComparison& line, const BenchmarkEntry& entry) {
    SheetCell title = words(tr("recorded: %1").arg(titleOf(line)), CellTone::Weak);
    title.toolTip =
        tr("%1: the same operation, parameters and size, on the program's scene instead of the "
           "text's image")
            .arg(machineLabel(entry));
    SheetRow cells{std::move(title), sizeOf(line), {}, {}, {}};
    addOurs(cells, line);
    cells.push_back(words(machineLabel(entry), CellTone::Weak));
    cells.emplace_back();
    return cells;
}

// A row of the sheet, from the chosen results or from recorded ones.
struct Line {
    PublishedComparison figures;
    const BenchmarkEntry* recorded = nullptr;
};

std::vector<Line> linesOf(const TimingReport* report, const std::vector<BenchmarkEntry>& recorded) {
    std::vector<std::vector<PublishedComparison>> beside;
    for (const BenchmarkEntry& entry : recorded)
        beside.push_back(sameStepsAsPublished(entry.report));
    const std::vector<PublishedComparison> chosen =
        publishedComparison(report ? *report : TimingReport{});
    std::vector<Line> lines;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        lines.push_back({chosen[i], nullptr});
        for (std::size_t r = 0; r < recorded.size(); ++r)
            if (anyOurs(beside[r][i]) && !sameFigures(beside[r][i], chosen[i]))
                lines.push_back({beside[r][i], &recorded[r]});
    }
    return lines;
}

}  // namespace

QString publishedRowCommand(const TimingReport* report, const std::vector<BenchmarkEntry>& recorded,
                            int sheetRow) {
    const std::vector<Line> lines = linesOf(report, recorded);
    if (sheetRow < 0 || std::size_t(sheetRow) >= lines.size()) return {};
    const PublishedComparison& figures = lines[std::size_t(sheetRow)].figures;
    BenchmarkPlan plan;
    plan.published = true;
    const StepTiming* measured = nullptr;
    std::vector<BackendKind> places;
    for (const StepTiming* row : {&figures.single, &figures.cores, &figures.gpu}) {
        if (!row->measured()) continue;
        measured = row;
        places.push_back(row->backendRequested.kind());
    }
    if (!places.empty()) plan.backends = places;
    if (measured && measured->experiment.empty()) {
        // The same step on the program's scene.
        plan.published = false;
        plan.steps = {{measured->operation, measured->parameters, {measured->variant}}};
        plan.operations = {measured->operation};
        plan.sizes = {{measured->width, measured->height}};
        plan.pixels = isColor(measured->format) ? BenchmarkPixels::Color : BenchmarkPixels::Gray;
    }
    return QString::fromStdString(shellQuoted(benchCommand(plan)));
}

Sheet publishedSheet(const TimingReport* report, const std::vector<BenchmarkEntry>& recorded) {
    Sheet sheet;
    const QString elsewhere = tr("Published elsewhere, measured on other hardware");
    const QString here =
        tr("From the chosen results; a noisy figure with its 95% interval beneath it");
    sheet.columns = {{tr("Experiment"), false, {}},
                     {tr("Size"), true, {}},
                     {tr("Published\nCPU, ms"), true, elsewhere},
                     {tr("Published\nGPU, ms"), true, elsewhere},
                     {tr("Published\nspeedup"), true, elsewhere},
                     {tr("1 thread\nms"), true, here},
                     {tr("All cores\nms"), true, here},
                     {tr("GPU kernels\nms"), true, here},
                     {tr("GPU end to\nend, ms"), true, here},
                     {tr("Speedup"), false, here},
                     {tr("Measured on"), false, {}},
                     {tr("Source text"), false, {}}};
    for (const Line& line : linesOf(report, recorded))
        sheet.rows.push_back(line.recorded ? recordedRow(line.figures, *line.recorded)
                                           : publishedRow(line.figures));
    return sheet;
}

QString notRecordedText(const BenchmarkEntry& entry) {
    QStringList missing;
    const std::vector<PublishedComparison> lines = sameStepsAsPublished(entry.report);
    for (auto first = lines.begin(); first != lines.end();) {
        const auto next = std::find_if(first, lines.end(), [&](const PublishedComparison& line) {
            return line.experiment != first->experiment;
        });
        if (std::none_of(first, next, anyOurs)) {
            missing << engineText(first->experiment->title);
        } else {
            for (auto line = first; line != next; ++line)
                if (!anyOurs(*line))
                    missing << tr("%1 at %2").arg(titleOf(*line), sizeText(line->row->size));
        }
        first = next;
    }
    if (missing.isEmpty()) return {};
    return tr("%1 has other sizes or parameters than the texts for: %2.")
        .arg(machineLabel(entry), missing.join(QStringLiteral("; ")));
}

}  // namespace warpscope::gui
