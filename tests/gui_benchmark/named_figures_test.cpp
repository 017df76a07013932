// Figures with their names: recorded ones beside those of the texts, formats, sizes and labels.
#include <QTest>

#include "gui/benchmark/benchmark_series.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/row_series.h"
#include "gui/widgets/engine_text.h"
#include "support/test_case.h"
#include "tests/gui_benchmark/samples.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

QString cellOf(const Sheet& sheet, std::size_t row, const QString& column) {
    for (std::size_t c = 0; c < sheet.columns.size(); ++c)
        if (sheet.columns[c].title == column) return sheet.rows[row][c].text;
    return {};
}

}  // namespace

class NamedFiguresTest : public QObject {
    Q_OBJECT
  private slots:
    // What was recorded of the same step at that size stands beneath, and noise shows its range.
    void recordedRowsStandBesideTheTexts() {
        TimingReport report = reportOf();
        StepTiming row = rowOf("equalize", {512, 512}, BackendKind::CpuSingle, 1, 0.25);
        row.experiment = "equalization";
        row.time.rounds = 9;
        row.time.lowMs = 0.2;
        row.time.highMs = 0.3;
        report.results = {row};
        const auto shipped = shippedEntries();
        QVERIFY(!shipped.empty());
        const Sheet sheet = publishedSheet(&report, shipped);
        const auto lineOf = [](const Sheet& of, const QString& title, const QString& size) {
            for (std::size_t r = 0; r < of.rows.size(); ++r)
                if (cellOf(of, r, QStringLiteral("Experiment")) == title &&
                    cellOf(of, r, QStringLiteral("Size")) == size)
                    return int(r);
            return -1;
        };
        const int ours =
            lineOf(sheet, QStringLiteral("Histogram equalization"), QStringLiteral("512 × 512"));
        QVERIFY(ours >= 0);
        QCOMPARE(cellOf(sheet, std::size_t(ours), QStringLiteral("1 thread\nms")),
                 QStringLiteral("0.250\n0.200 – 0.300"));
        const int there = lineOf(sheet, QStringLiteral("recorded: Histogram equalization"),
                                 QStringLiteral("1,024 × 1,024"));
        QVERIFY(there >= 0);
        QVERIFY(cellOf(sheet, std::size_t(there), QStringLiteral("Measured on"))
                    .contains(QStringLiteral("H100")));
        const StepTiming* gpu = nullptr;
        for (const StepTiming& one : shipped[0].report.results)
            if (one.experiment == "equalization" && one.width == 1024 && one.ofGpu() && !one.cold)
                gpu = &one;
        QVERIFY(gpu);
        QVERIFY(cellOf(sheet, std::size_t(there), QStringLiteral("GPU kernels\nms"))
                    .startsWith(millisecondText(gpu->kernelMs)));
        QVERIFY(notRecordedText(shipped[0]).isEmpty());
        // Without the experiments themselves: no figure of another size, or of a kernel of another
        // size, is put beside.
        std::vector<BenchmarkEntry> plain{shipped[0]};
        std::erase_if(plain[0].report.results, [](const StepTiming& one) {
            return !one.experiment.empty() || one.width == 512;
        });
        const Sheet less = publishedSheet(&report, plain);
        QVERIFY(lineOf(less, QStringLiteral("recorded: Histogram equalization"),
                       QStringLiteral("1,024 × 1,024")) >= 0);
        QCOMPARE(lineOf(less, QStringLiteral("recorded: Histogram equalization"),
                        QStringLiteral("512 × 512")),
                 -1);
        const QString none = notRecordedText(plain[0]);
        for (const char* what : {"Histogram equalization at 512 × 512", "Gaussian filter",
                                 "Non-local means", "h100-2026-11-28.json"})
            QVERIFY2(none.contains(QString::fromUtf8(what)), qPrintable(none));
        QVERIFY(!none.contains(QStringLiteral("1,024")));
        // Each row's command measures it where it was measured: as the text has it, or the same
        // step on the program's scene.
        QCOMPARE(publishedRowCommand(&report, shipped, ours),
                 QStringLiteral("warpscope-cli bench --published --backends cpu-single --cache "
                                "warm"));
        QCOMPARE(publishedRowCommand(&report, shipped, there),
                 QStringLiteral("warpscope-cli bench --published --backends cpu-single,cpu,cuda "
                                "--cache warm"));
        const QString step =
            publishedRowCommand(&report, plain,
                                lineOf(less, QStringLiteral("recorded: Histogram equalization"),
                                       QStringLiteral("1,024 × 1,024")));
        QVERIFY2(step.startsWith(QStringLiteral("warpscope-cli bench --step equalize:")) &&
                     step.endsWith(QStringLiteral("--sizes 1024x1024 --pixels gray --backends "
                                                  "cpu-single,cpu,cuda --cache warm")),
                 qPrintable(step));
        QCOMPARE(publishedRowCommand(&report, plain, int(less.rows.size())), QString());
        QCOMPARE(publishedRowCommand(&report, plain, -1), QString());
        // Nothing stands beneath itself.
        const Sheet itself = publishedSheet(&shipped[0].report, {shipped[0]});
        QCOMPARE(lineOf(itself, QStringLiteral("recorded: Histogram equalization"),
                        QStringLiteral("1,024 × 1,024")),
                 -1);
        QVERIFY(lineOf(itself, QStringLiteral("Histogram equalization"),
                       QStringLiteral("1,024 × 1,024")) >= 0);
    }

