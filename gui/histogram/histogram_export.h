// The histogram as a file or on the clipboard.
#pragma once

#include <QImage>
#include <QString>

#include "engine/base/result.h"
#include "engine/io/image_writer.h"
#include "gui/histogram/histogram_view.h"

namespace warpscope::gui {

// Drawn anew at this size (not a screenshot), light whatever theme the window has: `heading` (whose
// it is) and a legend above, the caption under it. `scale`: device pixels.
QImage histogramImage(const HistogramModel& model, const HistogramOptions& options,
                      const QString& heading, const QSize& size, double scale);

// By the ending of the name: .png or .svg. Errors: Unsupported for another ending, and those of
// writeFileAtomically (`write` names the files that stay as they are: the open image).
Result<void> saveHistogramPicture(const QString& path, const HistogramModel& model,
                                  const HistogramOptions& options, const QString& heading,
                                  const WriteOptions& write = {});

// UTF-8, written whole or not at all. Errors: those of writeFileAtomically.
Result<void> saveText(const QString& path, const QString& text, const WriteOptions& write = {});

}  // namespace warpscope::gui
