#include "engine/operations/geometry/flip_rotate.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/geometry/flip_rotate_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kVectorBytes = 16;

// Pixel i of row j of what is made is pixel j of row i of `from`; rows are a step apart, which may
// lead upwards.
template <int kBytes>
HWY_ATTR void turnTyped(const std::byte* from, std::ptrdiff_t fromStep, std::byte* to,
                        std::ptrdiff_t toStep, Size made) {
    const auto turnPixels = [&](int firstColumn, int firstRow, int endRow) {
        for (int j = firstRow; j < endRow; ++j)
            for (int i = firstColumn; i < made.width; ++i)
                std::memcpy(to + j * toStep + std::ptrdiff_t(i) * kBytes,
                            from + i * fromStep + std::ptrdiff_t(j) * kBytes, kBytes);
    };
    int j = 0;
#if HWY_TARGET != HWY_SCALAR
    if constexpr (kBytes < kVectorBytes) {
        using Lane = hwy::UnsignedFromSize<kBytes>;
        constexpr int kSide = kVectorBytes / kBytes;
        const hn::FixedTag<Lane, kSide> d;
        for (; j + kSide <= made.height; j += kSide) {
            int i = 0;
            for (; i + kSide <= made.width; i += kSide) {
                // Each round of interleaving moves a bit of the row's number into the column's.
                hn::Vec<decltype(d)> rows[kSide], mixed[kSide];
                for (int k = 0; k < kSide; ++k)
                    rows[k] =
                        hn::LoadU(d, reinterpret_cast<const Lane*>(from + (i + k) * fromStep +
                                                                   std::ptrdiff_t(j) * kBytes));
                for (int round = 1; round < kSide; round *= 2) {
                    for (int k = 0; k < kSide / 2; ++k) {
                        mixed[2 * k] = hn::InterleaveLower(d, rows[k], rows[k + kSide / 2]);
                        mixed[2 * k + 1] = hn::InterleaveUpper(d, rows[k], rows[k + kSide / 2]);
                    }
                    for (int k = 0; k < kSide; ++k) rows[k] = mixed[k];
                }
                for (int k = 0; k < kSide; ++k)
                    hn::StoreU(rows[k], d,
                               reinterpret_cast<Lane*>(to + (j + k) * toStep +
                                                       std::ptrdiff_t(i) * kBytes));
            }
            turnPixels(i, j, j + kSide);
        }
    }
#endif
    turnPixels(0, j, made.height);
}

HWY_ATTR void turnTile(int pixelBytes, const std::byte* from, std::ptrdiff_t fromStep,
                       std::byte* to, std::ptrdiff_t toStep, Size made) {
    switch (pixelBytes) {
        case 1:
            return turnTyped<1>(from, fromStep, to, toStep, made);
        case 2:
            return turnTyped<2>(from, fromStep, to, toStep, made);
        case 4:
            return turnTyped<4>(from, fromStep, to, toStep, made);
        case 8:
            return turnTyped<8>(from, fromStep, to, toStep, made);
        default:
            return turnTyped<16>(from, fromStep, to, toStep, made);
    }
}

HWY_ATTR void reverseRow(int pixelBytes, const std::byte* from, std::byte* to, std::size_t bytes) {
    std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::FixedTag<std::uint8_t, kVectorBytes> d;
    alignas(kVectorBytes) std::uint8_t order[kVectorBytes];
    for (int k = 0; k < kVectorBytes; ++k)
        order[k] =
            std::uint8_t(kVectorBytes - pixelBytes - k / pixelBytes * pixelBytes + k % pixelBytes);
    const auto reversed = hn::Load(d, order);
    for (; i + kVectorBytes <= bytes; i += kVectorBytes) {
        const auto loaded =
            hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(from + (bytes - i - kVectorBytes)));
        hn::StoreU(hn::TableLookupBytes(loaded, reversed), d,
                   reinterpret_cast<std::uint8_t*>(to + i));
    }
#endif
    const auto pixel = std::size_t(pixelBytes);
    for (; i < bytes; i += pixel) std::memcpy(to + i, from + (bytes - i - pixel), pixel);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/cpu_work.h"

namespace warpscope {
namespace {

HWY_EXPORT(turnTile);
HWY_EXPORT(reverseRow);

// Tiles of input and output fit the first-level cache, and their rows fill its lines.
int tileSide(int pixelBytes) {
    return pixelBytes == 1 ? 64 : 32;
}

void turnInto(const FlipRotatePlan& plan, const Image& in, const MutableImage& out,
              const Rect& tile) {
    const int pixelBytes = bytesPerPixel(plan.input);
    const int firstColumn = plan.fromRight ? in.width() - tile.y - tile.height : tile.y;
    const int firstRow = plan.fromBottom ? in.height() - 1 - tile.x : tile.x;
    const int toRow = plan.fromRight ? tile.y + tile.height - 1 : tile.y;
    HWY_DYNAMIC_DISPATCH(turnTile)
    (pixelBytes, in.rowBytes(firstRow) + std::ptrdiff_t(firstColumn) * pixelBytes,
     plan.fromBottom ? -in.pitch() : in.pitch(),
     out.rowBytes(toRow) + std::ptrdiff_t(tile.x) * pixelBytes,
     plan.fromRight ? -out.pitch() : out.pitch(), tile.size());
}

// By tiles and not by rows: an output may be one row.
Result<void> swapSides(const FlipRotatePlan& plan, const Image& in, const MutableImage& out,
                       const CpuContext& context) {
    const int side = tileSide(bytesPerPixel(plan.input));
    const int across = (out.width() + side - 1) / side;
    const int tiles = across * ((out.height() + side - 1) / side);
    const auto tileBytes = 2 * in.byteCount() / std::uint64_t(tiles);
    return forEachRowBand(
        context, tiles, rowsPerBand(context, tiles, tileBytes), [&](int first, int last) {
            for (int i = first; i < last; ++i) {
                const int x = i % across * side, y = i / across * side;
                turnInto(plan, in, out,
                         {x, y, std::min(side, out.width() - x), std::min(side, out.height() - y)});
            }
        });
}

}  // namespace

Result<void> runFlipRotateCpu(const FlipRotatePlan& plan, const Image& in, const MutableImage& out,
                              const CpuContext& context) {
    const int pixelBytes = bytesPerPixel(plan.input);
    const CpuContext chosen = forWork(context, plan.outputSize, 0.1 * pixelBytes);
    if (plan.swapsSides) return swapSides(plan, in, out, chosen);
    const auto rowBytes = std::size_t(out.width()) * std::size_t(pixelBytes);
    return forEachRowBand(chosen, out.height(), rowsPerBand(chosen, out.height(), rowBytes),
                          [&](int first, int last) {
                              for (int y = first; y < last; ++y) {
                                  const std::byte* from =
                                      in.rowBytes(plan.fromBottom ? in.height() - 1 - y : y);
                                  if (plan.fromRight) {
                                      HWY_DYNAMIC_DISPATCH(reverseRow)
                                      (pixelBytes, from, out.rowBytes(y), rowBytes);
                                  } else {
                                      std::memcpy(out.rowBytes(y), from, rowBytes);
                                  }
                              }
                          });
}

}  // namespace warpscope
#endif
