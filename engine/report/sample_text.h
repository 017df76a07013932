// Samples as text for files: float32, little-endian, compressed by zlib, in base64 (RFC 4648).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/measure/timing.h"

namespace warpscope {

std::string toBase64(std::span<const std::uint8_t> bytes);

std::string samplesToText(const Samples& samples);
// `perRound` must be set; ms is filled. Errors: InvalidArgument for what is no such text, for
// another count than perRound sums to, and for samples that are negative or not finite.
Result<void> samplesFromText(std::string_view text, Samples& samples);

}  // namespace warpscope
