// Sums of 8-bit luma, colours and their products are whole numbers, which slide down a strip in
// registers. Those of a and b slide as doubles: not in the order that the definition adds them in
// (engine/operations/smoothing/guided_filter.h), but with an error of which a bound is known. What
// may lie on the other side of half a level is written down, and made once more in that order.
#include <bit>
#include <cmath>

#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/guided_columns.cuh"
#include "cuda_kernels/smoothing/guided_filter.cuh"
#include "cuda_kernels/smoothing/guided_ties.cuh"

namespace warpscope::cuda {
namespace {

// Up to this a warp by itself uses most of its columns.
constexpr int kMostOfWarp = 12;
// What a band takes, unless windows alone take more.
constexpr std::int64_t kMostBytes = std::int64_t(320) << 20;

// a and b from sums over a window. All but the quotient and what comes after it is exact.
struct LineRule {
    double n, share, softening;

    struct Own {
        double sum, spread, over, mean;
    };
    __device__ __forceinline__ Own ofLuma(std::uint32_t sum, std::uint32_t squares) const {
        Own own;
        own.sum = wholeDouble(sum);
        own.spread = __fma_rn(n, wholeDouble(squares), -__dmul_rn(own.sum, own.sum));
        own.over = __dadd_rn(own.spread, softening);
        own.mean = __dmul_rn(own.sum, share);
        return own;
    }
    __device__ __forceinline__ double together(const Own& own, double sum,
                                               std::uint32_t products) const {
        return __fma_rn(n, wholeDouble(products), -__dmul_rn(own.sum, sum));
    }
    __device__ __forceinline__ void line(const Own& own, double together, double mean, float& slope,
                                         float& offset) const {
        slope = __double2float_rn(__ddiv_rn(together, own.over));
        offset = __double2float_rn(__dsub_rn(mean, __dmul_rn(double(slope), own.mean)));
    }
};

// Where a thread is in its strip.
template <int kWarps>
struct StripThread {
    static constexpr int kMembers = 32 * kWarps;
    int member = int(threadIdx.x) % kMembers;
    int x = 0, top = 0, bottom = 0;
    bool makes = false;

