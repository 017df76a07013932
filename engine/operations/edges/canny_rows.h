// Vector code of single rows of Canny's edges. Lane is int16_t for 8-bit samples, int32_t for 16.
#pragma once

#include <cstdint>

namespace warpscope {

// Samples before and after a row that may be read and written, so that vectors need no end.
inline constexpr int kCannyRoom = 64;

template <class Lane>
struct CannyGradients {
    Lane* gx = nullptr;
    Lane* gy = nullptr;
    // |gx| + |gy|; 0 beside the row.
    Lane* magnitude = nullptr;
};

// From three rows of luma that go on for one sample at both ends.
void cannyGradients(const std::uint8_t* above, const std::uint8_t* here, const std::uint8_t* below,
                    int width, const CannyGradients<std::int16_t>& row);
void cannyGradients(const std::uint16_t* above, const std::uint16_t* here,
                    const std::uint16_t* below, int width, const CannyGradients<std::int32_t>& row);

// 0, kWeakEdge or white into `out`, and the columns that are white into `strong`, which has room
// for `width`. Gives how many. `above` and `below`: magnitudes.
int cannyCandidates(const std::int16_t* above, const CannyGradients<std::int16_t>& here,
                    const std::int16_t* below, int low, int high, int width, std::uint8_t* out,
                    int* strong);
int cannyCandidates(const std::int32_t* above, const CannyGradients<std::int32_t>& here,
                    const std::int32_t* below, int low, int high, int width, std::uint16_t* out,
                    int* strong);

// What is not white becomes 0.
void cannyKeepWhite(std::uint8_t* row, int width);
void cannyKeepWhite(std::uint16_t* row, int width);

}  // namespace warpscope
