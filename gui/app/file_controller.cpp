#include "gui/app/file_controller.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>
#include <QUrl>
#include <algorithm>
#include <filesystem>

#include "engine/base/log.h"
#include "engine/io/isolated_reader.h"
#include "gui/app/actions.h"
#include "gui/app/qimage_convert.h"
#include "gui/base/file_name.h"
#include "gui/folder/folder_list.h"
#include "gui/session/session_file.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {
namespace {

using Level = MessageBar::Level;

bool isPipelineName(const QString& path) {
    return path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
}

// A decoder's remark on how the file was written, which changes nothing of what is seen.
bool isTrivial(const std::string& notice) {
    return notice.starts_with("libpng: ") || notice.starts_with("libtiff: ") ||
           notice.starts_with("there are extraneous bytes");
}

// Byte by byte: a name may be no text.
QStringList localFiles(const QMimeData* data) {
    QStringList files;
    const QList<QUrl> urls = data->urls();
    for (const QUrl& url : urls) {
        if (!url.isLocalFile()) continue;
        const QByteArray encoded = url.path(QUrl::FullyEncoded).toLatin1();
        files << nameFromBytes(QByteArray::fromPercentEncoding(encoded));
    }
    return files;
}

constexpr int kMenuReach = 12;  // images before and after the one that is open
constexpr int kReloadMs = 250;  // before a file that cannot be read is tried again
constexpr int kMostReloads = 20;
constexpr int kMostNamed = 3;  // unreadable files of one list

}  // namespace

FileController::FileController(QWidget& window, Document& document, EngineBridge& bridge,
                               Settings& settings, MessageBar& messages)
    : m_window(window),
      m_document(document),
      m_bridge(bridge),
      m_settings(settings),
      m_messages(messages),
      m_recent(settings),
      m_imagesMenu(new QMenu(tr("I&mages"), &window)) {
    connect(&bridge, &EngineBridge::imageOpened, this, &FileController::onImageOpened);
    connect(&bridge, &EngineBridge::openFailed, this, &FileController::onOpenFailed);
    connect(&bridge, &EngineBridge::openSecondFailed, this, &FileController::onOpenSecondFailed);
    connect(&document, &Document::secondChanged, this, &FileController::onSecondChanged);
    connect(&bridge, &EngineBridge::fullReady, this, &FileController::onFullReady);
    m_reloadTimer.setSingleShot(true);
    m_reloadTimer.setInterval(kReloadMs);
    connect(&m_reloadTimer, &QTimer::timeout, this, &FileController::reload);
    connect(m_imagesMenu, &QMenu::aboutToShow, this, &FileController::fillImagesMenu);
    connect(&m_recent, &RecentFiles::chosen, this,
            [this](const QString& path) { openFiles({path}); });
    connect(&m_tasks, &TaskRunner::busyChanged, this, &FileController::taskBusyChanged);
}

FileController::~FileController() = default;

void FileController::connectActions(const Actions& actions) {
    connect(actions.open, &QAction::triggered, this, &FileController::openDialog);
    connect(actions.openSecond, &QAction::triggered, this, &FileController::openSecondDialog);
    connect(actions.closeSecond, &QAction::triggered, &m_document, &Document::closeSecond);
    connect(&m_document, &Document::secondChanged, this,
            [this, &actions] { actions.closeSecond->setEnabled(m_document.second() != nullptr); });
    connect(actions.paste, &QAction::triggered, this, &FileController::paste);
    connect(actions.saveResult, &QAction::triggered, this, &FileController::saveDialog);
    connect(actions.copyResult, &QAction::triggered, this, &FileController::copyResult);
    connect(actions.saveAsSeen, &QAction::triggered, this, &FileController::saveAsSeenDialog);
    connect(actions.saveRegion, &QAction::triggered, this, &FileController::saveRegionDialog);
    connect(actions.copyRegion, &QAction::triggered, this, &FileController::copyRegion);
    connect(&m_document, &Document::regionChanged, this, [this, &actions] {
        for (QAction* action : {actions.saveRegion, actions.copyRegion})
            action->setEnabled(m_document.region().has_value());
    });
    connect(actions.openPipeline, &QAction::triggered, this, &FileController::openPipelineDialog);
    connect(actions.savePipeline, &QAction::triggered, this, &FileController::savePipelineDialog);
    connect(actions.nextImage, &QAction::triggered, this, [this] { openNeighbour(1); });
    connect(actions.previousImage, &QAction::triggered, this, [this] { openNeighbour(-1); });
    connect(actions.nextPage, &QAction::triggered, this, [this] { openPage(1); });
    connect(actions.previousPage, &QAction::triggered, this, [this] { openPage(-1); });
    connect(this, &FileController::imagesChanged, this, [this, &actions] { showImages(actions); });
    connect(this, &FileController::pageChanged, this, [this, &actions] { showImages(actions); });
    showImages(actions);
}

