// Extremes over squares by threes: over three samples, over nine, and of three such pieces that
// together cover a window. Threads beside each other march down the columns of a tile, each row of
// which is loaded once; then each thread goes along a piece of one of the tile's rows; at last
// threads beside each other make words of the image. Repeated edges change nothing: they lie in the
// window themselves.
//
// Two samples are compared at a time, in the upper bytes of the halves of a word. What the lower
// ones hold decides only between equal ones.
#include "cuda_kernels/morphology/square_tiles.cuh"

#include <algorithm>

#include "cuda_kernels/runtime/tile_rows.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128;
constexpr int kRows = 16;                       // of a tile
constexpr int kPieces = int(kThreads) / kRows;  // of a row

// A word of the image is four gray pixels or one of colour.
template <int C>
struct Shape {
    static constexpr int kWords = C == 1 ? 1 : 2;  // of a thread
    static constexpr int kWordPixels = C == 1 ? 4 : 1;
    static constexpr int kWide = int(kThreads) * kWords;
    // Lanes are in rows below each other: that many words apart they meet few banks twice.
    static constexpr int kPitch = kWide + kWords;
};

// How a window is made of three pieces of `length` samples, which begin at 0, middle and end.
struct Threes {
    int length, middle, end;

    explicit Threes(int radius) : length(radius < 4 ? 3 : 9) {
        end = 2 * radius + 1 - length;
        middle = (end + 1) / 2;
    }
};
constexpr int kMostRadius = 13;

struct SquareTiles {
    int radius, middle, end;
    int rows;    // of a block, a multiple of kRows
    int words;   // of a row of a tile that are made
    int across;  // words of a row whose pieces are made
    FastDivide strips;
};

template <int C>
SquareTiles tilesFor(int radius) {
    using S = Shape<C>;
    const Threes threes(radius);
    SquareTiles tiles{};
    tiles.radius = radius;
    tiles.middle = threes.middle;
    tiles.end = threes.end;
    // Windows of gray pixels begin inside a word; a piece reaches over some words.
    const int begin = C == 1 ? -radius & 3 : 0;
    const int beyond = C == 1 ? (begin + threes.end) / 4 + 1 : threes.end;
    const int reach = C == 1 ? (threes.length == 3 ? 1 : 3) : threes.length - 1;
    tiles.words = (S::kWide - beyond - reach) / 8 * 8;
    tiles.across = tiles.words + beyond;
    return tiles;
}

template <bool kMost>
__device__ __forceinline__ std::uint32_t best(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return kMost ? __vimax3_u16x2(a, b, c) : __vimin3_u16x2(a, b, c);
#else
    return kMost ? __vmaxu2(__vmaxu2(a, b), c) : __vminu2(__vminu2(a, b), c);
#endif
}

// The bytes of a word, each in the upper one of a half.
struct Halves {
    std::uint32_t even = 0, odd = 0;

    Halves() = default;
    __device__ __forceinline__ explicit Halves(std::uint32_t word) : even(word << 8), odd(word) {}
    __device__ __forceinline__ std::uint32_t word() const { return __byte_perm(even, odd, 0x7351); }
};

template <bool kMost>
__device__ __forceinline__ Halves best(const Halves& a, const Halves& b, const Halves& c) {
    Halves made;
    made.even = best<kMost>(a.even, b.even, c.even);
    made.odd = best<kMost>(a.odd, b.odd, c.odd);
    return made;
}

// Extremes over the last kLength samples of a sequence.
template <bool kMost, int kLength>
class Running {
  public:
    __device__ __forceinline__ Halves next(const Halves& sample) {
        const Halves three = best<kMost>(m_samples[0], m_samples[1], sample);
        m_samples[0] = m_samples[1];
        m_samples[1] = sample;
        if constexpr (kLength == 3) return three;
        const Halves nine = best<kMost>(m_threes[0], m_threes[3], three);
#pragma unroll
        for (int i = 0; i < 5; ++i) m_threes[i] = m_threes[i + 1];
        m_threes[5] = three;
        return nine;
    }

