#include "gui/inspector/pixel_values.h"

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
    if (image.isNull()) return 0;
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

QString shortSample(const Image& image, const QPoint& pixel, int channel) {
    if (!isInside(image, pixel)) return {};
    return visitSampleType(image.format(), [&]<class T>() -> QString {
        const T v = sampleAt<T>(image, pixel, channel);
        if constexpr (std::is_same_v<T, float>) {
            if (!std::isfinite(v)) return notFinite(v);
            return QString::number(double(v), 'g', 4);
        } else {
            return decimalText(v);
        }
    });
}

}  // namespace warpscope::gui
