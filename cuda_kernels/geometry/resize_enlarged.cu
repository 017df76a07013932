// A thread makes a column of four or eight samples: it marches down the rows of the input, resizes
// each across, and keeps the last ones in registers, of which it makes the rows of the output that
// end there. Nothing is shared, and nobody waits. The rows that it begins with are loaded at once,
// which is most of the time that a small image takes.
#include "cuda_kernels/geometry/resize_enlarged.cuh"

#include "cuda_kernels/geometry/resize_halves.cuh"
#include "cuda_kernels/runtime/cut_bytes.cuh"
#include "cuda_kernels/runtime/dot_products.cuh"
#include "cuda_kernels/runtime/sample_loads.cuh"

namespace warpscope::cuda {
namespace {

// Warps have nothing in common: small blocks spread evenly.
constexpr unsigned kThreads = 64;

#ifndef WARPSCOPE_EMULATED_DOT_PRODUCTS
// sum + a b, in one instruction: where it knows of a sign the compiler takes two.
__device__ __forceinline__ std::int64_t addProduct(int a, int b, std::int64_t sum) {
    std::int64_t made;
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(made) : "r"(a), "r"(b), "l"(sum));
    return made;
}
#endif

// In device memory. Of columns: `length` first taps, then as many words each of what a weight has
// above 15 bits (four bytes), and of the rest (two halves); of six taps again the former and the
// latter. Of rows: first tap and small weights, then kRowWeights in whole.
struct EnlargedTables {
    const std::int32_t* columns;
    int length;
    const std::int32_t* heads;
    const std::int32_t* weights;
};

// Where a row's taps begin, and its weights if they are small.
template <int kTaps>
struct RowHead;

template <>
struct alignas(8) RowHead<4> {
    int first;
    std::uint32_t small[1];
};
template <>
struct alignas(16) RowHead<6> {
    int first;
    std::uint32_t small[3];
};

template <int kTaps>
constexpr int kHeadWords = int(sizeof(RowHead<kTaps>) / 4);

template <int kTaps>
__device__ __forceinline__ RowHead<kTaps> loadHead(const std::int32_t* heads, int row) {
    if constexpr (kTaps == 4) {
        const uint2 words = __ldg(reinterpret_cast<const uint2*>(heads) + row);
        return {int(words.x), {words.y}};
    } else {
        const uint4 words = __ldg(reinterpret_cast<const uint4*>(heads) + row);
        return {int(words.x), {words.y, words.z, words.w}};
    }
}

template <int kTaps>
constexpr int kRowWeights = kTaps == 4 ? 4 : 8;

constexpr int columnsPadded(int width) {
    return (width + 7) / 8 * 8;
}

__device__ __forceinline__ std::uint32_t bytes(std::uint32_t a, std::uint32_t b, unsigned select) {
    return __byte_perm(a, b, select);
}

// Weights of a sample across.
template <int kTaps>
struct AcrossWeights {
    static constexpr int kWords = kTaps == 4 ? 1 : 2;  // of four taps
    std::uint32_t high[kWords], low[kTaps / 2];

    // `taps`: a byte each. 8 bits more than a sample in the upper three bytes.
    __device__ __forceinline__ std::uint32_t sum(const std::uint32_t (&taps)[kWords]) const {
        int above = dotBytes(high[0], taps[0], 0);
        if constexpr (kTaps > 4) above = dotBytes(high[1], taps[1], above);
        int made = above * 32768 + 128;
        made = dotLow(low[0], taps[0], made);
        made = dotHigh(low[1], taps[0], made);
        if constexpr (kTaps > 4) made = dotLow(low[2], taps[1], made);
        constexpr int kMost = 255 << 16 | 255;
        return std::uint32_t(min(max(made, 0), kMost));
    }
};

// Four samples of a row across: four gray pixels or one of colour.
template <int C, int kTaps>
struct AcrossTaps;

template <int kTaps>
struct AcrossTaps<1, kTaps> {
    using Weights = AcrossWeights<kTaps>;
    static constexpr int kLoaded = 3;
    Weights weights[4];
    unsigned shift[4], firstShift;
    int at[kLoaded];

