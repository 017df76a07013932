// Levels of steps that map levels: what a threshold cuts at, and curves that need no statistics.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "engine/pipeline/preset_fit.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"

namespace warpscope::gui {

struct ThresholdLevel {
    double level = 0;  // in samples of `input`: what is above is white
    PixelFormat input = PixelFormat::Gray8;
};

// Of the threshold at `index`: its fixed level, or what its method found in what the step is given.
// Nothing for other steps, for one that is off, and until it is found.
std::optional<ThresholdLevel> thresholdLevel(const Document& document, const EngineBridge& bridge,
                                             int index);
// Whether the step gives back what comes in, by its values and the image's format and size alone:
// levels from black to white, a crop of the whole. Of each step; none without an image.
std::vector<bool> stepsThatChangeNothing(const Document& document);
// Whether a parameter has a say with the others as they are: the level of a threshold has none
// beside a method that finds one.
bool isUsed(std::string_view operation, const ParamSet& parameters, std::string_view id);
// Of the connected components at `index`: how many there are. Nothing as above.
std::optional<qint64> objectsFound(const Document& document, const EngineBridge& bridge, int index);
// Where what the `levels` at `index` is given begins and ends: of the image, or of the counts after
// the step before it. Nothing until these are known.
std::optional<LevelRange> usedLevelsBefore(const Document& document, const EngineBridge& bridge,
                                           int index);
// "117", "110.25", "30,069", "0.4588"
QString levelText(const ThresholdLevel& threshold);

// In 8 bits, as the step's parameters say; empty where there is none without an image.
std::vector<ToneCurve> toneCurvesOf(const Step& step);

}  // namespace warpscope::gui
