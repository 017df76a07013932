#include "gui/app/docks.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QMouseEvent>
#include <QPointer>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "gui/app/dock_tabs.h"
#include "gui/widgets/dock_title.h"
#include "gui/widgets/pane_ring.h"

namespace warpscope::gui {
namespace {

// First widths and heights; a small window gives the panels less.
constexpr int kSideWidth = 320;
constexpr int kBottomHeight = 224;
// Of the window: below the first, histogram and inspector share one place.
constexpr int kTabbedBelow = 700;
constexpr int kApartFrom = 740;
// Below that the strip of images is a tab at the foot, too.
constexpr int kImagesBelow = 560;
constexpr int kImagesApartFrom = 600;
// Of what image and panels at the foot share, what a panel that grows leaves to the image.
constexpr int kImageKeeps = 230;
constexpr int kImageKeepsPercent = 45;

}  // namespace

Docks::Docks(QMainWindow& window, QWidget& canvas)
    : QObject(&window), m_window(window), m_canvas(canvas) {
    // Without grouped dragging, whose windows of several docks Qt 6.4.2 does not get right: of 60
    // plain windows whose docks were dragged about at random 25 crashed, while a dock was moved or
    // when the window went, and without it none. What it is wanted for, tabs that can be dragged
    // out, DockTabs does: a dock in tabs has no title to take it by.
    window.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    new DockTabs(window);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    // The side panels are tall and narrow: they keep the corners.
    for (const auto corner : {Qt::TopLeftCorner, Qt::BottomLeftCorner})
        window.setCorner(corner, Qt::LeftDockWidgetArea);
    for (const auto corner : {Qt::TopRightCorner, Qt::BottomRightCorner})
        window.setCorner(corner, Qt::RightDockWidgetArea);
    window.installEventFilter(this);
}

QDockWidget* Docks::find(const char* name) const {
    for (QDockWidget* dock : m_docks)
        if (dock->objectName() == QLatin1String(name)) return dock;
    return nullptr;
}

bool Docks::eventFilter(QObject* watched, QEvent* event) {
    // After the window has laid itself out for its new size.
    if (watched == &m_window && (event->type() == QEvent::Resize || event->type() == QEvent::Show))
        QTimer::singleShot(0, this, &Docks::fitToHeight);
    return QObject::eventFilter(watched, event);
}

void Docks::fitImages() {
    QDockWidget* images = find("imagesDock");
    QDockWidget* foot = find("timingsDock");
    if (!images || !foot || !m_window.isVisible() || m_allHidden) return;
    if (images->isFloating()) return;
    // Also while it is hidden: shown above the image of a low window it would make that higher.
    const bool shown = !images->isHidden();
    const Qt::DockWidgetArea area = m_window.dockWidgetArea(images);
    if (area == Qt::TopDockWidgetArea) m_imagesForRoom = false;
    if (area == Qt::TopDockWidgetArea && m_window.height() < kImagesBelow) {
        if (foot->isFloating() || foot->isHidden()) return;
        m_window.tabifyDockWidget(foot, images);
        images->setVisible(shown);
        if (shown) images->raise();
        m_imagesForRoom = true;
    } else if (m_imagesForRoom && m_window.height() >= kImagesApartFrom) {
        m_window.removeDockWidget(images);
        m_window.addDockWidget(Qt::TopDockWidgetArea, images);
        images->setVisible(shown);
        m_imagesForRoom = false;
    }
}

void Docks::fitToHeight() {
    fitImages();
    QDockWidget* above = find("histogramDock");
    QDockWidget* below = find("inspectorDock");
    if (!above || !below || !m_window.isVisible() || m_allHidden) return;
    for (const QDockWidget* dock : {above, below})
        if (dock->isFloating() || dock->isHidden() ||
            m_window.dockWidgetArea(const_cast<QDockWidget*>(dock)) != Qt::RightDockWidgetArea)
            return;
    const bool tabbed = m_window.tabifiedDockWidgets(above).contains(below);
    // Tabs that the person made stay.
    if (!tabbed) m_tabbedForRoom = false;
    if (!tabbed && m_window.height() < kTabbedBelow) {
        m_above = above->size();
        m_below = below->size();
        m_window.tabifyDockWidget(above, below);
        above->raise();
        m_tabbedForRoom = true;
    } else if (tabbed && m_tabbedForRoom && m_window.height() >= kApartFrom) {
        // Splitting one that is in tabs would make another tab.
        m_window.removeDockWidget(below);
        m_window.addDockWidget(Qt::RightDockWidgetArea, below, Qt::Vertical);
        below->show();
        m_tabbedForRoom = false;
        if (!m_above.isEmpty() && !m_below.isEmpty()) {
            m_window.resizeDocks({above, below}, {m_above.height(), m_below.height()},
                                 Qt::Vertical);
            m_window.resizeDocks({above}, {m_above.width()}, Qt::Horizontal);
        }
    }
    updateTitles();
}

QDockWidget* Docks::add(const char* name, const QString& title, QWidget* panel,
                        Qt::DockWidgetArea area, bool shown) {
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(QLatin1String(name));
    dock->setAccessibleName(title);
    dock->setWidget(panel);
    dock->setTitleBarWidget(new DockTitle(dock));
    dock->toggleViewAction()->setObjectName(QLatin1String(name) + QStringLiteral("Toggle"));
    dock->toggleViewAction()->setToolTip(tr("Show or hide %1").arg(title));
    m_window.addDockWidget(area, dock);
    m_docks << dock;
    if (!shown) {
        m_onDemand << dock;
        dock->hide();
    }
    for (const auto signal : {&QDockWidget::visibilityChanged, &QDockWidget::topLevelChanged})
        connect(dock, signal, this, &Docks::updateTitles);
    connect(dock, &QDockWidget::dockLocationChanged, this, &Docks::updateTitles);
    connect(dock->toggleViewAction(), &QAction::toggled, this,
            [this] { QTimer::singleShot(0, this, &Docks::fitToHeight); });
    // Whoever opens a panel wants to see it, and the others if all are hidden.
    connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock](bool on) {
        if (on) dock->raise();
        if (!on || !m_allHidden) return;
        m_allHidden = false;
        m_hidden.clear();
        emit allHiddenChanged(false);
    });
    return dock;
}

