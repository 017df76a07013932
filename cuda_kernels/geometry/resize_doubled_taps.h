// Taps of an image that is doubled, as the kernel for that takes them, and which images it takes.
// On the host; nothing here needs a GPU.
#pragma once

#include "cuda_kernels/geometry/resize_enlarged_taps.h"

namespace warpscope::cuda {

// All samples but so many at each end have one of two sets of weights.
constexpr int doubledEdge(int taps) {
    return taps - 1;
}

// The first tap of sample i; there may be none in the image.
constexpr int doubledFirst(int i, int taps) {
    return (i + 1) / 2 - taps / 2;
}

using DoubledTaps = std::array<std::int32_t, kEnlargedTaps.back()>;

struct Doubling {
    int taps = 0;                             // one of kEnlargedTaps
    std::array<DoubledTaps, 2> across, down;  // weights of even and of odd samples
    // Of a tile: pairs of rows, which have the same taps.
    int pairs = 0;
};

// Nothing if others than those taps weigh something.
inline std::optional<DoubledTaps> doubledWeights(const ResizeAxis& axis, std::size_t i, int taps) {
    DoubledTaps weights{};
    for (std::int32_t k = 0; k < axis.count[i]; ++k) {
        const std::int32_t weight = axis.weights[std::size_t(axis.begin[i] + k)];
        const int tap = axis.first[i] + k - doubledFirst(int(i), taps);
        if (weight == 0) continue;
        if (tap < 0 || tap >= taps) return {};
        weights[std::size_t(tap)] = weight;
    }
    return weights;
}

// The weights, of a side that is doubled and not too short for the kernel.
inline std::optional<std::array<DoubledTaps, 2>> weightsIfDoubled(const ResizeAxis& axis,
                                                                  int available, int taps) {
    constexpr int kLeast = 16;
    const int length = int(axis.first.size()), edge = doubledEdge(taps);
    if (available < kLeast || length != 2 * available || !fitsTapGroups(axis)) return {};
    std::array<DoubledTaps, 2> known{};
    for (int i = 0; i < length; ++i) {
        const auto weights = doubledWeights(axis, std::size_t(i), taps);
        if (!weights) return {};
        if (i < edge || i >= length - edge) continue;
        DoubledTaps& of = known[std::size_t(i % 2)];
        if (i < edge + 2) of = *weights;
        if (of != *weights) return {};
    }
    return known;
}

// Nothing where other kernels are to be taken.
inline std::optional<Doubling> doublingFor(const ResizePlan& plan, int multiprocessors) {
    if (bytesPerSample(plan.input) != 1) return {};
    for (const int taps : kEnlargedTaps) {
        const auto across = weightsIfDoubled(plan.across, plan.size.width, taps);
        const auto down = weightsIfDoubled(plan.down, plan.size.height, taps);
        if (!across || !down) continue;
        for (const DoubledTaps& weights : *down)
            if (smallWeights(weights, taps)[0] == 0) return {};
        // Of four taps small ones, too; of six, the last two have no more than 16 bits.
        for (const DoubledTaps& weights : *across) {
            if (taps == 4 && smallWeights(weights, taps)[0] == 0) return {};
            for (std::size_t k = 4; k < weights.size(); ++k)
                if (weights[k] < -32768 || weights[k] > 32767) return {};
        }
        Doubling made{taps, *across, *down};
        const std::int64_t warps =
            std::int64_t(plan.outputSize.width) * channelCount(plan.input) / 8 / 32;
        // A tile makes some rows more across than it has pairs; a multiprocessor wants some warps,
        // all of which it has room for. Where there are too few, one for each of its schedulers is
        // enough.
        for (const int pairs : {32, 16, 8, 4, 2}) {
            made.pairs = pairs;
            if (warps * (plan.size.height / pairs) >=
                (pairs > 4 ? 14 : 4) * std::int64_t(multiprocessors))
                break;
        }
        return made;
    }
    return {};
}

}  // namespace warpscope::cuda
