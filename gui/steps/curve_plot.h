// A curve through points, to be edited: a press on empty ground adds a point, a drag moves one
// between its neighbours, dragging it out of the plot, Delete or a right click removes it. Tab
// chooses a point, arrow keys move it by a step (Shift ten times), Insert adds one in the middle of
// the widest gap. Escape takes a drag back.
#pragma once

#include <QTimer>
#include <functional>
#include <vector>

#include "gui/steps/list_row.h"

namespace warpscope::gui {

class CurvePlot : public ListEditor {
    Q_OBJECT
  public:
    // What the operation makes of the points, from the least to the largest x, over full scale;
    // empty: straight lines.
    using Curve = std::function<std::vector<double>(const PointList& points)>;
    CurvePlot(const ParamSpec& spec, Curve curve, QWidget* parent = nullptr);

    void setValue(const ParamValue& value) override;
    const PointList& points() const { return m_points; }
    int selected() const { return m_selected; }  // -1: none
    QPointF positionOf(const CurvePoint& point) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool focusNextPrevChild(bool next) override;

  private:
    enum class Gesture { None, Drag, Burst };

    QRectF ground() const;
    CurvePoint pointAt(const QPointF& position) const;  // on whole steps, within the range
    int pointNear(const QPointF& position) const;       // -1: none
    void add(CurvePoint point);
    void remove(int index);
    void begin(Gesture gesture);
    void end();
    void change(PointList points, int selected);
    void select(int index);

    ParamSpec m_spec;
    Curve m_curve;
    PointList m_points;
    std::vector<double> m_drawn;  // of m_curve
    int m_selected = -1;
    Gesture m_gesture = Gesture::None;
    PointList m_beforeDrag;
    PointList m_dragged;  // with the point that is held
    int m_held = -1;      // in m_dragged
    QPointF m_grabOffset;
    QTimer m_burstEnd;
};

}  // namespace warpscope::gui
