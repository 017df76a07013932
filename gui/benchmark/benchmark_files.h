// Results and charts as files, written whole or not at all.
#pragma once

#include <QString>

#include "engine/base/result.h"
#include "engine/measure/timing_report.h"
#include "gui/benchmark/log_chart.h"

namespace warpscope::gui {

// By the ending of the name: .json (to be opened again), .csv, .md (with break-even and the source
// texts' tables, where they were repeated). Errors: Unsupported for another ending, and those of
// writeFileAtomically.
Result<void> saveResults(const QString& path, const TimingReport& report);

// A chart as bytes of a PNG or SVG, drawn anew at a size of its own, in the colours of the screen.
// On the window's thread. Errors: Unsupported for another ending.
Result<QByteArray> chartPicture(const QString& path, const LogChart& chart);
Result<void> saveBytes(const QString& path, const QByteArray& bytes);

}  // namespace warpscope::gui
