#include "engine/operations/narrow_images.h"

#include <cstring>

namespace warpscope {
namespace {

// Along the longer side from `first` to `last`, pixels of kBytes.
template <int kBytes>
void turnLines(const Image& in, const MutableImage& out, int first, int last) {
    const auto move = [&](int x, int y) {
        std::memcpy(out.rowBytes(x) + std::ptrdiff_t(y) * kBytes,
                    in.rowBytes(y) + std::ptrdiff_t(x) * kBytes, kBytes);
    };
    const bool tall = in.height() > in.width();
    const int across = std::min(in.width(), in.height());
    for (int line = first; line < last; ++line)
        for (int i = 0; i < across; ++i) tall ? move(i, line) : move(line, i);
}

}  // namespace

Result<void> turn(const Image& in, const MutableImage& out, const CpuContext& context) {
    const int lines = std::max(in.width(), in.height());
    const int band = rowsPerBand(context, lines, 2 * in.byteCount() / std::uint64_t(lines));
    return forEachRowBand(context, lines, band, [&](int first, int last) {
        switch (bytesPerPixel(in.format())) {
            case 1:
                return turnLines<1>(in, out, first, last);
            case 2:
                return turnLines<2>(in, out, first, last);
            case 4:
                return turnLines<4>(in, out, first, last);
            case 8:
                return turnLines<8>(in, out, first, last);
            default:
                return turnLines<16>(in, out, first, last);
        }
    });
}

}  // namespace warpscope
