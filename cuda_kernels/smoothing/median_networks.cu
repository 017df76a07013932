// Medians of 3x3 and 5x5 by selection networks. A register holds two samples as 16-bit halves, of
// pixels half a thread's width apart (gray) or of two channels of a pixel (colour), so that the
// neighbours of a register are whole registers. 8-bit samples lie in the upper byte of a half; what
// is below decides only between equal ones. Columns are sorted once for all outputs that share
// them, their common rows once for two outputs.
#include <type_traits>

#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/runtime/early_launch.cuh"
#include "cuda_kernels/runtime/launch_grid.h"
#include "cuda_kernels/runtime/sample_loads.cuh"
#include "cuda_kernels/smoothing/median.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;  // at most
// Of radius 1: five such blocks are resident where two of 256 are.
constexpr unsigned kFewerThreads = 128;

using Pair = std::uint32_t;

__device__ __forceinline__ void order(Pair& a, Pair& b) {
    const Pair low = __vminu2(a, b);
    b = __vmaxu2(a, b);
    a = low;
}

template <int N>
__device__ __forceinline__ void insertInto(Pair (&sorted)[N]) {  // the last one is new
#pragma unroll
    for (int i = N - 1; i > 0; --i) order(sorted[i - 1], sorted[i]);
}

__device__ __forceinline__ Pair middleOf(Pair a, Pair b, Pair c) {
    return __vmaxu2(__vminu2(a, b), __vminu2(__vmaxu2(a, b), c));
}

__device__ __forceinline__ void sortFive(Pair& a, Pair& b, Pair& c, Pair& d, Pair& e) {
    order(a, b);
    order(d, e);
    order(c, e);
    order(c, d);
    order(a, d);
    order(a, c);
    order(b, e);
    order(b, d);
    order(b, c);
}

// Of N sorted columns: the median of the N * N. The result is one of the inputs. kFirst: of two
// outputs beside each other; `shared` is what they have in common, made for the first one.
template <bool kFirst>
__device__ __forceinline__ Pair medianOf(const Pair (&s)[3][3], Pair (&shared)[2]) {
    const Pair low = __vmaxu2(__vmaxu2(s[0][0], s[1][0]), s[2][0]);
    const Pair high = __vminu2(__vminu2(s[0][2], s[1][2]), s[2][2]);
    if constexpr (kFirst) {
        shared[0] = s[1][1];
        shared[1] = s[2][1];
        order(shared[0], shared[1]);
    }
    const Pair other = kFirst ? s[0][1] : s[2][1];
    return middleOf(low, __vmaxu2(shared[0], __vminu2(shared[1], other)), high);
}

// Takes the smallest and the largest of the first `Count` out of further consideration.
template <int Count, int N>
__device__ __forceinline__ void dropEnds(Pair (&v)[N]) {
    // Smaller ones of pairs to the front, then the smallest to place 0 and the largest to the end.
#pragma unroll
    for (int i = 0; i < Count / 2; ++i) order(v[i], v[Count - 1 - i]);
#pragma unroll
    for (int i = 1; i < (Count + 1) / 2; ++i) order(v[0], v[i]);
#pragma unroll
    for (int i = Count / 2; i < Count - 1; ++i) order(v[i], v[Count - 1]);
}

// With rows of the sorted columns sorted too, element (rank i in its column, j in its row) has at
// least (i + 1)(j + 1) - 1 below and (5 - i)(5 - j) - 1 above it: 13 of the 25 can be the median,
// and of the others as many are below as above.
template <bool kFirst>
__device__ __forceinline__ Pair medianOf(const Pair (&s)[5][5], Pair (&)[2]) {
    Pair r[5][5];
#pragma unroll
    for (int i = 0; i < 5; ++i) {
#pragma unroll
        for (int j = 0; j < 5; ++j) r[i][j] = s[j][i];
        sortFive(r[i][0], r[i][1], r[i][2], r[i][3], r[i][4]);
    }
    // Median of 13: of 8 the ends cannot be it; each further one takes the place of an end.
    Pair v[8] = {r[0][3], r[0][4], r[1][2], r[1][3], r[1][4], r[2][1], r[2][2], r[2][3]};
    const Pair rest[5] = {r[3][0], r[3][1], r[3][2], r[4][0], r[4][1]};
    dropEnds<8>(v);
    v[0] = rest[0];
    dropEnds<7>(v);
    v[0] = rest[1];
    dropEnds<6>(v);
    v[0] = rest[2];
    dropEnds<5>(v);
    v[0] = rest[3];
    dropEnds<4>(v);
    v[0] = rest[4];
    return middleOf(v[0], v[1], v[2]);
}

