// The alpha of a row as it was, after all its samples were worked on: by whole vectors, as
// keepAlpha() (cpu_work.h) does it sample by sample.
#pragma once

#include <cstdint>

namespace warpscope {

// Every fourth sample of `out` becomes that of `source`.
void copyAlpha(const std::uint8_t* source, std::uint8_t* out, int samples);
void copyAlpha(const std::uint16_t* source, std::uint16_t* out, int samples);
void copyAlpha(const float* source, float* out, int samples);

}  // namespace warpscope
