#include "engine/operations/geometry/flip_rotate.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/geometry/flip_rotate_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kBlockBytes = 16;
constexpr int kLineBytes = 64;

#if HWY_TARGET != HWY_SCALAR
// Block i of vector j becomes block j of vector i.
template <class D>
HWY_ATTR HWY_INLINE void turnBlocks(D d, hn::Vec<D>* v) {
    constexpr int kBlocks = int(hn::MaxLanes(D()) * sizeof(hn::TFromD<D>)) / kBlockBytes;
    static_assert(kBlocks == 1 || kBlocks == 2 || kBlocks == 4);
    if constexpr (kBlocks == 2) {
        const auto low = hn::ConcatLowerLower(d, v[1], v[0]);
        v[1] = hn::ConcatUpperUpper(d, v[1], v[0]);
        v[0] = low;
    } else if constexpr (kBlocks == 4) {
        const hn::Vec<D> even[2] = {hn::ConcatLowerLower(d, v[2], v[0]),
                                    hn::ConcatUpperUpper(d, v[2], v[0])};
        const hn::Vec<D> odd[2] = {hn::ConcatLowerLower(d, v[3], v[1]),
                                   hn::ConcatUpperUpper(d, v[3], v[1])};
        for (int half = 0; half < 2; ++half) {
            v[2 * half] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd[half]), even[half]);
            v[2 * half + 1] = hn::OddEvenBlocks(odd[half], hn::SwapAdjacentBlocks(even[half]));
        }
    }
}

// Pixel i of row j of what is made is pixel j of row i of `from`; rows are a step apart, which may
// lead upwards. As many rows as a vector of D has pixels, each a vector: past the cache where
// `stream` says so.
template <int kBytes, class D>
HWY_ATTR HWY_INLINE void turnSquare(D d, const std::byte* from, std::ptrdiff_t fromStep,
                                    std::byte* to, std::ptrdiff_t toStep, bool stream) {
    using Lane = hn::TFromD<D>;
    constexpr int kLanes = int(hn::MaxLanes(D())), kVector = kLanes * int(sizeof(Lane));
    constexpr int kSide = kBlockBytes / kBytes, kBlocks = kVector / kBlockBytes;
    HWY_ALIGN Lane columns[kBlocks * kSide][kLanes];
    for (int k = 0; k < kSide; ++k) {
        hn::Vec<D> v[kBlocks];
        for (int b = 0; b < kBlocks; ++b) {
            const std::byte* row = from + (k + b * kSide) * fromStep;
            v[b] = hn::LoadU(d, reinterpret_cast<const Lane*>(row));
            // Of the square to the right. There are more rows than the processor looks ahead for.
            hwy::Prefetch(row + kVector);
        }
        turnBlocks(d, v);
        for (int b = 0; b < kBlocks; ++b) hn::Store(v[b], d, columns[b * kSide + k]);
    }
    for (int b = 0; b < kBlocks; ++b) {
        // Each round of interleaving moves a bit of the row's number into the column's.
        hn::Vec<D> rows[kSide], mixed[kSide];
        WARPSCOPE_UNROLL
        for (int k = 0; k < kSide; ++k) rows[k] = hn::Load(d, columns[b * kSide + k]);
        WARPSCOPE_UNROLL
        for (int round = 1; round < kSide; round *= 2) {
            WARPSCOPE_UNROLL
            for (int k = 0; k < kSide / 2; ++k) {
                mixed[2 * k] = hn::InterleaveLower(d, rows[k], rows[k + kSide / 2]);
                mixed[2 * k + 1] = hn::InterleaveUpper(d, rows[k], rows[k + kSide / 2]);
            }
            WARPSCOPE_UNROLL
            for (int k = 0; k < kSide; ++k) rows[k] = mixed[k];
        }
        WARPSCOPE_UNROLL
        for (int k = 0; k < kSide; ++k) {
            auto* made = reinterpret_cast<Lane*>(to + (b * kSide + k) * toStep);
            if (stream)
                hn::Stream(rows[k], d, made);
            else
                hn::StoreU(rows[k], d, made);
        }
    }
}

