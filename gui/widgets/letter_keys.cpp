#include "gui/widgets/letter_keys.h"

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QWidget>
#include <algorithm>

namespace warpscope::gui {
namespace {

// Qt numbers keys that print by their character; Space operates buttons and switches.
bool isMark(const QKeySequence& keys) {
    if (keys.count() != 1 || keys[0].keyboardModifiers() != Qt::NoModifier) return false;
    const int key = keys[0].key();
    return key > Qt::Key_Space && key < Qt::Key_Escape;
}

}  // namespace

void letMarksReachTheWindow(QWidget& canvas, QWidget& window) {
    const QList<QAction*> actions = canvas.actions();
    for (QAction* action : actions) {
        const QList<QKeySequence> keys = action->shortcuts();
        if (action->shortcutContext() != Qt::WidgetShortcut || keys.isEmpty() ||
            !std::all_of(keys.begin(), keys.end(), isMark))
            continue;
        // Text fields take printing keys before any shortcut does.
        action->setShortcutContext(Qt::WindowShortcut);
        window.addAction(action);
    }
}

}  // namespace warpscope::gui
