// Powers of float samples with the same bits on the CPU and on a device: libraries differ in the
// last place. Products are rounded by themselves, so that no compiler fuses them with a sum.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace warpscope {

template <class Real>
constexpr Real times(Real a, Real b) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(Real) == 4)
        return __fmul_rn(a, b);
    else
        return __dmul_rn(a, b);
#else
    return a * b;
#endif
}

// x to the power of e, to about 1e-13 of itself, which is far below the steps of float. x: a normal
// number above 0 or infinity; e above 0, at most 10. 0 and infinity where the result is beyond the
// range of float anyway.
template <class Real = double>
constexpr Real samePower(Real x, Real e) {
    constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
    if (x == kInfinity) return x;
    // x = m 2^exponent with m around 1; its logarithm by the series of atanh.
    const auto bits = std::bit_cast<std::uint64_t>(x);
    int exponent = int(bits >> 52) - 1023;
    Real m = std::bit_cast<Real>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
    if (m > 1.4142135623730951) {
        m = times(m, 0.5);
        ++exponent;
    }
    const Real s = (m - 1) / (m + 1);
    const Real z = times(s, s);
    Real series = 1.0 / 23;
    for (int k = 21; k > 0; k -= 2) series = 1.0 / k + times(z, series);
    const Real log2 = exponent + times(times(s, 2.8853900817779268), series);
    const Real power = times(e, log2);
    if (power < -1000) return 0;
    if (power > 1000) return kInfinity;
    // 2 to the whole part and the rest, within a half, by the series of exp.
    const int whole = int(power + 1024.5) - 1024;
    const Real rest = times(power - whole, 0.6931471805599453);
    Real sum = 1;
    for (int k = 14; k > 0; --k) sum = 1 + times(rest, sum) / k;
    return times(sum, std::bit_cast<Real>(std::uint64_t(whole + 1023) << 52));
}

}  // namespace warpscope
