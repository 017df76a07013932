// Saving images and other bytes: encoded in memory first, written beside the target, compared in
// length, flushed, renamed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/image/image.h"

namespace warpscope {

struct EncodedImage {
    std::vector<std::uint8_t> bytes;
    std::vector<std::string> notices;  // "16 bits became 8", "float became 8 bits"
};

// Format by the name's extension: png, jpg/jpeg (quality 95, no chroma subsampling), tif/tiff, webp
// (lossless), bmp, pgm/ppm/pnm/pam, pfm, npy. PNG keeps 8 and 16 bits; TIFF every format but
// Gray64; PGM/PPM 8 and 16 bits with maxval from the white level; PFM float; npy everything, as
// (height, width) and (height, width, 3 or 4), little-endian; others 8 bits. Errors: Unsupported
// (unknown extension with the list; alpha that is not opaque into JPEG or PPM; colour into PGM;
// sides beyond the format's own limit), OutOfMemory, Cancelled (within a second of the request).
Result<EncodedImage> encodeImage(const Image& image, const std::filesystem::path& name,
                                 const std::stop_token& stop = {});

struct WriteOptions {
    // Files that must not be replaced (the source), hard and symbolic links to them included,
    // unless overwriteProtected.
    std::vector<std::filesystem::path> protectedFiles = {};
    bool overwriteProtected = false;
    // Looked at until the new file takes the place of the old one.
    std::stop_token stop = {};
};

// The old file or the new one, whatever happens; killed in the middle too. The new one keeps the
// permissions of the old one (without setuid and its kin), and its owner and group where the system
// allows it. Symbolic links stay and what they point to is replaced; other hard links keep the old
// file. What killed programs left in the folder is removed. Errors: Io naming the cause (full disk,
// read-only folder, name too long), InvalidArgument for a protected target, OutOfMemory, Cancelled.
// All leave the old file, but for "saved, but the folder could not be flushed". The value: what has
// to be said about links, owner and group.
Result<std::vector<std::string>> replaceFile(const std::filesystem::path& target,
                                             std::span<const std::uint8_t> bytes,
                                             const WriteOptions& options = {});
// The same where nobody is told.
Result<void> writeFileAtomically(const std::filesystem::path& target,
                                 std::span<const std::uint8_t> bytes,
                                 const WriteOptions& options = {});

// Before the program ends in the middle of its work: removes the temporary files of all saves that
// are under way, and blocks every later one for good.
void abandonSaves();

struct SaveResult {
    std::vector<std::string> notices;
    std::uint64_t bytes = 0;
};
Result<SaveResult> saveImage(const Image& image, const std::filesystem::path& target,
                             const WriteOptions& options = {});

}  // namespace warpscope
