#include "gui/display/contrast_part.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace warpscope::gui {
namespace {

constexpr std::int64_t kMostLooked = 1 << 18;
// Of the score of the middle, at a corner.
constexpr double kCornerScore = 0.6;

Rect reducedBy(const Rect& rect, int level, Size bounds) {
    const Rect there{rect.x >> level, rect.y >> level, std::max(1, rect.width >> level),
                     std::max(1, rect.height >> level)};
    return intersect(there, {0, 0, bounds.width, bounds.height});
}

// Beside how colourful it is, which is 0 to 1: gray has contrast, too.
constexpr double kGrayShare = 0.15;

// For each corner of a pixel the sums of what lies above and left of it.
class PartSums {
  public:
    PartSums(const Image& image, const Rect& rect)
        : m_stride(std::size_t(rect.width + 1)),
          m_contrast(m_stride * std::size_t(rect.height + 1)),
          m_chroma(m_contrast.size()),
          m_bright(m_contrast.size()) {
        visitSampleType(image.format(), [&]<class T>() { count(image.view<T>(), rect); });
    }
    double largest() const { return m_contrast.back(); }
    // The contrast of a part; where there are colours it counts for more.
    double score(const Rect& part) const {
        const double bright = sum(m_bright, part);
        const double colour = bright > 0 ? std::min(1.0, sum(m_chroma, part) / bright) : 0;
        return sum(m_contrast, part) * (kGrayShare + colour);
    }

  private:
    template <class View>
    void count(const View& view, const Rect& rect) {
        const int colors = view.channels >= 3 ? 3 : 1;
        const auto finite = [](double v) { return std::isfinite(v) ? v : 0.0; };
        const auto difference = [&](const auto* a, const auto* b) {
            double most = 0;
            for (int c = 0; c < colors; ++c)
                most = std::max(most, std::abs(finite(double(a[c])) - finite(double(b[c]))));
            return most;
        };
        for (int y = 0; y < rect.height; ++y) {
            const std::ptrdiff_t first = std::ptrdiff_t(rect.x) * view.channels;
            const auto* here = view.row(rect.y + y) + first;
            const auto* above = view.row(rect.y + std::max(y - 1, 0)) + first;
            double contrast = 0, chroma = 0, bright = 0;
            for (int x = 0; x < rect.width; ++x) {
                contrast += difference(here, above);
                if (x > 0) contrast += difference(here, here - view.channels);
                double low = finite(double(here[0])), high = low;
                for (int c = 1; c < colors; ++c) {
                    low = std::min(low, finite(double(here[c])));
                    high = std::max(high, finite(double(here[c])));
                }
                chroma += high - low;
                bright += std::abs(high);
                const std::size_t to = at(x + 1, y + 1), from = at(x + 1, y);
                m_contrast[to] = m_contrast[from] + contrast;
                m_chroma[to] = m_chroma[from] + chroma;
                m_bright[to] = m_bright[from] + bright;
                here += view.channels;
                above += view.channels;
            }
        }
    }
    std::size_t at(int x, int y) const { return std::size_t(y) * m_stride + std::size_t(x); }
    double sum(const std::vector<double>& sums, const Rect& part) const {
        const int right = part.x + part.width, bottom = part.y + part.height;
        return sums[at(right, bottom)] - sums[at(part.x, bottom)] - sums[at(right, part.y)] +
               sums[at(part.x, part.y)];
    }

    std::size_t m_stride;
    std::vector<double> m_contrast, m_chroma, m_bright;
};

}  // namespace

Rect partOfMostContrast(const Pyramid& pyramid, const Rect& within, Size size) {
    const int width = std::min(within.width, size.width);
    const int height = std::min(within.height, size.height);
    Rect part{within.x + (within.width - width) / 2, within.y + (within.height - height) / 2, width,
              height};
    if (part == within || part.empty()) return part;
    int level = 0;
    while (level + 1 < int(pyramid.levels.size()) &&
           (std::int64_t(within.width) * within.height) >> (2 * level) > kMostLooked)
        ++level;
    const Image& copy = pyramid.levels[std::size_t(level)];
    const Rect area = reducedBy(within, level, copy.size());
    if (area.empty()) return part;
    const int wide = std::clamp(width >> level, 1, area.width);
    const int high = std::clamp(height >> level, 1, area.height);
    const PartSums sums(copy, area);
    const double acrossMost = std::max(1.0, (area.width - wide) / 2.0);
    const double downMost = std::max(1.0, (area.height - high) / 2.0);
    // Rounding alone is no contrast.
    double best = 1e-9 * sums.largest();
    const auto scoreAt = [&](int x, int y) {
        const double across = (x - (area.width - wide) / 2.0) / acrossMost;
        const double down = (y - (area.height - high) / 2.0) / downMost;
        const double far = (across * across + down * down) / 2;
        return sums.score({x, y, wide, high}) * (1 - (1 - kCornerScore) * far);
    };
    int bestX = -1, bestY = -1;
    for (int y = 0; y + high <= area.height; ++y)
        for (int x = 0; x + wide <= area.width; ++x)
            if (const double score = scoreAt(x, y); score > best)
                best = score, bestX = x, bestY = y;
    if (bestX < 0) return part;
    part.x = std::clamp((area.x + bestX) << level, within.x, within.x + within.width - width);
    part.y = std::clamp((area.y + bestY) << level, within.y, within.y + within.height - height);
    return part;
}

}  // namespace warpscope::gui
