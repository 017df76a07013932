#include "gui/app/session_window.h"

#include <QAction>
#include <algorithm>
#include <utility>

#include "gui/app/compare_controller.h"
#include "gui/app/file_controller.h"
#include "gui/app/open_images.h"
#include "gui/base/file_name.h"
#include "gui/canvas/canvas.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/histogram/histogram_panel.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/scopes/scopes_panel.h"
#include "gui/teststrip/test_strip.h"

namespace warpscope::gui {
namespace {

// JSON is text: a name that is none cannot stand in it.
bool isText(const QString& path) {
    return shownName(path) == path;
}

SessionImage imageOf(const QString& path, QStringList& left) {
    SessionImage image;
    if (isText(path))
        image.path = path;
    else
        left << shownFileName(path);
    return image;
}

// Of a long list what is around the image that is shown.
std::vector<SessionImage> listOf(const FileController& files) {
    std::vector<SessionImage> list;
    const QStringList& images = files.images();
    if (files.walksFolder() || images.size() < 2 || files.imageIndex() < 0) return list;
    const int end =
        std::min(int(images.size()),
                 std::max(0, files.imageIndex() - kMaxSessionImages / 2) + kMaxSessionImages);
    for (int i = std::max(0, end - kMaxSessionImages); i < end; ++i)
        if (isText(images[i])) list.push_back({.path = images[i]});
    return list;
}

}  // namespace

Session sessionOf(const SessionParts& p) {
    Session session;
    QStringList& noFiles = session.left;
    const Document& document = p.document;
    session.shown = imageOf(document.filePath(), noFiles);
    if (!session.shown.path.isEmpty()) {
        session.page = p.files.page();
        session.list = listOf(p.files);
    } else if (const auto& scene = p.bridge.scene(); scene && document.source()) {
        session.scene = SessionScene{scene->size, scene->color};
    } else if (document.source() && document.filePath().isEmpty()) {
        noFiles << document.title();
    }
    for (const OpenImages::Kept& kept : p.open.kept()) {
        SessionKept one{imageOf(kept.path, noFiles), kept.view, kept.region};
        if (kept.path == document.filePath()) {
            one.view = p.canvas.spot();
            one.region = document.regionShape();
        }
        if (!one.image.path.isEmpty() && int(session.kept.size()) < kMaxSessionImages)
            session.kept.push_back(one);
    }
    session.second = imageOf(document.secondPath(), noFiles);
    if (document.second() && document.secondPath().isEmpty()) noFiles << document.secondTitle();
    session.compared = imageOf(p.compare.path(), noFiles);
    session.pipeline = document.pipeline();
    session.step = document.currentStep();
    session.mode = p.canvas.viewMode();
    session.view = p.canvas.spot();
    session.difference = p.canvas.differenceStyle();
    session.wipe = p.canvas.wipeLine();
    session.display = p.display.state();
    session.region = document.regionShape();
    session.pins = p.inspector.pins();
    session.line = p.canvas.profileLine();
    session.histogram = p.histogram.options();
    session.scopes = p.scopes.switches();
    if (p.strip.isVisible()) session.strip = p.strip.state();
    return session;
}

SessionOpener::SessionOpener(const SessionParts& parts) : m_parts(parts) {
    connect(&parts.bridge, &EngineBridge::imageOpened, this, &SessionOpener::onImageOpened);
    connect(&parts.bridge, &EngineBridge::openFailed, this, &SessionOpener::onOpenFailed);
    // Later: what was opened is there by then.
    connect(&parts.bridge, &EngineBridge::openingChanged, this, &SessionOpener::onOpeningChanged,
            Qt::QueuedConnection);
}

void SessionOpener::open(const Session& session, const QString& undoText,
                         std::function<void()> done) {
    const SessionParts& p = m_parts;
    m_pending = session;
    m_done = std::move(done);
    p.compare.stop();
    p.canvas.endComparison();
    p.strip.close();
    std::vector<OpenImages::Kept> kept;
    for (const SessionKept& one : session.kept)
        kept.push_back({one.image.path, one.view, one.region});
    p.open.setKept(kept);
    p.document.replacePipeline(session.pipeline, undoText);
    p.document.setCurrentStep(session.step);
    p.profileShown.setChecked(session.display.profileShown);
    p.display.setState(session.display);
    p.histogram.setOptions(session.histogram);
    p.scopes.setSwitches(session.scopes);
    if (session.second.path.isEmpty())
        p.document.closeSecond();
    else
        p.bridge.openSecondFile(session.second.path);
    if (!session.shown.path.isEmpty()) {
        QStringList list;
        for (const SessionImage& image : session.list) list << image.path;
        const int index = int(list.indexOf(session.shown.path));
        if (index >= 0)
            p.files.openAt(list, index, session.page);
        else
            p.files.openAt({session.shown.path}, 0, session.page);
    } else if (session.scene) {
        const bool sample =
            session.scene->color && session.scene->size == EngineBridge::kSampleSize;
        if (sample)
            p.bridge.openSampleScene();
        else
            p.bridge.openScene(session.scene->size, session.scene->color, tr("Scene"));
    } else {
        finish(false);
    }
}

void SessionOpener::onImageOpened() {
    if (!m_pending) return;
    if (m_parts.document.filePath() == m_pending->shown.path) return finish(true);
    m_pending.reset();
    m_done = {};
}

void SessionOpener::onOpenFailed(const QString& path) {
    if (m_pending && (path == m_pending->shown.path || m_pending->shown.path.isEmpty()))
        finish(false);
}

// The person has cancelled it.
void SessionOpener::onOpeningChanged() {
    if (m_pending && !m_parts.bridge.opening()) finish(false);
}

void SessionOpener::finish(bool withImage) {
    const Session session = *std::exchange(m_pending, std::nullopt);
    const SessionParts& p = m_parts;
    p.canvas.setViewMode(session.mode);
    p.canvas.setWipeLine(session.wipe);
    p.canvas.setDifferenceStyle(session.difference);
    if (withImage) {
        p.document.setRegion(session.region);
        p.inspector.setPins(session.pins);
        p.canvas.setProfileLine(session.line);
        p.canvas.setSpot(session.view);
        if (!session.compared.path.isEmpty()) p.compare.compareWith(session.compared.path);
        if (session.strip && session.step >= 0) p.strip.open(*session.strip);
    }
    if (const auto done = std::exchange(m_done, {})) done();
}

}  // namespace warpscope::gui
