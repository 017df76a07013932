#include "engine/io/bmp_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warpscope::io {
namespace {

constexpr std::uint32_t kFileHeaderBytes = 14;
enum Compression : std::uint32_t {
    kRgb = 0,
    kRle8 = 1,
    kRle4 = 2,
    kBitFields = 3,
    kJpeg = 4,
    kPng = 5,
    kAlphaBitFields = 6
};
constexpr std::uint32_t kEmbeddedProfile = 0x4D424544;  // 'MBED'

std::uint16_t u16(Bytes b, std::size_t at) {
    return std::uint16_t(b[at] | b[at + 1] << 8);
}
std::uint32_t u32(Bytes b, std::size_t at) {
    return u16(b, at) | std::uint32_t(u16(b, at + 2)) << 16;
}

tl::unexpected<Error> damaged(std::string_view what) {
    return fail(ErrorCode::Damaged, fmt::format("damaged after row 0: {}", what));
}
tl::unexpected<Error> unsupported(std::string what) {
    return fail(ErrorCode::Unsupported, std::move(what));
}

Result<BmpChannel> channelFromMask(std::uint32_t mask, int pixelBits) {
    BmpChannel channel{mask, 0, 0};
    if (mask == 0) return channel;
    channel.shift = std::countr_zero(mask);
    channel.bits = std::popcount(mask);
    const std::uint32_t run = mask >> channel.shift;
    if ((run & (run + 1)) != 0) return damaged("the bits of a channel mask are not in one run");
    if (pixelBits == 16 && mask > 0xFFFF) return damaged("a channel mask is wider than the pixel");
    if (channel.bits > 8)
        return unsupported(
            fmt::format("BMP with channels of {} bits is not read, only up to 8", channel.bits));
    return channel;
}

Result<void> readChannels(Bytes bytes, std::uint32_t headerBytes, std::uint32_t compression,
                          BmpHeader& header) {
    std::array<std::uint32_t, 4> masks{};
    if (compression == kRgb) {
        masks = header.bits == 16 ? std::array<std::uint32_t, 4>{0x7C00, 0x03E0, 0x001F, 0}
                                  : std::array<std::uint32_t, 4>{0xFF0000, 0x00FF00, 0x0000FF, 0};
    } else {
        // Behind a header of 40 bytes, inside a larger one: the same place.
        const bool alpha = compression == kAlphaBitFields || headerBytes >= 56;
        const std::size_t at = kFileHeaderBytes + 40;
        if (bytes.size() < at + 16) return damaged("the file ends inside its channel masks");
        for (int i = 0; i < (alpha ? 4 : 3); ++i) masks[i] = u32(bytes, at + std::size_t(i) * 4);
        if (!masks[0] && !masks[1] && !masks[2]) return damaged("the channel masks are all zero");
        if ((masks[0] & masks[1]) | (masks[0] & masks[2]) | (masks[1] & masks[2]))
            return damaged("the channel masks overlap");
    }
    for (std::size_t i = 0; i < 4; ++i) {
        auto channel = channelFromMask(masks[i], header.bits);
        if (!channel) return fail(channel.error());
        header.channels[i] = *channel;
    }
    return {};
}

// `entryBytes` is 3 in the oldest kind of file, 4 else.
Result<void> readPalette(Bytes bytes, std::uint64_t at, std::uint32_t entries, int entryBytes,
                         BmpHeader& header) {
    const std::uint32_t most = 1u << header.bits;
    std::uint64_t count = entries == 0 ? most : std::min(entries, most);
    // Some writers leave the number out and store fewer; the rows say where it ends.
    if (header.dataAt >= at)
        count = std::min(count, (header.dataAt - at) / std::uint64_t(entryBytes));
    if (at + count * std::uint64_t(entryBytes) > bytes.size())
        return damaged("the file ends inside its palette");
    if (count == 0) return damaged("there is no palette");
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::size_t entry = std::size_t(at + i * std::uint64_t(entryBytes));
        header.palette.push_back({bytes[entry + 2], bytes[entry + 1], bytes[entry]});
    }
    return {};
}

