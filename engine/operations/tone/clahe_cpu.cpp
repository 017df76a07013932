#include "engine/operations/tone/clahe.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/clahe_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// a (65536 - weight) + b weight of 256 levels: below 2^24.
HWY_ATTR void blendTables(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t weight,
                          std::uint32_t* out) {
    const hn::ScalableTag<std::int32_t> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const int lanes = int(hn::Lanes(d));
    const auto times = hn::Set(d, std::int32_t(weight));
    for (int i = 0; i < 256; i += lanes) {
        const auto from = hn::PromoteTo(d, hn::LoadU(bytes, a + i));
        const auto to = hn::PromoteTo(d, hn::LoadU(bytes, b + i));
        const auto mixed = hn::Add(hn::ShiftLeft<16>(from), hn::Mul(hn::Sub(to, from), times));
        hn::StoreU(hn::BitCast(du, mixed), du, out + i);
    }
}

// claheBlend() of four levels a pixel, in 32 bits: what `down` makes of the difference of both rows
// is cut off below 2^-16, and nothing that is added to it has such digits.
HWY_ATTR void blendLevels(const std::uint8_t* const (&levels)[4], const std::uint32_t* across,
                          std::uint32_t down, std::uint8_t* out, int width) {
    const hn::ScalableTag<std::int32_t> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const int lanes = int(hn::Lanes(d));
    const auto times = hn::Set(d, std::int32_t(down));
    const auto half = hn::Set(d, 1 << 15);
    const auto low = hn::Set(d, 0xffff);
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        const auto weight = hn::BitCast(d, hn::LoadU(du, across + x));
        const auto along = [&](const std::uint8_t* one, const std::uint8_t* other) HWY_ATTR {
            const auto from = hn::PromoteTo(d, hn::LoadU(bytes, one + x));
            const auto to = hn::PromoteTo(d, hn::LoadU(bytes, other + x));
            return hn::Add(hn::ShiftLeft<16>(from), hn::Mul(hn::Sub(to, from), weight));
        };
        const auto top = along(levels[0], levels[1]);
        const auto apart = hn::Sub(along(levels[2], levels[3]), top);
        const auto digits =
            hn::ShiftRight<16>(hn::BitCast(du, hn::Mul(hn::And(apart, low), times)));
        const auto more =
            hn::Add(hn::Mul(hn::ShiftRight<16>(apart), times), hn::BitCast(d, digits));
        const auto blended = hn::ShiftRight<16>(hn::Add(hn::Add(top, more), half));
        hn::StoreU(hn::DemoteTo(bytes, blended), bytes, out + x);
    }
    for (; x < width; ++x)
        out[x] = std::uint8_t(
            claheBlend(levels[0][x], levels[1][x], levels[2][x], levels[3][x], across[x], down));
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <optional>

#include "engine/operations/alpha_rows.h"
#include "engine/operations/analysis/byte_counter.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/equalize.h"
#include "engine/operations/tone/grayscale.h"
#include "engine/operations/tone/level_table.h"
#include "engine/operations/vector_targets.h"

namespace warpscope {
namespace {

HWY_EXPORT(blendTables);
HWY_EXPORT(blendLevels);

constexpr int kClaheRowsBetweenStops = 64;

template <class T>
class TileCounter {
  public:
    static constexpr int kLevels = ClaheTables<T>::kLevels;
    static constexpr bool kBytes = sizeof(T) == 1;

    TileCounter(const View<const T>& view, const ClaheTiles& tiles, bool luma)
        : m_view(view),
          m_tiles(tiles),
          m_luma(luma),
          m_counts(std::size_t(kLevels)),
          m_room(luma ? std::size_t(tiles.width) : 0) {}

