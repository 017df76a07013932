// Medians of 8-bit samples by counts of columns that slide down: of a column's samples of the
// window's rows, how many are below each multiple of 64 (bytes of a word); of those that share
// their upper two bits, below each multiple of 8 in the 64 (digits of 4 bits, of which 15 is the
// most there can be); of those that share their upper five bits, below each level. A median is
// three sums over the window's columns, each in the counts that the sum before it chose. Levels are
// counted from the highest, and counts lie from the largest to the smallest: what a sample adds is
// a shift to the right, and how many counts are too large is the digit of the level that is looked
// for and the place of the count below it.
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/median.cuh"
#include "cuda_kernels/smoothing/window_costs.h"

namespace warpscope::cuda {
namespace {

using Word = std::uint32_t;
constexpr int kWordsEach = kMedianColumnBytes / int(sizeof(Word));
static_assert(kWordsEach == 1 + 4 + 32);

// Two neighbouring columns of a thread. Word w of column c of a block is at
// (w * 2 + c % 2) * threads + c / 2.
template <int C, int kRadius>
struct Columns {
    static constexpr int kK = 2 * kRadius + 1, kHalf = kK * kK / 2;
    const DeviceImage& in;
    unsigned char* counts;  // of the block; places are offsets in it, in bytes
    int own;                // place of the thread's first column
    int row, step;          // bytes from a column to the one beside it, from a word to the next
    int x, channel;
    const std::uint8_t* first;  // sample of the first row, and how far off the second column's is
    int beside;
    Word samplesAt[2];              // of gray: where in two bytes
    int parts[2], levels[2], back;  // places of the last word of each of both columns
    Word ones;                      // the counts that a sample of the first level adds to
    Word quarters[2] = {0, 0};

    struct Samples {  // counted from the highest level
        Word of[2];
    };

    __device__ Columns(const DeviceImage& image, unsigned char* sharedCounts, int threads,
                       int thread, int left, int which)
        : in(image),
          counts(sharedCounts),
          own(4 * thread),
          row(4 * threads),
          step(8 * threads),
          x(left),
          channel(which) {
        const int lastX = image.size.width - 1;
        const auto* const data = reinterpret_cast<const std::uint8_t*>(image.data);
        const int here = min(max(left, 0), lastX), next = min(max(left + 1, 0), lastX);
        first = data + std::int64_t(here) * C + which;
        beside = (next - here) * C;
        if constexpr (C == 1) {  // what lies beyond a row is read from its padding
            first = data + (here & ~1);
            samplesAt[0] = 0x4440u | Word(here & 1);
            samplesAt[1] = 0x4440u | Word(next & 1);
        }
        ones = 0x01111111u * blockDim.z;  // unknown to the compiler, which would load it each time
        for (int i = 0; i < 2; ++i) {
            parts[i] = own + i * row + 4 * step;
            levels[i] = own + i * row + 36 * step;
            asm volatile("" : "+r"(parts[i]), "+r"(levels[i]));
        }
        back = -step;
        asm volatile("" : "+r"(back));
    }
    __device__ __forceinline__ const std::uint8_t* rowAt(int y) const {
        return first + std::int64_t(min(max(y, 0), in.size.height - 1)) * in.pitch;
    }
    __device__ __forceinline__ Samples load(const std::uint8_t* from) const {
        if constexpr (C == 1) {
            const Word two = *reinterpret_cast<const std::uint16_t*>(from) ^ 0xffffu;
            return {{__byte_perm(two, 0, samplesAt[0]), __byte_perm(two, 0, samplesAt[1])}};
        }
        return {{from[0] ^ 255u, from[beside] ^ 255u}};
    }
    __device__ __forceinline__ Word& at(int place) const {
        return *reinterpret_cast<Word*>(counts + place);
    }
    // Which the compiler does not know: with the multiplication that follows it would make two
    // operations of the integer unit, where there is one and a multiplication.
    __device__ __forceinline__ static Word shifted(Word value, int by) {
        Word made;
        asm("shr.u32 %0, %1, %2;" : "=r"(made) : "r"(value), "r"(by));
        return made;
    }
    // All words that are changed are different ones: they are read before any is written.
    template <bool kMore>
    __device__ __forceinline__ void change(const Samples& samples) {
        int places[4];
        Word changed[4], upper[2], quarter[2];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            upper[i] = shifted(samples.of[i], 3);
            quarter[i] = shifted(samples.of[i], 6);
            places[i] = parts[i] + int(quarter[i]) * back;
            places[2 + i] = levels[i] + int(upper[i]) * back;
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) changed[i] = at(places[i]);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const Word v = samples.of[i];
            const Word a = 0x00010101u >> (quarter[i] * 8);
            const Word b = counted(upper[i] * 4), c = counted(v * 4);
            quarters[i] = kMore ? quarters[i] + a : quarters[i] - a;
            changed[i] = kMore ? changed[i] + b : changed[i] - b;
            changed[2 + i] = kMore ? changed[2 + i] + c : changed[2 + i] - c;
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) at(places[i]) = changed[i];
    }
    // What a sample adds to the seven counts of an eighth, where `level4` is four times its level
    // among the eight in the lowest five bits: 1 to as many of the lowest digits as levels are
    // left.
    __device__ __forceinline__ Word counted(Word level4) const {
        return __funnelshift_r(ones, 0u, level4);
    }
    __device__ __forceinline__ void add(const Samples& samples) {
        change<true>(samples);
    }
    __device__ __forceinline__ void take(const Samples& samples) {
        change<false>(samples);
    }
    __device__ __forceinline__ void publish() {
        at(own) = quarters[0];
        at(own + row) = quarters[1];
    }

