#include "engine/operations/tone/equalize.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/equalize_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// min(255, (2 v t + luma) / (2 luma)), as the definition says.
inline std::uint8_t scaledSample(std::uint32_t v, std::uint32_t t, std::uint32_t luma) {
    return std::uint8_t(luma == 0 ? v : std::min(255u, (2 * v * t + luma) / (2 * luma)));
}

inline void scalePixels(const std::uint8_t* rgba, const std::uint8_t* luma,
                        const std::uint8_t* mapped, std::uint8_t* out, int width) {
    for (int x = 0; x < width; ++x, rgba += 4, out += 4) {
        for (int c = 0; c < 3; ++c) out[c] = scaledSample(rgba[c], mapped[x], luma[x]);
        out[3] = rgba[3];
    }
}

#if HWY_TARGET == HWY_SCALAR

void lookUp(const std::uint8_t* table, const std::uint8_t* in, std::uint8_t* out, int n) {
    for (int i = 0; i < n; ++i) out[i] = table[in[i]];
}

void scaleRow(const std::uint8_t* rgba, const std::uint8_t* luma, const std::uint8_t* mapped,
              std::uint8_t* out, int width) {
    scalePixels(rgba, luma, mapped, out, width);
}

#else

// The table in sixteen parts of sixteen bytes. A byte permute gives 0 where the index has bit 7: a
// saturating addition of 0x70 puts it there for every index beyond 15, so that of the sixteen
// results one is the value and the others are 0.
HWY_ATTR void lookUp(const std::uint8_t* table, const std::uint8_t* in, std::uint8_t* out, int n) {
    const hn::ScalableTag<std::uint8_t> d;
    const int lanes = int(hn::Lanes(d));
    hn::Vec<decltype(d)> parts[16];
    _Pragma("GCC unroll 16") for (int k = 0; k < 16; ++k) parts[k] =
        hn::LoadDup128(d, table + 16 * k);
    const auto sixteen = hn::Set(d, 16);
    const auto beyond = hn::Set(d, 0x70);
    int i = 0;
    for (; i + lanes <= n; i += lanes) {
        auto index = hn::LoadU(d, in + i);
        auto value = hn::Zero(d);
        _Pragma("GCC unroll 16") for (int k = 0; k < 16; ++k) {
            const auto own = hn::SaturatedAdd(index, beyond);
            value = hn::Or(value, hn::TableLookupBytesOr0(parts[k], own));
            index = hn::Sub(index, sixteen);
        }
        hn::StoreU(value, d, out + i);
    }
    for (; i < n; ++i) out[i] = table[in[i]];
}

// The quotient v t / luma + 1/2 is a multiple of 1 / (2 luma): it keeps 1/510 away from the whole
// number above it. Half of that is added, far more than float errs here below 256, so cutting off
// gives the exact result; a test walks all values.
HWY_ATTR void scaleRow(const std::uint8_t* rgba, const std::uint8_t* luma,
                       const std::uint8_t* mapped, std::uint8_t* out, int width) {
    const hn::ScalableTag<std::int32_t> d32;
    const hn::ScalableTag<float> df;
    const hn::ScalableTag<std::uint8_t> bytes;
    const hn::Rebind<std::uint8_t, decltype(d32)> quarter;
    const int lanes = int(hn::Lanes(d32));
    const auto low = hn::Set(d32, 0xFF);
    const auto one = hn::Set(df, 1.0f);
    const auto most = hn::Set(df, 255.0f);
    const auto rounding = hn::Set(df, 0.5f + 1.0f / 1024.0f);
    const auto alpha = hn::Set(d32, std::int32_t(0xFF000000u));
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        const auto brightness = hn::ConvertTo(df, hn::PromoteTo(d32, hn::LoadU(quarter, luma + x)));
        const auto wanted = hn::ConvertTo(df, hn::PromoteTo(d32, hn::LoadU(quarter, mapped + x)));
        const auto ratio = hn::IfThenElse(hn::Eq(brightness, hn::Zero(df)), one,
                                          hn::Div(wanted, hn::Max(brightness, one)));
        const auto scale = [&](auto sample) HWY_ATTR {
            const auto value = hn::MulAdd(hn::ConvertTo(df, sample), ratio, rounding);
            return hn::ConvertTo(d32, hn::Min(value, most));
        };
        const auto pixels = hn::BitCast(d32, hn::LoadU(bytes, rgba + 4 * x));
        const auto red = scale(hn::And(pixels, low));
        const auto green = scale(hn::And(hn::ShiftRight<8>(pixels), low));
        const auto blue = scale(hn::And(hn::ShiftRight<16>(pixels), low));
        const auto mixed = hn::Or(hn::Or(red, hn::ShiftLeft<8>(green)),
                                  hn::Or(hn::ShiftLeft<16>(blue), hn::And(pixels, alpha)));
        hn::StoreU(hn::BitCast(bytes, mixed), bytes, out + 4 * x);
    }
    scalePixels(rgba + 4 * x, luma + x, mapped + x, out + 4 * x, width - x);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#if HWY_ARCH_X86
