// What the tests of laws draw by chance.
#pragma once

#include <rapidcheck.h>

#include <cmath>

#include "engine/operations/parameters.h"
#include "support/images.h"

namespace warpscope::test {

inline int anyUpTo(int low, int high) {
    return *rc::gen::inRange(low, high + 1);
}

inline Image anyImage(PixelFormat format, Size largest) {
    const Size size{anyUpTo(1, largest.width), anyUpTo(1, largest.height)};
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    switch (anyUpTo(0, 3)) {
        case 0:
            return makeNoise(format, size, seed);
        case 1:
            return misaligned(makePhotograph(format, size, seed));
        case 2:
            return makeRamp(format, size);
        default:
            return makeConstant(format, size, double(seed % 256));
    }
}

inline PixelFormat anyFormat() {
    return *rc::gen::element(PixelFormat::Gray8, PixelFormat::Rgba8);
}

// Over the whole hard range.
inline ParamValue anyValue(const ParamSpec& spec) {
    while (true) {
        ParamValue value;
        switch (spec.kind) {
            case ParamKind::Choice:
                return spec.choices[*rc::gen::inRange<std::size_t>(0, spec.choices.size())].id;
            case ParamKind::Integer:
                value = *rc::gen::inRange<std::int64_t>(std::int64_t(spec.hardMin),
                                                        std::int64_t(spec.hardMax) + 1);
                break;
            case ParamKind::Real: {
                const double t = double(*rc::gen::inRange<std::int64_t>(0, 1'000'000'001)) * 1e-9;
                value = std::lerp(spec.hardMin, spec.hardMax, t);
                break;
            }
        }
        if (checkParameter(spec, value)) return value;
    }
}

}  // namespace warpscope::test
