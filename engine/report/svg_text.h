// Text in SVG files that are written without a window.
#pragma once

#include <string>
#include <string_view>

namespace warpscope {

// For the content of an element or a quoted attribute: markup escaped, control characters left out,
// bytes that are no UTF-8 replaced by U+FFFD.
std::string svgEscaped(std::string_view text);

// About how wide the text will be, in font sizes: there is no font at hand. On the wide side of the
// usual sans-serif fonts, so that what is laid out with it does not overlap.
double svgTextWidth(std::string_view text);

}  // namespace warpscope
