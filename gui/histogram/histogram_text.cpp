// Texts, ticks, read-outs and the CSV of the histogram model.
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "gui/histogram/histogram_model.h"
#include "gui/widgets/axis_range.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {

namespace {

QLocale figureLocale() {
    QLocale locale;
    locale.setNumberOptions(QLocale::DefaultNumberOptions);  // the C locale leaves separators out
    return locale;
}

QString realText(double value, double resolution) {
    const int decimals =
        resolution > 0 ? std::clamp(int(std::ceil(-std::log10(resolution))), 0, 9) : 3;
    if (std::abs(value) >= 1e7 || (value != 0 && resolution > 0 && resolution < 1e-9))
        return figureLocale().toString(value, 'g', 5);
    return figureLocale().toString(value, 'f', decimals);
}

}  // namespace

QString groupedNumber(std::uint64_t number) {
    return figureLocale().toString(qulonglong(number));
}

QString percentText(double percent) {
    if (percent <= 0) return tr("0 %");
    if (percent < 0.01) return tr("<%1 %").arg(figureLocale().toString(0.01, 'f', 2));
    return tr("%1 %").arg(figureLocale().toString(percent, 'f', 2));
}

QString shortCount(double count) {
    struct Unit {
        double size;
        const char* suffix;
    };
    for (const Unit unit : {Unit{1e9, "G"}, Unit{1e6, "M"}, Unit{1e3, "k"}})
        if (count >= unit.size)
            return figureLocale().toString(count / unit.size, 'g', 4) + QLatin1String(unit.suffix);
    return figureLocale().toString(count, 'g', 4);
}

QString HistogramModel::axisTitle() const {
    const Side& side = m_sides[1].present ? m_sides[1] : m_sides[0];
    if (isFloat(side.format)) return tr("value (float)");
    if (m_labels && side.format == PixelFormat::Gray32)
        return tr("label (%1 bits)").arg(8 * bytesPerSample(side.format));
    if (side.format == PixelFormat::Gray32 || side.format == PixelFormat::Gray64)
        return tr("sum (%1 bits)").arg(8 * bytesPerSample(side.format));
    return tr("value (%1 bits)").arg(8 * bytesPerSample(side.format));
}

std::vector<HistogramTick> HistogramModel::valueTicks(int wanted) const {
    std::vector<HistogramTick> ticks;
    const double range = m_axis.high - m_axis.low;
    if (isEmpty() || !(range > 0)) {
        if (!isEmpty()) ticks.push_back({m_axis.low, realText(m_axis.low, 0)});
        return ticks;
    }
    wanted = std::max(wanted, 1);
    if (m_axis.integers) {
        // Powers of two where the depth is one (0, 64, 128, ..., 255), else round numbers. The last
        // value is always named.
        const double levels = range + 1;
        const double power = std::exp2(std::round(std::log2(levels)));
        double step = power == levels
                          ? std::max(1.0, levels / std::exp2(std::floor(std::log2(wanted))))
                          : std::max(1.0, std::round(niceStep(levels / wanted)));
        const auto text = [](double v) { return groupedNumber(std::uint64_t(std::llround(v))); };
        for (double v = std::ceil(m_axis.low / step) * step; v <= m_axis.high - step / 2; v += step)
            ticks.push_back({v, text(v)});
        ticks.push_back({m_axis.high, text(m_axis.high)});
        return ticks;
    }
    const double step = niceStep(range / wanted);
    for (double v = std::ceil(m_axis.low / step - 1e-9) * step; v <= m_axis.high + step * 1e-9;
         v += step)
        ticks.push_back({std::abs(v) < step * 1e-9 ? 0.0 : v, realText(v, step)});
    return ticks;
}

QString HistogramModel::valueText(double low, double high, HistogramSide side) const {
    const Side& s = at(side);
    if (m_axis.integers && !isFloat(s.format)) {
        const QString first = groupedNumber(std::uint64_t(std::max(0.0, low)));
        return low == high ? first : tr("%1 to %2").arg(first, groupedNumber(std::uint64_t(high)));
    }
    return tr("%1 to %2").arg(realText(low, s.width / 10), realText(high, s.width / 10));
}

BinReadout HistogramModel::rangeReadout(HistogramSide side, HistogramChannel channel, double from,
                                        double to) const {
    BinReadout r{side, channel};
    const auto& bins = counts(side, channel);
    if (bins.empty()) return r;
    const Side& s = at(side);
    const int first = binAt(side, std::min(from, to));
    const int last = binAt(side, std::max(from, to));
    const bool values = binsAreValues(s.format);
    const double left = s.low + s.width * first;
    const double right = s.low + s.width * (last + 1);
    r.lowValue = values ? left + 0.5 : left;
    r.highValue = values ? std::min(right - 0.5, s.top) : right;
    std::uint64_t below = s.below[std::size_t(channel)];
    for (int bin = 0; bin <= last; ++bin) {
        below += bins[std::size_t(bin)];
        if (bin >= first) r.count += bins[std::size_t(bin)];
    }
    const double total = double(s.totals[std::size_t(channel)]);
    if (total > 0) {
        r.percent = 100.0 * double(r.count) / total;
        r.percentile = 100.0 * double(below) / total;
    }
    return r;
}

