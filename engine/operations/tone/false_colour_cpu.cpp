#include <cstring>

#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/false_colour.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

constexpr std::uint32_t kOpaque = 0xff000000u;

// A pixel as four bytes in memory, R first.
void storePixel(std::uint8_t* out, int x, std::uint32_t color) {
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(out + 4 * std::ptrdiff_t(x), &color, sizeof(color));
}

std::uint32_t colorOf(const FalseColourPlan& plan, std::uint8_t v) {
    return plan.colorOfLevel[v];
}
std::uint32_t colorOf(const FalseColourPlan& plan, std::uint16_t v) {
    return plan.colors[plan.indexOfLevel[v]];
}
template <class T>
std::uint32_t colorOf(const FalseColourPlan& plan, T v) {
    return plan.colors[plan.index(v)];
}

template <class T>
Result<void> colored(const FalseColourPlan& plan, const Image& in, const MutableImage& out,
                     const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<std::uint8_t>();
    const int width = source.width;
    const CpuContext chosen = forWork(context, plan.size, sizeof(T) == 4 ? 6.0 : 1.0);
    const int band = rowsPerBand(
        chosen, source.height,
        std::uint64_t(source.samplesPerRow()) * sizeof(T) + 4 * std::uint64_t(unsigned(width)));
    const auto grayRow = [&](const T* from, std::uint8_t* to) {
        for (int x = 0; x < width; ++x) storePixel(to, x, colorOf(plan, from[x]) | kOpaque);
    };
    const auto colorRow = [&](const T* from, T* luma, std::uint8_t* to) {
        if constexpr (!std::is_same_v<T, std::uint32_t>) {
            lumaRow(from, luma, width);
            for (int x = 0; x < width; ++x)
                storePixel(to, x, colorOf(plan, luma[x]) | alphaByte(from[4 * x + 3]) << 24);
        }
    };
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        const auto luma = alignedSamples<T>(source.channels == 4 ? std::size_t(width) : 1);
        for (int y = first; y < last; ++y) {
            if (source.channels == 4)
                colorRow(source.row(y), luma.get(), target.row(y));
            else
                grayRow(source.row(y), target.row(y));
        }
    });
}

}  // namespace

Result<void> runFalseColourCpu(const FalseColourPlan& plan, const Image& in,
                               const MutableImage& out, const CpuContext& context) {
    if (isFloat(plan.input)) return colored<float>(plan, in, out, context);
    if (plan.input == PixelFormat::Gray32) return colored<std::uint32_t>(plan, in, out, context);
    if (bytesPerSample(plan.input) == 1) return colored<std::uint8_t>(plan, in, out, context);
    return colored<std::uint16_t>(plan, in, out, context);
}

}  // namespace warpscope
