#include "gui/display/display_levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

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

bool isSum(PixelFormat format) {
    return format == PixelFormat::Gray32 || format == PixelFormat::Gray64;
}

}  // namespace

DisplayRange knownNaturalRange(const Image& image) {
    struct Known {
        std::uint64_t id = 0;
        DisplayRange range;
    };
    static std::mutex guard;
    static std::array<Known, 4> known;  // guarded by guard
    static std::size_t next = 0;        // guarded by guard
    {
        const std::lock_guard lock(guard);
        for (const Known& entry : known)
            if (entry.id == image.id()) return entry.range;
    }
    const DisplayRange range = naturalRange(image);
    const std::lock_guard lock(guard);
    known[next++ % known.size()] = {image.id(), range};
    return range;
}

DifferenceObstacle differenceObstacle(const PyramidPtr& a, const PyramidPtr& b) {
    if (!a || !b || a->levels.empty() || b->levels.empty()) return DifferenceObstacle::NoResult;
    const Image& first = a->levels.front();
    const Image& second = b->levels.front();
    if (first.size() != second.size()) return DifferenceObstacle::Size;
    return first.format() == second.format() ? DifferenceObstacle::None
                                             : DifferenceObstacle::Format;
}

void DisplayLevels::setPyramid(PyramidPtr pyramid) {
    m_pyramid = std::move(pyramid);
    m_natural.reset();
    forget();
}

void DisplayLevels::setCompared(PyramidPtr other) {
    m_compared = std::move(other);
    forget();
}

void DisplayLevels::setLook(const DisplayLook& look) {
    if (look == m_look) return;
    m_look = look;
    forget();
}

void DisplayLevels::forget() {
    m_convertedLevel = -1;
    m_converted = Image();
}

Size DisplayLevels::size() const {
    return isNull() ? Size{} : image().size();
}

bool DisplayLevels::hasAlpha() const {
    return !isNull() && !m_compared && isColor(image().format()) && image().info().hasAlpha;
}

DisplayRange DisplayLevels::rangeOf(const Image& level) {
    const bool same = level.format() == image().format();
    const double full = fullScale(level.format());
    if (same && m_look.range) return *m_look.range;
    // The smaller levels of sums are 8 bits already, over the natural range.
    if (!same && !m_look.range) return {0.0, full};
    if (!m_natural) m_natural = knownNaturalRange(image());
    if (same) return *m_natural;
    const double width = m_natural->high - m_natural->low;
    if (!(width > 0)) return {0.0, full};
    return {(m_look.range->low - m_natural->low) / width * full,
            (m_look.range->high - m_natural->low) / width * full};
}

Result<Image> DisplayLevels::convert(int level, const Rect& rect) {
    const Image& whole = m_pyramid->levels[std::size_t(level)];
    // Of the samples in full while they are there.
    const Finest finestThere = finest(level);
    Result<Image> samples = areLabels(image().format(), m_look.view)
                                ? strided(finestThere.image, rect, finestThere.stride)
                                : Result<Image>(whole.crop(rect));
    if (!samples) return samples;
    auto screen = toScreen(*samples, rangeOf(whole), m_look);
    if (screen && m_look.view.zebra && m_look.view.channel != ViewChannel::Alpha)
        screen = marked(*screen, level, rect);
    if (!screen || !m_look.highlight) return screen;
    const Finest single = finest(level);
    return highlightedScreen(*screen, single.image, rect.x, rect.y, single.stride,
                             *m_look.highlight);
}

DisplayLevels::Finest DisplayLevels::finest(int level) const {
    if (!image().isNull()) return {image(), 1 << level};
    return {m_pyramid->levels[std::size_t(level)], 1};
}

// What is clipped on the screen; of the samples in full, because smaller copies hide single ones.
Result<Image> DisplayLevels::marked(const Image& screen, int level, const Rect& rect) {
    DisplayRange range = rangeOf(image());
    range.high = range.low + (range.high - range.low) * std::exp2(-m_look.view.stops);
    const Finest samples = finest(level);
    return zebraScreen(screen, samples.image, rect.x, rect.y, samples.stride, range,
                       m_look.view.channel);
}

Result<Image> DisplayLevels::subtract(int level, const Rect& rect) {
    const DisplayRange unit = rangeOf(image());
    if (!isSum(image().format()))
        return differenceToScreen(m_pyramid->levels[std::size_t(level)].crop(rect),
                                  m_compared->levels[std::size_t(level)].crop(rect), unit,
                                  m_look.difference);
    // Smaller levels of sums are 8 bits, each over a range of its own: read the sums themselves.
    const auto a = strided(image(), rect, 1 << level);
    if (!a) return fail(a.error());
    const auto b = strided(m_compared->levels.front(), rect, 1 << level);
    if (!b) return fail(b.error());
    return differenceToScreen(*a, *b, unit, m_look.difference);
}

Result<DisplayLevels::Part> DisplayLevels::part(int level, const Rect& wanted) {
    const Image& whole = m_pyramid->levels[std::size_t(level)];
    if (!m_compared && !m_look.highlight && !m_look.logarithmic && m_look.view.isNatural() &&
        !m_look.profile && bytesPerSample(whole.format()) == 1) {
        const DisplayRange range = rangeOf(whole);
        if (range.low == 0.0 && range.high == 255.0) return Part{whole, 0, 0};
    }
    if (m_convertedLevel != level || !contains(m_convertedRect, wanted)) {
        const Rect rect = inBlocks(wanted, whole.size());
        auto converted = m_compared ? subtract(level, rect) : convert(level, rect);
        if (!converted) return fail(converted.error());
        m_converted = std::move(*converted);
        m_convertedRect = rect;
        m_convertedLevel = level;
    }
    return Part{m_converted, m_convertedRect.x, m_convertedRect.y};
}

}  // namespace warpscope::gui
