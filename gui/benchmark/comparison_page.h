// Any two sides of the results beside each other: machine, place, variant and size of each are
// chosen freely; ratios as a table and as a chart.
#pragma once

#include <QWidget>

#include "gui/benchmark/pairing.h"

class QComboBox;
class QGridLayout;
class QSplitter;

namespace warpscope::gui {

class LogChart;
class ReportBox;
class SheetView;
class WrapLabel;

class ComparisonPage : public QWidget {
    Q_OBJECT
  public:
    explicit ComparisonPage(const BenchmarkReports& reports);
    void refresh();
    LogChart& chart() { return *m_chart; }
    // For a room: the chart and its headline in large type, no table.
    void setProjecting(bool on);
    // The rows of the table.
    const Pairing& pairing() const { return m_pairing; }

  signals:
    void chartChanged();

  private:
    struct SideBoxes {
        ReportBox* report = nullptr;
        QComboBox *place = nullptr, *variant = nullptr, *size = nullptr;
    };
    SideBoxes addSide(QGridLayout& grid, int row, const QString& title, const QString& name);
    void onReportChosen(SideBoxes& chosen, SideBoxes& other);
    void fillBoxes(SideBoxes& side);
    ComparedSide sideOf(const SideBoxes& boxes) const;
    void showChosen();

    const BenchmarkReports& m_reports;
    SideBoxes m_left, m_right;
    WrapLabel* m_summary = nullptr;
    LogChart* m_chart = nullptr;
    SheetView* m_sheet = nullptr;
    QSplitter* m_splitter = nullptr;
    Pairing m_pairing;
    bool m_projecting = false;
};

}  // namespace warpscope::gui
