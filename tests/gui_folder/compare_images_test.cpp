// Any two images compared, both after the same steps.
#include "engine/pipeline/executor.h"
#include "gui/app/compare_controller.h"
#include "gui/display/comparison.h"
#include "gui/display/display_levels.h"
#include "gui/folder/folder_strip.h"
#include "gui/widgets/theme.h"
#include "support/test_case.h"
#include "tests/gui/window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class CompareImagesTest : public QObject {
    Q_OBJECT

    static Image inverted(const Image& image) {
        auto copy = MutableImage::create(image.format(), image.size());
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                for (int c = 0; c < 4; ++c) {
                    const int v = image.view<std::uint8_t>().row(y)[4 * x + c];
                    copy->view<std::uint8_t>().row(y)[4 * x + c] =
                        std::uint8_t(c == 3 ? v : 255 - v);
                }
        return std::move(*copy).freezeLike(image);
    }
    static bool compares(WindowFixture& f, const Image& a, const Image& b) {
        return waitedFor(
            [&] {
                const Comparison* given = f.window.canvas().comparison();
                return given && sameSamples(given->first->levels.front(), a) &&
                       sameSamples(given->second->levels.front(), b);
            },
            20000);
    }
    static QColor centre(WindowFixture& f, const QPointF& inImage) {
        const QPointF at = f.window.canvas().widgetPosition(inImage);
        return f.window.canvas().grab().toImage().pixelColor(at.toPoint());
    }
    static QColor colorOf(const Image& image, int x, int y) {
        const auto* p = image.view<std::uint8_t>().row(y) + 4 * x;
        return QColor(p[0], p[1], p[2]);
    }

  private slots:
    void bothAfterTheSameStepsInEveryView() {
        WindowFixture f;
        const Image a = sceneOf({40, 30}, 1), b = sceneOf({40, 30}, 2);
        const QString first = f.scene("a.png", {40, 30}, 1), second = f.scene("b.png", {40, 30}, 2);
        QVERIFY(f.open(second));
        QVERIFY(f.open(first));
        f.press(Qt::Key_K);  // with the one before
        QVERIFY(compares(f, a, b));
        QCOMPARE(f.window.comparing().path(), second);
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Wipe);
        QCOMPARE(f.window.canvas().comparison()->firstLabel, QStringLiteral("a.png"));
        QCOMPARE(f.window.canvas().comparison()->secondLabel, QStringLiteral("b.png"));
        // Key by key.
        f.press(Qt::Key_1);
        QCOMPARE(centre(f, {20.5, 15.5}), colorOf(a, 20, 15));
        f.press(Qt::Key_2);
        QCOMPARE(centre(f, {20.5, 15.5}), colorOf(b, 20, 15));
        f.press(Qt::Key_5);
        const QColor x = colorOf(a, 7, 9), y = colorOf(b, 7, 9);
        QCOMPARE(centre(f, {7.5, 9.5}),
                 QColor(std::abs(x.red() - y.red()), std::abs(x.green() - y.green()),
                        std::abs(x.blue() - y.blue())));
        // A step changes both; view and mode stay.
        f.window.canvas().setZoom(9.0, QPointF(200, 200));
        f.document().insertStep(0, makeStep("invert").value());
        QVERIFY(compares(f, inverted(a), inverted(b)));
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Difference);
        QCOMPARE(f.window.canvas().zoom(), 9.0);
        QCOMPARE(f.window.canvas().comparison()->secondLabel, QStringLiteral("b.png, result"));
        f.press(Qt::Key_Escape);
        QVERIFY(!f.window.canvas().comparison());
        QVERIFY(!f.window.comparing().active());
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Result);
    }

    void walkingOnKeepsThePartner() {
        WindowFixture f;
        const QString a = f.scene("a.png", {40, 30}, 1), b = f.scene("b.png", {40, 30}, 2),
                      c = f.scene("c.png", {40, 30}, 3);
        QVERIFY(f.open(a));
        QTRY_COMPARE(f.window.files().images().size(), 3);
        f.window.comparing().compareWith(c);
        QVERIFY(compares(f, sceneOf({40, 30}, 1), sceneOf({40, 30}, 3)));
        f.press(Qt::Key_PageDown);
        QVERIFY(compares(f, sceneOf({40, 30}, 2), sceneOf({40, 30}, 3)));
        QCOMPARE(f.window.canvas().comparison()->firstLabel, QStringLiteral("b.png"));
        // The partner changes on disk.
        f.scene("c.png", {40, 30}, 4);
        QVERIFY(compares(f, sceneOf({40, 30}, 2), sceneOf({40, 30}, 4)));
        f.press(Qt::Key_K);
        QVERIFY(!f.window.canvas().comparison());
        f.document().insertStep(0, makeStep("invert").value());
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QTest::qWait(100);
        QVERIFY(!f.window.canvas().comparison());
    }

    void imagesOfTwoSizesLieAtTheTopLeft() {
        WindowFixture f;
        const Image a = sceneOf({60, 30}, 1), b = sceneOf({40, 50}, 2);
        const QString first = f.scene("a.png", {60, 30}, 1), second = f.scene("b.png", {40, 50}, 2);
        QVERIFY(f.open(first));
        f.window.comparing().compareWith(second);
        QVERIFY(compares(f, a, b));
        const Comparison& given = *f.window.canvas().comparison();
        QCOMPARE(exactImage(given.commonFirst).size(), (Size{40, 30}));
        QVERIFY(sameSamples(exactImage(given.commonSecond), b.crop({0, 0, 40, 30})));
        f.press(Qt::Key_5);
        const QColor x = colorOf(a, 39, 29), y = colorOf(b, 39, 29);
        QCOMPARE(centre(f, {39.5, 29.5}),
                 QColor(std::abs(x.red() - y.red()), std::abs(x.green() - y.green()),
                        std::abs(x.blue() - y.blue())));
        // Beside what both have there is nothing.
        QCOMPARE(centre(f, {50.5, 15.5}), Theme::instance().colors().canvas);
        f.press(Qt::Key_2);
        f.press(Qt::Key_F);
        QCOMPARE(centre(f, {20.5, 40.5}), colorOf(b, 20, 40));
        // The read-out names the pixel of each, or none.
        QSignalSpy pixels(&f.window.canvas(), &Canvas::cursorPixelChanged);
        f.press(Qt::Key_1);
        f.press(Qt::Key_F);
        QTest::mouseMove(&f.window.canvas(),
                         f.window.canvas().widgetPosition({50.5, 10.5}).toPoint());
        QTRY_VERIFY(!pixels.isEmpty() && pixels.back().at(0).toPoint() == QPoint(50, 10));
        QCOMPARE(pixels.back().at(1).toPoint(), QPoint(-1, -1));
    }

    void fromTheStripByControlClick() {
        WindowFixture f;
        const QStringList paths{f.scene("a.png", {40, 30}, 1), f.scene("b.png", {40, 30}, 2)};
        f.window.files().openFiles(paths);
        QTRY_COMPARE(f.document().filePath(), paths[0]);
        FolderStrip& strip = f.window.strip();
        QTRY_VERIFY(strip.isVisible());
        const QModelIndex index = strip.model()->index(1, 0);
        QTest::mouseClick(strip.viewport(), Qt::LeftButton, Qt::ControlModifier,
                          strip.visualRect(index).center());
        QVERIFY(compares(f, sceneOf({40, 30}, 1), sceneOf({40, 30}, 2)));
        QVERIFY(index.data(StripModel::ComparedRole).toBool());
        QCOMPARE(f.document().filePath(), paths[0]);
    }

    void aPartnerThatCannotBeReadIsNamed() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        f.window.comparing().compareWith(f.folder.filePath("missing.png"));
        QTRY_COMPARE(f.window.messages().count(), 1);
        QVERIFY(f.window.messages().text().contains(QStringLiteral("missing.png")));
        QVERIFY(!f.window.comparing().active());
    }

    // The message about one that failed goes with the next that does not, with another image and
    // with other steps.
    void aFailureIsForgotten() {
        WindowFixture f;
        const QString a = f.scene("a.png", {60, 30}), b = f.scene("b.png", {40, 50});
        MessageBar& bar = f.window.messages();
        const auto fail = [&] {
            f.window.comparing().compareWith(f.folder.filePath("missing.png"));
            return waitedFor([&] { return bar.isVisible(); });
        };
        QVERIFY(f.open(a));
        QVERIFY(fail());
        f.window.comparing().compareWith(b);
        QVERIFY(waitedFor([&] { return f.window.canvas().comparison() != nullptr; }));
        QVERIFY2(!bar.isVisible(), qPrintable(bar.text()));
        f.press(Qt::Key_Escape);
        QVERIFY(!f.window.canvas().comparison());
        QVERIFY2(!bar.isVisible(), qPrintable(bar.text()));
        QVERIFY(fail());
        QVERIFY(f.addStep("invert"));
        QVERIFY(!bar.isVisible());
        QVERIFY(fail());
        QVERIFY(f.open(b));
        QVERIFY(!bar.isVisible());
    }
};

WARPSCOPE_TEST(CompareImagesTest)
#include "compare_images_test.moc"
