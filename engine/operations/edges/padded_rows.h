// Rows of an image, or of its luma, with room at both ends, for what looks at the neighbours of a
// pixel. Luma of colour is weighed on the way, so that no gray image is ever whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {

enum class RowsOf { Samples, Luma };

// Keeps the last 2 `radius` + 1 rows, with `ends` pixels more at both ends. Each thread has its
// own.
template <class T>
class PaddedRows {
  public:
    static constexpr int kMostRadius = 7;

    // Throws std::bad_alloc.
    PaddedRows(const View<const T>& source, RowsOf content, int radius, int ends)
        : m_source(source),
          m_channels(content == RowsOf::Luma ? 1 : source.channels),
          m_radius(radius),
          m_ends(ends),
          m_pitch((std::ptrdiff_t(source.width) * m_channels + 2 * kRoom + 63) / 64 * 64),
          m_samples(alignedZeros<T>(std::size_t(m_pitch) * unsigned(2 * radius + 1))) {
        std::fill_n(m_held, 2 * kMostRadius + 1, -1);
    }

    // Row y, the nearest one where there is none; edges are repeated. Whole vectors may be read
    // up to kRoom samples before the row and after it. Stays until the row 2 radius + 1 rows away
    // is asked for.
    const T* row(int y) {
        const int nearest = std::clamp(y, 0, m_source.height - 1);
        const int slot = nearest % (2 * m_radius + 1);
        T* samples = m_samples.get() + slot * m_pitch + kRoom;
        if (m_held[slot] != nearest) fill(nearest, samples);
        m_held[slot] = nearest;
        return samples;
    }

  private:
    static constexpr int kRoom = 128;

    void fill(int y, T* samples) const {
        const int count = m_source.width * m_channels;
        if (m_channels < m_source.channels)
            lumaRow(m_source.row(y), samples, m_source.width);
        else
            std::copy_n(m_source.row(y), count, samples);
        for (int i = 0; i < m_ends * m_channels; ++i) {
            samples[-1 - i] = samples[m_channels - 1 - i % m_channels];
            samples[count + i] = samples[count - m_channels + i % m_channels];
        }
    }

    View<const T> m_source;
    int m_channels;
    int m_radius;
    int m_ends;
    std::ptrdiff_t m_pitch;
    hwy::AlignedFreeUniquePtr<T[]> m_samples;
    int m_held[2 * kMostRadius + 1];
};

// Calls row(above, here, below, to) with three rows of luma of `in`, one pixel longer at both ends,
// and the row of `out`, which has gray samples of the same type, for every row.
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
                PaddedRows<T> rows(in.view<T>(), RowsOf::Luma, 1, 1);
                for (int y = first; y < last && !chosen.stopRequested(); ++y) {
                    const T* above = rows.row(y - 1);
                    const T* here = rows.row(y);
                    row(above, here, rows.row(y + 1), out.view<T>().row(y));
                }
            });
    });
}

}  // namespace warpscope
