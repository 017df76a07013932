#include "monkey.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QPointer>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>
#include <array>

namespace warpscope::gui {
namespace {

// Loops in loops: dialogs that open dialogs. Beyond this somebody closes them.
constexpr int kDeepest = 5;
// A dialog is left to chance for so many events.
constexpr int kPatience = 60;
// An event that lasts longer than this has opened a loop of its own, or is slow.
constexpr int kWaitsMs = 100;

constexpr std::array kKeys{
    Qt::Key_Tab,  Qt::Key_Backtab, Qt::Key_Escape,   Qt::Key_Return,    Qt::Key_Space,
    Qt::Key_Left, Qt::Key_Right,   Qt::Key_Up,       Qt::Key_Down,      Qt::Key_PageUp,
    Qt::Key_Home, Qt::Key_End,     Qt::Key_PageDown, Qt::Key_Backspace, Qt::Key_Delete,
    Qt::Key_F2,   Qt::Key_F6,      Qt::Key_F10,      Qt::Key_F11,       Qt::Key_Menu,
    Qt::Key_Plus, Qt::Key_Minus,   Qt::Key_Period,   Qt::Key_Comma,     Qt::Key_F1};

constexpr std::array kModifiers{
    Qt::KeyboardModifiers(Qt::NoModifier),      Qt::KeyboardModifiers(Qt::NoModifier),
    Qt::KeyboardModifiers(Qt::ControlModifier), Qt::KeyboardModifiers(Qt::ShiftModifier),
    Qt::KeyboardModifiers(Qt::AltModifier),     Qt::ControlModifier | Qt::ShiftModifier};

}  // namespace

void Monkey::start(int events, qint64 ms) {
    m_events = events;
    m_ms = ms;
    m_clock.start();
    next();
}

void Monkey::next() {
    m_pending = true;
    QTimer::singleShot(0, this, [this] {
        m_pending = false;
        step();
    });
}

// A dialog may wait for its answer inside of the event that opened it.
void Monkey::goOnWithin(int number) {
    QTimer::singleShot(kWaitsMs, this, [this, number] {
        if (m_finished || m_pending || m_sent != number) return;
        if (m_depth > kDeepest + 2) return goOnWithin(number);
        step();
    });
}

void Monkey::finish() {
    m_finished = true;
    tidyUp();
    if (m_depth > 0) QTimer::singleShot(kWaitsMs, this, [this] { finish(); });
}

void Monkey::step() {
    if (m_finished) return;
    if (m_sent >= m_events || m_clock.elapsed() > m_ms) return finish();
    const int number = ++m_sent;
    goOnWithin(number);
    if (m_depth == 0) m_stuck = 0;
    ++m_depth;
    QElapsedTimer timer;
    timer.start();
    if (m_depth > kDeepest || ++m_stuck > kPatience) {
        tidyUp();
        m_stuck = 0;
    } else if (!answeredDialog()) {
        act();
    }
    --m_depth;
    if (m_sent != number) return;  // others came meanwhile, and the last of them goes on
    m_longestMs = std::max(m_longestMs, timer.elapsed());
    next();
}

// Where it was pressed, unless that is gone.
void Monkey::letGo() {
    if (m_held == Qt::NoButton) return;
    QWindow* window = m_heldIn && m_heldIn->isVisible() ? m_heldIn.data() : m_window.windowHandle();
    if (window) QTest::mouseRelease(window, std::exchange(m_held, Qt::NoButton));
}

// As somebody who wants to be rid of all that has opened.
void Monkey::tidyUp() {
    letGo();
    if (QWindow* focus = QGuiApplication::focusWindow()) QTest::keyClick(focus, Qt::Key_Escape);
    while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    for (QWidget* top : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(top); dialog && dialog->isVisible())
            dialog->reject();
}

// These are never left to chance: what they can reach is a person's.
bool Monkey::answeredDialog() {
    QFileDialog* dialog = nullptr;
    for (QWidget* top : QApplication::topLevelWidgets())
        if (auto* one = qobject_cast<QFileDialog*>(top); one && one->isVisible()) dialog = one;
    if (!dialog) return false;
    // What it asks itself is left to chance.
    const QWidget* modal = QApplication::activeModalWidget();
    if (modal && modal != dialog) return false;
    ++m_dialogs;
    if (below(2) == 0) {
        log(QStringLiteral("leaves a file dialog"));
        dialog->reject();
        return true;
    }
    const bool saves = dialog->acceptMode() == QFileDialog::AcceptSave;
    static constexpr std::array kEndings{"png", "tif", "webp", "jpg", "json", "csv", "nothing"};
    const QString path =
        saves ? QDir(m_folder).filePath(QStringLiteral("monkey%1.%2")
                                            .arg(below(30))
                                            .arg(QLatin1String(kEndings[std::size_t(below(7))])))
              : m_images[below(int(m_images.size()))];
    log(QStringLiteral("gives the name %1").arg(path));
    dialog->setDirectory(m_folder);
    dialog->selectFile(path);
    if (saves) dialog->setOption(QFileDialog::DontConfirmOverwrite);
    QMetaObject::invokeMethod(dialog, "accept");
    return true;
}

QWindow* Monkey::someWindow() {
    if (QWidget* popup = QApplication::activePopupWidget()) return popup->windowHandle();
    if (QWidget* modal = QApplication::activeModalWidget()) return modal->windowHandle();
    if (!m_window.isVisible()) m_window.show();  // it was closed
    if (m_window.isMinimized()) m_window.showNormal();
    if (below(4) > 0) return m_window.windowHandle();
    QList<QWindow*> shown;
    for (QWidget* top : QApplication::topLevelWidgets())
        if (top->isVisible() && top->windowHandle()) shown << top->windowHandle();
    return shown.isEmpty() ? m_window.windowHandle() : shown[below(int(shown.size()))];
}

QPoint Monkey::somewhere(const QWindow& window) {
    return {below(std::max(1, window.width())), below(std::max(1, window.height()))};
}

void Monkey::act() {
    QWindow* window = someWindow();
    if (!window || !window->isVisible()) return;
    const int what = below(10);
    if (what < 6) {
        mouse(*window);
    } else if (what < 7) {
        wheel(*window);
    } else {
        key(*window);
    }
}

void Monkey::mouse(QWindow& some) {
    // Letting go may take the other window away, too.
    if (m_held != Qt::NoButton && !(m_heldIn && m_heldIn->isVisible())) return letGo();
    QWindow& window = m_held != Qt::NoButton ? *m_heldIn : some;
    // Also beside that window.
    const QPoint at = window.mapFromGlobal(some.mapToGlobal(somewhere(some)));
    const auto modifiers = kModifiers[std::size_t(below(int(kModifiers.size())))];
    const Qt::MouseButton button =
        std::array{Qt::LeftButton, Qt::LeftButton, Qt::LeftButton, Qt::RightButton,
                   Qt::MiddleButton}[std::size_t(below(5))];
    const int what = below(8);
    log(QStringLiteral("mouse %1 at %2,%3 in %4 %5")
            .arg(what)
            .arg(at.x())
            .arg(at.y())
            .arg(QString::fromLatin1(window.metaObject()->className()), window.title()));
    // What is pressed may take the window away.
    const QPointer<QWindow> alive = &window;
    if (m_held != Qt::NoButton && what < 3) {
        QTest::mouseRelease(&window, std::exchange(m_held, Qt::NoButton), modifiers, at);
    } else if (m_held != Qt::NoButton || what == 0) {
        QTest::mouseMove(&window, at);
    } else if (what == 1) {
        m_held = button;
        m_heldIn = &window;
        QTest::mousePress(&window, button, modifiers, at);
    } else if (what == 2 && &window == m_window.windowHandle()) {
        QTest::mouseDClick(&window, button, modifiers, at);
    } else {
        QTest::mousePress(&window, button, modifiers, at);
        if (alive && alive->isVisible()) QTest::mouseRelease(&window, button, modifiers, at);
    }
}

void Monkey::wheel(QWindow& window) {
    const QPoint at = somewhere(window);
    QWidget* top = QWidget::find(window.winId());
    QWidget* under = top ? top->childAt(at) : nullptr;
    if (!under) return;
    log(QStringLiteral("wheel over %1 %2")
            .arg(QString::fromLatin1(under->metaObject()->className()), under->objectName()));
    const QPoint here = under->mapFrom(top, at);
    QWheelEvent event(here, under->mapToGlobal(here), {}, {0, below(2) ? 120 : -240}, Qt::NoButton,
                      kModifiers[std::size_t(below(int(kModifiers.size())))], Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(under, &event);
}

void Monkey::key(QWindow& window) {
    const auto modifiers = kModifiers[std::size_t(below(int(kModifiers.size())))];
    const int key = below(2) ? int(kKeys[std::size_t(below(int(kKeys.size())))])
                             : Qt::Key_0 + below(Qt::Key_Z - Qt::Key_0 + 1);
    log(QStringLiteral("key %1 with %2").arg(key, 0, 16).arg(int(modifiers), 0, 16));
    // Without QtTest's events of the modifier keys, of which the first may take the window away.
    const QPointer<QWindow> alive = &window;
    const QString text = key < 0x80 ? QString(QChar(key)).toLower() : QString();
    qt_handleKeyEvent(&window, QEvent::KeyPress, key, modifiers, text);
    if (alive && alive->isVisible())
        qt_handleKeyEvent(&window, QEvent::KeyRelease, key, modifiers, text);
}

void Monkey::log(const QString& what) const {
    static const bool wanted = qEnvironmentVariableIsSet("WARPSCOPE_MONKEY_LOG");
    if (wanted) fprintf(stderr, "%d (%d) %s\n", m_sent, m_depth, qPrintable(what));
}

}  // namespace warpscope::gui
