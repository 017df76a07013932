// What the histogram chart draws and says, as values: no widget, no colour. Positions are in sample
// values of the result ("axis values"); a source with another depth is scaled onto that axis.
#pragma once

#include <QList>
#include <QPoint>
#include <QPointF>
#include <QString>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/image/histogram.h"
#include "engine/image/image.h"

namespace warpscope::gui {

enum class HistogramSide { Source, Result };
enum class CountScale { Linear, Logarithmic };

// More bins than this are shown in groups.
inline constexpr int kShownBins = 256;
// Where a count of 0 stands on a logarithmic axis: half a count, so that 1 is visible above it.
inline constexpr double kLogFloor = -0.30102999566398120;

// 8 and 16 bits: a bin is a value. Float and sums: a bin is an interval.
bool binsAreValues(PixelFormat format);

// Height of a count on the chart's vertical axis: the count itself, or its decimal logarithm.
double scaledCount(std::uint64_t count, CountScale scale);

struct HistogramAxis {
    double left = 0;   // edge of the plot; half a step below the lowest value for integers
    double right = 1;  // half a step above the highest
    double low = 0;    // lowest and highest value, as labels say them
    double high = 1;
    bool integers = true;
};

struct HistogramTick {
    double value = 0;
    QString label;
};

// What hovering one bin of one curve says.
struct BinReadout {
    HistogramSide side = HistogramSide::Result;
    HistogramChannel channel = HistogramChannel::Luma;
    double lowValue = 0;   // first and last value of the bin, in samples of that side
    double highValue = 0;  // integers: inclusive; float and sums: right edge
    std::uint64_t count = 0;
    double percent = 0;     // of all pixels counted
    double percentile = 0;  // share of pixels in this bin and below, per cent
};

// Share of the pixels at the ends of the range, per cent.
struct Clipping {
    double low = 0;
    double high = 0;
};

// A part of the axis, in axis values.
struct AxisWindow {
    double low = 0;
    double high = 1;
    friend bool operator==(const AxisWindow&, const AxisWindow&) = default;
};

// How much of the values the axis shows, and where real samples were counted: 8 and 16 bits have a
// bin for every value and need no more.
struct HistogramZoom {
    // Nothing: all that was counted.
    std::optional<AxisWindow> window;
    // Of real samples that were counted in a part of their values alone: all their values on the
    // axis, and pixels beside that part by side and channel.
    std::optional<AxisWindow> whole;
    std::array<std::array<std::uint64_t, 4>, 2> below{};
    std::array<std::array<std::uint64_t, 4>, 2> above{};
    // Not all pixels of the sets' sizes were counted: the region is no rectangle.
    bool shaped = false;
    // Samples of the result are numbers of areas.
    bool labels = false;
};

struct PixelValues {
    std::array<std::optional<double>, 4> values;  // by HistogramChannel, in samples
    bool any() const;
};

// The values that the histogram counts a pixel under. Nothing outside the image; NaN is left out.
PixelValues pixelValues(const Image& image, const QPoint& pixel);

class HistogramModel {
  public:
    // Null: that side is not there. White levels are those of the images (ImageInfo::whiteLevel).
    void setData(const HistogramSet* source, double sourceWhite, const HistogramSet* result,
                 double resultWhite, const HistogramZoom& zoom = {});
    void clear();

    bool isEmpty() const { return !m_sides[0].present && !m_sides[1].present; }
    bool has(HistogramSide side, HistogramChannel channel) const;
    // False for a source that has no place on the result's axis: sums of an integral image, or bins
    // that are not as wide as those of the result, so that counts would mean nothing beside them.
    bool onAxis(HistogramSide side) const;
    bool binsDiffer() const { return m_binsDiffer; }

