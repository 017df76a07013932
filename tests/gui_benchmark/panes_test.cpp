// The benchmark window's panes, messages and projector mode by real keys and clicks.
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSvgRenderer>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/results_list.h"
#include "gui/benchmark/series_legend.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/bench_command.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"
#include "support/test_case.h"
#include "tests/gui_benchmark/bench_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class PanesTest : public QObject {
    Q_OBJECT

    struct Bench : gui::Bench {
        explicit Bench(Settings& s, QSize size = {1280, 720}) : gui::Bench(size, &s) {}
        bool fill() {
            TimingReport report = reportOf();
            for (StepTiming row : reportOf().results) {
                row.operation = "median";
                row.parameters =
                    resolveParameters(findOperation("median")->description().parameters, {})
                        .value();
                report.results.push_back(row);
            }
            return open(report);
        }
        LogChart* chart() { return part<LogChart>("timeChart"); }
        SeriesLegend* legend() { return chart()->parentWidget()->findChild<SeriesLegend*>(); }
    };

    static int lightest(const QImage& image) { return qGray(image.pixel(3, image.height() / 2)); }

    // Every line has its name, whole, and so have the axes and the legend; in a low chart as many
    // lines as there is room for, and the title says how many.
    static void nothingIsCut(const LogChart& chart) {
        const ChartLayout layout = chart.layoutFor(QSizeF(chart.size()));
        QVERIFY(!layout.empty());
        const QFontMetricsF metrics(chartFont(layout.scale));
        const double needed = metrics.height() * layout.labelLines;
        const auto most = std::size_t(layout.frame.height / needed);
        QVERIFY(layout.labels.size() >= std::min(layout.visible.size(), most));
        for (const QString& name : layout.names)
            for (const QString& line : name.split(QLatin1Char('\n')))
                QVERIFY2(metrics.horizontalAdvance(line) <= layout.labelWidth, qPrintable(line));
        QVERIFY(layout.labelLeft + layout.labelWidth <= chart.width());
        double bottom = layout.frame.bottom() + 4 + 2 * metrics.height() + 8;
        for (std::size_t i = 0; i < layout.captionHeights.size(); ++i) {
            const QRectF wanted =
                metrics.boundingRect(QRectF(0, 0, chart.width() - 52, 1000), Qt::TextWordWrap,
                                     chart.content().captions[i].text);
            QVERIFY2(wanted.height() <= layout.captionHeights[i],
                     qPrintable(chart.content().captions[i].text));
            bottom += layout.captionHeights[i] + 2;
        }
        QVERIFY(bottom <= chart.height() + 2);
        // What is left for the lines.
        QVERIFY(layout.frame.height >= 0.25 * chart.height());
        QVERIFY(layout.frame.width >= 0.4 * chart.width());
    }

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void messagesMoveNothing() {
        Settings settings{QString()};
        Bench b(settings);
        QVERIFY(b.fill());
        const auto places = [&] {
            QVector<QRect> list;
            for (QWidget* widget : b.window.findChildren<QWidget*>())
                if (widget->isVisible() && !b.window.messages().isAncestorOf(widget) &&
                    widget != &b.window.messages())
                    list << QRect(widget->mapTo(&b.window, QPoint()), widget->size());
            return list;
        };
        QTest::qWait(50);
        const auto before = places();
        const QString path = b.folder.filePath(QStringLiteral("c.png"));
        b.window.saveChartTo(path);
        QTRY_VERIFY(b.window.messages().text().contains(QStringLiteral("c.png")));
        QTest::qWait(50);
        QVERIFY(b.window.messages().isVisible());
        QCOMPARE(places(), before);
        // Nothing that was just clicked lies under it.
        for (const char* name : {"saveChart", "saveResults", "startBenchmark", "showShipped"}) {
            auto* button = b.part<QPushButton>(name);
            const QRect rect(button->mapTo(&b.window, QPoint()), button->size());
            QVERIFY2(!b.window.messages().geometry().intersects(rect), name);
        }
        QVERIFY(b.window.rect().contains(b.window.messages().geometry()));
    }

    void thePlotHasMostOfTheWidth() {
        Settings settings{QString()};
        Bench b(settings);
        QVERIFY(b.fill());
        QTest::qWait(50);
        const ChartLayout layout = b.chart()->layoutFor(QSizeF(b.chart()->size()));
        QVERIFY2(layout.frame.width >= 0.6 * b.window.width(),
                 qPrintable(QString::number(layout.frame.width)));
        QVERIFY(!b.legend()->isVisible());
        QVERIFY(layout.labelLeft + layout.labelWidth <= b.chart()->width());
        // A label that is cut says the whole text.
        QVERIFY(!layout.labels.empty());
        const QPoint at(int(layout.labelLeft) + 4, int(layout.labels[0].y));
        QHelpEvent help(QEvent::ToolTip, at, b.chart()->mapToGlobal(at));
        QCoreApplication::sendEvent(b.chart(), &help);
        QTRY_VERIFY(QToolTip::text().contains(
            b.chart()->content().series[layout.visible[layout.labels[0].line]].fullName()));
        QToolTip::hideText();
    }

    void panesAreFoldedAndStaySo() {
        Settings settings{QString()};
        {
            Bench b(settings);
            QVERIFY(b.fill());
            QVERIFY(b.window.choices().isVisible());
            b.click("showChoices");
            QVERIFY(!b.window.choices().isVisible());
            b.click("showSeries");
            QVERIFY(b.legend()->isVisible());
        }
        Bench b(settings);
        QVERIFY(b.fill());
        QVERIFY(!b.window.choices().isVisible());
        QVERIFY(b.legend()->isVisible());
        b.click("showChoices");
        QVERIFY(b.window.choices().isVisible());
    }

    void theProjectorIsLargeLightAndEmptyAtTheSides() {
        Settings settings{QString()};
        {
            Bench b(settings);
            QVERIFY(b.fill());
            const double before = b.chart()->layoutFor(QSizeF(900, 500)).scale;
            QVERIFY(lightest(b.chart()->grab().toImage()) < 80);
            QTest::keyClick(&b.window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(b.window.projecting());
            const double scale = b.chart()->layoutFor(QSizeF(900, 500)).scale / before;
            QVERIFY(scale >= 1.5 && scale <= 2);
            QVERIFY(lightest(b.chart()->grab().toImage()) > 200);
            QVERIFY(!b.window.choices().isVisible());
            QVERIFY(!b.legend()->isVisible());
            QVERIFY(!b.chart()->layoutFor(QSizeF(b.chart()->size())).labels.empty());
            QVERIFY(b.part<QToolButton>("projector")->isChecked());
        }
        Bench b(settings);
        QVERIFY(b.fill());
        QVERIFY(b.window.projecting());  // remembered
        const QFont large = b.part<SheetView>("resultTable")->font();
        b.chart()->setFocus();
        QTest::keyClick(b.chart(), Qt::Key_Escape);
        QVERIFY(!b.window.projecting());
        QVERIFY(b.window.choices().isVisible());
        QVERIFY(b.part<SheetView>("resultTable")->font().pointSizeF() * 1.4 < large.pointSizeF());
        QVERIFY(lightest(b.chart()->grab().toImage()) < 80);
        b.click("projector");
        QVERIFY(b.window.projecting());
        QTest::keyClick(&b.window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!b.window.projecting());
    }

    void picturesAreLightUnderADarkTheme() {
        Settings settings{QString()};
        Bench b(settings);
        QVERIFY(b.fill());
        const auto saved = [&](const char* name, ThemeChoice colors) {
            const QString path = b.folder.filePath(QLatin1String(name));
            b.window.saveChartTo(path, colors);
            const bool written = waitedFor([&] { return QFile::exists(path); });
            return written ? path : QString();
        };
        QVERIFY(lightest(QImage(saved("light.png", ThemeChoice::Light))) > 200);
        QVERIFY(lightest(QImage(saved("dark.png", ThemeChoice::Dark))) < 80);
        QSvgRenderer svg(saved("light.svg", ThemeChoice::Light));
        QVERIFY(svg.isValid());
        QImage drawn(svg.defaultSize(), QImage::Format_RGB32);
        drawn.fill(Qt::red);
        QPainter painter(&drawn);
        svg.render(&painter);
        painter.end();
        QVERIFY(lightest(drawn) > 200);
        // The window keeps its own.
        QVERIFY(lightest(b.chart()->grab().toImage()) < 80);
        b.chart()->setFocus();
        QTest::keyClick(b.chart(), Qt::Key_C, Qt::ControlModifier);
        const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
        QVERIFY(lightest(qvariant_cast<QImage>(copied->imageData())) > 200);
        QVERIFY(copied->data(QStringLiteral("image/svg+xml")).contains("<svg"));
    }

    void theCommandOfAPointIsCopied_data() {
        QTest::addColumn<int>("page");
        QTest::newRow("time") << int(BenchmarkPage::Time);
        QTest::newRow("speedup") << int(BenchmarkPage::Speedup);
    }
    void theCommandOfAPointIsCopied() {
        QFETCH(int, page);
        Settings settings{QString()};
        Bench b(settings);
        QVERIFY(b.fill());
        b.window.showPage(BenchmarkPage(page));
        QTest::qWait(50);
        LogChart* chart =
            page == int(BenchmarkPage::Time) ? b.chart() : b.part<LogChart>("speedupChart");
        std::size_t series = 0;
        while (chart->content().series[series].ink != PlotInk::GpuEndToEnd) ++series;
        const QPoint at = chart->placeOf({series, 1}).toPoint();
        QTest::mouseMove(chart, at);
        QTRY_VERIFY(chart->current());
        const ChartSeries& found = chart->content().series[chart->current()->series];
        const bool gpu = found.ink == PlotInk::GpuEndToEnd || found.ink == PlotInk::GpuKernels;
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, chart->mapToGlobal(at));
        QCoreApplication::sendEvent(chart, &event);
        auto* menu = chart->findChild<QMenu*>(QStringLiteral("chartMenu"));
        QVERIFY(menu);
        auto* action = b.part<QAction>("copyCommand");
        QVERIFY(action && action->isEnabled());
        QVERIFY(menu->findChild<QAction*>(QStringLiteral("copyPicture")));
        QVERIFY(menu->findChild<QAction*>(QStringLiteral("savePicture")));
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
        const QString said = QGuiApplication::clipboard()->text();
        QVERIFY2(said.contains(QStringLiteral("--sizes 1024x1024")), qPrintable(said));
        QCOMPARE(said.contains(QStringLiteral("--backends cuda")), gpu);
        QVERIFY(said.contains(QStringLiteral("--step gaussian_blur")) ||
                said.contains(QStringLiteral("--step median")));
    }

    void theCommandOfAPublishedRowIsCopied() {
        Settings settings{QString()};
        Bench b(settings);
        QVERIFY(b.fill());
        b.window.showPage(BenchmarkPage::SourceTexts);
        // Not measured yet: everywhere.
        QCOMPARE(b.copiedCommand("publishedTable", 0),
                 QStringLiteral("warpscope-cli bench --published --backends cpu-single,cpu,cuda "
                                "--cache warm"));
        // Rows of break-even sizes are of many measurements.
        b.window.showPage(BenchmarkPage::BreakEven);
        QCOMPARE(b.copiedCommand("breakEvenTable", 0), QString());
    }

    void dashesAreExplainedAndTimed() {
        Settings settings{QString()};
        Bench b(settings);
        QVERIFY(b.fill());
        b.window.showPage(BenchmarkPage::SourceTexts);
        auto* why = b.part<QWidget>("publishedMissing");
        auto* button = b.part<QPushButton>("timePublished");
        QVERIFY(why->isVisible() && button->isVisible() && button->isEnabled());
        const BenchmarkPlan chosen = b.window.choices().plan();
        b.click("timePublished");
        QVERIFY(b.window.thread().running());
        QVERIFY(!button->isEnabled());
        QVERIFY(waitedFor(
            [&] {
                return b.window.reports().entries().size() == 2 &&
                       !b.window.reports().entries()[1].report.results.empty();
            },
            60000));
        for (const StepTiming& row : b.window.reports().entries()[1].report.results)
            QVERIFY(!row.experiment.empty());
        b.window.cancel();
        QVERIFY(waitedFor([&] { return !b.window.thread().running(); }, 60000));
        QVERIFY(button->isEnabled());
        QCOMPARE(b.window.choices().plan().operations, chosen.operations);
        QCOMPARE(b.window.choices().plan().published, chosen.published);
    }

    // The shipped run on a wall: nothing at the sides, everything larger, no text cut.
    void theProjectorFitsASmallScreen_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1024 x 640") << QSize(1024, 640);
        QTest::newRow("1280 x 720") << QSize(1280, 720);
    }
    void theProjectorFitsASmallScreen() {
        QFETCH(QSize, size);
        Settings settings{QString()};
        Bench b(settings, size);
        b.click("showShipped");
        QVERIFY(waitedFor([&] { return !b.window.reports().entries().empty(); }, 30000));
        const double before = b.part<WrapLabel>("breakEvenRule")->fontMetrics().height();
        b.click("projector");
        QVERIFY(b.window.projecting());
        QCOMPARE(b.window.size(), size);
        for (int page = 0; page <= int(BenchmarkPage::Repeat); ++page) {
            if (!b.part<QTabWidget>("benchmarkTabs")->isTabVisible(page)) continue;
            b.window.showPage(BenchmarkPage(page));
            QTest::qWait(30);
            QVERIFY(!b.window.choices().isVisible());
            QVERIFY(!b.window.findChild<ResultsList*>()->isVisible());
            for (const SeriesLegend* legend : b.window.findChildren<SeriesLegend*>())
                QVERIFY(!legend->isVisible());
            const QString folder = qEnvironmentVariable("WARPSCOPE_SHOTS");
            if (!folder.isEmpty())
                b.window.grab().save(
                    QStringLiteral("%1/proj_%2_%3.png").arg(folder).arg(size.width()).arg(page));
            for (LogChart* chart : b.window.findChildren<LogChart*>())
                if (chart->isVisible()) nothingIsCut(*chart);
            for (const WrapLabel* label : b.window.findChildren<WrapLabel*>()) {
                if (!label->isVisible()) continue;
                QVERIFY2(label->height() >= label->heightForWidth(label->width()),
                         qPrintable(label->text()));
                const QRect place(label->mapTo(&b.window, QPoint()), label->size());
                QVERIFY2(b.window.rect().contains(place), qPrintable(label->text()));
            }
        }
        const double larger = b.part<WrapLabel>("breakEvenRule")->fontMetrics().height();
        QVERIFY2(larger >= 1.4 * before, qPrintable(QString::number(larger / before)));
    }

    // Whatever the height: what the choices show at first is not cut through.
    void choicesAreNotCutThrough() {
        Settings settings{QString()};
        Bench b(settings, QSize(1024, 640));
        const QWidget* const view = b.window.choices().parentWidget();
        const auto cut = [&] {
            for (const QWidget* part : b.window.choices().findChildren<QWidget*>()) {
                if (!part->isVisible() || (!qobject_cast<const QAbstractButton*>(part) &&
                                           !qobject_cast<const QLabel*>(part)))
                    continue;
                const int top = part->mapTo(view, QPoint()).y();
                if (top < view->height() && top + part->height() > view->height())
                    return QStringLiteral("%1 at %2 + %3 of %4")
                        .arg(part->objectName())
                        .arg(top)
                        .arg(part->height())
                        .arg(view->height());
            }
            return QString();
        };
        auto* list = b.part<QWidget>("benchmarkOperations");
        const int lines = list->fontMetrics().height();
        QSet<int> heights;
        for (int height = 640; height < 760; height += 7) {
            b.window.resize(1024, height);
            QTRY_COMPARE(cut(), QString());
            // Twice in a row it is the same.
            b.window.choices().fitTo(view->height());
            const int fitted = list->height();
            b.window.choices().fitTo(view->height());
            QCOMPARE(list->height(), fitted);
            QTRY_COMPARE(cut(), QString());
            QVERIFY(fitted >= 6 * lines);
            heights.insert(fitted);
        }
        QVERIFY(heights.size() > 1);  // it had something to do
    }

    void everythingFits_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("projected");
        for (const QSize size : {QSize(1024, 640), QSize(1280, 720)})
            for (const bool projected : {false, true})
                QTest::addRow("%d %d", size.width(), int(projected)) << size << projected;
    }
    void everythingFits() {
        QFETCH(QSize, size);
        QFETCH(bool, projected);
        Settings settings{QString()};
        Bench b(settings, size);
        QVERIFY(b.fill());
        b.window.setProjecting(projected);
        for (int page = 0; page <= int(BenchmarkPage::Repeat); ++page) {
            // In small windows tabs that nothing fills yet are left out.
            auto* tabs = b.part<QTabWidget>("benchmarkTabs");
            if (size.width() < 1280 && !tabs->isTabVisible(page)) continue;
            b.window.showPage(BenchmarkPage(page));
            QTest::qWait(30);
            QCOMPARE(b.window.size(), size);
            for (QWidget* widget : b.window.findChildren<QWidget*>()) {
                if (!widget->isVisible() || !qobject_cast<QAbstractButton*>(widget) ||
                    widget->objectName().isEmpty() ||
                    widget->objectName().startsWith(QStringLiteral("qt_")))
                    continue;
                QVERIFY2(widget->width() >= widget->minimumSizeHint().width(),
                         qPrintable(widget->objectName()));
            }
        }
    }
};

WARPSCOPE_TEST(PanesTest)
#include "panes_test.moc"
