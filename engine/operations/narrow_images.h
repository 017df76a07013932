// Images of few columns and many rows. Bodies work on vectors along a row, so that a row of one
// pixel costs as much as one of a vector: what does the same to rows and columns runs on the image
// turned on its side instead, and cost follows pixels.
#pragma once

#include <algorithm>

#include "engine/base/row_bands.h"
#include "engine/image/image.h"

namespace warpscope {

// Columns up to which a vector is mostly empty.
inline constexpr int kNarrowColumns = 16;

inline bool isNarrow(Size size) {
    return size.width <= kNarrowColumns && size.height > 4 * size.width;
}

// Columns become rows. `out` has the format of `in`.
Result<void> turn(const Image& in, const MutableImage& out, const CpuContext& context);

// Calls run(in, out) with both as they are, or turned where they are narrow.
template <class Run>
Result<void> onLongRows(const Image& in, const MutableImage& out, const CpuContext& context,
                        const Run& run) {
    if (!isNarrow(in.size())) return run(in, out);
    CpuContext quiet = context;
    quiet.progress = nullptr;  // the work itself reports
    const Size size{in.height(), in.width()};
    auto source = MutableImage::create(in.format(), size);
    if (!source) return fail(source.error());
    if (auto turned = turn(in, *source, quiet); !turned) return turned;
    auto result = MutableImage::create(out.format(), size);
    if (!result) return fail(result.error());
    if (auto done = run(std::move(*source).freezeLike(in), *result); !done) return done;
    return turn(std::move(*result).freezeLike(in), out, quiet);
}

}  // namespace warpscope
