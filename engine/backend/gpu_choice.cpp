#include "engine/backend/gpu_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace warpscope {
namespace {

constexpr std::string_view kPrefix = "GPU-";
// Where digits of a UUID are parted: 8, 4, 4, 4 and 12 of them.
constexpr std::size_t kHyphens[] = {8, 13, 18, 23};
constexpr std::size_t kDigitsAndHyphens = 36;

bool isUuidBeginning(std::string_view digits) {
    if (digits.empty() || digits.size() > kDigitsAndHyphens) return false;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const bool hyphen = std::ranges::find(kHyphens, i) != std::end(kHyphens);
        if (hyphen ? digits[i] != '-' : !std::isxdigit(static_cast<unsigned char>(digits[i])))
            return false;
    }
    return true;
}

}  // namespace

Result<std::string> gpuNameFrom(std::string_view text) {
    std::string lower;
    for (const char c : text) lower += char(std::tolower(static_cast<unsigned char>(c)));
    if (!lower.starts_with("gpu-") || !isUuidBeginning(std::string_view(lower).substr(4)))
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("'{}' is no GPU: a UUID as `warpscope-cli devices` prints it, "
                                "or its beginning, such as GPU-1234",
                                text));
    return std::string(kPrefix) + lower.substr(kPrefix.size());
}

}  // namespace warpscope
