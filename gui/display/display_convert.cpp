#include "gui/display/display_convert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace warpscope::gui {
namespace {

constexpr int kToneSteps = 65536;

std::uint8_t rounded(double v) {
    if (!(v > 0)) return 0;  // NaN too
    return v >= 255.0 ? std::uint8_t(255) : std::uint8_t(v + 0.5);
}

const std::array<std::uint8_t, kToneSteps>& logarithmicTable() {
    static const auto table = [] {
        std::array<std::uint8_t, kToneSteps> values{};
        for (int i = 0; i < kToneSteps; ++i)
            values[std::size_t(i)] = rounded(255.0 * logarithmicTone(i / double(kToneSteps - 1)));
        return values;
    }();
    return table;
}

class Tone {
  public:
    Tone(DisplayRange range, bool logarithmic) : m_low(range.low), m_logarithmic(logarithmic) {
        const double width = range.high - range.low;
        // An empty range shows what lies above it as white.
        m_scale = width > 0 ? (logarithmic ? kToneSteps - 1 : 255.0) / width : 1e300;
    }
    std::uint8_t operator()(double v) const {
        const double scaled = (v - m_low) * m_scale;
        if (!m_logarithmic) return rounded(scaled);
        if (!(scaled > 0)) return logarithmicTable().front();
        return logarithmicTable()[std::size_t(std::min(scaled + 0.5, kToneSteps - 1.0))];
    }

