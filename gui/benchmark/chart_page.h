// A chart of results with its legend; that of speedups also chooses what it is against.
#pragma once

#include <QWidget>

#include "gui/benchmark/benchmark_series.h"

class QMenu;
class QSplitter;

namespace warpscope::gui {

class LogChart;
class SegmentedControl;
class SeriesLegend;

class ChartPage : public QWidget {
    Q_OBJECT
  public:
    enum class Kind { Time, Speedup, Parameter, Roofline };
    ChartPage(Kind kind, const BenchmarkReports& reports, QWidget* parent = nullptr);

    void refresh();  // from the results
    void setEmptyText(const QString& text);
    LogChart& chart() { return *m_chart; }
    SeriesLegend& legend() { return *m_legend; }
    void setLegendFolded(bool folded);
    bool legendFolded() const { return m_folded; }

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fitLegend();
    std::optional<Baseline> against() const;
    void addCommand(QMenu* menu);

    ChartContent content() const;

    const BenchmarkReports& m_reports;
    const Kind m_kind;
    LogChart* m_chart = nullptr;
    SeriesLegend* m_legend = nullptr;
    SegmentedControl* m_baseline = nullptr;  // null: of times
    QSplitter* m_splitter = nullptr;
    bool m_widthChosen = false;  // somebody moved the handle
    bool m_folded = false;
};

}  // namespace warpscope::gui