  private:
    Halves m_samples[2], m_threes[6];
};

// Of the halves of two words those in the middle.
__device__ __forceinline__ std::uint32_t across(std::uint32_t a, std::uint32_t b) {
    return __byte_perm(a, b, 0x5432);
}

// Extremes over the kLength pixels from each of `count` gray words on.
template <bool kMost, int kLength>
__device__ __forceinline__ void goAlongGray(const std::uint32_t* row, std::uint32_t* pieces,
                                            int count) {
    Halves here(row[0]);
    // Over three pixels from those of the word `here` on.
    const auto three = [&](std::uint32_t nextWord) {
        const Halves next(nextWord);
        const std::uint32_t even = across(here.even, next.even);
        Halves made;
        made.even = best<kMost>(here.even, here.odd, even);
        made.odd = best<kMost>(here.odd, even, across(here.odd, next.odd));
        here = next;
        return made;
    };
    if constexpr (kLength == 3) {
#pragma unroll 4
        for (int i = 0; i < count; ++i) pieces[i] = three(row[i + 1]).word();
        return;
    }
    Halves first = three(row[1]), second = three(row[2]);
    std::uint32_t odd = across(first.odd, second.odd);
#pragma unroll 4
    for (int i = 0; i < count; ++i) {
        const Halves third = three(row[i + 3]);
        const std::uint32_t nextOdd = across(second.odd, third.odd);
        Halves made;
        made.even = best<kMost>(first.even, odd, across(second.even, third.even));
        made.odd = best<kMost>(first.odd, second.even, nextOdd);
        pieces[i] = made.word();
        first = second;
        second = third;
        odd = nextOdd;
    }
}

template <bool kMost, int kLength>
__device__ __forceinline__ void goAlongColour(const std::uint32_t* row, std::uint32_t* pieces,
                                              int count) {
    Running<kMost, kLength> running;
#pragma unroll
    for (int i = 0; i + 1 < kLength; ++i) running.next(Halves(row[i]));
#pragma unroll 8
    for (int i = 0; i < count; ++i) pieces[i] = running.next(Halves(row[i + kLength - 1])).word();
}

// Extremes of one kind of a tile. Rows of it are those over the last kLength rows of the image;
// what a window ends with is `end` rows below what it begins with, so that those of windows take
// the place of the latter.
template <int C, bool kMost, int kLength>
class TileExtremes {
    using S = Shape<C>;

  public:
    __device__ __forceinline__ explicit TileExtremes(std::uint32_t* room) : m_room(room) {}

    __device__ __forceinline__ void take(const std::uint32_t (&words)[S::kWords], int row) {
#pragma unroll
        for (int w = 0; w < S::kWords; ++w) {
            const Halves last = m_running[w].next(Halves(words[w]));
            if (row >= 0) *at(row, w) = last.word();
        }
    }
    __device__ __forceinline__ void takeAndMake(const std::uint32_t (&words)[S::kWords], int row,
                                                int middle, int end) {
#pragma unroll
        for (int w = 0; w < S::kWords; ++w) {
            const Halves last = m_running[w].next(Halves(words[w]));
            *at(row + end, w) = last.word();
            const Halves begin(*at(row, w)), between(*at(row + middle, w));
            *at(row, w) = best<kMost>(begin, between, last).word();
        }
    }
    // Once nobody needs the windows' any longer.
    __device__ __forceinline__ void keepLast(int end) const {
        for (int row = 0; row < end; ++row)
#pragma unroll
            for (int w = 0; w < S::kWords; ++w) *at(row, w) = *at(row + kRows, w);
    }
    // From those of columns to pieces along rows, a thread a piece of a row.
    __device__ __forceinline__ void goAlong(std::uint32_t* pieces, int across) const {
        // Of colour an odd number, for the lanes of the next piece to meet other banks.
        const int each = (across + kPieces - 1) / kPieces | (C == 1 ? 0 : 1);
        const int row = int(threadIdx.x) % kRows, begin = int(threadIdx.x) / kRows * each;
        const int offset = row * S::kPitch + begin, count = min(each, across - begin);
        if (count <= 0) return;
        if constexpr (C == 1)
            goAlongGray<kMost, kLength>(m_room + offset, pieces + offset, count);
        else
            goAlongColour<kMost, kLength>(m_room + offset, pieces + offset, count);
    }

