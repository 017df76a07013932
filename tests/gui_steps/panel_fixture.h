// The real panel over a real document, driven through its window as by hand.
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QLineEdit>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>
#include <QWindow>

#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/steps/step_card.h"
#include "gui/steps/step_list.h"
#include "gui/steps/steps_panel.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/value_slider.h"

namespace warpscope::gui {

struct PanelFixture {
    explicit PanelFixture(QSize size = QSize(280, 760)) {
        Theme::instance().setChoice(ThemeChoice::Dark);
        panel.resize(size);
        panel.show();
        if (!QTest::qWaitForWindowActive(&panel)) qWarning("the panel did not become active");
    }

    template <class T>
    T* find(const char* name) {
        T* found = panel.findChild<T*>(QString::fromLatin1(name));
        if (!found) qFatal("there is no %s", name);
        return found;
    }
    StepList& list() { return *find<StepList>("stepList"); }
    StepCard& card(int index) { return *list().card(index); }
    ValueSlider& slider(const char* name) { return *find<ValueSlider>(name); }
    QLineEdit& edit(const char* name) { return *find<QLineEdit>(name); }

    void addSteps(std::initializer_list<const char*> operations) {
        for (const char* operation : operations) {
            const auto step = makeStep(operation);
            if (!step) qFatal("there is no operation %s", operation);
            document.insertStep(int(document.pipeline().steps.size()), *step);
        }
        settle();
    }
    void settle() { QTest::qWait(20); }  // layouts, and what is done after them

    double real(int step, const char* id) const {
        return document.pipeline().steps[std::size_t(step)].parameters.real(id);
    }
    std::int64_t integer(int step, const char* id) const {
        return document.pipeline().steps[std::size_t(step)].parameters.integer(id);
    }
    QStringList order() const {
        QStringList ids;
        for (const Step& step : document.pipeline().steps)
            ids << QString::fromStdString(step.operation);
        return ids;
    }
    int undoCount() { return document.undoStack().index(); }

    // Through the window, so that enter events, focus and mouse grabs are those of real use.
    static QPoint inWindow(const QWidget& widget, const QPoint& position) {
        return widget.mapTo(widget.window(), position);
    }
    static void press(const QWidget& widget, const QPoint& position) {
        QTest::mousePress(widget.window()->windowHandle(), Qt::LeftButton, {},
                          inWindow(widget, position));
    }
    static void move(const QWidget& widget, const QPoint& position) {
        QTest::mouseMove(widget.window()->windowHandle(), inWindow(widget, position));
        QApplication::processEvents();
    }
    static void release(const QWidget& widget, const QPoint& position) {
        QTest::mouseRelease(widget.window()->windowHandle(), Qt::LeftButton, {},
                            inWindow(widget, position));
    }
    static void click(const QWidget& widget, const QPoint& position) {
        press(widget, position);
        release(widget, position);
    }
    static void wheel(const QWidget& widget, int notches, Qt::KeyboardModifiers modifiers = {}) {
        const QPoint position = inWindow(widget, widget.rect().center());
        QWheelEvent event(position, widget.window()->mapToGlobal(position), QPoint(),
                          QPoint(0, notches * 120), Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        // Only events of the system travel on to the parents of a widget that ignores them.
        QSpontaneKeyEvent::setSpontaneous(&event);
        qApp->notify(widget.window()->windowHandle(), &event);
    }

    Document document;
    EngineBridge bridge{document, [] { return BackendSet::cpuOnly("test"); }};
    StepsPanel panel{document, bridge};
};

// A point on a slider where a value stands.
inline QPoint pointOf(const ValueSlider& slider, double value) {
    return {int(slider.xOf(value) + 0.5), slider.height() / 2};
}

}  // namespace warpscope::gui
