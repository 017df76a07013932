#include "engine/measure/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <type_traits>

namespace warpscope {
namespace {

constexpr std::uint64_t kSamplesForFraction = 4096;

struct Difference {
    double largest = 0;
    double squares = 0;  // of the colours
    std::uint64_t differing = 0;
    int x = -1;
    int y = -1;

    // The largest difference that comes first in reading order, whatever order bands end in.
    void merge(const Difference& other) {
        squares += other.squares;
        differing += other.differing;
        if (other.x < 0) return;
        const bool earlier = other.y < y || (other.y == y && other.x < x);
        if (x < 0 || other.largest > largest || (other.largest == largest && earlier)) {
            largest = other.largest;
            x = other.x;
            y = other.y;
        }
    }
};

template <class T>
double distance(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        if (a == b || (std::isnan(a) && std::isnan(b))) return 0.0;
        const double d = std::abs(double(a) - double(b));
        return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
    } else {
        return double(a > b ? a - b : b - a);
    }
}

// Of a row, alpha left out.
template <class T>
double colorSquares(const T* a, const T* b, int samples, int channels) {
    using Sum = std::conditional_t<sizeof(T) <= 2, std::uint64_t, double>;
    const int colors = channels == 4 ? 3 : channels;
    Sum squares = 0;
    for (int i = 0; i < samples; i += channels)
        for (int c = 0; c < colors; ++c) {
            const auto d = Sum(distance(a[i + c], b[i + c]));
            squares += d * d;
        }
    return double(squares);
}

// Two passes: the first has no place to keep and vectorizes; where the largest difference lies is
// looked for only in rows that have a new one.
template <class T>
void compareRow(const T* a, const T* b, int samples, int channels, int y, Difference& sum) {
    double largest = 0;
    if constexpr (sizeof(T) <= 2) {
        std::uint32_t most = 0;
        std::uint32_t differing = 0;
        for (int i = 0; i < samples; ++i) {
            const std::uint32_t d =
                a[i] > b[i] ? std::uint32_t(a[i] - b[i]) : std::uint32_t(b[i] - a[i]);
            most = std::max(most, d);
            differing += d != 0;
        }
        largest = double(most);
        sum.differing += differing;
    } else {
        for (int i = 0; i < samples; ++i) {
            const double d = distance(a[i], b[i]);
            largest = std::max(largest, d);
            sum.differing += d != 0;
        }
    }
    if (largest > 0) sum.squares += colorSquares(a, b, samples, channels);
    if (largest == 0 || (sum.x >= 0 && largest <= sum.largest)) return;
    for (int i = 0; i < samples; ++i) {
        if (distance(a[i], b[i]) != largest) continue;
        sum.largest = largest;
        sum.x = i / channels;
        sum.y = y;
        return;
    }
}

template <class T>
Difference compareSamples(const Image& reference, const Image& other) {
    const View<const T> a = reference.view<T>();
    const View<const T> b = other.view<T>();
    const std::size_t rowBytes = std::size_t(a.samplesPerRow()) * sizeof(T);
    Difference total;
    std::mutex mutex;
    const CpuContext context;
    // Nothing can stop this work, and the body allocates nothing.
    (void)forEachRowBand(
        context, a.height, rowsPerBand(context, a.height, 2 * rowBytes), [&](int first, int last) {
            Difference band;
            for (int y = first; y < last; ++y) {
                // Equal rows are the rule, and this is the fastest way to see it.
                if (std::memcmp(a.row(y), b.row(y), rowBytes) == 0) continue;
                compareRow(a.row(y), b.row(y), a.samplesPerRow(), a.channels, y, band);
            }
            const std::lock_guard lock(mutex);
            total.merge(band);
        });
    return total;
}

// One unit in the last place of the largest finite magnitude of the image.
double ulpOfLargest(const Image& image) {
    const View<const float> view = image.view<float>();
    float largest = 0;
    for (int y = 0; y < view.height; ++y) {
        const float* row = view.row(y);
        for (int i = 0; i < view.samplesPerRow(); ++i) {
            const float magnitude = std::abs(row[i]);
            if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
        }
    }
    return double(std::nextafter(largest, std::numeric_limits<float>::infinity())) -
           double(largest);
}

Verdict judge(const Image& reference, const Agreement& found, const AgreementRule& rule) {
    if (found.differing == 0) return Verdict::Identical;
    double allowed = rule.maxDifference;
    if (isFloat(reference.format())) {
        if (rule.maxUlp > 0) allowed = std::max(allowed, rule.maxUlp * ulpOfLargest(reference));
        return found.maxDifference <= allowed ? Verdict::WithinRule : Verdict::Differs;
    }
    if (found.maxDifference > allowed) return Verdict::Differs;
    const double identical = double(found.samples - found.differing) / double(found.samples);
    // With a difference allowed at all, a fraction of 1 would forbid it again on large images only.
    const bool fractionCounts =
        rule.identicalFraction < 1.0 && found.samples >= kSamplesForFraction;
    return fractionCounts && identical < rule.identicalFraction ? Verdict::Differs
                                                                : Verdict::WithinRule;
}

}  // namespace

std::string_view verdictId(Verdict verdict) {
    switch (verdict) {
        case Verdict::Identical:
            return "identical";
        case Verdict::WithinRule:
            return "within";
        case Verdict::Differs:
            return "differs";
        case Verdict::NotCompared:
            return "not compared";
    }
    return "";
}

