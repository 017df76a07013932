// Medians of 7x7 to 11x11 of 8-bit samples by their bits, highest first, of 32 pixels at once: a
// word holds one bit of 32 samples, so that a logical operation is 32 of them, and samples are
// counted by adders made of such operations. The 32 pixels of a word lie 8 apart. A neighbour of
// all of them is then another word and needs no shift; those of the columns beyond a tile are made
// once.
#include <bit>

#include "cuda_kernels/smoothing/median.cuh"
#include "cuda_kernels/smoothing/median_choice.h"

namespace warpscope::cuda {
namespace {

// Words and rows of a tile's output, 32 pixels a word.
constexpr int kColumns = 8, kRows = 8;
constexpr int kTileWidth = 32 * kColumns;
constexpr int kBits = 8;
// Words of a row in shared memory: the four rows of a warp lie in different banks.
constexpr int kPitch = 24;
static_assert(kColumns + 2 * kMostPlanesRadius <= kPitch && kMostPlanesRadius <= kColumns);

using Word = std::uint32_t;

__device__ __forceinline__ Word majority(Word a, Word b, Word c) {
    return (a & b) | (a & c) | (b & c);
}

template <int kStep>
__device__ __forceinline__ void swapBits(Word& a, Word& b, Word mask) {
    const Word low = (a & mask) | (b & mask) << kStep;
    b = (a >> kStep & mask) | (b & ~mask);
    a = low;
}

// Bit i of word k becomes bit k of word i.
__device__ __forceinline__ void transpose(Word (&words)[32]) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
        const Word a = words[i], b = words[i + 16];
        words[i] = __byte_perm(a, b, 0x5410);
        words[i + 16] = __byte_perm(a, b, 0x7632);
    }
#pragma unroll
    for (int i = 0; i < 32; ++i) {
        if (i & 8) continue;
        const Word a = words[i], b = words[i + 8];
        words[i] = __byte_perm(a, b, 0x6240);
        words[i + 8] = __byte_perm(a, b, 0x7351);
    }
#pragma unroll
    for (int i = 0; i < 32; ++i)
        if (!(i & 4)) swapBits<4>(words[i], words[i + 4], 0x0f0f0f0fu);
#pragma unroll
    for (int i = 0; i < 32; ++i)
        if (!(i & 2)) swapBits<2>(words[i], words[i + 2], 0x33333333u);
#pragma unroll
    for (int i = 0; i < 32; ++i)
        if (!(i & 1)) swapBits<1>(words[i], words[i + 1], 0x55555555u);
}

// 32 numbers of some bits.
template <int kCount>
struct Numbers {
    static constexpr int kDigits = std::bit_width(unsigned(kCount));
    Word digit[kDigits];
};

// How many of the samples kFirst to kFirst + kCount - 1 are 1, of each of 32 pixels: two halves and
// one more as the carry. sample.operator()<i>() is called once each.
template <int kFirst, int kCount, class Sample>
__device__ __forceinline__ Numbers<kCount> countOnes(Sample& sample) {
    Numbers<kCount> all;
    if constexpr (kCount == 1) {
        all.digit[0] = sample.template operator()<kFirst>();
    } else if constexpr (kCount == 2) {
        const Word a = sample.template operator()<kFirst>();
        const Word b = sample.template operator()<kFirst + 1>();
        all.digit[0] = a ^ b;
        all.digit[1] = a & b;
    } else {
        constexpr int kLeft = kCount / 2, kRight = kCount - 1 - kLeft;
        const auto left = countOnes<kFirst, kLeft>(sample);
        const auto right = countOnes<kFirst + kLeft, kRight>(sample);
        Word carry = sample.template operator()<kFirst + kCount - 1>();
#pragma unroll
        for (int i = 0; i < left.kDigits; ++i) {
            const Word a = left.digit[i], b = i < right.kDigits ? right.digit[i] : 0;
            all.digit[i] = a ^ b ^ carry;
            carry = majority(a, b, carry);
        }
        if constexpr (all.kDigits > left.kDigits) all.digit[left.kDigits] = carry;
    }
    return all;
}

template <int C, int kRadius>
struct Tile {
    static constexpr int kChannels = C == 4 ? 3 : 1;
    static constexpr int kThreads = kColumns * kRows * kChannels;
    static constexpr int kTileRows = kRows + 2 * kRadius;
    static constexpr int kPlane = kPitch * kTileRows;  // words of a bit of a channel
    static constexpr int kSide = 2 * kRadius + 1, kSamples = kSide * kSide;
    // Whether registers are enough for what a thread is just finding out, too.
    static constexpr bool kKeepsZeros = kSamples <= 81;
    static constexpr int kPlaneWords = kChannels * kBits * kPlane;
    static constexpr int kResultWords = kChannels * kBits * kRows * kColumns;
    static constexpr std::size_t kSharedBytes = (kPlaneWords + kResultWords) * sizeof(Word);
    static_assert(kSharedBytes <= 48 * 1024);  // which every device has
};

