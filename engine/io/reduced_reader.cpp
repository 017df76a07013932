#include "engine/io/reduced_reader.h"

#include <fmt/format.h>

#include "engine/io/decode_support.h"
#include "engine/io/file_bytes.h"
#include "engine/io/jpeg_reduced.h"

namespace warpscope {

Result<Image> readReducedImage(const std::filesystem::path& file, int side,
                               const ReadOptions& options) {
    ReadOptions rest = options;
    const auto accept = [&](io::Bytes front, std::uint64_t size) -> Result<void> {
        rest.limits.bytesInUse += size;
        return io::checkContent(front, rest);
    };
    const auto bytes = io::readFileBytes(file, options.limits.maxFileBytes, options.stop, accept);
    if (!bytes) return fail(bytes.error());
    const io::Bytes content{bytes->data.get(), bytes->size};
    const std::string name = io::cleanText(file.string(), 4096);
    if (!io::jpegCodec().recognizes(content)) return decodeImage(content, name, rest);
    try {
        Result<Image> image = io::decodeJpegReduced(content, side, rest);
        if (!image && image.error().code != ErrorCode::Cancelled)
            return fail(image.error().code, fmt::format("{}: {}", name, image.error().message));
        return image;
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, fmt::format("{}: not enough memory", name));
    }
}

}  // namespace warpscope
