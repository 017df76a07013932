// The slider of a numeric parameter, painted thin, with a tick at the default.
//
// A press sets the value at its place and drags on; the wheel and the arrow keys step by
// ParamSpec::step (Shift ten times, Ctrl a tenth), Page Up and Down by ten steps, Home and End go
// to the ends; a double click resets; a right click, Enter or the beginning of a number asks for
// the exact value. Escape takes a drag back. Letters are left to the window, whose keys they are.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include "gui/widgets/param_scale.h"

namespace warpscope::gui {

class ValueSlider : public QWidget {
    Q_OBJECT
  public:
    ValueSlider(const ParamSpec& spec, QWidget* parent = nullptr);
    ~ValueSlider() override;

    const ParamScale& scale() const { return m_scale; }
    double value() const { return m_value; }
    void setValue(double value);  // emits nothing
    void setRange(double low, double high);
    void setZeroIsMost(bool on);
    QString valueText() const;  // with unit, for screen readers
    // What 0 is called.
    void setAutomaticText(const QString& text) { m_automatic = text; }
    void changeBy(double steps);     // as the arrow keys do
    double xOf(double value) const;  // widget coordinates

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    // Every change of value stands between these two: a drag, a run of wheel notches or of key
    // presses is one gesture.
    void gestureStarted();
    void gestureEnded();
    void moved(double value);
    void editRequested(const QString& typed);  // what was typed so far; empty: nothing

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    enum class Gesture { None, Drag, Burst };  // a burst is a run of notches or key presses

    bool takesWheel() const;
    bool beginsNumber(const QKeyEvent& event) const;
    void begin(Gesture gesture);
    void end();
    void move(double value);
    void moveToX(double x);

    ParamScale m_scale;
    QString m_unit;
    QString m_automatic;
    double m_value = 0;
    Gesture m_gesture = Gesture::None;
    double m_valueBeforeDrag = 0;
    double m_grabOffset = 0;  // from the middle of the handle to where it was taken
    int m_wheelRest = 0;      // parts of a notch, eighths of a degree
    bool m_hovered = false;
    QElapsedTimer m_sinceEntered;
    QTimer m_burstEnd;
};

}  // namespace warpscope::gui