    // x is a multiple of four; the tables go on beyond the image.
    __device__ __forceinline__ void set(const EnlargedTables& tables, int x, int width) {
        constexpr int kPlanes = 1 + Weights::kWords + kTaps / 2;
        std::uint32_t planes[kPlanes][4];
#pragma unroll
        for (int p = 0; p < kPlanes; ++p)
            loadWords<16>(reinterpret_cast<const std::byte*>(tables.columns +
                                                             std::int64_t(p) * tables.length + x),
                          planes[p]);
        const int first = int(planes[0][0]), lastWord = (width - 1) / 4;
        firstShift = unsigned(first % 4 * 8);
#pragma unroll
        for (int i = 0; i < kLoaded; ++i) at[i] = 4 * min(first / 4 + i, lastWord);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            shift[i] = (planes[0][i] - unsigned(first)) * 8;
#pragma unroll
            for (int w = 0; w < Weights::kWords; ++w) weights[i].high[w] = planes[1 + w][i];
#pragma unroll
            for (int w = 0; w < kTaps / 2; ++w)
                weights[i].low[w] = planes[1 + Weights::kWords + w][i];
        }
    }
    __device__ __forceinline__ void load(const std::byte* row,
                                         std::uint32_t (&words)[kLoaded]) const {
#pragma unroll
        for (int i = 0; i < kLoaded; ++i)
            words[i] = __ldg(reinterpret_cast<const std::uint32_t*>(row + at[i]));
    }
    __device__ __forceinline__ void sums(const std::uint32_t (&words)[kLoaded],
                                         std::uint32_t* made) const {
        const std::uint32_t first = __funnelshift_r(words[0], words[1], firstShift);
        const std::uint32_t second = __funnelshift_r(words[1], words[2], firstShift);
        const std::uint32_t third = words[2] >> firstShift;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            std::uint32_t taps[Weights::kWords] = {__funnelshift_r(first, second, shift[i])};
            if constexpr (kTaps > 4) taps[1] = __funnelshift_r(second, third, shift[i]);
            made[i] = weights[i].sum(taps);
        }
    }
};

template <int kTaps>
struct AcrossTaps<4, kTaps> {
    using Weights = AcrossWeights<kTaps>;
    static constexpr int kLoaded = kTaps;
    Weights weights;
    int at;

    __device__ __forceinline__ void set(const EnlargedTables& tables, int x, int) {
        const std::int32_t* from = tables.columns + x;
        at = 4 * *from;
#pragma unroll
        for (std::uint32_t& word : weights.high) word = std::uint32_t(*(from += tables.length));
#pragma unroll
        for (std::uint32_t& word : weights.low) word = std::uint32_t(*(from += tables.length));
    }
    __device__ __forceinline__ void load(const std::byte* row,
                                         std::uint32_t (&words)[kLoaded]) const {
#pragma unroll
        for (int i = 0; i < kLoaded; ++i)
            words[i] = __ldg(reinterpret_cast<const std::uint32_t*>(row + at) + i);
    }
    __device__ __forceinline__ void sums(const std::uint32_t (&words)[kLoaded],
                                         std::uint32_t* made) const {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const unsigned select = half ? 0x7362 : 0x5140;
            const std::uint32_t a = bytes(words[0], words[1], select);
            const std::uint32_t b = bytes(words[2], words[3], select);
            std::uint32_t even[Weights::kWords] = {bytes(a, b, 0x5410)};
            std::uint32_t odd[Weights::kWords] = {bytes(a, b, 0x7632)};
            if constexpr (kTaps > 4) {
                even[1] = bytes(words[4], words[5], select);
                odd[1] = even[1] >> 16;
            }
            made[2 * half] = weights.sum(even);
            made[2 * half + 1] = weights.sum(odd);
        }
    }
};

// The last rows, resized across, of some samples, and how they make one of the output.
template <int kSamples, int kTaps, bool kSmall>
struct LastRows {
    int rows[kTaps][kSamples];
    int weights[kRowWeights<kTaps>];

