#include "gui/widgets/pane_ring.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

PaneRing::PaneRing(QWidget* pane) : QWidget(pane) {
    setObjectName(QStringLiteral("paneRing"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setGeometry(pane->rect());
    pane->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, [this, pane](QWidget*, QWidget* now) {
        // Another window, a menu: the focus comes back.
        if (!now || pane->isAncestorOf(now)) return;
        hide();
        deleteLater();
    });
    raise();
    show();
}

bool PaneRing::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parent() && event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

void PaneRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(
        QPen(Theme::instance().colors().accent, 2, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

}  // namespace warpscope::gui
