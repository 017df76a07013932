// A crop's rectangle and a rotation's angle as a person edits them in the picture: their handles,
// and what drags and arrow keys make of them. A crop is edited in pixels of what the step is given,
// with the handles of a region; positions in a pane are device pixels.
#pragma once

#include <QCursor>
#include <QPainter>
#include <optional>

#include "engine/image/pyramid.h"
#include "gui/canvas/region_editor.h"

namespace warpscope::gui {

struct HandledStep {
    enum class Kind { Crop, Rotate };
    Kind kind = Kind::Crop;
    // What the step is given, and how that lies over the source.
    Size input;
    PixelMap sourceFromInput;
    // Of a rotation: what later steps do to what it gives.
    PixelMap resultFromOutput;
    // Of a crop: what it is given, null until that is computed, and what it is called.
    PyramidPtr picture;
    QString caption;

    // In the input, which it does not leave.
    Rect window;
    // Degrees, clockwise, -180 to 180.
    double angle = 0;

    friend bool operator==(const HandledStep&, const HandledStep&) = default;
};

class StepHandles {
  public:
    const std::optional<HandledStep>& step() const { return m_step; }
    bool isCrop() const { return m_step && m_step->kind == HandledStep::Kind::Crop; }
    void set(const std::optional<HandledStep>& step);

    // A view of a pane, and whether that shows what comes after the step: a rotation's handle then
    // turns with the picture.
    struct Pane {
        PaneView view;
        bool ofResult = false;
        double dpr = 1;
    };
    bool isAt(const QPointF& inPane, const Pane& pane) const;
    // Of a handle that is there.
    QCursor cursorAt(const QPointF& inPane, const Pane& pane) const;
    void draw(QPainter& painter, const Pane& pane) const;

    // What follows is true if the step has become another.
    void grab(const QPointF& inPane, const Pane& pane);
    // `snap`: a rotation goes by 15 degrees.
    bool dragTo(const QPointF& inPane, const Pane& pane, bool snap);
    bool restore();  // to what it was when it was grabbed
    void release();
    // Arrow keys move a crop by pixels of its input, with `second` its far corner alone; they turn
    // by degrees, with `second` by tenths.
    bool press(const QPoint& arrow, bool second, const Pane& pane);
    // A pixel of the crop, as the view shows it.
    QPoint cornerTowards(const QPoint& direction, const PaneView& view) const;

  private:
    struct Arm {
        QPointF middle, grip, zero;
    };
    PaneView inputIn(const PaneView& view) const;
    const PixelMap& turn(const Pane& pane) const;
    Arm arm(const Pane& pane) const;
    bool take(const Rect& window);
    bool take(double angle);
    void drawCrop(QPainter& painter, const Pane& pane) const;
    void drawArm(QPainter& painter, const Pane& pane) const;

    std::optional<HandledStep> m_step;
    std::optional<HandledStep> m_before;  // when it was grabbed
    RegionEditor m_crop;
    // While the handle of a rotation is held its middle stays, whatever the picture does under it.
    QPointF m_middle;
    bool m_heldOfResult = false;
    double m_offset = 0;  // of the angle from where the mouse is
    QCursor m_turnCursor;
};

}  // namespace warpscope::gui
