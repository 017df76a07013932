#include "gui/app/open_images.h"

#include "gui/app/file_controller.h"
#include "gui/canvas/canvas.h"
#include "gui/document/engine_bridge.h"

namespace warpscope::gui {

OpenImages::OpenImages(Document& document, EngineBridge& bridge, Canvas& canvas,
                       FileController& files)
    : m_document(document), m_bridge(bridge), m_canvas(canvas), m_files(files) {
    connect(&document, &Document::sourceChanged, this, &OpenImages::onSourceChanged);
    connect(&document, &Document::regionChanged, this,
            [this] { m_region = m_document.regionShape(); });
    connect(&files, &FileController::imagesChanged, this, &OpenImages::readAhead);
    connect(&files, &FileController::pageChanged, this, &OpenImages::readAhead);
    connect(this, &OpenImages::changed, this, &OpenImages::readAhead);
}

OpenImages::Entry OpenImages::entryOfCurrent() const {
    const QString path = m_document.filePath();
    return {.path = path,
            .title = m_document.title(),
            .image = path.isEmpty() ? m_document.source() : nullptr,
            .size = m_document.image().size(),
            .view = {},
            .spot = {},
            .region = {}};
}

int OpenImages::find(const Entry& like) const {
    for (int i = 0; i < count(); ++i)
        if (m_entries[std::size_t(i)].path == like.path &&
            m_entries[std::size_t(i)].image == like.image)
            return i;
    return -1;
}

int OpenImages::findCurrent() const {
    return m_document.source() ? find(entryOfCurrent()) : -1;
}

void OpenImages::keepCurrent(bool keep) {
    if (!m_document.source() || keep == currentIsKept()) return;
    if (keep)
        m_entries.push_back(entryOfCurrent());
    else
        m_entries.erase(m_entries.begin() + findCurrent());
    emit changed();
}

void OpenImages::keep(const QString& path, bool keep) {
    if (path == m_document.filePath()) return keepCurrent(keep);
    Entry entry;
    entry.path = path;
    const int index = find(entry);
    if (keep == (index >= 0)) return;
    if (keep)
        m_entries.push_back(entry);
    else
        m_entries.erase(m_entries.begin() + index);
    emit changed();
}

QStringList OpenImages::keptPaths() const {
    QStringList paths;
    for (const Entry& entry : m_entries)
        if (!entry.path.isEmpty()) paths << entry.path;
    return paths;
}

std::vector<OpenImages::Kept> OpenImages::kept() const {
    std::vector<Kept> kept;
    for (const Entry& entry : m_entries)
        if (!entry.path.isEmpty())
            kept.push_back({entry.path, entry.view ? std::optional(entry.view->spot()) : entry.spot,
                            entry.region});
    return kept;
}

void OpenImages::setKept(const std::vector<Kept>& kept) {
    m_entries.clear();
    m_shown = {};  // its view is not that of an entry
    for (const Kept& one : kept) {
        Entry entry;
        entry.path = one.path;
        entry.spot = one.view;
        entry.region = one.region;
        if (find(entry) < 0) m_entries.push_back(entry);
    }
    emit changed();
}

void OpenImages::openNext(int by) {
    if (m_entries.empty()) return;
    const int current = findCurrent();
    const int from = current < 0 ? (by > 0 ? -1 : 0) : current;
    const Entry entry = m_entries[std::size_t((from + by + count()) % count())];
    if (entry.path.isEmpty())
        m_bridge.openImage(exactImage(entry.image), entry.title);
    else
        m_files.openPath(entry.path);
}

void OpenImages::onSourceChanged() {
    // The canvas still shows the image that was there.
    if (const int index = find(m_shown); index >= 0) {
        Entry& entry = m_entries[std::size_t(index)];
        entry.view = m_canvas.view();
        entry.spot.reset();
        entry.size = m_shown.size;
        entry.region = m_region;
    }
    const Entry now = entryOfCurrent();
    if (!m_shown.path.isEmpty() && m_shown.path != now.path) m_lastPath = m_shown.path;
    m_shown = now;
}

void OpenImages::sourceShown() {
    m_region = m_document.regionShape();
    if (const int index = findCurrent(); index >= 0) {
        Entry& entry = m_entries[std::size_t(index)];
        // A file that has changed its size since is another image.
        if (entry.view && entry.size == m_document.image().size()) {
            m_canvas.setView(*entry.view);
            m_document.setRegion(entry.region);
        } else if (entry.spot) {
            m_canvas.setSpot(*entry.spot);
            m_document.setRegion(entry.region);
        }
    }
    emit changed();
}

void OpenImages::readAhead() {
    std::vector<ImageFile> files;
    if (const QString path = m_document.filePath(); !path.isEmpty())
        files.push_back({path, m_files.page()});
    for (const QString& path : keptPaths()) files.push_back({path});
    if (!m_lastPath.isEmpty()) files.push_back({m_lastPath});
    const QStringList& images = m_files.images();
    const auto at = images.indexOf(m_document.filePath());
    int ahead = 0;
    if (m_files.page() + 1 < m_files.pageCount()) {
        files.push_back({m_document.filePath(), m_files.page() + 1});
        ++ahead;
    }
    if (at >= 0)
        for (const int by : {m_files.direction(), -m_files.direction()})
            if (at + by >= 0 && at + by < images.size()) {
                files.push_back({images[at + by]});
                ++ahead;
            }
    m_bridge.keepImages(files, ahead);
}

}  // namespace warpscope::gui
