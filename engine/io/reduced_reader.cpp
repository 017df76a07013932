#include "engine/io/reduced_reader.h"

#include <fmt/format.h>

#include "engine/io/jpeg_reduced.h"
#include "engine/io/open_file_reader.h"

namespace warpscope::io {

Result<Image> decodeReduced(Bytes bytes, const std::string& name, int side,
                            const ReadOptions& options) {
    if (!jpegCodec().recognizes(bytes)) return decodeImage(bytes, name, options);
    try {
        Result<Image> image = decodeJpegReduced(bytes, side, options);
        if (!image && image.error().code != ErrorCode::Cancelled)
            return fail(image.error().code, fmt::format("{}: {}", name, image.error().message));
        return image;
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, fmt::format("{}: not enough memory", name));
    }
}

}  // namespace warpscope::io
