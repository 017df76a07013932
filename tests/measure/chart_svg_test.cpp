// Charts as files: which lines there are, where things go, and that it is SVG.
#include <QXmlStreamReader>
#include <cmath>
#include <limits>

#include "engine/report/chart_svg.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

StepTiming row(const std::string& operation, const std::string& where, int side, double ms) {
    StepTiming one;
    one.operation = operation;
    one.variant = kAutomaticVariant;
    const Place backend = one.backend = one.backendRequested = Place::fromId(where);
    one.threads = backend == BackendKind::Cpu ? 16 : backend == BackendKind::Cuda ? 0 : 1;
    one.width = one.height = side;
    one.time = {9, ms, 0.9 * ms, 1.2 * ms};
    one.kernelMs = ms;
    one.endToEndMs = backend == BackendKind::Cuda ? 8 * ms : ms;
    one.agreement.verdict = Verdict::Identical;
    return one;
}

// Time in proportion to the pixels: one thread, 8 times, 80 times as fast.
TimingReport report(const std::vector<std::string>& operations = {"median"}) {
    TimingReport made;
    made.machine.cpu = "Some CPU";
    made.machine.threads = 16;
    made.date = "2026-11-21T10:00:00Z";
    for (const int side : {1024, 256, 512})  // not by size
        for (const std::string& operation : operations) {
            const double ms = side * side * 1e-4;
            made.results.push_back(row(operation, "cpu-single", side, ms));
            made.results.push_back(row(operation, "cpu", side, ms / 8));
            made.results.push_back(row(operation, "cuda", side, ms / 80));
        }
    return made;
}

std::vector<PlotLine> linesOf(const Plot& plot, std::size_t panel = 0) {
    std::vector<PlotLine> lines;
    for (const PlotLine& line : plot.lines)
        if (line.panel == panel) lines.push_back(line);
    return lines;
}

std::vector<std::string> namesOf(const Plot& plot, std::size_t panel = 0) {
    std::vector<std::string> names;
    for (const PlotLine& line : linesOf(plot, panel)) names.push_back(line.name);
    return names;
}

struct Drawn {
    QStringList text;
    QStringList strokes;
    int circles = 0;
    bool wellFormed = false;
};

Drawn drawn(const Plot& plot) {
    const std::string svg = toSvg(plot);
    QXmlStreamReader reader(QByteArray(svg.data(), qsizetype(svg.size())));
    Drawn found;
    while (!reader.atEnd()) {
        const auto token = reader.readNext();
        if (token == QXmlStreamReader::Characters && !reader.isWhitespace())
            found.text << reader.text().toString();
        if (token != QXmlStreamReader::StartElement) continue;
        found.circles += reader.name() == QLatin1String("circle");
        if (reader.attributes().hasAttribute("stroke"))
            found.strokes << reader.attributes().value("stroke").toString();
    }
    found.wellFormed = !reader.hasError();
    return found;
}

}  // namespace

class ChartSvgTest : public QObject {
    Q_OBJECT
  private slots:
    void linesAreThoseOfTheRows() {
        const TimingReport ours = report({"median", "box_mean"});
        const Plot plot = timePlot({{&ours, {}}});
        QCOMPARE(plot.panels.size(), std::size_t(2));
        QCOMPARE(plot.panels[0].title(), std::string("Median"));
        QCOMPARE(plot.panels[0].subtitle, std::string("8-bit gray"));
        const std::vector<std::string> names{"1 thread", "16 threads", "GPU kernels",
                                             "GPU end to end"};
        for (const std::size_t panel : {0, 1}) QCOMPARE(namesOf(plot, panel), names);
        const PlotLine kernels = linesOf(plot)[2];
        QCOMPARE(kernels.points.size(), std::size_t(3));
        QCOMPARE(kernels.points[0].x, 65536.0);  // small images first
        QCOMPARE(kernels.points[0].value, 65536e-4 / 80);
        QCOMPARE(linesOf(plot)[3].points[0].value, 65536e-4 / 10);
        QVERIFY(plot.sources[0].find("Some CPU") != std::string::npos);
        QVERIFY(plot.sources[0].find("2026-11-21") != std::string::npos);
    }

