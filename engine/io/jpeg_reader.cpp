// JPEG with libjpeg-turbo: gray, YCbCr, RGB, CMYK, YCCK; sequential and progressive.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>

#include <jerror.h>
#include <jpeglib.h>

#include "engine/base/checked.h"
#include "engine/image/turn_pixels.h"
#include "engine/io/decode_support.h"
#include "engine/io/exif.h"
#include "engine/io/jpeg_reduced.h"
#include "engine/io/orientation.h"

namespace warpscope::io {
namespace {

// A picture has at most a few dozen; each scan walks all coefficients, so that small files with
// thousands take minutes.
constexpr int kMaxScans = 500;
constexpr int kExifMarker = JPEG_APP0 + 1, kIccMarker = JPEG_APP0 + 2;

// Owns libjpeg's structure. libjpeg leaves by longjmp, so everything that changes lives here and
// the bodies given to run() hold nothing with a destructor.
class JpegSource {
  public:
    JpegSource(Bytes bytes, std::stop_token stop) : m_stop(std::move(stop)) {
        std::memset(&m_jpeg, 0, sizeof m_jpeg);
        m_jpeg.err = jpeg_std_error(&m_errors);
        m_jpeg.client_data = this;
        m_errors.error_exit = [](j_common_ptr jpeg) { leave(jpeg); };
        m_errors.output_message = [](j_common_ptr) {};
        m_errors.emit_message = [](j_common_ptr jpeg, int level) { onMessage(jpeg, level); };
        m_progress.progress_monitor = [](j_common_ptr jpeg) { onProgress(jpeg); };
        m_created = run([&] {
            jpeg_create_decompress(&m_jpeg);
            m_jpeg.progress = &m_progress;
            for (const int marker : {kExifMarker, kIccMarker, int(JPEG_COM)})
                jpeg_save_markers(&m_jpeg, marker, 0xFFFF);
            jpeg_mem_src(&m_jpeg, bytes.data(), static_cast<unsigned long>(bytes.size()));
        });
    }
    ~JpegSource() { jpeg_destroy_decompress(&m_jpeg); }
    JpegSource(const JpegSource&) = delete;
    JpegSource& operator=(const JpegSource&) = delete;

    template <class Body>
    bool run(Body&& body) {
        if (setjmp(m_jump)) return false;
        body();
        return true;
    }

    jpeg_decompress_struct& jpeg() { return m_jpeg; }
    bool created() const { return m_created; }
    bool strayBytes() const { return m_strayBytes; }

    // Why run() gave false.
    Error error() const {
        if (m_stopped) return {ErrorCode::Cancelled, "cancelled"};
        if (m_tooManyScans) {
            return {ErrorCode::LimitExceeded,
                    fmt::format("the JPEG has more scans than the limit of {}", kMaxScans)};
        }
        switch (m_code) {
            case JERR_OUT_OF_MEMORY:
                return {ErrorCode::OutOfMemory, "not enough memory to decode the JPEG"};
            case JERR_BAD_PRECISION:
            case JERR_SOF_UNSUPPORTED:
            case JERR_ARITH_NOTIMPL:
            case JERR_NOT_COMPILED:
            case JERR_CONVERSION_NOTIMPL:
            case JERR_COMPONENT_COUNT:
            case JERR_NOTIMPL:
                return {ErrorCode::Unsupported,
                        fmt::format("this kind of JPEG is not read: {}", cleanText(m_text))};
            default:
                return damagedAfterRow(int(m_jpeg.output_scanline), int(m_jpeg.image_height),
                                       m_text);
        }
    }

