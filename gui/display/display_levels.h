// The levels of a pyramid as 8-bit samples for the screen, or the difference of two pyramids. What
// is stored in 8 bits and shown as it is, is shared; anything else is converted where it is looked
// at, and kept.
#pragma once

#include <optional>

#include "engine/worker/render_worker.h"
#include "gui/display/display_convert.h"

namespace warpscope::gui {

// The image in full size; a null one where there is none.
inline Image exactImage(const PyramidPtr& pyramid) {
    return pyramid && !pyramid->levels.empty() ? pyramid->levels.front() : Image();
}

class DisplayLevels {
  public:
    // Part of a level: Gray8 or Rgba8, with the position of its top left sample in the level.
    struct Part {
        Image samples;
        int x = 0;
        int y = 0;
    };

    void setPyramid(PyramidPtr pyramid);
    // With another pyramid of the same size and format, parts show how the first differs from it.
    void setCompared(PyramidPtr other);
    void setLook(const DisplayLook& look);
    const PyramidPtr& pyramid() const { return m_pyramid; }
    const PyramidPtr& compared() const { return m_compared; }
    bool isNull() const { return !m_pyramid || m_pyramid->levels.empty(); }
    Size size() const;  // of level 0
    bool hasAlpha() const;
    Image image() const { return exactImage(m_pyramid); }

    // At least the samples of `wanted` (inside the level, which has samples). Errors: OutOfMemory.
    Result<Part> part(int level, const Rect& wanted);

  private:
    DisplayRange rangeOf(const Image& level);
    // What single samples are looked up in, those of a level lying so many apart: the image, or,
    // where its samples are gone, the level itself.
    struct Finest {
        Image image;
        int stride = 1;
    };
    Finest finest(int level) const;
    Result<Image> marked(const Image& screen, int level, const Rect& rect);
    Result<Image> convert(int level, const Rect& rect);
    Result<Image> subtract(int level, const Rect& rect);
    void forget();

    PyramidPtr m_pyramid;
    PyramidPtr m_compared;
    DisplayLook m_look;
    // Of level 0, for all levels; looked for once, because sums must be read in full.
    std::optional<DisplayRange> m_natural;
    int m_convertedLevel = -1;
    Rect m_convertedRect;
    Image m_converted;
};

// naturalRange, remembered for the few images that are looked at: for sums it costs a walk over all
// of them. Any thread.
DisplayRange knownNaturalRange(const Image& image);

// Why a difference of these two cannot be shown; empty if it can.
enum class DifferenceObstacle { None, NoResult, Size, Format };
DifferenceObstacle differenceObstacle(const PyramidPtr& a, const PyramidPtr& b);

}  // namespace warpscope::gui
