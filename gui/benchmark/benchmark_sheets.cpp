#include "gui/benchmark/benchmark_sheets.h"

#include <QLocale>
#include <algorithm>
#include <map>

#include "engine/measure/roofline.h"
#include "engine/operations/registry.h"
#include "engine/report/break_even.h"
#include "engine/report/report_tables.h"
#include "engine/report/report_text.h"
#include "engine/report/text_table.h"
#include "gui/benchmark/benchmark_series.h"
#include "gui/benchmark/sheet_cells.h"
#include "gui/timings/timing_table.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

using namespace sheet_cells;

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), qsizetype(utf8.size()));
}

QString variantText(const StepTiming& row) {
    const Operation* operation = findOperation(row.operation);
    const VariantSpec* variant =
        operation ? operation->description().findVariant(row.variant) : nullptr;
    return variant ? engineText(variant->label) : text(row.variant);
}

// With how it works in the tool tip: what is plain code for comparison says so there.
SheetCell variantCell(const StepTiming& row) {
    SheetCell cell = words(variantText(row),
                           row.variant == kAutomaticVariant ? CellTone::Weak : CellTone::Normal);
    const Operation* operation = findOperation(row.operation);
    if (const VariantSpec* variant =
            operation ? operation->description().findVariant(row.variant) : nullptr)
        cell.toolTip = engineText(variant->help);
    return cell;
}

SheetCell placeCell(const StepTiming& row) {
    SheetCell cell = words(placeWords(row));
    if (row.backend != row.backendRequested && !row.backend.empty())
        cell.text += QStringLiteral(" → ") + text(row.backend.id());
    cell.backend = row.backendRequested.kind();
    cell.toolTip = text(fewerWorkedText(row));
    return cell;
}

QString cacheText(const StepTiming& row) {
    return row.cold ? tr("cold") : tr("warm");
}

QString percentText(double part) {
    return tr("%1%").arg(QString::number(100 * part, 'f', part < 1 ? 1 : 0));
}

// "0.208 – 0.215"; sorts by its lower end.
SheetCell intervalCell(const SampleSummary& time) {
    if (!time.intervalKnown()) return {};
    // Of few rounds that disagree it may reach down to 0.
    const QString low = time.lowMs > 0 ? millisecondText(time.lowMs) : QStringLiteral("0");
    SheetCell cell = words(tr("%1 – %2").arg(low, millisecondText(time.highMs)));
    cell.number = std::max(time.lowMs, 0.0);
    return cell;
}

// Sorts by the width of the interval.
SheetCell steadyCell(const StepTiming& row) {
    if (!row.measured()) return {};
    if (!row.time.intervalKnown()) {
        SheetCell cell = words(row.time.rounds == 1 ? tr("one round") : QString(), CellTone::Weak);
        cell.toolTip = tr("Samples of one moment do not say how far another run would come out");
        return cell;
    }
    SheetCell cell = words(row.noisy() ? tr("noisy %1").arg(percentText(row.time.width()))
                                       : percentText(row.time.width()));
    cell.number = row.time.width();
    if (row.noisy()) {
        cell.tone = CellTone::Warning;
        cell.toolTip = tr("The 95% interval of this median is %1 of it wide, above %2: so far do "
                          "the rounds of this run scatter. Its speedups are ranges, and it takes "
                          "no part in break-even.")
                           .arg(percentText(row.time.width()), percentText(kNoisyAbove));
    }
    if (!row.ofGpu() || !row.endToEnd.noisy()) return cell;
    cell.tone = CellTone::Warning;
    cell.text += tr("; end to end noisy %1").arg(percentText(row.endToEnd.width()));
    if (!cell.toolTip.isEmpty()) cell.toolTip += QLatin1Char('\n');
    cell.toolTip +=
        tr("End to end: %1 to %2 ms. Transfers vary more than kernels and are marked by "
           "themselves.")
            .arg(millisecondText(row.endToEnd.lowMs), millisecondText(row.endToEnd.highMs));
    return cell;
}

