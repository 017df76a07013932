#include "engine/io/encode_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/image/convert.h"
#include "engine/io/decode_support.h"

namespace warpscope::io {
namespace {

Result<Prepared> converted(const Image& image, std::string notice, const std::stop_token& stop) {
    const CpuContext context{.stop = stop, .progress = {}};
    const DisplayRange range = naturalRange(image);
    // The standard conversion, unless the samples end below full scale.
    const bool standard = range.low == 0.0 && range.high == fullScale(image.format());
    const bool sums =
        image.format() == PixelFormat::Gray32 || image.format() == PixelFormat::Gray64;
    auto eight = standard || sums ? toEightBit(image, context) : toEightBit(image, range, context);
    if (!eight) return fail(eight.error());
    Prepared prepared;
    ImageInfo info = image.info();
    info.whiteLevel = 255.0;
    info.raw.reset();
    prepared.image = eight->withInfo(std::move(info));
    if (!standard && !sums && !isFloat(image.format()))
        notice += fmt::format(", the white level {:.0f} became 255", range.high);
    const auto clipped = clippedShare(image, context);
    if (!clipped) return fail(clipped.error());
    if (*clipped > 0)
        notice += fmt::format(
            ": 0 to 1 became 0 to 255, {} % of the samples were clipped",
            *clipped < 0.001 ? "less than 0.1" : fmt::format("{:.1f}", *clipped * 100.0));
    prepared.notices.push_back(std::move(notice));
    return prepared;
}

template <class S>
Result<std::uint64_t> largestOf(const View<const S>& sums, const std::stop_token& stop) {
    S largest = 0;
    const auto ok = forEachRow(sums.height, stop, [&](int y) -> Result<void> {
        largest = std::max(largest, *std::max_element(sums.row(y), sums.row(y) + sums.width));
        return {};
    });
    if (!ok) return fail(ok.error());
    return largest;
}

template <class T, class S>
Result<Prepared> sameNumbers(const Image& image, const View<const S>& sums, PixelFormat format,
                             const std::stop_token& stop) {
    auto made = MutableImage::create(format, image.size());
    if (!made) return fail(made.error());
    const View<T> to = made->template view<T>();
    const auto ok = forEachRow(sums.height, stop, [&](int y) -> Result<void> {
        std::transform(sums.row(y), sums.row(y) + sums.width, to.row(y), [](S v) { return T(v); });
        return {};
    });
    if (!ok) return fail(ok.error());
    ImageInfo info = image.info();
    info.whiteLevel = fullScale(format);
    info.raw.reset();
    return Prepared{std::move(*made).freeze(std::move(info)),
                    {fmt::format("the numbers are kept, in {} bits", 8 * sizeof(T))}};
}

// Sums and labels keep their numbers where none is too large.
template <class S>
Result<Prepared> prepareSums(const Image& image, const std::stop_token& stop) {
    const View<const S> sums = image.view<S>();
    const auto largest = largestOf(sums, stop);
    if (!largest) return fail(largest.error());
    if (*largest <= 255) return sameNumbers<std::uint8_t>(image, sums, PixelFormat::Gray8, stop);
    if (*largest <= 65535)
        return sameNumbers<std::uint16_t>(image, sums, PixelFormat::Gray16, stop);
    return prepareEightBit(image, stop);
}

template <class T>
Result<bool> allOpaque(const View<const T>& view, double white, const std::stop_token& stop) {
    bool opaque = true;
    const auto ok = forEachRow(view.height, stop, [&](int y) -> Result<void> {
        const T* row = view.row(y);
        for (int x = 0; opaque && x < view.width; ++x)
            opaque = double(row[4 * std::ptrdiff_t(x) + 3]) >= white;
        return {};
    });
    if (!ok) return fail(ok.error());
    return opaque;
}

}  // namespace

Result<Prepared> prepareEightBit(const Image& image, const std::stop_token& stop) {
    switch (image.format()) {
        case PixelFormat::Gray8:
        case PixelFormat::Rgba8:
            return Prepared{image, {}};
        case PixelFormat::Gray16:
        case PixelFormat::Rgba16:
            return converted(image, "16 bits became 8", stop);
        case PixelFormat::GrayF32:
        case PixelFormat::RgbaF32:
            return converted(image, "float became 8 bits", stop);
        default:
            return converted(image, "sums became 8 bits, scaled so that the largest is 255", stop);
    }
}

Result<Prepared> prepareIntegers(const Image& image, const std::stop_token& stop) {
    if (image.format() == PixelFormat::Gray16 || image.format() == PixelFormat::Rgba16)
        return Prepared{image, {}};
    if (image.format() == PixelFormat::Gray32) return prepareSums<std::uint32_t>(image, stop);
    if (image.format() == PixelFormat::Gray64) return prepareSums<std::uint64_t>(image, stop);
    return prepareEightBit(image, stop);
}

void noteWhiteLevel(const Image& image, std::string_view format,
                    std::vector<std::string>& notices) {
    const double white = image.info().whiteLevel;
    if (isFloat(image.format()) || white == fullScale(image.format())) return;
    notices.push_back(fmt::format(
        "samples are kept, but {} has no place for their white level {:g}", format, white));
}

Result<Image> withoutWhiteLevel(const Image& image, std::string_view format,
                                std::vector<std::string>& notices, const std::stop_token& stop) {
    noteWhiteLevel(image, format, notices);
    return fullScaleAlpha(image, CpuContext{.stop = stop, .progress = {}});
}

Result<void> refuseAlpha(const Image& image, std::string_view format, const std::stop_token& stop) {
    if (!writesAlpha(image)) return {};
    const auto opaque = visitSampleType(image.format(), [&]<class T>() {
        const double white = isFloat(image.format()) ? 1.0 : image.info().whiteLevel;
        return allOpaque(image.view<T>(), white, stop);
    });
    if (!opaque) return fail(opaque.error());
    if (*opaque) return {};
    return fail(ErrorCode::Unsupported,
                fmt::format("{} has no alpha channel and this image is not opaque; save as PNG, "
                            "TIFF or WebP, or drop the alpha first",
                            format));
}

Result<void> refuseSides(const Image& image, std::string_view format, int maxSide) {
    if (image.width() <= maxSide && image.height() <= maxSide) return {};
    return fail(ErrorCode::Unsupported,
                fmt::format("{} x {} pixels: {} allows sides up to {}", image.width(),
                            image.height(), format, maxSide));
}

Bytes usableProfile(const Image& image, std::vector<std::string>& notices) {
    if (!image.info().iccProfile) return {};
    const auto& profile = *image.info().iccProfile;
    const bool wellFormed = profile.size() >= 132 && std::memcmp(&profile[36], "acsp", 4) == 0;
    const char* space = isColor(image.format()) ? "RGB " : "GRAY";
    if (wellFormed && std::memcmp(&profile[16], space, 4) == 0) return profile;
    notices.push_back(wellFormed ? "the colour profile does not fit these pixels and was not kept"
                                 : "the colour profile is damaged and was not kept");
    return {};
}

}  // namespace warpscope::io