void FileController::showImages(const Actions& actions) {
    m_imagesMenu->setEnabled(m_images.size() > 1);
    actions.nextImage->setEnabled(m_beside ? m_index >= 0 : m_index + 1 < m_images.size());
    actions.previousImage->setEnabled(m_index > 0);
    actions.nextPage->setEnabled(m_page + 1 < m_pageCount);
    actions.previousPage->setEnabled(m_page > 0);
}

// When it is looked at, and of a long list the neighbours only: a folder has thousands.
void FileController::fillImagesMenu() {
    m_imagesMenu->clear();
    const int first = std::max(0, m_index - kMenuReach);
    const int end = std::min(int(m_images.size()), m_index + kMenuReach + 1);
    for (int i = first; i < end; ++i) {
        QString name = shownFileName(m_images[i]);
        name.replace(QLatin1Char('&'), QLatin1String("&&"));
        QAction* action = m_imagesMenu->addAction(name);
        action->setCheckable(true);
        action->setChecked(i == m_index);
        connect(action, &QAction::triggered, this, [this, path = m_images[i]] { openPath(path); });
    }
}

// --- opening ---

void FileController::openFiles(const QStringList& paths) {
    QStringList images;
    for (const QString& path : paths) {
        if (isSessionName(path))
            emit sessionChosen(QFileInfo(path).absoluteFilePath());
        else if (isPipelineName(path))
            openPipelineFrom(path);
        else
            images << QFileInfo(path).absoluteFilePath();
    }
    if (images.isEmpty()) return;
    for (const QString& image : images) takeBack(image);
    ++m_listNumber;
    m_around.clear();
    if (std::ranges::any_of(images, isFolder)) return openFolders(images);
    if (images.size() > 1) {
        emit listOpened();
        return open({.images = images, .by = 1, .newList = true});
    }
    const QString path = images.front();
    listAround(path);
    const auto index = m_walksFolder ? m_images.indexOf(path) : -1;
    if (index >= 0)
        open({.images = m_images, .index = int(index), .folder = true});
    else
        open({.images = images, .newList = true});
}

void FileController::openAt(const QStringList& images, int index, int page) {
    for (const QString& image : images) takeBack(image);
    ++m_listNumber;
    m_around.clear();
    if (images.size() == 1)
        listAround(images.front());
    else
        emit listOpened();
    open({.images = images, .index = index, .newList = true, .page = page});
}

void FileController::openFolders(const QStringList& paths) {
    m_lister.run([this, paths, number = m_listNumber]() -> TaskRunner::Finish {
        const QStringList images = withFoldersOpened(paths);
        return [this, paths, images, number] {
            if (number != m_listNumber) return;
            if (images.size() > 1) emit listOpened();
            if (!images.isEmpty())
                return open(
                    {.images = images, .by = 1, .newList = true, .folder = paths.size() == 1});
            report(Level::Warning, tr("There is no image in %1.").arg(shownFileName(paths.front())),
                   shownName(paths.front()));
        };
    });
}

void FileController::listAround(const QString& path) {
    m_lister.run([this, path, number = m_listNumber]() -> TaskRunner::Finish {
        const QStringList images = imagesAround(path);
        return [this, path, images, number] {
            if (number != m_listNumber) return;
            const bool another = m_pendingOpen && m_pendingOpen->newList;
            // What is walked now, looked at once more, while something else is being opened.
            if (another && m_pendingOpen->images.value(m_pendingOpen->index) != path) return;
            m_around = images;
            m_around.removeIf([this](const QString& image) { return m_leftOut.contains(image); });
            // Else those around the image to come would be spent on the one before it.
            if (!another) takeFolder();
        };
    });
}

void FileController::leaveOut(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    if (!m_images.contains(absolute)) m_leftOut.insert(absolute);
}

// A folder has its files back.
void FileController::takeBack(const QString& path) {
    const QString inside = path.endsWith(QLatin1Char('/')) ? path : path + QLatin1Char('/');
    m_leftOut.removeIf([&](const QString& image) {
        return image == path ||
               (image.startsWith(inside) && !image.mid(inside.size()).contains(u'/'));
    });
}

// The folder's images take the place of the file alone, or of what was in the folder before.
void FileController::takeFolder() {
    const QString path = m_images.value(m_index);
    if (m_around.isEmpty() || (m_images.size() != 1 && !m_walksFolder)) return;
    const auto index = m_around.indexOf(path);
    if (index < 0) return;
    const bool same = m_walksFolder && m_around == m_images;
    m_images = std::exchange(m_around, {});
    m_index = int(index);
    m_walksFolder = true;
    m_tried = -1;
    if (!same) emit imagesChanged();
}

