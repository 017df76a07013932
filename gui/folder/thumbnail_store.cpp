#include "gui/folder/thumbnail_store.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>

#include "engine/image/pyramid.h"
#include "engine/io/isolated_reader.h"
#include "gui/base/file_name.h"
#include "gui/base/queued_call.h"
#include "gui/base/step_back.h"
#include "gui/display/display_settings.h"
#include "gui/folder/thumbnail_cache.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {
namespace {

constexpr int kThreads = 2;

QImage toPicture(const Image& screen) {
    const bool gray = screen.format() == PixelFormat::Gray8;
    QImage picture(screen.width(), screen.height(),
                   gray ? QImage::Format_Grayscale8 : QImage::Format_RGBA8888);
    if (picture.isNull()) return picture;
    const auto bytes = std::size_t(screen.width()) * std::size_t(bytesPerPixel(screen.format()));
    for (int y = 0; y < screen.height(); ++y)
        std::memcpy(picture.scanLine(y), screen.rowBytes(y), bytes);
    return picture;
}

Result<QImage> reduced(const Image& image, int side, const std::stop_token& stop) {
    const CpuContext context{Threading::Single, stop, {}};
    const auto pyramid = buildPyramid(image, context);
    if (!pyramid) return fail(pyramid.error());
    const double zoom = std::min(1.0, double(side) / std::max(image.width(), image.height()));
    const Image& level = pyramid->levels[std::size_t(pyramid->levelFor(zoom))];
    const bool plain = bytesPerSample(level.format()) == 1 && !isFloat(level.format());
    const auto range = plain ? std::nullopt : percentilesOf(level);
    const auto screen = toScreen(level, range.value_or(naturalRange(level)), false);
    if (!screen) return fail(screen.error());
    const QImage picture = toPicture(*screen);
    const QSize size(std::max(1, int(std::lround(image.width() * zoom))),
                     std::max(1, int(std::lround(image.height() * zoom))));
    return picture.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .convertToFormat(QImage::Format_ARGB32_Premultiplied);
}

std::uint64_t bytesOf(const Thumbnail& thumbnail) {
    return std::uint64_t(thumbnail.picture.sizeInBytes()) + 256;
}

}  // namespace

Thumbnail makeThumbnail(const QString& path, int side, const ReadOptions& options) {
    try {
        const auto image = readReducedImageIsolated(pathOf(path), side, options);
        if (!image) return {{}, engineText(image.error().message)};
        const auto picture = reduced(*image, side, options.stop);
        if (!picture) return {{}, engineText(picture.error().message)};
        return {*picture, {}};
    } catch (const std::exception& e) {
        return {{}, QString::fromUtf8(e.what())};
    }
}

Thumbnail keptThumbnail(const QString& path, int side, const ReadOptions& options) {
    const int kept = ThumbnailCache::keptSide(side);
    const auto before = kept == 0 ? std::nullopt : ThumbnailCache::stateOf(path);
    if (!before) return makeThumbnail(path, side, options);
    if (const auto known = ThumbnailCache::load(*before, side)) return {*known, {}};
    Thumbnail made = makeThumbnail(path, kept, options);
    if (made.picture.isNull()) return made;
    // Nobody knows which state was read if it changed meanwhile.
    const auto after = ThumbnailCache::stateOf(path);
    if (after && after->changed == before->changed && after->bytes == before->bytes)
        ThumbnailCache::save(*before, made.picture, side);
    if (std::max(made.picture.width(), made.picture.height()) > side)
        made.picture =
            made.picture.scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    return made;
}

ThumbnailStore::ThumbnailStore(QObject* parent, std::uint64_t bytes)
    : QObject(parent), m_bytes(bytes), m_made(queuedCall(this, "drain")) {}

ThumbnailStore::~ThumbnailStore() {
    m_stop.request_stop();
    for (std::jthread& thread : m_threads) thread.request_stop();
}

void ThumbnailStore::setMemoryBudget(std::uint64_t bytes) {
    const std::lock_guard lock(m_mutex);
    m_memoryBudget = bytes;
}

void ThumbnailStore::setOnDisk(bool on) {
    const std::lock_guard lock(m_mutex);
    m_onDisk = on;
}

void ThumbnailStore::setSide(int pixels) {
    {
        const std::lock_guard lock(m_mutex);
        if (pixels == m_side) return;
        m_side = pixels;
        ++m_generation;
        m_queue.clear();
        m_underWay.clear();  // what comes of it is of no use
    }
    m_kept.clear();
    m_byteCount = 0;
}

void ThumbnailStore::want(const QStringList& paths) {
    ++m_wants;
    {
        const std::lock_guard lock(m_mutex);
        m_queue.clear();
        for (const QString& path : paths) {
            const auto kept = m_kept.find(path);
            if (kept != m_kept.end())
                kept->wanted = m_wants;
            else if (!m_underWay.contains(path))
                m_queue.push_back(path);
        }
        if (m_queue.empty()) return;
    }
    startThreads();
    m_waiting.notify_all();
}

void ThumbnailStore::startThreads() {
    while (m_threads.size() < kThreads)
        m_threads.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

const Thumbnail* ThumbnailStore::find(const QString& path) const {
    const auto kept = m_kept.find(path);
    return kept == m_kept.end() ? nullptr : &kept->thumbnail;
}

void ThumbnailStore::forget(const QString& path) {
    const auto kept = m_kept.find(path);
    if (kept == m_kept.end()) return;
    m_byteCount -= bytesOf(kept->thumbnail);
    m_kept.erase(kept);
}

void ThumbnailStore::work(const std::stop_token& stop) {
    stepBack();
    while (true) {
        Made made;
        ReadOptions options;
        int side = 0;
        bool onDisk = false;
        {
            std::unique_lock lock(m_mutex);
            if (!m_waiting.wait(lock, stop, [this] { return !m_queue.empty(); })) return;
            made.path = m_queue.front();
            m_queue.pop_front();
            m_underWay << made.path;
            made.generation = m_generation;
            side = m_side;
            onDisk = m_onDisk;
            options.limits.maxDecodedBytes = m_memoryBudget / kThreads;
        }
        options.stop = m_stop.get_token();
        made.thumbnail = onDisk ? keptThumbnail(made.path, side, options)
                                : makeThumbnail(made.path, side, options);
        {
            const std::lock_guard lock(m_mutex);
            m_underWay.removeOne(made.path);
        }
        m_made.post(std::move(made));
    }
}

void ThumbnailStore::drain() {
    QStringList paths;
    for (Made& made : m_made.take()) {
        if (made.generation != m_generation) continue;
        forget(made.path);
        m_byteCount += bytesOf(made.thumbnail);
        paths << made.path;
        m_kept.insert(made.path, {std::move(made.thumbnail), m_wants});
    }
    makeRoom();
    if (!paths.isEmpty()) emit ready(paths);
}

// Those that were not wanted for the longest time go, down to three quarters, so that the search
// for them is rare.
void ThumbnailStore::makeRoom() {
    if (m_byteCount <= m_bytes) return;
    std::vector<std::pair<std::uint64_t, QString>> ages;
    for (auto it = m_kept.cbegin(); it != m_kept.cend(); ++it)
        ages.emplace_back(it->wanted, it.key());
    std::ranges::sort(ages);
    for (const auto& [wanted, path] : ages) {
        const std::uint64_t enough = wanted == m_wants ? m_bytes : m_bytes / 4 * 3;
        if (m_byteCount <= enough) return;
        forget(path);
    }
}

}  // namespace warpscope::gui
