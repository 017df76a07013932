// The histogram panel over a document of its own.
#pragma once

#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QtTest>

#include "engine/image/synthetic.h"
#include "gui/histogram/histogram_panel.h"
#include "gui/histogram/histogram_view.h"
#include "support/test_case.h"

namespace warpscope::gui {

struct HistogramFixture {
    Document document;
    EngineBridge bridge{document, [] { return BackendSet::cpuOnly("test reason"); }};
    HistogramPanel panel{document, bridge};

    HistogramFixture() {
        panel.resize(480, 320);
        panel.show();
        (void)QTest::qWaitForWindowExposed(&panel);
    }
    bool openScene(bool color = true) {
        bridge.openImage(makeScene(Size{160, 120}, color, 3, CpuContext{}).value(), "scene");
        return waitedFor([&] { return bridge.histograms() && bridge.resultIsCurrent(); }) &&
               waitShown();
    }
    // Bursts are shown a moment later.
    bool waitShown() {
        return waitedFor([&] {
            const Histogram* luma = bridge.histograms()->result.find(HistogramChannel::Luma);
            const auto* series = view().series(HistogramSide::Result, HistogramChannel::Luma);
            if (!luma || series->count() != 514) return false;
            for (int i = 0; i < 256; ++i)
                if (series->at(1 + 2 * i).y() > double(luma->bins[std::size_t(i)])) return false;
            return view().isVisible();
        });
    }
    HistogramView& view() { return *panel.findChild<HistogramView*>("histogramView"); }
    QToolButton& button(const char* name) {
        return *panel.findChild<QToolButton*>(QLatin1String(name));
    }
    QString label(const char* name) {
        return panel.findChild<QLabel*>(QLatin1String(name))->text();
    }
    void trigger(const char* action) {
        emit button("histogramMenu").menu()->aboutToShow();
        button("histogramMenu").menu()->findChild<QAction*>(QLatin1String(action))->trigger();
    }
};

}  // namespace warpscope::gui
