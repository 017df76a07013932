#include "engine/report/report_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "engine/measure/factor.h"
#include "engine/report/text_table.h"

namespace warpscope {
namespace {

// The picture's name is no part of it: what was computed counts, and `note` says where the samples
// were others. Peers are one by their backend id; another version is said.
auto placedKeyOf(const StepTiming& row, const RowChoice& left, const RowChoice& right) {
    StepKey key = keyOf(row);
    key.imageName.clear();
    if (!left.variant.empty() || !right.variant.empty()) key.kind.variant.clear();
    if (!left.size.empty() || !right.size.empty()) key.width = key.height = 0;
    const bool anyPlace = !left.place.empty() || !right.place.empty();
    return std::pair(std::move(key), anyPlace ? Place() : row.backendRequested);
}

bool isOf(const StepTiming& row, const RowChoice& choice) {
    return row.measured() && (choice.place.empty() || row.backendRequested == choice.place) &&
           (choice.variant.empty() || row.variant == choice.variant) &&
           (choice.size.empty() || choice.size == Size{row.width, row.height});
}

std::string noteOf(const StepTiming& a, const StepTiming& b) {
    std::string note;
    const auto add = [&](const std::string& text) { note += (note.empty() ? "" : ", ") + text; };
    const std::string placeA = workedText(a.threads, a.threadsWorked);
    const std::string placeB = workedText(b.threads, b.threadsWorked);
    if (placeA != placeB && !a.ofGpu() && !b.ofGpu())
        add(fmt::format("{} against {}", placeA, placeB));
    if (a.imageHash != b.imageHash && a.width == b.width && a.height == b.height)
        add("another image");
    if (a.peer != b.peer) add(fmt::format("{} against {}", a.peer, b.peer));
    if (a.variant != b.variant) add(fmt::format("{} against {}", a.variant, b.variant));
    if (Size{a.width, a.height} != Size{b.width, b.height})
        add(fmt::format("{} against {}", imageText(a), imageText(b)));
    if (a.noisy() || b.noisy())
        add(fmt::format("noisy: {}", a.noisy() ? b.noisy() ? "both" : "a" : "b"));
    if (a.method != b.method && a.ofGpu() == b.ofGpu())
        add(fmt::format("{} against {}", a.method, b.method));
    for (const auto& [row, name] : {std::pair{&a, "a"}, std::pair{&b, "b"}})
        if (row->agreement.verdict == Verdict::Differs && row->peer.empty())
            add(fmt::format("results of {} are wrong", name));
    return note;
}

// 0 where there is none or it is beyond all numbers.
double quotientOf(double above, double below) {
    const double quotient = below > 0 ? above / below : 0;
    return std::isfinite(quotient) ? quotient : 0;
}

// What noise leaves of b / a; `whole`: end to end where it is a GPU's.
std::string quotientText(const RatioRow& row, bool whole) {
    const auto side = [&](const StepTiming& one) {
        return whole && one.ofGpu() ? TimedSide{one.endToEnd, one.endToEndMs}
                                    : TimedSide{one.time, one.time.medianMs};
    };
    const auto factor = factorOf(side(row.a), side(row.b));
    if (!factor) return "-";
    if (factor->high <= 0) return ratioText(factor->value);
    return fmt::format("{} to {}", ratioText(factor->low), ratioText(factor->high));
}

TextTable ratioCells(const ReportComparison& comparison) {
    TextTable table{{{"operation", "variant", "parameters", "image", "backend", "cache", "a ms",
                      "b ms", "b / a", "a end to end", "b end to end", "b / a end to end", "note"}},
                    6,
                    11};
    for (const RatioRow& row : comparison.rows) {
        const bool gpu = row.a.ofGpu() || row.b.ofGpu();
        const bool places = row.a.backendRequested != row.b.backendRequested;
        table.lines.push_back(
            {row.a.operation, row.a.variant, parameterText(row.a.parameters), imageText(row.a),
             row.a.backendRequested.id() + (places ? " : " + row.b.backendRequested.id() : ""),
             row.a.cold ? "cold" : "warm", msText(row.a.time.medianMs), msText(row.b.time.medianMs),
             quotientText(row, false), gpu ? msText(row.a.endToEndMs) : "",
             gpu ? msText(row.b.endToEndMs) : "", gpu ? quotientText(row, true) : "", row.note});
    }
    return table;
}

std::string sideText(const PlotSource& source, const RowChoice& choice) {
    std::string text = reportLabel(*source.report);
    if (!source.name.empty()) text = source.name + ": " + text;
    return choice.open() ? text : text + ", " + toText(choice);
}

std::vector<std::string> heading(const PlotSource& a, const PlotSource& b, const RowChoice& left,
                                 const RowChoice& right, const ReportComparison& comparison) {
    std::vector<std::string> lines{"a: " + sideText(a, left), "b: " + sideText(b, right)};
    if (comparison.rows.empty())
        lines.push_back(fmt::format(
            "No row of one has a counterpart in the other. Figures are of, a: {}; b: {}",
            placesText(*a.report), placesText(*b.report)));
    else
        lines.push_back("Above 1x, a is faster; geometric mean: " + comparison.means.text());
    if (comparison.onlyA + comparison.onlyB > 0)
        lines.push_back(fmt::format("Without a counterpart: {} rows of a, {} of b",
                                    comparison.onlyA, comparison.onlyB));
    return lines;
}

// As it was printed, with "about" where the text said so.
std::string printed(const PublishedFigure& figure, const char* unit) {
    if (!figure.known()) return "-";
    return fmt::format("{}{:.{}f}{}", figure.approximate ? "about " : "", figure.value,
                       figure.decimals, unit);
}

std::string ours(const StepTiming& row, double ms) {
    return row.measured() ? msText(ms) : "-";
}

// The line's rows first, then all others of the same work on the same image: what a GPU is worth
// the fastest of the CPU says, whatever its variant.
std::vector<StepTiming> sameWork(const TimingReport& report, const PublishedComparison& line) {
    std::vector<StepTiming> rows{line.single, line.cores, line.gpu};
    const std::string parameters = parameterText(line.gpu.parameters);
    for (const StepTiming& row : report.results)
        if (row.operation == line.gpu.operation && row.width == line.gpu.width &&
            row.height == line.gpu.height && row.format == line.gpu.format &&
            row.cold == line.gpu.cold && row.imageHash == line.gpu.imageHash &&
            parameterText(row.parameters) == parameters)
            rows.push_back(row);
    return rows;
}

struct GpuFactors {
    std::string best;       // against the fastest of the CPU, which is named
    std::string oneThread;  // against the same algorithm on one thread, as the texts did it
};

GpuFactors gpuFactors(const TimingReport& report, const PublishedComparison& line) {
    GpuFactors factors;
    if (!line.gpu.measured()) return {"-", "-"};
    const auto add = [](std::string& text, const Speedup& speedup) {
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : ", ", factorText(speedup),
                        speedup.subject == SpeedupSubject::GpuEndToEnd ? "end to end" : "kernels");
    };
    std::string baseline;
    for (const Speedup& speedup : speedups(sameWork(report, line), line.gpu.variant)) {
        if (!speedup.ofGpu()) continue;
        if (speedup.best) {
            add(factors.best, speedup);
            baseline = fmt::format(" ({}, {})", speedup.baselineVariant,
                                   threadsText(speedup.baselineThreads));
        }
        if (speedup.baseline == BackendKind::CpuSingle &&
            speedup.baselineVariant == line.gpu.variant)
            add(factors.oneThread, speedup);
    }
    factors.best += baseline;
    const std::string none =
        line.gpu.agreement.allowsSpeedup() ? "-" : describe(line.gpu.agreement);
    if (factors.best.empty()) factors.best = none;
    if (factors.oneThread.empty()) factors.oneThread = none;
    return factors;
}

// The first line has no bullet.
std::string notes(const char* bullet) {
    std::string text;
    for (const std::string& line : publishedNotes())
        text += fmt::format("{}{}\n", text.empty() ? "" : bullet, line);
    return text;
}

}  // namespace