#include <immintrin.h>
#endif

#include "engine/operations/analysis/histogram.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"
#include "engine/operations/vector_targets.h"

namespace warpscope {
namespace {

HWY_EXPORT(lookUp);
HWY_EXPORT(scaleRow);

#if HWY_ARCH_X86
#define WARPSCOPE_VBMI __attribute__((target("avx512f,avx512bw,avx512vbmi")))

// A table of 256 bytes in four registers.
struct PermuteTable {
    __m512i part[4];
};

WARPSCOPE_VBMI inline PermuteTable loadTable(const std::uint8_t* table) {
    return {{_mm512_loadu_si512(table), _mm512_loadu_si512(table + 64),
             _mm512_loadu_si512(table + 128), _mm512_loadu_si512(table + 192)}};
}

// The permutes take the lower seven bits of each index; bit 7 chooses between them.
WARPSCOPE_VBMI inline __m512i permuted(const PermuteTable& table, __m512i index) {
    const __m512i low = _mm512_permutex2var_epi8(table.part[0], index, table.part[1]);
    const __m512i high = _mm512_permutex2var_epi8(table.part[2], index, table.part[3]);
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(index), low, high);
}

WARPSCOPE_VBMI void lookUpByPermutes(const std::uint8_t* table, const std::uint8_t* in,
                                     std::uint8_t* out, int n) {
    const PermuteTable own = loadTable(table);
    for (int i = 0; i < n; i += 64) {
        const __mmask64 valid = n - i >= 64 ? ~__mmask64{0} : (__mmask64{1} << (n - i)) - 1;
        const __m512i index = _mm512_maskz_loadu_epi8(valid, in + i);
        _mm512_mask_storeu_epi8(out + i, valid, permuted(own, index));
    }
}

// Three tables over interleaved pixels.
WARPSCOPE_VBMI void lookUpPixelsByPermutes(const EqualizeTables& tables, const std::uint8_t* in,
                                           std::uint8_t* out, int samples) {
    const PermuteTable red = loadTable(tables.red.data());
    const PermuteTable green = loadTable(tables.green.data());
    const PermuteTable blue = loadTable(tables.blue.data());
    constexpr __mmask64 kRed = 0x1111111111111111;
    for (int i = 0; i < samples; i += 64) {
        const __mmask64 valid =
            samples - i >= 64 ? ~__mmask64{0} : (__mmask64{1} << (samples - i)) - 1;
        const __m512i index = _mm512_maskz_loadu_epi8(valid, in + i);
        __m512i value = _mm512_mask_mov_epi8(index, kRed, permuted(red, index));
        value = _mm512_mask_mov_epi8(value, kRed << 1, permuted(green, index));
        value = _mm512_mask_mov_epi8(value, kRed << 2, permuted(blue, index));
        _mm512_mask_storeu_epi8(out + i, valid, value);
    }
}
#undef WARPSCOPE_VBMI
#endif

void lookUpRow(const std::vector<std::uint8_t>& table, const std::uint8_t* in, std::uint8_t* out,
               int n) {
#if HWY_ARCH_X86
    if (hasBytePermutes()) return lookUpByPermutes(table.data(), in, out, n);
#endif
    HWY_DYNAMIC_DISPATCH(lookUp)(table.data(), in, out, n);
}

// Tables of 16 bits are too large for anything but reads.
void lookUpRow(const std::vector<std::uint16_t>& table, const std::uint16_t* in, std::uint16_t* out,
               int n) {
    for (int i = 0; i < n; ++i) out[i] = table[in[i]];
}

template <class T>
void lookUpPixels(const EqualizeTablesOf<T>& tables, const T* in, T* out, int samples) {
#if HWY_ARCH_X86
    if constexpr (sizeof(T) == 1)
        if (hasBytePermutes()) return lookUpPixelsByPermutes(tables, in, out, samples);
#endif
    for (int s = 0; s < samples; s += 4) {
        out[s] = tables.red[in[s]];
        out[s + 1] = tables.green[in[s + 1]];
        out[s + 2] = tables.blue[in[s + 2]];
        out[s + 3] = in[s + 3];
    }
}

// Luma, its new value and the pixels of a chunk stay in the first cache.
template <class T>
void scalePixelsByLuma(const std::vector<T>& table, const T* in, T* out, int width) {
    constexpr int kChunk = 1024;
    T luma[kChunk], mapped[kChunk];
    for (int x = 0; x < width; x += kChunk) {
        const int n = std::min(kChunk, width - x);
        const std::ptrdiff_t at = 4 * std::ptrdiff_t(x);
        lumaRow(in + at, luma, n);
        lookUpRow(table, luma, mapped, n);
        scaleByLuma(in + at, luma, mapped, out + at, n);
    }
}

}  // namespace

