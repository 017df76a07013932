// Results as lines of a chart against image size, or against a parameter (sweep.h): what a chart
// shows, as a value. The command line writes it as SVG, the window draws it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/measure/timing_report.h"

namespace warpscope {

// What a line stands for; gives its colour.
enum class PlotInk { SingleThread, AllCores, GpuKernels, GpuEndToEnd };

struct PlotPoint {
    // Pixels, or the value of a parameter. Finite, and above 0 unless Plot::xLinear; the value is
    // always.
    double x = 0;
    double value = 0;
    // 95% interval, where there was one round 10th and 90th percentile; 0: none
    double low = 0;
    double high = 0;
    bool noisy = false;
    bool doubtful = false;  // its result is outside the rule of agreement
    std::string size;       // x in words: "1,024 × 1,024", "2.5"
    std::size_t row = 0;    // of the results of its source
    std::string figures;    // "0.210 ms, p10 to p90 0.208 to 0.215 ms, n = 200, identical"

    bool hasSpread() const { return low > 0 && high > low; }
};

struct PlotLine {
    std::string key;         // within its source; stays when rows are added and names grow
    std::string name;        // "16 threads, cold (B)"
    std::size_t panel = 0;   // in Plot::panels
    std::size_t source = 0;  // in Plot::sources
    PlotInk ink = PlotInk::SingleThread;
    bool hollow = false;            // another library's
    bool cold = false;              // the cache was cold
    bool thin = false;              // a variant other than the automatic one
    bool aside = false;             // not the first thing to see: cold beside warm, an experiment
    std::vector<PlotPoint> points;  // by growing x; at least one
};

// One operation, or one experiment of the source texts.
struct PlotPanel {
    std::string operation;   // "Gaussian blur"
    std::string experiment;  // its id; else empty
    std::string subtitle;    // what all its lines have in common: "sigma=2 size=0, Gray8"

    std::string title() const;  // "Gaussian blur, source text (gaussian_filter)"
};

inline constexpr std::string_view kPlotSizeTitle = "image size, pixels";

struct Plot {
    std::string title;
    std::string valueTitle;  // "median time, ms"
    std::string xTitle{kPlotSizeTitle};
    bool xLinear = false;    // else logarithmic, as the values always are
    bool unityLine = false;  // mark the value 1: above it the subject wins
    std::vector<PlotPanel> panels;
    std::vector<PlotLine> lines;
    std::vector<std::string> sources;  // machines and dates, one a report

    bool empty() const { return lines.empty(); }
};

// A report and what it is called where there are several.
struct PlotSource {
    const TimingReport* report = nullptr;
    std::string name;   // "h100.json"; may be empty
    std::string tag{};  // "B"; empty: sourceTag of its place
};
std::string sourceTag(std::size_t index);  // "A" to "Z", then "AA"

// What is shown of sources after the first: what has the operation, experiment, variant, parameters
// and format of one of its rows; or everything, for one chart of all panels: lines of experiments
// then say that they are.
enum class PlotScope { LikeTheFirst, Everything };

// A line an operation, variant, parameters, format, temperature, place and source; a GPU gives two,
// kernels alone and end to end. Rows without figures give no point.
Plot timePlot(const std::vector<PlotSource>& sources, PlotScope scope = PlotScope::LikeTheFirst);

// Speedups, all of one chart against one baseline. Nothing given: the best of the CPU, that is the
// fastest row of that operation and size whatever its variant and threads, which is 1x itself;
// every other row is relative to it, the slower ones of the CPU too. Else the same algorithm on one
// thread (CpuSingle) or all cores (Cpu). Both sides come from the same report; none where results
// do not agree, none of peers. Where the sources' baselines have different names, every line names
// its own.
Plot speedupPlot(const std::vector<PlotSource>& sources, std::optional<BackendKind> against,
                 PlotScope scope = PlotScope::LikeTheFirst);

// The plot of one panel alone.
Plot panelOf(const Plot& plot, std::size_t panel);

// The one name of a place: "1 thread", "16 threads", "1 of 2 threads" where fewer worked than were
// offered, "all cores (1)", "GPU", "OpenCV 4.6.0, 1 thread", "NPP 13.0.1, GPU kernels".
std::string placeText(const StepTiming& row);
// By what it was offered, the same for all rows of a run: "2 threads".
std::string offeredPlaceText(const StepTiming& row);
// Of a row: "2 threads offered, 1 worked"; empty where all did, or nobody knows.
std::string fewerWorkedText(const StepTiming& row);

// Rows of one operation on the same input, all variants, in the order of the report.
std::vector<std::vector<const StepTiming*>> rowsByStep(const TimingReport& report);

}  // namespace warpscope
