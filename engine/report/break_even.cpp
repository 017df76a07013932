#include "engine/report/break_even.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "engine/base/figures.h"
#include "engine/measure/factor.h"
#include "engine/measure/timing_report.h"

namespace warpscope {
namespace {

const double kDraw = std::log(kDrawBelow);

struct Point {
    Size size;
    double advantage = 0;  // log of baseline over subject, less a draw: above 0, the subject wins
    double logPixels() const { return std::log(double(size.pixels())); }
};

std::vector<Point> pointsOf(const std::vector<SizedTime>& subject,
                            const std::vector<SizedTime>& baseline) {
    // Images with as many pixels are one point of the curve.
    std::map<std::int64_t, Point> byPixels;
    for (const SizedTime& s : subject) {
        for (const SizedTime& b : baseline) {
            if (s.size != b.size || s.ms <= 0 || b.ms <= 0 || s.size.empty()) continue;
            // Differences of logarithms: quotients of extreme figures are infinite.
            const auto logRatio = [](double x, double y) { return std::log(x) - std::log(y); };
            const double spread = (s.high > s.ms ? logRatio(s.high, s.ms) : 0) +
                                  (b.low > 0 && b.low < b.ms ? logRatio(b.ms, b.low) : 0);
            byPixels.emplace(s.size.pixels(),
                             Point{s.size, logRatio(b.ms, s.ms) - std::max(kDraw, spread)});
            break;
        }
    }
    std::vector<Point> points;
    for (const auto& [pixels, point] : byPixels) points.push_back(point);
    return points;
}

// Two digits: more would be more than interpolation knows.
int twoDigits(double side) {
    const double step = std::max(1.0, std::pow(10.0, std::floor(std::log10(side)) - 1));
    return int(std::max(1.0, std::round(side / step) * step));
}

// Where the straight line between two points of opposite sign meets zero; the shape goes over from
// that of the one image to that of the other.
void interpolate(const Point& a, const Point& b, Crossing& crossing) {
    const double t = a.advantage / (a.advantage - b.advantage);
    crossing.pixels = std::exp(std::lerp(a.logPixels(), b.logPixels(), t));
    const auto logAspect = [](const Size& size) {
        return std::log(double(size.width) / double(size.height));
    };
    const double aspect = std::exp(std::lerp(logAspect(a.size), logAspect(b.size), t));
    crossing.size = {twoDigits(std::sqrt(crossing.pixels * aspect)),
                     twoDigits(std::sqrt(crossing.pixels / aspect))};
}

struct Series {
    StepTiming step;
    int singleThreads = 0, coresThreads = 0;
    std::vector<SizedTime> single = {}, cores = {}, kernels = {}, endToEnd = {};
};

// What the CPU was measured to do the same in at best.
struct Best {
    int threads = 0;  // the most of any size
    std::vector<SizedTime> times = {};

    void add(const StepTiming& row, const SizedTime& time) {
        threads = std::max(threads, row.threadsWorked > 0 ? row.threadsWorked : row.threads);
        for (SizedTime& known : times) {
            if (known.size != time.size) continue;
            if (time.ms < known.ms) known = time;
            return;
        }
        times.push_back(time);
    }
};

SizedTime timeOf(const StepTiming& row, const SampleSummary& time, double ms) {
    const Size size{row.width, row.height};
    if (time.intervalKnown()) return {size, ms, time.lowMs, time.highMs};
    return {size, ms, time.p10Ms, time.p90Ms};
}

bool takesPart(const StepTiming& row) {
    // An experiment's input has noise of its own and belongs to no sweep.
    return row.measured() && row.peer.empty() && row.experiment.empty() &&
           (row.ofGpu() || !row.noisy()) && row.agreement.allowsSpeedup() &&
           !(row.backend == BackendKind::Cpu && row.threads > 1 && row.threadsWorked == 1);
}

}  // namespace

Crossing findCrossing(const std::vector<SizedTime>& subject,
                      const std::vector<SizedTime>& baseline) {
    const std::vector<Point> points = pointsOf(subject, baseline);
    Crossing crossing;
    crossing.sizes = int(points.size());
    if (points.size() < 2) return crossing;
    int changes = 0;
    std::size_t lastChange = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool wins = points[i].advantage > 0;
        crossing.wins += wins;
        if (i == 0 || wins == (points[i - 1].advantage > 0)) continue;
        ++changes;
        lastChange = i;
    }
    if (changes == 0) {
        crossing.kind = crossing.wins > 0 ? Crossing::Kind::Always : Crossing::Kind::Never;
    } else if (changes > 1) {
        crossing.kind = Crossing::Kind::Changeable;
    } else {
        const bool winsAtLast = points.back().advantage > 0;
        crossing.kind = winsAtLast ? Crossing::Kind::From : Crossing::Kind::UpTo;
        interpolate(points[lastChange - 1], points[lastChange], crossing);
    }
    return crossing;
}

