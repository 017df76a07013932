// Reports for a browser: what is in them, and that nothing from a file gets out of its place.
// Sweeps as charts.
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QUrl>
#include <cmath>
#include <random>

#include "engine/report/chart_svg.h"
#include "engine/report/html_report.h"
#include "engine/report/html_rows.h"
#include "engine/report/report_file.h"
#include "engine/report/sweep.h"
#include "engine/report/text_table.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

StepTiming row(const std::string& operation, BackendKind place, int side, double ms) {
    StepTiming one;
    one.operation = operation;
    one.variant = kAutomaticVariant;
    one.backend = one.backendRequested = place;
    one.threads = place == BackendKind::Cpu ? 8 : place == BackendKind::Cuda ? 0 : 1;
    one.width = one.height = side;
    for (int round = 0; round < 7; ++round)
        one.samples.addRound({ms * (1 + 0.001 * round), ms, 1.3 * ms});
    one.endToEnd = one.time = summarizeRounds(one.samples);
    one.endToEndMs = one.time.medianMs;
    one.agreement.verdict = Verdict::Identical;
    return one;
}

TimingReport sampleReport() {
    TimingReport made;
    made.machine.cpu = "Some CPU";
    made.machine.threads = 8;
    made.date = "2026-11-22T10:00:00Z";
    for (const int side : {64, 256}) {
        made.results.push_back(row("median", BackendKind::CpuSingle, side, side * side * 1e-4));
        made.results.push_back(row("median", BackendKind::Cpu, side, side * side * 2e-5));
    }
    return made;
}

TimingReport sweep(const std::vector<double>& values, const std::vector<int>& sides) {
    TimingReport made;
    for (const double value : values)
        for (const int side : sides) {
            StepTiming one = row("gaussian_blur", BackendKind::Cpu, side, value * side);
            one.parameters.set("sigma", value);
            one.parameters.set("size", std::int64_t(0));
            made.results.push_back(std::move(one));
        }
    return made;
}

std::size_t countOf(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

}  // namespace

class HtmlReportTest : public QObject {
    Q_OBJECT

  private slots:
    void whatIsInIt() {
        TimingReport made = sampleReport();
        made.command = {"warpscope-cli", "bench", "--image", "my file.png"};
        const std::string html =
            toHtml({{&made, {}}}, {"median", "radius=1", {64, 64}, "QQ==", "Qg=="});
        for (const char* part :
             {"Some CPU, 8 threads", "<h2 id=\"part1\">Median</h2>", "--image 'my file.png'",
              "took turns", "all cores win against 1 thread", "21 in 7 rounds", "64 x 64 pixels",
              "data:image/png;base64,Qg==", "Conditions around the run are not known"})
            QVERIFY2(html.find(part) != std::string::npos, part);
        QCOMPARE(countOf(html, "<svg class=\"samples\""), made.results.size());
        QCOMPARE(countOf(html, "<th scope=\"row\""), made.results.size());
        // Without pictures, samples and intervals it says less and nothing wrong.
        for (StepTiming& one : made.results) {
            one.samples = {};
            one.time.rounds = 0;
            one.time.lowMs = one.time.highMs = 0;
        }
        const std::string old = toHtml({{&made, {}}});
        QVERIFY(old.find("without rounds") != std::string::npos);
        QCOMPARE(countOf(old, "<svg class="), std::size_t(0));
        QCOMPARE(countOf(old, "data:image"), std::size_t(0));
        QVERIFY(toHtml({{&made, {}}}).size() > 0);
        const TimingReport empty;
        QVERIFY(toHtml({{&empty, {}}}).find("0 rows") != std::string::npos);
    }

    // Variants in the part of their operation alone; tables of a long report folded.
    void whatALongReportShowsFirst() {
        TimingReport made = sampleReport();
        for (const int side : {64, 256}) {
            made.results.push_back(row("median", BackendKind::Cpu, side, side * side * 4e-5));
            made.results.back().variant = "by_hand";
        }
        const auto overview = [](const std::string& html) {
            const std::size_t begin = html.find("id=\"speedups\""), end = html.find("id=\"part1\"");
            return html.substr(begin, end - begin);
        };
        std::string html = toHtml({{&made, {}}});
        QVERIFY(overview(html).find("8 threads") != std::string::npos);
        QCOMPARE(countOf(overview(html), "by_hand"), std::size_t(0));
        QVERIFY(overview(html).find("compared below") != std::string::npos);
        QCOMPARE(countOf(html, "Speedup against the best CPU</text>"), std::size_t(2));
        QCOMPARE(countOf(html, "<details class=\"fold\" open>"), std::size_t(1));
        // Where there is nothing else, they are what is shown.
        for (StepTiming& one : made.results) one.variant = "by_hand";
        html = toHtml({{&made, {}}});
        QVERIFY(countOf(overview(html), "by_hand") > 0);
        QCOMPARE(countOf(html, "compared below"), std::size_t(0));

        while (made.results.size() <= 100)
            made.results.push_back(row("median", BackendKind::CpuSingle, 100, 1));
        html = toHtml({{&made, {}}});
        QCOMPARE(countOf(html, "<details class=\"fold\">"), std::size_t(1));
        QVERIFY(html.find("101 rows: figures") != std::string::npos);
    }

