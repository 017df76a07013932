#include <fmt/format.h>

#include <cstring>

#include "engine/io/decode_support.h"
#include "engine/io/encode_support.h"

namespace warpscope::io {
namespace {

constexpr std::uint32_t kWrittenHeaderBytes = 14, kInfoHeaderBytes = 40, kV5HeaderBytes = 124;
constexpr std::uint32_t kWrittenBitFields = 3;
constexpr std::uint32_t kSrgb = 0x73524742, kWrittenProfile = 0x4D424544;
constexpr std::uint32_t kImagesIntent = 4;

void writeRow(const std::uint8_t* from, std::uint8_t* to, int width, int bits) {
    if (bits == 8) {
        std::memcpy(to, from, std::size_t(width));
        return;
    }
    for (int x = 0; x < width; ++x, from += 4, to += bits / 8) {
        to[0] = from[2];
        to[1] = from[1];
        to[2] = from[0];
        if (bits == 32) to[3] = from[3];
    }
}

}  // namespace

Result<EncodedImage> encodeBmp(const Image& image, std::string_view, const std::stop_token& stop) {
    auto prepared = prepareEightBit(image, stop);
    if (!prepared) return fail(prepared.error());
    EncodedImage encoded;
    encoded.notices = std::move(prepared->notices);
    const auto leveled = withoutWhiteLevel(prepared->image, "BMP", encoded.notices, stop);
    if (!leveled) return fail(leveled.error());
    const Image& source = *leveled;
    const Bytes profile = usableProfile(source, encoded.notices);

    const bool gray = !isColor(source.format()), alpha = writesAlpha(source);
    const bool v5 = alpha || !profile.empty();
    const int bits = gray ? 8 : alpha ? 32 : 24;
    const std::uint32_t headerBytes = v5 ? kV5HeaderBytes : kInfoHeaderBytes;
    const std::uint32_t dataAt = kWrittenHeaderBytes + headerBytes + (gray ? 1024 : 0);
    const std::uint64_t rowBytes =
        (std::uint64_t(source.width()) * std::uint64_t(bits) + 31) / 32 * 4;
    const std::uint64_t rows = rowBytes * std::uint64_t(source.height());
    const std::uint64_t total = dataAt + rows + profile.size();
    if (total > 0xFFFFFFFFu)
        return fail(
            ErrorCode::Unsupported,
            fmt::format("BMP files hold up to 4 GiB, this image takes {} MiB", total >> 20));

    auto& out = encoded.bytes;
    out.reserve(std::size_t(total));
    LittleEndianWriter write(out);
    out.push_back('B');
    out.push_back('M');
    write.u32(std::uint32_t(total));
    write.u32(0);
    write.u32(dataAt);
    write.u32(headerBytes);
    write.u32(std::uint32_t(source.width()));
    write.u32(std::uint32_t(source.height()));
    write.u16(1);
    write.u16(std::uint32_t(bits));
    write.u32(alpha ? kWrittenBitFields : 0);
    write.u32(std::uint32_t(rows));
    for (int i = 0; i < 2; ++i) write.u32(0);  // resolution
    write.u32(gray ? 256 : 0);
    write.u32(0);
    if (v5) {
        const std::uint32_t masks[4] = {0x00FF0000, 0x0000FF00, 0x000000FF, 0xFF000000};
        for (const std::uint32_t mask : masks) write.u32(alpha ? mask : 0);
        write.u32(profile.empty() ? kSrgb : kWrittenProfile);
        for (int i = 0; i < 12; ++i) write.u32(0);  // end points and gamma, unused
        write.u32(kImagesIntent);
        // The profile follows the rows; its place counts from the start of this header.
        write.u32(profile.empty() ? 0 : std::uint32_t(dataAt - kWrittenHeaderBytes + rows));
        write.u32(std::uint32_t(profile.size()));
        write.u32(0);
    }
    if (gray)
        for (std::uint32_t v = 0; v < 256; ++v) write.u32(v * 0x010101);
    out.resize(std::size_t(dataAt + rows));
    const auto written = forEachRow(source.height(), stop, [&](int y) -> Result<void> {
        const std::uint64_t at = dataAt + std::uint64_t(source.height() - 1 - y) * rowBytes;
        writeRow(source.view<std::uint8_t>().row(y), out.data() + at, source.width(), bits);
        return {};
    });
    if (!written) return fail(written.error());
    out.insert(out.end(), profile.begin(), profile.end());
    return encoded;
}

Codec bmpCodec() {
    return {{{"BMP", {"bmp", "dib"}, true, true}},
            // The reserved words are zero in every file seen; they keep text from matching.
            [](Bytes bytes) {
                return bytes.size() >= 14 && bytes[0] == 'B' && bytes[1] == 'M' && bytes[6] == 0 &&
                       bytes[7] == 0 && bytes[8] == 0 && bytes[9] == 0;
            },
            decodeBmp,
            encodeBmp};
}

}  // namespace warpscope::io
