// JPEG XL with libjxl: samples as they are coded, frames of an animation as they are shown. libjxl
// gives out integers of any width spread over 8 or 16 bits; those of 9 to 15 bits, and of 3, 5, 6
// and 7, are taken back to what is coded.
#include <fmt/format.h>
#include <jxl/decode.h>
#include <jxl/thread_parallel_runner.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#if __has_include(<jxl/version.h>)
#include <jxl/version.h>
#endif

#include "engine/io/decode_support.h"
#include "engine/io/orientation.h"

namespace warpscope::io {
namespace {

constexpr std::size_t kBytesBetweenStops = 256 * 1024;
// What the library holds of a pixel and channel while it decodes: floats, twice.
constexpr std::uint64_t kBytesPerSample = 8;
constexpr int kMostChannels = 64;

// Runs the library's tasks on threads, and passes over what is left once a stop is requested.
class Runner {
  public:
    explicit Runner(std::stop_token stop)
        : m_stop(std::move(stop)),
          m_threads(JxlThreadParallelRunnerCreate(nullptr,
                                                  JxlThreadParallelRunnerDefaultNumWorkerThreads()),
                    &JxlThreadParallelRunnerDestroy) {
        if (!m_threads) throw std::bad_alloc();
    }
    static JxlParallelRetCode run(void* self, void* context, JxlParallelRunInit init,
                                  JxlParallelRunFunction function, std::uint32_t first,
                                  std::uint32_t end) {
        auto& runner = *static_cast<Runner*>(self);
        Task task{context, function, runner.m_stop};
        if (task.stop.stop_requested()) return JXL_PARALLEL_RET_RUNNER_ERROR;
        task.init = init;
        return JxlThreadParallelRunner(runner.m_threads.get(), &task, &Task::begin, &Task::one,
                                       first, end);
    }

  private:
    struct Task {
        void* context;
        JxlParallelRunFunction function;
        const std::stop_token& stop;
        JxlParallelRunInit init = nullptr;
        static JxlParallelRetCode begin(void* self, std::size_t threads) {
            const Task& task = *static_cast<Task*>(self);
            return task.init(task.context, threads);
        }
        static void one(void* self, std::uint32_t value, std::size_t thread) {
            const Task& task = *static_cast<Task*>(self);
            if (!task.stop.stop_requested()) task.function(task.context, value, thread);
        }
    };
    std::stop_token m_stop;
    std::unique_ptr<void, decltype(&JxlThreadParallelRunnerDestroy)> m_threads;
};

using DecoderPtr = std::unique_ptr<JxlDecoder, decltype(&JxlDecoderDestroy)>;

DecoderPtr makeDecoder(int events) {
    DecoderPtr decoder(JxlDecoderCreate(nullptr), &JxlDecoderDestroy);
    if (!decoder || JxlDecoderSubscribeEvents(decoder.get(), events) != JXL_DEC_SUCCESS ||
        JxlDecoderSetKeepOrientation(decoder.get(), JXL_TRUE) != JXL_DEC_SUCCESS)
        throw std::bad_alloc();
    return decoder;
}

// How the samples become ours.
struct JxlLayout {
    Size size;
    int orientation = 1;
    int bits = 8;
    bool isFloat = false, color = false, alpha = false;
    PixelFormat format = PixelFormat::Gray8;
    JxlDataType type = JXL_TYPE_UINT8;
    double white = 255;
    // The largest sample as it is given out, where that is not what is coded; else 0.
    std::uint32_t spreadTo = 0;

