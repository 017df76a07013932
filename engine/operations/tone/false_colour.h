// Levels or labels as colours.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/operations/operation.h"
#include "engine/operations/tone/color_maps.h"
#include "engine/operations/tone/same_power.h"

namespace warpscope {

// Which entry of the map a sample gets. NaN: entry 0.
struct ColorIndex {
    // In sample values.
    double low = 0;
    double high = 255;
    bool labels = false;

    template <class T>
    constexpr std::uint32_t operator()(T v) const {
        if (labels) {
            const std::uint32_t label = nearest(double(v) + 0.5, 4294967295.0);
            return label ? 1 + (label - 1) % 255 : 0;
        }
        return nearest(times(255.0, double(v) - low) / (high - low) + 0.5, 255.0);
    }

  private:
    template <class Real>
    static constexpr std::uint32_t nearest(Real x, Real most) {
        return x >= most ? std::uint32_t(most) : x >= 1 ? std::uint32_t(x) : 0;
    }
};

struct FalseColourPlan final : Plan {
    ColorIndex index;
    ColorTable colors{};
    // 8 bits: the colour of each level.
    std::vector<std::uint32_t> colorOfLevel;
    // 16 bits: the index of each level.
    std::vector<std::uint8_t> indexOfLevel;
};

// Alpha of a colour sample in the result.
constexpr std::uint32_t alphaByte(std::uint8_t alpha) {
    return alpha;
}
constexpr std::uint32_t alphaByte(std::uint16_t alpha) {
    return (std::uint32_t(alpha) * 255u + 32895u) >> 16;
}
template <class Real>
constexpr std::uint32_t alphaByte(Real alpha) {
    // NaN fails both comparisons.
    const Real inside = alpha > 0 ? (alpha < 1 ? alpha : Real(1)) : Real(0);
    return std::uint32_t(times(inside, Real(255)) + Real(0.5));
}

const Operation& false_colour_operation();
CpuBody<FalseColourPlan> runFalseColourCpu;

}  // namespace warpscope
