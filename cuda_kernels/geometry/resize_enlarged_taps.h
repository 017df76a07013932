// Taps of an image that is enlarged, as the kernel takes them that marches down its columns, and
// which images it takes. On the host; nothing here needs a GPU.
#pragma once

#include "cuda_kernels/geometry/resize_taps.h"

namespace warpscope::cuda {

// Every sample has as many taps, those that weigh nothing included.
inline constexpr std::array kEnlargedTaps{4, 6};
// Of four samples, that a thread makes side by side: what its registers hold.
constexpr int enlargedGroups(int taps) {
    return taps == 4 ? 2 : 1;
}
// Bytes of a row that a thread takes for four gray samples begin so far apart at most.
inline constexpr int kEnlargedSpread = 3;

struct Enlargement {
    int taps = 0;  // one of the numbers above
    // Most rows have small weights.
    bool smallDown = false;
    int rows = 0;  // of a tile
};

// First tap of sample i where each has `taps` of them, all in the image.
inline std::int32_t enlargedFirst(const ResizeAxis& axis, std::size_t i, int taps, int available) {
    return std::min(axis.first[i], available - taps);
}

inline std::array<std::int32_t, kEnlargedTaps.back()> enlargedWeights(const ResizeAxis& axis,
                                                                      std::size_t i, int taps,
                                                                      int available) {
    std::array<std::int32_t, kEnlargedTaps.back()> weights{};
    const auto skipped = std::size_t(axis.first[i] - enlargedFirst(axis, i, taps, available));
    for (std::int32_t k = 0; k < axis.count[i]; ++k)
        weights[skipped + std::size_t(k)] = axis.weights[std::size_t(axis.begin[i] + k)];
    return weights;
}

// Weights of rows as bytes, of which two products make what else takes a product of 64 bits each;
// nothing but 0 in the first word where they do not fit.
using SmallWeights = std::array<std::uint32_t, 3>;

// Four of them, as doubling gives them, have few bits: bytes times kSmallWeight, in one word.
inline constexpr std::int32_t kSmallWeight = 512;
inline SmallWeights smallWeightsOfFour(std::span<const std::int32_t> weights) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        const std::int32_t weight = weights[k] / kSmallWeight;
        if (weight * kSmallWeight != weights[k] || weight < -128 || weight > 127) return {};
        word |= std::uint32_t(weight & 255) << (8 * k);
    }
    return {word};
}

// Six of them, of 16 bits, the two in the middle unsigned: the upper bytes of the first four; those
// of the last two and their lower ones; the lower ones of the first four.
inline SmallWeights smallWeightsOfSix(std::span<const std::int32_t> weights) {
    SmallWeights words{};
    for (unsigned k = 0; k < 6; ++k) {
        const std::int32_t weight = weights[k], least = k / 2 == 1 ? 0 : -32768;
        if (weight < least || weight > least + 65535) return {};
        const std::uint32_t upper = std::uint32_t(weight >> 8 & 255), lower = weight & 255;
        words[k / 4] |= upper << (k % 4 * 8);
        words[k < 4 ? 2 : 1] |= lower << (k < 4 ? k * 8 : (k - 2) * 8);
    }
    return words;
}

inline SmallWeights smallWeights(std::span<const std::int32_t> weights, int taps) {
    return taps == 4 ? smallWeightsOfFour(weights) : smallWeightsOfSix(weights);
}

// Whether each sample has at most so many taps, and the next one begins at most a pixel later.
inline bool isEnlargedBy(const ResizeAxis& axis, int taps, int available) {
    if (available < taps || axis.weights.empty() || !fitsTapGroups(axis)) return false;
    std::int32_t before = enlargedFirst(axis, 0, taps, available);
    for (std::size_t i = 0; i < axis.first.size(); ++i) {
        const std::int32_t first = enlargedFirst(axis, i, taps, available);
        if (axis.first[i] - first + axis.count[i] > taps) return false;
        if (first < before || first > before + 1) return false;
        before = first;
    }
    for (std::size_t i = 0; i + 3 < axis.first.size(); i += 4)
        if (enlargedFirst(axis, i + 3, taps, available) - enlargedFirst(axis, i, taps, available) >
            kEnlargedSpread)
            return false;
    return true;
}

// Nothing where other kernels are to be taken: other samples than of 8 bits, sides that become
// shorter. `multiprocessors`: tiles become lower until all have some.
inline std::optional<Enlargement> enlargementFor(const ResizePlan& plan, int multiprocessors) {
    if (bytesPerSample(plan.input) != 1) return {};
    const Size from = plan.size, to = plan.outputSize;
    for (const int taps : kEnlargedTaps) {
        if (!isEnlargedBy(plan.across, taps, from.width) ||
            !isEnlargedBy(plan.down, taps, from.height))
            continue;
        Enlargement made{.taps = taps};
        std::size_t small = 0;
        const auto length = std::size_t(to.height);
        for (std::size_t i = 0; i < length; ++i)
            small += smallWeights(enlargedWeights(plan.down, i, taps, from.height), taps)[0] != 0;
        made.smallDown = 4 * small >= 3 * length;
        const std::int64_t threads =
            std::int64_t(to.width) * channelCount(plan.input) / (4 * enlargedGroups(taps));
        // Rows above a tile are made twice; a multiprocessor wants some warps. The lowest tiles are
        // mostly such rows: one warp for each of its four schedulers is enough then.
        for (const int rows : {64, 32, 16, 8, 4, 2}) {
            made.rows = rows;
            if (threads / 32 * (to.height / rows) >=
                (rows > 8 ? 14 : 4) * std::int64_t(multiprocessors))
                break;
        }
        return made;
    }
    return {};
}

}  // namespace warpscope::cuda
