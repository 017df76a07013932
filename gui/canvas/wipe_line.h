// The line between source and result in the wipe view: where it lies, which way it runs, and what
// of it the mouse holds. Lengths are logical pixels of the widget unless something else is said.
#pragma once

#include <QLineF>
#include <QRect>
#include <algorithm>
#include <utility>

namespace warpscope::gui {

class WipeLine {
  public:
    enum class Part { None, Line, Handle };

    double at() const { return m_at; }        // of the widget's width, or of its height when turned
    bool turned() const { return m_turned; }  // horizontal: source above, result below
    // About its handle, which stays where it is: a click there can be followed by another.
    void turn() {
        m_turned = !m_turned;
        std::swap(m_at, m_along);
    }
    void moveTo(double at) { m_at = std::clamp(at, 0.0, 1.0); }
    void step(bool forward);  // by a key: a fiftieth
    void dragTo(const QPointF& position, const QSizeF& widget);

    QLineF line(const QSizeF& widget) const;
    QRectF handle(const QSizeF& widget) const;
    Part partAt(const QPointF& position, const QSizeF& widget) const;
    // Device pixels of a pane before and after the line.
    std::pair<QRect, QRect> split(const QRect& pane) const;

    friend bool operator==(const WipeLine&, const WipeLine&) = default;

  private:
    double m_at = 0.5;
    double m_along = 0.5;  // where the handle is on the line
    bool m_turned = false;
};

}  // namespace warpscope::gui
