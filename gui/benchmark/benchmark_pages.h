// The pages of the benchmark window that set results beside others: beside the figures of the
// source texts, and beside those of another machine or run.
#pragma once

#include "gui/benchmark/benchmark_reports.h"
#include "gui/widgets/quiet_combo_box.h"

namespace warpscope::gui {

class SheetView;
class WrapLabel;

// One of the results. Until somebody chooses, it follows what comes.
class ReportBox : public QuietComboBox {
    Q_OBJECT
  public:
    ReportBox(const BenchmarkReports& reports, const QString& name, const QString& accessibleName);
    // Shows what was chosen by hand if it is still there, else the results with the id `wanted`,
    // else the last.
    void fill(int wanted);
    const BenchmarkEntry* entry() const;
    bool isChosen() const { return m_reports.find(m_chosen) != nullptr; }
    // Nothing is compared with itself while there is something else.
    void giveWay(const ReportBox& other);

  private:
    const BenchmarkReports& m_reports;
    int m_chosen = 0;  // an id; 0: none
};

class PublishedPage : public QWidget {
    Q_OBJECT
  public:
    explicit PublishedPage(const BenchmarkReports& reports);
    void refresh();

  private:
    void showChosen();

    const BenchmarkReports& m_reports;
    ReportBox* m_beside;
    SheetView* m_sheet;
};

class ComparisonPage : public QWidget {
    Q_OBJECT
  public:
    explicit ComparisonPage(const BenchmarkReports& reports);
    void refresh();

  private:
    void showChosen();

    const BenchmarkReports& m_reports;
    ReportBox *m_first, *m_second;
    WrapLabel* m_summary;
    SheetView* m_sheet;
};

}  // namespace warpscope::gui
