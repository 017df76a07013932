#include "gui/widgets/dock_title.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

DockTitle::DockTitle(QDockWidget* dock) : QWidget(dock), m_dock(dock) {
    m_label = new QLabel(dock->windowTitle(), this);
    QFont font = m_label->font();
    font.setWeight(QFont::DemiBold);
    m_label->setFont(font);
    // A narrow dock may cut the heading rather than refuse to get narrow.
    m_label->setMinimumWidth(1);
    const auto button = [this](const char* icon, const QString& name) {
        auto* b = new QToolButton(this);
        b->setIcon(Theme::instance().icon(QLatin1String(icon)));
        b->setIconSize(QSize(14, 14));
        b->setAutoRaise(true);
        b->setFocusPolicy(Qt::NoFocus);  // View > Panels does the same by keyboard
        b->setToolTip(name);
        b->setAccessibleName(name);
        return b;
    };
    m_float = button("float", tr("Float or dock %1").arg(dock->windowTitle()));
    m_close = button("close", tr("Close %1").arg(dock->windowTitle()));
    connect(m_float, &QToolButton::clicked, dock,
            [dock] { dock->setFloating(!dock->isFloating()); });
    connect(m_close, &QToolButton::clicked, dock, &QDockWidget::close);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 0);
    layout->setSpacing(0);
    layout->addWidget(m_label, 1);
    layout->addWidget(m_float);
    layout->addWidget(m_close);
}

void DockTitle::setCollapsed(bool collapsed) {
    if (collapsed == m_collapsed) return;
    m_collapsed = collapsed;
    for (QWidget* part : {static_cast<QWidget*>(m_label), static_cast<QWidget*>(m_float),
                          static_cast<QWidget*>(m_close)})
        part->setVisible(!collapsed);
    updateGeometry();
}

QSize DockTitle::sizeHint() const {
    return m_collapsed ? QSize(1, 0) : QWidget::sizeHint();
}

QSize DockTitle::minimumSizeHint() const {
    return m_collapsed ? QSize(1, 0) : QWidget::minimumSizeHint();
}

}  // namespace warpscope::gui
