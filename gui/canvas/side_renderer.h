// One side of the comparison, source or result, or the difference of both: what there is to show of
// it. Drawn on the thread that asks, or on another one; what is drawn is kept until something
// changes. Copies show the same.
#pragma once

#include <functional>

#include "gui/canvas/side_drawing.h"

namespace warpscope::gui {

class SideRenderer {
  public:
    SideRenderer();
    void setPyramid(PyramidPtr pyramid);
    // What is subtracted from the pyramid; null: nothing. Same size and format.
    void setCompared(PyramidPtr other);
    void setDraft(const DraftReady& draft);
    // The draft less what the compared pyramid has in its place. Left out where formats differ.
    void setComparedDraft(const DraftReady& draft);
    void dropDraft();
    void setLook(const DisplayLook& look);
    bool isNull() const { return (!pyramid() || pyramid()->levels.empty()) && !m_content->draft; }
    const PyramidPtr& pyramid() const { return m_content->pyramid; }
    Image image() const { return exactImage(m_content->pyramid); }  // in full size, or null
    const std::optional<DraftReady>& draft() const { return m_content->draft; }

    // Of a picture of what there is now.
    PictureKey key(const LaidOver& view, const FrameStyle& style) const;
    // Such a picture; null where there is no memory.
    PicturePtr picture(const PictureKey& key) const { return drawing(key)(); }
    // The same for any thread, and later.
    using Drawing = std::function<PicturePtr()>;
    Drawing drawing(const PictureKey& key) const;

  private:
    template <class Change>
    void change(const Change& to);

    PictureContentPtr m_content;
    std::shared_ptr<SideDrawing> m_drawing;
};

}  // namespace warpscope::gui
