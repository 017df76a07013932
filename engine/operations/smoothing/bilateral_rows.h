// Rows of the bilateral filter: what bilateral_cpu.cpp prepares and bilateral_rows.cpp computes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

// Samples that rows may be read and written beyond their width.
inline constexpr int kBilateralSlack = 64;

// Entries of a table of weights.
inline constexpr int kBilateralLevels = 256;
// bilateralRow() takes so many taps at a time.
inline constexpr int kBilateralTapsTogether = 4;

// A neighbour of 8-bit pixels: its place from the pixel, and the weights of differences, of which
// those from 16 `blocks` on are 0.
struct BilateralTap {
    std::ptrdiff_t offset = 0;
    // kBilateralLevels of them.
    const std::uint8_t* weights = nullptr;
    int blocks = 0;
};

// A neighbour of other pixels.
struct BilateralNeighbour {
    std::ptrdiff_t offset = 0;
    std::int32_t weight = 0;
    float floatWeight = 0;
    // The first one of its row: float sums are added up row by row.
    bool beginsRow = false;
};

// Rows of single channels begin at the pixel that is written first and go on to both sides as far
// as neighbours lie. The pixel itself, which weighs 256, is no tap; their number is a multiple of
// kBilateralTapsTogether.
void bilateralRow(const std::uint8_t* const* planes, std::uint8_t* const* out, int channels,
                  int width, const BilateralTap* taps, int count);

// Sums of weights and of weights times the low and the high byte of samples; of each channel.
void bilateralSums(const std::int32_t* const* planes, int channels, int width,
                   const BilateralNeighbour* neighbours, int count, const std::int32_t* range,
                   int last, int shift, std::int32_t* weights, std::int32_t* const* low,
                   std::int32_t* const* high);

void bilateralFloats(const float* const* planes, float* const* out, int channels, int width,
                     const BilateralNeighbour* neighbours, int count, float falloff);

}  // namespace warpscope