struct AsItIs {
    __device__ __forceinline__ std::uint32_t operator()(std::uint32_t, std::uint32_t median) const {
        return median;
    }
};

// Four samples, and the median of each.
struct WithoutSpeckles {
    std::uint32_t threshold;  // four times
    bool bright, dark;

    explicit WithoutSpeckles(const SpeckleRule& rule)
        : threshold(std::uint32_t(rule.threshold) * 0x01010101u),
          bright(rule.bright),
          dark(rule.dark) {}
    __device__ __forceinline__ std::uint32_t operator()(std::uint32_t samples,
                                                        std::uint32_t median) const {
        std::uint32_t replaced = __vcmpgtu4(__vabsdiffu4(samples, median), threshold);
        if (!bright) replaced &= __vcmpgtu4(median, samples);
        if (!dark) replaced &= __vcmpgtu4(samples, median);
        return (median & replaced) | (samples & ~replaced);
    }
};

// The samples of gray pixels a and b, counted from the first word on.
template <class T, int N>
__device__ __forceinline__ Pair grayPair(const std::uint32_t (&words)[N], int a, int b) {
    if constexpr (sizeof(T) == 1)
        return __byte_perm(words[a / 4], words[b / 4],
                           unsigned(a % 4 * 0x11 | (b % 4 + 4) * 0x1100));
    else
        return __byte_perm(words[a / 2], words[b / 2],
                           (a % 2 ? 0x32u : 0x10u) | (b % 2 ? 0x7600u : 0x5400u));
}

// How a thread's pixels lie in words and in pairs. Few: for small images, which leave
// multiprocessors without work otherwise.
template <class T, int C, bool kFew>
struct Layout {
    static constexpr int kPixelBytes = C * int(sizeof(T));
    static constexpr int kPixels = C == 4 ? 4 : kFew ? 8 : 16 / int(sizeof(T));
    static constexpr int kBefore = kPixelBytes == 1 ? 4 : 2;  // pixels loaded on each side
    static constexpr int kSideBytes = kBefore * kPixelBytes;
    static constexpr int kSideWords = kSideBytes / 4;
    static constexpr int kOwnWords = kPixels * kPixelBytes / 4;
    static constexpr int kWords = kOwnWords + 2 * kSideWords;
    static constexpr int kGroups = C == 4 ? 2 : 1;
    static constexpr int kPairs = C == 4 ? kPixels : kPixels / 2;  // outputs of a group

    // Samples of pixel k (0: the thread's first) and of the one it is paired with.
    __device__ static Pair pairOf(const std::uint32_t (&words)[kWords], int k, int group) {
        if constexpr (C == 4 && sizeof(T) == 1) {
            const std::uint32_t word = words[k + kBefore];
            return group == 0 ? word << 8 : word;  // R and B, G and A
        } else if constexpr (C == 4) {
            return words[2 * (k + kBefore) + group];  // R and G, B and A
        } else {
            return grayPair<T>(words, k + kBefore, k + kBefore + kPairs);
        }
    }