SheetCell threadsCell(const StepTiming& row) {
    if (!row.measured() || row.threads <= 0) return {};
    const bool fewer = row.threadsWorked > 0 && row.threadsWorked < row.threads;
    const QString offered = QString::number(row.threads);
    SheetCell cell =
        figure(fewer ? row.threadsWorked : row.threads,
               fewer ? tr("%1 of %2 worked").arg(row.threadsWorked).arg(offered) : offered);
    if (fewer)
        cell.toolTip =
            tr("The image is too small to share out among all threads that were offered");
    return cell;
}

SheetCell whyCell(const StepTiming& row, const MachineInfo& machine, const MachinePeaks& peaks) {
    const auto point = rooflinePoint(row, machine, peaks);
    SheetCell cell = words(point ? text(whyThatFast(*point)) : QString());
    if (point && point->fitsCache)
        cell.toolTip = tr("%1. All that moves fits in the cache, which is faster than the memory.")
                           .arg(cell.text);
    return cell;
}

SheetRow resultRow(const BenchmarkEntry& entry, const QString& tag, const StepTiming& row,
                   const QString& faster, const MachinePeaks& peaks) {
    const bool measured = row.measured();
    const auto ms = [&](double value) { return measured ? milliseconds(value) : SheetCell{}; };
    const double percent = measured ? copyPercent(row, entry.report.machine) : 0;
    const bool wrong = row.agreement.verdict == Verdict::Differs && row.peer.empty();
    SheetCell share =
        figure(percent, tr("%1%").arg(QString::number(percent, 'f', percent < 10 ? 1 : 0)));
    if (percent > 100 * kBeyondCopying) {
        share.text = tr("in the cache");
        share.toolTip =
            row.cold ? tr("Faster than this machine copied its memory, cold though it was: its "
                          "rate of copying was measured at a bad moment.")
                     : tr("Faster than copying through memory: these warm data were served, in "
                          "whole or in part, from the cache. Cold figures are without that help.");
    }
    SheetCell agreement =
        words(text(describe(row.agreement)), wrong ? CellTone::Error : CellTone::Normal);
    if (!measured) agreement = words(text(row.error), CellTone::Weak);
    if (measured && row.agreement.verdict == Verdict::NotCompared)
        agreement = words(tr("not compared"), CellTone::Weak);
    QString method = text(row.method);
    if (row.launches > 1) method = tr("%1 of %2").arg(method, QString::number(row.launches));
    SheetCell machine = words(tag, CellTone::Weak);
    machine.toolTip = machineLabel(entry);
    SheetCell fast = words(faster);
    if (wrong) fast = words(tr("none: results differ"), CellTone::Error);
    return {std::move(machine),
            words(operationText(row.operation)),
            variantCell(row),
            sizeCell(row),
            words(formatText(row.format)),
            placeCell(row),
            words(cacheText(row)),
            ms(row.time.medianMs),
            measured ? intervalCell(row.time) : SheetCell{},
            steadyCell(row),
            ms(row.time.p10Ms),
            ms(row.time.p90Ms),
            figure(row.time.n, QString::number(row.time.n)),
            figure(row.time.rounds, QString::number(row.time.rounds)),
            threadsCell(row),
            ms(row.firstCallMs),
            ms(row.uploadMs),
            ms(row.kernelMs),
            ms(row.downloadMs),
            ms(row.endToEndMs),
            figure(measured ? row.gbPerS : 0, millisecondText(row.gbPerS)),
            std::move(share),
            whyCell(row, entry.report.machine, peaks),
            figure(row.joulesPerMegapixel, QString::number(row.joulesPerMegapixel, 'g', 3)),
            std::move(agreement),
            std::move(fast),
            words(text(parameterText(row.parameters))),
            words(method),
            figure(double(row.inputs), QString::number(row.inputs)),
            figure(double(row.bytesMoved), QLocale().toString(qulonglong(row.bytesMoved))),
            words(text(row.imageName)),
            words(text(row.experiment)),
            words(row.imageHash ? QStringLiteral("%1").arg(row.imageHash, 16, 16, QLatin1Char('0'))
                                : QString())};
}

}  // namespace

