// A benchmark as one run, on backends with known durations and a clock that moves only when told.
#include <cmath>
#include <set>

#include "engine/base/figures.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/benchmark_run.h"
#include "engine/measure/single_run.h"
#include "engine/operations/registry.h"
#include "engine/report/break_even.h"
#include "engine/report/report_tables.h"
#include "engine/report/report_text.h"
#include "measure/small_benchmark.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using test::resultOf, test::rowOf, test::smallPlan;
using test::Seen;
using test::SleepingSet;

class BenchmarkTest : public QObject {
    Q_OBJECT
  private slots:
    void casesAreThoseAskedFor() {
        BenchmarkPlan plan = smallPlan();
        const auto cases = *casesOf(plan);
        QCOMPARE(cases.size(), std::size_t(4));
        QCOMPARE(cases[0].size.width, 32);  // small images first
        QCOMPARE(cases[0].rows, 3);
        QCOMPARE(rowCount(plan, cases), std::size_t(12));

        plan.cold = true;
        plan.sizes.push_back({32, 32});  // once is enough
        QCOMPARE(rowCount(plan, *casesOf(plan)), std::size_t(24));

        plan.allVariants = true;
        plan.operations = {"gaussian_blur"};
        const std::size_t variants = findOperation("gaussian_blur")->description().variants.size();
        QVERIFY(variants > 1);
        QCOMPARE(casesOf(plan)->size(), 2 * variants);
        QCOMPARE(casesOf(plan)->front().variant, std::string(kAutomaticVariant));
        // A variant alone: its speedups need the best of the CPU, which is timed beside it.
        plan.variants["gaussian_blur"] = {"direct_2d"};
        const auto alone = *casesOf(plan);
        QCOMPARE(alone.size(), std::size_t(4));
        QCOMPARE(alone[0].variant, std::string(kAutomaticVariant));
        QVERIFY(alone[0].baseline);
        QCOMPARE(alone[0].rows, 4);
        QCOMPARE(alone[1].variant, std::string("direct_2d"));
        QCOMPARE(alone[1].rows, 6);
        plan.backends = {BackendKind::Cuda};
        QCOMPARE(casesOf(plan)->size(), std::size_t(2));

        // Gray images say nothing of becoming gray.
        plan = smallPlan();
        plan.operations = {"grayscale", "median"};
        const auto mixed = *casesOf(plan);
        QCOMPARE(mixed[0].format, PixelFormat::Rgba8);
        QCOMPARE(mixed[1].format, PixelFormat::Gray8);
        plan.pixels = BenchmarkPixels::Both;
        QCOMPARE(casesOf(plan)->size(), std::size_t(6));

        plan.operations = {};
        plan.pixels = BenchmarkPixels::Automatic;
        QCOMPARE(casesOf(plan)->size(), 2 * allOperations().size());
    }

    void plansThatAreWrongSaySo() {
        const auto why = [](auto change) {
            BenchmarkPlan plan = smallPlan();
            change(plan);
            const auto cases = casesOf(plan);
            return cases ? std::string() : cases.error().message;
        };
        QVERIFY(why([](auto& p) { p.operations = {"sharpen"}; }).find("sharpen") !=
                std::string::npos);
        QVERIFY(why([](auto& p) { p.variants["median"] = {"quick"}; }).find("quick") !=
                std::string::npos);
        QVERIFY(why([](auto& p) { p.sizes = {{0, 5}}; }).find("no size") != std::string::npos);
        QVERIFY(why([](auto& p) { p.sizes.clear(); }).find("nothing to time") != std::string::npos);
        QVERIFY(why([](auto& p) { p.warm = false; }).find("nothing to time") != std::string::npos);
        QVERIFY(why([](auto& p) {
                    p.parameters["median"].set("radius", std::int64_t(99));
                }).find("radius") != std::string::npos);
    }

