// OpenEXR: every part, every layer. Half and float samples are read as float, exactly; a layer's R,
// G, B and A are one page, any other channel is a gray page of its own. Colours stay as they are
// stored, which is multiplied by alpha.
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfPartType.h>
#include <ImfStandardAttributes.h>
#include <ImfTileDescription.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/io/decode_support.h"
#include "engine/io/exr_chunks.h"

namespace warpscope::io {
namespace {

constexpr std::size_t kFrontBytes = 8;
constexpr std::uint32_t kSeveralParts = 0x1000;
// Sides of tiles up to here are fine for the smallest image.
constexpr int kLargestFreeTile = 4096;
// Rows that one compressed chunk may hold (DWAB).
constexpr std::uint64_t kMostRowsInChunk = 256;
constexpr std::uint64_t kBytesOfAChunk = 16;  // its place in the table and its own header

// Whether a value of this type fills the length that its attribute claims. The library reads values
// of types that it knows by their own rules, whatever was claimed, and would take what follows for
// the next attribute from another place than we do.
bool fillsItsLength(std::string_view type, Bytes value) {
    struct Fixed {
        std::string_view type;
        std::size_t bytes;
    };
    constexpr Fixed kFixed[] = {{"box2f", 16},      {"box2i", 16},   {"chromaticities", 32},
                                {"compression", 1}, {"double", 8},   {"envmap", 1},
                                {"float", 4},       {"int", 4},      {"keycode", 28},
                                {"lineOrder", 1},   {"m33f", 36},    {"m33d", 72},
                                {"m44f", 64},       {"m44d", 128},   {"rational", 8},
                                {"v2i", 8},         {"v2f", 8},      {"v2d", 16},
                                {"v3i", 12},        {"v3f", 12},     {"v3d", 24},
                                {"tiledesc", 9},    {"timecode", 8}, {"deepImageState", 1}};
    for (const Fixed& fixed : kFixed)
        if (type == fixed.type) return value.size() == fixed.bytes;
    if (type != "chlist") return true;
    // Names with 16 bytes each behind them; an empty name is the end.
    constexpr std::size_t kChannelBytes = 16;
    std::size_t at = 0;
    while (at < value.size()) {
        const auto end = std::find(value.begin() + std::ptrdiff_t(at), value.end(), 0);
        if (end == value.end()) return false;
        const std::size_t behind = std::size_t(end - value.begin()) + 1;
        if (behind == at + 1) return behind == value.size();
        at = behind + kChannelBytes;
    }
    return false;
}

// The library takes memory for an attribute by its claimed length, before it reads it.
Result<void> checkAttributes(Bytes bytes) {
    const auto cut = [] { return damagedHeader("the file ends inside its header"); };
    if (bytes.size() < kFrontBytes) return cut();
    const auto number = [&](std::size_t at) {
        return std::uint32_t(bytes[at]) | std::uint32_t(bytes[at + 1]) << 8 |
               std::uint32_t(bytes[at + 2]) << 16 | std::uint32_t(bytes[at + 3]) << 24;
    };
    std::size_t at = kFrontBytes;
    // Length of the text at `at`, which ends with a zero.
    const auto text = [&]() -> std::optional<std::size_t> {
        const auto end = std::find(bytes.begin() + std::ptrdiff_t(at), bytes.end(), 0);
        if (end == bytes.end()) return std::nullopt;
        return std::size_t(end - bytes.begin()) - at;
    };
    const bool several = (number(4) & kSeveralParts) != 0;
    for (bool emptyHeader = true;; emptyHeader = false) {
        const auto name = text();
        if (!name) return cut();
        at += *name + 1;
        if (*name == 0) {
            // An empty header ends those of several parts.
            if (!several || emptyHeader) return {};
            emptyHeader = true;
            if (at < bytes.size() && bytes[at] == 0) return {};
            continue;
        }
        const auto type = text();
        if (!type || bytes.size() - at < *type + 1 + 4) return cut();
        const std::string_view kind(reinterpret_cast<const char*>(bytes.data()) + at, *type);
        at += *type + 1;
        const std::uint32_t size = number(at);
        at += 4;
        if (size > bytes.size() - at) return cut();
        if (!fillsItsLength(kind, bytes.subspan(at, size)))
            return damagedHeader(
                fmt::format("an attribute of type {} is {} bytes long", cleanText(kind), size));
        at += size;
    }
}

struct ExrPage {
    int part = 0;
    PageInfo info;
    // R, G, B, A of the file, "" where there is none; of a gray page the first alone.
    std::array<std::string, 4> channels;
};

const char* compressionName(Imf::Compression compression) {
    constexpr const char* kNames[] = {"uncompressed", "RLE",         "ZIPS",      "ZIP",
                                      "PIZ",          "lossy PXR24", "lossy B44", "lossy B44A",
                                      "lossy DWAA",   "lossy DWAB"};
    return compression >= 0 && std::size_t(compression) < std::size(kNames) ? kNames[compression]
                                                                            : "unknown compression";
}

const char* typeName(Imf::PixelType type) {
    return type == Imf::HALF ? "16-bit float" : type == Imf::FLOAT ? "32-bit float" : "32 bits";
}

void addPagesOf(const Imf::Header& header, int part, bool several, std::vector<ExrPage>& pages) {
    const auto& window = header.dataWindow();
    std::string problem;
    if (header.hasType() && Imf::isDeepData(header.type()))
        problem = "deep samples are not read";
    else if (auto ok = checkSides(widthOf(window), heightOf(window)); !ok)
        problem = ok.error().message;
    const std::string prefix =
        several
            ? (header.hasName() ? cleanText(header.name()) : fmt::format("part {}", part + 1)) + "/"
            : "";
    const Imf::ChannelList& channels = header.channels();
    const auto add = [&](std::string name, std::array<std::string, 4> of) {
        ExrPage page{part, {prefix + cleanText(name), {}, {}, problem}, std::move(of)};
        for (const auto& channel : page.channels) {
            const Imf::Channel* found = channel.empty() ? nullptr : channels.findChannel(channel);
            if (found && (found->xSampling != 1 || found->ySampling != 1))
                page.info.problem = fmt::format(
                    "OpenEXR with one sample of {} for {} x {} pixels "
                    "is not read",
                    cleanText(channel), found->xSampling, found->ySampling);
        }
        if (page.info.problem.empty()) {
            page.info.size = {int(widthOf(window)), int(heightOf(window))};
            const bool color = !page.channels[1].empty();
            page.info.format = color ? PixelFormat::RgbaF32
                               : channels.findChannel(page.channels[0])->type == Imf::UINT
                                   ? PixelFormat::Gray32
                                   : PixelFormat::GrayF32;
        }
        pages.push_back(std::move(page));
    };
    // Layer by layer, its colour before its other channels; the nameless layer comes first.
    std::vector<std::pair<std::string, std::string>> names;
    for (auto it = channels.begin(); it != channels.end(); ++it) {
        const std::string name = it.name();
        const std::size_t dot = name.rfind('.');
        names.emplace_back(dot == name.npos ? "" : name.substr(0, dot), name);
    }
    std::stable_sort(names.begin(), names.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < names.size() && pages.size() < std::size_t(kMostPages);) {
        const std::string& layer = names[i].first;
        std::size_t end = i;
        while (end < names.size() && names[end].first == layer) ++end;
        const std::string front = layer.empty() ? "" : layer + ".";
        std::array<std::string, 4> of;
        bool color = true;
        for (std::size_t c = 0; c < 4; ++c) {
            const std::string name = front + "RGBA"[c];
            if (channels.findChannel(name)) of[c] = name;
            if (c < 3) color = color && !of[c].empty();
        }
        if (color) add(!layer.empty() ? layer : of[3].empty() ? "RGB" : "RGBA", of);
        for (; i < end; ++i)
            if (!color || std::find(of.begin(), of.end(), names[i].second) == of.end())
                add(names[i].second, {names[i].second});
    }
}

std::vector<ExrPage> pagesOf(const Imf::MultiPartInputFile& file) {
    std::vector<ExrPage> pages;
    for (int part = 0; part < file.parts(); ++part)
        addPagesOf(file.header(part), part, file.parts() > 1, pages);
    return pages;
}

// What the library takes beside the image to read a part, and whether the file can hold it.
Result<std::uint64_t> bytesBeside(const Imf::Header& header, Bytes bytes) {
    const auto& window = header.dataWindow();
    const std::uint64_t width = widthOf(window), height = heightOf(window);
    std::uint64_t pixel = 0;
    for (auto it = header.channels().begin(); it != header.channels().end(); ++it)
        pixel += bytesOf(it.channel().type);
    std::uint64_t chunks = (height + kMostRowsInChunk - 1) / kMostRowsInChunk, beside = 0;
    if (header.hasTileDescription()) {
        const auto& tile = header.tileDescription();
        const auto excessive = [](std::uint64_t side, std::uint64_t of) {
            return side > std::uint64_t(kLargestFreeTile) && side > 2 * of;
        };
        if (tile.xSize == 0 || tile.ySize == 0) return damagedHeader("tiles have no size");
        if (excessive(tile.xSize, width) || excessive(tile.ySize, height))
            return fail(ErrorCode::LimitExceeded,
                        fmt::format("tiles of {} x {} pixels are far larger than the image of {} x "
                                    "{}: above {} they may be at most twice as large",
                                    tile.xSize, tile.ySize, width, height, kLargestFreeTile));
        chunks = ((width + tile.xSize - 1) / tile.xSize) * ((height + tile.ySize - 1) / tile.ySize);
        // The tile, packed and unpacked, and a row of tiles.
        beside = 3 * pixel * tile.xSize * tile.ySize + pixel * width * tile.ySize;
    } else {
        beside = 4 * pixel * width * std::min(height, kMostRowsInChunk);
    }
    if (chunks * kBytesOfAChunk > bytes.size())
        return fail(tooFewBytes(bytes.size(), chunks * kBytesOfAChunk));
    return beside;
}

class ExrDecoder {
  public:
    ExrDecoder(Imf::MultiPartInputFile& file, const ExrPage& page, MutableImage& image)
        : m_part(file, page.part), m_page(page), m_image(image) {}

