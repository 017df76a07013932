// What screen readers are told about a ValueSlider.
#pragma once

namespace warpscope::gui {

void installSliderAccessibility();  // once for the program; further calls do nothing

}  // namespace warpscope::gui