    std::uint32_t channels() const { return (color ? 3 : 1) + (alpha ? 1 : 0); }
};

Result<JxlLayout> layoutOf(const JxlBasicInfo& info) {
    if (auto ok = checkSides(info.xsize, info.ysize); !ok) return fail(ok.error());
    JxlLayout layout;
    layout.size = {int(info.xsize), int(info.ysize)};
    layout.orientation = int(info.orientation);
    layout.bits = int(info.bits_per_sample);
    layout.isFloat = info.exponent_bits_per_sample > 0;
    layout.color = info.num_color_channels == 3;
    layout.alpha = info.alpha_bits > 0;
    if (info.num_extra_channels > std::uint32_t(kMostChannels))
        return fail(ErrorCode::LimitExceeded,
                    fmt::format("{} channels are more than the limit of {}",
                                info.num_extra_channels, kMostChannels));
    if (!layout.isFloat && layout.bits > 16)
        return fail(ErrorCode::Unsupported,
                    fmt::format("JPEG XL with integers of {} bits is not read", layout.bits));
    const bool wide = layout.color || layout.alpha;
    if (layout.isFloat) {
        layout.type = JXL_TYPE_FLOAT;
        layout.format = wide ? PixelFormat::RgbaF32 : PixelFormat::GrayF32;
        layout.white = 1.0;
        return layout;
    }
    const int bits = layout.bits;
    layout.type = bits > 8 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8;
    layout.format = bits > 8 ? (wide ? PixelFormat::Rgba16 : PixelFormat::Gray16)
                             : (wide ? PixelFormat::Rgba8 : PixelFormat::Gray8);
    // 1, 2 and 4 bits spread over 8 as replication does it.
    const bool replicated = bits == 1 || bits == 2 || bits == 4 || bits == 8;
    layout.white = replicated ? 255.0 : double((1u << bits) - 1);
    if (!replicated && bits != 16) layout.spreadTo = bits > 8 ? 65535 : 255;
    return layout;
}

// One pass over the file: events until the wanted one, or an error.
class JxlStream {
  public:
    JxlStream(JxlDecoder* decoder, Bytes bytes, const std::stop_token& stop)
        : m_decoder(decoder), m_bytes(bytes), m_stop(stop) {}

    // Errors: Cancelled, Damaged.
    Result<JxlDecoderStatus> next() {
        for (;;) {
            if (m_stop.stop_requested()) return cancelled();
            const JxlDecoderStatus status = JxlDecoderProcessInput(m_decoder);
            if (m_stop.stop_requested()) return cancelled();
            if (status == JXL_DEC_ERROR)
                return fail(ErrorCode::Damaged, "the compressed data is wrong");
            if (status != JXL_DEC_NEED_MORE_INPUT) return status;
            if (m_given == m_bytes.size()) return fail(ErrorCode::Damaged, "the file ends early");
            const std::size_t left = JxlDecoderReleaseInput(m_decoder);
            const std::size_t from = m_given - left;
            m_given = std::min(m_given + kBytesBetweenStops, m_bytes.size());
            if (JxlDecoderSetInput(m_decoder, m_bytes.data() + from, m_given - from) !=
                JXL_DEC_SUCCESS)
                return fail(ErrorCode::Damaged, "the compressed data is wrong");
            if (m_given == m_bytes.size()) JxlDecoderCloseInput(m_decoder);
        }
    }

  private:
    JxlDecoder* m_decoder;
    Bytes m_bytes;
    const std::stop_token& m_stop;
    std::size_t m_given = 0;
};

// Takes rows from the library's threads.
struct JxlSink {
    MutableImage& image;
    const JxlLayout& layout;
    std::atomic<std::int64_t> pixels = 0;

    static void take(void* self, std::size_t x, std::size_t y, std::size_t count,
                     const void* samples) {
        auto& sink = *static_cast<JxlSink*>(self);
        const auto width = std::size_t(sink.layout.size.width);
        if (y >= std::size_t(sink.layout.size.height) || x >= width || count > width - x) return;
        visitSampleType(sink.layout.format, [&]<class T>() {
            if constexpr (sizeof(T) <= 4 && !std::is_same_v<T, std::uint32_t>)
                sink.store(static_cast<const T*>(samples), int(x), int(y), int(count));
        });
        sink.pixels += std::int64_t(count);
    }

