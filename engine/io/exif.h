// The few EXIF tags that matter here, read by hand because the block is small and hostile input is
// common: every offset is checked, nothing is followed or taken twice.
#pragma once

#include "engine/io/codec.h"

namespace warpscope::io {

// `block` begins with "II" or "MM" (a leading "Exif\0\0" is skipped); a classic TIFF file is one
// too. Adds to info.metadata; what cannot be read is left out, as is what follows a thousand
// entries. Returns the orientation, 1 to 8, see orientation.h.
int addExif(ImageInfo& info, Bytes block);

// The JPEG that cameras put into the second directory; empty where there is none inside the block.
Bytes exifPreview(Bytes block);

}  // namespace warpscope::io
