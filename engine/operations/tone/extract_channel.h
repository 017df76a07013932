// One channel of an image, stored or computed, as a gray image.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "engine/operations/operation.h"
#include "engine/operations/tone/same_power.h"

namespace warpscope {

enum class ExtractedChannel { Luma, Red, Green, Blue, Alpha, Hue, Saturation, Value, Lightness };

struct ExtractChannelPlan final : Plan {
    ExtractedChannel channel = ExtractedChannel::Luma;
};

const Operation& extract_channel_operation();
CpuBody<ExtractChannelPlan> runExtractChannelCpu;

// The light (0 to 1) of each of the 256 or 65,536 levels of sRGB.
const std::vector<float>& linearLevels(int bytesPerSample);

// ---- the definitions, for both backends; the same bits on both ----

template <class T>
struct ColorRange {
    T most;
    T least;
    constexpr ColorRange(T r, T g, T b)
        : most(r > g ? (r > b ? r : b) : (g > b ? g : b)),
          least(r < g ? (r < b ? r : b) : (g < b ? g : b)) {}
};

// Of float: whether the channels have a number for all.
template <class T>
constexpr bool areNumbers(T r, T g, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return r == r && g == g && b == b;
    else
        return true;
}

// The floor of a / b where both are below 2^20 and 2^12 (8 bits) or 2^36 and 2^20 (16 bits), and
// the quotient below 2^9 or 2^17: the nearest float or double does not reach the next whole number,
// which is at least 1 / b away.
template <class T>
constexpr std::uint32_t floorOfQuotient(std::uint64_t a, std::uint64_t b) {
    using Real = std::conditional_t<sizeof(T) == 1, float, double>;
    return std::uint32_t(Real(a) / Real(b));
}

template <class T>
constexpr T valueOf(T r, T g, T b) {
    if (!areNumbers(r, g, b)) return std::numeric_limits<T>::quiet_NaN();
    return ColorRange<T>(r, g, b).most;
}

template <class T>
constexpr T saturationOf(T r, T g, T b) {
    if (!areNumbers(r, g, b)) return std::numeric_limits<T>::quiet_NaN();
    const ColorRange<T> range(r, g, b);
    if (range.most == 0) return 0;
    if constexpr (std::is_floating_point_v<T>) {
        return (range.most - range.least) / range.most;
    } else {
        constexpr std::uint64_t kWhite = std::numeric_limits<T>::max();
        const std::uint64_t most = range.most, distance = most - range.least;
        return T(floorOfQuotient<T>(2 * kWhite * distance + most, 2 * most));
    }
}

template <class T>
constexpr T hueOf(T r, T g, T b) {
    if (!areNumbers(r, g, b)) return std::numeric_limits<T>::quiet_NaN();
    const ColorRange<T> range(r, g, b);
    if (range.most == range.least) return 0;
    using Signed = std::conditional_t<std::is_floating_point_v<T>, T, std::int64_t>;
    const Signed distance = Signed(range.most) - Signed(range.least);
    Signed sector = 4, d = Signed(r) - Signed(g);
    if (r == range.most) {
        d = Signed(g) - Signed(b);
        sector = d < 0 ? 6 : 0;
    } else if (g == range.most) {
        d = Signed(b) - Signed(r);
        sector = 2;
    }
    if constexpr (std::is_floating_point_v<T>) {
        const T hue = (times(sector, distance) + d) / times(T(6), distance);
        return hue >= 1 ? hue - 1 : hue;
    } else {
        constexpr std::int64_t kLevels = std::int64_t(std::numeric_limits<T>::max()) + 1;
        const Signed a = 2 * kLevels * (sector * distance + d) + 6 * distance;
        return T(floorOfQuotient<T>(std::uint64_t(a), std::uint64_t(12 * distance)));
    }
}

inline constexpr double kDarkestCubed = 216.0 / 24389.0;

// Of the luminance of integer samples: lightness in levels up to `white`. A cube root by two steps
// of Halley's from a guess by the bits.
template <class Real = float>
constexpr std::uint32_t lightnessLevel(Real luminance, std::uint32_t white) {
    const auto bits = std::bit_cast<std::int32_t>(luminance);
    Real root = std::bit_cast<Real>(std::int32_t(times(Real(bits), 1.0f / 3.0f)) + 709921077);
    for (int i = 0; i < 2; ++i) {
        const Real cube = times(times(root, root), root);
        root = times(root, (cube + (luminance + luminance)) / ((cube + cube) + luminance));
    }
    const Real lightness = luminance > Real(kDarkestCubed) ? times(116.0f, root) - 16.0f
                                                           : times(Real(24389.0 / 27.0), luminance);
    const auto level = std::uint32_t(times(lightness, Real(white) / 100.0f) + 0.5f);
    return level < white ? level : white;
}

// Of integer samples, from their light.
template <class Real = float>
constexpr Real luminanceOf(Real red, Real green, Real blue) {
    return (times(0.2126f, red) + times(0.7152f, green)) + times(0.0722f, blue);
}

// Of float samples.
template <class Real = float>
constexpr Real lightnessOf(Real r, Real g, Real b) {
    if (!areNumbers(r, g, b)) return std::numeric_limits<Real>::quiet_NaN();
    const auto light = [](double c) {
        return c <= 0.04045 ? c / 12.92 : samePower((c + 0.055) / 1.055, 2.4);
    };
    const double y = (times(0.2126, light(r)) + times(0.7152, light(g))) + times(0.0722, light(b));
    const double lightness =
        y > kDarkestCubed ? times(116.0, samePower(y, 1.0 / 3.0)) - 16.0 : times(24389.0 / 27.0, y);
    return Real(lightness / 100.0);
}

}  // namespace warpscope
