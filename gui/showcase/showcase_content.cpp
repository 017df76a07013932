#include "gui/showcase/showcase_content.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "engine/image/format_words.h"
#include "gui/showcase/screen_picture.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

// Frames longer than this show how far they are.
constexpr double kShowProgressMs = 400;
// Nobody waits longer for a frame; foreseen from a part of it.
constexpr double kTooLongMs = 20000;
constexpr double kForeseeMs = 1500;
constexpr double kForeseePart = 0.004;

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

QString grouped(double value, int decimals) {
    QLocale locale;
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    return locale.toString(value, 'f', decimals);
}

// What was offered counts little where fewer threads found work.
bool fewerWorked(const BackendInfo& info, int worked) {
    return info.kind == BackendKind::Cpu && worked > 0 && worked < info.threads;
}

QString sideName(const BackendInfo& info, int worked = 0) {
    if (fewerWorked(info, worked)) return tr("CPU, %1 of %2 threads").arg(worked).arg(info.threads);

    switch (info.kind) {
        case BackendKind::Cuda:
            return tr("GPU");
        case BackendKind::CpuSingle:
            return tr("CPU, one thread");
        case BackendKind::Cpu:
            break;
    }
    return info.threads == 1 ? tr("CPU, one thread") : tr("CPU, %1 threads").arg(info.threads);
}

void describe(SideContent& content, const BackendInfo& info) {
    content.backend = info.kind;
    content.name = sideName(info);
    content.device = text(info.device.empty() ? info.label : info.device);
}

// 0: cannot be foreseen.
double wholeFrameMs(const SideState& state) {
    const bool known = state.frameMs >= kForeseeMs && state.frameProgress >= kForeseePart;
    return known ? state.frameMs / state.frameProgress : 0;
}

QString longText(double ms) {
    const int seconds = int(std::lround(ms / 1000));
    return seconds < 120 ? tr("%1 s").arg(seconds) : tr("%1 min").arg((seconds + 30) / 60);
}

QString threadsText(const SideState& state) {
    if (fewerWorked(state.backend, state.times.threadsWorked))
        return tr("%1 of %2 threads").arg(state.times.threadsWorked).arg(state.backend.threads);
    return state.backend.threads == 1 ? tr("one thread")
                                      : tr("%1 threads").arg(state.backend.threads);
}

void measure(SideContent& content, const SideState& state) {
    if (fewerWorked(state.backend, state.times.threadsWorked))
        content.name = sideName(state.backend, state.times.threadsWorked);
    content.problem = text(state.failure);
    content.recorded = text(state.recorded);
    content.picture = state.picture;
    content.pictureIsSource = state.pictureIsSource;
    const FrameTimes& median = state.times.median;
    if (state.times.frames > 0) {
        content.rate = rateText(state.times.framesPerSecond());
        content.unit = tr("frames/s");
        content.time = tr("%1 a frame").arg(durationText(median.totalMs));
    }
    if (const SampleSummary& total = state.times.total; total.intervalKnown()) {
        content.interval =
            (total.noisy() ? tr("95% interval %1 to %2, noisy") : tr("95% interval %1 to %2"))
                .arg(millisecondText(total.lowMs), durationText(total.highMs));
    }
    if (state.times.frames > 0 && state.backend.kind == BackendKind::Cuda)
        content.parts = tr("end to end; kernels %1 · upload %2 · download %3")
                            .arg(durationText(median.kernelMs), durationText(median.uploadMs),
                                 durationText(median.downloadMs));
    if (state.frameMs < kShowProgressMs || !content.problem.isEmpty()) return;
    content.progress = std::clamp(state.frameProgress, 0.0, 1.0);
    content.working = tr("%1 % of a frame after %2")
                          .arg(int(content.progress * 100))
                          .arg(durationText(state.frameMs));
    const double whole = wholeFrameMs(state);
    if (whole > kTooLongMs) content.working += tr(", about %1 in all").arg(longText(whole));
}

// What no race is, in words.
QString tooLong(const ShowcaseContent& content, const MatchState& match) {
    for (std::size_t i = 0; i < 2; ++i) {
        const double whole = wholeFrameMs(match.sides[i]);
        if (match.sides[i].times.frames == 0 && whole > kTooLongMs)
            return tr("%1: one frame of %2 takes about %3. That is too long for a race; Down "
                      "chooses a smaller image.")
                .arg(content.sides[i].name, content.size, longText(whole));
    }
    return {};
}

void compare(ShowcaseContent& content, const MatchState& match) {
    const auto& [left, right] = match.sides;
    if (!left.failure.empty() || !right.failure.empty()) return;
    if (!match.agreement) {
        content.agreement = tr("Results not compared yet");
        return;
    }
    const Agreement& agreement = match.agreement->agreement;
    switch (agreement.verdict) {
        case Verdict::Identical:
            content.agreement = tr("Results identical");
            break;
        case Verdict::WithinRule:
            content.agreement = tr("Results agree: %1").arg(text(warpscope::describe(agreement)));
            break;
        case Verdict::Differs:
        case Verdict::NotCompared:
            content.differs = true;
            content.agreement =
                tr("No speedup: the result of %1 %2")
                    .arg(text(match.agreement->step), text(warpscope::describe(agreement)));
            return;
    }
    const MatchSpeedup speedup = speedupOf(match);
    if (speedup.oneThread) content.factorRange = tr("No speedup: one thread did all the work");
    if (speedup.unsure) content.factorRange = tr("Too noisy for a factor");
    if (speedup.endToEnd.value <= 0) return;
    const bool gpu = right.backend.kind == BackendKind::Cuda;
    content.factor = speedup.draw ? tr("draw") : factorText(speedup.endToEnd.value);
    content.factorRange = rangeText(speedup.endToEnd);
    if (speedup.draw) {
        const double apart = std::max(speedup.endToEnd.value, 1 / speedup.endToEnd.value);
        content.factorRange = (apart <= kDrawBelow ? tr("%1 is less than a twentieth")
                                                   : tr("%1, but the intervals meet"))
                                  .arg(factorText(speedup.endToEnd.value));
    }
    content.factorSides =
        (gpu ? tr("GPU end to end against %1") : tr("all cores against %1")).arg(threadsText(left));
    if (const Factor& kernels = speedup.kernelsOnly; kernels.value > 0) {
        const QString range = rangeText(kernels);
        content.factorMore =
            tr("kernels alone %1").arg(range.isEmpty() ? factorText(kernels.value) : range);
    }
}

