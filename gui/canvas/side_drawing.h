// Draws one side of the comparison, source or result, or the difference of both, into pictures of
// a pane's size. Any thread, one at a time.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "gui/canvas/pixel_overlay.h"
#include "gui/canvas/side_picture.h"
#include "gui/display/display_levels.h"
#include "gui/display/sampler.h"

namespace warpscope::gui {

class SideDrawing {
  public:
    // Null where there is no memory for it. What was drawn or converted before is used again as far
    // as it will do.
    PicturePtr draw(const PictureContentPtr& content, const PictureKey& key);
    // Of the images that were drawn last, which may be large; at once, or when what is being drawn
    // is ready.
    void letGo();

  private:
    void take(const PictureContentPtr& content);
    void forget();
    PicturePtr upright(const ViewTransform& transform, const FrameStyle& style);
    PicturePtr turned(const PictureKey& key);
    void drawMarks(QImage& frame, const ViewTransform& transform, const FrameStyle& style,
                   const PixelMap& imageFromShown);
    void copyMoved(const QImage& before, QPoint by);
    void render(const QRect& area);
    void fill(const QRect& area);          // with the background
    bool renderImage(const QRect& area);   // false: nothing was drawn
    QRect renderDraft(const QRect& area);  // what it covers of it
    std::vector<ValueSource> valueSources() const;
    Checkerboard checkerboard() const;

    std::atomic<bool> m_letGo{false};
    std::mutex m_mutex;  // guards all that follows
    PictureContentPtr m_content;
    DisplayLevels m_levels;
    DisplayLevels m_draftLevels;  // of the draft's picture alone
    PixelValuePainter m_values;
    PicturePool m_pool;
    PicturePool m_turnedPool;
    PicturePtr m_upright;  // the last one
    PicturePtr m_last;     // the same, or that turned back

    // What is being drawn.
    QImage* m_frame = nullptr;
    ViewTransform m_transform;
    FrameStyle m_style;
};

}  // namespace warpscope::gui
