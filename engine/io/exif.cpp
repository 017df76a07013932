#include "engine/io/exif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "engine/io/decode_support.h"

namespace warpscope::io {
namespace {

enum Tag : std::uint16_t {
    kMake = 0x010F,
    kModel = 0x0110,
    kOrientation = 0x0112,
    kXResolution = 0x011A,
    kResolutionUnit = 0x0128,
    kSoftware = 0x0131,
    kDateTime = 0x0132,
    kArtist = 0x013B,
    kPreviewOffset = 0x0201,
    kPreviewLength = 0x0202,
    kCopyright = 0x8298,
    kExposureTime = 0x829A,
    kFNumber = 0x829D,
    kExifDirectory = 0x8769,
    kIso = 0x8827,
    kDateTimeOriginal = 0x9003,
    kFocalLength = 0x920A,
    kLensModel = 0xA434
};

// Cameras write a few hundred.
constexpr int kMaxEntries = 1000;

enum Type : std::uint16_t { kAscii = 2, kShort = 3, kLong = 4, kRational = 5 };

class Block {
  public:
    Block(Bytes bytes, bool bigEndian) : m_bytes(bytes), m_bigEndian(bigEndian) {}

    bool has(std::uint64_t offset, std::uint64_t count) const {
        return offset <= m_bytes.size() && count <= m_bytes.size() - offset;
    }
    std::uint16_t u16(std::uint64_t at) const {
        return m_bigEndian ? std::uint16_t(m_bytes[at] << 8 | m_bytes[at + 1])
                           : std::uint16_t(m_bytes[at + 1] << 8 | m_bytes[at]);
    }
    std::uint32_t u32(std::uint64_t at) const {
        const std::uint32_t first = u16(at), second = u16(at + 2);
        return m_bigEndian ? first << 16 | second : second << 16 | first;
    }
    std::string_view text(std::uint64_t at, std::uint64_t count) const {
        return {reinterpret_cast<const char*>(m_bytes.data()) + at, std::size_t(count)};
    }

  private:
    Bytes m_bytes;
    bool m_bigEndian;
};

struct Entry {
    std::uint16_t type = 0;
    std::uint32_t count = 0;
    std::uint64_t at = 0;  // of the value
};

std::optional<std::uint32_t> integer(const Block& block, const Entry& entry) {
    if (entry.count < 1) return std::nullopt;
    if (entry.type == kShort) return block.u16(entry.at);
    if (entry.type == kLong) return block.u32(entry.at);
    return std::nullopt;
}

struct Rational {
    std::uint32_t numerator, denominator;
    double value() const { return double(numerator) / double(denominator); }
};

std::optional<Rational> rational(const Block& block, const Entry& entry) {
    if (entry.type != kRational || entry.count < 1) return std::nullopt;
    const Rational r{block.u32(entry.at), block.u32(entry.at + 4)};
    if (r.numerator == 0 || r.denominator == 0) return std::nullopt;
    return r;
}

class Parser {
  public:
    Parser(const Block& block, ImageInfo& info) : m_block(block), m_info(info) {}

    // `depth` 0 is the main directory, 1 the one that it points to; no other is followed.
    void directory(std::uint64_t offset, int depth) {
        if (!m_block.has(offset, 2)) return;
        const int count = m_block.u16(offset);
        for (int i = 0; i < count && m_entries < kMaxEntries; ++i, ++m_entries) {
            const std::uint64_t at = offset + 2 + std::uint64_t(i) * 12;
            if (!m_block.has(at, 12)) return;
            Entry entry{m_block.u16(at + 2), m_block.u32(at + 4), at + 8};
            const std::uint64_t unit = entry.type == kShort      ? 2
                                       : entry.type == kLong     ? 4
                                       : entry.type == kRational ? 8
                                       : entry.type == kAscii    ? 1
                                                                 : 0;
            if (unit == 0) continue;
            const std::uint64_t size = unit * entry.count;
            if (size > 4) entry.at = m_block.u32(at + 8);
            if (!m_block.has(entry.at, size)) continue;
            const std::uint16_t tag = m_block.u16(at);
            if (m_seen.emplace(depth, tag).second) take(tag, entry, depth);
        }
    }

    int finish() {
        if (m_resolution) {
            const char* unit = m_unit == 3 ? "pixels/cm" : m_unit == 2 ? "pixels/inch" : "";
            if (*unit) add("resolution", fmt::format("{:.6g} {}", m_resolution->value(), unit));
        }
        return m_orientation;
    }

