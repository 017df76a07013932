#include "engine/image/pyramid.h"

#include <algorithm>
#include <cmath>

#include "engine/image/convert.h"
#include "engine/image/halve_rows.h"

namespace warpscope {
namespace {

constexpr int kSmallestSide = 64;

// Coordinates are clamped instead of counting samples: a repeated edge sample gives the same
// rounded mean as leaving it out.
template <class T>
void halveRow(const T* above, const T* below, T* out, int firstPixel, int outWidth, int inWidth,
              int channels) {
    for (int x = firstPixel; x < outWidth; ++x) {
        const int left = 2 * x * channels;
        const int right = std::min(2 * x + 1, inWidth - 1) * channels;
        for (int c = 0; c < channels; ++c) {
            const T a = above[left + c], b = above[right + c];
            const T d = below[left + c], e = below[right + c];
            if constexpr (std::is_floating_point_v<T>) {
                out[x * channels + c] = ((a + b) + (d + e)) * T(0.25);
            } else {
                out[x * channels + c] = T((std::uint32_t(a) + b + d + e + 2) >> 2);
            }
        }
    }
}

template <class T>
void halveBand(const Image& from, const MutableImage& to, int first, int last) {
    const auto in = from.view<T>();
    const auto out = to.view<T>();
    for (int y = first; y < last; ++y) {
        const T* above = in.row(2 * y);
        const T* below = in.row(std::min(2 * y + 1, in.height - 1));
        int done = 0;
        if constexpr (std::is_same_v<T, std::uint8_t>) {
            // Vector code takes the output pixels that have both columns; the last odd one is left.
            done = in.channels == 4 ? halveRowRgba8(above, below, out.row(y), in.width / 2)
                                    : halveRowGray8(above, below, out.row(y), in.width / 2);
        }
        halveRow(above, below, out.row(y), done, out.width, in.width, in.channels);
    }
}

Result<Image> halve(const Image& image, const CpuContext& context) {
    auto out =
        MutableImage::create(image.format(), {(image.width() + 1) / 2, (image.height() + 1) / 2});
    if (!out) return fail(out.error());
    const auto body = [&](int first, int last) {
        visitSampleType(image.format(), [&]<class T>() { halveBand<T>(image, *out, first, last); });
    };
    const int band =
        rowsPerBand(context, out->height(), 2 * std::uint64_t(image.pitch()), 1, 1 << 20);
    if (auto done = forEachRowBand(context, out->height(), band, body); !done)
        return fail(done.error());
    ImageInfo info = image.info();
    info.raw.reset();
    return std::move(*out).freeze(std::move(info));
}

}  // namespace

int Pyramid::levelFor(double zoom) const {
    int level = 0;
    while (level + 1 < int(levels.size()) && std::ldexp(zoom, level + 1) <= 1.0) ++level;
    return level;
}

std::uint64_t Pyramid::byteCount() const {
    std::uint64_t bytes = 0;
    for (std::size_t i = 1; i < levels.size(); ++i) bytes += levels[i].byteCount();
    return bytes;
}

Result<Pyramid> buildPyramid(const Image& image, const CpuContext& context) {
    Pyramid pyramid;
    pyramid.levels.push_back(image);
    Image last = image;
    if (bytesPerSample(image.format()) >= 4 && !isFloat(image.format())) {
        auto shown = toEightBit(image, context);
        if (!shown) return fail(shown.error());
        last = *shown;
    }
    while (std::max(last.width(), last.height()) > kSmallestSide) {
        auto next = halve(last, context);
        if (!next) return fail(next.error());
        last = *next;
        pyramid.levels.push_back(last);
    }
    return pyramid;
}

}  // namespace warpscope
