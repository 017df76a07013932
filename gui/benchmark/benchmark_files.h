// Results and pictures as files, written whole or not at all.
#pragma once

#include <QByteArray>
#include <QString>

#include "engine/base/result.h"
#include "engine/measure/timing_report.h"

namespace warpscope::gui {

// By the ending of the name: .json (to be opened again), .csv, .md (with break-even and the source
// texts' tables, where they were repeated). Errors: Unsupported for another ending, and those of
// writeFileAtomically.
Result<void> saveResults(const QString& path, const TimingReport& report);

Result<void> saveBytes(const QString& path, const QByteArray& bytes);

}  // namespace warpscope::gui
