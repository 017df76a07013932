// A main window as a person gets it, on the CPU and without a settings file.
#pragma once

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

#include "gui/app/actions.h"
#include "gui/app/docks.h"
#include "gui/app/file_controller.h"
#include "gui/app/main_window.h"
#include "gui/app/status_bar.h"
#include "gui/canvas/canvas.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/document/settings.h"
#include "gui/widgets/message_bar.h"
#include "gui_samples.h"
#include "support/test_case.h"

namespace warpscope::gui {

struct WindowFixture {
    QTemporaryDir folder;
    Settings settings;
    MainWindow window;

    explicit WindowFixture(const QString& settingsPath = {},
                           const RenderWorker::BackendFactory& backends = cpuBackends())
        : settings(settingsPath), window(backends, settings) {
        window.resize(1280, 800);
        window.show();
        (void)QTest::qWaitForWindowActive(&window);
        window.canvas().setFocus();
    }

    Document& document() { return window.document(); }
    EngineBridge& bridge() { return window.bridge(); }
    QString scene(const char* name, Size size = {160, 120}, std::uint32_t seed = 7) const {
        return writeScene(folder.path(), QLatin1String(name), size, seed);
    }
    bool open(const QString& path) {
        window.files().openFiles({path});
        return waitedFor(
            [&] { return document().filePath() == path && bridge().resultIsCurrent(); });
    }
    bool addStep(const char* id) {
        document().insertStep(int(document().pipeline().steps.size()), makeStep(id).value());
        return waitedFor([&] { return bridge().resultIsCurrent(); });
    }
    // To whatever has the focus, as the keyboard does.
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : &window, Qt::Key(key), modifiers);
    }
};

}  // namespace warpscope::gui
