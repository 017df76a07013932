#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpscope {

// " (did you mean 'median'?)", or nothing where no known word is close: at most two letters wrong,
// left out, too many or swapped, and at most one in three.
std::string didYouMean(std::string_view word, const std::vector<std::string>& known);

}  // namespace warpscope
