// Scopes: where in the picture which values lie (waveform, RGB parade), and which colours there are
// (vectorscope). Exact counts of all pixels.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/row_bands.h"
#include "engine/image/image.h"
#include "engine/image/region_shape.h"

namespace warpscope {

enum class ScopeKind {
    Waveform,    // levels of luminance (BT.601, as the histogram's) by columns of the picture
    Parade,      // the same of R, G and B each; of a gray image its samples once
    Vectorscope  // Cr by Cb (BT.601, full range), whatever the place
};

inline constexpr int kScopeLevels = 256;
// A vectorscope's column or row of pixels without colour.
inline constexpr int kNoChroma = 128;

struct ScopeRequest {
    ScopeKind kind = ScopeKind::Waveform;
    // Of a waveform or parade; no more than the part has pixels across.
    int columns = 512;
    // Sample values: 8 and 16 bits from the first to the last one, others from edge to edge.
    double low = 0;
    double high = 255;
    // Only this part. A rectangle must lie inside the image, of other shapes what does so counts.
    std::optional<RegionShape> region = std::nullopt;
};

struct ScopeCounts {
    ScopeRequest request;
    // Of the image, around what was counted; and how many pixels that were.
    Rect part;
    std::uint64_t pixels = 0;
    Size size;  // of the part
    PixelFormat format = PixelFormat::Gray8;
    int columns = 0;
    // Luminance; R, G, B; or one of chroma. Cell (column, level) is at level * columns + column.
    // Pixel x of the part counts in column x * columns / width (whole), value v in level
    // (v - low) * 256 / (high - low) (whole; + 1 below the line for 8 and 16 bits), `high` in the
    // last. A vectorscope has Cb as column and Cr as level: 255 * C + 128.5 (whole), C from -0.5 to
    // 0.5, samples taken over high - low.
    std::vector<std::vector<std::uint64_t>> grids;
    // Not in the grids: NaN and infinities in any colour; and values beside the range, by grid (of
    // a vectorscope pixels with any such sample).
    std::uint64_t notFinite = 0;
    std::array<std::uint64_t, 3> beside{};

    std::uint64_t at(std::size_t grid, int column, int level) const {
        return grids[grid][std::size_t(level) * std::size_t(columns) + std::size_t(column)];
    }
};

// All formats; alpha is left out. Errors: InvalidArgument for no image, no columns, a region that
// is empty, beside it or, a rectangle, not inside, and a range that is empty or not finite;
// Cancelled, OutOfMemory.
Result<ScopeCounts> countScope(const Image& image, const ScopeRequest& request,
                               const CpuContext& context);

// Where a colour of R, G, B from 0 to 1 lies in a vectorscope: Cb and Cr, -0.5 to 0.5.
std::array<double, 2> chromaOf(double red, double green, double blue);

}  // namespace warpscope