  private:
    double m_low;
    double m_scale = 1;
    bool m_logarithmic;
};

ScreenColor markOf(double v) {
    if (std::isnan(v)) return kNaNColor;
    return v > 0 ? kInfColor : kMinusInfColor;
}

void put(std::uint8_t* out, ScreenColor color) {
    out[0] = color.r;
    out[1] = color.g;
    out[2] = color.b;
    out[3] = 255;
}

template <class T>
bool isFiniteSample(T v) {
    if constexpr (std::is_floating_point_v<T>)
        return std::isfinite(v);
    else
        return true;
}

// Alpha that a reader filled in is no sample of the file.
int countedChannels(const Image& image) {
    return isColor(image.format()) && !image.info().hasAlpha ? 3 : channelCount(image.format());
}

template <class T>
bool anyNotFinite(const Image& image) {
    if constexpr (std::is_floating_point_v<T>) {
        const auto view = image.view<T>();
        for (int y = 0; y < view.height; ++y) {
            const T* row = view.row(y);
            for (int i = 0; i < view.samplesPerRow(); ++i)
                if (!std::isfinite(row[i])) return true;
        }
    }
    return false;
}

template <class T>
void mapGray(const Image& image, const Tone& tone, const MutableImage& out) {
    const auto from = image.view<T>();
    const auto to = out.view<std::uint8_t>();
    for (int y = 0; y < from.height; ++y) {
        const T* in = from.row(y);
        std::uint8_t* result = to.row(y);
        if (to.channels == 1) {
            for (int x = 0; x < from.width; ++x) result[x] = tone(double(in[x]));
            continue;
        }
        for (int x = 0; x < from.width; ++x) {
            const std::uint8_t v = tone(double(in[x]));
            put(result + 4 * x, isFiniteSample(in[x]) ? ScreenColor{v, v, v} : markOf(in[x]));
        }
    }
}

template <class T>
void mapColor(const Image& image, const Tone& tone, const MutableImage& out) {
    const auto from = image.view<T>();
    const auto to = out.view<std::uint8_t>();
    const int counted = countedChannels(image);
    const double white = isFloat(image.format()) ? 1.0 : image.info().whiteLevel;
    for (int y = 0; y < from.height; ++y) {
        const T* in = from.row(y);
        std::uint8_t* result = to.row(y);
        for (int x = 0; x < from.width; ++x, in += 4, result += 4) {
            for (int c = 0; c < 3; ++c) result[c] = tone(double(in[c]));
            result[3] = rounded(double(in[3]) * 255.0 / white);
            for (int c = counted - 1; c >= 0; --c)
                if (!isFiniteSample(in[c])) put(result, markOf(double(in[c])));
        }
    }
}

// Difference in levels of 1/255 of the unit. Samples that are not finite: 0 where both are alike,
// else `incomparable`.
template <class T>
double difference(T a, T b, double scale, bool& incomparable) {
    if (!isFiniteSample(a) || !isFiniteSample(b)) {
        const bool alike = (a != a && b != b) || a == b;
        incomparable = incomparable || !alike;
        return 0;
    }
    // Integers subtract exactly, also where a double could not hold them.
    if constexpr (std::is_integral_v<T>)
        return a >= b ? double(a - b) * scale : -double(b - a) * scale;
    else
        return (double(a) - double(b)) * scale;
}

template <class T>
void subtractRows(const Image& a, const Image& b, double scale, const DifferenceStyle& style,
                  const MutableImage& out) {
    const auto first = a.view<T>();
    const auto second = b.view<T>();
    const auto to = out.view<std::uint8_t>();
    const int colors = first.channels == 4 ? 3 : 1;
    const bool alpha = first.channels == 4 && (a.info().hasAlpha || b.info().hasAlpha);
    const bool absolute = style.kind == DifferenceKind::Absolute;
    const double factor = absolute ? style.gain : style.gain * 0.5;
    for (int y = 0; y < first.height; ++y) {
        const T* p = first.row(y);
        const T* q = second.row(y);
        std::uint8_t* result = to.row(y);
        for (int x = 0; x < first.width; ++x, p += first.channels, q += first.channels) {
            bool incomparable = false;
            double levels[3] = {};
            for (int c = 0; c < colors; ++c)
                levels[c] = difference(p[c], q[c], scale, incomparable);
            const double ofAlpha = alpha ? difference(p[3], q[3], scale, incomparable) : 0.0;
            std::uint8_t* pixel = result + 4 * x;
            for (int c = 0; c < 3; ++c) {
                const double d = levels[colors == 1 ? 0 : c];
                pixel[c] = absolute ? rounded((std::abs(d) + std::abs(ofAlpha)) * factor)
                                    : rounded(128.0 + (d + ofAlpha) * factor);
            }
            pixel[3] = 255;
            if (incomparable) put(pixel, kNaNColor);
        }
    }
}

template <class T>
bool inHighlight(const T* pixel, int channels, const ValueHighlight& h) {
    const auto inside = [&h](double v) { return v >= h.low && v <= h.high; };
    if (channels == 1) return inside(double(pixel[0]));
    if (h.channels.luma) {
        // As the histogram counts: in integers where samples are.
        if constexpr (std::is_integral_v<T>) {
            const auto sum = 19595ull * pixel[0] + 38470ull * pixel[1] + 7471ull * pixel[2];
            if (inside(double((sum + 32768) >> 16))) return true;
        } else if (inside(0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2])) {
            return true;
        }
    }
    return (h.channels.red && inside(double(pixel[0]))) ||
           (h.channels.green && inside(double(pixel[1]))) ||
           (h.channels.blue && inside(double(pixel[2])));
}

}  // namespace

bool operator==(const DisplayLook& a, const DisplayLook& b) {
    const auto sameRange = [](const auto& p, const auto& q) {
        return p.has_value() == q.has_value() && (!p || (p->low == q->low && p->high == q->high));
    };
    return sameRange(a.range, b.range) && a.logarithmic == b.logarithmic &&
           a.difference == b.difference && a.highlight == b.highlight;
}

int mostGain(PixelFormat format) {
    const int bytes = bytesPerSample(format);
    return bytes == 1 ? 1 << 8 : bytes == 2 ? 1 << 16 : 1 << 24;
}

double logarithmicTone(double t) {
    return std::log1p(255.0 * std::clamp(t, 0.0, 1.0)) / std::log(256.0);
}