void FileController::openPath(const QString& path) {
    const auto index = m_images.indexOf(path);
    if (index < 0) return openFiles({path});
    open({.images = m_images, .index = int(index), .folder = m_walksFolder});
}

void FileController::openNeighbour(int by) {
    // Two quick presses go two images on.
    const bool underWay = m_pendingOpen && m_pendingOpen->images == m_images;
    const int from = underWay ? m_pendingOpen->index : m_tried >= 0 ? m_tried : m_index;
    const bool between = m_beside && !underWay && m_tried < 0;
    const int index = from + (between && by > 0 ? by - 1 : by);
    if (index >= 0 && index < m_images.size())
        open({.images = m_images, .index = index, .by = by, .folder = m_walksFolder});
}

void FileController::openPage(int by) {
    const int page = (m_pendingPage >= 0 ? m_pendingPage : m_page) + by;
    if (page < 0 || page >= m_pageCount || m_document.filePath().isEmpty()) return;
    m_pendingOpen.reset();
    m_pendingPage = page;
    m_bridge.openFile(m_document.filePath(), page);
}

// Headers alone tell, but they are on the disk.
void FileController::countPages(int page) {
    const QString path = m_document.filePath();
    m_page = page;
    m_pageCount = page + 1;
    emit pageChanged();
    if (path.isEmpty()) return;
    m_lister.run([this, path]() -> TaskRunner::Finish {
        const auto pages = listPagesIsolated(pathOf(path));
        const int count = pages ? int(pages->size()) : 1;
        return [this, path, count] {
            if (path != m_document.filePath() || count == m_pageCount) return;
            m_pageCount = count;
            emit pageChanged();
        };
    });
}

void FileController::refreshFolder() {
    if (m_walksFolder && m_index >= 0) listAround(m_images[m_index]);
}

void FileController::reload() {
    const QString path = m_document.filePath();
    if (path.isEmpty() || m_bridge.opening()) return;
    if (m_reloading != path) m_reloads = 0;
    m_reloading = path;
    if (m_bridge.held().isEmpty())
        m_bridge.openFile(path, m_page);
    else
        m_reloadTimer.start();
}

void FileController::open(PendingOpen pending) {
    m_pendingPage = -1;
    m_reloading.clear();
    m_reloadTimer.stop();
    if (pending.by != 0) m_direction = pending.by;
    m_pendingOpen = std::move(pending);
    m_bridge.openFile(m_pendingOpen->images[m_pendingOpen->index], m_pendingOpen->page);
}

void FileController::onImageOpened() {
    m_messages.clear(Level::Info);
    // An older failure says nothing about the image that is now there; those that were passed over
    // on the way to this one are news.
    for (const QString& text : m_openErrors) m_messages.withdraw(text);
    m_openErrors = std::exchange(m_passedOver, {});
    const QString path = m_document.filePath();
    m_reloadTimer.stop();
    if (std::exchange(m_reloading, {}) == path && !path.isEmpty()) {
        logMessage(LogLevel::Info,
                   tr("Read again, because it has changed: %1").arg(path).toStdString());
        emit reloaded(path);
        return;
    }
    if (const int page = std::exchange(m_pendingPage, -1); page >= 0 && path == m_pagedPath) {
        m_page = page;
        emit pageChanged();
        return;
    }
    m_pagedPath = path;
    // Something else may have been opened meanwhile: the clipboard, the sample scene.
    const auto pending = std::exchange(m_pendingOpen, std::nullopt);
    const bool expected = pending && pending->images[pending->index] == path;
    countPages(expected ? pending->page : 0);
    if (expected) {
        m_images = pending->images;
        m_index = pending->index;
        m_walksFolder = pending->folder;
        m_tried = -1;
        m_beside = false;
        takeFolder();
        emit imagesChanged();
    } else if (path.isEmpty()) {
        m_tried = -1;
        m_beside = true;
        emit imagesChanged();
    }
    const ImageInfo& info = m_document.image().info();
    tellNotices(info, m_document.title(), m_imageNotices);
    if (path.isEmpty()) return;
    if (shownName(path) == path) m_recent.add(path);  // else it could not be found again
    rememberFolder(path);
    logMessage(LogLevel::Info,
               tr("Opened %1: %2").arg(path, enginePartsText(info.sourceFormat)).toStdString());
}

// What a reader says of a file is told as long as that file is shown; what changes nothing of what
// is seen, only in the log.
void FileController::tellNotices(const ImageInfo& info, const QString& title, QStringList& told) {
    for (const QString& text : std::exchange(told, {})) m_messages.withdraw(text);
    for (const std::string& notice : info.notices) {
        const QString text = tr("%1: %2").arg(title, engineText(notice));
        if (isTrivial(notice)) {
            logMessage(LogLevel::Info, text.toStdString());
            continue;
        }
        report(Level::Warning, text);
        told << text;
    }
}

