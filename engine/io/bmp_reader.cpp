// BMP by hand: 1 to 32 bits, bit fields, run lengths, both directions of rows.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/io/bmp_header.h"
#include "engine/io/decode_support.h"

namespace warpscope::io {
namespace {

// Run lengths can leave out nearly everything. Blank rows of 65,536 pixels are believed, and so is
// any claim that is unpacked in no time.
constexpr std::uint64_t kRleRatio = 32768;  // pixels for a stored byte
constexpr std::uint64_t kRleFreePixels = 1 << 24;

// n bits to 8 by repeating them: exact at both ends, and the stored value can be read back.
std::uint8_t replicate(std::uint32_t value, int bits) {
    if (bits == 0) return 0;
    std::uint32_t wide = 0;
    int filled = 0;
    while (filled < 8) {
        wide = wide << bits | value;
        filled += bits;
    }
    return std::uint8_t(wide >> (filled - 8));
}

class BmpDecoder {
  public:
    BmpDecoder(Bytes bytes, const BmpHeader& header, MutableImage& image,
               const ReadOptions& options)
        : m_bytes(bytes), m_header(header), m_image(image), m_options(options) {
        for (int c = 0; c < 4; ++c)
            for (std::uint32_t v = 0; v < 256; ++v)
                m_widen[c][v] = replicate(v, header.channels[std::size_t(c)].bits);
    }

    Result<void> decodePlain() {
        const int height = m_image.height();
        const std::uint64_t rowBytes = m_header.rowBytes();
        // The padding behind the last row is often left out.
        const std::uint64_t lastRowBytes = m_header.rowBytes(false);
        return forEachRow(height, m_options.stop, [&](int row) -> Result<void> {
            const std::uint64_t at = m_header.dataAt + std::uint64_t(row) * rowBytes;
            const std::uint64_t needed = row + 1 < height ? rowBytes : lastRowBytes;
            if (at > m_bytes.size() || needed > m_bytes.size() - at)
                return fail(damagedAfterRow(row, height, "the file ends early"));
            const std::uint8_t* from = m_bytes.data() + at;
            const int y = imageRow(row);
            if (m_header.hasPalette()) {
                indexRow(from, y);
            } else if (m_header.bits == 24) {
                trueColorRow(from, y);
            } else {
                maskedRow(from, y);
            }
            return {};
        });
    }

    Result<void> decodeRle() {
        // What is skipped has the first colour.
        for (int x = 0; x < m_image.width(); ++x) putIndex(0, x, 0);
        const std::size_t rowBytes =
            std::size_t(m_image.width()) * std::size_t(bytesPerPixel(m_image.format()));
        auto blank = forEachRow(m_image.height(), m_options.stop, [&](int y) -> Result<void> {
            if (y > 0) std::memcpy(m_image.rowBytes(y), m_image.rowBytes(0), rowBytes);
            return {};
        });
        if (!blank) return blank;
        std::uint64_t at = m_header.dataAt;
        int x = 0, row = 0;
        const int width = m_image.width(), height = m_image.height();
        const auto problem = [&](const char* what) {
            return fail(damagedAfterRow(row, height, what));
        };
        const auto take = [&](std::uint8_t& byte) {
            if (at >= m_bytes.size()) return false;
            byte = m_bytes[at++];
            return true;
        };
        const bool nibbles = m_header.packing == BmpHeader::Packing::Rle4;
        for (std::uint64_t codes = 0;; ++codes) {
            if (codes % 65536 == 0 && m_options.stop.stop_requested()) return cancelled();
            std::uint8_t count = 0, value = 0;
            if (!take(count) || !take(value)) return problem("the file ends early");
            if (count > 0) {
                if (row >= height || count > width - x) return problem("a run leaves its row");
                for (int i = 0; i < count; ++i)
                    putIndex(imageRow(row), x++,
                             nibbles ? (i % 2 ? value & 15 : value >> 4) : value);
                continue;
            }
            if (value == 0) {  // end of row
                if (row >= height) return problem("there are more rows than the header says");
                m_skipped = m_skipped || x < width;
                x = 0;
                ++row;
            } else if (value == 1) {  // end of picture
                m_skipped = m_skipped || row + 1 < height || (row < height && x < width);
                return {};
            } else if (value == 2) {
                std::uint8_t dx = 0, dy = 0;
                if (!take(dx) || !take(dy)) return problem("the file ends early");
                m_skipped = true;
                if (dx > width - x || dy > height - row)
                    return problem("a jump leaves the picture");
                x += dx;
                row += dy;
            } else {
                const int stored = nibbles ? (value + 1) / 2 : value;
                if (row >= height || value > width - x) return problem("a run leaves its row");
                if (std::uint64_t(stored) > m_bytes.size() - at)
                    return problem("the file ends early");
                for (int i = 0; i < value; ++i) {
                    const std::uint8_t byte = m_bytes[at + std::uint64_t(nibbles ? i / 2 : i)];
                    putIndex(imageRow(row), x++, nibbles ? (i % 2 ? byte & 15 : byte >> 4) : byte);
                }
                at += std::uint64_t(stored + stored % 2);  // words of 2 bytes
            }
        }
    }

    void say(ImageInfo& info) const {
        if (m_missing > 0)
            addNotice(info, fmt::format("{} pixels name a palette entry that is not there and are "
                                        "shown black",
                                        m_missing));
        if (m_skipped) addNotice(info, "pixels that the file leaves out have its first colour");
        if (m_unusedByte)
            addNotice(info,
                      "the fourth byte of the pixels is not zero; the header does not say "
                      "that it is alpha, so it was left out");
    }

