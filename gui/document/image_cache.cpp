#include "gui/document/image_cache.h"

#include <algorithm>

#include "engine/io/isolated_reader.h"
#include "gui/base/file_name.h"

namespace warpscope::gui {
namespace {

std::uint64_t bytesOf(const PyramidPtr& pyramid) {
    return pyramid->byteCount() + std::uint64_t(pyramid->levels.front().byteCount());
}

}  // namespace

Result<PyramidPtr> pyramidFrom(Result<Image> image, const std::stop_token& stop) {
    if (!image) return fail(image.error());
    Result<Pyramid> pyramid =
        buildPyramid(*image, CpuContext{Threading::AllCores, stop, ProgressSink{}});
    if (!pyramid) return fail(pyramid.error());
    return std::make_shared<const Pyramid>(std::move(*pyramid));
}

void ImageCache::retain(const std::vector<ImageFile>& files, std::uint64_t bytes) {
    QHash<ImageFile, Kept> dropped;  // let go outside the lock
    const std::lock_guard lock(m_mutex);
    m_wanted = files;
    m_bytes = bytes;
    dropped = m_kept;
    trim();
}

// Of what is wanted, as much as has room, in that order.
void ImageCache::trim() {
    QHash<ImageFile, Kept> kept;
    std::uint64_t total = 0;
    for (const ImageFile& file : m_wanted) {
        const auto found = m_kept.constFind(file);
        if (found == m_kept.cend() || kept.contains(file)) continue;
        const std::uint64_t bytes = bytesOf(found->pyramid);
        if (bytes > m_bytes - total) continue;
        total += bytes;
        kept.insert(file, *found);
    }
    m_kept = std::move(kept);
}

bool ImageCache::holds(const ImageFile& file) const {
    const auto stamp = stampOf(file.path);
    const std::lock_guard lock(m_mutex);
    const auto found = m_kept.constFind(file);
    return found != m_kept.cend() && found->stamp == stamp;
}

bool ImageCache::underWay(const ImageFile& file) const {
    const std::lock_guard lock(m_mutex);
    return m_underWay.contains(file);
}

std::uint64_t ImageCache::byteCount() const {
    const std::lock_guard lock(m_mutex);
    std::uint64_t total = 0;
    for (const Kept& kept : m_kept) total += bytesOf(kept.pyramid);
    return total;
}

std::optional<FileStamp> ImageCache::stampRead(const PyramidPtr& pixels) const {
    if (!pixels) return {};
    const std::lock_guard lock(m_mutex);
    // By owner: pixels that are gone have left their address to others.
    const auto found = std::ranges::find_if(m_read, [&](const Read& read) {
        return !read.pixels.owner_before(pixels) && !pixels.owner_before(read.pixels);
    });
    return found == m_read.end() ? std::nullopt : std::optional(found->stamp);
}

void ImageCache::remember(const PyramidPtr& pixels, const FileStamp& stamp) {
    std::erase_if(m_read, [](const Read& read) { return read.pixels.expired(); });
    m_read.push_back({pixels, stamp});
}

Result<PyramidPtr> ImageCache::load(const ImageFile& file, ReadOptions options, bool keep) {
    options.page = file.page;
    // Before it is read: a file that changes meanwhile is read again the next time.
    const auto stamp = stampOf(file.path);
    {
        std::unique_lock lock(m_mutex);
        m_finished.wait(lock, options.stop, [&] { return !m_underWay.contains(file); });
        if (options.stop.stop_requested()) return cancelled();
        const auto found = m_kept.constFind(file);
        if (found != m_kept.cend() && stamp == found->stamp) return found->pyramid;
        m_underWay.insert(file);
    }
    struct Finished {
        ImageCache& cache;
        const ImageFile& file;
        ~Finished() {
            {
                const std::lock_guard lock(cache.m_mutex);
                cache.m_underWay.remove(file);
            }
            cache.m_finished.notify_all();
        }
    } const finished{*this, file};
    Result<PyramidPtr> pyramid =
        pyramidFrom(readImageIsolated(pathOf(file.path), options), options.stop);
    if (!pyramid || !stamp) return pyramid;
    const std::lock_guard lock(m_mutex);
    remember(*pyramid, *stamp);
    const bool wanted = std::ranges::find(m_wanted, file) != m_wanted.end();
    if (keep && !wanted) m_wanted.insert(m_wanted.begin(), file);
    if (keep || wanted) {
        m_kept.insert(file, {*stamp, *pyramid});
        trim();
    }
    return pyramid;
}

}  // namespace warpscope::gui
