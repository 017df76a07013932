// WebP with libwebp: lossy, lossless, alpha; of an animation each frame as it is stored, not
// blended over those before it.
#include <fmt/format.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "engine/io/decode_support.h"
#include "engine/io/exif.h"
#include "engine/io/orientation.h"

namespace warpscope::io {
namespace {

constexpr std::size_t kRiffHeaderBytes = 12;
constexpr std::size_t kBytesBetweenStops = 256 * 1024;

struct Demuxer {
    explicit Demuxer(Bytes bytes) {
        const WebPData data{bytes.data(), bytes.size()};
        handle = WebPDemuxPartial(&data, &state);
    }
    ~Demuxer() { WebPDemuxDelete(handle); }
    Demuxer(const Demuxer&) = delete;
    Demuxer& operator=(const Demuxer&) = delete;

    std::uint32_t get(WebPFormatFeature feature) const { return WebPDemuxGetI(handle, feature); }
    Bytes chunk(const char* name) const {
        WebPChunkIterator it{};
        Bytes bytes;
        if (WebPDemuxGetChunk(handle, name, 1, &it)) bytes = {it.chunk.bytes, it.chunk.size};
        WebPDemuxReleaseChunkIterator(&it);  // the bytes are those of the file
        return bytes;
    }

    WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
    WebPDemuxer* handle = nullptr;
};

struct Frame {
    Bytes bytes;
    int x = 0, y = 0, width = 0, height = 0;
    bool hasAlpha = false;
    bool complete = false;
    int milliseconds = 0;
};

Frame frameOf(const Demuxer& demuxer, int page) {
    WebPIterator it{};
    Frame frame;
    if (WebPDemuxGetFrame(demuxer.handle, page + 1, &it)) {
        frame = {{it.fragment.bytes, it.fragment.size},
                 it.x_offset,
                 it.y_offset,
                 it.width,
                 it.height,
                 it.has_alpha != 0,
                 it.complete != 0,
                 it.duration};
    }
    WebPDemuxReleaseIterator(&it);
    return frame;
}

// Hands the data over piece by piece, so that a stop request is seen and the last good row known.
Result<void> decodeFrame(const Frame& frame, MutableImage& image, const ReadOptions& options) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config))
        return fail(ErrorCode::Internal, "libwebp is not the version that this was built with");
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    auto& buffer = config.output.u.RGBA;
    buffer.rgba =
        reinterpret_cast<std::uint8_t*>(image.rowBytes(frame.y)) + std::ptrdiff_t(frame.x) * 4;
    buffer.stride = int(image.pitch());
    buffer.size =
        std::size_t(image.pitch()) * std::size_t(frame.height - 1) + std::size_t(frame.width) * 4;
    const std::unique_ptr<WebPIDecoder, decltype(&WebPIDelete)> decoder(
        WebPINewDecoder(&config.output), &WebPIDelete);
    if (!decoder) return fail(ErrorCode::OutOfMemory, "not enough memory to decode the WebP");
    VP8StatusCode status = VP8_STATUS_SUSPENDED;
    for (std::size_t given = 0; given < frame.bytes.size() && status == VP8_STATUS_SUSPENDED;) {
        if (options.stop.stop_requested()) return cancelled();
        given = std::min(given + kBytesBetweenStops, frame.bytes.size());
        status = WebPIUpdate(decoder.get(), frame.bytes.data(), given);
    }
    if (status == VP8_STATUS_OK) return {};
    if (status == VP8_STATUS_OUT_OF_MEMORY)
        return fail(ErrorCode::OutOfMemory, "not enough memory to decode the WebP");
    int lastRow = 0;
    if (!WebPIDecGetRGB(decoder.get(), &lastRow, nullptr, nullptr, nullptr)) lastRow = 0;
    return fail(damagedAfterRow(
        lastRow, frame.height,
        status == VP8_STATUS_SUSPENDED ? "the file ends early" : "the compressed data is wrong"));
}

tl::unexpected<Error> wrongWebp(std::string_view what) {
    return fail(ErrorCode::Damaged, fmt::format("damaged after row 0: {}", what));
}

}  // namespace

