// Reads JSON from strangers into a tree: bounded in size, depth and list length, no key twice,
// every error with its place. nlohmann's own reader builds the tree by recursion-free callbacks but
// keeps the last of two equal keys, which would hide a mistake.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/base/utf8.h"

namespace warpscope {

struct JsonLimits {
    std::size_t bytes = 0;  // every user has its own
    std::size_t depth = 16;
    std::size_t arrayLength = 256;
};

// Errors (InvalidArgument): "not UTF-8 at byte 12", "line 3, column 7: ...", "steps[1].enabled is
// given twice", and the limit that was hit.
Result<nlohmann::json> parseStrictJson(std::string_view text, const JsonLimits& limits);

// Text from a stranger for use in a message: control characters become "?", and what is longer than
// `longest` bytes is cut between characters and ends in "...".
std::string printable(std::string_view text, std::size_t longest = 64);

}  // namespace warpscope