void scaleByLuma(const std::uint8_t* rgba, const std::uint8_t* luma, const std::uint8_t* mapped,
                 std::uint8_t* out, int width) {
    HWY_DYNAMIC_DISPATCH(scaleRow)(rgba, luma, mapped, out, width);
}

void scaleByLuma(const std::uint16_t* rgba, const std::uint16_t* luma, const std::uint16_t* mapped,
                 std::uint16_t* out, int width) {
    // As in 8 bits: v t / luma + 1/2 keeps 1/131,070 away from the whole number above it, and
    // double errs by far less than the quarter of that which is added.
    constexpr double kRounding = 0.5 + 1.0 / (1 << 19);
    for (int x = 0; x < width; ++x, rgba += 4, out += 4) {
        const double ratio = luma[x] == 0 ? 1.0 : double(mapped[x]) / double(luma[x]);
        for (int c = 0; c < 3; ++c)
            out[c] = std::uint16_t(std::min(65535.0, rgba[c] * ratio + kRounding));
        out[3] = rgba[3];
    }
}

template <class T>
Result<EqualizeTablesOf<T>> equalizeTablesCpu(const EqualizePlan& plan, const Image& image,
                                              const CpuContext& context) {
    const bool each = plan.channels == EqualizeChannels::Each && isColor(image.format());
    const ChannelSet wanted = each ? ChannelSet{false, true, true, true} : ChannelSet{};
    auto counting = planHistogram(wanted, image.format(), image.size());
    if (!counting) return fail(counting.error());
    CpuContext quiet = context;
    quiet.progress = nullptr;  // the pass over the pixels reports
    auto counts = countCpu(static_cast<const HistogramPlan&>(**counting), image, quiet);
    if (!counts) return fail(counts.error());
    const auto table = [&](HistogramChannel channel) {
        return equalizeTable<T>(counts->find(channel)->bins, plan.mapping);
    };
    if (!each) return EqualizeTablesOf<T>{table(HistogramChannel::Luma), {}, {}};
    return EqualizeTablesOf<T>{table(HistogramChannel::Red), table(HistogramChannel::Green),
                               table(HistogramChannel::Blue)};
}

template Result<EqualizeTables> equalizeTablesCpu<std::uint8_t>(const EqualizePlan&, const Image&,
                                                                const CpuContext&);
template Result<EqualizeTables16> equalizeTablesCpu<std::uint16_t>(const EqualizePlan&,
                                                                   const Image&, const CpuContext&);

namespace {

template <class T>
Result<void> run(const EqualizePlan& plan, const std::optional<EqualizeTablesOf<T>>& frozen,
                 const Image& in, const MutableImage& out, const CpuContext& context) {
    EqualizeTablesOf<T> own;
    if (!frozen) {
        auto made = equalizeTablesCpu<T>(plan, in, context);
        if (!made) return fail(made.error());
        own = std::move(*made);
    }
    const EqualizeTablesOf<T>& tables = frozen ? *frozen : own;
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const int samples = source.samplesPerRow();
    const CpuContext chosen = forWork(context, plan.size, source.channels == 1 ? 0.05 : 0.8);
    const int band = rowsPerBand(chosen, source.height, 2 * sizeof(T) * std::uint64_t(samples));
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            if (source.channels == 1)
                lookUpRow(tables.red, source.row(y), target.row(y), samples);
            else if (plan.channels == EqualizeChannels::Luma)
                scalePixelsByLuma(tables.red, source.row(y), target.row(y), source.width);
            else
                lookUpPixels(tables, source.row(y), target.row(y), samples);
        }
    });
}

}  // namespace

Result<void> runEqualizeCpu(const EqualizePlan& plan, const Image& in, const MutableImage& out,
                            const CpuContext& context) {
    if (isFloat(plan.input)) return runEqualizeFloat(plan, in, out, context);
    if (bytesPerSample(plan.input) == 1)
        return run<std::uint8_t>(plan, plan.frozen, in, out, context);
    return run<std::uint16_t>(plan, plan.frozen16, in, out, context);
}

}  // namespace warpscope

#endif  // HWY_ONCE
