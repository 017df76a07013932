// The button of a result that is not that of one thread, by clicks.
#include <QHeaderView>
#include <QPushButton>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>

#include "engine/operations/registry.h"
#include "gui/app/benchmark_controller.h"
#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/benchmark/sheet_view.h"
#include "support/test_case.h"
#include "tests/gui/window_fixture.h"
#include "tests/pipeline/fake_backend.h"

using namespace warpscope;
using namespace warpscope::gui;

class DifferenceTest : public QObject {
    Q_OBJECT

    // A main window whose second CPU backend gives one wrong pixel, and its benchmark.
    struct Wrong {
        test::FakeSet fakes{false};
        WindowFixture main{{}, [this] { return fakes.set(); }};
        BenchmarkWindow* bench = nullptr;

        Wrong() {
            fakes.cpu->wrongPixel = true;
            main.window.benchmark().open();
            bench = main.window.benchmark().window();
            bench->resize(1200, 760);
            BenchmarkPlan plan;
            plan.operations = {"median", "histogram"};
            plan.sizes = {{96, 64}};
            plan.sampling.budgetMs = 1;
            bench->choices().setPlan(plan);
        }
        bool run() {
            bench->start();
            return waitedFor([&] { return !bench->busy(); }, 60000);
        }
        QPushButton* button() const {
            return bench->findChild<QPushButton*>(QStringLiteral("showRowDifference"));
        }
        SheetView* table() const {
            return bench->findChild<SheetView*>(QStringLiteral("resultTable"));
        }
        // Clicks the row of the table with these words; false if there is none.
        bool select(const QString& operation, const QString& place) {
            const QAbstractItemModel* model = table()->model();
            for (int r = 0; r < model->rowCount(); ++r) {
                if (model->index(r, 1).data().toString() != operation ||
                    model->index(r, 5).data().toString() != place)
                    continue;
                const QModelIndex cell = model->index(r, 1);
                table()->scrollTo(cell);
                QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                                  table()->visualRect(cell).center());
                return true;
            }
            return false;
        }
    };

  private slots:
    void aWrongRowShowsItsDifferenceInTheMainWindow() {
        for (const bool withImage : {true, false}) {
            Wrong w;
            if (withImage) QVERIFY(w.main.open(w.main.scene("a.png")));
            QVERIFY(w.run());
            w.bench->showPage(BenchmarkPage::Results);
            QVERIFY(w.button()->isVisible());
            QVERIFY(!w.button()->isEnabled());
            QVERIFY(w.select(QStringLiteral("Median"), QStringLiteral("16 threads")));
            QVERIFY2(w.button()->isEnabled(), qPrintable(w.button()->toolTip()));
            QTest::mouseClick(w.button(), Qt::LeftButton);
            QTRY_VERIFY(w.main.window.canvas().comparison());
            const Comparison& shown = *w.main.window.canvas().comparison();
            QCOMPARE(shown.agreement.differing, std::uint64_t(1));
            QCOMPARE(shown.firstLabel, QStringLiteral("16 threads"));
            QCOMPARE(shown.secondLabel, QStringLiteral("1 thread"));
            QCOMPARE(shown.differing.size(), std::size_t(1));
            QCOMPARE(shown.first->levels.front().size(), (Size{96, 64}));
            // What is open is still there.
            QTest::keyClick(&w.main.window.canvas(), Qt::Key_Escape);
            QVERIFY(!w.main.window.canvas().comparison());
            QCOMPARE(w.main.document().image().isNull(), !withImage);
            if (!withImage) continue;
            // Whoever goes on working sees what he does.
            QTest::mouseClick(w.button(), Qt::LeftButton);
            QTRY_VERIFY(w.main.window.canvas().comparison());
            w.main.document().insertStep(0, makeStep("median").value());
            QVERIFY(!w.main.window.canvas().comparison());
        }
    }

    void itCanBeCancelled() {
        Wrong w;
        QVERIFY(w.run());
        w.bench->showPage(BenchmarkPage::Results);
        QVERIFY(w.select(QStringLiteral("Median"), QStringLiteral("16 threads")));
        QSemaphore go;
        w.fakes.cpu->duringRun = [&](int) { go.acquire(); };
        QSignalSpy ready(w.bench, &BenchmarkWindow::differenceReady);
        QTest::mouseClick(w.button(), Qt::LeftButton);
        QVERIFY(w.bench->thread().running());
        QVERIFY(!w.button()->isEnabled());
        const auto* start = w.bench->findChild<QPushButton*>(QStringLiteral("startBenchmark"));
        QVERIFY(!start->isEnabled());
        auto* cancel = w.bench->findChild<QPushButton*>(QStringLiteral("cancelBenchmark"));
        QVERIFY(cancel->isEnabled());
        QTest::mouseClick(cancel, Qt::LeftButton);
        go.release();
        QTRY_VERIFY(!w.bench->thread().running());
        QCOMPARE(ready.count(), 0);
        QVERIFY(start->isEnabled());
        QVERIFY(w.button()->isEnabled());
        QCOMPARE(w.bench->reports().entries().back().report.results.size(), std::size_t(4));
    }

    void theButtonSaysWhyItCannot() {
        Wrong w;
        QVERIFY(w.run());
        QVERIFY(!w.button()->isVisible());  // a chart has no rows
        w.bench->showPage(BenchmarkPage::Results);
        QVERIFY(w.button()->toolTip().contains(QStringLiteral("Select a row")));
        QVERIFY(w.select(QStringLiteral("Median"), QStringLiteral("1 thread")));
        QVERIFY(!w.button()->isEnabled());
        QVERIFY(w.button()->toolTip().contains(QStringLiteral("identical")));
        QVERIFY(w.select(QStringLiteral("Histogram"), QStringLiteral("16 threads")));
        QVERIFY(!w.button()->isEnabled());
        QVERIFY(w.button()->toolTip().contains(QStringLiteral("counts")));
        // Sorting by a title keeps button and row together.
        QVERIFY(w.select(QStringLiteral("Median"), QStringLiteral("16 threads")));
        QVERIFY(w.button()->isEnabled());
        w.table()->sortByColumn(7, Qt::DescendingOrder);
        QSignalSpy ready(w.bench, &BenchmarkWindow::differenceReady);
        QTest::mouseClick(w.button(), Qt::LeftButton);
        QTRY_COMPARE(ready.count(), 1);
        // Results of others cannot be computed here.
        w.bench->showShipped();
        w.bench->showPage(BenchmarkPage::Results);
        const QAbstractItemModel* model = w.table()->model();
        const QModelIndex theirs = model->index(model->rowCount() - 1, 1);
        w.table()->sortByColumn(-1, Qt::AscendingOrder);
        w.table()->setCurrentIndex(model->index(model->rowCount() - 1, 1));
        QVERIFY(theirs.isValid());
        QVERIFY(!w.button()->isEnabled());
        QVERIFY(w.button()->toolTip().contains(QStringLiteral("this session")));
    }
};

WARPSCOPE_TEST(DifferenceTest)
#include "difference_test.moc"
