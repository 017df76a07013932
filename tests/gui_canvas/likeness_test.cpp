// How like source and result are, and percentiles, in the inspector over a real document and
// worker.
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "engine/measure/likeness.h"
#include "gui/display/comparison.h"
#include "gui/display/region_words.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/inspector/likeness_view.h"
#include "gui/inspector/statistics_table.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/theme.h"
#include "gui_canvas/pictures.h"
#include "support/shapes.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

namespace {

struct LikenessBench {
    explicit LikenessBench(const char* operation)
        : bridge(document, [] { return BackendSet::cpuOnly("not used in this test"); }),
          panel(document, bridge) {
        auto step = makeStep(operation);
        if (!step) qFatal("%s", step.error().message.c_str());
        document.insertStep(0, *step);
        panel.resize(300, 900);
        panel.show();
        view = panel.findChild<LikenessView*>();
        table = panel.findChild<QTableWidget*>(QStringLiteral("likeness"));
    }
    bool ready() const { return view->isCurrent() && table->isVisibleTo(&panel); }
    QString cell(int row, int column) const { return table->item(row, column)->text(); }
    // What is seen against what is counted here.
    void compare(const Image& a, const Image& b, const RegionRows* only = nullptr) const {
        const auto rows = likenessOf(a, b, {}, only);
        QVERIFY(rows.has_value());
        QCOMPARE(table->rowCount(), int(rows->size()));
        for (int r = 0; r < table->rowCount(); ++r) {
            const ChannelLikeness& row = (*rows)[std::size_t(r)];
            QCOMPARE(cell(r, 0), QString::number(row.rootMeanSquared, 'g', 5));
            QCOMPARE(cell(r, 1), QString::number(row.psnr, 'g', 5));
            QCOMPARE(cell(r, 2), std::isnan(row.ssim) ? QStringLiteral("–")
                                                      : QString::number(row.ssim, 'g', 5));
        }
    }
    Document document;
    EngineBridge bridge;
    InspectorPanel panel;
    LikenessView* view = nullptr;
    QTableWidget* table = nullptr;
};

}  // namespace

class LikenessViewTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void resultAgainstSource() {
        LikenessBench bench("invert");
        const Image source = noisyImage({64, 48}, 7);
        bench.document.setSource(pyramidOf(source), {}, QStringLiteral("test"));
        QTRY_VERIFY_WITH_TIMEOUT(bench.ready(), 20000);
        bench.compare(source, bench.bridge.result()->levels.front());
        // Of the region alone.
        bench.document.setRegion(Rect{5, 6, 31, 17});
        QVERIFY(waitedFor([&] { return !bench.view->isCurrent(); }));
        QTRY_VERIFY_WITH_TIMEOUT(bench.ready(), 20000);
        bench.compare(source.crop({5, 6, 31, 17}),
                      bench.bridge.result()->levels.front().crop({5, 6, 31, 17}));
        // Of exactly the pixels of an ellipse or a polygon, with the same bits as counted here.
        for (int i = 0; i < 4; ++i) {
            std::mt19937 random{warpscope::test::freshSeed()};
            const RegionShape shape = anyShape(random, {64, 48});
            bench.document.setRegion(shape);
            QVERIFY(waitedFor([&] { return !bench.view->isCurrent(); }));
            QTRY_VERIFY_WITH_TIMEOUT(bench.ready(), 20000);
            const RegionRows rows(shape, shape.box());
            bench.compare(source.crop(shape.box()),
                          bench.bridge.result()->levels.front().crop(shape.box()), &rows);
            QVERIFY(bench.view->findChild<QLabel*>()->text().contains(groupedCount(rows.pixels())));
        }
        for (QPushButton* button : bench.view->findChildren<QPushButton*>()) {
            QTest::mouseClick(button, Qt::LeftButton);
            QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("SSIM"),
                                                                  Qt::CaseInsensitive));
        }
        QVERIFY(
            QGuiApplication::clipboard()->text().startsWith(QStringLiteral("channel,samples,")));
    }

    // Median, entropy and likeness, while the button is down and nothing moves.
    void aSliderThatIsHeldStillIsFollowed() {
        LikenessBench bench("gaussian_blur");
        const Image source = noisyImage({64, 48}, 7);
        bench.document.setSource(pyramidOf(source), {}, QStringLiteral("test"));
        QTRY_VERIFY_WITH_TIMEOUT(bench.ready(), 20000);
        bench.document.beginInteraction();
        for (const double sigma : {2.0, 5.0, 9.0}) {
            bench.document.setParameter(0, "sigma", sigma, EditPhase::Drag);
            QVERIFY(!bench.view->isCurrent());
        }
        QTRY_VERIFY_WITH_TIMEOUT(bench.ready(), 20000);
        QVERIFY(bench.document.interacting());
        bench.compare(source, bench.bridge.result()->levels.front());
        bench.document.endInteraction();
    }

    // Names of files may be longer than the column: both ends are read, the tool tip has all.
    void longNamesAreShortenedInTheMiddle() {
        LikenessBench bench("grayscale");
        bench.document.setSource(pyramidOf(noisyImage({64, 48}, 7)), {}, QStringLiteral("test"));
        const QString name = QStringLiteral("first_%1_last.png").arg(QString(60, QLatin1Char('m')));
        auto given = prepareComparison(noisyImage({40, 33}, 1), noisyImage({40, 33}, 2), name,
                                       QStringLiteral("two.png"), {});
        QVERIFY(given.has_value());
        bench.panel.setComparison(&*given);
        QCoreApplication::processEvents();
        QStringList shown;
        for (const ElidedLabel* label : bench.panel.findChildren<ElidedLabel*>()) {
            shown << label->shownText();
            const QRect place(label->mapTo(&bench.panel, QPoint()), label->size());
            QVERIFY(bench.panel.rect().contains(place));
        }
        QVERIFY(shown.contains(QStringLiteral("two.png")));
        const auto cut = shown.filter(QRegularExpression(QStringLiteral("^f.*….*g$")));
        QVERIFY2(cut.size() == 1, qPrintable(shown.join(QLatin1Char('|'))));
        bench.panel.setComparison(nullptr);
    }

    void whatCannotBeComparedSaysWhy() {
        LikenessBench bench("grayscale");
        bench.document.setSource(pyramidOf(noisyImage({64, 48}, 7)), {}, QStringLiteral("test"));
        auto* title = bench.view->findChild<QLabel*>();
        QTRY_VERIFY_WITH_TIMEOUT(title->text().contains(QStringLiteral("different kinds")), 20000);
        QVERIFY(!bench.table->isVisibleTo(&bench.panel));
        bench.document.removeStep(0);
        QTRY_VERIFY_WITH_TIMEOUT(title->text().contains(QStringLiteral("itself")), 20000);
    }

    void twoGivenImages() {
        LikenessBench bench("grayscale");
        bench.document.setSource(pyramidOf(noisyImage({64, 48}, 7)), {}, QStringLiteral("test"));
        const Image a = noisyImage({40, 33}, 1), b = noisyImage({40, 33}, 2);
        auto given =
            prepareComparison(a, b, QStringLiteral("one.png"), QStringLiteral("two.png"), {});
        QVERIFY(given.has_value());
        bench.panel.setComparison(&*given);
        QTRY_VERIFY_WITH_TIMEOUT(bench.ready(), 20000);
        bench.compare(a, b);
        const QString title = bench.view->findChild<QLabel*>()->text();
        QVERIFY(title.contains(QStringLiteral("one.png")) &&
                title.contains(QStringLiteral("40 × 33")));
        // What PSNR is measured against is said, and that alpha is no part of the colours.
        QVERIFY(title.contains(QStringLiteral("PSNR in dB of a peak of 255")));
        for (const int column : {1, 2})
            QVERIFY(bench.table->horizontalHeaderItem(column)->toolTip().contains(
                QStringLiteral("255")));
        const int last = bench.table->rowCount() - 1;
        QCOMPARE(bench.table->verticalHeaderItem(last)->text(), QStringLiteral("RGB"));
        QVERIFY(bench.table->verticalHeaderItem(last)->toolTip().contains(
            QStringLiteral("without alpha")));
        bench.panel.setComparison(nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(!bench.table->isVisibleTo(&bench.panel), 20000);
    }

    // Nothing is counted for nobody.
    void onlyWhileShown() {
        LikenessBench bench("invert");
        const Image source = noisyImage({64, 48}, 7);
        bench.panel.hide();
        bench.document.setSource(pyramidOf(source), {}, QStringLiteral("test"));
        QTRY_VERIFY_WITH_TIMEOUT(bench.bridge.resultIsCurrent(), 20000);
        QTest::qWait(300);
        QVERIFY(bench.view->figures().likeness.empty());
        bench.panel.show();
        QTRY_VERIFY_WITH_TIMEOUT(bench.ready(), 20000);
    }

    void medianAndPercentiles() {
        LikenessBench bench("invert");
        const Image source = noisyImage({64, 48}, 7);
        bench.document.setSource(pyramidOf(source), {}, QStringLiteral("test"));
        QTRY_VERIFY_WITH_TIMEOUT(bench.ready(), 20000);
        auto* table = bench.panel.findChild<StatisticsTable*>();
        std::vector<int> red;
        const auto view = source.view<std::uint8_t>();
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x) red.push_back(view.row(y)[x * 4]);
        std::sort(red.begin(), red.end());
        const auto percentile = [&](std::size_t percent) {
            return QString::number(red[(red.size() * percent + 99) / 100 - 1]);
        };
        const auto column = [&](const char* name) {
            for (int c = 0; c < table->columnCount(); ++c)
                if (table->horizontalHeaderItem(c)->text() == QLatin1String(name)) return c;
            return -1;
        };
        QTRY_COMPARE(table->item(0, column("Med."))->text(), percentile(50));
        QVERIFY(table->item(0, column("Bits"))->text().toDouble() > 7);
        // Not weak any more, also after something moved that changed nothing.
        const auto isWeak = [&] {
            return table->item(0, column("Med."))->foreground().color() ==
                   Theme::instance().colors().disabledText;
        };
        QTRY_VERIFY(!isWeak());
        bench.document.beginInteraction();
        bench.document.endInteraction();
        QVERIFY(!bench.view->isCurrent());
        emit bench.bridge.histogramsReady();
        QVERIFY(isWeak());
        QTRY_VERIFY(!isWeak());
        QVERIFY(table->isColumnHidden(column("P5")));
        QCOMPARE(table->item(0, column("P5"))->text(), percentile(5));
        QCOMPARE(table->item(0, column("P99"))->text(), percentile(99));
        QVERIFY(table->item(0, column("Med."))->toolTip().contains(percentile(95)));
        // The menu shows them.
        QTimer::singleShot(0, table, [] {
            QWidget* menu = QApplication::activePopupWidget();
            QVERIFY(menu);
            QTest::keyClick(menu, Qt::Key_Down);
            QTest::keyClick(menu, Qt::Key_Return);
        });
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(5, 5),
                                table->mapToGlobal(QPoint(5, 5)));
        QApplication::sendEvent(table, &event);
        QVERIFY(!table->isColumnHidden(column("P5")));
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::LikenessViewTest)
#include "likeness_test.moc"
