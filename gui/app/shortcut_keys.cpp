#include "gui/app/shortcut_keys.h"

#include <QDockWidget>
#include <algorithm>

#include "gui/app/actions.h"
#include "gui/canvas/canvas.h"
#include "gui/document/settings.h"

namespace warpscope::gui {
namespace {

QString idOf(const QAction* action) {
    if (!action->objectName().isEmpty()) return action->objectName();
    const auto* dock = qobject_cast<const QDockWidget*>(action->parent());
    return dock ? dock->objectName() : QString();
}

bool isArrow(int key) {
    return key >= Qt::Key_Left && key <= Qt::Key_Down;
}

// Keys without Ctrl or Alt that lists, text fields and buttons use themselves, such as Delete or
// Page Up. A letter is text where text is typed, in any case.
bool belongsToControls(const QKeySequence& sequence) {
    const QKeyCombination key = sequence[0];
    if (key.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    const bool prints = key.key() > Qt::Key_Space && key.key() < Qt::Key_Escape;
    const bool function = key.key() >= Qt::Key_F1 && key.key() <= Qt::Key_F35;
    return !prints && !function;
}

}  // namespace

QString keysText(const QList<QKeySequence>& keys) {
    QStringList texts;
    for (const QKeySequence& key : keys) texts << key.toString(QKeySequence::NativeText);
    return texts.join(QStringLiteral(", "));
}

ShortcutKeys::ShortcutKeys(const Actions& actions, Canvas& canvas, QWidget& window,
                           Settings& settings)
    : QObject(&window), m_canvas(canvas), m_window(window), m_settings(settings) {
    for (const Actions::Entry& entry : actions.entries())
        if (const QString id = idOf(entry.action); !id.isEmpty())
            m_commands.push_back(
                {entry.action, plainText(entry.action), entry.menu, id, entry.action->shortcuts()});
    load();
}

// A file that was written by hand, or by another version, may give a key twice: the first keeps it,
// and what was given goes before what is so by default.
void ShortcutKeys::load() {
    QList<std::optional<QList<QKeySequence>>> given;
    for (int i = 0; i < m_commands.size(); ++i) {
        given.push_back(std::nullopt);
        const auto text = m_settings.keys(m_commands[i].id);
        if (!text) continue;
        QList<QKeySequence> keys;
        for (const QKeySequence& key :
             QKeySequence::listFromString(*text, QKeySequence::PortableText))
            if (key.count() == 1 && key[0].key() != Qt::Key_unknown && !isFixed(key)) keys << key;
        if (keys.isEmpty() && !text->isEmpty()) continue;  // nothing of it makes sense
        given.back() = keys;
    }
    QList<QKeySequence> taken;
    for (auto& keys : given) {
        if (!keys) continue;
        keys->removeIf([&](const QKeySequence& key) { return taken.contains(key); });
        taken += *keys;
    }
    for (int i = 0; i < m_commands.size(); ++i) {
        if (given[i]) {
            apply(i, *given[i]);
            continue;
        }
        QList<QKeySequence> keys = m_commands[i].defaults;
        keys.removeIf([&](const QKeySequence& key) { return taken.contains(key); });
        if (keys != m_commands[i].defaults) apply(i, keys);
    }
    tellCanvas();
}

QList<QKeySequence> ShortcutKeys::keysOf(int command) const {
    return m_commands[command].action->shortcuts();
}

bool ShortcutKeys::isChanged(int command) const {
    return keysOf(command) != m_commands[command].defaults;
}

bool ShortcutKeys::isFixed(const QKeySequence& sequence) const {
    if (sequence.isEmpty()) return false;
    const QKeyCombination key = sequence[0];
    const Qt::KeyboardModifiers modifiers = key.keyboardModifiers() & ~Qt::KeypadModifier;
    const bool letter = key.key() >= Qt::Key_A && key.key() <= Qt::Key_Z;
    if (isArrow(key.key()) && !(modifiers & Qt::MetaModifier)) return true;
    if (modifiers == Qt::AltModifier && letter) return true;  // opens a menu
    if (sequence == QKeySequence(QKeySequence::Copy)) return true;
    if (modifiers != Qt::NoModifier || !Canvas::mayWant(key.key())) return false;
    // The image's own keys that are commands, too, go where the commands go.
    return std::ranges::none_of(
        m_commands, [&](const Command& command) { return command.defaults.contains(sequence); });
}

std::optional<int> ShortcutKeys::ownerOf(const QKeySequence& key, int exceptCommand) const {
    for (int i = 0; i < m_commands.size(); ++i)
        if (i != exceptCommand && keysOf(i).contains(key)) return i;
    return {};
}

void ShortcutKeys::set(int command, const QList<QKeySequence>& keys) {
    apply(command, keys);
    keep(command);
    tellCanvas();
    emit changed();
}

void ShortcutKeys::swap(int command, const QKeySequence& key) {
    const auto owner = ownerOf(key, command);
    const QList<QKeySequence> own = keysOf(command);
    if (owner) {
        QList<QKeySequence> theirs = keysOf(*owner);
        theirs.removeAll(key);
        apply(command, {});
        apply(*owner, own + theirs);
        keep(*owner);
    }
    set(command, {key});
}

void ShortcutKeys::reset(int command) {
    for (const QKeySequence& key : m_commands[command].defaults)
        while (const auto owner = ownerOf(key, command)) {
            QList<QKeySequence> theirs = keysOf(*owner);
            theirs.removeAll(key);
            apply(*owner, theirs);
            keep(*owner);
        }
    set(command, m_commands[command].defaults);
}

void ShortcutKeys::resetAll() {
    for (int i = 0; i < m_commands.size(); ++i) {
        if (!isChanged(i)) continue;
        apply(i, m_commands[i].defaults);
        keep(i);
    }
    tellCanvas();
    emit changed();
}

void ShortcutKeys::apply(int command, const QList<QKeySequence>& keys) {
    QAction* action = m_commands[command].action;
    const bool canvasOnly = std::ranges::any_of(keys, belongsToControls);
    action->setShortcutContext(canvasOnly ? Qt::WidgetShortcut : Qt::WindowShortcut);
    m_canvas.addAction(action);
    if (canvasOnly)
        m_window.removeAction(action);
    else
        m_window.addAction(action);
    action->setShortcuts(keys);
    if (qobject_cast<Actions*>(action->parent())) Actions::showKeys(action);
}

void ShortcutKeys::keep(int command) {
    const Command& c = m_commands[command];
    m_settings.setKeys(c.id, isChanged(command) ? std::optional(QKeySequence::listToString(
                                                      keysOf(command), QKeySequence::PortableText))
                                                : std::nullopt);
}

void ShortcutKeys::tellCanvas() {
    QList<int> away;
    for (int i = 0; i < m_commands.size(); ++i)
        for (const QKeySequence& key : m_commands[i].defaults)
            if (key[0].keyboardModifiers() == Qt::NoModifier && Canvas::mayWant(key[0].key()) &&
                !keysOf(i).contains(key))
                away << key[0].key();
    m_canvas.setKeysGivenAway(away);
}

}  // namespace warpscope::gui
