// Levels through a curve: tables of integers, pieces of cubics for float.
#include "engine/operations/tone/curves.h"

#include <limits>

#include "cuda_kernels/runtime/pointwise.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kMostPieces = 16;

// As SampleCurve. Pieces lie in device memory, five numbers each; they stay in the first cache.
struct CurveMap {
    struct Tuning : PointwiseBody {
        static constexpr int kWork = 96;
    };
    const double* pieces;
    double first;
    double last;
    // Of the second piece and those after it; NaN, which nothing reaches, where there is none.
    float begins[kMostPieces - 1];

    __device__ float operator()(float v, int) const {
        int k = 0;
#pragma unroll
        for (int i = 0; i < kMostPieces - 1; ++i) k += v >= begins[i];
        const double* p = pieces + 5 * k;
        const double level = fmin(fmax(__dmul_rn(255.0, double(v)), first), last);
        const double x = __dsub_rn(level, p[0]);
        double y = __dadd_rn(p[3], __dmul_rn(x, p[4]));
        y = __dadd_rn(p[2], __dmul_rn(x, y));
        y = __dadd_rn(p[1], __dmul_rn(x, y));
        return v != v ? v : __double2float_rn(y);
    }
};

CurveMap mapOf(KernelContext& context, const SampleCurve& curve) {
    std::vector<double> numbers;
    for (const CurvePiece& piece : curve.pieces)
        numbers.insert(numbers.end(), {piece.from, piece.c0, piece.c1, piece.c2, piece.c3});
    CurveMap map{tablesOnDevice<double>(context, "curves of float", {&numbers}),
                 curve.pieces.front().from,
                 curve.pieces.back().from,
                 {}};
    for (std::size_t i = 0; i < std::size_t(kMostPieces - 1); ++i)
        map.begins[i] = i + 1 < curve.begins.size() ? curve.begins[i + 1]
                                                    : std::numeric_limits<float>::quiet_NaN();
    return map;
}

template <class T>
TableMap<T> mapOf(KernelContext& context, const std::vector<T>& table) {
    return {tablesOnDevice<T>(context, "curves", {&table}), 0};
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const CurvesPlan&>(given);
    if (isFloat(in.format))
        mapSamples<float>(context, "curves", in, out, mapOf(context, plan.curve));
    else if (bytesPerSample(in.format) == 1)
        mapSamples<std::uint8_t>(context, "curves", in, out, mapOf(context, plan.table));
    else
        mapSamples<std::uint16_t>(context, "curves 16 bits", in, out, mapOf(context, plan.table16));
}

// The points by default change nothing, and no kernel runs.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets(1);
    sets.front().set("points", PointList{{0, 255}, {255, 0}});
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(curves, .run = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
