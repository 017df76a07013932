// NL-means of float samples. Sums do not slide: what rounding leaves of a large value, NaN and
// infinity stay in the patches that have them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/nl_means_float.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "engine/operations/smoothing/nl_means_rows.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

// Squared differences of two rows, over `channels` planes that are `plane` samples apart.
HWY_ATTR void squares(const float* own, const float* other, std::ptrdiff_t plane, int channels,
                      int columns, float* out) {
    const DF d;
    for (int x = 0; x < columns; x += int(hn::Lanes(d))) {
        VF sum = hn::Zero(d);
        for (int c = 0; c < channels; ++c) {
            const VF difference =
                hn::Sub(hn::LoadU(d, own + c * plane + x), hn::LoadU(d, other + c * plane + x));
            sum = hn::Add(sum, hn::Mul(difference, difference));
        }
        hn::StoreU(sum, d, out + x);
    }
}

// out[x] = sum of `count` samples from in[x] on, `step` apart.
HWY_ATTR void addUp(const float* in, std::ptrdiff_t step, int count, int columns, float* out) {
    const DF d;
    for (int x = 0; x < columns; x += int(hn::Lanes(d))) {
        VF sum = hn::LoadU(d, in + x);
        for (int i = 1; i < count; ++i) sum = hn::Add(sum, hn::LoadU(d, in + i * step + x));
        hn::StoreU(sum, d, out + x);
    }
}

// 2^x for x up to 0, within 2^-21 of itself; 0 below -126. Products and sums are rounded by
// themselves, so that every instruction set has the same bits.
HWY_ATTR HWY_INLINE VF powerOfTwo(VF x) {
    const DF d;
    const hn::Rebind<std::int32_t, DF> di;
    const VF least = hn::Set(d, -126.0f);
    const VF inside = hn::IfThenElse(hn::Ge(x, least), x, least);  // NaN too, for now
    const auto whole = hn::Round(inside);
    const VF rest = hn::Sub(inside, whole);  // -1/2 to 1/2
    VF power = hn::Set(d, 1.5403530e-4f);
    for (const float factor :
         {1.3333558e-3f, 9.6181291e-3f, 5.5504109e-2f, 2.4022651e-1f, 6.9314718e-1f, 1.0f})
        power = hn::Add(hn::Mul(power, rest), hn::Set(d, factor));
    const auto exponent = hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, whole), hn::Set(di, 127)));
    power = hn::Mul(power, hn::BitCast(d, exponent));
    power = hn::IfThenElse(hn::Lt(x, least), hn::Zero(d), power);
    return hn::IfThenElse(hn::Eq(x, x), power, x);
}

