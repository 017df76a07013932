// Taps of an image that is doubled, as the kernel for that takes them, and which images it takes.
// On the host; nothing here needs a GPU.
#pragma once

#include "cuda_kernels/geometry/resize_enlarged_taps.h"

namespace warpscope::cuda {

// All samples but so many at each end have one of two sets of weights.
inline constexpr int kDoubledEdge = 3;

// The first of the four taps of sample i; there may be none in the image.
constexpr int doubledFirst(int i) {
    return (i + 1) / 2 - 2;
}

struct Doubling {
    // Small weights (smallWeightsOfFour) of even and of odd samples.
    std::array<std::uint32_t, 2> across{}, down{};
    // Of a tile: pairs of rows, which have the same taps.
    int pairs = 0;
};

// Nothing if taps beyond those four weigh something.
inline std::optional<std::array<std::int32_t, 4>> doubledWeights(const ResizeAxis& axis,
                                                                 std::size_t i) {
    std::array<std::int32_t, 4> weights{};
    for (std::int32_t k = 0; k < axis.count[i]; ++k) {
        const std::int32_t weight = axis.weights[std::size_t(axis.begin[i] + k)];
        const int tap = axis.first[i] + k - doubledFirst(int(i));
        if (weight == 0) continue;
        if (tap < 0 || tap > 3) return {};
        weights[std::size_t(tap)] = weight;
    }
    return weights;
}

// The small weights, of a side that is doubled and not too short for the kernel.
inline std::optional<std::array<std::uint32_t, 2>> weightsIfDoubled(const ResizeAxis& axis,
                                                                    int available) {
    constexpr int kLeast = 16;
    const int length = int(axis.first.size());
    if (available < kLeast || length != 2 * available || !fitsTapGroups(axis)) return {};
    std::array<std::uint32_t, 2> small{};
    for (int i = 0; i < length; ++i) {
        const auto weights = doubledWeights(axis, std::size_t(i));
        if (!weights) return {};
        if (i < kDoubledEdge || i >= length - kDoubledEdge) continue;
        const std::uint32_t made = smallWeightsOfFour(*weights)[0];
        std::uint32_t& known = small[std::size_t(i % 2)];
        if (made == 0 || (known != 0 && known != made)) return {};
        known = made;
    }
    return small;
}

// Nothing where other kernels are to be taken.
inline std::optional<Doubling> doublingFor(const ResizePlan& plan, int multiprocessors) {
    if (bytesPerSample(plan.input) != 1) return {};
    const auto across = weightsIfDoubled(plan.across, plan.size.width);
    if (!across) return {};
    const auto down = weightsIfDoubled(plan.down, plan.size.height);
    if (!down) return {};
    Doubling made{*across, *down};
    const std::int64_t warps =
        std::int64_t(plan.outputSize.width) * channelCount(plan.input) / 8 / 32;
    // A tile makes three rows more across than it has pairs; a multiprocessor wants some warps, all
    // of which it has room for. Where there are too few, one for each of its schedulers is enough.
    for (const int pairs : {32, 16, 8, 4, 2}) {
        made.pairs = pairs;
        if (warps * (plan.size.height / pairs) >=
            (pairs > 4 ? 14 : 4) * std::int64_t(multiprocessors))
            break;
    }
    return made;
}

}  // namespace warpscope::cuda
