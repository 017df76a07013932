// From a file to an image.
#include <algorithm>

#include "engine/io/decode_support.h"
#include "engine/io/file_bytes.h"

namespace warpscope {

namespace {

// use(bytes, name, options) with the bytes of the file, which count as memory in use.
template <class Use>
auto withBytesOf(const std::filesystem::path& file, const ReadOptions& options, Use&& use)
    -> decltype(use(std::span<const std::uint8_t>(), std::string(), options)) {
    ReadOptions rest = options;
    const auto accept = [&](io::Bytes front, std::uint64_t size) -> Result<void> {
        rest.limits.bytesInUse += size;
        return io::checkContent(front, rest);
    };
    auto bytes = io::readFileBytes(file, options.limits.maxFileBytes, options.stop, accept);
    if (!bytes) return fail(bytes.error());
    return use(std::span<const std::uint8_t>(bytes->data.get(), bytes->size),
               io::cleanText(file.string(), 4096), rest);
}

}  // namespace

Result<Image> readImage(const std::filesystem::path& file, const ReadOptions& options) {
    return withBytesOf(file, options, decodeImage);
}

Result<std::vector<PageInfo>> listPages(const std::filesystem::path& file,
                                        const ReadOptions& options) {
    return withBytesOf(file, options, listPagesOf);
}

Result<Image> readImageFrom(int descriptor, const std::string& name, const ReadOptions& options) {
    const ReadLimits& limits = options.limits;
    if (limits.bytesInUse >= limits.maxDecodedBytes)
        return fail(io::beyondMemory(name + ": the bytes", {}, limits));
    const std::uint64_t left = limits.maxDecodedBytes - limits.bytesInUse;
    const auto accept = [&](io::Bytes front, std::uint64_t) {
        return io::checkContent(front, options);
    };
    auto bytes = io::readDescriptorBytes(descriptor, name, std::min(left, limits.maxFileBytes),
                                         options.stop, accept);
    if (!bytes && bytes.error().code == ErrorCode::LimitExceeded && left < limits.maxFileBytes)
        return fail(io::beyondMemory(name + ": the bytes", {}, limits));
    if (!bytes) return fail(bytes.error());
    ReadOptions rest = options;
    rest.limits.bytesInUse += bytes->size;
    return decodeImage({bytes->data.get(), bytes->size}, name, rest);
}

}  // namespace warpscope
