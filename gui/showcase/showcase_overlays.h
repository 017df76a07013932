// What lies over the demo's screen for a while: a tool bar for the mouse, a hint, the list of keys.
#pragma once

#include <QLabel>
#include <QWidget>

class QToolButton;
class QTimer;

namespace warpscope::gui {

class ShowcaseToolBar : public QWidget {
    Q_OBJECT
  public:
    explicit ShowcaseToolBar(QWidget* parent);

    void setPaused(bool paused);
    void setThreadsOffered(bool offered);  // the choice of threads, where there is a GPU

  signals:
    void operationStepped(int by);
    void sizeStepped(int by);
    void pauseToggled();
    void threadsToggled();
    void opponentAsked();
    void helpToggled();
    void leaveAsked();

  private:
    QToolButton* add(const QString& icon, const QString& tip);
    QToolButton* m_pause;
    QToolButton* m_threads;
};

// A line of text that goes away by itself.
class ShowcaseHint : public QLabel {
    Q_OBJECT
    Q_PROPERTY(qreal shown READ shown WRITE setShown)
  public:
    static constexpr int kStayMs = 6000;
    static constexpr int kFadeMs = 140;

    ShowcaseHint(const QString& text, QWidget* parent);
    qreal shown() const { return m_shown; }
    void setShown(qreal part);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    qreal m_shown = 1.0;
};

// Keys and how the demo measures, as rich text.
class ShowcaseHelp : public QLabel {
    Q_OBJECT
  public:
    explicit ShowcaseHelp(QWidget* parent);

  protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace warpscope::gui
