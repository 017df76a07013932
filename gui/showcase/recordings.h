// Results of a machine that is not here, as an opponent: its times for what both sides do.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "engine/measure/timing_report.h"
#include "engine/pipeline/pipeline.h"
#include "gui/showcase/match.h"

namespace warpscope::gui {

struct RecordedRun {
    QString file;     // name
    QString machine;  // "NVIDIA H100 80GB HBM3"
    QString date;     // "2026-11-21"
    TimingReport report;

    QString name() const;  // "h100.json: NVIDIA H100 80GB HBM3, 2026-11-21"
};

std::vector<RecordedRun> shippedRecordings();
// Errors: those of loadTimings.
Result<RecordedRun> readRecording(const QString& path);

// The pace of the recorded machine (its GPU, else all its cores, else one thread; warm) for the
// same operation, variant, parameters, format and size; else an opponent that says which figure is
// missing and what is the nearest. Of a chain the sum of its steps, each end to end as it was
// recorded, if all of them are; its origin says so, and where the figure is noisy.
RecordedOpponent opponentOf(const RecordedRun& recording, const Pipeline& pipeline,
                            PixelFormat format, Size size);
// The same steps with the variants and parameters that were recorded, those nearest to the wanted
// ones; nothing where all of them are recorded, or an operation is not at all.
std::optional<Pipeline> asRecorded(const RecordedRun& recording, const Pipeline& pipeline,
                                   PixelFormat format, Size size);
// Of those sizes the nearest to `wanted` (by pixels) that opponentOf can play, `formats` being what
// the picture has there; -1: none.
int nearestRecorded(const RecordedRun& recording, const Pipeline& pipeline,
                    const std::vector<Size>& sizes, const std::vector<PixelFormat>& formats,
                    Size wanted);
// Whether scenes should be gray to meet the recording: it has that step, and none in colour.
bool recordedInGray(const RecordedRun& recording, const Pipeline& pipeline);

}  // namespace warpscope::gui
