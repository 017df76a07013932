#include <algorithm>
#include <cmath>

#include "engine/image/convert.h"

namespace warpscope {
namespace {

template <class T>
constexpr float kWhite = 1.0f;
template <>
constexpr float kWhite<std::uint8_t> = 255.0f;
template <>
constexpr float kWhite<std::uint16_t> = 65535.0f;

template <class To, class From>
To converted(From v) {
    if constexpr (std::is_same_v<To, From>) {
        return v;
    } else if constexpr (std::is_same_v<To, float>) {
        return float(v) / kWhite<From>;
    } else if constexpr (std::is_same_v<From, float>) {
        // NaN fails both comparisons and becomes black.
        const float inside = v > 0 ? std::min(v, 1.0f) : 0.0f;
        return To(inside * kWhite<To> + 0.5f);
    } else if constexpr (sizeof(To) > sizeof(From)) {
        return To(v * 257u);
    } else {
        return narrowSample(v);
    }
}

template <class T>
T lumaOf(const T* rgb) {
    if constexpr (std::is_same_v<T, float>)
        return (19595.0f * rgb[0] + 38470.0f * rgb[1] + 7471.0f * rgb[2]) / 65536.0f;
    else
        return T((19595u * rgb[0] + 38470u * rgb[1] + 7471u * rgb[2] + 32768u) >> 16);
}

template <class From, class To>
void convertRow(const From* from, int fromChannels, To* to, int toChannels, int pixels) {
    for (int x = 0; x < pixels; ++x, from += fromChannels, to += toChannels) {
        if (fromChannels == toChannels) {
            for (int c = 0; c < toChannels; ++c) to[c] = converted<To>(from[c]);
        } else if (toChannels == 1) {
            to[0] = converted<To>(lumaOf(from));
        } else {
            std::fill_n(to, 3, converted<To>(from[0]));
            to[3] = To(kWhite<To>);
        }
    }
}

constexpr bool isPicture(PixelFormat format) {
    return format != PixelFormat::Gray32 && format != PixelFormat::Gray64;
}

template <class From>
Result<Image> convertFrom(const Image& image, PixelFormat format, const CpuContext& context) {
    auto out = MutableImage::create(format, image.size());
    if (!out) return fail(out.error());
    const auto source = image.view<From>();
    const auto rowBytes = std::uint64_t(image.width()) * std::uint64_t(bytesPerPixel(format));
    const auto rows = [&]<class To>() {
        if constexpr (sizeof(To) > 4 || std::is_same_v<To, std::uint32_t>) {
            return Result<void>();
        } else {
            const auto target = out->view<To>();
            return forEachRowBand(context, source.height,
                                  rowsPerBand(context, source.height, rowBytes),
                                  [&](int first, int last) {
                                      for (int y = first; y < last; ++y)
                                          convertRow(source.row(y), source.channels, target.row(y),
                                                     target.channels, source.width);
                                  });
        }
    };
    if (const auto done = visitSampleType(format, rows); !done) return fail(done.error());
    return std::move(*out).freezeLike(image);
}

}  // namespace

Result<Image> toFormat(const Image& image, PixelFormat format, const CpuContext& context) {
    if (image.format() == format) return image;
    if (!isPicture(image.format()) || !isPicture(format))
        return fail(ErrorCode::Unsupported, "sums are no picture that could be converted");
    return visitSampleType(image.format(), [&]<class From>() -> Result<Image> {
        if constexpr (sizeof(From) > 4 || std::is_same_v<From, std::uint32_t>)
            return image;
        else
            return convertFrom<From>(image, format, context);
    });
}

}  // namespace warpscope
