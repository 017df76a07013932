// Reading images: by content, never by extension, with limits checked on the header before anything
// is allocated.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/image/image.h"

namespace warpscope {

struct ReadLimits {
    // The image, what its decoder needs beside it and the file's bytes together; refused above.
    std::uint64_t maxDecodedBytes = std::uint64_t(8) << 30;
    std::uint64_t maxFileBytes = std::uint64_t(8) << 30;
    // Said where maxDecodedBytes refuses: "--memory MIB sets another".
    std::string howToRaise;
    // Of maxDecodedBytes, taken already. readImage adds the bytes of the file.
    std::uint64_t bytesInUse = 0;
};

struct ReadOptions {
    ReadLimits limits;
    std::stop_token stop;
    // Which image of the file, from 0; see listPages().
    int page = 0;
};

// Formats: PNG, JPEG, TIFF, WebP, BMP, PNM (PBM, PGM, PPM, PAM, PFM), NumPy (.npy of (height,
// width) with 3, 4 or no channels, C order); where the build has their libraries OpenEXR, JPEG XL,
// HEIF and AVIF, FITS, camera RAW (the mosaic of the sensor). Samples are exact: 16 bits stay 16
// bits, 9 to 15 bits keep their values below a white level of their own, 1, 2 and 4 bits widen by
// replication, palettes become colour, signed 16-bit and half float become float. EXIF orientation
// is applied. See ImageInfo for what is kept. Errors: Io (cannot be read; a directory, FIFO or
// device), Unsupported ("not an image this program reads: ..."; a kind of pixels, named; "JPEG XL:
// this build has no libjxl"), Damaged ("damaged after row N"), LimitExceeded (which limit),
// OutOfMemory, Cancelled. The message begins with the file's name.
Result<Image> readImage(const std::filesystem::path& file, const ReadOptions& options = {});

// The same from memory; `name` stands for the file in messages.
Result<Image> decodeImage(std::span<const std::uint8_t> bytes, const std::string& name,
                          const ReadOptions& options = {});

// The same from an open descriptor that need not be seekable (standard input, a pipe), read to its
// end into memory first. What begins like no image is refused before the rest is read.
Result<Image> readImageFrom(int descriptor, const std::string& name,
                            const ReadOptions& options = {});

// One image of a file that may hold several.
struct PageInfo {
    // What the file calls it; empty where it gives no name.
    std::string name;
    // As it is read. Both are left as they are here where only reading would tell: in files of
    // formats that hold one image, and where `problem` says why the page cannot be read.
    Size size;
    std::optional<PixelFormat> format;
    std::string problem;
};

// What ReadOptions::page chooses from; never empty, page 0 is what a viewer shows first. Several
// are in: TIFF (its chain of pages), WebP and JPEG XL (frames of an animation: WebP's as they are
// stored, JPEG XL's as they are shown), OpenEXR (parts and layers: R, G, B and A of a layer are a
// page "part/layer", any other channel is a gray page), HEIF and AVIF (images that stand for
// themselves, the primary one first), FITS (images, and each plane of a cube as "NAME [plane]"). A
// format that holds one image, or of which only one is read (APNG: the still image), has one entry
// that says nothing. At most 65535 are listed. Only headers are read. Errors: as readImage, whose
// page beyond the list is InvalidArgument.
Result<std::vector<PageInfo>> listPages(const std::filesystem::path& file,
                                        const ReadOptions& options = {});
Result<std::vector<PageInfo>> listPagesOf(std::span<const std::uint8_t> bytes,
                                          const std::string& name, const ReadOptions& options = {});

struct FormatInfo {
    // "PNG"
    std::string name;
    // Lower case, without dot, the first is the usual one.
    std::vector<std::string> extensions;
    bool reads = true;
    bool writes = true;
};
const std::vector<FormatInfo>& imageFormats();

// Of a file's name: in lower case, without the dot; empty if it has none.
std::string lowerExtension(const std::filesystem::path& name);
// The format that saving under this name gives. Errors: Unsupported, naming the extensions that
// there are.
Result<const FormatInfo*> formatForSaving(const std::filesystem::path& name);

}  // namespace warpscope
