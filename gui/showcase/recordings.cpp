#include "gui/showcase/recordings.h"

#include <QFileInfo>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "engine/image/format_words.h"
#include "engine/operations/registry.h"
#include "gui/benchmark/benchmark_reports.h"
#include "gui/showcase/chain.h"
#include "gui/showcase/showcase_items.h"
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

// Any size and format, warm, of our own code.
bool isOf(const StepTiming& row, const Step& step) {
    return row.measured() && !row.cold && row.peer.empty() && !row.backendRequested.isPeer() &&
           row.operation == step.operation && row.variant == step.variant &&
           parameterText(row.parameters) == parameterText(step.parameters);
}

QString formatWord(PixelFormat format) {
    return engineText(std::string(formatWords(format)));
}

QString pictureText(Size size, PixelFormat format) {
    return QStringLiteral("%1, %2").arg(sizeText(size), formatWord(format));
}

// The best first.
constexpr BackendKind kPlaces[] = {BackendKind::Cuda, BackendKind::Cpu, BackendKind::CpuSingle};

// A step of a pipeline with what it is given there.
struct Wanted {
    const Step* step = nullptr;
    PixelFormat format = PixelFormat::Gray8;
    Size size;

    const StepTiming* rowAt(const TimingReport& report, BackendKind place) const {
        for (const StepTiming& row : report.results)
            if (row.backendRequested == place && row.format == format &&
                Size{row.width, row.height} == size && isOf(row, *step))
                return &row;
        return nullptr;
    }
};

// Those that do something. Errors: those of planChain.
Result<std::vector<Wanted>> wantedOf(const Pipeline& pipeline, PixelFormat format, Size size) {
    const auto chain = planChain(pipeline, format, size);
    if (!chain) return fail(chain.error());
    std::vector<Wanted> wanted;
    auto planned = chain->begin();
    for (const Step& step : pipeline.steps) {
        if (!step.enabled) continue;
        const Plan& plan = *(planned++)->plan;
        if (!plan.identity) wanted.push_back({&step, plan.input, plan.size});
    }
    return wanted;
}

// How far recorded values are from wanted ones: a variant is further than any value, and a choice
// than a number.
double farFrom(const Step& recorded, const Step& step) {
    const auto number = [](const ParamValue& value) -> std::optional<double> {
        if (const auto* whole = std::get_if<std::int64_t>(&value)) return double(*whole);
        if (const auto* real = std::get_if<double>(&value)) return *real;
        return {};
    };
    double far = recorded.variant == step.variant ? 0 : 1e3;
    for (const auto& [id, wanted] : step.parameters.values()) {
        const ParamValue* other = recorded.parameters.find(id);
        if (!other || *other == wanted) continue;
        const auto a = number(wanted), b = number(*other);
        const double most = a && b ? std::max(std::abs(*a), std::abs(*b)) : 0;
        far += most > 0 ? std::min(1.0, std::abs(*a - *b) / most) : 2;
    }
    return far;
}

// What was recorded of that operation with other values, the nearest first.
std::vector<Step> recordedSteps(const RecordedRun& recording, const Step& wanted) {
    std::vector<std::pair<double, Step>> found;
    for (const StepTiming& row : recording.report.results) {
        Step step = wanted;
        step.variant = row.variant;
        step.parameters = row.parameters;
        if (row.operation != wanted.operation || !isOf(row, step)) continue;
        const bool known = std::ranges::any_of(found, [&](const auto& other) {
            return other.second.variant == step.variant &&
                   other.second.parameters == step.parameters;
        });
        if (known) continue;
        const double far = farFrom(step, wanted);
        found.emplace_back(far, std::move(step));
    }
    std::ranges::stable_sort(found, {}, &std::pair<double, Step>::first);
    std::vector<Step> steps;
    for (auto& [far, step] : found) steps.push_back(std::move(step));
    return steps;
}

QString valuesText(const Step& step) {
    const OperationDescription& description = findOperation(step.operation)->description();
    QStringList texts;
    if (const QString values = parametersText(step); !values.isEmpty()) texts << values;
    if (const VariantSpec* variant = description.findVariant(step.variant))
        texts << engineText(variant->label);
    return texts.join(QStringLiteral(", "));
}

