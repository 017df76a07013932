// One step in the list: on/off, name, menu; under it where it ran and its time; its speedups, each
// with both sides; what is worth a warning.
#pragma once

#include <QCheckBox>
#include <QToolButton>
#include <QWidget>

#include "gui/steps/run_info.h"
#include "gui/steps/step_bars.h"

namespace warpscope::gui {

// An on/off switch in neutral tones: the accent is kept for selection and focus.
class StepSwitch final : public QCheckBox {
    Q_OBJECT
  public:
    explicit StepSwitch(QWidget* parent);
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool hitButton(const QPoint& position) const override { return rect().contains(position); }
};

// Three dots.
class MenuDots final : public QToolButton {
    Q_OBJECT
  public:
    explicit MenuDots(QWidget* parent);
    QSize sizeHint() const override { return {24, 24}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
};

class StepCard : public QWidget {
    Q_OBJECT
  public:
    explicit StepCard(QWidget* parent = nullptr);

    // `title` is that of the operation and the name of the step.
    void setStep(int index, const QString& title, bool enabled);
    QString title() const { return m_name; }
    void setRun(const RunInfo& run);
    void setBarsShown(bool shown);
    StepBars& bars() { return *m_bars; }
    // While the image shows what one step gives: this one, or one before it.
    enum class Peek { None, Shown, LeftOut };
    void setPeek(Peek peek);
    QString peekText() const { return m_peek->text(); }
    void setCurrent(bool current);  // only the current card is in the tab order
    void setLifted(bool lifted);    // it is being dragged
    QString statusText() const { return m_status->text(); }
    QString speedupText() const { return m_speedups->text(); }
    QString warningText() const;
    QString errorText() const;

  signals:
    void pressed();
    void focused();
    void toggled(bool enabled);
    void nameRequested();
    void menuRequested(const QPoint& globalPosition);
    void dragMoved(const QPoint& globalPosition);  // the first one starts the drag
    void dropped();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    void describe();

    int m_index = 0;
    QString m_name;
    bool m_current = false;
    bool m_lifted = false;
    bool m_pressed = false;
    bool m_dragging = false;
    QPoint m_pressPosition;
    StepSwitch* m_switch;
    WrapLabel* m_label;
    WrapLabel* m_status;
    WrapLabel* m_speedups;
    WrapLabel* m_warning;
    WrapLabel* m_error;
    WrapLabel* m_peek;
    StepBars* m_bars;
    MenuDots* m_menu;
};

}  // namespace warpscope::gui
