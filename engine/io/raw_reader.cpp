// Camera RAW with LibRaw: the mosaic of the sensor as it is stored, no rendering. One gray sample a
// pixel; what colour it is of, and the levels of black and white, is said.
#include <fmt/format.h>
#include <libraw.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "engine/io/decode_support.h"

namespace warpscope::io {
namespace {

// Sees what the library takes for read: the front of a sample whose rest is behind the end. Puts a
// mark where samples will stand, because some decoders end in the middle without a word and the
// library's memory is as others left it.
class RawStream final : public LibRaw_buffer_datastream {
  public:
    // It only reads; versions differ in saying so.
    explicit RawStream(Bytes bytes)
        : LibRaw_buffer_datastream(const_cast<std::uint8_t*>(bytes.data()), bytes.size()) {}
    // Of the samples that `raw` decodes next.
    void markSamples(LibRaw& raw, std::uint16_t mark) {
        m_marked = &raw;
        m_mark = mark;
    }
    // Goes to the samples once there is memory for them.
    int seek(INT64 offset, int whence) override {
        if (m_marked && m_marked->imgdata.rawdata.raw_image) {
            const auto& sizes = m_marked->imgdata.sizes;
            std::fill_n(m_marked->imgdata.rawdata.raw_image,
                        std::size_t(sizes.raw_width) * sizes.raw_height, m_mark);
            m_marked = nullptr;
        }
        return LibRaw_buffer_datastream::seek(offset, whence);
    }
    int read(void* to, std::size_t size, std::size_t count) override {
        const auto left = std::size_t(std::max<INT64>(0, this->size() - this->tell()));
        if (size > 1 && left < size * count && left % size != 0) m_cut = true;
        return LibRaw_buffer_datastream::read(to, size, count);
    }
    // Since the last call.
    bool takeCut() { return std::exchange(m_cut, false); }

