#pragma once

#include "engine/io/codec.h"

namespace warpscope::io {

// decodeJpeg, of no more pixels than a picture with a longer side of `side` needs; see
// reduced_reader.h. 0: in full.
Result<Image> decodeJpegReduced(Bytes bytes, int side, const ReadOptions& options);

}  // namespace warpscope::io