    __device__ __forceinline__ void add(const std::uint32_t (&sums)[kSamples]) {
#pragma unroll
        for (int i = 0; i < kSamples; ++i) {
#pragma unroll
            for (int k = 0; k + 1 < kTaps; ++k) rows[k][i] = rows[k + 1][i];
            rows[kTaps - 1][i] = int(sums[i] >> 8);
        }
    }
    // Early: before anything waits for them.
    __device__ __forceinline__ void loadWeights(const std::int32_t* from) {
        std::uint32_t words[kRowWeights<kTaps>];
        loadWords<4 * kRowWeights<kTaps>>(reinterpret_cast<const std::byte*>(from), words);
#pragma unroll
        for (int k = 0; k < kRowWeights<kTaps>; ++k) weights[k] = int(words[k]);
    }
    // Not cut to 8 bits yet.
    __device__ __forceinline__ void make(const RowHead<kTaps>&, const std::int32_t*,
                                         int (&made)[kSamples]) const {
#pragma unroll
        for (int i = 0; i < kSamples; ++i) {
            std::int64_t sum = 1 << 23;
#pragma unroll
            for (int k = 0; k < kTaps; ++k) sum = addProduct(weights[k], rows[k][i], sum);
            made[i] = int(sum >> 24);
        }
    }
};

// The sum of pairs of rows by small weights, of which there are some.
__device__ __forceinline__ int sumOfSmall(const RowHead<4>& head, std::uint32_t first,
                                          std::uint32_t second) {
    const int sum = dotHalvesLow(first, head.small[0], 1 << 14);
    return dotHalvesHigh(second, head.small[0], sum) >> 15;
}
// The upper bytes of the weights on top of what the lower ones carry.
__device__ __forceinline__ int sumOfSmall(const RowHead<6>& head, std::uint32_t first,
                                          std::uint32_t second, std::uint32_t third) {
    std::uint32_t lower = dotLowUnsigned(first, head.small[2], 1u << 23);
    lower = dotHighUnsigned(second, head.small[2], lower);
    lower = dotHighUnsigned(third, head.small[1], lower);
    int upper = dotHalvesLow(first, head.small[0], int(lower >> 8));
    upper = int(dotHighUnsigned(second, head.small[0], std::uint32_t(upper)));
    return dotHalvesLow(third, head.small[1], upper) >> 16;
}

// Words of two rows each: the earlier one in the low half.
template <int kSamples, int kTaps>
struct LastRows<kSamples, kTaps, true> {
    static constexpr int kLast = kTaps - 2;
    std::uint32_t pairs[kTaps - 1][kSamples];

    __device__ __forceinline__ void add(const std::uint32_t (&sums)[kSamples]) {
#pragma unroll
        for (int i = 0; i < kSamples; ++i) {
            const std::uint32_t pair = bytes(pairs[kLast][i], sums[i], 0x6532);
#pragma unroll
            for (int k = 0; k < kLast; ++k) pairs[k][i] = pairs[k + 1][i];
            pairs[kLast][i] = pair;
        }
    }
    __device__ __forceinline__ void loadWeights(const std::int32_t*) {}
    __device__ __forceinline__ void make(const RowHead<kTaps>& head, const std::int32_t* weights,
                                         int (&made)[kSamples]) const {
        if (head.small[0] != 0) {
#pragma unroll
            for (int i = 0; i < kSamples; ++i) {
                if constexpr (kTaps == 4)
                    made[i] = sumOfSmall(head, pairs[0][i], pairs[2][i]);
                else
                    made[i] = sumOfSmall(head, pairs[0][i], pairs[2][i], pairs[4][i]);
            }
        } else {
            std::uint32_t words[kRowWeights<kTaps>];
            loadWords<4 * kRowWeights<kTaps>>(reinterpret_cast<const std::byte*>(weights), words);
#pragma unroll
            for (int i = 0; i < kSamples; ++i) {
                std::int64_t sum = 1 << 23;
#pragma unroll
                for (int k = 0; k < kTaps; ++k) {
                    const std::uint32_t pair = pairs[k / 2 * 2][i];
                    sum = addProduct(int(words[k]), int(k % 2 ? pair >> 16 : pair & 0xffffu), sum);
                }
                made[i] = int(sum >> 24);
            }
        }
    }
};

