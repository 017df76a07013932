// Under what conditions results were measured: what makes them doubtful, their command, program,
// machine, clocks and load before and after.
#pragma once

#include <QDialog>

#include "gui/benchmark/benchmark_reports.h"

namespace warpscope::gui {

class RunDetails : public QDialog {
    Q_OBJECT
  public:
    explicit RunDetails(const BenchmarkEntry& entry, QWidget* parent = nullptr);
};

}  // namespace warpscope::gui
