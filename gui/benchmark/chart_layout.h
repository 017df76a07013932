// Where everything of a log-log chart goes, for one size and font. No painting.
#pragma once

#include <QFontMetricsF>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <vector>

#include "gui/benchmark/chart_content.h"

namespace warpscope::gui {

struct ChartTick {
    double at = 0;  // in the plot's x or y, widget coordinates
    QString label;  // empty: a line only
};

struct ChartLabel {
    std::size_t series = 0;  // in ChartContent::series
    QString text;
    double y = 0;  // its middle
    QPointF from;  // the end of its line
};

struct ChartLayout {
    QRectF plot;
    double logLeft = 0, logRight = 1;  // decades of pixels
    double logBottom = 0, logTop = 1;  // decades of the value
    std::vector<ChartTick> xTicks, yTicks;
    std::vector<ChartLabel> labels;  // right of the plot, top to bottom, without overlaps
    double labelLeft = 0, labelWidth = 0;
    bool empty = true;  // nothing visible has a point

    QPointF place(double pixels, double value) const;
};

// `visible`: indices into content.series. Room for title above, tick labels, axis title and
// captions below is kept.
ChartLayout layoutChart(const ChartContent& content, const std::vector<std::size_t>& visible,
                        const QSizeF& size, const QFontMetricsF& metrics);

// Values at which a logarithmic axis is marked: decades, and 2 and 5 of each where there are few.
std::vector<double> logTicks(double logLow, double logHigh, int wanted);
QString tickText(double value);  // "0.001", "10", "1,000"

}  // namespace warpscope::gui
