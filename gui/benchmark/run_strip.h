// Start, pause and cancel a benchmark; how far it is, what runs now and how long it will last.
#pragma once

#include <QWidget>

#include "engine/measure/benchmark.h"

class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace warpscope::gui {

class WrapLabel;

class RunStrip : public QWidget {
    Q_OBJECT
  public:
    explicit RunStrip(QWidget* parent = nullptr);

    void addTool(QWidget* tool);  // below the last, at the right end
    void setStartable(bool startable, const QString& why);
    void showIdle(const QString& text);
    void showStarting();
    void showComparing(const QString& what);  // both results of a row; it cannot be paused
    void showProgress(const BenchmarkProgress& progress, bool pauseWanted);
    void showCancelling();

  signals:
    void startRequested();
    void pauseRequested(bool pause);
    void cancelRequested();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void reserveLines();
    void setState(bool running, bool paused);

    QPushButton *m_start = nullptr, *m_pause = nullptr, *m_cancel = nullptr;
    QProgressBar* m_bar = nullptr;
    WrapLabel* m_text = nullptr;
    QVBoxLayout* m_tools = nullptr;
    bool m_startable = true;
    bool m_paused = false;
};

// "54 results, round 3, 112 of 486, about 40 s left: Gaussian blur, 512 × 512, all cores".
QString progressText(const BenchmarkProgress& progress);

}  // namespace warpscope::gui
