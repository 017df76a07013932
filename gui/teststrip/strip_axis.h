// Which values of a parameter a test strip shows. Knows nothing of widgets.
#pragma once

#include <QString>
#include <vector>

#include "engine/operations/parameters.h"

namespace warpscope::gui {

// Around: a part of the slider with the present value in its middle. Range: all of it.
enum class StripSpread { Around, Range };

struct StripAxis {
    ParamSpec spec;
    // Different ones; numbers rise.
    std::vector<ParamValue> values;
    std::size_t present = 0;
};

// Numbers, choices, and lists that have presets.
bool canVary(const ParamSpec& spec);
// At most `count` numbers, spaced as the slider is, the present value exactly among them; every
// choice and every preset. A number of pixels does not go beyond `longSide`, if that is not 0.
StripAxis axisFor(const ParamSpec& spec, const ParamValue& present, int count, StripSpread spread,
                  int longSide = 0);
// "3.5 px", "Weighted"; for a list that is no preset "as it is".
QString valueLabel(const ParamSpec& spec, const ParamValue& value);

}  // namespace warpscope::gui