  private:
    bool m_cut = false;
    LibRaw* m_marked = nullptr;
    std::uint16_t m_mark = 0;
};

// Rare among samples: what equals it is looked at again with the other one.
constexpr std::uint16_t kMark = 0xA5C3, kOtherMark = 0x5A3C;
constexpr std::string_view kDamagedSamples = "the RAW samples are cut or wrong";

tl::unexpected<Error> rawError(int code, std::string_view what) {
    if (code == LIBRAW_UNSUFFICIENT_MEMORY)
        return fail(ErrorCode::OutOfMemory, "not enough memory to decode the RAW file");
    if (code == LIBRAW_CANCELLED_BY_CALLBACK) return cancelled();
#ifdef LIBRAW_TOO_BIG
    if (code == LIBRAW_TOO_BIG)
        return fail(ErrorCode::LimitExceeded, "the RAW file asks for more memory than the limit");
#endif
    if (code == LIBRAW_FILE_UNSUPPORTED || code == LIBRAW_REQUEST_FOR_NONEXISTENT_IMAGE)
        return fail(ErrorCode::Unsupported,
                    fmt::format("{}: LibRaw {} does not read it", what, LibRaw::version()));
    return damagedHeader(fmt::format("{}: {}", what, libraw_strerror(code)));
}

// "RG/GB", rows from the top left of the picture; of six sides where it is Fujifilm's.
std::string patternOf(LibRaw& raw) {
    const int side = raw.imgdata.idata.filters == LIBRAW_XTRANS ? 6 : 2;
    std::string pattern;
    for (int y = 0; y < side; ++y) {
        if (y > 0) pattern += '/';
        for (int x = 0; x < side; ++x) {
            const int color = raw.COLOR(y, x);
            pattern += color >= 0 && color < 4 && raw.imgdata.idata.cdesc[color]
                           ? raw.imgdata.idata.cdesc[color]
                           : '?';
        }
    }
    return cleanText(pattern);
}

// The offset of all and that of each colour, or of each place in a pattern.
std::string blackOf(const libraw_colordata_t& color) {
    const unsigned black = color.black;
    const unsigned columns = color.cblack[5], rows = color.cblack[4];
    std::vector<unsigned> levels;
    if (columns > 0 && rows > 0 && rows <= 8 && columns <= 8)
        for (unsigned i = 0; i < rows * columns; ++i) levels.push_back(black + color.cblack[6 + i]);
    else
        for (int c = 0; c < 4; ++c) levels.push_back(black + color.cblack[c]);
    if (std::all_of(levels.begin(), levels.end(), [&](unsigned one) { return one == levels[0]; }))
        return fmt::format("{}", levels[0]);
    return fmt::format("{}", fmt::join(levels, " "));
}

// What is known once the headers are read.
struct RawLayout {
    Size size;
    int left = 0, top = 0;
};

Result<RawLayout> layoutOf(const LibRaw& raw) {
    const auto& sizes = raw.imgdata.sizes;
    if (auto ok = checkSides(sizes.raw_width, sizes.raw_height); !ok) return fail(ok.error());
    RawLayout layout{{sizes.width, sizes.height}, sizes.left_margin, sizes.top_margin};
    if (layout.size.empty() || layout.left + layout.size.width > sizes.raw_width ||
        layout.top + layout.size.height > sizes.raw_height)
        layout = {{sizes.raw_width, sizes.raw_height}, 0, 0};
    return layout;
}

void describe(LibRaw& raw, const RawLayout& layout, ImageInfo& info) {
    const auto& data = raw.imgdata;
    const bool mosaic = data.idata.filters != 0;
    const std::string pattern = mosaic ? patternOf(raw) : "";
    info.sourceFormat = fmt::format("camera RAW, {}", mosaic ? "mosaic of the sensor" : "gray");
    addNotice(info,
              mosaic ? fmt::format("samples of the sensor, not a picture: one colour a pixel, {}",
                                   pattern)
                     : std::string("samples of a sensor without colour filters"));
    addNotice(info, fmt::format("black is {}, white {}", blackOf(data.color), data.color.maximum));
    if (layout.left > 0 || layout.top > 0 || layout.size.width < data.sizes.raw_width ||
        layout.size.height < data.sizes.raw_height)
        addNotice(info, fmt::format("masked borders of the sensor, {} x {} in all, were left out",
                                    data.sizes.raw_width, data.sizes.raw_height));
    if (data.sizes.flip != 0)
        addNotice(info, fmt::format("as the sensor lies: the camera was turned ({} degrees)",
                                    data.sizes.flip == 3   ? 180
                                    : data.sizes.flip == 5 ? 270
                                    : data.sizes.flip == 6 ? 90
                                                           : 0));
    addMetadata(info, "camera maker", data.idata.make);
    addMetadata(info, "camera model", data.idata.model);
    if (mosaic) addMetadata(info, "colour filters", pattern);
    addMetadata(info, "black level", blackOf(data.color));
    addMetadata(info, "white level", fmt::format("{}", data.color.maximum));
    if (data.other.iso_speed > 0)
        addMetadata(info, "ISO", fmt::format("{:g}", data.other.iso_speed));
    if (data.other.shutter > 0)
        addMetadata(info, "exposure", fmt::format("{:g} s", data.other.shutter));
    const auto& mul = data.color.cam_mul;
    if (mul[0] > 0)
        addMetadata(info, "white balance", fmt::format("{:g} {:g} {:g}", mul[0], mul[1], mul[2]));
}

// A file with its samples decoded. The stream is what the library lets go of last.
struct OpenRaw {
    explicit OpenRaw(Bytes bytes, const ReadOptions& options) : stream(bytes), stop(options.stop) {}

    RawStream stream;
    std::stop_token stop;
    bool damaged = false;
    LibRaw raw;
    RawLayout layout;
    // What the library holds of the samples.
    std::uint64_t bytesHeld = 0;

