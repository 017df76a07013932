// Components of an image as runs of pixels in its rows: found by one thread a band of rows, joined
// at the seams, numbered in raster order. connected_components paints them, components measures
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "engine/base/row_bands.h"
#include "engine/image/image.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/morphology/connected_components.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {

// Columns [first, end) of a row.
struct ComponentRun {
    std::int32_t first = 0;
    std::int32_t end = 0;

    std::uint32_t length() const { return std::uint32_t(end - first); }
};

// Labels of runs stand in the order of the image's rows; a band knows where its own begin.
class ComponentRuns {
  public:
    // Calls visit(run, label, index of the run in the image) for the runs of row y.
    template <class Visit>
    void forEachRun(int y, const Visit& visit) const {
        const Band& band = m_bands[std::size_t(y / m_bandRows)];
        const auto line = std::size_t(y % m_bandRows);
        for (std::uint32_t i = band.rowStarts[line]; i < band.rowStarts[line + 1]; ++i)
            visit(band.runs[i], m_labels[band.base + i], band.base + i);
    }
    std::size_t runCount() const { return m_runs; }
    // Labels go from 1 to this.
    std::uint32_t count() const { return m_count; }

  private:
    struct Band {
        std::vector<ComponentRun> runs;
        // Of each row, and of the row after the last one: its first run.
        std::vector<std::uint32_t> rowStarts;
        // Within the band at first: a run of the same component that is not after it.
        std::vector<std::uint32_t> parents;
        std::size_t base = 0;
    };

    friend Result<ComponentRuns> findComponents(const Image& image, const ComponentRule& rule,
                                                const CpuContext& context);

    template <class T>
    Result<void> find(const Image& image, const ComponentRule& rule, const CpuContext& context);
    template <class T>
    static void findBand(const View<const T>& view, int first, int last, int reach,
                         const CpuContext& context, Band& band);
    Result<void> number(std::uint64_t minArea, std::stop_token stop);

    int m_bandRows = 1;
    std::vector<Band> m_bands;
    std::size_t m_runs = 0;
    std::unique_ptr<std::uint32_t[]> m_labels;
    std::uint32_t m_count = 0;
};

// Of non-zero luma, or of the non-zero values of Gray32. Errors: Cancelled, LimitExceeded; throws
// std::bad_alloc.
Result<ComponentRuns> findComponents(const Image& image, const ComponentRule& rule,
                                     const CpuContext& context);

// Rows of luma, of a gray image its own. Each thread has its own.
template <class T>
class RowsOfLuma {
  public:
    // After a row as many bytes as a vector has may be read.
    explicit RowsOfLuma(const View<const T>& view)
        : m_view(view),
          m_room(view.channels == 1 ? nullptr
                                    : alignedSamples<T>(std::size_t(view.width) + 64 / sizeof(T))) {
    }

    const T* row(int y) {
        if constexpr (sizeof(T) <= 2 || std::is_floating_point_v<T>)
            if (m_room) {
                lumaRow(m_view.row(y), m_room.get(), m_view.width);
                return m_room.get();
            }
        return m_view.row(y);
    }

  private:
    View<const T> m_view;
    hwy::AlignedFreeUniquePtr<T[]> m_room;
};

}  // namespace warpscope
