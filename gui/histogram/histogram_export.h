// The histogram as a file or on the clipboard.
#pragma once

#include <QImage>
#include <QString>

#include "engine/base/result.h"
#include "gui/histogram/histogram_view.h"

namespace warpscope::gui {

// Drawn anew at this size (not a screenshot), with the caption under it. `scale`: device pixels.
QImage histogramImage(const HistogramModel& model, const HistogramOptions& options,
                      const QSize& size, double scale);

// By the ending of the name: .png or .svg. Errors: Unsupported for another ending, Io.
Result<void> saveHistogramPicture(const QString& path, const HistogramModel& model,
                                  const HistogramOptions& options);

// UTF-8, written whole or not at all. Errors: Io.
Result<void> saveText(const QString& path, const QString& text);

}  // namespace warpscope::gui
