#include <fmt/format.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <cstring>
#include <memory>

#include "engine/io/encode_support.h"

namespace warpscope::io {
namespace {

constexpr int kLosslessEffort = 4;  // of 0 to 9

struct Picture {
    Picture() : valid(WebPPictureInit(&data) != 0) {}
    ~Picture() { WebPPictureFree(&data); }
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;
    WebPPicture data;
    bool valid;
};

// libwebp's writer calls back through C, so memory that runs out is a flag, not an exception.
struct Sink {
    std::vector<std::uint8_t> bytes;
    static int take(const std::uint8_t* data, std::size_t size, const WebPPicture* picture) {
        auto& self = *static_cast<Sink*>(picture->custom_ptr);
        try {
            self.bytes.insert(self.bytes.end(), data, data + size);
            return 1;
        } catch (const std::exception&) {
            return 0;
        }
    }
};

// One 0xAARRGGBB a pixel, which is what libwebp's lossless coder takes.
void fillPixels(const Image& image, WebPPicture& picture) {
    const bool alpha = writesAlpha(image), color = isColor(image.format());
    for (int y = 0; y < image.height(); ++y) {
        const std::uint8_t* from = image.view<std::uint8_t>().row(y);
        std::uint32_t* to = picture.argb + std::ptrdiff_t(y) * picture.argb_stride;
        for (int x = 0; x < image.width(); ++x, from += color ? 4 : 1) {
            const std::uint32_t r = from[0], g = from[color ? 1 : 0], b = from[color ? 2 : 0];
            to[x] = (alpha ? std::uint32_t(from[3]) << 24 : 0xFF000000u) | r << 16 | g << 8 | b;
        }
    }
}

// Puts the profile beside the picture.
Result<std::vector<std::uint8_t>> withProfile(const std::vector<std::uint8_t>& picture,
                                              Bytes profile) {
    const std::unique_ptr<WebPMux, decltype(&WebPMuxDelete)> mux(WebPMuxNew(), &WebPMuxDelete);
    const WebPData image{picture.data(), picture.size()};
    const WebPData icc{profile.data(), profile.size()};
    WebPData assembled{};
    WebPDataInit(&assembled);
    const bool ok = mux && WebPMuxSetImage(mux.get(), &image, 0) == WEBP_MUX_OK &&
                    WebPMuxSetChunk(mux.get(), "ICCP", &icc, 0) == WEBP_MUX_OK &&
                    WebPMuxAssemble(mux.get(), &assembled) == WEBP_MUX_OK;
    const std::unique_ptr<WebPData, decltype(&WebPDataClear)> owner(&assembled, &WebPDataClear);
    if (!ok) return fail(ErrorCode::Internal, "the colour profile could not be put into the WebP");
    return std::vector<std::uint8_t>(assembled.bytes, assembled.bytes + assembled.size);
}

}  // namespace

Result<EncodedImage> encodeWebp(const Image& image, std::string_view) {
    if (auto ok = refuseSides(image, "WebP", WEBP_MAX_DIMENSION); !ok) return fail(ok.error());
    auto prepared = prepareEightBit(image);
    if (!prepared) return fail(prepared.error());
    std::vector<std::string> notices = std::move(prepared->notices);
    const auto leveled = withoutWhiteLevel(prepared->image, "WebP", notices);
    if (!leveled) return fail(leveled.error());
    const Image& source = *leveled;
    // The format has colour only; a profile for gray does not fit it.
    if (!isColor(source.format())) notices.emplace_back("gray is stored as equal R, G and B");
    const Bytes profile = isColor(source.format()) ? usableProfile(source, notices) : Bytes{};

    WebPConfig config;
    Picture picture;
    if (!picture.valid || !WebPConfigInit(&config) ||
        !WebPConfigLosslessPreset(&config, kLosslessEffort))
        return fail(ErrorCode::Internal, "libwebp is not the version that this was built with");
    config.exact = 1;  // keeps the colour under full transparency
    Sink sink;
    picture.data.use_argb = 1;
    picture.data.width = source.width();
    picture.data.height = source.height();
    picture.data.writer = Sink::take;
    picture.data.custom_ptr = &sink;
    bool ok = WebPPictureAlloc(&picture.data) != 0;
    if (ok) {
        fillPixels(source, picture.data);
        ok = WebPEncode(&config, &picture.data) != 0;
    }
    if (!ok) {
        const auto code = picture.data.error_code;
        const bool memory = code == VP8_ENC_ERROR_OUT_OF_MEMORY ||
                            code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY ||
                            code == VP8_ENC_ERROR_BAD_WRITE;
        return fail(memory ? ErrorCode::OutOfMemory : ErrorCode::Internal,
                    fmt::format("WebP could not be written, libwebp error {}", int(code)));
    }
    if (!profile.empty()) {
        auto assembled = withProfile(sink.bytes, profile);
        if (!assembled) return fail(assembled.error());
        sink.bytes = std::move(*assembled);
    }
    return EncodedImage{std::move(sink.bytes), std::move(notices)};
}

Codec webpCodec() {
    return {{{"WebP", {"webp"}, true, true}},
            [](Bytes bytes) {
                return bytes.size() >= 12 && std::memcmp(bytes.data(), "RIFF", 4) == 0 &&
                       std::memcmp(bytes.data() + 8, "WEBP", 4) == 0;
            },
            decodeWebp,
            encodeWebp,
            listWebpPages};
}

}  // namespace warpscope::io