// Output rows [first, last); tiles of `tileRows` of them are numbered along the rows.
template <int C, int kTaps, bool kSmall>
__global__ void __launch_bounds__(kThreads)
    resizeEnlargedKernel(DeviceImage in, DeviceImage out, int first, int last, int tileRows,
                         FastDivide tilesAcross, EnlargedTables tables) {
    using Across = AcrossTaps<C, kTaps>;
    constexpr int kGroups = enlargedGroups(kTaps), kSamples = 4 * kGroups;
    const std::uint32_t tileRow = tilesAcross(blockIdx.x);
    const int column = int((blockIdx.x - tileRow * tilesAcross.divisor) * kThreads + threadIdx.x);
    const int x = column * kSamples / C;
    if (x >= out.size.width) return;
    const int top = first + int(tileRow) * tileRows;
    const int count = min(tileRows, last - top);

    const std::int32_t* const heads = tables.heads + std::int64_t(top) * kHeadWords<kTaps>;
    const std::int32_t* const weights = tables.weights + std::int64_t(top) * kRowWeights<kTaps>;
    RowHead<kTaps> head = loadHead<kTaps>(heads, 0);
    Across across[kGroups];
#pragma unroll
    for (int g = 0; g < kGroups; ++g) across[g].set(tables, x + g * 4 / C, in.size.width);
    LastRows<kSamples, kTaps, kSmall> rows{};
    rows.loadWeights(weights);
    const std::byte* from = in.data + std::int64_t(head.first) * in.pitch;
    std::byte* to = out.data + std::int64_t(top) * out.pitch + kSamples * column;

    std::uint32_t words[kGroups][Across::kLoaded], early[kTaps][kGroups][Across::kLoaded];
    int below = in.size.height - 1 - head.first;  // rows of the input that follow
    const auto advance = [&] {
        if (below > 0) from += in.pitch;
        --below;
    };
#pragma unroll
    for (int k = 0; k < kTaps; ++k) {
#pragma unroll
        for (int g = 0; g < kGroups; ++g) across[g].load(from, early[k][g]);
        advance();
    }
#pragma unroll
    for (int g = 0; g < kGroups; ++g) across[g].load(from, words[g]);
#pragma unroll
    for (int k = 0; k < kTaps; ++k) {
        std::uint32_t sums[kSamples];
#pragma unroll
        for (int g = 0; g < kGroups; ++g) across[g].sums(early[k][g], sums + 4 * g);
        rows.add(sums);
    }

    for (int made = 0;;) {
        const RowHead<kTaps> next = loadHead<kTaps>(heads, made + 1);
        int pixels[kSamples];
        std::uint32_t packed[kGroups];
        rows.make(head, weights + made * kRowWeights<kTaps>, pixels);
        ++made;
        rows.loadWeights(weights + made * kRowWeights<kTaps>);
#pragma unroll
        for (int g = 0; g < kGroups; ++g)
            packed[g] = cutBytes(pixels[4 * g + 1], pixels[4 * g],
                                 cutBytes(pixels[4 * g + 3], pixels[4 * g + 2], 0));
        storeWords<4 * kGroups>(to, packed);
        if (made == count) return;
        to += out.pitch;
        // The same for all threads; a row later at most.
        const bool moves = next.first != head.first;
        head = next;
        if (!moves) continue;
        // The row after that goes where this one was: loaded first, it would be somewhere else and
        // its move there would wait for memory.
        std::uint32_t sums[kSamples];
#pragma unroll
        for (int g = 0; g < kGroups; ++g) across[g].sums(words[g], sums + 4 * g);
        advance();
#pragma unroll
        for (int g = 0; g < kGroups; ++g) across[g].load(from, words[g]);
        rows.add(sums);
    }
}

using ResizeEnlargedKernel = void (*)(DeviceImage, DeviceImage, int, int, int, FastDivide,
                                      EnlargedTables);

ResizeEnlargedKernel kernelFor(bool colour, const Enlargement& enlargement) {
    const bool small = enlargement.smallDown;
    if (enlargement.taps == 6)
        return colour
                   ? (small ? resizeEnlargedKernel<4, 6, true> : resizeEnlargedKernel<4, 6, false>)
                   : (small ? resizeEnlargedKernel<1, 6, true> : resizeEnlargedKernel<1, 6, false>);
    return colour ? (small ? resizeEnlargedKernel<4, 4, true> : resizeEnlargedKernel<4, 4, false>)
                  : (small ? resizeEnlargedKernel<1, 4, true> : resizeEnlargedKernel<1, 4, false>);
}

int acrossPlanes(int taps) {
    return 1 + (taps + 3) / 4 + taps / 2;
}

// Words of all rows, of one more, which is loaded ahead, and of as many as make them even: what
// follows is aligned.
std::size_t headWords(int height, int taps) {
    return std::size_t(height + 3) / 2 * 2 * unsigned(taps == 4 ? kHeadWords<4> : kHeadWords<6>);
}