    // Said only where there is more than one of it.
    void whatTellsLinesApartIsSaid() {
        TimingReport ours = report();
        ours.results.resize(3);
        for (StepTiming more : std::vector(ours.results)) {
            more.cold = true;
            ours.results.push_back(more);
        }
        ours.results[1].variant = "quick";
        ours.results[0].parameters.set("radius", std::int64_t(2));
        ours.results[4].format = PixelFormat::Rgba8;
        const Plot plot = timePlot({{&ours, {}}});
        const auto names = namesOf(plot);
        QCOMPARE(names[0], std::string("1 thread, radius=2, 8-bit gray, warm"));
        QCOMPARE(names[1], std::string("16 threads, quick, 8-bit gray, warm"));
        const auto lines = linesOf(plot);
        QVERIFY(lines[1].thin && !lines[0].thin);
        QVERIFY(names[4].ends_with(", cold"));
        QVERIFY(lines[4].cold);
        QCOMPARE(plot.panels[0].subtitle, std::string());
    }

    void experimentsStandApart() {
        TimingReport ours = report();
        StepTiming experiment = row("median", "cpu", 256, 3);
        experiment.experiment = "some_table";
        ours.results.push_back(experiment);
        const Plot plot = timePlot({{&ours, {}}});
        QCOMPARE(plot.panels.size(), std::size_t(2));
        QCOMPARE(plot.panels[1].title(), std::string("Median, source text (some_table)"));
    }

    void peersAreHollowAndInNoSpeedup() {
        TimingReport ours = report();
        StepTiming peer = row("median", "other", 256, 0.001);
        peer.peer = "Other 1.0";
        peer.agreement.verdict = Verdict::Differs;
        ours.results.push_back(peer);
        const Plot time = timePlot({{&ours, {}}});
        const PlotLine line = linesOf(time).back();
        QCOMPARE(line.name, std::string("Other 1.0, 1 thread"));
        QVERIFY(line.hollow);
        QVERIFY(!line.points[0].doubtful);  // it computes something else: nothing of ours is wrong
        QVERIFY(drawn(time).text.contains("another library"));
        QCOMPARE(namesOf(speedupPlot({{&ours, {}}}, BackendKind::CpuSingle)).size(),
                 std::size_t(3));
    }

    void speedupsNameBothSides() {
        const TimingReport ours = report();
        const Plot single = speedupPlot({{&ours, {}}}, BackendKind::CpuSingle);
        QCOMPARE(single.title, std::string("Speedup against the same algorithm on 1 thread"));
        QVERIFY(single.unityLine);
        QCOMPARE(namesOf(single),
                 (std::vector<std::string>{"16 threads", "GPU kernels", "GPU end to end"}));
        const double factors[] = {8, 80, 10};
        const auto lines = linesOf(single);
        for (std::size_t i = 0; i < 3; ++i)
            for (const PlotPoint& point : lines[i].points)
                QVERIFY(std::abs(point.value - factors[i]) < 1e-9);
        const Plot cores = speedupPlot({{&ours, {}}}, BackendKind::Cpu);
        QCOMPARE(cores.title, std::string("Speedup against the same algorithm on 16 threads"));
        QCOMPARE(namesOf(cores), (std::vector<std::string>{"GPU kernels", "GPU end to end"}));
        const PlotPoint kernels = linesOf(cores)[0].points[0];
        QVERIFY(std::abs(kernels.value - 10) < 1e-9);
        QVERIFY(kernels.figures.find("against 16 threads") != std::string::npos);
        // Machines with other numbers of threads: every line names its own.
        TimingReport wider = report();
        for (StepTiming& one : wider.results)
            if (one.threads == 16) one.threads = 64;
        const Plot both = speedupPlot({{&ours, {}}, {&wider, {}}}, BackendKind::Cpu);
        QCOMPARE(both.title, std::string("Speedup against the same algorithm on all cores"));
        QCOMPARE(namesOf(both)[2], std::string("GPU kernels against 64 threads (B)"));
    }