Result<void> checkKind(std::uint32_t compression, BmpHeader& header) {
    const int bits = header.bits;
    const bool known =
        bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32;
    switch (compression) {
        case kRgb:
            if (!known) break;
            return {};
        case kBitFields:
        case kAlphaBitFields:
            if (bits != 16 && bits != 32) break;
            return {};
        case kRle8:
        case kRle4:
            if (bits != (compression == kRle8 ? 8 : 4)) break;
            if (header.topDown) return damaged("run-length coding in a top-down file");
            header.packing =
                compression == kRle8 ? BmpHeader::Packing::Rle8 : BmpHeader::Packing::Rle4;
            return {};
        case kJpeg:
            return unsupported("BMP that holds a JPEG is not read");
        case kPng:
            return unsupported("BMP that holds a PNG is not read");
        default:
            return unsupported(fmt::format("BMP with compression {} is not read", compression));
    }
    return unsupported(
        fmt::format("BMP with {} bits and compression {} is not read", bits, compression));
}

}  // namespace

bool BmpHeader::isGray() const {
    return hasPalette() && std::all_of(palette.begin(), palette.end(), [](const auto& entry) {
               return entry[0] == entry[1] && entry[1] == entry[2];
           });
}

std::uint64_t BmpHeader::rowBytes(bool padded) const {
    const std::uint64_t bitCount = width * std::uint64_t(bits);  // below 2^37
    return padded ? (bitCount + 31) / 32 * 4 : (bitCount + 7) / 8;
}

Result<BmpHeader> parseBmpHeader(Bytes bytes) {
    if (bytes.size() < kFileHeaderBytes + 12) return damaged("the file ends inside its header");
    const std::uint32_t headerBytes = u32(bytes, kFileHeaderBytes);
    if (headerBytes != 12 && (headerBytes < 16 || headerBytes > 4096))
        return damaged(fmt::format("a header of {} bytes is not known", headerBytes));
    if (bytes.size() < kFileHeaderBytes + std::uint64_t(headerBytes))
        return damaged("the file ends inside its header");
    // Fields that a shorter header does not have are zero.
    const auto field = [&](std::uint32_t at) {
        return headerBytes >= at + 4 ? u32(bytes, kFileHeaderBytes + at) : 0u;
    };

    BmpHeader header;
    header.dataAt = u32(bytes, 10);
    std::uint32_t compression = kRgb, entries = 0;
    if (headerBytes == 12) {
        header.width = u16(bytes, 18);
        header.height = u16(bytes, 20);
        header.bits = u16(bytes, 24);
    } else {
        const auto width = std::int64_t(std::int32_t(field(4)));
        const auto height = std::int64_t(std::int32_t(field(8)));
        if (width < 0) return damaged(fmt::format("the width is {}", width));
        header.width = std::uint64_t(width);
        header.height = std::uint64_t(height < 0 ? -height : height);
        header.topDown = height < 0;
        header.bits = u16(bytes, 28);
        compression = field(16);
        header.pixelsPerMetre = field(24);
        entries = field(32);
    }
    if (headerBytes == 64 && compression >= kBitFields)  // OS/2: Huffman, 24-bit run lengths
        return unsupported(fmt::format("OS/2 BMP with compression {} is not read", compression));
    if (auto ok = checkKind(compression, header); !ok) return fail(ok.error());
    if (header.bits == 16 || header.bits == 32) {
        if (auto ok = readChannels(bytes, headerBytes, compression, header); !ok)
            return fail(ok.error());
    }
    if (header.dataAt < kFileHeaderBytes + headerBytes || header.dataAt > bytes.size())
        return damaged("the place of the pixels is outside the file");
    if (header.hasPalette()) {
        if (auto ok = readPalette(bytes, kFileHeaderBytes + headerBytes, entries,
                                  headerBytes == 12 ? 3 : 4, header);
            !ok)
            return fail(ok.error());
    }
    if (headerBytes >= 124 && field(56) == kEmbeddedProfile) {
        const std::uint64_t at = kFileHeaderBytes + std::uint64_t(field(112));
        const std::uint64_t size = field(116);
        if (at <= bytes.size() && size <= bytes.size() - at) {
            header.profileAt = at;
            header.profileBytes = size;
        }
    }
    return header;
}

}  // namespace warpscope::io
