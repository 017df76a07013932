#include "engine/operations/tone/level_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/level_table.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/operations/lanes-inl.h"
#include "engine/operations/rows_ahead.h"
#include "engine/operations/stream_store-inl.h"
#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if WARPSCOPE_X86_VECTORS

using D8 = hn::ScalableTag<std::uint8_t>;
using V8 = hn::Vec<D8>;

// What lookUpVectors() takes of a table: its parts of sixteen levels, each but the first of either
// half as its difference, bit by bit, from the one before.
HWY_ATTR void partsOf(const std::uint8_t* table, std::uint8_t* parts) {
    const hn::CappedTag<std::uint8_t, 16> d;
    for (int k = 0; k < 256; k += 16) {
        const auto part = hn::LoadU(d, table + k);
        hn::StoreU(k % 128 == 0 ? part : hn::Xor(part, hn::LoadU(d, table + k - 16)), d, parts + k);
    }
}

// values[t][v] = level in[v] of table t, whose parts begin at parts[t]. A byte permute takes the
// lower four bits of an index and gives 0 where bit 7 is set, that is below 0. So of the indices,
// the indices - 16 and so on, limited to -128, those permute that are not below the part: the parts
// up to theirs, whose differences add up to it. Levels from 128 on are below 0 from the beginning;
// for them the upper half is done with the index - 128, which is below 0 for the others.
template <int kTables, int kVectors>
HWY_ATTR HWY_INLINE void lookUpVectors(const std::uint8_t* const (&parts)[kTables],
                                       const std::uint8_t* in, V8 (&values)[kTables][kVectors]) {
    const D8 d;
    const hn::RebindToSigned<D8> di;
    const int lanes = int(hn::Lanes(d));
    const auto sixteen = hn::Set(di, 16);
    hn::Vec<decltype(di)> index[kVectors];
    WARPSCOPE_UNROLL
    for (int half = 0; half < 2; ++half) {
        WARPSCOPE_UNROLL
        for (int v = 0; v < kVectors; ++v) {
            const auto samples = hn::LoadU(d, in + v * lanes);
            index[v] = hn::BitCast(di, half == 0 ? samples : hn::Xor(samples, hn::Set(d, 128)));
        }
        WARPSCOPE_UNROLL
        for (int k = 0; k < 8; ++k) {
            WARPSCOPE_UNROLL
            for (int t = 0; t < kTables; ++t) {
                const auto part = hn::LoadDup128(d, parts[t] + 128 * half + 16 * k);
                WARPSCOPE_UNROLL
                for (int v = 0; v < kVectors; ++v) {
                    const auto permuted =
                        hn::BitCast(d, hn::TableLookupBytesOr0(part, hn::BitCast(d, index[v])));
                    // In registers: GCC 12 puts all the sums off, with what they are of in memory.
                    values[t][v] =
                        half + k == 0 ? permuted : inRegister(hn::Xor(values[t][v], permuted));
                }
            }
            if (k == 7) continue;
            WARPSCOPE_UNROLL
            for (int v = 0; v < kVectors; ++v) index[v] = hn::SaturatedSub(index[v], sixteen);
        }
    }
}

HWY_ATTR void lookUp(const std::uint8_t* table, const std::uint8_t* in, std::uint8_t* out, int n,
                     bool keepFourth, bool stream) {
    const D8 d;
    const int lanes = int(hn::Lanes(d));
    int i = 0;
    if (n >= lanes) {
        alignas(64) std::uint8_t room[256];
        partsOf(table, room);
        const std::uint8_t* const parts[1] = {room};
        const auto place = hn::And(hn::Iota(d, 0), hn::Set(d, 3));
        const auto kept = hn::Eq(place, hn::Set(d, keepFourth ? 3 : 4));
        constexpr int kVectors = 2;
        for (; i + kVectors * lanes <= n; i += kVectors * lanes) {
            fetchAhead(in + i);
            V8 values[1][kVectors];
            lookUpVectors(parts, in + i, values);
            WARPSCOPE_UNROLL
            for (int v = 0; v < kVectors; ++v) {
                const auto own = hn::LoadU(d, in + i + v * lanes);
                put(hn::IfThenElse(kept, own, values[0][v]), d, out + i + v * lanes, stream);
            }
        }
        for (; i + lanes <= n; i += lanes) {
            V8 values[1][1];
            lookUpVectors(parts, in + i, values);
            put(hn::IfThenElse(kept, hn::LoadU(d, in + i), values[0][0]), d, out + i, stream);
        }
    }
    for (; i < n; ++i) out[i] = keepFourth && i % 4 == 3 ? in[i] : table[in[i]];
}

