// What still comes where a step cannot be computed.
#include "support/operation_run.h"
#include "support/test_case.h"
#include "worker/worker_fixture.h"

using namespace warpscope;
using namespace warpscope::test;

class BrokenStepsTest : public QObject {
    Q_OBJECT

    Image m_image = test::makePhotograph(PixelFormat::Rgba8, {160, 120});
    PyramidPtr m_source = pyramidOf(m_image);
    Pipeline m_chain = chain({"gaussian_blur:sigma=1.5", "equalize", "grayscale"});

  private slots:
    void aStepThatCannotBePlannedIsPassedOver() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        const Pipeline broken =
            chain({"gaussian_blur:sigma=1.5", "crop:x=150,width=60,height=20", "grayscale"});
        const Pipeline without = chain({"gaussian_blur:sigma=1.5", "grayscale"});
        RenderRequest draft = request(1, m_source, broken);
        draft.interactive = true;
        QVERIFY(finishes(worker, log, draft));
        QVERIFY(finishes(worker, log, request(2, m_source, broken)));
        QVERIFY(log.all<RenderFailed>().empty());
        const FullReady full = log.all<FullReady>().at(0);
        QCOMPARE(test::firstDifference(exactResult(m_image, without), full.result->levels[0]),
                 std::string());
        for (const auto& steps : {log.all<DraftReady>().at(0).steps, full.steps}) {
            QCOMPARE(steps.size(), std::size_t(3));
            for (std::size_t i = 0; i < 3; ++i) {
                QCOMPARE(steps[i].stepIndex, i);
                QCOMPARE(steps[i].problem.empty(), i != 1);
            }
            QVERIFY(steps[1].problem.find("160 x 120") != std::string::npos);
        }
        QVERIFY(log.has<HistogramsReady>(2));
        // Switched off the same is left, and nothing of it is said any more.
        Pipeline off = broken;
        off.steps[1].enabled = false;
        QVERIFY(finishes(worker, log, request(3, m_source, off)));
        const FullReady again = log.all<FullReady>().at(1);
        QCOMPARE(again.steps.size(), std::size_t(2));
        QVERIFY(again.steps[0].problem.empty() && again.steps[1].problem.empty());
    }

    void theSourceIsCountedWhereTheChainFails() {
        FakeSet fakes(false);
        fakes.cpu->unsupported = "equalize";
        EventLog log;
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kWorkerBudget);
        QVERIFY(finishes(worker, log, request(1, m_source, m_chain)));
        QVERIFY(log.has<RenderFailed>(1) && !log.has<FullReady>(1));
        const auto counted = log.all<HistogramsReady>();
        QCOMPARE(counted.size(), std::size_t(1));
        QVERIFY(counted[0].noResult && counted[0].result.channels.empty());
        QCOMPARE(counted[0].source.channels[0].total(), std::uint64_t(160 * 120));
        QCOMPARE(counted[0].sourceStatistics.size(), std::size_t(4));
        QVERIFY(counted[0].resultStatistics.empty());
    }
};

WARPSCOPE_TEST(BrokenStepsTest)
#include "broken_steps_test.moc"
