#include <hwy/cache_control.h>

#include "engine/operations/cpu_work.h"
#include "engine/operations/flat_rows.h"
#include "engine/operations/tone/invert.h"

namespace warpscope {
namespace {

// M - v flips every bit of an unsigned sample, alpha's bits left out. Two pixels of Rgba8, one of
// Rgba16.
std::uint64_t flippedBits(PixelFormat format) {
    if (!isColor(format)) return ~std::uint64_t{0};
    return bytesPerSample(format) == 1 ? 0x00ffffff'00ffffff : 0x0000ffff'ffffffff;
}

void invertRow(const float* in, float* out, int pixels, int channels) {
    if (channels == 1) {
        for (int x = 0; x < pixels; ++x) out[x] = 1.0f - in[x];
        return;
    }
    for (int x = 0; x < pixels; ++x, in += 4, out += 4) {
        for (int c = 0; c < 3; ++c) out[c] = 1.0f - in[c];
        out[3] = in[3];
    }
}

}  // namespace

Result<void> runInvertCpu(const InvertPlan& plan, const Image& in, const MutableImage& out,
                          const CpuContext& context) {
    const std::size_t bytes = std::size_t(plan.size.width) * std::size_t(bytesPerPixel(plan.input));
    const std::uint64_t flipped = flippedBits(plan.input);
    const int height = plan.size.height;
    const bool stream = in.byteCount() >= kFlatStreamBytes;
    const CpuContext chosen = forWork(context, plan.size, 0.055 * bytesPerPixel(plan.input));
    const auto invert = [&](int y) {
        if (isFloat(plan.input))
            invertRow(in.view<float>().row(y), out.view<float>().row(y), plan.size.width,
                      channelCount(plan.input));
        else
            flipRow(in.rowBytes(y), out.rowBytes(y), bytes, flipped, stream);
    };
    return forEachRowBand(chosen, height, rowsPerBand(chosen, height, bytes),
                          [&](int first, int last) {
                              for (int y = first; y < last; ++y) invert(y);
                              if (stream) hwy::FlushStream();
                          });
}

}  // namespace warpscope
