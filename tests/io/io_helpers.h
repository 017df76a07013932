// What the tests of engine/io share: deterministic samples, packing into rows, short reads.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "engine/io/image_reader.h"
#include "engine/io/image_writer.h"
#include "support/test_case.h"

namespace io_test {

using ByteBuffer = std::vector<std::uint8_t>;
using warpscope::Image;
using warpscope::PixelFormat;
using warpscope::Size;

inline warpscope::Result<Image> decode(const ByteBuffer& bytes,
                                       const warpscope::ReadOptions& options = {}) {
    return warpscope::decodeImage(bytes, "test file", options);
}

// A well-mixed number for each index, the same on every machine.
inline std::uint32_t mixed(std::uint32_t i) {
    i = (i ^ 61u) ^ (i >> 16);
    i *= 9u;
    i ^= i >> 4;
    i *= 0x27d4eb2du;
    return i ^ (i >> 15);
}

// Integer samples in [0, 2^bits), interleaved, with both ends of the range among them.
inline std::vector<std::uint32_t> integers(int count, int bits, std::uint32_t seed = 1) {
    const std::uint32_t mask = bits >= 32 ? ~0u : (1u << bits) - 1;
    std::vector<std::uint32_t> samples;
    for (int i = 0; i < count; ++i) samples.push_back(mixed(std::uint32_t(i) + seed * 7919) & mask);
    if (count > 1) {
        samples[0] = 0;
        samples[1] = mask;
    }
    return samples;
}

enum class Order { Little, Big };

// Rows of `perRow` samples of `bits` each, every row starting at a byte. Below 8 bits and for odd
// widths the most significant bit comes first.
inline ByteBuffer packRows(const std::vector<std::uint32_t>& samples, int perRow, int bits,
                           Order order = Order::Big) {
    ByteBuffer out;
    for (std::size_t first = 0; first < samples.size(); first += std::size_t(perRow)) {
        std::uint64_t window = 0;
        int have = 0;
        for (int i = 0; i < perRow; ++i) {
            const std::uint32_t v = samples[first + std::size_t(i)];
            if (order == Order::Little && (bits == 16 || bits == 32)) {
                for (int b = 0; b < bits; b += 8) out.push_back(std::uint8_t(v >> b));
                continue;
            }
            window = window << bits | v;
            for (have += bits; have >= 8; have -= 8)
                out.push_back(std::uint8_t(window >> (have - 8)));
        }
        if (have > 0) out.push_back(std::uint8_t(window << (8 - have)));
    }
    return out;
}

inline double sampleAt(const Image& image, int x, int y, int c = 0) {
    return warpscope::visitSampleType(image.format(), [&]<class T>() {
        const auto view = image.view<T>();
        return double(view.row(y)[std::ptrdiff_t(x) * view.channels + c]);
    });
}

inline std::string pixel(const Image& image, int x, int y) {
    std::string text;
    for (int c = 0; c < warpscope::channelCount(image.format()); ++c)
        text += (c ? " " : "") + std::to_string(sampleAt(image, x, y, c));
    return text;
}

// Empty if every sample of `image` equals expected(x, y, channel), else the first that does not.
template <class Expected>
std::string firstDifference(const Image& image, Expected expected) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < warpscope::channelCount(image.format()); ++c) {
                const double got = sampleAt(image, x, y, c), want = double(expected(x, y, c));
                if (got == want || (got != got && want != want)) continue;
                return "at " + std::to_string(x) + ", " + std::to_string(y) + " channel " +
                       std::to_string(c) + ": " + std::to_string(got) + " instead of " +
                       std::to_string(want);
            }
    return {};
}

inline bool anyContains(const std::vector<std::string>& texts, const std::string& part) {
    for (const auto& text : texts)
        if (text.find(part) != std::string::npos) return true;
    return false;
}

inline std::string metadataOf(const Image& image, const std::string& key) {
    for (const auto& [name, text] : image.info().metadata)
        if (name == key) return text;
    return {};
}

inline void put16(ByteBuffer& out, std::uint32_t v) {
    out.push_back(std::uint8_t(v));
    out.push_back(std::uint8_t(v >> 8));
}
inline void put32(ByteBuffer& out, std::uint32_t v) {
    put16(out, v & 0xFFFF);
    put16(out, v >> 16);
}
inline void putText(ByteBuffer& out, std::string_view text) {
    out.insert(out.end(), text.begin(), text.end());
}
inline ByteBuffer fromText(std::string_view text) {
    return ByteBuffer(text.begin(), text.end());
}

// A little-endian EXIF block with make, model, orientation, exposure and date.
inline ByteBuffer exifBlock(int orientation) {
    ByteBuffer b = fromText("II");
    put16(b, 42);
    put32(b, 8);
    const auto entry = [&](int tag, int type, std::uint32_t count, std::uint32_t value) {
        put16(b, std::uint32_t(tag));
        put16(b, std::uint32_t(type));
        put32(b, count);
        put32(b, value);
    };
    const std::uint32_t texts = 8 + 2 + 4 * 12 + 4, sub = texts + 24;
    put16(b, 4);
    entry(0x010F, 2, 10, texts);
    entry(0x0110, 2, 8, texts + 12);
    entry(0x0112, 3, 1, std::uint32_t(orientation));
    entry(0x8769, 4, 1, sub);
    put32(b, 0);
    putText(b, std::string_view("Warpscope\0\0\0", 12));
    putText(b, std::string_view("Model 7\0\0\0\0\0", 12));
    put16(b, 2);
    entry(0x829A, 5, 1, sub + 2 + 2 * 12 + 4);
    entry(0x9003, 2, 20, sub + 2 + 2 * 12 + 4 + 8);
    put32(b, 0);
    put32(b, 1);
    put32(b, 250);
    putText(b, std::string_view("2026:01:02 03:04:05\0", 20));
    return b;
}

// The smallest block that our checks take for an RGB (or GRAY) profile.
inline ByteBuffer fakeProfile(const char* space = "RGB ") {
    ByteBuffer profile(140, 0);
    profile[3] = 140;
    std::memcpy(&profile[16], space, 4);
    std::memcpy(&profile[36], "acsp", 4);
    return profile;
}

}  // namespace io_test
