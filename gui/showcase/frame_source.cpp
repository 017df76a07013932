#include "gui/showcase/frame_source.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

#include "engine/image/synthetic.h"

namespace warpscope::gui {
namespace {

constexpr std::uint32_t kSeed = 1;

// A sixth of a side is a walk that is seen from afar.
int marginOf(int side) {
    return std::min(std::max(side / 6, 2), kMaxSide - side);
}

// Back and forth, slow at the turns.
int wander(double seconds, double period, int margin) {
    const double phase = std::sin(2 * std::numbers::pi * seconds / period);
    return std::clamp(int(std::lround(0.5 * margin * (1 + phase))), 0, margin);
}

// Position in [0, side) of a place beyond the edge, mirrored there again and again.
int mirrored(int place, int side) {
    const int round = place % (2 * side);
    return round < side ? round : 2 * side - 1 - round;
}

}  // namespace

Result<FrameSource> FrameSource::ofScene(Size size, std::stop_token stop, ProgressSink progress,
                                         bool color) {
    const Size stage{size.width + marginOf(size.width), size.height + marginOf(size.height)};
    auto scene = makeScene(stage, color, kSeed,
                           CpuContext{Threading::AllCores, std::move(stop), std::move(progress)});
    if (!scene) return fail(scene.error());
    return FrameSource(std::move(*scene), size);
}

Result<FrameSource> FrameSource::ofImage(const Image& image, std::stop_token stop) {
    const Size size = image.size();
    const Size stage{size.width + marginOf(size.width), size.height + marginOf(size.height)};
    auto out = MutableImage::create(image.format(), stage);
    if (!out) return fail(out.error());
    const auto pixel = std::size_t(bytesPerPixel(image.format()));
    const auto rowBytes = pixel * std::size_t(size.width);
    const CpuContext context{Threading::AllCores, stop, {}};
    const int band = rowsPerBand(context, stage.height, pixel * std::uint64_t(stage.width));
    const auto done = forEachRowBand(context, stage.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            const std::byte* from = image.rowBytes(mirrored(y, size.height));
            std::byte* to = out->rowBytes(y);
            std::memcpy(to, from, rowBytes);
            for (int x = size.width; x < stage.width; ++x)
                std::memcpy(to + pixel * std::size_t(x),
                            from + pixel * std::size_t(mirrored(x, size.width)), pixel);
        }
    });
    if (!done) return fail(done.error());
    ImageInfo info = image.info();
    info.raw.reset();  // of another size now
    return FrameSource(std::move(*out).freeze(std::move(info)), size);
}

Rect FrameSource::at(double seconds) const {
    return {wander(seconds, 9.0, m_stage.width() - m_frame.width),
            wander(seconds, 13.0, m_stage.height() - m_frame.height), m_frame.width,
            m_frame.height};
}

Rect FrameSource::next(double seconds, const Rect& last) const {
    Rect rect = at(seconds);
    if (!(rect == last)) return rect;
    rect.x += rect.x + rect.width < m_stage.width() ? 1 : -1;
    // Only a side at the limit of what an image may have leaves no room to walk.
    rect.x = std::clamp(rect.x, 0, m_stage.width() - m_frame.width);
    return rect;
}

}  // namespace warpscope::gui