    // All lines against the fastest of the CPU, which is 1x itself, whatever its variant.
    void oneBaselineAgainstTheBest() {
        TimingReport ours = report();
        ours.results.push_back(row("median", "cpu", 256, 65536e-4 / 16));
        ours.results.back().variant = "quick";
        ours.results.push_back(row("median", "cuda", 256, 65536e-4 / 160));
        ours.results.back().variant = "quick";
        // There one thread is the fastest.
        for (StepTiming& one : ours.results)
            if (one.width == 512 && one.backend == BackendKind::Cpu) one.time.medianMs *= 80;
        const Plot plot = speedupPlot({{&ours, {}}}, {});
        QCOMPARE(plot.title, std::string("Speedup against the best CPU"));
        const auto valuesOf = [&](const std::string& name) {
            for (const PlotLine& line : plot.lines)
                if (line.name == name) {
                    std::vector<double> values;
                    for (const PlotPoint& point : line.points)
                        values.push_back(std::round(1e6 * point.value) / 1e6);
                    return values;
                }
            return std::vector<double>{-1};
        };
        using Values = std::vector<double>;
        QCOMPARE(valuesOf("1 thread"), (Values{1.0 / 16, 1, 1.0 / 8}));
        QCOMPARE(valuesOf("16 threads"), (Values{0.5, 0.1, 1}));
        QCOMPARE(valuesOf("16 threads, quick"), Values{1});
        QCOMPARE(valuesOf("GPU kernels"), (Values{5, 80, 10}));
        QCOMPARE(valuesOf("GPU kernels, quick"), Values{10});
        for (const PlotLine& line : plot.lines)
            for (const PlotPoint& point : line.points)
                QVERIFY(point.row < ours.results.size() &&
                        point.x == double(ours.results[point.row].width) *
                                       double(ours.results[point.row].height));
    }

    // The range of a ratio is none of a median; a noisy side has its ring.
    void legendOfSpeedups() {
        TimingReport ours = report();
        for (StepTiming& one : ours.results) {
            one.time.lowMs = 0.8 * one.time.medianMs;
            one.time.highMs = 1.2 * one.time.medianMs;
        }
        const QStringList text = drawn(speedupPlot({{&ours, {}}}, {})).text;
        QVERIFY(text.contains("what the speedup may be"));
        QVERIFY(text.filter("noisy: a side").size() == 1);
        QVERIFY(text.filter("95%").isEmpty());
    }

    // Where fewer threads worked than were offered, the name of the line says so.
    void namesSayHowManyThreadsWorked() {
        TimingReport ours = report();
        for (StepTiming& one : ours.results)
            if (one.backend == BackendKind::Cpu) one.threadsWorked = one.width == 256 ? 1 : 16;
        QCOMPARE(namesOf(timePlot({{&ours, {}}}))[1], std::string("1 to 16 of 16 threads"));
        for (StepTiming& one : ours.results)
            if (one.backend == BackendKind::Cpu) one.threadsWorked = 1;
        const Plot plot = timePlot({{&ours, {}}});
        QCOMPARE(namesOf(plot)[1], std::string("1 of 16 threads"));
        QVERIFY(linesOf(plot)[1].points[0].figures.find("16 threads offered, 1 worked") !=
                std::string::npos);
        for (const StepTiming& one : ours.results)
            if (one.backend == BackendKind::Cpu)
                QCOMPARE(placeText(one), std::string("1 of 16 threads"));
    }