std::vector<BreakEven> breakEven(const std::vector<StepTiming>& rows) {
    std::vector<Series> all;
    std::map<std::pair<StepKind, bool>, std::size_t> places;  // a kind, cold or warm
    std::map<std::pair<StepKind, bool>, Best> bests;          // the same without the variant
    const auto anyVariant = [](const StepTiming& row) {
        StepKind kind = kindOf(row);
        kind.variant.clear();
        return std::pair(std::move(kind), row.cold);
    };
    for (const StepTiming& row : rows) {
        if (!takesPart(row)) continue;
        const auto [place, isNew] = places.emplace(std::pair(kindOf(row), row.cold), all.size());
        if (isNew) {
            all.push_back({row});
            all.back().step.dropSamples();
        }
        Series& series = all[place->second];
        const SizedTime time =
            timeOf(row, row.time, row.ofGpu() ? row.kernelMs : row.time.medianMs);
        if (row.ofGpu()) {
            if (!row.time.noisy()) series.kernels.push_back(time);
            if (!row.endToEnd.noisy())
                series.endToEnd.push_back(timeOf(row, row.endToEnd, row.endToEndMs));
            continue;
        }
        const bool single = row.backend == BackendKind::CpuSingle;
        (single ? series.single : series.cores).push_back(time);
        (single ? series.singleThreads : series.coresThreads) = row.threads;
        bests[anyVariant(row)].add(row, time);
    }
    std::vector<BreakEven> list;
    for (const Series& series : all) {
        const auto add = [&](SpeedupSubject subject, int baselineThreads, bool best,
                             const std::vector<SizedTime>& times,
                             const std::vector<SizedTime>& against) {
            BreakEven found{
                series.step, subject, baselineThreads, best, findCrossing(times, against), {}};
            if (found.kernels.kind == Crossing::Kind::NoData) return;
            if (found.ofGpu()) found.endToEnd = findCrossing(series.endToEnd, against);
            list.push_back(std::move(found));
        };
        const auto best = bests.find(anyVariant(series.step));
        if (best != bests.end())
            add(SpeedupSubject::GpuKernels, best->second.threads, true, series.kernels,
                best->second.times);
        add(SpeedupSubject::GpuKernels, series.singleThreads, false, series.kernels, series.single);
        // One core is no race.
        if (series.coresThreads > 1)
            add(SpeedupSubject::AllCores, series.singleThreads, false, series.cores, series.single);
    }
    return list;
}

std::string drawRule() {
    return "Less than a twentieth, or less than the 95% intervals are apart, is a draw and no win; "
           "noisy rows take no part, nor rows of all cores where one thread did the work.";
}

std::string describe(const Crossing& crossing) {
    const auto size = [&] {
        return fmt::format("{} x {}", crossing.size.width, crossing.size.height);
    };
    switch (crossing.kind) {
        case Crossing::Kind::NoData:
            return "";
        case Crossing::Kind::Always:
            return "at every measured size";
        case Crossing::Kind::Never:
            return "at no measured size";
        case Crossing::Kind::From:
            return "from " + size();
        case Crossing::Kind::UpTo:
            return "up to " + size();
        case Crossing::Kind::Changeable:
            return fmt::format("at {} of {} measured sizes", crossing.wins, crossing.sizes);
    }
    return "";
}

std::string noBreakEvenText(const std::vector<StepTiming>& rows) {
    std::set<Place> places;
    std::set<std::pair<int, int>> sizes;
    bool noisy = false;
    for (const StepTiming& row : rows) {
        if (!row.measured() || !row.peer.empty()) continue;
        places.insert(row.backendRequested);
        sizes.emplace(row.width, row.height);
        noisy |= !row.ofGpu() && row.noisy();
    }
    if (places.size() < 2) return "None is said: there are no two places to compare.";
    if (sizes.size() < 2) return "None is said: there are no two sizes.";
    if (noisy) return "None is said: rows of the CPU are noisy.";
    return "None is said: no two places have two sizes in common where results agree and more than "
           "one thread worked.";
}

std::string describe(const BreakEven& found) {
    const std::string words = describe(found.kernels);
    if (words.empty()) return "";
    std::string text = fmt::format(
        "{} against {} {}", found.ofGpu() ? "the GPU wins" : "all cores win",
        found.best ? fmt::format("the best of the CPU ({})", threadsText(found.baselineThreads))
                   : threadsText(found.baselineThreads),
        words);
    if (found.endToEnd) {
        const std::string whole = describe(*found.endToEnd);
        if (!whole.empty()) text += ", end to end " + whole;
    }
    return text;
}

}  // namespace warpscope
