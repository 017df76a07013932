#include "engine/io/decode_support.h"

#include <fmt/format.h>

#include "engine/base/checked.h"
#include "engine/base/utf8.h"

namespace warpscope::io {
namespace {

constexpr std::size_t kMaxMetadataEntries = 64;
constexpr std::size_t kMaxNotices = 16;

template <class T>
void inksToLight(const T* cmyk, T* rgba, int width) {
    constexpr std::uint64_t kMax = std::numeric_limits<T>::max();
    for (int x = 0; x < width; ++x, cmyk += 4, rgba += 4) {
        for (int c = 0; c < 3; ++c)
            rgba[c] = T(((kMax - cmyk[c]) * (kMax - cmyk[3]) * 2 + kMax) / (2 * kMax));
        rgba[3] = T(kMax);
    }
}

}  // namespace

Result<void> checkShape(PixelFormat format, std::uint64_t width, std::uint64_t height,
                        const ReadLimits& limits, std::uint64_t extraBytes) {
    if (width == 0 || height == 0) {
        return fail(ErrorCode::Damaged,
                    fmt::format("the header says {} x {} pixels, a side of 0", width, height));
    }
    if (width > std::uint64_t(kMaxSide) || height > std::uint64_t(kMaxSide)) {
        return fail(
            ErrorCode::LimitExceeded,
            fmt::format("{} x {} pixels: a side may have at most {}", width, height, kMaxSide));
    }
    const auto image = storageBytes(format, {int(width), int(height)});
    const auto needed = image ? checkedAdd(*image, extraBytes) : std::nullopt;
    if (!needed || *needed > limits.maxDecodedBytes) {
        const std::string amount =
            needed ? fmt::format("{} MiB", (*needed >> 20) + 1) : std::string("too much memory");
        return fail(
            ErrorCode::LimitExceeded,
            fmt::format("{} x {} pixels take {} in memory, more than the limit of {} MiB{}{}",
                        width, height, amount, limits.maxDecodedBytes >> 20,
                        limits.howToRaise.empty() ? "" : "; ", limits.howToRaise));
    }
    return {};
}

Result<MutableImage> createImage(PixelFormat format, std::uint64_t width, std::uint64_t height,
                                 const ReadLimits& limits, std::uint64_t extraBytes) {
    if (auto ok = checkShape(format, width, height, limits, extraBytes); !ok)
        return fail(ok.error());
    return MutableImage::create(format, {int(width), int(height)});
}

Error damagedAfterRow(int rows, int height, std::string_view reason) {
    return {ErrorCode::Damaged,
            fmt::format("damaged after row {} of {}: {}", rows, height, cleanText(reason))};
}

Error tooFewBytes(std::uint64_t available, std::uint64_t needed) {
    return {ErrorCode::Damaged,
            fmt::format("damaged after row 0: the header promises an image of at least {} bytes, "
                        "the file has {}",
                        needed, available)};
}

std::string cleanText(std::string_view text, std::size_t maxBytes) {
    std::string clean;
    while (!text.empty() && clean.size() < maxBytes) {
        const std::size_t length = utf8Length(text);
        const auto byte = static_cast<unsigned char>(text[0]);
        if (byte == 0) break;  // tags and chunks pad with zeros
        if (length > 1) {
            // U+0080 to U+009F are control characters too.
            if (!(byte == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0))
                clean.append(text.substr(0, length));
            text.remove_prefix(length);
            continue;
        }
        if (length == 0 && byte >= 0xA0) {
            clean.push_back(char(0xC0 | (byte >> 6)));
            clean.push_back(char(0x80 | (byte & 0x3F)));
        } else if (length == 0 || byte < 0x20 || byte == 0x7F) {
            if (!clean.empty() && clean.back() != ' ') clean.push_back(' ');
        } else {
            clean.push_back(char(byte));
        }
        text.remove_prefix(1);
    }
    while (!clean.empty() && clean.back() == ' ') clean.pop_back();
    return clean;
}

void addMetadata(ImageInfo& info, std::string_view key, std::string_view text) {
    std::string value = cleanText(text);
    if (value.empty() || info.metadata.size() >= kMaxMetadataEntries) return;
    info.metadata.emplace_back(cleanText(key, 60), std::move(value));
}

void addNotice(ImageInfo& info, std::string notice) {
    if (info.notices.size() >= kMaxNotices) return;
    for (const auto& said : info.notices)
        if (said == notice) return;
    info.notices.push_back(std::move(notice));
}

std::string describeSource(std::string_view format, int bits, std::string_view kind) {
    return fmt::format("{}, {} bit{}, {}", format, bits, bits == 1 ? "" : "s", kind);
}

Result<MutableImage> cmykToRgb(const Image& cmyk, const ReadOptions& options) {
    auto rgb = createImage(cmyk.format(), std::uint64_t(cmyk.width()), std::uint64_t(cmyk.height()),
                           options.limits);
    if (!rgb) return rgb;
    for (int y = 0; y < cmyk.height(); ++y) {
        if (y % kRowsPerChunk == 0 && options.stop.stop_requested()) return cancelled();
        if (cmyk.format() == PixelFormat::Rgba8) {
            inksToLight(cmyk.view<std::uint8_t>().row(y), rgb->view<std::uint8_t>().row(y),
                        cmyk.width());
        } else {
            inksToLight(cmyk.view<std::uint16_t>().row(y), rgb->view<std::uint16_t>().row(y),
                        cmyk.width());
        }
    }
    return rgb;
}

}  // namespace warpscope::io
