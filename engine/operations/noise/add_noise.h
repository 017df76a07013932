// Noise made by a counter-based generator: the same noise for the same seed on every backend,
// thread count and crop.
#pragma once

#include <array>
#include <cstdint>

#include "engine/operations/operation.h"

namespace warpscope {

enum class NoiseKind { SaltPepper, Gaussian };

struct AddNoisePlan final : Plan {
    NoiseKind kind = NoiseKind::SaltPepper;
    std::uint32_t seed = 1;
    // Salt and pepper: round(amount 2^32), may be 2^32. The pixel is hit if word 0 is less. Bit 0
    // of word 1 set: salt (white: every bit of the sample; 1 for float), else pepper (0).
    std::uint64_t threshold = 0;
    // Gaussian: sigma in 1/256 grey levels of 8 bits, rounded.
    std::int32_t sigma256 = 0;
    // Gaussian, float samples: what an entry of the table of quantiles is multiplied by.
    float floatStep = 0;
    // Index of the pixel at (x, y) of this image in the whole one: (originY + y) * wholeWidth +
    // originX + x.
    std::int64_t wholeWidth = 0;
    int originX = 0;
    int originY = 0;
};

// Normal quantiles in 1/4096 at (i + 1/2) / 4096, i from 0 to 4095: round(4096 * inverse of the
// normal distribution). A word of the generator chooses entry word >> 20; the noise added to an
// 8-bit sample is (entry * sigma256 + 2^19) >> 20 (arithmetic shift), the sum is clamped. For 16
// bits the product is 64 bits wide and multiplied by 257 before the shift. To a float sample entry
// times floatStep is added, each rounded once.
extern const std::array<std::int16_t, 4096> kNormalQuantiles;

// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw 2011): key (seed, 0), counter (index low, index high,
// 0, 0).
struct PhiloxWords {
    std::uint32_t word[4];
};
constexpr PhiloxWords philox(std::uint64_t index, std::uint32_t seed) {
    std::uint32_t c0 = std::uint32_t(index), c1 = std::uint32_t(index >> 32), c2 = 0, c3 = 0;
    std::uint32_t k0 = seed, k1 = 0;
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t(0xD2511F53u) * c0;
        const std::uint64_t b = std::uint64_t(0xCD9E8D57u) * c2;
        c0 = std::uint32_t(b >> 32) ^ c1 ^ k0;
        c1 = std::uint32_t(b);
        c2 = std::uint32_t(a >> 32) ^ c3 ^ k1;
        c3 = std::uint32_t(a);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return {{c0, c1, c2, c3}};
}

const Operation& add_noise_operation();
CpuBody<AddNoisePlan> runAddNoiseCpu;

// Words 0, 1 and 2 of philox(index + i, seed) for i from 0 to count - 1; each array has room for
// 64 words more.
void philoxWords(std::uint64_t index, std::uint32_t seed, int count, std::uint32_t* word0,
                 std::uint32_t* word1, std::uint32_t* word2);

}  // namespace warpscope
