// Weights of the bilateral filter on 8-bit images as its kernel looks them up: ready, for each
// difference of levels and each weight of a place. On the host; nothing here needs a GPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <vector>

#include "cuda_kernels/runtime/launch_model.h"
#include "engine/operations/smoothing/bilateral.h"

namespace warpscope::cuda {

// Pixels of a tile, and of a thread beside each other.
inline constexpr int kBilateralTileWidth = 128, kBilateralTileHeight = 16;
inline constexpr int kBilateralEach = 4;

// `pitches`: bytes of a row.
inline RowsCost bilateralTablesCost(std::int64_t width, bool colour, std::int64_t pitches,
                                    int radius) {
    const std::int64_t across = wholeUnits(width, kBilateralTileWidth), side = 2 * radius + 1;
    return {pitches, across * kBilateralTileWidth * side * side * (colour ? 12 : 6),
            kBilateralTileHeight, across};
}

// Where the entries of an offset begin: [|dy|][dx + kMiddle]. Those of offsets that are not in the
// disk, and of the pixel itself, are all 0.
struct alignas(16) BilateralPlaces {
    static constexpr int kMiddle = kMaxBilateralRadius + 1, kWide = 2 * kMiddle;
    std::uint32_t at[kMaxBilateralRadius + 1][kWide] = {};
    // The largest |dx|.
    std::uint32_t reach[kMaxBilateralRadius + 1] = {};
};

// Entries of gray are found by the difference itself, from -255 to 255; those of colour by the sum
// of magnitudes. Weights of 0 share entries, and so do places of the same weight.
struct BilateralTables {
    static constexpr int kGray = 512, kColour = 768;  // entries of a weight of a place
    std::vector<std::uint32_t> weights;               // of places that are told apart
    BilateralPlaces places;
    int perPlace = kGray;
    int entryBytes = 1;
    int haloGroups = 1;  // groups of four pixels at each side of a tile

    std::size_t tableBytes() const {
        return weights.size() * std::size_t(perPlace) * std::size_t(entryBytes);
    }
    // Words of a tile's row: a group of gray pixels is a word, one of colour four.
    int pitch() const {
        return (kBilateralTileWidth / kBilateralEach + 2 * haloGroups + 1) *
               (perPlace == kColour ? 4 : 1);
    }
    std::size_t sharedBytes(int radius) const {
        return tableBytes() + sizeof(BilateralPlaces) +
               std::size_t(pitch()) * sizeof(std::uint32_t) *
                   std::size_t(kBilateralTileHeight + 2 * radius);
    }

    // Nothing where the general kernel is to be taken.
    static std::optional<BilateralTables> of(const BilateralPlan& plan,
                                             std::size_t sharedPerBlock) {
        if (bytesPerSample(plan.input) != 1) return {};
        BilateralTables made;
        const bool colour = isColor(plan.input);
        made.perPlace = colour ? kColour : kGray;
        made.haloGroups = (plan.radius + kBilateralEach - 1) / kBilateralEach;
        made.weights.push_back(0);
        const std::uint32_t middle = colour ? 0u : 255u;
        for (auto& row : made.places.at) std::fill(std::begin(row), std::end(row), middle);
        for (int dy = 0; dy <= plan.radius; ++dy) {
            const int reach = plan.reach[std::size_t(dy + plan.radius)];
            made.places.reach[dy] = std::uint32_t(reach);
            for (int dx = 0; dx <= reach; ++dx) {
                // That of the pixel itself is known: all that it can be.
                if (dx == 0 && dy == 0) continue;
                const std::uint32_t weight = plan.space[plan.spaceIndex(dx, dy)];
                const auto found = std::find(made.weights.begin(), made.weights.end(), weight);
                const auto place = std::uint32_t(found - made.weights.begin());
                if (found == made.weights.end()) made.weights.push_back(weight);
                if (weight > 255) made.entryBytes = 2;
                for (const int side :
                     {BilateralPlaces::kMiddle - dx, BilateralPlaces::kMiddle + dx})
                    made.places.at[dy][side] = place * std::uint32_t(made.perPlace) + middle;
            }
        }
        if (made.sharedBytes(plan.radius) > sharedPerBlock) return {};
        return made;
    }

    // Two or four entries a word.
    std::vector<std::uint32_t> words(const BilateralPlan& plan) const {
        std::vector<std::uint32_t> packed(tableBytes() / sizeof(std::uint32_t));
        auto* bytes = reinterpret_cast<std::uint8_t*>(packed.data());
        const std::size_t last = plan.range.size() - 1;
        for (std::size_t place = 0; place < weights.size(); ++place)
            for (int i = 0; i < perPlace; ++i) {
                const int away = perPlace == kGray ? std::abs(i - 255) : i;
                const std::uint32_t range = plan.range[std::min(std::size_t(away), last)];
                const std::uint32_t weight = (weights[place] * range + 128) >> 8;
                const std::size_t at =
                    (place * std::size_t(perPlace) + std::size_t(i)) * std::size_t(entryBytes);
                // Low byte first, as on the device.
                for (int b = 0; b < entryBytes; ++b)
                    bytes[at + std::size_t(b)] = std::uint8_t(weight >> (8 * b));
            }
        return packed;
    }
};

}  // namespace warpscope::cuda
