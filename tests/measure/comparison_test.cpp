// Ratios of two reports, and from which size on one side wins.
#include <cmath>

#include "engine/base/figures.h"
#include "engine/report/break_even.h"
#include "engine/report/report_tables.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

StepTiming row(Place backend, Size size, double median, double endToEnd = 0) {
    StepTiming row;
    row.operation = "gaussian_blur";
    row.variant = "automatic";
    row.parameters.set("sigma", 2.0);
    row.backendRequested = row.backend = backend;
    row.threads = backend == BackendKind::Cpu ? 16 : backend == BackendKind::Cuda ? 0 : 1;
    row.width = size.width;
    row.height = size.height;
    row.time = {7, median, median, median};
    row.kernelMs = median;
    row.endToEndMs = endToEnd > 0 ? endToEnd : median;
    row.agreement.verdict = Verdict::Identical;
    return row;
}

TimingReport reportOf(std::vector<StepTiming> rows) {
    TimingReport report;
    report.machine.cpu = "A CPU";
    report.date = "2026-11-21T10:00:00Z";
    report.results = std::move(rows);
    return report;
}

constexpr Size k256{256, 256};
constexpr Size k512{512, 512};
constexpr Size k1024{1024, 1024};
constexpr Size k2048{2048, 2048};

// Milliseconds that cost a + b pixels: `a` is what a call costs whatever the size.
std::vector<SizedTime> line(double fixed, double perMegapixel) {
    std::vector<SizedTime> times;
    for (const Size& size : {k256, k512, k1024, k2048})
        times.push_back({size, fixed + perMegapixel * double(size.pixels()) / 1048576});
    return times;
}

}  // namespace

class ComparisonTest : public QObject {
    Q_OBJECT
  private slots:
    void ratios() {
        const auto a =
            reportOf({row(BackendKind::Cpu, k256, 2), row(BackendKind::Cuda, k256, 0.5, 4)});
        const auto b =
            reportOf({row(BackendKind::Cuda, k256, 1, 2), row(BackendKind::Cpu, k256, 16)});
        const ReportComparison found = compareReports(a, b);
        QCOMPARE(found.rows.size(), std::size_t(2));
        QCOMPARE(found.rows[0].ratio, 8.0);
        QCOMPARE(found.rows[0].endToEndRatio, 8.0);
        QCOMPARE(found.rows[1].ratio, 2.0);
        QCOMPARE(found.rows[1].endToEndRatio, 0.5);
        QCOMPARE(found.geometricMean, 4.0);
        QCOMPARE(found.onlyA, std::size_t(0));
        QCOMPARE(found.onlyB, std::size_t(0));
        QVERIFY(found.rows[0].note.empty());
        const QString text = QString::fromStdString(toRatioTable({&a, {}}, {&b, {}}));
        QVERIFY(text.contains("8x"));
        // A GPU on either side: its kernels and its end to end are two figures.
        QVERIFY2(text.contains("geometric mean: kernels alone 2x (1 result), end to end 0.5x (1 "
                               "result), CPU 8x (1 result)"),
                 qPrintable(text));
        QVERIFY(text.contains("b / a end to end"));
        QVERIFY(toRatioMarkdown({&a, {}}, {&b, {}}).find("| 8x |") != std::string::npos);
    }

    // Each of these makes another measurement of it.
    void onlyLikeIsComparedWithLike() {
        const StepTiming base = row(BackendKind::Cpu, k256, 2);
        std::vector<StepTiming> others(9, base);
        others[0].operation = "median";
        others[1].variant = "direct2d";
        others[2].parameters.set("sigma", 3.0);
        others[3].width = 257;
        others[4].format = PixelFormat::Rgba8;
        others[5].backendRequested = BackendKind::CpuSingle;
        others[6].cold = true;
        others[7].experiment = "gaussian_filter";
        others[8].time = {};
        for (const StepTiming& other : others) {
            const auto found = compareReports(reportOf({base}), reportOf({other}));
            QVERIFY(found.rows.empty());
            QCOMPARE(found.onlyA, std::size_t(1));
            QCOMPARE(found.onlyB, std::size_t(other.measured() ? 1 : 0));
            QCOMPARE(found.geometricMean, 0.0);
        }
        const TimingReport alone = reportOf({base}), other = reportOf({others[0]});
        QVERIFY(toRatioTable({&alone, "a.json"}, {&other, {}}).starts_with("a: a.json: "));
        QVERIFY(toRatioTable({&alone, "a.json"}, {&other, {}}).find("No row") != std::string::npos);
    }

    // Noisy rows are counted, so that a mean of them alone says so.
    void meansCountWhatIsNoisy() {
        StepTiming noisy = row(BackendKind::Cpu, k256, 4);
        noisy.time.lowMs = 3;
        noisy.time.highMs = 5;
        const TimingReport a = reportOf({row(BackendKind::Cpu, k256, 2)}), b = reportOf({noisy});
        const auto text = toRatioTable({&a, {}}, {&b, {}});
        QVERIFY2(text.find("geometric mean: 2x (1 result, noisy)") != std::string::npos,
                 text.c_str());
    }

