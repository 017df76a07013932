#include "engine/operations/add_noise_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/add_noise_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

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

#else

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
    constexpr int kSide = 2;  // vectors side by side: a round waits for its products
    for (int i = 0; i < count; i += kSide * lanes) {
        V c0[kSide], c1[kSide], c2[kSide], c3[kSide];
        for (int s = 0; s < kSide; ++s) {
            c0[s] = hn::Iota(d, 0);
            c0[s] = hn::Add(c0[s], hn::Set(d, index + std::uint64_t(i + s * lanes)));
            c1[s] = hn::ShiftRight<32>(c0[s]);
            c2[s] = c3[s] = hn::Zero(d);
        }
        std::uint32_t k0 = seed, k1 = 0;
        for (int round = 0; round < 10; ++round) {
            const V key0 = hn::BitCast(d, hn::Set(d32, k0));
            const V key1 = hn::BitCast(d, hn::Set(d32, k1));
            _Pragma("GCC unroll 2") for (int s = 0; s < kSide; ++s) {
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
        _Pragma("GCC unroll 2") for (int s = 0; s < kSide; ++s) {
            const int at = i + s * lanes;
            hn::StoreU(hn::TruncateTo(narrow, c0[s]), narrow, word0 + at);
            hn::StoreU(hn::TruncateTo(narrow, c1[s]), narrow, word1 + at);
            hn::StoreU(hn::TruncateTo(narrow, c2[s]), narrow, word2 + at);
        }
    }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/cpu_work.h"

namespace warpscope {
namespace {

HWY_EXPORT(words);

// Pixels whose words are made at a time; they stay in the first-level cache.
constexpr int kChunk = 512;

struct Words {
    alignas(64) std::uint32_t word[3][kChunk + 64];
};

// The noise of every table entry, in samples.
template <class T>
std::array<std::int32_t, 4096> noiseTable(std::int32_t sigma256) {
    std::array<std::int32_t, 4096> table;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const std::int64_t product = std::int64_t{kNormalQuantiles[i]} * sigma256;
        table[i] = std::int32_t((product * (sizeof(T) == 2 ? 257 : 1) + (1 << 19)) >> 20);
    }
    return table;
}

template <class T>
void saltPepper(const Words& words, std::uint64_t threshold, int channels, int pixels, const T* in,
                T* out) {
    constexpr T kWhite = T(~T{0});
    if (channels == 1) {
        for (int x = 0; x < pixels; ++x) {
            const T own = (words.word[1][x] & 1) != 0 ? kWhite : T{0};
            out[x] = words.word[0][x] < threshold ? own : in[x];
        }
        return;
    }
    for (int x = 0; x < pixels; ++x) {
        const bool hit = words.word[0][x] < threshold;
        const T own = (words.word[1][x] & 1) != 0 ? kWhite : T{0};
        for (int c = 0; c < 3; ++c) out[4 * x + c] = hit ? own : in[4 * x + c];
        out[4 * x + 3] = in[4 * x + 3];
    }
}

template <class T>
void gaussian(const Words& words, const std::array<std::int32_t, 4096>& noise, int channels,
              int pixels, const T* in, T* out) {
    constexpr std::int32_t kWhite = T(~T{0});
    const auto noisy = [&](T sample, std::uint32_t word) {
        return T(std::clamp(std::int32_t(sample) + noise[word >> 20], 0, kWhite));
    };
    if (channels == 1) {
        for (int x = 0; x < pixels; ++x) out[x] = noisy(in[x], words.word[0][x]);
        return;
    }
    for (int x = 0; x < pixels; ++x) {
        for (int c = 0; c < 3; ++c) out[4 * x + c] = noisy(in[4 * x + c], words.word[c][x]);
        out[4 * x + 3] = in[4 * x + 3];
    }
}

template <class T>
Result<void> runTyped(const AddNoisePlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const std::uint64_t rowBytes = std::uint64_t(source.samplesPerRow()) * sizeof(T);
    const bool normal = plan.kind == NoiseKind::Gaussian;
    const auto noise = noiseTable<T>(normal ? plan.sigma256 : 0);
    const CpuContext chosen = forWork(context, plan.size, plan.identity ? 0.05 : 3.0);
    const int band = rowsPerBand(chosen, source.height, rowBytes);
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        Words words;
        for (int y = first; y < last; ++y) {
            if (plan.identity) {
                std::memcpy(target.row(y), source.row(y), rowBytes);
                continue;
            }
            const auto index =
                std::uint64_t((std::int64_t{plan.originY} + y) * plan.wholeWidth + plan.originX);
            for (int x = 0; x < source.width; x += kChunk) {
                const int n = std::min(kChunk, source.width - x);
                philoxWords(index + std::uint64_t(x), plan.seed, n, words.word[0], words.word[1],
                            words.word[2]);
                const T* from = source.row(y) + std::ptrdiff_t(x) * source.channels;
                T* to = target.row(y) + std::ptrdiff_t(x) * source.channels;
                if (normal)
                    gaussian(words, noise, source.channels, n, from, to);
                else
                    saltPepper(words, plan.threshold, source.channels, n, from, to);
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
    if (bytesPerSample(plan.input) == 2) return runTyped<std::uint16_t>(plan, in, out, context);
    return runTyped<std::uint8_t>(plan, in, out, context);
}

}  // namespace warpscope

#endif  // HWY_ONCE