    // The highest bit of a byte, or that `at` bits above its lowest, says whether it is larger than
    // 127 less `missing`, which is not negative. kLarge: bytes may be larger than 127.
    template <bool kLarge, int kAt>
    __device__ __forceinline__ static Word larger(Word bytes, Word missing) {
        const Word all = missing * (0x01010101u << kAt);
        return kLarge ? ((bytes & (0x7f7f7f7fu << kAt)) + all) | bytes : bytes + all;
    }
    // Which eighth of the counts at word `first` on of the window around column i holds the sample
    // with the number 127 - missing, which becomes its number there.
    __device__ __forceinline__ Word eighth(int i, Word word, Word& missing) const {
        const int even = own + int(word) * step, odd = even + row;
        // Sums by products with a one that the compiler does not know: the integer unit has the
        // masks to do.
        const Word one = blockDim.z;
        Word all = 0, low = 0;
#pragma unroll
        for (int d = -kRadius; d <= kRadius; ++d) {
            const int c = d + i;
            const Word digits = at((c & 1 ? odd : even) + 4 * (c >> 1));
            asm("mad.lo.u32 %0, %1, %2, %0;" : "+r"(all) : "r"(digits), "r"(one));
            low += digits & 0x0f0f0f0fu;
        }
        const Word high = all - low;
        constexpr bool kLarge = kK * kK > 127;
        const Word flags = (larger<kLarge, 0>(low, missing) & 0x80808080u) |
                           (larger<kLarge, 4>(high, missing) & 0x08080800u);
        const Word found = Word(__popc(flags));
        missing = __dp4a(__byte_perm(low, high >> 4, 0x73625140u >> (4 * found)), 1u, missing);
        return found;
    }
    __device__ __forceinline__ Samples medians() const {
        Word sums[2];
        Word common = 0;
        const auto of = [&](int c) { return at(own + (c & 1) * row + 4 * (c >> 1)); };
#pragma unroll
        for (int c = 1 - kRadius; c <= kRadius; ++c) common += of(c);
        sums[0] = common + of(-kRadius);
        sums[1] = common + of(kRadius + 1);
        Samples made;
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const Word flags = (sums[i] + Word(127 - kHalf) * 0x01010101u) & 0x00808080u;
            const Word quarter = Word(__popc(flags));
            Word missing = Word(127 - kHalf) + ((sums[i] >> (8 * quarter)) & 255u);
            const Word upper = quarter * 8 + eighth(i, 1 + quarter, missing);
            made.of[i] = upper * 8 + eighth(i, 5 + upper, missing);
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
__global__ void __launch_bounds__(kMedianColumnThreads, kMedianColumnBlocks)
    columnsKernel(DeviceImage in, DeviceImage out, int first, int last, int rows, int across,
                  unsigned firstBlock) {
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    const int threads = int(blockDim.x), thread = int(threadIdx.x);
    for (int i = thread; i < threads * 2 * kWordsEach; i += threads)
        reinterpret_cast<Word*>(sharedBytes)[i] = 0;
    __syncthreads();
    constexpr int kChannels = C == 4 ? 3 : 1;
    const int block = int(firstBlock + blockIdx.x);
    const int channel = block % kChannels, place = block / kChannels;
    constexpr int kSide = medianColumnsBeside(kRadius);
    const int top = first + place / across * rows, bottom = min(last, top + rows);
    const int x = place % across * (2 * threads - 2 * kSide) - kSide + 2 * thread;
    Columns<C, kRadius> columns(in, sharedBytes, threads, thread, x, channel);
    const bool makes =
        2 * thread >= kSide && 2 * (threads - thread) - 2 >= kSide && x < in.size.width;
    for (int y = top - kRadius; y < top + kRadius; ++y) columns.add(columns.load(columns.rowAt(y)));
    const std::uint8_t *enter = columns.rowAt(top + kRadius), *leave = columns.rowAt(top - kRadius);
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

template <int C>
auto runsFor(int radius) {
    switch (radius) {
        case 3:
            return runFor<C, 3>;
        case 4:
            return runFor<C, 4>;
        case 5:
            return runFor<C, 5>;
        case 6:
            return runFor<C, 6>;
        default:
            return runFor<C, 7>;
    }
}

}  // namespace

void medianByColumns(KernelContext& context, int radius, const DeviceImage& in,
                     const DeviceImage& out) {
    const bool color = isColor(in.format);
    const auto run = color ? runsFor<4>(radius) : runsFor<1>(radius);
    run(context, in, out);
}

}  // namespace warpscope::cuda
