// The levels of a pyramid as 8-bit samples for the screen. What is stored in 8 bits is shared;
// anything else is converted where it is looked at, and kept.
#pragma once

#include <optional>

#include "engine/image/convert.h"
#include "engine/worker/render_worker.h"

namespace warpscope::gui {

class DisplayLevels {
  public:
    // Part of a level: Gray8 or Rgba8, with the position of its top left sample in the level.
    struct Part {
        Image samples;
        int x = 0;
        int y = 0;
    };

    void setPyramid(PyramidPtr pyramid);
    const PyramidPtr& pyramid() const { return m_pyramid; }
    bool isNull() const { return !m_pyramid || m_pyramid->levels.empty(); }
    Size size() const;  // of level 0
    bool hasAlpha() const;
    const Image& image() const { return m_pyramid->levels.front(); }  // not if null

    // At least the samples of `wanted` (inside the level). Errors: OutOfMemory.
    Result<Part> part(int level, const Rect& wanted);

  private:
    DisplayRange rangeOf(const Image& level);

    PyramidPtr m_pyramid;
    // Of level 0, for all levels; looked for once, because sums must be read in full.
    std::optional<DisplayRange> m_range;
    int m_convertedLevel = -1;
    Rect m_convertedRect;
    Image m_converted;
};

}  // namespace warpscope::gui
