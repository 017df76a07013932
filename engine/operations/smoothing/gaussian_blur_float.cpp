// The Gaussian of float samples. Whatever the variant, a sum begins with 0 and takes the products
// of weights and samples one by one, from the first to the last: the bits are the same everywhere.
// Colours stay interleaved: their neighbours are four samples apart, and alpha is put back.
#include "engine/operations/smoothing/gaussian_blur.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/gaussian_blur_float.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Sample k of line(tap) is what weight `tap` is for; kFloatBlock samples at a time.
template <class Line>
HWY_ATTR HWY_INLINE void weightedSums(const float* taps, int count, int samples, float* out,
                                      const Line& line) {
    const hn::CappedTag<float, 16> d;
    using V = hn::Vec<decltype(d)>;
    const int lanes = int(hn::Lanes(d));
    constexpr int kVectors = 4;
    for (int k = 0; k < samples; k += kVectors * lanes) {
        V sum[kVectors];
        _Pragma("GCC unroll 4") for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
        for (int tap = 0; tap < count; ++tap) {
            const V weight = hn::Set(d, taps[tap]);
            const float* from = line(tap) + k;
            _Pragma("GCC unroll 4") for (int v = 0; v < kVectors; ++v) sum[v] =
                hn::Add(sum[v], hn::Mul(weight, hn::LoadU(d, from + v * lanes)));
        }
        _Pragma("GCC unroll 4") for (int v = 0; v < kVectors; ++v)
            hn::StoreU(sum[v], d, out + k + v * lanes);
    }
}

HWY_ATTR void rowFloat(const float* padded, const float* taps, int count, int channels, int samples,
                       float* out) {
    weightedSums(taps, count, samples, out, [&](int tap) { return padded + tap * channels; });
}