// out[t][i] = level in[i] of table t, which begins at tables[t] and whose parts begin at parts[t].
HWY_ATTR void lookUpFour(const std::uint8_t* const (&tables)[4],
                         const std::uint8_t* const (&parts)[4], const std::uint8_t* in,
                         std::uint8_t* const (&out)[4], int n) {
    const D8 d;
    const int lanes = int(hn::Lanes(d));
    constexpr int kVectors = 2;
    const auto lookUpAt = [&](int i) HWY_ATTR WARPSCOPE_INLINED {
        V8 values[4][kVectors];
        lookUpVectors(parts, in + i, values);
        WARPSCOPE_UNROLL
        for (int t = 0; t < 4; ++t) {
            WARPSCOPE_UNROLL
            for (int v = 0; v < kVectors; ++v) hn::StoreU(values[t][v], d, out[t] + i + v * lanes);
        }
    };
    const int step = kVectors * lanes;
    int i = 0;
    for (; i + step <= n; i += step) lookUpAt(i);
    if (i == n) return;
    // The last samples together with some that have been done.
    if (n >= step) return lookUpAt(n - step);
    for (; i < n; ++i)
        for (int t = 0; t < 4; ++t) out[t][i] = tables[t][in[i]];
}

#else

void lookUp(const std::uint8_t* table, const std::uint8_t* in, std::uint8_t* out, int n,
            bool keepFourth, bool) {
    for (int i = 0; i < n; ++i) out[i] = keepFourth && i % 4 == 3 ? in[i] : table[in[i]];
}

void partsOf(const std::uint8_t*, std::uint8_t*) {}

void lookUpFour(const std::uint8_t* const (&tables)[4], const std::uint8_t* const (&)[4],
                const std::uint8_t* in, std::uint8_t* const (&out)[4], int n) {
    for (int i = 0; i < n; ++i)
        for (int t = 0; t < 4; ++t) out[t][i] = tables[t][in[i]];
}

#endif

