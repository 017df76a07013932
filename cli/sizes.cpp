#include "cli/sizes.h"

#include <fmt/format.h>

#include <charconv>

namespace warpscope::cli {
namespace {

bool parseSide(std::string_view text, int& side) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
    return error == std::errc() && end == text.data() + text.size() && side >= 1 &&
           side <= kMaxSide;
}

}  // namespace

Result<Size> parseSize(std::string_view text) {
    if (text == "4k" || text == "4K") return Size{3840, 2160};
    if (text == "8k" || text == "8K") return Size{7680, 4320};
    Size size;
    const std::size_t cross = text.find('x');
    const bool good = cross == std::string_view::npos
                          ? parseSide(text, size.width) && (size.height = size.width) > 0
                          : parseSide(text.substr(0, cross), size.width) &&
                                parseSide(text.substr(cross + 1), size.height);
    if (good) return size;
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("'{}' is no size: N, WxH, 4k or 8k, with sides from 1 to {}", text, kMaxSide));
}

Result<std::vector<Size>> parseSizes(std::string_view text) {
    std::vector<Size> sizes;
    while (true) {
        const std::size_t comma = text.find(',');
        auto size = parseSize(text.substr(0, comma));
        if (!size) return fail(size.error());
        sizes.push_back(*size);
        if (comma == std::string_view::npos) return sizes;
        text.remove_prefix(comma + 1);
    }
}

}  // namespace warpscope::cli
