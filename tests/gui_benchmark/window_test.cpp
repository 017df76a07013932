// The benchmark window by real keys and clicks: running, pausing, cancelling, closing, files.
#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QImageReader>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QSvgRenderer>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <cmath>

#include "engine/report/report_file.h"
#include "engine/report/report_text.h"
#include "gui/app/benchmark_controller.h"
#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/benchmark/chart_page.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/run_strip.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/theme.h"
#include "support/test_case.h"
#include "tests/gui/window_fixture.h"
#include "tests/gui_benchmark/bench_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class WindowTest : public QObject {
    Q_OBJECT

    struct Bench : gui::Bench {
        Bench() : gui::Bench({1200, 760}) {}
        QPushButton* button(const char* name) { return part<QPushButton>(name); }
        QListWidget* list() { return part<QListWidget>("benchmarkResults"); }
        SheetView* sheet(const char* name) { return part<SheetView>(name); }
        QCheckBox* box(const char* name) { return part<QCheckBox>(name); }
        LogChart* chart() { return part<LogChart>("timeChart"); }
        bool rowsCame(std::size_t rows) {
            return waitedFor(
                [&] {
                    return !window.reports().entries().empty() &&
                           window.reports().entries().back().report.results.size() >= rows;
                },
                30000);
        }
    };

    // What would take minutes.
    static void chooseLong(Bench& b) {
        b.choose({"nl_means", "median"}, {{512, 512}, {1024, 1024}}, 60000);
    }

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void aRunFillsChartsAndTables() {
        Bench b;
        b.choose({"grayscale", "gaussian_blur"}, {{64, 64}, {128, 128}});
        QSignalSpy running(&b.window, &BenchmarkWindow::runningChanged);
        b.click("startBenchmark");
        QVERIFY(!b.button("startBenchmark")->isEnabled());
        QVERIFY(b.button("cancelBenchmark")->isEnabled());
        QVERIFY(b.finished());
        QCOMPARE(b.window.messages().text(), QString());
        QCOMPARE(running.count(), 2);
        QCOMPARE(running.first().first().toBool(), true);
        QVERIFY(b.button("startBenchmark")->isEnabled());
        const TimingReport& report = b.last();
        QCOMPARE(report.results.size(), std::size_t(8));
        for (const StepTiming& row : report.results) {
            QVERIFY(row.measured());
            QVERIFY(row.agreement.allowsSpeedup());
        }
        QVERIFY(!report.machine.cpu.empty() && !report.date.empty());
        QVERIFY(report.machine.copyGbpsCpu > 0);
        QTRY_COMPARE(b.chart()->content().series.size(), std::size_t(4));
        for (const ChartSeries& series : b.chart()->content().series)
            QCOMPARE(series.points.size(), std::size_t(2));
        b.window.showPage(BenchmarkPage::Results);
        QCOMPARE(b.sheet("resultTable")->sheet().rows.size(), std::size_t(8));
        b.window.showPage(BenchmarkPage::BreakEven);
        // What is so small that one thread does the work is no race.
        QVERIFY(b.sheet("breakEvenTable")->sheet().rows.size() <= 2);
        QCOMPARE(b.list()->count(), 1);
        QVERIFY(b.list()->item(0)->text().contains(QStringLiteral("This machine")));
    }

    void theImageAtHandIsTimed() {
        Bench b;
        b.choose({"median"}, {});
        QVERIFY(!b.button("startBenchmark")->isEnabled());
        b.window.setImage(sceneOf({96, 64}), QStringLiteral("picture.png"));
        QTest::mouseClick(b.box("imageAtHand"), Qt::LeftButton, {}, QPoint(8, 8));
        QVERIFY(b.button("startBenchmark")->isEnabled());
        QTest::keyClick(&b.window, Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(b.window.thread().running());
        QVERIFY(b.finished());
        QCOMPARE(b.window.messages().text(), QString());
        QCOMPARE(b.last().results.size(), std::size_t(2));
        QCOMPARE(b.last().results[0].imageName, std::string("picture.png"));
        QCOMPARE(b.last().results[0].width, 96);
        QVERIFY(isColor(b.last().results[0].format));
    }

    void aPauseStopsFiguresAndResumes() {
        Bench b;
        // Rows that last: after the first there is still much to pause.
        b.choose({"nl_means"}, {{256, 256}, {288, 288}, {320, 320}, {352, 352}, {384, 384}}, 150);
        b.click("startBenchmark");
        QVERIFY(b.rowsCame(1));
        b.click("pauseBenchmark");
        QCOMPARE(b.button("pauseBenchmark")->text(), QStringLiteral("&Resume"));
        const auto state = [&] {
            return b.window.findChild<QWidget*>(QStringLiteral("benchmarkState"));
        };
        QVERIFY(state());
        QTest::qWait(300);  // the sample at hand
        const std::size_t before = b.last().results.size();
        QTest::qWait(800);
        QCOMPARE(b.last().results.size(), before);
        QVERIFY(b.window.thread().running());
        b.click("pauseBenchmark");
        QCOMPARE(b.button("pauseBenchmark")->text(), QStringLiteral("&Pause"));
        // A minute is too little where other tests run on a slow machine.
        QVERIFY(b.finished(240'000));
        QCOMPARE(b.last().results.size(), std::size_t(10));
    }

    void cancelKeepsWhatIsComplete() {
        Bench b;
        b.choose({"grayscale", "nl_means"}, {{64, 64}, {1024, 1024}}, 3000);
        b.click("startBenchmark");
        QVERIFY(b.rowsCame(1));
        b.click("cancelBenchmark");
        QVERIFY(b.finished());
        const auto& entry = b.window.reports().entries().back();
        QVERIFY(!entry.complete && !entry.running);
        QVERIFY(!entry.report.results.empty());
        QVERIFY(b.list()->item(0)->text().contains(QStringLiteral("stopped: ")));
        // Cancelled while paused, too.
        b.click("startBenchmark");
        QTRY_COMPARE(b.window.reports().entries().size(), std::size_t(2));
        b.click("pauseBenchmark");
        QTest::keyClick(&b.window, Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(b.finished());
    }

    void closingWhileItRunsCancels() {
        Bench b;
        chooseLong(b);
        b.click("startBenchmark");
        QVERIFY(waitedFor([&] { return !b.window.reports().entries().empty(); }, 60'000));
        QTest::keyClick(&b.window, Qt::Key_W, Qt::ControlModifier);
        QVERIFY(!b.window.isVisible());
        QVERIFY(b.finished());
        // Results are there when it is opened again.
        b.window.show();
        QCOMPARE(b.list()->count(), 1);
    }

    void destroyingWhileItRunsJoins() {
        QElapsedTimer timer;
        {
            Bench b;
            chooseLong(b);
            b.click("startBenchmark");
            QVERIFY(waitedFor([&] { return !b.window.reports().entries().empty(); }, 60'000));
            timer.start();
        }
        // The run would last minutes.
        QVERIFY2(timer.elapsed() < 60000, qPrintable(QString::number(timer.elapsed())));
    }

    void savedResultsOpenToTheSameValues() {
        Bench b;
        b.choose({"gaussian_blur"}, {{64, 64}, {128, 128}});
        b.click("startBenchmark");
        QVERIFY(b.finished());
        const TimingReport report = b.last();
        const QString json = b.folder.filePath(QStringLiteral("here.json"));
        for (const char* name : {"here.json", "here.csv", "here.md"}) {
            b.window.saveResultsTo(b.folder.filePath(QLatin1String(name)));
            QTRY_VERIFY_WITH_TIMEOUT(!b.window.busy(), 30000);
        }
        QCOMPARE(bytesOf(json), QByteArray::fromStdString(toJson(report)));
        QCOMPARE(bytesOf(b.folder.filePath(QStringLiteral("here.csv"))),
                 QByteArray::fromStdString(toCsv(report)));
        QVERIFY(bytesOf(b.folder.filePath(QStringLiteral("here.md")))
                    .startsWith(QByteArray::fromStdString(report.machine.cpu)));
        b.window.openFiles({json});
        QTRY_COMPARE(b.window.reports().entries().size(), std::size_t(2));
        QCOMPARE(toJson(b.last()), toJson(report));
        // Against itself, every ratio is 1.
        b.window.showPage(BenchmarkPage::Comparison);
        const Sheet& sheet = b.sheet("comparisonTable")->sheet();
        QCOMPARE(sheet.rows.size(), report.results.size());
        for (const SheetRow& row : sheet.rows) QCOMPARE(row[8].number.value_or(0), 1.0);
    }

    // Two pictures that a browser shows: the scene, and what was timed.
    void theReportHasItsPicture() {
        Bench b;
        b.choose({"gaussian_blur"}, {{96, 96}});
        b.click("startBenchmark");
        QVERIFY(b.finished());
        const QString path = b.folder.filePath(QStringLiteral("here.html"));
        b.window.saveResultsTo(path);
        QTRY_VERIFY(!b.window.busy() && QFileInfo::exists(path));
        const QString html = QString::fromUtf8(bytesOf(path));
        static const QRegularExpression picture(
            QStringLiteral("src=\"data:image/png;base64,([^\"]+)\""));
        std::vector<QImage> pictures;
        for (auto found = picture.globalMatch(html); found.hasNext();)
            pictures.push_back(
                QImage::fromData(QByteArray::fromBase64(found.next().captured(1).toLatin1())));
        QCOMPARE(pictures.size(), std::size_t(2));
        const auto edges = [](const QImage& image) {
            int sum = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 1; x < image.width(); ++x)
                    sum += std::abs(qGray(image.pixel(x, y)) - qGray(image.pixel(x - 1, y)));
            return sum;
        };
        for (const QImage& one : pictures) QCOMPARE(one.size(), QSize(96, 96));
        QVERIFY(edges(pictures[1]) > 0);
        QVERIFY(edges(pictures[1]) * 4 < edges(pictures[0]) * 3);
    }

    void chartsAreSavedAsPictures() {
        Bench b;
        b.window.openFiles({writeReport(b.folder.path(), "a.json", reportOf())});
        QTRY_COMPARE(b.chart()->content().series.size(), std::size_t(4));
        const QString png = b.folder.filePath(QStringLiteral("time.png"));
        const QString svg = b.folder.filePath(QStringLiteral("time.svg"));
        b.window.saveChartTo(png);
        b.window.saveChartTo(svg);
        QTRY_VERIFY_WITH_TIMEOUT(!b.window.busy(), 30000);
        const QImage image = QImageReader(png).read();
        QVERIFY(image.width() > 1000 && image.height() > 600);
        QVERIFY(QSvgRenderer(svg).isValid());
        QVERIFY(bytesOf(svg).contains("Gaussian") || bytesOf(svg).contains("GPU kernels"));
        b.window.saveChartTo(b.folder.filePath(QStringLiteral("time.gif")));
        QTRY_VERIFY(b.window.messages().text().contains(QStringLiteral(".png")));
        QVERIFY(!QFileInfo::exists(b.folder.filePath(QStringLiteral("time.gif"))));
    }

    void theShippedMachineIsLaidOver() {
        Bench b;
        QVERIFY(b.button("showShipped")->text().contains(QStringLiteral("with a")));
        b.choose({"grayscale"}, {{512, 512}, {1024, 1024}});
        b.click("startBenchmark");
        QVERIFY(b.finished());
        b.click("showShipped");
        QTRY_VERIFY(b.list()->count() >= 2);
        QVERIFY(b.list()->item(1)->text().contains(QStringLiteral("H100")));
        QVERIFY(b.list()->item(1)->text().contains(QStringLiteral("shipped")));
        bool own = false, gpu = false;
        for (const ChartSeries& series : b.chart()->content().series) {
            if (series.pen == Qt::SolidLine) own = true;
            if (series.ink == PlotInk::GpuKernels) {
                gpu = true;
                QVERIFY(series.pen != Qt::SolidLine);
                QVERIFY(series.machine.contains(QStringLiteral("H100")));
            }
        }
        QVERIFY(own && gpu);
        b.window.showPage(BenchmarkPage::Comparison);
        QVERIFY(!b.sheet("comparisonTable")->sheet().rows.empty());
        // Not twice.
        const int before = b.list()->count();
        b.click("showShipped");
        QCOMPARE(b.list()->count(), before);
        // Its box takes it out of the charts, Delete out of the window.
        b.window.showPage(BenchmarkPage::Time);
        for (int i = 1; i < before; ++i) b.list()->item(i)->setCheckState(Qt::Unchecked);
        for (const ChartSeries& series : b.chart()->content().series)
            QVERIFY(!series.machine.contains(QStringLiteral("H100")));
        b.list()->setCurrentRow(1);
        b.list()->setFocus();
        QTest::keyClick(b.list(), Qt::Key_Delete);
        QCOMPARE(b.list()->count(), before - 1);
    }

    void aBrokenFileIsSaidAndNothingIsLost() {
        Bench b;
        const QString good = writeReport(b.folder.path(), "good.json", reportOf());
        const QString broken = b.folder.filePath(QStringLiteral("broken.json"));
        QFile file(broken);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytesOf(good).left(700));
        file.close();
        const QString missing = b.folder.filePath(QStringLiteral("missing.json"));
        // By drag and drop, all three at once.
        QMimeData data;
        data.setUrls(
            {QUrl::fromLocalFile(broken), QUrl::fromLocalFile(good), QUrl::fromLocalFile(missing)});
        QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&b.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&b.window, &drop);
        QTRY_VERIFY_WITH_TIMEOUT(!b.window.busy(), 30000);
        QTRY_COMPARE(b.window.messages().count(), 2);
        QCOMPARE(b.window.messages().level(), MessageBar::Level::Error);
        QVERIFY(b.window.messages().text().contains(QStringLiteral("missing.json")));
        b.window.messages().dismiss();
        QVERIFY(b.window.messages().text().contains(QStringLiteral("broken.json")));
        QCOMPARE(b.list()->count(), 1);
        QCOMPARE(toJson(b.last()), toJson(reportOf()));
        // A folder that cannot be written to.
        b.window.saveResultsTo(QStringLiteral("/proc/nowhere/here.json"));
        QTRY_VERIFY(b.window.messages().text().contains(QStringLiteral("not saved")));
        QCOMPARE(b.list()->count(), 1);
    }

    void earlierRunsStayInTheList() {
        Bench b;
        b.choose({"grayscale"}, {{64, 64}});
        b.click("startBenchmark");
        QVERIFY(b.finished());
        b.click("startBenchmark");
        QVERIFY(b.finished());
        QCOMPARE(b.list()->count(), 2);
        // Both are shown, to be compared; what was taken out stays out.
        QCOMPARE(b.list()->item(0)->checkState(), Qt::Checked);
        QCOMPARE(b.list()->item(1)->checkState(), Qt::Checked);
        QTRY_COMPARE(b.chart()->content().series.size(), std::size_t(4));
        b.list()->item(0)->setCheckState(Qt::Unchecked);
        b.click("startBenchmark");
        QVERIFY(b.finished());
        QCOMPARE(b.list()->item(0)->checkState(), Qt::Unchecked);
    }

    void twoDifferentSetsAreCompared() {
        Bench b;
        b.window.showPage(BenchmarkPage::Comparison);
        const auto box = [&](const char* name) {
            return b.window.findChild<QComboBox*>(QLatin1String(name));
        };
        QComboBox *first = box("compareFirst"), *second = box("compareSecond");
        for (const char* name : {"a.json", "b.json", "c.json"}) {
            const int before = b.list()->count();
            b.window.openFiles(
                {writeReport(b.folder.path(), name, reportOf(std::string("GPU ") + name))});
            QTRY_COMPARE(b.list()->count(), before + 1);
            QCOMPARE(first->currentIndex(), 0);
            if (before == 0) {
                QVERIFY(b.sheet("comparisonTable")->sheet().rows.empty());
                continue;
            }
            QCOMPARE(second->currentIndex(), 1);
            QVERIFY(!b.sheet("comparisonTable")->sheet().rows.empty());
        }
        // The other box gives way to what is chosen by hand.
        second->setFocus();
        QTest::keyClick(second, Qt::Key_Up);
        QCOMPARE(second->currentIndex(), 0);
        QCOMPARE(first->currentIndex(), 1);
        QVERIFY(!b.sheet("comparisonTable")->sheet().rows.empty());
    }

    void buttonsStayInPlace_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1200") << QSize(1200, 760);
        QTest::newRow("1024") << QSize(1024, 640);
    }
    void buttonsStayInPlace() {
        QFETCH(QSize, size);
        Bench b;
        b.window.resize(size);
        auto* strip = b.window.findChild<RunStrip*>();
        QVERIFY(strip);
        std::vector<QPoint> places;
        for (const int words : {1, 18}) {
            strip->showIdle(QStringLiteral("measures ").repeated(words));
            QTest::qWait(50);
            places.push_back(b.button("startBenchmark")->mapTo(&b.window, QPoint()));
        }
        QCOMPARE(places[0], places[1]);
    }

    void whatIsNoResultIsSaid() {
        Bench b;
        QVERIFY(!b.button("saveChart")->isEnabled());
        const QString picture = b.folder.filePath(QStringLiteral("s.png"));
        QVERIFY(b.window.grab().save(picture));
        b.window.openFiles({picture});
        QTRY_VERIFY(b.window.messages().text().contains(QStringLiteral("s.png")));
        QVERIFY(b.window.messages().text().contains(QStringLiteral("no timing result file")));
        b.window.openFiles({writeReport(b.folder.path(), "a.json", reportOf())});
        QTRY_VERIFY(b.button("saveChart")->isEnabled());
        b.list()->item(0)->setCheckState(Qt::Unchecked);
        QVERIFY(!b.button("saveChart")->isEnabled());
    }

    void everythingHasANameAndNothingIsCut() {
        Bench b;
        b.window.openFiles({writeReport(b.folder.path(), "a.json", reportOf())});
        QTRY_COMPARE(b.list()->count(), 1);
        b.window.resize(1024, 640);
        QTest::qWait(50);
        QCOMPARE(b.window.size(), QSize(1024, 640));
        for (QAbstractButton* button : b.window.findChildren<QAbstractButton*>()) {
            if (!button->isVisible() || button->objectName().isEmpty() ||
                button->objectName().startsWith(QStringLiteral("qt_")))
                continue;
            QVERIFY2(!button->text().isEmpty() || !button->accessibleName().isEmpty() ||
                         !button->toolTip().isEmpty(),
                     qPrintable(button->objectName()));
            QVERIFY2(button->width() >= button->minimumSizeHint().width(),
                     qPrintable(button->objectName()));
        }
        for (QWidget* widget : b.window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus)) continue;
            if (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QTabBar*>(widget)) continue;
            if (widget->inherits("QLineEdit") || widget->inherits("QAbstractSpinBox")) continue;
            QVERIFY2(!widget->accessibleName().isEmpty() || !widget->objectName().isEmpty(),
                     widget->metaObject()->className());
        }
    }
};

WARPSCOPE_TEST(WindowTest)
#include "window_test.moc"
