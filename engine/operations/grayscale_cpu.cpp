#include "engine/operations/grayscale_cpu.h"

#include <algorithm>
#include <cstring>

namespace warpscope {
namespace {

// Sums fit 32 bits for 16-bit samples too: 65,535 x 65,536 + 32,768 < 2^32.
template <class T>
void grayRow(const GrayscalePlan& plan, const T* in, T* out, int width) {
    for (int x = 0; x < width; ++x, in += 4) {
        const std::uint32_t r = in[0], g = in[1], b = in[2];
        switch (plan.method) {
            case GrayMethod::Weighted601:
            case GrayMethod::Weighted709: {
                const GrayWeights& w = plan.weights;
                out[x] = T((w.red * r + w.green * g + w.blue * b + 32768u) >> 16);
                break;
            }
            case GrayMethod::Average:
                out[x] = T((2 * (r + g + b) + 3) / 6);
                break;
            case GrayMethod::Maximum:
                out[x] = T(std::max({r, g, b}));
                break;
        }
    }
}

template <class T>
Result<void> runTyped(const GrayscalePlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const std::uint64_t rowBytes =
        std::uint64_t(plan.size.width) * std::uint64_t(bytesPerPixel(plan.input));
    return forEachRowBand(context, plan.size.height,
                          rowsPerBand(context, plan.size.height, rowBytes),
                          [&](int first, int last) {
                              for (int y = first; y < last; ++y) {
                                  if (plan.identity)
                                      std::memcpy(target.row(y), source.row(y), rowBytes);
                                  else
                                      grayRow(plan, source.row(y), target.row(y), source.width);
                              }
                          });
}

}  // namespace

Result<void> runGrayscaleCpu(const GrayscalePlan& plan, const Image& in, const MutableImage& out,
                             const CpuContext& context) {
    if (bytesPerSample(plan.input) == 2) return runTyped<std::uint16_t>(plan, in, out, context);
    return runTyped<std::uint8_t>(plan, in, out, context);
}

}  // namespace warpscope