// In squares, of which the last ones overlap those before; false where not even one fits.
template <int kBytes, class D>
HWY_ATTR bool turnSquares(D d, const std::byte* from, std::ptrdiff_t fromStep, std::byte* to,
                          std::ptrdiff_t toStep, Size made, bool stream) {
    constexpr int kVector = int(hn::MaxLanes(D()) * sizeof(hn::TFromD<D>));
    constexpr int kSide = kVector / kBytes;
    if (made.width < kSide || made.height < kSide) return false;
    for (int i = 0; i < made.width; i += kSide) {
        const int column = std::min(i, made.width - kSide);
        const bool past = stream && kVector == kLineBytes && column == i;
        for (int j = 0; j < made.height; j += kSide) {
            const int row = std::min(j, made.height - kSide);
            turnSquare<kBytes>(d, from + column * fromStep + std::ptrdiff_t(row) * kBytes, fromStep,
                               to + row * toStep + std::ptrdiff_t(column) * kBytes, toStep, past);
        }
    }
    return true;
}
#endif

template <int kBytes>
HWY_ATTR void turnTyped(const std::byte* from, std::ptrdiff_t fromStep, std::byte* to,
                        std::ptrdiff_t toStep, Size made, [[maybe_unused]] bool stream) {
#if HWY_TARGET != HWY_SCALAR
    using Lane = hwy::UnsignedFromSize<std::min(kBytes, 8)>;
    if (turnSquares<kBytes>(hn::ScalableTag<Lane>(), from, fromStep, to, toStep, made, stream))
        return;
    const hn::FixedTag<Lane, kBlockBytes / sizeof(Lane)> block;
    if (turnSquares<kBytes>(block, from, fromStep, to, toStep, made, false)) return;
#endif
    for (int j = 0; j < made.height; ++j)
        for (int i = 0; i < made.width; ++i)
            std::memcpy(to + j * toStep + std::ptrdiff_t(i) * kBytes,
                        from + i * fromStep + std::ptrdiff_t(j) * kBytes, kBytes);
}

HWY_ATTR void turnTile(int pixelBytes, const std::byte* from, std::ptrdiff_t fromStep,
                       std::byte* to, std::ptrdiff_t toStep, Size made, bool stream) {
    switch (pixelBytes) {
        case 1:
            return turnTyped<1>(from, fromStep, to, toStep, made, stream);
        case 2:
            return turnTyped<2>(from, fromStep, to, toStep, made, stream);
        case 4:
            return turnTyped<4>(from, fromStep, to, toStep, made, stream);
        case 8:
            return turnTyped<8>(from, fromStep, to, toStep, made, stream);
        default:
            return turnTyped<16>(from, fromStep, to, toStep, made, stream);
    }
}

#if HWY_TARGET != HWY_SCALAR
// From byte `i` on as many as whole vectors of D make; gives the first one that is left.
template <class D>
HWY_ATTR std::size_t reverseVectors(D d, int pixelBytes, const std::byte* from, std::byte* to,
                                    std::size_t i, std::size_t bytes, bool stream) {
    alignas(kBlockBytes) std::uint8_t order[kBlockBytes];
    for (int k = 0; k < kBlockBytes; ++k)
        order[k] =
            std::uint8_t(kBlockBytes - pixelBytes - k / pixelBytes * pixelBytes + k % pixelBytes);
    const auto reversed = hn::LoadDup128(d, order);
    const std::size_t lanes = hn::Lanes(d);
    for (; i + lanes <= bytes; i += lanes) {
        const auto* at = reinterpret_cast<const std::uint8_t*>(from + (bytes - i - lanes));
        const auto blocks = hn::TableLookupBytes(hn::LoadU(d, at), reversed);
        auto* made = reinterpret_cast<std::uint8_t*>(to + i);
        if (stream)
            hn::Stream(hn::ReverseBlocks(d, blocks), d, made);
        else
            hn::StoreU(hn::ReverseBlocks(d, blocks), d, made);
    }
    return i;
}
#endif

