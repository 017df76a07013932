// Taps of a resized side in groups, as the kernel that makes tiles in one go takes them, and which
// images it takes. On the host; nothing here needs a GPU.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "engine/operations/geometry/resize.h"

namespace warpscope::cuda {

// Samples are read in groups that begin at multiples of their size, whatever a sample is made of:
// taps of a group that do not belong to it weigh nothing. Two weights of 16 bits make a word; where
// weights need more, there is a second plane of words and weight = first + 32768 * second. Most
// words of the second plane are 0.
struct TapGroups {
    int perSample = 0;
    int wordsPerGroup = 1;
    bool isWide = false;
    std::vector<std::int32_t> first;
    // Of sample i, word w and plane p: (p * words() + w) * length + i; `bySample`: (i * planes() +
    // p) * words() + w.
    std::vector<std::uint32_t> weights;

    int words() const { return perSample * wordsPerGroup; }
    int planes() const { return isWide ? 2 : 1; }
};

// Sums of 8-bit samples with these weights, and what is added to round them, fit 32 bits.
inline bool fitsTapGroups(const ResizeAxis& axis) {
    constexpr std::int64_t kMost = (std::int64_t(1) << 31) / 512 - 65536;
    for (std::size_t i = 0; i < axis.first.size(); ++i) {
        std::int64_t sum = 0;
        for (std::int32_t k = 0; k < axis.count[i]; ++k) {
            const std::int64_t weight = axis.weights[std::size_t(axis.begin[i] + k)];
            if (weight < -131072 || weight > 131071) return false;
            sum += std::abs(weight);
        }
        if (sum > kMost) return false;
    }
    return true;
}

// Groups that the taps of one sample need where group g begins with tap g * size - phase.
inline int tapGroupsNeeded(const ResizeAxis& axis, int size, int phase) {
    int most = 1;
    for (std::size_t i = 0; i < axis.first.size(); ++i) {
        const int begin = axis.first[i] + phase, end = begin + std::max(axis.count[i], 1) - 1;
        most = std::max(most, end / size - begin / size + 1);
    }
    return most;
}

inline bool needsWideTaps(const ResizeAxis& axis) {
    return std::any_of(axis.weights.begin(), axis.weights.end(),
                       [](std::int32_t weight) { return weight < -32768 || weight > 32767; });
}

// `perSample` at least what is needed. Of an axis that fitsTapGroups().
inline TapGroups tapGroupsOf(const ResizeAxis& axis, int size, int phase, int perSample,
                             bool bySample) {
    TapGroups groups;
    groups.perSample = perSample;
    groups.wordsPerGroup = size / 2;
    groups.isWide = needsWideTaps(axis);
    const std::size_t length = axis.first.size();
    const auto words = std::size_t(groups.words()), planes = std::size_t(groups.planes());
    groups.weights.resize(length * words * planes);
    for (std::size_t i = 0; i < length; ++i) {
        const int begin = axis.first[i] + phase;
        groups.first.push_back(begin / size);
        for (std::int32_t k = 0; k < axis.count[i]; ++k) {
            const auto at = std::size_t(begin % size + k);
            const std::int32_t weight = axis.weights[std::size_t(axis.begin[i] + k)];
            const bool fits = weight >= -32768 && weight <= 32767;
            const std::int32_t second = fits ? 0 : weight >> 15;
            const std::int32_t parts[2] = {weight - second * 32768, second};
            for (std::size_t p = 0; p < planes; ++p) {
                const std::size_t word = bySample ? (i * planes + p) * words + at / 2
                                                  : (p * words + at / 2) * length + i;
                groups.weights[word] |= std::uint32_t(parts[p] & 0xffff) << (at % 2 * 16);
            }
        }
    }
    return groups;
}

// ---- which images tiles are made of, and how ----

// Samples of a tile's row: 128 pixels of gray, 32 of colour.
inline constexpr int kResizeTileSamples = 128;
// Bytes of the middle rows of a tile: some blocks have room beside each other.
inline constexpr std::size_t kResizeTileBytes = std::size_t(36) << 10;

// What a kernel is compiled for: groups of four gray pixels or two of colour.
inline constexpr std::array kGrayGroups{1, 2, 3, 4, 6, 8};
inline constexpr std::array kWideGrayGroups{1, 2, 3, 4};
inline constexpr std::array kColourGroups{1, 2, 3, 5, 8, 12};
inline constexpr std::array kWideColourGroups{1, 2, 3, 4, 5, 7};

struct ResizeTiles {
    int acrossGroups = 0;  // one of the numbers above
    bool acrossWide = false;
    int downPhase = 0;
    int downGroups = 0;
    bool downWide = false;
    int rows = 0;      // of a tile
    int rowPairs = 0;  // of the middle that a tile needs at most
    std::size_t sharedBytes = 0;
};

inline std::optional<int> compiledGroups(std::span<const int> compiled, int needed) {
    const auto found = std::lower_bound(compiled.begin(), compiled.end(), needed);
    return found == compiled.end() ? std::nullopt : std::optional<int>(*found);
}

// Nothing where the general kernels are to be taken: other samples than of 8 bits, kernels that
// cover very many pixels. `multiprocessors`: tiles become smaller until all have some.
inline std::optional<ResizeTiles> resizeTilesFor(const ResizePlan& plan, int multiprocessors) {
    if (bytesPerSample(plan.input) != 1 || plan.across.weights.empty() ||
        plan.down.weights.empty() || !fitsTapGroups(plan.across) || !fitsTapGroups(plan.down))
        return {};
    const bool colour = isColor(plan.input);
    ResizeTiles tiles;
    tiles.acrossWide = needsWideTaps(plan.across);
    std::span<const int> compiled = kGrayGroups;
    if (colour)
        compiled = tiles.acrossWide ? std::span<const int>(kWideColourGroups) : kColourGroups;
    else if (tiles.acrossWide)
        compiled = kWideGrayGroups;
    const auto across = compiledGroups(compiled, tapGroupsNeeded(plan.across, colour ? 2 : 4, 0));
    if (!across) return {};
    tiles.acrossGroups = *across;
    const int even = tapGroupsNeeded(plan.down, 2, 0), odd = tapGroupsNeeded(plan.down, 2, 1);
    tiles.downPhase = odd < even;
    tiles.downGroups = std::min(even, odd);
    tiles.downWide = needsWideTaps(plan.down);
    const int height = plan.outputSize.height;
    const int pixels = colour ? kResizeTileSamples / 4 : kResizeTileSamples;
    const int tilesAcross = (plan.outputSize.width + pixels - 1) / pixels;
    for (const int rows : {128, 64, 32, 16, 8}) {
        int most = 0;
        for (int top = 0; top < height; top += rows) {
            const int last = std::min(top + rows, height) - 1;
            const int begin = (plan.down.first[std::size_t(top)] + tiles.downPhase) / 2;
            const int end = (plan.down.first[std::size_t(last)] + tiles.downPhase) / 2;
            most = std::max(most, end - begin + tiles.downGroups);
        }
        tiles.rows = rows;
        tiles.rowPairs = most;
        tiles.sharedBytes =
            sizeof(std::uint32_t) *
            (std::size_t(most) * kResizeTileSamples +
             std::size_t(rows) * unsigned(tiles.downGroups) * (tiles.downWide ? 2u : 1u));
        if (tiles.sharedBytes > kResizeTileBytes) continue;
        // Some blocks for each multiprocessor: each has two phases, which those of others fill.
        if (rows == 8 || 2 * std::int64_t(tilesAcross) * ((height + rows - 1) / rows) >=
                             5 * std::int64_t(multiprocessors))
            return tiles;
    }
    return {};
}

// Whether each sample is one of the input.
inline bool isSelection(const ResizeAxis& axis, PixelFormat format) {
    const auto one = [](std::int32_t count) { return count == 1; };
    if (!std::all_of(axis.count.begin(), axis.count.end(), one)) return false;
    const std::int32_t whole = bytesPerSample(format) == 1 ? 1 << 16 : 1 << 30;
    return std::all_of(axis.weights.begin(), axis.weights.end(),
                       [&](std::int32_t weight) { return weight == whole; }) &&
           std::all_of(axis.realWeights.begin(), axis.realWeights.end(),
                       [](double weight) { return weight == 1; });
}
inline bool isSelection(const ResizePlan& plan) {
    return isSelection(plan.across, plan.input) && isSelection(plan.down, plan.input);
}

// Whether each sample of this side is the mean of two, in order.
inline bool isHalved(const ResizeAxis& axis) {
    if (axis.weights.size() != 2 * axis.first.size()) return false;
    for (std::size_t i = 0; i < axis.first.size(); ++i)
        if (axis.first[i] != 2 * std::int32_t(i) || axis.count[i] != 2) return false;
    return std::all_of(axis.weights.begin(), axis.weights.end(),
                       [](std::int32_t weight) { return weight == 32768; });
}

// 8-bit samples that are (a + b + c + d + 2) >> 2, which is what both passes give.
inline bool isExactHalf(const ResizePlan& plan) {
    return bytesPerSample(plan.input) == 1 && isHalved(plan.across) && isHalved(plan.down);
}

}  // namespace warpscope::cuda