template <class T>
__device__ __forceinline__ const T* rowOf(const DeviceImage& image, int y) {
    return reinterpret_cast<const T*>(
        image.data + std::int64_t(min(max(y, 0), image.size.height - 1)) * image.pitch);
}

// Four gray pixels or one of colour, those beyond the right edge repeated.
template <int C>
__device__ __forceinline__ Word pixelsAt(const DeviceImage& in, int x, int y) {
    const int lastX = in.size.width - 1;
    if constexpr (C == 4) {
        return __ldg(rowOf<Word>(in, y) + min(x, lastX));
    } else {
        const auto* row = rowOf<std::uint8_t>(in, y);
        if (x + 3 <= lastX) return __ldg(reinterpret_cast<const Word*>(row + x));
        Word four = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i) four |= Word(__ldg(row + min(x + i, lastX))) << (8 * i);
        return four;
    }
}

// planes[channel][bit][row][column], column kRadius being the tile's first.
template <int C, int kRadius>
__device__ __forceinline__ void makePlanes(const DeviceImage& in, int left, int top, Word* planes) {
    using T = Tile<C, kRadius>;
    constexpr int kEach = C == 4 ? 1 : 4;  // columns that are made at once
    constexpr int kItems = T::kTileRows * kColumns / kEach;
    for (int item = int(threadIdx.x); item < kItems; item += T::kThreads) {
        const int row = item / (kColumns / kEach), column = item % (kColumns / kEach) * kEach;
        Word words[32];
#pragma unroll
        for (int i = 0; i < 32; ++i)
            words[i] = pixelsAt<C>(in, left + i * kColumns + column, top - kRadius + row);
        transpose(words);
        Word* const to = planes + row * kPitch + kRadius + column;
#pragma unroll
        for (int i = 0; i < (C == 4 ? 24 : 32); ++i) {
            if constexpr (C == 4)
                to[i * T::kPlane] = words[i];
            else
                to[i % kBits * T::kPlane + i / kBits] = words[i];
        }
    }
    __syncthreads();
    // Columns beside the tile: those of the other side, one pixel further on.
    constexpr int kBeside = T::kTileRows * 2 * kRadius;
    for (int item = int(threadIdx.x); item < kBeside * T::kChannels; item += T::kThreads) {
        const int channel = item / kBeside, row = item % kBeside / (2 * kRadius);
        const int k = item % (2 * kRadius);
        const bool before = k < kRadius;
        const int column = before ? k : kColumns + k;
        const int x = before ? left + k - kRadius : left + kTileWidth + k - kRadius;
        const auto sample =
            Word(__ldg(rowOf<std::uint8_t>(in, top - kRadius + row) +
                       std::int64_t(min(max(x, 0), in.size.width - 1)) * C + channel));
        Word* const line = planes + channel * kBits * T::kPlane + row * kPitch;
#pragma unroll
        for (int bit = 0; bit < kBits; ++bit) {
            Word* const plane = line + bit * T::kPlane;
            const Word one = sample >> bit & 1u;
            plane[column] = before ? plane[column + kColumns] << 1 | one
                                   : plane[column - kColumns] >> 1 | one << 31;
        }
    }
    __syncthreads();
}

// Those with a 0 in this place.
template <class T>
struct ZeroOf {
    Word (&candidates)[T::kSamples];  // which may still be the median
    const Word* plane;
    Word kept[T::kKeepsZeros ? T::kSamples : 1];

    __device__ __forceinline__ Word bit(int i) const {
        return plane[i / T::kSide * kPitch + i % T::kSide];
    }
    template <int i>
    __device__ __forceinline__ Word operator()() {
        const Word zero = candidates[i] & ~bit(i);
        if constexpr (T::kKeepsZeros) kept[i] = zero;
        return zero;
    }
    // Only those with the median's bit go on.
    __device__ __forceinline__ void decide(Word median) {
#pragma unroll
        for (int i = 0; i < T::kSamples; ++i) {
            const Word candidate = candidates[i];
            if constexpr (T::kKeepsZeros)
                candidates[i] = kept[i] ^ (median & candidate);
            else
                candidates[i] = candidate & ~(bit(i) ^ median);
        }
    }
};

