#include <fmt/format.h>
#include <png.h>

#include <cstring>

#include "engine/io/decode_support.h"
#include "engine/io/encode_support.h"

namespace warpscope::io {
namespace {

// Owns libpng's structures; see PngSource for the rules that longjmp makes.
class PngSink {
  public:
    explicit PngSink(const std::stop_token& stop) : m_stop(stop) {
        png = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, onError, onWarning);
        if (png) info = png_create_info_struct(png);
        if (!info) throw std::bad_alloc();
        png_set_write_fn(png, this, onWrite, [](png_structp) {});
    }
    ~PngSink() { png_destroy_write_struct(&png, &info); }
    PngSink(const PngSink&) = delete;
    PngSink& operator=(const PngSink&) = delete;

    template <class Body>
    bool run(Body&& body) {
        if (setjmp(png_jmpbuf(png))) return false;
        body();
        return true;
    }

    png_structp png = nullptr;
    png_infop info = nullptr;
    std::vector<std::uint8_t> bytes;
    bool outOfMemory = false;
    bool warned = false;
    bool stopped = false;
    char error[256] = "";

  private:
    [[noreturn]] static void onError(png_structp png, png_const_charp message) {
        auto* self = static_cast<PngSink*>(png_get_error_ptr(png));
        std::snprintf(self->error, sizeof self->error, "%s", message);
        png_longjmp(png, 1);
    }
    static void onWarning(png_structp png, png_const_charp) {
        static_cast<PngSink*>(png_get_error_ptr(png))->warned = true;
    }
    // Called for every few kilobytes: rows may be long.
    static void onWrite(png_structp png, png_bytep data, std::size_t count) {
        auto* self = static_cast<PngSink*>(png_get_io_ptr(png));
        self->stopped = self->m_stop.stop_requested();
        if (self->stopped) png_error(png, "stopped");
        try {
            self->bytes.insert(self->bytes.end(), data, data + count);
        } catch (const std::exception&) {
            self->outOfMemory = true;
        }
        if (self->outOfMemory) png_error(png, "not enough memory");
    }

    const std::stop_token& m_stop;
};

}  // namespace

Result<EncodedImage> encodePng(const Image& image, std::string_view, const std::stop_token& stop) {
    auto prepared = prepareIntegers(image, stop);
    if (!prepared) return fail(prepared.error());
    std::vector<std::string> notices = std::move(prepared->notices);
    const auto leveled = withoutWhiteLevel(prepared->image, "PNG", notices, stop);
    if (!leveled) return fail(leveled.error());
    const Image& source = *leveled;
    const Bytes profile = usableProfile(source, notices);

    PngSink sink(stop);
    const int bits = bytesPerSample(source.format()) * 8;
    const int colorType = !isColor(source.format()) ? PNG_COLOR_TYPE_GRAY
                          : writesAlpha(source)     ? PNG_COLOR_TYPE_RGBA
                                                    : PNG_COLOR_TYPE_RGB;
    bool ok = sink.run([&] {
        png_set_user_limits(sink.png, kMaxSide, kMaxSide);
        png_set_IHDR(sink.png, sink.info, png_uint_32(source.width()), png_uint_32(source.height()),
                     bits, colorType, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                     PNG_FILTER_TYPE_DEFAULT);
    });
    if (ok && !profile.empty()) {
        // libpng looks at the profile more closely than we do; a profile it refuses is no reason
        // to refuse the image.
        sink.warned = false;
        const bool kept = sink.run([&] {
            png_set_benign_errors(sink.png, 1);
            png_set_iCCP(sink.png, sink.info, "profile", PNG_COMPRESSION_TYPE_BASE, profile.data(),
                         png_uint_32(profile.size()));
        });
        if (!kept || !png_get_valid(sink.png, sink.info, PNG_INFO_iCCP))
            notices.emplace_back("libpng refused the colour profile, it was not kept");
    }
    ok = ok && sink.run([&] {
        png_write_info(sink.png, sink.info);
        if (bits == 16) png_set_swap(sink.png);
        if (colorType == PNG_COLOR_TYPE_RGB) png_set_filler(sink.png, 0, PNG_FILLER_AFTER);
        // What compresses well is written seldom.
        for (int y = 0; y < source.height() && !sink.stopped; ++y) {
            png_write_row(sink.png, reinterpret_cast<png_const_bytep>(source.rowBytes(y)));
            sink.stopped = stop.stop_requested();
        }
        if (!sink.stopped) png_write_end(sink.png, sink.info);
    });
    if (sink.stopped) return cancelled();
    if (!ok) {
        return fail(sink.outOfMemory ? ErrorCode::OutOfMemory : ErrorCode::Internal,
                    fmt::format("PNG could not be written: {}", cleanText(sink.error)));
    }
    return EncodedImage{std::move(sink.bytes), std::move(notices)};
}

Codec pngCodec() {
    return {{{"PNG", {"png"}, true, true}},
            [](Bytes bytes) {
                return bytes.size() >= 8 && std::memcmp(bytes.data(), "\x89PNG\r\n\x1a\n", 8) == 0;
            },
            decodePng,
            encodePng};
}

}  // namespace warpscope::io
