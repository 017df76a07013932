// Noise from a counter-based generator: every pixel makes its own words from its place in the whole
// image, four or eight pixels a thread.
#include "engine/operations/noise/add_noise.h"

#include "cuda_kernels/runtime/pointwise.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kQuantiles = 4096;

// The bits of a white sample.
template <class T>
constexpr std::uint32_t kWhite = sizeof(T) == 1 ? 255u : 65535u;
template <>
constexpr std::uint32_t kWhite<float> = 0x3f800000u;

// Of the product both halves by one instruction, which compilers do not find for these factors.
__device__ __forceinline__ std::uint64_t wideProduct(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
    std::uint64_t made;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(made) : "r"(a), "r"(b));
    return made;
#else
    return std::uint64_t(a) * b;
#endif
}

// What pixels have in common whose indices have the same upper half: round 0 begins with half of
// its counter 0, which leaves a product of round 1 that does not depend on the lower half.
class PhiloxStart {
  public:
    __device__ PhiloxStart(std::uint32_t indexHigh, std::uint32_t seed)
        : m_seed(seed), m_product(wideProduct(indexHigh ^ seed, kFirst)) {}

    // philox() of the index with this lower half.
    __device__ __forceinline__ PhiloxWords words(std::uint32_t indexLow) const {
        const std::uint64_t begun = wideProduct(indexLow, kFirst);
        std::uint32_t k0 = m_seed + kWeyl0, k1 = kWeyl1;
        const std::uint64_t second = wideProduct(std::uint32_t(begun >> 32), kSecond);
        std::uint32_t c0 = std::uint32_t(second >> 32) ^ k0, c1 = std::uint32_t(second);
        std::uint32_t c2 = std::uint32_t(m_product >> 32) ^ std::uint32_t(begun) ^ k1;
        std::uint32_t c3 = std::uint32_t(m_product);
#pragma unroll
        for (int round = 2; round < 10; ++round) {
            k0 += kWeyl0;
            k1 += kWeyl1;
            const std::uint64_t a = wideProduct(c0, kFirst), b = wideProduct(c2, kSecond);
            c0 = std::uint32_t(b >> 32) ^ c1 ^ k0;
            c1 = std::uint32_t(b);
            c2 = std::uint32_t(a >> 32) ^ c3 ^ k1;
            c3 = std::uint32_t(a);
        }
        return {{c0, c1, c2, c3}};
    }

  private:
    static constexpr std::uint32_t kFirst = 0xD2511F53u, kSecond = 0xCD9E8D57u;
    static constexpr std::uint32_t kWeyl0 = 0x9E3779B9u, kWeyl1 = 0xBB67AE85u;
    std::uint32_t m_seed;
    std::uint64_t m_product;
};

// The bits of word `word` that hold colours of pixel `pixel`, of those of `sample`.
template <class T, int C>
constexpr std::uint32_t colourBits(int word, int pixel, std::uint32_t sample) {
    constexpr int kBits = 8 * int(sizeof(T));
    std::uint32_t bits = 0;
    for (int c = 0; c < (C == 1 ? 1 : 3); ++c) {
        const int at = (pixel * C + c) * kBits;
        if (at / 32 == word) bits |= sample << at % 32;
    }
    return bits;
}

struct SaltPepper {
    static constexpr bool kTakesQuantiles = false;
    std::uint32_t below;
    bool all;

    explicit SaltPepper(std::uint64_t threshold)
        : below(std::uint32_t(threshold)), all(threshold >> 32 != 0) {}

    template <class T, int C, int N>
    __device__ __forceinline__ void apply(std::uint32_t (&words)[N], int pixel,
                                          const PhiloxWords& random, const std::int16_t*) const {
        constexpr std::uint32_t kSample = sizeof(T) == 4 ? ~0u : (1u << (8 * sizeof(T) % 32)) - 1;
        const bool hit = random.word[0] < below || all;
        const bool salt = hit && (random.word[1] & 1u);
#pragma unroll
        for (int word = 0; word < N; ++word) {
            const std::uint32_t sample = colourBits<T, C>(word, pixel, kSample);
            if (sample == 0) continue;
            words[word] = (words[word] & (hit ? ~sample : ~0u)) |
                          (salt ? colourBits<T, C>(word, pixel, kWhite<T>) : 0u);
        }
    }
};

struct GaussianNoise {
    static constexpr bool kTakesQuantiles = true;
    std::int32_t sigma256;
    float floatStep;

    GaussianNoise(std::int32_t sigma, float step) : sigma256(sigma), floatStep(step) {}