HWY_ATTR void columnFloat(const float* const* rows, const float* taps, int count, int samples,
                          float* out) {
    weightedSums(taps, count, samples, out, [&](int tap) { return rows[tap]; });
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/cpu_work.h"

namespace warpscope {
namespace {

HWY_EXPORT(rowFloat);
HWY_EXPORT(columnFloat);

// Vector code makes so many samples at a time.
constexpr int kBlock = 64;

struct Frame {
    View<const float> source;
    View<float> target;
    const std::vector<float>& taps;

    int radius() const { return int(taps.size() / 2); }
    int samples() const { return source.samplesPerRow(); }
    int blocks() const { return (samples() + kBlock - 1) / kBlock * kBlock; }
};

// Rows between the passes: a ring of the last `capacity` ones, or all.
class MiddleRows {
  public:
    MiddleRows(const Frame& frame, int capacity)
        : m_capacity(capacity),
          // An odd number of cache lines: rows do not fight for the same cache set.
          m_pitch(frame.blocks() / 16 % 2 ? frame.blocks() : frame.blocks() + 16),
          m_samples(alignedSamples<float>(std::size_t(m_pitch) * std::size_t(capacity))) {}

    float* row(int y) const { return m_samples.get() + std::ptrdiff_t(y % m_capacity) * m_pitch; }

  private:
    int m_capacity;
    int m_pitch;
    hwy::AlignedFreeUniquePtr<float[]> m_samples;
};

class RowPass {
  public:
    explicit RowPass(const Frame& frame)
        : m_frame(frame),
          m_padded(alignedZeros<float>(
              std::size_t(frame.blocks() + 2 * frame.radius() * frame.source.channels))) {}

    void run(int y, float* out) const {
        const int channels = m_frame.source.channels, samples = m_frame.samples();
        const int side = m_frame.radius() * channels;
        float* row = m_padded.get() + side;
        std::copy_n(m_frame.source.row(y), samples, row);
        for (int k = 1; k <= side; ++k) row[-k] = row[channels - 1 - (k - 1) % channels];
        for (int k = 0; k < side; ++k) row[samples + k] = row[samples + k - channels];
        HWY_DYNAMIC_DISPATCH(rowFloat)
        (m_padded.get(), m_frame.taps.data(), int(m_frame.taps.size()), channels, m_frame.blocks(),
         out);
    }

  private:
    const Frame& m_frame;
    hwy::AlignedFreeUniquePtr<float[]> m_padded;
};

class ColumnPass {
  public:
    explicit ColumnPass(const Frame& frame)
        : m_frame(frame),
          m_rows(frame.taps.size()),
          m_out(alignedSamples<float>(std::size_t(frame.blocks()))) {}

    // Output row y.
    void run(int y, const MiddleRows& middle) {
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            m_rows[i] =
                middle.row(std::clamp(y + int(i) - m_frame.radius(), 0, m_frame.source.height - 1));
        HWY_DYNAMIC_DISPATCH(columnFloat)
        (m_rows.data(), m_frame.taps.data(), int(m_rows.size()), m_frame.blocks(), m_out.get());
        std::copy_n(m_out.get(), m_frame.samples(), m_frame.target.row(y));
        keepAlpha(m_frame.source, m_frame.target, y);
    }

  private:
    const Frame& m_frame;
    std::vector<const float*> m_rows;
    hwy::AlignedFreeUniquePtr<float[]> m_out;
};

// Both passes over output rows [first, last), the row pass just ahead of the column pass.
void runFused(const Frame& frame, int first, int last, const CpuContext& context) {
    const int height = frame.source.height;
    const MiddleRows middle(frame, std::min(height, int(frame.taps.size())));
    const RowPass rows(frame);
    ColumnPass columns(frame);
    int ready = std::max(0, first - frame.radius());
    for (int y = first; y < last && !context.stopRequested(); ++y) {
        for (; ready < std::min(height, y + frame.radius() + 1); ++ready)
            rows.run(ready, middle.row(ready));
        columns.run(y, middle);
    }
}

// One pass after the other over the whole image.
Result<void> runInTwoPasses(const Frame& frame, const CpuContext& context) {
    const int height = frame.source.height;
    const MiddleRows middle(frame, height);
    const int band = rowsPerBand(context, height,
                                 std::uint64_t(frame.samples()) * frame.taps.size(), 1, 4 << 20);
    CpuContext half = context;
    if (context.progress) half.progress = [&](double done) { context.progress(done / 2); };
    auto rows = forEachRowBand(half, height, band, [&](int first, int last) {
        const RowPass pass(frame);
        for (int y = first; y < last && !context.stopRequested(); ++y) pass.run(y, middle.row(y));
    });
    if (!rows) return rows;
    if (context.progress) half.progress = [&](double done) { context.progress(0.5 + done / 2); };
    return forEachRowBand(half, height, band, [&](int first, int last) {
        ColumnPass pass(frame);
        for (int y = first; y < last && !context.stopRequested(); ++y) pass.run(y, middle);
    });
}

// Every output sums its whole square, row by row.
Result<void> runDirect(const Frame& frame, const CpuContext& context) {
    const auto& taps = frame.taps;
    const int radius = frame.radius(), channels = frame.source.channels;
    const int lastX = frame.source.width - 1, lastY = frame.source.height - 1;
    const auto rowSum = [&](const float* row, int x, int c) {
        float sum = 0;
        for (int i = 0; i <= 2 * radius; ++i)
            sum += taps[std::size_t(i)] * row[std::clamp(x + i - radius, 0, lastX) * channels + c];
        return sum;
    };
    const int band = rowsPerBand(
        context, lastY + 1, std::uint64_t(frame.samples()) * taps.size() * taps.size(), 1, 4 << 20);
    return forEachRowBand(context, lastY + 1, band, [&](int first, int last) {
        for (int y = first; y < last && !context.stopRequested(); ++y) {
            for (int x = 0; x <= lastX; ++x)
                for (int c = 0; c < std::min(channels, 3); ++c) {
                    float sum = 0;
                    for (int j = 0; j <= 2 * radius; ++j)
                        sum += taps[std::size_t(j)] *
                               rowSum(frame.source.row(std::clamp(y + j - radius, 0, lastY)), x, c);
                    frame.target.row(y)[x * channels + c] = sum;
                }
            keepAlpha(frame.source, frame.target, y);
        }
    });
}

}  // namespace

Result<void> runGaussianBlurFloat(const GaussianBlurPlan& plan, const Image& in,
                                  const MutableImage& out, const CpuContext& context) {
    const Frame frame{in.view<float>(), out.view<float>(), plan.floatTaps};
    if (plan.variant == "direct_2d") return runDirect(frame, context);
    const CpuContext chosen =
        forWork(context, plan.size, frame.source.channels * 0.3 * double(frame.taps.size()));
    const int height = frame.source.height, threads = chosen.threadCount();
    // Tall beside the 2 radius rows whose row pass is done twice, the same share for every thread.
    const int tall = std::max(64, 16 * plan.radius);
    const int bands = std::max(1, height / tall / threads) * threads;
    const int band = (height + bands - 1) / bands;
    if (plan.variant != kAutomaticVariant || (threads > 1 && band < 4 * plan.radius))
        return runInTwoPasses(frame, chosen);
    return forEachRowBand(chosen, height, band,
                          [&](int first, int last) { runFused(frame, first, last, chosen); });
}

}  // namespace warpscope

#endif  // HWY_ONCE
