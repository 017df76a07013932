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

// What a side is to be cut and grouped to, in its own samples.
struct HistogramModel::Wanted {
    std::optional<AxisWindow> window;
    // Integers: the axis reaches at least that far, so that both sides have the same bins.
    int highest = 0;
    // Stored bins in a shown one; 0: what fits.
    int group = 0;
};

namespace {

// 12 bits in a 16-bit file fill a sixteenth of the range: the axis ends at the white level, or
// where the highest pixel is.
int highestOf(const HistogramSet& set, double white) {
    const int stored = int(set.channels.front().bins.size());
    int highest = int(std::clamp(white, 1.0, double(stored - 1)));
    for (const Histogram& histogram : set.channels)
        for (int bin = stored - 1; bin > highest; --bin)
            if (histogram.bins[std::size_t(bin)] != 0) highest = bin;
    return highest;
}

std::uint64_t countBetween(const Histogram& histogram, int first, int last) {
    const auto begin = histogram.bins.begin();
    return std::accumulate(begin + first, begin + last, std::uint64_t{0});
}

}  // namespace

HistogramModel::Side HistogramModel::digest(const HistogramSet& set, double white,
                                            const Wanted& wanted) {
    Side side;
    side.format = set.format;
    side.size = set.size;
    side.notFinite = set.notFinite;
    if (set.channels.empty() || set.channels.front().bins.empty()) return side;
    side.present = true;
    side.storedBins = int(set.channels.front().bins.size());
    int first = 0, end = side.storedBins;
    if (binsAreValues(set.format)) {
        const int highest =
            std::clamp(std::max(highestOf(set, white), wanted.highest), 1, side.storedBins - 1);
        end = highest + 1;
        if (wanted.window) {
            first = int(std::clamp(std::ceil(wanted.window->low), 0.0, double(highest)));
            end = int(std::clamp(std::floor(wanted.window->high), double(first), double(highest)));
            ++end;
        }
        side.group = wanted.group > 0 ? wanted.group : (end - first + kShownBins - 1) / kShownBins;
        // Bins begin at multiples of their width, so that panning does not change them.
        first -= first % side.group;
        side.low = set.low + first - 0.5;
        side.width = side.group;
        // Whole bins, but not beyond what there is.
        const int shown = (end - first + side.group - 1) / side.group;
        end = std::min(first + shown * side.group, highest + 1);
        side.top = set.low + end - 1;
        side.least = set.low;
        side.most = set.low + highest;
    } else {
        side.low = side.least = set.low;
        side.top = side.most = set.high;
        side.group = std::max(1, side.storedBins / kShownBins);
        const double range = set.high - set.low;
        side.width = (range > 0 ? range : 1.0) / side.storedBins * side.group;
    }
    const int shown = (end - first + side.group - 1) / side.group;
    side.first = side.most;
    side.last = side.least;
    for (const Histogram& histogram : set.channels) {
        const auto occupied = [](std::uint64_t count) { return count != 0; };
        const auto& all = histogram.bins;
        const auto low = std::find_if(all.begin(), all.end(), occupied);
        const auto high = std::find_if(all.rbegin(), all.rend(), occupied);
        if (low != all.end()) {
            side.first = std::min(side.first, set.low + double(low - all.begin()));
            side.last = std::max(side.last, set.low + double(all.rend() - high) - 1);
        }
        const std::size_t c = indexOf(histogram.channel);
        auto& counts = side.counts[c];
        counts.assign(std::size_t(shown), 0);
        for (int bin = first; bin < end; ++bin)
            counts[std::size_t((bin - first) / side.group)] += histogram.bins[std::size_t(bin)];
        side.below[c] = countBetween(histogram, 0, first);
        side.above[c] = countBetween(histogram, end, side.storedBins);
        side.totals[c] = countBetween(histogram, 0, side.storedBins);
        side.atLow[c] = histogram.bins.front();
        const int whiteBin = int(std::clamp(white, 0.0, double(side.storedBins - 1)));
        side.atHigh[c] = countBetween(histogram, whiteBin, side.storedBins);
    }
    return side;
}

