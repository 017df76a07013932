// FITS files written by hand: cards of 80 characters, blocks of 2880 bytes, big-endian samples.
#pragma once

#include "tests/io/io_helpers.h"

namespace io_test {

inline void putCard(ByteBuffer& out, const std::string& key, const std::string& value) {
    std::string card = key + std::string(8 - key.size(), ' ');
    if (!value.empty())
        card +=
            "= " + (value[0] == '\''
                        ? value
                        : std::string(20 - std::min<std::size_t>(20, value.size()), ' ') + value);
    card.resize(80, ' ');
    putText(out, card);
}

inline void endBlock(ByteBuffer& out, std::uint8_t filler) {
    while (out.size() % 2880 != 0) out.push_back(filler);
}

struct FitsHdu {
    int bitpix = 8;
    std::vector<int> sides;
    // Big-endian, as they are stored.
    ByteBuffer data;
    // Key and value as the card has it.
    std::vector<std::pair<std::string, std::string>> cards;
};

inline ByteBuffer makeFits(const std::vector<FitsHdu>& hdus) {
    ByteBuffer out;
    for (std::size_t i = 0; i < hdus.size(); ++i) {
        const FitsHdu& hdu = hdus[i];
        if (i == 0)
            putCard(out, "SIMPLE", "T");
        else
            putCard(out, "XTENSION", "'IMAGE   '");
        putCard(out, "BITPIX", std::to_string(hdu.bitpix));
        putCard(out, "NAXIS", std::to_string(hdu.sides.size()));
        for (std::size_t axis = 0; axis < hdu.sides.size(); ++axis)
            putCard(out, "NAXIS" + std::to_string(axis + 1), std::to_string(hdu.sides[axis]));
        if (i > 0) {
            putCard(out, "PCOUNT", "0");
            putCard(out, "GCOUNT", "1");
        }
        for (const auto& [key, value] : hdu.cards) putCard(out, key, value);
        putCard(out, "END", "");
        endBlock(out, ' ');
        out.insert(out.end(), hdu.data.begin(), hdu.data.end());
        endBlock(out, 0);
    }
    return out;
}

// The lowest `bytes` bytes of each, the highest of them first.
inline ByteBuffer bigEndian(const std::vector<std::uint64_t>& values, int bytes) {
    ByteBuffer out;
    for (const std::uint64_t value : values)
        for (int i = bytes - 1; i >= 0; --i) out.push_back(std::uint8_t(value >> 8 * i));
    return out;
}

}  // namespace io_test
