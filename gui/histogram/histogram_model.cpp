#include "gui/histogram/histogram_model.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gui/widgets/translate.h"

namespace warpscope::gui {

namespace {

std::size_t indexOf(HistogramChannel channel) {
    return std::size_t(channel);
}

bool isSum(PixelFormat format) {
    return format == PixelFormat::Gray32 || format == PixelFormat::Gray64;
}

const std::vector<std::uint64_t> kNone;

}  // namespace

bool binsAreValues(PixelFormat format) {
    return !isFloat(format) && !isSum(format);
}

double scaledCount(std::uint64_t count, CountScale scale) {
    if (scale == CountScale::Linear) return double(count);
    return count == 0 ? kLogFloor : std::log10(double(count));
}

HistogramModel::Side HistogramModel::digest(const HistogramSet& set, double white) {
    Side side;
    side.format = set.format;
    side.size = set.size;
    side.notFinite = set.notFinite;
    if (set.channels.empty() || set.channels.front().bins.empty()) return side;
    side.present = true;
    side.storedBins = int(set.channels.front().bins.size());
    int levels = side.storedBins;
    if (binsAreValues(set.format)) {
        // 12 bits in a 16-bit file fill a sixteenth of the range: the axis ends at the white level,
        // or where the highest pixel is.
        int highest = int(std::clamp(white, 1.0, double(side.storedBins - 1)));
        for (const Histogram& histogram : set.channels)
            for (int bin = side.storedBins - 1; bin > highest; --bin)
                if (histogram.bins[std::size_t(bin)] != 0) highest = bin;
        levels = highest + 1;
        side.low = set.low - 0.5;
        side.top = set.low + highest;
        side.group = (levels + kShownBins - 1) / kShownBins;
        side.width = side.group;
    } else {
        side.low = set.low;
        side.top = set.high;
        side.group = std::max(1, side.storedBins / kShownBins);
        const double range = set.high - set.low;
        side.width = (range > 0 ? range : 1.0) / side.storedBins * side.group;
    }
    const int shown = (levels + side.group - 1) / side.group;
    for (const Histogram& histogram : set.channels) {
        const std::size_t c = indexOf(histogram.channel);
        auto& counts = side.counts[c];
        counts.assign(std::size_t(shown), 0);
        for (int bin = 0; bin < levels; ++bin)
            counts[std::size_t(bin / side.group)] += histogram.bins[std::size_t(bin)];
        side.totals[c] = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
        side.atLow[c] = histogram.bins.front();
        const int whiteBin = int(std::clamp(white, 0.0, double(side.storedBins - 1)));
        for (int bin = whiteBin; bin < side.storedBins; ++bin)
            side.atHigh[c] += histogram.bins[std::size_t(bin)];
    }
    return side;
}

void HistogramModel::setData(const HistogramSet* source, double sourceWhite,
                             const HistogramSet* result, double resultWhite) {
    m_sides[0] = source ? digest(*source, sourceWhite) : Side{};
    m_sides[1] = result ? digest(*result, resultWhite) : Side{};
    placeOnAxis();
}

void HistogramModel::clear() {
    m_sides = {};
    m_axis = {};
}

void HistogramModel::placeOnAxis() {
    m_axis = {};
    if (isEmpty()) return;
    Side& source = m_sides[0];
    Side& result = m_sides[1];
    const Side& owner = result.present ? result : source;
    m_axis.integers = binsAreValues(owner.format);
    m_axis.left = owner.low;
    m_axis.low = m_axis.integers ? owner.low + 0.5 : owner.low;
    m_axis.high = owner.top;
    const int shown = binCount(mainSide());
    m_axis.right = owner.low + owner.width * shown;
    if (result.present) result.onAxis = true;
    if (!source.present) return;
    if (result.present && isSum(source.format) != isSum(result.format)) return;
    source.onAxis = true;
    if (!result.present || bytesPerSample(source.format) == bytesPerSample(result.format)) {
        // The same kind of sample: one axis wide enough for both.
        m_axis.left = std::min(m_axis.left, source.low);
        m_axis.low = std::min(m_axis.low, source.low + (m_axis.integers ? 0.5 : 0.0));
        m_axis.high = std::max(m_axis.high, source.top);
        m_axis.right =
            std::max(m_axis.right, source.low + source.width * binCount(HistogramSide::Source));
        return;
    }
    // Another depth: full scale on full scale, as the conversion between them does.
    source.toAxis = fullScale(result.format) / fullScale(source.format);
}

bool HistogramModel::has(HistogramSide side, HistogramChannel channel) const {
    return !counts(side, channel).empty();
}

bool HistogramModel::onAxis(HistogramSide side) const {
    return at(side).onAxis;
}

int HistogramModel::binCount(HistogramSide side) const {
    for (const auto& counts : at(side).counts)
        if (!counts.empty()) return int(counts.size());
    return 0;
}

const std::vector<std::uint64_t>& HistogramModel::counts(HistogramSide side,
                                                         HistogramChannel channel) const {
    return at(side).present ? at(side).counts[indexOf(channel)] : kNone;
}

double HistogramModel::edge(HistogramSide side, int bin) const {
    const Side& s = at(side);
    return (s.low + s.width * bin) * s.toAxis;
}

int HistogramModel::binAt(HistogramSide side, double axisValue) const {
    const Side& s = at(side);
    const double bin = std::floor((axisValue / s.toAxis - s.low) / s.width);
    return int(std::clamp(bin, 0.0, double(std::max(0, binCount(side) - 1))));
}

QList<QPointF> HistogramModel::outline(HistogramSide side, HistogramChannel channel,
                                       CountScale scale, double cap) const {
    const auto& bins = counts(side, channel);
    QList<QPointF> points;
    if (bins.empty()) return points;
    points.reserve(qsizetype(2 * bins.size() + 2));
    const double floor = scaledCount(0, scale);
    points.append({edge(side, 0), floor});
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        const double height = std::min(cap, scaledCount(bins[bin], scale));
        points.append({edge(side, int(bin)), height});
        points.append({edge(side, int(bin) + 1), height});
    }
    points.append({edge(side, int(bins.size())), floor});
    return points;
}

