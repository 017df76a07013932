// Black and white without the host: counting as for the histogram; the threshold, which of 8-bit
// samples the block finds that counts last and of others a block of its own, with the functions of
// the CPU; a pass that compares.
#include "engine/operations/tone/threshold.h"

#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/runtime/pointwise.cuh"
#include "cuda_kernels/tone/equalize.cuh"
#include "cuda_kernels/tone/threshold_chooser.cuh"

namespace warpscope::cuda {
namespace {

// ---- the choice ----

constexpr unsigned kChoosers = 512;
// On newer devices the assembler itself stays at 64 registers, which are too few there.
constexpr int kResidentChoosers = blocksByDevice({0, 0, 1});

// One block, for 65,536 levels. `keys`: bins of float values over that range, else null.
__global__ void __launch_bounds__(kChoosers, kResidentChoosers)
    chooseKernel(const unsigned long long* bins, ThresholdMethod method, LevelsBelow* below,
                 const RangeKeys* keys, ThresholdCut* cut) {
    using Way = ThresholdChooser<kChoosers, kBins16 / kChoosers>;
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

// One block: all sums at once, as one thread adds them up in their order.
__global__ void __launch_bounds__(kFloatExponents)
    meanOfFloatsKernel(const DeviceExponentSums* all, ThresholdCut* cut) {
    __shared__ std::int64_t sums[kFloatExponents];
    sums[threadIdx.x] = std::int64_t(all->sums[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) *cut = cutAtValue(ExponentSums::meanOf(sums, all->count));
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
    const auto compare = [&](const auto& body) {
        found ? runPointwiseAgain(context, "threshold", in, out, body)
              : runPointwise(context, "threshold", in, out, body);
    };
    if (isColor(in.format))
        compare(ThresholdBody<T, true>(found, known));
    else
        compare(ThresholdBody<T, false>(found, known));
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
    launch(context, "mean of floats", 1, kFloatExponents, 0, meanOfFloatsKernel, summed, cut);
}

void findInCounts(KernelContext& context, ThresholdMethod method, const DeviceImage& in,
                  ThresholdCut* cut) {
    if (bytesPerSample(in.format) == 1) return findThresholdEightBit(context, in, method, cut);
    const DeviceMemory below =
        context.allocate(method == ThresholdMethod::Li ? kBins16 * sizeof(LevelsBelow) : 16);
    const DeviceMemory own = context.allocate(kBins16 * sizeof(unsigned long long));
    const unsigned long long* bins = own.as<unsigned long long>();
    const RangeKeys* keys = nullptr;
    if (isFloat(in.format)) {
        const FloatCountsOnDevice counted = countFloatLuma(context, in);
        bins = counted.bins;
        keys = counted.keys;
    } else {
        countSixteenBit(context, in, ChannelSet{}, own.as<unsigned long long>());
    }
    launch(context, "choose threshold", 1, kChoosers, 0, chooseKernel, bins, method,
           below.as<LevelsBelow>(), keys, cut);
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