void HistogramModel::setData(const HistogramSet* source, double sourceWhite,
                             const HistogramSet* result, double resultWhite,
                             const HistogramZoom& zoom) {
    const auto counted = [](const HistogramSet* set) {
        return set && !set->channels.empty() && !set->channels.front().bins.empty();
    };
    const bool both = counted(source) && counted(result);
    Wanted wanted{zoom.window};
    const bool values = counted(source) && binsAreValues(source->format) &&
                        (!both || bytesPerSample(source->format) == bytesPerSample(result->format));
    if (values) wanted.highest = highestOf(*source, sourceWhite);
    if (both && binsAreValues(result->format)) {
        if (!values) wanted.highest = 0;
        wanted.highest = std::max(wanted.highest, highestOf(*result, resultWhite));
    }
    m_shaped = zoom.shaped;
    m_labels = zoom.labels;
    m_sides = {};
    if (result) m_sides[1] = digest(*result, resultWhite, wanted);
    if (source) {
        const double scale = both ? fullScale(result->format) / fullScale(source->format) : 1.0;
        if (both && bytesPerSample(source->format) != bytesPerSample(result->format)) {
            wanted.highest = 0;
            if (zoom.window) wanted.window = {zoom.window->low / scale, zoom.window->high / scale};
        }
        m_sides[0] = digest(*source, sourceWhite, wanted);
        // Finer levels are put into bins as wide as those of the result.
        const double levels = both && wanted.highest == 0 ? m_sides[1].width / scale : 0;
        if (levels >= 2 && binsAreValues(source->format) &&
            std::abs(m_sides[0].width - levels) > 0.01 * levels) {
            wanted.group = int(std::lround(levels));
            m_sides[0] = digest(*source, sourceWhite, wanted);
        }
    }
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t c = 0; c < 4; ++c) {
            Side& s = m_sides[side];
            if (!s.present || s.counts[c].empty()) continue;
            s.below[c] += zoom.below[side][c];
            s.above[c] += zoom.above[side][c];
            s.totals[c] += zoom.below[side][c] + zoom.above[side][c];
        }
    placeOnAxis(zoom);
}

void HistogramModel::clear() {
    m_sides = {};
    m_axis = {};
    m_whole = {};
    m_zoomed = m_binsDiffer = false;
}

bool HistogramModel::comparable() const {
    const double ofSource = m_sides[0].width * m_sides[0].toAxis;
    return std::abs(ofSource - m_sides[1].width) <= 0.01 * m_sides[1].width;
}

void HistogramModel::placeOnAxis(const HistogramZoom& zoom) {
    m_axis = {};
    m_zoomed = m_binsDiffer = false;
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
    m_whole = {owner.least - (m_axis.integers ? 0.5 : 0), owner.most + (m_axis.integers ? 0.5 : 0)};
    if (result.present) result.onAxis = true;
    if (source.present && (!result.present || isSum(source.format) == isSum(result.format))) {
        const bool sameKind =
            !result.present || bytesPerSample(source.format) == bytesPerSample(result.format);
        // Another depth: full scale on full scale, as the conversion between them does.
        if (!sameKind) source.toAxis = fullScale(result.format) / fullScale(source.format);
        m_binsDiffer = result.present && !comparable();
        source.onAxis = !m_binsDiffer;
        if (sameKind && source.onAxis) {
            // The same kind of sample: one axis wide enough for both.
            m_axis.left = std::min(m_axis.left, source.low);
            m_axis.low = std::min(m_axis.low, source.low + (m_axis.integers ? 0.5 : 0.0));
            m_axis.high = std::max(m_axis.high, source.top);
            m_axis.right =
                std::max(m_axis.right, source.low + source.width * binCount(HistogramSide::Source));
        }
    }
    if (zoom.whole) m_whole = *zoom.whole;
    m_whole = {std::min(m_whole.low, m_axis.left), std::max(m_whole.high, m_axis.right)};
    // Real samples that are still to be counted there: their wide bins, enlarged.
    if (zoom.window && !m_axis.integers) {
        m_axis.left = m_axis.low = zoom.window->low;
        m_axis.right = m_axis.high = zoom.window->high;
    }
    m_zoomed = m_axis.left > m_whole.low || m_axis.right < m_whole.high;
}

std::uint64_t HistogramModel::below(HistogramSide side, HistogramChannel channel) const {
    return at(side).below[indexOf(channel)];
}

std::uint64_t HistogramModel::above(HistogramSide side, HistogramChannel channel) const {
    return at(side).above[indexOf(channel)];
}

