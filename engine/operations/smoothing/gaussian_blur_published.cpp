#include "engine/operations/smoothing/gaussian_blur.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "engine/operations/cpu_work.h"

namespace warpscope {
namespace {

// Sums of 8-bit samples fit in 32 bits, of 16-bit samples in 64.
template <class T>
using Sum = std::conditional_t<sizeof(T) == 1, std::uint32_t, std::uint64_t>;

template <class T>
struct Blur {
    View<const T> in;
    View<T> out;
    const GaussianBlurPlan& plan;
    // Half of what is cut off after either pass; wrong_floor leaves it out.
    Sum<T> rowHalf = 1u << 7, columnHalf = 1u << 23;

    int colors() const { return in.channels == 4 ? 3 : 1; }

    // The rounded row sum at one sample.
    Sum<T> rowSum(const T* row, int x, int c) const {
        Sum<T> sum = 0;
        for (int i = -plan.radius; i <= plan.radius; ++i) {
            const int at = std::clamp(x + i, 0, in.width - 1);
            sum += plan.taps[std::size_t(i + plan.radius)] *
                   Sum<T>(row[std::ptrdiff_t(at) * in.channels + c]);
        }
        return (sum + rowHalf) >> 8;
    }

    const T* rowAt(int y) const { return in.row(std::clamp(y, 0, in.height - 1)); }

    void store(int x, int y, int c, Sum<T> sum) const {
        out.row(y)[std::ptrdiff_t(x) * in.channels + c] = T((sum + columnHalf) >> 24);
    }

    void direct(int y) const {
        for (int x = 0; x < in.width; ++x)
            for (int c = 0; c < colors(); ++c) {
                Sum<T> sum = 0;
                for (int j = -plan.radius; j <= plan.radius; ++j)
                    sum += plan.taps[std::size_t(j + plan.radius)] * rowSum(rowAt(y + j), x, c);
                store(x, y, c, sum);
            }
        keepAlpha(in, out, y);
    }
};

// Bands so that stopping is quick, however many multiplications a row takes.
int bandRows(const CpuContext& context, Size size, std::int64_t multiplicationsPerPixel) {
    return rowsPerBand(context, size.height, std::uint64_t(size.width * multiplicationsPerPixel), 1,
                       4 << 20);
}

template <class T>
Result<void> runDirect(const Blur<T>& blur, const CpuContext& context) {
    const std::int64_t size = 2 * blur.plan.radius + 1;
    const int band = bandRows(context, blur.plan.size, size * size * blur.colors());
    return forEachRowBand(context, blur.in.height, band, [&](int first, int last) {
        for (int y = first; y < last && !context.stopRequested(); ++y) blur.direct(y);
    });
}

// All row sums, then all column sums.
template <class T>
Result<void> runSeparable(const Blur<T>& blur, const CpuContext& context) {
    using Middle = std::conditional_t<sizeof(T) == 1, std::uint16_t, std::uint32_t>;
    const int width = blur.in.width, height = blur.in.height, colors = blur.colors();
    const std::size_t samples = std::size_t(width) * std::size_t(colors);
    std::vector<Middle> middle(samples * std::size_t(height));
    const std::int64_t size = 2 * blur.plan.radius + 1;
    const int band = bandRows(context, blur.plan.size, size * colors);
    auto done = forEachRowBand(context, height, band, [&](int first, int last) {
        for (int y = first; y < last && !context.stopRequested(); ++y) {
            Middle* to = middle.data() + samples * std::size_t(y);
            for (int x = 0; x < width; ++x)
                for (int c = 0; c < colors; ++c) *to++ = Middle(blur.rowSum(blur.in.row(y), x, c));
        }
    });
    if (!done) return done;
    return forEachRowBand(context, height, band, [&](int first, int last) {
        std::vector<Sum<T>> sums(samples);
        for (int y = first; y < last && !context.stopRequested(); ++y) {
            std::fill(sums.begin(), sums.end(), Sum<T>{0});
            for (int j = -blur.plan.radius; j <= blur.plan.radius; ++j) {
                const Sum<T> weight = blur.plan.taps[std::size_t(j + blur.plan.radius)];
                const Middle* row =
                    middle.data() + samples * std::size_t(std::clamp(y + j, 0, height - 1));
                for (std::size_t i = 0; i < samples; ++i) sums[i] += weight * row[i];
            }
            for (int x = 0; x < width; ++x)
                for (int c = 0; c < colors; ++c)
                    blur.store(x, y, c,
                               sums[std::size_t(x) * std::size_t(colors) + std::size_t(c)]);
            keepAlpha(blur.in, blur.out, y);
        }
    });
}

template <class T>
Result<void> run(const GaussianBlurPlan& plan, const Image& in, const MutableImage& out,
                 const CpuContext& context) {
    Blur<T> blur{in.view<T>(), out.view<T>(), plan};
    if (plan.variant == "wrong_floor") blur.rowHalf = blur.columnHalf = 0;
    return plan.variant == "direct_2d" ? runDirect(blur, context) : runSeparable(blur, context);
}

}  // namespace

Result<void> runGaussianBlurPublished(const GaussianBlurPlan& plan, const Image& in,
                                      const MutableImage& out, const CpuContext& context) {
    if (bytesPerSample(plan.input) == 1) return run<std::uint8_t>(plan, in, out, context);
    return run<std::uint16_t>(plan, in, out, context);
}

}  // namespace warpscope