    void gigabytesASecondAreFigures() {
        QCOMPARE(gbPerSText(2502.4), std::string("2502"));
        QCOMPARE(gbPerSText(28.34), std::string("28.3"));
        QCOMPARE(gbPerSText(0), std::string("-"));
    }

    // The shipped run in a window of 1,200 pixels, of which 1,160 are the page's.
    void aWindowOf1200Pixels() {
        const auto shipped = loadTimings(WARPSCOPE_TIMINGS "/h100-2026-11-28.json");
        QVERIFY(shipped);
        const QString html = QString::fromStdString(toHtml({{&*shipped, "h100"}}));
        QVERIFY(html.contains("<br>8-bit colour") && !html.contains(">512x512 Rgba8<"));
        // Charts are made smaller to fit: their letters stay ones that are read.
        static const QRegularExpression chart(
            "<svg xmlns=[^>]* width=\"([0-9]+)\"[^>]* font-size=\"([0-9]+)\"");
        int charts = 0;
        for (auto found = chart.globalMatch(html); found.hasNext(); ++charts) {
            const auto one = found.next();
            const double shrunk = std::min(1.0, 1160 / one.captured(1).toDouble());
            QVERIFY2(one.captured(2).toDouble() * shrunk >= 8.5, qPrintable(one.captured()));
        }
        QVERIFY(charts > 10);

        const QString chromium = QStandardPaths::findExecutable("chromium");
        if (chromium.isEmpty()) QSKIP("the rest needs Chromium");
        const QTemporaryDir folder;
        QFile file(folder.filePath("report.html"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(html.toUtf8());
        // The page, and what is wider than its place; the table of the texts scrolls in its own.
        file.write(
            "<script>const e=document.documentElement;"
            "for(const fold of document.querySelectorAll('.fold'))fold.open=true;"
            "document.title='seen '+(e.scrollWidth-e.clientWidth)+' '+"
            "[...document.querySelectorAll('table.rows,figure')].filter(e=>"
            "e.scrollWidth>e.clientWidth||e.parentElement.scrollWidth>"
            "e.parentElement.clientWidth).length</script>");
        file.close();
        QProcess browser;
        browser.start(chromium,
                      {"--headless", "--no-sandbox", "--disable-gpu",
                       "--user-data-dir=" + folder.filePath("profile"), "--window-size=1200,900",
                       "--dump-dom", QUrl::fromLocalFile(file.fileName()).toString()});
        if (!browser.waitForFinished(40'000) || browser.exitCode() != 0)
            QSKIP("Chromium does not run here");
        const QString seen = QString::fromUtf8(browser.readAllStandardOutput());
        QVERIFY2(seen.contains("<title>seen 0 0</title>"),
                 qPrintable(seen.mid(seen.indexOf("<title>"), 60)));
    }

    // Every text of a file, each with markup of its own.
    void filesAreOnlyText() {
        const std::string evil =
            "</code><script>alert(1)</script>\"'><img src=x onerror=y>&\x01\xFF";
        TimingReport made = sampleReport();
        made.machine.cpu = made.machine.gpu = made.machine.driver = made.machine.simd = evil;
        made.date = made.compiler = made.build = made.commit = made.pinned = evil;
        made.command = {evil, evil};
        made.complete = false;
        made.before.emplace();
        made.before->time = made.before->cpu.kernel = made.before->cpu.governor = evil;
        made.after = made.before;
        for (StepTiming& one : made.results) {
            one.operation = one.variant = one.imageName = one.peer = one.method = evil;
            one.parameters.set(evil, ParamValue(evil));
        }
        made.results.back().error = evil;
        made.results.front().experiment = evil;
        const std::string html = toHtml({{&made, evil}});
        QCOMPARE(countOf(html, "<script"), std::size_t(1));
        QCOMPARE(countOf(html, "<img"), std::size_t(0));
        QCOMPARE(countOf(html, "alert(1)</"), std::size_t(0));
        QCOMPARE(html.find('\x01'), std::string::npos);
        QVERIFY(QString::fromUtf8(html.c_str()).toUtf8() == QByteArray(html.c_str()));
        for (const SlideFile& slide : slidesOf({timePlot({{&made, evil}})}, evil))
            QCOMPARE(countOf(slide.content, "<script"), std::size_t(0));
    }

    // The bars hold all samples, the ones that were interrupted too.
    void histograms() {
        std::mt19937 random(warpscope::test::freshSeed());
        StepTiming one = row("median", BackendKind::Cpu, 64, 1);
        one.samples = {};
        std::vector<double> samples;
        for (int i = 0; i < 200; ++i)
            samples.push_back(std::uniform_real_distribution(1.0, 1.1)(random));
        samples.push_back(50);
        one.samples.addRound(samples);
        const std::string svg = histogramSvg(one);
        QVERIFY(svg.find("201 samples") != std::string::npos);
        QVERIFY(svg.find("the last bar with 1 up to 50") != std::string::npos);
        // 200 even samples over 24 bars: fewer than half of the bars filled does not happen by
        // chance.
        QVERIFY(countOf(svg, "v-") > 12);
        one.samples.ms.assign(201, 2.0);
        QCOMPARE(countOf(histogramSvg(one), "v-"), std::size_t(1));
    }

    void sweepsAreFound() {
        QVERIFY(sweepsOf(sampleReport()).empty());
        QVERIFY(sweepsOf(sweep({1, 2, 3}, {64})).empty());
        TimingReport made = sweep({1, 2, 4, 8}, {64, 256});
        std::vector<Sweep> found = sweepsOf(made);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0].parameter, std::string("sigma"));
        QVERIFY(found[0].logarithmic);
        QVERIFY(!sweepsOf(sweep({1, 2, 3, 4}, {64}))[0].logarithmic);
        // What was asked for is said by the command.
        made.command = {"x", "bench", "--sweep", "gaussian_blur.sigma=1:8:4"};
        QVERIFY(!sweepsOf(made)[0].logarithmic);
        made.command.back() += ":log";
        QVERIFY(sweepsOf(made)[0].logarithmic);
        // Two parameters that differ are none.
        made.results[0].parameters.set("size", std::int64_t(5));
        QVERIFY(sweepsOf(made).empty());
    }

    void sweepsAreDrawn() {
        const TimingReport made = sweep({1, 2, 4, 8, 20}, {64, 256});
        const Plot plot = sweepPlot({{&made, {}}}, sweepsOf(made).at(0));
        QCOMPARE(plot.panels.size(), std::size_t(2));
        QCOMPARE(plot.lines.size(), std::size_t(2));
        QCOMPARE(plot.lines[0].name, std::string("8 threads"));
        for (const PlotLine& line : plot.lines) {
            QCOMPARE(line.points.size(), std::size_t(5));
            for (std::size_t i = 0; i < 5; ++i) {
                const double values[] = {1, 2, 4, 8, 20};
                QCOMPARE(line.points[i].x, values[i]);
                QVERIFY(line.points[i].value > 0);
            }
        }
        // A linear axis begins at 0 where the values do.
        const TimingReport even = sweep({0, 10, 20, 30}, {64});
        const Plot linear = sweepPlot({{&even, {}}}, sweepsOf(even).at(0));
        QVERIFY(linear.xLinear);
        // 0 ms is no point.
        QCOMPARE(linear.lines[0].points.size(), std::size_t(3));
        const ChartPlaces places = placePanels(linear, 0);
        const ChartFrame& frame = places.panels[0].frame;
        QVERIFY(std::abs((frame.x(20) - frame.x(10)) - (frame.x(30) - frame.x(20))) < 1e-9);
        QVERIFY(toSvg(linear).find("Sigma, px</text>") != std::string::npos);
    }

    // Whatever stands on it, a slide is 16:9 and all of it is within.
    void slides() {
        TimingReport made = sampleReport();
        for (const auto& plot : {timePlot({{&made, {}}}), speedupPlot({{&made, {}}}, {})}) {
            const std::string svg = toSlide(plot);
            double width = 0, height = 0;
            const std::size_t at = svg.find("viewBox=\"0 0 ");
            QVERIFY(at != std::string::npos);
            QCOMPARE(std::sscanf(svg.c_str() + at, "viewBox=\"0 0 %lf %lf", &width, &height), 2);
            QVERIFY(std::abs(width / height - 16.0 / 9) < 1e-6);
            for (std::size_t t = svg.find("<text x=\""); t != std::string::npos;
                 t = svg.find("<text x=\"", t + 1)) {
                double x = 0, y = 0;
                QCOMPARE(std::sscanf(svg.c_str() + t, "<text x=\"%lf\" y=\"%lf", &x, &y), 2);
                QVERIFY(x >= 0 && x <= width && y >= 0 && y <= height);
            }
        }
        QCOMPARE(slidesOf({timePlot({{&made, {}}})}, "t").size(), std::size_t(2));
        QVERIFY(slidesOf({Plot()}, "t").empty());
    }
};

WARPSCOPE_TEST(HtmlReportTest)
#include "html_report_test.moc"
