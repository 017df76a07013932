// NumPy's .npy, versions 1 to 3: the dictionary in front is read strictly, and no other Python.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>

#include "engine/io/decode_support.h"

namespace warpscope::io {
namespace {

// NumPy itself refuses longer ones.
constexpr std::uint64_t kMostHeaderBytes = 10'000;
constexpr std::size_t kMostSides = 8;

struct NpyHeader {
    std::string type;  // "<u2"
    std::optional<bool> fortranOrder;
    std::optional<std::vector<std::uint64_t>> shape;
    std::size_t dataAt = 0;
};

// {'descr': '<u2', 'fortran_order': False, 'shape': (480, 640), }, keys in any order.
class Dictionary {
  public:
    explicit Dictionary(std::string_view text) : m_rest(text) {}

    Result<void> readInto(NpyHeader& header) {
        if (!take("{")) return damagedHeader("the header is not a dictionary");
        while (!take("}")) {
            const auto key = quoted();
            if (!key || !take(":")) return damagedHeader("the header is not a dictionary");
            if (*key == "descr") {
                if (peek('[')) return fail(ErrorCode::Unsupported, "NumPy records are not read");
                const auto type = quoted();
                if (!type) return damagedHeader("the header's descr is not a text");
                header.type = *type;
            } else if (*key == "fortran_order") {
                if (take("True"))
                    header.fortranOrder = true;
                else if (take("False"))
                    header.fortranOrder = false;
                else
                    return damagedHeader("the header's fortran_order is neither True nor False");
            } else if (*key == "shape") {
                header.shape = tuple();
                if (!header.shape)
                    return damagedHeader("the header's shape is not a list of sides");
            } else {
                return damagedHeader(
                    fmt::format("unknown key \"{}\" in the header", cleanText(*key, 40)));
            }
            if (!take(",") && !peek('}')) return damagedHeader("the header is not a dictionary");
        }
        skipSpace();
        if (!m_rest.empty()) return damagedHeader("text follows the header's dictionary");
        if (header.type.empty() || !header.fortranOrder || !header.shape)
            return damagedHeader("the header lacks descr, fortran_order or shape");
        return {};
    }

  private:
    void skipSpace() {
        while (!m_rest.empty() && (m_rest[0] == ' ' || m_rest[0] == '\n' || m_rest[0] == '\t'))
            m_rest.remove_prefix(1);
    }
    bool peek(char c) {
        skipSpace();
        return m_rest.starts_with(c);
    }
    bool take(std::string_view word) {
        skipSpace();
        if (!m_rest.starts_with(word)) return false;
        m_rest.remove_prefix(word.size());
        return true;
    }
    std::optional<std::string> quoted() {
        skipSpace();
        if (!m_rest.starts_with('\'') && !m_rest.starts_with('"')) return std::nullopt;
        const std::size_t end = m_rest.find(m_rest[0], 1);
        if (end == m_rest.npos) return std::nullopt;
        std::string text(m_rest.substr(1, end - 1));
        m_rest.remove_prefix(end + 1);
        return text;
    }
    std::optional<std::vector<std::uint64_t>> tuple() {
        if (!take("(")) return std::nullopt;
        std::vector<std::uint64_t> sides;
        while (!take(")")) {
            skipSpace();
            std::uint64_t side = 0;
            const char* first = m_rest.data();
            const auto [end, error] = std::from_chars(first, first + m_rest.size(), side);
            if (error != std::errc() || sides.size() == kMostSides) return std::nullopt;
            m_rest.remove_prefix(std::size_t(end - first));
            // Python 2 wrote long integers so.
            take("L");
            sides.push_back(side);
            if (!take(",") && !peek(')')) return std::nullopt;
        }
        return sides;
    }

    std::string_view m_rest;
};

Result<NpyHeader> parseHeader(Bytes bytes) {
    const auto cut = [] { return damagedHeader("the file ends inside its header"); };
    if (bytes.size() < 8) return cut();
    const int version = bytes[6];
    if (version < 1 || version > 3)
        return fail(ErrorCode::Unsupported,
                    fmt::format("version {} of the NumPy format is not read", version));
    const std::size_t lengthBytes = version == 1 ? 2 : 4;
    if (bytes.size() < 8 + lengthBytes) return cut();
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < lengthBytes; ++i) length |= std::uint64_t(bytes[8 + i]) << (8 * i);
    if (length > kMostHeaderBytes)
        return fail(ErrorCode::LimitExceeded,
                    fmt::format("a header of {} bytes is more than the limit of {}", length,
                                kMostHeaderBytes));
    NpyHeader header;
    header.dataAt = 8 + lengthBytes + std::size_t(length);
    if (header.dataAt > bytes.size()) return cut();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + 8 + lengthBytes,
                                std::size_t(length));
    if (auto ok = Dictionary(text).readInto(header); !ok) return fail(ok.error());
    return header;
}

struct NpyLayout {
    std::uint64_t width = 0, height = 0;
    int channels = 1;
    int stored = 1;  // bytes of a sample in the file
    bool swap = false;
    PixelFormat format = PixelFormat::Gray8;
    const char* typeName = "";

    bool isDouble() const { return stored == 8 && isFloat(format); }
};