    // A machine with one core has one thread and all cores, which are two things.
    void allCoresOfOneCoreAreNotOneThread() {
        TimingReport ours = report();
        for (StepTiming& one : ours.results)
            if (one.backend == BackendKind::Cpu) one.threads = 1;
        const auto lines = linesOf(timePlot({{&ours, {}}}));
        QCOMPARE(lines[0].name, std::string("1 thread"));
        QCOMPARE(lines[0].ink, PlotInk::SingleThread);
        QCOMPARE(lines[1].name, std::string("all cores (1)"));
        QCOMPARE(lines[1].ink, PlotInk::AllCores);
    }

    // Everything of everybody, for one chart: lines say what panels would have said.
    void everythingInOneChart() {
        const TimingReport ours = report();
        TimingReport theirs = report({"median", "box_mean"});
        theirs.results.push_back(row("median", "cpu", 256, 3));
        theirs.results.back().experiment = "some_table";
        const Plot plot = timePlot({{&ours, {}, "A"}, {&theirs, {}, "F"}}, PlotScope::Everything);
        QCOMPARE(plot.panels.size(), std::size_t(3));
        QCOMPARE(namesOf(plot, 1)[0], std::string("1 thread (F)"));
        QCOMPARE(namesOf(plot, 2)[0], std::string("16 threads, source text (F)"));
        QVERIFY(linesOf(plot, 2)[0].aside && !linesOf(plot, 1)[0].aside);
        QVERIFY(plot.sources[1].starts_with("F: Some CPU"));
    }

    // A result that does not agree shows no speedup, whichever side it is on.
    void noSpeedupWhereResultsDiffer() {
        TimingReport ours = report();
        for (StepTiming& one : ours.results)
            if (one.backend == BackendKind::Cuda && one.width == 512)
                one.agreement.verdict = Verdict::Differs;
        const Plot plot = speedupPlot({{&ours, {}}}, BackendKind::CpuSingle);
        QCOMPARE(linesOf(plot)[1].points.size(), std::size_t(2));
        const Plot time = timePlot({{&ours, {}}});
        QVERIFY(linesOf(time)[2].points[1].doubtful);
        QVERIFY(drawn(time).strokes.contains("#c02020"));
        // With a baseline that is wrong, nothing is against the other one instead.
        for (StepTiming& one : ours.results)
            if (one.backend == BackendKind::CpuSingle && one.width == 256)
                one.agreement.verdict = Verdict::Differs;
        for (const PlotLine& line : linesOf(speedupPlot({{&ours, {}}}, BackendKind::CpuSingle)))
            QCOMPARE(line.points.size(), std::size_t(line.ink == PlotInk::AllCores ? 2 : 1));
        for (StepTiming& one : ours.results)
            if (one.backend == BackendKind::CpuSingle) one.agreement.verdict = Verdict::Differs;
        QVERIFY(speedupPlot({{&ours, {}}}, BackendKind::CpuSingle).empty());
    }

    // Other parameters are another thing, and what only they have is no business of ours.
    void beside() {
        const TimingReport ours = report();
        TimingReport theirs = report({"median", "box_mean"});
        StepTiming other = row("median", "cpu", 256, 1);
        other.parameters.set("radius", std::int64_t(5));
        theirs.results.push_back(other);
        const Plot plot = timePlot({{&ours, "ours.json"}, {&theirs, "theirs.json"}});
        QCOMPARE(plot.panels.size(), std::size_t(1));
        const auto lines = linesOf(plot);
        QCOMPARE(lines.size(), std::size_t(8));
        QCOMPARE(lines[0].name, std::string("1 thread (A)"));
        QCOMPARE(lines[7].name, std::string("GPU end to end (B)"));
        QVERIFY(lines[7].source == 1 && lines[0].source == 0);
        QCOMPARE(plot.panels[0].subtitle, std::string("8-bit gray"));
        QVERIFY(plot.sources[1].starts_with("B: theirs.json: Some CPU"));
        QVERIFY(plot.sources[1].find("nothing alike") == std::string::npos);
        const TimingReport blur = report({"gaussian_blur"});
        const Plot none = timePlot({{&ours, {}}, {&blur, {}}});
        QVERIFY(none.sources[1].find("nothing alike") != std::string::npos);
        QCOMPARE(none.panels.size(), std::size_t(1));
        // As letters go.
        std::vector<PlotSource> many(28, {&ours, {}});
        QVERIFY(timePlot(many).sources[27].starts_with("AB: "));
    }

