#include "engine/image/image.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <new>

#include "engine/base/checked.h"
#include "engine/image/content_hash.h"
#include "engine/image/storage_pool.h"

namespace warpscope {
namespace {

constexpr std::uint64_t kRowAlignment = 64;
constexpr std::uint64_t kReadableTail = 64;

std::uint64_t nextId() {
    static std::atomic<std::uint64_t> next{1};
    return next.fetch_add(1, std::memory_order_relaxed);
}

std::optional<std::uint64_t> pitchBytes(PixelFormat format, Size size) {
    if (size.empty() || size.width > kMaxSide || size.height > kMaxSide) return std::nullopt;
    const std::uint64_t row = std::uint64_t(size.width) * std::uint64_t(bytesPerPixel(format));
    return (row + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
}

}  // namespace

class ImageStorage {
  public:
    ImageStorage(std::byte* bytes, std::uint64_t size) : m_bytes(bytes), m_size(size) {}
    ~ImageStorage() { giveStorage(m_bytes, m_size); }
    ImageStorage(const ImageStorage&) = delete;
    ImageStorage& operator=(const ImageStorage&) = delete;

  private:
    std::byte* m_bytes;
    std::uint64_t m_size;
};

ImageInfo derivedInfo(const ImageInfo& info, PixelFormat from, PixelFormat to, bool fillsRange) {
    ImageInfo derived = info;
    const bool otherSamples = from != to && withChannels(from, isColor(to)) != to;
    if (fillsRange || otherSamples) derived.whiteLevel = fullScale(to);
    if (from != to) {
        derived.raw.reset();
        derived.rawLabel.clear();
        if (!isColor(to)) derived.hasAlpha = false;
    }
    return derived;
}

std::optional<std::uint64_t> storageBytes(PixelFormat format, Size size) {
    const auto pitch = pitchBytes(format, size);
    if (!pitch) return std::nullopt;
    const auto body = checkedMultiply(*pitch, std::uint64_t(size.height));
    return body ? checkedAdd(*body, kReadableTail) : std::nullopt;
}

const ImageInfo& Image::info() const {
    static const ImageInfo none;
    return m_info ? *m_info : none;
}

Image Image::crop(const Rect& rect) const {
    if (rect == Rect{0, 0, m_size.width, m_size.height}) return *this;
    Image window = *this;
    window.m_data = rowBytes(rect.y) + std::ptrdiff_t(rect.x) * bytesPerPixel(m_format);
    window.m_size = rect.size();
    window.m_id = nextId();
    return window;
}

Image Image::withInfo(ImageInfo info) const {
    Image copy = *this;
    copy.m_info = std::make_shared<const ImageInfo>(std::move(info));
    return copy;
}

Image Image::withoutSamples() const {
    Image shape = *this;
    shape.m_storage.reset();
    shape.m_data = nullptr;
    if (info().raw) {
        ImageInfo rest = info();
        rest.raw.reset();
        shape.m_info = std::make_shared<const ImageInfo>(std::move(rest));
    }
    return shape;
}

Result<MutableImage> MutableImage::create(PixelFormat format, Size size) {
    const auto bytes = storageBytes(format, size);
    if (!bytes) {
        return fail(ErrorCode::LimitExceeded,
                    fmt::format("an image of {} x {} pixels is not possible: sides go from 1 to {}",
                                size.width, size.height, kMaxSide));
    }
    const std::uint64_t rounded = (*bytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
    std::byte* memory = takeStorage(rounded);
    if (!memory) {
        return fail(ErrorCode::OutOfMemory,
                    fmt::format("not enough memory for an image of {} x {} pixels ({} MiB)",
                                size.width, size.height, rounded >> 20));
    }
    // The tail is read by vector code, never used; set so that memory checkers can see that the
    // rest is.
    std::memset(memory + rounded - kReadableTail, 0, kReadableTail);
    MutableImage image;
    image.m_storage = std::make_shared<ImageStorage>(memory, rounded);
    image.m_data = memory;
    image.m_pitch = std::ptrdiff_t(*pitchBytes(format, size));
    image.m_size = size;
    image.m_format = format;
    return image;
}

Image MutableImage::freeze(ImageInfo info) && {
    Image image;
    image.m_storage = std::move(m_storage);
    image.m_info = std::make_shared<const ImageInfo>(std::move(info));
    image.m_data = std::exchange(m_data, nullptr);
    image.m_pitch = m_pitch;
    image.m_size = m_size;
    image.m_format = m_format;
    image.m_id = nextId();
    return image;
}

Image MutableImage::freezeLike(const Image& like) && {
    ImageInfo info = derivedInfo(like.info(), like.format(), m_format, false);
    if (like.size() != m_size) info.raw.reset();
    return std::move(*this).freeze(std::move(info));
}

bool sameSamples(const Image& a, const Image& b) {
    if (a.isNull() || b.isNull()) return a.isNull() && b.isNull();
    if (a.format() != b.format() || a.size() != b.size()) return false;
    const std::size_t row = std::size_t(a.width()) * std::size_t(bytesPerPixel(a.format()));
    for (int y = 0; y < a.height(); ++y)
        if (std::memcmp(a.rowBytes(y), b.rowBytes(y), row) != 0) return false;
    return true;
}

std::uint64_t contentHash(const Image& image) {
    return *contentHash(image, std::stop_token());
}

std::optional<std::uint64_t> contentHash(const Image& image, const std::stop_token& stop) {
    constexpr std::uint64_t kPrime = 1099511628211ull;
    std::uint64_t hash = 14695981039346656037ull;
    const auto mix = [&](std::uint64_t word) { hash = (hash ^ word) * kPrime; };
    mix(std::uint64_t(image.format()));
    mix(std::uint64_t(image.width()));
    mix(std::uint64_t(image.height()));
    if (image.isNull()) return hash;
    const std::size_t row = std::size_t(image.width()) * std::size_t(bytesPerPixel(image.format()));
    for (int y = 0; y < image.height(); ++y) {
        if (stop.stop_requested()) return std::nullopt;
        const std::byte* bytes = image.rowBytes(y);
        std::size_t i = 0;
        for (; i + 8 <= row; i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + i, 8);
            mix(word);
        }
        for (; i < row; ++i) mix(std::to_integer<std::uint64_t>(bytes[i]));
    }
    return hash;
}

}  // namespace warpscope
