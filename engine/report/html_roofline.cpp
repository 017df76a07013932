#include "engine/report/html_roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/measure/roofline.h"
#include "engine/report/chart_svg.h"
#include "engine/report/roofline_plot.h"

namespace warpscope {
namespace {

bool hasPoint(const StepTiming& row) {
    return row.measured() && row.peer.empty() && row.experiment.empty() && row.stepIndex == 0 &&
           row.variant == kAutomaticVariant;
}

}  // namespace

std::string rooflineHtml(const TimingReport& report) {
    const bool cold = std::ranges::any_of(
        report.results, [](const StepTiming& row) { return hasPoint(row) && row.cold; });
    const auto counts = [&](const StepTiming& row) { return hasPoint(row) && row.cold == cold; };
    std::map<Size, std::set<std::string>, decltype([](Size a, Size b) {
                 return std::tuple(a.pixels(), a.width) < std::tuple(b.pixels(), b.width);
             })>
        operationsOf;
    for (const StepTiming& row : report.results)
        if (counts(row)) operationsOf[{row.width, row.height}].insert(row.operation);
    if (operationsOf.empty()) return {};
    // Of equal ones the last, which is the largest.
    auto most = operationsOf.begin();
    for (auto at = most; at != operationsOf.end(); ++at)
        if (at->second.size() >= most->second.size()) most = at;

    TimingReport chosen = report;
    chosen.results.clear();
    std::set<std::pair<std::string, Place>> known;
    for (const StepTiming& row : report.results)
        if (counts(row) && Size{row.width, row.height} == most->first &&
            known.emplace(row.operation, row.backendRequested).second)
            chosen.results.push_back(row);
    const RooflinePlot plot = rooflinePlot(chosen, peaksOf(report.machine));
    if (plot.empty()) return {};
    return fmt::format(
        "<h2 id=\"roofline\">Why they are that fast</h2>\n<figure>{}<figcaption>{} x {} pixels, "
        "{}. "
        "A point at the slope is as fast as the memory copies, one at the flat roof as fast as the "
        "machine computes; far below both, launches or waiting take the time. The sentence of each "
        "point stands in its row below.</figcaption></figure>\n",
        toSvg(plot), most->first.width, most->first.height, cold ? "cold caches" : "warm caches");
}

}  // namespace warpscope
