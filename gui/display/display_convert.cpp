#include "gui/display/display_convert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

namespace warpscope::gui {
namespace {

constexpr int kToneSteps = 65536;

std::uint8_t rounded(double v) {
    if (!(v > 0)) return 0;  // NaN too
    return v >= 255.0 ? std::uint8_t(255) : std::uint8_t(v + 0.5);
}

// Levels of a curve, made once for as long as it is in use.
struct Curve {
    bool logarithmic = false;
    double gamma = 1;
    std::array<std::uint8_t, kToneSteps> levels{};
};

std::shared_ptr<const Curve> curveOf(bool logarithmic, double gamma) {
    static std::mutex guard;  // guards known; copies are made on threads of their own
    static std::shared_ptr<const Curve> known;
    const std::lock_guard lock(guard);
    if (known && known->logarithmic == logarithmic && known->gamma == gamma) return known;
    auto made = std::make_shared<Curve>();
    made->logarithmic = logarithmic;
    made->gamma = gamma;
    for (int i = 0; i < kToneSteps; ++i) {
        const double t = i / double(kToneSteps - 1);
        const double tone = logarithmic ? logarithmicTone(t) : t;
        made->levels[std::size_t(i)] =
            rounded(255.0 * (gamma == 1 ? tone : std::pow(tone, 1 / gamma)));
    }
    return known = made;
}

class Tone {
  public:
    Tone(DisplayRange range, bool logarithmic, const ViewLook& view) : m_low(range.low) {
        if (logarithmic || view.gamma != 1) m_curve = curveOf(logarithmic, view.gamma);
        m_top = m_curve ? kToneSteps - 1 : 255.0;
        const double width = range.high - range.low;
        // An empty range shows what lies above it as white.
        m_scale = width > 0 ? m_top / width * std::exp2(view.stops) : 1e300;
    }
    std::uint8_t operator()(double v) const {
        const int at = place(v);
        return m_curve ? m_curve->levels[std::size_t(at)] : std::uint8_t(at);
    }
    // The same for many: the loop over places has no branch, so that it is done on vectors.
    template <class T>
    void levels(const T* in, int count, std::uint8_t* out) const {
        constexpr int kPiece = 512;
        int places[kPiece];
        for (int first = 0; first < count; first += kPiece) {
            const int n = std::min(kPiece, count - first);
            for (int i = 0; i < n; ++i) places[i] = place(double(in[first + i]));
            if (m_curve)
                for (int i = 0; i < n; ++i)
                    out[first + i] = m_curve->levels[std::size_t(places[i])];
            else
                for (int i = 0; i < n; ++i) out[first + i] = std::uint8_t(places[i]);
        }
    }

  private:
    int place(double v) const {
        double scaled = (v - m_low) * m_scale;
        scaled = scaled > 0 ? scaled : 0;  // NaN too
        scaled = scaled < m_top ? scaled : m_top;
        return int(scaled + 0.5);
    }

    double m_low;
    double m_top;
    double m_scale = 1;
    std::shared_ptr<const Curve> m_curve;
};

// Levels of samples; of 8 and 16 bits through a table where there are enough of them to be worth
// one.
template <class T>
class Levels {
  public:
    Levels(const Tone& tone, std::int64_t samples) : m_tone(tone) {
        if constexpr (sizeof(T) <= 2) {
            const std::size_t values = std::size_t{1} << (8 * sizeof(T));
            if (samples < std::int64_t(values)) return;
            std::vector<T> all(values);
            std::iota(all.begin(), all.end(), T(0));
            m_table.resize(values);
            tone.levels(all.data(), int(values), m_table.data());
        }
    }
    void operator()(const T* in, int count, std::uint8_t* out) const {
        if constexpr (sizeof(T) <= 2) {
            if (!m_table.empty()) {
                for (int i = 0; i < count; ++i) out[i] = m_table[in[i]];
                return;
            }
        }
        m_tone.levels(in, count, out);
    }

