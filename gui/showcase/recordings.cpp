#include "gui/showcase/recordings.h"

#include <QFileInfo>
#include <QStringList>
#include <algorithm>
#include <optional>

#include "gui/benchmark/benchmark_reports.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

RecordedRun recordingOf(const BenchmarkEntry& entry) {
    const MachineInfo& machine = entry.report.machine;
    const std::string& name = machine.gpu.empty() ? machine.cpu : machine.gpu;
    return {QFileInfo(entry.file).fileName(),
            name.empty() ? tr("unknown machine") : QString::fromStdString(name),
            QString::fromStdString(entry.report.date).left(10), entry.report};
}

const Step* onlyStep(const Pipeline& pipeline) {
    const Step* found = nullptr;
    for (const Step& step : pipeline.steps) {
        if (!step.enabled) continue;
        if (found) return nullptr;
        found = &step;
    }
    return found;
}

// Any size and format, warm, of our own code.
bool isOf(const StepTiming& row, const Step& step) {
    return row.measured() && !row.cold && row.peer.empty() && !row.backendRequested.isPeer() &&
           row.operation == step.operation && row.variant == step.variant &&
           parameterText(row.parameters) == parameterText(step.parameters);
}

int rankOf(const StepTiming& row) {
    return row.backendRequested == BackendKind::Cuda ? 2 : row.backendRequested == BackendKind::Cpu;
}

QString formatWord(PixelFormat format) {
    const std::string_view name = formatName(format);
    return QString::fromUtf8(name.data(), qsizetype(name.size()));
}

}  // namespace

QString RecordedRun::name() const {
    return QStringLiteral("%1: %2, %3").arg(file, machine, date);
}

std::vector<RecordedRun> shippedRecordings() {
    std::vector<RecordedRun> list;
    for (const BenchmarkEntry& entry : shippedEntries()) list.push_back(recordingOf(entry));
    return list;
}

Result<RecordedRun> readRecording(const QString& path) {
    auto entry = readEntry(path);
    if (!entry) return fail(entry.error());
    return recordingOf(*entry);
}

RecordedOpponent opponentOf(const RecordedRun& recording, const Pipeline& pipeline,
                            PixelFormat format, Size size) {
    RecordedOpponent opponent;
    opponent.info.kind =
        recording.report.machine.gpu.empty() ? BackendKind::Cpu : BackendKind::Cuda;
    opponent.info.threads = recording.report.machine.threads;
    opponent.info.label = opponent.info.device = recording.machine.toStdString();
    opponent.origin = QStringLiteral("%1, %2, %3")
                          .arg(recording.machine, recording.date, recording.file)
                          .toStdString();
    const Step* step = onlyStep(pipeline);
    if (!step) {
        opponent.problem =
            tr("Only single operations are recorded, no chains: Left and Right choose one.")
                .toStdString();
        return opponent;
    }
    const StepTiming* best = nullptr;
    QStringList known;
    for (const StepTiming& row : recording.report.results) {
        if (!isOf(row, *step)) continue;
        const QString text = QStringLiteral("%1 %2").arg(sizeText(Size{row.width, row.height}),
                                                         formatWord(row.format));
        if (!known.contains(text)) known << text;
        if (row.format != format || row.width != size.width || row.height != size.height) continue;
        if (!best || rankOf(row) > rankOf(*best)) best = &row;
    }
    if (!best) {
        opponent.problem =
            (known.isEmpty() ? tr("%1 has no figure for this operation with these parameters.")
                                   .arg(recording.file)
                             : tr("%1 has no figure for %2 %3. It has %4.")
                                   .arg(recording.file, sizeText(size), formatWord(format),
                                        known.join(QStringLiteral(", "))))
                .toStdString();
        return opponent;
    }
    opponent.info.kind = best->backend.kind();
    opponent.info.threads = best->threads;
    if (opponent.info.kind != BackendKind::Cuda)
        opponent.info.device = recording.report.machine.cpu;
    opponent.times = {best->endToEndMs > 0 ? best->endToEndMs : best->time.medianMs, best->uploadMs,
                      best->kernelMs, best->downloadMs};
    opponent.agreement.agreement = best->agreement;
    opponent.agreement.step = best->operation;
    return opponent;
}

bool recordedInGray(const RecordedRun& recording, const Pipeline& pipeline) {
    const Step* step = onlyStep(pipeline);
    bool gray = false;
    for (const StepTiming& row : recording.report.results) {
        if (!step || !isOf(row, *step)) continue;
        if (isColor(row.format)) return false;
        gray = true;
    }
    return gray;
}

}  // namespace warpscope::gui
