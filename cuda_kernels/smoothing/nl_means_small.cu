// NL-means of 8-bit images with the smallest windows, patch radius 1 and search radius 1 or 2, in
// registers. A pair of pixels has one weight, which counts for both: each lane has a column and
// makes the pairs with the pixel of its own column further down and with those of the next columns,
// once. What it has added up for the columns to its right goes there through shuffles when a row
// is done; a warp's first lanes are there for that alone.
#include <algorithm>
#include <type_traits>

#include "cuda_kernels/smoothing/nl_means.cuh"
#include "cuda_kernels/smoothing/nl_means_choice.h"

namespace warpscope::cuda {
namespace {

constexpr int kWarps = 4;  // of a block; they do not meet
constexpr int kRadius = kNlMeansSmallPatch;
constexpr int kTaps = 2 * kRadius + 1;

constexpr int kMagicBits = 0x4B000000;
constexpr float kMagic = 8388608.0f;  // the float with these bits: 2^23

struct Strips {
    int first = 0;   // block of a launch
    int across = 0;  // strips side by side
    int count = 0;
    int rows = 0;  // of a strip
    int turns = 0;
};

// What a lane has of one row: the pixels from kRadius left of its column to kRadius right of the
// last one that it pairs with.
template <int C, int S>
struct Line;

// Gray: three neighbours in a word, for each column.
template <int S>
struct Line<1, S> {
    std::uint32_t columns[S + 1];

    __device__ __forceinline__ void load(const std::byte* row, const int (&at)[S + kTaps]) {
        std::uint32_t bytes[S + kTaps];
#pragma unroll
        for (int i = 0; i < S + kTaps; ++i) bytes[i] = std::uint32_t(row[at[i]]);
        columns[0] = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
#pragma unroll
        for (int i = 1; i <= S; ++i) columns[i] = columns[i - 1] >> 8 | bytes[i + kTaps - 1] << 16;
    }
    __device__ __forceinline__ float value(int column, int) const {
        return float(byteOf(columns[column], kRadius));
    }
    // Sum of squared differences from a row of patches around `column`.
    __device__ __forceinline__ std::uint32_t apart(const Line& other, int column,
                                                   std::uint32_t sum) const {
        const std::uint32_t d = __vabsdiffu4(columns[0], other.columns[column]);
        return __dp4a(d, d, sum);
    }
};

template <int S>
struct Line<3, S> {
    std::uint32_t pixels[S + kTaps];

    __device__ __forceinline__ void load(const std::byte* row, const int (&at)[S + kTaps]) {
#pragma unroll
        for (int i = 0; i < S + kTaps; ++i)
            pixels[i] = reinterpret_cast<const std::uint32_t*>(row)[at[i]] & 0xffffffu;
    }
    __device__ __forceinline__ float value(int column, int colour) const {
        return float(byteOf(pixels[column + kRadius], colour));
    }
    __device__ __forceinline__ std::uint32_t apart(const Line& other, int column,
                                                   std::uint32_t sum) const {
#pragma unroll
        for (int i = 0; i < kTaps; ++i) {
            const std::uint32_t d = __vabsdiffu4(pixels[i], other.pixels[i + column]);
            sum = __dp4a(d, d, sum);
        }
        return sum;
    }
};

// The rows of a strip, S + 1 of which are at hand and take turns in their places.
template <int C, int S>
struct Rows {
    static constexpr int kKept = S + 1;
    static constexpr int kPairs = 2 * S * (S + 1);

    struct Sums {
        float weights, values[C];
    };
    // Of a pair: what the last two rows of its patches add up to, with kMagicBits, and what the
    // last alone does.
    struct Running {
        std::uint32_t two = kMagicBits, one = 0;
    };

    Line<C, S> lines[kKept];
    float values[kKept][S + 1][C];  // of the patches' centres
    Sums sums[kKept][S + 1] = {};
    Running running[kPairs];
    float exponent;

    // Line `at` has come: patches whose last row it is are complete.
    template <bool Complete>
    __device__ __forceinline__ void step(int at) {
        const int centre = (at + kKept - kRadius) % kKept;
#pragma unroll
        for (int column = 0; column <= S; ++column)
#pragma unroll
            for (int c = 0; c < C; ++c) values[centre][column][c] = lines[centre].value(column, c);
        if constexpr (Complete) {
#pragma unroll
            for (int column = 0; column <= S; ++column) sums[centre][column] = {};
        }
        int pair = 0;
#pragma unroll
        for (int column = 0; column <= S; ++column)
#pragma unroll
            for (int up = 0; up <= S; ++up) {
                const int line = (at + kKept - up) % kKept;
                const int row = (centre + kKept - up) % kKept;
                if (column || up) {
                    add<Complete>(lines[line], lines[at], column, row, centre, running[pair]);
                    ++pair;
                }
                if (column && up) {
                    add<Complete>(lines[at], lines[line], column, centre, row, running[pair]);
                    ++pair;
                }
            }
    }

