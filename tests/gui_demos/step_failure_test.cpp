// A step that cannot run says so on its own card, until the chain changes.
#include <QSignalSpy>

#include "pipeline/fake_backend.h"
#include "support/test_case.h"
#include "tests/gui/gui_samples.h"
#include "tests/gui_steps/panel_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

// No backend here can equalize.
BackendSet withoutEqualize() {
    BackendSet set = BackendSet::cpuOnly("test");
    for (BackendPtr* backend : {&set.cpuSingle, &set.cpu}) {
        auto fake = std::make_shared<test::FakeBackend>((*backend)->info().kind);
        fake->unsupported = "equalize";
        *backend = fake;
    }
    return set;
}

struct Parts {
    Parts() {
        panel.resize(280, 760);
        panel.show();
        (void)QTest::qWaitForWindowActive(&panel);
        bridge.setViewport({Rect{0, 0, 64, 48}, 1.0});
        document.setSource(pyramidOf(sceneOf({64, 48})), {}, QStringLiteral("scene"));
    }
    StepCard& card(int index) {
        return *panel.findChild<StepList*>(QStringLiteral("stepList"))->card(index);
    }
    void add(const char* id) {
        document.insertStep(int(document.pipeline().steps.size()), makeStep(id).value());
    }

    Document document;
    EngineBridge bridge{document, withoutEqualize};
    StepsPanel panel{document, bridge};
};

}  // namespace

class StepFailureTest : public QObject {
    Q_OBJECT
  private slots:
    void theCardOfTheStepSaysWhy() {
        Parts p;
        QSignalSpy failed(&p.bridge, &EngineBridge::failed);
        p.add("grayscale");
        p.add("equalize");
        p.add("gaussian_blur");
        QTRY_VERIFY(p.bridge.stepFailure().has_value());
        QCOMPARE(p.bridge.stepFailure()->stepIndex, std::size_t(1));
        QVERIFY(failed.count() >= 1);
        QVERIFY(p.card(1).errorText().contains(QStringLiteral("no fake kernel")));
        // The card is the step: it need not be named again.
        QVERIFY(!p.card(1).errorText().startsWith(QStringLiteral("step ")));
        QVERIFY(p.card(1).accessibleName().contains(p.card(1).errorText()));
        QVERIFY(p.card(0).errorText().isEmpty());
        QVERIFY(p.card(2).errorText().isEmpty());
    }

    void itsOldTimesGoAndTheSourceIsCounted() {
        Parts p;
        p.add("gaussian_blur");
        QTRY_VERIFY(p.card(0).statusText().contains(QStringLiteral("ms")));
        QTRY_VERIFY(p.bridge.timingsComplete());
        p.document.setSource(pyramidOf(sceneOf({40, 30})), {}, QStringLiteral("other"));
        QTRY_VERIFY(p.bridge.histogramsAreCurrent());
        p.add("equalize");
        QTRY_VERIFY(p.bridge.stepFailure().has_value());
        QVERIFY(!p.card(1).statusText().contains(QStringLiteral("ms")));
        // Without a result there are the source's figures all the same.
        QTRY_VERIFY(p.bridge.histogramsAreCurrent());
        const HistogramsReady& counted = *p.bridge.histograms();
        QVERIFY(counted.noResult && counted.result.channels.empty());
        QCOMPARE(counted.source.find(HistogramChannel::Luma)->total(), std::uint64_t(40 * 30));
        QVERIFY(!counted.sourceStatistics.empty() && counted.resultStatistics.empty());
    }

    void anyChangeOfTheChainTakesItAway() {
        Parts p;
        p.add("equalize");
        QTRY_VERIFY(!p.card(0).errorText().isEmpty());
        // The switch on the card, by a click: a chain without the step runs.
        auto* on = p.card(0).findChild<StepSwitch*>();
        QTest::mouseClick(on, Qt::LeftButton);
        QVERIFY(p.card(0).errorText().isEmpty());
        QVERIFY(!p.bridge.stepFailure().has_value());
        QTRY_VERIFY(p.bridge.resultIsCurrent());
        QTest::mouseClick(on, Qt::LeftButton);
        QTRY_VERIFY(!p.card(0).errorText().isEmpty());
        p.document.undoStack().undo();
        QVERIFY(p.card(0).errorText().isEmpty());
    }

    void itStaysWithItsStepOnly() {
        Parts p;
        p.add("equalize");
        QTRY_VERIFY(!p.card(0).errorText().isEmpty());
        p.document.insertStep(0, makeStep("grayscale").value());
        QVERIFY(p.card(0).errorText().isEmpty());
        QTRY_VERIFY(!p.card(1).errorText().isEmpty());
        QVERIFY(p.card(0).errorText().isEmpty());
    }

    void sumsAreNotTakenByAFilter() {
        QVERIFY(findOperation("integral_image"));
        PanelFixture f;
        f.bridge.setViewport({Rect{0, 0, 64, 48}, 1.0});
        f.document.setSource(pyramidOf(sceneOf({64, 48})), {}, QStringLiteral("scene"));
        f.addSteps({"integral_image", "gaussian_blur"});
        // It is passed over, and the rest is computed.
        QTRY_VERIFY(!f.card(1).warningText().isEmpty());
        QVERIFY(f.card(0).warningText().isEmpty() && f.card(1).errorText().isEmpty());
        QTRY_VERIFY(f.bridge.resultIsCurrent());
        QVERIFY(!f.bridge.stepFailure());
        f.document.moveStep(1, 0);
        QTRY_VERIFY(f.bridge.resultIsCurrent());
        QVERIFY(f.card(0).warningText().isEmpty() && f.card(1).warningText().isEmpty());
    }
};

WARPSCOPE_TEST(StepFailureTest)
#include "step_failure_test.moc"
