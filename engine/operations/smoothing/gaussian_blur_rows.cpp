#include "engine/operations/smoothing/gaussian_blur_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/gaussian_blur_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "engine/operations/lanes-inl.h"
#include "engine/operations/smoothing/gaussian_blur_pairs-inl.h"
#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

std::uint32_t weightAt(const GaussianWeights& w, int i) {
    const auto weight = std::uint32_t(w.padded[std::size_t(GaussianWeights::kBefore + i)]);
    return i == w.count / 2 ? weight + std::uint32_t(w.extra) : weight;
}

void rowKernel(const std::int16_t* padded, const GaussianWeights& w, std::int16_t* out, int count) {
    for (int x = 0; x < count; ++x) {
        std::uint32_t sum = 128;
        for (int i = 0; i < w.count; ++i) sum += weightAt(w, i) * std::uint32_t(padded[x + i]);
        out[x] = std::int16_t(std::int32_t(sum >> 8) - 32768);
    }
}

void columnKernel(const std::int16_t* const* rows, const GaussianWeights& w, int count,
                  std::uint8_t* const* out, const RowsAhead&) {
    for (int k = 0; k < kGaussianRowsAtOnce; ++k)
        for (int x = 0; x < count; ++x) {
            std::uint32_t sum = kColumnStart;
            for (int i = 0; i < w.count; ++i)
                sum += weightAt(w, i) * std::uint32_t(std::int32_t(rows[k + i][x]));
            out[k][x] = std::uint8_t(sum >> 24);
        }
}

#else

// kBlocks vectors of outputs. A 32-bit lane of the load at x + k holds samples k and k + 1 of an
// even output and k - 1 and k of the odd output after it: one load serves both, and no lanes move.
template <int kBlocks>
HWY_ATTR HWY_INLINE void rowBlocks(const std::int16_t* padded, const GaussianWeights& w,
                                   std::int16_t* out) {
    const D16 d16;
    const int lanes = int(hn::Lanes(d16));
    const std::int16_t* pairs = w.pairsFromFirst();
    V32 even[kBlocks], odd[kBlocks];
    WARPSCOPE_UNROLL
    for (int b = 0; b < kBlocks; ++b) even[b] = odd[b] = hn::Set(D32(), 128);
    for (int k = 0; k < w.count; k += 2) {
        const V16 forEven = weightPair(pairs, k);
        const V16 forOdd = weightPair(pairs, k - 1);
        WARPSCOPE_UNROLL
        for (int b = 0; b < kBlocks; ++b) {
            // GCC 12 reads again for each use what may be an operand in memory.
            const V16 samples = inRegister(hn::LoadU(d16, padded + b * lanes + k));
            even[b] = multiplyAdd(samples, forEven, even[b]);
            odd[b] = multiplyAdd(samples, forOdd, odd[b]);
        }
    }
    if (w.extra != 0) {
        const V16 forEven = constantPair(w.extra, 0);
        const V16 forOdd = constantPair(0, w.extra);
        WARPSCOPE_UNROLL
        for (int b = 0; b < kBlocks; ++b) {
            const V16 samples = hn::LoadU(d16, padded + b * lanes + w.count / 2);
            even[b] = multiplyAdd(samples, forEven, even[b]);
            odd[b] = multiplyAdd(samples, forOdd, odd[b]);
        }
    }
    WARPSCOPE_UNROLL
    for (int b = 0; b < kBlocks; ++b) {
        const auto low = hn::ShiftRight<8>(hn::BitCast(DU32(), even[b]));
        const auto high = hn::ShiftLeft<8>(hn::BitCast(DU32(), odd[b]));
        const auto both = hn::OddEven(hn::BitCast(DU16(), high), hn::BitCast(DU16(), low));
        hn::StoreU(hn::BitCast(d16, hn::Xor(both, hn::Set(DU16(), 0x8000))), d16, out + b * lanes);
    }
}

