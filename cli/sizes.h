// Image sizes as they are written on the command line.
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/image/pixel_format.h"

namespace warpscope::cli {

// "512" (512x512), "1280x1024", "4k" (3840x2160), "8k" (7680x4320). Errors: InvalidArgument with
// the text and the range.
Result<Size> parseSize(std::string_view text);
// Separated by commas.
Result<std::vector<Size>> parseSizes(std::string_view text);

}  // namespace warpscope::cli
