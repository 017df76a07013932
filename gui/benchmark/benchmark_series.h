// The engine's plot of the results in the window, with what only the window knows: which run is
// whose, and how the lines of several are told apart.
#pragma once

#include <QStringList>
#include <Qt>
#include <optional>

#include "engine/report/plot.h"
#include "gui/benchmark/benchmark_reports.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {

struct ChartSeries : PlotLine {
    QString id{};         // the same for the same thing, also when results are added or taken out
    QString operation{};  // label; series are grouped by it
    QString machine{};    // where it was measured, and when
    Qt::PenStyle pen = Qt::SolidLine;  // dashed: another machine's, or an earlier run's
    int marker = 0;                    // a shape an operation
    int tint = 0;                      // a shade a file; 0: the colours of the backends
    // Where a point is a row: its index in the entry's results, one a point. Else empty.
    std::vector<std::size_t> rows{};
    // Beside the points, one each, where there is room; empty: nothing.
    QStringList marks{};

    QString label() const { return QString::fromStdString(name); }
    QString fullName() const { return operation + QStringLiteral(", ") + label(); }
};

// A machine under the chart, with the line that its series have.
struct ChartCaption {
    QString text;
    Qt::PenStyle pen = Qt::SolidLine;  // none: of markers, and no machine
    int tint = 0;
};

// At most so many operations a second at so many a byte; 0: not known.
struct ChartRoof {
    QString name;
    PlotInk ink = PlotInk::SingleThread;
    double slope = 0;  // below its bend, upwards over across
    double top = 0;
    Qt::PenStyle pen = Qt::SolidLine;
    int tint = 0;
};

struct ChartContent {
    QString valueTitle;  // "median time, ms"
    QString acrossTitle = engineText(std::string(kPlotSizeTitle));
    bool numbersAcross = false;  // ticks are round numbers; else they are what was measured
    std::vector<ChartRoof> roofs{};
    bool unityLine = false;  // mark the value 1: above it the subject wins
    std::vector<ChartSeries> series;
    std::vector<ChartCaption> captions;
};

// A caption an entry that is shown, in their order.
std::vector<ChartCaption> entryCaptions(const std::vector<BenchmarkEntry>& entries);
// Captions of bars, rings and hollow markers, as far as there are any.
void addNotes(ChartContent& content);

// What speedups are against.
struct Baseline {
    std::optional<BackendKind> kind;  // the same variant on one thread or all cores

    constexpr Baseline() = default;  // the best of the CPU
    constexpr Baseline(BackendKind of) : kind(of) {}
};

// Of entries that are shown: times, or speedups.
ChartContent chartContent(const std::vector<BenchmarkEntry>& entries,
                          std::optional<Baseline> against = {});

// The row whose figure a point is: of a speedup, that of its subject. Null where it is gone.
const StepTiming* rowOfPoint(const std::vector<BenchmarkEntry>& entries, const ChartSeries& series,
                             const PlotPoint& point);

// "Gaussian blur"; the id where this program does not know the operation.
QString operationText(const std::string& id);
QString sizeWords(const StepTiming& row);   // "1,024 × 1,024"
QString placeWords(const StepTiming& row);  // placeText

}  // namespace warpscope::gui
