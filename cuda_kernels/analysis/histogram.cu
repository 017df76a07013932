// The histogram of 8-bit images; what picks the ways of all.
//
// Counts in shared memory, in copies side by side: a lane always counts in copy lane % R, so that
// equal pixels, the worst case for one table, meet different banks. Every block then adds its sums
// to global counters. Those of plain counts also count the blocks that have added, so that whoever
// adds last to a counter knows the whole count, hands it out and clears the counter: nobody waits
// for others. Where the counts are needed together, the block that comes last (a ticket says so)
// makes the result of them and clears the counters. No second launch, no memset and no host between
// the counts and what uses them.
#include "cuda_kernels/analysis/histogram.cuh"

#include "cuda_kernels/runtime/early_launch.cuh"
#include "cuda_kernels/tone/threshold_chooser.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kBins = CountingScratch::kBins;
constexpr int kLeastCopies = 8;

constexpr unsigned kLuma = 1, kRed = 2, kGreen = 4, kBlue = 8, kAlpha = 16;
constexpr unsigned kColours = kRed | kGreen | kBlue;

constexpr int channelsIn(unsigned mask) {
    return int(mask & 1) + int(mask >> 1 & 1) + int(mask >> 2 & 1) + int(mask >> 3 & 1) +
           int(mask >> 4 & 1);
}

// Pixels in 16 bytes: 16 gray ones or 4 colour ones.
template <bool Color>
constexpr int kPixels = Color ? 4 : 16;

template <bool Color, unsigned Mask, int R>
struct Counter {
    std::uint32_t* lane;  // this lane's copy of bin 0

    __device__ void add(int slot, std::uint32_t value) const {
        atomicAdd(lane + (slot * kBins + value) * R, 1u);
    }
    __device__ void pixel(std::uint32_t word) const {
        int slot = 0;
        const std::uint32_t r = byteOf(word, 0), g = byteOf(word, 1), b = byteOf(word, 2);
        if constexpr ((Mask & kLuma) != 0) add(slot++, luma(r, g, b));
        if constexpr ((Mask & kRed) != 0) add(slot++, r);
        if constexpr ((Mask & kGreen) != 0) add(slot++, g);
        if constexpr ((Mask & kBlue) != 0) add(slot++, b);
        if constexpr ((Mask & kAlpha) != 0) add(slot++, byteOf(word, 3));
    }
    // The first `valid` pixels of a piece.
    __device__ void piece(const uint4& piece, std::uint32_t valid) const {
        const std::uint32_t words[4] = {piece.x, piece.y, piece.z, piece.w};
#pragma unroll
        for (int w = 0; w < 4; ++w) {
            if constexpr (Color) {
                if (unsigned(w) < valid) pixel(words[w]);
            } else {
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    if (unsigned(4 * w + i) < valid) add(0, byteOf(words[w], i));
            }
        }
    }
};

// Inclusive sum over the 256 threads of a group (8 warps), all groups of the block at once.
__device__ unsigned long long scanGroup(unsigned long long value, unsigned long long* warpSums) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const unsigned long long below = __shfl_up_sync(0xffffffffu, value, distance);
        if (lane >= distance) value += below;
    }
    __syncthreads();  // whoever read the sums of the round before has done so
    if (lane == 31) warpSums[warp] = value;
    __syncthreads();
    for (unsigned w = warp / 8 * 8; w < warp; ++w) value += warpSums[w];
    return value;
}

// t(k) as engine/operations/tone/equalize.h defines it; a group of 256 threads makes a channel's
// table.
template <int Channels, unsigned Threads>
__device__ void makeTables(const CountingScratch& counted, bool full, std::uint64_t pixels,
                           std::uint8_t* tables) {
    constexpr int kGroups = int(Threads) / kBins;
    __shared__ unsigned long long warpSums[Threads / 32];
    __shared__ unsigned long long darkest[Channels];
    const unsigned k = threadIdx.x % kBins;
#pragma unroll
    for (int round = 0; round < (Channels + kGroups - 1) / kGroups; ++round) {
        const unsigned channel = unsigned(round * kGroups) + threadIdx.x / kBins;
        const bool active = channel < unsigned(Channels);
        const unsigned long long count =
            active ? __ldcg(&counted.counters[channel * kBins + k]) : 0;
        const unsigned long long cumulative = scanGroup(count, warpSums);
        // Exactly one level has all of what is at it or below it: the darkest one present.
        if (active && count != 0 && count == cumulative) darkest[channel] = count;
        __syncthreads();
        if (!active) continue;
        const unsigned long long below = full ? darkest[channel] : 0;
        const unsigned long long spread = pixels - below;
        const unsigned long long above = cumulative > below ? cumulative - below : 0;
        tables[channel * kBins + k] =
            spread == 0 ? std::uint8_t(k) : std::uint8_t((2 * 255 * above + spread) / (2 * spread));
    }
}