    void formatsAreWords() {
        auto entries = std::vector<BenchmarkEntry>(1);
        entries[0].report = reportOf();
        const Sheet sheet = resultSheet(entries);
        QVERIFY(!sheet.rows.empty());
        for (std::size_t r = 0; r < sheet.rows.size(); ++r)
            QVERIFY(
                cellOf(sheet, r, QStringLiteral("Format")).startsWith(QStringLiteral("8-bit ")));
    }

    // Another library has the colour of where it ran, and hollow markers, which the chart explains.
    void peersAreHollow() {
        auto entries = std::vector<BenchmarkEntry>(1);
        entries[0].report = reportOf();
        entries[0].shown = true;
        const auto explained = [&](const ChartContent& content) {
            return std::any_of(content.captions.begin(), content.captions.end(),
                               [](const ChartCaption& one) {
                                   return one.text.contains(QStringLiteral("another library"));
                               });
        };
        const ChartContent ours = chartContent(entries);
        for (const ChartSeries& series : ours.series) QVERIFY(!series.hollow);
        QVERIFY(!explained(ours));
        for (const int side : {256, 1024}) {
            StepTiming peer = rowOf("gaussian_blur", {side, side},
                                    Place::Peer{"opencv", BackendKind::Cpu}, 8, 0.3);
            peer.peer = "OpenCV 4.6.0";
            entries[0].report.results.push_back(peer);
        }
        const ChartContent both = chartContent(entries);
        QVERIFY(explained(both));
        int hollow = 0;
        for (const ChartSeries& series : both.series) {
            if (!series.hollow) continue;
            ++hollow;
            QVERIFY2(series.label().contains(QStringLiteral("OpenCV")), qPrintable(series.label()));
            QCOMPARE(series.ink, PlotInk::AllCores);
        }
        QCOMPARE(hollow, 1);
    }

    // A point says its size where there is room for it; labels go on two lines before they are cut.
    void pointsAndLinesAreNamed() {
        auto entries = shippedEntries();
        entries[0].id = 1;
        entries[0].shown = true;
        const ChartContent roofline = rooflineContent(entries);
        QVERIFY(!roofline.series.empty());
        for (const ChartSeries& series : roofline.series)
            QCOMPARE(std::size_t(series.marks.size()), series.points.size());
        QVERIFY(roofline.series[0].marks.contains(QStringLiteral("4K")));
        LogChart chart;
        ChartContent content;
        content.valueTitle = QStringLiteral("ms");
        content.captions.push_back(
            {QString(400, QLatin1Char('x')).replace(7, 1, QStringLiteral(" ")), Qt::NoPen});
        content.captions[0].text = QStringLiteral("one sentence after the other. ").repeated(9);
        for (int i = 0; i < 3; ++i) {
            ChartSeries series;
            series.id = QString::number(i);
            series.name = std::to_string(i + 1) + " to 16 of 16 threads";
            series.operation = QStringLiteral("Histogram equalization %1").arg(i);
            PlotPoint point;
            point.x = 1e4;
            point.value = 1 + i;
            series.points = {point};
            content.series.push_back(series);
        }
        chart.setContent(content);
        const ChartLayout layout = chart.layoutFor(QSizeF(760, 520));
        QCOMPARE(layout.labelLines, 2);
        QVERIFY(layout.names[1].contains(QLatin1Char('\n')));
        QVERIFY(layout.captionHeights[0] > 1.5 * QFontMetricsF(chartFont(1)).height());
        QVERIFY(layout.frame.bottom() + layout.captionHeights[0] < 520);
    }
};

WARPSCOPE_TEST(NamedFiguresTest)
#include "named_figures_test.moc"