QString sheet_cells::fasterText(const std::vector<const StepTiming*>& step, const StepTiming& row) {
    if (!row.peer.empty() || !row.measured()) return {};
    const bool gpu = row.backend == BackendKind::Cuda;
    if (!gpu && row.backend != BackendKind::Cpu) return {};
    std::vector<StepTiming> rows;
    for (const StepTiming* other : step)
        if (other->measured()) rows.push_back(*other);
    QStringList parts;
    for (const Speedup& speedup : speedups(rows, row.variant)) {
        if (speedup.ofGpu() != gpu) continue;
        const bool whole = speedup.subject == SpeedupSubject::GpuEndToEnd;
        const QString part = !gpu ? QString() : whole ? tr("end to end ") : tr("kernels ");
        parts << tr("%1%2 against %3")
                     .arg(part, timesText(speedup), againstText(speedup, row.variant));
    }
    return parts.join(QStringLiteral("; "));
}

Sheet resultSheet(const std::vector<BenchmarkEntry>& entries) {
    Sheet sheet;
    sheet.keys = 7;
    sheet.columns = {
        {tr("Machine"), false, tr("As in the list of results")},
        {tr("Operation"), false, {}},
        {tr("Variant"), false, {}},
        {tr("Size"), true, {}},
        {tr("Format"), false, {}},
        {tr("Where"), false, {}},
        {tr("Cache"), false,
         tr("warm: the same input again and again; cold: copies of it in turn, together "
            "larger than the cache")},
        {tr("Median, ms"), true, tr("CPU: the whole operation; GPU: its kernels")},
        {tr("95% interval, ms"), true,
         tr("How far the rounds of this run scatter: where the median of as many rounds lies, 95 "
            "times of 100. A machine that is busier another time is not in it.")},
        {tr("Steady"), true,
         tr("Width of that interval as a share of the median; above 3% a figure is noisy")},
        {tr("p10, ms"), true, tr("a tenth of the samples was faster")},
        {tr("p90, ms"), true, tr("a tenth of the samples was slower")},
        {tr("n", "number of samples"), true, tr("Number of samples")},
        {tr("Rounds"), true, tr("Bursts of samples with other rows between them")},
        {tr("Threads"), true, tr("CPU: that were offered, and how many did any of the work")},
        {tr("First call, ms"), true, tr("Not counted in the other figures")},
        {tr("Upload, ms"), true, {}},
        {tr("Kernels, ms"), true, {}},
        {tr("Download, ms"), true, {}},
        {tr("End to end, ms"), true, {}},
        {tr("GB/s"), true, tr("Fewest bytes that must move, over the median")},
        {tr("% of copy"), true,
         tr("Of what that machine reaches in copying its own memory. Above 100: warm data that fit "
            "in the cache come and go faster than a copy through memory.")},
        {tr("Why"), false,
         tr("Against what the machine copies and computes: the lower roof bounds")},
        {tr("J/Mpixel"), true, tr("GPU: energy of the whole device, joules a megapixel")},
        {tr("Agreement"), false, tr("With the result of one thread")},
        {tr("Speedup"), false, {}},
        {tr("Parameters"), false, {}},
        {tr("Method"), false, tr("How a sample was taken")},
        {tr("Inputs"), true, tr("Copies of the input in turn")},
        {tr("Bytes"), true, tr("Fewest bytes that must move")},
        {tr("Image"), false, tr("Empty: the scene that the program makes")},
        {tr("Experiment"), false, tr("Of the source texts, which it repeats")},
        {tr("Image hash"), false, {}}};
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const BenchmarkEntry& entry = entries[i];
        if (!entry.shown) continue;
        std::map<const StepTiming*, QString> faster;
        for (const auto& step : rowsByStep(entry.report))
            for (const StepTiming* row : step) faster[row] = fasterText(step, *row);
        const MachinePeaks peaks = peaksOf(entry.report.machine);
        for (const StepTiming& row : entry.report.results)
            sheet.rows.push_back(resultRow(entry, entryTag(i), row, faster[&row], peaks));
    }
    return sheet;
}