    // Counts of the levels; `channel` of colours by themselves. Empty if a stop was asked for.
    const std::uint64_t* count(int tile, int channel, const CpuContext& context) {
        std::fill(m_counts.begin(), m_counts.end(), 0);
        if constexpr (kBytes) m_bytes.clear();
        const int left = tile % m_tiles.columns * m_tiles.width;
        const int top = tile / m_tiles.columns * m_tiles.height;
        const int inside = std::clamp(m_view.width - left, 0, m_tiles.width);
        for (int j = 0; j < m_tiles.height; ++j) {
            if (j % kClaheRowsBetweenStops == 0 && context.stopRequested()) return nullptr;
            const T* row = m_view.row(mirroredBeyond(top + j, m_view.height));
            if (m_luma) {
                const T* pixels = row + 4 * std::ptrdiff_t(left);
                if (inside > 0) lumaRow(pixels, m_room.data(), inside);
                addMade(m_room.data(), inside, pixels);
            } else {
                add(row + std::ptrdiff_t(left) * m_view.channels, channel, m_view.channels, inside);
            }
            for (int i = inside; i < m_tiles.width; ++i) {
                const int x = mirroredBeyond(left + i, m_view.width);
                T level = row[std::ptrdiff_t(x) * m_view.channels + channel];
                if (m_luma) lumaRow(row + 4 * std::ptrdiff_t(x), &level, 1);
                ++m_counts[level];
            }
        }
        if constexpr (kBytes) m_bytes.addTo(m_counts);
        return m_counts.data();
    }

  private:
    // What has been made of `pixels`.
    void addMade(const T* levels, int n, [[maybe_unused]] const T* pixels) {
        if constexpr (kBytes)
            m_bytes.countMade(levels, n, pixels);
        else
            add(levels, 0, 1, n);
    }
    // Sample `first` and every `stride`-th after it.
    void add(const T* samples, int first, int stride, int n) {
        if constexpr (kBytes) {
            if (stride == 1) return m_bytes.count(samples + first, n);
            return m_bytes.countColor(samples, n, first);
        }
        for (int i = 0; i < n; ++i) ++m_counts[samples[first + i * std::ptrdiff_t(stride)]];
    }

    View<const T> m_view;
    ClaheTiles m_tiles;
    bool m_luma;
    std::vector<std::uint64_t> m_counts;
    ByteCounter m_bytes;  // of samples of 8 bits
    std::vector<T> m_room;
};

template <class T>
void makeTable(const std::uint64_t* counts, std::uint64_t clip, std::uint64_t area, T* table) {
    constexpr int kLevels = ClaheTables<T>::kLevels;
    const ClaheLevels levelOf(kLevels - 1, area);
    ClaheSpread spread;
    if (clip > 0) {
        std::uint64_t excess = 0;
        for (int k = 0; k < kLevels; ++k) excess += counts[k] > clip ? counts[k] - clip : 0;
        spread = ClaheSpread::of(excess, kLevels);
    }
    std::uint64_t cumulative = 0;
    T level = 0;
    std::uint32_t next = 0;
    std::uint32_t left = spread.rest;
    for (std::uint32_t k = 0; k < std::uint32_t(kLevels); ++k) {
        std::uint64_t more = spread.batch + (clip > 0 ? std::min(counts[k], clip) : counts[k]);
        if (left > 0 && k == next) {
            ++more;
            --left;
            next += spread.step;
        }
        // Most levels of a small tile are empty.
        if (more > 0) {
            cumulative += more;
            level = T(levelOf(cumulative));
        }
        table[k] = level;
    }
}

std::vector<ClahePlace> placesOf(int first, int count, int side, int tiles) {
    std::vector<ClahePlace> places;
    places.reserve(std::size_t(count));
    for (int i = 0; i < count; ++i) places.push_back(ClahePlace::of(first + i, side, tiles));
    return places;
}

// Rows of levels through the tables around them.
template <class T>
class ClaheRows {
  public:
    ClaheRows(const ClahePlan& plan, const ClaheTables<T>& tables)
        : m_tables(tables), m_tiles(plan.applied()), m_top(plan.top()) {
        m_columns = placesOf(plan.left(), plan.size.width, m_tiles.width, m_tiles.columns);
        for (const ClahePlace& place : m_columns) m_across.push_back(place.weight);
        for (int x = 0; x < plan.size.width; ++x)
            if (x == 0 || m_columns[std::size_t(x)].first != m_columns[std::size_t(x - 1)].first ||
                m_columns[std::size_t(x)].second != m_columns[std::size_t(x - 1)].second)
                m_runs.push_back(x);
        m_runs.push_back(plan.size.width);
        // Tables of a row cost what they have entries.
        m_blends = sizeof(T) == 1 && plan.size.width >= 64 * m_tiles.columns;
        if constexpr (sizeof(T) == 1)
            if (tables.channel[1].empty() && LevelTableSet::pays())
                m_set.emplace(tables.channel[0]);
    }

