// Gaussians of colour images by warpgroups: gaussian_blur_warpgroup.cuh says how. A block is three
// warpgroups, one for each of red, green and blue of the same strip, and has a multiprocessor for
// itself. The copying unit brings rows of pixels into shared memory as they are, two steps ahead,
// where they are taken apart; results are put together in shared memory, too, beside an alpha that
// is read again.
#include "cuda_kernels/runtime/bulk_copies.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_warpgroup.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kChannels = 3;
constexpr int kThreads = kChannels * kGroupThreads;
constexpr int kResultBytes = kSide * kSide;  // of a channel
constexpr int kUnits = kSide * kSide / 4;    // of four pixels, in a step's results

template <int Steps>
struct Shape : WarpgroupShape<Steps> {
    using Base = WarpgroupShape<Steps>;
    static constexpr int kColumns = 16 * Base::kPieces;
    static constexpr int kRowBytes = kColumns * 4 + 16;  // as copied; no bank conflicts
    static constexpr int kCopyBytes = kSide * kRowBytes;
    static constexpr int kCopies = 2;  // steps that are copied ahead
    static constexpr int kPixelsAt = kCopies * kCopyBytes;
    static constexpr int kRingsAt = kPixelsAt + kChannels * Base::kPixelBytes;
    static constexpr int kResultsAt = kRingsAt + kChannels * 2 * Base::kPlaneBytes;
    static constexpr int kSharedBytes = kResultsAt + kChannels * kResultBytes;
};
// With more steps a thread has not enough registers.
constexpr int kMostSteps = warpgroupSteps(kMostColourWarpgroupRadius);
static_assert(Shape<kMostSteps>::kSharedBytes <= 227 * 1024);

// A warpgroup waits for its own threads alone.
__device__ __forceinline__ void syncGroup(int group) {
    asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(kGroupThreads) : "memory");
}

// A row for each of 64 threads: of eight neighbouring ones the rows, an odd number of 16 bytes
// apart, are in different banks, and so are their columns of a factor.
__device__ __forceinline__ int factorRow(int thread) {
    const int quarter = thread / 2 % 4, turn = thread / 8;
    return 16 * quarter + 2 * (turn / 4 * 4 + (quarter + turn) % 4) + thread % 2;
}

// Copies a step's pixels from column `left` and row `top` on as far as the image has columns;
// beyond its rows those of the edge. The first 64 threads a row each.
template <int Steps>
__device__ __forceinline__ void beginCopy(const DeviceImage& in, std::uint32_t shared, int left,
                                          int top, BulkArrival* arrival) {
    using S = Shape<Steps>;
    if (threadIdx.x >= kSide) return;
    // Bytes, in whole pieces of 16: rows have room for the last one.
    const int first = max(left, 0) * 4;
    const int end = min((left + S::kColumns) * 4, (in.size.width * 4 + 15) / 16 * 16);
    const auto bytes = unsigned(end - first);
    if (threadIdx.x == 0) expectBytes(arrival, bytes * kSide);
    const int row = min(max(top + int(threadIdx.x), 0), in.size.height - 1);
    beginBulkCopy(shared + unsigned(first - left * 4 + int(threadIdx.x) * S::kRowBytes),
                  in.data + in.pitch * row + first, bytes, arrival);
}

// Takes 16 pixels of a row apart by channels.
__device__ __forceinline__ void takeApart(const uint4 (&pixels)[4],
                                          std::uint32_t (&planes)[kChannels][4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const uint4& four = pixels[i];
        const std::uint32_t rg01 = __byte_perm(four.x, four.y, 0x5140);
        const std::uint32_t rg23 = __byte_perm(four.z, four.w, 0x5140);
        const std::uint32_t b01 = __byte_perm(four.x, four.y, 0x0062);
        const std::uint32_t b23 = __byte_perm(four.z, four.w, 0x0062);
        planes[0][i] = __byte_perm(rg01, rg23, 0x5410);
        planes[1][i] = __byte_perm(rg01, rg23, 0x7632);
        planes[2][i] = __byte_perm(b01, b23, 0x5410);
    }
}