    template <class T, int C, int N>
    __device__ __forceinline__ void apply(std::uint32_t (&words)[N], int pixel,
                                          const PhiloxWords& random,
                                          const std::int16_t* quantiles) const {
        constexpr int kBits = 8 * int(sizeof(T));
#pragma unroll
        for (int c = 0; c < (C == 1 ? 1 : 3); ++c) {
            const int sample = pixel * C + c, word = sample * kBits / 32;
            const std::uint32_t value = sampleOf<T>(words, sample);
            const std::uint32_t made = noisy<T>(value, quantiles[random.word[c] >> 20]);
            // What is there is taken away by the same operation that puts what is made.
            words[word] ^= (value ^ made) << (sample * kBits % 32);
        }
    }

  private:
    template <class T>
    __device__ std::uint32_t noisy(std::uint32_t value, std::int32_t quantile) const {
        if constexpr (std::is_floating_point_v<T>) {
            const float noise = __fmul_rn(float(quantile), floatStep);
            return __float_as_uint(__fadd_rn(__uint_as_float(value), noise));
        } else {
            std::int32_t noise;
            if constexpr (sizeof(T) == 1)
                noise = (quantile * sigma256 + (1 << 19)) >> 20;
            else
                noise = std::int32_t((std::int64_t(quantile) * sigma256 * 257 + (1 << 19)) >> 20);
            return std::uint32_t(min(max(std::int32_t(value) + noise, 0), std::int32_t(kWhite<T>)));
        }
    }
};

// Where the image lies in the whole one.
struct Place {
    std::int64_t firstIndex;  // of the pixel at (0, 0)
    std::int64_t wholeWidth;
    std::uint32_t seed;
};

template <class T, int C, class Kind>
struct NoiseBody : PointwiseBody {
    static constexpr int kPixels = C == 1 ? 8 : 4;
    static constexpr int kBytesIn = kPixels * C * int(sizeof(T)), kBytesOut = kBytesIn;
    static constexpr int kInFlight = 1;
    static constexpr unsigned kBlocks = 16;
    static constexpr bool kByRow = true;
    // Ten rounds of two products, each a wide one, and as many other instructions.
    static constexpr int kWork = 80;
    Place place;
    Kind kind;
    const std::int16_t* quantiles;

    NoiseBody(const Place& at, const Kind& what, const std::int16_t* table)
        : place(at), kind(what), quantiles(table) {}
    __device__ NoiseBody begin() const requires Kind::kTakesQuantiles {
        __shared__ alignas(16) std::int16_t table[kQuantiles];
        for (unsigned i = threadIdx.x; i < kQuantiles / 8; i += kThreads)
            reinterpret_cast<uint4*>(table)[i] = reinterpret_cast<const uint4*>(quantiles)[i];
        NoiseBody begun = *this;
        begun.quantiles = table;
        return begun;
    }
    __device__ void operator()(const std::uint32_t (&in)[kBytesIn / 4],
                               std::uint32_t (&out)[kBytesIn / 4], const PiecePlace& at) const {
        const std::int64_t index =
            place.firstIndex + at.row * place.wholeWidth + std::int64_t(at.piece) * kPixels;
        const auto low = std::uint32_t(index), high = std::uint32_t(index >> 32);
#pragma unroll
        for (int i = 0; i < kBytesIn / 4; ++i) out[i] = in[i];
        if (low <= ~unsigned(kPixels - 1)) {
            const PhiloxStart start(high, place.seed);
#pragma unroll
            for (int p = 0; p < kPixels; ++p)
                kind.template apply<T, C>(out, p, start.words(low + unsigned(p)), quantiles);
            return;
        }
        // The upper half changes in between.
#pragma unroll
        for (int p = 0; p < kPixels; ++p) {
            const PhiloxStart start(low + unsigned(p) < low ? high + 1 : high, place.seed);
            kind.template apply<T, C>(out, p, start.words(low + unsigned(p)), quantiles);
        }
    }
};

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
             const DeviceImage& out, const Kind& kind) {
    const Place place{std::int64_t(plan.originY) * plan.wholeWidth + plan.originX, plan.wholeWidth,
                      plan.seed};
    const std::int16_t* quantiles = Kind::kTakesQuantiles ? quantileTable(context) : nullptr;
    runPointwise(context, "add noise", in, out, NoiseBody<T, C, Kind>(place, kind, quantiles));
}

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& noise = static_cast<const AddNoisePlan&>(plan);
    const auto run = [&]<class T, int C>() {
        if (noise.kind == NoiseKind::SaltPepper)
            runKind<T, C>(context, noise, in, out, SaltPepper{noise.threshold});
        else
            runKind<T, C>(context, noise, in, out, GaussianNoise{noise.sigma256, noise.floatStep});
    };
    if (isFloat(in.format))
        isColor(in.format) ? run.operator()<float, 4>() : run.operator()<float, 1>();
    else
        forSamples(in.format, run);
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(add_noise, .run = run);

}  // namespace warpscope::cuda