    const std::uint16_t* row(int y) const {
        const auto& sizes = raw.imgdata.sizes;
        const std::size_t pitch =
            sizes.raw_pitch > 0 ? sizes.raw_pitch : std::size_t(sizes.raw_width) * 2;
        return reinterpret_cast<const std::uint16_t*>(
            reinterpret_cast<const std::uint8_t*>(raw.imgdata.rawdata.raw_image) +
            pitch * std::size_t(y + layout.top) + 2 * std::size_t(layout.left));
    }
};
// Too large for a stack.
using OpenRawPtr = std::unique_ptr<OpenRaw>;

void setHandlers(OpenRaw& open, const ReadLimits& limits) {
    // Where the error is: an int or more, by the version of the library.
    open.raw.set_dataerror_handler(
        [](void* flag, const char*, auto) { *static_cast<bool*>(flag) = true; }, &open.damaged);
    open.raw.set_progress_handler(
        [](void* token, LibRaw_progress, int, int) {
            return static_cast<std::stop_token*>(token)->stop_requested() ? 1 : 0;
        },
        &open.stop);
    const auto most =
        unsigned(std::clamp<std::uint64_t>(limits.maxDecodedBytes >> 20, 1, 1u << 20));
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
    open.raw.imgdata.rawparams.max_raw_memory_mb = most;
#else
    open.raw.imgdata.params.max_raw_memory_mb = most;
#endif
}

// Samples that the decoder did not reach hold `mark`.
Result<OpenRawPtr> unpack(Bytes bytes, const ReadOptions& options, std::uint16_t mark) {
    auto open = std::make_unique<OpenRaw>(bytes, options);
    LibRaw& raw = open->raw;
    setHandlers(*open, options.limits);
    if (const int code = raw.open_datastream(&open->stream); code != LIBRAW_SUCCESS)
        return rawError(code, "the RAW header");
    const auto layout = layoutOf(raw);
    if (!layout) return fail(layout.error());
    open->layout = *layout;
    // Four samples of a pixel where the file holds colours.
    open->bytesHeld = std::uint64_t(raw.imgdata.sizes.raw_width) * raw.imgdata.sizes.raw_height *
                      (raw.imgdata.idata.filters != 0 ? 4 : 8);
    if (auto ok = checkShape(PixelFormat::Gray16, std::uint64_t(layout->size.width),
                             std::uint64_t(layout->size.height), options.limits, open->bytesHeld);
        !ok)
        return fail(ok.error());
    // Headers may be looked for anywhere.
    open->stream.takeCut();
    open->stream.markSamples(raw, mark);
    const int code = raw.unpack();
    if (options.stop.stop_requested()) return cancelled();
    if (code != LIBRAW_SUCCESS) return rawError(code, "the RAW samples");
    if (open->damaged || open->stream.takeCut()) return damagedHeader(kDamagedSamples);
    const auto& data = raw.imgdata.rawdata;
    if (!data.raw_image)
        return fail(ErrorCode::Unsupported,
                    data.float_image || data.float3_image || data.float4_image
                        ? "camera RAW of float samples is not read"
                        : "camera RAW that holds colours instead of a mosaic is not read");
    return open;
}

// Whether samples that equal the mark are the file's: decoded over another mark they stay.
Result<void> checkMarked(Bytes bytes, const ReadOptions& options, const MutableImage& image) {
    const auto open = unpack(bytes, options, kOtherMark);
    if (!open) return fail(open.error());
    return forEachRow(image.height(), options.stop, [&](int y) -> Result<void> {
        const std::uint16_t* samples = image.view<std::uint16_t>().row(y);
        if (!std::equal(samples, samples + image.width(), (*open)->row(y)))
            return fail(damagedAfterRow(y, image.height(), kDamagedSamples));
        return {};
    });
}

}  // namespace

Result<Image> decodeRaw(Bytes bytes, const ReadOptions& options) {
    auto open = unpack(bytes, options, kMark);
    if (!open) return fail(open.error());
    const Size size = (*open)->layout.size;
    auto image = createImage(PixelFormat::Gray16, std::uint64_t(size.width),
                             std::uint64_t(size.height), options.limits, (*open)->bytesHeld);
    if (!image) return fail(image.error());
    std::uint16_t largest = 0;
    bool marked = false;
    auto done = forEachRow(size.height, options.stop, [&](int y) -> Result<void> {
        std::uint16_t* to = image->view<std::uint16_t>().row(y);
        std::memcpy(to, (*open)->row(y), 2 * std::size_t(size.width));
        for (int x = 0; x < size.width; ++x) {
            largest = std::max(largest, to[x]);
            marked |= to[x] == kMark;
        }
        return {};
    });
    if (!done) return fail(done.error());
    ImageInfo info;
    describe((*open)->raw, (*open)->layout, info);
    // Some sensors go beyond what their maker calls white.
    const unsigned white = (*open)->raw.imgdata.color.maximum;
    info.whiteLevel = white >= largest && white > 0 && white <= 65535 ? white : 65535;
    open->reset();
    if (marked)
        if (auto ok = checkMarked(bytes, options, *image); !ok) return fail(ok.error());
    return std::move(*image).freeze(std::move(info));
}

}  // namespace warpscope::io