    Result<void> decode(const std::stop_token& stop) {
        const auto& window = m_part.header().dataWindow();
        // Rows of the image; thrown errors end up with the row they belong to.
        for (int y = 0; y < m_image.height(); y += kRowsPerChunk) {
            if (stop.stop_requested()) return cancelled();
            const int rows = std::min(kRowsPerChunk, m_image.height() - y);
            m_row = y;
            aimAt(y);
            m_part.readPixels(window.min.y + y, window.min.y + y + rows - 1);
            if (auto ok = takeIntegers(y, rows); !ok) return ok;
        }
        return {};
    }
    int row() const { return m_row; }

  private:
    // Where samples of these rows go: into the image, or where float might not hold them, aside.
    void aimAt(int y) {
        const auto& window = m_part.header().dataWindow();
        Imf::FrameBuffer buffer;
        const std::size_t channels = std::size_t(channelCount(m_image.format()));
        for (std::size_t c = 0; c < channels; ++c) {
            const bool there = !m_page.channels[c].empty();
            // A missing alpha is opaque; the library fills what the file does not have.
            const std::string name = there ? m_page.channels[c] : "no such channel";
            auto* to = reinterpret_cast<char*>(m_image.rowBytes(y)) + 4 * c;
            std::size_t xStride = 4 * channels, yStride = std::size_t(m_image.pitch());
            const bool integer = there && isInteger(c);
            if (integer && channels > 1) {
                m_integers[c].resize(std::size_t(m_image.width()) * std::size_t(kRowsPerChunk));
                to = reinterpret_cast<char*>(m_integers[c].data());
                xStride = 4;
                yStride = 4 * std::size_t(m_image.width());
            }
            const auto origin = std::uintptr_t(to) -
                                std::uintptr_t(std::int64_t(window.min.x)) * xStride -
                                std::uintptr_t(std::int64_t(window.min.y) + y) * yStride;
            buffer.insert(
                name, Imf::Slice(integer ? Imf::UINT : Imf::FLOAT, reinterpret_cast<char*>(origin),
                                 xStride, yStride, 1, 1, 1.0));
        }
        m_part.setFrameBuffer(buffer);
    }

