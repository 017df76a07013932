#include "engine/measure/cold_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpscope {

Result<int> coldCopyCount(std::uint64_t inputBytes, std::uint64_t cacheBytes) {
    constexpr std::uint64_t kAssumedCache = 64u << 20;
    constexpr std::uint64_t kMostCopies = 32768;
    const std::uint64_t cache = cacheBytes > 0 ? cacheBytes : kAssumedCache;
    const std::uint64_t copies = std::max<std::uint64_t>(
        2, (cache + cache / 2) / std::max<std::uint64_t>(inputBytes, 1) + 1);
    if (copies > kMostCopies)
        return fail(ErrorCode::Unsupported,
                    fmt::format("the image is too small for a cold run: {} copies of it would be "
                                "needed to fill a cache of {} MiB",
                                copies, cache >> 20));
    return int(copies);
}

Result<std::vector<Image>> copiesOf(const Image& image, int count, std::stop_token stop) {
    std::vector<Image> copies;
    const std::size_t rowBytes =
        std::size_t(image.width()) * std::size_t(bytesPerPixel(image.format()));
    for (int i = 0; i < count; ++i) {
        if (stop.stop_requested()) return cancelled();
        auto copy = MutableImage::create(image.format(), image.size());
        if (!copy) return fail(copy.error());
        for (int y = 0; y < image.height(); ++y)
            std::memcpy(copy->rowBytes(y), image.rowBytes(y), rowBytes);
        copies.push_back(std::move(*copy).freeze(image.info()));
    }
    return copies;
}

}  // namespace warpscope
