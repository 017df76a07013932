#include "engine/report/html_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/image/format_words.h"
#include "engine/measure/roofline.h"
#include "engine/report/bench_command.h"
#include "engine/report/chart_svg.h"
#include "engine/report/plot.h"
#include "engine/report/report_text.h"
#include "engine/report/text_table.h"

namespace warpscope {
namespace {

// A cell of more characters has several lines.
constexpr std::size_t kLongText = 24;

std::string cell(std::string_view html, std::string_view classes = {}, double sortedBy = -1) {
    return fmt::format(
        "<td{}{}>{}</td>", classes.empty() ? "" : fmt::format(" class=\"{}\"", classes),
        sortedBy >= 0 && std::isfinite(sortedBy) ? fmt::format(" data-v=\"{}\"", sortedBy) : "",
        html);
}

std::string header(std::string_view text, bool number = false) {
    return fmt::format("<th scope=\"col\"{}>{}</th>", number ? " class=\"n\"" : "",
                       svgEscaped(text));
}

std::string speedupsHtml(const std::vector<Speedup>& ofRow, const StepTiming& row) {
    std::string html;
    for (const Speedup& speedup : ofRow)
        html += fmt::format("<div><b>{}</b> {}against {}</div>", svgEscaped(factorText(speedup)),
                            row.ofGpu() ? svgEscaped(shortSubjectText(speedup.subject)) + " " : "",
                            svgEscaped(baselineText(speedup, row.variant)));
    return html;
}

std::string agreementHtml(const StepTiming& row) {
    const bool wrong = row.agreement.verdict == Verdict::Differs && row.peer.empty();
    return fmt::format("{}{}{}", wrong ? "<strong class=\"bad\">" : "",
                       svgEscaped(describe(row.agreement)), wrong ? "</strong>" : "");
}

std::string figureHtml(const StepTiming& row) {
    std::string html = fmt::format("<b>{}</b>", msText(row.time.medianMs)) + intervalSvg(row);
    if (row.time.intervalKnown())
        html +=
            fmt::format("<small>{} to {}</small>", msText(row.time.lowMs), msText(row.time.highMs));
    if (row.noisy()) html += fmt::format(" <mark>{}</mark>", steadyText(row));
    return html;
}

std::string stepHtml(const StepTiming& row) {
    std::string html = svgEscaped(row.variant);
    if (const std::string parameters = parameterText(row.parameters); !parameters.empty())
        html += fmt::format("<br><small>{}</small>", svgEscaped(parameters));
    if (row.stepIndex > 0) html += fmt::format("<br><small>step {}</small>", row.stepIndex + 1);
    return html;
}

// How many were taken, and in how many rounds, where that is known.
std::string countText(const SampleSummary& time) {
    if (time.rounds == 0) return fmt::format("{}", time.n);
    return time.rounds == 1 ? fmt::format("{} in {} round", time.n, time.rounds)
                            : fmt::format("{} in {} rounds", time.n, time.rounds);
}

std::string rowHtml(const StepTiming& row, const std::vector<Speedup>& ofRow,
                    const MachineInfo& machine, const std::vector<std::string>& command) {
    std::string image = fmt::format("{}x{}<br>{}", row.width, row.height, formatWords(row.format));
    if (!row.imageName.empty()) image += "<br><small>" + svgEscaped(row.imageName) + "</small>";
    if (row.cold) image += "<br><small>cold cache</small>";
    std::string html = fmt::format("<tr><th scope=\"row\" data-v=\"{}\">{}</th>",
                                   std::int64_t(row.width) * row.height, image) +
                       cell(stepHtml(row)) + cell(svgEscaped(backendText(row)));
    if (row.measured()) {
        const auto point = rooflinePoint(row, machine, peaksOf(machine));
        html +=
            cell(figureHtml(row), "n", row.time.medianMs) +
            cell(row.ofGpu() ? msText(row.endToEndMs) + (row.endToEnd.noisy() ? " noisy" : "") : "",
                 "n", row.endToEndMs) +
            cell(histogramSvg(row) + fmt::format("<small>{}</small>", countText(row.time)), "n",
                 row.time.n) +
            cell(row.gbPerS > 0 ? gbPerSText(row.gbPerS) +
                                      (point ? fmt::format("<small class=\"why\">{}</small>",
                                                           svgEscaped(whyThatFast(*point)))
                                             : "")
                                : "",
                 "n", row.gbPerS) +
            cell(speedupsHtml(ofRow, row), "speedup", ofRow.empty() ? 0 : ofRow.front().factor) +
            cell(agreementHtml(row));
    } else {
        html += fmt::format("<td colspan=\"6\"><em>no figure: {}</em></td>",
                            svgEscaped(row.error.empty() ? "no samples" : reasonText(row)));
    }
    const std::vector<std::string> words = benchCommand(row, command);
    return html +
           cell(words.empty()
                    ? std::string()
                    : "<details><summary>again</summary>" + commandHtml(words) + "</details>") +
           "</tr>\n";
}

}  // namespace

std::string commandHtml(const std::vector<std::string>& words) {
    return fmt::format(
        "<div class=\"command\"><code>{}</code><button type=\"button\" hidden>Copy</button></div>",
        svgEscaped(shellQuoted(words)));
}

std::string intervalSvg(const StepTiming& row) {
    if (!row.measured() || !row.time.intervalKnown() || !(row.time.medianMs > 0)) return {};
    constexpr double kWidth = 96, kMiddle = kWidth / 2, kShare = 0.1;
    const auto at = [&](double ms) {
        const double share = (ms / row.time.medianMs - 1) / kShare;
        return kMiddle + std::clamp(share, -1.0, 1.0) * (kMiddle - 2);
    };
    const double low = at(row.time.lowMs), high = at(row.time.highMs);
    return fmt::format(
        "<svg class=\"bar{}\" role=\"img\" width=\"{}\" height=\"12\"><title>95% interval {} to {} "
        "ms, {:.1f}% of the median wide; the scale is 10% below to 10% above it</title><path "
        "class=\"axis\" d=\"M2 6H{}M{} 2V10\"/><rect x=\"{:.2f}\" y=\"3.5\" width=\"{:.2f}\" "
        "height=\"5\"/></svg>",
        row.time.noisy() ? " bad" : "", kWidth, msText(row.time.lowMs), msText(row.time.highMs),
        100 * row.time.width(), kWidth - 2, kMiddle, std::min(low, kMiddle - 0.5),
        std::max(1.0, high - low));
}

std::string histogramSvg(const StepTiming& row) {
    const std::vector<double>& samples = row.samples.ms;
    if (samples.empty()) return {};
    constexpr std::size_t kBars = 24;
    constexpr double kWidth = 96, kHeight = 28, kBar = kWidth / double(kBars);
    const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
    const SampleSummary all = summarizeSamples(samples);
    // A few that were interrupted would leave the rest in one bar: the scale ends with the largest
    // of the others.
    const double low = *least;
    const double fence = all.p90Ms + 3 * (all.p90Ms - all.p10Ms);
    double high = low;
    for (const double ms : samples)
        if (ms <= fence) high = std::max(high, ms);
    std::array<int, kBars> counts{};
    int beyond = 0;
    for (const double ms : samples) {
        beyond += ms > high;
        const double share = high > low ? (ms - low) / (high - low) : 0.5;
        ++counts[std::min(kBars - 1, std::size_t(std::clamp(share, 0.0, 1.0) * double(kBars)))];
    }
    const int highest = *std::max_element(counts.begin(), counts.end());
    std::string bars;
    for (std::size_t i = 0; i < kBars; ++i) {
        if (counts[i] == 0) continue;
        const double height = std::max(1.0, (kHeight - 2) * counts[i] / highest);
        bars += fmt::format("M{:.1f} {}v-{:.1f}h{:.1f}v{:.1f}z", kBar * double(i), kHeight - 1,
                            height, kBar - 0.6, height);
    }
    const std::string more =
        beyond > 0 ? fmt::format(", the last bar with {} up to {} ms", beyond, msText(*most)) : "";
    return fmt::format(
        "<svg class=\"samples\" role=\"img\" width=\"{}\" height=\"{}\"><title>{} samples from {} "
        "to {} ms{}</title><path class=\"axis\" d=\"M0 {}H{}\"/><path d=\"{}\"/></svg>",
        kWidth, kHeight, samples.size(), msText(low), msText(high), more, kHeight - 0.5, kWidth,
        bars);
}

std::string rowsHtml(const std::vector<StepTiming>& rows, const MachineInfo& machine,
                     const std::vector<std::string>& command, bool open) {
    std::string html = fmt::format(
        "<details class=\"fold\"{}><summary>{}</summary>", open ? " open" : "",
        rows.size() == 1
            ? std::string("1 row: figures, samples, speedups, commands")
            : fmt::format("{} rows: figures, samples, speedups, commands", rows.size()));
    html += "<div class=\"wide\"><table class=\"rows\"><thead><tr>" + header("image") +
            header("variant and parameters") + header("place (threads)") +
            header("median, ms", true) + header("end to end, ms", true) + header("samples", true) +
            header("GB/s", true) + header("speedup") + header("agreement with one thread") +
            header("command") + "</tr></thead><tbody>\n";
    const std::vector<std::vector<Speedup>> ofRows = speedupsOfRows(rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
        html += rowHtml(rows[i], ofRows[i], machine, command);
    return html + "</tbody></table></div></details>\n";
}

std::string tableHtml(const TextTable& table, std::string_view caption) {
    std::string html =
        fmt::format("<div class=\"wide\"><table><caption>{}</caption>", svgEscaped(caption));
    for (std::size_t l = 0; l < table.lines.size(); ++l) {
        html += l == 0 ? "<thead><tr>" : "<tr>";
        for (std::size_t c = 0; c < table.lines[l].size(); ++c) {
            const std::string& text = table.lines[l][c];
            const bool number = table.isNumber(c);
            const std::string_view classes = text.size() > kLongText ? number ? "n long" : "long"
                                             : number                ? "n"
                                                                     : "";
            html += l == 0   ? header(text, number)
                    : c == 0 ? "<th scope=\"row\">" + svgEscaped(text) + "</th>"
                             : cell(svgEscaped(text), classes);
        }
        html += l == 0 ? "</tr></thead><tbody>\n" : "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

}  // namespace warpscope