// Tiles of output rows from `first` on are numbered along the rows.
template <int C, int kRadius>
__global__ void __launch_bounds__(Tile<C, kRadius>::kThreads)
    planesKernel(DeviceImage in, DeviceImage out, int first, int last, FastDivide tilesPerRow) {
    using T = Tile<C, kRadius>;
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    Word* const planes = reinterpret_cast<Word*>(sharedBytes);
    Word* const results = planes + T::kPlaneWords;  // [channel][bit][row][column]
    const int line = int(tilesPerRow(blockIdx.x));
    const int left = int(blockIdx.x - unsigned(line) * tilesPerRow.divisor) * kTileWidth;
    const int top = first + line * kRows;
    makePlanes<C, kRadius>(in, left, top, planes);

    constexpr int kPlace = kRows * kColumns;
    const int thread = int(threadIdx.x), channel = thread / kPlace, place = thread % kPlace;
    Word candidates[T::kSamples];  // of the samples around 32 pixels
#pragma unroll
    for (int i = 0; i < T::kSamples; ++i) candidates[i] = ~Word(0);
    // Of the candidates that many are before the median.
    using Count = Numbers<T::kSamples>;
    Count rank;
#pragma unroll
    for (int i = 0; i < Count::kDigits; ++i)
        rank.digit[i] = T::kSamples / 2 >> i & 1 ? ~Word(0) : 0;
    const Word* plane = planes + (channel * kBits + kBits - 1) * T::kPlane +
                        place / kColumns * kPitch + place % kColumns;
    Word* result = results + (channel * kBits + kBits - 1) * kPlace + place;
#pragma unroll 1
    for (int bit = kBits - 1; bit >= 0; --bit) {
        ZeroOf<T> zeroOf{candidates, plane, {}};
        const Count zeros = countOnes<0, T::kSamples>(zeroOf);
        // The median is a 1 where no more than `rank` have a 0.
        Count rest;
        Word below = 0;
#pragma unroll
        for (int i = 0; i < Count::kDigits; ++i) {
            rest.digit[i] = rank.digit[i] ^ zeros.digit[i] ^ below;
            below = majority(~rank.digit[i], zeros.digit[i], below);
        }
#pragma unroll
        for (int i = 0; i < Count::kDigits; ++i)
            rank.digit[i] = (rank.digit[i] & below) | (rest.digit[i] & ~below);
        *result = ~below;
        zeroOf.decide(~below);
        plane -= T::kPlane;
        result -= kPlace;
    }
    __syncthreads();

    constexpr int kEach = C == 4 ? 1 : 4;
    for (int item = thread; item < kPlace / kEach; item += T::kThreads) {
        const int row = item * kEach / kColumns, column = item * kEach % kColumns;
        if (top + row >= last) continue;
        Word words[32];
#pragma unroll
        for (int i = 0; i < 32; ++i) {
            const Word* from = results + row * kColumns + column;
            if constexpr (C == 4)
                words[i] = i < 24 ? from[i * kPlace] : 0;
            else
                words[i] = from[i % kBits * kPlace + i / kBits];
        }
        transpose(words);
#pragma unroll
        for (int i = 0; i < 32; ++i) {
            const int x = left + i * kColumns + column;
            if (x >= in.size.width) continue;
            Word made = words[i];
            if constexpr (C == 4) made |= pixelsAt<C>(in, x, top + row) & 0xff000000u;
            // What lies beyond the row goes into its padding.
            *reinterpret_cast<Word*>(out.data + std::int64_t(top + row) * out.pitch +
                                     std::int64_t(x) * C) = made;
        }
    }
}

template <int C, int kRadius>
void runFor(KernelContext& context, const DeviceImage& in, const DeviceImage& out) {
    using T = Tile<C, kRadius>;
    const FastDivide tiles(divideUp(unsigned(in.size.width), kTileWidth));
    // A multiplication is worth two of these operations.
    const std::int64_t work =
        std::int64_t(tiles.divisor) * kColumns * T::kChannels * kBits * T::kSamples * 3;
    const int bandRows =
        std::max(kRows, context.rowsPerLaunch(in.pitch * 3 + out.pitch, work) / kRows * kRows);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        launch(context, "median planes", tiles.divisor * divideUp(unsigned(last - first), kRows),
               T::kThreads, T::kSharedBytes, planesKernel<C, kRadius>, in, out, first, last, tiles);
    });
}

}  // namespace

void medianByPlanes(KernelContext& context, int radius, const DeviceImage& in,
                    const DeviceImage& out) {
    const bool color = isColor(in.format);
    if (radius == 3)
        color ? runFor<4, 3>(context, in, out) : runFor<1, 3>(context, in, out);
    else if (radius == 4)
        color ? runFor<4, 4>(context, in, out) : runFor<1, 4>(context, in, out);
    else
        color ? runFor<4, 5>(context, in, out) : runFor<1, 5>(context, in, out);
}

// Radius 5 is for devices on which tiny images take planes.
void loadMedianPlanes() {
    loadKernel(planesKernel<1, 3>);
    loadKernel(planesKernel<4, 3>);
    loadKernel(planesKernel<1, 4>);
    loadKernel(planesKernel<4, 4>);
}

}  // namespace warpscope::cuda
