// Where a histogram was counted, in words.
#pragma once

#include <QString>

#include "engine/worker/render_request.h"

namespace warpscope::gui {

// "; GPU", or why not where asked; empty where nothing is known.
QString countedText(const HistogramsReady& histograms);

}  // namespace warpscope::gui
