#include "gui/app/grown_layout.h"

#include <QDockWidget>
#include <QEvent>
#include <vector>

namespace warpscope::gui {
namespace {

// After its last change of size. Qt keeps what it restored before the window was shown for 150 ms
// of these, and ends the program when something is restored meanwhile.
constexpr int kSettledMs = 200;

}  // namespace

GrownLayout::GrownLayout(QMainWindow& window, const QByteArray& layout, int version)
    : QObject(&window), m_window(window), m_layout(layout), m_version(version) {
    m_settled.setSingleShot(true);
    m_settled.setInterval(kSettledMs);
    connect(&m_settled, &QTimer::timeout, this, &GrownLayout::restore);
    window.installEventFilter(this);
}

bool GrownLayout::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show || event->type() == QEvent::Resize) m_settled.start();
    return QObject::eventFilter(watched, event);
}

void GrownLayout::restore() {
    deleteLater();
    if (!m_window.isVisible()) return;
    struct Panel {
        QDockWidget* dock;
        bool hidden;
    };
    std::vector<Panel> panels;
    for (auto* dock : m_window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        panels.push_back({dock, dock->isHidden()});
    m_window.restoreState(m_layout, m_version);
    for (const Panel& panel : panels)
        if (panel.dock->isHidden() != panel.hidden) panel.dock->setVisible(!panel.hidden);
}

}  // namespace warpscope::gui
