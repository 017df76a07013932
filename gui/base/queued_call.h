// How a thread wakes the window: for Mailbox and whatever else keeps its payload under a mutex.
#pragma once

#include <QMetaObject>
#include <QObject>
#include <functional>

namespace warpscope::gui {

// Calls the slot (Q_INVOKABLE, without arguments) on the receiver's thread, later; may be used on
// any thread while `receiver` lives. By name and without payload: the thread sanitizer sees no race
// where there is none, which lambdas and member pointers do not promise.
inline std::function<void()> queuedCall(QObject* receiver, const char* slot) {
    return [receiver, slot] { QMetaObject::invokeMethod(receiver, slot, Qt::QueuedConnection); };
}

}  // namespace warpscope::gui