AxisWindow HistogramModel::dataRange() const {
    const Side& side = m_sides[mainIndex()];
    if (!m_axis.integers || side.first > side.last) return m_whole;
    return {side.first - 0.5, side.last + 0.5};
}

double HistogramModel::fullValue() const {
    return fullScale(m_sides[mainIndex()].format);
}

bool HistogramModel::hasFullScale() const {
    return !isEmpty() && !isSum(m_sides[mainIndex()].format);
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
    std::uint64_t below = at(side).below[indexOf(channel)];
    points.append({edge(side, 0), 100.0 * double(below) / double(total)});
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
            // Only the ends of all values tower above the rest because something was clipped.
            // JPEG smears what is clipped over the next bin or two.
            const auto last = int(bins.size()) - 1, zone = last / 100;
            for (int bin = 0; bin <= last; ++bin) {
                if (edge(side, bin + 1) <= m_axis.left || edge(side, bin) >= m_axis.right) continue;
                const bool end = !m_zoomed && (bin <= zone || bin >= last - zone);
                std::uint64_t& highest = end ? ends : inside;
                highest = std::max(highest, bins[std::size_t(bin)]);
            }
        }
    }
    const std::uint64_t top = std::max(inside, ends);
    if (top == 0) return 1.0;
    if (scale == CountScale::Logarithmic) return std::max(1.0, scaledCount(top, scale) + 0.1);
    // Ends higher than everything else are cut and marked: they say little of the picture, and the
    // axis stays when a step clips a little more.
    const bool cut = inside > 0 && ends > inside;
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
    const double first = binsAreValues(side.format) ? side.low + 0.5 : 0;
    QString text = side.storedBins == shown
                       ? tr("%1 bins").arg(groupedNumber(std::uint64_t(shown)))
                       : tr("%1 levels in %2 bins")
                             .arg(groupedNumber(std::uint64_t(side.top - first) + 1))
                             .arg(groupedNumber(std::uint64_t(shown)));
    if (side.storedBins != shown && side.group == 1)  // cut at the white level, not grouped
        text = tr("%1 bins").arg(groupedNumber(std::uint64_t(shown)));
    const std::size_t luma = indexOf(HistogramChannel::Luma);
    const auto pixels = [this, luma](const Side& counted) {
        return groupedNumber(m_shaped ? counted.totals[luma] + counted.notFinite
                                      : std::uint64_t(counted.size.pixels()));
    };
    if (m_sides[0].present && m_sides[1].present &&
        (m_shaped ? pixels(m_sides[0]) != pixels(m_sides[1]) : m_sides[0].size != m_sides[1].size))
        text += tr(", %1 pixels of the source, %2 of the result")
                    .arg(pixels(m_sides[0]), pixels(m_sides[1]));
    else
        text += tr(", %1 pixels").arg(pixels(side));
    const bool weighted =
        isColor(side.format) || (m_sides[0].present && isColor(m_sides[0].format));
    if (weighted) text += tr(", luma 0.299/0.587/0.114 (BT.601)");
    if (m_zoomed || side.below[luma] + side.above[luma] != 0) {
        text += tr("; zoomed to %1 of %2")
                    .arg(valueText(m_axis.low, m_axis.high, mainSide()),
                         valueText(m_axis.integers ? side.least : m_whole.low,
                                   m_axis.integers ? side.most : m_whole.high, mainSide()));
        text += tr(", pixels beside it: %1 below, %2 above")
                    .arg(groupedNumber(side.below[luma]), groupedNumber(side.above[luma]));
    }
    if (side.notFinite != 0)
        text += tr(", %1 samples not finite").arg(groupedNumber(side.notFinite));
    if (m_sides[0].present && m_sides[1].present) {
        if (m_binsDiffer)
            text += tr(", source left out: its bins are %1 times as wide as those of the result")
                        .arg(QString::number(
                            m_sides[0].width * m_sides[0].toAxis / m_sides[1].width, 'g', 3));
        else if (!m_sides[0].onAxis)
            text += tr(", source not on this axis");
        else if (m_sides[0].toAxis != 1)
            text += tr(", source scaled from %1 bits").arg(8 * bytesPerSample(m_sides[0].format));
    }
    return text;
}

}  // namespace warpscope::gui