// What becomes of the counts: they are handed out,
struct FinishWithCounts {
    unsigned long long* bins;
    bool lastBand = true;
};
// or equalization tables are made of them,
struct FinishWithTables {
    bool full;
    std::uint64_t pixels;  // of the whole image
    bool lastBand = true;
};
// or a threshold.
struct FinishWithThreshold {
    ThresholdMethod method;
    ThresholdCut* cut;
    bool lastBand = true;
};

// Takes the counts of luma out of the counters. Threads beyond their number end here. `room`: what
// the block counted in.
__device__ void chooseThreshold(CountingScratch& counted, const FinishWithThreshold& finish,
                                std::uint32_t* room) {
    using Chooser = ThresholdChooser<kBins, 1>;
    struct Room {
        unsigned long long counts[kBins];
        Chooser::Shared chooser;
    };
    static_assert(sizeof(Room) <= kBins * kLeastCopies * sizeof(std::uint32_t));
    Room& in = *reinterpret_cast<Room*>(room);
    const unsigned k = threadIdx.x;
    if (k >= unsigned(kBins)) return;
    in.counts[k] = __ldcg(&counted.counters[k]);
    counted.counters[k] = 0;
    __syncthreads();
    const ThresholdCut cut = Chooser(in.counts, in.chooser).cut(finish.method, nullptr);
    if (k == 0) *finish.cut = cut;
}

// Some 16-byte pieces of the image, a grid's width apart.
template <bool Color>
struct Batch {
    static constexpr int kPieces = Color ? 4 : 2;
    uint4 loaded[kPieces];
    std::uint32_t valid[kPieces];  // pixels that count

    __device__ void load(const DeviceImage& in, const Pieces& pieces, std::uint32_t first,
                         std::uint32_t step) {
#pragma unroll
        for (int k = 0; k < kPieces; ++k) {
            const std::uint32_t i = first + unsigned(k) * step;
            valid[k] = 0;
            if (i >= pieces.count) continue;
            const std::uint32_t row = pieces.perRow(i);
            const std::uint32_t column = i - row * pieces.perRow.divisor;
            valid[k] =
                column + 1 == pieces.perRow.divisor ? pieces.lastPixels : unsigned(kPixels<Color>);
            loaded[k] = *reinterpret_cast<const uint4*>(in.data + row * in.pitch +
                                                        std::int64_t(column) * 16);
        }
    }
    template <class Counter>
    __device__ void count(const Counter& counter) const {
#pragma unroll
        for (int k = 0; k < kPieces; ++k) {
            if (valid[k] == unsigned(kPixels<Color>))
                counter.piece(loaded[k], unsigned(kPixels<Color>));
            else
                counter.piece(loaded[k], valid[k]);
        }
    }
};

// Adds a block's sum to a counter that also counts blocks, above the bits that sums take: an image
// has at most 2^40 pixels, a launch no more blocks than the device has multiprocessors. Bands
// before the last one add sums alone; they are complete when it begins to add.
constexpr int kSumBits = 48;
__device__ __forceinline__ void addCounted(unsigned long long* counter, std::uint32_t sum,
                                           unsigned long long* bin) {
    const unsigned long long before = atomicAdd(counter, (1ull << kSumBits) + sum);
    if (before >> kSumBits != gridDim.x - 1) return;
    *bin = (before & ((1ull << kSumBits) - 1)) + sum;
    *counter = 0;
}

// Adds the copies up and the sums to the global counters; several threads a bin where there are
// more threads than bins.
template <unsigned Cells, int R, unsigned Threads, class Ending>
__device__ void flush(const std::uint32_t* cells, unsigned long long* counters,
                      const Ending& finish) {
    constexpr unsigned kParts = Threads >= 4 * Cells ? 4 : Threads >= 2 * Cells ? 2 : 1;
    constexpr unsigned kEach = unsigned(R) / kParts;
    for (unsigned i = threadIdx.x; i < Cells * kParts; i += Threads) {
        const unsigned bin = i / kParts, part = i % kParts;
        std::uint32_t sum = 0;
#pragma unroll
        for (unsigned r = 0; r < kEach; ++r)
            sum += cells[bin * R + part * kEach + (r + bin) % kEach];
#pragma unroll
        for (unsigned distance = 1; distance < kParts; distance *= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, distance);
        if (part != 0) continue;
        if constexpr (std::is_same_v<Ending, FinishWithCounts>) {
            if (finish.lastBand) {
                addCounted(counters + bin, sum, finish.bins + bin);
                continue;
            }
        }
        if (sum) atomicAdd(counters + bin, static_cast<unsigned long long>(sum));
    }
}