    bool blends() const { return m_blends; }
    std::size_t roomOfBlends() const { return std::size_t(m_tiles.columns) * 256; }

    // Samples `stride` apart, in and out. `room`: of roomOfBlends() where blends().
    void map(int y, int channel, const T* in, int stride, T* out, int outStride,
             std::uint32_t* room) const {
        const ClahePlace down = ClahePlace::of(m_top + y, m_tiles.height, m_tiles.rows);
        const T* upper = m_tables.of(channel, down.first * std::uint32_t(m_tiles.columns));
        const T* lower = m_tables.of(channel, down.second * std::uint32_t(m_tiles.columns));
        if constexpr (sizeof(T) == 1) {
            if (stride == 1 && outStride == 1 && m_set) return mapByPermutes(down, in, out);
            if (m_blends) {
                for (int tile = 0; tile < m_tiles.columns; ++tile) HWY_DYNAMIC_DISPATCH(blendTables)
                (upper + 256 * tile, lower + 256 * tile, down.weight, room + 256 * tile);
                return mapBlended(in, stride, out, outStride, room);
            }
        }
        constexpr std::size_t kLevels = std::size_t(ClaheTables<T>::kLevels);
        for (std::size_t x = 0; x < m_columns.size(); ++x, in += stride, out += outStride) {
            const ClahePlace& across = m_columns[x];
            const std::size_t first = across.first * kLevels + *in;
            const std::size_t second = across.second * kLevels + *in;
            *out = T(claheBlend(upper[first], upper[second], lower[first], lower[second],
                                across.weight, down.weight));
        }
    }

  private:
    // All four levels of some pixels at a time.
    void mapByPermutes(const ClahePlace& down, const std::uint8_t* in, std::uint8_t* out) const {
        constexpr int kChunk = 1024;
        alignas(64) std::uint8_t room[4][kChunk];
        std::uint8_t* const made[4] = {room[0], room[1], room[2], room[3]};
        const std::uint8_t* const levels[4] = {room[0], room[1], room[2], room[3]};
        const auto columns = std::uint32_t(m_tiles.columns);
        const std::uint32_t upper = down.first * columns, lower = down.second * columns;
        for (std::size_t run = 0; run + 1 < m_runs.size(); ++run)
            for (int x = m_runs[run]; x < m_runs[run + 1]; x += kChunk) {
                const int n = std::min(kChunk, m_runs[run + 1] - x);
                const ClahePlace& across = m_columns[std::size_t(x)];
                m_set->lookUpRow({upper + across.first, upper + across.second, lower + across.first,
                                  lower + across.second},
                                 in + x, made, n);
                HWY_DYNAMIC_DISPATCH(blendLevels)
                (levels, m_across.data() + x, down.weight, out + x, n);
            }
    }

    void mapBlended(const T* in, int stride, T* out, int outStride,
                    const std::uint32_t* blended) const {
        for (std::size_t run = 0; run + 1 < m_runs.size(); ++run) {
            const ClahePlace* place = m_columns.data() + m_runs[run];
            const std::uint32_t* first = blended + 256 * place->first;
            const std::uint32_t* second = blended + 256 * place->second;
            for (int x = m_runs[run]; x < m_runs[run + 1];
                 ++x, ++place, in += stride, out += outStride) {
                const std::uint64_t a = first[*in], b = second[*in];
                *out = T(((a << 16) + (b - a) * place->weight + (std::uint64_t(1) << 31)) >> 32);
            }
        }
    }

