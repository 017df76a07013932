// Weights of small kernels of whole numbers as the kernel for 8-bit images takes them, and which
// ones it takes. On the host; nothing here needs a GPU.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>

#include "engine/operations/edges/convolve.h"

namespace warpscope::cuda {

inline constexpr int kMostSmallRadius = 3;

// A square of weights, four of a row in a word; those that pad it are 0. Weights of more than 8
// bits have a second plane: 256 * first + second, the second not negative.
struct SmallKernel {
    static constexpr int kMostSide = 2 * kMostSmallRadius + 1;
    int radius = 1;
    int planes = 1;
    // floor((2 s + divisor) / (2 divisor)) + offset.
    std::int32_t divisor = 1, offset = 0;
    // What a result is at least, times the sum: -1 where its magnitude is asked for.
    std::int32_t negative = 0;
    float inverse = 0.5f;  // 1 / (2 divisor)
    std::uint32_t words[2][kMostSide][2] = {};

    int partsOfRow() const { return radius == 1 ? 1 : 2; }

    // Nothing if a sum, or what is made of it, might not fit 32 bits, or the kernel is too large.
    static std::optional<SmallKernel> of(std::span<const ConvolveTap> taps, int radius,
                                         std::int32_t divisor, std::int32_t offset) {
        constexpr std::int32_t kMostDivisor = 1 << 20;
        if (radius > kMostSmallRadius || divisor < 1 || divisor > kMostDivisor) return {};
        SmallKernel made;
        made.radius = std::max(radius, 1);
        made.divisor = divisor;
        made.offset = offset;
        made.inverse = 1.0f / float(2 * divisor);
        std::int64_t sum = 0;
        for (const ConvolveTap& tap : taps) {
            if (tap.weight < -32768 || tap.weight > 32767) return {};
            if (tap.weight < -128 || tap.weight > 127) made.planes = 2;
            sum += std::abs(tap.weight);
        }
        if (sum * 255 + 512 >= std::int64_t(1) << 31) return {};
        for (const ConvolveTap& tap : taps) {
            const int row = tap.y + made.radius, column = tap.x + made.radius;
            const auto put = [&](int plane, std::int32_t weight) {
                made.words[plane][row][column / 4] |= std::uint32_t(weight & 255)
                                                      << (column % 4 * 8);
            };
            put(0, made.planes == 2 ? tap.weight >> 8 : tap.weight);
            if (made.planes == 2) put(1, tap.weight);
        }
        return made;
    }
};

// Nothing where the general kernel is to be taken.
inline std::optional<SmallKernel> smallKernelOf(const ConvolvePlan& plan) {
    if (bytesPerSample(plan.input) != 1) return {};
    return SmallKernel::of(plan.taps, std::max(plan.radiusX, plan.radiusY), plan.divisor,
                           plan.offset);
}

// Of 8-bit gray: the magnitude of the sum, or the sum around the middle of the levels.
inline SmallKernel laplacianKernel(int neighbours, bool isSigned) {
    std::array<ConvolveTap, 9> taps{};
    for (int i = 0; i < 9; ++i) {
        const int x = i % 3 - 1, y = i / 3 - 1;
        taps[std::size_t(i)] = {x, y, i == 4 ? -neighbours : neighbours == 8 || x * y == 0};
    }
    SmallKernel kernel = *SmallKernel::of(taps, 1, 1, isSigned ? 128 : 0);
    kernel.negative = isSigned ? 0 : -1;
    return kernel;
}

}  // namespace warpscope::cuda
