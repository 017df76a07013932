// Medians of 8-bit samples by counts of columns that slide down: of a column's samples of the
// window's rows, how many are below each multiple of 64 (bytes of a word); of those that share
// their upper two bits, below each multiple of 8 in the 64 (digits of 4 bits, of which 15 is the
// most there can be); of those that share their upper five bits, below each level. A median is
// three sums over the window's columns, each in the counts that the sum before it chose.
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/median.cuh"
#include "cuda_kernels/smoothing/window_costs.h"

namespace warpscope::cuda {
namespace {

using Word = std::uint32_t;
constexpr int kMostThreads = kMedianColumnThreads;
constexpr int kWordsEach = kMedianColumnBytes / int(sizeof(Word));
static_assert(kWordsEach == 1 + 4 + 32);

// Counts below levels 1 to 7 of eight: those above `level`. Digit k is level k + 1.
__device__ __forceinline__ Word above(Word level4) {
    return (0x11111111u << level4) & 0x0fffffffu;
}

// Two neighbouring columns of a thread. Word w of column c of a block is at
// (w * 2 + c % 2) * threads + c / 2.
template <int C, int kRadius>
struct Columns {
    static constexpr int kK = 2 * kRadius + 1, kHalf = kK * kK / 2;
    const DeviceImage& in;
    Word* own;  // of the thread's first column
    int threads, x, channel;
    Word step;
    Word *parts[2], *levels[2];  // of each of both columns
    const std::uint8_t* first;   // sample of the first row, and how far off the second column's is
    int beside;
    bool whole;
    Word quarters[2] = {0, 0};

    struct Samples {
        Word of[2];
    };

    __device__ Columns(const DeviceImage& image, Word* counts, int threadCount, int thread,
                       int left, int which)
        : in(image), own(counts + thread), threads(threadCount), x(left), channel(which) {
        const int lastX = image.size.width - 1;
        step = 2u * Word(threads);
        for (int i = 0; i < 2; ++i) {
            parts[i] = own + step + i * threads;
            levels[i] = own + 5 * step + i * threads;
        }
        const int here = min(max(left, 0), lastX);
        first = reinterpret_cast<const std::uint8_t*>(image.data) + std::int64_t(here) * C + which;
        beside = (min(max(left + 1, 0), lastX) - here) * C;
        whole = left >= 0 && left + 1 <= lastX;
    }
    __device__ __forceinline__ const std::uint8_t* row(int y) const {
        return first + std::int64_t(min(max(y, 0), in.size.height - 1)) * in.pitch;
    }
    __device__ __forceinline__ Samples load(const std::uint8_t* from) const {
        if (C == 1 && whole) {
            const Word two = *reinterpret_cast<const std::uint16_t*>(from);
            return {{two & 255u, two >> 8}};
        }
        return {{from[0], from[beside]}};
    }
    // All words that are changed are different ones: they are read before any is written.
    template <bool kMore>
    __device__ __forceinline__ void change(const Samples& samples) {
        Word* at[4];
        Word changed[4];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const Word v = samples.of[i];
            at[i] = parts[i] + (v >> 6) * step;
            at[2 + i] = levels[i] + (v >> 3) * step;
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) changed[i] = *at[i];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const Word v = samples.of[i];
            const Word a = 0x01010100u << ((v >> 3) & 0x18u);
            const Word b = above((v >> 1) & 0x1cu), c = above((v << 2) & 0x1cu);
            quarters[i] = kMore ? quarters[i] + a : quarters[i] - a;
            changed[i] = kMore ? changed[i] + b : changed[i] - b;
            changed[2 + i] = kMore ? changed[2 + i] + c : changed[2 + i] - c;
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) *at[i] = changed[i];
    }
    __device__ __forceinline__ void add(const Samples& samples) {
        change<true>(samples);
    }
    __device__ __forceinline__ void take(const Samples& samples) {
        change<false>(samples);
    }
    __device__ __forceinline__ void publish() {
        own[0] = quarters[0];
        own[threads] = quarters[1];
    }

