// What all readers share: limits on the header, the wording of damage, text that is safe to show,
// and the widening of rows to four channels.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>

#include "engine/io/codec.h"

namespace warpscope::io {

// Rows between two looks at the stop token.
inline constexpr int kRowsPerChunk = 32;

// Errors: Damaged for a side of 0, LimitExceeded for one beyond kMaxSide.
Result<void> checkSides(std::uint64_t width, std::uint64_t height);

// Arithmetic on a header, before anything is allocated. `extraBytes` is memory that the decoder
// needs beside the image and ReadLimits::bytesInUse. Errors: Damaged for a side of 0, LimitExceeded
// for a side or a size.
Result<void> checkShape(PixelFormat format, std::uint64_t width, std::uint64_t height,
                        const ReadLimits& limits, std::uint64_t extraBytes = 0);

// "... take 12 MiB in memory, more than the limit of 8 MiB; ..." (ReadLimits::maxDecodedBytes)
Error beyondMemory(std::string_view what, std::optional<std::uint64_t> bytes,
                   const ReadLimits& limits);

// Whether a file that begins so is an image. Errors: Unsupported, with what it may be instead;
// LimitExceeded where ReadLimits::bytesInUse, with the whole file in it, is beyond the memory. If
// `front` holds the header, that error names what file and image take together.
Result<void> checkContent(Bytes front, const ReadOptions& options);

// checkShape, then the memory.
Result<MutableImage> createImage(PixelFormat format, std::uint64_t width, std::uint64_t height,
                                 const ReadLimits& limits, std::uint64_t extraBytes = 0);

// "damaged after row 12 of 480: ...", `rows` being the complete rows in the order of the file.
Error damagedAfterRow(int rows, int height, std::string_view reason);
// "damaged after row 0: ..."
tl::unexpected<Error> damagedHeader(std::string_view what);
// The header promises more samples than the file can hold, however well it is compressed.
Error tooFewBytes(std::uint64_t available, std::uint64_t needed);

// One line of valid UTF-8 without control characters, at most `maxBytes` long; no more than twice
// as many bytes of `text` are looked at. Bytes that are not UTF-8 are taken as Latin-1, which is
// what older text chunks and tags hold.
std::string cleanText(std::string_view text, std::size_t maxBytes = 200);

// Adds an entry unless it is empty or the list has grown beyond what a person reads.
void addMetadata(ImageInfo& info, std::string_view key, std::string_view text);
void addNotice(ImageInfo& info, std::string notice);

// Larger than any profile in use.
inline constexpr std::size_t kMaxProfileBytes = 16 << 20;
// Keeps a copy for saving, none of an empty one; of one beyond the limit, a notice says so.
void setProfile(ImageInfo& info, Bytes profile);

// "1 of 12 pages", or "page 3 of 12", if there are several; `unit` is the singular.
void addPageNotice(ImageInfo& info, int page, std::size_t pages, std::string_view unit,
                   bool more = false);
// Errors: InvalidArgument where the file has no such page.
Result<void> checkPage(int page, std::size_t pages, std::string_view unit);
// The most pages that are counted.
inline constexpr int kMostPages = 65535;

// "PNG, 16 bits, RGB"
std::string describeSource(std::string_view format, int bits, std::string_view kind);

template <class T>
constexpr T opaqueValue() {
    if constexpr (std::is_floating_point_v<T>) {
        return T(1);
    } else {
        return std::numeric_limits<T>::max();
    }
}

// False if a value is not exactly a float. `Stored` samples need not be aligned.
template <class Stored>
bool toFloat(const std::uint8_t* from, std::size_t count, float* to) {
    bool exact = true;
    for (std::size_t i = 0; i < count; ++i) {
        Stored value;
        std::memcpy(&value, from + i * sizeof(Stored), sizeof(Stored));
        if constexpr (std::is_same_v<Stored, double>) {
            // The cast is undefined beyond the range of float.
            const bool fits =
                !(std::abs(value) > double(std::numeric_limits<float>::max())) || std::isinf(value);
            to[i] = fits ? float(value) : 0.0f;
            exact = exact && fits && (double(to[i]) == value || std::isnan(value));
        } else {
            to[i] = float(value);
            exact = exact && double(to[i]) == double(value);
        }
    }
    return exact;
}

// `row` begins with `width` packed pixels of 1 (gray), 2 (gray, alpha), 3 or 4 channels and becomes
// RGBA. Works from the right end, so that nothing is overwritten before it is read.
template <class T>
void widenToRgba(T* row, int width, int channels) {
    if (channels == 4) return;
    for (std::ptrdiff_t x = width - 1; x >= 0; --x) {
        const T* from = row + x * channels;
        const bool gray = channels <= 2;
        const T r = from[0];
        const T g = gray ? r : from[1];
        const T b = gray ? r : from[2];
        const T a = channels == 2 ? from[1] : opaqueValue<T>();
        T* to = row + x * 4;
        to[0] = r;
        to[1] = g;
        to[2] = b;
        to[3] = a;
    }
}

// Calls row(y), a Result<void>, from the first row to the last. Errors: those of `row`, Cancelled.
template <class Row>
Result<void> forEachRow(int height, const std::stop_token& stop, Row&& row) {
    for (int y = 0; y < height; ++y) {
        if (y % kRowsPerChunk == 0 && stop.stop_requested()) return cancelled();
        if (Result<void> ok = row(y); !ok) return ok;
    }
    return {};
}

// `image` holds CMYK, 255 (65535) being full ink, and becomes light: R = (max - C)(max - K) / max,
// rounded. The inks stay as info.raw, of this white level; a profile goes, because it describes
// inks. Both are said, `remark` behind it. Errors: OutOfMemory, Cancelled, LimitExceeded.
Result<void> showInks(MutableImage& image, ImageInfo& info, double whiteLevel,
                      std::string_view remark, const ReadOptions& options);

}  // namespace warpscope::io