Result<Image> decodeWebp(Bytes bytes, const ReadOptions& options) {
    if (bytes.size() < kRiffHeaderBytes + 8) return wrongWebp("the file ends inside its header");
    const std::uint64_t claimed =
        8 + (std::uint64_t(bytes[4]) | std::uint64_t(bytes[5]) << 8 |
             std::uint64_t(bytes[6]) << 16 | std::uint64_t(bytes[7]) << 24);
    const Demuxer demuxer(bytes);
    if (!demuxer.handle) return wrongWebp("its parts do not fit together");
    const std::uint32_t frames = demuxer.get(WEBP_FF_FRAME_COUNT);
    if (frames > 0 || options.page != 0)
        if (auto ok = checkPage(options.page, frames, "frame"); !ok) return fail(ok.error());
    const Frame frame = frameOf(demuxer, options.page);
    const std::uint32_t width = demuxer.get(WEBP_FF_CANVAS_WIDTH);
    const std::uint32_t height = demuxer.get(WEBP_FF_CANVAS_HEIGHT);
    const bool animated = (demuxer.get(WEBP_FF_FORMAT_FLAGS) & ANIMATION_FLAG) != 0;
    if (frame.bytes.empty()) return wrongWebp("the file ends before its first picture");
    if (frame.width <= 0 || frame.height <= 0 ||
        std::uint64_t(frame.x) + std::uint64_t(frame.width) > width ||
        std::uint64_t(frame.y) + std::uint64_t(frame.height) > height)
        return wrongWebp("the picture is larger than its canvas");
    if (auto ok = checkSides(width, height); !ok) return fail(ok.error());
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(frame.bytes.data(), frame.bytes.size(), &features) != VP8_STATUS_OK)
        return wrongWebp("the header of the compressed data is wrong");
    if (features.width != frame.width || features.height != frame.height)
        return wrongWebp("two headers give different sizes");

    // libwebp unpacks lossless data, and the alpha beside lossy data, into memory of its own.
    const std::uint64_t extra = std::uint64_t(frame.width) * std::uint64_t(frame.height) *
                                (features.format == 2 ? 4u
                                 : features.has_alpha ? 1u
                                                      : 0u);
    ImageInfo exif;
    const std::uint64_t upright = uprightBytes(PixelFormat::Rgba8, {int(width), int(height)},
                                               addExif(exif, demuxer.chunk("EXIF")), false);
    auto image =
        createImage(PixelFormat::Rgba8, width, height, options.limits, std::max(extra, upright));
    if (!image) return fail(image.error());
    const bool whole = frame.width == int(width) && frame.height == int(height);
    if (!whole)  // the canvas around a smaller frame is transparent
        for (int y = 0; y < image->height(); ++y)
            std::memset(image->rowBytes(y), 0, std::size_t(width) * 4);
    if (auto ok = decodeFrame(frame, *image, options); !ok) return fail(ok.error());
    // What follows the pixels counts too: a file that is cut there is still a cut file.
    if (claimed > bytes.size() || !frame.complete || demuxer.state != WEBP_DEMUX_DONE)
        return fail(damagedAfterRow(
            frame.height, frame.height,
            fmt::format("the header promises {} bytes, the file has {}", claimed, bytes.size())));

    ImageInfo info;
    info.whiteLevel = 255.0;
    info.hasAlpha = features.has_alpha != 0 || !whole;
    info.sourceFormat = describeSource("WebP", 8, info.hasAlpha ? "RGBA" : "RGB");
    info.sourceFormat += features.format == 2 ? ", lossless" : ", lossy";
    if (animated) {
        info.sourceFormat += ", animation";
        addPageNotice(info, options.page, frames, "frame");
        if (options.page > 0 && (!whole || info.hasAlpha))
            addNotice(info, "the frame as it is stored, not over the frames before it");
    }
    setProfile(info, demuxer.chunk("ICCP"));
    const int orientation = addExif(info, demuxer.chunk("EXIF"));
    return freezeUpright(std::move(*image), std::move(info), orientation, options);
}

Result<std::vector<PageInfo>> listWebpPages(Bytes bytes, const ReadOptions&) {
    if (bytes.size() < kRiffHeaderBytes + 8) return wrongWebp("the file ends inside its header");
    const Demuxer demuxer(bytes);
    if (!demuxer.handle) return wrongWebp("its parts do not fit together");
    const std::uint32_t frames = demuxer.get(WEBP_FF_FRAME_COUNT);
    if (frames == 0) return wrongWebp("the file ends before its first picture");
    ImageInfo exif;
    const Size canvas{int(demuxer.get(WEBP_FF_CANVAS_WIDTH)),
                      int(demuxer.get(WEBP_FF_CANVAS_HEIGHT))};
    // -1 by -1 in a file that is cut before it says.
    if (canvas.empty()) return wrongWebp("the file ends before its first picture");
    const PageInfo one{
        {}, uprightSize(canvas, addExif(exif, demuxer.chunk("EXIF"))), PixelFormat::Rgba8, {}};
    std::vector<PageInfo> pages(std::min(frames, std::uint32_t(kMostPages)), one);
    if (frames > 1)
        for (std::size_t i = 0; i < pages.size(); ++i)
            pages[i].name = fmt::format("{} ms", frameOf(demuxer, int(i)).milliseconds);
    return pages;
}

}  // namespace warpscope::io
