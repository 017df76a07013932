// Levels through a curve that is drawn by points.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/operations/operation.h"

namespace warpscope {

// From its first level to that of the next piece, in levels of 8 bits: with x levels into it the
// curve is at c0 + x (c1 + x (c2 + x c3)) of white.
struct CurvePiece {
    double from = 0;
    double c0 = 0, c1 = 0, c2 = 0, c3 = 0;
};

// A curve of float samples. As many pieces as points: the last one, beyond the last point, is
// constant.
struct SampleCurve {
    std::vector<CurvePiece> pieces;
    // Of each piece the smallest sample; nobody asks for that of the first.
    std::vector<float> begins;

    // NaN stays. Every operation is rounded by itself, so that every machine finds the same bits.
    float operator()(float v) const {
        if (v != v) return v;
        std::size_t k = 0;
        for (std::size_t i = 1; i < begins.size(); ++i) k += v >= begins[i];
        const CurvePiece& p = pieces[k];
        const double level = 255.0 * double(v);
        const double x =
            std::min(std::max(level, pieces.front().from), pieces.back().from) - p.from;
        return float(p.c0 + x * (p.c1 + x * (p.c2 + x * p.c3)));
    }
};

struct CurvesPlan final : Plan {
    // Of the sample type of the plan; the others are empty.
    std::vector<std::uint8_t> table;
    std::vector<std::uint16_t> table16;
    SampleCurve curve;
};

const Operation& curves_operation();
CpuBody<CurvesPlan> runCurvesCpu;

}  // namespace warpscope
