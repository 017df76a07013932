// Rows that are taken in rounds: what their intervals say, that they take turns, when they end.
#include <cmath>
#include <numeric>
#include <random>

#include "engine/measure/benchmark.h"
#include "engine/measure/factor.h"
#include "engine/report/repeat_check.h"
#include "engine/report/report_file.h"
#include "engine/report/sample_text.h"
#include "measure/sleeping_backend.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

Samples samplesOf(const std::vector<std::vector<double>>& rounds) {
    Samples samples;
    for (const auto& round : rounds) samples.addRound(round);
    return samples;
}

BenchmarkPlan smallPlan(int rounds, int most) {
    BenchmarkPlan plan;
    plan.operations = {"median"};
    plan.sizes = {{32, 32}};
    plan.copyBandwidth = plan.energy = false;
    plan.pinThreads = false;
    plan.sampling = {1, rounds, rounds, 0, rounds, most};
    return plan;
}

// What a smaller image says of these sizes does not fit three rounds where a run takes 100 ms.
BenchmarkPlan planOfGpu(std::vector<Size> sizes) {
    BenchmarkPlan plan = smallPlan(6, 6);
    plan.backends = {BackendKind::Cuda};
    plan.sizes = std::move(sizes);
    plan.longestRowSeconds = 4;
    return plan;
}

}  // namespace

class RoundsTest : public QObject {
    Q_OBJECT
  private slots:
    void oneRoundKnowsNoInterval() {
        const SampleSummary one = summarizeRounds(samplesOf({{3, 1, 2}}));
        QCOMPARE(one.rounds, 1);
        QCOMPARE(one.medianMs, 2.0);
        QVERIFY(!one.intervalKnown());
        QVERIFY(!one.noisy());
        QCOMPARE(summarizeRounds({}).n, 0);
    }

    // Each round counts once, however many samples it has: a slow round with a hundred of them is
    // one bad moment.
    void roundsCountOnceEach() {
        const SampleSummary summary =
            summarizeRounds(samplesOf({{10}, {10}, {10}, std::vector<double>(100, 50.0), {11}}));
        QCOMPARE(summary.rounds, 5);
        QCOMPARE(summary.n, 104);
        QCOMPARE(summary.medianMs, 10.0);
        QCOMPARE(summary.p90Ms, 50.0);
        QVERIFY(summary.noisy());
    }

    // From the table of the sign test: six to eight rounds all of them, nine to eleven all but one
    // at either end, twelve all but two.
    void orderStatistics() {
        for (const auto& [n, out] :
             {std::pair{6, 0}, {8, 0}, {9, 1}, {11, 1}, {12, 2}, {15, 3}, {25, 7}}) {
            std::vector<std::vector<double>> rounds;
            for (int i = 0; i < n; ++i) rounds.push_back({double((i * 7) % n + 1)});
            if (n % 7 == 0) continue;
            const SampleSummary summary = summarizeRounds(samplesOf(rounds));
            QCOMPARE(summary.lowMs, double(1 + out));
            QCOMPARE(summary.highMs, double(n - out));
        }
    }

    void studentsTForFewRounds() {
        const SampleSummary two = summarizeRounds(samplesOf({{10}, {12}}));
        QVERIFY(std::abs(two.highMs - (11 + 12.706)) < 1e-9);
        QCOMPARE(two.lowMs, 0.0);  // no time is less than nothing
        const SampleSummary five = summarizeRounds(samplesOf({{10}, {11}, {12}, {13}, {14}}));
        QVERIFY(std::abs(five.highMs - five.medianMs - 1.2533 * 2.776 * std::sqrt(2.5 / 5)) < 1e-9);
    }