// Whether all other blocks have done what they do before they ask. Clears the ticket then.
__device__ bool isLastBlock(unsigned* ticket) {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();  // of what the block has done, which the barrier has brought together
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return false;
    __threadfence();
    if (threadIdx.x == 0) *ticket = 0;
    return true;
}

template <bool Color, unsigned Mask, int R, unsigned Threads, class Ending>
__global__ void __launch_bounds__(Threads)
    countKernel(DeviceImage in, Pieces pieces, CountingScratch* scratch, Ending finish) {
    constexpr int kChannels = channelsIn(Mask);
    constexpr unsigned kCells = unsigned(kChannels * kBins);
    extern __shared__ std::uint32_t cells[];

    // The next batch is on its way while one is counted.
    const std::uint32_t step = gridDim.x * Threads;
    const std::uint32_t stride = step * Batch<Color>::kPieces;
    std::uint32_t first = blockIdx.x * Threads + threadIdx.x;
    letNextLaunchBegin();
    for (unsigned i = threadIdx.x; i < kCells * R / 4; i += Threads)
        reinterpret_cast<uint4*>(cells)[i] = uint4{0, 0, 0, 0};
    waitForLaunchBefore();
    Batch<Color> batch;
    batch.load(in, pieces, first, step);
    __syncthreads();
    const Counter<Color, Mask, R> counter{cells + threadIdx.x % R};
    while (first < pieces.count) {
        Batch<Color> next;
        first += stride;
        next.load(in, pieces, first, step);
        batch.count(counter);
        batch = next;
    }
    __syncthreads();
    flush<kCells, R, Threads>(cells, scratch->counters, finish);
    if constexpr (!std::is_same_v<Ending, FinishWithCounts>) {
        if (!isLastBlock(&scratch->ticket) || !finish.lastBand) return;
        if constexpr (std::is_same_v<Ending, FinishWithThreshold>) {
            chooseThreshold(*scratch, finish, cells);
        } else {
            makeTables<kChannels, Threads>(*scratch, finish.full, finish.pixels, scratch->tables);
            __syncthreads();
            for (unsigned bin = threadIdx.x; bin < kCells; bin += Threads)
                scratch->counters[bin] = 0;
        }
    }
}

template <bool Color, unsigned Mask, int R, unsigned Threads, class Ending>
void countWith(KernelContext& context, const DeviceImage& in, const Ending& finish) {
    DeviceContext& device = context.device();
    CountingScratch* scratch = device.counting();
    device.cleanCounting(context.stream());
    device.countingDirty = true;
    constexpr std::size_t kShared = std::size_t(channelsIn(Mask)) * kBins * R * 4;
    // One block fills a multiprocessor's load queue; more would only flush more tables.
    const unsigned most = unsigned(context.traits().multiprocessors);
    const int bandRows = context.rowsPerLaunch(in.pitch, in.size.width);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const Pieces pieces = Pieces::of(in.size.width, last - first, kPixels<Color>, isPacked(in));
        Ending now = finish;
        now.lastBand = last == in.size.height;
        launchEarly(context, "count 8 bits", min(most, divideUp(pieces.count, Threads)), Threads,
                    kShared, countKernel<Color, Mask, R, Threads, Ending>, rowsOf(in, first, last),
                    pieces, scratch, now);
    });
    device.countingDirty = false;
}

// Small blocks and few copies where clearing and adding them up would take longer than counting.
template <bool Color, unsigned Mask, int Few, int Many, class Ending>
void countSized(KernelContext& context, const DeviceImage& in, const Ending& finish) {
    static_assert(Few >= kLeastCopies && Many >= kLeastCopies);
    if (in.size.pixels() < 1'500'000)
        countWith<Color, Mask, Few, channelsIn(Mask) == 1 ? 256 : 1024>(context, in, finish);
    else
        countWith<Color, Mask, Many, 1024>(context, in, finish);
}