    void rowsWithoutFiguresGiveNothing() {
        TimingReport ours = report();
        for (StepTiming& one : ours.results) one.error = "skipped: no driver";
        QVERIFY(timePlot({{&ours, {}}}).empty());
        QVERIFY(drawn(timePlot({{&ours, {}}})).wellFormed);
        QVERIFY(timePlot({}).empty());
    }

    void inksAreThoseOfTheBackends() {
        const TimingReport ours = report();
        const Drawn found = drawn(timePlot({{&ours, {}}}));
        QVERIFY(found.wellFormed);
        QCOMPARE(found.circles, 4 * 3);
        for (const char* ink : {"#787878", "#0072b2", "#008662", "#5cb19b"})
            QVERIFY2(found.strokes.count(ink) >= 1 + 3, ink);  // a line and its markers
        QVERIFY(!found.strokes.contains("#c02020"));
    }

    void namesAreEscaped() {
        TimingReport ours = report();
        ours.machine.cpu = "<i> & \"\x01\xff\xc3\xa4";
        const Drawn found = drawn(timePlot({{&ours, "a<b>.json"}}));
        QVERIFY(found.wellFormed);
        QVERIFY2(found.text.filter("<i> & \"\uFFFDä").size() == 1,
                 qPrintable(found.text.join("; ")));
        QCOMPARE(svgEscaped("a\xE2\x82"), std::string("a\xEF\xBF\xBD\xEF\xBF\xBD"));  // cut
        QCOMPARE(svgEscaped("\xC0\x80\xED\xA0\x80"),
                 std::string("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
        QCOMPARE(svgEscaped("\xEF\xBF\xBF"), svgEscaped("\xFF\xFF\xFF"));  // XML has no U+FFFF
        QCOMPARE(svgEscaped("\xF0\x9F\x98\x80"), std::string("\xF0\x9F\x98\x80"));
    }

    // Twelve lines that end in the same place, nine operations: every name has a line of its own,
    // within the picture, and no panel reaches into another.
    void nothingOverlaps() {
        TimingReport ours;
        for (const char* operation : {"a", "b", "c", "d", "e", "f", "g", "h", "i"})
            for (int variant = 0; variant < 12; ++variant)
                for (const int side : {100, 4000}) {
                    ours.results.push_back(row(operation, "cpu", side, 1 + 0.001 * variant));
                    ours.results.back().variant = "variant_" + std::to_string(variant);
                }
        const Plot plot = timePlot({{&ours, {}}});
        const ChartPlaces places = placePanels(plot, 40);
        QCOMPARE(places.panels.size(), std::size_t(9));
        for (std::size_t i = 0; i < places.panels.size(); ++i) {
            const PanelPlace& place = places.panels[i];
            QCOMPARE(place.labels.size(), std::size_t(12));
            const ChartFrame& frame = place.frame;
            double last = frame.top - kChartLine / 2;
            for (const ChartLabel& label : place.labels) {
                QVERIFY(label.y - last > kChartLine - 1e-6);
                last = label.y;
                const double end =
                    frame.right() + 18 + kChartFont * svgTextWidth(place.lines[label.line]->name);
                QVERIFY(end <= places.width);
                if (i % 3 < 2) QVERIFY(end < places.panels[i + 1].frame.left);
            }
            QVERIFY(last <= frame.bottom());
            if (i + 3 < places.panels.size())
                QVERIFY(frame.bottom() + 2 * kChartLine <
                        places.panels[i + 3].frame.top - kChartLine);
            QCOMPARE(place.firstColumn, i % 3 == 0);
            QCOMPARE(place.lastRow, i >= 6);
        }
    }

    void axesAreLogarithmic() {
        const TimingReport ours = report();
        const Plot plot = timePlot({{&ours, {}}});
        const ChartFrame frame = placePanels(plot, 0).panels[0].frame;
        const double decade = frame.x(1e6) - frame.x(1e5);
        QVERIFY(decade > 0);
        QVERIFY(std::abs(frame.x(1e5) - frame.x(1e4) - decade) < 1e-9);
        QVERIFY(frame.y(10) < frame.y(1));  // upwards
        QVERIFY(frame.x(65536) > frame.left);
        QVERIFY(frame.x(1 << 20) < frame.right());
    }

    void ticks() {
        QCOMPARE(logTicks({-2.1, 3.2}, 10), (std::vector<double>{0.01, 0.1, 1, 10, 100, 1000}));
        QCOMPARE(logTicks({-2.1, 3.2}, 3), (std::vector<double>{0.01, 1, 100}));
        QCOMPARE(logTicks({0.2, 1.1}, 10), (std::vector<double>{2, 5, 10}));
        QCOMPARE(logTicks({-2.1, 2.1}, 6), (std::vector<double>{0.01, 0.1, 1, 10, 100}));
        QCOMPARE(logTicks({-0.2, 0.8}, 6), (std::vector<double>{1, 2, 5}));
        const std::pair<double, const char*> texts[] = {
            {0.001, "0.001"},  {0.5, "0.5"},    {1, "1"},         {20, "20"},
            {1000, "1,000"},   {2000, "2,000"}, {5e5, "500,000"}, {2e6, "2,000,000"},
            {1e200, "1e+200"}, {1e-9, "1e-09"}};
        for (const auto& [value, text] : texts) QCOMPARE(tickText(value), std::string(text));
    }

    void figuresBeyondReason() {
        TimingReport ours = report();
        for (StepTiming& one : ours.results)
            if (one.backend == BackendKind::CpuSingle)
                one.time.medianMs = 1e308;
            else
                one.time.medianMs = one.kernelMs = 1e-300;  // a speedup beyond a double
        QCOMPARE(namesOf(speedupPlot({{&ours, {}}}, BackendKind::CpuSingle)),
                 std::vector<std::string>{"GPU end to end"});
        for (const Plot& plot :
             {timePlot({{&ours, {}}}), speedupPlot({{&ours, {}}}, BackendKind::CpuSingle)}) {
            QVERIFY(!plot.empty());
            QVERIFY(drawn(plot).wellFormed);
            const std::string svg = toSvg(plot);
            QVERIFY(svg.find("nan") == std::string::npos && svg.find("inf") == std::string::npos);
        }
    }

    void endlessPercentilesAreNone() {
        TimingReport ours = report();
        for (StepTiming& one : ours.results)
            one.time.p90Ms = std::numeric_limits<double>::infinity();
        const Plot plot = timePlot({{&ours, {}}});
        QCOMPARE(plot.lines.size(), std::size_t(4));
        for (const PlotLine& line : plot.lines)
            for (const PlotPoint& point : line.points) QVERIFY(!point.hasSpread());
        QVERIFY(placePanels(plot, 0).panels[0].frame.axes.values.high < 10);
    }

    // One size gives points and no line; equal figures still have an axis.
    void aSingleSize() {
        TimingReport ours = report();
        ours.results.resize(1);
        const Plot plot = timePlot({{&ours, {}}});
        const LogRange values = placePanels(plot, 0).panels[0].frame.axes.values;
        QVERIFY(values.high - values.low > 0.59);
        const Drawn found = drawn(plot);
        QVERIFY(found.wellFormed);
        QCOMPARE(found.circles, 1);
    }
};

WARPSCOPE_TEST(ChartSvgTest)
#include "chart_svg_test.moc"
