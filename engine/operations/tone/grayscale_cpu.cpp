#include "engine/operations/tone/grayscale.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/grayscale_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "engine/operations/rows_ahead.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// One pixel; the tail of 16-bit rows and the whole work of a machine without vectors. Sums fit 32
// bits for 16-bit samples too: 65,535 x 65,536 + 32,768 < 2^32.
template <class T>
T grayPixel(const T* pixel, GrayMethod method, const GrayWeights& w) {
    const std::uint32_t r = pixel[0], g = pixel[1], b = pixel[2];
    if (method == GrayMethod::Average) return T((2 * (r + g + b) + 3) / 6);
    if (method == GrayMethod::Maximum) return T(std::max({r, g, b}));
    return T((w.red * r + w.green * g + w.blue * b + 32768u) >> 16);
}

template <class T>
void grayPixels(const T* rgba, T* gray, int width, GrayMethod method, const GrayWeights& w) {
    for (int x = 0; x < width; ++x) gray[x] = grayPixel(rgba + 4 * x, method, w);
}

#if HWY_TARGET == HWY_SCALAR

void grayRow8(const std::uint8_t* rgba, std::uint8_t* gray, int width, GrayMethod method,
              const GrayWeights& w, bool) {
    grayPixels(rgba, gray, width, method, w);
}

void grayRow16(const std::uint16_t* rgba, std::uint16_t* gray, int width, GrayMethod method,
               const GrayWeights& w) {
    grayPixels(rgba, gray, width, method, w);
}

#else

using D8 = hn::ScalableTag<std::uint8_t>;
using D16 = hn::ScalableTag<std::uint16_t>;
using D32 = hn::ScalableTag<std::uint32_t>;
using DI16 = hn::ScalableTag<std::int16_t>;
using DI32 = hn::ScalableTag<std::int32_t>;
using V8 = hn::Vec<D8>;
using V32 = hn::Vec<D32>;

// Pixels are loaded as 32-bit words. R and B are the 16-bit halves of one masked word, so that one
// pairwise multiply-add weighs both; green stands twice in another with its weight cut in two,
// because half of 65,536 is what a signed 16-bit factor can be. Results lie in bits 16 to 23.
class Weighted {
  public:
    HWY_ATTR Weighted(std::uint32_t red, std::uint32_t green, std::uint32_t blue,
                      std::uint32_t bias)
        : m_redBlue(hn::BitCast(DI16(), hn::Set(D32(), red | blue << 16))),
          m_green(hn::BitCast(DI16(), hn::Set(D32(), green / 2 | (green - green / 2) << 16))),
          m_bias(hn::Set(DI32(), std::int32_t(bias))),
          m_twoGreens(hn::LoadDup128(D8(), kTwoGreens)) {}

    HWY_ATTR HWY_INLINE V32 operator()(V8 pixels) const {
        const auto redBlue = hn::And(hn::BitCast(D16(), pixels), hn::Set(D16(), 0xFF));
        const auto greens = hn::TableLookupBytesOr0(pixels, m_twoGreens);
        auto sum = hn::Add(m_bias, dot(hn::BitCast(DI16(), redBlue), m_redBlue));
        return hn::BitCast(D32(), hn::Add(sum, dot(hn::BitCast(DI16(), greens), m_green)));
    }

  private:
    alignas(16) static constexpr std::uint8_t kTwoGreens[16] = {1, 128, 1, 128, 5,  128, 5,  128,
                                                                9, 128, 9, 128, 13, 128, 13, 128};
    static HWY_ATTR HWY_INLINE hn::Vec<DI32> dot(hn::Vec<DI16> a, hn::Vec<DI16> b) {
        auto rest = hn::Zero(DI32());
        const auto sum = hn::ReorderWidenMulAccumulate(DI32(), a, b, hn::Zero(DI32()), rest);
        return hn::RearrangeToOddPlusEven(sum, rest);
    }
    hn::Vec<DI16> m_redBlue, m_green;
    hn::Vec<DI32> m_bias;
    V8 m_twoGreens;
};

struct Maximum {
    HWY_ATTR HWY_INLINE V32 operator()(V8 pixels) const {
        const auto word = hn::BitCast(D32(), pixels);
        const auto green = hn::BitCast(D8(), hn::ShiftRight<8>(word));
        const auto blue = hn::BitCast(D8(), hn::ShiftRight<16>(word));
        const auto most = hn::BitCast(D32(), hn::Max(hn::Max(pixels, green), blue));
        return hn::ShiftRight<8>(hn::ShiftLeft<24>(most));
    }
};