QList<QPointF> HistogramModel::cumulative(HistogramSide side, HistogramChannel channel) const {
    const auto& bins = counts(side, channel);
    QList<QPointF> points;
    const std::uint64_t total = bins.empty() ? 0 : at(side).totals[indexOf(channel)];
    if (total == 0) return points;
    points.reserve(qsizetype(bins.size() + 1));
    points.append({edge(side, 0), 0.0});
    std::uint64_t below = 0;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        below += bins[bin];
        points.append({edge(side, int(bin) + 1), 100.0 * double(below) / double(total)});
    }
    return points;
}

double HistogramModel::verticalLimit(ChannelSet channels, bool withSource, CountScale scale) const {
    std::uint64_t inside = 0, ends = 0;
    for (const HistogramSide side : {HistogramSide::Source, HistogramSide::Result}) {
        if (side == HistogramSide::Source && !withSource) continue;
        if (!onAxis(side)) continue;
        for (const HistogramChannel channel : kAllHistogramChannels) {
            const auto& bins = counts(side, channel);
            if (bins.empty() || !channels.has(channel)) continue;
            ends = std::max({ends, bins.front(), bins.back()});
            for (std::size_t bin = 1; bin + 1 < bins.size(); ++bin)
                inside = std::max(inside, bins[bin]);
        }
    }
    const std::uint64_t top = std::max(inside, ends);
    if (top == 0) return 1.0;
    if (scale == CountScale::Logarithmic) return std::max(1.0, scaledCount(top, scale) + 0.1);
    // Clipped ends three times as high as everything else are cut and marked.
    const bool cut = inside > 0 && ends > 3 * inside;
    return double(cut ? inside : top) * 1.04;
}

std::optional<Clipping> HistogramModel::clipping(HistogramSide side,
                                                 HistogramChannel channel) const {
    if (!has(side, channel) || !binsAreValues(at(side).format)) return std::nullopt;
    const Side& s = at(side);
    const std::size_t c = indexOf(channel);
    if (s.totals[c] == 0) return std::nullopt;
    const double total = double(s.totals[c]);
    return Clipping{100.0 * double(s.atLow[c]) / total, 100.0 * double(s.atHigh[c]) / total};
}

QString HistogramModel::caption() const {
    if (isEmpty()) return {};
    const Side& side = m_sides[1].present ? m_sides[1] : m_sides[0];
    const int shown = binCount(mainSide());
    QString text = side.storedBins == shown ? tr("%1 bins").arg(groupedNumber(std::uint64_t(shown)))
                                            : tr("%1 levels in %2 bins")
                                                  .arg(groupedNumber(std::uint64_t(side.top) + 1))
                                                  .arg(groupedNumber(std::uint64_t(shown)));
    if (side.storedBins != shown && side.group == 1)  // cut at the white level, not grouped
        text = tr("%1 bins").arg(groupedNumber(std::uint64_t(shown)));
    const auto pixels = [](const Side& counted) {
        return groupedNumber(std::uint64_t(counted.size.pixels()));
    };
    if (m_sides[0].present && m_sides[1].present && m_sides[0].size != m_sides[1].size)
        text += tr(", %1 pixels of the source, %2 of the result")
                    .arg(pixels(m_sides[0]), pixels(m_sides[1]));
    else
        text += tr(", %1 pixels").arg(pixels(side));
    const bool luma = isColor(side.format) || (m_sides[0].present && isColor(m_sides[0].format));
    if (luma) text += tr(", luma 0.299/0.587/0.114 (BT.601)");
    if (side.notFinite != 0)
        text += tr(", %1 samples not finite").arg(groupedNumber(side.notFinite));
    if (m_sides[0].present && m_sides[1].present) {
        if (!m_sides[0].onAxis)
            text += tr(", source not on this axis");
        else if (m_sides[0].toAxis != 1)
            text += tr(", source scaled from %1 bits").arg(8 * bytesPerSample(m_sides[0].format));
    }
    return text;
}

}  // namespace warpscope::gui
