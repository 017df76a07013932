#include "engine/operations/noise/add_noise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/noise/add_noise_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Pixels [first, pixels) of one row; the tail of rows and the whole work where there are no
// vectors. `last` is the largest word 0 that hits.
template <class T>
inline void saltPixels(const std::uint32_t* word0, const std::uint32_t* word1, std::uint32_t last,
                       int channels, int first, int pixels, const T* in, T* out) {
    constexpr T kWhite = std::is_floating_point_v<T> ? T{1} : std::numeric_limits<T>::max();
    const int colors = std::min(channels, 3);
    for (int x = first; x < pixels; ++x) {
        const bool hit = word0[x] <= last;
        const T own = (word1[x] & 1) != 0 ? kWhite : T{0};
        const std::ptrdiff_t at = std::ptrdiff_t(x) * channels;
        for (int c = 0; c < colors; ++c) out[at + c] = hit ? own : in[at + c];
        if (channels == 4) out[at + 3] = in[at + 3];
    }
}

// `noise` has a value, in samples, for every entry of the table of quantiles.
template <class T>
inline void gaussianPixels(const std::uint32_t* const* words, const std::int32_t* noise,
                           int channels, int first, int pixels, const T* in, T* out) {
    constexpr std::int32_t kWhite = T(~T{0});
    const int colors = std::min(channels, 3);
    for (int x = first; x < pixels; ++x) {
        const std::ptrdiff_t at = std::ptrdiff_t(x) * channels;
        for (int c = 0; c < colors; ++c)
            out[at + c] = T(std::clamp(in[at + c] + noise[words[c][x] >> 20], 0, kWhite));
        if (channels == 4) out[at + 3] = in[at + 3];
    }
}

#if HWY_TARGET == HWY_SCALAR

void words(std::uint64_t index, std::uint32_t seed, int count, std::uint32_t* word0,
           std::uint32_t* word1, std::uint32_t* word2) {
    for (int i = 0; i < count; ++i) {
        const PhiloxWords w = philox(index + std::uint64_t(i), seed);
        word0[i] = w.word[0];
        word1[i] = w.word[1];
        word2[i] = w.word[2];
    }
}

void salt8(const std::uint32_t* word0, const std::uint32_t* word1, std::uint32_t last, int channels,
           int pixels, const std::uint8_t* in, std::uint8_t* out) {
    saltPixels(word0, word1, last, channels, 0, pixels, in, out);
}

void gaussian8(const std::uint32_t* const* words, const std::int32_t* noise, int channels,
               int pixels, const std::uint8_t* in, std::uint8_t* out) {
    gaussianPixels(words, noise, channels, 0, pixels, in, out);
}

#else

using D32 = hn::ScalableTag<std::uint32_t>;
using DI32 = hn::ScalableTag<std::int32_t>;
using D8 = hn::Rebind<std::uint8_t, D32>;
using Bytes = hn::ScalableTag<std::uint8_t>;

HWY_ATTR void salt8(const std::uint32_t* word0, const std::uint32_t* word1, std::uint32_t last,
                    int channels, int pixels, const std::uint8_t* in, std::uint8_t* out) {
    const D32 d;
    const D8 d8;
    const Bytes bytes;
    const int lanes = int(hn::Lanes(d));
    const auto most = hn::Set(d, last);
    const auto colors = hn::Set(d, channels == 1 ? 0xFFu : 0xFFFFFFu);
    int x = 0;
    for (; x + lanes <= pixels; x += lanes) {
        const auto missed = hn::Gt(hn::LoadU(d, word0 + x), most);
        // All ones where bit 0 is set.
        const auto bit = hn::And(hn::LoadU(d, word1 + x), hn::Set(d, 1));
        const auto own = hn::And(hn::Sub(hn::Zero(d), bit), colors);
        if (channels == 1) {
            const auto v = hn::PromoteTo(d, hn::LoadU(d8, in + x));
            hn::StoreU(hn::TruncateTo(d8, hn::IfThenElse(missed, v, own)), d8, out + x);
        } else {
            const auto v = hn::BitCast(d, hn::LoadU(bytes, in + 4 * x));
            const auto hit = hn::Or(own, hn::AndNot(colors, v));
            hn::StoreU(hn::BitCast(bytes, hn::IfThenElse(missed, v, hit)), bytes, out + 4 * x);
        }
    }
    saltPixels(word0, word1, last, channels, x, pixels, in, out);
}