void Docks::arrange() {
    if (m_allHidden) setAllHidden(false);
    for (QDockWidget* dock : m_docks) {
        dock->setFloating(false);
        dock->setVisible(!m_onDemand.contains(dock));
    }
    if (auto* steps = find("stepsDock")) m_window.addDockWidget(Qt::LeftDockWidgetArea, steps);
    QDockWidget* above = find("histogramDock");
    if (above) m_window.addDockWidget(Qt::RightDockWidgetArea, above);
    if (auto* inspector = find("inspectorDock")) {
        m_window.addDockWidget(Qt::RightDockWidgetArea, inspector);
        if (above) m_window.splitDockWidget(above, inspector, Qt::Vertical);
    }
    QDockWidget* bottom = find("timingsDock");
    if (bottom) m_window.addDockWidget(Qt::BottomDockWidgetArea, bottom);
    if (auto* log = find("logDock")) {
        m_window.addDockWidget(Qt::BottomDockWidgetArea, log);
        if (bottom) m_window.tabifyDockWidget(bottom, log);
    }
    for (const char* name : {"demoDock", "stripDock", "objectsDock"}) {
        QDockWidget* dock = find(name);
        if (!dock) continue;
        const bool visible = !dock->isHidden();
        m_window.addDockWidget(Qt::BottomDockWidgetArea, dock);
        if (bottom) m_window.tabifyDockWidget(bottom, dock);
        dock->setVisible(visible);
    }
    if (auto* images = find("imagesDock")) {
        const bool visible = !images->isHidden();
        m_window.addDockWidget(Qt::TopDockWidgetArea, images);
        images->setVisible(visible);
    }
    if (bottom) bottom->raise();
    const int side = std::min(kSideWidth, m_window.width() * 27 / 100);
    const int height = std::min(kBottomHeight, m_window.height() * 30 / 100);
    if (auto* steps = find("stepsDock")) m_window.resizeDocks({steps}, {side}, Qt::Horizontal);
    if (above) m_window.resizeDocks({above}, {side}, Qt::Horizontal);
    if (bottom) m_window.resizeDocks({bottom}, {height}, Qt::Vertical);
    fitToHeight();
}

