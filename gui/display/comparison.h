// Two given images, ready to be looked at side by side and subtracted.
#pragma once

#include <QPoint>
#include <QString>
#include <stop_token>
#include <vector>

#include "engine/measure/agreement.h"
#include "engine/worker/render_worker.h"

namespace warpscope::gui {

struct Comparison {
    PyramidPtr first;
    PyramidPtr second;
    QString firstLabel;
    QString secondLabel;
    // Counts; of images of one size and format.
    Agreement agreement;
    // Pixels that are not the same: the first few thousand.
    std::vector<QPoint> differing;
    // Of images of one format and two sizes, what both have at the top left: counted and
    // subtracted in their place. Null: the images themselves are.
    PyramidPtr commonFirst;
    PyramidPtr commonSecond;
};

// Whether a region of a source of that size limits what is measured of the two: one of the source
// means nothing in an image of another size.
bool takesRegion(const Comparison& comparison, Size source);

// Takes long: for a thread. Errors: OutOfMemory, Cancelled.
Result<Comparison> prepareComparison(const Image& a, const Image& b, const QString& labelA,
                                     const QString& labelB, const std::stop_token& stop);
// The same of what has its reduced copies already.
Result<Comparison> comparisonOf(const PyramidPtr& a, const PyramidPtr& b, const QString& labelA,
                                const QString& labelB, const std::stop_token& stop);

}  // namespace warpscope::gui