  private:
    void add(std::string_view key, std::string_view text) { addMetadata(m_info, key, text); }

    void addText(std::string_view key, const Entry& entry) {
        if (entry.type == kAscii) add(key, m_block.text(entry.at, entry.count));
    }

    void take(std::uint16_t tag, const Entry& entry, int depth) {
        switch (tag) {
            case kMake:
                return addText("camera make", entry);
            case kModel:
                return addText("camera model", entry);
            case kLensModel:
                return addText("lens", entry);
            case kSoftware:
                return addText("software", entry);
            case kArtist:
                return addText("artist", entry);
            case kCopyright:
                return addText("copyright", entry);
            case kDateTime:
                return addText("date changed", entry);
            case kDateTimeOriginal:
                return addText("date taken", entry);
            case kOrientation:
                if (const auto value = integer(m_block, entry);
                    depth == 0 && value && *value >= 1 && *value <= 8)
                    m_orientation = int(*value);
                return;
            case kResolutionUnit:
                if (const auto value = integer(m_block, entry)) m_unit = *value;
                return;
            case kXResolution:
                m_resolution = rational(m_block, entry);
                return;
            case kExposureTime:
                if (const auto r = rational(m_block, entry)) {
                    const bool fraction = r->numerator < r->denominator;
                    add("exposure", fraction ? fmt::format("1/{:.6g} s", 1.0 / r->value())
                                             : fmt::format("{:.6g} s", r->value()));
                }
                return;
            case kFNumber:
                if (const auto r = rational(m_block, entry))
                    add("aperture", fmt::format("f/{:.3g}", r->value()));
                return;
            case kFocalLength:
                if (const auto r = rational(m_block, entry))
                    add("focal length", fmt::format("{:.4g} mm", r->value()));
                return;
            case kIso:
                if (const auto value = integer(m_block, entry)) add("ISO", std::to_string(*value));
                return;
            case kExifDirectory:
                if (const auto value = integer(m_block, entry); depth == 0 && value)
                    directory(*value, 1);
                return;
            default:
                return;
        }
    }

    const Block& m_block;
    ImageInfo& m_info;
    std::set<std::pair<int, std::uint16_t>> m_seen;  // depth and tag
    int m_entries = 0, m_orientation = 1;
    std::optional<Rational> m_resolution;
    std::uint32_t m_unit = 2;  // inch, unless said
};

// The block behind its leading name, and how its numbers stand in it; nothing for another one.
std::optional<Block> blockOf(Bytes& bytes) {
    if (bytes.size() >= 6 && std::memcmp(bytes.data(), "Exif\0\0", 6) == 0)
        bytes = bytes.subspan(6);
    if (bytes.size() < 8) return std::nullopt;
    const bool big = bytes[0] == 'M' && bytes[1] == 'M';
    const bool little = bytes[0] == 'I' && bytes[1] == 'I';
    if (!big && !little) return std::nullopt;
    const Block block(bytes, big);
    return block.u16(2) == 42 ? std::optional(block) : std::nullopt;
}

}  // namespace

int addExif(ImageInfo& info, Bytes bytes) {
    const auto block = blockOf(bytes);
    if (!block) return 1;
    Parser parser(*block, info);
    parser.directory(block->u32(4), 0);
    return parser.finish();
}

Bytes exifPreview(Bytes bytes) {
    const auto block = blockOf(bytes);
    if (!block) return {};
    const std::uint64_t main = block->u32(4);
    if (!block->has(main, 2)) return {};
    const std::uint64_t link = main + 2 + std::uint64_t(block->u16(main)) * 12;
    if (!block->has(link, 4)) return {};
    const std::uint64_t second = block->u32(link);
    if (second == 0 || !block->has(second, 2)) return {};
    std::uint64_t offset = 0, length = 0;
    for (int i = 0; i < std::min<int>(block->u16(second), kMaxEntries); ++i) {
        const std::uint64_t at = second + 2 + std::uint64_t(i) * 12;
        if (!block->has(at, 12)) break;
        const auto value = integer(*block, {block->u16(at + 2), block->u32(at + 4), at + 8});
        if (value && block->u16(at) == kPreviewOffset) offset = *value;
        if (value && block->u16(at) == kPreviewLength) length = *value;
    }
    return offset > 0 && block->has(offset, length) ? bytes.subspan(offset, length) : Bytes{};
}

}  // namespace warpscope::io
