// One handle of a step in the histogram: round, so that nobody takes it for black or white of the
// view. Drag, arrow keys (Shift ten times); a point of a curve also goes by Delete or a right
// click, Insert asks for another one. Escape takes a drag back.
#pragma once

#include <QWidget>

namespace warpscope::gui {

class ValueHandle final : public QWidget {
    Q_OBJECT
  public:
    enum class Look { Level, Black, Gamma, White, Point };

    explicit ValueHandle(QWidget* parent);

    void setLook(Look look);
    Look look() const { return m_look; }
    void setCentre(const QPointF& centre);  // in the parent
    bool isHeld() const { return m_held; }
    void letGo();  // nothing is emitted

  signals:
    void pressed();
    void dragged(const QPointF& by);  // since the press, pixels
    void released();
    void cancelled();
    void nudged(int right, int up);
    void removeAsked();
    void addAsked();
    void focusChanged(bool focused);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    Look m_look = Look::Level;
    bool m_held = false;
    QPointF m_pressedAt;  // global: the handle moves under the mouse
};

}  // namespace warpscope::gui