    const ClaheTables<T>& m_tables;
    ClaheTiles m_tiles;
    int m_top;
    std::vector<ClahePlace> m_columns;
    std::vector<std::uint32_t> m_across;
    // Where the pair of tiles changes, and the end.
    std::vector<int> m_runs;
    bool m_blends = false;
    std::optional<LevelTableSet> m_set;  // where there is one channel
};

template <class T>
const ClaheTables<T>* takenOf(const ClahePlan& plan) {
    if constexpr (sizeof(T) == 1)
        return plan.taken.get();
    else
        return plan.taken16.get();
}

template <class T>
Result<void> runTyped(const ClahePlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context) {
    const ClaheTables<T>* tables = takenOf<T>(plan);
    std::optional<ClaheTables<T>> own;
    if (!tables) {
        auto made = claheTablesCpu<T>(plan, plan.whole.isNull() ? in : plan.whole, context);
        if (!made) return fail(made.error());
        tables = &own.emplace(std::move(*made));
    }
    const ClaheRows<T> rows(plan, *tables);
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const CpuContext chosen = forWork(context, in.size(), 1.5 * source.channels);
    const int band =
        rowsPerBand(chosen, source.height, 2 * sizeof(T) * std::uint64_t(source.samplesPerRow()));
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        std::vector<std::uint32_t> blended(rows.blends() ? rows.roomOfBlends() : 0);
        std::vector<T> luma(plan.byLuma() ? std::size_t(source.width) : 0);
        std::vector<T> mapped(luma.size());
        for (int y = first; y < last; ++y) {
            const T* from = source.row(y);
            T* to = target.row(y);
            if (plan.byLuma()) {
                lumaRow(from, luma.data(), source.width);
                rows.map(y, 0, luma.data(), 1, mapped.data(), 1, blended.data());
                scaleByLuma(from, luma.data(), mapped.data(), to, source.width);
            } else if (source.channels == 1) {
                rows.map(y, 0, from, 1, to, 1, blended.data());
            } else {
                for (int c = 0; c < 3; ++c) rows.map(y, c, from + c, 4, to + c, 4, blended.data());
                copyAlpha(source.row(y), target.row(y), source.samplesPerRow());
            }
        }
    });
}

}  // namespace

template <class T>
Result<ClaheTables<T>> claheTablesCpu(const ClahePlan& plan, const Image& image,
                                      const CpuContext& context) {
    ClaheTables<T> made;
    constexpr int kLevels = ClaheTables<T>::kLevels;
    const ClaheTiles tiles = ClaheTiles::of(image.size(), plan.columns, plan.rows);
    const int channels = isColor(plan.input) && !plan.byLuma() ? 3 : 1;
    for (int c = 0; c < channels; ++c)
        made.channel[c].resize(std::size_t(tiles.count()) * std::size_t(kLevels));
    CpuContext quiet = forWork(context, image.size(), 1.0 * channels);
    quiet.progress = nullptr;  // the pass over the pixels reports
    const std::uint64_t clip = claheClip(plan.clip, tiles.area(), kLevels);
    auto done = forEachRowBand(quiet, tiles.count(), 1, [&](int first, int last) {
        TileCounter<T> counter(image.view<T>(), tiles, plan.byLuma());
        for (int tile = first; tile < last; ++tile)
            for (int c = 0; c < channels; ++c) {
                const std::uint64_t* counts = counter.count(tile, c, quiet);
                if (!counts) return;
                makeTable(counts, clip, tiles.area(),
                          made.channel[c].data() + std::size_t(tile) * std::size_t(kLevels));
            }
    });
    if (!done) return fail(done.error());
    if (context.stopRequested()) return cancelled();
    return made;
}

template Result<ClaheTables<std::uint8_t>> claheTablesCpu(const ClahePlan&, const Image&,
                                                          const CpuContext&);
template Result<ClaheTables<std::uint16_t>> claheTablesCpu(const ClahePlan&, const Image&,
                                                           const CpuContext&);

Result<void> runClaheCpu(const ClahePlan& plan, const Image& in, const MutableImage& out,
                         const CpuContext& context) {
    return bytesPerSample(plan.input) == 1 ? runTyped<std::uint8_t>(plan, in, out, context)
                                           : runTyped<std::uint16_t>(plan, in, out, context);
}

}  // namespace warpscope

#endif  // HWY_ONCE
