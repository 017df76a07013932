// Which images equalize_resident.cu takes, and how it divides them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace warpscope::cuda {

inline constexpr unsigned kResidentThreads = 1024;
inline constexpr unsigned kResidentPieces = 4;  // of 16 bytes that a thread keeps, at most
inline constexpr std::size_t kResidentCells = 32 * 1024;  // of counts, then of the table
inline constexpr std::size_t kResidentPiece = 16 * kResidentThreads;
inline constexpr std::size_t kResidentStatic = 2 * 1024;  // at most

struct ResidentShape {
    unsigned blocks = 0;  // 0: not for such an image
    unsigned pieces = 0;  // of a thread

    std::size_t sharedBytes() const { return kResidentCells + pieces * kResidentPiece; }
};

// Below that what few pixels there are take less time than waiting for all does: a megapixel of
// the largest devices.
inline bool prefersResident(std::int64_t pixels, int multiprocessors) {
    return pixels >= std::int64_t(multiprocessors) * 7'500;
}

// `pieces`: of 16 bytes. A block on each multiprocessor, each thread of which takes pieces a grid
// apart. They take no more than half of `sharedPerBlock`: the next launch's blocks find room, and
// what it reads is fetched meanwhile. Larger images took as long as in two launches, or longer.
inline ResidentShape residentShape(std::uint64_t pieces, int multiprocessors,
                                   std::size_t sharedPerBlock) {
    const std::uint64_t blocks = std::min<std::uint64_t>(
        (pieces + kResidentThreads - 1) / kResidentThreads, unsigned(multiprocessors));
    const std::uint64_t round = blocks * kResidentThreads;
    if (round == 0 || pieces > round * kResidentPieces) return {};
    const ResidentShape shape{unsigned(blocks), unsigned((pieces + round - 1) / round)};
    if (2 * (shape.sharedBytes() + kResidentStatic) > sharedPerBlock) return {};
    return shape;
}

}  // namespace warpscope::cuda
