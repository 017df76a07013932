// Results as lines of a log-log chart against image size: what a chart shows, as a value.
#pragma once

#include <string>
#include <vector>

#include "engine/measure/timing_report.h"

namespace warpscope {

// What a line stands for; gives its colour.
enum class PlotInk { SingleThread, AllCores, GpuKernels, GpuEndToEnd };

struct PlotPoint {
    double pixels = 0;
    double value = 0;  // above 0
    double low = 0;    // 10th and 90th percentile; 0: none
    double high = 0;
    bool doubtful = false;  // its result is outside the rule of agreement
    std::string figures;  // "512 x 512: 0.210 ms, p10 to p90 0.208 to 0.215 ms, n = 200, identical"
};

struct PlotLine {
    std::string name;  // "16 threads, cold"
    PlotInk ink = PlotInk::SingleThread;
    bool hollow = false;            // another library's
    bool cold = false;              // the cache was cold
    bool thin = false;              // a variant other than the automatic one
    bool beside = false;            // of another report than the first
    std::vector<PlotPoint> points;  // by growing pixels
};

// One operation, or one experiment of the source texts.
struct PlotPanel {
    std::string title;     // "Gaussian blur"
    std::string subtitle;  // what all its lines have in common: "sigma=2 size=0, Gray8"
    std::vector<PlotLine> lines;
};

struct Plot {
    std::string title;
    std::string valueTitle;  // "median time, ms"
    bool unityLine = false;  // mark the value 1: above it the subject wins
    std::vector<PlotPanel> panels;
    std::vector<std::string> sources;  // machines and dates, one a report

    bool empty() const { return panels.empty(); }
};

// A report and what it is called where there are several.
struct PlotSource {
    const TimingReport* report = nullptr;
    std::string name;  // "h100.json"; may be empty
};

// A line an operation, variant, parameters, format, temperature, place and source; a GPU gives two,
// kernels alone and end to end. Rows without figures give no point. Of sources after the first,
// only what has the same operation, variant, parameters and format as a row of the first.
Plot timePlot(const std::vector<PlotSource>& sources);

// Speedups against one thread (CpuSingle) or all cores (Cpu). Both sides come from the same report;
// none where results do not agree, none of peers.
Plot speedupPlot(const std::vector<PlotSource>& sources, BackendKind against);

}  // namespace warpscope