    // Of a thousand rows of known median, at least 95 in a hundred intervals hold it.
    void intervalsHoldTheMedian() {
        const auto seed = warpscope::test::freshSeed();
        std::mt19937 random(seed);
        for (const int rounds : {3, 5, 6, 9, 12, 25}) {
            std::normal_distribution<double> moment(100, 7);
            std::normal_distribution<double> sample(0, 1);
            int held = 0;
            for (int row = 0; row < 1000; ++row) {
                std::vector<std::vector<double>> all;
                for (int i = 0; i < rounds; ++i) {
                    const double at = moment(random);
                    all.push_back({at + sample(random), at + sample(random), at + sample(random)});
                }
                const SampleSummary summary = summarizeRounds(samplesOf(all));
                held += summary.lowMs <= 100 && 100 <= summary.highMs;
            }
            QVERIFY2(
                held >= 925,
                qPrintable(
                    QString("%1 of 1000 with %2 rounds, seed %3").arg(held).arg(rounds).arg(seed)));
        }
    }

    // A B C, A B C: a burst of load that lasts as long as one round meets one round of each row.
    void rowsTakeTurns() {
        SleepingSet fakes;
        std::string order;
        fakes.single->duringRun = [&](int) { order += 'a'; };
        fakes.cores->duringRun = [&](int) { order += 'b'; };
        fakes.gpu->duringRun = [&](int) { order += 'c'; };
        BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock);
        const auto result = runner.run(smallPlan(4, 4), {});
        QVERIFY(result);
        QVERIFY(result->report.complete);
        order.erase(std::unique(order.begin(), order.end()), order.end());
        QCOMPARE(order, std::string("abcabcabcabc"));
        for (const StepTiming& row : result->report.results) {
            QCOMPARE(row.time.rounds, 4);
            QCOMPARE(row.samples.perRound.size(), std::size_t(4));
            QVERIFY(!row.noisy());
        }
    }

    // What differs from round to round has more of them, and is called noisy where that does not
    // help; what is steady ends as soon as it may.
    void noisyRowsHaveMoreRounds() {
        SleepingSet fakes;
        std::mt19937 random(7);
        fakes.cores->kernelMs = [&](int) { return 4.0 + double(random() % 1000) / 500; };
        std::vector<int> seen(3);
        BenchmarkCallbacks callbacks;
        callbacks.onRow = [&](std::size_t index, const StepTiming& row) {
            QCOMPARE(row.time.rounds, ++seen[index]);
        };
        BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock);
        const auto report = runner.run(smallPlan(6, 11), {}, callbacks)->report;
        QCOMPARE(seen, (std::vector<int>{6, 11, 6}));
        QVERIFY(report.results[1].noisy());
        QVERIFY(!report.results[0].noisy());
        // No speedup without its range.
        for (const Speedup& speedup : speedups(report.results, kAutomaticVariant)) {
            const bool unsure =
                speedup.subject == SpeedupSubject::AllCores || speedup.baseline == BackendKind::Cpu;
            QCOMPARE(speedup.ranged(), unsure);
            if (unsure) QVERIFY(speedup.low < speedup.factor && speedup.factor < speedup.high);
        }
    }

    // Each round begins with fresh memory: what its first use takes is not what the work takes,
    // however little there is to spend on a round.
    void firstCallsOfRoundsDoNotCount() {
        SleepingSet fakes;
        int turns = 0;  // of the others since this one's last call
        fakes.gpu->duringRun = fakes.cores->duringRun = [&](int) { ++turns; };
        fakes.single->kernelMs = [&](int) { return std::exchange(turns, 0) ? 33.0 : 20.0; };
        BenchmarkPlan plan = smallPlan(6, 6);
        plan.sampling = {1, 6, 6, 30, 6, 6, true};
        const auto report = BenchmarkRunner(fakes.set(), {}, {}, fakes.clock).run(plan, {})->report;
        QCOMPARE(report.results[0].time.rounds, 6);
        QCOMPARE(report.results[0].kernelMs, 20.0);
        // Where that is little beside a call, none is made in vain.
        fakes.single->kernelMs = [&](int) { return std::exchange(turns, 0) ? 5013.0 : 5000.0; };
        const int before = fakes.single->runs;
        QVERIFY(BenchmarkRunner(fakes.set(), {}, {}, fakes.clock).run(plan, {}));
        QVERIFY(fakes.single->runs - before <= 6 + 2);
    }

    // Fewer rounds than asked for rather than none; fewer than three are not begun.
    void longRowsHaveFewerRounds() {
        SleepingSet fakes;
        fakes.single->kernelMs = [](int) { return 1000.0; };
        BenchmarkPlan plan = smallPlan(9, 25);
        plan.sizes = {{512, 512}};
        plan.backends = {BackendKind::CpuSingle};
        plan.longestRowSeconds = 30;  // a part of a quarter took a second: four here
        const auto report = BenchmarkRunner(fakes.set(), {}, {}, fakes.clock).run(plan, {})->report;
        QCOMPARE(report.results[0].time.rounds, 3);
        plan.longestRowSeconds = 20;
        const auto none = BenchmarkRunner(fakes.set(), {}, {}, fakes.clock).run(plan, {})->report;
        QVERIFY(none.results[0].error.starts_with("skipped: would take about"));
    }

    // On a GPU the first calls pin and map memory: a guess from them is tried before it is
    // believed.
    void dearFirstCallsDoNotSkipLargerImages() {
        SleepingSet fakes;
        fakes.gpu->kernelMs = [](int run) { return run < 10 ? 100.0 : 1.0; };
        const auto report = BenchmarkRunner(fakes.set(), {}, {}, fakes.clock)
                                .run(planOfGpu({{512, 512}, {1024, 1024}}), {})
                                ->report;
        for (const StepTiming& row : report.results) QVERIFY2(row.measured(), row.error.c_str());
        // The very first call, run 9, is told as it was, though it was made to find this out.
        QVERIFY(report.results.back().firstCallMs > 100);
    }

    // What is loaded once is not taken for what each run takes, however long it lasts.
    void firstCallsOfSecondsDoNotSkip() {
        SleepingSet fakes;
        fakes.gpu->kernelMs = [](int run) { return run < 2 ? 100.0 : run == 2 ? 600.0 : 1.0; };
        const auto report = BenchmarkRunner(fakes.set(), {}, {}, fakes.clock)
                                .run(planOfGpu({{512, 512}}), {})
                                ->report;
        QCOMPARE(report.results.size(), std::size_t(1));
        QVERIFY2(report.results[0].measured(), report.results[0].error.c_str());
        QVERIFY(report.results[0].firstCallMs > 600);
    }

    void trialsThatFailSayWhy() {
        SleepingSet fakes;
        fakes.gpu->kernelMs = [](int) { return 100.0; };
        fakes.gpu->failingRun = 2;
        const auto report = BenchmarkRunner(fakes.set(), {}, {}, fakes.clock)
                                .run(planOfGpu({{512, 512}}), {})
                                ->report;
        QCOMPARE(report.results.size(), std::size_t(1));
        QVERIFY(!report.results[0].measured());
        QVERIFY2(report.results[0].error.find("the run failed") != std::string::npos,
                 report.results[0].error.c_str());
    }

    void stoppedRunsSaySo() {
        SleepingSet fakes;
        std::stop_source stop;
        int rows = 0;
        BenchmarkCallbacks callbacks;
        callbacks.onRow = [&](std::size_t, const StepTiming&) {
            if (++rows == 5) stop.request_stop();
        };
        BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock);
        const auto report = runner.run(smallPlan(6, 6), stop.get_token(), callbacks)->report;
        QVERIFY(!report.complete);
        QCOMPARE(report.rowsPlanned, std::size_t(3));
        QCOMPARE(report.results[0].time.rounds, 2);
        QCOMPARE(report.results[2].time.rounds, 1);
        const auto read = parseTimings(toJson(report));
        QVERIFY(read);
        QVERIFY(!read->complete);
    }

    // Whether figures came out again, and what a gate for slower code says of noisy ones.
    void whatMovedFromOneRunToTheNext() {
        const auto reportOf = [](double ms, double low, double high, Verdict verdict) {
            TimingReport report;
            StepTiming row;
            row.operation = "median";
            row.variant = kAutomaticVariant;
            row.backend = row.backendRequested = BackendKind::Cpu;
            row.width = row.height = 64;
            row.time = {9, ms, ms, ms, 9, low, high};
            row.endToEnd = row.time;
            row.endToEndMs = ms;
            row.agreement.verdict = verdict;
            report.results = {row};
            return report;
        };
        const auto steady = reportOf(10, 9.9, 10.1, Verdict::Identical);
        const auto slower = reportOf(12, 11.9, 12.1, Verdict::Identical);
        const auto noisy = reportOf(12, 10, 14, Verdict::Identical);
        const auto noisyFar = reportOf(20, 15, 25, Verdict::Identical);
        QCOMPARE(checkRepeat(steady, slower, 0.05).moved(), std::size_t(1));
        QCOMPARE(checkRepeat(steady, slower, 0.3).moved(), std::size_t(0));
        QCOMPARE(checkRepeat(steady, noisy, 0.05).moved(), std::size_t(0));
        QCOMPARE(checkRepeat(steady, noisyFar, 0.05).moved(), std::size_t(0));
        // The gate asks for intervals that do not meet, and then noise is no excuse.
        QCOMPARE(checkRepeat(steady, noisy, 0.05, true).slower(), std::size_t(0));
        QCOMPARE(checkRepeat(steady, noisyFar, 0.05, true).slower(), std::size_t(1));
        QCOMPARE(checkRepeat(noisyFar, steady, 0.05, true).slower(), std::size_t(0));
        QCOMPARE(checkRepeat(steady, TimingReport{}, 0.05).missing, std::size_t(1));
        // On a GPU two figures a row, of a peer one.
        auto gpu = steady;
        gpu.results[0].backend = gpu.results[0].backendRequested = BackendKind::Cuda;
        QCOMPARE(checkRepeat(gpu, gpu, 0.05).figures.size(), std::size_t(2));
        gpu.results[0].backendRequested = Place::Peer{"npp", BackendKind::Cuda};
        gpu.results[0].peer = "NPP 13";
        QCOMPARE(checkRepeat(gpu, gpu, 0.05).figures.size(), std::size_t(1));
        const auto wrong = reportOf(10, 9.9, 10.1, Verdict::Differs);
        QCOMPARE(checkRepeat(steady, wrong, 0.05).wrong, std::size_t(1));
        QCOMPARE(checkRepeat(wrong, wrong, 0.05).wrong, std::size_t(0));
        // Where nothing is sure, no figure says that all is well.
        QVERIFY(describe(checkRepeat(noisy, noisyFar, 0.05)).find("all noisy") !=
                std::string::npos);
    }

    // What found no work is no thread of a baseline; what may be nothing at all has no speedup.
    void baselinesAreWhatWorked() {
        const auto rowOf = [](BackendKind kind, double ms) {
            StepTiming row;
            row.operation = "median";
            row.variant = kAutomaticVariant;
            row.backend = row.backendRequested = kind;
            row.threads = kind == BackendKind::Cpu ? 16 : 1;
            row.time = {9, ms, ms, ms, 9, ms, ms};
            row.endToEnd = row.time;
            row.endToEndMs = row.kernelMs = ms;
            row.agreement.verdict = Verdict::Identical;
            return row;
        };
        std::vector<StepTiming> rows = {rowOf(BackendKind::Cpu, 8), rowOf(BackendKind::Cuda, 1)};
        QCOMPARE(speedups(rows)[0].baselineThreads, 16);
        rows[0].threadsWorked = 1;
        QCOMPARE(speedups(rows)[0].baselineThreads, 1);
        rows[1].time.lowMs = rows[1].endToEnd.lowMs = 0;
        QVERIFY(speedups(rows).empty());
    }

    void drawsAreNobodysWin() {
        const auto draw = [](const SampleSummary& a, const SampleSummary& b) {
            const bool found = isDraw({a, a.medianMs}, {b, b.medianMs});
            // Whichever side stands first.
            return found == isDraw({b, b.medianMs}, {a, a.medianMs}) ? int(found) : -1;
        };
        const SampleSummary ten{9, 10, 9.9, 10.1, 9, 9.95, 10.05};
        const auto of = [](double ms, double low, double high) {
            return SampleSummary{9, ms, ms, ms, 9, low, high};
        };
        QCOMPARE(draw(ten, ten), 1);
        QCOMPARE(draw(ten, of(10.4, 10.39, 10.41)), 1);  // less than a twentieth
        QCOMPARE(draw(ten, of(10.6, 10.59, 10.61)), 0);
        QCOMPARE(draw(ten, of(14, 10.01, 19)), 1);  // intervals that meet
        QCOMPARE(draw(ten, of(14, 10.1, 19)), 0);
        // Of one round, the percentiles.
        QCOMPARE(draw(ten, {9, 14, 10.01, 19, 1, 0, 0}), 1);
        QCOMPARE(draw(ten, {9, 14, 11, 19, 1, 0, 0}), 0);
        // Nothing but a median.
        QCOMPARE(draw({1, 10}, {1, 14}), 0);
        QCOMPARE(draw({1, 10}, {1, 10.2}), 1);
    }

    // What all others are compared with must be one result; cold rows compare with it, too.
    void aReferenceThatChangesGivesNoFigure_data() {
        QTest::addColumn<QString>("operation");
        QTest::newRow("filter") << QStringLiteral("median");
        QTest::newRow("analysis") << QStringLiteral("histogram");
    }
    void aReferenceThatChangesGivesNoFigure() {
        QFETCH(QString, operation);
        BenchmarkPlan plan = smallPlan(4, 4);
        plan.operations = {operation.toStdString()};
        // Another reference comes between two rounds.
        plan.sizes = {{32, 32}, {48, 32}};
        SleepingSet steady;
        const auto good = BenchmarkRunner(steady.set(), {}, {}, steady.clock).run(plan, {});
        QVERIFY(good);
        for (const StepTiming& row : good->report.results)
            QVERIFY2(row.measured(), row.error.c_str());
        SleepingSet fakes;
        const int from = 3 + int(warpscope::test::freshSeed() % unsigned(steady.single->runs - 5));
        fakes.single->duringRun = [&](int run) { fakes.single->wrongPixel = run >= from; };
        const auto result = BenchmarkRunner(fakes.set(), {}, {}, fakes.clock).run(plan, {});
        QVERIFY(result);
        int changed = 0;
        for (const StepTiming& row : result->report.results) {
            if (row.backendRequested != BackendKind::CpuSingle) continue;
            if (row.measured()) continue;
            ++changed;
            QVERIFY2(row.error.find("not repeatable") != std::string::npos, row.error.c_str());
            // Nor is there anything to compare with for the rows beside it.
            const auto all = speedupsOfRows(result->report.results);
            for (std::size_t i = 0; i < all.size(); ++i) {
                const StepTiming& other = result->report.results[i];
                if (other.width != row.width || &other == &row) continue;
                QVERIFY(other.measured() && all[i].empty());
                QCOMPARE(other.agreement.verdict, Verdict::NotCompared);
            }
        }
        QVERIFY2(changed > 0, qPrintable(QStringLiteral("from run %1").arg(from)));
    }

    // What a GPU's whole way takes, sample by sample; files without it are read as before.
    void samplesEndToEndAreInTheFile() {
        SleepingSet fakes;
        std::mt19937 random(warpscope::test::freshSeed());
        fakes.gpu->kernelMs = [&](int) { return 0.5 + double(random() % 100) / 1000; };
        BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock);
        const auto report = runner.run(smallPlan(6, 6), {})->report;
        const StepTiming& gpu = report.results[2];
        QVERIFY(gpu.ofGpu());
        QCOMPARE(gpu.endToEndSamples.perRound.size(), std::size_t(6));
        QCOMPARE(summarizeRounds(gpu.endToEndSamples).medianMs, gpu.endToEndMs);
        QCOMPARE(summarizeRounds(gpu.uploadSamples).medianMs, 3.0);
        QCOMPARE(summarizeRounds(gpu.downloadSamples).medianMs, 2.0);
        QVERIFY(report.results[1].endToEndSamples.ms.empty());
        const auto read = parseTimings(toJson(report));
        QVERIFY(read);
        const StepTiming& again = read->results[2];
        QCOMPARE(again.endToEndSamples.perRound, gpu.endToEndSamples.perRound);
        QCOMPARE(again.uploadSamples.ms, gpu.uploadSamples.ms);
        QCOMPARE(again.downloadSamples.ms, gpu.downloadSamples.ms);
        QCOMPARE(again.endToEndSamples.ms.size(), gpu.endToEndSamples.ms.size());
        for (std::size_t i = 0; i < gpu.endToEndSamples.ms.size(); ++i)
            QCOMPARE(float(again.endToEndSamples.ms[i]), float(gpu.endToEndSamples.ms[i]));
        QCOMPARE(again.endToEnd.n, gpu.endToEnd.n);
        QCOMPARE(again.endToEnd.rounds, 6);
        QCOMPARE(again.endToEnd.medianMs, gpu.endToEnd.medianMs);
        QVERIFY(std::abs(again.endToEnd.p90Ms - gpu.endToEnd.p90Ms) < 1e-5);
        TimingReport without = report;
        for (StepTiming& row : without.results) row.dropSamples();
        const auto old = parseTimings(toJson(without));
        QVERIFY(old);
        QVERIFY(old->results[2].endToEndSamples.ms.empty());
        QCOMPARE(old->results[2].endToEnd.n, gpu.time.n);
        QCOMPARE(old->results[2].endToEnd.lowMs, gpu.endToEnd.lowMs);
    }

    void samplesSurviveTheFile() {
        std::mt19937 random(warpscope::test::freshSeed());
        Samples samples;
        for (int round = 0; round < 7; ++round) {
            std::vector<double> ms;
            for (int i = 0; i <= round * 3; ++i)
                ms.push_back(
                    double(float(std::ldexp(double(random() % 10000), -int(random() % 9)))));
            samples.addRound(ms);
        }
        Samples read;
        read.perRound = samples.perRound;
        QVERIFY(samplesFromText(samplesToText(samples), read));
        QCOMPARE(read.ms, samples.ms);
        // Another count, a text that was cut or changed, and what is no time, are refused.
        Samples fewer;
        fewer.perRound = {int(samples.ms.size()) - 1};
        QVERIFY(!samplesFromText(samplesToText(samples), fewer));
        fewer.perRound = {int(samples.ms.size()) + 1};
        QVERIFY(!samplesFromText(samplesToText(samples), fewer));
        fewer.perRound = samples.perRound;
        const std::string text = samplesToText(samples);
        for (std::size_t cut = 0; cut < text.size(); cut += 3)
            QVERIFY(!samplesFromText(text.substr(0, cut), fewer));
        QVERIFY(!samplesFromText("!" + text.substr(1), fewer));
        Samples negative = samplesOf({{-1}});
        QVERIFY(!samplesFromText(samplesToText(negative), negative));
    }

    // A run that was killed leaves lines; what stands in whole lines is read, and it is not whole.
    void linesOfARunThatWasKilled() {
        SleepingSet fakes;
        BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock);
        std::string lines;
        BenchmarkCallbacks callbacks;
        callbacks.onHead = [&](const TimingReport& head) { lines = toJsonLinesHead(head); };
        callbacks.onRow = [&](std::size_t index, const StepTiming& row) {
            lines += toJsonLine(index, row);
        };
        const auto report = runner.run(smallPlan(3, 3), {}, callbacks)->report;
        const auto killed = parseTimings(lines.substr(0, lines.size() - 20));
        QVERIFY(killed);
        QVERIFY(!killed->complete);
        QCOMPARE(killed->results.size(), std::size_t(3));
        QCOMPARE(killed->results[2].time.rounds, 2);
        const auto whole = parseTimings(lines + toJsonLinesEnd(report));
        QVERIFY(whole);
        QVERIFY(whole->complete);
        QCOMPARE(toJson(*whole), toJson(report));
    }
};

WARPSCOPE_TEST(RoundsTest)
#include "rounds_test.moc"