Result<NpyLayout> layoutOf(const NpyHeader& header) {
    struct Known {
        std::string_view type;
        const char* name;
        PixelFormat gray;
        std::optional<PixelFormat> color;
    };
    using enum PixelFormat;
    static constexpr Known kKnown[] = {
        {"u1", "uint8", Gray8, Rgba8},       {"u2", "uint16", Gray16, Rgba16},
        {"u4", "uint32", Gray32, {}},        {"u8", "uint64", Gray64, {}},
        {"f4", "float32", GrayF32, RgbaF32}, {"f8", "float64", GrayF32, RgbaF32}};
    const auto& shape = *header.shape;
    const std::string_view order = std::string_view(header.type).substr(0, 1);
    const std::string_view type = std::string_view(header.type).substr(1);
    const auto known = std::find_if(std::begin(kKnown), std::end(kKnown),
                                    [&](const Known& one) { return one.type == type; });
    if (known == std::end(kKnown) || std::string_view("<>=|").find(order) == order.npos ||
        (order == "|" && type != "u1"))
        return fail(ErrorCode::Unsupported,
                    fmt::format("NumPy samples of type \"{}\" are not read; uint8, uint16, uint32, "
                                "uint64, float32 and float64 are",
                                cleanText(header.type, 40)));
    const bool flat = shape.size() == 2 || (shape.size() == 3 && shape[2] == 1);
    if (!flat && !(shape.size() == 3 && (shape[2] == 3 || shape[2] == 4)))
        return fail(ErrorCode::Unsupported,
                    fmt::format("a NumPy array of shape ({}) is no image; (height, width), "
                                "(height, width, 3) and (height, width, 4) are",
                                fmt::join(shape, ", ")));
    if (!flat && !known->color)
        return fail(ErrorCode::Unsupported,
                    fmt::format("NumPy colours of type {} are not read, only gray", known->name));
    if (*header.fortranOrder)
        return fail(ErrorCode::Unsupported,
                    "a NumPy array in Fortran order is not read; numpy.ascontiguousarray turns it");
    NpyLayout layout;
    layout.height = shape[0];
    layout.width = shape[1];
    layout.channels = flat ? 1 : int(shape[2]);
    layout.stored = type[1] - '0';
    layout.swap = order == (std::endian::native == std::endian::little ? ">" : "<");
    layout.format = flat ? known->gray : *known->color;
    layout.typeName = known->name;
    return layout;
}

template <class T>
void swapBytes(std::uint8_t* samples, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        std::reverse(samples + i * sizeof(T), samples + (i + 1) * sizeof(T));
}

void turn(std::uint8_t* samples, std::size_t count, int bytes) {
    if (bytes == 2) swapBytes<std::uint16_t>(samples, count);
    if (bytes == 4) swapBytes<std::uint32_t>(samples, count);
    if (bytes == 8) swapBytes<std::uint64_t>(samples, count);
}

}  // namespace

Result<Image> decodeNpy(Bytes bytes, const ReadOptions& options) {
    const auto header = parseHeader(bytes);
    if (!header) return fail(header.error());
    const auto layout = layoutOf(*header);
    if (!layout) return fail(layout.error());
    if (auto ok = checkShape(layout->format, layout->width, layout->height, options.limits); !ok)
        return fail(ok.error());
    const std::size_t samples = std::size_t(layout->width) * std::size_t(layout->channels);
    const std::size_t rowBytes = samples * std::size_t(layout->stored);
    const std::uint64_t needed = std::uint64_t(rowBytes) * layout->height;
    const std::uint64_t available = bytes.size() - header->dataAt;
    if (needed > available)
        return fail(damagedAfterRow(
            int(available / rowBytes), int(layout->height),
            fmt::format("the samples take {} bytes, the file has {}", needed, available)));
    auto image = createImage(layout->format, layout->width, layout->height, options.limits);
    if (!image) return fail(image.error());

    std::vector<std::uint8_t> row(layout->isDouble() ? rowBytes : 0);
    const std::uint8_t* from = bytes.data() + header->dataAt;
    const auto read = [&](int y) -> Result<void> {
        auto* to = reinterpret_cast<std::uint8_t*>(image->rowBytes(y));
        std::uint8_t* stored = layout->isDouble() ? row.data() : to;
        std::memcpy(stored, from + rowBytes * std::size_t(y), rowBytes);
        if (layout->swap) turn(stored, samples, layout->stored);
        if (layout->isDouble() &&
            !toFloat<double>(row.data(), samples, image->view<float>().row(y)))
            return fail(
                ErrorCode::Unsupported,
                fmt::format("row {} has float64 samples that float32 cannot hold exactly", y));
        if (layout->channels > 1)
            visitSampleType(layout->format, [&]<class T>() {
                widenToRgba(image->view<T>().row(y), image->width(), layout->channels);
            });
        return {};
    };
    if (auto ok = forEachRow(image->height(), options.stop, read); !ok) return fail(ok.error());

    ImageInfo info;
    info.whiteLevel = fullScale(layout->format);
    info.hasAlpha = layout->channels == 4;
    info.sourceFormat = fmt::format("NumPy, {}, {}", layout->typeName,
                                    layout->channels == 1   ? "gray"
                                    : layout->channels == 3 ? "RGB"
                                                            : "RGBA");
    if (available > needed)
        addNotice(info,
                  fmt::format("{} bytes after the last sample were left out", available - needed));
    return std::move(*image).freeze(std::move(info));
}

}  // namespace warpscope::io
