// A file cut at every byte, and with bits turned over: an error that says so, or an image; never a
// crash.
#pragma once

#include <random>

#include "tests/io/io_helpers.h"

namespace io_test {

// Empty if every front of the file is refused; the last `tail` bytes may be missed by nobody, the
// image is the same then.
inline std::string cutAtEveryByte(const ByteBuffer& file, std::size_t tail = 0) {
    const auto whole = decode(file);
    if (!whole) return whole.error().message;
    // Long files step by step; all of their ends.
    const std::size_t step = file.size() > 4000 ? 13 : 1;
    for (std::size_t size = 0;
         size<file.size(); size += size + 64> file.size() || size < 600 ? 1 : step) {
        // Memory of exactly this size, so that a sanitizer sees any step beyond it.
        const ByteBuffer cut(file.begin(), file.begin() + long(size));
        const auto image = decode(cut);
        const std::string where =
            " cut to " + std::to_string(size) + " of " + std::to_string(file.size()) + " bytes";
        if (!image) {
            if (image.error().code == warpscope::ErrorCode::Internal)
                return image.error().message + where;
            if (image.error().message.find('\n') != std::string::npos)
                return "a line break" + where;
            continue;
        }
        if (size + tail < file.size()) return "not noticed:" + where;
        if (!warpscope::sameSamples(*image, *whole)) return "other samples:" + where;
    }
    return {};
}

inline std::string bitsTurnedOver(const ByteBuffer& file, int rounds = 400) {
    std::mt19937 random(std::uint32_t(file.size()));
    warpscope::ReadOptions options;
    options.limits.maxDecodedBytes = 64 << 20;
    for (int round = 0; round < rounds; ++round) {
        ByteBuffer broken = file;
        for (int i = 0, flips = 1 + int(random() % 3); i < flips; ++i) {
            // Half of them in the header, where they do most.
            const std::size_t range =
                random() % 2 ? broken.size() : std::min<std::size_t>(400, broken.size());
            broken[random() % range] ^= std::uint8_t(1u << random() % 8);
        }
        const auto image = decode(broken, options);
        if (!image && image.error().code == warpscope::ErrorCode::Internal)
            return image.error().message;
        if (image && (image->size().empty() || !(image->info().whiteLevel > 0)))
            return "an image without size or white";
        static_cast<void>(warpscope::listPagesOf(broken, "test file", options));
    }
    return {};
}

}  // namespace io_test
