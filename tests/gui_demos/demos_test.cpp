// The Demo menu by real keys and clicks, in the whole window.
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QWindow>
#include <functional>
#include <memory>

#include "engine/measure/published.h"
#include "gui/demos/demo_menu.h"
#include "gui/demos/demo_panel.h"
#include "gui/demos/demo_table.h"
#include "support/test_case.h"
#include "tests/gui/window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class DemosTest : public QObject {
    Q_OBJECT

    struct Demo : WindowFixture {
        DemoRunner& runner() { return window.demos(); }
        DemoMenu* menu() { return window.findChild<DemoMenu*>(QStringLiteral("demoMenu")); }
        DemoPanel* panel() { return window.findChild<DemoPanel*>(QStringLiteral("demoPanel")); }
        QDockWidget* dock() { return window.findChild<QDockWidget*>(QStringLiteral("demoDock")); }
        QPushButton* button(const char* name) {
            return panel()->findChild<QPushButton*>(QLatin1String(name));
        }
        // Opens the menu from the bar and chooses with a click, as by hand.
        bool choose(const char* id) {
            QAction* wanted = menu()->findChild<QAction*>(QStringLiteral("demo/") + id);
            if (!wanted) return false;
            QMenuBar* bar = window.menuBar();
            QTest::mouseClick(bar, Qt::LeftButton, {},
                              bar->actionGeometry(menu()->menuAction()).center());
            if (!waitedFor([&] { return menu()->isVisible(); })) return false;
            QTest::mouseClick(menu(), Qt::LeftButton, {}, menu()->actionGeometry(wanted).center());
            return true;
        }
        bool finished() {
            return waitedFor(
                [&] {
                    return runner().state() == DemoRunner::State::Idle && runner().experiment();
                },
                60000);
        }
        // At once: small images are measured in less time than passes between two looks of
        // QTRY_COMPARE, and their figures may wait in the queue already.
        void once(DemoRunner::State state, std::function<void()> act) {
            auto waits = std::make_shared<QMetaObject::Connection>();
            *waits = connect(&runner(), &DemoRunner::changed, &window, [this, waits, state, act] {
                if (runner().state() != state) return;
                disconnect(*waits);
                act();
            });
        }
        QStringList texts() {
            QStringList all;
            for (const QLabel* label : panel()->findChildren<QLabel*>())
                if (label->isVisible()) all << label->text();
            return all;
        }
        QLabel* cell(const QString& spoken) {
            for (QLabel* label : panel()->findChildren<QLabel*>())
                if (label->isVisible() && label->accessibleName().startsWith(spoken)) return label;
            return nullptr;
        }
    };

    static bool isFigure(const QLabel* label) {
        return label && !label->text().isEmpty() && label->text().front().isDigit();
    }

  private slots:
    void oneClickMakesImageChainAndFigures() {
        Demo d;
        QVERIFY(d.dock()->isHidden());
        // A chain of one's own, to be brought back.
        d.document().insertStep(0, makeStep("grayscale").value());
        const Pipeline own = d.document().pipeline();
        QVERIFY(d.choose("equalization"));
        QVERIFY(d.finished());
        QCOMPARE(d.runner().stopReason(), QString());
        QCOMPARE(d.document().image().size(), (Size{1024, 1024}));
        QCOMPARE(d.document().image().format(), PixelFormat::Gray8);
        QCOMPARE(d.document().pipeline().steps.size(), std::size_t(1));
        QCOMPARE(d.document().pipeline().steps[0].operation, std::string("equalize"));
        QVERIFY(d.panel()->isVisible());
        QCOMPARE(d.cell(QStringLiteral("1,024 × 1,024, published, CPU"))->text(),
                 QStringLiteral("0.836"));
        QCOMPARE(d.cell(QStringLiteral("256 × 256, published, GPU"))->text(),
                 QStringLiteral("0.015"));
        QCOMPARE(d.cell(QStringLiteral("512 × 512, published, Speedup"))->text(),
                 QStringLiteral("15.72×"));
        QVERIFY(d.texts().contains(
            QStringLiteral("Published elsewhere, on Intel i7-3770 and GTX 570")));
        QVERIFY(isFigure(d.cell(QStringLiteral("1,024 × 1,024, measured here, CPU, 1 thread"))));
        QVERIFY(!isFigure(d.cell(QStringLiteral("512 × 512, measured here, CPU, 1 thread"))));
        // Ours beside theirs, naming both sides; none where nothing was measured. Until the devices
        // are known the column is that of a GPU.
        const auto saysBothSides = [&d] {
            QLabel* ours = d.cell(QStringLiteral("1,024 × 1,024, measured here, Speedup"));
            return isFigure(ours)
                       ? ours->text().contains(QStringLiteral("×")) &&
                             ours->toolTip().contains(QStringLiteral("all cores against 1"))
                       : ours->toolTip().contains(QStringLiteral("one thread did all"));
        };
        QTRY_VERIFY2(
            saysBothSides(),
            qPrintable(d.cell(QStringLiteral("1,024 × 1,024, measured here, Speedup"))->toolTip()));
        QVERIFY(!isFigure(d.cell(QStringLiteral("512 × 512, measured here, Speedup"))));
        // No GPU here: no figure, and the reason.
        QLabel* gpu = d.cell(QStringLiteral("1,024 × 1,024, measured here, GPU kernels"));
        QVERIFY(gpu && !isFigure(gpu) &&
                gpu->toolTip().contains(QStringLiteral("no NVIDIA driver")));
        d.window.activateWindow();  // the platform of the tests does not, after a menu
        QTRY_COMPARE(QGuiApplication::focusWindow(), d.window.windowHandle());
        d.window.canvas().setFocus();
        d.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(d.document().pipeline(), own);
    }

    // Published figures and ours: neither half is below the fold, in small windows either.
    void bothHalvesAreSeen_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1024, 640), QSize(1280, 720), QSize(1600, 1000)})
            QTest::addRow("%d", size.width()) << size;
    }
    void bothHalvesAreSeen() {
        QFETCH(QSize, size);
        Demo d;
        d.window.resize(size);
        QVERIFY(d.choose("equalization"));
        QVERIFY(d.finished());
        const auto hidden = [&] {
            QString names;
            for (const QLabel* label : d.panel()->findChildren<QLabel*>()) {
                const QString name = label->accessibleName();
                if (!label->isVisible() || !name.contains(QStringLiteral("1,024 × 1,024")))
                    continue;
                if (label->visibleRegion().boundingRect().height() < label->height() / 2)
                    names += name + QLatin1Char(';');
            }
            return names;
        };
        QTRY_COMPARE(hidden(), QString());
        QVERIFY(d.cell(QStringLiteral("1,024 × 1,024, published, Speedup")));
        // The image keeps most of the window.
        QVERIFY(d.window.canvas().height() > size.height() / 4);
    }

    // What was measured is what people look at: no scrolling for it in a small window.
    void theMeasuredFiguresAreSeenAtOnce_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280") << QSize(1280, 720);
        QTest::newRow("1600") << QSize(1600, 1000);
    }
    void theMeasuredFiguresAreSeenAtOnce() {
        QFETCH(QSize, size);
        Demo d;
        d.window.resize(size);
        QVERIFY(d.choose("nl_means"));
        QVERIFY(d.finished());
        QTest::qWait(50);
        int seen = 0;
        for (const QLabel* label : d.panel()->findChildren<QLabel*>()) {
            if (!label->isVisible() ||
                !label->accessibleName().contains(QStringLiteral("measured here")))
                continue;
            ++seen;
            QVERIFY2(label->visibleRegion().boundingRect().height() >= label->height() / 2,
                     qPrintable(label->accessibleName()));
        }
        QVERIFY(seen >= 12);
    }

    static StepTiming row(Place backend, double ms, Verdict verdict) {
        StepTiming timing;
        timing.variant = kAutomaticVariant;
        timing.backendRequested = timing.backend = backend;
        timing.threads = backend == BackendKind::CpuSingle ? 1 : 8;
        timing.time.n = 5;
        timing.time.medianMs = timing.kernelMs = timing.endToEndMs = ms;
        timing.agreement.verdict = verdict;
        return timing;
    }

    // Seen where another thread of the program did something for it meanwhile.
    void theRowOfOneThreadIsThatWhateverWorked() {
        for (const int worked : {0, 1, 2}) {
            StepTiming single = row(BackendKind::CpuSingle, 12, Verdict::Identical);
            single.threadsWorked = worked;
            const DemoTable table = buildDemoTable(
                publishedExperiments()[2], {{single, row(BackendKind::Cpu, 4, Verdict::Identical)}},
                -1, cpuBackends()());
            QCOMPARE(table.lines.front().ours.back().text, QStringLiteral("3.0×"));
        }
    }

    void aResultThatDiffersHasNoSpeedup() {
        const PublishedExperiment& e = publishedExperiments()[2];
        const auto speedup = [&](Verdict gpu) {
            const DemoTable table = buildDemoTable(
                e,
                {{row(BackendKind::CpuSingle, 12, Verdict::Identical),
                  row(BackendKind::Cpu, 4, Verdict::Identical), row(BackendKind::Cuda, 0.5, gpu)}},
                -1, std::nullopt);
            return table.lines.front().ours.back();
        };
        const DemoCell agreed = speedup(Verdict::Identical);
        QCOMPARE(agreed.text, QStringLiteral("24×"));
        QVERIFY(agreed.toolTip.contains(QStringLiteral("GPU kernel only against 1 thread: 24×")));
        QVERIFY(agreed.toolTip.contains(
            QStringLiteral("GPU end to end against the best CPU (8 threads): 8.0×")));
        const DemoCell differs = speedup(Verdict::Differs);
        QVERIFY(!differs.text.front().isDigit());
        QVERIFY(!differs.toolTip.contains(QStringLiteral("GPU")));
        QVERIFY(differs.toolTip.contains(QStringLiteral("do not agree")));
    }

    void nothingIsCutOffInANarrowWindow() {
        Demo d;
        for (const QSize size : {QSize(1900, 800), QSize(1024, 640), QSize(1900, 800)}) {
            d.window.resize(size);
            if (!d.runner().experiment()) QVERIFY(d.choose("equalization") && d.finished());
            QTest::qWait(50);
            QLabel* speedup = d.cell(QStringLiteral("1,024 × 1,024, measured here, Speedup"));
            QVERIFY(speedup);
            const QRect there(speedup->mapTo(d.panel(), QPoint()), speedup->size());
            QVERIFY2(there.left() >= 0 && there.right() <= d.panel()->width(),
                     qPrintable(QStringLiteral("%1 to %2 of %3 in a window of %4")
                                    .arg(there.left())
                                    .arg(there.right())
                                    .arg(d.panel()->width())
                                    .arg(size.width())));
            QVERIFY(speedup->width() >= speedup->minimumSizeHint().width());
        }
    }

    // Of a slow or busy machine: longer than any that the demo gives here.
    void theLongestFiguresFit_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1024, 640), QSize(1150, 700), QSize(1900, 800)})
            QTest::addRow("%d", size.width()) << size;
    }
    void theLongestFiguresFit() {
        QFETCH(QSize, size);
        Demo d;
        d.window.resize(size);
        QVERIFY(d.choose("equalization") && d.finished());
        DemoTable table = buildDemoTable(*d.runner().experiment(), {}, -1, d.bridge().backends());
        for (DemoLine& line : table.lines) {
            for (DemoCell& cell : line.ours) cell = {QStringLiteral("123,456"), false, false, {}};
            line.ours.back().text = QStringLiteral("1234 to 2345×");
        }
        d.panel()->showTable(table);
        QTest::qWait(50);
        d.window.docks().giveHeight(d.panel(), d.panel()->heightForFigures());
        QTest::qWait(50);
        const QScrollArea* scroll = d.panel()->findChild<QScrollArea*>();
        QVERIFY(scroll->horizontalScrollBar()->maximum() == 0);
        int seen = 0;
        for (const QLabel* label : d.panel()->findChildren<QLabel*>()) {
            if (!label->isVisible() || label->accessibleName().isEmpty()) continue;
            ++seen;
            const QRect there(label->mapTo(d.panel(), QPoint()), label->size());
            QVERIFY2(there.left() >= 0 && there.right() <= d.panel()->width() &&
                         label->visibleRegion().boundingRect().height() >= label->height() / 2,
                     qPrintable(label->accessibleName()));
            QVERIFY2(label->width() >= label->minimumSizeHint().width() &&
                         label->height() >= label->minimumSizeHint().height(),
                     qPrintable(label->accessibleName()));
        }
        QCOMPARE(seen, int(3 * (kPublishedColumns + kOurColumns)));
    }

    void figuresAreThoseOfTheTimings() {
        Demo d;
        QVERIFY(d.choose("gray_conversion") && d.finished());
        QVERIFY(isColor(d.document().image().format()));
        const auto& rows = d.runner().ours(2);
        QCOMPARE(rows.size(), d.bridge().timings().size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QCOMPARE(rows[i].time.medianMs, d.bridge().timings()[i].timing.time.medianMs);
            QCOMPARE(rows[i].width, 1024);
        }
    }

    void allSizesRunOneAfterTheOther() {
        Demo d;
        QVERIFY(d.choose("equalization") && d.finished());
        const double before = d.runner().ours(2).front().time.medianMs;
        QPushButton* all = d.button("demoAll");
        QCOMPARE(all->text(), QStringLiteral("Run all sizes"));
        QTest::mouseClick(all, Qt::LeftButton);
        QVERIFY(!all->isEnabled());
        QVERIFY(d.finished());
        for (const char* size : {"256 × 256", "512 × 512", "1,024 × 1,024"})
            for (const char* where : {"CPU, 1 thread", "CPU, "})
                QVERIFY2(
                    isFigure(d.cell(QStringLiteral("%1, measured here, %2")
                                        .arg(QString::fromUtf8(size), QString::fromUtf8(where)))),
                    size);
        // What was there already was kept, not measured again.
        QCOMPARE(d.runner().ours(2).front().time.medianMs, before);
        QCOMPARE(d.runner().ours(0).front().width, 256);
        QCOMPARE(d.document().image().size(), (Size{512, 512}));
        QCOMPARE(d.document().undoStack().count(), 1);
    }

    void theHistogramIsTimedWithoutAStep() {
        Demo d;
        QVERIFY(d.choose("histogram") && d.finished());
        QVERIFY(d.document().pipeline().steps.empty());
        QCOMPARE(d.document().image().size(), (Size{1280, 1024}));
        QVERIFY(d.texts().contains(QStringLiteral("Published elsewhere, on QX6600 and GTX 285")));
        QCOMPARE(d.cell(QStringLiteral("1,280 × 1,024, published, Speedup"))->text(),
                 QStringLiteral("≈ 30×"));
        QVERIFY(isFigure(d.cell(QStringLiteral("1,280 × 1,024, measured here, CPU, 1 thread"))));
        QCOMPARE(d.runner().ours(0).front().operation, std::string("histogram"));
        QCOMPARE(d.runner().ours(0).at(1).agreement.verdict, Verdict::Identical);
        // Another image is not the demo any more: nothing but its steps is timed.
        QVERIFY(d.open(d.scene("a.png")));
        QVERIFY(d.addStep("grayscale"));
        QTRY_VERIFY_WITH_TIMEOUT(d.bridge().timingsComplete(), 20000);
        for (const TimingReady& row : d.bridge().timings())
            QCOMPARE(row.timing.operation, std::string("grayscale"));
    }

    void cancellingStopsTheHistogramToo() {
        Demo d;
        d.once(DemoRunner::State::Measuring, [&d] { d.window.actions().cancel->trigger(); });
        QVERIFY(d.choose("histogram"));
        QTRY_VERIFY(!d.runner().stopReason().isEmpty());
        QCOMPARE(d.runner().state(), DemoRunner::State::Idle);
        QCOMPARE(d.runner().stopReason(), QStringLiteral("cancelled"));
        QVERIFY(d.panel()
                    ->findChild<QLabel*>(QStringLiteral("demoState"))
                    ->text()
                    .contains(QStringLiteral("cancelled")));
        QTest::mouseClick(d.button("demoAgain"), Qt::LeftButton);
        QVERIFY(d.finished());
        QVERIFY(!d.runner().ours(0).empty());
        QCOMPARE(d.runner().stopReason(), QString());
    }

    void cancellingTheMakingChangesNothing() {
        Demo d;
        QVERIFY(d.open(d.scene("a.png")));
        QVERIFY(d.choose("equalization"));
        d.window.actions().cancel->trigger();
        QVERIFY(d.finished());
        QVERIFY(!d.runner().stopReason().isEmpty());
        QVERIFY(d.document().pipeline().steps.empty());
        QCOMPARE(d.document().image().size(), (Size{160, 120}));
    }

    void anEditEndsTheDemoAndKeepsItsFigures() {
        Demo d;
        QVERIFY(d.choose("equalization") && d.finished());
        const double before = d.runner().ours(2).front().time.medianMs;
        QVERIFY(d.addStep("grayscale"));
        QTRY_VERIFY_WITH_TIMEOUT(d.bridge().timingsComplete(), 20000);
        QCOMPARE(d.runner().ours(2).front().time.medianMs, before);
        d.once(DemoRunner::State::Measuring, [&d] { d.document().removeStep(0); });
        QTest::mouseClick(d.button("demoAll"), Qt::LeftButton);
        QTRY_VERIFY(!d.runner().stopReason().isEmpty());
        QCOMPARE(d.runner().state(), DemoRunner::State::Idle);
        QVERIFY(d.runner().stopReason().contains(QStringLiteral("changed")));
    }

    // It does not disappear beneath the demo's own steps.
    void anEditWhileTheImageIsMadeIsKept() {
        Demo d;
        QVERIFY(d.open(d.scene("a.png")));
        QVERIFY(d.addStep("grayscale") && d.addStep("invert"));
        d.once(DemoRunner::State::Opening, [&d] { d.document().removeStep(0); });
        QVERIFY(d.choose("equalization"));
        QTRY_VERIFY(!d.runner().stopReason().isEmpty());
        QVERIFY(d.runner().stopReason().contains(QStringLiteral("changed")));
        QTest::qWait(300);
        QCOMPARE(d.runner().state(), DemoRunner::State::Idle);
        QCOMPARE(d.document().pipeline().steps.size(), std::size_t(1));
        QCOMPARE(d.document().pipeline().steps.front().operation, std::string("invert"));
        QCOMPARE(d.document().image().size(), (Size{160, 120}));
    }

    void aPausedWindowRunsADemo() {
        Demo d;
        d.window.actions().pause->setChecked(true);
        QVERIFY(d.choose("equalization") && d.finished());
        QVERIFY(!d.bridge().paused());
        QVERIFY(!d.runner().ours(2).empty());
    }

    void whatCannotRunSaysWhy() {
        PublishedExperiment e = publishedExperiments()[2];
        e.before = {"no_such_step:amount=1"};
        DemoMenu menu({publishedExperiments()[0], e});
        QCOMPARE(menu.entries().size(), qsizetype(2));
        QVERIFY(menu.entries()[0]->isEnabled());
        QVERIFY(!menu.entries()[1]->isEnabled());
        QVERIFY(menu.entries()[1]->text().contains(QStringLiteral("no_such_step")));
        QSignalSpy chosen(&menu, &DemoMenu::chosen);
        menu.popup(QPoint(50, 50));
        QTRY_VERIFY(menu.isVisible());
        QTest::mouseClick(&menu, Qt::LeftButton, {},
                          menu.actionGeometry(menu.entries()[1]).center());
        QCOMPARE(chosen.count(), 0);
    }

    void headingsAreWhole() {
        DemoMenu menu(publishedExperiments());
        menu.popup(QPoint(50, 50));
        QTRY_VERIFY(menu.isVisible());
        int headings = 0;
        for (QAction* action : menu.actions()) {
            if (!action->isSeparator() || action->text().isEmpty()) continue;
            ++headings;
            const int room = menu.actionGeometry(action).width();
            QVERIFY(menu.fontMetrics().horizontalAdvance(action->text()) + 10 <= room);
        }
        QVERIFY(headings > 1);
    }

    void everyEntryOfThisBuildMatchesItsOperations() {
        Demo d;
        QCOMPARE(d.menu()->entries().size(), qsizetype(publishedExperiments().size()));
        for (qsizetype i = 0; i < d.menu()->entries().size(); ++i) {
            const PublishedExperiment& e = publishedExperiments()[std::size_t(i)];
            const bool runs = chainOf(e, e.rows[e.firstRow]).has_value();
            QCOMPARE(d.menu()->entries()[i]->isEnabled(), runs);
            if (!runs)
                QVERIFY(d.menu()->entries()[i]->text().contains(QStringLiteral("not available")));
        }
    }

    void everyExperimentOfThisBuildRuns() {
        Demo d;
        for (const QAction* entry : d.menu()->entries()) {
            if (!entry->isEnabled()) continue;
            const QByteArray id = entry->objectName().mid(5).toUtf8();
            QVERIFY(d.choose(id.constData()));
            QVERIFY2(d.finished(), id.constData());
            QVERIFY2(d.runner().stopReason().isEmpty(), qPrintable(d.runner().stopReason()));
            const std::size_t row = d.runner().experiment()->firstRow;
            QVERIFY2(d.runner().ours(row).front().measured(), id.constData());
            QCOMPARE(d.runner().ours(row).front().operation, d.runner().experiment()->operation);
        }
    }
};

WARPSCOPE_TEST(DemosTest)
#include "demos_test.moc"
