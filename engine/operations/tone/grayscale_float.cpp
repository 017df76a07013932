#include "engine/operations/tone/grayscale.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/grayscale_float.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;

struct Weighted {
    VF red, green, blue;
    HWY_ATTR HWY_INLINE VF operator()(VF r, VF g, VF b) const {
        return hn::Add(hn::Add(hn::Mul(r, red), hn::Mul(g, green)), hn::Mul(b, blue));
    }
};

struct Average {
    VF three;
    HWY_ATTR HWY_INLINE VF operator()(VF r, VF g, VF b) const {
        return hn::Div(hn::Add(hn::Add(r, g), b), three);
    }
};

struct Maximum {
    // A comparison with NaN is false: the second operand stays, so NaN is put back at the end.
    HWY_ATTR HWY_INLINE VF operator()(VF r, VF g, VF b) const {
        const VF most = larger(larger(r, g), b);
        const auto numbers = hn::And(hn::And(hn::Eq(r, r), hn::Eq(g, g)), hn::Eq(b, b));
        return hn::IfThenElse(numbers, most, hn::NaN(DF()));
    }
    static HWY_ATTR HWY_INLINE VF larger(VF a, VF b) { return hn::IfThenElse(hn::Gt(a, b), a, b); }
};

// The last pixels go through the same body, in copies that are long enough.
template <class Gray>
HWY_ATTR void grayPixels(const float* rgba, float* gray, int width, const Gray& grayOf) {
    const DF df;
    const int lanes = int(hn::Lanes(df));
    const auto step = [&](const float* from, float* to) HWY_ATTR {
        VF r, g, b, a;
        hn::LoadInterleaved4(df, from, r, g, b, a);
        hn::StoreU(grayOf(r, g, b), df, to);
    };
    int x = 0;
    for (; x + lanes <= width; x += lanes) step(rgba + 4 * x, gray + x);
    if (x == width) return;
    float from[4 * hn::MaxLanes(df)] = {};
    float to[hn::MaxLanes(df)];
    std::memcpy(from, rgba + 4 * x, std::size_t(4 * (width - x)) * sizeof(float));
    step(from, to);
    std::memcpy(gray + x, to, std::size_t(width - x) * sizeof(float));
}

HWY_ATTR void grayRowFloat(const float* rgba, float* gray, int width, GrayMethod method,
                           const GrayWeights& w) {
    const DF df;
    const auto weight = [&](std::uint32_t of)
                            HWY_ATTR { return hn::Set(df, float(of) / 65536.0f); };
    if (method == GrayMethod::Maximum)
        grayPixels(rgba, gray, width, Maximum{});
    else if (method == GrayMethod::Average)
        grayPixels(rgba, gray, width, Average{hn::Set(df, 3.0f)});
    else
        grayPixels(rgba, gray, width, Weighted{weight(w.red), weight(w.green), weight(w.blue)});
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(grayRowFloat);

void grayRow(const float* rgba, float* gray, int width, GrayMethod method,
             const GrayWeights& weights) {
    HWY_DYNAMIC_DISPATCH(grayRowFloat)(rgba, gray, width, method, weights);
}

void lumaRow(const float* rgba, float* luma, int width) {
    grayRow(rgba, luma, width, GrayMethod::Weighted601, kWeights601);
}

}  // namespace warpscope

#endif  // HWY_ONCE
