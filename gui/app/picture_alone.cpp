#include "gui/app/picture_alone.h"

#include <QKeyEvent>
#include <QMainWindow>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>

#include "gui/app/actions.h"
#include "gui/app/docks.h"
#include "gui/canvas/canvas.h"

namespace warpscope::gui {

PictureAlone::PictureAlone(QMainWindow& window, Canvas& canvas, Docks& docks, Actions& actions)
    : m_window(window), m_canvas(canvas), m_docks(docks), m_actions(actions) {
    connect(actions.pictureAlone, &QAction::toggled, this, &PictureAlone::set);
    canvas.installEventFilter(this);
}

void PictureAlone::set(bool on) {
    if (on == m_active) return;
    m_active = on;
    m_actions.pictureAlone->setChecked(on);
    if (on) {
        m_state = m_window.windowState();
        m_docksHidden = m_docks.allHidden();
        m_docks.setAllHidden(true);
        m_bars.clear();
        m_bars << m_window.menuBar() << m_window.statusBar();
        for (QToolBar* bar :
             m_window.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
            m_bars << bar;
        m_bars.removeIf([](const QPointer<QWidget>& bar) { return bar->isHidden(); });
        for (const auto& bar : m_bars) bar->hide();
        m_window.setWindowState(m_state | Qt::WindowFullScreen);
    } else {
        m_window.setWindowState(m_state);
        for (const auto& bar : m_bars)
            if (bar) bar->show();
        m_docks.setAllHidden(m_docksHidden);
    }
    m_canvas.setFocus();
}

// Escape drops first what lies on the image.
bool PictureAlone::eventFilter(QObject* watched, QEvent* event) {
    if (m_active && watched == &m_canvas && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape && !m_canvas.wants(*key)) {
            set(false);
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace warpscope::gui
