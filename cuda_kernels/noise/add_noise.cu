// Noise from a counter-based generator: every pixel makes its own words from its place in the whole
// image, four pixels a thread.
#include "engine/operations/noise/add_noise.h"

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/runtime/sample_loads.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kPixels = 4;  // a thread and step
constexpr int kQuantiles = 4096;

template <class T>
constexpr std::uint32_t kWhite = sizeof(T) == 1 ? 255u : 65535u;

struct SaltPepper {
    static constexpr int kSharedQuantiles = 1;
    std::uint64_t threshold;

    template <class T>
    __device__ std::uint32_t noisy(std::uint32_t value, int, const PhiloxWords& words,
                                   const std::int16_t*) const {
        if (words.word[0] >= threshold) return value;
        return words.word[1] & 1u ? kWhite<T> : 0u;
    }
};

struct GaussianNoise {
    static constexpr int kSharedQuantiles = kQuantiles;
    std::int32_t sigma256;

    template <class T>
    __device__ std::uint32_t noisy(std::uint32_t value, int channel, const PhiloxWords& words,
                                   const std::int16_t* quantiles) const {
        const std::int32_t quantile = quantiles[words.word[channel] >> 20];
        std::int32_t noise;
        if constexpr (sizeof(T) == 1)
            noise = (quantile * sigma256 + (1 << 19)) >> 20;
        else
            noise = std::int32_t((std::int64_t(quantile) * sigma256 * 257 + (1 << 19)) >> 20);
        return std::uint32_t(min(max(std::int32_t(value) + noise, 0), std::int32_t(kWhite<T>)));
    }
};

// Where the image lies in the whole one.
struct Place {
    std::int64_t firstIndex;  // of the pixel at (0, 0)
    std::int64_t wholeWidth;
    std::uint32_t seed;
};

template <class T, int C, class Kind>
__global__ void __launch_bounds__(kThreads)
    noiseKernel(DeviceImage in, DeviceImage out, Pieces pieces, Place place, Kind kind,
                const std::int16_t* quantiles) {
    __shared__ alignas(16) std::int16_t table[Kind::kSharedQuantiles];
    if constexpr (Kind::kSharedQuantiles > 1) {
        for (unsigned i = threadIdx.x; i < Kind::kSharedQuantiles / 8; i += kThreads)
            reinterpret_cast<uint4*>(table)[i] = reinterpret_cast<const uint4*>(quantiles)[i];
        __syncthreads();
    }
    constexpr int kBytes = kPixels * C * int(sizeof(T));
    constexpr int kBits = 8 * int(sizeof(T));
    for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < pieces.count;
         i += gridDim.x * kThreads) {
        const std::uint32_t row = pieces.perRow(i);
        const std::uint32_t piece = i - row * pieces.perRow.divisor;
        std::uint32_t words[kBytes / 4];
        loadWords<kBytes>(in.data + row * in.pitch + std::int64_t(piece) * kBytes, words);
        const std::int64_t index =
            place.firstIndex + row * place.wholeWidth + std::int64_t(piece) * kPixels;
        std::uint32_t noisy[kBytes / 4] = {};
#pragma unroll
        for (int p = 0; p < kPixels; ++p) {
            const PhiloxWords random = philox(std::uint64_t(index + p), place.seed);
#pragma unroll
            for (int c = 0; c < C; ++c) {
                const int sample = p * C + c;
                std::uint32_t value = sampleOf<T>(words, sample);
                if (c < 3) value = kind.template noisy<T>(value, c, random, table);
                noisy[sample * kBits / 32] |= value << (sample * kBits % 32);
            }
        }
        std::byte* to = out.data + row * out.pitch + std::int64_t(piece) * kBytes;
#pragma unroll
        for (int w = 0; w < kBytes / 4; w += 4) {
            if constexpr (kBytes == 4)
                *reinterpret_cast<std::uint32_t*>(to) = noisy[0];
            else if constexpr (kBytes == 8)
                *reinterpret_cast<uint2*>(to) = {noisy[0], noisy[1]};
            else
                reinterpret_cast<uint4*>(to)[w / 4] = {noisy[w], noisy[w + 1], noisy[w + 2],
                                                       noisy[w + 3]};
        }
    }
}

const std::int16_t* quantileTable(KernelContext& context) {
    return reinterpret_cast<const std::int16_t*>(context.device().constants("normal quantiles", [] {
        std::vector<std::uint32_t> words(kQuantiles / 2);
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i] = std::uint16_t(kNormalQuantiles[2 * i]) |
                       std::uint32_t(std::uint16_t(kNormalQuantiles[2 * i + 1])) << 16;
        return words;
    }));
}

template <class T, int C, class Kind>
void runKind(KernelContext& context, const AddNoisePlan& plan, const DeviceImage& in,
             const DeviceImage& out, Kind kind) {
    const std::int16_t* quantiles = Kind::kSharedQuantiles > 1 ? quantileTable(context) : nullptr;
    // Ten rounds of two products, each a wide one, and as many other instructions.
    const int bandRows =
        context.rowsPerLaunch(in.pitch + out.pitch, std::int64_t(in.size.width + 3) * 80);
    const unsigned most = unsigned(context.traits().multiprocessors) * 16;
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const Pieces pieces = Pieces::of(in.size.width, last - first, kPixels, false);
        const Place place{(std::int64_t(plan.originY) + first) * plan.wholeWidth + plan.originX,
                          plan.wholeWidth, plan.seed};
        launch(context, "add noise", std::min(most, divideUp(pieces.count, kThreads)), kThreads, 0,
               noiseKernel<T, C, Kind>, rowsOf(in, first, last), rowsOf(out, first, last), pieces,
               place, kind, quantiles);
    });
}

template <class T, int C>
void runSamples(KernelContext& context, const AddNoisePlan& plan, const DeviceImage& in,
                const DeviceImage& out) {
    if (plan.kind == NoiseKind::SaltPepper)
        runKind<T, C>(context, plan, in, out, SaltPepper{plan.threshold});
    else
        runKind<T, C>(context, plan, in, out, GaussianNoise{plan.sigma256});
}

Result<void> supports(const Plan& plan) {
    if (bytesPerSample(plan.input) <= 2) return {};
    return fail(ErrorCode::Unsupported,
                "the GPU code of add_noise takes 8 and 16-bit images, not " +
                    std::string(formatName(plan.input)));
}

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& noise = static_cast<const AddNoisePlan&>(plan);
    const bool color = isColor(in.format);
    if (bytesPerSample(in.format) == 1)
        color ? runSamples<std::uint8_t, 4>(context, noise, in, out)
              : runSamples<std::uint8_t, 1>(context, noise, in, out);
    else
        color ? runSamples<std::uint16_t, 4>(context, noise, in, out)
              : runSamples<std::uint16_t, 1>(context, noise, in, out);
}

std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const char* kind : {"salt_pepper", "gaussian"})
        sets.emplace_back().set("kind", std::string(kind));
    return sets;
}

}  // namespace

extern const CudaRunner cudaRunner_add_noise;
const CudaRunner cudaRunner_add_noise{"add_noise", supports, run, nullptr, warmUps};

}  // namespace warpscope::cuda