    void whatIsUnlikeIsSaid() {
        StepTiming other = row(BackendKind::Cpu, k256, 4);
        other.threads = 2;
        other.imageHash = 5;
        other.agreement.verdict = Verdict::Differs;
        const auto found =
            compareReports(reportOf({row(BackendKind::Cpu, k256, 2)}), reportOf({other}));
        const QString note = QString::fromStdString(found.rows.at(0).note);
        QVERIFY(note.contains("16 threads against 2"));
        QVERIFY(note.contains("another image"));
        QVERIFY(note.contains("results of b are wrong"));
    }

    void labels() {
        TimingReport report = reportOf({});
        QCOMPARE(reportLabel(report), std::string("A CPU, 2026-11-21"));
        report.machine.gpu = "A GPU";
        QCOMPARE(reportLabel(report), std::string("A GPU, 2026-11-21"));
    }

    void crossings() {
        // 1 + 1 against 5 a megapixel: with the twentieth of a draw, 5 x / 1.05 = 1 + x, at
        // 0.2658 megapixels; the straight line in log-log between 512 and 1024 comes near that.
        const Crossing from = findCrossing(line(1, 1), line(0, 5));
        QCOMPARE(from.kind, Crossing::Kind::From);
        QVERIFY(std::abs(from.pixels / 1048576 / 0.2658 - 1) < 0.05);
        QCOMPARE(from.wins, 2);
        QCOMPARE(from.sizes, 4);
        QCOMPARE(from.size.width, from.size.height);
        QVERIFY(from.size.width >= 510 && from.size.width <= 540);

        const Crossing upTo = findCrossing(line(0, 5), line(1, 1));
        QCOMPARE(upTo.kind, Crossing::Kind::UpTo);
        QCOMPARE(findCrossing(line(0, 1), line(0, 2)).kind, Crossing::Kind::Always);
        QCOMPARE(findCrossing(line(0, 2), line(0, 1)).kind, Crossing::Kind::Never);
        // Within a twentieth nobody wins.
        QCOMPARE(findCrossing(line(0, 1), line(0, 1.04)).kind, Crossing::Kind::Never);
        QCOMPARE(findCrossing(line(0, 1.04), line(0, 1)).kind, Crossing::Kind::Never);

        QCOMPARE(findCrossing({{k256, 1}}, {{k256, 2}}).kind, Crossing::Kind::NoData);
        QCOMPARE(findCrossing({{k256, 1}, {k512, 1}}, {{k1024, 2}}).kind, Crossing::Kind::NoData);
        QCOMPARE(findCrossing({}, {}).kind, Crossing::Kind::NoData);
        const Crossing changeable =
            findCrossing({{k256, 1}, {k512, 3}, {k1024, 1}}, {{k256, 2}, {k512, 2}, {k1024, 2}});
        QCOMPARE(changeable.kind, Crossing::Kind::Changeable);
        QCOMPARE(changeable.wins, 2);
    }

    // A straight line in log-log is met exactly: t = pixels against t = pixels^0.5 * c.
    void interpolationIsInLogLog() {
        const auto at = [](Size size, double power, double factor) {
            return SizedTime{size, factor * std::pow(double(size.pixels()), power)};
        };
        const double meet = 450.0 * 450.0;
        const double factor = std::sqrt(meet) / 1.05;
        const Crossing found = findCrossing({at(k256, 0.5, factor), at(k2048, 0.5, factor)},
                                            {at(k256, 1, 1), at(k2048, 1, 1)});
        QCOMPARE(found.kind, Crossing::Kind::From);
        QVERIFY(std::abs(found.pixels / meet - 1) < 1e-9);
        QCOMPARE(found.size.width, 450);
    }

    void sizesInWordsKeepTheShape() {
        const Size small{800, 600};
        const Size large{3200, 1800};
        const Crossing found = findCrossing({{small, 2}, {large, 2}}, {{small, 1}, {large, 8}});
        QCOMPARE(found.kind, Crossing::Kind::From);
        QVERIFY(found.size.width > found.size.height);
        QCOMPARE(found.size.width % 10, 0);  // two digits
        const double aspect = double(found.size.width) / found.size.height;
        QVERIFY(aspect > 1.3 && aspect < 1.8);
    }

    void words() {
        std::vector<StepTiming> rows;
        for (const auto& [size, factor] :
             {std::pair{k256, 1.0}, {k512, 4.0}, {k1024, 16.0}, {k2048, 64.0}}) {
            rows.push_back(row(BackendKind::CpuSingle, size, 8 * factor));
            rows.push_back(row(BackendKind::Cpu, size, factor));
            rows.push_back(row(BackendKind::Cuda, size, 2 + 0.01 * factor, 10 + 0.3 * factor));
        }
        const auto found = breakEven(rows);
        QCOMPARE(found.size(), std::size_t(3));
        const QString first = QString::fromStdString(describe(found[0]));
        QVERIFY2(first.startsWith("the GPU wins against the best of the CPU (16 threads) from 3"),
                 qPrintable(first));
        QVERIFY2(first.endsWith(", end to end from 1000 x 1000"), qPrintable(first));
        QCOMPARE(describe(found[1].kernels), std::string("at every measured size"));
        QCOMPARE(describe(found[2]),
                 std::string("all cores win against 1 thread at every measured size"));

        for (StepTiming& one : rows)
            if (one.backend == BackendKind::Cuda) one.kernelMs = one.endToEndMs = 1e6;
        QCOMPARE(describe(breakEven(rows)[0]),
                 std::string("the GPU wins against the best of the CPU (16 threads) at no measured "
                             "size, end to end at "
                             "no measured size"));
    }