TextTable publishedTable(const TimingReport& report) {
    TextTable table{
        {{"experiment", "image", "method", "printed CPU ms", "printed GPU ms", "printed speedup",
          "1 thread ms", "all cores ms", "GPU kernels ms", "GPU end to end ms",
          "GPU against the best CPU", "GPU against 1 thread, same algorithm", "measured then on"}},
        3,
        10};
    for (const PublishedComparison& line : publishedComparison(report)) {
        const PublishedExperiment& e = *line.experiment;
        const PublishedRow& r = *line.row;
        const std::string machine =
            e.cpuName.empty() ? "not known" : e.cpuName + " and " + e.gpuName;
        const GpuFactors factors = gpuFactors(report, line);
        table.lines.push_back(
            {e.title, fmt::format("{}x{}", r.size.width, r.size.height), r.method,
             printed(r.cpuMs, ""), printed(r.gpuMs, ""), printed(r.speedup, "x"),
             ours(line.single, line.single.time.medianMs),
             ours(line.cores, line.cores.time.medianMs), ours(line.gpu, line.gpu.kernelMs),
             ours(line.gpu, line.gpu.endToEndMs), factors.best, factors.oneThread, machine});
    }
    return table;
}

std::vector<std::string> publishedNotes() {
    std::vector<std::string> lines{
        "The printed figures were measured by their authors on the machines named in the last "
        "column; they are never one side of our speedups."};
    for (const PublishedExperiment& e : publishedExperiments()) {
        if (!e.note.empty()) lines.push_back(fmt::format("{}: {}.", e.title, e.note));
        for (const PublishedRow& row : e.rows)
            if (!row.note.empty()) lines.push_back(fmt::format("{}: {}.", e.title, row.note));
    }
    return lines;
}