    template <class T>
    void store(const T* from, int x, int y, int count) {
        const int channels = int(layout.channels());
        T* to = image.view<T>().row(y) + std::ptrdiff_t(x) * channelCount(layout.format);
        std::memcpy(to, from, sizeof(T) * std::size_t(count) * std::size_t(channels));
        if constexpr (!std::is_floating_point_v<T>) {
            if (layout.spreadTo != 0) {
                const auto white = std::uint32_t(layout.white), spread = layout.spreadTo;
                for (int i = 0; i < count * channels; ++i)
                    to[i] = T((to[i] * white + spread / 2) / spread);
            }
        }
        if (!isColor(layout.format)) return;
        widenToRgba(to, count, channels);
        // Opaque is the white level.
        if constexpr (!std::is_floating_point_v<T>)
            if (!layout.alpha && layout.spreadTo != 0)
                for (int i = 0; i < count; ++i) to[4 * i + 3] = opaqueValue<T>();
    }
};

void readProfile(JxlDecoder* decoder, ImageInfo& info) {
    JxlColorEncoding encoding;
    std::size_t size = 0;
    std::vector<std::uint8_t> profile;
#if defined(JPEGXL_NUMERIC_VERSION) && \
    JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define WARPSCOPE_JXL_FORMAT
#else
    const JxlPixelFormat unused{3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
#define WARPSCOPE_JXL_FORMAT &unused,
#endif
    const bool encoded = JxlDecoderGetColorAsEncodedProfile(
                             decoder, WARPSCOPE_JXL_FORMAT JXL_COLOR_PROFILE_TARGET_DATA,
                             &encoding) == JXL_DEC_SUCCESS;
    const bool srgb = encoded &&
                      (encoding.color_space == JXL_COLOR_SPACE_GRAY ||
                       encoding.primaries == JXL_PRIMARIES_SRGB) &&
                      encoding.white_point == JXL_WHITE_POINT_D65 &&
                      encoding.transfer_function == JXL_TRANSFER_FUNCTION_SRGB;
    // What is sRGB needs none.
    if (srgb ||
        JxlDecoderGetICCProfileSize(decoder, WARPSCOPE_JXL_FORMAT JXL_COLOR_PROFILE_TARGET_DATA,
                                    &size) != JXL_DEC_SUCCESS ||
        size == 0 || size > kMaxProfileBytes)
        return;
    profile.resize(size);
    if (JxlDecoderGetColorAsICCProfile(decoder, WARPSCOPE_JXL_FORMAT JXL_COLOR_PROFILE_TARGET_DATA,
                                       profile.data(), size) == JXL_DEC_SUCCESS)
        setProfile(info, profile);
#undef WARPSCOPE_JXL_FORMAT
}

struct JxlPages {
    JxlBasicInfo basic{};
    std::vector<std::string> names;
};

Result<JxlPages> countPages(Bytes bytes, const std::stop_token& stop) {
    const auto decoder = makeDecoder(JXL_DEC_BASIC_INFO | JXL_DEC_FRAME);
    JxlStream stream(decoder.get(), bytes, stop);
    JxlPages pages;
    for (;;) {
        const auto status = stream.next();
        if (!status) {
            if (status.error().code == ErrorCode::Cancelled) return cancelled();
            // What is there of a file that is cut can be listed.
            if (!pages.names.empty()) return pages;
            return damagedHeader(status.error().message);
        }
        if (*status == JXL_DEC_BASIC_INFO) {
            if (JxlDecoderGetBasicInfo(decoder.get(), &pages.basic) != JXL_DEC_SUCCESS)
                return damagedHeader("the header is wrong");
            if (!pages.basic.have_animation) {
                pages.names.emplace_back();
                return pages;
            }
        } else if (*status == JXL_DEC_FRAME) {
            JxlFrameHeader frame;
            if (JxlDecoderGetFrameHeader(decoder.get(), &frame) != JXL_DEC_SUCCESS)
                return damagedHeader("a frame's header is wrong");
            const auto& clock = pages.basic.animation;
            pages.names.push_back(
                clock.tps_numerator == 0
                    ? ""
                    : fmt::format("{:.4g} ms", 1000.0 * frame.duration * clock.tps_denominator /
                                                   clock.tps_numerator));
            if (pages.names.size() == std::size_t(kMostPages)) return pages;
        } else {
            if (pages.names.empty()) return damagedHeader("there is no picture");
            return pages;
        }
    }
}

void describe(const JxlBasicInfo& basic, const JxlLayout& layout, ImageInfo& info) {
    info.whiteLevel = layout.white;
    info.hasAlpha = layout.alpha;
    info.sourceFormat = fmt::format("JPEG XL, {}{}, {}{}", layout.bits,
                                    layout.isFloat     ? "-bit float"
                                    : layout.bits == 1 ? " bit"
                                                       : " bits",
                                    layout.color   ? (layout.alpha ? "RGBA" : "RGB")
                                    : layout.alpha ? "gray and alpha"
                                                   : "gray",
                                    basic.uses_original_profile ? "" : ", lossy");
    const std::uint32_t further = basic.num_extra_channels - (layout.alpha ? 1 : 0);
    if (further > 0)
        addNotice(info, fmt::format("{} further channel{} left out", further,
                                    further == 1 ? " was" : "s were"));
    if (layout.alpha && basic.alpha_premultiplied)
        addNotice(info, "colours are as they are stored, multiplied by alpha");
}

}  // namespace

Result<Image> decodeJxl(Bytes bytes, const ReadOptions& options) {
    const auto pages = countPages(bytes, options.stop);
    if (!pages) return fail(pages.error());
    const JxlBasicInfo& basic = pages->basic;
    if (auto ok = checkPage(options.page, pages->names.size(), "frame"); !ok)
        return fail(ok.error());
    const auto layout = layoutOf(basic);
    if (!layout) return fail(layout.error());
    const auto samples = std::uint64_t(layout->size.pixels()) *
                         (basic.num_color_channels + std::uint64_t(basic.num_extra_channels));
    const std::uint64_t upright =
        uprightBytes(layout->format, layout->size, layout->orientation, false);
    auto image = createImage(layout->format, basic.xsize, basic.ysize, options.limits,
                             std::max(samples * kBytesPerSample, upright));
    if (!image) return fail(image.error());

    const auto decoder = makeDecoder(JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE);
    Runner runner(options.stop);
    if (JxlDecoderSetParallelRunner(decoder.get(), &Runner::run, &runner) != JXL_DEC_SUCCESS)
        throw std::bad_alloc();
    if (options.page > 0) JxlDecoderSkipFrames(decoder.get(), std::size_t(options.page));
    JxlStream stream(decoder.get(), bytes, options.stop);
    JxlSink sink{*image, *layout};
    ImageInfo info;
    const auto damaged = [&](std::string_view why) {
        return fail(
            damagedAfterRow(int(sink.pixels / layout->size.width), layout->size.height, why));
    };
    // An animation is read as far as its frame; a file of one image to its end.
    for (bool done = false; !done;) {
        const auto status = stream.next();
        if (!status) {
            if (status.error().code == ErrorCode::Cancelled) return cancelled();
            return damaged(status.error().message);
        }
        switch (*status) {
            case JXL_DEC_COLOR_ENCODING:
                readProfile(decoder.get(), info);
                break;
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER: {
                const JxlPixelFormat format{layout->channels(), layout->type, JXL_NATIVE_ENDIAN, 0};
                sink.pixels = 0;
                if (JxlDecoderSetImageOutCallback(decoder.get(), &format, &JxlSink::take, &sink) !=
                    JXL_DEC_SUCCESS)
                    return damaged("the library does not give its samples out");
                break;
            }
            case JXL_DEC_FULL_IMAGE:
                if (sink.pixels < layout->size.pixels()) return damaged("samples are missing");
                done = basic.have_animation != 0;
                break;
            default:
                done = true;
                break;
        }
    }
    if (sink.pixels < layout->size.pixels()) return damaged("samples are missing");
    describe(basic, *layout, info);
    addPageNotice(info, options.page, pages->names.size(), "frame");
    return freezeUpright(std::move(*image), std::move(info), layout->orientation, options);
}

Result<std::vector<PageInfo>> listJxlPages(Bytes bytes, const ReadOptions& options) {
    const auto pages = countPages(bytes, options.stop);
    if (!pages) return fail(pages.error());
    PageInfo one;
    if (const auto layout = layoutOf(pages->basic)) {
        one.size = uprightSize(layout->size, layout->orientation);
        one.format = layout->format;
    } else {
        one.problem = layout.error().message;
    }
    std::vector<PageInfo> infos(pages->names.size(), one);
    for (std::size_t i = 0; i < infos.size(); ++i) infos[i].name = pages->names[i];
    return infos;
}

}  // namespace warpscope::io
