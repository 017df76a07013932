// Rows of luma with room at both ends, for what looks at the neighbours of a pixel: gray is copied,
// colour is weighed on the way, and no gray image is ever whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {

// Keeps the last 2 `radius` + 1 rows. Each thread has its own.
template <class T>
class LumaRows {
  public:
    // Throws std::bad_alloc.
    LumaRows(const View<const T>& source, int radius)
        : m_source(source),
          m_radius(radius),
          m_pitch((source.width + 2 * kRoom + 63) / 64 * 64),
          m_samples(alignedZeros<T>(std::size_t(m_pitch) * unsigned(2 * radius + 1))) {
        std::fill_n(m_held, kMostRows, -1);
    }

    // Row y, the nearest one where there is none. Samples -radius to width + radius - 1 are there,
    // edges repeated, and whole vectors may be read up to kRoom samples beyond both ends. Stays
    // until the row 2 radius + 1 rows away is asked for.
    const T* row(int y) {
        const int nearest = std::clamp(y, 0, m_source.height - 1);
        const int slot = nearest % (2 * m_radius + 1);
        T* samples = m_samples.get() + slot * m_pitch + kRoom;
        if (m_held[slot] != nearest) {
            fill(nearest, samples);
            m_held[slot] = nearest;
        }
        return samples;
    }

  private:
    static constexpr int kRoom = 128;
    static constexpr int kMostRows = 3;

    void fill(int y, T* samples) const {
        const int width = m_source.width;
        if (m_source.channels == 4)
            lumaRow(m_source.row(y), samples, width);
        else
            std::copy_n(m_source.row(y), width, samples);
        std::fill_n(samples - m_radius, m_radius, samples[0]);
        std::fill_n(samples + width, m_radius, samples[width - 1]);
    }

    View<const T> m_source;
    int m_radius;
    std::ptrdiff_t m_pitch;
    hwy::AlignedFreeUniquePtr<T[]> m_samples;
    int m_held[kMostRows];
};

// Calls row(above, here, below, to) with three rows of luma of `in` and the row of `out`, which has
// gray samples of the same type, for every row.
template <class Row>
Result<void> forEachLumaRow(const Image& in, const MutableImage& out, const CpuContext& context,
                            const Row& row) {
    const int height = in.height();
    const CpuContext chosen = forWork(context, in.size(), 0.2 * bytesPerPixel(in.format()));
    // Rows at both ends of a band are weighed twice.
    const int band = rowsPerBand(chosen, height, std::uint64_t(in.pitch()), std::min(height, 64));
    return visitSampleType(in.format(), [&]<class T>() -> Result<void> {
        if constexpr (sizeof(T) > 2 && !std::is_floating_point_v<T>)
            return fail(ErrorCode::Unsupported, "there is no luma of sums");
        else
            return forEachRowBand(chosen, height, band, [&](int first, int last) {
                LumaRows<T> rows(in.view<T>(), 1);
                for (int y = first; y < last && !chosen.stopRequested(); ++y) {
                    const T* above = rows.row(y - 1);
                    const T* here = rows.row(y);
                    row(above, here, rows.row(y + 1), out.view<T>().row(y));
                }
            });
    });
}

}  // namespace warpscope