void Docks::takeDown() {
    for (QDockWidget* dock : m_docks) disconnect(dock, nullptr, this, nullptr);
    // A dock that is being dragged is in the layout of its window twice, where it was and where it
    // would go. Deleted meanwhile it stays there once, and whatever tells the window next that a
    // child is gone reads what is freed. Letting go puts it in one place.
    constexpr QPointF kNowhere{-10'000, -10'000};
    QMouseEvent release(QEvent::MouseButtonRelease, kNowhere, kNowhere, Qt::LeftButton,
                        Qt::NoButton, Qt::NoModifier);
    for (QDockWidget* dock : m_docks) QApplication::sendEvent(dock, &release);
    m_window.hide();
    m_onDemand.clear();
    m_hidden.clear();
    const QList<QDockWidget*> docks = std::exchange(m_docks, {});
    const QList<QPointer<QDockWidget>> left(docks.begin(), docks.end());
    for (const auto& dock : left) delete dock;
}

void Docks::updateTitles() {
    for (QDockWidget* dock : m_docks) {
        const QList<QDockWidget*> beside = m_window.tabifiedDockWidgets(dock);
        const bool tabbed = !dock->isFloating() &&
                            std::any_of(beside.begin(), beside.end(), [](const QDockWidget* other) {
                                return !other->isHidden();
                            });
        if (auto* title = qobject_cast<DockTitle*>(dock->titleBarWidget()))
            title->setCollapsed(tabbed);
    }
}

void Docks::setAllHidden(bool hidden) {
    if (hidden == m_allHidden) return;
    m_allHidden = hidden;
    if (hidden) {
        m_hidden.clear();
        for (QDockWidget* dock : m_docks)
            if (!dock->isHidden()) m_hidden << dock;
        for (QDockWidget* dock : m_hidden) dock->hide();
        m_canvas.setFocus();
    } else {
        for (QDockWidget* dock : m_hidden) dock->show();
        m_hidden.clear();
    }
    emit allHiddenChanged(hidden);
}

void Docks::showPane(QWidget* panel) {
    if (m_allHidden) setAllHidden(false);
    for (QDockWidget* dock : m_docks)
        if (dock->widget() == panel) {
            dock->show();
            dock->raise();
        }
}

void Docks::giveHeight(QWidget* panel, int height) {
    for (QDockWidget* dock : m_docks) {
        if (dock->widget() != panel || dock->isFloating() || !dock->isVisible()) continue;
        const int shared = m_canvas.parentWidget()->height() + dock->height();
        const int most = shared - std::max(kImageKeeps, shared * kImageKeepsPercent / 100);
        const int wanted = std::min(dock->height() + height - panel->height(), most);
        if (wanted > dock->height()) m_window.resizeDocks({dock}, {wanted}, Qt::Vertical);
    }
}

bool Docks::focusInto(QWidget* pane) {
    // A dock behind another tab counts as visible; Qt only moves it out of the window.
    const QRect place(pane->mapTo(pane->window(), QPoint()), pane->size());
    if (!pane->isVisible() || !pane->window()->rect().intersects(place)) return false;
    if (pane->focusPolicy() & Qt::TabFocus) {
        pane->setFocus(Qt::TabFocusReason);
        return true;
    }
    // Tab order, so that the first control of the panel gets it.
    for (QWidget* w = pane->nextInFocusChain(); w && w != pane; w = w->nextInFocusChain()) {
        if (!pane->isAncestorOf(w)) continue;
        if ((w->focusPolicy() & Qt::TabFocus) && w->isVisible() && w->isEnabled()) {
            w->setFocus(Qt::TabFocusReason);
            return true;
        }
    }
    return false;
}

int Docks::focusedPane() const {
    const QWidget* focus = QApplication::focusWidget();
    for (int i = 0; i < m_docks.size(); ++i)
        if (focus && m_docks[i]->isAncestorOf(focus)) return i + 1;
    return 0;
}

void Docks::focusNeighbour(int by) {
    const int count = int(m_docks.size()) + 1;
    int pane = focusedPane();
    for (int tries = 0; tries < count; ++tries) {
        pane = (pane + by + count) % count;
        QWidget* widget = pane == 0 ? &m_canvas : m_docks[pane - 1]->widget();
        if (!focusInto(widget)) continue;
        // The control inside may be small, and the canvas draws its own.
        if (pane > 0) new PaneRing(m_docks[pane - 1]);
        return;
    }
}

QList<QAction*> Docks::toggles() const {
    QList<QAction*> list;
    for (QDockWidget* dock : m_docks) list << dock->toggleViewAction();
    return list;
}

QAction* Docks::toggleOf(const QWidget* panel) const {
    for (QDockWidget* dock : m_docks)
        if (dock->widget() == panel) return dock->toggleViewAction();
    return nullptr;
}

}  // namespace warpscope::gui