    // A win must be larger than what samples are apart.
    void spreadOutSamplesAreADraw() {
        const std::vector<SizedTime> slow{{k256, 10, 9.5, 11}, {k512, 40, 39, 44}};
        using Kind = Crossing::Kind;
        QCOMPARE(findCrossing({{k256, 8, 7.8, 8.2}, {k512, 32, 31, 33}}, slow).kind, Kind::Always);
        QCOMPARE(findCrossing({{k256, 8, 5, 12}, {k512, 32, 20, 50}}, slow).kind, Kind::Never);
        // At the small size only.
        QCOMPARE(findCrossing({{k256, 8, 5, 12}, {k512, 32, 31, 33}}, slow).kind, Kind::From);
        const std::vector<SizedTime> wide{{k256, 10, 7, 30}, {k512, 40, 25, 99}};
        QCOMPARE(findCrossing({{k256, 8, 7.8, 8.2}, {k512, 32, 31, 33}}, wide).kind, Kind::Never);
    }

    // Wrong results, other libraries, experiments with noise, and other series take no part.
    void whatTakesNoPart() {
        std::vector<StepTiming> rows;
        for (const Size& size : {k256, k512}) {
            rows.push_back(row(BackendKind::Cpu, size, 4));
            rows.push_back(row(BackendKind::Cuda, size, 1));
        }
        QCOMPARE(breakEven(rows).size(), std::size_t(1));
        const auto without = [&](auto spoil) {
            auto spoiled = rows;
            for (StepTiming& one : spoiled)
                if (one.backend == BackendKind::Cuda) spoil(one);
            return breakEven(spoiled).empty();
        };
        QVERIFY(without([](StepTiming& one) { one.agreement.verdict = Verdict::Differs; }));
        QVERIFY(without([](StepTiming& one) { one.agreement.verdict = Verdict::NotCompared; }));
        QVERIFY(without([](StepTiming& one) { one.peer = "Other 1.0"; }));
        QVERIFY(without([](StepTiming& one) { one.experiment = "gaussian_filter"; }));
        QVERIFY(without([](StepTiming& one) { one.cold = true; }));
        QVERIFY(!without([](StepTiming& one) { one.variant = "direct2d"; }));  // against the best
        QVERIFY(without([](StepTiming& one) { one.parameters.set("sigma", 7.0); }));
        QVERIFY(without([](StepTiming& one) {
            one.time.lowMs = 0.9;
            one.time.highMs = 1.1;
        }));
        QVERIFY(without([](StepTiming& one) { one.error = "skipped: x"; }));
        QVERIFY(breakEven({}).empty());
    }

    // Files can say anything: what would be infinite is no figure, and no size is made from it.
    void extremeFiguresAreNone() {
        std::vector<StepTiming> rows;
        for (const Size& size : {k256, k512}) {
            const bool large = size.width > 256;
            rows.push_back(row(BackendKind::Cpu, size, large ? 1e300 : 1e-300));
            rows.push_back(row(BackendKind::Cuda, size, large ? 1e-300 : 1e300));
        }
        const auto found = breakEven(rows);
        QCOMPARE(found[0].kernels.kind, Crossing::Kind::From);
        QVERIFY(found[0].kernels.size.width > 256 && found[0].kernels.size.width < 512);
        QVERIFY(speedups({rows[2], rows[3]}).empty());
        const auto a = reportOf({row(BackendKind::Cpu, k256, 1e-300)});
        const auto b = reportOf({row(BackendKind::Cpu, k256, 1e300)});
        for (const auto& [first, second] : {std::pair{a, b}, {b, a}}) {
            const auto compared = compareReports(first, second);
            QVERIFY(compared.rows.empty());
            QCOMPARE(compared.onlyA, std::size_t(1));
        }
        QVERIFY(msText(1e300).size() < 10 && ratioText(1e300).size() < 10);
    }

    void peersAreNoSideOfASpeedup() {
        std::vector<StepTiming> rows = {row(BackendKind::CpuSingle, k256, 8),
                                        row(BackendKind::Cpu, k256, 4)};
        QCOMPARE(speedups(rows).size(), std::size_t(1));
        rows[0].peer = "Other 1.0";
        QVERIFY(speedups(rows).empty());
    }
};

WARPSCOPE_TEST(ComparisonTest)
#include "comparison_test.moc"