  private:
    __device__ __forceinline__ std::uint32_t* at(int row, int w) const {
        return m_room + row * S::kPitch + int(threadIdx.x) + w * int(kThreads);
    }

    std::uint32_t* m_room;
    Running<kMost, kLength> m_running[S::kWords];
};

// Of the windows of a word, from pieces.
template <int C, bool kMost>
__device__ __forceinline__ std::uint32_t windows(const std::uint32_t* pieces, int begin, int middle,
                                                 int end) {
    const auto from = [&](int pixel) {
        if constexpr (C == 4) return Halves(pieces[pixel]);
        const std::uint32_t* const two = pieces + pixel / 4;
        return Halves(__funnelshift_r(two[0], two[1], unsigned(pixel % 4) * 8));
    };
    return best<kMost>(from(begin), from(begin + middle), from(begin + end)).word();
}

// Blocks of a multiprocessor that registers are to leave room for. Where extremes of three are no
// instruction the assembler spills to fit as many.
constexpr int blocksFor(SquareOf what) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    return 1;
#else
    return what == SquareOf::Difference ? 3 : 4;
#endif
}

// Output rows [first, last); tiles are numbered along the rows.
template <int C, SquareOf kWhat, int kLength>
__global__ void __launch_bounds__(kThreads, blocksFor(kWhat))
    squareTilesKernel(DeviceImage in, DeviceImage out, int first, int last, SquareTiles tiles) {
    using S = Shape<C>;
    constexpr int kWords = S::kWords, kFetched = 12, kAhead = kRows / kWords;
    constexpr bool kBoth = kWhat == SquareOf::Difference, kMost = kWhat != SquareOf::Least;
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    const int thread = int(threadIdx.x), radius = tiles.radius;
    auto* const room = reinterpret_cast<std::uint32_t*>(sharedBytes);
    std::uint32_t* const leastRoom = room + (kRows + tiles.end) * S::kPitch;
    std::uint32_t* const pieces = kBoth ? leastRoom + (kRows + tiles.end) * S::kPitch : leastRoom;
    const std::uint32_t down = tiles.strips(blockIdx.x);
    const int strip = int(blockIdx.x - down * tiles.strips.divisor);
    const int top = first + int(down) * tiles.rows, bottom = min(top + tiles.rows, last);
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const int madeX = strip * tiles.words * S::kWordPixels;
    const int before = (radius + S::kWordPixels - 1) / S::kWordPixels;

    // Words beyond an edge are made of the one at the edge.
    const std::byte* from[kWords];
    std::uint32_t taken = 0x3210u;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
        const int x = madeX + (thread + w * int(kThreads) - before) * S::kWordPixels;
        const int inside = min(max(x, 0), lastX / S::kWordPixels * S::kWordPixels);
        from[w] = in.data + std::int64_t(inside) * C;
#ifdef __CUDA_ARCH__
        // Else in.data is added once a load.
        asm("" : "+l"(from[w]));
#endif
        if constexpr (C == 1) {
            const int kept = x < 0 ? 0 : min(max(lastX + 1 - x, 0), 4);
            const int edge = x < 0 ? 0 : min(lastX - inside, 3);
            const std::uint32_t outside = kept == 4 ? 0 : 0xffffu << (4 * kept) & 0xffffu;
            taken = (taken & ~outside) | (std::uint32_t(edge) * 0x1111u & outside);
        }
    }
    // A row is at one product of 32 bits from the first.
    const auto pitch = std::uint32_t(in.pitch);
    const auto fetch = [&](int y, std::uint32_t(&words)[kWords]) {
#pragma unroll
        for (int w = 0; w < kWords; ++w)
            words[w] = __ldg(reinterpret_cast<const std::uint32_t*>(
                from[w] + std::uint64_t(std::uint32_t(y)) * pitch));
    };
    const auto mend = [&](std::uint32_t(&words)[kWords]) {
        if constexpr (C == 1) words[0] = __byte_perm(words[0], 0, taken);
    };
    // Rows are under way while threads go along those of the tile before: all of a tile, of colour
    // half of them.
    std::uint32_t come[kAhead][kWords];
    const auto fetchAhead = [&](int y) {
#pragma unroll
        for (int k = 0; k < kAhead; ++k) fetch(min(y + k + radius, lastY), come[k]);
    };
    fetchAhead(top);
    TileExtremes<C, kMost, kLength> extremes(room);
    TileExtremes<C, false, kLength> least(leastRoom);
    // Up to the last row but one of the first window; some more above do no harm.
    for (int k = -(2 * radius + kFetched - 1) / kFetched * kFetched; k < 0; k += kFetched) {
        std::uint32_t words[kFetched][kWords];
#pragma unroll
        for (int i = 0; i < kFetched; ++i)
            fetch(min(max(top + radius + k + i, 0), lastY), words[i]);
#pragma unroll
        for (int i = 0; i < kFetched; ++i) {
            mend(words[i]);
            extremes.take(words[i], tiles.end + k + i);
            if constexpr (kBoth) least.take(words[i], tiles.end + k + i);
        }
    }

    const int begin = C == 1 ? -radius & 3 : 0;
    for (int y = top; y < bottom; y += kRows) {
#pragma unroll
        for (int ahead = 0; ahead < kRows; ahead += kAhead) {
#pragma unroll
            for (int k = 0; k < kAhead; ++k) {
                mend(come[k]);
                extremes.takeAndMake(come[k], ahead + k, tiles.middle, tiles.end);
                if constexpr (kBoth) least.takeAndMake(come[k], ahead + k, tiles.middle, tiles.end);
            }
            if (y + ahead + kAhead < bottom) fetchAhead(y + ahead + kAhead);
        }
        __syncthreads();
        extremes.goAlong(pieces, tiles.across);
        if constexpr (kBoth) {
            // Where the windows' largest were.
            __syncthreads();
            least.goAlong(room, tiles.across);
        }
        __syncthreads();
        // A thread takes a column of words, of colour two. What lies beyond the row goes into its
        // padding.
#pragma unroll
        for (int w = 0; w < kWords; ++w) {
            const int word = thread + w * int(kThreads), x = madeX + word * S::kWordPixels;
            if (word >= tiles.words || x > lastX) continue;
            const std::int64_t at = std::int64_t(x) * C;
            const std::byte* own = in.data + std::int64_t(y) * in.pitch + at;
            std::byte* to = out.data + std::int64_t(y) * out.pitch + at;
            int place = word;
#pragma unroll 8
            for (int k = min(kRows, bottom - y); k > 0; --k) {
                std::uint32_t made =
                    windows<C, kMost>(pieces + place, begin, tiles.middle, tiles.end);
                // No byte is below the one that is taken from it.
                if constexpr (kBoth)
                    made -= windows<C, false>(room + place, begin, tiles.middle, tiles.end);
                if constexpr (C == 4) {
                    const std::uint32_t centre = __ldg(reinterpret_cast<const std::uint32_t*>(own));
                    made = (made & 0x00ffffffu) | (centre & 0xff000000u);
                    own += in.pitch;
                }
                *reinterpret_cast<std::uint32_t*>(to) = made;
                to += out.pitch;
                place += S::kPitch;
            }
        }
        if (y + kRows >= bottom) return;
        // Pieces of the smallest are where the largest are kept.
        if constexpr (kBoth) __syncthreads();
        extremes.keepLast(tiles.end);
        if constexpr (kBoth) least.keepLast(tiles.end);
    }
}

