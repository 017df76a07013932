#include "gui/histogram/range_counter.h"

#include <algorithm>
#include <memory>

#include "gui/base/task_runner.h"
#include "gui/display/display_settings.h"

namespace warpscope::gui {
namespace {

constexpr int kBins = 256;
// Of all bins: what fills less is crowded.
constexpr double kCrowded = 0.125;
constexpr double kShareBeside = 0.001;

bool isReal(const RangeCounter::Side& side) {
    return side.set && !side.image.isNull() && !side.set->channels.empty() &&
           !binsAreValues(side.set->format);
}

AxisWindow rangeOf(const HistogramSet& set) {
    return {set.low, set.high};
}

AxisWindow united(const AxisWindow& a, const AxisWindow& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace

bool isCrowded(const HistogramSet& set) {
    if (set.channels.empty() || binsAreValues(set.format) || !(set.low < set.high)) return false;
    // Over all channels, so that none of them is cut off.
    std::size_t first = set.channels.front().bins.size(), last = 0;
    const std::size_t bins = first;
    for (const Histogram& histogram : set.channels) {
        const auto beside = std::uint64_t(kShareBeside * double(histogram.total()));
        std::size_t low = 0, high = bins - 1;
        for (std::uint64_t sum = histogram.bins[low]; sum <= beside && low + 1 < bins;)
            sum += histogram.bins[++low];
        for (std::uint64_t sum = histogram.bins[high]; sum <= beside && high > 0;)
            sum += histogram.bins[--high];
        first = std::min(first, low);
        last = std::max(last, high);
    }
    return last < first || double(last - first + 1) <= kCrowded * double(bins);
}

AxisWindow crowdOf(const Image& image, const AxisWindow& whole) {
    const auto middle = percentilesOf(image);
    if (!middle || !(middle->low < middle->high)) return whole;
    const double around = (middle->high - middle->low) / 4;
    const AxisWindow crowd{std::max(whole.low, middle->low - around),
                           std::min(whole.high, middle->high + around)};
    return crowd.high - crowd.low < (whole.high - whole.low) / 4 ? crowd : whole;
}

RangeCounter::RangeCounter(QObject* parent) : QObject(parent) {}

RangeCounter::~RangeCounter() {
    m_stop.request_stop();
}

RangeCounter::Side RangeCounter::sideOf(const Image& image,
                                        const std::optional<RegionShape>& region,
                                        const HistogramSet& set) {
    Side side{{}, {}, {}, &set};
    if (image.isNull()) return side;
    Rect part{0, 0, image.width(), image.height()};
    if (region) part = intersect(part, region->box());
    if (part.empty() || part.size() != set.size || image.format() != set.format) return side;
    side.image = image;
    side.part = part;
    if (region && !region->isRectangle()) side.shape = region;
    return side;
}

HistogramZoom RangeCounter::zoom(const HistogramSet& source, const HistogramSet* result,
                                 const std::optional<AxisWindow>& window) const {
    HistogramZoom zoom;
    zoom.window = window;
    if (!m_any) return zoom;
    const PixelFormat format = (result ? *result : source).format;
    const bool values = binsAreValues(format);
    if (!zoom.window && !values) zoom.window = m_counted.axis;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& side = m_counted.sides[i];
        if (!side) continue;
        zoom.below[i] = side->below;
        zoom.above[i] = side->above;
        const HistogramSet& all = i == 0 || !result ? source : *result;
        if (values || isFloat(all.format) != isFloat(format)) continue;
        zoom.whole = zoom.whole ? united(*zoom.whole, rangeOf(all)) : rangeOf(all);
    }
    return zoom;
}

void RangeCounter::forget() {
    m_stop.request_stop();
    m_key.reset();
    m_ready = m_any = false;
}

bool RangeCounter::plain(const Side& source, const Side& result,
                         const std::optional<AxisWindow>& window) {
    const std::array<Side, 2> sides{source, result};
    const bool hasResult = result.set != nullptr;
    const Side& owner = hasResult ? result : source;
    std::array<bool, 2> real{isReal(source), isReal(result)};
    const auto isFloatSet = [](const HistogramSet& set) { return isFloat(set.format); };
    // Sums and pictures share no axis.
    if (real[0] && hasResult && isFloatSet(*source.set) != isFloatSet(*result.set) &&
        !binsAreValues(result.set->format))
        real[0] = false;
    if (real[0] && hasResult && !isFloatSet(*source.set) && binsAreValues(result.set->format))
        real[0] = false;
    bool needed = (real[0] || real[1]) && window.has_value();
    for (std::size_t i = 0; i < 2; ++i) needed = needed || (real[i] && isCrowded(*sides[i].set));
    if (real[0] && real[1])
        needed = needed || rangeOf(*source.set) != rangeOf(*result.set);
    else if (real[0] && hasResult)
        needed = true;  // into the bins of the result's values
    if (!needed) {
        forget();
        return true;
    }
    const Key key{{source.image.id(), result.image.id()},
                  {source.part, result.part},
                  {source.shape, result.shape},
                  window};
    if (m_key == key) return false;
    m_key = key;
    m_ready = false;
    m_stop.request_stop();
    m_stop = std::stop_source();
    std::optional<AxisWindow> axis = window;
    double sourceScale = 1;
    if (hasResult && isFloat(source.set ? source.set->format : PixelFormat::Gray8) &&
        binsAreValues(owner.set->format)) {
        sourceScale = fullScale(owner.set->format);
        if (!axis) axis = AxisWindow{-0.5, sourceScale + 0.5};
    }
    std::array<AxisWindow, 2> whole{};
    for (std::size_t i = 0; i < 2; ++i)
        if (real[i]) whole[i] = rangeOf(*sides[i].set);
    std::array<bool, 2> crowded{};
    for (std::size_t i = 0; i < 2; ++i) crowded[i] = real[i] && isCrowded(*sides[i].set);
    if (!m_tasks) m_tasks = std::make_unique<TaskRunner>();
    std::array<Image, 2> images{source.image, result.image};
    std::array<Rect, 2> parts{source.part, result.part};
    m_tasks->run([this, number = ++m_number, stop = m_stop.get_token(), images, parts,
                  shapes = key.shapes, real, crowded, whole, axis,
                  sourceScale]() -> TaskRunner::Finish {
        if (stop.stop_requested()) return {};
        auto counted = std::make_shared<Counted>();
        std::optional<AxisWindow> range = axis;
        std::array<Image, 2> cut;
        for (std::size_t i = 0; i < 2; ++i) {
            if (!real[i]) continue;
            cut[i] = images[i].crop(parts[i]);
            if (axis) continue;
            const AxisWindow own = crowded[i] ? crowdOf(cut[i], whole[i]) : whole[i];
            range = range ? united(*range, own) : own;
        }
        if (!(range->low < range->high)) range->high = range->low + 1;
        counted->axis = *range;
        for (std::size_t i = 0; i < 2; ++i) {
            if (!real[i]) continue;
            const double scale = i == 0 ? sourceScale : 1.0;
            std::optional<RegionRows> rows;
            if (shapes[i]) rows.emplace(*shapes[i], parts[i], stop);
            if (stop.stop_requested()) return {};
            auto found = countInRange(cut[i], range->low / scale, range->high / scale, kBins,
                                      {Threading::AllCores, stop, {}}, rows ? &*rows : nullptr);
            // Cancelled by a newer one, or without memory: what is shown stays.
            if (!found) return {};
            counted->sides[i] = std::move(*found);
        }
        return [this, number, counted] {
            if (number != m_number || !m_key) return;
            m_counted = std::move(*counted);
            m_ready = m_any = true;
            emit changed();
        };
    });
    return false;
}

}  // namespace warpscope::gui