std::vector<BinReadout> HistogramModel::readout(double axisValue, ChannelSet channels,
                                                bool withSource) const {
    std::vector<BinReadout> lines;
    for (const HistogramSide side : {HistogramSide::Result, HistogramSide::Source}) {
        if (!onAxis(side) || (side == HistogramSide::Source && !withSource)) continue;
        for (const HistogramChannel channel : kAllHistogramChannels)
            if (channels.has(channel) && has(side, channel))
                lines.push_back(rangeReadout(side, channel, axisValue, axisValue));
    }
    return lines;
}

bool PixelValues::any() const {
    return std::any_of(values.begin(), values.end(), [](const auto& v) { return v.has_value(); });
}

PixelValues pixelValues(const Image& image, const QPoint& pixel) {
    PixelValues result;
    if (image.isNull() || pixel.x() < 0 || pixel.y() < 0 || pixel.x() >= image.width() ||
        pixel.y() >= image.height())
        return result;
    visitSampleType(image.format(), [&]<class T>() {
        const View<const T> view = image.view<T>();
        const T* sample = view.row(pixel.y()) + std::ptrdiff_t(pixel.x()) * view.channels;
        const auto set = [&](HistogramChannel channel, double value) {
            if (std::isfinite(value)) result.values[std::size_t(channel)] = value;
        };
        if (view.channels == 1) {
            set(HistogramChannel::Luma, double(sample[0]));
            return;
        }
        // The integer weights of `weighted601`, as the histogram counts it.
        if constexpr (std::is_integral_v<T>) {
            const std::uint64_t sum = 19595 * std::uint64_t(sample[0]) +
                                      38470 * std::uint64_t(sample[1]) +
                                      7471 * std::uint64_t(sample[2]) + 32768;
            set(HistogramChannel::Luma, double(sum >> 16));
        } else {
            set(HistogramChannel::Luma, (19595.0 * double(sample[0]) + 38470.0 * double(sample[1]) +
                                         7471.0 * double(sample[2])) /
                                            65536.0);
        }
        set(HistogramChannel::Red, double(sample[0]));
        set(HistogramChannel::Green, double(sample[1]));
        set(HistogramChannel::Blue, double(sample[2]));
    });
    return result;
}

QString histogramCsv(const HistogramSet* source, const HistogramSet* result, const QString& image) {
    struct Block {
        const HistogramSet* set;
        QString name;
    };
    std::vector<Block> blocks;
    if (source) blocks.push_back({source, QStringLiteral("source")});
    if (result) blocks.push_back({result, QStringLiteral("result")});
    QString csv = QStringLiteral("bin");
    std::size_t rows = 0;
    for (const Block& block : blocks) {
        csv += QStringLiteral(",%1_value").arg(block.name);
        for (const Histogram& histogram : block.set->channels) {
            const std::string_view channel = channelName(histogram.channel);
            csv += QStringLiteral(",%1_%2").arg(
                block.name, QLatin1String(channel.data(), qsizetype(channel.size())));
            rows = std::max(rows, histogram.bins.size());
        }
    }
    // In every row, so that tables of several images can be put below each other.
    const QString end =
        image.isEmpty()
            ? QStringLiteral("\n")
            : QStringLiteral(",\"%1\"\n").arg(QString(image).replace(u'"', QStringLiteral("\"\"")));
    csv += image.isEmpty() ? QStringLiteral("\n") : QStringLiteral(",image\n");
    for (std::size_t bin = 0; bin < rows; ++bin) {
        csv += QString::number(bin);
        for (const Block& block : blocks) {
            const HistogramSet& set = *block.set;
            const std::size_t bins = set.channels.empty() ? 0 : set.channels.front().bins.size();
            const bool interval = !binsAreValues(set.format);
            const double step = interval ? (set.high - set.low) / double(bins) : 1.0;
            csv += QLatin1Char(',');
            if (bin < bins)
                csv += QString::number(set.low + step * double(bin), 'g',
                                       QLocale::FloatingPointShortest);
            for (const Histogram& histogram : set.channels) {
                csv += QLatin1Char(',');
                if (bin < histogram.bins.size()) csv += QString::number(histogram.bins[bin]);
            }
        }
        csv += end;
    }
    return csv;
}

}  // namespace warpscope::gui
