#include "engine/operations/tone/false_colour.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/false_colour_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Past the caches. `to` is aligned for vectors, as rows are.
HWY_ATTR void streamPixels(const std::uint32_t* from, std::uint8_t* to, int pixels) {
    const hn::ScalableTag<std::uint32_t> d;
    const int lanes = int(hn::Lanes(d));
    auto* words = reinterpret_cast<std::uint32_t*>(to);
    int x = 0;
    for (; x + lanes <= pixels; x += lanes) hn::Stream(hn::Load(d, from + x), d, words + x);
    std::memcpy(words + x, from + x, std::size_t(pixels - x) * sizeof(*from));
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <hwy/cache_control.h>

#include <algorithm>

#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

HWY_EXPORT(streamPixels);

constexpr std::uint32_t kOpaque = 0xff000000u;
// Colours that are made before they are stored; they stay in the first cache.
constexpr int kChunk = 1024;
// Results that no cache will hold are written past it.
constexpr std::uint64_t kStreamBytes = 4u << 20;

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

// R lies first in memory.
static_assert(std::endian::native == std::endian::little);

template <class T>
class RowColors {
  public:
    RowColors(const FalseColourPlan& plan, bool stream)
        : m_plan(plan),
          m_stream(stream),
          m_luma(alignedSamples<T>(kChunk)),
          m_colors(alignedSamples<std::uint32_t>(kChunk)) {}

    void make(const T* in, std::uint8_t* out, int width, int channels) {
        for (int x = 0; x < width; x += kChunk) {
            const int pixels = std::min(kChunk, width - x);
            if (channels == 4)
                ofColor(in + 4 * std::ptrdiff_t(x), pixels);
            else
                ofGray(in + x, pixels);
            std::uint8_t* to = out + 4 * std::ptrdiff_t(x);
            if (m_stream)
                HWY_DYNAMIC_DISPATCH(streamPixels)(m_colors.get(), to, pixels);
            else
                std::memcpy(to, m_colors.get(), std::size_t(pixels) * sizeof(std::uint32_t));
        }
    }

  private:
    void ofGray(const T* in, int pixels) {
        int first = 0;
        if constexpr (std::is_same_v<T, std::uint8_t>) first = ofEight(in, pixels);
        for (int x = first; x < pixels; ++x)
            m_colors[std::size_t(x)] = colorOf(m_plan, in[x]) | kOpaque;
    }
    // Eight at a time, two to a store; the first so many.
    int ofEight(const std::uint8_t* in, int pixels) {
        const std::uint32_t* colors = m_plan.colorOfLevel.data();
        constexpr std::uint64_t kBothOpaque = std::uint64_t(kOpaque) << 32 | kOpaque;
        std::uint32_t* to = m_colors.get();
        int x = 0;
        for (; x + 8 <= pixels; x += 8) {
            std::uint64_t levels = 0;
            std::memcpy(&levels, in + x, sizeof(levels));
            for (int i = 0; i < 8; i += 2, levels >>= 16) {
                const std::uint64_t both = std::uint64_t(colors[levels >> 8 & 255]) << 32 |
                                           colors[levels & 255] | kBothOpaque;
                std::memcpy(to + x + i, &both, sizeof(both));
            }
        }
        return x;
    }
    void ofColor(const T* in, int pixels) {
        // Labels have no colour.
        if constexpr (!std::is_same_v<T, std::uint32_t>) {
            lumaRow(in, m_luma.get(), pixels);
            for (int x = 0; x < pixels; ++x)
                m_colors[std::size_t(x)] =
                    colorOf(m_plan, m_luma[std::size_t(x)]) | alphaByte(in[4 * x + 3]) << 24;
        }
    }

    const FalseColourPlan& m_plan;
    const bool m_stream;
    hwy::AlignedFreeUniquePtr<T[]> m_luma;
    hwy::AlignedFreeUniquePtr<std::uint32_t[]> m_colors;
};

template <class T>
Result<void> colored(const FalseColourPlan& plan, const Image& in, const MutableImage& out,
                     const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<std::uint8_t>();
    const int width = source.width;
    const CpuContext chosen = forWork(context, plan.size, sizeof(T) == 4 ? 2.0 : 0.6);
    const int band = rowsPerBand(
        chosen, source.height,
        std::uint64_t(source.samplesPerRow()) * sizeof(T) + 4 * std::uint64_t(unsigned(width)));
    const bool stream = 4 * std::uint64_t(plan.size.pixels()) >= kStreamBytes;
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        RowColors<T> colors(plan, stream);
        for (int y = first; y < last; ++y)
            colors.make(source.row(y), target.row(y), width, source.channels);
        if (stream) hwy::FlushStream();
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

#endif  // HWY_ONCE