// What is not there, and the nearest that is.
QString missingText(const RecordedRun& recording, const Wanted& wanted) {
    std::map<std::tuple<bool, double, QString>, int> nearest;
    for (const StepTiming& row : recording.report.results) {
        if (!isOf(row, *wanted.step)) continue;
        const Size size{row.width, row.height};
        const double factor = double(size.pixels()) / double(wanted.size.pixels());
        ++nearest[{row.format != wanted.format, std::abs(std::log(factor)),
                   pictureText(size, row.format)}];
    }
    const QString name = engineText(findOperation(wanted.step->operation)->description().label);
    QStringList known;
    if (nearest.empty()) {
        for (const Step& step : recordedSteps(recording, *wanted.step))
            if (known.size() < 3) known << valuesText(step);
        if (known.isEmpty())
            return tr("%1 has no figure for %2 of any kind.").arg(recording.file, name);
        return tr("%1 has no figure for %2 with these parameters. It has: %3.")
            .arg(recording.file, name, known.join(QStringLiteral("; ")));
    }
    for (const auto& [near, rows] : nearest)
        if (known.size() < 3) known << std::get<QString>(near);
    return tr("%1 has no figure for %2 at %3. The nearest it has: %4.")
        .arg(recording.file, name, pictureText(wanted.size, wanted.format),
             known.join(QStringLiteral(", ")));
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
    const auto wanted = wantedOf(pipeline, format, size);
    if (!wanted) {
        opponent.problem = wanted.error().message;
        return opponent;
    }
    // One place for all steps.
    std::vector<const StepTiming*> rows;
    for (const BackendKind place : kPlaces) {
        rows.clear();
        for (const Wanted& one : *wanted) {
            if (const StepTiming* row = one.rowAt(recording.report, place)) rows.push_back(row);
        }
        if (rows.size() == wanted->size()) break;
    }
    if (rows.size() < wanted->size()) {
        const auto missing = std::find_if(wanted->begin(), wanted->end(), [&](const Wanted& one) {
            return std::none_of(std::begin(kPlaces), std::end(kPlaces), [&](BackendKind place) {
                return one.rowAt(recording.report, place);
            });
        });
        opponent.problem =
            (missing == wanted->end()
                 ? tr("%1 has no place that all steps were timed on.").arg(recording.file)
                 : missingText(recording, *missing))
                .toStdString();
        return opponent;
    }
    opponent.info.kind = rows.front()->backend.kind();
    opponent.info.threads = rows.front()->threads;
    opponent.threadsWorked = rows.size() == 1 ? rows.front()->threadsWorked : 0;
    if (opponent.info.kind != BackendKind::Cuda)
        opponent.info.device = recording.report.machine.cpu;
    SampleSummary whole, kernels;
    bool known = true, kernelsKnown = true;
    opponent.agreement.agreement.verdict = Verdict::Identical;
    for (const StepTiming* row : rows) {
        whole.medianMs += row->endToEndMs > 0 ? row->endToEndMs : row->time.medianMs;
        whole.lowMs += row->endToEnd.lowMs;
        whole.highMs += row->endToEnd.highMs;
        known &= row->endToEnd.intervalKnown();
        kernels.medianMs += row->kernelMs;
        kernels.lowMs += row->time.lowMs;
        kernels.highMs += row->time.highMs;
        kernelsKnown &= row->time.intervalKnown();
        opponent.times.uploadMs += row->uploadMs;
        opponent.times.kernelMs += row->kernelMs;
        opponent.times.downloadMs += row->downloadMs;
        if (row->agreement.verdict >= opponent.agreement.agreement.verdict)
            opponent.agreement = {row->agreement, row->operation};
    }
    opponent.times.totalMs = whole.medianMs;
    // Of a sum the interval is that of its parts: no narrower than it is.
    if (known) opponent.total = whole;
    if (kernelsKnown) opponent.kernels = kernels;
    QStringList notes;
    if (rows.size() > 1) notes << tr("sum of %n recorded steps", nullptr, int(rows.size()));
    if (known && whole.noisy())
        notes << tr("noisy there: %1 to %2 ms")
                     .arg(millisecondText(whole.lowMs), millisecondText(whole.highMs));
    if (!notes.isEmpty())
        opponent.origin +=
            QStringLiteral(" (%1)").arg(notes.join(QStringLiteral("; "))).toStdString();
    return opponent;
}

std::optional<Pipeline> asRecorded(const RecordedRun& recording, const Pipeline& pipeline,
                                   PixelFormat format, Size size) {
    const auto wanted = wantedOf(pipeline, format, size);
    if (!wanted) return {};
    Pipeline recorded = pipeline;
    bool changed = false;
    for (const Wanted& one : *wanted) {
        const auto steps = recordedSteps(recording, *one.step);
        if (steps.empty()) return {};
        if (farFrom(steps.front(), *one.step) == 0) continue;
        Step& step = recorded.steps[std::size_t(one.step - pipeline.steps.data())];
        step.variant = steps.front().variant;
        step.parameters = steps.front().parameters;
        changed = true;
    }
    return changed ? std::optional(recorded) : std::nullopt;
}

int nearestRecorded(const RecordedRun& recording, const Pipeline& pipeline,
                    const std::vector<Size>& sizes, const std::vector<PixelFormat>& formats,
                    Size wanted) {
    int nearest = -1;
    double least = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (!opponentOf(recording, pipeline, formats[i], sizes[i]).problem.empty()) continue;
        const double away = std::abs(std::log(double(sizes[i].pixels()) / double(wanted.pixels())));
        if (nearest >= 0 && away >= least) continue;
        nearest = int(i);
        least = away;
    }
    return nearest;
}

bool recordedInGray(const RecordedRun& recording, const Pipeline& pipeline) {
    bool gray = false;
    for (const StepTiming& row : recording.report.results) {
        const bool found =
            std::any_of(pipeline.steps.begin(), pipeline.steps.end(),
                        [&](const Step& step) { return step.enabled && isOf(row, step); });
        if (found && isColor(row.format)) return false;
        gray |= found;
    }
    return gray;
}

}  // namespace warpscope::gui