std::vector<std::uint32_t> wordsOf(const ResizePlan& plan, int taps) {
    const int planes = acrossPlanes(taps);
    const std::size_t width = plan.across.first.size(),
                      length = std::size_t(columnsPadded(int(width)));
    std::vector<std::uint32_t> words(std::size_t(planes) * length);
    for (std::size_t x = 0; x < length; ++x) {
        const std::size_t i = std::min(x, width - 1);
        const auto weights = enlargedWeights(plan.across, i, taps, plan.size.width);
        const auto word = [&](int plane) -> std::uint32_t& {
            return words[std::size_t(plane) * length + x];
        };
        word(0) = std::uint32_t(enlargedFirst(plan.across, i, taps, plan.size.width));
        for (int k = 0; k < taps; ++k) {
            const std::int32_t weight = weights[std::size_t(k)];
            const bool fits = weight >= -32768 && weight <= 32767;
            const std::int32_t high = fits ? 0 : weight >> 15;
            word(1 + k / 4) |= std::uint32_t(high & 255) << (k % 4 * 8);
            word(1 + (taps + 3) / 4 + k / 2) |= std::uint32_t((weight - high * 32768) & 0xffff)
                                                << (k % 2 * 16);
        }
    }
    const std::size_t height = plan.down.first.size(), from = words.size();
    const std::size_t whole = from + headWords(int(height), taps);
    const std::size_t each = taps == 4 ? kRowWeights<4> : kRowWeights<6>;
    words.resize(whole + (height + 1) * each);
    for (std::size_t y = 0; y < height + 2; ++y) {
        const std::size_t i = std::min(y, height - 1);
        const auto weights = enlargedWeights(plan.down, i, taps, plan.size.height);
        const auto small = smallWeights(weights, taps);
        auto to = words.begin() +
                  std::ptrdiff_t(from + y * unsigned(taps == 4 ? kHeadWords<4> : kHeadWords<6>));
        *to++ = std::uint32_t(enlargedFirst(plan.down, i, taps, plan.size.height));
        std::copy_n(small.begin(), taps == 4 ? 1 : 3, to);
        if (y > height) break;
        for (std::size_t k = 0; k < std::size_t(taps); ++k)
            words[whole + y * each + k] = std::uint32_t(weights[k]);
    }
    return words;
}

}  // namespace

void runResizeEnlarged(KernelContext& context, const ResizePlan& plan,
                       const Enlargement& enlargement, const DeviceImage& in,
                       const DeviceImage& out) {
    const bool colour = isColor(in.format);
    const int width = out.size.width, height = out.size.height, taps = enlargement.taps;
    const auto* words = reinterpret_cast<const std::int32_t*>(
        context.device().constants("enlarged: " + plan.key, [&] { return wordsOf(plan, taps); }));
    EnlargedTables tables;
    tables.columns = words;
    tables.length = columnsPadded(width);
    tables.heads = words + std::int64_t(tables.length) * acrossPlanes(taps);
    tables.weights = tables.heads + headWords(height, taps);
    const unsigned columns =
        divideUp(unsigned(width) * (colour ? 4u : 1u), 4 * unsigned(enlargedGroups(taps)));
    const FastDivide tilesAcross(divideUp(columns, kThreads));
    const std::int64_t work = std::int64_t(columns) * 4 * enlargedGroups(taps) * 2 * taps;
    const int most = context.rowsPerLaunch(in.pitch + out.pitch, work);
    // Lower tiles where a row of them is too much.
    const int rows = std::min(std::max(8, most / 8 * 8), enlargement.rows);
    const int bandRows = std::max(1, most / rows) * rows;
    const ResizeEnlargedKernel kernel = kernelFor(colour, enlargement);
    context.forEachBand(height, bandRows, [&](int first, int last) {
        launch(context, "resize enlarged",
               tilesAcross.divisor * divideUp(unsigned(last - first), unsigned(rows)), kThreads, 0,
               kernel, in, out, first, last, rows, tilesAcross, tables);
    });
}

void loadResizeEnlarged() {
    for (const bool colour : {false, true})
        for (const int taps : kEnlargedTaps)
            for (const bool small : {false, true}) loadKernel(kernelFor(colour, {taps, small, 0}));
}

}  // namespace warpscope::cuda
