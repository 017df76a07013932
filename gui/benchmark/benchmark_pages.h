// Break-even sizes, and results beside the figures of the source texts.
#pragma once

#include "gui/benchmark/benchmark_reports.h"
#include "gui/widgets/quiet_combo_box.h"

class QPushButton;

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
    // As if by hand; shown by the next fill().
    void choose(int id) { m_chosen = id; }
    bool isChosen() const { return m_reports.find(m_chosen) != nullptr; }
    // Nothing is compared with itself while there is something else.
    void giveWay(const ReportBox& other);

  private:
    const BenchmarkReports& m_reports;
    int m_chosen = 0;  // an id; 0: none
};

class BreakEvenPage : public QWidget {
  public:
    explicit BreakEvenPage(const BenchmarkReports& reports);
    void refresh();

  private:
    const BenchmarkReports& m_reports;
    WrapLabel* m_none;  // why there are no rows
    SheetView* m_sheet;
};

class PublishedPage : public QWidget {
    Q_OBJECT
  public:
    explicit PublishedPage(const BenchmarkReports& reports);
    void refresh();
    void setTimeable(bool timeable);  // nothing runs
    QString currentCommand() const;   // of the row that is chosen; empty: none

  signals:
    void timingRequested();  // of the experiments

  private:
    void showChosen();

    const BenchmarkReports& m_reports;
    ReportBox* m_beside;
    std::vector<BenchmarkEntry> m_recorded;  // shipped
    WrapLabel* m_notRecorded;                // what they have nothing for
    WrapLabel* m_missing;                    // why there are dashes
    QPushButton* m_time;                     // fills them
    SheetView* m_sheet;
};

}  // namespace warpscope::gui