    // The pixels from which medians were taken, and the medians, to words to store.
    template <int N>
    __device__ static void pack(const Pair (&median)[kGroups][kPairs],
                                const std::uint32_t (&center)[N],
                                std::uint32_t (&words)[kOwnWords]) {
        if constexpr (C == 4 && sizeof(T) == 1) {
#pragma unroll
            for (int k = 0; k < kPixels; ++k)
                words[k] = (__byte_perm(median[0][k], median[1][k], 0x0351) & 0x00ffffffu) |
                           (center[k + kBefore] & 0xff000000u);
        } else if constexpr (C == 4) {
#pragma unroll
            for (int k = 0; k < kPixels; ++k) {
                words[2 * k] = median[0][k];
                words[2 * k + 1] = __byte_perm(median[1][k], center[2 * (k + kBefore) + 1], 0x7610);
            }
        } else if constexpr (sizeof(T) == 1) {
#pragma unroll
            for (int k = 0; k < kPairs; k += 4) {
                const Pair first = __byte_perm(median[0][k], median[0][k + 1], 0x7351);
                const Pair second = __byte_perm(median[0][k + 2], median[0][k + 3], 0x7351);
                words[k / 4] = __byte_perm(first, second, 0x5410);
                words[(k + kPairs) / 4] = __byte_perm(first, second, 0x7632);
            }
        } else {
#pragma unroll
            for (int k = 0; k < kPairs; k += 2) {
                words[k / 2] = __byte_perm(median[0][k], median[0][k + 1], 0x5410);
                words[(k + kPairs) / 2] = __byte_perm(median[0][k], median[0][k + 1], 0x7632);
            }
        }
    }
};

// Of rows of whole pieces, gray, radius 1: what is needed of the words before and after the
// thread's own lies in one word, whose last sample is the one before.
template <class T>
struct WholePieces : Layout<T, 1, false> {
    static constexpr int kBefore = 1, kSideWords = 0;
    static constexpr int kWords = Layout<T, 1, false>::kOwnWords + 1;
    static constexpr int kPixels = Layout<T, 1, false>::kPixels;

    __device__ static Pair pairOf(const std::uint32_t (&words)[kWords], int k, int) {
        constexpr int kLast = kPixels + 4 / int(sizeof(T)) - 1;
        return grayPair<T>(words, k < 0 ? kLast : k, k + kPixels / 2);
    }
};
template <class L>
constexpr bool kIsWhole = false;
template <class T>
constexpr bool kIsWhole<WholePieces<T>> = true;

// One row's words from kBefore pixels to the left of x to as many to the right of the thread's. The
// ones beyond the row's end are not set.
template <class L>
__device__ __forceinline__ void loadRow(const std::byte* row, int x, int width,
                                        std::uint32_t (&words)[L::kWords]) {
    const std::byte* at = row + std::int64_t(x) * L::kPixelBytes;
    std::uint32_t side[L::kSideWords];
    std::uint32_t own[L::kOwnWords];
    loadWords<L::kSideBytes>(x ? at - L::kSideBytes : at, side);
#pragma unroll
    for (int i = 0; i < L::kSideWords; ++i) words[i] = side[i];
    loadWords<4 * L::kOwnWords>(at, own);
#pragma unroll
    for (int i = 0; i < L::kOwnWords; ++i) words[L::kSideWords + i] = own[i];
    const std::byte* after = at + 4 * L::kOwnWords;
    loadWords<L::kSideBytes>(x + L::kPixels < width ? after : at, side);
#pragma unroll
    for (int i = 0; i < L::kSideWords; ++i) words[L::kSideWords + L::kOwnWords + i] = side[i];
}

// Repeats the first pixel to the left and the last one to the right. `last`: of the row.
template <class L>
__device__ __forceinline__ void mendRow(const std::byte* row, int x, int width,
                                        std::uint32_t (&words)[L::kWords]) {
    constexpr int kPixelWords = (L::kPixelBytes + 3) / 4;
    constexpr int kPerWord = L::kPixelBytes < 4 ? 4 / L::kPixelBytes : 1;
    constexpr std::uint32_t kSpread = L::kPixelBytes == 1   ? 0x01010101u
                                      : L::kPixelBytes == 2 ? 0x00010001u
                                                            : 1u;
    if (x == 0) {
        std::uint32_t first[kPixelWords];
        loadWords<L::kPixelBytes>(row, first);
#pragma unroll
        for (int i = 0; i < L::kSideWords; ++i) words[i] = first[i % kPixelWords] * kSpread;
    }
    std::uint32_t last[kPixelWords];
    loadWords<L::kPixelBytes>(row + std::int64_t(width - 1) * L::kPixelBytes, last);
#pragma unroll
    for (int i = L::kSideWords; i < L::kWords; ++i) {
        const std::uint32_t value = last[i % kPixelWords] * kSpread;
        // Pixels of this word that lie in the row.
        const int pixel = x + (i - L::kSideWords) / kPixelWords * kPerWord;
        const int valid = min(max(width - pixel, 0), kPerWord);
        if (valid == 0)
            words[i] = value;
        else if (valid < kPerWord) {
            const int bits = valid * 8 * L::kPixelBytes;
            words[i] = (words[i] & ((1u << bits) - 1u)) | value << bits;
        }
    }
}