// The medians are of about as many frames as they ever will be.
bool full(const FrameStatistics::Summary& times) {
    const double ms = std::max(times.spanMs, double(times.frames) * times.median.totalMs);
    return times.frames >= FrameStatistics::kLeast &&
           (ms >= 0.7 * FrameStatistics::kWindowMs || times.frames * 2 >= FrameStatistics::kMost);
}

bool hasSettled(const RunnerState& state) {
    if (state.phase == RunnerState::Phase::Failed) return true;
    bool bothRun = true;
    for (const SideState& side : state.match.sides) {
        if (!side.failure.empty())
            bothRun = false;
        else if (!full(side.times) || side.pictureIsSource)
            return false;
    }
    return !bothRun || state.match.agreement;
}

}  // namespace

QString rateText(double framesPerSecond) {
    if (!(framesPerSecond > 0)) return {};
    const int magnitude = int(std::floor(std::log10(framesPerSecond)));
    int decimals = std::clamp(2 - magnitude, 0, 4);
    if (std::round(framesPerSecond * std::pow(10.0, decimals)) >= 1000 && decimals > 0) --decimals;
    return grouped(framesPerSecond, decimals);
}

ShowcaseContent contentOf(const RunnerState& state, std::uint64_t work,
                          const ShowcaseOperation& operation, const ShowcaseSize& size,
                          bool paused) {
    ShowcaseContent content;
    content.operation = operation.label;
    content.details = operation.details;
    content.size = sizeText(size.size);
    content.format = size.label == QString::number(size.size.width) ? QString() : size.label;
    content.method =
        tr("Each side is timed alone, in turns, on the same moving picture. Medians of "
           "the last second of its own time, without warm-up.");
    if (state.left) describe(content.sides[0], *state.left);
    if (state.right) describe(content.sides[1], *state.right);
    if (!state.hasGpu && !state.noGpu.empty())
        content.noGpu = tr("No GPU: %1").arg(engineText(state.noGpu));
    if (state.phase == RunnerState::Phase::Starting) {
        content.notice = tr("Looking for the devices…");
    } else if (state.work != work || state.phase == RunnerState::Phase::Preparing) {
        // Another operation takes a moment; only a large scene is worth a figure.
        const int percent = state.work == work ? int(state.prepared * 100) : 0;
        content.notice = percent > 0 && percent < 100
                             ? tr("Preparing the picture, %1 %").arg(percent)
                             : tr("Preparing the picture…");
    } else if (state.phase == RunnerState::Phase::Failed) {
        content.notice = text(state.problem);
        content.settled = true;
    } else {
        for (std::size_t i = 0; i < 2; ++i) measure(content.sides[i], state.match.sides[i]);
        compare(content, state.match);
        content.notice = tooLong(content, state.match);
        const QString& recorded = content.sides[1].recorded;
        if (!recorded.isEmpty()) {
            content.sides[1].name = tr("%1, recorded").arg(content.sides[1].name);
            if (!content.factor.isEmpty())
                content.factorSides = tr("recorded %1").arg(content.factorSides);
            content.method =
                tr("Left: timed here and now. Right: recorded on %1, played at its own pace; its "
                   "pictures are computed here.")
                    .arg(recorded);
            if (!content.agreement.isEmpty() && !content.differs)
                content.agreement = tr("%1 (there, with one thread)").arg(content.agreement);
        }
        const QString samples = engineText(std::string(formatWords(state.format)));
        content.format = content.format.isEmpty()
                             ? samples
                             : QStringLiteral("%1 · %2").arg(content.format, samples);
        const bool inPieces = std::any_of(content.sides.begin(), content.sides.end(),
                                          [](const auto& side) { return !side.working.isEmpty(); });
        if (inPieces)
            content.method +=
                QLatin1Char(' ') + tr("A long frame is computed in pieces, in turns with the other "
                                      "side: both bars grow, but never at the same time.");
        const ScreenLook look{size.look.look, state.format};
        if (!size.look.words.isEmpty() && look.holdsFor(state.result))
            content.method +=
                QLatin1Char(' ') + tr("Pictures are shown with %1.").arg(size.look.words);
        if (!state.match.sides[1].note.empty())
            content.method.prepend(text(state.match.sides[1].note) + QLatin1Char(' '));
        if (state.otherWork && *state.otherWork > kBusyAbove)
            content.doubt = tr("The machine is busy: other programs take %1 % of it. These figures "
                               "are doubtful.")
                                .arg(std::lround(*state.otherWork * 100));
        content.settled = hasSettled(state);
        if (paused) content.notice = tr("Paused");
    }
    return content;
}

}  // namespace warpscope::gui
