// Thresholds that are found in a histogram. Both backends run these functions, in integers or in
// double with every operation rounded by itself, so that they find the same bits.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/operations/tone/equalize.h"

namespace warpscope {

enum class ThresholdMethod { Fixed, Mean, Otsu, Triangle, Li, Isodata };

// What is above is white.
struct ThresholdCut {
    // t, in samples of the format; li's and those of float are no whole numbers.
    double chosen = 0;
    // floor(t): for samples of 8 and 16 bits.
    std::uint32_t level = 0;
    // The largest float up to t.
    float value = 0;
};

// Count and sum of the levels up to one.
struct LevelsBelow {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;

    constexpr void add(std::uint64_t level, std::uint64_t times) {
        count += times;
        sum += level * times;
    }
};

// No compiler makes one operation of this and a sum.
constexpr double roundedProduct(double a, double b) {
#ifdef __CUDA_ARCH__
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}

// (mt w0 - m0 n)^2 / (w0 (n - w0)); -1 where all are on one side.
constexpr double otsuSpread(const LevelsBelow& below, const LevelsBelow& all) {
    if (below.count == 0 || below.count == all.count) return -1;
    const double d = roundedProduct(double(all.sum), double(below.count)) -
                     roundedProduct(double(below.sum), double(all.count));
    return roundedProduct(d, d) /
           roundedProduct(double(below.count), double(all.count - below.count));
}

// Whether a b >= c d; factors below 2^41.
constexpr bool atLeastProduct(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    constexpr std::uint64_t kLow = (1u << 20) - 1;
    const std::uint64_t one = (a & kLow) * b, other = (c & kLow) * d;
    const std::uint64_t high = (a >> 20) * b + (one >> 20);
    const std::uint64_t otherHigh = (c >> 20) * d + (other >> 20);
    return high != otherHigh ? high > otherHigh : (one & kLow) >= (other & kLow);
}

// floor((m0 / w0 + m1 / w1) / 2) = t, exactly.
constexpr bool isIsodata(std::uint32_t t, const LevelsBelow& below, const LevelsBelow& all) {
    if (below.count == 0 || below.count == all.count) return false;
    const std::uint64_t w0 = below.count, w1 = all.count - w0;
    const std::uint64_t m1 = all.sum - below.sum;
    const std::uint64_t rest0 = below.sum % w0, rest1 = m1 % w1;
    // Both rests over their counts are 1 together, or more.
    const std::uint64_t carry = atLeastProduct(rest0, w1, w1 - rest1, w0);
    return (below.sum / w0 + m1 / w1 + carry) / 2 == t;
}

// ln x for x from 2^-60 to 2^60, right to about a unit in the last place.
constexpr double logarithm(double x) {
    constexpr double kLn2 = 0.693147180559945309417232121458, kRoot2 = 1.4142135623730951;
    constexpr int kBias = 1023, kMantissaBits = 52;
    // x = m 2^exponent with m from root 1/2 to root 2; the nearest exponent to 0 where both will
    // do.
    const auto bits = std::bit_cast<std::uint64_t>(x);
    int exponent = int(bits >> kMantissaBits) - kBias;
    double m =
        std::bit_cast<double>(bits - (std::uint64_t(std::int64_t(exponent)) << kMantissaBits));
    if (m > kRoot2 || (m == kRoot2 && exponent < 0)) {
        m /= 2;
        ++exponent;
    }
    // 2 artanh((m - 1) / (m + 1)) as its series; the first term left out is below 2^-56.
    const double s = (m - 1) / (m + 1);
    const double square = roundedProduct(s, s);
    double series = 0;
    for (int odd = 23; odd >= 1; odd -= 2) series = roundedProduct(series, square) + 1.0 / odd;
    return roundedProduct(double(exponent), kLn2) + roundedProduct(2 * s, series);
}

// The t that follows one at a level with `below` up to and with it, in levels above the darkest one
// present; kLiEnds if nothing is above that level.
inline constexpr double kLiEnds = -1;
constexpr double liStep(std::uint32_t darkest, const LevelsBelow& below, const LevelsBelow& all) {
    if (below.count == all.count) return kLiEnds;
    const std::uint64_t total = all.sum - all.count * darkest;
    const std::uint64_t sum = below.sum - below.count * darkest;
    if (sum == 0) return 0;
    const double back = double(sum) / double(below.count);
    const double front = double(total - sum) / double(all.count - below.count);
    return (back - front) / (logarithm(back) - logarithm(front));
}

// stepAt(level) gives the liStep() of that level. More than one level is present.
template <class StepAt>
constexpr double liThreshold(std::uint32_t darkest, const LevelsBelow& all, const StepAt& stepAt) {
    double t = double(all.sum - all.count * darkest) / double(all.count);
    for (;;) {
        const double next = stepAt(darkest + std::uint32_t(t));
        if (next == kLiEnds) break;
        const double step = next - t;
        t = next;
        if (step <= 0.5 && step >= -0.5) break;
    }
    return double(darkest) + t;
}

// i steps from the far end `e` towards the peak `p`: h(p) i - abs(p - e) h(i).
constexpr std::int64_t triangleHeight(std::uint64_t peakCount, std::uint64_t distance,
                                      std::uint64_t i, std::uint64_t count) {
    return std::int64_t(peakCount * i) - std::int64_t(distance * count);
}

// ---- float ----

// Floats as integers in the order of their values.
constexpr std::uint32_t floatOrder(float v) {
    const auto bits = std::bit_cast<std::uint32_t>(v);
    return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}
constexpr float floatOfOrder(std::uint32_t order) {
    return std::bit_cast<float>(order ^ (order >> 31 ? 0x80000000u : 0xffffffffu));
}

constexpr ThresholdCut cutAtValue(double t) {
    auto value = float(t);
    if (double(value) > t) value = floatOfOrder(floatOrder(value) - 1);
    return {t, 0, value};
}

// The largest float whose bin is `bin` or less.
constexpr ThresholdCut cutAtBin(const EqualizeRange& range, std::uint32_t bin) {
    if (!range.maps()) return {double(range.low), 0, range.low};
    std::uint32_t black = floatOrder(range.low), white = floatOrder(range.high);
    while (white - black > 1) {
        const std::uint32_t middle = black + (white - black) / 2;
        (range.bin(floatOfOrder(middle)) > bin ? white : black) = middle;
    }
    const float value = floatOfOrder(black);
    return {double(value), 0, value};
}

// Mantissas with their sign, summed for each exponent: exact, in whatever order.
inline constexpr int kFloatExponents = 255;
struct ExponentSums {
    std::int64_t sums[kFloatExponents] = {};
    std::uint64_t count = 0;

    static constexpr std::uint32_t exponentOf(float v) {
        return std::bit_cast<std::uint32_t>(v) >> 23 & 255;
    }
    static constexpr std::int64_t mantissaOf(float v) {
        const auto bits = std::bit_cast<std::uint32_t>(v);
        const auto size = std::int64_t((bits & 0x7fffffu) | (exponentOf(v) != 0 ? 0x800000u : 0u));
        return bits >> 31 ? -size : size;
    }
    constexpr double mean() const { return meanOf(sums, count); }
    // 0 of nothing.
    static constexpr double meanOf(const std::int64_t (&sums)[kFloatExponents],
                                   std::uint64_t count) {
        double total = 0;
        double unit = 0x1p-149;
        for (int e = 0; e < kFloatExponents; ++e) {
            total += roundedProduct(double(sums[e]), unit);
            if (e > 0) unit *= 2;
        }
        return count == 0 ? 0 : total / double(count);
    }
};

}  // namespace warpscope