// Of rows in whole pieces. Beyond an edge of the row its own pixel there is taken again, which
// needs no branch.
template <class L, int kRows, class RowAt>
__device__ __forceinline__ void loadPieces(const RowAt& rowAt, int x, int width,
                                           std::uint32_t (&words)[kRows][L::kWords]) {
    constexpr int kBytes = 4 * L::kOwnWords, kSize = L::kPixelBytes;
    const bool starts = x == 0, ends = x + L::kPixels == width;
    const int before = starts ? 0 : -4, after = ends ? kBytes - 4 : kBytes;
    // The first sample of the next word, or the last one of the own; the last word's sample alike.
    const unsigned next = ends ? 8 - kSize : 4, previous = starts ? 0 : 4 - kSize;
    const unsigned take = kSize == 1
                              ? next | previous << 12
                              : (next | (next + 1) << 4) | (previous << 8 | (previous + 1) << 12);
    std::uint32_t left[kRows], right[kRows];
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
        const std::byte* const at = rowAt(i) + std::int64_t(x) * kSize;
        std::uint32_t own[L::kOwnWords];
        loadWords<kBytes>(at, own);
#pragma unroll
        for (int w = 0; w < L::kOwnWords; ++w) words[i][w] = own[w];
        left[i] = *reinterpret_cast<const std::uint32_t*>(at + before);
        right[i] = *reinterpret_cast<const std::uint32_t*>(at + after);
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i) words[i][L::kOwnWords] = __byte_perm(left[i], right[i], take);
}

// That are to fit a multiprocessor; 0: not said, which is another thing than one, for which kernels
// of 60 to 90 registers take 80 to 112 and the largest spill. More than six were slower: 9.96
// for 8.8 us at 3840 x 2160, as the next launch's blocks then lie on some multiprocessors alone.
template <class L, class Finish>
constexpr int kResident =
    std::is_same_v<L, WholePieces<std::uint8_t>>&& std::is_same_v<Finish, AsItIs>
        ? blocksByDevice({0, 6, 6})
        : 0;

