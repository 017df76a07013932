// PNG with libpng: every bit depth, palette, transparency and interlacing.
#include <fmt/format.h>
#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "engine/io/decode_support.h"
#include "engine/io/exif.h"
#include "engine/io/orientation.h"

namespace warpscope::io {
namespace {

constexpr std::size_t kHeaderBytes = 8 + 25;   // signature and IHDR
constexpr std::uint64_t kDeflateRatio = 1032;  // bytes that one byte of deflate can become
constexpr int kMostTexts = 24;
// Of a text; no more of it is ever unpacked, whatever it claims.
constexpr std::size_t kMostTextBytes = 400;

std::uint32_t bigEndian32(const std::uint8_t* p) {
    return std::uint32_t(p[0]) << 24 | std::uint32_t(p[1]) << 16 | std::uint32_t(p[2]) << 8 | p[3];
}

// Owns libpng's structures. libpng leaves by longjmp, so everything that changes lives here and
// the bodies given to run() hold nothing with a destructor.
class PngSource {
  public:
    PngSource(Bytes bytes, std::stop_token stop) : m_bytes(bytes), m_stop(std::move(stop)) {
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, onError, onWarning);
        if (png) info = png_create_info_struct(png);
        if (!info) throw std::bad_alloc();
    }
    ~PngSource() { png_destroy_read_struct(&png, &info, nullptr); }
    PngSource(const PngSource&) = delete;
    PngSource& operator=(const PngSource&) = delete;

    template <class Body>
    bool run(Body&& body) {
        if (setjmp(png_jmpbuf(png))) return false;
        body();
        return true;
    }

    static void onRead(png_structp png, png_bytep to, std::size_t count) {
        auto* self = static_cast<PngSource*>(png_get_io_ptr(png));
        if (self->m_stop.stop_requested()) png_error(png, "cancelled");
        if (count > self->m_bytes.size() - self->m_position) png_error(png, "the file ends early");
        std::memcpy(to, self->m_bytes.data() + self->m_position, count);
        const bool chunkBegins = self->m_position == self->m_nextChunk && count == 8;
        self->m_position += count;
        if (chunkBegins) self->beginChunk(to);
    }

    png_structp png = nullptr;
    png_infop info = nullptr;
    int rowsRead = 0;  // of the current pass
    int pass = 0;
    char error[256] = "";
    std::vector<std::string> warnings;

  private:
    [[noreturn]] static void onError(png_structp png, png_const_charp message) {
        auto* self = static_cast<PngSource*>(png_get_error_ptr(png));
        std::snprintf(self->error, sizeof self->error, "%s", message);
        png_longjmp(png, 1);
    }
    static void onWarning(png_structp png, png_const_charp message) {
        // Damaged pixel data is only a warning to libpng where it came after the last row.
        if (std::strncmp(message, "IDAT", 4) == 0) onError(png, message);
        auto* self = static_cast<PngSource*>(png_get_error_ptr(png));
        try {
            if (self->warnings.size() < 8) self->warnings.emplace_back(message);
        } catch (const std::bad_alloc&) {
            // A warning is not worth failing for, and may not cross libpng as an exception.
        }
    }

    // libpng makes room for all that a chunk claims to hold before it reads it, gigabytes in a file
    // of a hundred bytes. Pixels come in small portions, as far as there are any.
    void beginChunk(const std::uint8_t* lengthAndType) {
        const std::size_t length = bigEndian32(lengthAndType);
        if (length > m_bytes.size() - m_position && std::memcmp(lengthAndType + 4, "IDAT", 4) != 0)
            png_error(png, "the file ends early");
        m_nextChunk = m_position + length + 4;
    }