Agreement compareImages(const Image& reference, const Image& other, const AgreementRule& rule) {
    Agreement agreement;
    if (reference.isNull() || other.isNull()) return agreement;
    agreement.samples =
        std::uint64_t(reference.size().pixels()) * std::uint64_t(channelCount(reference.format()));
    if (reference.format() != other.format() || reference.size() != other.size()) {
        agreement.verdict = Verdict::Differs;
        agreement.differing = agreement.samples;
        agreement.maxDifference = fullScale(reference.format());
        return agreement;
    }
    const Difference difference = visitSampleType(
        reference.format(), [&]<class T>() { return compareSamples<T>(reference, other); });
    agreement.maxDifference = difference.largest;
    agreement.differing = difference.differing;
    agreement.firstX = difference.x;
    agreement.firstY = difference.y;
    const double peak = fullScale(reference.format());
    const int channels = channelCount(reference.format());
    const double colors = double(agreement.samples) * (channels == 4 ? 3 : channels) / channels;
    agreement.psnrDb = difference.squares == 0
                           ? std::numeric_limits<double>::infinity()
                           : 10.0 * std::log10(peak * peak * colors / difference.squares);
    agreement.verdict = judge(reference, agreement, rule);
    return agreement;
}

Agreement compareHistograms(const HistogramSet& reference, const HistogramSet& other) {
    Agreement agreement;
    for (const Histogram& channel : reference.channels) agreement.samples += channel.bins.size();
    const auto shape = [](const HistogramSet& set) {
        std::vector<std::pair<HistogramChannel, std::size_t>> bins;
        for (const Histogram& channel : set.channels)
            bins.emplace_back(channel.channel, channel.bins.size());
        return bins;
    };
    if (shape(reference) != shape(other)) {
        agreement.verdict = Verdict::Differs;
        agreement.differing = agreement.samples;
        return agreement;
    }
    for (std::size_t c = 0; c < reference.channels.size(); ++c) {
        const auto& a = reference.channels[c].bins;
        const auto& b = other.channels[c].bins;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double d = distance(a[i], b[i]);
            if (d == 0) continue;
            ++agreement.differing;
            if (d > agreement.maxDifference) {
                agreement.maxDifference = d;
                agreement.firstX = int(i);
                agreement.firstY = int(c);
            }
        }
    }
    const bool sameRange = reference.low == other.low && reference.high == other.high &&
                           reference.notFinite == other.notFinite;
    const bool identical = agreement.differing == 0 && sameRange;
    agreement.verdict = identical ? Verdict::Identical : Verdict::Differs;
    if (identical) agreement.psnrDb = std::numeric_limits<double>::infinity();
    return agreement;
}

// 0 for equal cells; infinite where there is no distance between them.
static double cellDistance(const TableCell& a, const TableCell& b) {
    const auto* x = std::get_if<double>(&a);
    const auto* y = std::get_if<double>(&b);
    if (a == b || (x && y && std::isnan(*x) && std::isnan(*y))) return 0;
    const auto number = [](const TableCell& cell) {
        if (const auto* whole = std::get_if<std::int64_t>(&cell)) return double(*whole);
        const auto* real = std::get_if<double>(&cell);
        return real ? *real : std::numeric_limits<double>::infinity();
    };
    const double distance = std::abs(number(a) - number(b));
    return distance > 0 ? distance : std::numeric_limits<double>::infinity();
}

// Cells are alike to the last bit or they differ; NaN is like NaN.
static Agreement compareTables(const AnalysisTable& reference, const AnalysisTable& other) {
    Agreement agreement;
    agreement.verdict = Verdict::Differs;
    if (reference.columns.size() != other.columns.size()) return agreement;
    for (std::size_t c = 0; c < reference.columns.size(); ++c) {
        const TableColumn& a = reference.columns[c];
        const TableColumn& b = other.columns[c];
        if (a.id != b.id || a.cells.size() != b.cells.size()) return agreement;
        for (std::size_t r = 0; r < a.cells.size(); ++r) {
            ++agreement.samples;
            const double distance = cellDistance(a.cells[r], b.cells[r]);
            if (distance == 0) continue;
            if (agreement.differing++ == 0 || distance > agreement.maxDifference) {
                agreement.maxDifference = distance;
                agreement.firstX = int(r);
                agreement.firstY = int(c);
            }
        }
    }
    if (agreement.differing) return agreement;
    agreement.verdict = Verdict::Identical;
    agreement.psnrDb = std::numeric_limits<double>::infinity();
    return agreement;
}

Agreement compareAnalyses(const AnalysisResult& reference, const AnalysisResult& other) {
    if (reference.index() != other.index()) return {.verdict = Verdict::Differs};
    if (const auto* counts = std::get_if<HistogramSet>(&reference))
        return compareHistograms(*counts, std::get<HistogramSet>(other));
    return compareTables(std::get<AnalysisTable>(reference), std::get<AnalysisTable>(other));
}

// Counts have none, and neither has what is not finite.
static std::string psnrText(const Agreement& agreement) {
    if (!std::isfinite(agreement.psnrDb) || agreement.psnrDb <= 0) return {};
    return fmt::format(", PSNR {:.1f} dB", agreement.psnrDb);
}

std::string describe(const Agreement& agreement) {
    switch (agreement.verdict) {
        case Verdict::Identical:
            return "identical";
        case Verdict::WithinRule:
            return fmt::format("within {:.6g}{}", agreement.maxDifference, psnrText(agreement));
        case Verdict::NotCompared:
            return "not compared";
        case Verdict::Differs:
            break;
    }
    if (agreement.firstX < 0) return "differs in shape or range";
    return fmt::format("differs in {} sample{}, at most by {:.6g}, at ({}, {}){}",
                       agreement.differing, agreement.differing == 1 ? "" : "s",
                       agreement.maxDifference, agreement.firstX, agreement.firstY,
                       psnrText(agreement));
}

}  // namespace warpscope
