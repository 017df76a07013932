// Lattice noise for the synthetic scene. Only additions, multiplications and integer hashes: the
// same bits on every machine.
#pragma once

#include <cstdint>

namespace warpscope::scene {

// Integer hash of a lattice point, well mixed in all bits.
inline std::uint32_t hashPoint(std::int32_t x, std::int32_t y, std::uint32_t seed) {
    std::uint32_t h =
        std::uint32_t(x) * 0x9E3779B1u ^ std::uint32_t(y) * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 12;
    h *= 0x297A2D39u;
    return h ^ (h >> 15);
}

inline double unit(std::uint32_t h) {
    return double(h >> 8) * (1.0 / 16777216.0);
}

inline std::int32_t floorToInt(double v) {
    const auto i = std::int32_t(v);
    return v < double(i) ? i - 1 : i;
}

inline double smooth(double t) {
    return t * t * (3.0 - 2.0 * t);
}
inline double mix(double a, double b, double t) {
    return a + (b - a) * t;
}
inline double clamp01(double v) {
    return v < 0.0 ? 0.0 : v > 1.0 ? 1.0 : v;
}
// 0 below `from`, 1 above `to`, smooth between.
inline double smoothStep(double from, double to, double v) {
    return smooth(clamp01((v - from) / (to - from)));
}

// Value noise, 0 to 1, features one unit apart.
inline double valueNoise(double x, double y, std::uint32_t seed) {
    const std::int32_t ix = floorToInt(x), iy = floorToInt(y);
    const double tx = smooth(x - double(ix)), ty = smooth(y - double(iy));
    const double top = mix(unit(hashPoint(ix, iy, seed)), unit(hashPoint(ix + 1, iy, seed)), tx);
    const double bottom =
        mix(unit(hashPoint(ix, iy + 1, seed)), unit(hashPoint(ix + 1, iy + 1, seed)), tx);
    return mix(top, bottom, ty);
}

// Sum of octaves, each of half the size and strength; about 0 to 1, mean 0.5.
inline double fractalNoise(double x, double y, int octaves, std::uint32_t seed) {
    double sum = 0, weight = 0.5, total = 0;
    for (int i = 0; i < octaves; ++i) {
        sum += weight * valueNoise(x, y, seed + std::uint32_t(i) * 101u);
        total += weight;
        weight *= 0.5;
        // The lattice is shifted between octaves, or all of them would meet at the origin.
        x = x * 2.0 + 17.3;
        y = y * 2.0 + 5.7;
    }
    return sum / total;
}

}  // namespace warpscope::scene
