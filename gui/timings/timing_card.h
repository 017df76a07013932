// The card of one step, as values: every figure with what it is, speedups with both their sides,
// agreement beside them. No widget, no clock.
#pragma once

#include <QString>
#include <QStringList>
#include <string>
#include <vector>

#include "gui/timings/timing_table.h"

namespace warpscope::gui {

struct CardFigure {
    BackendKind backend = BackendKind::CpuSingle;  // gives the colour
    QString name;                                  // "CPU, 16 threads", "GPU upload"
    QString value;                                 // to three figures that count
    QStringList notes;                             // samples and spread, bandwidth
    QString unit{};                                // "ms"; empty where `value` says it

    friend bool operator==(const CardFigure&, const CardFigure&) = default;
};

struct CardLine {
    QString text;
    TimingTone tone = TimingTone::Normal;
    std::optional<BackendKind> differsOn;  // where the result is outside the rule

    friend bool operator==(const CardLine&, const CardLine&) = default;
};

struct TimingCard {
    std::size_t stepIndex = 0;
    QString title;    // "1  Gaussian blur"
    QString details;  // parameters, image
    // What the card is for, and stands first: what each place gains against the best CPU, and
    // whether the results agree. None where they differ; the first lines say that then.
    std::vector<CardFigure> gains;
    std::vector<CardFigure> figures;
    std::vector<CardLine> lines;  // other speedups, agreement, temperature, what is missing
    bool empty() const { return figures.empty() && lines.empty(); }
    friend bool operator==(const TimingCard&, const TimingCard&) = default;
};

// `rows` are those of one step. Per cent of copy bandwidth where `machine` has it.
TimingCard buildTimingCard(const std::vector<TimingReady>& rows, bool hasGpu,
                           const MachineInfo& machine);

}  // namespace warpscope::gui
