// Rows of TIFF samples of any stored type to the sample types of images.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>

#include "engine/io/tiff_layout.h"

namespace warpscope::io {

// Most significant bit first, as the format packs them.
template <class T>
void unpackBits(const std::uint8_t* from, std::size_t count, int bits, T* to) {
    std::uint32_t window = 0;
    int have = 0;
    const std::uint32_t mask = (1u << bits) - 1;
    for (std::size_t i = 0; i < count; ++i) {
        for (; have < bits; have += 8) window = window << 8 | *from++;
        have -= bits;
        to[i] = T(window >> have & mask);
    }
}

inline float halfToFloat(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t(half >> 15) << 31;
    const std::uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | fraction << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float tiny = std::ldexp(float(fraction), -24);
    return sign ? -tiny : tiny;
}

// The first `count` samples of a stored row. False if float cannot hold one exactly.
inline bool unpackRow(const TiffLayout& layout, const std::uint8_t* from, std::size_t count,
                      std::uint8_t* to) {
    const int bits = layout.bits;
    if (bits == 8) {
        std::memcpy(to, from, count);
        return true;
    }
    unpackBits(from, count, bits, to);
    const bool widens = bits == 1 || bits == 2 || bits == 4;
    if (widens && layout.color != TiffLayout::Color::Palette) {
        const int factor = 255 / ((1 << bits) - 1);
        for (std::size_t i = 0; i < count; ++i) to[i] = std::uint8_t(to[i] * factor);
    }
    return true;
}

inline bool unpackRow(const TiffLayout& layout, const std::uint8_t* from, std::size_t count,
                      std::uint16_t* to) {
    if (layout.bits == 16) {
        std::memcpy(to, from, count * 2);
    } else {
        unpackBits(from, count, layout.bits, to);
    }
    return true;
}

inline bool unpackRow(const TiffLayout&, const std::uint8_t* from, std::size_t count,
                      std::uint32_t* to) {
    std::memcpy(to, from, count * 4);
    return true;
}

inline bool unpackRow(const TiffLayout& layout, const std::uint8_t* from, std::size_t count,
                      float* to) {
    using Samples = TiffLayout::Samples;
    if (layout.samples == Samples::Unsigned) return toFloat<std::uint32_t>(from, count, to);
    if (layout.samples == Samples::Signed) {
        if (layout.bits == 8) return toFloat<std::int8_t>(from, count, to);
        if (layout.bits == 16) return toFloat<std::int16_t>(from, count, to);
        return toFloat<std::int32_t>(from, count, to);
    }
    if (layout.bits == 64) return toFloat<double>(from, count, to);
    if (layout.bits == 32) {
        std::memcpy(to, from, count * 4);  // not through float: the bits of NaN stay
        return true;
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::uint16_t half;
        std::memcpy(&half, from + 2 * i, 2);
        to[i] = halfToFloat(half);
    }
    return true;
}

}  // namespace warpscope::io