SheetOrigin resultRowOrigin(const std::vector<BenchmarkEntry>& entries, int sheetRow) {
    if (sheetRow < 0) return {};
    auto index = std::size_t(sheetRow);
    for (const BenchmarkEntry& entry : entries) {
        if (!entry.shown) continue;
        if (index < entry.report.results.size()) return {&entry, &entry.report.results[index]};
        index -= entry.report.results.size();
    }
    return {};
}

Sheet breakEvenSheet(const std::vector<BenchmarkEntry>& entries) {
    Sheet sheet;
    sheet.columns = {
        {tr("Machine"), false, tr("As in the list of results")},
        {tr("Operation"), false, {}},
        {tr("Wins"), false, {}},
        {tr("Against"), false, {}},
        {tr("End to end"), false, tr("GPU: with upload and download; CPU: the whole operation")},
        {tr("Kernels only"), false, tr("GPU: the image and its result stay in its memory")},
        {tr("Cache"), false, {}},
        {tr("Variant"), false, {}},
        {tr("Format"), false, {}},
        {tr("Parameters"), false, {}}};
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!entries[i].shown) continue;
        for (const BreakEven& found : breakEven(entries[i].report.results)) {
            const QString said = text(describe(found));
            if (said.isEmpty()) continue;
            const StepTiming& step = found.step;
            SheetCell machine = words(entryTag(i), CellTone::Weak);
            machine.toolTip = machineLabel(entries[i]);
            // The CPU copies nothing to and fro: its whole operation is end to end.
            const bool gpu = found.ofGpu();
            SheetCell whole = words(text(describe(gpu ? *found.endToEnd : found.kernels)));
            SheetCell kernels = words(gpu ? text(describe(found.kernels)) : QString());
            whole.toolTip = kernels.toolTip = said;
            sheet.rows.push_back(
                {std::move(machine), words(operationText(step.operation)),
                 words(gpu ? text("the GPU") : text("all cores")),
                 words(found.best
                           ? tr("best CPU (%1)").arg(text(threadsText(found.baselineThreads)))
                           : text(threadsText(found.baselineThreads))),
                 std::move(whole), std::move(kernels), words(cacheText(step)),
                 words(variantText(step)), words(formatText(step.format)),
                 words(text(parameterText(step.parameters)), CellTone::Weak)});
        }
    }
    return sheet;
}

Sheet pairSheet(const Pairing& pairing) {
    Sheet sheet;
    const QString above = tr("Above 1, the left side is faster");
    sheet.columns = {{tr("Operation"), false, {}},
                     {tr("Variant"), false, {}},
                     {tr("Size"), true, {}},
                     {tr("Format"), false, {}},
                     {tr("Where"), false, {}},
                     {tr("Cache"), false, {}},
                     {tr("Left\nms"), true, {}},
                     {tr("Right\nms"), true, {}},
                     {tr("Right\n/ left"), true, above},
                     {tr("Left end\nto end, ms"), true, {}},
                     {tr("Right end\nto end, ms"), true, {}},
                     {tr("Right\n/ left"), true, above},
                     {tr("Note"), false, {}},
                     {tr("Parameters"), false, {}}};
    const auto bothTexts = [](const QString& left, const QString& right) {
        return left == right ? left : tr("%1 | %2", "left and right").arg(left, right);
    };
    for (const RowPair& pair : pairing.rows) {
        const StepTiming &left = pair.left, &right = pair.right;
        const bool gpu = left.backend == BackendKind::Cuda || right.backend == BackendKind::Cuda;
        SheetCell place = placeCell(left);
        place.text = bothTexts(place.text, placeCell(right).text);
        SheetCell size = sizeCell(left);
        size.text = bothTexts(size.text, sizeWords(right));
        sheet.rows.push_back(
            {words(operationText(left.operation)),
             words(bothTexts(variantText(left), variantText(right))), std::move(size),
             words(formatText(left.format)), std::move(place), words(cacheText(left)),
             milliseconds(left.time.medianMs), milliseconds(right.time.medianMs),
             figure(pair.ratio, timesText(pair.ratio)),
             gpu ? milliseconds(left.endToEndMs) : SheetCell{},
             gpu ? milliseconds(right.endToEndMs) : SheetCell{},
             gpu ? figure(pair.endToEndRatio, timesText(pair.endToEndRatio)) : SheetCell{},
             words(pair.note, CellTone::Weak),
             words(text(parameterText(left.parameters)), CellTone::Weak)});
    }
    return sheet;
}