// `fills`: whether there are more blocks than six a multiprocessor, about as many as are resident.
// Else the next launch's blocks, which begin where there is room and wait, would leave the last of
// them to a few multiprocessors: they begin when this one's are nearly done.
template <class L, int Radius, int kRows, class Finish>
__global__ void __launch_bounds__(kIsWhole<L> ? kFewerThreads : kThreads, (kResident<L, Finish>))
    networkKernel(DeviceImage in, DeviceImage out, int first, int last, FastDivide perRow,
                  std::uint32_t count, bool fills, Finish finish) {
    if (!kIsWhole<L> || fills) letNextLaunchBegin();
    waitForLaunchBefore();
    constexpr int kSide = 2 * Radius + 1;
    constexpr int kLoaded = kRows + 2 * Radius;
    static_assert(Radius <= L::kBefore && kRows % 2 == 0);
    const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;
    const int strip = int(perRow(index));
    const int x = int(index - unsigned(strip) * perRow.divisor) * L::kPixels;
    const int y = first + strip * kRows;
    const int width = in.size.width;

    std::uint32_t words[kLoaded][L::kWords];
    const std::byte* const from = in.data;
    const auto pitch = std::uint32_t(in.pitch);
    const auto rowAt = [&](int i) -> const std::byte* {
        const int row = min(max(y - Radius + i, 0), in.size.height - 1);
        // At one product of 32 bits from the first; others take more registers so.
        if constexpr (kIsWhole<L>) return from + std::uint64_t(std::uint32_t(row)) * pitch;
        return in.data + std::int64_t(row) * in.pitch;
    };
    if constexpr (kIsWhole<L>) {
        loadPieces<L>(rowAt, x, width, words);
    } else {
#pragma unroll
        for (int i = 0; i < kLoaded; ++i) loadRow<L>(rowAt(i), x, width, words[i]);
        if (x == 0 || x + L::kPixels + L::kBefore > width) {
#pragma unroll
            for (int i = 0; i < kLoaded; ++i) mendRow<L>(rowAt(i), x, width, words[i]);
        }
    }
#pragma unroll
    for (int pair = 0; pair < kRows; pair += 2) {
        Pair median[2][L::kGroups][L::kPairs];
#pragma unroll
        for (int group = 0; group < L::kGroups; ++group) {
            Pair upper[kSide][kSide], lower[kSide][kSide];  // sorted columns of both outputs
            Pair upperShared[2], lowerShared[2];
#pragma unroll
            for (int column = 0; column < L::kPairs + 2 * Radius; ++column) {
                Pair common[kSide - 1];
#pragma unroll
                for (int i = 0; i < kSide - 1; ++i)
                    common[i] = L::pairOf(words[pair + 1 + i], column - Radius, group);
                if constexpr (kSide == 3) {
                    order(common[0], common[1]);
                } else {
                    order(common[0], common[1]);
                    order(common[2], common[3]);
                    order(common[0], common[2]);
                    order(common[1], common[3]);
                    order(common[1], common[2]);
                }
#pragma unroll
                for (int c = 0; c < kSide - 1; ++c) {
#pragma unroll
                    for (int i = 0; i < kSide; ++i) {
                        upper[c][i] = upper[c + 1][i];
                        lower[c][i] = lower[c + 1][i];
                    }
                }
#pragma unroll
                for (int i = 0; i < kSide - 1; ++i)
                    upper[kSide - 1][i] = lower[kSide - 1][i] = common[i];
                upper[kSide - 1][kSide - 1] = L::pairOf(words[pair], column - Radius, group);
                lower[kSide - 1][kSide - 1] =
                    L::pairOf(words[pair + kSide], column - Radius, group);
                insertInto(upper[kSide - 1]);
                insertInto(lower[kSide - 1]);
                const int made = column - 2 * Radius;
                if (made >= 0 && made % 2 == 0) {
                    median[0][group][made] = medianOf<true>(upper, upperShared);
                    median[1][group][made] = medianOf<true>(lower, lowerShared);
                } else if (made >= 0) {
                    median[0][group][made] = medianOf<false>(upper, upperShared);
                    median[1][group][made] = medianOf<false>(lower, lowerShared);
                }
            }
        }
        if (kIsWhole<L> && !fills && pair + 2 == kRows) letNextLaunchBegin();
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            if (y + pair + k >= last) return;
            std::uint32_t packed[L::kOwnWords];
            L::pack(median[k], words[pair + k + Radius], packed);
#pragma unroll
            for (int w = 0; w < L::kOwnWords; ++w)
                packed[w] = finish(words[pair + k + Radius][L::kSideWords + w], packed[w]);
            storeWords<4 * L::kOwnWords>(out.data + std::int64_t(y + pair + k) * out.pitch +
                                             std::int64_t(x) * L::kPixelBytes,
                                         packed);
        }
    }
}

// Rows of a thread.
template <class T, int C, int Radius, bool kFew>
constexpr int kRowsOf = Radius == 1 && !kFew && C * int(sizeof(T)) < 8 ? 4 : 2;