// Brings four vectors of words with a byte each in bits 16 to 23 (and nothing above) into the order
// of the pixels. First each word gets one byte of each vector (0, 2, 1, 3), then these are
// transposed within 16 bytes, then 32-bit lanes go where they belong.
class Packer {
  public:
    HWY_ATTR Packer() : m_transpose(hn::LoadDup128(D8(), kTranspose)) {
        alignas(64) std::int32_t lanes[hn::MaxLanes(D32())];
        const int blocks = int(hn::Lanes(D32())) / 4;
        for (int b = 0; b < blocks; ++b)
            for (int k = 0; k < 4; ++k) lanes[k * blocks + b] = 4 * b + k;
        m_order = hn::SetTableIndices(D32(), lanes);
    }

    HWY_ATTR HWY_INLINE V8 operator()(V32 a, V32 b, V32 c, V32 d) const {
        const auto ab =
            hn::OddEven(hn::BitCast(D16(), b), hn::BitCast(D16(), hn::ShiftRight<16>(a)));
        const auto cd =
            hn::OddEven(hn::BitCast(D16(), d), hn::BitCast(D16(), hn::ShiftRight<16>(c)));
        const auto mixed = hn::BitCast(D8(), hn::Or(ab, hn::ShiftLeft<8>(cd)));
        const auto blocks = hn::BitCast(D32(), hn::TableLookupBytes(mixed, m_transpose));
        return hn::BitCast(D8(), hn::TableLookupLanes(blocks, m_order));
    }

  private:
    alignas(16) static constexpr std::uint8_t kTranspose[16] = {0, 4, 8, 12, 2, 6, 10, 14,
                                                                1, 5, 9, 13, 3, 7, 11, 15};
    V8 m_transpose;
    decltype(hn::SetTableIndices(D32(), static_cast<const std::int32_t*>(nullptr))) m_order;
};

template <bool kStream, class Gray>
HWY_ATTR void grayBlocks(const std::uint8_t* rgba, std::uint8_t* gray, int width,
                         const Gray& grayOf) {
    const D8 d8;
    const int step = int(hn::Lanes(d8));  // pixels a round: as many as bytes in a vector
    const Packer pack;
    const auto round = [&](const std::uint8_t* from) HWY_ATTR {
        for (int i = 0; i < 4; ++i) fetchAhead(from + i * step);
        return pack(grayOf(hn::LoadU(d8, from)), grayOf(hn::LoadU(d8, from + step)),
                    grayOf(hn::LoadU(d8, from + 2 * step)), grayOf(hn::LoadU(d8, from + 3 * step)));
    };
    int x = 0;
    for (; x + step <= width; x += step) {
        if constexpr (kStream)
            hn::Stream(round(rgba + 4 * x), d8, gray + x);
        else
            hn::StoreU(round(rgba + 4 * x), d8, gray + x);
    }
    if (x == width) return;
    // The last pixels go through the same body, in copies that are long enough.
    alignas(64) std::uint8_t from[4 * hn::MaxLanes(d8)] = {};
    alignas(64) std::uint8_t to[hn::MaxLanes(d8)];
    std::memcpy(from, rgba + 4 * x, std::size_t(4 * (width - x)));
    hn::Store(round(from), d8, to);
    std::memcpy(gray + x, to, std::size_t(width - x));
}

template <bool kStream>
HWY_ATTR void grayRowTyped(const std::uint8_t* rgba, std::uint8_t* gray, int width,
                           GrayMethod method, const GrayWeights& w) {
    // (2 s + 3) / 6 for the sum s of three bytes is (21846 s + 32769) >> 16: a test walks all s.
    if (method == GrayMethod::Maximum)
        grayBlocks<kStream>(rgba, gray, width, Maximum());
    else if (method == GrayMethod::Average)
        grayBlocks<kStream>(rgba, gray, width, Weighted(21846, 21846, 21846, 32769));
    else
        grayBlocks<kStream>(rgba, gray, width, Weighted(w.red, w.green, w.blue, 32768));
}

void grayRow8(const std::uint8_t* rgba, std::uint8_t* gray, int width, GrayMethod method,
              const GrayWeights& w, bool stream) {
    // Copies for so few pixels cost more than the pixels.
    constexpr int kFew = 12;
    if (width <= kFew)
        grayPixels(rgba, gray, width, method, w);
    else if (stream)
        grayRowTyped<true>(rgba, gray, width, method, w);
    else
        grayRowTyped<false>(rgba, gray, width, method, w);
}