    __device__ __forceinline__ StripThread(const WindowStrips& strips, std::uint32_t index,
                                           int first, int last, int lastX) {
        const std::uint32_t down = strips.across(index);
        const int strip = int(index - down * strips.across.divisor);
        const int made = kMembers - strips.before - strips.after;
        x = (strip * made + member - strips.before) * kStripPixels;
        top = first + int(down) * strips.rows;
        bottom = min(top + strips.rows, last);
        makes = member >= strips.before && member < kMembers - strips.after && x <= lastX;
    }
    static __device__ __forceinline__ std::uint32_t index() {
        return (blockIdx.x * blockDim.x + threadIdx.x) / unsigned(kMembers);
    }
};

// Sums of a pixel's eight columns take 32 registers.
template <int C>
constexpr int kBlocksOfLines = C == 1 ? 5 : 4;

// a and b of rows [first, last).
template <int C, int kWarps>
__global__ void __launch_bounds__(kStripThreads, kBlocksOfLines<C>)
    byteLinesKernel(DeviceImage in, LinePlanes lines, std::uint32_t* tieCount, int first, int last,
                    WindowStrips strips, LineRule rule) {
    using Columns = ColumnSums<C>;
    constexpr int kSums = Columns::kSums, kColours = kColoursOf<C>;
    __shared__ WindowRoom<std::uint32_t, kSums> room;
    if (blockIdx.x == 0 && threadIdx.x == 0) *tieCount = 0;
    const std::uint32_t index = strips.begin + StripThread<kWarps>::index();
    if (index >= strips.end) return;
    const int lastX = in.size.width - 1, lastY = in.size.height - 1, radius = strips.radius;
    const StripThread<kWarps> own(strips, index, first, last, lastX);
    const StripPlace place(own.x, lastX);
    StripWindows<std::uint32_t, kSums, kWarps> windows(room, radius);
    const auto load = [&](int y, typename Columns::Words& words) {
        Columns::load(in.data + std::int64_t(min(max(y, 0), lastY)) * in.pitch, place.from, words);
    };
    Columns columns;
#pragma unroll 4
    for (int y = own.top - 1 - radius; y < own.top + radius; ++y) {
        typename Columns::Words words;
        load(y, words);
        place.mend(words);
        columns.template take<true>(words);
    }
    typename Columns::Words come, gone;
    load(own.top + radius, come);
    load(own.top - 1 - radius, gone);
    for (int y = own.top; y < own.bottom; ++y) {
        place.mend(come);
        place.mend(gone);
        columns.template take<true>(come);
        columns.template take<false>(gone);
        load(y + 1 + radius, come);
        load(y - radius, gone);
        windows.put(columns.of);
        if (!own.makes) continue;
        float slope[kColours][kStripPixels], offset[kColours][kStripPixels];
#pragma unroll
        for (int k = 0; k < kStripPixels; ++k) {
            const LineRule::Own level = rule.ofLuma(windows.at(0, k), windows.at(1, k));
            if constexpr (C == 1) {
                rule.line(level, level.spread, level.mean, slope[0][k], offset[0][k]);
            } else {
#pragma unroll
                for (int c = 0; c < kColours; ++c) {
                    const double sum = wholeDouble(windows.at(2 + 2 * c, k));
                    rule.line(level, rule.together(level, sum, windows.at(3 + 2 * c, k)),
                              __dmul_rn(sum, rule.share), slope[c][k], offset[c][k]);
                }
            }
        }
        // What lies beyond the row goes into its padding.
#pragma unroll
        for (int c = 0; c < kColours; ++c) {
            *reinterpret_cast<float4*>(lines.slopes(c, y) + own.x) = {slope[c][0], slope[c][1],
                                                                      slope[c][2], slope[c][3]};
            *reinterpret_cast<float4*>(lines.offsets(c, y) + own.x) = {offset[c][0], offset[c][1],
                                                                       offset[c][2], offset[c][3]};
        }
    }
}

// Results as whole numbers of 1 / 2^shift.
struct MeanRule {
    double share;
    double wholes;  // added to a value leaves these in the lower word
    int shift;
    int tolerance;  // by which they may be off

    MeanRule(const GuidedFilterPlan& plan, bool color, int rows);

