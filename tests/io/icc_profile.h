// ICC profiles written by hand.
#pragma once

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/io/io_helpers.h"

namespace io_test {

// X, Y, Z of red, green and blue, adapted to D50.
using Primaries = std::array<std::array<double, 3>, 3>;
inline constexpr Primaries kAdobe{
    {{0.60974, 0.31111, 0.01947}, {0.20528, 0.62567, 0.06087}, {0.14919, 0.06322, 0.74457}}};
inline constexpr Primaries kSrgb{
    {{0.43607, 0.22249, 0.01392}, {0.38515, 0.71687, 0.09708}, {0.14307, 0.06061, 0.71410}}};

inline void putBig(ByteBuffer& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(std::uint8_t(value >> shift));
}

inline std::uint32_t fixed(double value) {
    return std::uint32_t(std::int32_t(std::lround(value * 65536)));
}

inline ByteBuffer curveTag(double gamma) {
    ByteBuffer tag = fromText("curv");
    putBig(tag, 0);
    putBig(tag, 1);
    const auto coded = std::uint32_t(std::lround(gamma * 256));
    tag.insert(tag.end(), {std::uint8_t(coded >> 8), std::uint8_t(coded), 0, 0});
    return tag;
}

// Version 2, of a display; gray where there are no primaries.
inline ByteBuffer makeProfile(const Primaries* primaries, double gamma, const std::string& name) {
    const auto xyz = [](double x, double y, double z) {
        ByteBuffer tag = fromText("XYZ ");
        putBig(tag, 0);
        for (const double v : {x, y, z}) putBig(tag, fixed(v));
        return tag;
    };
    ByteBuffer description = fromText("desc");
    putBig(description, 0);
    putBig(description, std::uint32_t(name.size() + 1));
    putText(description, name);
    description.resize(description.size() + 1 + 78);
    while (description.size() % 4 != 0) description.push_back(0);
    std::vector<std::pair<std::string, ByteBuffer>> tags{{"desc", description},
                                                         {"wtpt", xyz(0.9642, 1.0, 0.8249)}};
    if (primaries) {
        for (std::size_t c = 0; c < 3; ++c) {
            const auto& p = (*primaries)[c];
            tags.push_back({std::string(1, "rgb"[c]) + "XYZ", xyz(p[0], p[1], p[2])});
            tags.push_back({std::string(1, "rgb"[c]) + "TRC", curveTag(gamma)});
        }
    } else {
        tags.push_back({"kTRC", curveTag(gamma)});
    }
    ByteBuffer out(128, 0), data;
    const std::size_t begin = 128 + 4 + 12 * tags.size();
    out[8] = 2;
    out[9] = 0x40;
    const auto put = [&](std::size_t at, const char* text) { std::memcpy(&out[at], text, 4); };
    put(12, "mntr");
    put(16, primaries ? "RGB " : "GRAY");
    put(20, "XYZ ");
    put(36, "acsp");
    const ByteBuffer illuminant = xyz(0.9642, 1.0, 0.8249);
    std::memcpy(&out[68], illuminant.data() + 8, 12);
    putBig(out, std::uint32_t(tags.size()));
    for (const auto& [tag, value] : tags) {
        putText(out, tag);
        putBig(out, std::uint32_t(begin + data.size()));
        putBig(out, std::uint32_t(value.size()));
        data.insert(data.end(), value.begin(), value.end());
    }
    out.insert(out.end(), data.begin(), data.end());
    for (std::size_t i = 0; i < 4; ++i) out[i] = std::uint8_t(out.size() >> (24 - 8 * i));
    return out;
}

}  // namespace io_test