Result<RowChoice> parseRowChoice(std::string_view text) {
    RowChoice choice;
    const auto wrong = [&](std::string_view why) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("'{}': {}; write PLACE[/VARIANT][@WIDTHxHEIGHT]", text, why));
    };
    std::string_view rest = text;
    if (const std::size_t at = rest.find('@'); at != std::string_view::npos) {
        const std::string_view size = rest.substr(at + 1);
        rest = rest.substr(0, at);
        const std::size_t x = size.find('x');
        const auto side = [&](std::string_view digits, int& to) {
            const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), to);
            return read.ec == std::errc() && read.ptr == digits.data() + digits.size() && to > 0 &&
                   to <= kMaxSide;
        };
        if (x == std::string_view::npos || !side(size.substr(0, x), choice.size.width) ||
            !side(size.substr(x + 1), choice.size.height))
            return wrong("no size");
    }
    if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
        choice.variant = rest.substr(slash + 1);
        rest = rest.substr(0, slash);
        if (choice.variant.empty()) return wrong("no variant");
    }
    choice.place = Place::fromId(rest);
    if (choice.open()) return wrong("nothing is chosen");
    return choice;
}

std::string toText(const RowChoice& choice) {
    std::string text = choice.place.id();
    if (!choice.variant.empty()) text += "/" + choice.variant;
    if (!choice.size.empty()) text += fmt::format("@{}x{}", choice.size.width, choice.size.height);
    return text;
}

bool hasRowOf(const TimingReport& report, const RowChoice& choice) {
    return std::any_of(report.results.begin(), report.results.end(),
                       [&](const StepTiming& row) { return isOf(row, choice); });
}

std::string placesText(const TimingReport& report) {
    std::vector<std::string> places;
    for (const StepTiming& row : report.results)
        if (row.measured() &&
            std::find(places.begin(), places.end(), row.backendRequested.id()) == places.end())
            places.push_back(row.backendRequested.id());
    return places.empty() ? "nothing" : fmt::format("{}", fmt::join(places, ", "));
}

ReportComparison compareReports(const TimingReport& a, const TimingReport& b, const RowChoice& left,
                                const RowChoice& right) {
    ReportComparison comparison;
    const auto key = [&](const StepTiming& row) { return placedKeyOf(row, left, right); };
    std::map<decltype(key(StepTiming{})), const StepTiming*> ofB;
    for (const StepTiming& row : b.results)
        if (isOf(row, right) && ofB.emplace(key(row), &row).second) ++comparison.onlyB;
    double logarithms = 0;
    for (const StepTiming& row : a.results) {
        if (!isOf(row, left)) continue;
        const auto found = ofB.find(key(row));
        const double quotient =
            found == ofB.end() ? 0 : quotientOf(found->second->time.medianMs, row.time.medianMs);
        if (quotient <= 0) {
            ++comparison.onlyA;
            continue;
        }
        const StepTiming& other = *found->second;
        RatioRow ratio{row, other, quotient, quotientOf(other.endToEndMs, row.endToEndMs),
                       noteOf(row, other)};
        logarithms += std::log(ratio.ratio);
        comparison.means.add(row, other, ratio.ratio, ratio.endToEndRatio);
        comparison.rows.push_back(std::move(ratio));
        ofB.erase(found);
        --comparison.onlyB;
    }
    if (!comparison.rows.empty())
        comparison.geometricMean = std::exp(logarithms / double(comparison.rows.size()));
    return comparison;
}

std::string reportLabel(const TimingReport& report) {
    const MachineInfo& machine = report.machine;
    const std::string name = machine.gpu.empty() ? machine.cpu : machine.gpu;
    return fmt::format("{}, {}", name.empty() ? "unknown machine" : name,
                       report.date.substr(0, 10));
}

void RatioMeans::Mean::add(double ratio, bool isNoisy) {
    if (!(ratio > 0) || !std::isfinite(ratio)) return;
    logarithms += std::log(ratio);
    ++count;
    noisy += isNoisy;
}

