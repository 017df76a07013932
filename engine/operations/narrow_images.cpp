#include "engine/operations/narrow_images.h"

#include "engine/image/turn_pixels.h"

namespace warpscope {

Result<void> turn(const Image& in, const MutableImage& out, const CpuContext& context) {
    constexpr int kTransposed = 5;
    const bool wide = out.width() > out.height();
    const int lines = std::max(out.width(), out.height());
    const int band = rowsPerBand(context, lines, 2 * in.byteCount() / std::uint64_t(lines));
    return forEachRowBand(context, lines, band, [&](int first, int last) {
        turnPixels(in, out, kTransposed,
                   wide ? Rect{first, 0, last - first, out.height()}
                        : Rect{0, first, out.width(), last - first});
    });
}

}  // namespace warpscope
