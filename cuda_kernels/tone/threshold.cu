// Black and white without the host: counting as for the histogram, one block that finds the
// threshold in the counts with the functions of the CPU, a pass that compares.
#include "engine/operations/tone/threshold.h"

#include "cuda_kernels/runtime/pointwise.cuh"
#include "cuda_kernels/tone/equalize.cuh"

namespace warpscope::cuda {
namespace {

// ---- the choice ----

// Counts of levels, of which each of `Threads` threads looks at `Each` neighbours.
template <unsigned Threads, unsigned Each>
class Chooser {
  public:
    struct Shared {
        LevelsBelow sums[Threads];
        long long score[Threads];
        unsigned order[Threads];
        unsigned lowest, highest, peak;
        unsigned long long peakCount;
    };

    __device__ Chooser(const unsigned long long* bins, Shared& shared)
        : m_bins(bins), m_shared(shared) {
        if (threadIdx.x == 0) {
            m_shared.lowest = Threads * Each;
            m_shared.highest = 0;
            m_shared.peak = Threads * Each;
            m_shared.peakCount = 0;
        }
        __syncthreads();
        LevelsBelow own;
        unsigned lowest = Threads * Each, highest = 0;
        unsigned long long most = 0;
        for (unsigned k = first(); k < first() + Each; ++k) {
            const unsigned long long count = m_bins[k];
            if (count == 0) continue;
            own.add(k, count);
            lowest = min(lowest, k);
            highest = k;
            most = max(most, count);
        }
        if (most != 0) {
            atomicMin(&m_shared.lowest, lowest);
            atomicMax(&m_shared.highest, highest);
            atomicMax(&m_shared.peakCount, most);
        }
        m_shared.sums[threadIdx.x] = own;
        __syncthreads();
        for (unsigned distance = 1; distance < Threads; distance *= 2) {
            LevelsBelow add;
            if (threadIdx.x >= distance) add = m_shared.sums[threadIdx.x - distance];
            __syncthreads();
            m_shared.sums[threadIdx.x].count += add.count;
            m_shared.sums[threadIdx.x].sum += add.sum;
            __syncthreads();
        }
        m_all = m_shared.sums[Threads - 1];
        if (threadIdx.x > 0) m_before = m_shared.sums[threadIdx.x - 1];
        // The lowest of the fullest levels.
        if (most != 0 && most == m_shared.peakCount) {
            unsigned k = first();
            while (m_bins[k] != most) ++k;
            atomicMin(&m_shared.peak, k);
        }
        __syncthreads();
    }

    // `below`: room for as many as there are levels; Li only.
    __device__ ThresholdCut cut(ThresholdMethod method, LevelsBelow* below) const {
        if (m_all.count == 0) return {};
        const unsigned lo = m_shared.lowest, hi = m_shared.highest, p = m_shared.peak;
        if (lo == hi) return whole(lo);
        switch (method) {
            case ThresholdMethod::Fixed:
            case ThresholdMethod::Mean:
                return {double(m_all.sum) / double(m_all.count),
                        std::uint32_t(m_all.sum / m_all.count), 0};
            case ThresholdMethod::Otsu:
                // Numbers that are not negative are in the order of their bits.
                return whole(best([&](unsigned k, const LevelsBelow& upTo, unsigned& order) {
                    order = k;
                    const double spread = otsuSpread(upTo, m_all);
                    return spread < 0 ? -1ll : __double_as_longlong(spread);
                }));
            case ThresholdMethod::Triangle: {
                const bool fromTop = p - lo < hi - p;
                const unsigned distance = fromTop ? hi - p : p - lo;
                const unsigned steps = best([&](unsigned k, const LevelsBelow&, unsigned& order) {
                    if (fromTop ? k < p || k > hi : k < lo || k > p) return kNone;
                    order = fromTop ? hi - k : k - lo;
                    return (
                        long long)(triangleHeight(m_shared.peakCount, distance, order, m_bins[k]));
                });
                return whole(fromTop ? hi - steps : lo + steps);
            }
            case ThresholdMethod::Li: {
                LevelsBelow upTo = m_before;
                for (unsigned k = first(); k < first() + Each; ++k) {
                    upTo.add(k, m_bins[k]);
                    below[k] = upTo;
                }
                __syncthreads();
                // Every thread reads the same and finds the same.
                const double t =
                    liThreshold(lo, m_all, [&](std::uint32_t level) { return below[level]; });
                return {t, std::uint32_t(t), 0};
            }
            case ThresholdMethod::Isodata:
                return whole(best([&](unsigned k, const LevelsBelow& upTo, unsigned& order) {
                    order = k;
                    return isIsodata(k, upTo, m_all) ? 1ll : 0ll;
                }));
        }
        return {};
    }

  private:
    static constexpr long long kNone = -0x7fffffffffffffffll - 1;

    __device__ static unsigned first() { return threadIdx.x * Each; }
    __device__ static ThresholdCut whole(unsigned t) { return {double(t), t, 0}; }

