#include "gui/display/pixel_values.h"

#include <QStringList>
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace warpscope::gui {
namespace {

template <class T>
T sampleAt(const Image& image, const QPoint& pixel, int channel) {
    const auto view = image.view<T>();
    return view.row(pixel.y())[std::ptrdiff_t(pixel.x()) * view.channels + channel];
}

QString notFinite(float v) {
    if (std::isnan(v)) return QStringLiteral("NaN");
    return v < 0 ? QStringLiteral("-Inf") : QStringLiteral("Inf");
}

// Shortest digits that read back as the same float.
QString floatText(float v) {
    if (!std::isfinite(v)) return notFinite(v);
    char text[64];
    const auto end = std::to_chars(std::begin(text), std::end(text), v).ptr;
    return QString::fromLatin1(text, end - text);
}

template <class T>
QString decimalText(T v) {
    if constexpr (std::is_same_v<T, float>)
        return floatText(v);
    else
        return QString::number(qulonglong(v));
}

template <class T>
QString hexText(T v) {
    qulonglong bits = 0;
    if constexpr (std::is_same_v<T, float>)
        bits = std::bit_cast<std::uint32_t>(v);
    else
        bits = v;
    return QStringLiteral("%1").arg(bits, int(sizeof(T)) * 2, 16, QLatin1Char('0')).toUpper();
}

std::vector<SampleText> textsOf(const Image& image, const QPoint& pixel, int channels,
                                const QStringList& letters) {
    std::vector<SampleText> texts;
    visitSampleType(image.format(), [&]<class T>() {
        for (int c = 0; c < channels; ++c) {
            const T v = sampleAt<T>(image, pixel, c);
            texts.push_back({letters.value(c), decimalText(v), hexText(v)});
        }
    });
    return texts;
}

}  // namespace

bool isInside(const Image& image, const QPoint& pixel) {
    return !image.isNull() && pixel.x() >= 0 && pixel.y() >= 0 && pixel.x() < image.width() &&
           pixel.y() < image.height();
}

int shownChannels(const Image& image) {
    if (image.id() == 0) return 0;
    if (!isColor(image.format())) return 1;
    return image.info().hasAlpha ? 4 : 3;
}

QString channelLetter(const Image& image, int channel) {
    if (image.isNull() || !isColor(image.format())) return QStringLiteral("Y");
    return QStringLiteral("RGBA").mid(channel, 1);
}

std::vector<SampleText> sampleTexts(const Image& image, const QPoint& pixel) {
    if (!isInside(image, pixel)) return {};
    QStringList letters;
    for (int c = 0; c < shownChannels(image); ++c) letters << channelLetter(image, c);
    return textsOf(image, pixel, int(letters.size()), letters);
}

std::vector<SampleText> rawSampleTexts(const Image& image, const QPoint& pixel) {
    if (!isInside(image, pixel) || !image.info().raw) return {};
    const Image& raw = *image.info().raw;
    if (!isInside(raw, pixel)) return {};
    const QString label = QString::fromStdString(image.info().rawLabel);
    const int channels = channelCount(raw.format());
    QStringList letters;
    for (int c = 0; c < channels; ++c)
        letters << (label.size() == channels ? label.mid(c, 1)
                                             : QStringLiteral("%1 %2").arg(label).arg(c + 1));
    return textsOf(raw, pixel, channels, letters);
}

namespace {

QString shortFloat(double v, int digits) {
    if (!std::isfinite(v)) return notFinite(float(v));
    return QString::number(v, 'g', digits);
}

}  // namespace

QString shortSample(const Image& image, const QPoint& pixel, int channel, int digits) {
    if (!isInside(image, pixel)) return {};
    return visitSampleType(image.format(), [&]<class T>() -> QString {
        const T v = sampleAt<T>(image, pixel, channel);
        if constexpr (std::is_same_v<T, float>)
            return shortFloat(double(v), digits);
        else
            return decimalText(v);
    });
}

QString shortDifference(const Image& a, const Image& b, const QPoint& pixel, int channel,
                        int digits) {
    if (!isInside(a, pixel) || !isInside(b, pixel) || a.format() != b.format()) return {};
    return visitSampleType(a.format(), [&]<class T>() -> QString {
        const T p = sampleAt<T>(a, pixel, channel);
        const T q = sampleAt<T>(b, pixel, channel);
        if constexpr (std::is_same_v<T, float>) {
            if (std::isfinite(p) && std::isfinite(q))
                return shortFloat(double(p) - double(q), digits);
            if (p == q || (std::isnan(p) && std::isnan(q))) return notFinite(p);
            return shortFloat(double(p), 2) + QLatin1Char('/') + shortFloat(double(q), 2);
        } else {
            return p >= q ? QString::number(qulonglong(p - q))
                          : QLatin1Char('-') + QString::number(qulonglong(q - p));
        }
    });
}

}  // namespace warpscope::gui