// Half a vector of 16-bit samples, widened to 32 bits.
template <class Half>
HWY_ATTR HWY_INLINE hn::Vec<DI32> grayHalf16(Half red, Half green, Half blue, GrayMethod method,
                                             const GrayWeights& w) {
    const D32 d32;
    const auto r = hn::PromoteTo(d32, red);
    const auto g = hn::PromoteTo(d32, green);
    const auto b = hn::PromoteTo(d32, blue);
    if (method == GrayMethod::Maximum) return hn::BitCast(DI32(), hn::Max(hn::Max(r, g), b));
    if (method == GrayMethod::Average) {
        // (2 s + 3) / 6 = (s + 1) / 3. The quotient of s + 1.5 keeps 1/6 away from whole numbers,
        // far more than the error of a float here.
        const hn::ScalableTag<float> df;
        const auto sum = hn::BitCast(DI32(), hn::Add(hn::Add(r, g), b));
        const auto third =
            hn::Mul(hn::Add(hn::ConvertTo(df, sum), hn::Set(df, 1.5f)), hn::Set(df, 1.0f / 3.0f));
        return hn::ConvertTo(DI32(), third);
    }
    auto sum = hn::Add(hn::Mul(r, hn::Set(d32, w.red)), hn::Mul(g, hn::Set(d32, w.green)));
    sum = hn::Add(sum, hn::Add(hn::Mul(b, hn::Set(d32, w.blue)), hn::Set(d32, 32768u)));
    return hn::BitCast(DI32(), hn::ShiftRight<16>(sum));
}

HWY_ATTR void grayRow16(const std::uint16_t* rgba, std::uint16_t* gray, int width,
                        GrayMethod method, const GrayWeights& w) {
    const D16 d16;
    const hn::Half<D16> half;
    const int step = int(hn::Lanes(d16));
    int x = 0;
    for (; x + step <= width; x += step) {
        hn::Vec<D16> r, g, b, a;
        hn::LoadInterleaved4(d16, rgba + 4 * x, r, g, b, a);
        const auto low = grayHalf16(hn::LowerHalf(half, r), hn::LowerHalf(half, g),
                                    hn::LowerHalf(half, b), method, w);
        const auto high = grayHalf16(hn::UpperHalf(half, r), hn::UpperHalf(half, g),
                                     hn::UpperHalf(half, b), method, w);
        hn::StoreU(hn::DemoteTo(half, low), half, gray + x);
        hn::StoreU(hn::DemoteTo(half, high), half, gray + x + step / 2);
    }
    grayPixels(rgba + 4 * x, gray + x, width - x, method, w);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <hwy/cache_control.h>

#include "engine/operations/cpu_work.h"

namespace warpscope {
namespace {

HWY_EXPORT(grayRow8);
HWY_EXPORT(grayRow16);

// Results that no cache will hold are written past it.
constexpr std::uint64_t kStreamBytes = 4u << 20;

template <class T>
Result<void> runTyped(const GrayscalePlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const std::uint64_t rowBytes =
        std::uint64_t(plan.size.width) * std::uint64_t(bytesPerPixel(plan.input));
    const bool stream = std::uint64_t(plan.size.pixels()) * sizeof(T) >= kStreamBytes;
    const auto body = [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            const T* from = source.row(y);
            T* to = target.row(y);
            if constexpr (std::is_floating_point_v<T>) {
                grayRow(from, to, source.width, plan.method, plan.weights);
            } else if constexpr (sizeof(T) == 1) {
                HWY_DYNAMIC_DISPATCH(grayRow8)
                (from, to, source.width, plan.method, plan.weights, stream);
            } else {
                HWY_DYNAMIC_DISPATCH(grayRow16)
                (from, to, source.width, plan.method, plan.weights);
            }
        }
        if (stream) hwy::FlushStream();
    };
    const CpuContext chosen = forWork(context, plan.size, 0.1 * sizeof(T));
    return forEachRowBand(chosen, plan.size.height, rowsPerBand(chosen, plan.size.height, rowBytes),
                          body);
}

}  // namespace

Result<void> runGrayscaleCpu(const GrayscalePlan& plan, const Image& in, const MutableImage& out,
                             const CpuContext& context) {
    if (plan.variant != kAutomaticVariant) return runGrayscaleWrong(plan, in, out, context);
    if (isFloat(plan.input)) return runTyped<float>(plan, in, out, context);
    if (bytesPerSample(plan.input) == 2) return runTyped<std::uint16_t>(plan, in, out, context);
    return runTyped<std::uint8_t>(plan, in, out, context);
}

void lumaRow(const std::uint8_t* rgba, std::uint8_t* luma, int width) {
    HWY_DYNAMIC_DISPATCH(grayRow8)
    (rgba, luma, width, GrayMethod::Weighted601, kWeights601, false);
}

void lumaRow(const std::uint16_t* rgba, std::uint16_t* luma, int width) {
    HWY_DYNAMIC_DISPATCH(grayRow16)(rgba, luma, width, GrayMethod::Weighted601, kWeights601);
}

}  // namespace warpscope

#endif  // HWY_ONCE