  private:
    const Tone& m_tone;
    std::vector<std::uint8_t> m_table;
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

// A sample of a pixel as one value: a channel, or the luminance as the histogram counts it.
template <class T>
auto scalarOf(const T* pixel, int channels, ViewChannel channel) {
    if constexpr (std::is_integral_v<T>) {
        if (channels == 1) return pixel[0];
        if (channel != ViewChannel::All) return pixel[int(channel) - 1];
        const auto sum = 19595ull * pixel[0] + 38470ull * pixel[1] + 7471ull * pixel[2];
        return T((sum + 32768) >> 16);
    } else {
        if (channels == 1) return double(pixel[0]);
        if (channel != ViewChannel::All) return double(pixel[int(channel) - 1]);
        return (19595.0 * pixel[0] + 38470.0 * pixel[1] + 7471.0 * pixel[2]) / 65536.0;
    }
}

template <class T>
void mapScalar(const Image& image, const Tone& tone, const ViewLook& view,
               const MutableImage& out) {
    const auto from = image.view<T>();
    const auto to = out.view<std::uint8_t>();
    using Value = decltype(scalarOf<T>(nullptr, 1, view.channel));
    const Levels<Value> levels(tone, image.size().pixels());
    std::vector<Value> values(std::size_t(from.width));
    std::vector<std::uint8_t> row(std::size_t(from.width));
    const auto* colors = view.map == ColorMap::None ? nullptr : &colorsOf(view.map);
    for (int y = 0; y < from.height; ++y) {
        const T* in = from.row(y);
        for (int x = 0; x < from.width; ++x)
            values[std::size_t(x)] =
                scalarOf(in + std::ptrdiff_t(x) * from.channels, from.channels, view.channel);
        std::uint8_t* result = to.row(y);
        levels(values.data(), from.width, to.channels == 1 ? result : row.data());
        if (to.channels == 1) continue;
        for (int x = 0; x < from.width; ++x) {
            const std::uint8_t v = row[std::size_t(x)];
            const Value value = values[std::size_t(x)];
            const ScreenColor color = colors ? (*colors)[v] : ScreenColor{v, v, v};
            put(result + 4 * x, isFiniteSample(value) ? color : markOf(double(value)));
        }
    }
}

// A colour for each number, whatever the range: 0 is black, 255 others take turns.
template <class T>
void mapLabels(const Image& image, const MutableImage& out) {
    const auto from = image.view<T>();
    const auto to = out.view<std::uint8_t>();
    const auto& colors = colorsOf(ColorMap::Labels);
    for (int y = 0; y < from.height; ++y) {
        const T* in = from.row(y);
        std::uint8_t* result = to.row(y);
        for (int x = 0; x < from.width; ++x)
            put(result + 4 * x, colors[in[x] == 0 ? 0 : 1 + std::size_t((in[x] - 1) % 255)]);
    }
}

template <class T>
void mapColor(const Image& image, const Tone& tone, bool marked, const MutableImage& out) {
    const auto from = image.view<T>();
    const auto to = out.view<std::uint8_t>();
    const int counted = countedChannels(image);
    const double white = isFloat(image.format()) ? 1.0 : image.info().whiteLevel;
    const Levels<T> levels(tone, 4 * image.size().pixels());
    const Tone ofAlpha({0, white}, false, {});
    const Levels<T> alphas(ofAlpha, image.size().pixels());
    std::vector<T> alpha(std::size_t(from.width));
    std::vector<std::uint8_t> shown(std::size_t(from.width));
    for (int y = 0; y < from.height; ++y) {
        const T* in = from.row(y);
        std::uint8_t* result = to.row(y);
        levels(in, 4 * from.width, result);
        for (int x = 0; x < from.width; ++x) alpha[std::size_t(x)] = in[4 * x + 3];
        alphas(alpha.data(), from.width, shown.data());
        for (int x = 0; x < from.width; ++x) result[4 * x + 3] = shown[std::size_t(x)];
        if (!marked) continue;
        for (int x = 0; x < from.width; ++x)
            for (int c = counted - 1; c >= 0; --c)
                if (!isFiniteSample(in[4 * x + c]))
                    put(result + 4 * x, markOf(double(in[4 * x + c])));
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
           a.difference == b.difference && a.highlight == b.highlight && a.view == b.view &&
           a.profile == b.profile;
}

bool areLabels(PixelFormat format, const ViewLook& view) {
    return view.map == ColorMap::Labels && !isColor(format) && !isFloat(format);
}

int mostGain(PixelFormat format) {
    const int bytes = bytesPerSample(format);
    return bytes == 1 ? 1 << 8 : bytes == 2 ? 1 << 16 : 1 << 24;
}

double logarithmicTone(double t) {
    return std::log1p(255.0 * std::clamp(t, 0.0, 1.0)) / std::log(256.0);
}

double valueAtLevel(double level, const Image& image, DisplayRange range, const DisplayLook& look) {
    if (isColor(image.format()) && look.view.channel == ViewChannel::Alpha)
        return level * (isFloat(image.format()) ? 1.0 : image.info().whiteLevel);
    double t = std::pow(level, look.view.gamma);
    if (look.logarithmic) t = (std::pow(256.0, t) - 1) / 255;
    return range.low + (range.high - range.low) * t * std::exp2(-look.view.stops);
}

Result<Image> toScreen(const Image& image, DisplayRange range, bool logarithmic,
                       const ViewLook& view) {
    const bool color = isColor(image.format());
    ViewLook look = view;
    if (!color) look.channel = ViewChannel::All;
    const bool toned = look.stops != 0 || look.gamma != 1;
    if (!isFloat(image.format()) && !logarithmic && !toned && !look.isScalar())
        return toEightBit(image, range, CpuContext{Threading::Single, {}, {}});
    const bool marked =
        visitSampleType(image.format(), [&]<class T>() { return anyNotFinite<T>(image); });
    const bool scalar = !color || look.isScalar();
    const bool asColor = !scalar || marked || look.map > ColorMap::Grey;
    auto out =
        MutableImage::create(asColor ? PixelFormat::Rgba8 : PixelFormat::Gray8, image.size());
    if (!out) return fail(out.error());
    const bool alpha = look.channel == ViewChannel::Alpha;
    const double white = isFloat(image.format()) ? 1.0 : image.info().whiteLevel;
    const Tone tone = alpha ? Tone({0, white}, false, {}) : Tone(range, logarithmic, look);
    visitSampleType(image.format(), [&]<class T>() {
        if constexpr (std::is_integral_v<T>)
            if (areLabels(image.format(), look)) return mapLabels<T>(image, *out);
        if (scalar)
            mapScalar<T>(image, tone, look, *out);
        else
            mapColor<T>(image, tone, marked, *out);
    });
    ImageInfo info;
    info.hasAlpha = !scalar && image.info().hasAlpha;
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

Result<Image> zebraScreen(const Image& screen, const Image& samples, int originX, int originY,
                          int stride, DisplayRange range, ViewChannel channel) {
    constexpr int kStripe = 4;  // pixels of the screen's samples
    auto out = MutableImage::create(PixelFormat::Rgba8, screen.size());
    if (!out) return fail(out.error());
    const auto from = screen.view<std::uint8_t>();
    const auto to = out->view<std::uint8_t>();
    visitSampleType(samples.format(), [&]<class T>() {
        const auto view = samples.view<T>();
        const bool all = view.channels == 1 || channel == ViewChannel::All;
        const int first = all ? 0 : int(channel) - 1;
        const int last = all ? std::min(view.channels, 3) : first + 1;
        for (int y = 0; y < from.height; ++y) {
            const std::uint8_t* in = from.row(y);
            std::uint8_t* result = to.row(y);
            const int beginY = std::min((originY + y) * stride, view.height - 1);
            const int endY = std::min(beginY + stride, view.height);
            for (int x = 0; x < from.width; ++x, in += from.channels, result += 4) {
                const int beginX = std::min((originX + x) * stride, view.width - 1);
                const int endX = std::min(beginX + stride, view.width);
                bool under = false, over = false;
                for (int sy = beginY; sy < endY; ++sy) {
                    const T* pixel = view.row(sy) + std::ptrdiff_t(beginX) * view.channels;
                    for (int sx = beginX; sx < endX; ++sx, pixel += view.channels)
                        for (int c = first; c < last; ++c) {
                            under |= double(pixel[c]) <= range.low;
                            over |= double(pixel[c]) >= range.high;
                        }
                }
                const bool rgb = from.channels == 4;
                put(result, {in[0], rgb ? in[1] : in[0], rgb ? in[2] : in[0]});
                if (rgb) result[3] = in[3];
                const int stripe = ((originX + x + originY + y) / kStripe) & 1;
                if (over)
                    put(result, kOverColors[stripe]);
                else if (under)
                    put(result, kUnderColors[stripe]);
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
