// How coarse drafts are, by how long those before them have taken.
#include "support/test_case.h"
#include "worker/worker_fixture.h"

using namespace warpscope;
using namespace warpscope::test;

class DraftPaceTest : public QObject {
    Q_OBJECT

  private slots:
    // A slider of few values comes back to those it had: these cost nothing, the others what they
    // did.
    void whatIsKeptSaysNothingAboutTheNextOne() {
        const auto source = pyramidOf(test::makePhotograph(PixelFormat::Gray8, {1000, 750}));
        FakeSet fakes(false);
        // 75 ms at full size, where a draft has 22.
        fakes.cpu->onPlan = [](const Plan& plan) {
            std::this_thread::sleep_for(std::chrono::nanoseconds(100 * plan.size.pixels()));
        };
        EventLog log;
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kWorkerBudget);
        std::uint64_t revision = 0;
        const auto drag = [&](const char* sigma) {
            RenderRequest wanted =
                request(++revision, source, chain({std::string("gaussian_blur:sigma=") + sigma}));
            wanted.interactive = true;
            if (!finishes(worker, log, wanted)) return 0.0;
            return log.all<DraftReady>().back().scale;
        };
        QCOMPARE(drag("1"), 1.0);
        const double coarser = drag("2");
        QVERIFY2(coarser > 0 && coarser < 1, qPrintable(QString::number(coarser)));
        const int runs = fakes.cpu->runs;
        for (int i = 0; i < 8; ++i) QCOMPARE(drag("2"), coarser);
        QCOMPARE(fakes.cpu->runs.load(), runs);
        const double next = drag("3");
        QVERIFY2(next > 0 && next <= coarser, qPrintable(QString::number(next)));
    }
};

WARPSCOPE_TEST(DraftPaceTest)
#include "draft_pace_test.moc"
