#include "gui/showcase/screen_picture.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/image/convert.h"

namespace warpscope::gui {
namespace {

// The largest part in the middle with the proportions of `area`.
Rect middleOf(Size image, Size area) {
    const double scale =
        std::min(double(image.width) / area.width, double(image.height) / area.height);
    const int width = std::clamp(int(std::lround(scale * area.width)), 1, image.width);
    const int height = std::clamp(int(std::lround(scale * area.height)), 1, image.height);
    return {(image.width - width) / 2, (image.height - height) / 2, width, height};
}

// Two places within each of `count` equal parts of `length` samples.
std::vector<int> places(int length, int count) {
    std::vector<int> list;
    list.reserve(std::size_t(count) * 2);
    for (int i = 0; i < count; ++i)
        for (const double part : {0.25, 0.75})
            list.push_back(std::clamp(int((i + part) * length / count), 0, length - 1));
    return list;
}

Result<Image> everyNth(const Image& image, int n) {
    auto out = MutableImage::create(image.format(),
                                    {(image.width() + n - 1) / n, (image.height() + n - 1) / n});
    if (!out) return fail(out.error());
    const auto pixel = std::size_t(bytesPerPixel(image.format()));
    for (int y = 0; y < out->height(); ++y) {
        const std::byte* from = image.rowBytes(y * n);
        std::byte* to = out->rowBytes(y);
        for (int x = 0; x < out->width(); ++x, from += pixel * std::size_t(n), to += pixel)
            std::memcpy(to, from, pixel);
    }
    return std::move(*out).freeze(image.info());
}

Result<Image> reduced(const Image& image, Size size) {
    auto out = MutableImage::create(image.format(), size);
    if (!out) return fail(out.error());
    const auto from = image.view<std::uint8_t>();
    const auto to = out->view<std::uint8_t>();
    const std::vector<int> columns = places(image.width(), size.width);
    const std::vector<int> rows = places(image.height(), size.height);
    const int channels = from.channels;
    for (int y = 0; y < size.height; ++y) {
        const std::uint8_t* upper = from.row(rows[std::size_t(2 * y)]);
        const std::uint8_t* lower = from.row(rows[std::size_t(2 * y + 1)]);
        std::uint8_t* target = to.row(y);
        for (int x = 0; x < size.width; ++x) {
            const int left = columns[std::size_t(2 * x)] * channels;
            const int right = columns[std::size_t(2 * x + 1)] * channels;
            for (int c = 0; c < channels; ++c) {
                const int sum =
                    upper[left + c] + upper[right + c] + lower[left + c] + lower[right + c];
                *target++ = std::uint8_t((sum + 2) / 4);
            }
        }
    }
    return std::move(*out).freeze(image.info());
}

}  // namespace

bool ScreenLook::holdsFor(PixelFormat format) const {
    return bytesPerSample(format) == bytesPerSample(of) && isFloat(format) == isFloat(of);
}

Result<Image> screenPicture(const Image& image, Size area, const ScreenLook& look) {
    if (image.isNull() || area.width < 1 || area.height < 1)
        return fail(ErrorCode::InvalidArgument, "there is nothing to show or no place for it");
    const Rect middle = middleOf(image.size(), area);
    Image part = image.crop(middle);
    const bool looked = look.holdsFor(part.format()) && !(look.display == DisplayLook{});
    const bool raw = bytesPerSample(part.format()) == 1 && part.info().whiteLevel == 255;
    if (looked || !raw) {
        // Only what will be seen is brought to 8 bits.
        const int stride = std::max(
            1, std::min(middle.width / (2 * area.width), middle.height / (2 * area.height)));
        auto thin = everyNth(part, stride);
        if (!thin) return thin;
        DisplayLook display = looked ? look.display : DisplayLook{};
        // A step may have given colours another meaning.
        if (!thin->info().iccProfile) display.profile = nullptr;
        auto screen = toScreen(*thin, display.range.value_or(naturalRange(*thin)), display);
        if (!screen) return screen;
        part = std::move(*screen);
    }
    return reduced(part,
                   {std::min(part.width(), area.width), std::min(part.height(), area.height)});
}

}  // namespace warpscope::gui
