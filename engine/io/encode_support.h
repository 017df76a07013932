// What all writers share: which samples a format gets, and what is said about it.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "engine/io/codec.h"

namespace warpscope::io {

// Samples ready for a format, with what has to be said about the change.
struct Prepared {
    Image image;
    std::vector<std::string> notices;
};

// All that take a token: Cancelled where it is asked.
// Gray8 or Rgba8: as it is, or converted. Samples of 8 bits are never changed.
Result<Prepared> prepareEightBit(const Image& image, const std::stop_token& stop);
// As above, but 16 bits stay, and sums whose largest fits 8 or 16 bits keep their numbers; float
// and larger sums become 8 bits.
Result<Prepared> prepareIntegers(const Image& image, const std::stop_token& stop);

// For formats that have alpha but no place for a white level: alpha then ends at full scale.
Result<Image> withoutWhiteLevel(const Image& image, std::string_view format,
                                std::vector<std::string>& notices, const std::stop_token& stop);
// A white level below full scale that `format` has no place for.
void noteWhiteLevel(const Image& image, std::string_view format, std::vector<std::string>& notices);

// Whether an alpha channel has to be written.
inline bool writesAlpha(const Image& image) {
    return isColor(image.format()) && image.info().hasAlpha;
}
// For formats without alpha. Errors: Unsupported unless every alpha is at the white level or above.
Result<void> refuseAlpha(const Image& image, std::string_view format, const std::stop_token& stop);
// Errors: Unsupported, naming the format's limit.
Result<void> refuseSides(const Image& image, std::string_view format, int maxSide);

// The profile if it is one for as many colours as `image` has; a profile that is dropped is said.
Bytes usableProfile(const Image& image, std::vector<std::string>& notices);

// R, G, B of `width` RGBA pixels, packed.
template <class T>
void dropAlpha(const T* rgba, T* rgb, int width) {
    for (int x = 0; x < width; ++x, rgba += 4, rgb += 3) {
        rgb[0] = rgba[0];
        rgb[1] = rgba[1];
        rgb[2] = rgba[2];
    }
}

// Appends to a byte vector, little-endian.
class LittleEndianWriter {
  public:
    explicit LittleEndianWriter(std::vector<std::uint8_t>& out) : m_out(out) {}
    void u16(std::uint32_t v) {
        m_out.push_back(std::uint8_t(v));
        m_out.push_back(std::uint8_t(v >> 8));
    }
    void u32(std::uint32_t v) {
        u16(v & 0xFFFF);
        u16(v >> 16);
    }

  private:
    std::vector<std::uint8_t>& m_out;
};

}  // namespace warpscope::io
