#include <fmt/format.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

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

// All that libwebp works on: it may outlive the save.
struct WebpWork {
    Image source;
    std::stop_token stop;
    WebPConfig config;
    Picture picture;
    Sink sink;
    bool ok = false;
    bool finished = false;   // guarded by WebpCrew::mutex
    bool abandoned = false;  // guarded by WebpCrew::mutex
};

void encodeWebpWork(WebpWork& work) {
    WebPPicture& picture = work.picture.data;
    picture.use_argb = 1;
    picture.width = work.source.width();
    picture.height = work.source.height();
    picture.writer = Sink::take;
    picture.custom_ptr = &work.sink;
    picture.user_data = &work;
    picture.progress_hook = [](int, const WebPPicture* one) -> int {
        return !static_cast<const WebpWork*>(one->user_data)->stop.stop_requested();
    };
    if (!WebPPictureAlloc(&picture)) return;
    fillPixels(work.source, picture);
    work.ok = WebPEncode(&work.config, &picture) != 0;
}

struct WebpCrew {
    std::mutex mutex;
    std::condition_variable_any changed;
    int abandoned = 0;  // guarded by mutex
};

// Never destroyed: who was abandoned may outlive main().
WebpCrew& webpCrew() {
    static WebpCrew& it = *new WebpCrew;
    return it;
}

// For ten seconds and more of a large image libwebp tells nothing and hears nothing. So it works in
// a thread of its own, which is abandoned when the save is cancelled: it ends with its next report
// of progress, and nobody gets what it made. Until then it holds memory, for which the next waits.
Result<void> encodeApart(const std::shared_ptr<WebpWork>& work) {
    WebpCrew& all = webpCrew();
    std::unique_lock lock(all.mutex);
    if (!all.changed.wait(lock, work->stop, [&] { return all.abandoned == 0; })) return cancelled();
    lock.unlock();
    try {
        std::thread([work, &all] {
            encodeWebpWork(*work);
            const std::lock_guard held(all.mutex);
            work->finished = true;
            all.abandoned -= work->abandoned;
            all.changed.notify_all();
        }).detach();
    } catch (const std::system_error&) {  // no thread is to be had
        encodeWebpWork(*work);
        return {};
    }
    lock.lock();
    if (all.changed.wait(lock, work->stop, [&] { return work->finished; })) return {};
    work->abandoned = true;
    ++all.abandoned;
    return cancelled();
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

Result<EncodedImage> encodeWebp(const Image& image, std::string_view, const std::stop_token& stop) {
    if (auto ok = refuseSides(image, "WebP", WEBP_MAX_DIMENSION); !ok) return fail(ok.error());
    auto prepared = prepareEightBit(image, stop);
    if (!prepared) return fail(prepared.error());
    std::vector<std::string> notices = std::move(prepared->notices);
    const auto leveled = withoutWhiteLevel(prepared->image, "WebP", notices, stop);
    if (!leveled) return fail(leveled.error());
    // The format has colour only; a profile for gray does not fit it.
    if (!isColor(leveled->format())) notices.emplace_back("gray is stored as equal R, G and B");
    const Bytes profile = isColor(leveled->format()) ? usableProfile(*leveled, notices) : Bytes{};

    const auto work = std::make_shared<WebpWork>();
    work->source = *leveled;
    work->stop = stop;
    if (!work->picture.valid || !WebPConfigInit(&work->config) ||
        !WebPConfigLosslessPreset(&work->config, kLosslessEffort))
        return fail(ErrorCode::Internal, "libwebp is not the version that this was built with");
    work->config.exact = 1;  // keeps the colour under full transparency
    if (auto done = encodeApart(work); !done) return fail(done.error());
    if (!work->ok) {
        const auto code = work->picture.data.error_code;
        if (code == VP8_ENC_ERROR_USER_ABORT) return cancelled();
        const bool memory = code == VP8_ENC_ERROR_OUT_OF_MEMORY ||
                            code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY ||
                            code == VP8_ENC_ERROR_BAD_WRITE;
        return fail(memory ? ErrorCode::OutOfMemory : ErrorCode::Internal,
                    fmt::format("WebP could not be written, libwebp error {}", int(code)));
    }
    std::vector<std::uint8_t> bytes = std::move(work->sink.bytes);
    if (!profile.empty()) {
        auto assembled = withProfile(bytes, profile);
        if (!assembled) return fail(assembled.error());
        bytes = std::move(*assembled);
    }
    return EncodedImage{std::move(bytes), std::move(notices)};
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