    __device__ __forceinline__ std::int32_t fixed(double slopes, double offsets,
                                                  double level) const {
        const double value = __fma_rn(__fma_rn(slopes, level, offsets), share, wholes);
        return __double2loint(value) + (1 << (shift - 1));
    }
    __device__ __forceinline__ std::uint32_t rounded(std::int32_t fixed) const {
        return std::uint32_t(min(max(fixed >> shift, 0), 255));
    }
    __device__ __forceinline__ bool mayDiffer(std::int32_t fixed) const {
        const std::uint32_t fraction = std::uint32_t(fixed + tolerance) & ((1u << shift) - 1);
        return fraction <= 2u * std::uint32_t(tolerance);
    }
};

// |cov| <= 127.5 sqrt(var), of which the quotient by var + epsilon is largest at var = epsilon.
MeanRule::MeanRule(const GuidedFilterPlan& plan, bool color, int rows) : share(plan.share) {
    const double epsilon = plan.softening * plan.share * plan.share;
    const double slope = color ? std::max(1.0, 127.5 / (2 * std::sqrt(epsilon))) : 1.0;
    const double most = 255 * slope + 255 * (1 + slope);
    shift = 20;
    while (std::ldexp(most, shift) >= 0x1p30) --shift;
    wholes = std::ldexp(1.5, 52 - shift);
    // Roundings of a column's sum, then of sums of columns from a strip's end on; those of the
    // definition are fewer.
    const double columns = 4 * kStripThreads, side = 2 * plan.radius + 2;
    const double error = std::ldexp(
        most * columns * side * (side + 2.0 * rows + 100) * plan.share + 100 * most, -53);
    tolerance = int(std::ceil(std::ldexp(error, shift))) + 1;
}

// A colour of four pixels of each lane, a byte each, and alpha with the last colour. Lanes beside
// each other write pixels beside each other: else a sector of the cache is written sixteen times.
// `makers`: lanes that have pixels; `row`: where those of lane 0 are.
__device__ __forceinline__ void storeColour(std::byte* row, unsigned makers, int colour,
                                            std::uint32_t bytes, std::uint32_t alphas) {
    constexpr unsigned kAll = 0xffffffffu;
    const int lane = int(threadIdx.x % 32);
#pragma unroll
    for (int j = 0; j < kStripPixels; ++j) {
        const int from = 8 * j + lane / kStripPixels, shift = lane % kStripPixels * 8;
        const std::uint32_t value = __shfl_sync(kAll, bytes, from) >> shift & 255u;
        const std::uint32_t alpha = __shfl_sync(kAll, alphas, from) >> shift & 255u;
        std::byte* const to = row + 4 * (32 * j + lane);
        if (!(makers >> from & 1u)) continue;
        if (colour == 2)
            *reinterpret_cast<std::uint16_t*>(to + 2) = std::uint16_t(value | alpha << 8);
        else
            to[colour] = std::byte(value);
    }
}

// Rows [first, last) of the output. Strips of the colours lie beside each other, so that they find
// each other's pixels in the cache.
template <int C, int kWarps>
__global__ void __launch_bounds__(kStripThreads, 5)
    byteMeansKernel(DeviceImage in, LinePlanes lines, DeviceImage out, Ties ties, int first,
                    int last, WindowStrips strips, MeanRule rule) {
    using Words = typename ColumnSums<C>::Words;
    constexpr int kColours = kColoursOf<C>;
    __shared__ WindowRoom<double, 2> room;
    const std::uint32_t numbered = strips.begin * kColours + StripThread<kWarps>::index();
    if (numbered >= strips.end * kColours) return;
    const std::uint32_t index = numbered / kColours;
    const int colour = int(numbered - index * kColours);
    const int lastX = in.size.width - 1, radius = strips.radius;
    const StripThread<kWarps> own(strips, index, first, last, lastX);
    const StripPlace place(own.x, lastX);
    StripWindows<double, 2, kWarps> windows(room, radius);
    [[maybe_unused]] const unsigned makers = __ballot_sync(0xffffffffu, own.makes);
    // [0]: a, [1]: b
    const auto load = [&](int y, float(&values)[2][kStripPixels]) {
        const float* slopes =
            lines.slopes(colour, min(max(y, lines.first), lines.last - 1)) + place.from;
#pragma unroll
        for (int s = 0; s < 2; ++s) {
            const float4 loaded = __ldg(reinterpret_cast<const float4*>(slopes + s * lines.plane));
            values[s][0] = loaded.x;
            values[s][1] = loaded.y;
            values[s][2] = loaded.z;
            values[s][3] = loaded.w;
        }
    };
    double columns[2][kStripPixels] = {};
#pragma unroll 2
    for (int y = own.top - 1 - radius; y < own.top + radius; ++y) {
        float values[2][kStripPixels];
        load(y, values);
#pragma unroll
        for (int s = 0; s < 2; ++s) {
            place.mend(values[s]);
#pragma unroll
            for (int k = 0; k < kStripPixels; ++k) columns[s][k] += double(values[s][k]);
        }
    }
    float come[2][kStripPixels], gone[2][kStripPixels];
    load(own.top + radius, come);
    load(own.top - 1 - radius, gone);
    for (int y = own.top; y < own.bottom; ++y) {
#pragma unroll
        for (int s = 0; s < 2; ++s) {
            place.mend(come[s]);
            place.mend(gone[s]);
#pragma unroll
            for (int k = 0; k < kStripPixels; ++k)
                columns[s][k] += double(come[s][k]) - double(gone[s][k]);
        }
        load(y + 1 + radius, come);
        load(y - radius, gone);
        Words pixels = {};
        if (own.makes) ColumnSums<C>::load(in.data + std::int64_t(y) * in.pitch, own.x, pixels);
        windows.put(columns);
        std::uint32_t made = 0;
        if (own.makes) {
#pragma unroll
            for (int k = 0; k < kStripPixels; ++k) {
                std::uint32_t level;
                if constexpr (C == 1)
                    level = byteOf(pixels, k);
                else
                    level = ColumnSums<4>::lumaOf(pixels[k]);
                const std::int32_t fixed =
                    rule.fixed(windows.at(0, k), windows.at(1, k), wholeDouble(level));
                made |= rule.rounded(fixed) << (8 * k);
                if (rule.mayDiffer(fixed) && own.x + k <= lastX) {
                    const std::uint32_t row =
                        std::uint32_t((y - ties.firstRow) * kColours + colour);
                    ties.samples[atomicAdd(ties.count, 1u)] =
                        row * std::uint32_t(in.size.width) + std::uint32_t(own.x + k);
                }
            }
        }
        // What lies beyond the row goes into its padding.
        std::byte* const row = out.data + std::int64_t(y) * out.pitch;
        if constexpr (C == 4) {
            const std::uint32_t alphas =
                __byte_perm(__byte_perm(pixels[0], pixels[1], 0x0073),
                            __byte_perm(pixels[2], pixels[3], 0x0073), 0x5410);
            const int firstX = own.x - kStripPixels * int(threadIdx.x % 32);
            storeColour(row + std::int64_t(firstX) * C, makers, colour, made, alphas);
        } else if (own.makes) {
            *reinterpret_cast<std::uint32_t*>(row + own.x) = made;
        }
    }
}

// The strips of a pass, and how they are cut into launches.
struct Strips {
    WindowStrips strips;
    LaunchLimits limits;
    StripsCost cost;
    LaunchCut cut;