QString figurePlace(const RepeatedFigure& figure) {
    const QString place = placeWords(figure.before);
    if (!figure.before.ofGpu()) return place;
    return figure.endToEnd ? tr("%1, end to end").arg(place) : tr("%1, kernels").arg(place);
}

namespace {

std::vector<const RepeatedFigure*> inSheetOrder(const RepeatCheck& check, bool all) {
    std::vector<const RepeatedFigure*> order;
    const auto add = [&](const auto& belongs) {
        for (const RepeatedFigure& figure : check.figures)
            if (belongs(figure)) order.push_back(&figure);
    };
    add([](const RepeatedFigure& figure) { return figure.moved; });
    add([](const RepeatedFigure& figure) { return figure.noisy && !figure.moved; });
    if (all) add([](const RepeatedFigure& figure) { return !figure.moved && !figure.noisy; });
    return order;
}

}  // namespace

const RepeatedFigure* repeatRowOrigin(const RepeatCheck& check, bool all, int sheetRow) {
    const auto order = inSheetOrder(check, all);
    return sheetRow >= 0 && std::size_t(sheetRow) < order.size() ? order[std::size_t(sheetRow)]
                                                                 : nullptr;
}

Sheet repeatSheet(const RepeatCheck& check, bool all) {
    Sheet sheet;
    sheet.columns = {{tr("Operation"), false, {}},
                     {tr("Variant"), false, {}},
                     {tr("Size"), true, {}},
                     {tr("Format"), false, {}},
                     {tr("Where"), false, {}},
                     {tr("Cache"), false, {}},
                     {tr("Then, ms"), true, {}},
                     {tr("Now, ms"), true, {}},
                     {tr("Change"), true, tr("Of the time: above 0 it is slower now")},
                     {tr("Verdict"), false, {}},
                     {tr("Parameters"), false, {}}};
    const auto add = [&](const RepeatedFigure& figure) {
        const StepTiming& row = figure.before;
        SheetCell place = placeCell(row);
        place.text = figurePlace(figure);
        const CellTone tone = figure.moved   ? CellTone::Warning
                              : figure.noisy ? CellTone::Weak
                                             : CellTone::Normal;
        SheetCell change =
            words(QStringLiteral("%1%2%").arg(figure.change >= 0 ? QStringLiteral("+") : QString(),
                                              QString::number(100 * figure.change, 'f', 1)),
                  tone);
        change.number = figure.change;
        SheetCell verdict = words(figure.noisy      ? tr("noisy")
                                  : !figure.moved   ? tr("came out again")
                                  : figure.slower() ? tr("slower")
                                                    : tr("faster"),
                                  tone);
        if (figure.noisy)
            verdict.toolTip =
                tr("Marked as noisy in one of the runs: it promised nothing and is not counted");
        sheet.rows.push_back({words(operationText(row.operation)), words(variantText(row)),
                              sizeCell(row), words(formatText(row.format)), std::move(place),
                              words(cacheText(row)), milliseconds(figure.beforeMs),
                              milliseconds(figure.nowMs), std::move(change), std::move(verdict),
                              words(text(parameterText(row.parameters)), CellTone::Weak)});
    };
    for (const RepeatedFigure* figure : inSheetOrder(check, all)) add(*figure);
    return sheet;
}

}  // namespace warpscope::gui