    Bytes m_bytes;
    std::stop_token m_stop;
    std::size_t m_position = 0;
    std::size_t m_nextChunk = 8;  // behind the signature
};

struct PngLayout {
    png_uint_32 width = 0, height = 0;
    int bits = 0, colorType = 0;
    bool interlaced = false, transparency = false;
    bool palette() const { return colorType == PNG_COLOR_TYPE_PALETTE; }
    bool hasAlpha() const { return transparency || (colorType & PNG_COLOR_MASK_ALPHA); }
    PixelFormat format() const {
        const bool color = hasAlpha() || (colorType & PNG_COLOR_MASK_COLOR);
        if (bits == 16) return color ? PixelFormat::Rgba16 : PixelFormat::Gray16;
        return color ? PixelFormat::Rgba8 : PixelFormat::Gray8;
    }
    const char* kind() const {
        switch (colorType) {
            case PNG_COLOR_TYPE_GRAY:
                return transparency ? "gray with a transparent value" : "gray";
            case PNG_COLOR_TYPE_GRAY_ALPHA:
                return "gray and alpha";
            case PNG_COLOR_TYPE_PALETTE:
                return transparency ? "palette with alpha" : "palette";
            case PNG_COLOR_TYPE_RGB:
                return transparency ? "RGB with a transparent colour" : "RGB";
            default:
                return "RGBA";
        }
    }
};

PngLayout readLayout(const PngSource& source) {
    PngLayout layout;
    layout.width = png_get_image_width(source.png, source.info);
    layout.height = png_get_image_height(source.png, source.info);
    layout.bits = png_get_bit_depth(source.png, source.info);
    layout.colorType = png_get_color_type(source.png, source.info);
    layout.interlaced = png_get_interlace_type(source.png, source.info) != PNG_INTERLACE_NONE;
    layout.transparency = png_get_valid(source.png, source.info, PNG_INFO_tRNS) != 0;
    return layout;
}

void requestTransforms(png_structp png, const PngLayout& layout) {
    if (layout.palette()) {
        png_set_packing(png);  // indices, one per byte; looked up in lookUpPalette
        return;
    }
    if (layout.colorType == PNG_COLOR_TYPE_GRAY && layout.bits < 8)
        png_set_expand_gray_1_2_4_to_8(png);
    if (layout.transparency) png_set_tRNS_to_alpha(png);
    if (isColor(layout.format()) && !(layout.colorType & PNG_COLOR_MASK_COLOR))
        png_set_gray_to_rgb(png);
    if (!layout.hasAlpha() && isColor(layout.format()))
        png_set_add_alpha(png, 0xFFFF, PNG_FILLER_AFTER);
    if (layout.bits == 16) png_set_swap(png);  // samples are little-endian in memory
}

// Rows hold one index a pixel at their left end. Pixels that name an entry that is not there become
// opaque black, as the PNG specification suggests.
Result<void> lookUpPalette(PngSource& source, MutableImage& image, ImageInfo& info,
                           const ReadOptions& options) {
    png_colorp colors = nullptr;
    png_bytep alphas = nullptr;
    int colorCount = 0, alphaCount = 0;
    png_get_PLTE(source.png, source.info, &colors, &colorCount);
    png_get_tRNS(source.png, source.info, &alphas, &alphaCount, nullptr);
    std::uint8_t table[256][4];
    for (int i = 0; i < 256; ++i) {
        const png_color color = i < colorCount ? colors[i] : png_color{0, 0, 0};
        const std::uint8_t alpha = i < alphaCount ? alphas[i] : 255;
        const std::uint8_t entry[4] = {color.red, color.green, color.blue, alpha};
        std::memcpy(table[i], entry, 4);
    }
    std::uint64_t missing = 0;
    auto done = forEachRow(image.height(), options.stop, [&](int y) -> Result<void> {
        auto* row = image.view<std::uint8_t>().row(y);
        for (std::ptrdiff_t x = image.width() - 1; x >= 0; --x) {
            const std::uint8_t index = row[x];
            missing += index >= colorCount;
            std::memcpy(row + 4 * x, table[index], 4);
        }
        return {};
    });
    if (missing > 0)
        addNotice(info, fmt::format("{} pixels name a palette entry that is not there and are "
                                    "shown black",
                                    missing));
    return done;
}

// Calls look(type, content) for each chunk, until it gives false or the chunks end.
template <class Look>
void forEachChunk(Bytes bytes, Look&& look) {
    for (std::size_t at = 8; bytes.size() - at >= 12;) {
        const std::size_t length = bigEndian32(bytes.data() + at);
        if (length > bytes.size() - at - 12) return;
        const std::string_view type(reinterpret_cast<const char*>(bytes.data()) + at + 4, 4);
        if (!look(type, bytes.subspan(at + 8, length))) return;
        at += length + 12;
    }
}

// The first kMostTextBytes that zlib data becomes; nothing if it is damaged before.
std::string unpackedFront(std::string_view packed) {
    constexpr std::size_t kMostPackedBytes = 1 << 16;
    std::string text(kMostTextBytes, '\0');
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = uInt(std::min(packed.size(), kMostPackedBytes));
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = uInt(text.size());
    const int status = inflate(&stream, Z_SYNC_FLUSH);
    text.resize(status == Z_OK || status == Z_STREAM_END ? stream.total_out : 0);
    inflateEnd(&stream);
    return text;
}

// By hand: libpng unpacks texts whole.
void addText(std::string_view type, std::string_view content, ImageInfo& info) {
    const auto word = [&] {
        const std::size_t end = std::min(content.find('\0'), content.size());
        const std::string_view text = content.substr(0, end);
        content.remove_prefix(std::min(end + 1, content.size()));
        return text;
    };
    const std::string_view key = word();
    bool packed = type == "zTXt";
    if (packed) content.remove_prefix(std::min<std::size_t>(1, content.size()));  // the method
    if (type == "iTXt") {
        packed = !content.empty() && content[0] == 1;
        content.remove_prefix(std::min<std::size_t>(2, content.size()));
        word();  // the language
        word();  // the key in that language
    }
    if (!packed) return addMetadata(info, key, content);
    const std::string text = unpackedFront(content);
    if (text.empty()) addNotice(info, "a compressed text is damaged or empty and was left out");
    addMetadata(info, key, text);
}

void readTexts(Bytes bytes, ImageInfo& info) {
    int count = 0;
    forEachChunk(bytes, [&](std::string_view type, Bytes content) {
        if (type != "tEXt" && type != "zTXt" && type != "iTXt") return true;
        addText(type, {reinterpret_cast<const char*>(content.data()), content.size()}, info);
        return ++count < kMostTexts;
    });
}

// EXIF is added; returns its orientation.
int readExif(PngSource& source, ImageInfo& info) {
    png_bytep block = nullptr;
    png_uint_32 length = 0;
    if (!png_get_eXIf_1(source.png, source.info, &length, &block)) return 1;
    return addExif(info, {block, length});
}

// Returns the EXIF orientation.
int readMetadata(PngSource& source, Bytes bytes, ImageInfo& info) {
    png_uint_32 x = 0, y = 0;
    int unit = 0;
    if (png_get_pHYs(source.png, source.info, &x, &y, &unit) && unit == PNG_RESOLUTION_METER && x)
        addMetadata(info, "resolution", fmt::format("{:.6g} pixels/inch", x * 0.0254));
    double gamma = 0;
    if (png_get_gAMA(source.png, source.info, &gamma) && gamma > 0)
        addMetadata(info, "gamma", fmt::format("1/{:.4g}", 1.0 / gamma));
    readTexts(bytes, info);
    png_charp name = nullptr;
    png_bytep profile = nullptr;
    png_uint_32 length = 0;
    int compression = 0;
    if (png_get_iCCP(source.png, source.info, &name, &compression, &profile, &length))
        setProfile(info, {profile, length});
    return readExif(source, info);
}

// Frames that an animation chunk before the pixels promises, 0 for a still picture. libpng does not
// know the chunk.
std::uint32_t frameCount(Bytes bytes) {
    std::uint32_t count = 0;
    forEachChunk(bytes, [&](std::string_view type, Bytes content) {
        if (type == "acTL" && content.size() >= 4) count = bigEndian32(content.data());
        return type != "acTL" && type != "IDAT";
    });
    return count;
}

Result<void> readRows(PngSource& source, const PngLayout& layout, MutableImage& image, int passes,
                      const ReadOptions& options) {
    const auto damage = [&]() -> tl::unexpected<Error> {
        if (options.stop.stop_requested()) return cancelled();
        std::string where = source.error;
        if (passes > 1)
            where = fmt::format("pass {} of {} of the interlaced picture: {}", source.pass + 1,
                                passes, where);
        return fail(damagedAfterRow(source.rowsRead, int(layout.height), where));
    };
    for (source.pass = 0; source.pass < passes; ++source.pass) {
        source.rowsRead = 0;
        while (source.rowsRead < image.height()) {
            if (options.stop.stop_requested()) return cancelled();
            const int last = std::min(source.rowsRead + kRowsPerChunk, image.height());
            const bool ok = source.run([&] {
                for (; source.rowsRead < last; ++source.rowsRead)
                    png_read_row(source.png,
                                 reinterpret_cast<png_bytep>(image.rowBytes(source.rowsRead)),
                                 nullptr);
            });
            if (!ok) return damage();
        }
    }
    source.pass = passes - 1;
    if (!source.run([&] { png_read_end(source.png, source.info); })) return damage();
    return {};
}

}  // namespace

