// 5 x 5 Gaussians of large gray images whose rows are whole pieces of 16 pixels. As
// gaussian_blur_small.cu, but a thread has 16 pixels of a row, so that what it loads and stores is
// as wide as can be, and at an edge it takes its own pixels again by the choice of bytes, without a
// branch.
#include <algorithm>

#include "cuda_kernels/runtime/dot_products.cuh"
#include "cuda_kernels/runtime/early_launch.cuh"
#include "cuda_kernels/smoothing/gaussian_blur.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kRadius = 2, kTaken = 2 * kRadius + 1;
constexpr int kPixels = kFivePixels, kWords = kPixels / 4;
constexpr int kAhead = 2;  // rows that are loaded before their turn
constexpr unsigned kThreads = 128, kBlocks = 4;

struct Taps {
    std::uint32_t pairs[kRadius + 1] = {};  // of neighbours along a row
    std::uint32_t column[kRadius + 1] = {};

    explicit Taps(const GaussianBlurPlan& plan) {
        for (int i = 0; i < kTaken; ++i) pairs[i / 2] |= plan.taps[std::size_t(i)] << (i % 2 * 16);
        std::copy_n(plan.taps.begin(), kRadius + 1, column);
    }
};

// Rounds at a row sum's 8 lowest bits, and at a column sum's 24.
constexpr std::uint32_t kRowHalf = 1u << 7, kColumnHalf = 1u << 23;

// Of a row, the thread's pixels and the words beside them.
struct Loaded {
    uint4 own;
    std::uint32_t left, right;
};

// Where a thread reads of a row.
struct Place {
    const std::byte* first;  // its pixels in the first row of the image
    std::uint32_t pitch;
    int lastY;
    int before, after;  // from its pixels to the words beside them, at an edge those at the edge
    unsigned take;      // the two pixels after and the two before of these words

    __device__ __forceinline__ Place(const DeviceImage& in, int x)
        : first(in.data + x), pitch(std::uint32_t(in.pitch)), lastY(in.size.height - 1) {
        const bool starts = x == 0, ends = x + kPixels == in.size.width;
        before = starts ? 0 : -4;
        after = ends ? kPixels - 4 : kPixels;
        take = (starts ? 0x0000u : 0x3200u) | (ends ? 0x0077u : 0x0054u);
    }
    __device__ __forceinline__ Loaded load(int y) const {
        // A row is at one product of 32 bits from the first.
        const std::byte* const row =
            first + std::uint64_t(std::uint32_t(min(max(y, 0), lastY))) * pitch;
        return {*reinterpret_cast<const uint4*>(row),
                *reinterpret_cast<const std::uint32_t*>(row + before),
                *reinterpret_cast<const std::uint32_t*>(row + after)};
    }
};

__device__ __forceinline__ void rowSums(const Loaded& row, unsigned take, const Taps& taps,
                                        std::uint32_t (&sums)[kPixels]) {
    const std::uint32_t beside = __byte_perm(row.left, row.right, take);
    const std::uint32_t words[kWords + 1] = {row.own.x, row.own.y, row.own.z, row.own.w, beside};
    // Four neighbours from pixel `at` on; what weighs nothing may be missing.
    const auto quad = [&](int at) {
        if (at < 0) return __byte_perm(beside, words[0], at == -2 ? 0x5432u : 0x6543u);
        if (at % 4 == 0) return words[at / 4];
        return __funnelshift_r(words[at / 4], words[min(at / 4 + 1, kWords)], 8 * (at % 4));
    };
#pragma unroll
    for (int i = 0; i < kPixels; ++i) {
        std::uint32_t sum = dotLowUnsigned(taps.pairs[0], quad(i - 2), kRowHalf);
        sum = dotHighUnsigned(taps.pairs[1], quad(i - 2), sum);
        sum = dotLowUnsigned(taps.pairs[2], quad(i + 2), sum);
        sums[i] = sum >> 8;
    }
}

// Where a thread's strips lie: rows [first, last) of the output, `rowsEach` a strip, numbered along
// the rows.
struct Strips {
    int first, last, rowsEach;
    FastDivide across;
    std::uint32_t count;
};

__global__ void __launch_bounds__(kThreads, kBlocks)
    fiveKernel(DeviceImage in, DeviceImage out, Strips strips, const __grid_constant__ Taps taps) {
    letNextLaunchBegin();
    waitForLaunchBefore();
    const std::uint32_t index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= strips.count) return;
    const std::uint32_t down = strips.across(index);
    const int x = int(index - down * strips.across.divisor) * kPixels;
    const int top = strips.first + int(down) * strips.rowsEach;
    const int bottom = min(top + strips.rowsEach, strips.last);
    const Place place(in, x);
    Loaded rows[kTaken];
    std::uint32_t sums[kTaken][kPixels];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) rows[i] = place.load(top - kRadius + i);
    std::byte* to = out.data + std::uint64_t(std::uint32_t(top)) * std::uint32_t(out.pitch) + x;
    // Rows of the output that step 0 of a round completes.
    for (int round = top - 2 * kRadius; round < bottom; round += kTaken) {
#pragma unroll
        for (int step = 0; step < kTaken; ++step) {
            const int y = round + step;
            if (y >= bottom) return;
            rows[(step + kAhead) % kTaken] = place.load(y + kRadius + kAhead);
            rowSums(rows[step], place.take, taps, sums[step]);
            if (y < top) continue;
            std::uint32_t blurred[kWords];
#pragma unroll
            for (int word = 0; word < kWords; ++word) {
                std::uint32_t totals[4];
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const int at = 4 * word + i;
                    totals[i] = kColumnHalf +
                                taps.column[kRadius] * sums[(step + 1 + kRadius) % kTaken][at];
#pragma unroll
                    for (int k = 0; k < kRadius; ++k)
                        totals[i] += taps.column[k] * (sums[(step + 1 + k) % kTaken][at] +
                                                       sums[(step + kTaken - k) % kTaken][at]);
                }
                // The highest bytes.
                blurred[word] = __byte_perm(__byte_perm(totals[0], totals[1], 0x0073),
                                            __byte_perm(totals[2], totals[3], 0x0073), 0x5410);
            }
            *reinterpret_cast<uint4*>(to) = {blurred[0], blurred[1], blurred[2], blurred[3]};
            to += out.pitch;
        }
    }
}

}  // namespace

void runGaussianFive(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                     const DeviceImage& out) {
    constexpr int kLeastRows = 8;
    const FastDivide across(unsigned(in.size.width) / kPixels);
    // All blocks at once.
    const unsigned most = unsigned(context.traits().multiprocessors) * kBlocks * kThreads;
    const unsigned down = std::max(1u, most / across.divisor);
    const std::int64_t work = std::int64_t(in.size.width) * (4 * kRadius + 4) * 2;
    const int mostRows =
        std::max(kLeastRows, context.rowsPerLaunch(in.pitch * 2 + out.pitch, work));
    const int each =
        std::clamp(int(divideUp(unsigned(in.size.height), down)), kLeastRows, mostRows);
    const int bandRows = mostRows / each * each;
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const std::uint32_t count =
            across.divisor * divideUp(unsigned(last - first), unsigned(each));
        launchEarly(context, "gaussian 5 x 5", divideUp(count, kThreads), kThreads, 0, fiveKernel,
                    in, out, Strips{first, last, each, across, count}, Taps(plan));
    });
}

void loadGaussianFive() {
    loadKernel(fiveKernel);
}

}  // namespace warpscope::cuda
