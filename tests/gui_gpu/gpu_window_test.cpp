// The window on a real GPU: chain, timings, benchmark and demo. WARPSCOPE_PICTURES names a folder
// for pictures of what was there.
#include <QDir>
#include <QMenu>
#include <QSignalSpy>
#include <algorithm>

#include "gpu/gpu_support.h"
#include "gui/app/benchmark_controller.h"
#include "gui/app/gpu_menu.h"
#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/showcase/showcase.h"
#include "gui/showcase/showcase_window.h"
#include "gui/window_fixture.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

void keepPicture(QWidget& widget, const char* name) {
    const QString folder = qEnvironmentVariable("WARPSCOPE_PICTURES");
    if (folder.isEmpty()) return;
    QVERIFY(widget.grab().save(QDir(folder).filePath(QLatin1String(name))));
}

RenderWorker::BackendFactory realBackends() {
    return [] { return makeBackends(); };
}

}  // namespace

class GpuWindowTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { REQUIRE_GPU(); }

    void aChainRunsOnTheGpuAndIsTimedThere() {
        WindowFixture w({}, realBackends());
        w.bridge().openSampleScene();
        for (const char* step : {"grayscale", "gaussian_blur", "equalize", "nl_means"})
            w.document().insertStep(int(w.document().pipeline().steps.size()),
                                    makeStep(step).value());
        QTRY_VERIFY_WITH_TIMEOUT(w.bridge().resultIsCurrent(), 60000);
        for (const StepReport& step : w.bridge().stepReports()) {
            QCOMPARE(step.backend, BackendKind::Cuda);
            QCOMPARE(step.fallbackReason, std::string());
        }
        QTRY_VERIFY_WITH_TIMEOUT(w.bridge().timingsComplete() && !w.bridge().busy(), 120000);
        int onGpu = 0;
        for (const TimingReady& row : w.bridge().timings()) {
            QVERIFY2(row.timing.measured(), row.timing.error.c_str());
            QVERIFY2(row.timing.agreement.allowsSpeedup(), describe(row.timing.agreement).c_str());
            onGpu += row.timing.backend == BackendKind::Cuda;
        }
        QCOMPARE(onGpu, 4);
        QTest::qWait(600);  // charts follow
        keepPicture(w.window, "gpu-window.png");
    }

    // Sixteen bits are not converted, and do not fall back.
    void sixteenBitsStayThere() {
        WindowFixture w({}, realBackends());
        const Image image = test::makePhotograph(PixelFormat::Rgba16, {640, 401});
        w.bridge().openImage(image, QStringLiteral("deep"));
        for (const char* step : {"gaussian_blur", "equalize", "median", "nl_means"})
            w.document().insertStep(int(w.document().pipeline().steps.size()),
                                    makeStep(step).value());
        QTRY_VERIFY_WITH_TIMEOUT(w.bridge().resultIsCurrent(), 60000);
        QCOMPARE(w.bridge().result()->levels.front().format(), PixelFormat::Rgba16);
        for (const StepReport& step : w.bridge().stepReports())
            QCOMPARE(step.backend, BackendKind::Cuda);
    }

    void aBenchmarkHasItsGpuRows() {
        WindowFixture w({}, realBackends());
        QTRY_VERIFY_WITH_TIMEOUT(w.bridge().backends(), 60000);
        w.window.benchmark().open();
        BenchmarkWindow& bench = *w.window.benchmark().window();
        BenchmarkPlan plan;
        plan.operations = {"gaussian_blur", "equalize", "histogram", "nl_means"};
        plan.sizes = {{512, 512}, {1024, 1024}};
        plan.cold = true;
        plan.sampling.budgetMs = 50;
        // Noisy rows of a busy CPU would go on for minutes.
        plan.sampling.maxRounds = plan.sampling.minRounds;
        bench.choices().setPlan(plan);
        bench.start();
        QTRY_VERIFY_WITH_TIMEOUT(!bench.busy(), 240000);
        QCOMPARE(bench.messages().text(), QString());
        const TimingReport& report = bench.reports().entries().back().report;
        QVERIFY(report.machine.copyGbpsGpu > 0);
        int onGpu = 0;
        for (const StepTiming& row : report.results) {
            if (row.backendRequested != BackendKind::Cuda) continue;
            QVERIFY2(row.measured(), row.error.c_str());
            QVERIFY2(row.agreement.allowsSpeedup(), describe(row.agreement).c_str());
            ++onGpu;
        }
        QCOMPARE(onGpu, 4 * 2 * 2);
        for (const BenchmarkPage page : {BenchmarkPage::Time, BenchmarkPage::Results}) {
            bench.showPage(page);
            QTest::qWait(300);
            keepPicture(bench, page == BenchmarkPage::Time ? "gpu-benchmark.png"
                                                           : "gpu-benchmark-results.png");
        }
    }

    // On a machine of several: another than the first one is taken in the menu, computes the same
    // picture, and is remembered.
    void theOtherGpuIsTakenInTheMenu() {
        const std::vector<GpuDevice> gpus = makeBackends().gpus;
        if (std::ranges::count_if(gpus, [](const GpuDevice& gpu) { return gpu.whyNot.empty(); }) <
            2)
            QSKIP("one usable GPU is here");
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("settings.ini"));
        {
            Settings settings(file);
            const auto choice = std::make_shared<GpuChoice>(settings.gpu().toStdString());
            MainWindow window([choice] { return makeBackends({choice->name()}); }, settings,
                              choice);
            window.resize(1280, 800);
            window.show();
            QTRY_VERIFY_WITH_TIMEOUT(window.bridge().backends(), 60000);
            const std::string first = window.bridge().backends()->cuda->info().uuid;
            window.bridge().openSampleScene();
            for (const char* step : {"grayscale", "gaussian_blur", "equalize"})
                window.document().insertStep(int(window.document().pipeline().steps.size()),
                                             makeStep(step).value());
            QTRY_VERIFY_WITH_TIMEOUT(window.bridge().resultIsCurrent(), 60000);
            const PyramidPtr before = window.bridge().result();

            auto& menu = *window.findChild<GpuMenu*>(QStringLiteral("gpuMenu"));
            QVERIFY(menu.offers());
            QAction* other = nullptr;
            for (QAction* one : menu.actions()) {
                const std::string uuid = one->data().toString().toStdString();
                if (!uuid.empty() && uuid != first && one->isEnabled()) other = one;
            }
            QVERIFY(other);
            menu.popup(window.mapToGlobal(QPoint(200, 200)));
            QTest::qWait(200);
            keepPicture(menu, "gpu-menu.png");
            menu.close();
            other->trigger();
            const std::string uuid = other->data().toString().toStdString();
            QTRY_COMPARE_WITH_TIMEOUT(window.bridge().backends()->cuda->info().uuid, uuid, 60000);
            QTRY_VERIFY_WITH_TIMEOUT(
                window.bridge().resultIsCurrent() && window.bridge().result() != before, 60000);
            for (const StepReport& step : window.bridge().stepReports())
                QCOMPARE(step.backend, BackendKind::Cuda);
            QVERIFY(sameSamples(window.bridge().result()->levels.front(), before->levels.front()));
            QTRY_VERIFY_WITH_TIMEOUT(window.bridge().timingsComplete(), 120000);
            QCOMPARE(window.messages().count(), 0);
            QCOMPARE(settings.gpu().toStdString(), uuid);
            QTest::qWait(600);  // charts follow
            keepPicture(window, "gpu-other.png");
        }
        Settings settings(file);
        QCOMPARE(makeBackends({settings.gpu().toStdString()}).cuda->info().uuid,
                 settings.gpu().toStdString());
    }

    void theDemoRunsOnBothSides() {
        ShowcaseWindow window(realBackends(), showcaseOperations({}),
                              {{QStringLiteral("1024"), QStringLiteral("1024"), {1024, 1024}, {}}},
                              ShowcaseStart{});
        window.resize(1280, 720);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.content().settled, 60000);
        keepPicture(window, "gpu-demo.png");
    }
};

WARPSCOPE_TEST(GpuWindowTest)
#include "gpu_window_test.moc"