    bool isInteger(std::size_t c) const {
        return m_part.header().channels().findChannel(m_page.channels[c])->type == Imf::UINT;
    }

    Result<void> takeIntegers(int y, int rows) {
        for (std::size_t c = 0; c < 4; ++c) {
            if (m_integers[c].empty()) continue;
            for (int row = 0; row < rows; ++row) {
                const std::uint32_t* from =
                    m_integers[c].data() + std::ptrdiff_t(row) * m_image.width();
                float* to = m_image.view<float>().row(y + row) + c;
                for (int x = 0; x < m_image.width(); ++x, to += 4) {
                    *to = float(from[x]);
                    if (double(*to) != double(from[x]))
                        return fail(ErrorCode::Unsupported,
                                    fmt::format("row {} has 32-bit samples that 32-bit float "
                                                "cannot hold exactly",
                                                y + row));
                }
            }
        }
        return {};
    }

    Imf::InputPart m_part;
    const ExrPage& m_page;
    MutableImage& m_image;
    std::array<std::vector<std::uint32_t>, 4> m_integers;
    int m_row = 0;
};

ImageInfo infoOf(const Imf::Header& header, const ExrPage& page) {
    ImageInfo info;
    const PixelFormat format = *page.info.format;
    info.whiteLevel = fullScale(format);
    info.hasAlpha = !page.channels[3].empty();
    std::vector<std::string> types;
    for (const auto& channel : page.channels) {
        if (channel.empty()) continue;
        const std::string type = typeName(header.channels().findChannel(channel)->type);
        if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
    }
    info.sourceFormat = fmt::format("OpenEXR, {}, {}, {}", fmt::join(types, " and "),
                                    !isColor(format) ? "gray"
                                    : info.hasAlpha  ? "RGBA"
                                                     : "RGB",
                                    compressionName(header.compression()));
    if (info.hasAlpha)
        addNotice(info, "colours are as they are stored, multiplied by alpha as OpenEXR has them");
    const auto& shown = header.displayWindow();
    const auto& window = header.dataWindow();
    if (!(shown == window))
        addNotice(info, fmt::format("{} x {} pixels from {}, {} on, of a frame of {} x {} from {}, "
                                    "{} on",
                                    widthOf(window), heightOf(window), window.min.x, window.min.y,
                                    widthOf(shown), heightOf(shown), shown.min.x, shown.min.y));
    addMetadata(info, "layer", page.info.name);
    if (Imf::hasOwner(header)) addMetadata(info, "owner", Imf::owner(header));
    if (Imf::hasComments(header)) addMetadata(info, "comments", Imf::comments(header));
    if (Imf::hasCapDate(header)) addMetadata(info, "date", Imf::capDate(header));
    if (Imf::hasChromaticities(header)) {
        const auto& c = Imf::chromaticities(header);
        addMetadata(info, "chromaticities",
                    fmt::format("red {:.4g} {:.4g}, green {:.4g} {:.4g}, blue {:.4g} {:.4g}, white "
                                "{:.4g} {:.4g}",
                                c.red.x, c.red.y, c.green.x, c.green.y, c.blue.x, c.blue.y,
                                c.white.x, c.white.y));
    }
    return info;
}

Result<Image> decodePage(Imf::MultiPartInputFile& file, Bytes bytes, const ReadOptions& options) {
    const auto pages = pagesOf(file);
    if (auto ok = checkPage(options.page, pages.size(), "page"); !ok) return fail(ok.error());
    const ExrPage& page = pages[std::size_t(options.page)];
    const Imf::Header& header = file.header(page.part);
    // As an error of its own kind.
    if (auto ok = checkSides(widthOf(header.dataWindow()), heightOf(header.dataWindow())); !ok)
        return fail(ok.error());
    if (!page.info.problem.empty()) return fail(ErrorCode::Unsupported, page.info.problem);
    const auto beside = bytesBeside(header, bytes);
    if (!beside) return fail(beside.error());
    auto image = createImage(*page.info.format, std::uint64_t(page.info.size.width),
                             std::uint64_t(page.info.size.height), options.limits, *beside);
    if (!image) return fail(image.error());
    ExrChunkCheck chunks(bytes, page.part, header, options.stop);
    int row = 0;
    try {
        ExrDecoder decoder(file, page, *image);
        try {
            if (auto ok = decoder.decode(options.stop); !ok) return fail(ok.error());
        } catch (...) {
            row = decoder.row();
            throw;
        }
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        return fail(damagedAfterRow(row, image->height(), cleanText(e.what())));
    }
    if (auto ok = chunks.result(); !ok) return fail(ok.error());
    ImageInfo info = infoOf(header, page);
    addPageNotice(info, options.page, pages.size(), "page");
    return std::move(*image).freeze(std::move(info));
}

// use(file) with the headers read.
template <class Use>
auto withFile(Bytes bytes, Use&& use) -> decltype(use(std::declval<Imf::MultiPartInputFile&>())) {
    if (auto ok = checkAttributes(bytes); !ok) return fail(ok.error());
    try {
        ExrStream stream(bytes);
        Imf::MultiPartInputFile file(stream, 0, false);
        return use(file);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        return damagedHeader(cleanText(e.what()));
    }
}

}  // namespace

Result<Image> decodeExr(Bytes bytes, const ReadOptions& options) {
    return withFile(
        bytes, [&](Imf::MultiPartInputFile& file) { return decodePage(file, bytes, options); });
}

Result<std::vector<PageInfo>> listExrPages(Bytes bytes, const ReadOptions&) {
    return withFile(bytes, [&](Imf::MultiPartInputFile& file) -> Result<std::vector<PageInfo>> {
        std::vector<PageInfo> infos;
        for (auto& page : pagesOf(file)) infos.push_back(std::move(page.info));
        if (infos.empty()) return damagedHeader("the file has no channels");
        return infos;
    });
}

}  // namespace warpscope::io
