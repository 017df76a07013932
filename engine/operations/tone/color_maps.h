// The colours that false_colour knows by name.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warpscope {

// A colour for each index, R, G, B from the lowest byte up; the highest byte is 0.
using ColorTable = std::array<std::uint32_t, 256>;

// The ids of false_colour's choices. Viridis for any other text.
ColorTable colorTable(std::string_view id);

}  // namespace warpscope
