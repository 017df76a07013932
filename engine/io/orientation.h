// EXIF orientation: how stored pixels become upright.
#pragma once

#include "engine/io/codec.h"

namespace warpscope::io {

// The sides of an image of this size once it is upright.
Size uprightSize(Size size, int orientation);

// What freezeUpright takes beside the stored image, `withRaw` where there is info.raw too.
std::uint64_t uprightBytes(PixelFormat format, Size size, int orientation, bool withRaw);

// The values of the EXIF and TIFF tag: 1 upright, 2 mirrored left to right, 3 turned by 180
// degrees, 4 mirrored top to bottom, 5 transposed, 6 to be turned 90 degrees clockwise, 7
// transposed at the other diagonal, 8 to be turned 90 degrees counter-clockwise. Freezes `stored`
// (and info.raw) upright, and says so in the notices. Errors: OutOfMemory, Cancelled,
// LimitExceeded where the copy that is made is beyond the memory.
Result<Image> freezeUpright(MutableImage stored, ImageInfo info, int orientation,
                            const ReadOptions& options);

}  // namespace warpscope::io
