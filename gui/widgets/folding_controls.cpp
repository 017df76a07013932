#include "gui/widgets/folding_controls.h"

#include <QFrame>
#include <QKeyEvent>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace warpscope::gui {
namespace {

constexpr int kPopupWidth = 320;
constexpr int kPopupMargin = 8;

}  // namespace

FoldingControls::FoldingControls(QWidget* controls, const QString& text, const QString& spoken,
                                 QWidget* parent)
    : QWidget(parent),
      m_controls(controls),
      m_button(new QToolButton(this)),
      m_popup(new QFrame(this, Qt::Popup)) {
    m_button->setText(text);
    m_button->setAccessibleName(spoken);
    m_button->setToolTip(spoken);
    m_button->setFocusPolicy(Qt::StrongFocus);
    m_button->hide();
    connect(m_button, &QToolButton::clicked, this, &FoldingControls::open);
    m_popup->setFrameShape(QFrame::StyledPanel);
    m_popup->setAccessibleName(spoken);
    m_popup->installEventFilter(this);
    auto* inside = new QVBoxLayout(m_popup);
    inside->setContentsMargins(kPopupMargin, kPopupMargin, kPopupMargin, kPopupMargin);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_button);
    row->addWidget(m_controls, 1);
}

void FoldingControls::setFolded(bool folded) {
    if (folded == m_folded) return;
    m_folded = folded;
    m_popup->hide();
    // Out of a popup the controls would stay hidden with it.
    (folded ? m_popup->layout() : layout())->addWidget(m_controls);
    m_controls->show();
    m_button->setVisible(folded);
}

int FoldingControls::controlsHeight(int width) const {
    const QLayout* parts = m_controls->layout();
    return parts->hasHeightForWidth() ? parts->heightForWidth(width) : parts->sizeHint().height();
}

void FoldingControls::open() {
    const int inside = kPopupWidth - 2 * kPopupMargin;
    m_popup->resize(kPopupWidth,
                    controlsHeight(inside) + 2 * kPopupMargin + 2 * m_popup->frameWidth());
    QRect place(m_button->mapToGlobal(QPoint(0, m_button->height())), m_popup->size());
    const QRect room = screen()->availableGeometry();
    if (place.bottom() > room.bottom()) place.moveBottom(m_button->mapToGlobal(QPoint(0, -1)).y());
    place.moveLeft(
        std::clamp(place.left(), room.left(), std::max(room.left(), room.right() - place.width())));
    m_popup->setGeometry(place);
    m_popup->show();
    for (QWidget* next = m_popup->nextInFocusChain(); next != m_popup;
         next = next->nextInFocusChain())
        if (m_popup->isAncestorOf(next) && (next->focusPolicy() & Qt::TabFocus) &&
            next->isVisible()) {
            next->setFocus(Qt::PopupFocusReason);
            break;
        }
}

bool FoldingControls::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_popup && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        m_popup->hide();
        m_button->setFocus(Qt::PopupFocusReason);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace warpscope::gui
