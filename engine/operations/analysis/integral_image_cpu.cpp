#include "engine/operations/analysis/integral_image.h"

#include <hwy/cache_control.h>

#include <algorithm>

#include "engine/operations/analysis/integral_image_rows.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

// Sums that no cache will hold are written past it.
constexpr std::uint64_t kStreamBytes = 4u << 20;
// Rows between two looks at the stop token.
constexpr int kRowsBetweenStops = 32;

// Gray rows of an image, a few at a time: those of the image itself or the luma of colour.
template <class T>
class GrayRows {
  public:
    explicit GrayRows(const View<const T>& source) : m_source(source) {
        if (source.channels == 1) return;
        m_pitch = std::size_t(source.width) + 64;
        m_luma =
            alignedZeros<T>(m_pitch * std::size_t(std::min(source.height, kIntegralRowsAtOnce)));
    }

    // Valid until the next call. At most kIntegralRowsAtOnce rows.
    const T* const* at(int y, int rows) {
        for (int k = 0; k < rows; ++k) {
            m_rows[k] = m_source.row(y + k);
            if (m_source.channels == 1) continue;
            T* luma = m_luma.get() + std::size_t(k) * m_pitch;
            lumaRow(m_rows[k], luma, m_source.width);
            m_rows[k] = luma;
        }
        return m_rows;
    }

  private:
    View<const T> m_source;
    std::size_t m_pitch = 0;
    hwy::AlignedFreeUniquePtr<T[]> m_luma;
    const T* m_rows[kIntegralRowsAtOnce] = {};
};

template <class T, class S>
struct Frame {
    View<const T> source;
    View<S> target;
    bool stream = false;
    IntegralKernels<T, S> kernels = integralKernels<T, S>();

    std::size_t sumsPerRow() const { return std::size_t(source.width) + kIntegralPadding; }

    // Integral rows [first, last); `above` holds the sums of the row before and then of the last.
    void integrate(int first, int last, S* above, const CpuContext& context) const {
        GrayRows<T> gray(source);
        for (int y = first; y < last; y += kIntegralRowsAtOnce) {
            if ((y - first) % kRowsBetweenStops == 0 && context.stopRequested()) return;
            const int rows = std::min(kIntegralRowsAtOnce, last - y);
            S* out[kIntegralRowsAtOnce] = {};
            for (int k = 0; k < rows; ++k) out[k] = target.row(y + k);
            kernels.rows(gray.at(y, rows), rows, above, out, source.width, stream);
        }
        if (stream) hwy::FlushStream();
    }

    // The samples of the gray image that this one is of: those that a later pass would make again.
    void keepGray(int first, int last, const View<T>& gray) const {
        for (int y = first; y < last; ++y) lumaRow(source.row(y), gray.row(y), source.width);
    }

    void sumColumns(int first, int last, S* columns, const CpuContext& context) const {
        GrayRows<T> gray(source);
        for (int y = first; y < last; y += kIntegralRowsAtOnce) {
            if ((y - first) % kRowsBetweenStops == 0 && context.stopRequested()) return;
            const int rows = std::min(kIntegralRowsAtOnce, last - y);
            kernels.columns(gray.at(y, rows), rows, columns, source.width);
        }
    }
};

// One thread: top to bottom in one pass.
template <class T, class S>
Result<void> inOnePass(const Frame<T, S>& frame, const CpuContext& context) {
    const auto above = alignedZeros<S>(frame.sumsPerRow());
    const int height = frame.source.height;
    const auto bytesPerRow =
        std::uint64_t(frame.source.samplesPerRow()) * sizeof(T) + frame.sumsPerRow() * sizeof(S);
    const int band = rowsPerBand(context, height, bytesPerRow, kIntegralRowsAtOnce, 1 << 20);
    // Bands of one thread come in rising order.
    return forEachRowBand(context, height, band, [&](int first, int last) {
        frame.integrate(first, last, above.get(), context);
    });
}

