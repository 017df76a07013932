#include "engine/operations/morphology/component_runs.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/morphology/component_runs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V>
HWY_INLINE HWY_ATTR auto isSet(D d, V v) {
    if constexpr (hwy::IsFloat<hn::TFromD<D>>()) {
        // Both zeros are zero, and no NaN is.
        const hn::RebindToUnsigned<D> bits;
        const auto magnitude = hn::ShiftLeft<1>(hn::BitCast(bits, v));
        return hn::RebindMask(d, hn::Ne(magnitude, hn::Zero(bits)));
    } else {
        return hn::Ne(v, hn::Zero(d));
    }
}

// Where zero and not zero change places, an even number of columns. A vector's bytes after the row
// are read too.
template <class T>
HWY_ATTR std::uint32_t changesTyped(const T* row, int width, std::int32_t* changes) {
    const hn::CappedTag<T, 64> d;
    const int lanes = int(hn::Lanes(d));
    std::uint32_t count = 0;
    std::uint64_t before = 0;
    for (int x = 0; x < width; x += 64) {
        std::uint64_t word = 0;
        for (int k = 0; k < 64 && x + k < width; k += lanes) {
            std::uint8_t raw[8] = {};
            hn::StoreMaskBits(d, isSet(d, hn::LoadU(d, row + x + k)), raw);
            std::uint64_t bits;
            std::memcpy(&bits, raw, sizeof bits);
            word |= bits << k;
        }
        if (width - x < 64) word &= (std::uint64_t(1) << (width - x)) - 1;
        std::uint64_t edges = word ^ (word << 1 | before);
        before = word >> 63;
        for (; edges; edges &= edges - 1) changes[count++] = x + std::countr_zero(edges);
    }
    if (before) changes[count++] = width;
    return count;
}

