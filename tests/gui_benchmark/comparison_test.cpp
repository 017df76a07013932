// Any two sides beside each other, by real keys: machines, places, variants and sizes.
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>

#include "gui/benchmark/benchmark_window.h"
#include "gui/benchmark/comparison_page.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/pairing.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/bench_command.h"
#include "gui/widgets/theme.h"
#include "support/test_case.h"
#include "tests/gui_benchmark/bench_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class ComparisonTest : public QObject {
    Q_OBJECT

    struct Bench : gui::Bench {
        // By the keyboard, as a person would.
        bool choose(const char* name, const QString& text) {
            auto* box = part<QComboBox>(name);
            const int at = box->findText(text);
            if (at < 0) return false;
            box->setFocus();
            while (box->currentIndex() < at) QTest::keyClick(box, Qt::Key_Down);
            while (box->currentIndex() > at) QTest::keyClick(box, Qt::Key_Up);
            return box->currentText() == text;
        }
        QString cell(std::size_t row, const QString& title) {
            const Sheet& sheet = part<SheetView>("comparisonTable")->sheet();
            for (std::size_t c = 0; c < sheet.columns.size(); ++c)
                if (sheet.columns[c].title == title) return sheet.rows.at(row)[c].text;
            return QStringLiteral("no such column");
        }
        std::size_t rows() { return part<SheetView>("comparisonTable")->sheet().rows.size(); }
    };

    static BenchmarkEntry entryOf(TimingReport report) {
        BenchmarkEntry entry;
        entry.id = 1;
        entry.report = std::move(report);
        return entry;
    }

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void twoPlacesOfOneFileAreCompared() {
        Bench b;
        QVERIFY(b.open(reportOf(), "a.json"));
        b.window.showPage(BenchmarkPage::Comparison);
        QCOMPARE(b.rows(), std::size_t(0));
        QVERIFY(b.choose("compareFirstPlace", QStringLiteral("GPU")));
        QVERIFY(b.choose("compareSecondPlace", QStringLiteral("8 threads")));
        QCOMPARE(b.rows(), std::size_t(2));
        // 0.2 over 0.01 ms, at both sizes; 0.2 over 0.52 end to end at the small one.
        const RowPair first = b.window.findChild<ComparisonPage*>()->pairing().rows.at(0);
        QCOMPARE(first.left.backendRequested, Place(BackendKind::Cuda));
        QCOMPARE(first.right.backendRequested, Place(BackendKind::Cpu));
        QVERIFY(qAbs(first.ratio - 20) < 1e-9);
        QVERIFY(qAbs(first.endToEndRatio - 0.2 / 0.52) < 1e-9);
        QVERIFY(b.cell(0, QStringLiteral("Where")).contains(QStringLiteral("8 threads")));
        QVERIFY(b.part<LogChart>("ratioChart")->isVisible());
        QCOMPARE(b.part<LogChart>("ratioChart")->content().series.size(), std::size_t(2));
        QVERIFY(b.part<QWidget>("saveChart")->isVisible());
    }

    void aFixedPairOfSizes() {
        Bench b;
        QVERIFY(b.open(reportOf(), "a.json"));
        b.window.showPage(BenchmarkPage::Comparison);
        QVERIFY(b.choose("compareFirstSize", QStringLiteral("256 × 256")));
        QVERIFY(b.choose("compareSecondSize", QStringLiteral("1,024 × 1,024")));
        QCOMPARE(b.rows(), std::size_t(3));
        for (const RowPair& pair : b.window.findChild<ComparisonPage*>()->pairing().rows) {
            QVERIFY(qAbs(pair.ratio - 16) < 1e-9);
            QCOMPARE(pair.left.backendRequested, pair.right.backendRequested);
        }
    }

    void equalPlacesAreTheDefault() {
        TimingReport slow = reportOf("Other GPU");
        for (StepTiming& row : slow.results) row.time.medianMs *= 3;
        const BenchmarkEntry a = entryOf(reportOf()), c = entryOf(slow);
        const Pairing pairing = pairRows({&a}, {&c});
        QCOMPARE(pairing.rows.size(), a.report.results.size());
        for (const RowPair& pair : pairing.rows) {
            QVERIFY(qAbs(pair.ratio - 3) < 1e-9);
            QCOMPARE(pair.left.backendRequested, pair.right.backendRequested);
            QCOMPARE(pair.left.width, pair.right.width);
        }
        QVERIFY(qAbs(pairing.geometricMean - 3) < 1e-9);
        QCOMPARE(pairing.onlyLeft + pairing.onlyRight, std::size_t(0));
    }

    void whatDiffersDoesNotPair_data() {
        QTest::addColumn<int>("what");
        for (int what = 0; what < 5; ++what) QTest::addRow("%d", what) << what;
    }
    void whatDiffersDoesNotPair() {
        QFETCH(int, what);
        TimingReport other = reportOf();
        for (StepTiming& row : other.results) {
            if (what == 0) row.operation = "box_mean";
            if (what == 1) row.parameters.set("sigma", 2.5);
            if (what == 2) row.format = PixelFormat::Rgba8;
            if (what == 3) row.cold = true;
            if (what == 4) row.width += 1;
        }
        const BenchmarkEntry a = entryOf(reportOf()), c = entryOf(other);
        const ComparedSide left{&a}, right{&c};
        const Pairing pairing = pairRows(left, right);
        QVERIFY(pairing.rows.empty());
        QCOMPARE(pairing.onlyLeft, a.report.results.size());
        QCOMPARE(pairing.onlyRight, c.report.results.size());
        const QString said = pairingSummary(pairing, left, right);
        QVERIFY2(said.contains(QStringLiteral("Left has: 1 thread, 8 threads, GPU")),
                 qPrintable(said));
        QVERIFY(pairingChart(pairing, left, right).series.empty());
    }

    // Kernels alone and end to end are two means, and noise is counted and drawn.
    void meansAreApartAndNoiseIsSaid() {
        TimingReport report = reportOf();
        report.results[1].time.rounds = 9;
        report.results[1].time.lowMs = 0.8 * report.results[1].time.medianMs;
        report.results[1].time.highMs = 1.2 * report.results[1].time.medianMs;
        const BenchmarkEntry a = entryOf(report);
        ComparedSide left{&a}, right{&a};
        left.place = BackendKind::Cuda;
        right.place = BackendKind::Cpu;
        const Pairing pairing = pairRows(left, right);
        const QString said = pairingSummary(pairing, left, right);
        QVERIFY2(said.contains(QStringLiteral("kernels alone 20x (2 results, 1 of them noisy)")) &&
                     said.contains(QStringLiteral("end to end ")),
                 qPrintable(said));
        QCOMPARE(pairing.rows.at(0).note, QStringLiteral("noisy: right"));
        QVERIFY(pairing.rows.at(1).note.isEmpty());
        int rings = 0;
        for (const ChartSeries& series : pairingChart(pairing, left, right).series)
            for (const PlotPoint& point : series.points) {
                rings += point.noisy;
                QCOMPARE(point.hasSpread(), point.noisy);
            }
        QCOMPARE(rings, 2);
    }

    void variantsAreComparedAcross() {
        TimingReport report = reportOf();
        for (StepTiming row : reportOf().results) {
            row.variant = "direct_2d";
            row.time.medianMs *= 5;
            report.results.push_back(row);
        }
        const BenchmarkEntry a = entryOf(report);
        ComparedSide left{&a}, right{&a};
        right.variant = "direct_2d";
        left.variant = "automatic";
        const Pairing pairing = pairRows(left, right);
        QCOMPARE(pairing.rows.size(), std::size_t(6));
        for (const RowPair& pair : pairing.rows) QVERIFY(qAbs(pair.ratio - 5) < 1e-9);
    }

    void filesOfOneMachineHaveTwoNames() {
        Bench b;
        QVERIFY(b.open(reportOf(), "monday.json"));
        QVERIFY(b.open(reportOf(), "tuesday.json"));
        const auto& entries = b.window.reports().entries();
        QVERIFY(machineLabel(entries[0]).contains(QStringLiteral("monday.json")));
        QVERIFY(machineLabel(entries[1]).contains(QStringLiteral("tuesday.json")));
        QVERIFY(machineLabel(entries[1]).contains(QStringLiteral("2026-01-02")));
        const ChartContent content = chartContent(entries);
        const ChartSeries *first = nullptr, *second = nullptr;
        for (const ChartSeries& series : content.series) {
            if (series.ink != PlotInk::AllCores) continue;
            (series.source == 0 ? first : second) = &series;
        }
        QVERIFY(first && second);
        QVERIFY(first->pen != second->pen);
        QVERIFY(chartColor(first->ink, first->tint) != chartColor(second->ink, second->tint));
        QVERIFY(first->machine != second->machine);
    }

    void theCommandOfEachSideIsCopied() {
        Bench b;
        QVERIFY(b.open(reportOf(), "a.json"));
        b.window.showPage(BenchmarkPage::Comparison);
        QVERIFY(b.choose("compareFirstPlace", QStringLiteral("GPU")));
        QVERIFY(b.choose("compareSecondPlace", QStringLiteral("1 thread")));
        auto* sheet = b.part<SheetView>("comparisonTable");
        const QPoint at = sheet->visualRect(sheet->model()->index(0, 0)).center();
        QTest::mouseClick(sheet->viewport(), Qt::LeftButton, {}, at);
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, sheet->viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(sheet->viewport(), &event);
        auto* menu = b.part<QMenu>("sheetMenu");
        QVERIFY(menu);
        auto* action = menu->findChild<QAction*>(QStringLiteral("copyCommandRight"));
        QVERIFY(action);
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 commandLineOf(b.window.findChild<ComparisonPage*>()->pairing().rows[0].right));
        QVERIFY(
            QGuiApplication::clipboard()->text().contains(QStringLiteral("--backends cpu-single")));
    }
};

WARPSCOPE_TEST(ComparisonTest)
#include "comparison_test.moc"
