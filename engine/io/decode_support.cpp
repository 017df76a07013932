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

Error beyondMemory(std::string_view what, std::optional<std::uint64_t> bytes,
                   const ReadLimits& limits) {
    return {ErrorCode::LimitExceeded,
            fmt::format("{} take {} in memory, more than the limit of {} MiB{}{}", what,
                        bytes ? fmt::format("{} MiB", (*bytes >> 20) + 1) : "too much",
                        limits.maxDecodedBytes >> 20, limits.howToRaise.empty() ? "" : "; ",
                        limits.howToRaise)};
}

Result<void> checkSides(std::uint64_t width, std::uint64_t height) {
    if (width == 0 || height == 0) {
        return fail(ErrorCode::Damaged,
                    fmt::format("the header says {} x {} pixels, a side of 0", width, height));
    }
    if (width > std::uint64_t(kMaxSide) || height > std::uint64_t(kMaxSide)) {
        return fail(
            ErrorCode::LimitExceeded,
            fmt::format("{} x {} pixels: a side may have at most {}", width, height, kMaxSide));
    }
    return {};
}

Result<void> checkShape(PixelFormat format, std::uint64_t width, std::uint64_t height,
                        const ReadLimits& limits, std::uint64_t extraBytes) {
    if (auto ok = checkSides(width, height); !ok) return ok;
    const auto image = storageBytes(format, {int(width), int(height)});
    const auto beside = checkedAdd(extraBytes, limits.bytesInUse);
    const auto needed = image && beside ? checkedAdd(*image, *beside) : std::nullopt;
    if (!needed || *needed > limits.maxDecodedBytes)
        return fail(beyondMemory(fmt::format("{} x {} pixels", width, height), needed, limits));
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

tl::unexpected<Error> damagedHeader(std::string_view what) {
    return fail(ErrorCode::Damaged, fmt::format("damaged after row 0: {}", what));
}

Error tooFewBytes(std::uint64_t available, std::uint64_t needed) {
    return {ErrorCode::Damaged,
            fmt::format("damaged after row 0: the header promises an image of at least {} bytes, "
                        "the file has {}",
                        needed, available)};
}

std::string cleanText(std::string_view text, std::size_t maxBytes) {
    std::string clean;
    const std::size_t unseen = text.size() > 2 * maxBytes ? text.size() - 2 * maxBytes : 0;
    while (text.size() > unseen && clean.size() < maxBytes) {
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
    if (info.metadata.size() >= kMaxMetadataEntries) return;
    std::string value = cleanText(text);
    if (value.empty()) return;
    info.metadata.emplace_back(cleanText(key, 60), std::move(value));
}

void addNotice(ImageInfo& info, std::string notice) {
    if (info.notices.size() >= kMaxNotices) return;
    for (const auto& said : info.notices)
        if (said == notice) return;
    info.notices.push_back(std::move(notice));
}

void setProfile(ImageInfo& info, Bytes profile) {
    info.iccProfile = nullptr;
    if (profile.size() > kMaxProfileBytes) {
        addNotice(info, fmt::format("the colour profile of {} MiB was left out: it is larger than "
                                    "the limit of {} MiB",
                                    (profile.size() >> 20) + 1, kMaxProfileBytes >> 20));
    } else if (!profile.empty()) {
        info.iccProfile =
            std::make_shared<const std::vector<std::uint8_t>>(profile.begin(), profile.end());
    }
}

void addPageNotice(ImageInfo& info, int page, std::size_t pages, std::string_view unit, bool more) {
    const char* most = more ? "more than " : "";
    if (pages > 1 && page == 0)
        addNotice(info, fmt::format("1 of {}{} {}s", most, pages, unit));
    else if (pages > 1)
        addNotice(info, fmt::format("{} {} of {}{}", unit, page + 1, most, pages));
}

Result<void> checkPage(int page, std::size_t pages, std::string_view unit) {
    if (page >= 0 && std::size_t(page) < pages) return {};
    return fail(ErrorCode::InvalidArgument, fmt::format("there is no {} {}: the file has {}", unit,
                                                        std::int64_t(page) + 1, pages));
}

std::string describeSource(std::string_view format, int bits, std::string_view kind) {
    return fmt::format("{}, {} bit{}, {}", format, bits, bits == 1 ? "" : "s", kind);
}

Result<void> showInks(MutableImage& image, ImageInfo& info, double whiteLevel,
                      std::string_view remark, const ReadOptions& options) {
    ImageInfo rawInfo;
    rawInfo.whiteLevel = whiteLevel;
    const Image inks = std::move(image).freeze(std::move(rawInfo));
    // The inks stay, for the read-out.
    auto light =
        createImage(inks.format(), std::uint64_t(inks.width()), std::uint64_t(inks.height()),
                    options.limits, storageBytes(inks.format(), inks.size()).value_or(0));
    if (!light) return fail(light.error());
    auto done = forEachRow(inks.height(), options.stop, [&](int y) -> Result<void> {
        if (inks.format() == PixelFormat::Rgba8) {
            inksToLight(inks.view<std::uint8_t>().row(y), light->view<std::uint8_t>().row(y),
                        inks.width());
        } else {
            inksToLight(inks.view<std::uint16_t>().row(y), light->view<std::uint16_t>().row(y),
                        inks.width());
        }
        return {};
    });
    if (!done) return done;
    image = std::move(*light);
    info.raw = std::make_shared<const Image>(inks);
    info.rawLabel = "CMYK";
    addNotice(info, fmt::format("CMYK shown as RGB without a colour profile{}", remark));
    if (info.iccProfile) {
        info.iccProfile = nullptr;
        addNotice(info, "the CMYK colour profile was left out");
    }
    return {};
}

}  // namespace warpscope::io