// Counts all channels into memory of its own and keeps those that were asked for.
void countSome(KernelContext& context, const DeviceImage& in, ChannelSet channels,
               unsigned long long* bins) {
    const DeviceMemory all =
        context.allocate(sizeof(unsigned long long) * CountingScratch::kChannels * kBins);
    auto* const counts = all.as<unsigned long long>();
    countSized<true, 15, 8, 16>(context, in, FinishWithCounts{counts});
    int slot = 0;
    for (int channel = 0; channel < CountingScratch::kChannels; ++channel) {
        if (!channels.has(kAllHistogramChannels[channel])) continue;
        WARPSCOPE_CUDA(cudaMemcpyAsync(bins + slot++ * kBins, counts + channel * kBins,
                                       sizeof(unsigned long long) * kBins, cudaMemcpyDeviceToDevice,
                                       context.stream()));
    }
}

void count(KernelContext& context, const Plan& plan, const DeviceImage& in,
           unsigned long long* bins) {
    const auto& counting = static_cast<const HistogramPlan&>(plan);
    if (plan.operation->description().isWrongOnPurpose(plan.variant))
        countWrong(context, counting, in, bins);
    else if (plan.variant != kAutomaticVariant)
        countPublished(context, counting, in, bins);
    else if (bytesPerSample(in.format) == 1)
        countEightBit(context, in, counting.channels, bins);
    else
        countSixteenBit(context, in, counting.channels, bins);
}

// As FinishWithCounts hands out a bin, including those of nothing. The four tables of colour do,
// too, but were not measured that way.
bool writesBinsOnce(const Plan& plan) {
    return plan.variant == kAutomaticVariant && plan.input == PixelFormat::Gray8;
}

}  // namespace

void loadCountingKernels() {
    loadKernel(countKernel<false, kLuma, 32, 1024, FinishWithCounts>);
    loadKernel(countKernel<true, kLuma, 32, 1024, FinishWithCounts>);
    loadKernel(countKernel<true, kRed, 32, 1024, FinishWithCounts>);
    loadKernel(countKernel<true, kGreen, 32, 1024, FinishWithCounts>);
    loadKernel(countKernel<true, kBlue, 32, 1024, FinishWithCounts>);
    loadKernel(countKernel<true, 15, 16, 1024, FinishWithCounts>);
    loadKernel(countKernel<true, kAlpha, 32, 1024, FinishWithCounts>);
    loadKernel(countKernel<true, kLuma, 32, 1024, FinishWithTables>);
    loadKernel(countKernel<true, kColours, 16, 1024, FinishWithTables>);
    loadKernel(countKernel<false, kLuma, 32, 1024, FinishWithThreshold>);
    loadKernel(countKernel<true, kLuma, 32, 1024, FinishWithThreshold>);
}

void countEightBitAlpha(KernelContext& context, const DeviceImage& in, unsigned long long* bins) {
    countSized<true, kAlpha, 8, 32>(context, in, FinishWithCounts{bins});
}

void findThresholdEightBit(KernelContext& context, const DeviceImage& in, ThresholdMethod method,
                           ThresholdCut* cut) {
    const FinishWithThreshold finish{method, cut};
    if (isColor(in.format))
        countSized<true, kLuma, 8, 32>(context, in, finish);
    else
        countSized<false, kLuma, 8, 32>(context, in, finish);
}

const std::uint8_t* tablesOfEightBit(KernelContext& context, const DeviceImage& in, bool each,
                                     bool full) {
    const FinishWithTables finish{full, std::uint64_t(in.size.pixels())};
    if (each)
        countSized<true, kColours, 8, 16>(context, in, finish);
    else
        countSized<true, kLuma, 8, 32>(context, in, finish);
    return context.device().counting()->tables;
}

void countEightBit(KernelContext& context, const DeviceImage& in, ChannelSet channels,
                   unsigned long long* bins) {
    const FinishWithCounts finish{bins};
    if (!isColor(in.format)) return countSized<false, kLuma, 8, 32>(context, in, finish);
    const unsigned mask = (channels.luma ? kLuma : 0) | (channels.red ? kRed : 0) |
                          (channels.green ? kGreen : 0) | (channels.blue ? kBlue : 0);
    switch (mask) {
        case kLuma:
            return countSized<true, kLuma, 8, 32>(context, in, finish);
        case kRed:
            return countSized<true, kRed, 8, 32>(context, in, finish);
        case kGreen:
            return countSized<true, kGreen, 8, 32>(context, in, finish);
        case kBlue:
            return countSized<true, kBlue, 8, 32>(context, in, finish);
        case 15:
            return countSized<true, 15, 8, 16>(context, in, finish);
        default:
            return countSome(context, in, channels, bins);
    }
}

WARPSCOPE_CUDA_RUNNER(histogram, .analyze = count, .writesWordsOnce = writesBinsOnce,
                      .loadKernels = loadCountingKernels);

}  // namespace warpscope::cuda
