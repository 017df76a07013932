// Sums of 8-bit luma, colours and their products are whole numbers, which slide down a strip in
// registers. Those of a and b slide as doubles: not in the order that the definition adds them in
// (engine/operations/smoothing/guided_filter.h), but with an error of which a bound is known. What
// may lie on the other side of half a level is written down, and made once more in that order.
#include <bit>
#include <cmath>

#include "cuda_kernels/smoothing/guided_columns.cuh"
#include "cuda_kernels/smoothing/guided_filter.cuh"

namespace warpscope::cuda {
namespace {

// Up to this a warp by itself uses most of its columns.
constexpr int kMostOfWarp = 12;
// What a band takes, unless windows alone take more.
constexpr std::int64_t kMostBytes = std::int64_t(320) << 20;
// Slow devices do 2 of these while they do 64 multiplications of integers.
constexpr std::int64_t kWorkOfDouble = 32;
constexpr unsigned kTieThreads = 128;

// a and b of a band, a plane each, colour by colour.
struct LinePlanes {
    float* data;
    std::int64_t pitch, plane;  // elements
    int first, last;            // rows of the image

    __device__ __forceinline__ float* slopes(int colour, int y) const {
        return data + 2 * colour * plane + (y - first) * pitch;
    }
    __device__ __forceinline__ float* offsets(int colour, int y) const {
        return slopes(colour, y) + plane;
    }
};

// Samples that are to be made once more, by their number in a band.
struct Ties {
    std::uint32_t* count;
    std::uint32_t* samples;
    int firstRow;
};

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
    const std::uint32_t index = StripThread<kWarps>::index();
    if (index >= strips.count) return;
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
    const std::uint32_t numbered = StripThread<kWarps>::index();
    if (numbered >= strips.count * kColours) return;
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

// Of values 0 to side - 1, an odd number, in the order of the definition.
template <class Value>
__device__ double2 sumInOrder(int side, const Value& value) {
    const auto both = [](double2 a, double2 b) {
        return double2{__dadd_rn(a.x, b.x), __dadd_rn(a.y, b.y)};
    };
    double2 total = value(0);
    int taken = 1;
    for (int level = 1; side >> level; ++level) {
        if (!(side >> level & 1)) continue;
        // [i]: of 2^i values, which wait for as many more.
        double2 waiting[8];
        for (int i = 0; i < 1 << level; ++i) {
            double2 sum = value(taken + i);
            int at = 0;
            for (; i >> at & 1; ++at) sum = both(waiting[at], sum);
            waiting[at] = sum;
        }
        total = both(total, waiting[level]);
        taken += 1 << level;
    }
    return total;
}

// A warp a sample, a lane a row of its window.
template <int C>
__global__ void __launch_bounds__(kTieThreads, 4)
    byteTiesKernel(DeviceImage in, LinePlanes lines, DeviceImage out, Ties ties, int radius,
                   double share) {
    constexpr std::uint32_t kWarps = kTieThreads / 32, kColours = kColoursOf<C>;
    __shared__ double2 rowSums[kWarps][2 * kMaxGuidedRadius + 1];
    const std::uint32_t count = *ties.count, width = std::uint32_t(in.size.width);
    const int lane = int(threadIdx.x % 32), side = 2 * radius + 1;
    double2* const rows = rowSums[threadIdx.x / 32];
    for (std::uint32_t i = blockIdx.x * kWarps + threadIdx.x / 32; i < count;
         i += gridDim.x * kWarps) {
        const std::uint32_t row = ties.samples[i] / width;
        const int x = int(ties.samples[i] - row * width), colour = int(row % kColours);
        const int y = ties.firstRow + int(row / kColours);
        for (int j = lane; j < side; j += 32) {
            const int at = min(max(y - radius + j, lines.first), lines.last - 1);
            const float* slopes = lines.slopes(colour, at);
            const float* offsets = lines.offsets(colour, at);
            rows[j] = sumInOrder(side, [&](int column) {
                const int u = min(max(x - radius + column, 0), in.size.width - 1);
                return double2{double(slopes[u]), double(offsets[u])};
            });
        }
        __syncwarp();
        if (lane == 0) {
            const double2 sum = sumInOrder(side, [&](int j) { return rows[j]; });
            const auto* pixel = reinterpret_cast<const std::uint8_t*>(
                in.data + std::int64_t(y) * in.pitch + std::int64_t(x) * C);
            std::uint32_t level = pixel[0];
            if constexpr (C == 4) level = luma(level, pixel[1], pixel[2]);
            const double v = __dadd_rn(__dmul_rn(__dmul_rn(sum.x, share), double(level)),
                                       __dmul_rn(sum.y, share));
            const double bounded = v < 0 ? 0 : v > 255 ? 255 : v;
            out.data[std::int64_t(y) * out.pitch + std::int64_t(x) * C + colour] =
                std::byte(int(__dadd_rn(bounded, 0.5)));
        }
        __syncwarp();
    }
}

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

    WindowStrips strips(radius, width, kMembers);
    const std::int64_t columns = std::int64_t(strips.across.divisor) * kMembers * kStripPixels;
    const int linesMost = context.rowsPerLaunch(
        2 * in.pitch + lineBytes, columns * (kColours == 1 ? 16 : 50) * kWorkOfDouble);
    const int meansMost = context.rowsPerLaunch(2 * lineBytes + in.pitch + out.pitch,
                                                columns * kColours * 32 * kWorkOfDouble);
    // Calls work(from, to, strips) for pieces of some strips' height.
    const auto inPieces = [&](int first, int last, int most, int colours, const auto& work) {
        strips.divide(last - first, int(strips.across.divisor) * kWarps * colours, multiprocessors,
                      most);
        const int step = most / strips.rows * strips.rows;
        for (int from = first; from < last;) {
            const int to = last - from > step ? from + step : last;
            context.checkStop();
            strips.count = strips.across.divisor * divideUp(unsigned(to - from), strips.rows);
            work(from, to);
            from = to;
        }
    };
    // Few strips are blocks of their own.
    const auto threadsFor = [&](int colours) {
        const bool few = strips.count * unsigned(colours) < unsigned(multiprocessors) * 16;
        return few ? unsigned(kMembers) : kStripThreads;
    };
    context.forEachBand(height, bandRows, [&](int first, int last) {
        const LinePlanes lines{planes, pitch, pitch * lineRows, std::max(0, first - radius),
                               std::min(height, last + radius)};
        const Ties ties{tieWords, tieWords + 4, first};
        const LineRule rule{plan.count, plan.share, plan.softening};
        inPieces(lines.first, lines.last, linesMost, 1, [&](int from, int to) {
            const unsigned threads = threadsFor(1);
            launch(context, "guided filter lines",
                   divideUp(std::uint64_t(strips.count) * kMembers, threads), threads, 0,
                   byteLinesKernel<C, kWarps>, in, lines, ties.count, from, to, strips, rule);
        });
        inPieces(first, last, meansMost, kColours, [&](int from, int to) {
            const unsigned threads = threadsFor(kColours);
            launch(context, "guided filter means",
                   divideUp(std::uint64_t(strips.count) * kColours * kMembers, threads), threads, 0,
                   byteMeansKernel<C, kWarps>, in, lines, out, ties, from, to, strips,
                   MeanRule(plan, C == 4, strips.rows));
        });
        launch(context, "guided filter ties", unsigned(multiprocessors), kTieThreads, 0,
               byteTiesKernel<C>, in, lines, out, ties, radius, plan.share);
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
