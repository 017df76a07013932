// What the timing views say, as values: one group of rows a step, bars for the chart, the state
// line. No widget, no clock.
#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend/backend_set.h"
#include "engine/measure/timing_report.h"
#include "engine/worker/render_worker.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {

enum class TimingColumn { Where, Median, Speedup, Agreement, Spread, Samples, Bandwidth };
inline constexpr int kTimingColumns = 7;
QString timingColumnTitle(TimingColumn column);
bool isFigure(TimingColumn column);  // right-aligned

enum class TimingTone { Normal, Weak, Error };

struct TimingCell {
    QString text;
    TimingTone tone = TimingTone::Normal;
    QString whole = {};  // where `text` is short for it
};

struct TimingLine {
    BackendKind backend = BackendKind::CpuSingle;  // gives the colour
    std::array<TimingCell, kTimingColumns> cells;
    bool spanned = false;   // one sentence over all columns: why there are no figures
    bool indented = false;  // a part of the line above: upload, download
    const TimingCell& cell(TimingColumn column) const { return cells[std::size_t(column)]; }
};

struct TimingGroup {
    std::size_t stepIndex = 0;
    QString title;    // "1  Gaussian blur"
    QString details;  // "sigma 2, 1,920 × 1,280, 8-bit colour"
    QString note{};   // why it was not all of the image; mostly empty
    std::vector<TimingLine> lines;
};

// One bar of the chart. The part up to `solidMs` is computing, the rest transfers and waiting.
struct TimingBar {
    BackendKind backend = BackendKind::CpuSingle;
    QString label;
    double ms = 0;
    double solidMs = 0;
};

struct TimingBarGroup {
    QString title;
    std::vector<TimingBar> bars;
};

struct TimingTable {
    std::vector<TimingGroup> groups;
    std::vector<TimingBarGroup> bars;
};

// `hasGpu` tells a GPU that is not there from one that failed.
TimingTable buildTimingTable(const std::vector<TimingReady>& rows, bool hasGpu,
                             const MachineInfo& machine = {});

inline bool isGpu(const StepTiming& t) {
    return t.backendRequested == BackendKind::Cuda;
}

// "CPU, 1 thread", "CPU, 16 threads"
QString cpuRowName(const StepTiming& timing);
// "12.3 GB/s · 85% of the speed of copying", "108 GB/s · in the cache" where it is faster than
// that; without the second part where the machine's speed is not known, empty where there is no
// figure.
QString bandwidthText(const StepTiming& timing, const MachineInfo& machine);

struct TimingState {
    bool hasImage = false;
    bool hasGpu = false;
    int steps = 0;      // enabled ones of the pipeline
    int stepsDone = 0;  // that have all their rows
    bool measuring = false;
    bool complete = false;  // the last row is there
    bool paused = false;
    QString problem{};            // why there is no table and none on its way
    bool measuredBefore = false;  // figures of an older pipeline were shown
    std::int64_t ageMs = 0;       // since the last row
};
QString timingStateText(const TimingState& state);
// What to do where there is no table; empty where there can be one.
QString timingEmptyText(const TimingState& state);

// `copy` where it was measured.
MachineInfo machineInfo(const BackendSet& backends,
                        const std::optional<CopyBandwidthReady>& copy = {});
TimingReport timingReport(const std::vector<TimingReady>& rows,
                          const std::optional<BackendSet>& backends,
                          const std::optional<CopyBandwidthReady>& copy = {});

}  // namespace warpscope::gui