void RatioMeans::add(const StepTiming& a, const StepTiming& b, double ratio, double endToEndRatio) {
    const bool noisy = a.noisy() || b.noisy();
    if (!a.ofGpu() && !b.ofGpu()) return m_cpu.add(ratio, noisy);
    m_kernels.add(ratio, noisy);
    const auto wholeNoisy = [](const StepTiming& row) {
        return row.ofGpu() ? row.endToEnd.noisy() : row.noisy();
    };
    m_endToEnd.add(endToEndRatio, wholeNoisy(a) || wholeNoisy(b));
}

std::string RatioMeans::text() const {
    std::string text;
    const auto say = [&](const Mean& mean, std::string_view what) {
        if (mean.count == 0) return;
        text += fmt::format("{}{}{} ({} result{}", text.empty() ? "" : ", ", what,
                            ratioText(std::exp(mean.logarithms / mean.count)), mean.count,
                            mean.count == 1 ? "" : "s");
        if (mean.noisy > 0)
            text += mean.noisy == mean.count ? std::string(", noisy")
                                             : fmt::format(", {} of them noisy", mean.noisy);
        text += ")";
    };
    say(m_kernels, "kernels alone ");
    say(m_endToEnd, "end to end ");
    say(m_cpu, text.empty() ? "" : "CPU ");
    return text;
}

RatioTable ratioTable(const PlotSource& a, const PlotSource& b, const RowChoice& left,
                      const RowChoice& right) {
    const ReportComparison comparison = compareReports(*a.report, *b.report, left, right);
    RatioTable made{heading(a, b, left, right, comparison), {}};
    if (!comparison.rows.empty()) made.table = ratioCells(comparison);
    return made;
}

std::string toRatioTable(const PlotSource& a, const PlotSource& b, const RowChoice& left,
                         const RowChoice& right) {
    const RatioTable made = ratioTable(a, b, left, right);
    return fmt::format("{}\n", fmt::join(made.heading, "\n")) +
           (made.table.lines.empty() ? "" : alignedText(made.table));
}

std::string toRatioMarkdown(const PlotSource& a, const PlotSource& b, const RowChoice& left,
                            const RowChoice& right) {
    const RatioTable made = ratioTable(a, b, left, right);
    // Lines of their own in Markdown, too.
    return fmt::format("{}  \n\n", fmt::join(made.heading, "  \n")) +
           (made.table.lines.empty() ? "" : markdownText(made.table));
}

namespace {

template <class Same>
std::vector<PublishedComparison> published(const TimingReport& report, const Same& same) {
    std::vector<PublishedComparison> lines;
    for (const PublishedExperiment& experiment : publishedExperiments()) {
        for (const PublishedRow& published : experiment.rows) {
            PublishedComparison line{&experiment, &published, {}, {}, {}};
            for (const StepTiming& row : report.results) {
                const bool found =
                    row.measured() && row.peer.empty() && row.variant == published.variant &&
                    Size{row.width, row.height} == published.size && same(row, experiment);
                if (!found) continue;
                StepTiming* place = row.backend == BackendKind::CpuSingle ? &line.single
                                    : row.backend == BackendKind::Cpu     ? &line.cores
                                    : row.backend == BackendKind::Cuda    ? &line.gpu
                                                                          : nullptr;
                if (place && (!place->measured() || place->cold)) *place = row;
            }
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

}  // namespace

std::vector<PublishedComparison> publishedComparison(const TimingReport& report) {
    return published(report, [](const StepTiming& row, const PublishedExperiment& experiment) {
        return row.experiment == experiment.id;
    });
}

std::vector<PublishedComparison> sameStepsAsPublished(const TimingReport& report) {
    auto lines = publishedComparison(report);
    const auto alike =
        published(report, [](const StepTiming& row, const PublishedExperiment& experiment) {
            if (row.operation != experiment.operation || row.cold || !row.experiment.empty() ||
                row.format != (experiment.color ? PixelFormat::Rgba8 : PixelFormat::Gray8))
                return false;
            const auto step = parseStep(experiment.parameters.empty()
                                            ? experiment.operation
                                            : experiment.operation + ":" + experiment.parameters);
            return step && parameterText(row.parameters) == parameterText(step->parameters);
        });
    for (std::size_t i = 0; i < lines.size(); ++i) {
        // One image for all places of a line.
        const PublishedComparison& line = lines[i];
        if (!line.single.measured() && !line.cores.measured() && !line.gpu.measured())
            lines[i] = alike[i];
    }
    return lines;
}

std::string toPublishedTable(const TimingReport& report) {
    return alignedText(publishedTable(report)) + "\n" + notes("  ");
}

std::string toPublishedMarkdown(const TimingReport& report) {
    return markdownText(publishedTable(report)) + "\n" + notes("- ");
}

}  // namespace warpscope