    template <bool Complete>
    __device__ __forceinline__ void add(const Line<C, S>& own, const Line<C, S>& other, int column,
                                        int ownRow, int otherRow, Running& of) {
        const std::uint32_t three = own.apart(other, column, of.two);
        const std::uint32_t one = three - of.two;
        of.two = one + of.one + kMagicBits;
        of.one = one;
        if constexpr (Complete) {
            // Exactly the exponent times the sum, rounded once.
            const float weight =
                exp2Approx(fmaf(__int_as_float(int(three)), exponent, -kMagic * exponent));
            Sums& a = sums[ownRow][0];
            Sums& b = sums[otherRow][column];
            a.weights += weight;
            b.weights += weight;
#pragma unroll
            for (int c = 0; c < C; ++c) {
                a.values[c] = fmaf(weight, values[otherRow][column][c], a.values[c]);
                b.values[c] = fmaf(weight, values[ownRow][0][c], b.values[c]);
            }
        }
    }

    // The mean of a row with which all pairs have been made, in lanes from S on.
    __device__ __forceinline__ void mean(int row, float (&means)[C]) const {
        constexpr unsigned kAll = 0xffffffffu;
        float weights = 1 + sums[row][0].weights;
#pragma unroll
        for (int column = 1; column <= S; ++column)
            weights += __shfl_up_sync(kAll, sums[row][column].weights, unsigned(column));
        const float part = __fdividef(1.0f, weights);
#pragma unroll
        for (int c = 0; c < C; ++c) {
            float sum = values[row][0][c] + sums[row][0].values[c];
#pragma unroll
            for (int column = 1; column <= S; ++column)
                sum += __shfl_up_sync(kAll, sums[row][column].values[c], unsigned(column));
            means[c] = sum * part;
        }
    }
};

template <int C, int S>
__global__ void __launch_bounds__(32 * kWarps, C == 1 ? 5 : 3)
    smallKernel(DeviceImage in, DeviceImage out, Strips strips, float exponent) {
    using Pixels = std::conditional_t<C == 1, Gray8Pixels, Rgba8Pixels>;
    constexpr int kKept = S + 1;
    const int strip = (strips.first + int(blockIdx.x)) * kWarps + int(threadIdx.x) / 32;
    if (strip >= strips.count) return;
    const int lane = int(threadIdx.x) % 32;
    const int x = strip % strips.across * (32 - S) + lane - S;
    const int top = strip / strips.across * strips.rows;
    int at[S + kTaps];
#pragma unroll
    for (int i = 0; i < S + kTaps; ++i) at[i] = mirrored(x - kRadius + i, in.size.width);
    const bool makes = lane >= S && x < out.size.width;

    Rows<C, S> rows;
    rows.exponent = exponent;
    int next = top - kRadius - S;
    const auto fetch = [&](Line<C, S>& line) {
        line.load(in.data + mirrored(next, in.size.height) * in.pitch, at);
        ++next;
    };
#pragma unroll
    for (int i = 0; i < S; ++i) fetch(rows.lines[i]);
        // Before the strip's first row is the centre of a patch.
#pragma unroll
    for (int i = 0; i < 2 * kRadius; ++i) {
        fetch(rows.lines[(S + i) % kKept]);
        rows.template step<false>((S + i) % kKept);
    }
    Line<C, S> ahead;
    fetch(ahead);
    int done = top - S;  // the row with which all pairs are made
#pragma unroll 1
    for (int turn = 0; turn < strips.turns; ++turn) {
#pragma unroll
        for (int k = 0; k < kKept; ++k, ++done) {
            const int now = (S + 2 * kRadius + k) % kKept;
            rows.lines[now] = ahead;
            fetch(ahead);
            rows.template step<true>(now);
            float means[C];
            rows.mean((now + kKept - kRadius + 1) % kKept, means);
            if (makes && done >= top && done < out.size.height)
                Pixels::store(in.data + done * in.pitch, out.data + done * out.pitch, x, means);
        }
    }
}

template <int C, int S>
void runStrips(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
               const DeviceImage& out) {
    // High strips make fewer rows twice, and low ones keep all multiprocessors busy.
    constexpr int kMostTurns = 24, kLeastTurns = 4, kWarpsEach = 32;
    Strips strips;
    strips.across = int(divideUp(unsigned(in.size.width), 32 - S));
    const std::int64_t rows = std::int64_t(in.size.height) * strips.across /
                              (std::int64_t(context.traits().multiprocessors) * kWarpsEach);
    strips.turns = int(std::clamp<std::int64_t>(rows / (S + 1), kLeastTurns, kMostTurns));
    strips.rows = strips.turns * (S + 1) - S;
    strips.count = strips.across * int(divideUp(unsigned(in.size.height), unsigned(strips.rows)));
    const std::int64_t perBlock = std::int64_t(32 * kWarps) * strips.turns * (S + 1) *
                                  Rows<C, S>::kPairs * (C == 1 ? 12 : 20);
    context.forEachBand(int(divideUp(unsigned(strips.count), kWarps)),
                        tilesPerLaunch(context, perBlock), [&](int first, int last) {
                            Strips now = strips;
                            now.first = first;
                            launch(context, "NL-means, small windows", unsigned(last - first),
                                   unsigned(32 * kWarps), 0, smallKernel<C, S>, in, out, now,
                                   float(plan.exponent));
                        });
}

}  // namespace

void runNlMeansSmall(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                     const DeviceImage& out) {
    if (isColor(in.format))
        return plan.searchRadius == 1 ? runStrips<3, 1>(context, plan, in, out)
                                      : runStrips<3, 2>(context, plan, in, out);
    plan.searchRadius == 1 ? runStrips<1, 1>(context, plan, in, out)
                           : runStrips<1, 2>(context, plan, in, out);
}

}  // namespace warpscope::cuda