HWY_ATTR void reverseRow(int pixelBytes, const std::byte* from, std::byte* to, std::size_t bytes,
                         [[maybe_unused]] bool stream) {
    std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<std::uint8_t> d;
    i = reverseVectors(d, pixelBytes, from, to, i, bytes, stream);
    const hn::FixedTag<std::uint8_t, kBlockBytes> block;
    i = reverseVectors(block, pixelBytes, from, to, i, bytes, false);
#endif
    const auto pixel = std::size_t(pixelBytes);
    for (; i < bytes; i += pixel) std::memcpy(to + i, from + (bytes - i - pixel), pixel);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/cpu_work.h"
#include "engine/operations/flat_rows.h"

namespace warpscope {
namespace {

HWY_EXPORT(turnTile);
HWY_EXPORT(reverseRow);

// Results that no cache will hold are written past it.
constexpr std::uint64_t kTurnStreamBytes = 4u << 20;

// Of tiles of the output, in lines of 64 bytes each way: rows of both images are touched for long
// enough, and what a tile touches fits the second-level cache.
constexpr int kTileLinesAcross = 4, kTileLinesDown = 8;

// [first, last) of part `i` of `parts`, each `side` long but the last one, which has the rest.
struct TileSpan {
    int first, count;
    TileSpan(int i, int parts, int side, int all)
        : first(i * side), count(i + 1 < parts ? side : all - i * side) {}
};

void turnInto(const FlipRotatePlan& plan, const Image& in, const MutableImage& out,
              const Rect& tile, bool stream) {
    const int pixelBytes = bytesPerPixel(plan.input);
    const int firstColumn = plan.fromRight ? in.width() - tile.y - tile.height : tile.y;
    const int firstRow = plan.fromBottom ? in.height() - 1 - tile.x : tile.x;
    const int toRow = plan.fromRight ? tile.y + tile.height - 1 : tile.y;
    HWY_DYNAMIC_DISPATCH(turnTile)
    (pixelBytes, in.rowBytes(firstRow) + std::ptrdiff_t(firstColumn) * pixelBytes,
     plan.fromBottom ? -in.pitch() : in.pitch(),
     out.rowBytes(toRow) + std::ptrdiff_t(tile.x) * pixelBytes,
     plan.fromRight ? -out.pitch() : out.pitch(), tile.size(), stream);
}

// By tiles and not by rows: an output may be one row.
Result<void> swapSides(const FlipRotatePlan& plan, const Image& in, const MutableImage& out,
                       const CpuContext& context) {
    const int line = 64 / bytesPerPixel(plan.input);
    const int width = kTileLinesAcross * line, height = kTileLinesDown * line;
    const int across = std::max(1, out.width() / width), down = std::max(1, out.height() / height);
    const auto tileBytes = 2 * in.byteCount() / std::uint64_t(across * down);
    const bool stream = in.byteCount() >= kTurnStreamBytes;
    return forEachRowBand(
        context, across * down, rowsPerBand(context, across * down, tileBytes),
        [&](int first, int last) {
            for (int i = first; i < last; ++i) {
                const TileSpan x(i / down, across, width, out.width());
                const TileSpan y(i % down, down, height, out.height());
                turnInto(plan, in, out, {x.first, y.first, x.count, y.count}, stream);
            }
            if (stream) hwy::FlushStream();
        });
}

}  // namespace

Result<void> runFlipRotateCpu(const FlipRotatePlan& plan, const Image& in, const MutableImage& out,
                              const CpuContext& context) {
    const int pixelBytes = bytesPerPixel(plan.input);
    const CpuContext chosen = forWork(context, plan.outputSize, 0.1 * pixelBytes);
    if (plan.swapsSides) return swapSides(plan, in, out, chosen);
    const auto rowBytes = std::size_t(out.width()) * std::size_t(pixelBytes);
    const bool stream = in.byteCount() >= kTurnStreamBytes;
    return forEachRowBand(chosen, out.height(), rowsPerBand(chosen, out.height(), rowBytes),
                          [&](int first, int last) {
                              for (int y = first; y < last; ++y) {
                                  const std::byte* from =
                                      in.rowBytes(plan.fromBottom ? in.height() - 1 - y : y);
                                  if (plan.fromRight) {
                                      HWY_DYNAMIC_DISPATCH(reverseRow)
                                      (pixelBytes, from, out.rowBytes(y), rowBytes, stream);
                                  } else {
                                      stream ? flipRow(from, out.rowBytes(y), rowBytes, 0, true)
                                             : void(std::memcpy(out.rowBytes(y), from, rowBytes));
                                  }
                              }
                              if (stream) hwy::FlushStream();
                          });
}

}  // namespace warpscope
#endif
