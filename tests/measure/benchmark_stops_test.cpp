// How long a benchmark takes as one run: what it tells of that, stops, pauses, and rows that would
// take too long. On backends with known durations and a clock that moves only when told.
#include <cmath>
#include <thread>

#include "engine/base/figures.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/benchmark_run.h"
#include "measure/fake_nvml.h"
#include "measure/small_benchmark.h"
#include "support/system_tree.h"
#include "support/test_case.h"

using namespace warpscope;
using test::resultOf, test::rowOf, test::smallPlan;
using test::Seen;
using test::SleepingSet;

class BenchmarkStopsTest : public QObject {
    Q_OBJECT
  private slots:
    void remainingTimeIsAboutRight_data() {
        QTest::addColumn<bool>("ofCpu");
        QTest::addColumn<bool>("ofGpu");
        QTest::newRow("no counters of energy") << false << false;
        QTest::newRow("those of the GPU") << false << true;
        QTest::newRow("all of them") << true << true;
    }
    void remainingTimeIsAboutRight() {
        QFETCH(bool, ofCpu);
        QFETCH(bool, ofGpu);
        SleepingSet fakes;
        BenchmarkPlan plan = smallPlan();
        plan.operations = {"median"};
        plan.sizes = {{32, 32}, {33, 32}, {34, 32}, {35, 32}};
        plan.energy = true;
        const SystemTree tree;
        const std::string package = "sys/class/powercap/intel-rapl:0/";
        if (ofCpu) tree.put(package + "name", "package-0");
        const NvmlPtr nvml = ofGpu ? FakeNvml::make() : nullptr;
        const auto work = [&](int) {
            FakeNvml::millijoules += 5;
            if (ofCpu)
                tree.put(package + "energy_uj", std::to_string(1000 * FakeNvml::millijoules));
        };
        work(0);
        for (const auto& backend : {fakes.single, fakes.cores, fakes.gpu}) {
            backend->blank = true;
            backend->duringRun = work;
        }
        BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock,
                               {tree.folders, [&] { return nvml; }});
        struct Told {
            double at, left;
            std::string what;
        };
        std::vector<Told> all;
        bool rounds = true;
        BenchmarkCallbacks callbacks;
        callbacks.onProgress = [&](const BenchmarkProgress& progress) {
            all.push_back(
                {double(fakes.clock.nowNs()) * 1e-9, progress.secondsLeft, progress.what});
            rounds &= progress.round == 1 && !progress.onlyNoisy;
        };
        const auto result = runner.run(plan, {}, callbacks);
        REQUIRE_OK(result);
        QVERIFY(rounds);
        for (const StepTiming& row : result->report.results)
            QCOMPARE(row.joulesPerMegapixel > 0, row.backend == BackendKind::Cuda ? ofGpu : ofCpu);
        // One more each for what is told of energy.
        QCOMPARE(all.size(), std::size_t(13 + (ofGpu ? 4 : 0) + (ofCpu ? 8 : 0)));
        const double end = double(fakes.clock.nowNs()) * 1e-9;
        for (const Told& told : all) {
            // From the second size on, every series is known.
            if (told.what.find(" 32 x 32,") != std::string::npos) continue;
            const double left = end - told.at;
            QVERIFY2(std::abs(told.left - left) <= 0.35 * left + 0.02,
                     qPrintable(QString("%1 told, %2 true").arg(told.left).arg(left)));
        }
    }

    void stoppedRunsKeepCompleteRowsAlone() {
        for (const int at : {0, 3, 20, 37}) {
            SleepingSet fakes;
            std::stop_source stop;
            int all = 0;
            const auto count = [&](int) {
                if (all++ == at) stop.request_stop();
            };
            fakes.single->duringRun = fakes.cores->duringRun = fakes.gpu->duringRun = count;
            Seen seen;
            BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock);
            const auto result = runner.run(smallPlan(), stop.get_token(), seen.callbacks());
            QVERIFY(result);
            QVERIFY(!result->report.complete);
            QCOMPARE(result->report.results.size(), seen.rows.size());
            QCOMPARE(all, at + 1);  // nothing ran after the stop
            QCOMPARE(seen.rows.size(), std::size_t(at < 7 ? 0 : at < 14 ? 1 : at < 27 ? 2 : 4));
            for (const StepTiming& row : seen.rows) {
                QVERIFY(row.measured());
                QCOMPARE(row.time.n, 5);
            }
        }
    }

    void stopBeforeTheStart() {
        SleepingSet fakes;
        std::stop_source stop;
        stop.request_stop();
        BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock);
        const auto result = runner.run(smallPlan(), stop.get_token());
        QVERIFY(result);
        QVERIFY(!result->report.complete);
        QVERIFY(result->report.results.empty());
        QCOMPARE(fakes.single->runs, 0);
    }

    // An hour of pause in the middle of a row, with cold caches after it: in no figure, no budget,
    // no remaining time.
    void pauseLeaksNowhere() {
        SleepingSet fakes;
        BenchmarkPlan plan = smallPlan();
        plan.operations = {"median"};
        plan.sizes = {{32, 32}, {64, 48}};
        plan.sampling = {1, 5, 200, 100};  // all cores: 25 samples of 4 ms
        BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock);
        int afterPause = -1;
        fakes.cores->duringRun = [&](int run) {
            if (run == 10) runner.pause();
        };
        fakes.cores->kernelMs = [&](int run) { return run == afterPause ? 77.0 : 4.0; };
        int pauses = 0;
        double leftAtPause = 0;
        std::vector<double> leftAfter;
        std::thread other;
        BenchmarkCallbacks callbacks;
        callbacks.onProgress = [&](const BenchmarkProgress& progress) {
            if (pauses > 0 && !progress.paused) leftAfter.push_back(progress.secondsLeft);
            if (!progress.paused) return;
            ++pauses;
            QVERIFY(runner.isPaused());
            leftAtPause = progress.secondsLeft;
            afterPause = fakes.cores->runs;
            // From another thread, as a window does it.
            other = std::thread([&] {
                fakes.clock.advanceMs(3'600'000);
                runner.resume();
            });
        };
        const auto result = *runner.run(plan, {}, callbacks);
        other.join();
        QCOMPARE(pauses, 1);
        QVERIFY(!runner.isPaused());
        QVERIFY(result.report.complete);
        for (const StepTiming& row : result.report.results) {
            if (row.backend != BackendKind::Cpu) continue;
            QCOMPARE(row.time.medianMs, 4.0);
            QCOMPARE(row.time.p90Ms, 4.0);  // the sample after the pause was dropped
            QCOMPARE(row.time.n, 25);       // the budget did not notice
        }
        QVERIFY(!leftAfter.empty());
        for (const double left : leftAfter) QVERIFY(left < 60 && left < 2 * leftAtPause + 1);
    }

    void stopEndsAPause() {
        SleepingSet fakes;
        BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock);
        std::stop_source stop;
        runner.pause();
        std::thread other;
        BenchmarkCallbacks callbacks;
        callbacks.onProgress = [&](const BenchmarkProgress& progress) {
            if (progress.paused && !other.joinable())
                other = std::thread([&] { stop.request_stop(); });
        };
        const auto result = *runner.run(smallPlan(), stop.get_token(), callbacks);
        other.join();
        QVERIFY(!result.report.complete);
        QVERIFY(result.report.results.empty());
    }

    // 2 s a run at 512 x 512 is 6 x 8 s at 1024 x 1024: too long, said before it is begun.
    void rowsThatWouldTakeTooLongSaySo() {
        SleepingSet fakes;
        fakes.single->kernelMs = [](int) { return 2000.0; };
        BenchmarkPlan plan = smallPlan();
        plan.operations = {"median"};
        plan.sizes = {{512, 512}, {1024, 1024}};
        plan.backends = {BackendKind::CpuSingle, BackendKind::Cpu};
        plan.sampling.budgetMs = 100;
        plan.longestRowSeconds = 30;
        const BenchmarkResult result = resultOf(fakes, plan);
        // Nothing was known of the first size: a part of 256 x 256 took 2 s, which is 48 s for a
        // row.
        QCOMPARE(rowOf(result, "median", BackendKind::CpuSingle, 512).error,
                 std::string("skipped: would take about 48 s"));
        QCOMPARE(rowOf(result, "median", BackendKind::CpuSingle, 1024).error,
                 std::string("skipped: would take about 3 min"));
        const StepTiming& cores = rowOf(result, "median", BackendKind::Cpu, 512);
        QVERIFY(cores.measured());
        QCOMPARE(cores.agreement.verdict, Verdict::Identical);  // one run was short enough
        // 32 s for one run: nothing to compare with, and said.
        const StepTiming& large = rowOf(result, "median", BackendKind::Cpu, 1024);
        QVERIFY(large.measured());
        QCOMPARE(large.agreement.verdict, Verdict::NotCompared);
        QVERIFY(!large.agreement.allowsSpeedup());
    }

    void estimates() {
        QCOMPARE(aboutSeconds(0.2), std::string("1 s"));
        QCOMPARE(aboutSeconds(95), std::string("95 s"));
        QCOMPARE(aboutSeconds(600), std::string("10 min"));
        QCOMPARE(aboutSeconds(7201), std::string("2 h"));
        CostModel model;
        const CostSeries a{{"median", "automatic", {}, {}}, BackendKind::Cpu};
        const CostSeries b{a.kind, Place::Peer{"other", BackendKind::Cpu}};
        QVERIFY(!model.msPerRun(a, 100));
        model.record(a, 100, 2);
        model.record(a, 50, 99);  // of fewer pixels: not better
        QCOMPARE(*model.msPerRun(a, 400), 8.0);
        QVERIFY(!model.msPerRun(b, 400));  // elsewhere it costs something else
        // First call, a warm-up, and samples until the budget is spent.
        QCOMPARE(CostModel::rowMs(2, {1, 5, 200, 100}, false), 2 + 2 + 100.0);
        QCOMPARE(CostModel::rowMs(200, {1, 5, 200, 100}, false), 200 + 1000.0);
        QCOMPARE(CostModel::rowMs(200, {1, 5, 200, 100}, true), 200 + 2000.0);
    }
};

WARPSCOPE_TEST(BenchmarkStopsTest)
#include "benchmark_stops_test.moc"
