// OpenEXR files written by hand: uncompressed rows, one part or several.
#pragma once

#include <bit>

#include "tests/io/io_helpers.h"

namespace io_test {

enum class ExrType { Uint, Half, Float };

struct ExrChannel {
    std::string name;
    ExrType type = ExrType::Float;
    // As stored: a uint32, or the bits of a half or of a float; rows of the part's width.
    std::vector<std::uint32_t> bits;
    int sampling = 1;
};

struct ExrPart {
    int x = 0, y = 0, width = 1, height = 1;
    // In the order of their names.
    std::vector<ExrChannel> channels;
    std::string name;
};

inline void putAttribute(ByteBuffer& out, const std::string& name, const std::string& type,
                         const ByteBuffer& value) {
    putText(out, name + '\0' + type + '\0');
    put32(out, std::uint32_t(value.size()));
    out.insert(out.end(), value.begin(), value.end());
}

inline ByteBuffer words(std::initializer_list<std::uint32_t> values) {
    ByteBuffer out;
    for (const std::uint32_t value : values) put32(out, value);
    return out;
}

inline ByteBuffer makeExr(const std::vector<ExrPart>& parts) {
    const bool several = parts.size() > 1;
    ByteBuffer out = words({20000630, several ? 0x1002u : 2u});
    for (const ExrPart& part : parts) {
        ByteBuffer channels;
        for (const ExrChannel& channel : part.channels) {
            putText(channels, channel.name + '\0');
            put32(channels, std::uint32_t(channel.type));
            put32(channels, 0);
            put32(channels, std::uint32_t(channel.sampling));
            put32(channels, std::uint32_t(channel.sampling));
        }
        channels.push_back(0);
        const auto window = words({std::uint32_t(part.x), std::uint32_t(part.y),
                                   std::uint32_t(part.x + part.width - 1),
                                   std::uint32_t(part.y + part.height - 1)});
        putAttribute(out, "channels", "chlist", channels);
        putAttribute(out, "compression", "compression", {0});
        putAttribute(out, "dataWindow", "box2i", window);
        putAttribute(out, "displayWindow", "box2i",
                     words({0, 0, std::uint32_t(part.width - 1), std::uint32_t(part.height - 1)}));
        putAttribute(out, "lineOrder", "lineOrder", {0});
        putAttribute(out, "pixelAspectRatio", "float", words({0x3F800000u}));
        putAttribute(out, "screenWindowCenter", "v2f", words({0, 0}));
        putAttribute(out, "screenWindowWidth", "float", words({0x3F800000u}));
        if (!part.name.empty()) putAttribute(out, "name", "string", fromText(part.name));
        if (several) {
            putAttribute(out, "type", "string", fromText("scanlineimage"));
            putAttribute(out, "chunkCount", "int", words({std::uint32_t(part.height)}));
        }
        out.push_back(0);
    }
    if (several) out.push_back(0);
    // The tables of where the rows are, then the rows.
    std::size_t table = out.size();
    for (const ExrPart& part : parts) out.resize(out.size() + 8 * std::size_t(part.height));
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const ExrPart& part = parts[p];
        for (int y = 0; y < part.height; ++y, table += 8) {
            for (int i = 0; i < 8; ++i)
                out[table + std::size_t(i)] = std::uint8_t(out.size() >> 8 * i);
            if (several) put32(out, std::uint32_t(p));
            put32(out, std::uint32_t(part.y + y));
            ByteBuffer row;
            for (const ExrChannel& channel : part.channels) {
                for (int x = 0; x < part.width / channel.sampling; ++x) {
                    if (y % channel.sampling != 0) continue;
                    const std::uint32_t bits = channel.bits[std::size_t(y * part.width + x)];
                    if (channel.type == ExrType::Half)
                        put16(row, bits);
                    else
                        put32(row, bits);
                }
            }
            put32(out, std::uint32_t(row.size()));
            out.insert(out.end(), row.begin(), row.end());
        }
    }
    return out;
}

// The value of a half by its definition.
inline double halfValue(std::uint32_t bits) {
    const double sign = bits & 0x8000 ? -1 : 1;
    const int exponent = int(bits >> 10 & 31), fraction = int(bits & 1023);
    if (exponent == 31) return fraction ? std::nan("") : sign * HUGE_VAL;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

inline double exrValue(const ExrChannel& channel, std::size_t i) {
    return channel.type == ExrType::Uint   ? double(channel.bits[i])
           : channel.type == ExrType::Half ? halfValue(channel.bits[i])
                                           : double(std::bit_cast<float>(channel.bits[i]));
}

inline ExrChannel exrChannel(const std::string& name, ExrType type, int count, std::uint32_t seed) {
    return {name, type, integers(count, type == ExrType::Half ? 16 : 32, seed)};
}

}  // namespace io_test