template <int C>
std::size_t sharedBytesOf(const SquareTiles& tiles, SquareOf what) {
    const int rows = kRows + tiles.end;
    return std::size_t(what == SquareOf::Difference ? 2 * rows + kRows : rows + kRows) *
           Shape<C>::kPitch * 4;
}

template <int C>
bool fits(const KernelContext& context, int radius, SquareOf what, Size size) {
    const SquareTiles tiles = tilesFor<C>(radius);
    constexpr std::size_t kReserved = 1024;  // of each block
    const auto blocks = std::size_t(blocksFor(what));
    const unsigned across =
        divideUp(unsigned(size.width), unsigned(tiles.words * Shape<C>::kWordPixels));
    return (sharedBytesOf<C>(tiles, what) + kReserved) * blocks <=
               context.traits().sharedPerBlock + kReserved &&
           tilesFill(kRows, int(across), size.height, context.traits().multiprocessors);
}

template <int C, SquareOf kWhat>
void runFor(KernelContext& context, int radius, const DeviceImage& in, const DeviceImage& out) {
    using S = Shape<C>;
    SquareTiles tiles = tilesFor<C>(radius);
    const unsigned across =
        divideUp(unsigned(in.size.width), unsigned(tiles.words * S::kWordPixels));
    const int most =
        context.rowsPerLaunch(in.pitch * 4 + out.pitch, std::int64_t(across) * S::kWide * 4 * 16);
    const int wanted = tileRowsFor(kRows, 2 * radius, int(across), in.size.height,
                                   context.traits().multiprocessors);
    tiles.strips = FastDivide(across);
    tiles.rows = std::max(kRows, std::min(wanted, most / kRows * kRows));
    const int bandRows = std::max(tiles.rows, most / tiles.rows * tiles.rows);
    void (*const kernel)(DeviceImage, DeviceImage, int, int, SquareTiles) =
        radius < 4 ? squareTilesKernel<C, kWhat, 3> : squareTilesKernel<C, kWhat, 9>;
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        launch(context, "morphology square", across * divideUp(unsigned(last - first), tiles.rows),
               kThreads, sharedBytesOf<C>(tiles, kWhat), kernel, in, out, first, last, tiles);
    });
}