// Several threads: column sums of each band, their scan over the bands, then every band for
// itself. The samples are read twice, those of colour the second time as gray ones; the sums are
// written once.
template <class T, class S>
Result<void> reduceThenScan(Frame<T, S> frame, const CpuContext& context) {
    const Frame<T, S> given = frame;
    const bool color = given.source.channels == 4;
    MutableImage gray;
    if (color) {
        auto made = MutableImage::create(sizeof(T) == 1 ? PixelFormat::Gray8 : PixelFormat::Gray16,
                                         {given.source.width, given.source.height});
        if (!made) return fail(made.error());
        gray = std::move(*made);
        const View<T> kept = gray.view<T>();
        frame.source = {kept.data, kept.width, kept.height, kept.channels, kept.pitch};
    }
    const int height = frame.source.height;
    const int width = frame.source.width;
    const int wanted = 4 * context.threadCount();
    const int rows = std::max((height + wanted - 1) / wanted, kIntegralRowsAtOnce);
    const int bands = (height + rows - 1) / rows;
    const std::size_t pitch = frame.sumsPerRow();
    const auto sums = alignedZeros<S>(pitch * std::size_t(bands));
    const auto sumsOf = [&](int band) { return sums.get() + std::size_t(band) * pitch; };
    const auto firstRow = [&](int band) { return std::min(height, band * rows); };

    CpuContext quiet = context;
    if (context.progress) quiet.progress = [&](double done) { context.progress(done / 4); };
    // The sums of band b go where band b + 1 finds them.
    auto done = forEachRowBand(quiet, color ? bands : bands - 1, 1, [&](int first, int last) {
        for (int b = first; b < last; ++b) {
            if (color) given.keepGray(firstRow(b), firstRow(b + 1), gray.view<T>());
            if (b + 1 < bands)
                frame.sumColumns(firstRow(b), firstRow(b + 1), sumsOf(b + 1), context);
        }
    });
    if (!done) return done;
    for (int b = 2; b < bands; ++b)
        for (int x = 0; x < width; ++x) sumsOf(b)[x] += sumsOf(b - 1)[x];

    if (context.progress)
        quiet.progress = [&](double part) { context.progress(0.25 + 0.75 * part); };
    return forEachRowBand(quiet, bands, 1, [&](int first, int last) {
        for (int b = first; b < last; ++b) {
            S* above = sumsOf(b);
            for (int x = 1; x < width; ++x) above[x] += above[x - 1];
            frame.integrate(firstRow(b), firstRow(b + 1), above, context);
        }
    });
}

template <class T, class S>
Result<void> runTyped(const Image& in, const MutableImage& out, const CpuContext& context) {
    Frame<T, S> frame{in.view<T>(), out.view<S>()};
    frame.stream = std::uint64_t(in.size().pixels()) * sizeof(S) >= kStreamBytes;
    // Less than it takes: several threads read the samples twice.
    const CpuContext chosen =
        forWork(context, in.size(),
                0.025 * double(sizeof(S)) + (frame.source.channels == 4 ? 0.06 : 0.0) * sizeof(T));
    return chosen.threadCount() == 1 ? inOnePass(frame, chosen) : reduceThenScan(frame, chosen);
}

}  // namespace

Result<void> runIntegralImageCpu(const IntegralImagePlan& plan, const Image& in,
                                 const MutableImage& out, const CpuContext& context) {
    if (plan.variant != kAutomaticVariant) return runIntegralImagePublished(plan, in, out, context);
    const bool sums64 = plan.output == PixelFormat::Gray64;
    if (bytesPerSample(plan.input) == 2)
        return sums64 ? runTyped<std::uint16_t, std::uint64_t>(in, out, context)
                      : runTyped<std::uint16_t, std::uint32_t>(in, out, context);
    return sums64 ? runTyped<std::uint8_t, std::uint64_t>(in, out, context)
                  : runTyped<std::uint8_t, std::uint32_t>(in, out, context);
}

}  // namespace warpscope
