// What a chart shows, as values.
#pragma once

#include <QString>
#include <QStringList>
#include <Qt>
#include <vector>

namespace warpscope::gui {

// Colours, named by what they stand for; the theme gives them when the chart is painted.
enum class ChartInk { SingleThread, AllCores, GpuKernels, GpuEndToEnd };

struct ChartPoint {
    double pixels = 0;
    double value = 0;  // above 0
    double low = 0;    // 10th and 90th percentile; 0: none
    double high = 0;
    QString size;           // "1,024 × 1,024"
    QString figures;        // for the read-out: "0.21 ms, ..."
    bool doubtful = false;  // its result is outside the rule of agreement
};

struct ChartSeries {
    QString key;        // the same for the same thing, also when figures are added
    QString operation;  // label; series are grouped by it
    QString name;       // "GPU kernels, cold (B)"
    QString machine;    // where it was measured, and when
    ChartInk ink = ChartInk::SingleThread;
    Qt::PenStyle pen = Qt::SolidLine;  // dashed: another machine's, or an earlier run's
    bool hollow = false;               // another library's
    bool ringed = false;               // cold cache
    bool thin = false;                 // a variant other than the automatic one
    bool aside = false;                // begins switched off: cold beside warm, an experiment
    int marker = 0;                    // a shape an operation
    std::vector<ChartPoint> points;    // by growing pixels
};

// A machine under the chart, with the line that its series have.
struct ChartCaption {
    QString text;
    Qt::PenStyle pen = Qt::SolidLine;  // none: of markers, and no machine
};

struct ChartContent {
    QString valueTitle;      // "median time, ms"
    QString sizeTitle;       // "image size, pixels"
    bool unityLine = false;  // mark the value 1: above it the subject wins
    std::vector<ChartSeries> series;
    std::vector<ChartCaption> captions;
};

}  // namespace warpscope::gui