    // What is shown, whole bins of it.
    const HistogramAxis& axis() const { return m_axis; }
    // All values that there are.
    AxisWindow wholeAxis() const { return m_whole; }
    // From the lowest to the highest value that a pixel has.
    AxisWindow dataRange() const;
    bool isZoomed() const { return m_zoomed; }
    // Pixels beside the axis.
    std::uint64_t below(HistogramSide side, HistogramChannel channel) const;
    std::uint64_t above(HistogramSide side, HistogramChannel channel) const;
    // Of the depth of the axis: 255, 65,535; 1 for float.
    double fullValue() const;
    // False for sums, whose highest value is none of a picture, and for nothing.
    bool hasFullScale() const;
    int binCount(HistogramSide side) const;
    // The one that makes the axis and is read out: the result as soon as there is one.
    HistogramSide mainSide() const {
        return m_sides[1].present ? HistogramSide::Result : HistogramSide::Source;
    }
    // Counts as shown, grouped to at most kShownBins. Empty if there is no such curve.
    const std::vector<std::uint64_t>& counts(HistogramSide side, HistogramChannel channel) const;
    double edge(HistogramSide side, int bin) const;  // left edge, axis value
    double toAxis(HistogramSide side, double sample) const { return sample * at(side).toAxis; }
    int binAt(HistogramSide side, double axisValue) const;  // clamped to the bins

    // A staircase through all bins, from the floor to the floor; counts above `cap` are cut there.
    QList<QPointF> outline(HistogramSide side, HistogramChannel channel, CountScale scale,
                           double cap) const;
    // Share of pixels up to each right bin edge, per cent.
    QList<QPointF> cumulative(HistogramSide side, HistogramChannel channel) const;

    // The count where the vertical axis should end. Linear: ends of the range that tower above the
    // rest do not flatten it.
    double verticalLimit(ChannelSet channels, bool withSource, CountScale scale) const;

    std::vector<BinReadout> readout(double axisValue, ChannelSet channels, bool withSource) const;
    // Pixels of the bins between two axis values, both included; value range in samples.
    BinReadout rangeReadout(HistogramSide side, HistogramChannel channel, double from,
                            double to) const;

    // Nothing where the ends mean nothing (float, sums).
    std::optional<Clipping> clipping(HistogramSide side, HistogramChannel channel) const;
    // The values that those pixels have.
    AxisWindow clippedAt() const { return {m_sides[mainIndex()].least, m_sides[mainIndex()].most}; }

    // "256 bins, 2,457,600 pixels, luma 0.299/0.587/0.114 (BT.601)"
    QString caption() const;
    QString axisTitle() const;  // "value (8 bits)"
    std::vector<HistogramTick> valueTicks(int wanted) const;
    QString valueText(double low, double high, HistogramSide side) const;  // "128", "256 to 511"

  private:
    struct Side {
        bool present = false;
        bool onAxis = false;
        PixelFormat format = PixelFormat::Gray8;
        Size size;
        std::uint64_t notFinite = 0;
        int storedBins = 0;
        int group = 1;      // stored bins in a shown one
        double low = 0;     // value at the left edge of the first bin, in samples
        double width = 1;   // of a shown bin, in samples
        double top = 255;   // highest value shown, in samples
        double toAxis = 1;  // axis value of a sample value of 1
        std::array<std::vector<std::uint64_t>, 4> counts;
        std::array<std::uint64_t, 4> totals{};
        std::array<std::uint64_t, 4> atLow{};
        std::array<std::uint64_t, 4> atHigh{};
        // Beside the bins.
        std::array<std::uint64_t, 4> below{};
        std::array<std::uint64_t, 4> above{};
        // Of values: what the ends are called, zoomed or not.
        double least = 0;
        double most = 255;
        // Values that there are.
        double first = 0;
        double last = 255;
    };

    const Side& at(HistogramSide side) const { return m_sides[std::size_t(side)]; }
    std::size_t mainIndex() const { return std::size_t(mainSide()); }
    struct Wanted;
    static Side digest(const HistogramSet& set, double white, const Wanted& wanted);
    bool comparable() const;
    void placeOnAxis(const HistogramZoom& zoom);

    std::array<Side, 2> m_sides;
    HistogramAxis m_axis;
    AxisWindow m_whole;
    bool m_zoomed = false;
    bool m_shaped = false;
    bool m_labels = false;
    bool m_binsDiffer = false;
};

// Every stored bin of every channel with its value, exact: "bin,source_value,source_luma,...". Ends
// with a line feed. `image`, whose it is, is the last column; empty: there is none.
QString histogramCsv(const HistogramSet* source, const HistogramSet* result,
                     const QString& image = {});

// Grouped digits in the language of the window: "2,457,600".
QString groupedNumber(std::uint64_t number);
// "2.31 %", "<0.01 %", "0 %"
QString percentText(double percent);
// "0", "500", "2.5k", "20k", "1M" for axis labels.
QString shortCount(double count);

}  // namespace warpscope::gui
