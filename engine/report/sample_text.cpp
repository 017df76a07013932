#include "engine/report/sample_text.h"

#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace warpscope {
namespace {

static_assert(std::endian::native == std::endian::little, "samples are written as they lie");

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Nothing where it is no base64.
std::vector<unsigned char> fromBase64(std::string_view text) {
    if (text.empty() || text.size() % 4 != 0) return {};
    while (text.ends_with('=')) text.remove_suffix(1);
    std::vector<unsigned char> bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos) return {};
        bits = bits << 6 | std::uint32_t(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<unsigned char>(bits >> count & 255));
    }
    return bytes;
}

auto noSamples(const char* why) {
    return fail(ErrorCode::InvalidArgument, why);
}

}  // namespace

std::string toBase64(std::span<const std::uint8_t> bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = std::uint32_t(bytes[i]) << 16;
        if (i + 1 < bytes.size()) three |= std::uint32_t(bytes[i + 1]) << 8;
        if (i + 2 < bytes.size()) three |= bytes[i + 2];
        for (std::size_t digit = 0; digit < 4; ++digit)
            text += i + digit > bytes.size() ? '=' : kDigits[three >> (18 - 6 * digit) & 63];
    }
    return text;
}

std::string samplesToText(const Samples& samples) {
    const std::vector<float> values(samples.ms.begin(), samples.ms.end());
    const std::size_t size = values.size() * sizeof(float);
    uLongf length = compressBound(uLong(size));
    std::vector<unsigned char> packed(length);
    const auto* bytes = reinterpret_cast<const Bytef*>(values.data());
    if (size == 0 || compress2(packed.data(), &length, bytes, uLong(size), 9) != Z_OK) return {};
    packed.resize(length);
    return toBase64(packed);
}

Result<void> samplesFromText(std::string_view text, Samples& samples) {
    constexpr std::size_t kMost = 1 << 20;
    std::size_t count = 0;
    for (const int round : samples.perRound) {
        if (round < 1 || std::size_t(round) > kMost - count)
            return noSamples("has rounds of no or of too many samples");
        count += std::size_t(round);
    }
    const std::vector<unsigned char> packed = fromBase64(text);
    // One more than there should be, so that a longer text is noticed.
    std::vector<float> values(count + 1);
    uLongf length = uLongf(values.size() * sizeof(float));
    if (count == 0 || packed.empty() ||
        uncompress(reinterpret_cast<Bytef*>(values.data()), &length, packed.data(),
                   uLong(packed.size())) != Z_OK ||
        length != count * sizeof(float))
        return noSamples("is no text of as many samples as its rounds have");
    values.resize(count);
    for (const float ms : values)
        if (!std::isfinite(ms) || ms < 0) return noSamples("has a sample that is no time");
    samples.ms.assign(values.begin(), values.end());
    return {};
}

}  // namespace warpscope
