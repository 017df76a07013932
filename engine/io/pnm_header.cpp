#include "engine/io/pnm_header.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "engine/io/decode_support.h"

namespace warpscope::io {
namespace {

bool isSpace(std::uint8_t c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// Words of a header, white space and comments between them.
class Words {
  public:
    Words(Bytes bytes, std::size_t at) : m_bytes(bytes), m_at(at) {}

    std::string_view next() {
        while (m_at < m_bytes.size() && (isSpace(m_bytes[m_at]) || m_bytes[m_at] == '#')) {
            if (m_bytes[m_at] == '#') {
                skipLine();
            } else {
                ++m_at;
            }
        }
        const std::size_t first = m_at;
        // A comment may follow a word without a space between.
        while (m_at < m_bytes.size() && !isSpace(m_bytes[m_at]) && m_bytes[m_at] != '#') ++m_at;
        return text(first, m_at);
    }

    // A whole number of at most 10 digits.
    std::optional<std::uint64_t> number() {
        const std::string_view word = next();
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size() || word.size() > 10)
            return std::nullopt;
        return value;
    }

    std::string_view restOfLine() {
        const std::size_t first = m_at;
        skipLine();
        return text(first, m_at);
    }

    // The single white space between header and samples; a comment may stand before it.
    bool endHeader() {
        if (m_at < m_bytes.size() && m_bytes[m_at] == '#') {
            skipLine();
            return m_at < m_bytes.size() && m_bytes[m_at++] == '\n';
        }
        return m_at < m_bytes.size() && isSpace(m_bytes[m_at++]);
    }
    std::size_t position() const { return m_at; }

  private:
    void skipLine() {
        while (m_at < m_bytes.size() && m_bytes[m_at] != '\n') ++m_at;
    }
    std::string_view text(std::size_t first, std::size_t last) const {
        return {reinterpret_cast<const char*>(m_bytes.data()) + first, last - first};
    }

    Bytes m_bytes;
    std::size_t m_at;
};

// Channels that a tuple type has; the type is optional and then follows from the depth.
Result<void> checkTupleType(const PnmHeader& header, const std::string& type) {
    struct Known {
        const char* name;
        std::uint64_t channels;
    };
    constexpr Known kKnown[] = {
        {"BLACKANDWHITE", 1},   {"GRAYSCALE", 1}, {"BLACKANDWHITE_ALPHA", 2},
        {"GRAYSCALE_ALPHA", 2}, {"RGB", 3},       {"RGB_ALPHA", 4}};
    if (type.empty() && header.channels <= 4) return {};
    for (const auto& known : kKnown) {
        if (type != known.name) continue;
        if (header.channels == known.channels) return {};
        return damagedHeader(fmt::format("tuple type {} with depth {}", type, header.channels));
    }
    return fail(ErrorCode::Unsupported,
                fmt::format("PAM of tuple type \"{}\" with depth {} is not read",
                            cleanText(type, 40), header.channels));
}

Result<PnmHeader> parsePam(Bytes bytes) {
    PnmHeader header;
    header.magic = '7';
    header.channels = 0;
    std::uint64_t maxval = 0;
    std::string type;
    Words words(bytes, 2);
    for (;;) {
        const std::string_view key = words.next();
        if (key == "ENDHDR") break;
        if (key == "TUPLTYPE") {
            if (!type.empty()) type += ' ';
            type += cleanText(words.restOfLine(), 60);
            while (!type.empty() && type.front() == ' ') type.erase(0, 1);
            if (type.size() > 200) return damagedHeader("the tuple type is too long");
            continue;
        }
        std::uint64_t* field = key == "WIDTH"    ? &header.width
                               : key == "HEIGHT" ? &header.height
                               : key == "DEPTH"  ? &header.channels
                               : key == "MAXVAL" ? &maxval
                                                 : nullptr;
        if (!field)
            return damagedHeader(
                key.empty() ? "the file ends inside its header"
                            : fmt::format("unknown header line \"{}\"", cleanText(key, 40)));
        const auto value = words.number();
        if (!value) return damagedHeader(fmt::format("{} is not a number", key));
        *field = *value;
    }
    if (words.restOfLine().find_first_not_of(" \t\r") != std::string_view::npos)
        return damagedHeader("ENDHDR is not alone on its line");
    if (words.position() >= bytes.size()) return damagedHeader("the file ends inside its header");
    header.dataAt = words.position() + 1;
    if (maxval < 1 || maxval > 65535)
        return damagedHeader(fmt::format("MAXVAL {} is not between 1 and 65535", maxval));
    if (header.channels < 1) return damagedHeader("DEPTH is missing or 0");
    header.maxval = std::uint32_t(maxval);
    if (auto ok = checkTupleType(header, type); !ok) return fail(ok.error());
    return header;
}

}  // namespace

PixelFormat PnmHeader::format() const {
    const bool color = channels > 1;
    if (isFloat()) return color ? PixelFormat::RgbaF32 : PixelFormat::GrayF32;
    if (bits() || maxval < 256) return color ? PixelFormat::Rgba8 : PixelFormat::Gray8;
    return color ? PixelFormat::Rgba16 : PixelFormat::Gray16;
}

// Sides below 2^34 and 4 channels: no product here comes near 2^64.
std::uint64_t PnmHeader::rowBytes() const {
    const std::uint64_t samples = width * channels;
    if (magic == '1') return samples;
    if (ascii()) return 2 * samples;  // a digit and a space
    if (magic == '4') return (samples + 7) / 8;
    if (isFloat()) return 4 * samples;
    return maxval < 256 ? samples : 2 * samples;
}

const char* PnmHeader::name() const {
    switch (magic) {
        case '1':
        case '4':
            return "PBM";
        case '2':
        case '5':
            return "PGM";
        case '3':
        case '6':
            return "PPM";
        case '7':
            return "PAM";
        default:
            return "PFM";
    }
}

bool looksLikePnm(Bytes bytes) {
    if (bytes.size() < 3 || bytes[0] != 'P') return false;
    const char kind = char(bytes[1]);
    const bool known = (kind >= '1' && kind <= '7') || kind == 'f' || kind == 'F';
    return known && (isSpace(bytes[2]) || bytes[2] == '#');
}

Result<PnmHeader> parsePnmHeader(Bytes bytes) {
    if (!looksLikePnm(bytes))
        return damagedHeader("the header does not begin with P1 to P7, Pf or PF");
    if (bytes[1] == '7') return parsePam(bytes);
    PnmHeader header;
    header.magic = char(bytes[1]);
    header.channels = header.magic == '3' || header.magic == '6' || header.magic == 'F' ? 3 : 1;
    Words words(bytes, 2);
    const auto width = words.number();
    const auto height = width ? words.number() : std::nullopt;
    if (!width || !height) return damagedHeader("width or height is missing or not a number");
    header.width = *width;
    header.height = *height;
    if (header.isFloat()) {
        const std::string_view word = words.next();
        const auto [end, error] =
            std::from_chars(word.data(), word.data() + word.size(), header.scale);
        if (error != std::errc() || end != word.data() + word.size() || header.scale == 0.0 ||
            !std::isfinite(header.scale))
            return damagedHeader("the scale is missing, 0 or not a number");
    } else if (!header.bits()) {
        const auto maxval = words.number();
        if (!maxval) return damagedHeader("the maxval is missing or not a number");
        if (*maxval < 1 || *maxval > 65535)
            return damagedHeader(fmt::format("maxval {} is not between 1 and 65535", *maxval));
        header.maxval = std::uint32_t(*maxval);
    }
    if (!words.endHeader()) return damagedHeader("the file ends inside its header");
    header.dataAt = words.position();
    return header;
}

}  // namespace warpscope::io