HWY_ATTR void rowKernel(const std::int16_t* padded, const GaussianWeights& w, std::int16_t* out,
                        int count) {
    const int lanes = int(hn::Lanes(D16()));
    for (int x = 0; x < count; x += 4 * lanes) rowBlocks<4>(padded + x, w, out + x);
}

// Adds a pair of rows to the output rows kFirst to kLast. Rows are interleaved once for all of
// them.
template <int kFirst, int kLast>
HWY_ATTR HWY_INLINE void addRowPair(V16 upper, V16 lower, const std::int16_t* pairs, int at,
                                    V32* left, V32* right) {
    const V16 a = hn::InterleaveLower(D16(), upper, lower);
    const V16 b = hn::InterleaveUpper(D16(), upper, lower);
    WARPSCOPE_UNROLL
    for (int k = kFirst; k <= kLast; ++k) {
        const V16 pair = weightPair(pairs, at - k);
        left[k] = multiplyAdd(a, pair, left[k]);
        right[k] = multiplyAdd(b, pair, right[k]);
    }
}

HWY_ATTR void columnKernel(const std::int16_t* const* rows, const GaussianWeights& w, int count,
                           std::uint8_t* const* out, const RowsAhead& ahead) {
    const D16 d16;
    const hn::Rebind<std::uint8_t, D16> d8;
    const int lanes = int(hn::Lanes(d16));
    const std::int16_t* pairs = w.pairsFromFirst();
    const int last = w.count + 1;  // of the rows of the last pair the upper one
    const std::ptrdiff_t aheadBytes = ahead.bytesOf(count / lanes);
    std::ptrdiff_t asked = 0;
    for (int x = 0; x < count; x += lanes) {
        ahead.fetch(asked, aheadBytes);
        asked += aheadBytes;
        V32 left[kGaussianRowsAtOnce], right[kGaussianRowsAtOnce];
        WARPSCOPE_UNROLL
        for (int k = 0; k < kGaussianRowsAtOnce; ++k)
            left[k] = right[k] = hn::Set(D32(), std::int32_t(kColumnStart));
        // The first two rows are above the lower two outputs, the last two below the upper ones.
        addRowPair<0, 1>(hn::LoadU(d16, rows[0] + x), hn::LoadU(d16, rows[1] + x), pairs, 0, left,
                         right);
#pragma GCC unroll 2
        for (int j = 2; j < last; j += 2)
            addRowPair<0, 3>(hn::LoadU(d16, rows[j] + x), hn::LoadU(d16, rows[j + 1] + x), pairs, j,
                             left, right);
        addRowPair<2, 3>(hn::LoadU(d16, rows[last] + x), hn::LoadU(d16, rows[last + 1] + x), pairs,
                         last, left, right);
        if (w.extra != 0) {
            const V16 extra = constantPair(w.extra, 0);
            WARPSCOPE_UNROLL
            for (int k = 0; k < kGaussianRowsAtOnce; ++k) {
                const V16 centre = hn::LoadU(d16, rows[k + w.count / 2] + x);
                left[k] = multiplyAdd(hn::InterleaveLower(d16, centre, centre), extra, left[k]);
                right[k] = multiplyAdd(hn::InterleaveUpper(d16, centre, centre), extra, right[k]);
            }
        }
        WARPSCOPE_UNROLL
        for (int k = 0; k < kGaussianRowsAtOnce; ++k) {
            const auto a = hn::ShiftRight<24>(hn::BitCast(DU32(), left[k]));
            const auto b = hn::ShiftRight<24>(hn::BitCast(DU32(), right[k]));
            const auto both =
                hn::ReorderDemote2To(d16, hn::BitCast(D32(), a), hn::BitCast(D32(), b));
            hn::StoreU(hn::DemoteTo(d8, both), d8, out[k] + x);
        }
    }
}

#endif

