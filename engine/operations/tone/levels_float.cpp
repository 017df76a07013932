#include "engine/operations/tone/levels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/levels_float.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D64 = hn::ScalableTag<double>;
using V64 = hn::Vec<D64>;

// samePower() of numbers between 0 and 1, operation by operation, so that the bits are the same; of
// others something that nobody takes. Whole numbers are made of doubles, and doubles of them, by
// the sum with 2^52.
HWY_INLINE V64 samePowers(V64 x, V64 e) {
    constexpr double kWhole = 4503599627370496.0;  // 2^52
    const D64 d;
    const hn::RebindToUnsigned<D64> du;
    const auto one = hn::Set(d, 1.0);
    const auto bits = hn::BitCast(du, x);
    const auto wholeBits = hn::BitCast(du, hn::Set(d, kWhole));
    auto exponent = hn::Sub(hn::BitCast(d, hn::Or(hn::ShiftRight<52>(bits), wholeBits)),
                            hn::Set(d, kWhole + 1023));
    auto m = hn::BitCast(
        d, hn::Or(hn::And(bits, hn::Set(du, 0x000fffffffffffff)), hn::Set(du, 0x3ff0000000000000)));
    const auto upper = hn::Gt(m, hn::Set(d, 1.4142135623730951));
    m = hn::IfThenElse(upper, hn::Mul(m, hn::Set(d, 0.5)), m);
    exponent = hn::IfThenElse(upper, hn::Add(exponent, one), exponent);
    const auto s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
    const auto z = hn::Mul(s, s);
    auto series = hn::Set(d, 1.0 / 23);
    WARPSCOPE_UNROLL
    for (int k = 21; k > 0; k -= 2) series = hn::Add(hn::Set(d, 1.0 / k), hn::Mul(z, series));
    const auto log2 =
        hn::Add(exponent, hn::Mul(hn::Mul(s, hn::Set(d, 2.8853900817779268)), series));
    const auto power = hn::Mul(e, log2);
    const auto whole = hn::Sub(hn::Floor(hn::Add(power, hn::Set(d, 1024.5))), hn::Set(d, 1024.0));
    const auto rest = hn::Mul(hn::Sub(power, whole), hn::Set(d, 0.6931471805599453));
    auto sum = one;
    WARPSCOPE_UNROLL
    for (int k = 14; k > 0; --k)
        sum = hn::Add(one, hn::Div(hn::Mul(rest, sum), hn::Set(d, double(k))));
    const auto scale =
        hn::ShiftLeft<52>(hn::BitCast(du, hn::Add(whole, hn::Set(d, kWhole + 1023))));
    return hn::IfThenZeroElse(hn::Lt(power, hn::Set(d, -1000.0)),
                              hn::Mul(sum, hn::BitCast(d, scale)));
}

template <bool kPower>
HWY_ATTR void levelsRowOf(const SampleLevels& levels, const bool* changes, const float* in,
                          float* out, int samples) {
    const D64 d;
    const hn::Rebind<float, D64> df;
    const hn::RebindToUnsigned<decltype(df)> du;
    const int lanes = int(hn::Lanes(d));
    // Of the channel of a sample, and of those after it.
    std::uint32_t changed[4 + hn::MaxLanes(d)];
    for (int i = 0; i < 4 + lanes; ++i) changed[i] = changes[i % 4] ? 0xFFFFFFFFu : 0u;
    const auto zero = hn::Zero(d), one = hn::Set(d, 1.0);
    const auto black = hn::Set(d, levels.black);
    const auto width = hn::Set(d, levels.white - levels.black);
    const auto exponent = hn::Set(d, levels.exponent);
    const auto outBlack = hn::Set(d, levels.outBlack);
    const auto outWidth = hn::Set(d, levels.outWhite - levels.outBlack);
    int i = 0;
    for (; i + lanes <= samples; i += lanes) {
        const auto v = hn::LoadU(df, in + i);
        auto x = hn::Div(hn::Sub(hn::PromoteTo(d, v), black), width);
        const auto below = hn::Le(x, zero), above = hn::Ge(x, one);
        if constexpr (kPower) x = samePowers(x, exponent);
        x = hn::IfThenElse(above, one, hn::IfThenZeroElse(below, x));
        const auto made = hn::DemoteTo(df, hn::Add(outBlack, hn::Mul(outWidth, x)));
        const auto taken =
            hn::And(hn::MaskFromVec(hn::BitCast(df, hn::LoadU(du, changed + i % 4))), hn::Eq(v, v));
        hn::StoreU(hn::IfThenElse(taken, made, v), df, out + i);
    }
    for (; i < samples; ++i) out[i] = changes[i % 4] ? levels(in[i]) : in[i];
}

HWY_ATTR void levelsRow(const SampleLevels& levels, const bool* changes, const float* in,
                        float* out, int samples) {
    levels.exponent == 1 ? levelsRowOf<false>(levels, changes, in, out, samples)
                         : levelsRowOf<true>(levels, changes, in, out, samples);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/cpu_work.h"

namespace warpscope {
namespace {

HWY_EXPORT(levelsRow);

}  // namespace

Result<void> runLevelsFloat(const LevelsPlan& plan, const Image& in, const MutableImage& out,
                            const CpuContext& context) {
    const auto source = in.view<float>();
    const auto target = out.view<float>();
    const int samples = source.samplesPerRow();
    const bool color = source.channels == 4;
    // Of every fourth sample; a gray image changes whole.
    const bool changes[4] = {color ? plan.changes[0] : true, color ? plan.changes[1] : true,
                             color ? plan.changes[2] : true, !color};
    const double nanoseconds = plan.samples.exponent == 1 ? 1.0 : 15.0;
    const CpuContext chosen = forWork(context, in.size(), nanoseconds * source.channels);
    const int band = rowsPerBand(chosen, source.height, 8 * std::uint64_t(samples));
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) HWY_DYNAMIC_DISPATCH(levelsRow)
        (plan.samples, changes, source.row(y), target.row(y), samples);
    });
}

}  // namespace warpscope

#endif  // HWY_ONCE