// What was copied becomes right factors of the three warpgroups. `border`: whether the strip
// reaches over the left or right edge, whose pixel is repeated.
template <int Steps>
__device__ __forceinline__ void makeFactors(const std::byte* copied, std::byte* factors, int left,
                                            int width, bool border) {
    using S = Shape<Steps>;
    for (int i = int(threadIdx.x); i < kSide * S::kPieces; i += kThreads) {
        const int row = factorRow(i % kSide), piece = i / kSide;
        const std::byte* const from = copied + row * S::kRowBytes;
        uint4 pixels[4];
        if (!border) {
#pragma unroll
            for (int k = 0; k < 4; ++k)
                pixels[k] = *reinterpret_cast<const uint4*>(from + 64 * piece + 16 * k);
        } else {
            auto* const words = reinterpret_cast<std::uint32_t*>(pixels);
#pragma unroll
            for (int k = 0; k < 16; ++k) {
                const int x = min(max(left + 16 * piece + k, 0), width - 1);
                words[k] = *reinterpret_cast<const std::uint32_t*>(from + 4 * (x - left));
            }
        }
        std::uint32_t planes[kChannels][4];
        takeApart(pixels, planes);
        std::byte* const to = factors + piece * kPixelStep + factorColumn(row) * 16;
#pragma unroll
        for (int c = 0; c < kChannels; ++c)
            *reinterpret_cast<uint4*>(to + c * S::kPixelBytes) = {planes[c][0], planes[c][1],
                                                                  planes[c][2], planes[c][3]};
    }
}

// Four pixels of a step's results, with the alpha of what is beside.
template <class Mix>
__device__ __forceinline__ uint4 putTogether(const std::byte* results, int unit,
                                             const uint4& beside, const Mix& mix) {
    const auto* const planes = reinterpret_cast<const std::uint32_t*>(results) + unit;
    const std::uint32_t red = planes[0], green = planes[kResultBytes / 4],
                        blue = planes[2 * kResultBytes / 4];
    const std::uint32_t rg01 = __byte_perm(red, green, 0x5140),
                        rg23 = __byte_perm(red, green, 0x7362);
    const auto pixel = [&](std::uint32_t rg, unsigned half, unsigned from, std::uint32_t with) {
        // Bytes 0 and 1 are red and green, then blue, then alpha.
        const std::uint32_t colour =
            __byte_perm(rg, blue, half ? 0x0032u | (4u + from) << 8 : 0x0010u | (4u + from) << 8);
        const std::uint32_t whole = (colour & 0x00ffffffu) | (with & 0xff000000u);
        if constexpr (Mix::kUsesBeside)
            return mix.colours(with, whole);
        else
            return whole;
    };
    return {pixel(rg01, 0, 0, beside.x), pixel(rg01, 1, 1, beside.y), pixel(rg23, 0, 2, beside.z),
            pixel(rg23, 1, 3, beside.w)};
}