// With fewer samples at a time reads are as quick as permutes.
HWY_ATTR bool permutesPay() {
    return WARPSCOPE_X86_VECTORS && hn::Lanes(hn::ScalableTag<std::uint8_t>()) >= 32;
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <bit>
#include <cstring>

#if HWY_ARCH_X86
#include <immintrin.h>
#endif

#include "engine/operations/cpu_work.h"
#include "engine/operations/flat_rows.h"
#include "engine/operations/vector_targets.h"

namespace warpscope {
namespace {

HWY_EXPORT(lookUp);
HWY_EXPORT(partsOf);
HWY_EXPORT(lookUpFour);
HWY_EXPORT(permutesPay);

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

WARPSCOPE_VBMI inline void putBytes(std::uint8_t* out, __mmask64 valid, __m512i bytes,
                                    bool stream) {
    if (stream && valid == ~__mmask64{0})
        _mm512_stream_si512(reinterpret_cast<__m512i*>(out), bytes);
    else
        _mm512_mask_storeu_epi8(out, valid, bytes);
}

WARPSCOPE_VBMI void lookUpByPermutes(const std::uint8_t* table, const std::uint8_t* in,
                                     std::uint8_t* out, int n, bool keepFourth, bool stream) {
    const __mmask64 changed = keepFourth ? 0x7777777777777777 : ~__mmask64{0};
    const PermuteTable own = loadTable(table);
    for (int i = 0; i < n; i += 64) {
        const __mmask64 valid = n - i >= 64 ? ~__mmask64{0} : (__mmask64{1} << (n - i)) - 1;
        fetchAhead(in + i);
        const __m512i index = _mm512_maskz_loadu_epi8(valid, in + i);
        putBytes(out + i, valid, _mm512_mask_mov_epi8(index, changed, permuted(own, index)),
                 stream);
    }
}

// Three tables over interleaved pixels.
WARPSCOPE_VBMI void lookUpPixelsByPermutes(const ColorTables<std::uint8_t>& tables,
                                           const std::uint8_t* in, std::uint8_t* out, int samples,
                                           bool stream) {
    const PermuteTable red = loadTable(tables.red->data());
    const PermuteTable green = loadTable(tables.green->data());
    const PermuteTable blue = loadTable(tables.blue->data());
    constexpr __mmask64 kRed = 0x1111111111111111;
    for (int i = 0; i < samples; i += 64) {
        const __mmask64 valid =
            samples - i >= 64 ? ~__mmask64{0} : (__mmask64{1} << (samples - i)) - 1;
        fetchAhead(in + i);
        const __m512i index = _mm512_maskz_loadu_epi8(valid, in + i);
        __m512i value = _mm512_mask_mov_epi8(index, kRed, permuted(red, index));
        value = _mm512_mask_mov_epi8(value, kRed << 1, permuted(green, index));
        value = _mm512_mask_mov_epi8(value, kRed << 2, permuted(blue, index));
        putBytes(out + i, valid, value, stream);
    }
}
#undef WARPSCOPE_VBMI
#endif

// Rows of images are.
bool isForStreams(const std::uint8_t* out) {
    return reinterpret_cast<std::uintptr_t>(out) % 64 == 0;
}

void lookUpBytes(const std::uint8_t* table, const std::uint8_t* in, std::uint8_t* out, int n,
                 bool keepFourth, bool stream) {
    stream = stream && isForStreams(out);
#if HWY_ARCH_X86
    if (hasBytePermutes()) return lookUpByPermutes(table, in, out, n, keepFourth, stream);
#endif
    HWY_DYNAMIC_DISPATCH(lookUp)(table, in, out, n, keepFourth, stream);
}

}  // namespace

void lookUpRow(const std::vector<std::uint8_t>& table, const std::uint8_t* in, std::uint8_t* out,
               int n, bool stream) {
    lookUpBytes(table.data(), in, out, n, false, stream);
}

LevelTableSet::LevelTableSet(const std::vector<std::uint8_t>& tables)
    : m_tables(tables.data()), m_parts(hasBytePermutes() ? 0 : tables.size()) {
    for (std::size_t at = 0; at < m_parts.size(); at += 256)
        HWY_DYNAMIC_DISPATCH(partsOf)(tables.data() + at, m_parts.data() + at);
}

bool LevelTableSet::pays() {
    return hasBytePermutes() || HWY_DYNAMIC_DISPATCH(permutesPay)();
}

void LevelTableSet::lookUpRow(const std::uint32_t (&chosen)[4], const std::uint8_t* in,
                              std::uint8_t* const (&out)[4], int n) const {
    const std::uint8_t *tables[4], *parts[4];
    for (int t = 0; t < 4; ++t) tables[t] = m_tables + 256 * std::size_t(chosen[t]);
    if (m_parts.empty()) {
        for (int t = 0; t < 4; ++t) lookUpBytes(tables[t], in, out[t], n, false, false);
        return;
    }
    for (int t = 0; t < 4; ++t) parts[t] = m_parts.data() + 256 * std::size_t(chosen[t]);
    HWY_DYNAMIC_DISPATCH(lookUpFour)(tables, parts, in, out, n);
}

// Tables of 16 bits are too large for anything but reads.
void lookUpRow(const std::vector<std::uint16_t>& table, const std::uint16_t* in, std::uint16_t* out,
               int n, bool) {
    for (int i = 0; i < n; ++i) out[i] = table[in[i]];
}

template <class T>
void lookUpPixels(const ColorTables<T>& tables, const T* in, T* out, int samples,
                  [[maybe_unused]] bool stream) {
    if constexpr (sizeof(T) == 1) {
        if (tables.red == tables.green && tables.red == tables.blue)
            return lookUpBytes(tables.red->data(), in, out, samples, true, stream);
#if HWY_ARCH_X86
        if (hasBytePermutes())
            return lookUpPixelsByPermutes(tables, in, out, samples, stream && isForStreams(out));
#endif
    }
    const T* const red = tables.red->data();
    const T* const green = tables.green->data();
    const T* const blue = tables.blue->data();
    if constexpr (sizeof(T) == 1 && std::endian::native == std::endian::little) {
        // A pixel is read and written at once.
        for (int s = 0; s < samples; s += 4) {
            fetchAhead(in + s);
            std::uint32_t pixel;
            std::memcpy(&pixel, in + s, 4);
            const std::uint32_t made =
                red[pixel & 255] | std::uint32_t(green[pixel >> 8 & 255]) << 8 |
                std::uint32_t(blue[pixel >> 16 & 255]) << 16 | (pixel & 0xff000000);
            std::memcpy(out + s, &made, 4);
        }
        return;
    }
    for (int s = 0; s < samples; s += 4) {
        out[s] = red[in[s]];
        out[s + 1] = green[in[s + 1]];
        out[s + 2] = blue[in[s + 2]];
        out[s + 3] = in[s + 3];
    }
}

template void lookUpPixels(const ColorTables<std::uint8_t>&, const std::uint8_t*, std::uint8_t*,
                           int, bool);
template void lookUpPixels(const ColorTables<std::uint16_t>&, const std::uint16_t*, std::uint16_t*,
                           int, bool);

template <class T>
Result<void> mapLevels(const std::vector<T>& table, const Image& in, const MutableImage& out,
                       const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const int samples = source.samplesPerRow();
    const CpuContext chosen = forWork(context, in.size(), 0.05 * double(source.channels));
    const int band = rowsPerBand(chosen, source.height, 2 * sizeof(T) * std::uint64_t(samples));
    const ColorTables<T> same{&table, &table, &table};
    const bool stream = in.byteCount() >= kFlatStreamBytes;
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            if (source.channels == 4)
                lookUpPixels(same, source.row(y), target.row(y), samples, stream);
            else
                lookUpRow(table, source.row(y), target.row(y), samples, stream);
        }
        if (stream) hwy::FlushStream();
    });
}

template Result<void> mapLevels(const std::vector<std::uint8_t>&, const Image&, const MutableImage&,
                                const CpuContext&);
template Result<void> mapLevels(const std::vector<std::uint16_t>&, const Image&,
                                const MutableImage&, const CpuContext&);

}  // namespace warpscope

#endif  // HWY_ONCE
