// The Netpbm family by hand: the samples are as simple as can be, and libraries rescale them.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "engine/base/checked.h"
#include "engine/io/decode_support.h"
#include "engine/io/pnm_header.h"

namespace warpscope::io {
namespace {

// Samples of a plain file: decimal numbers between white space and comments.
class PlainSamples {
  public:
    PlainSamples(Bytes bytes, std::size_t at) : m_bytes(bytes), m_at(at) {}

    // Nothing at the end of the file, at anything but a digit, and above 65535.
    std::optional<std::uint32_t> number() {
        if (!skipBlank() || !isDigit(m_bytes[m_at])) return std::nullopt;
        std::uint32_t value = 0;
        while (m_at < m_bytes.size() && isDigit(m_bytes[m_at])) {
            value = value * 10 + (m_bytes[m_at++] - '0');
            if (value > 65535) return std::nullopt;
        }
        return value;
    }
    // PBM: the digits need no space between.
    std::optional<std::uint32_t> bit() {
        if (!skipBlank() || (m_bytes[m_at] != '0' && m_bytes[m_at] != '1')) return std::nullopt;
        return std::uint32_t(m_bytes[m_at++] - '0');
    }
    bool atEnd() { return !skipBlank(); }

  private:
    static bool isDigit(std::uint8_t c) { return c >= '0' && c <= '9'; }
    bool skipBlank() {
        for (; m_at < m_bytes.size(); ++m_at) {
            const std::uint8_t c = m_bytes[m_at];
            if (c == '#') {
                while (m_at + 1 < m_bytes.size() && m_bytes[m_at] != '\n') ++m_at;
            } else if (c != ' ' && (c < '\t' || c > '\r')) {
                return true;
            }
        }
        return false;
    }

    Bytes m_bytes;
    std::size_t m_at;
};

class PnmDecoder {
  public:
    PnmDecoder(Bytes bytes, const PnmHeader& header, MutableImage& image,
               const ReadOptions& options)
        : m_bytes(bytes),
          m_header(header),
          m_image(image),
          m_options(options),
          m_plain(bytes, header.dataAt) {}

    Result<void> decode() {
        const int height = m_image.height();
        for (int row = 0; row < height; ++row) {
            if (row % kRowsPerChunk == 0 && m_options.stop.stop_requested()) return cancelled();
            const char* problem = m_header.isFloat() ? floatRow(row)
                                  : m_header.bits()  ? bitRow(row)
                                  : bytesPerSample(m_image.format()) == 1
                                      ? integerRow<std::uint8_t>(row)
                                      : integerRow<std::uint16_t>(row);
            if (problem) return fail(damagedAfterRow(row, height, problem));
        }
        return {};
    }

    PlainSamples& plain() { return m_plain; }

  private:
    // Each gives what is wrong with the row, or null.
    const std::uint8_t* stored(int row) const {
        const std::uint64_t rowBytes = m_header.rowBytes();
        const std::uint64_t at = m_header.dataAt + std::uint64_t(row) * rowBytes;
        if (at > m_bytes.size() || rowBytes > m_bytes.size() - at) return nullptr;
        return m_bytes.data() + at;
    }

    const char* bitRow(int row) {
        auto* to = m_image.view<std::uint8_t>().row(row);
        if (m_header.ascii()) {
            for (int x = 0; x < m_image.width(); ++x) {
                const auto bit = m_plain.bit();
                if (!bit) return kBadPlain;
                to[x] = *bit ? 0 : 255;  // 1 is black
            }
            return nullptr;
        }
        const std::uint8_t* from = stored(row);
        if (!from) return kEnds;
        for (int x = 0; x < m_image.width(); ++x) to[x] = from[x / 8] >> (7 - x % 8) & 1 ? 0 : 255;
        return nullptr;
    }

    template <class T>
    const char* integerRow(int row) {
        T* to = m_image.view<T>().row(row);
        const std::ptrdiff_t count = std::ptrdiff_t(m_header.width * m_header.channels);
        if (m_header.ascii()) {
            for (std::ptrdiff_t i = 0; i < count; ++i) {
                const auto value = m_plain.number();
                if (!value) return kBadPlain;
                if (*value > m_header.maxval) return kAboveMaxval;
                to[i] = T(*value);
            }
        } else {
            const std::uint8_t* from = stored(row);
            if (!from) return kEnds;
            T largest = 0;
            for (std::ptrdiff_t i = 0; i < count; ++i) {
                if constexpr (sizeof(T) == 1) {
                    to[i] = from[i];
                } else {
                    to[i] = T(from[2 * i] << 8 | from[2 * i + 1]);
                }
                largest = std::max(largest, to[i]);
            }
            if (largest > m_header.maxval) return kAboveMaxval;
        }
        if (m_header.channels > 1) widenToRgba(to, m_image.width(), int(m_header.channels));
        return nullptr;
    }