// Rows [first, last) in `strips` strips of `steps` steps each.
template <int Steps, class Mix>
__global__ void __launch_bounds__(kThreads, 1)
    warpgroupColourKernel(DeviceImage in, DeviceImage beside, DeviceImage out, int first, int last,
                          int strips, int steps, const uint4* matrix, Mix mix) {
    using S = Shape<Steps>;
    constexpr int kUnitsEach = (kUnits + kThreads - 1) / kThreads;
    extern __shared__ __align__(128) std::byte shared[];
    __shared__ BulkArrival arrivals[S::kCopies];
    const BlurWay way{blurShare(int(blockIdx.x), int(gridDim.x), strips, steps, S::kBefore, true),
                      S::kBefore};
    if (threadIdx.x == 0) beginArrivals(arrivals, S::kCopies);
    letNextLaunchBegin();
    // The same in all lanes, which the compiler has to know: where a right factor lies is said by a
    // warp, not by a lane.
    const int channel = __shfl_sync(0xffffffffu, int(threadIdx.x) / kGroupThreads, 0);
    const int thread = int(threadIdx.x) % kGroupThreads;
    uint4 weights[2][Steps];
#pragma unroll
    for (int plane = 0; plane < 2; ++plane)
#pragma unroll
        for (int s = 0; s < Steps; ++s)
            weights[plane][s] = matrix[(plane * Steps + s) * kGroupThreads + thread];
    const auto sharedAt = std::uint32_t(__cvta_generic_to_shared(shared));
    const std::uint32_t pixels = sharedAt + S::kPixelsAt + unsigned(channel * S::kPixelBytes);
    const std::uint32_t ringAt = S::kRingsAt + unsigned(channel * 2 * S::kPlaneBytes);
    std::byte* const results = shared + S::kResultsAt;
    const int quarter = thread % 4;
    const int rowOfResults = kSide - 1 - (thread / 32 * 16 + thread % 32 / 4);
    const int allSteps = way.allSteps();
    const auto beginCopies = [&](int step) {
        const BlurStep at = way.at(step);
        const int place = step % S::kCopies;
        beginCopy<Steps>(in, sharedAt + unsigned(place * S::kCopyBytes),
                         at.strip * kSide - S::kReach, first + at.row * kSide + S::kAhead,
                         arrivals + place);
    };
    __syncthreads();
    waitForLaunchBefore();

    for (int i = 0; i < min(allSteps, S::kCopies); ++i) beginCopies(i);
    // One round more, for the last results.
    for (int step = 0; step <= allSteps; ++step) {
        const BlurStep made = way.at(step - 1), now = way.at(step);
        const auto placeOf = [&](int i, int& column, int& row) {
            const int unit = int(threadIdx.x) + i * kThreads;
            column = made.strip * kSide + 4 * (unit % (kSide / 4));
            row = first + made.row * kSide + unit / (kSide / 4);
            return step > 0 && made.output >= 0 && unit < kUnits && column < in.size.width &&
                   row < last;
        };
        uint4 with[kUnitsEach] = {};
#pragma unroll
        for (int i = 0; i < kUnitsEach; ++i) {
            int column, row;
            if (placeOf(i, column, row))
                with[i] =
                    *reinterpret_cast<const uint4*>(beside.data + beside.pitch * row + 4 * column);
        }
        const int place = step % S::kCopies;
        if (step < allSteps) waitForBytes(arrivals + place, step / S::kCopies % 2);
        __syncthreads();
        if (step < allSteps) {
            const int left = now.strip * kSide - S::kReach;
            makeFactors<Steps>(shared + place * S::kCopyBytes, shared + S::kPixelsAt, left,
                               in.size.width, left < 0 || left + S::kColumns > in.size.width);
        }
#pragma unroll
        for (int i = 0; i < kUnitsEach; ++i) {
            int column, row;
            if (placeOf(i, column, row))
                *reinterpret_cast<uint4*>(out.data + out.pitch * row + 4 * column) =
                    putTogether(results, int(threadIdx.x) + i * kThreads, with[i], mix);
        }
        if (step == allSteps) return;
        showToTensorUnits();
        __syncthreads();
        if (step + S::kCopies < allSteps) beginCopies(step + S::kCopies);
        filterRows<Steps>(weights, pixels,
                          shared + ringAt + (4 * step + quarter) % S::kRing * kMiddleStep);
        showToTensorUnits();
        syncGroup(channel);
        if (now.output < 0) continue;
        filterColumns<Steps>(weights, sharedAt + ringAt, 4 * (step - S::kBefore),
                             [&](int side, int half, uint2 words) {
                                 *reinterpret_cast<uint2*>(results + channel * kResultBytes +
                                                           (rowOfResults - 8 * half) * kSide +
                                                           kSide / 2 * side + 8 * quarter) = words;
                             });
    }
}

template <class Mix>
void runFor(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
            const DeviceImage& beside, const DeviceImage& out, const Mix& mix) {
    const int strips = int(divideUp(unsigned(in.size.width), kSide));
    const RowsCost cost =
        gaussianWarpgroupCost(in.size.width, kChannels, in.pitch + out.pitch, plan.radius);
    const int rows = cutRows(limitsOf(context), cost).rows;
    forWarpgroupSteps<kMostSteps>(plan, [&]<int Steps>() {
        const uint4* matrix = matrixOnDevice<Steps>(context, plan);
        context.forEachBand(in.size.height, rows, [&](int first, int last) {
            const int steps = int(divideUp(unsigned(last - first), kSide));
            const int blocks =
                std::max(strips, std::min(strips * steps, context.traits().multiprocessors));
            launchEarly(context, "gaussian warpgroup", unsigned(blocks), kThreads,
                        Shape<Steps>::kSharedBytes, warpgroupColourKernel<Steps, Mix>, in, beside,
                        out, first, last, strips, steps, matrix, mix);
        });
    });
}

}  // namespace

void runGaussianColourWarpgroup(KernelContext& context, const GaussianBlurPlan& plan,
                                const DeviceImage& in, const DeviceImage& beside,
                                const DeviceImage& out, const BlurMix* mix) {
    mix ? runFor(context, plan, in, beside, out, MixedBytes(*mix))
        : runFor(context, plan, in, beside, out, NoMix());
}

}  // namespace warpscope::cuda