  private:
    int imageRow(int row) const { return m_header.topDown ? row : m_image.height() - 1 - row; }

    void putIndex(int y, int x, int index) {
        std::array<std::uint8_t, 3> color{0, 0, 0};
        if (std::size_t(index) < m_header.palette.size()) {
            color = m_header.palette[std::size_t(index)];
        } else {
            ++m_missing;
        }
        auto* row = m_image.view<std::uint8_t>().row(y);
        if (m_image.format() == PixelFormat::Gray8) {
            row[x] = color[0];
            return;
        }
        std::uint8_t* to = row + 4 * std::ptrdiff_t(x);
        std::copy(color.begin(), color.end(), to);
        to[3] = 255;
    }

    void indexRow(const std::uint8_t* from, int y) {
        const int bits = m_header.bits, perByte = 8 / bits, mask = (1 << bits) - 1;
        for (int x = 0; x < m_image.width(); ++x) {
            const int shift = 8 - bits * (x % perByte + 1);
            putIndex(y, x, from[x / perByte] >> shift & mask);
        }
    }

    void trueColorRow(const std::uint8_t* from, int y) {
        auto* to = m_image.view<std::uint8_t>().row(y);
        for (int x = 0; x < m_image.width(); ++x, from += 3, to += 4) {
            to[0] = from[2];
            to[1] = from[1];
            to[2] = from[0];
            to[3] = 255;
        }
    }

    void maskedRow(const std::uint8_t* from, int y) {
        auto* to = m_image.view<std::uint8_t>().row(y);
        const int step = m_header.bits / 8;
        std::uint32_t all = 0;
        for (int x = 0; x < m_image.width(); ++x, from += step, to += 4) {
            std::uint32_t pixel = from[0] | std::uint32_t(from[1]) << 8;
            if (step == 4) pixel |= std::uint32_t(from[2]) << 16 | std::uint32_t(from[3]) << 24;
            all |= pixel;
            for (std::size_t c = 0; c < 4; ++c) {
                const BmpChannel& channel = m_header.channels[c];
                to[c] = m_widen[c][(pixel & channel.mask) >> channel.shift];
            }
            if (!m_header.hasAlpha()) to[3] = 255;
        }
        std::uint32_t used = 0;
        for (const auto& channel : m_header.channels) used |= channel.mask;
        m_unusedByte = m_unusedByte || (step == 4 && (all & ~used) != 0);
    }

    Bytes m_bytes;
    const BmpHeader& m_header;
    MutableImage& m_image;
    const ReadOptions& m_options;
    std::uint8_t m_widen[4][256];
    std::uint64_t m_missing = 0;
    bool m_skipped = false, m_unusedByte = false;
};

std::string describe(const BmpHeader& header) {
    std::string kind = header.hasPalette() ? (header.isGray() ? "gray palette" : "palette")
                       : header.hasAlpha() ? "RGBA"
                                           : "RGB";
    if (header.packing != BmpHeader::Packing::Plain) kind += ", run lengths";
    if (header.topDown) kind += ", top-down";
    return fmt::format("BMP, {} bit{} a pixel, {}", header.bits, header.bits == 1 ? "" : "s", kind);
}

}  // namespace

Result<Image> decodeBmp(Bytes bytes, const ReadOptions& options) {
    const auto header = parseBmpHeader(bytes);
    if (!header) return fail(header.error());
    if (auto ok = checkShape(header->format(), header->width, header->height, options.limits); !ok)
        return fail(ok.error());
    const bool plain = header->packing == BmpHeader::Packing::Plain;
    const std::uint64_t available = bytes.size() - header->dataAt;
    if (plain) {
        const std::uint64_t needed =
            header->rowBytes() * (header->height - 1) + header->rowBytes(false);
        if (needed > available)
            return fail(damagedAfterRow(
                int(std::min(available / header->rowBytes(), header->height)), int(header->height),
                fmt::format("the rows take {} bytes, the file has {}", needed, available)));
    } else if (const std::uint64_t pixels = header->width * header->height;
               pixels > kRleFreePixels && pixels / kRleRatio > available) {
        return fail(ErrorCode::LimitExceeded,
                    fmt::format("{} x {} pixels in {} bytes of run lengths are more than the limit "
                                "of {} for a byte",
                                header->width, header->height, available, kRleRatio));
    }
    auto image = createImage(header->format(), header->width, header->height, options.limits);
    if (!image) return fail(image.error());
    BmpDecoder decoder(bytes, *header, *image, options);
    if (auto ok = plain ? decoder.decodePlain() : decoder.decodeRle(); !ok) return fail(ok.error());

    ImageInfo info;
    info.whiteLevel = 255.0;
    info.hasAlpha = header->hasAlpha();
    info.sourceFormat = describe(*header);
    if (header->pixelsPerMetre > 0 && header->pixelsPerMetre < 10'000'000)
        addMetadata(info, "resolution",
                    fmt::format("{:.6g} pixels/inch", header->pixelsPerMetre * 0.0254));
    setProfile(info,
               bytes.subspan(std::size_t(header->profileAt), std::size_t(header->profileBytes)));
    decoder.say(info);
    return std::move(*image).freeze(std::move(info));
}

}  // namespace warpscope::io
