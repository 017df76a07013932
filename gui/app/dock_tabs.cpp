#include "gui/app/dock_tabs.h"

#include <QApplication>
#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>
#include <QMouseEvent>
#include <QTabBar>
#include <QTimer>

namespace warpscope::gui {
namespace {

// Of the title of a panel that is taken out, where the mouse finds itself.
constexpr QPoint kGrip{40, 12};

bool isLeft(const QMouseEvent& event) {
    return event.button() == Qt::LeftButton;
}

}  // namespace

DockTabs::DockTabs(QMainWindow& window) : QObject(&window), m_window(window) {
    window.installEventFilter(this);
}

QDockWidget* DockTabs::dockAt(const QTabBar& bar, const QPoint& place) const {
    const int index = bar.tabAt(place);
    if (index < 0) return nullptr;
    for (QDockWidget* dock : m_window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        if (!dock->isFloating() && !dock->isHidden() && dock->windowTitle() == bar.tabText(index))
            return dock;
    return nullptr;
}

bool DockTabs::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_window) {
        // Not when it is added: then it is no row of tabs yet.
        if (event->type() == QEvent::ChildPolished)
            if (auto* bar = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child())) {
                bar->installEventFilter(this);
                // A panel may come or go while the button is down, and the row would then paint the
                // picture of a tab that it drags from an index that is another's: Qt crashes there.
                bar->setMovable(false);
            }
        return false;
    }
    switch (event->type()) {
        case QEvent::MouseButtonPress:
        case QEvent::MouseButtonRelease:
        case QEvent::MouseButtonDblClick:
        case QEvent::MouseMove:
            return mouse(*static_cast<QTabBar*>(watched), *static_cast<QMouseEvent*>(event));
        default:
            return false;
    }
}

bool DockTabs::mouse(QTabBar& bar, QMouseEvent& event) {
    const QPoint at = event.position().toPoint();
    const QPoint cursor = event.globalPosition().toPoint();
    // Later: the row of tabs, in the middle of an event of its own, changes with it.
    const auto takeOutSoon = [cursor](QDockWidget* dock, bool dragged) {
        QTimer::singleShot(0, dock, [dock, cursor, dragged] {
            takeOut(*dock, cursor);
            if (dragged && (QApplication::mouseButtons() & Qt::LeftButton)) follow(*dock, cursor);
        });
    };
    switch (event.type()) {
        case QEvent::MouseButtonPress:
            m_pressed = isLeft(event) ? dockAt(bar, at) : nullptr;
            return false;
        case QEvent::MouseButtonRelease:
            m_pressed.clear();
            return false;
        case QEvent::MouseButtonDblClick: {
            QDockWidget* dock = isLeft(event) ? dockAt(bar, at) : nullptr;
            if (dock) takeOutSoon(dock, false);
            return dock != nullptr;
        }
        default:
            break;
    }
    const int out = 2 * QApplication::startDragDistance();
    if (!m_pressed || bar.rect().adjusted(-out, -out, out, out).contains(at)) return false;
    QDockWidget* dock = m_pressed;
    // The tab was perhaps being moved along its row: that ends first.
    QMouseEvent release(QEvent::MouseButtonRelease, at, cursor, Qt::LeftButton, Qt::NoButton,
                        event.modifiers());
    QApplication::sendEvent(&bar, &release);
    takeOutSoon(dock, true);
    return true;
}

void DockTabs::takeOut(QDockWidget& dock, const QPoint& cursor) {
    if (dock.isFloating() || dock.isHidden()) return;
    dock.setFloating(true);
    dock.move(cursor - kGrip);
}

// As if it had been taken by its title there: from the first move on it has the mouse, goes with it
// and shows where it would stand.
void DockTabs::follow(QDockWidget& dock, const QPoint& cursor) {
    if (!dock.isFloating()) return;
    dock.layout()->activate();
    const auto send = [&](QEvent::Type type, const QPoint& by) {
        const bool press = type == QEvent::MouseButtonPress;
        QMouseEvent event(type, kGrip + by, cursor + by, press ? Qt::LeftButton : Qt::NoButton,
                          Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&dock, &event);
    };
    send(QEvent::MouseButtonPress, {});
    send(QEvent::MouseMove, {QApplication::startDragDistance() + 1, 0});
    send(QEvent::MouseMove, {});
}

}  // namespace warpscope::gui
