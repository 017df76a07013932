#include "cli/region.h"

#include <charconv>

namespace warpscope::cli {
namespace {

// "X,Y,W,H" of whole numbers, W and H at least 1.
std::optional<Rect> parseRegion(std::string_view text) {
    int numbers[4] = {};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (int i = 0; i < 4; ++i) {
        if (i > 0 && (at == end || *at++ != ',')) return {};
        const auto [next, error] = std::from_chars(at, end, numbers[i]);
        if (error != std::errc()) return {};
        at = next;
    }
    const auto [x, y, width, height] = numbers;
    if (at != end || x < 0 || y < 0 || width < 1 || height < 1) return {};
    return Rect{x, y, width, height};
}

}  // namespace

void RegionOption::addTo(CLI::App& command) {
    command.add_option("--region", text, "Of this part alone, in pixels")->type_name("X,Y,W,H");
}

bool RegionOption::isValid() const {
    return text.empty() || parseRegion(text);
}

std::string RegionOption::complaint() const {
    return "--region " + text + ": four whole numbers X,Y,W,H, the size at least 1 x 1";
}

Result<Image> RegionOption::of(const Image& image) const {
    const auto region = parseRegion(text);
    if (!region) return image;
    if (std::int64_t(region->x) + region->width > image.width() ||
        std::int64_t(region->y) + region->height > image.height())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("the region of {} x {} pixels at {}, {} lies beyond the image of "
                                "{} x {}",
                                region->width, region->height, region->x, region->y, image.width(),
                                image.height()));
    return image.crop(*region);
}

}  // namespace warpscope::cli