HWY_ATTR void spreadGray(const std::uint8_t* row, int width, std::int16_t* plane) {
    int x = 0;
#if HWY_TARGET != HWY_SCALAR
    const D16 d16;
    const hn::Rebind<std::uint8_t, D16> d8;
    const int lanes = int(hn::Lanes(d16));
    for (; x + lanes <= width; x += lanes)
        hn::StoreU(hn::PromoteTo(d16, hn::LoadU(d8, row + x)), d16, plane + x);
#endif
    for (; x < width; ++x) plane[x] = row[x];
}

HWY_ATTR void spreadColor(const std::uint8_t* row, int width, std::int16_t* const* planes) {
    int x = 0;
#if HWY_TARGET != HWY_SCALAR
    const D32 d32;
    const hn::ScalableTag<std::uint8_t> bytes;
    const hn::Rebind<std::int16_t, D32> half;
    const auto low = hn::Set(d32, 0xFF);
    const int lanes = int(hn::Lanes(d32));
    for (; x + lanes <= width; x += lanes) {
        const auto pixels = hn::BitCast(d32, hn::LoadU(bytes, row + 4 * x));
        const auto red = hn::And(pixels, low);
        const auto green = hn::And(hn::ShiftRight<8>(pixels), low);
        const auto blue = hn::And(hn::ShiftRight<16>(pixels), low);
        hn::StoreU(hn::DemoteTo(half, red), half, planes[0] + x);
        hn::StoreU(hn::DemoteTo(half, green), half, planes[1] + x);
        hn::StoreU(hn::DemoteTo(half, blue), half, planes[2] + x);
    }
#endif
    for (; x < width; ++x)
        for (int c = 0; c < 3; ++c) planes[c][x] = row[4 * x + c];
}

// 16-bit samples. All sums fit 32 bits: a row sum is below 65,536 x 65,535 + 128, and column sums
// of 24-bit values are taken in two parts, the low eight bits apart.
using DWide = hn::CappedTag<std::uint32_t, 16>;
using VWide = hn::Vec<DWide>;

// kVectors vectors of outputs; samples at equal distance have equal weights and are added first.
template <int kVectors>
HWY_ATTR HWY_INLINE void rowBlock16(const std::uint32_t* padded, const std::uint32_t* taps,
                                    int radius, std::uint32_t* out) {
    const DWide d;
    const int lanes = int(hn::Lanes(d));
    VWide sum[kVectors];
    const VWide centre = hn::Set(d, taps[radius]);
    WARPSCOPE_UNROLL
    for (int v = 0; v < kVectors; ++v)
        sum[v] =
            hn::Add(hn::Set(d, 128u), hn::Mul(centre, hn::LoadU(d, padded + radius + v * lanes)));
    for (int i = 0; i < radius; ++i) {
        const VWide tap = hn::Set(d, taps[i]);
        WARPSCOPE_UNROLL
        for (int v = 0; v < kVectors; ++v) {
            const std::uint32_t* at = padded + v * lanes;
            const VWide both = hn::Add(hn::LoadU(d, at + i), hn::LoadU(d, at + 2 * radius - i));
            sum[v] = hn::Add(sum[v], hn::Mul(tap, both));
        }
    }
    WARPSCOPE_UNROLL
    for (int v = 0; v < kVectors; ++v) hn::StoreU(hn::ShiftRight<8>(sum[v]), d, out + v * lanes);
}

HWY_ATTR void row16(const std::uint32_t* padded, const std::uint32_t* taps, int radius,
                    std::uint32_t* out, int count) {
    const int step = 4 * int(hn::Lanes(DWide()));
    for (int x = 0; x < count; x += step) rowBlock16<4>(padded + x, taps, radius, out + x);
}

