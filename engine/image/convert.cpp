#include "engine/image/convert.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/image/largest_sum.h"

namespace warpscope {
namespace {

// Integer formats of 16 bits over their full scale: the exact narrowing, not a floating-point one.
void narrowRows(const Image& image, const MutableImage& out, int first, int last) {
    const auto from = image.view<std::uint16_t>();
    const auto to = out.view<std::uint8_t>();
    const int samples = from.samplesPerRow();
    for (int y = first; y < last; ++y) {
        const std::uint16_t* in = from.row(y);
        std::uint8_t* result = to.row(y);
        for (int i = 0; i < samples; ++i) result[i] = narrowSample(in[i]);
    }
}

std::uint8_t mapSample(double v, double low, double scale) {
    const double scaled = (v - low) * scale;
    if (!(scaled > 0)) return 0;  // NaN too
    return scaled >= 255.0 ? std::uint8_t(255) : std::uint8_t(scaled + 0.5);
}

template <class T>
void mapRows(const Image& image, DisplayRange range, const MutableImage& out, int first, int last) {
    const auto from = image.view<T>();
    const auto to = out.view<std::uint8_t>();
    const int channels = from.channels;
    const double width = range.high - range.low;
    // An empty range shows what lies above it as white.
    const double scale = width > 0 ? 255.0 / width : 1e300;
    // Alpha that a reader filled in is the largest value of the type, and clamped.
    const double alphaScale = 255.0 / (isFloat(image.format()) ? 1.0 : image.info().whiteLevel);
    for (int y = first; y < last; ++y) {
        const T* in = from.row(y);
        std::uint8_t* result = to.row(y);
        for (int i = 0; i < from.samplesPerRow(); ++i) {
            const bool alpha = channels == 4 && (i & 3) == 3;
            result[i] = alpha ? mapSample(double(in[i]), 0.0, alphaScale)
                              : mapSample(double(in[i]), range.low, scale);
        }
    }
}

template <class T>
double largestIn(const Image& image, int first, int last) {
    const auto view = image.view<T>();
    T largest = 0;
    for (int y = first; y < last; ++y)
        largest = std::max(largest, *std::max_element(view.row(y), view.row(y) + view.width));
    return double(largest);
}

double largestIn(const Image& image, int first, int last) {
    return image.format() == PixelFormat::Gray64 ? largestIn<std::uint64_t>(image, first, last)
                                                 : largestIn<std::uint32_t>(image, first, last);
}

// Of the images asked for last: worker and window ask for the same, one after the other. Not of
// small ones: drafts of a slider would drive out the result, and are soon looked at again.
class KnownLargest {
  public:
    std::optional<double> find(const Image& image) {
        const std::lock_guard lock(m_guard);
        const auto at = std::ranges::find(m_known, image.id(), &Known::image);
        if (image.id() == 0 || at == m_known.end()) return std::nullopt;
        std::rotate(at, at + 1, m_known.end());
        return m_known.back().largest;
    }
    void add(const Image& image, double largest) {
        if (image.size().pixels() < kWorthKeeping) return;
        const std::lock_guard lock(m_guard);
        std::rotate(m_known.begin(), m_known.begin() + 1, m_known.end());
        m_known.back() = {image.id(), largest};
    }

