#include "gui/showcase/showcase.h"

#include <QWidget>

#include "gui/display/display_settings.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/showcase/showcase_window.h"

namespace warpscope::gui {

Showcase::Showcase(QWidget& window, Document& document, EngineBridge& bridge,
                   const DisplaySettings& display, MatchRunner::BackendFactory factory)
    : m_window(window),
      m_document(document),
      m_bridge(bridge),
      m_display(display),
      m_factory(std::move(factory)) {}

Showcase::~Showcase() {
    delete m_shown;
}

void Showcase::open(const QString& start, QSize size) {
    if (m_waiting) return;
    if (m_shown) {
        m_shown->raise();
        m_shown->activateWindow();
        return;
    }
    if (!m_bridge.opening()) return openNow(start, size);
    m_waiting = true;
    connect(
        &m_bridge, &EngineBridge::openingChanged, this,
        [this, start, size] {
            m_waiting = false;
            openNow(start, size);
        },
        // Queued: the image that was opened is in the document only after the signal.
        Qt::ConnectionType(Qt::QueuedConnection | Qt::SingleShotConnection));
}

void Showcase::openNow(const QString& start, QSize size) {
    if (!m_bridge.held().isEmpty()) {
        emit refused(m_bridge.held());
        return;
    }
    auto operations = showcaseOperations(m_document.pipeline());
    const QString title =
        m_document.title().isEmpty() ? tr("the image at hand") : m_document.title();
    auto sizes =
        showcaseSizes(m_document.image(), title, m_display.stillLookFor(m_document.image()));
    for (ShowcaseSize& one : sizes)
        if (!one.image.isNull()) one.file = m_document.filePath();
    const ShowcaseStart first = showcaseStart(start, operations, sizes);
    if (!first.error.isEmpty()) {
        emit refused(first.error);
        return;
    }
    // Nothing else may compute while the demo measures.
    m_wasPaused = m_bridge.paused();
    m_wasBusy = m_bridge.busy();
    m_bridge.setPaused(true);
    if (m_wasBusy) m_bridge.cancel();

    m_shown = new ShowcaseWindow(m_factory, std::move(operations), std::move(sizes), first);
    m_shown->setWindowIcon(m_window.windowIcon());
    m_shown->setWindowModality(Qt::ApplicationModal);
    connect(m_shown, &ShowcaseWindow::left, this, &Showcase::leave);
    if (size.isValid()) {
        m_shown->resize(size);
        m_shown->show();
    } else {
        m_shown->setGeometry(m_window.geometry());  // on the same screen
        m_shown->showFullScreen();
    }
    m_shown->activateWindow();
    m_shown->setFocus();
    emit opened();
}

void Showcase::leave() {
    if (!m_shown) return;
    ShowcaseWindow* shown = std::exchange(m_shown, nullptr);
    shown->hide();
    // Later, because it may be one of its own events that brought us here; its threads end now.
    shown->endRunning();
    shown->deleteLater();
    m_bridge.setPaused(m_wasPaused);
    // A result that had to be stopped comes with that; one that was there still misses its figures.
    if (m_wasBusy && m_bridge.resultIsCurrent() && !m_wasPaused) m_bridge.requestTimings();
    m_window.activateWindow();
    emit left();
}

}  // namespace warpscope::gui
