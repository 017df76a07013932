// Made-up machines: where rows lie under their roofs, and what is said of them.
#include <QXmlStreamReader>
#include <cmath>
#include <limits>

#include "engine/measure/roofline.h"
#include "engine/operations/registry.h"
#include "engine/report/roofline_plot.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

// 100 GB/s and 1,000 Gop/s on all cores, a tenth on one thread, ten times as much on the GPU; 8 and
// 16 bits twice as fast on the CPU.
MachineInfo roofMachine() {
    MachineInfo made;
    made.cpu = "Some <CPU>";
    made.gpu = "Some GPU";
    made.threads = 16;
    made.copyGbpsCpuSingle = 10;
    made.copyGbpsCpu = 100;
    made.copyGbpsGpu = 1000;
    made.cacheBytesCpu = 32 << 20;
    made.cacheBytesGpu = 50 << 20;
    return made;
}
constexpr MachinePeaks kRoofPeaks{{100, 200}, {1000, 2000}, {10'000, 0}};

// Of an operation with its defaults, at `side` times `side` pixels of gray.
StepTiming roofRow(const std::string& operation, const std::string& place, int side, double ms,
                   PixelFormat format = PixelFormat::Gray8) {
    StepTiming one;
    one.operation = operation;
    one.variant = kAutomaticVariant;
    one.backend = one.backendRequested = Place::fromId(place);
    one.threads = place == "cpu" ? 16 : place == "cpu-single" ? 1 : 0;
    one.width = one.height = side;
    one.format = format;
    PlanRequest request;
    request.parameters = findOperation(operation)->description().exampleParameters();
    one.parameters = request.parameters;
    request.format = format;
    request.size = {side, side};
    one.bytesMoved = (*findOperation(operation)->plan(request))->minimalBytes;
    one.time = {9, ms, ms, ms};
    one.agreement.verdict = Verdict::Identical;
    return one;
}

bool isAbout(double found, double wanted) {
    return std::abs(found - wanted) <= 1e-9 * std::abs(wanted);
}

RooflinePoint roofPointOf(const StepTiming& one) {
    return rooflinePoint(one, roofMachine(), kRoofPeaks).value();
}

}  // namespace

class RooflineTest : public QObject {
    Q_OBJECT
  private slots:
    void everyOperationSaysItsWork() {
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            const bool moves = d.id == "crop" || d.id == "flip_rotate";
            for (const PixelFormat format : d.accepts) {
                PlanRequest request;
                request.parameters = d.exampleParameters();
                request.format = format;
                request.size = {40, 30};
                const PlanPtr small = operation->plan(request).value();
                request.size = {80, 60};
                const PlanPtr large = operation->plan(request).value();
                QVERIFY2(std::isfinite(small->work), d.id.c_str());
                QCOMPARE(small->work > 0, !moves && !small->identity);
                if (format != small->output && isFloat(small->output)) continue;
                // In proportion to the pixels; resize has fewer taps at the edges.
                const double room = d.id == "resize" ? 0.1 : 1e-9;
                QVERIFY2(std::abs(large->work - 4 * small->work) <= room * large->work,
                         d.id.c_str());
            }
        }
    }

    void workFollowsTheParameters() {
        const auto work = [](const char* id, const char* parameter, ParamValue value,
                             PixelFormat format = PixelFormat::Gray8) {
            const OperationDescription& d = findOperation(id)->description();
            PlanRequest request;
            ParamSet given;
            given.set(parameter, std::move(value));
            request.parameters = resolveParameters(d.parameters, given).value();
            request.format = format;
            request.size = {10, 10};
            return (*findOperation(id)->plan(request))->work / 100;
        };
        // Two passes of 7 taps, each a multiplication and an addition.
        QCOMPARE(work("gaussian_blur", "size", std::int64_t{7}), 2.0 * 7 * 2);
        QCOMPARE(work("gaussian_blur", "size", std::int64_t{7}, PixelFormat::Rgba8), 3 * 28.0);
        QCOMPARE(work("median", "radius", std::int64_t{1}), 38.0);
        QCOMPARE(work("median", "radius", std::int64_t{2}), 198.0);
        QVERIFY(work("median", "radius", std::int64_t{3}) > 198);
        QCOMPARE(work("box_mean", "radius", std::int64_t{2}),
                 work("box_mean", "radius", std::int64_t{40}));
        QCOMPARE(work("nl_means", "search_radius", std::int64_t{1}), 9.0 * 12 + 1);
    }

    void boundByMemory() {
        // 64 megapixels, in and out: 128 MiB, in no cache.
        const StepTiming one = roofRow("invert", "cpu", 8192, 8192.0 * 8192 * 2 / 87e9 * 1e3);
        const RooflinePoint point = roofPointOf(one);
        QVERIFY(isAbout(point.opsPerByte, 0.5));
        QVERIFY(isAbout(point.gbPerS, 87));
        QVERIFY(isAbout(point.gops, 43.5));
        QVERIFY(isAbout(point.share(), 0.87));
        QVERIFY(point.memoryBound && !point.fitsCache);
        QCOMPARE(whyThatFast(point), std::string("87% of copying: bound by memory"));
    }

    void oneThreadAgainstOneThread() {
        const double ms = 8192.0 * 8192 * 2 / 9e9 * 1e3;
        QVERIFY(isAbout(roofPointOf(roofRow("invert", "cpu-single", 8192, ms)).copyShare, 0.9));
        QVERIFY(isAbout(roofPointOf(roofRow("invert", "cpu", 8192, ms)).copyShare, 0.09));
        QVERIFY(isAbout(roofPointOf(roofRow("invert", "cuda", 8192, ms)).copyShare, 0.009));
    }

    void boundByArithmetic() {
        StepTiming one = roofRow("nl_means", "cuda", 1024, 1);
        const double work = workOf(one);
        QVERIFY(work > 1e9);
        one.time.medianMs = work / (0.41 * 10'000e9) * 1e3;
        const RooflinePoint point = roofPointOf(one);
        QVERIFY(!point.memoryBound);
        QVERIFY(isAbout(point.share(), 0.41));
        QCOMPARE(whyThatFast(point),
                 std::string("41% of the arithmetic peak: bound by arithmetic"));
        // Floats of a CPU have a peak of their own.
        one.backend = Place::fromId("cpu");
        one.time.medianMs = work / 500e9 * 1e3;
        QVERIFY(isAbout(roofPointOf(one).arithmeticShare, 0.25));
        one.format = PixelFormat::GrayF32;
        QVERIFY(isAbout(roofPointOf(one).arithmeticShare, workOf(one) / work / 2));
    }

    void betterInstructionsThanThePeak() {
        StepTiming one = roofRow("nl_means", "cuda", 1024, 1);
        one.time.medianMs = workOf(one) / 13'000e9 * 1e3;
        QVERIFY(whyThatFast(roofPointOf(one)).starts_with("130% of the arithmetic peak: bound by"));
    }

    void boundByNeither() {
        StepTiming one = roofRow("grayscale", "cuda", 64, 0.02, PixelFormat::Rgba8);
        const std::string why = whyThatFast(roofPointOf(one));
        QVERIFY2(why.find("bound by neither (latency, launches or synchronization)") !=
                     std::string::npos,
                 why.c_str());
        QVERIFY(why.starts_with("in the cache and less than 1% of the"));
    }

    void imagesInACache() {
        StepTiming one = roofRow("invert", "cpu", 1024, 1024.0 * 1024 * 2 / 250e9 * 1e3);
        QVERIFY(roofPointOf(one).fitsCache);
        // No per cent of copying where nothing goes through the memory.
        const auto why = [&] { return whyThatFast(roofPointOf(one)); };
        QVERIFY2(why().starts_with("in the cache and "), why().c_str());
        QVERIFY(why().find("copying") == std::string::npos);
        one.time.medianMs *= 3;
        QVERIFY2(why().starts_with("in the cache and "), why().c_str());
        one.cold = true;
        QCOMPARE(why(), std::string("83% of copying: bound by memory"));
        // Faster than copying is not bound by it, whatever the cache is said to hold.
        one.time.medianMs /= 6;
        QVERIFY2(why().starts_with("faster than copying, in part from the cache"), why().c_str());
        QVERIFY(why().find("bound by memory") == std::string::npos);
    }

    // A roof of more threads that is lower, or a rate that wavers, is said to be noisy.
    void roofsThatWaverSaySo() {
        TimingReport report;
        report.machine = roofMachine();
        report.results.push_back(roofRow("invert", "cpu", 1024, 1));
        report.results.push_back(roofRow("invert", "cpu-single", 1024, 1));
        const auto names = [&] {
            std::string all;
            for (const Roof& roof : rooflinePlot(report, kRoofPeaks).roofs) all += roof.name + "|";
            return all;
        };
        QCOMPARE(names(), std::string("16 threads|1 thread|"));
        report.machine.copyIntervalCpu = {60, 110};
        QCOMPARE(names(), std::string("16 threads, copying (noisy: 60 to 110)|1 thread|"));
        report.machine.copyIntervalCpu = {};
        report.machine.copyGbpsCpu = 9;
        QCOMPARE(names(), std::string("16 threads, copying (noisy: less than 1 thread)|1 thread|"));
    }

    void pixelsThatOnlyMove() {
        StepTiming one = roofRow("flip_rotate", "cpu", 8192, 8192.0 * 8192 * 2 / 50e9 * 1e3);
        const RooflinePoint point = roofPointOf(one);
        QCOMPARE(point.gops, 0.0);
        QVERIFY(point.memoryBound);
        QCOMPARE(whyThatFast(point), std::string("50% of copying: bound by memory"));
        one.time.medianMs *= 10;
        QCOMPARE(whyThatFast(roofPointOf(one)), std::string("5% of copying: not bound by memory"));
    }

    void withoutFiguresNothing() {
        const StepTiming good = roofRow("invert", "cpu", 64, 1);
        QVERIFY(rooflinePoint(good, roofMachine(), {}));
        QVERIFY(rooflinePoint(good, {}, kRoofPeaks));
        QVERIFY(!rooflinePoint(good, {}, {}));
        StepTiming bad = good;
        bad.error = "skipped";
        QVERIFY(!rooflinePoint(bad, roofMachine(), kRoofPeaks));
        for (const double ms : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), 1e-320}) {
            bad = good;
            bad.time.medianMs = ms;
            QVERIFY(!rooflinePoint(bad, roofMachine(), kRoofPeaks));
        }
        bad = good;
        bad.operation = "sharpen";
        QCOMPARE(workOf(bad), 0.0);
        bad = good;
        bad.width = -3;
        QCOMPARE(workOf(bad), 0.0);
    }

    void theVariantDoesNotMatter() {
        StepTiming one = roofRow("gaussian_blur", "cpu", 512, 1);
        const double work = workOf(one);
        for (const char* variant : {"direct_2d", "wrong_floor", "of another program"}) {
            one.variant = variant;
            QCOMPARE(workOf(one), work);
        }
    }

    // Figures of this machine are above 0, and no more is said of them.
    void peaksAreMeasured() {
        const MachinePeaks peaks = measurePeaks(BackendSet::cpuOnly("test"), {}).value();
        QVERIFY(peaks.cpuSingle.floatGops > 0 && peaks.cpuSingle.integerGops > 0);
        QVERIFY(peaks.cpu.floatGops > 0 && peaks.cpu.integerGops > 0);
        QCOMPARE(peaks.gpu.floatGops, 0.0);
        qInfo("one thread %.1f float, %.1f integer Gop/s; all cores %.1f, %.1f",
              peaks.cpuSingle.floatGops, peaks.cpuSingle.integerGops, peaks.cpu.floatGops,
              peaks.cpu.integerGops);
        std::stop_source stopped;
        stopped.request_stop();
        RunContext context;
        context.stop = stopped.get_token();
        const auto none = measurePeaks(BackendSet::cpuOnly("test"), context);
        QVERIFY(!none && none.error().code == ErrorCode::Cancelled);
    }

    void chart() {
        TimingReport report;
        report.machine = roofMachine();
        for (const char* operation : {"invert", "gaussian_blur", "nl_means", "crop"})
            for (const char* place : {"cpu-single", "cpu", "cuda"})
                report.results.push_back(roofRow(operation, place, 1024, 1));
        report.results.push_back(roofRow("invert", "cpu", 1024, 1, PixelFormat::GrayF32));
        report.results.front().agreement.verdict = Verdict::Differs;
        const RooflinePlot plot = rooflinePlot(report, kRoofPeaks);
        // crop only moves pixels.
        QCOMPARE(plot.points.size(), std::size_t(3 * 3 + 1));
        QCOMPARE(plot.roofs.size(), std::size_t(3 + 1));
        QCOMPARE(plot.roofs[1].copyGbPerS, 100.0);
        QCOMPARE(plot.roofs[1].peakGops, 2000.0);
        QCOMPARE(plot.roofs[3].peakGops, 1000.0);
        QVERIFY(isAbout(plot.points[0].points[0].x, 0.5));
        QVERIFY(plot.points[0].points[0].doubtful && !plot.points[1].points[0].doubtful);
        QVERIFY(plot.points[2].points[0].figures.find("in the cache") != std::string::npos);

        QXmlStreamReader xml(QByteArray::fromStdString(toSvg(plot)));
        int circles = 0;
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement()) continue;
            if (xml.name() == QLatin1String("circle")) ++circles;
            for (const QXmlStreamAttribute& attribute : xml.attributes())
                QVERIFY(!attribute.value().contains(QLatin1String("nan")) &&
                        !attribute.value().contains(QLatin1String("inf")));
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(circles, 10);
    }

    void chartsOfLittle() {
        for (const std::size_t rows : {0, 1})
            for (const MachinePeaks& peaks : {MachinePeaks{}, kRoofPeaks}) {
                TimingReport report;
                report.machine = roofMachine();
                if (rows) report.results.push_back(roofRow("invert", "cpu", 64, 1));
                const RooflinePlot plot = rooflinePlot(report, peaks);
                QCOMPARE(plot.points.size(), rows);
                const QByteArray svg = QByteArray::fromStdString(toSvg(plot));
                QVERIFY(!svg.contains("nan") && !svg.contains("=\"inf"));
                QCOMPARE(svg.contains("Nothing was measured"), rows == 0);
                QXmlStreamReader xml(svg);
                while (!xml.atEnd()) xml.readNext();
                QVERIFY(!xml.hasError());
            }
    }
};

WARPSCOPE_TEST(RooflineTest)
#include "roofline_test.moc"
