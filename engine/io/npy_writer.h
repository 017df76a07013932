// Exact values for other programs: NumPy's .npy, version 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/base/result.h"
#include "engine/image/image.h"
#include "engine/io/image_writer.h"

namespace warpscope {

// Shape (height, width) for gray and sums, (height, width, 4) for colour; little-endian uint8,
// uint16, uint32, uint64 or float32 as the samples are. Errors: OutOfMemory.
Result<std::vector<std::uint8_t>> encodeNpy(const Image& image);

// Atomically, as saveImage. Errors: as encodeNpy and writeFileAtomically.
Result<SaveResult> saveNpy(const Image& image, const std::filesystem::path& target,
                           const WriteOptions& options = {});

}  // namespace warpscope