HWY_ATTR void gaussian8(const std::uint32_t* const* words, const std::int32_t* noise, int channels,
                        int pixels, const std::uint8_t* in, std::uint8_t* out) {
    const D32 d;
    const DI32 di;
    const D8 d8;
    const Bytes bytes;
    const int lanes = int(hn::Lanes(d));
    const auto noiseAt = [&](int channel, int x) HWY_ATTR {
        const auto entry = hn::ShiftRight<20>(hn::LoadU(d, words[channel] + x));
        return hn::GatherIndex(di, noise, hn::BitCast(di, entry));
    };
    const auto white = hn::Set(di, 0xFF);
    int x = 0;
    for (; x + lanes <= pixels; x += lanes) {
        if (channels == 1) {
            const auto v = hn::PromoteTo(di, hn::LoadU(d8, in + x));
            hn::StoreU(hn::DemoteTo(d8, hn::Add(v, noiseAt(0, x))), d8, out + x);
            continue;
        }
        const auto pixel = hn::BitCast(d, hn::LoadU(bytes, in + 4 * x));
        const auto noisy = [&](auto sample, int channel) HWY_ATTR {
            const auto v = hn::Add(hn::BitCast(di, sample), noiseAt(channel, x));
            return hn::BitCast(d, hn::Min(hn::Max(v, hn::Zero(di)), white));
        };
        const auto low = hn::Set(d, 0xFF);
        const auto red = noisy(hn::And(pixel, low), 0);
        const auto green = noisy(hn::And(hn::ShiftRight<8>(pixel), low), 1);
        const auto blue = noisy(hn::And(hn::ShiftRight<16>(pixel), low), 2);
        const auto mixed =
            hn::Or(hn::Or(red, hn::ShiftLeft<8>(green)),
                   hn::Or(hn::ShiftLeft<16>(blue), hn::And(pixel, hn::Set(d, 0xFF000000u))));
        hn::StoreU(hn::BitCast(bytes, mixed), bytes, out + 4 * x);
    }
    gaussianPixels(words, noise, channels, x, pixels, in, out);
}