std::uint32_t changesOf8(const std::uint8_t* row, int width, std::int32_t* changes) {
    return changesTyped(row, width, changes);
}
std::uint32_t changesOf16(const std::uint16_t* row, int width, std::int32_t* changes) {
    return changesTyped(row, width, changes);
}
std::uint32_t changesOf32(const std::uint32_t* row, int width, std::int32_t* changes) {
    return changesTyped(row, width, changes);
}
std::uint32_t changesOfFloat(const float* row, int width, std::int32_t* changes) {
    return changesTyped(row, width, changes);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

namespace warpscope {
namespace {

HWY_EXPORT(changesOf8);
HWY_EXPORT(changesOf16);
HWY_EXPORT(changesOf32);
HWY_EXPORT(changesOfFloat);

std::uint32_t changesOf(const std::uint8_t* row, int width, std::int32_t* changes) {
    return HWY_DYNAMIC_DISPATCH(changesOf8)(row, width, changes);
}
std::uint32_t changesOf(const std::uint16_t* row, int width, std::int32_t* changes) {
    return HWY_DYNAMIC_DISPATCH(changesOf16)(row, width, changes);
}
std::uint32_t changesOf(const std::uint32_t* row, int width, std::int32_t* changes) {
    return HWY_DYNAMIC_DISPATCH(changesOf32)(row, width, changes);
}
std::uint32_t changesOf(const float* row, int width, std::int32_t* changes) {
    return HWY_DYNAMIC_DISPATCH(changesOfFloat)(row, width, changes);
}

// Parents are never after their children.
std::uint32_t firstOf(std::uint32_t* parents, std::uint32_t run) {
    while (parents[run] != run) {
        parents[run] = parents[parents[run]];
        run = parents[run];
    }
    return run;
}

void joinRuns(std::uint32_t* parents, std::uint32_t a, std::uint32_t b) {
    a = firstOf(parents, a);
    b = firstOf(parents, b);
    parents[std::max(a, b)] = std::min(a, b);
}

struct RowOfRuns {
    const ComponentRun* runs = nullptr;
    std::uint32_t count = 0;
    // Number of the first one among the parents.
    std::uint32_t first = 0;
};

// `reach`: 1 where corners touch.
void joinTouching(const RowOfRuns& above, const RowOfRuns& here, int reach,
                  std::uint32_t* parents) {
    std::uint32_t a = 0;
    for (std::uint32_t h = 0; h < here.count; ++h) {
        const int first = here.runs[h].first, end = here.runs[h].end;
        while (a < above.count && above.runs[a].end + reach <= first) ++a;
        while (a < above.count && above.runs[a].first < end + reach) {
            joinRuns(parents, above.first + a, here.first + h);
            // One that goes on may touch the next run too.
            if (above.runs[a].end >= end) break;
            ++a;
        }
    }
}

}  // namespace

template <class T>
void ComponentRuns::findBand(const View<const T>& view, int first, int last, int reach,
                             const CpuContext& context, Band& band) {
    RowsOfLuma<T> rows(view);
    const auto most = std::size_t(view.width) / 2 + 1;
    std::size_t used = 0;
    RowOfRuns above;
    band.rowStarts.reserve(std::size_t(last - first) + 1);
    band.rowStarts.push_back(0);
    static_assert(sizeof(ComponentRun) == 2 * sizeof(std::int32_t));
    std::vector<std::int32_t> changes(2 * most);
    for (int y = first; y < last; ++y) {
        if (context.stopRequested()) return;
        const std::uint32_t count = changesOf(rows.row(y), view.width, changes.data()) / 2;
        if (band.runs.size() < used + count) {
            const std::size_t room = std::max(used + count, 2 * band.runs.size());
            band.runs.resize(room);
            band.parents.resize(room);
            above.runs = band.runs.data() + above.first;
        }
        ComponentRun* made = band.runs.data() + used;
        for (std::uint32_t i = 0; i < count; ++i) {
            made[i] = {changes[2 * i], changes[2 * i + 1]};
            band.parents[used + i] = std::uint32_t(used + i);
        }
        const RowOfRuns here{made, count, std::uint32_t(used)};
        joinTouching(above, here, reach, band.parents.data());
        above = here;
        used += count;
        band.rowStarts.push_back(std::uint32_t(used));
    }
    band.runs.resize(used);
    band.parents.resize(used);
}

template <class T>
Result<void> ComponentRuns::find(const Image& image, const ComponentRule& rule,
                                 const CpuContext& context) {
    const auto view = image.view<T>();
    const int reach = rule.connectivity == 8 ? 1 : 0;
    const CpuContext chosen = forWork(context, image.size(), 0.5 * double(sizeof(T)));
    CpuContext quiet = chosen;
    quiet.progress = nullptr;
    m_bandRows =
        rowsPerBand(chosen, view.height, std::uint64_t(image.pitch()), std::min(view.height, 64));
    m_bands.resize(std::size_t((view.height + m_bandRows - 1) / m_bandRows));
    auto done = forEachRowBand(chosen, view.height, m_bandRows, [&](int first, int last) {
        findBand(view, first, last, reach, chosen, m_bands[std::size_t(first / m_bandRows)]);
    });
    if (done && context.stopRequested()) return cancelled();
    if (!done) return done;
    std::size_t runs = 0;
    for (Band& band : m_bands) {
        band.base = runs;
        runs += band.runs.size();
    }
    if (runs > std::numeric_limits<std::uint32_t>::max())
        return fail(ErrorCode::LimitExceeded,
                    "more than 4,294,967,295 runs of pixels: labels have 32 bits");
    m_runs = runs;
    // Zeros of that many would be written before a stop is heard.
    m_labels = std::make_unique_for_overwrite<std::uint32_t[]>(runs);
    done = forEachRowBand(quiet, int(m_bands.size()), 1, [&](int at, int) {
        Band& band = m_bands[std::size_t(at)];
        for (std::size_t i = 0; i < band.parents.size(); ++i)
            m_labels[band.base + i] = std::uint32_t(band.base + band.parents[i]);
        band.parents = {};
    });
    if (!done) return done;
    for (std::size_t b = 1; b < m_bands.size(); ++b) {
        if (context.stopRequested()) return cancelled();
        const Band &above = m_bands[b - 1], &below = m_bands[b];
        const std::uint32_t last = above.rowStarts[above.rowStarts.size() - 2];
        joinTouching({above.runs.data() + last, std::uint32_t(above.runs.size()) - last,
                      std::uint32_t(above.base) + last},
                     {below.runs.data(), below.rowStarts[1], std::uint32_t(below.base)}, reach,
                     m_labels.get());
    }
    return number(rule.minArea, context.stop);
}

// From parents to labels, in place: a parent has its label before any of its children.
Result<void> ComponentRuns::number(std::uint64_t minArea, std::stop_token stop) {
    // Zeros come with the pages that are used.
    const auto release = [](void* memory) { std::free(memory); };
    std::unique_ptr<std::uint64_t[], decltype(release)> areas(nullptr, release);
    if (minArea > 1 && m_runs > 0) {
        areas.reset(static_cast<std::uint64_t*>(std::calloc(m_runs, sizeof(std::uint64_t))));
        if (!areas) throw std::bad_alloc();
        for (const Band& band : m_bands) {
            if (stop.stop_requested()) return cancelled();
            for (std::size_t i = 0; i < band.runs.size(); ++i) {
                std::uint32_t& parent = m_labels[band.base + i];
                parent = m_labels[parent];
                areas[parent] += band.runs[i].length();
            }
        }
    }
    for (const Band& band : m_bands) {
        if (stop.stop_requested()) return cancelled();
        for (std::size_t i = band.base; i < band.base + band.runs.size(); ++i) {
            const std::uint32_t parent = m_labels[i];
            if (parent != i)
                m_labels[i] = m_labels[parent];
            else
                m_labels[i] = !areas || areas[i] >= minArea ? ++m_count : 0;
        }
    }
    return {};
}

Result<ComponentRuns> findComponents(const Image& image, const ComponentRule& rule,
                                     const CpuContext& context) {
    ComponentRuns found;
    auto done = visitSampleType(image.format(), [&]<class T>() -> Result<void> {
        if constexpr (std::is_same_v<T, std::uint64_t>)
            return fail(ErrorCode::Unsupported, "components of 64-bit sums are not looked for");
        else
            return found.find<T>(image, rule, context);
    });
    if (!done) return fail(done.error());
    return found;
}

}  // namespace warpscope

#endif  // HWY_ONCE
