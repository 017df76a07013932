// From a file to an image.
#include "engine/io/decode_support.h"
#include "engine/io/file_bytes.h"

namespace warpscope {

Result<Image> readImage(const std::filesystem::path& file, const ReadOptions& options) {
    ReadOptions rest = options;
    const auto accept = [&](io::Bytes front, std::uint64_t size) -> Result<void> {
        if (auto ok = io::checkContent(front); !ok) return ok;
        auto& limits = rest.limits;
        limits.bytesInUse += size;
        if (limits.bytesInUse <= limits.maxDecodedBytes) return {};
        return fail(io::beyondMemory("the bytes of the file", size, limits));
    };
    auto bytes = io::readFileBytes(file, options.limits.maxFileBytes, options.stop, accept);
    if (!bytes) return fail(bytes.error());
    return decodeImage({bytes->data.get(), bytes->size}, io::cleanText(file.string(), 4096), rest);
}

}  // namespace warpscope