template <int C>
void runFor(KernelContext& context, int radius, SquareOf what, const DeviceImage& in,
            const DeviceImage& out) {
    switch (what) {
        case SquareOf::Least:
            return runFor<C, SquareOf::Least>(context, radius, in, out);
        case SquareOf::Most:
            return runFor<C, SquareOf::Most>(context, radius, in, out);
        case SquareOf::Difference:
            return runFor<C, SquareOf::Difference>(context, radius, in, out);
    }
}

template <int C, SquareOf kWhat>
void loadFor() {
    loadKernel(squareTilesKernel<C, kWhat, 3>);
    loadKernel(squareTilesKernel<C, kWhat, 9>);
}

}  // namespace

bool fitsSquareTiles(const KernelContext& context, PixelFormat format, int radius, SquareOf what,
                     Size size) {
    // Elsewhere extremes of three are no instruction: strips (square.cu) take fewer of two.
    if (context.traits().major < 9) return false;
    if (isFloat(format) || bytesPerSample(format) != 1 || radius > kMostRadius) return false;
    // Strips take less for small squares of colour: 37.5 us for 40.3 at 4K and radius 3 on an H100.
    if (isColor(format) && radius < 6) return false;
    return isColor(format) ? fits<4>(context, radius, what, size)
                           : fits<1>(context, radius, what, size);
}

void runSquareTiles(KernelContext& context, int radius, SquareOf what, const DeviceImage& in,
                    const DeviceImage& out) {
    isColor(in.format) ? runFor<4>(context, radius, what, in, out)
                       : runFor<1>(context, radius, what, in, out);
}

void loadSquareTiles() {
    loadFor<1, SquareOf::Least>();
    loadFor<1, SquareOf::Most>();
    loadFor<1, SquareOf::Difference>();
    loadFor<4, SquareOf::Least>();
    loadFor<4, SquareOf::Most>();
    loadFor<4, SquareOf::Difference>();
}

}  // namespace warpscope::cuda
