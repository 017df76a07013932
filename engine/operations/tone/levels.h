// Black, white and gamma of an image.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/operations/operation.h"
#include "engine/operations/tone/same_power.h"

namespace warpscope {

// The definition, of float samples. NaN stays.
struct SampleLevels {
    double black = 0;
    double white = 1;
    // 1 / gamma
    double exponent = 1;
    double outBlack = 0;
    double outWhite = 1;

    template <class Real = float>
    constexpr Real operator()(Real v) const {
        if (v != v) return v;
        double x = (double(v) - black) / (white - black);
        if (x <= 0)
            x = 0;
        else if (x >= 1)
            x = 1;
        else if (exponent != 1)
            x = samePower(x, exponent);
        return Real(outBlack + times(outWhite - outBlack, x));
    }
};

struct LevelsPlan final : Plan {
    // Red, green, blue; all alike for gray.
    bool changes[3] = {true, true, true};
    // Of the sample type of the plan; the others are empty.
    std::vector<std::uint8_t> table;
    std::vector<std::uint16_t> table16;
    SampleLevels samples;
    // What several steps make of red, green and blue, each by a table of its own. On the CPU alone,
    // and empty for a plan of this operation by itself.
    std::vector<std::uint8_t> colors[3];
    std::vector<std::uint16_t> colors16[3];

    bool changesAll() const { return changes[0] && changes[1] && changes[2]; }
};

const Operation& levels_operation();
CpuBody<LevelsPlan> runLevelsCpu;
// Float samples.
CpuBody<LevelsPlan> runLevelsFloat;

// The table that changes nothing.
template <class T>
std::vector<T> unchangedLevels() {
    std::vector<T> table(std::size_t{1} << (8 * sizeof(T)));
    for (std::size_t v = 0; v < table.size(); ++v) table[v] = T(v);
    return table;
}

}  // namespace warpscope