template <class L, int Radius, int kRows, class Finish>
void runNetwork(KernelContext& context, const char* name, const DeviceImage& in,
                const DeviceImage& out, const Finish& finish) {
    const std::int64_t samples = std::int64_t(in.size.width) * (isColor(in.format) ? 4 : 1);
    const int bandRows =
        context.rowsPerLaunch(in.pitch + out.pitch, samples * (Radius == 1 ? 12 : 90));
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const FastDivide perRow(divideUp(unsigned(in.size.width), L::kPixels));
        const std::uint32_t count = perRow.divisor * divideUp(unsigned(last - first), kRows);
        const LaunchGrid grid = launchGrid(count, context.traits().multiprocessors,
                                           Radius == 1 ? kFewerThreads : kThreads);
        constexpr unsigned kBlocksEach = 6;
        const bool fills = grid.blocks > kBlocksEach * unsigned(context.traits().multiprocessors);
        launchEarly(context, name, grid.blocks, grid.threads, 0,
                    networkKernel<L, Radius, kRows, Finish>, in, out, first, last, perRow, count,
                    fills, finish);
    });
}

// Whether threads of many pixels would be too few. Those of wide pixels never have many. Rows of
// whole pieces are faster with few already: 2.3 for 2.8 us at 704 x 704, 58 threads each.
template <class T, int C>
bool isSmall(const KernelContext& context, Size size, bool whole) {
    const std::int64_t threads =
        std::int64_t(divideUp(unsigned(size.width), Layout<T, C, false>::kPixels)) *
        divideUp(unsigned(size.height), kRowsOf<T, C, 1, false>);
    return threads < std::int64_t(context.traits().multiprocessors) * (whole ? 56 : 128);
}

template <class T, int C, class Finish>
void runChosen(KernelContext& context, int radius, const char* name, const DeviceImage& in,
               const DeviceImage& out, const Finish& finish) {
    constexpr bool kHasFew = C * sizeof(T) < 8;
    using Many = Layout<T, C, false>;
    if (radius == 2) return runNetwork<Many, 2, 2>(context, name, in, out, finish);
    const bool whole = C == 1 && in.size.width % Many::kPixels == 0;
    if (kHasFew && isSmall<T, C>(context, in.size, whole))
        return runNetwork<Layout<T, C, kHasFew>, 1, kRowsOf<T, C, 1, kHasFew>>(context, name, in,
                                                                               out, finish);
    constexpr int kRows = kRowsOf<T, C, 1, false>;
    if constexpr (C == 1)
        if (whole) return runNetwork<WholePieces<T>, 1, kRows>(context, name, in, out, finish);
    runNetwork<Many, 1, kRows>(context, name, in, out, finish);
}

}  // namespace

void medianByNetwork(KernelContext& context, int radius, const DeviceImage& in,
                     const DeviceImage& out) {
    forSamples(in.format, [&]<class T, int C>() {
        runChosen<T, C>(context, radius, "median network", in, out, AsItIs());
    });
}

void despeckleByNetwork(KernelContext& context, int radius, const SpeckleRule& rule,
                        const DeviceImage& in, const DeviceImage& out) {
    const char* const name = "despeckle network";
    const WithoutSpeckles finish(rule);
    isColor(in.format) ? runChosen<std::uint8_t, 4>(context, radius, name, in, out, finish)
                       : runChosen<std::uint8_t, 1>(context, radius, name, in, out, finish);
}

// Those that only large images reach.
template <class T, int C, class Finish>
void loadLarge() {
    loadKernel(networkKernel<Layout<T, C, false>, 1, kRowsOf<T, C, 1, false>, Finish>);
    if constexpr (C == 1)
        loadKernel(networkKernel<WholePieces<T>, 1, kRowsOf<T, C, 1, false>, Finish>);
}

void loadMedianNetworks() {
    loadLarge<std::uint8_t, 1, AsItIs>();
    loadLarge<std::uint8_t, 4, AsItIs>();
    loadLarge<std::uint16_t, 1, AsItIs>();
}

void loadDespeckleNetworks() {
    loadLarge<std::uint8_t, 1, WithoutSpeckles>();
    loadLarge<std::uint8_t, 4, WithoutSpeckles>();
}

}  // namespace warpscope::cuda