  private:
    static JpegSource& self(j_common_ptr jpeg) {
        return *static_cast<JpegSource*>(jpeg->client_data);
    }
    [[noreturn]] static void leave(j_common_ptr jpeg) {
        JpegSource& s = self(jpeg);
        s.m_code = jpeg->err->msg_code;
        jpeg->err->format_message(jpeg, s.m_text);
        std::longjmp(s.m_jump, 1);
    }
    // Negative levels are warnings: data that is wrong and would be guessed at.
    static void onMessage(j_common_ptr jpeg, int level) {
        if (level >= 0) return;
        // Good cameras write fill between segments.
        if (jpeg->err->msg_code != JWRN_EXTRANEOUS_DATA) leave(jpeg);
        self(jpeg).m_strayBytes = true;
    }
    static void onProgress(j_common_ptr jpeg) {
        JpegSource& s = self(jpeg);
        s.m_stopped = s.m_stop.stop_requested();
        s.m_tooManyScans = s.m_jpeg.input_scan_number > kMaxScans;
        if (s.m_stopped || s.m_tooManyScans) std::longjmp(s.m_jump, 1);
    }

    jpeg_decompress_struct m_jpeg;
    jpeg_error_mgr m_errors;
    jpeg_progress_mgr m_progress{};
    std::jmp_buf m_jump;
    std::stop_token m_stop;
    int m_code = 0;
    char m_text[JMSG_LENGTH_MAX] = "";
    bool m_created = false, m_stopped = false, m_tooManyScans = false, m_strayBytes = false;
};

struct JpegLayout {
    PixelFormat format = PixelFormat::Rgba8;
    J_COLOR_SPACE output = JCS_EXT_RGBA;
    const char* kind = "RGB";
    bool inks = false;
};

Result<JpegLayout> chooseLayout(const jpeg_decompress_struct& jpeg) {
    switch (jpeg.jpeg_color_space) {
        case JCS_GRAYSCALE:
            return JpegLayout{PixelFormat::Gray8, JCS_GRAYSCALE, "gray", false};
        case JCS_RGB:
            return JpegLayout{PixelFormat::Rgba8, JCS_EXT_RGBA, "RGB", false};
        case JCS_YCbCr:
            return JpegLayout{PixelFormat::Rgba8, JCS_EXT_RGBA, "YCbCr", false};
        case JCS_CMYK:
            return JpegLayout{PixelFormat::Rgba8, JCS_CMYK, "CMYK", true};
        case JCS_YCCK:
            return JpegLayout{PixelFormat::Rgba8, JCS_CMYK, "YCCK", true};
        default:
            return fail(ErrorCode::Unsupported,
                        fmt::format("JPEG with {} components of unknown meaning is not read",
                                    jpeg.num_components));
    }
}

// Coefficients that libjpeg keeps for a progressive or multi-scan file, 2 bytes each.
std::uint64_t coefficientBytes(jpeg_decompress_struct& jpeg) {
    if (!jpeg_has_multiple_scans(&jpeg)) return 0;
    std::uint64_t bytes = 0;
    for (int i = 0; i < jpeg.num_components; ++i)
        bytes += std::uint64_t(jpeg.comp_info[i].width_in_blocks) *
                 jpeg.comp_info[i].height_in_blocks * DCTSIZE2 * sizeof(JCOEF);
    return bytes;
}

// Huffman coding spends at least one bit on the first coefficient of each block.
std::uint64_t smallestFileBytes(const jpeg_decompress_struct& jpeg) {
    if (jpeg.arith_code) return 0;
    std::uint64_t blocks = 0;
    for (int i = 0; i < jpeg.num_components; ++i)
        blocks +=
            std::uint64_t(jpeg.comp_info[i].width_in_blocks) * jpeg.comp_info[i].height_in_blocks;
    return blocks / 8;
}

// Returns the EXIF orientation.
int readMetadata(jpeg_decompress_struct& jpeg, ImageInfo& info) {
    int orientation = 1;
    bool seen = false;
    for (auto* marker = jpeg.marker_list; marker; marker = marker->next) {
        if (marker->marker == JPEG_COM) {
            addMetadata(info, "comment",
                        {reinterpret_cast<const char*>(marker->data), marker->data_length});
        } else if (marker->marker == kExifMarker && !seen && marker->data_length > 6 &&
                   std::memcmp(marker->data, "Exif\0", 6) == 0) {
            seen = true;
            orientation = addExif(info, {marker->data, marker->data_length});
        }
    }
    if (jpeg.saw_JFIF_marker && jpeg.density_unit > 0 && jpeg.X_density > 0) {
        addMetadata(
            info, "resolution (JFIF)",
            fmt::format("{} pixels/{}", jpeg.X_density, jpeg.density_unit == 2 ? "cm" : "inch"));
    }
    return orientation;
}

void readProfile(JpegSource& source, ImageInfo& info) {
    JOCTET* profile = nullptr;
    unsigned length = 0;
    boolean found = FALSE;
    const bool ok =
        source.run([&] { found = jpeg_read_icc_profile(&source.jpeg(), &profile, &length); });
    const std::unique_ptr<JOCTET, decltype(&std::free)> owner(profile, &std::free);
    if (!ok) {
        addNotice(info, "the colour profile is damaged and was left out");
    } else if (found) {
        setProfile(info, {profile, length});
    }
}

Result<void> readRows(JpegSource& source, MutableImage& image, const ReadOptions& options) {
    auto& jpeg = source.jpeg();
    if (!source.run([&] { jpeg_start_decompress(&jpeg); })) return fail(source.error());
    if (jpeg.output_width != unsigned(image.width()) ||
        jpeg.output_height != unsigned(image.height()) ||
        jpeg.output_components != channelCount(image.format()))
        return fail(ErrorCode::Internal, "libjpeg gave rows of an unexpected shape");
    while (jpeg.output_scanline < jpeg.output_height) {
        if (options.stop.stop_requested()) return cancelled();
        const JDIMENSION last = std::min(jpeg.output_scanline + kRowsPerChunk, jpeg.output_height);
        const bool ok = source.run([&] {
            while (jpeg.output_scanline < last) {
                JSAMPROW row =
                    reinterpret_cast<JSAMPROW>(image.rowBytes(int(jpeg.output_scanline)));
                jpeg_read_scanlines(&jpeg, &row, 1);
            }
        });
        if (!ok) return fail(source.error());
    }
    if (!source.run([&] { jpeg_finish_decompress(&jpeg); })) return fail(source.error());
    return {};
}

Result<void> invert(MutableImage& image, const ReadOptions& options) {
    return forEachRow(image.height(), options.stop, [&](int y) -> Result<void> {
        auto* row = image.view<std::uint8_t>().row(y);
        for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(image.width()) * 4; ++i)
            row[i] = std::uint8_t(255 - row[i]);
        return {};
    });
}

// A factor at which the longer side keeps `side`, of those that libjpeg is quick at.
unsigned reduction(Size size, int side) {
    const int longer = std::max(size.width, size.height);
    unsigned by = 1;
    while (side > 0 && by < 8 && longer / int(2 * by) >= side) by *= 2;
    return by;
}

// Empty where there is none.
Bytes embeddedPreview(const jpeg_decompress_struct& jpeg) {
    for (auto* marker = jpeg.marker_list; marker; marker = marker->next)
        if (marker->marker == kExifMarker && marker->data_length > 6 &&
            std::memcmp(marker->data, "Exif\0", 6) == 0)
            return exifPreview({marker->data, marker->data_length});
    return {};
}

// Cameras pad previews of another shape than theirs with black, which is none of the image.
bool hasShapeOf(Size preview, Size whole) {
    const double a = double(preview.width) / preview.height;
    const double b = double(whole.width) / whole.height;
    return std::abs(a - b) <= 0.02 * b;
}

// The preview, upright; null where it is none that serves.
Image decodePreview(const jpeg_decompress_struct& jpeg, int side, Size whole, int orientation,
                    const ReadOptions& options) {
    const Bytes bytes = embeddedPreview(jpeg);
    if (bytes.empty()) return {};
    Result<Image> preview = decodeJpeg(bytes, options);
    if (!preview || std::max(preview->width(), preview->height()) < side ||
        !hasShapeOf(preview->size(), whole))
        return {};
    if (orientation == 1) return *preview;
    const Size size = preview->size();
    auto upright = MutableImage::create(preview->format(),
                                        orientation >= 5 ? Size{size.height, size.width} : size);
    if (!upright) return {};
    turnPixels(*preview, *upright, orientation, {0, 0, upright->width(), upright->height()});
    return std::move(*upright).freezeLike(*preview);
}

}  // namespace

