// Bars for people who would rather look: one line a measurement, one colour a backend, the figure
// at the end of its bar.
#pragma once

#include <QChartView>

#include "gui/timings/timing_table.h"
#include "gui/widgets/picture.h"

class QBarSet;
class QHorizontalStackedBarSeries;
class QBarCategoryAxis;
class QValueAxis;

namespace warpscope::gui {

class TimingChart : public QChartView {
    Q_OBJECT
  public:
    explicit TimingChart(QWidget* parent = nullptr);

    void setBars(const std::vector<TimingBarGroup>& groups);
    void setLogarithmic(bool on);
    bool logarithmic() const { return m_logarithmic; }

    // End of a bar on the value axis: milliseconds, or decades above the axis's start.
    double barEnd(std::size_t group, std::size_t bar) const;
    QStringList labels() const;  // as drawn, top to bottom: "GPU kernels\t0.21 ms"
    Picture picture();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void mousePressEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

  private:
    struct Line {
        bool title = false;
        TimingBar bar;
        QString text;  // title, or the figure
    };
    void applyTheme();
    void refill();
    void layoutPlot(const QSize& size);
    double position(double ms) const;
    int lineHeight() const;

    std::vector<TimingBarGroup> m_groups;
    std::vector<Line> m_lines;  // top to bottom
    bool m_logarithmic = false;
    double m_floorMs = 0.001;  // start of a logarithmic axis
    double m_limit = 1;        // end of the axis, as position() counts
    double m_step = 1;
    QRectF m_plot;
    QHorizontalStackedBarSeries* m_series = nullptr;
    QBarSet* m_sets[4] = {};  // one thread, all cores, GPU computing, GPU transfers
    QBarCategoryAxis* m_lineAxis = nullptr;
    QValueAxis* m_valueAxis = nullptr;
};

}  // namespace warpscope::gui
