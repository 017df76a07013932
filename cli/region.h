// --region X,Y,W,H: a part of the images that are read.
#pragma once

#include "cli/common.h"

namespace warpscope::cli {

struct RegionOption {
    std::string text;  // empty: all of it
    void addTo(CLI::App& command);
    // Whole numbers, W and H at least 1.
    bool isValid() const;
    std::string complaint() const;
    // Errors: InvalidArgument where it lies beyond the image.
    Result<Image> of(const Image& image) const;
};

}  // namespace warpscope::cli