    Strips(const KernelContext& context, const StripsCost& ofPass, int radius, int width,
           int members)
        : strips(radius, width, members), limits(limitsOf(context)), cost(ofPass) {}

    // Of so many rows at most.
    void divide(int rows, int warpsEach, int multiprocessors) {
        const int across = int(strips.across.divisor);
        strips.divide(rows, across * warpsEach, multiprocessors, cost.mostRows(limits));
        cut = cutRows(limits, cost.ofStrips(strips.rows, across));
    }
    std::uint32_t countOf(int rows) const {
        return strips.across.divisor * divideUp(unsigned(rows), unsigned(strips.rows));
    }
    int pieces(int rows) const { return cut.pieces(countOf(rows)); }
    // Makes `strips` those of a piece, and says how many they are.
    std::uint32_t take(int piece, int rows) {
        const BlockRange range(cut, piece, countOf(rows));
        strips.begin = range.first;
        strips.end = range.first + range.count;
        return range.count;
    }
};

template <int C, int kWarps>
void runStrips(KernelContext& context, const GuidedFilterPlan& plan, const DeviceImage& in,
               const DeviceImage& out) {
    constexpr int kColours = kColoursOf<C>, kMembers = 32 * kWarps;
    const int radius = plan.radius, width = in.size.width, height = in.size.height;
    const int multiprocessors = context.traits().multiprocessors;
    const std::int64_t pitch = (std::int64_t(width) + 15) / 16 * 16;
    // a and b are needed a radius beyond a band.
    const std::int64_t lineBytes = pitch * kColours * 2 * std::int64_t(sizeof(float));
    const std::int64_t tieBytes = pitch * kColours * std::int64_t(sizeof(std::uint32_t));
    const int mostRows =
        int(std::clamp<std::int64_t>((kMostBytes - 2 * radius * lineBytes) / (lineBytes + tieBytes),
                                     std::min(2 * radius + 64, height), height));
    const int bandRows = int(divideUp(unsigned(height), divideUp(unsigned(height), mostRows)));
    const int lineRows = std::min(height, bandRows + 2 * radius);
    const DeviceMemory memory =
        context.allocate(std::size_t(lineBytes * lineRows + tieBytes * bandRows) + 16);
    auto* const planes = memory.as<float>();
    auto* const tieWords =
        reinterpret_cast<std::uint32_t*>(planes + pitch * kColours * 2 * lineRows);

    const GuidedBytesCost cost =
        guidedBytesCost(width, kColours, radius, kMembers, lineBytes, in.pitch, out.pitch);
    Strips lines(context, cost.lines, radius, width, kMembers);
    Strips means(context, cost.means, radius, width, kMembers);
    lines.divide(lineRows, kWarps, multiprocessors);
    means.divide(bandRows, kWarps * kColours, multiprocessors);
    const int pieces[] = {lines.pieces(lineRows), means.pieces(bandRows), 1};
    // Few strips are blocks of their own.
    const auto threadsFor = [&](std::uint32_t strips) {
        return strips < unsigned(multiprocessors) * 16 ? unsigned(kMembers) : kStripThreads;
    };
    forEachPiece(context, height, bandRows, pieces, [&](int first, int last, int pass, int piece) {
        const LinePlanes made{planes, pitch, pitch * lineRows, std::max(0, first - radius),
                              std::min(height, last + radius)};
        const Ties ties{tieWords, tieWords + 4, first};
        if (pass == 0) {
            const std::uint32_t count = lines.take(piece, made.last - made.first);
            const unsigned threads = threadsFor(count);
            const LineRule rule{plan.count, plan.share, plan.softening};
            if (count > 0)
                launch(context, "guided filter lines",
                       divideUp(std::uint64_t(count) * kMembers, threads), threads, 0,
                       byteLinesKernel<C, kWarps>, in, made, ties.count, made.first, made.last,
                       lines.strips, rule);
        } else if (pass == 1) {
            const std::uint32_t count = means.take(piece, last - first) * kColours;
            const unsigned threads = threadsFor(count);
            if (count > 0)
                launch(context, "guided filter means",
                       divideUp(std::uint64_t(count) * kMembers, threads), threads, 0,
                       byteMeansKernel<C, kWarps>, in, made, out, ties, first, last, means.strips,
                       MeanRule(plan, C == 4, means.strips.rows));
        } else {
            const std::int64_t most = std::int64_t(last - first) * width * kColours;
            forTies(context, ties, most, radius, [&](std::uint32_t begin, std::uint32_t end) {
                launch(context, "guided filter ties", unsigned(multiprocessors), kTieThreads, 0,
                       byteTiesKernel<C>, in, made, out, ties, begin, end, radius, plan.share);
            });
        }
    });
}

}  // namespace

void guidedFilterOfBytes(KernelContext& context, const GuidedFilterPlan& plan,
                         const DeviceImage& in, const DeviceImage& out) {
    const bool color = isColor(in.format);
    if (plan.radius <= kMostOfWarp)
        color ? runStrips<4, 1>(context, plan, in, out) : runStrips<1, 1>(context, plan, in, out);
    else
        color ? runStrips<4, 4>(context, plan, in, out) : runStrips<1, 4>(context, plan, in, out);
}

void loadGuidedByteKernels() {
    loadKernel(byteLinesKernel<1, 4>);
    loadKernel(byteLinesKernel<4, 4>);
    loadKernel(byteMeansKernel<1, 4>);
    loadKernel(byteMeansKernel<4, 4>);
}

}  // namespace warpscope::cuda
