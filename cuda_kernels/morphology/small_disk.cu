// A thread makes some pixels beside each other in some rows, in registers: of each row of the input
// the extremes over 1, 3, 5, ... pixels, once for all rows of the output that need them. Two
// samples of 8 bits are compared at a time, as halves of a word. Repeated edges change nothing:
// what they repeat is nearer, and in the disk itself.
#include "cuda_kernels/morphology/small_disk.cuh"

#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/runtime/row_words.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128;
// Of the output, of a thread: as many as its registers hold.
template <int C, int kRadius>
inline constexpr int kRowsEach = C == 4 && kRadius > 2 ? 4 : 8;

template <bool kMost>
__device__ __forceinline__ std::uint32_t best(std::uint32_t a, std::uint32_t b) {
    return kMost ? __vmaxu2(a, b) : __vminu2(a, b);
}

// Samples 0 and 2 of a word, and 1 and 3.
__device__ __forceinline__ std::uint32_t evenOf(std::uint32_t word) {
    return word & 0x00ff00ffu;
}
__device__ __forceinline__ std::uint32_t oddOf(std::uint32_t word) {
    return word >> 8 & 0x00ff00ffu;
}

// How far the disk reaches in the row that is `dy` above or below its middle.
constexpr int halfOf(int radius, int dy) {
    int half = 0;
    while ((half + 1) * (half + 1) + dy * dy <= radius * radius) ++half;
    return half;
}

// at(i): a word of two samples of which pair i is made, those of the same rank of the neighbours
// i pixels away of pair 0.
template <int kRadius>
struct GrayDiskRow : GrayWords {
    static constexpr int kPairs = 4, kWords = 2;
    std::uint32_t even[4], odd[4];

    __device__ __forceinline__ void split() {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            even[i] = evenOf(words[i]);
            odd[i] = oddOf(words[i]);
        }
    }
    // Pairs 0 to 3: pixels 0 and 2, 1 and 3, 4 and 6, 5 and 7 of the middle. The one that lies
    // `away` from pair `pair`.
    __device__ __forceinline__ std::uint32_t at(int pair, int away) const {
        const int first = 4 + pair / 2 * 4 + pair % 2 + away, word = first / 4;
        const std::uint32_t(&from)[4] = first % 2 ? odd : even;
        return first % 4 < 2 ? from[word]
                             : __byte_perm(from[word], from[word + 1 < 4 ? word + 1 : 3], 0x5432);
    }
    __device__ __forceinline__ std::uint32_t alphaOf(int) const {
        return 0;
    }
    static constexpr std::uint32_t kAlpha = 0;
};

template <int kRadius>
struct ColourDiskRow : ColourPixels<kRadius> {
    static constexpr int kPairs = 8, kWords = 4;
    __device__ __forceinline__ void split() {}
    // Two for each pixel: red and blue, green and alpha.
    __device__ __forceinline__ std::uint32_t at(int pair, int away) const {
        const std::uint32_t pixel = this->pixels[kRadius + pair / 2 + away];
        return pair % 2 ? oddOf(pixel) : evenOf(pixel);
    }
    __device__ __forceinline__ std::uint32_t alphaOf(int word) const {
        return this->pixels[kRadius + word] & kAlpha;
    }
    static constexpr std::uint32_t kAlpha = 0xff000000u;
};

template <int C, int kRadius>
constexpr int blocksFor() {
    if (C == 1 || kRadius == 1) return 4;
    if (kRadius == 2) return blocksByDevice({0, 4, 3});
    return blocksByDevice({3, 4, kRadius == 4 ? 0 : 4, 4});
}

