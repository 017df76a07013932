// Headers of the Netpbm family: PBM, PGM and PPM (P1 to P6), PAM (P7) and PFM (Pf, PF).
#pragma once

#include <cstdint>

#include "engine/io/codec.h"

namespace warpscope::io {

struct PnmHeader {
    char magic = 0;  // '1' to '7', 'f' or 'F'
    std::uint64_t width = 0, height = 0;
    std::uint64_t channels = 1;  // 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA
    std::uint32_t maxval = 1;
    double scale = 0.0;      // PFM; below 0 means little-endian samples
    std::size_t dataAt = 0;  // where the samples begin

    bool ascii() const { return magic >= '1' && magic <= '3'; }
    bool bits() const { return magic == '1' || magic == '4'; }
    bool isFloat() const { return magic == 'f' || magic == 'F'; }
    bool hasAlpha() const { return channels == 2 || channels == 4; }
    PixelFormat format() const;
    // Of one row as stored; for plain (ASCII) files the fewest characters that it can take.
    std::uint64_t rowBytes() const;
    const char* name() const;  // "PGM"
};

// Errors: Damaged (what is wrong), Unsupported (PAM tuple types that are not colours). Sides are at
// most 2^32, not yet compared with any limit.
Result<PnmHeader> parsePnmHeader(Bytes bytes);

// "P" and a digit or letter of the family, then white space or a comment.
bool looksLikePnm(Bytes bytes);

}  // namespace warpscope::io
