#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/image/exact_figures.h"
#include "engine/operations/morphology/component_runs.h"
#include "engine/operations/morphology/components.h"

namespace warpscope {
namespace {

// Of finite values.
template <class T>
struct ValuesInside {
    using Sum = std::conditional_t<std::is_floating_point_v<T>, double, ExactSums::Wide>;

    T low = std::numeric_limits<T>::max();
    T high = std::numeric_limits<T>::lowest();
    Sum sum = 0;
    std::uint64_t count = 0;

    void add(T value) {
        if constexpr (std::is_floating_point_v<T>)
            if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
        sum += value;
        ++count;
    }
    void add(const ValuesInside& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
        sum += other.sum;
        count += other.count;
    }
    TableCell cell(T value) const {
        if constexpr (std::is_floating_point_v<T>)
            return count ? double(value) : std::numeric_limits<double>::quiet_NaN();
        else
            return std::int64_t(value);
    }
    double mean() const {
        if constexpr (std::is_floating_point_v<T>)
            return count ? sum / double(count) : std::numeric_limits<double>::quiet_NaN();
        else
            return double(sum / count) + double(sum % count) / double(count);
    }
};

template <class T>
struct OneComponent {
    std::uint64_t area = 0;
    int left = std::numeric_limits<int>::max();
    int right = 0;
    int top = 0;
    int bottom = 0;
    // Fewer than 2^40 pixels, coordinates below 2^20.
    std::uint64_t columns = 0;
    std::uint64_t rows = 0;
    ValuesInside<T> values;

    void add(const ComponentRun& run, int y, const ValuesInside<T>& inside) {
        if (area == 0) top = y;
        bottom = y + 1;
        left = std::min(left, int(run.first));
        right = std::max(right, int(run.end));
        const std::uint64_t length = run.length();
        area += length;
        columns += std::uint64_t(run.first + run.end - 1) * length / 2;
        rows += std::uint64_t(y) * length;
        values.add(inside);
    }
};

template <class T>
Result<AnalysisTable> tableOfComponents(const std::vector<OneComponent<T>>& components,
                                        bool ofSource, std::stop_token stop) {
    AnalysisTable table;
    const auto column = [&](const char* id, const char* label, const char* unit,
                            const auto& cellOf) {
        if (stop.stop_requested()) return;
        TableColumn& made = table.columns.emplace_back(TableColumn{id, label, unit});
        made.cells.reserve(components.size());
        for (const OneComponent<T>& one : components) made.cells.emplace_back(cellOf(one));
    };
    using One = const OneComponent<T>&;
    const char* const levels = sizeof(T) <= 2 ? "grey levels" : "";
    std::int64_t label = 0;
    column("label", "Label", "", [&](One) { return ++label; });
    column("area", "Area", "px", [](One one) { return std::int64_t(one.area); });
    column("x", "X", "px", [](One one) { return std::int64_t(one.left); });
    column("y", "Y", "px", [](One one) { return std::int64_t(one.top); });
    column("width", "Width", "px", [](One one) { return std::int64_t(one.right - one.left); });
    column("height", "Height", "px", [](One one) { return std::int64_t(one.bottom - one.top); });
    column("centroid_x", "Centroid X", "px",
           [](One one) { return double(one.columns) / double(one.area); });
    column("centroid_y", "Centroid Y", "px",
           [](One one) { return double(one.rows) / double(one.area); });
    column("minimum", ofSource ? "Source minimum" : "Minimum", levels,
           [](One one) { return one.values.cell(one.values.low); });
    column("maximum", ofSource ? "Source maximum" : "Maximum", levels,
           [](One one) { return one.values.cell(one.values.high); });
    column("mean", ofSource ? "Source mean" : "Mean", levels,
           [](One one) { return one.values.mean(); });
    if (stop.stop_requested()) return cancelled();
    return table;
}

template <class T>
Result<AnalysisTable> measure(const ComponentRuns& found, const Image& image, bool ofSource,
                              const CpuContext& context) {
    const auto view = image.view<T>();
    // Of each run by itself, so that the order of additions is that of the image.
    std::vector<ValuesInside<T>> inside(found.runCount());
    const CpuContext chosen = forWork(context, image.size(), 1.0);
    const int band =
        rowsPerBand(chosen, view.height, std::uint64_t(image.pitch()), std::min(view.height, 64));
    auto done = forEachRowBand(chosen, view.height, band, [&](int first, int last) {
        RowsOfLuma<T> rows(view);
        for (int y = first; y < last && !chosen.stopRequested(); ++y) {
            const T* row = rows.row(y);
            found.forEachRun(y,
                             [&](const ComponentRun& run, std::uint32_t label, std::size_t index) {
                                 if (label == 0) return;
                                 ValuesInside<T> values;
                                 for (int x = run.first; x < run.end; ++x) values.add(row[x]);
                                 inside[index] = values;
                             });
        }
    });
    if (!done) return fail(done.error());
    std::vector<OneComponent<T>> components(found.count());
    for (int y = 0; y < view.height; ++y) {
        if (context.stopRequested()) return cancelled();
        found.forEachRun(y, [&](const ComponentRun& run, std::uint32_t label, std::size_t index) {
            if (label) components[label - 1].add(run, y, inside[index]);
        });
    }
    return tableOfComponents(components, ofSource, context.stop);
}

}  // namespace

std::uint32_t FoundComponents::labelAt(int x, int y) const {
    std::uint32_t found = 0;
    if (x < 0 || y < 0 || x >= size.width || y >= size.height) return found;
    runs->forEachRun(y, [&](const ComponentRun& run, std::uint32_t label, std::size_t) {
        if (run.first <= x && x < run.end) found = label;
    });
    return found;
}

Result<FoundComponents> componentsCpu(const ComponentsPlan& plan, const Image& image,
                                      const CpuContext& context) {
    auto found = findComponents(image, plan.rule, context);
    if (!found) return fail(found.error());
    if (found->count() > kMostListedComponents)
        return fail(ErrorCode::LimitExceeded,
                    "there are " + std::to_string(found->count()) +
                        " components, a table takes 200,000: leave small ones out, or smooth the "
                        "image first");
    CpuContext quiet = context;
    quiet.progress = nullptr;
    const bool ofSource = !plan.source.isNull();
    const Image& measured = ofSource ? plan.source : image;
    auto table = visitSampleType(measured.format(), [&]<class T>() -> Result<AnalysisTable> {
        if constexpr (std::is_same_v<T, std::uint64_t>)
            return fail(ErrorCode::Unsupported, "components of 64-bit sums are not measured");
        else
            return measure<T>(*found, measured, ofSource, quiet);
    });
    if (!table) return fail(table.error());
    return FoundComponents{std::move(*table),
                           std::make_shared<const ComponentRuns>(std::move(*found)), image.size()};
}

}  // namespace warpscope