Result<Image> decodePng(Bytes bytes, const ReadOptions& options) {
    if (bytes.size() < kHeaderBytes)
        return fail(ErrorCode::Damaged, "damaged after row 0: the file ends inside its header");
    const bool sides = std::memcmp(bytes.data() + 12, "IHDR", 4) == 0;
    const std::uint64_t width = bigEndian32(bytes.data() + 16);
    const std::uint64_t height = bigEndian32(bytes.data() + 20);
    // Before libpng, whose message for a side beyond its limits names neither.
    if (sides)
        if (auto ok = checkSides(width, height); !ok) return fail(ok.error());
    PngSource source(bytes, options.stop);
    png_set_read_fn(source.png, &source, PngSource::onRead);
    const bool opened = source.run([&] {
        png_set_crc_action(source.png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
        png_set_user_limits(source.png, kMaxSide, kMaxSide);
        png_set_chunk_malloc_max(source.png, kMaxProfileBytes);
        // libpng keeps every one of these, unpacked; readTexts does not.
        png_set_keep_unknown_chunks(source.png, PNG_HANDLE_CHUNK_NEVER,
                                    reinterpret_cast<png_const_bytep>("tEXt\0zTXt\0iTXt\0sPLT\0"),
                                    4);
        png_read_info(source.png, source.info);
    });
    if (options.stop.stop_requested()) return cancelled();
    if (!opened && sides)  // nothing that is in front of the pixels could make it smaller
        if (auto ok = checkShape(PixelFormat::Gray8, width, height, options.limits); !ok)
            return fail(ok.error());
    if (!opened)
        return fail(ErrorCode::Damaged,
                    fmt::format("damaged after row 0: {}", cleanText(source.error)));

    const PngLayout layout = readLayout(source);
    ImageInfo front;
    const std::uint64_t upright = uprightBytes(
        layout.format(), {int(layout.width), int(layout.height)}, readExif(source, front), false);
    if (auto ok = checkShape(layout.format(), layout.width, layout.height, options.limits, upright);
        !ok)
        return fail(ok.error());
    const std::uint64_t packed =
        std::uint64_t(png_get_rowbytes(source.png, source.info)) * layout.height;
    if (packed / kDeflateRatio > bytes.size())
        return fail(tooFewBytes(bytes.size(), packed / kDeflateRatio));

    int passes = 1;
    const bool prepared = source.run([&] {
        requestTransforms(source.png, layout);
        passes = png_set_interlace_handling(source.png);
        png_read_update_info(source.png, source.info);
    });
    auto image = createImage(layout.format(), layout.width, layout.height, options.limits);
    if (!image) return fail(image.error());
    if (!prepared || png_get_rowbytes(source.png, source.info) > std::size_t(image->pitch()))
        return fail(ErrorCode::Internal,
                    fmt::format("PNG rows of unexpected size {}", cleanText(source.error)));
    if (auto ok = readRows(source, layout, *image, passes, options); !ok) return fail(ok.error());

    ImageInfo info;
    info.whiteLevel = fullScale(layout.format());
    info.hasAlpha = layout.hasAlpha();
    info.sourceFormat = describeSource("PNG", layout.bits, layout.kind());
    if (layout.interlaced) info.sourceFormat += ", interlaced";
    if (layout.palette()) {
        if (auto ok = lookUpPalette(source, *image, info, options); !ok) return fail(ok.error());
    }
    if (const auto frames = frameCount(bytes); frames > 1)
        addNotice(info, fmt::format("1 of {} frames", frames));
    const int orientation = readMetadata(source, bytes, info);
    for (const auto& warning : source.warnings) {
        if (warning.find("exceeds application limits") != std::string::npos) {
            addNotice(info, fmt::format("the colour profile was left out: it is larger than the "
                                        "limit of {} MiB",
                                        kMaxProfileBytes >> 20));
        } else {
            addNotice(info, "libpng: " + cleanText(warning));
        }
    }
    return freezeUpright(std::move(*image), std::move(info), orientation, options);
}

}  // namespace warpscope::io