Result<Image> toScreen(const Image& image, DisplayRange range, bool logarithmic) {
    if (!isFloat(image.format()) && !logarithmic)
        return toEightBit(image, range, CpuContext{Threading::Single, {}, {}});
    const bool color = isColor(image.format());
    const bool marked =
        visitSampleType(image.format(), [&]<class T>() { return anyNotFinite<T>(image); });
    auto out = MutableImage::create(color || marked ? PixelFormat::Rgba8 : PixelFormat::Gray8,
                                    image.size());
    if (!out) return fail(out.error());
    const Tone tone(range, logarithmic);
    visitSampleType(image.format(), [&]<class T>() {
        if (color)
            mapColor<T>(image, tone, *out);
        else
            mapGray<T>(image, tone, *out);
    });
    ImageInfo info;
    info.hasAlpha = image.info().hasAlpha;
    return std::move(*out).freeze(std::move(info));
}

Result<Image> differenceToScreen(const Image& a, const Image& b, DisplayRange unit,
                                 const DifferenceStyle& style) {
    if (a.format() != b.format() || a.size() != b.size())
        return fail(ErrorCode::InvalidArgument, "the images are not alike");
    auto out = MutableImage::create(PixelFormat::Rgba8, a.size());
    if (!out) return fail(out.error());
    const double width = unit.high - unit.low;
    const double scale = width > 0 ? 255.0 / width : 1.0;
    visitSampleType(a.format(), [&]<class T>() { subtractRows<T>(a, b, scale, style, *out); });
    return std::move(*out).freeze(ImageInfo{});
}

Result<Image> highlightedScreen(const Image& screen, const Image& samples, int originX, int originY,
                                int stride, const ValueHighlight& highlight) {
    auto out = MutableImage::create(PixelFormat::Rgba8, screen.size());
    if (!out) return fail(out.error());
    const auto from = screen.view<std::uint8_t>();
    const auto to = out->view<std::uint8_t>();
    visitSampleType(samples.format(), [&]<class T>() {
        const auto view = samples.view<T>();
        for (int y = 0; y < from.height; ++y) {
            const std::uint8_t* in = from.row(y);
            std::uint8_t* result = to.row(y);
            const int sampleY = std::min((originY + y) * stride, view.height - 1);
            const T* row = view.row(sampleY);
            for (int x = 0; x < from.width; ++x, in += from.channels, result += 4) {
                const int sampleX = std::min((originX + x) * stride, view.width - 1);
                const T* pixel = row + std::ptrdiff_t(sampleX) * view.channels;
                const std::uint8_t rgb[] = {in[0], from.channels == 4 ? in[1] : in[0],
                                            from.channels == 4 ? in[2] : in[0]};
                const ScreenColor mark = kHighlightColor;
                const std::uint8_t marked[] = {mark.r, mark.g, mark.b};
                const bool inside = inHighlight(pixel, view.channels, highlight);
                for (int c = 0; c < 3; ++c)
                    result[c] = inside ? std::uint8_t((rgb[c] + 3 * marked[c] + 2) / 4)
                                       : std::uint8_t(rgb[c] * 5 / 8);
                result[3] = from.channels == 4 ? in[3] : std::uint8_t(255);
            }
        }
    });
    ImageInfo info;
    info.hasAlpha = screen.info().hasAlpha;
    return std::move(*out).freeze(std::move(info));
}

Result<Image> strided(const Image& image, const Rect& rect, int stride) {
    auto out = MutableImage::create(image.format(), rect.size());
    if (!out) return fail(out.error());
    const auto bytes = std::size_t(bytesPerPixel(image.format()));
    for (int y = 0; y < rect.height; ++y) {
        const int fromY = std::min((rect.y + y) * stride, image.height() - 1);
        const std::byte* in = image.rowBytes(fromY);
        std::byte* result = out->rowBytes(y);
        for (int x = 0; x < rect.width; ++x) {
            const int fromX = std::min((rect.x + x) * stride, image.width() - 1);
            std::memcpy(result + std::size_t(x) * bytes, in + std::size_t(fromX) * bytes, bytes);
        }
    }
    return std::move(*out).freeze(image.info());
}

}  // namespace warpscope::gui
