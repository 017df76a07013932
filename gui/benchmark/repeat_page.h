// The same benchmark twice: which of its figures came out again.
#pragma once

#include <QWidget>

#include "engine/report/repeat_check.h"
#include "gui/benchmark/benchmark_reports.h"

class QCheckBox;
class QDoubleSpinBox;

namespace warpscope::gui {

class ReportBox;
class SheetView;
class WrapLabel;

class RepeatPage : public QWidget {
    Q_OBJECT
  public:
    explicit RepeatPage(const BenchmarkReports& reports);
    void refresh();
    void choose(int then, int now);  // ids
    const RepeatCheck& check() const { return m_check; }
    QString currentCommand() const;  // of the row that is chosen; empty: none

  private:
    void showChosen();

    const BenchmarkReports& m_reports;
    ReportBox *m_then = nullptr, *m_now = nullptr;
    QDoubleSpinBox* m_tolerance = nullptr;  // per cent
    QCheckBox* m_all = nullptr;
    WrapLabel* m_summary = nullptr;
    SheetView* m_sheet = nullptr;
    RepeatCheck m_check;
};

}  // namespace warpscope::gui