    const char* floatRow(int row) {
        const std::uint8_t* from = stored(row);
        if (!from) return kEnds;
        // The first row in the file is the lowest.
        float* to = m_image.view<float>().row(m_image.height() - 1 - row);
        const bool swap = (m_header.scale < 0) != (std::endian::native == std::endian::little);
        const std::size_t count = std::size_t(m_header.width * m_header.channels);
        for (std::size_t i = 0; i < count; ++i) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, from + 4 * i, 4);
            if (swap) bits = __builtin_bswap32(bits);
            std::memcpy(to + i, &bits, 4);
        }
        if (m_header.channels > 1) widenToRgba(to, m_image.width(), int(m_header.channels));
        return nullptr;
    }

    static constexpr const char* kEnds = "the file ends early";
    static constexpr const char* kBadPlain = "the file ends early, or a sample is not a number";
    static constexpr const char* kAboveMaxval = "a sample is above the maxval";

    Bytes m_bytes;
    const PnmHeader& m_header;
    MutableImage& m_image;
    const ReadOptions& m_options;
    PlainSamples m_plain;
};

// Binary files may hold several images in a row.
void noteRest(Bytes bytes, const PnmHeader& first, PlainSamples& plain, ImageInfo& info) {
    if (first.ascii()) {
        if (!plain.atEnd()) addNotice(info, "what follows the last sample was left out");
        if (!first.bits() && bytes.back() >= '0' && bytes.back() <= '9' && plain.atEnd())
            addNotice(info,
                      "the file ends with a digit; if it was cut there, the last sample is wrong");
        return;
    }
    constexpr int kMostCounted = 10000;
    int images = 1;
    std::size_t at = first.dataAt + std::size_t(first.rowBytes() * first.height);
    while (at < bytes.size() && images < kMostCounted) {
        const auto next = parsePnmHeader(bytes.subspan(at));
        if (!next || next->ascii()) break;
        const auto samples = checkedMultiply(next->rowBytes(), next->height);
        if (!samples || *samples > bytes.size() - at - next->dataAt) break;
        at += next->dataAt + std::size_t(*samples);
        ++images;
    }
    if (images > 1) addNotice(info, fmt::format("1 of {} images", images));
    if (at < bytes.size()) {
        const std::size_t rest = bytes.size() - at;
        addNotice(info, rest == 1
                            ? "1 byte after the last sample was left out"
                            : fmt::format("{} bytes after the last sample were left out", rest));
    }
}

std::string describe(const PnmHeader& header) {
    constexpr const char* kKinds[] = {"", "gray", "gray and alpha", "RGB", "RGBA"};
    const char* kind = kKinds[header.channels];
    if (header.isFloat()) return fmt::format("PFM, 32-bit float, {}", kind);
    std::string text = header.bits()
                           ? describeSource(header.name(), 1, "black and white")
                           : fmt::format("{}, maxval {}, {}", header.name(), header.maxval, kind);
    if (header.ascii()) text += ", plain text";
    return text;
}

}  // namespace

Result<Image> decodePnm(Bytes bytes, const ReadOptions& options) {
    const auto header = parsePnmHeader(bytes);
    if (!header) return fail(header.error());
    if (auto ok = checkShape(header->format(), header->width, header->height, options.limits); !ok)
        return fail(ok.error());
    // The last sample of a plain file needs no space behind it.
    const std::uint64_t needed =
        header->rowBytes() * header->height - (header->ascii() && header->magic != '1' ? 1 : 0);
    const std::uint64_t available = bytes.size() - header->dataAt;
    if (header->ascii() && needed > available) {
        return fail(ErrorCode::Damaged,
                    fmt::format("damaged after row 0: {} x {} pixels in plain text need at least "
                                "{} bytes, the file has {}",
                                header->width, header->height, needed, available));
    }
    if (needed > available) {
        return fail(damagedAfterRow(
            int(available / header->rowBytes()), int(header->height),
            fmt::format("the samples take {} bytes, the file has {}", needed, available)));
    }
    auto image = createImage(header->format(), header->width, header->height, options.limits);
    if (!image) return fail(image.error());
    PnmDecoder decoder(bytes, *header, *image, options);
    if (auto ok = decoder.decode(); !ok) return fail(ok.error());

    ImageInfo info;
    info.whiteLevel = header->isFloat() ? 1.0 : header->bits() ? 255.0 : double(header->maxval);
    info.hasAlpha = header->hasAlpha();
    info.sourceFormat = describe(*header);
    if (header->isFloat() && std::abs(header->scale) != 1.0)
        addMetadata(info, "scale", fmt::format("{:.9g}", std::abs(header->scale)));
    noteRest(bytes, *header, decoder.plain(), info);
    return std::move(*image).freeze(std::move(info));
}

}  // namespace warpscope::io
