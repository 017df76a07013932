// Texts of the engine in the window's language, and figures as people read them.
#pragma once

#include <QString>
#include <string>

#include "engine/image/pixel_format.h"

namespace warpscope::gui {

// Labels, summaries and help come from operation descriptions; translations stand under the context
// "Engine".
QString engineText(const std::string& text);

// Three significant digits: "0.0123 ms", "4.56 ms", "123 ms", "1.23 s".
QString durationText(double ms);

// "6.1×" below ten, "212×" from there on.
QString factorText(double factor);

// For tables, in the language's digits and to three figures that count: "0.0123", "1.23", "123",
// "1,230"; the same with "×".
QString millisecondText(double ms);
QString timesText(double factor);

QString sizeText(Size size);  // "1,920 × 1,280"

}  // namespace warpscope::gui
