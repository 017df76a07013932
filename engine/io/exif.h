// The few EXIF tags that matter here, read by hand because the block is small and hostile input is
// common: every offset is checked, nothing is followed twice.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/io/codec.h"

namespace warpscope::io {

struct ExifData {
    int orientation = 1;                                        // 1 to 8, see orientation.h
    std::vector<std::pair<std::string, std::string>> metadata;  // for ImageInfo::metadata
};

// `block` begins with "II" or "MM" (a leading "Exif\0\0" is skipped); a classic TIFF file is one
// too. What cannot be read is left out.
ExifData parseExif(Bytes block);

}  // namespace warpscope::io
