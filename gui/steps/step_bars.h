// The histogram of what a step gives, a finger's breadth high. Painted by itself: a chart of Qt
// Charts is a scene with its view, and there is one of these a step.
#pragma once

#include <QWidget>
#include <optional>

#include "engine/image/histogram.h"

namespace warpscope::gui {

class StepBars : public QWidget {
    Q_OBJECT
  public:
    explicit StepBars(QWidget* parent);

    // Nothing: not counted. Counts that are out of date are drawn weaker.
    void setCounts(const std::optional<HistogramSet>& counts, bool current);
    const std::optional<HistogramSet>& counts() const { return m_counts; }
    bool isCurrent() const { return m_current; }

    QSize sizeHint() const override { return {80, 24}; }
    QSize minimumSizeHint() const override { return {40, 24}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void describe();

    std::optional<HistogramSet> m_counts;
    bool m_current = false;
};

}  // namespace warpscope::gui
