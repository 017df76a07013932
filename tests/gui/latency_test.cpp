// The latency in the status bar is that of the edit: to the first picture with it, whatever figures
// of that picture are asked for behind it.
#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <atomic>

#include "gui/app/latency_meter.h"
#include "pipeline/fake_backend.h"
#include "support/test_case.h"
#include "window_fixture.h"
#include "worker/worker_fixture.h"

namespace warpscope::gui {

class LatencyTest : public QObject {
    Q_OBJECT

  private slots:
    // A threshold behind another step: the handles in the histogram want what it is given, which is
    // a request of its own after that of the edit.
    void anAddedThresholdIsMeasuredOnceAtItsFirstPicture() {
        test::FakeSet fakes(false);
        test::Gate gate;
        std::atomic<bool> armed = false;
        // What is counted first once the new picture is there.
        fakes.cpu->kernelMs = [&](int) {
            if (armed && fakes.cpu->operations.back() == "histogram") gate.pass();
            return 0.0;
        };
        WindowFixture f({}, [&] { return fakes.set(); });
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        const auto atRest = [&] { return f.bridge().timingsComplete() && !f.bridge().busy(); };
        QTRY_VERIFY_WITH_TIMEOUT(atRest(), 60000);
        auto* meter = f.window.findChild<LatencyMeter*>();
        QSignalSpy measured(meter, &LatencyMeter::measured);
        QSignalSpy painted(&f.window.canvas(), &Canvas::framePainted);
        qsizetype framesBefore = -1;
        connect(meter, &LatencyMeter::measured, this, [&] { framesBefore = painted.count(); });

        armed = true;
        f.window.canvas().setFocus();
        f.press(Qt::Key_A);
        QTRY_VERIFY(QApplication::activePopupWidget());
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("threshold"));
        f.press(Qt::Key_Return);
        QTRY_COMPARE(f.document().pipeline().steps.size(), std::size_t(2));
        QCOMPARE(f.document().pipeline().steps.back().operation, std::string("threshold"));
        QVERIFY2(f.bridge().revision() > f.bridge().editRevision(), "no second request: no test");

        // Nothing is counted yet.
        QVERIFY(gate.waitUntilReached());
        QTRY_COMPARE(measured.count(), 1);
        QTRY_VERIFY(painted.count() > framesBefore);
        for (qsizetype i = 0; i <= framesBefore; ++i)
            QCOMPARE(painted.at(i).at(0).toULongLong() >= f.bridge().editRevision(),
                     i == framesBefore);
        QVERIFY(!f.bridge().stepHistogramsAreCurrent());
        gate.open();
        QTRY_VERIFY_WITH_TIMEOUT(atRest(), 60000);
        QVERIFY(f.bridge().stepHistogramsAreCurrent());
        QTest::qWait(300);
        QCOMPARE(measured.count(), 1);
        const auto* label = f.window.status().findChild<QLabel*>(QStringLiteral("statusLatency"));
        QVERIFY(label->text().endsWith(QStringLiteral(" ms")));
    }

    // What waits for a measurement elsewhere to end is no answer to the edit.
    void heldAndPausedEditsAreNotMeasured() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        QTest::qWait(100);
        QSignalSpy measured(f.window.findChild<LatencyMeter*>(), &LatencyMeter::measured);
        f.bridge().setHeld(QStringLiteral("something measures"));
        f.document().setStepEnabled(0, false);
        QTest::qWait(50);
        f.bridge().setHeld({});
        QVERIFY(waitedFor([&] { return f.bridge().resultIsCurrent(); }));
        QTest::qWait(100);
        f.bridge().setPaused(true);
        f.document().setStepEnabled(0, true);
        QTest::qWait(50);
        f.bridge().setPaused(false);
        QVERIFY(waitedFor([&] { return f.bridge().resultIsCurrent(); }));
        QTest::qWait(100);
        QCOMPARE(measured.count(), 0);
        f.document().setStepEnabled(0, false);
        QTRY_COMPARE(measured.count(), 1);
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::LatencyTest)
#include "latency_test.moc"