HWY_ATTR void column16(const std::uint32_t* const* rows, const std::uint32_t* taps, int radius,
                       int count, std::uint16_t* out) {
    const DWide d;
    const hn::Rebind<std::uint16_t, DWide> d16;
    const hn::Rebind<std::int32_t, DWide> di;
    const int lanes = int(hn::Lanes(d));
    const VWide lowBits = hn::Set(d, 255u);
    constexpr int kVectors = 2;
    for (int x = 0; x < count; x += kVectors * lanes) {
        VWide high[kVectors], low[kVectors];
        for (int v = 0; v < kVectors; ++v) {
            high[v] = hn::Zero(d);
            low[v] = hn::Set(d, 1u << 23);
        }
        const auto add = [&](int v, VWide tap, VWide value) HWY_ATTR {
            high[v] = hn::Add(high[v], hn::Mul(tap, hn::ShiftRight<8>(value)));
            low[v] = hn::Add(low[v], hn::Mul(tap, hn::And(value, lowBits)));
        };
        for (int i = 0; i < radius; ++i) {
            const VWide tap = hn::Set(d, taps[i]);
            WARPSCOPE_UNROLL
            for (int v = 0; v < kVectors; ++v) {
                const int at = x + v * lanes;
                add(v, tap,
                    hn::Add(hn::LoadU(d, rows[i] + at), hn::LoadU(d, rows[2 * radius - i] + at)));
            }
        }
        const VWide centre = hn::Set(d, taps[radius]);
        WARPSCOPE_UNROLL
        for (int v = 0; v < kVectors; ++v) {
            const int at = x + v * lanes;
            add(v, centre, hn::LoadU(d, rows[radius] + at));
            const VWide sum = hn::Add(high[v], hn::ShiftRight<8>(low[v]));
            hn::StoreU(hn::DemoteTo(d16, hn::BitCast(di, hn::ShiftRight<16>(sum))), d16, out + at);
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/color_rows.h"
#include "engine/operations/smoothing/gaussian_blur_dot.h"
#include "engine/operations/smoothing/gaussian_blur_small.h"

namespace warpscope {

HWY_EXPORT(rowKernel);
HWY_EXPORT(columnKernel);
HWY_EXPORT(spreadGray);
HWY_EXPORT(spreadColor);
HWY_EXPORT(row16);
HWY_EXPORT(column16);

GaussianWeights::GaussianWeights(const std::vector<std::uint32_t>& given)
    : count(int(given.size())), padded(given.size() + 2 * kBefore), taps(given) {
    for (std::size_t i = 0; i < taps.size(); ++i)
        padded[kBefore + i] = std::int16_t(std::min(taps[i], 32767u));
    pairs.resize((padded.size() - 1) * kPairLanes);
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = padded[i / kPairLanes + i % 2];
    const std::uint32_t centre = taps[taps.size() / 2];
    extra = std::int16_t(centre > 32767u ? centre - 32767u : 0u);
}

std::ptrdiff_t gaussianPaddedLength(int width, int radius) {
    const std::ptrdiff_t blocks = (std::ptrdiff_t(width) + kGaussianBlock - 1) / kGaussianBlock;
    return (blocks + 1) * kGaussianBlock + (2 * std::ptrdiff_t(radius) + 63) / 64 * 64;
}

template <class Middle>
static void repeatEdges(Middle* row, int width, int radius, Middle* end) {
    std::fill_n(row - radius, radius, row[0]);
    std::fill(row + width, end, row[width - 1]);
}

void gaussianSpread(const std::uint8_t* row, int width, int channels, int radius,
                    std::int16_t* planes, std::ptrdiff_t planeLength) {
    std::int16_t* starts[3] = {planes + radius, planes + planeLength + radius,
                               planes + 2 * planeLength + radius};
    if (channels == 1)
        HWY_DYNAMIC_DISPATCH(spreadGray)(row, width, starts[0]);
    else
        HWY_DYNAMIC_DISPATCH(spreadColor)(row, width, starts);
    for (int c = 0; c < (channels == 1 ? 1 : 3); ++c)
        repeatEdges(starts[c], width, radius, planes + (c + 1) * planeLength);
}

void gaussianRow(const std::int16_t* padded, const GaussianWeights& weights, std::int16_t* out,
                 int count) {
    if (gaussianDotProducts()) return gaussianDotRow(padded, weights, out, count);
    HWY_DYNAMIC_DISPATCH(rowKernel)(padded, weights, out, count);
}

// Each sample of the planes lies `radius` behind the same in the row, with the edges around.
static void smallRowOfImage(const std::uint8_t* row, int width, int planes,
                            const GaussianWeights& weights, std::uint8_t* room, std::int16_t* out,
                            int count) {
    const int radius = weights.count / 2;
    const std::ptrdiff_t pitch = gaussianPaddedLength(width, radius);
    std::uint8_t* const starts[3] = {room + radius, room + pitch + radius,
                                     room + 2 * pitch + radius};
    if (planes == 1)
        std::copy_n(row, width, starts[0]);
    else
        splitColors(row, starts, width);
    for (int c = 0; c < planes; ++c) {
        std::uint8_t* const plane = room + c * pitch;
        repeatEdges(plane + radius, width, radius, plane + pitch);
        gaussianSmallRow(plane, weights, out + std::ptrdiff_t(c) * count, count);
    }
}

bool gaussianRowOfImage(const std::uint8_t* row, int width, int planes,
                        const GaussianWeights& weights, std::uint8_t* room, std::int16_t* out,
                        int count) {
    if (!gaussianDotProducts() && isSmallGaussian(weights)) {
        smallRowOfImage(row, width, planes, weights, room, out, count);
        return true;
    }
    if (!gaussianDotProducts() || weights.count / 2 > kGaussianDotRadius) return false;
    if (planes == 1) {
        gaussianDotRow(row, width, weights, out, count);
        return true;
    }
    const std::ptrdiff_t pitch = gaussianPaddedLength(width, 0);
    gaussianDotSplit(row, width, room, pitch);
    for (int c = 0; c < planes; ++c)
        gaussianDotRow(room + c * pitch, width, weights, out + std::ptrdiff_t(c) * count, count);
    return true;
}

void gaussianColumns(const std::int16_t* const* rows, const GaussianWeights& weights, int count,
                     std::uint8_t* const* out, const RowsAhead& ahead) {
    if (gaussianDotProducts()) return gaussianDotColumns(rows, weights, count, out, ahead);
    if (isSmallGaussian(weights)) return gaussianSmallColumns(rows, weights, count, out, ahead);
    HWY_DYNAMIC_DISPATCH(columnKernel)(rows, weights, count, out, ahead);
}

void gaussianSpread(const std::uint16_t* row, int width, int channels, int radius,
                    std::uint32_t* planes, std::ptrdiff_t planeLength) {
    for (int c = 0; c < (channels == 1 ? 1 : 3); ++c) {
        std::uint32_t* const start = planes + c * planeLength + radius;
        for (int x = 0; x < width; ++x) start[x] = row[std::ptrdiff_t(x) * channels + c];
        repeatEdges(start, width, radius, planes + (c + 1) * planeLength);
    }
}

void gaussianRow(const std::uint32_t* padded, const GaussianWeights& weights, std::uint32_t* out,
                 int count) {
    HWY_DYNAMIC_DISPATCH(row16)(padded, weights.taps.data(), weights.count / 2, out, count);
}

void gaussianColumns(const std::uint32_t* const* rows, const GaussianWeights& weights, int count,
                     std::uint16_t* const* out, const RowsAhead&) {
    for (int k = 0; k < kGaussianRowsAtOnce; ++k) {
        HWY_DYNAMIC_DISPATCH(column16)
        (rows + k, weights.taps.data(), weights.count / 2, count, out[k]);
    }
}

}  // namespace warpscope

#endif  // HWY_ONCE
