// From a file to an image.
#include <algorithm>

#include "engine/io/decode_support.h"
#include "engine/io/open_file_reader.h"
#include "engine/io/reduced_reader.h"

namespace warpscope {

namespace {

// use(bytes, name, options) with the bytes of an open file, which count as memory in use.
template <class Use>
auto withBytesOf(int descriptor, const std::string& name, const ReadOptions& options, Use&& use)
    -> decltype(use(std::span<const std::uint8_t>(), std::string(), options)) {
    ReadOptions rest = options;
    const auto accept = [&](io::Bytes front, std::uint64_t size) -> Result<void> {
        rest.limits.bytesInUse += size;
        return io::checkContent(front, rest);
    };
    auto bytes =
        io::readOpenFile(descriptor, name, options.limits.maxFileBytes, options.stop, accept);
    if (!bytes) return fail(bytes.error());
    return use(std::span<const std::uint8_t>(bytes->data.get(), bytes->size), name, rest);
}

}  // namespace

Result<Image> io::readOpenImage(int descriptor, const std::string& name,
                                const ReadOptions& options) {
    return withBytesOf(descriptor, name, options, decodeImage);
}

Result<Image> io::readOpenReduced(int descriptor, const std::string& name, int side,
                                  const ReadOptions& options) {
    return withBytesOf(descriptor, name, options,
                       [&](Bytes bytes, const std::string& called, const ReadOptions& rest) {
                           return decodeReduced(bytes, called, side, rest);
                       });
}

Result<std::vector<PageInfo>> io::listOpenPages(int descriptor, const std::string& name,
                                                const ReadOptions& options) {
    return withBytesOf(descriptor, name, options, listPagesOf);
}

Result<Image> readImage(const std::filesystem::path& file, const ReadOptions& options) {
    const auto handle = io::openFile(file);
    if (!handle) return fail(handle.error());
    return io::readOpenImage(handle->get(), io::cleanText(file.string(), 4096), options);
}

Result<Image> readReducedImage(const std::filesystem::path& file, int side,
                               const ReadOptions& options) {
    const auto handle = io::openFile(file);
    if (!handle) return fail(handle.error());
    return io::readOpenReduced(handle->get(), io::cleanText(file.string(), 4096), side, options);
}

Result<std::vector<PageInfo>> listPages(const std::filesystem::path& file,
                                        const ReadOptions& options) {
    const auto handle = io::openFile(file);
    if (!handle) return fail(handle.error());
    return io::listOpenPages(handle->get(), io::cleanText(file.string(), 4096), options);
}

Result<io::FileBytes> io::readStream(int descriptor, const std::string& name,
                                     const ReadOptions& options) {
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
    return bytes;
}

Result<Image> readImageFrom(int descriptor, const std::string& name, const ReadOptions& options) {
    const auto bytes = io::readStream(descriptor, name, options);
    if (!bytes) return fail(bytes.error());
    ReadOptions rest = options;
    rest.limits.bytesInUse += bytes->size;
    return decodeImage({bytes->data.get(), bytes->size}, name, rest);
}

}  // namespace warpscope