  private:
    struct Known {
        std::uint64_t image = 0;
        double largest = 0;
    };
    static constexpr std::int64_t kWorthKeeping = 1 << 21;
    std::mutex m_guard;
    std::array<Known, 16> m_known;  // guarded by m_guard; the last one last
};

KnownLargest& knownLargest() {
    static KnownLargest known;
    return known;
}

bool isSum(PixelFormat format) {
    return format == PixelFormat::Gray32 || format == PixelFormat::Gray64;
}

bool isFullScale(const Image& image, DisplayRange range) {
    return range.low == 0.0 && range.high == fullScale(image.format());
}

}  // namespace

Result<Image> fullScaleAlpha(const Image& image, const CpuContext& context) {
    const double full = fullScale(image.format());
    const double white = image.info().whiteLevel;
    const bool integers =
        image.format() == PixelFormat::Rgba8 || image.format() == PixelFormat::Rgba16;
    if (!integers || !image.info().hasAlpha || !(white > 0) || white >= full) return image;
    auto out = MutableImage::create(image.format(), image.size());
    if (!out) return fail(out.error());
    const auto body = [&](int first, int last) {
        visitSampleType(image.format(), [&]<class T>() {
            if constexpr (std::is_integral_v<T>) {
                for (int y = first; y < last; ++y) {
                    const T* in = image.view<T>().row(y);
                    T* to = out->view<T>().row(y);
                    for (int i = 0; i < 4 * image.width(); ++i)
                        to[i] = (i & 3) != 3
                                    ? in[i]
                                    : T(std::min(full, double(in[i]) * full / white + 0.5));
                }
            }
        });
    };
    const int band = rowsPerBand(context, image.height(), std::uint64_t(image.pitch()));
    if (auto done = forEachRowBand(context, image.height(), band, body); !done)
        return fail(done.error());
    return std::move(*out).freeze(image.info());
}

DisplayRange naturalRange(const Image& image) {
    switch (image.format()) {
        case PixelFormat::Gray8:
        case PixelFormat::Rgba8:
        case PixelFormat::Gray16:
        case PixelFormat::Rgba16:
            return {0.0, image.info().whiteLevel};
        case PixelFormat::GrayF32:
        case PixelFormat::RgbaF32:
            return {0.0, 1.0};
        case PixelFormat::Gray32:
        case PixelFormat::Gray64:
            if (const auto known = knownLargest().find(image)) return {0.0, *known};
            const double largest = largestIn(image, 0, image.height());
            knownLargest().add(image, largest);
            return {0.0, largest};
    }
    return {};
}

Result<double> largestSum(const Image& image, const CpuContext& context) {
    if (const auto known = knownLargest().find(image)) return *known;
    const int rows = rowsPerBand(context, image.height(), std::uint64_t(image.pitch()));
    std::vector<double> largest(std::size_t((image.height() + rows - 1) / rows), 0);
    const auto done = forEachRowBand(context, image.height(), rows, [&](int first, int last) {
        largest[std::size_t(first / rows)] = largestIn(image, first, last);
    });
    if (!done) return fail(done.error());
    const double all = *std::ranges::max_element(largest);
    knownLargest().add(image, all);
    return all;
}

Result<Image> toEightBit(const Image& image, const CpuContext& context) {
    // Eight bits are not widened: they are what operations take.
    const bool eight = bytesPerSample(image.format()) == 1;
    if (!isSum(image.format()))
        return toEightBit(image, eight ? DisplayRange{0.0, 255.0} : naturalRange(image), context);
    const auto largest = largestSum(image, context);
    if (!largest) return fail(largest.error());
    return toEightBit(image, DisplayRange{0.0, *largest}, context);
}

Result<Image> toEightBit(const Image& image, DisplayRange range, const CpuContext& context) {
    const PixelFormat format = eightBitTwin(image.format());
    if (image.format() == format && isFullScale(image, range)) return image;
    auto out = MutableImage::create(format, image.size());
    if (!out) return fail(out.error());
    const bool exactNarrowing = bytesPerSample(image.format()) == 2 && isFullScale(image, range);
    const auto body = [&](int first, int last) {
        if (exactNarrowing) {
            narrowRows(image, *out, first, last);
        } else {
            visitSampleType(image.format(),
                            [&]<class T>() { mapRows<T>(image, range, *out, first, last); });
        }
    };
    const int band = rowsPerBand(context, image.height(), std::uint64_t(image.pitch()));
    if (auto done = forEachRowBand(context, image.height(), band, body); !done)
        return fail(done.error());
    ImageInfo info = image.info();
    info.whiteLevel = 255.0;
    return std::move(*out).freeze(std::move(info));
}

Result<double> clippedShare(const Image& image, const CpuContext& context) {
    if (!isFloat(image.format())) return 0.0;
    const auto view = image.view<float>();
    const int colors = isColor(image.format()) ? 3 : 1;
    std::atomic<std::uint64_t> clipped{0};
    const auto body = [&](int first, int last) {
        std::uint64_t count = 0;
        for (int y = first; y < last; ++y) {
            const float* row = view.row(y);
            for (int x = 0; x < image.width(); ++x)
                for (int c = 0; c < colors; ++c) {
                    const float v = row[std::ptrdiff_t(x) * view.channels + c];
                    count += !(v >= 0.0f && v <= 1.0f);  // true of NaN too
                }
        }
        clipped.fetch_add(count, std::memory_order_relaxed);
    };
    const int band = rowsPerBand(context, image.height(), std::uint64_t(image.pitch()));
    if (auto done = forEachRowBand(context, image.height(), band, body); !done)
        return fail(done.error());
    return double(clipped.load()) /
           (double(image.width()) * double(image.height()) * double(colors));
}

}  // namespace warpscope
