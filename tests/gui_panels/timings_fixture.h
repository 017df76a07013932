// The timings panel on a real document without a GPU.
#pragma once

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QToolButton>
#include <QtTest>

#include "engine/image/synthetic.h"
#include "gui/timings/timing_item_model.h"
#include "gui/timings/timings_panel.h"
#include "gui/widgets/wrap_label.h"
#include "gui_panels/panel_samples.h"
#include "support/test_case.h"

namespace warpscope::gui {

struct TimingsFixture {
    Document document;
    EngineBridge bridge{document, [] { return BackendSet::cpuOnly("test reason"); }};
    TimingsPanel panel{document, bridge};

    TimingsFixture() {
        panel.resize(900, 180);
        panel.show();
        (void)QTest::qWaitForWindowExposed(&panel);
    }
    bool measured() {
        return waitedFor([&] { return !bridge.timings().empty() && bridge.timings().back().last; },
                         20'000);
    }
    void open() {
        bridge.openImage(makeScene({64, 48}, true, 3, CpuContext{}).value(), "scene");
        (void)waitedFor([&] { return document.source() != nullptr; });
    }
    template <class T>
    T& child(const char* name) {
        return *panel.findChild<T*>(QLatin1String(name));
    }
    QString state() { return child<WrapLabel>("timingsState").text(); }
    void click(const char* chip) { QTest::mouseClick(&child<QToolButton>(chip), Qt::LeftButton); }
    TimingItemModel& items() { return *panel.findChild<TimingItemModel*>(); }
    QString copied(const char* action) {
        child<QToolButton>("timingsCopy")
            .menu()
            ->findChild<QAction*>(QLatin1String(action))
            ->trigger();
        return QApplication::clipboard()->text();
    }
};

inline QString textAt(const QAbstractItemModel& model, int step, int line, TimingColumn column) {
    return model.index(line, int(column), model.index(step, 0)).data().toString();
}

}  // namespace warpscope::gui
