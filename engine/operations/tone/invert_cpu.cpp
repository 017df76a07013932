#include <cstring>

#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/invert.h"

namespace warpscope {
namespace {

// M - v flips every bit of an unsigned sample: eight bytes at a time whatever the format, alpha's
// bits left out. Two pixels of Rgba8, one of Rgba16.
std::uint64_t flippedBits(PixelFormat format) {
    if (!isColor(format)) return ~std::uint64_t{0};
    return bytesPerSample(format) == 1 ? 0x00ffffff'00ffffff : 0x0000ffff'ffffffff;
}

void invertRow(const std::byte* in, std::byte* out, std::size_t bytes, std::uint64_t flipped) {
    std::uint64_t word = 0;
    std::size_t i = 0;
    for (; i + sizeof(word) <= bytes; i += sizeof(word)) {
        std::memcpy(&word, in + i, sizeof(word));
        word ^= flipped;
        std::memcpy(out + i, &word, sizeof(word));
    }
    std::memcpy(&word, in + i, bytes - i);
    word ^= flipped;
    std::memcpy(out + i, &word, bytes - i);
}

}  // namespace

Result<void> runInvertCpu(const InvertPlan& plan, const Image& in, const MutableImage& out,
                          const CpuContext& context) {
    const std::size_t bytes = std::size_t(plan.size.width) * std::size_t(bytesPerPixel(plan.input));
    const std::uint64_t flipped = flippedBits(plan.input);
    const int height = plan.size.height;
    const CpuContext chosen = forWork(context, plan.size, 0.1 * bytesPerPixel(plan.input));
    return forEachRowBand(chosen, height, rowsPerBand(chosen, height, bytes),
                          [&](int first, int last) {
                              for (int y = first; y < last; ++y)
                                  invertRow(in.bytes() + y * in.pitch(),
                                            out.bytes() + y * out.pitch(), bytes, flipped);
                          });
}

}  // namespace warpscope
