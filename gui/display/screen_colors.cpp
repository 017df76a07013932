#include "gui/display/screen_colors.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/base/log.h"
#include "gui/display/display_convert.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

constexpr std::size_t kMostKept = 8;

using Profile = std::shared_ptr<const std::vector<std::uint8_t>>;

std::shared_ptr<const ScreenTransform> made(const std::vector<std::uint8_t>& profile) {
    auto transform = ScreenTransform::create(profile);
    if (!transform) {
        logMessage(LogLevel::Warning, tr("Colours are shown as stored: %1")
                                          .arg(engineText(transform.error().message))
                                          .toStdString());
        return nullptr;
    }
    if (transform->isIdentity()) return nullptr;
    return std::make_shared<const ScreenTransform>(std::move(*transform));
}

}  // namespace

std::shared_ptr<const ScreenTransform> screenColorsOf(const Image& image) {
    if (image.id() == 0 || !image.info().iccProfile) return nullptr;
    struct Known {
        Profile profile;
        std::shared_ptr<const ScreenTransform> transform;
    };
    static std::vector<Known> known;
    const Profile& profile = image.info().iccProfile;
    // Photographs of one camera carry the same bytes, each its own copy of them.
    const auto found = std::find_if(known.begin(), known.end(), [&](const Known& one) {
        return one.profile == profile || *one.profile == *profile;
    });
    if (found != known.end()) return found->transform;
    if (known.size() == kMostKept) known.erase(known.begin());
    known.push_back({profile, made(*profile)});
    return known.back().transform;
}

Result<Image> toScreen(const Image& image, DisplayRange range, const DisplayLook& look) {
    auto screen = toScreen(image, range, look.logarithmic, look.view);
    if (!screen || !look.profile) return screen;
    auto out = MutableImage::create(PixelFormat::Rgba8, screen->size());
    if (!out) return fail(out.error());
    const bool gray = !isColor(screen->format());
    const auto width = std::size_t(screen->width());
    for (int y = 0; y < screen->height(); ++y) {
        const std::uint8_t* from = screen->view<std::uint8_t>().row(y);
        std::uint8_t* to = out->view<std::uint8_t>().row(y);
        if (gray)
            for (std::size_t x = 0; x < width; ++x) {
                std::memset(to + 4 * x, from[x], 3);
                to[4 * x + 3] = 255;
            }
        look.profile->apply(gray ? to : from, to, width);
    }
    ImageInfo info;
    info.hasAlpha = screen->info().hasAlpha;
    return std::move(*out).freeze(std::move(info));
}

}  // namespace warpscope::gui
