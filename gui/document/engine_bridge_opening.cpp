// What the bridge opens: files, pictures at hand, the sample scene.
#include <QFileInfo>

#include "engine/image/synthetic.h"
#include "engine/io/image_reader.h"
#include "gui/base/file_name.h"
#include "gui/document/engine_bridge.h"
#include "gui/document/image_loader.h"
#include "gui/document/memory_budget.h"
#include "gui/document/prefetcher.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {
namespace {

constexpr std::uint32_t kSampleSeed = 1;

auto holding(const Image& image) {
    return [image](const std::stop_token& stop) { return pyramidFrom(image, stop); };
}

}  // namespace

EngineBridge::Make EngineBridge::reading(const ImageFile& file) const {
    ReadOptions options;
    options.limits.maxDecodedBytes = m_memoryBudget;
    options.limits.howToRaise = howToRaiseMemory().toStdString();
    return [file, options, images = m_images.get()](std::stop_token stop) mutable {
        options.stop = std::move(stop);
        return images->load(file, options, true);
    };
}

void EngineBridge::openFile(const QString& path, int page) {
    const QString file = QFileInfo(path).absoluteFilePath();
    if (m_prefetcher && !m_images->underWay({file, page})) m_prefetcher->cancel();
    startLoading(reading({file, page}), file, shownFileName(path));
}

void EngineBridge::keepImages(const std::vector<ImageFile>& files, int fetched) {
    if (!m_prefetcher) return;
    m_images->retain(files, m_memoryBudget / 2);
    if (!m_held.isEmpty()) return;
    ReadLimits limits;
    limits.maxDecodedBytes = m_memoryBudget / 4;
    m_prefetcher->fetch({files.end() - fetched, files.end()}, limits);
}

void EngineBridge::openSecondFile(const QString& path) {
    const QString file = QFileInfo(path).absoluteFilePath();
    startLoadingSecond(reading({file}), file, shownFileName(path));
}

void EngineBridge::openSecondImage(const Image& image, const QString& title) {
    startLoadingSecond(holding(image), {}, title);
}

void EngineBridge::openImage(const Image& image, const QString& title) {
    startLoading(holding(image), {}, title);
}

void EngineBridge::openSampleScene() {
    openScene(kSampleSize, true, tr("Sample scene"));
}

void EngineBridge::openScene(Size size, bool color, const QString& title) {
    startLoading(
        [size, color](std::stop_token stop) {
            const CpuContext context{Threading::AllCores, stop, ProgressSink{}};
            return pyramidFrom(makeScene(size, color, kSampleSeed, context), stop);
        },
        {}, title);
    m_openingScene = Scene{size, color};
}

void EngineBridge::startLoading(Make make, const QString& filePath, const QString& title) {
    if (!m_loader) return;
    if (!m_held.isEmpty()) {
        emit openFailed(filePath.isEmpty() ? title : filePath, m_held);
        return;
    }
    const bool before = opening();
    m_openingPath = filePath;
    m_openingTitle = title;
    m_openingScene.reset();
    m_loader->start(std::move(make), title);
    if (!before) emit openingChanged(true);
    emit openingTitleChanged();
}

void EngineBridge::startLoadingSecond(Make make, const QString& path, const QString& title) {
    if (!m_secondLoader) return;
    if (!m_held.isEmpty()) {
        emit openSecondFailed(path.isEmpty() ? title : path, m_held);
        return;
    }
    m_secondPath = path;
    m_secondTitle = title;
    m_secondLoader->start(std::move(make), title);
    emit openingSecondChanged(true);
}

bool EngineBridge::openingSecond() const {
    return m_secondLoader && m_secondLoader->busy();
}

bool EngineBridge::opening() const {
    return m_loader && m_loader->busy();
}

void EngineBridge::cancelOpening() {
    if (openingSecond()) {
        m_secondLoader->cancel();
        emit openingSecondChanged(false);
    }
    if (!opening()) return;
    m_loader->cancel();
    emit openingChanged(false);
}

void EngineBridge::takeSecond() {
    auto loaded = m_secondLoader ? m_secondLoader->take() : std::nullopt;
    if (!loaded) return;
    const QString path = m_secondPath, title = m_secondTitle;
    emit openingSecondChanged(false);
    if (*loaded)
        m_document.setSecond(std::move(**loaded), path, title);
    else if (loaded->error().code != ErrorCode::Cancelled)
        emit openSecondFailed(path.isEmpty() ? title : path, engineText(loaded->error().message));
}

void EngineBridge::takeLoaded() {
    auto loaded = m_loader ? m_loader->take() : std::nullopt;
    if (!loaded) return;
    // Copies: whoever hears that it is over may open another.
    const QString path = m_openingPath, title = m_openingTitle;
    emit openingChanged(false);
    if (*loaded) {
        m_scene = m_openingScene;
        m_document.setSource(std::move(**loaded), path, title);
        emit imageOpened();
    } else if (loaded->error().code != ErrorCode::Cancelled) {
        emit openFailed(path.isEmpty() ? title : path, engineText(loaded->error().message));
    }
}

// --- requests ---

}  // namespace warpscope::gui
