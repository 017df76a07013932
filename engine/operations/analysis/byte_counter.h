// Counts of 8-bit samples.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/operations/rows_ahead.h"

namespace warpscope {

// Eight counts a value for one channel of 8 bits: where neighbours are equal, one increment need
// not wait until the last one has been stored. A value's counts lie together: in tables one behind
// the other they are 1 KiB apart, where many processors take a load for one of a store under way.
class ByteCounter {
  public:
    static constexpr int kCounts = 8;

    // Straight from an image.
    void count(const std::uint8_t* samples, int n) { countEvery<1>(samples, n, samples); }
    // What has been made of `pixels`, four bytes each.
    void countMade(const std::uint8_t* samples, int n, const std::uint8_t* pixels) {
        countEvery<1>(samples, n, pixels);
    }

    // One colour of interleaved pixels.
    void countColor(const std::uint8_t* rgba, int pixels, int color) {
        countEvery<4>(rgba + color, pixels, rgba);
    }

    // bins: 256 of any type.
    void addTo(auto& bins) const {
        for (std::size_t k = 0; k < m_counts.size(); ++k) {
            // Not in `bins`, where each sum would wait for the last one to be stored.
            std::uint64_t sum = 0;
            for (const std::uint32_t count : m_counts[k]) sum += count;
            bins[k] += std::remove_cvref_t<decltype(bins[k])>(sum);
        }
    }
    void clear() { m_counts = {}; }

  private:
    // `image`: what the samples are, or come from.
    template <int kStep>
    void countEvery(const std::uint8_t* samples, int n, const std::uint8_t* image) {
        const int imageStep = kStep == 1 && image == samples ? 1 : 4;
        int i = 0;
        for (; i + kCounts <= n; i += kCounts, samples += kCounts * kStep) {
            fetchAhead(image + i * imageStep);
            // All are read before any is counted: a compiler that may not know that counts are no
            // samples would read each after the last count was stored.
            std::array<unsigned, kCounts> values;
#pragma GCC unroll 8
            for (int k = 0; k < kCounts; ++k) values[std::size_t(k)] = samples[k * kStep];
#pragma GCC unroll 8
            for (int k = 0; k < kCounts; ++k) ++m_counts[values[std::size_t(k)]][std::size_t(k)];
        }
        for (; i < n; ++i, samples += kStep) ++m_counts[*samples][0];
    }

    alignas(64) std::array<std::array<std::uint32_t, kCounts>, 256> m_counts{};
};

}  // namespace warpscope