void FileController::onOpenFailed(const QString& path, const QString& message) {
    // The others of the list would be refused as well.
    if (!m_bridge.held().isEmpty()) {
        m_pendingOpen.reset();
        m_passedOver.clear();
        report(Level::Warning,
               tr("%1 was not opened. %2").arg(QFileInfo(path).fileName(), message));
        return;
    }
    m_pendingPage = -1;
    if (m_reloading == path) {
        if (++m_reloads <= kMostReloads) return m_reloadTimer.start();
        m_reloading.clear();
        m_openErrors << tr("%1 has changed and cannot be read: the picture is of before. %2")
                            .arg(shownFileName(path), message);
        return report(Level::Warning, m_openErrors.back(), shownName(path));
    }
    // A file whose folder is not there may be on a drive that comes back.
    const QFileInfo info(path);
    if (!info.exists() && info.dir().exists()) m_recent.remove(path);
    auto pending = std::exchange(m_pendingOpen, std::nullopt);
    const bool ofList = pending && pending->images[pending->index] == path;
    std::optional<PendingOpen> next;
    if (ofList) {
        next = pending;
        if (next->newList)
            next->images.removeAt(next->index);
        else
            next->index += next->by;
        if (next->by == 0 || next->index < 0 || next->index >= next->images.size()) next.reset();
    }
    reportUnopened(tr("Could not open. %1").arg(message), path);
    if (!next) m_openErrors += std::exchange(m_passedOver, {});
    if (ofList && !next && !pending->newList && pending->images == m_images)
        m_tried = pending->index;
    if (next) open(std::move(*next));
}

// A folder may be full of files that cannot be opened: the log has them all.
void FileController::reportUnopened(const QString& text, const QString& path) {
    if (m_passedOver.size() < kMostNamed) {
        m_passedOver << text;
        return report(Level::Error, text, shownName(path));
    }
    logMessage(LogLevel::Error, text.toStdString());
    if (m_passedOver.size() > kMostNamed) return;
    m_passedOver << tr("More files could not be opened; the log names them.");
    report(Level::Error, m_passedOver.back());
}

void FileController::openSecond(const QString& path) {
    m_bridge.openSecondFile(path);
}

void FileController::onSecondChanged() {
    if (!m_secondError.isEmpty()) m_messages.withdraw(std::exchange(m_secondError, {}));
    if (!m_document.second()) {
        for (const QString& text : std::exchange(m_secondNotices, {})) m_messages.withdraw(text);
        return;
    }
    const ImageInfo& info = m_document.second()->levels.front().info();
    tellNotices(info, m_document.secondTitle(), m_secondNotices);
    logMessage(LogLevel::Info,
               tr("Opened as second image %1: %2")
                   .arg(m_document.secondTitle(), enginePartsText(info.sourceFormat))
                   .toStdString());
}

void FileController::onOpenSecondFailed(const QString& path, const QString& message) {
    if (!m_secondError.isEmpty()) m_messages.withdraw(m_secondError);
    const bool held = !m_bridge.held().isEmpty();
    m_secondError = held ? tr("%1 was not opened. %2").arg(QFileInfo(path).fileName(), message)
                         : tr("Could not open as second image. %1").arg(message);
    report(held ? Level::Warning : Level::Error, m_secondError, path);
}

bool FileController::canTake(const QMimeData* data) {
    return data && (data->hasImage() || !localFiles(data).isEmpty());
}

bool FileController::take(const QMimeData* data, TakeAs as) {
    if (!data) return false;
    if (const QStringList files = localFiles(data); !files.isEmpty()) {
        if (as == TakeAs::Second)
            openSecond(files.front());
        else
            openFiles(files);
        return true;
    }
    if (!data->hasImage()) return false;
    const QImage picture = qvariant_cast<QImage>(data->imageData());
    if (picture.isNull()) return false;
    m_tasks.run([this, picture, as]() -> TaskRunner::Finish {
        const Result<Image> image = fromQImage(picture, tr("clipboard"));
        return [this, image, as] {
            if (image && as == TakeAs::Second)
                m_bridge.openSecondImage(*image, tr("Dropped image"));
            else if (image)
                m_bridge.openImage(*image, tr("Pasted image"));
            else
                report(Level::Error,
                       tr("Could not paste. %1").arg(engineText(image.error().message)));
        };
    });
    return true;
}

void FileController::paste() {
    if (!take(QGuiApplication::clipboard()->mimeData()))
        report(Level::Info, tr("There is no picture in the clipboard."));
}

// --- saving ---

void FileController::report(Level level, const QString& text, const QString& details) {
    m_messages.show({level, text, details, QString(), {}});
}

void FileController::rememberFolder(const QString& path) {
    m_settings.setLastFolder(QFileInfo(path).absolutePath());
}

}  // namespace warpscope::gui
