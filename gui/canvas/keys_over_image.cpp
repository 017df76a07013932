#include "gui/canvas/keys_over_image.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

#include "gui/canvas/canvas.h"

namespace warpscope::gui {
namespace {

bool takesText(const QWidget* widget) {
    if (const auto* combo = qobject_cast<const QComboBox*>(widget)) return combo->isEditable();
    if (const auto* text = qobject_cast<const QTextEdit*>(widget)) return !text->isReadOnly();
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget)) return !text->isReadOnly();
    return qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget);
}

bool takesSpace(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) ||
           qobject_cast<const QAbstractItemView*>(widget) || qobject_cast<const QComboBox*>(widget);
}

// An action of the canvas alone that the key would trigger there.
QAction* actionOf(const Canvas& canvas, const QKeyEvent& event) {
    const QKeySequence keys(event.keyCombination());
    for (QAction* action : canvas.actions())
        if (action->shortcutContext() == Qt::WidgetShortcut && action->isEnabled() &&
            action->shortcuts().contains(keys))
            return action;
    return nullptr;
}

}  // namespace

KeysOverImage::KeysOverImage(Canvas& canvas, QWidget& window)
    : QObject(&window), m_canvas(canvas), m_window(window) {
    qApp->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, [this] { releaseShift(); });
}

void KeysOverImage::releaseShift() {
    if (!m_shiftSent) return;
    m_shiftSent = false;
    QKeyEvent up(QEvent::KeyRelease, Qt::Key_Shift, Qt::NoModifier);
    QApplication::sendEvent(&m_canvas, &up);
}

bool KeysOverImage::isMeant(const QWidget* focused) const {
    if (!m_overImage || !focused || focused == &m_canvas || takesText(focused)) return false;
    if (QApplication::activePopupWidget() || QApplication::activeModalWidget() ||
        QApplication::mouseButtons() != Qt::NoButton || m_canvas.isEmpty())
        return false;
    return isOurs(focused->window());
}

bool KeysOverImage::isOurs(const QWidget* top) const {
    return top && (top == &m_window ||
                   (qobject_cast<const QDockWidget*>(top) && top->parentWidget() == &m_window));
}

// Escape that no control has taken.
bool KeysOverImage::leaveToImage(const QKeyEvent& event) {
    if (event.key() != Qt::Key_Escape || event.modifiers() != Qt::NoModifier ||
        m_canvas.isAncestorOf(QApplication::focusWidget()) || m_canvas.hasFocus())
        return false;
    m_window.activateWindow();
    m_canvas.setFocus(Qt::OtherFocusReason);
    return true;
}

// Letters, digits and signs that the whole window hears are none of them: they act anyway.
bool KeysOverImage::isViewKey(const QKeyEvent& event) const {
    switch (event.key()) {
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            return actionOf(m_canvas, event) != nullptr;
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return false;
        default:
            return m_canvas.wants(event);
    }
}

bool KeysOverImage::handle(QWidget* focused, QKeyEvent* event) {
    const bool plain =
        (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == 0;
    if (event->key() == Qt::Key_Shift) {
        if (event->type() == QEvent::KeyPress && plain && !event->isAutoRepeat()) {
            m_shiftSent = true;
            QApplication::sendEvent(&m_canvas, event);
        }
        return false;
    }
    if (event->key() == Qt::Key_Space && takesSpace(focused)) return false;
    if (event->type() == QEvent::ShortcutOverride) {
        // What the image takes is no shortcut of the window; what it does not take may be one, and
        // a slider in between does not begin to write a number.
        const bool number = !event->text().isEmpty() && event->text().front().isPrint();
        if (isViewKey(*event))
            event->accept();
        else if (plain && number)
            event->ignore();
        else
            return false;
        return true;
    }
    if (event->type() != QEvent::KeyPress || !isViewKey(*event)) return false;
    m_canvas.setFocus(Qt::OtherFocusReason);
    if (QAction* action = actionOf(m_canvas, *event); action && !m_canvas.wants(*event))
        action->trigger();
    else
        QApplication::sendEvent(&m_canvas, event);
    return true;
}

bool KeysOverImage::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseMove:
        case QEvent::MouseButtonPress:
            if (watched == &m_canvas)
                m_overImage = true;
            else if (auto* widget = qobject_cast<QWidget*>(watched);
                     widget && isOurs(widget->window()) && !widget->isAncestorOf(&m_canvas) &&
                     !m_canvas.isAncestorOf(widget))
                m_overImage = false;
            break;
        case QEvent::Leave:
            // A list that opens takes the mouse, which stays where it is.
            if (watched == &m_canvas && !QApplication::activePopupWidget()) m_overImage = false;
            break;
        case QEvent::FocusIn: {
            const auto reason = static_cast<QFocusEvent*>(event)->reason();
            if (watched != &m_canvas && watched->isWidgetType() && reason != Qt::MouseFocusReason &&
                reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason)
                m_overImage = false;
            break;
        }
        case QEvent::WindowDeactivate:
            releaseShift();
            break;
        case QEvent::KeyRelease:
            if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Shift && watched != &m_canvas)
                releaseShift();
            break;
        case QEvent::ShortcutOverride:
        case QEvent::KeyPress: {
            auto* focused = qobject_cast<QWidget*>(watched);
            // Once, where it arrives: what nobody takes goes on to the parents.
            if (focused && focused == QApplication::focusWidget() && isMeant(focused))
                return handle(focused, static_cast<QKeyEvent*>(event));
            if (event->type() == QEvent::KeyPress && isOurs(focused))
                return leaveToImage(*static_cast<QKeyEvent*>(event));
            break;
        }
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace warpscope::gui