// Output rows [first, last); threads are numbered along the rows.
template <int C, int kRadius, bool kMost>
__global__ void __launch_bounds__(kThreads, (blocksFor<C, kRadius>()))
    smallDiskKernel(DeviceImage in, DeviceImage out, int first, int last, FastDivide piecesAcross,
                    std::uint32_t count) {
    using Row = std::conditional_t<C == 1, GrayDiskRow<kRadius>, ColourDiskRow<kRadius>>;
    constexpr int kRows = kRowsEach<C, kRadius>;
    const std::uint32_t index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= count) return;
    const std::uint32_t down = piecesAcross(index);
    const int x = int(index - down * piecesAcross.divisor) * Row::kPixels;
    const int top = first + int(down) * kRows;
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    std::uint32_t extremes[kRows][Row::kPairs];
    std::uint32_t alpha[kRows][Row::kWords];
#pragma unroll
    for (int j = 0; j < kRows + 2 * kRadius; ++j) {
        Row row;
        row.load(in.data + std::int64_t(min(max(top + j - kRadius, 0), lastY)) * in.pitch, x,
                 lastX);
        row.split();
#pragma unroll
        for (int pair = 0; pair < Row::kPairs; ++pair) {
            // Over 2 half + 1 pixels of the row.
            std::uint32_t across[kRadius + 1];
            across[0] = row.at(pair, 0);
#pragma unroll
            for (int half = 1; half <= kRadius; ++half)
                across[half] = best<kMost>(best<kMost>(row.at(pair, -half), row.at(pair, half)),
                                           across[half - 1]);
#pragma unroll
            for (int k = 0; k < kRows; ++k) {
                const int dy = j - k - kRadius;
                if (dy < -kRadius || dy > kRadius) continue;
                const std::uint32_t here = across[halfOf(kRadius, dy)];
                extremes[k][pair] = dy == -kRadius ? here : best<kMost>(extremes[k][pair], here);
            }
        }
#pragma unroll
        for (int word = 0; word < Row::kWords; ++word)
            if (j >= kRadius && j - kRadius < kRows) alpha[j - kRadius][word] = row.alphaOf(word);
        // The last row that row `k` of the output needs.
        const int k = j - 2 * kRadius;
        if (k < 0 || top + k >= last) continue;
        std::uint32_t words[Row::kWords];
#pragma unroll
        for (int word = 0; word < Row::kWords; ++word) {
            const std::uint32_t made = extremes[k][2 * word] | extremes[k][2 * word + 1] << 8;
            words[word] = (made & ~Row::kAlpha) | alpha[k][word];
        }
        storeRow(out.data + std::int64_t(top + k) * out.pitch + std::int64_t(x) * C, words);
    }
}

template <int C, int kRadius, bool kMost>
void runFor(KernelContext& context, const DeviceImage& in, const DeviceImage& out) {
    constexpr int kPixels = C == 1 ? GrayWords::kPixels : ColourPixels<kRadius>::kPixels;
    constexpr int kRows = kRowsEach<C, kRadius>;
    const FastDivide across(divideUp(unsigned(in.size.width), kPixels));
    const std::int64_t work = std::int64_t(across.divisor) * kPixels * C * (4 * kRadius + 4);
    const int bandRows =
        std::max(1, context.rowsPerLaunch(in.pitch * 2 + out.pitch, work) / kRows) * kRows;
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const std::uint32_t count = across.divisor * divideUp(unsigned(last - first), kRows);
        launch(context, "morphology disk", divideUp(count, kThreads), kThreads, 0,
               smallDiskKernel<C, kRadius, kMost>, in, out, first, last, across, count);
    });
}

template <int kRadius = 1>
void runFor(KernelContext& context, int radius, bool most, const DeviceImage& in,
            const DeviceImage& out) {
    if constexpr (kRadius <= kMostSmallDisk) {
        if (radius != kRadius) return runFor<kRadius + 1>(context, radius, most, in, out);
        if (isColor(in.format))
            most ? runFor<4, kRadius, true>(context, in, out)
                 : runFor<4, kRadius, false>(context, in, out);
        else
            most ? runFor<1, kRadius, true>(context, in, out)
                 : runFor<1, kRadius, false>(context, in, out);
    }
}

}  // namespace

void runSmallDisk(KernelContext& context, int radius, bool most, const DeviceImage& in,
                  const DeviceImage& out) {
    runFor(context, radius, most, in, out);
}

}  // namespace warpscope::cuda