    // Bytes that are larger than `rank`, which is below 128 more than they are where that is known.
    template <bool kLarge>
    __device__ __forceinline__ static Word larger(Word bytes, Word rank) {
        if constexpr (!kLarge) {
            return bytes + (127u - rank) * 0x01010101u;
        } else {
            const Word sign = (rank & 128u) * 0x01010101u;
            const Word low = (bytes & 0x7f7f7f7fu) + (127u - (rank & 127u)) * 0x01010101u;
            return (bytes & ~sign) | (~(bytes ^ sign) & low);
        }
    }
    // Which eighth of the counts at word `first` on of the window around column i holds sample
    // number `rank`, which becomes its number there.
    __device__ __forceinline__ Word eighth(int i, Word word, Word& rank) const {
        const Word* const even = own + word * 2 * threads;
        const Word* const odd = even + threads;
        Word all = 0, low = 0;
#pragma unroll
        for (int d = -kRadius; d <= kRadius; ++d) {
            const int c = d + i;
            const Word digits = (c & 1 ? odd : even)[c >> 1];
            all += digits;
            low += digits & 0x0f0f0f0fu;
        }
        const Word high = (all - low) >> 4;
        constexpr bool kLarge = kK * kK > 127;
        const Word flags = (larger<kLarge>(low, rank) & 0x80808080u) |
                           (larger<kLarge>(high, rank) >> 1 & 0x00404040u);
        const Word found = 7u - Word(__popc(flags));
        rank -= __byte_perm(low, high, 0x36251407u >> (4 * found)) & 255u;
        return found;
    }
    __device__ __forceinline__ Samples medians() const {
        Word sums[2];
        Word common = 0;
#pragma unroll
        for (int c = 1 - kRadius; c <= kRadius; ++c) common += own[(c & 1) * threads + (c >> 1)];
        sums[0] = common + own[(kRadius & 1) * threads + ((-kRadius) >> 1)];
        sums[1] = common + own[((kRadius + 1) & 1) * threads + ((kRadius + 1) >> 1)];
        Samples made;
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const Word flags = (sums[i] + Word(127 - kHalf) * 0x01010101u) & 0x80808000u;
            const Word quarter = 3u - Word(__popc(flags));
            Word rank = Word(kHalf) - ((sums[i] >> (8 * quarter)) & 255u);
            const Word eighthOf = eighth(i, 1 + quarter, rank);
            const Word upper = quarter * 8 + eighthOf;
            made.of[i] = upper * 8 + eighth(i, 5 + upper, rank);
        }
        return made;
    }
    __device__ __forceinline__ void store(const DeviceImage& out, int y,
                                          const Samples& made) const {
        auto* const row = reinterpret_cast<std::uint8_t*>(out.data + std::int64_t(y) * out.pitch);
        if (C == 1) {  // what lies beyond the row goes into its padding
            *reinterpret_cast<std::uint16_t*>(row + x) =
                std::uint16_t(made.of[0] | made.of[1] << 8);
        } else {
            const auto* const from =
                reinterpret_cast<const std::uint8_t*>(in.data + std::int64_t(y) * in.pitch);
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                if (x + i >= in.size.width) continue;
                const std::int64_t pixel = std::int64_t(x + i) * C;
                row[pixel + channel] = std::uint8_t(made.of[i]);
                if (channel == 0) row[pixel + 3] = from[pixel + 3];
            }
        }
    }
};

template <int C, int kRadius>
__global__ void __launch_bounds__(kMostThreads, 2)
    columnsKernel(DeviceImage in, DeviceImage out, int first, int last, int rows, int across,
                  unsigned firstBlock) {
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    Word* const counts = reinterpret_cast<Word*>(sharedBytes);
    const int threads = int(blockDim.x), thread = int(threadIdx.x);
    for (int i = thread; i < threads * 2 * kWordsEach; i += threads) counts[i] = 0;
    __syncthreads();
    constexpr int kChannels = C == 4 ? 3 : 1;
    const int block = int(firstBlock + blockIdx.x);
    const int channel = block % kChannels, place = block / kChannels;
    constexpr int kSide = medianColumnsBeside(kRadius);
    const int top = first + place / across * rows, bottom = min(last, top + rows);
    const int x = place % across * (2 * threads - 2 * kSide) - kSide + 2 * thread;
    Columns<C, kRadius> columns(in, counts, threads, thread, x, channel);
    const bool makes =
        2 * thread >= kSide && 2 * (threads - thread) - 2 >= kSide && x < in.size.width;
    for (int y = top - kRadius; y < top + kRadius; ++y) columns.add(columns.load(columns.row(y)));
    const std::uint8_t *enter = columns.row(top + kRadius), *leave = columns.row(top - kRadius);
    auto coming = columns.load(enter);
    auto leaving = coming;
    const int lastY = in.size.height - 1;
    for (int y = top; y < bottom; ++y) {
        columns.add(coming);
        if (y > top) columns.take(leaving);
        columns.publish();
        __syncthreads();
        if (y + kRadius < lastY) enter += in.pitch;
        coming = columns.load(enter);
        leaving = columns.load(leave);
        if (y >= kRadius) leave += in.pitch;
        if (makes) columns.store(out, y, columns.medians());
        __syncthreads();
    }
}

template <int C, int kRadius>
void runFor(KernelContext& context, const DeviceImage& in, const DeviceImage& out) {
    constexpr int kChannels = C == 4 ? 3 : 1;
    const DeviceTraits& traits = context.traits();
    const MedianColumns shape =
        medianColumns(in.size, kChannels, kRadius, traits.multiprocessors, traits.sharedPerBlock);
    const StripsCost strips =
        medianColumnsCost(shape, kChannels, in.pitch * 3 + out.pitch, kRadius);
    const int rows = std::min(shape.rows, strips.mostRows(limitsOf(context)));
    const std::int64_t beside = std::int64_t(shape.across) * kChannels;  // blocks
    const LaunchCut cut = cutRows(limitsOf(context), strips.ofStrips(rows, beside));
    forEachPiece(context, in.size.height, cut, beside, [&](int first, int last, int piece) {
        const BlockRange blocks(
            cut, piece, unsigned(beside) * divideUp(unsigned(last - first), unsigned(rows)));
        launchRange(context, "median columns", blocks, unsigned(shape.threads),
                    std::size_t(shape.threads) * 2 * kMedianColumnBytes, columnsKernel<C, kRadius>,
                    in, out, first, last, rows, shape.across, blocks.first);
    });
}

}  // namespace

void medianByColumns(KernelContext& context, int radius, const DeviceImage& in,
                     const DeviceImage& out) {
    const bool color = isColor(in.format);
    if (radius == 5)
        runFor<4, 5>(context, in, out);  // gray: tiles
    else if (radius == 6)
        color ? runFor<4, 6>(context, in, out) : runFor<1, 6>(context, in, out);
    else
        color ? runFor<4, 7>(context, in, out) : runFor<1, 7>(context, in, out);
}

void loadMedianColumns() {
    loadKernel(columnsKernel<4, 5>);
}

}  // namespace warpscope::cuda
