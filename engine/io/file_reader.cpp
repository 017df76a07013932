// From a file to an image.
#include "engine/io/decode_support.h"
#include "engine/io/file_bytes.h"

namespace warpscope {

Result<Image> readImage(const std::filesystem::path& file, const ReadOptions& options) {
    ReadOptions rest = options;
    const auto accept = [&](io::Bytes front, std::uint64_t size) -> Result<void> {
        rest.limits.bytesInUse += size;
        return io::checkContent(front, rest);
    };
    auto bytes = io::readFileBytes(file, options.limits.maxFileBytes, options.stop, accept);
    if (!bytes) return fail(bytes.error());
    return decodeImage({bytes->data.get(), bytes->size}, io::cleanText(file.string(), 4096), rest);
}

}  // namespace warpscope