    void figuresComeOutRight() {
        SleepingSet fakes;
        Seen seen;
        BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock);
        const auto result = runner.run(smallPlan(), {}, seen.callbacks());
        QVERIFY(result);
        QVERIFY(result->report.complete);
        QCOMPARE(seen.heads, 1);
        QCOMPARE(seen.rows.size(), std::size_t(12));
        QCOMPARE(result->report.results.size(), std::size_t(12));
        for (const StepTiming& row : seen.rows) {
            QVERIFY2(row.measured(), row.error.c_str());
            QCOMPARE(row.agreement.verdict, Verdict::Identical);
            QCOMPARE(row.time.n, 5);
            QVERIFY(row.imageHash != 0);
            if (row.backend == BackendKind::CpuSingle) QCOMPARE(row.time.medianMs, 40.0);
            if (row.backend == BackendKind::Cpu) QCOMPARE(row.time.medianMs, 4.0);
            if (row.backend != BackendKind::Cuda) continue;
            QCOMPARE(row.kernelMs, 0.5);
            QCOMPARE(row.uploadMs, 3.0);
            if (row.operation == "median") QCOMPARE(row.endToEndMs, 5.5);
        }
        QCOMPARE(seen.progress.back().done, std::size_t(12));
        QCOMPARE(seen.progress.back().secondsLeft, 0.0);
        QCOMPARE(seen.progress.front().total, std::size_t(12));
        QVERIFY(seen.progress.front().secondsLeft < 0);
    }

    void copiesAreAsLargeAsTheEnvironmentSays() {
        SleepingSet fakes;
        const char* variable = "WARPSCOPE_COPY_MIB";
        const QByteArray before = qgetenv(variable);
        for (const auto& [text, mib] : std::vector<std::pair<QByteArray, int>>{
                 {"3", 3}, {"0", 128}, {"1025", 128}, {"3x", 128}, {"", 128}}) {
            qputenv(variable, text);
            QVERIFY(copyGbpsDevice(*fakes.gpu, {}) > 0);
            QCOMPARE(fakes.gpu->copiedBytes, std::uint64_t(mib) << 20);
        }
        qputenv(variable, before);
    }

    void machineIsMeasured() {
        SleepingSet fakes;
        TimingReport head;
        head.programVersion = "1.2.3";
        head.machine.cpu = "some";
        BenchmarkPlan plan = smallPlan();
        plan.copyBandwidth = true;
        plan.operations = {"median"};
        plan.sizes = {{32, 32}};
        BenchmarkRunner runner(fakes.set(), head, {}, fakes.clock);
        const auto report = runner.run(plan, {})->report;
        QCOMPARE(report.programVersion, std::string("1.2.3"));
        QVERIFY(std::abs(report.machine.copyGbpsGpu - 200) < 1);
        QCOMPARE(report.machine.cacheBytesGpu, fakes.gpu->cache);
        // The test's clock stood still while the CPU copied.
        QCOMPARE(report.machine.copyGbpsCpu, 0.0);
        StepTiming row = report.results[2];
        QCOMPARE(row.backend, BackendKind::Cuda);
        QVERIFY(std::abs(copyPercent(row, report.machine) - row.gbPerS / 2) < 0.01);
        QCOMPARE(copyPercent(report.results[0], report.machine), 0.0);
    }

    void wrongPixelShowsNoSpeedupAndIsNamed() {
        SleepingSet fakes;
        fakes.gpu->wrongPixel = true;
        BenchmarkPlan plan = smallPlan();
        plan.operations = {"median"};
        const BenchmarkResult result = resultOf(fakes, plan);
        for (const int width : {32, 64}) {
            const StepTiming& gpu = rowOf(result, "median", BackendKind::Cuda, width);
            QVERIFY(gpu.measured());
            QCOMPARE(gpu.agreement.verdict, Verdict::Differs);
            QCOMPARE(gpu.agreement.differing, std::uint64_t(1));
            QCOMPARE(gpu.agreement.firstX, 7);
            QCOMPARE(gpu.agreement.firstY, 5);
            std::vector<StepTiming> rows;
            for (const StepTiming& row : result.report.results)
                if (row.width == width) rows.push_back(row);
            for (const Speedup& speedup : speedups(rows)) QVERIFY(!speedup.ofGpu());
        }
        const std::string table = toTable(result.report);
        QVERIFY(table.find("differs in 1 sample, at most by 64, at (7, 5)") != std::string::npos);
        QVERIFY(table.find("kernel only") == std::string::npos);
        for (const BreakEven& found : breakEven(result.report.results)) QVERIFY(!found.ofGpu());
    }

    void variantsAreComparedWithAutomatic() {
        SleepingSet fakes;
        BenchmarkPlan plan = smallPlan();
        plan.operations = {"gaussian_blur"};
        plan.variants["gaussian_blur"] = {"direct_2d"};
        plan.backends = {BackendKind::Cpu};
        fakes.cores->wrongPixel = true;
        const BenchmarkResult result = resultOf(fakes, plan);
        QCOMPARE(result.report.results.size(), std::size_t(2));
        for (const StepTiming& row : result.report.results)
            QCOMPARE(row.agreement.verdict, Verdict::Differs);
        QCOMPARE(fakes.single->runs, 2);  // one untimed reference a size
    }

    void missingAndFailingBackendsAreRows() {
        SleepingSet fakes;
        BackendSet set = fakes.set();
        set.cuda = nullptr;
        set.cudaUnavailable = "no NVIDIA driver is installed";
        BenchmarkRunner runner(set, {}, {}, fakes.clock);
        const auto result = *runner.run(smallPlan(), {});
        QVERIFY(result.report.complete);
        const StepTiming& row = rowOf(result, "median", BackendKind::Cuda, 32);
        QCOMPARE(row.error, std::string("skipped: no NVIDIA driver is installed"));
        QVERIFY(!row.measured());
        QVERIFY(row.bytesMoved > 0);
        QVERIFY(rowOf(result, "median", BackendKind::Cpu, 64).measured());
    }

    void coldRowsAreBesideWarmOnes() {
        SleepingSet fakes;
        for (const auto& backend : {fakes.single, fakes.cores}) {
            backend->cache = 30'000;
            backend->coldFactor = 2;
        }
        BenchmarkPlan plan = smallPlan();
        plan.operations = {"median"};
        plan.backends = {BackendKind::CpuSingle, BackendKind::Cpu};
        plan.cold = true;
        const BenchmarkResult result = resultOf(fakes, plan);
        QCOMPARE(result.report.results.size(), std::size_t(8));
        QCOMPARE(rowOf(result, "median", BackendKind::Cpu, 64).time.medianMs, 4.0);
        const StepTiming& cold = rowOf(result, "median", BackendKind::Cpu, 64, true);
        QCOMPARE(cold.time.medianMs, 8.0);
        QVERIFY(cold.inputs > 10);
        QCOMPARE(cold.agreement.verdict, Verdict::Identical);
        QVERIFY(toTable(result.report).find("cold") != std::string::npos);
    }

    void copiesFillTheCache() {
        QCOMPARE(*coldCopyCount(1000, 10'000), 16);
        QCOMPARE(*coldCopyCount(100'000, 10'000), 2);
        QVERIFY(*coldCopyCount(1 << 20, 0) > 64);  // unknown: a large cache is assumed
        QVERIFY(!coldCopyCount(1, 1 << 30));
        const Image photo = test::makePhotograph(PixelFormat::Rgba8, {9, 7});
        const auto copies = *copiesOf(photo, 3, {});
        std::set<const std::byte*> places{photo.bytes()};
        for (const Image& copy : copies) {
            places.insert(copy.bytes());
            QCOMPARE(contentHash(copy), contentHash(photo));
        }
        QCOMPARE(places.size(), std::size_t(4));
    }

    void imageAtHand() {
        SleepingSet fakes;
        BenchmarkPlan plan = smallPlan();
        plan.sizes.clear();
        plan.operations = {"median", "integral_image"};
        plan.image = test::makePhotograph(PixelFormat::GrayF32, {31, 17});
        plan.imageName = "photo.pfm";
        plan.backends = {BackendKind::Cpu};
        const BenchmarkResult result = resultOf(fakes, plan);
        QCOMPARE(result.report.results.size(), std::size_t(2));
        for (const StepTiming& row : result.report.results) {
            QCOMPARE(row.imageName, std::string("photo.pfm"));
            QCOMPARE(row.width, 31);
            QCOMPARE(row.format, PixelFormat::GrayF32);
            // An operation without code for float is skipped, and the row says why.
            const bool takesFloat =
                findOperation(row.operation)->description().acceptsFormat(PixelFormat::GrayF32);
            QVERIFY2(row.measured() == takesFloat, row.error.c_str());
            if (!takesFloat) QVERIFY(row.error.find("float gray") != std::string::npos);
        }
    }
};

WARPSCOPE_TEST(BenchmarkTest)
#include "benchmark_test.moc"