Result<Image> decodeJpeg(Bytes bytes, const ReadOptions& options) {
    return decodeJpegReduced(bytes, 0, options);
}

Result<Image> decodeJpegReduced(Bytes bytes, int side, const ReadOptions& options) {
    JpegSource source(bytes, options.stop);
    auto& jpeg = source.jpeg();
    if (!source.created()) return fail(source.error());
    if (!source.run([&] { jpeg_read_header(&jpeg, TRUE); })) return fail(source.error());
    const auto layout = chooseLayout(jpeg);
    if (!layout) return fail(layout.error());
    ImageInfo info;
    // Markers are read before the pixels are, and go when the decoder is finished.
    const int orientation = readMetadata(jpeg, info);
    readProfile(source, info);
    const Size whole{int(std::min(jpeg.image_width, 1u << 20)),
                     int(std::min(jpeg.image_height, 1u << 20))};
    if (side > 0 && jpeg.image_width > 0 && jpeg.image_height > 0)
        if (Image preview = decodePreview(jpeg, side, whole, orientation, options);
            !preview.isNull())
            return preview;
    jpeg.scale_num = 1;
    jpeg.scale_denom = reduction(whole, side);
    const auto reduced = [&](JDIMENSION length) {
        return (length + jpeg.scale_denom - 1) / jpeg.scale_denom;
    };
    const JDIMENSION width = reduced(jpeg.image_width), height = reduced(jpeg.image_height);
    const Size size{int(std::min(width, 1u << 20)), int(std::min(height, 1u << 20))};
    const std::uint64_t extra =
        std::max(coefficientBytes(jpeg) +
                     (layout->inks ? storageBytes(layout->format, size).value_or(0) : 0),
                 uprightBytes(layout->format, size, orientation, layout->inks));
    if (auto ok = checkShape(layout->format, width, height, options.limits, extra); !ok)
        return fail(ok.error());
    if (const auto least = smallestFileBytes(jpeg); least > bytes.size())
        return fail(tooFewBytes(bytes.size(), least));

    info.whiteLevel = 255.0;
    info.sourceFormat = describeSource("JPEG", 8, layout->kind);
    if (jpeg.progressive_mode) info.sourceFormat += ", progressive";
    const bool adobe = jpeg.saw_Adobe_marker;
    jpeg.out_color_space = layout->output;
    auto image = createImage(layout->format, width, height, options.limits, extra);
    if (!image) return fail(image.error());
    if (auto ok = readRows(source, *image, options); !ok) return fail(ok.error());

    if (source.strayBytes())
        addNotice(info, "there are extraneous bytes before a marker; some cameras write them");
    if (layout->inks) {
        // Adobe's programs store 255 for no ink; raw is full ink at 255 in either case.
        if (adobe)
            if (auto ok = invert(*image, options); !ok) return fail(ok.error());
        const char* const remark =
            adobe ? "; the file stores the inks inverted, as Adobe's programs do" : "";
        if (auto ok = showInks(*image, info, 255.0, remark, options); !ok) return fail(ok.error());
    }
    return freezeUpright(std::move(*image), std::move(info), orientation, options);
}

}  // namespace warpscope::io
