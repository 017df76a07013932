// Well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpscope {

// Length in bytes of the well-formed sequence at the front; 0 if there is none, also for empty
// text.
std::size_t utf8Length(std::string_view text);

// Position of the first byte that is not part of well-formed UTF-8, npos if there is none.
std::size_t findInvalidUtf8(std::string_view text);

}  // namespace warpscope
