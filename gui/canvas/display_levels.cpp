#include "gui/canvas/display_levels.h"

#include <algorithm>
#include <array>

namespace warpscope::gui {
namespace {

// Converted parts begin and end at multiples of this, so that panning converts now and then and not
// at every step.
constexpr int kBlock = 256;

Rect inBlocks(const Rect& rect, Size size) {
    const auto down = [](int v) { return v / kBlock * kBlock; };
    const int right = rect.x + rect.width;
    const int bottom = rect.y + rect.height;
    const int endX = std::min(size.width, down(right + kBlock - 1));
    const int endY = std::min(size.height, down(bottom + kBlock - 1));
    return {down(rect.x), down(rect.y), endX - down(rect.x), endY - down(rect.y)};
}

// The canvas, the loupe and the read-out ask about the same few images, and the answer for sums
// costs a walk over all of them. Window thread only.
DisplayRange knownRange(const Image& image) {
    struct Known {
        std::uint64_t id = 0;
        DisplayRange range;
    };
    static std::array<Known, 4> known;
    static std::size_t next = 0;
    for (const Known& entry : known)
        if (entry.id == image.id()) return entry.range;
    Known& entry = known[next++ % known.size()];
    entry = {image.id(), naturalRange(image)};
    return entry.range;
}

}  // namespace

void DisplayLevels::setPyramid(PyramidPtr pyramid) {
    m_pyramid = std::move(pyramid);
    m_range.reset();
    m_convertedLevel = -1;
    m_converted = Image();
}

Size DisplayLevels::size() const {
    return isNull() ? Size{} : image().size();
}

bool DisplayLevels::hasAlpha() const {
    return !isNull() && isColor(image().format()) && image().info().hasAlpha;
}

DisplayRange DisplayLevels::rangeOf(const Image& level) {
    // The smaller levels of sums are 8 bits already.
    if (level.format() != image().format()) return {0.0, fullScale(level.format())};
    if (!m_range) m_range = knownRange(image());
    return *m_range;
}

Result<DisplayLevels::Part> DisplayLevels::part(int level, const Rect& wanted) {
    const Image& whole = m_pyramid->levels[std::size_t(level)];
    const DisplayRange range = rangeOf(whole);
    if (bytesPerSample(whole.format()) == 1 && range.low == 0.0 && range.high == 255.0)
        return Part{whole, 0, 0};
    if (m_convertedLevel != level || !contains(m_convertedRect, wanted)) {
        const Rect rect = inBlocks(wanted, whole.size());
        // One thread: the pool may be busy with the worker's steps, which this must not wait for.
        const CpuContext here{Threading::Single, {}, {}};
        auto converted = toEightBit(whole.crop(rect), range, here);
        if (!converted) return fail(converted.error());
        m_converted = std::move(*converted);
        m_convertedRect = rect;
        m_convertedLevel = level;
    }
    return Part{m_converted, m_convertedRect.x, m_convertedRect.y};
}

}  // namespace warpscope::gui
