// One side of the comparison, source or result, or the difference of both, drawn into a picture of
// the pane's size and kept until something changes.
#pragma once

#include <QFont>
#include <QImage>
#include <optional>

#include "gui/canvas/pane_view.h"
#include "gui/canvas/pixel_overlay.h"
#include "gui/display/display_levels.h"
#include "gui/display/sampler.h"

namespace warpscope::gui {

struct FrameStyle {
    QRgb background = 0;
    QRgb checkerLight = 0;
    QRgb checkerDark = 0;
    QFont figures;
    double dpr = 1.0;
    // Edges and values of enlarged pixels.
    bool marks = true;

    friend bool operator==(const FrameStyle&, const FrameStyle&) = default;
};

class SideRenderer {
  public:
    void setPyramid(PyramidPtr pyramid);
    // What is subtracted from the pyramid; null: nothing. Same size and format.
    void setCompared(PyramidPtr other);
    void setDraft(const DraftReady& draft);
    // The draft less what the compared pyramid has in its place. Left out where formats differ.
    void setComparedDraft(const DraftReady& draft);
    void dropDraft();
    void setLook(const DisplayLook& look);
    bool isNull() const { return m_levels.isNull() && !m_draft; }
    const PyramidPtr& pyramid() const { return m_levels.pyramid(); }
    Image image() const { return m_levels.image(); }  // in full size, or null
    const std::optional<DraftReady>& draft() const { return m_draft; }

    // As large as the transform's pane, in device pixels.
    const QImage& frame(const ViewTransform& transform, const FrameStyle& style);
    // Turned back over another image; as large as the pane of `over.shown`.
    const QImage& frame(const LaidOver& over, const FrameStyle& style);

  private:
    void drawMarks(QImage& frame, const ViewTransform& transform, const FrameStyle& style,
                   const PixelMap& imageFromShown);
    void move(QPoint by);
    void render(const QRect& area);
    void fill(const QRect& area);          // with the background
    bool renderImage(const QRect& area);   // false: nothing was drawn
    QRect renderDraft(const QRect& area);  // what it covers of it
    std::vector<ValueSource> valueSources() const;
    Checkerboard checkerboard() const;

    DisplayLevels m_levels;
    DisplayLook m_look;
    std::optional<DraftReady> m_draft;
    DisplayLevels m_draftLevels;  // of the draft's picture alone
    PixelValuePainter m_values;

    QImage m_frame;
    QImage m_turned;
    ViewTransform m_transform;  // of m_frame
    FrameStyle m_style;         // of m_frame
    bool m_valid = false;       // m_frame shows what there is to show
};

}  // namespace warpscope::gui
