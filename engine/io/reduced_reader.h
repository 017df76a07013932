// Reading an image for a small picture of it.
#pragma once

#include "engine/io/image_reader.h"

namespace warpscope {

// As readImage, but the image may come smaller, with its longer side at least `side` where the
// file's is: the preview that a camera put into a JPEG's EXIF block (where it has the image's
// shape), or a JPEG decoded at a half, quarter or eighth, which takes a fraction of the time.
// Other formats come in full. Limits and errors as of readImage.
Result<Image> readReducedImage(const std::filesystem::path& file, int side,
                               const ReadOptions& options = {});

}  // namespace warpscope