    // The smallest order among the largest scores. For all threads of the block together.
    template <class Score>
    __device__ unsigned best(const Score& scoreOf) const {
        long long most = kNone;
        unsigned mostOrder = 0xffffffffu;
        LevelsBelow upTo = m_before;
        for (unsigned k = first(); k < first() + Each; ++k) {
            upTo.add(k, m_bins[k]);
            unsigned order = 0xffffffffu;
            const long long score = scoreOf(k, upTo, order);
            if (score > most || (score == most && order < mostOrder)) {
                most = score;
                mostOrder = order;
            }
        }
        m_shared.score[threadIdx.x] = most;
        m_shared.order[threadIdx.x] = mostOrder;
        __syncthreads();
        for (unsigned half = Threads / 2; half > 0; half /= 2) {
            if (threadIdx.x < half) {
                const long long score = m_shared.score[threadIdx.x + half];
                const unsigned order = m_shared.order[threadIdx.x + half];
                if (score > m_shared.score[threadIdx.x] ||
                    (score == m_shared.score[threadIdx.x] && order < m_shared.order[threadIdx.x])) {
                    m_shared.score[threadIdx.x] = score;
                    m_shared.order[threadIdx.x] = order;
                }
            }
            __syncthreads();
        }
        return m_shared.order[0];
    }

    const unsigned long long* m_bins;
    Shared& m_shared;
    LevelsBelow m_all, m_before;
};

// One block. `keys`: bins of float values over that range, else null.
template <unsigned Threads, unsigned Each>
__global__ void __launch_bounds__(Threads)
    chooseKernel(const unsigned long long* bins, ThresholdMethod method, LevelsBelow* below,
                 const RangeKeys* keys, ThresholdCut* cut) {
    using Way = Chooser<Threads, Each>;
    __shared__ alignas(16) unsigned char room[sizeof(typename Way::Shared)];
    const Way way(bins, *reinterpret_cast<typename Way::Shared*>(room));
    const ThresholdCut found = way.cut(method, below);
    if (threadIdx.x == 0) *cut = keys ? cutAtBin(keys->range(0), found.level) : found;
}

// ---- the mean of floats ----

constexpr unsigned kSumThreads = 256;

struct DeviceExponentSums {
    unsigned long long sums[kFloatExponents];
    unsigned long long count;
};

template <bool Color>
__global__ void __launch_bounds__(kSumThreads)
    sumFloatsKernel(DeviceImage in, Pieces pixels, DeviceExponentSums* all) {
    __shared__ unsigned long long sums[kFloatExponents + 1];  // the last one counts
    for (unsigned i = threadIdx.x; i <= kFloatExponents; i += kSumThreads) sums[i] = 0;
    __syncthreads();
    const std::uint32_t step = gridDim.x * kSumThreads;
    unsigned long long count = 0;
    for (std::uint32_t i = blockIdx.x * kSumThreads + threadIdx.x; i < pixels.count; i += step) {
        const std::uint32_t row = pixels.perRow(i);
        const std::uint32_t column = i - row * pixels.perRow.divisor;
        const std::byte* at = in.data + row * in.pitch;
        float v;
        if constexpr (Color) {
            const float4 pixel = reinterpret_cast<const float4*>(at)[column];
            v = luma(pixel.x, pixel.y, pixel.z);
        } else {
            v = reinterpret_cast<const float*>(at)[column];
        }
        if (!isfinite(v)) continue;
        // Negative ones modulo 2^64.
        atomicAdd(&sums[ExponentSums::exponentOf(v)],
                  static_cast<unsigned long long>(ExponentSums::mantissaOf(v)));
        ++count;
    }
    if (count) atomicAdd(&sums[kFloatExponents], count);
    __syncthreads();
    for (unsigned i = threadIdx.x; i <= kFloatExponents; i += kSumThreads)
        if (sums[i]) atomicAdd(i < kFloatExponents ? &all->sums[i] : &all->count, sums[i]);
}

// One thread.
__global__ void meanOfFloatsKernel(const DeviceExponentSums* all, ThresholdCut* cut) {
    ExponentSums sums;
    for (int e = 0; e < kFloatExponents; ++e) sums.sums[e] = std::int64_t(all->sums[e]);
    sums.count = all->count;
    *cut = cutAtValue(sums.mean());
}

// ---- the comparison ----

template <class T, bool Color>
struct ThresholdBody : PointwiseBody {
    static constexpr int kPixels = Color ? 4 : 16 / int(sizeof(T));
    static constexpr int kBytesIn = Color ? 16 * int(sizeof(T)) : 16;
    static constexpr int kBytesOut = kPixels * int(sizeof(T));
    const ThresholdCut* found;  // null: `cut` is known
    ThresholdCut cut;