// A counter a 64-bit lane: its words are the lower halves of four vectors. What stands in the
// upper halves is never looked at, so products and exclusive ors need no masks.
HWY_ATTR void words(std::uint64_t index, std::uint32_t seed, int count, std::uint32_t* word0,
                    std::uint32_t* word1, std::uint32_t* word2) {
    const hn::ScalableTag<std::uint64_t> d;
    const hn::ScalableTag<std::uint32_t> d32;
    const hn::Rebind<std::uint32_t, decltype(d)> narrow;
    using V = hn::Vec<decltype(d)>;
    const int lanes = int(hn::Lanes(d));
    const auto times = [&](V v, std::uint32_t factor) HWY_ATTR {
        return hn::MulEven(hn::BitCast(d32, v), hn::Set(d32, factor));
    };
    constexpr int kSide = 4;  // vectors side by side: a round waits for its products
    for (int i = 0; i < count; i += kSide * lanes) {
        V c0[kSide], c1[kSide], c2[kSide], c3[kSide];
        _Pragma("GCC unroll 4") for (int s = 0; s < kSide; ++s) {
            c0[s] = hn::Iota(d, 0);
            c0[s] = hn::Add(c0[s], hn::Set(d, index + std::uint64_t(i + s * lanes)));
            c1[s] = hn::ShiftRight<32>(c0[s]);
            c2[s] = c3[s] = hn::Zero(d);
        }
        std::uint32_t k0 = seed, k1 = 0;
        for (int round = 0; round < 10; ++round) {
            const V key0 = hn::BitCast(d, hn::Set(d32, k0));
            const V key1 = hn::BitCast(d, hn::Set(d32, k1));
            _Pragma("GCC unroll 4") for (int s = 0; s < kSide; ++s) {
                const V a = times(c0[s], 0xD2511F53u);
                const V b = times(c2[s], 0xCD9E8D57u);
                c0[s] = hn::Xor(hn::Xor(hn::ShiftRight<32>(b), c1[s]), key0);
                c1[s] = b;
                c2[s] = hn::Xor(hn::Xor(hn::ShiftRight<32>(a), c3[s]), key1);
                c3[s] = a;
            }
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
        _Pragma("GCC unroll 4") for (int s = 0; s < kSide; ++s) {
            const int at = i + s * lanes;
            hn::StoreU(hn::TruncateTo(narrow, c0[s]), narrow, word0 + at);
            hn::StoreU(hn::TruncateTo(narrow, c1[s]), narrow, word1 + at);
            hn::StoreU(hn::TruncateTo(narrow, c2[s]), narrow, word2 + at);
        }
    }
}

#endif

void salt16(const std::uint32_t* word0, const std::uint32_t* word1, std::uint32_t last,
            int channels, int pixels, const std::uint16_t* in, std::uint16_t* out) {
    saltPixels(word0, word1, last, channels, 0, pixels, in, out);
}

void saltFloat(const std::uint32_t* word0, const std::uint32_t* word1, std::uint32_t last,
               int channels, int pixels, const float* in, float* out) {
    saltPixels(word0, word1, last, channels, 0, pixels, in, out);
}

void gaussian16(const std::uint32_t* const* words, const std::int32_t* noise, int channels,
                int pixels, const std::uint16_t* in, std::uint16_t* out) {
    gaussianPixels(words, noise, channels, 0, pixels, in, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/cpu_work.h"

namespace warpscope {
namespace {

HWY_EXPORT(words);
HWY_EXPORT(salt8);
HWY_EXPORT(salt16);
HWY_EXPORT(saltFloat);
HWY_EXPORT(gaussian8);
HWY_EXPORT(gaussian16);

// Pixels whose words are made at a time; they stay in the first-level cache.
constexpr int kChunk = 512;

struct Words {
    alignas(64) std::uint32_t word[3][kChunk + 64];
};

template <class T>
using Noise = std::conditional_t<std::is_floating_point_v<T>, float, std::int32_t>;

// The noise of every table entry, in samples.
template <class T>
std::array<Noise<T>, 4096> noiseTable(std::int32_t sigma256, float floatStep) {
    std::array<Noise<T>, 4096> table;
    for (std::size_t i = 0; i < table.size(); ++i) {
        if constexpr (std::is_floating_point_v<T>) {
            table[i] = float(kNormalQuantiles[i]) * floatStep;
        } else {
            const std::int64_t product = std::int64_t{kNormalQuantiles[i]} * sigma256;
            table[i] = std::int32_t((product * (sizeof(T) == 2 ? 257 : 1) + (1 << 19)) >> 20);
        }
    }
    return table;
}

void addSalt(const Words& words, std::uint32_t last, int channels, int pixels,
             const std::uint8_t* in, std::uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(salt8)(words.word[0], words.word[1], last, channels, pixels, in, out);
}
void addSalt(const Words& words, std::uint32_t last, int channels, int pixels,
             const std::uint16_t* in, std::uint16_t* out) {
    HWY_DYNAMIC_DISPATCH(salt16)(words.word[0], words.word[1], last, channels, pixels, in, out);
}

void addSalt(const Words& words, std::uint32_t last, int channels, int pixels, const float* in,
             float* out) {
    HWY_DYNAMIC_DISPATCH(saltFloat)(words.word[0], words.word[1], last, channels, pixels, in, out);
}

void addGaussian(const Words& words, const std::int32_t* noise, int channels, int pixels,
                 const std::uint8_t* in, std::uint8_t* out) {
    const std::uint32_t* const three[] = {words.word[0], words.word[1], words.word[2]};
    HWY_DYNAMIC_DISPATCH(gaussian8)(three, noise, channels, pixels, in, out);
}
void addGaussian(const Words& words, const std::int32_t* noise, int channels, int pixels,
                 const std::uint16_t* in, std::uint16_t* out) {
    const std::uint32_t* const three[] = {words.word[0], words.word[1], words.word[2]};
    HWY_DYNAMIC_DISPATCH(gaussian16)(three, noise, channels, pixels, in, out);
}

void addGaussian(const Words& words, const float* noise, int channels, int pixels, const float* in,
                 float* out) {
    const int colors = std::min(channels, 3);
    for (int x = 0; x < pixels; ++x, in += channels, out += channels) {
        for (int c = 0; c < colors; ++c) out[c] = in[c] + noise[words.word[c][x] >> 20];
        if (channels == 4) out[3] = in[3];
    }
}

template <class T>
Result<void> runTyped(const AddNoisePlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const std::uint64_t rowBytes = std::uint64_t(source.samplesPerRow()) * sizeof(T);
    const bool normal = plan.kind == NoiseKind::Gaussian;
    const auto noise = noiseTable<T>(normal ? plan.sigma256 : 0, plan.floatStep);
    const CpuContext chosen = forWork(context, plan.size, 1.6 * double(bytesPerSample(plan.input)));
    const int band = rowsPerBand(chosen, source.height, rowBytes);
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        Words words;
        for (int y = first; y < last; ++y) {
            const auto index =
                std::uint64_t((std::int64_t{plan.originY} + y) * plan.wholeWidth + plan.originX);
            for (int x = 0; x < source.width; x += kChunk) {
                const int n = std::min(kChunk, source.width - x);
                philoxWords(index + std::uint64_t(x), plan.seed, n, words.word[0], words.word[1],
                            words.word[2]);
                const T* from = source.row(y) + std::ptrdiff_t(x) * source.channels;
                T* to = target.row(y) + std::ptrdiff_t(x) * source.channels;
                if (normal)
                    addGaussian(words, noise.data(), source.channels, n, from, to);
                else
                    addSalt(words, std::uint32_t(plan.threshold - 1), source.channels, n, from, to);
            }
        }
    });
}

}  // namespace

void philoxWords(std::uint64_t index, std::uint32_t seed, int count, std::uint32_t* word0,
                 std::uint32_t* word1, std::uint32_t* word2) {
    HWY_DYNAMIC_DISPATCH(words)(index, seed, count, word0, word1, word2);
}

Result<void> runAddNoiseCpu(const AddNoisePlan& plan, const Image& in, const MutableImage& out,
                            const CpuContext& context) {
    if (isFloat(plan.input)) return runTyped<float>(plan, in, out, context);
    if (bytesPerSample(plan.input) == 2) return runTyped<std::uint16_t>(plan, in, out, context);
    return runTyped<std::uint8_t>(plan, in, out, context);
}

}  // namespace warpscope

#endif  // HWY_ONCE
