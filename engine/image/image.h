// An image: an immutable, shared, typed block of samples, and what is known of where it came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/image/pixel_format.h"

namespace warpscope {

// Rows of samples; does not own them. Row y begins `pitch` bytes after row y - 1.
template <class T>
struct View {
    T* data = nullptr;
    int width = 0;   // pixels
    int height = 0;  // pixels
    int channels = 1;
    std::ptrdiff_t pitch = 0;  // bytes

    T* row(int y) const {
        using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
        return reinterpret_cast<T*>(reinterpret_cast<Byte*>(data) + y * pitch);
    }
    int samplesPerRow() const { return width * channels; }
};

class Image;

// What a file said about its pixels. Constant once an Image holds it.
struct ImageInfo {
    // Largest value that a sample may truly have: 255, or 100 for a PGM with maxval 100, 4095 for
    // 12-bit data, 1.0 for float.
    double whiteLevel = 255.0;
    bool hasAlpha = false;     // the file had an alpha channel; RGB stays RGB when saved
    std::string sourceFormat;  // for people: "PNG, 16 bits, RGB"
    std::vector<std::string>
        notices;  // what a person should know: "CMYK shown as RGB", "1 of 12 pages"
    std::vector<std::pair<std::string, std::string>>
        metadata;  // for `info`: camera, resolution, ...
    // Null if there is none. Shared by the images that are made from this one.
    std::shared_ptr<const std::vector<std::uint8_t>> iccProfile;
    std::string rawLabel;  // "CMYK": the read-out shows `raw` beside RGB under this name
    std::shared_ptr<const Image>
        raw;  // same size, the stored samples before conversion; may be null
};

// What an operation's output of format `to` says, made from an input of format `from`. The white
// level stays while the sample type does, unless the operation spreads the samples over the whole
// range (`fillsRange`); else it is the full scale of `to`.
ImageInfo derivedInfo(const ImageInfo& info, PixelFormat from, PixelFormat to, bool fillsRange);

// Memory of one image. Rows start at multiples of 64 bytes, and 64 readable bytes follow the last
// row, so that vector code may load past a row's end.
class ImageStorage;

// Cheap to copy (shares the samples), safe to read from any thread. A default-constructed one is
// null.
class Image {
  public:
    Image() = default;

    bool isNull() const { return !m_storage; }
    PixelFormat format() const { return m_format; }
    Size size() const { return m_size; }
    int width() const { return m_size.width; }
    int height() const { return m_size.height; }
    std::ptrdiff_t pitch() const { return m_pitch; }  // bytes between rows
    const std::byte* bytes() const { return m_data; }
    const std::byte* rowBytes(int y) const { return m_data + y * m_pitch; }
    std::uint64_t byteCount() const {  // of the samples, without padding
        return std::uint64_t(m_size.pixels()) * std::uint64_t(bytesPerPixel(m_format));
    }

    // Different for images with different samples, equal for copies: a key for caches. 0 for a null
    // image, unless it is one withoutSamples(). crop() gives a new one.
    std::uint64_t id() const { return m_id; }
    const ImageInfo& info() const;

    // T must be the sample type of the format.
    template <class T>
    View<const T> view() const {
        return {reinterpret_cast<const T*>(m_data), m_size.width, m_size.height,
                channelCount(m_format), m_pitch};
    }

    // A window into the same samples; `rect` must lie inside the image.
    Image crop(const Rect& rect) const;
    // The same samples with other information.
    Image withInfo(ImageInfo info) const;
    // A null image that still says what this one was: format, size, information and id. The samples
    // go with the last image that has them.
    Image withoutSamples() const;

  private:
    friend class MutableImage;
    std::shared_ptr<const ImageStorage> m_storage;
    std::shared_ptr<const ImageInfo> m_info;
    const std::byte* m_data = nullptr;
    std::ptrdiff_t m_pitch = 0;
    Size m_size;
    PixelFormat m_format = PixelFormat::Gray8;
    std::uint64_t m_id = 0;
};

// An image under construction, owned by one thread at a time (row bands of it may be written by
// several).
class MutableImage {
  public:
    MutableImage() = default;
    // Errors: LimitExceeded for a side of 0 or beyond kMaxSide, OutOfMemory. Samples are not
    // initialized.
    static Result<MutableImage> create(PixelFormat format, Size size);

    bool isNull() const { return !m_storage; }
    PixelFormat format() const { return m_format; }
    Size size() const { return m_size; }
    int width() const { return m_size.width; }
    int height() const { return m_size.height; }
    std::ptrdiff_t pitch() const { return m_pitch; }
    std::byte* bytes() const { return m_data; }
    std::byte* rowBytes(int y) const { return m_data + y * m_pitch; }

    template <class T>
    View<T> view() const {
        return {reinterpret_cast<T*>(m_data), m_size.width, m_size.height, channelCount(m_format),
                m_pitch};
    }

    // Gives the samples away; this object is null afterwards.
    Image freeze(ImageInfo info) &&;
    // With what derivedInfo() makes of the information of `like`.
    Image freezeLike(const Image& like) &&;

  private:
    std::shared_ptr<ImageStorage> m_storage;
    std::byte* m_data = nullptr;
    std::ptrdiff_t m_pitch = 0;
    Size m_size;
    PixelFormat m_format = PixelFormat::Gray8;
};

// Bytes that an image of this shape takes in memory, padding included; nothing on overflow or for
// sides that are not allowed.
std::optional<std::uint64_t> storageBytes(PixelFormat format, Size size);

// True if shapes, formats and all samples are the same (padding and information are not compared).
bool sameSamples(const Image& a, const Image& b);

// 64-bit hash of shape, format and samples (FNV-1a over rows), for reports; independent of padding.
std::uint64_t contentHash(const Image& image);

}  // namespace warpscope
