// Texts of the engine in the window's language, and figures as people read them.
#pragma once

#include <QString>
#include <string>

#include "engine/image/pixel_format.h"
#include "engine/measure/factor.h"
#include "engine/measure/timing.h"

namespace warpscope::gui {

// Labels, summaries and help come from operation descriptions; translations stand under the context
// "Engine".
QString engineText(const std::string& text);
// Of a text whose parts stand between commas, each: "PNG, 16 bits, RGB".
QString enginePartsText(const std::string& text);

// Three significant digits: "0.0123 ms", "4.56 ms", "123 ms", "1.23 s".
QString durationText(double ms);

// "6.1×" below ten, "212×" from there on.
QString factorText(double factor);

// For tables, in the language's digits and to three figures that count: "0.0123", "1.23", "123",
// "1,230"; the same with "×".
QString millisecondText(double ms);
QString timesText(double factor);
// Of a pair that is noisy what the factor may be: "9.1 to 14×"; where that is next to anything,
// "11×, noisy".
QString timesText(const Speedup& speedup);
QString speedupText(const Speedup& speedup);
// Noisy so that the ends of the range say less than its middle.
bool isUnsure(const Speedup& speedup);
// "9.1 to 14×"; empty where the factor is sure.
QString rangeText(const Factor& factor);
// What it is against, for a row with this variant: "best CPU (16 threads)", "1 thread".
QString againstText(const Speedup& speedup, const std::string& variant);

QString sizeText(Size size);  // "1,920 × 1,280"

}  // namespace warpscope::gui