    ThresholdBody(const ThresholdCut* onDevice, const ThresholdCut& known)
        : found(onDevice), cut(known) {}
    __device__ ThresholdBody begin() const {
        ThresholdBody begun = *this;
        if (found) begun.cut = *found;
        return begun;
    }
    __device__ void operator()(const std::uint32_t (&in)[kBytesIn / 4],
                               std::uint32_t (&out)[kBytesOut / 4], const PiecePlace&) const {
        constexpr int kBits = 8 * int(sizeof(T));
        if constexpr (sizeof(T) == 4) {
#pragma unroll
            for (int i = 0; i < kPixels; ++i) {
                float v;
                if constexpr (Color)
                    v = luma(__uint_as_float(in[4 * i]), __uint_as_float(in[4 * i + 1]),
                             __uint_as_float(in[4 * i + 2]));
                else
                    v = __uint_as_float(in[i]);
                out[i] = __float_as_uint(v > cut.value ? 1.0f : 0.0f);
            }
        } else if constexpr (Color) {
#pragma unroll
            for (int i = 0; i < kPixels; ++i) {
                const std::uint32_t v = luma(sampleOf<T>(in, 4 * i), sampleOf<T>(in, 4 * i + 1),
                                             sampleOf<T>(in, 4 * i + 2));
                const std::uint32_t white = v > cut.level ? (1u << kBits) - 1u : 0u;
                out[i * kBits / 32] |= white << (i * kBits % 32);
            }
        } else {
            const std::uint32_t level = min(cut.level, (1u << kBits) - 1u);
#pragma unroll
            for (int i = 0; i < 4; ++i)
                out[i] = sizeof(T) == 1 ? __vcmpgtu4(in[i], level * 0x01010101u)
                                        : __vcmpgtu2(in[i], level * 0x00010001u);
        }
    }
};

template <class T>
void apply(KernelContext& context, const DeviceImage& in, const DeviceImage& out,
           const ThresholdCut* found, const ThresholdCut& known) {
    if (isColor(in.format))
        runPointwise(context, "threshold", in, out, ThresholdBody<T, true>(found, known));
    else
        runPointwise(context, "threshold", in, out, ThresholdBody<T, false>(found, known));
}

void applySamples(KernelContext& context, const DeviceImage& in, const DeviceImage& out,
                  const ThresholdCut* found, const ThresholdCut& known) {
    if (isFloat(in.format))
        apply<float>(context, in, out, found, known);
    else if (bytesPerSample(in.format) == 1)
        apply<std::uint8_t>(context, in, out, found, known);
    else
        apply<std::uint16_t>(context, in, out, found, known);
}

void findMeanOfFloats(KernelContext& context, const DeviceImage& in, ThresholdCut* cut) {
    const DeviceMemory memory = context.allocate(sizeof(DeviceExponentSums));
    auto* all = memory.as<DeviceExponentSums>();
    WARPSCOPE_CUDA(cudaMemsetAsync(all, 0, sizeof(DeviceExponentSums), context.stream()));
    const unsigned most = unsigned(context.traits().multiprocessors) * 8;
    const int bandRows = context.rowsPerLaunch(in.pitch * 4, std::int64_t(in.size.width) * 256);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const Pieces pixels = Pieces::of(in.size.width, last - first, 1, isPacked(in));
        launch(context, "sum floats", min(most, divideUp(pixels.count, kSumThreads)), kSumThreads,
               0, isColor(in.format) ? sumFloatsKernel<true> : sumFloatsKernel<false>,
               rowsOf(in, first, last), pixels, all);
    });
    const DeviceExponentSums* summed = all;
    launch(context, "mean of floats", 1, 1, 0, meanOfFloatsKernel, summed, cut);
}

void findInCounts(KernelContext& context, ThresholdMethod method, const DeviceImage& in,
                  ThresholdCut* cut) {
    const bool eight = bytesPerSample(in.format) == 1;
    const std::size_t levels = eight ? 256 : std::size_t(kBins16);
    const DeviceMemory below =
        context.allocate(method == ThresholdMethod::Li ? levels * sizeof(LevelsBelow) : 16);
    const DeviceMemory own = context.allocate(levels * sizeof(unsigned long long));
    const unsigned long long* bins = own.as<unsigned long long>();
    const RangeKeys* keys = nullptr;
    if (isFloat(in.format)) {
        const FloatCountsOnDevice counted = countFloatLuma(context, in);
        bins = counted.bins;
        keys = counted.keys;
    } else if (eight) {
        countEightBit(context, in, ChannelSet{}, CountingResult::Counts,
                      own.as<unsigned long long>());
    } else {
        countSixteenBit(context, in, ChannelSet{}, own.as<unsigned long long>());
    }
    auto* room = below.as<LevelsBelow>();
    if (eight)
        launch(context, "choose threshold", 1, 256, 0, chooseKernel<256, 1>, bins, method, room,
               keys, cut);
    else
        launch(context, "choose threshold", 1, 512, 0, chooseKernel<512, kBins16 / 512>, bins,
               method, room, keys, cut);
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const ThresholdPlan&>(given);
    if (plan.cut) return applySamples(context, in, out, nullptr, *plan.cut);
    const DeviceMemory memory = context.allocate(sizeof(ThresholdCut));
    auto* cut = memory.as<ThresholdCut>();
    if (isFloat(in.format) && plan.method == ThresholdMethod::Mean)
        findMeanOfFloats(context, in, cut);
    else
        findInCounts(context, plan.method, in, cut);
    applySamples(context, in, out, cut, {});
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(threshold, .run = run);

}  // namespace warpscope::cuda
