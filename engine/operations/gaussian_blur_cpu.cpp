#include "engine/operations/gaussian_blur_cpu.h"

#include <algorithm>

namespace warpscope {
namespace {

template <class T>
void rowPass(const GaussianBlurPlan& plan, const T* in, int width, int channels,
             std::uint16_t* out) {
    for (int x = 0; x < width; ++x) {
        for (int c = 0; c < channels; ++c) {
            std::uint32_t sum = 128;
            for (int i = -plan.radius; i <= plan.radius; ++i) {
                const int at = std::clamp(x + i, 0, width - 1);
                sum += plan.taps[std::size_t(i + plan.radius)] * in[at * channels + c];
            }
            out[x * channels + c] = std::uint16_t(sum >> 8);
        }
    }
}

template <class T>
Result<void> runTyped(const GaussianBlurPlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const int height = source.height;
    const int samples = source.samplesPerRow();
    std::vector<std::uint16_t> middle(std::size_t(samples) * std::size_t(height));
    const auto middleRow = [&](int y) {
        return middle.data() + std::size_t(y) * std::size_t(samples);
    };
    const int band = rowsPerBand(context, height, std::uint64_t(samples) * 3);
    auto rows = forEachRowBand(context, height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y)
            rowPass(plan, source.row(y), source.width, source.channels, middleRow(y));
    });
    if (!rows) return rows;
    return forEachRowBand(context, height, band, [&](int first, int last) {
        std::vector<std::uint32_t> sums(static_cast<std::size_t>(samples));
        for (int y = first; y < last; ++y) {
            std::fill(sums.begin(), sums.end(), 1u << 23);
            for (int i = -plan.radius; i <= plan.radius; ++i) {
                const std::uint16_t* row = middleRow(std::clamp(y + i, 0, height - 1));
                const std::uint32_t tap = plan.taps[std::size_t(i + plan.radius)];
                for (int s = 0; s < samples; ++s) sums[std::size_t(s)] += tap * row[s];
            }
            T* to = target.row(y);
            const T* from = source.row(y);
            for (int s = 0; s < samples; ++s) to[s] = T(sums[std::size_t(s)] >> 24);
            if (source.channels == 4)
                for (int s = 3; s < samples; s += 4) to[s] = from[s];
        }
    });
}

}  // namespace

Result<void> runGaussianBlurCpu(const GaussianBlurPlan& plan, const Image& in,
                                const MutableImage& out, const CpuContext& context) {
    return runTyped<std::uint8_t>(plan, in, out, context);
}

}  // namespace warpscope