// Adds the weights of patches that differ by `apart` and the weighted values.
HWY_ATTR void addWeighted(const float* apart, float exponent, const float* values,
                          std::ptrdiff_t plane, int channels, int columns, float* sums,
                          std::ptrdiff_t sumPlane) {
    const DF d;
    const VF factor = hn::Set(d, exponent);
    for (int x = 0; x < columns; x += int(hn::Lanes(d))) {
        const VF weight = powerOfTwo(hn::Mul(factor, hn::LoadU(d, apart + x)));
        hn::StoreU(hn::Add(hn::LoadU(d, sums + x), weight), d, sums + x);
        for (int c = 0; c < channels; ++c) {
            float* own = sums + (c + 1) * sumPlane + x;
            const VF value = hn::Mul(weight, hn::LoadU(d, values + c * plane + x));
            hn::StoreU(hn::Add(hn::LoadU(d, own), value), d, own);
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <cmath>

#include "engine/operations/cpu_work.h"

namespace warpscope {
namespace {

HWY_EXPORT(squares);
HWY_EXPORT(addUp);
HWY_EXPORT(addWeighted);

// Samples that vector code may touch beyond the last column.
constexpr int kPadding = 16;

// The tile and all that the windows around its pixels reach, borders mirrored, a plane a colour.
struct Planes {
    Rect rect;
    int channels;
    int reach;
    std::ptrdiff_t pitch, plane;
    hwy::AlignedFreeUniquePtr<float[]> samples;

    Planes(const NlMeansPlan& plan, const Image& in, const Rect& tile)
        : rect(tile),
          channels(isColor(in.format()) ? 3 : 1),
          reach(plan.patchRadius + plan.searchRadius),
          pitch(tile.width + 2 * reach + kPadding),
          plane(pitch * (tile.height + 2 * reach)),
          samples(alignedZeros<float>(std::size_t(plane * channels))) {
        const int step = channelCount(in.format());
        for (int y = -reach; y < rect.height + reach; ++y) {
            const float* row = in.view<float>().row(mirroredIndex(rect.y + y, in.height()));
            for (int x = -reach; x < rect.width + reach; ++x) {
                const float* pixel = row + step * mirroredIndex(rect.x + x, in.width());
                for (int c = 0; c < channels; ++c)
                    samples[std::size_t(at(x, y) + c * plane)] = pixel[c];
            }
        }
    }

    std::ptrdiff_t at(int x, int y) const { return (y + reach) * pitch + x + reach; }
    const float* from(int x, int y) const { return samples.get() + at(x, y); }
};

// Rows that are worked on together: their sums and squares stay in the second cache.
constexpr int kRowsTogether = 16;

// Output rows [first, first + rows) of the tile.
class Rows {
  public:
    Rows(const NlMeansPlan& plan, const Planes& planes)
        : m_plan(plan),
          m_planes(planes),
          m_width(planes.rect.width),
          m_pitch(m_width + 2 * plan.patchRadius + kPadding),
          m_sumPlane(std::ptrdiff_t(m_pitch) * kRowsTogether),
          m_squares(room(kRowsTogether + 2 * plan.patchRadius)),
          m_columns(room(1)),
          m_apart(room(1)),
          m_sums(room(kRowsTogether * (planes.channels + 1))),
          m_partial(room(kRowsTogether * (planes.channels + 1))) {}

    // False when asked to stop.
    bool run(int first, int rows, const NlMeansStop& stop) {
        const int search = m_plan.searchRadius;
        const std::size_t samples = std::size_t(m_sumPlane * (m_planes.channels + 1));
        std::fill_n(m_sums.get(), samples, 0.0f);
        for (int dy = -search; dy <= search; ++dy) {
            if (stop()) return false;
            // Offsets of a row are added by themselves first: so many small additions to a large
            // sum would lose too much.
            std::fill_n(m_partial.get(), samples, 0.0f);
            for (int dx = -search; dx <= search; ++dx) addOffset(first, rows, dx, dy);
            for (std::size_t i = 0; i < samples; ++i) m_sums[i] += m_partial[i];
        }
        return true;
    }

    // The mean of channel c at column x of row `row` of those, of which `own` is the sample.
    float mean(int x, int row, int c, float own) const {
        const float* weights = m_sums.get() + std::ptrdiff_t(row) * m_pitch + x;
        const float sum = weights[(c + 1) * m_sumPlane];
        // Infinity minus infinity is NaN, so that only a sum of finite samples that is too large is
        // infinite. So large, whatever has a weight is equal to the sample itself.
        return std::isinf(sum) ? own : sum / weights[0];
    }

  private:
    hwy::AlignedFreeUniquePtr<float[]> room(int rows) const {
        return alignedZeros<float>(std::size_t(m_pitch) * std::size_t(rows));
    }

    void addOffset(int first, int rows, int dx, int dy) {
        const int radius = m_plan.patchRadius, side = 2 * radius + 1;
        for (int i = 0; i < rows + 2 * radius; ++i) {
            const int y = first + i - radius;
            HWY_DYNAMIC_DISPATCH(squares)
            (m_planes.from(-radius, y), m_planes.from(dx - radius, y + dy), m_planes.plane,
             m_planes.channels, m_width + 2 * radius,
             m_squares.get() + std::ptrdiff_t(i) * m_pitch);
        }
        for (int i = 0; i < rows; ++i) {
            const std::ptrdiff_t row = std::ptrdiff_t(i) * m_pitch;
            HWY_DYNAMIC_DISPATCH(addUp)
            (m_squares.get() + row, m_pitch, side, m_width + 2 * radius, m_columns.get());
            HWY_DYNAMIC_DISPATCH(addUp)(m_columns.get(), 1, side, m_width, m_apart.get());
            HWY_DYNAMIC_DISPATCH(addWeighted)
            (m_apart.get(), float(m_plan.exponent), m_planes.from(dx, first + i + dy),
             m_planes.plane, m_planes.channels, m_width, m_partial.get() + row, m_sumPlane);
        }
    }

    const NlMeansPlan& m_plan;
    const Planes& m_planes;
    int m_width;
    int m_pitch;
    std::ptrdiff_t m_sumPlane;
    // Sums: a plane of weights, then one a colour.
    hwy::AlignedFreeUniquePtr<float[]> m_squares, m_columns, m_apart, m_sums, m_partial;
};

// As published: every patch anew for every offset, weights by the mathematics library.
float directMean(const NlMeansPlan& plan, const Planes& planes, int x, int y, int channel) {
    const int search = plan.searchRadius, patch = plan.patchRadius;
    double sum = 0, weights = 0;
    for (int dy = -search; dy <= search; ++dy)
        for (int dx = -search; dx <= search; ++dx) {
            double apart = 0;
            for (int j = -patch; j <= patch; ++j)
                for (int i = -patch; i <= patch; ++i)
                    for (int c = 0; c < planes.channels; ++c) {
                        const double difference =
                            double(planes.from(x + i, y + j)[c * planes.plane]) -
                            double(planes.from(x + dx + i, y + dy + j)[c * planes.plane]);
                        apart += difference * difference;
                    }
            const double weight = std::exp2(plan.exponent * apart);
            weights += weight;
            sum += weight * double(planes.from(x + dx, y + dy)[channel * planes.plane]);
        }
    return float(sum / weights);
}

}  // namespace

void nlMeansFloatTile(const NlMeansPlan& plan, const Image& in, const MutableImage& out,
                      const Rect& rect, const NlMeansStop& stop) {
    const Planes planes(plan, in, rect);
    const auto source = in.view<float>();
    const auto target = out.view<float>();
    const bool direct = plan.variant != kAutomaticVariant;
    Rows together(plan, planes);
    for (int first = 0; first < rect.height; first += kRowsTogether) {
        const int rows = std::min(kRowsTogether, rect.height - first);
        if (!direct && !together.run(first, rows, stop)) return;
        for (int i = 0; i < rows; ++i) {
            const int y = first + i;
            float* to = target.row(rect.y + y) + std::ptrdiff_t(rect.x) * target.channels;
            const float* from = source.row(rect.y + y) + std::ptrdiff_t(rect.x) * source.channels;
            for (int x = 0; x < rect.width; ++x) {
                if (direct && x % 16 == 0 && stop()) return;
                for (int c = 0; c < planes.channels; ++c)
                    to[x * target.channels + c] =
                        direct ? directMean(plan, planes, x, y, c)
                               : together.mean(x, i, c, from[x * source.channels + c]);
                if (target.channels == 4) to[4 * x + 3] = from[4 * x + 3];
            }
        }
    }
}

}  // namespace warpscope

#endif  // HWY_ONCE
