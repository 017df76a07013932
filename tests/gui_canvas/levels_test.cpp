// Black and white on the screen, marks of what is no number, and what is copied.
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <cmath>
#include <limits>

#include "gui/app/qimage_convert.h"
#include "gui/display/display_settings.h"
#include "gui/inspector/levels_controls.h"
#include "gui_canvas/canvas_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

namespace {

Image ramp(double low, double high, int count = 101) {
    ImageInfo info;
    info.whiteLevel = 1.0;
    return makeImage<float>(
        PixelFormat::GrayF32, {count, 1},
        [=](int x, int, int) { return float(low + (high - low) * x / (count - 1)); }, info);
}

}  // namespace

class LevelsTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void extremesLeaveOutWhatIsNoNumber() {
        const float samples[] = {3, std::nanf(""), -7, std::numeric_limits<float>::infinity(), 2};
        const auto range = extremesOf(makeImage<float>(
            PixelFormat::GrayF32, {5, 1}, [&](int x, int, int) { return samples[x]; }));
        QVERIFY(range.has_value());
        QCOMPARE(range->low, -7.0);
        QCOMPARE(range->high, 3.0);
        QVERIFY(!extremesOf(makeImage<float>(PixelFormat::GrayF32, {2, 2}, [](int, int, int) {
                     return std::nanf("");
                 })).has_value());
    }

    void percentilesLeaveOutOutliers() {
        // One sample in 10,000 is far away on either side.
        const Image image =
            makeImage<float>(PixelFormat::GrayF32, {200, 100}, [](int x, int y, int) {
                const int i = y * 200 + x;
                return i == 77 ? 1e6f : i == 999 ? -1e6f : float(i % 1000);
            });
        const auto range = percentilesOf(image);
        QVERIFY(range.has_value());
        QVERIFY(range->low >= 0 && range->low <= 2);
        QVERIFY(range->high >= 997 && range->high <= 999);
        QCOMPARE(extremesOf(image)->high, 1e6);
    }

    void automaticRangesAreDrawnAndSaid() {
        CanvasFixture f;
        DisplaySettings display;
        f.canvas.setDisplay(display);
        const Image source = ramp(-4, 12);
        f.show(pyramidOf(source), pyramidOf(ramp(-4, 12)));
        f.canvas.setViewMode(ViewMode::Source);
        f.canvas.setZoom(3.0, {200, 150});
        QCOMPARE(f.colorOf({20, 0}), QColor(0, 0, 0));        // -0.8
        QCOMPARE(f.colorOf({60, 0}), QColor(255, 255, 255));  // 5.6
        QVERIFY(display.describe(source).isEmpty());
        // Float that reaches beyond 0 to 1 is shown over all of its values.
        display.setImages(source, source);
        QTRY_VERIFY(display.rangeFor(source).has_value());
        QVERIFY(display.describe(source).contains(QStringLiteral("black -4, white 12")));
        QCOMPARE(f.colorOf({60, 0}), QColor(153, 153, 153));
        const Image inside = ramp(0.25, 0.5);
        display.setImages(inside, inside);
        QTRY_VERIFY(!display.rangeFor(inside).has_value());
        display.setImages(source, source);
        display.setChoice(RangeChoice::MinMax);
        QTRY_VERIFY(display.rangeFor(source).has_value());
        QCOMPARE(f.colorOf({60, 0}), QColor(153, 153, 153));
        QVERIFY(display.describe(source).contains(QStringLiteral("black -4, white 12")));
        QVERIFY(display.describe(source).contains(QStringLiteral("minimum to maximum")));
        f.shot("levels_min_max");
        display.setLogarithmic(true);
        const int wanted = int(std::lround(255 * std::log1p(255 * 0.6) / std::log(256.0)));
        QVERIFY(std::abs(f.colorOf({60, 0}).red() - wanted) <= 1);
        display.setLogarithmic(false);
        display.setManual(source, {0, 10});
        QCOMPARE(display.choice(), RangeChoice::Manual);
        QCOMPARE(f.colorOf({50, 0}), QColor(102, 102, 102));  // 4
        display.setChoice(RangeChoice::Natural);
        QTRY_COMPARE(f.colorOf({60, 0}), QColor(153, 153, 153));
    }

    void aDarkSourceIsSaidOrShown() {
        const auto deep = [](int most) {
            ImageInfo info;
            info.whiteLevel = 65535;
            return makeImage<std::uint16_t>(
                PixelFormat::Gray16, {64, 64},
                [most](int x, int y, int) { return std::uint16_t((x * 64 + y) * most / 4095); },
                info);
        };
        const Image dark = deep(3000), good = deep(60000), darker = deep(900);
        DisplaySettings display;
        QSignalSpy poor(&display, &DisplaySettings::poorlyShown);
        display.setImages(dark, dark);
        QTRY_COMPARE(poor.count(), 1);
        QCOMPARE(poor.last()[0].toBool(), false);
        QCOMPARE(poor.last()[1].toBool(), false);  // dark
        QCOMPARE(display.choice(), RangeChoice::Natural);
        const Image bright = makeImage<std::uint16_t>(
            PixelFormat::Gray16, {64, 64},
            [](int x, int y, int) { return std::uint16_t(65535 - (x * 64 + y) * 3000 / 4095); },
            dark.info());
        display.setImages(bright, bright);
        QTRY_COMPARE(poor.count(), 2);
        QCOMPARE(poor.last()[1].toBool(), true);
        display.setByItself(true);
        display.setImages(good, good);
        display.setImages(darker, darker);
        QTRY_COMPARE(poor.count(), 3);
        QCOMPARE(poor.last()[0].toBool(), true);
        QCOMPARE(display.choice(), RangeChoice::Percentiles);
        QTRY_VERIFY(display.rangeFor(darker).has_value());
        QVERIFY(display.rangeFor(darker)->high <= 900);
        // For that image alone; what the person chose stays.
        display.setImages(good, good);
        QCOMPARE(display.choice(), RangeChoice::Natural);
        display.setChoice(RangeChoice::MinMax);
        display.setImages(darker, darker);
        QTRY_VERIFY(display.rangeFor(darker).has_value());
        QCOMPARE(display.choice(), RangeChoice::MinMax);
        QCOMPARE(poor.count(), 3);
    }

    void anotherDepthHasARangeOfItsOwn() {
        DisplaySettings display;
        const Image eight = plainImage({8, 8}, 1, 2, 3);
        const Image real = ramp(0, 2);
        display.setImages(eight, real);
        display.setManual(real, {0.5, 1.5});
        QVERIFY(!display.rangeFor(eight).has_value());
        QCOMPARE(display.rangeFor(real)->high, 1.5);
        display.setManual(real, {3, 3});  // no range: nothing happens
        QCOMPARE(display.rangeFor(real)->high, 1.5);
    }

    void whatIsNoNumberIsMarkedAlsoZoomedOut() {
        ImageInfo info;
        info.whiteLevel = 1.0;
        const PyramidPtr picture = pyramidOf(makeImage<float>(
            PixelFormat::RgbaF32, {800, 600},
            [](int x, int y, int c) {
                if (x == 401 && y == 302 && c == 1) return std::nanf("");
                return c == 3 ? 1.0f : 0.25f;
            },
            info));
        CanvasFixture f;
        f.show(picture, picture);
        QVERIFY(f.canvas.zoom() < 1.0 * f.canvas.devicePixelRatioF());
        const QImage shown = f.shot("nan_zoomed_out");
        int marks = 0;
        for (int y = 0; y < shown.height(); ++y)
            for (int x = 0; x < shown.width(); ++x) {
                const QColor c = shown.pixelColor(x, y);
                marks += c.red() > 120 && c.green() < 60 && c.blue() > 120;
            }
        QVERIFY(marks >= 1);
    }

    void highlightPicksOut() {
        CanvasFixture f;
        const PyramidPtr picture = pyramidOf(makeImage<std::uint8_t>(
            PixelFormat::Gray8, {256, 64}, [](int x, int, int) { return std::uint8_t(x); }));
        f.show(picture, picture);
        f.canvas.setZoom(1.0, {200, 150});
        QCOMPARE(f.colorOf({100, 30}), QColor(100, 100, 100));
        f.canvas.setHighlight(ValueHighlight{90, 110});
        const QColor in = f.colorOf({100, 30}), out = f.colorOf({160, 30});
        QCOMPARE(in, QColor((100 + 3 * 255 + 2) / 4, (100 + 3 * 214 + 2) / 4, 25));
        QCOMPARE(out, QColor(100, 100, 100));
        QCOMPARE(f.colorOf({90, 30}).blue() < f.colorOf({89, 30}).blue(), true);
        QCOMPARE(f.colorOf({110, 30}).blue() < f.colorOf({111, 30}).blue(), true);
        f.shot("highlight");
        f.canvas.setHighlight(std::nullopt);
        QCOMPARE(f.colorOf({100, 30}), QColor(100, 100, 100));
    }

    void controlsByKeys() {
        DisplaySettings display;
        LevelsControls controls;
        controls.setDisplay(display);
        const Image image = ramp(0, 2);
        display.setImages(image, image);
        controls.setImage(image);
        controls.show();
        (void)QTest::qWaitForWindowActive(&controls);
        auto* black = controls.findChild<QLineEdit*>(QStringLiteral("levelsBlack"));
        auto* white = controls.findChild<QLineEdit*>(QStringLiteral("levelsWhite"));
        auto* choice = controls.findChild<QComboBox*>(QStringLiteral("levelsChoice"));
        auto* logarithmic = controls.findChild<QCheckBox*>(QStringLiteral("levelsLogarithmic"));
        QCOMPARE(black->text(), QStringLiteral("0"));
        QTRY_COMPARE(white->text(), QStringLiteral("2"));
        controls.focusBlack();
        QTest::keyClicks(black, QStringLiteral("0.25"));
        QTest::keyClick(black, Qt::Key_Return);
        QCOMPARE(display.choice(), RangeChoice::Manual);
        QCOMPARE(display.rangeFor(image)->low, 0.25);
        QCOMPARE(choice->currentIndex(), int(RangeChoice::Manual));
        // Black above white is no range: what was there comes back.
        white->setFocus();
        white->selectAll();
        QTest::keyClicks(white, QStringLiteral("0.1"));
        QTest::keyClick(white, Qt::Key_Return);
        QCOMPARE(white->text(), QStringLiteral("2"));
        QCOMPARE(display.rangeFor(image)->high, 2.0);
        choice->setFocus();
        QTest::keyClick(choice, Qt::Key_Home);
        QTest::keyClick(choice, Qt::Key_Down);
        QTRY_COMPARE(display.choice(), RangeChoice::MinMax);
        QTRY_COMPARE(white->text(), QStringLiteral("2"));
        QTest::keyClick(logarithmic, Qt::Key_Space);
        QVERIFY(display.logarithmic());
    }

    void copiesLookLikeTheScreen() {
        const Image real = ramp(0, 4, 5);
        Copied copied = copyOf(real, {});
        QCOMPARE(copied.bits, 8);
        QVERIFY(!copied.exact);
        QCOMPARE(copied.picture.pixelColor(1, 0), QColor(255, 255, 255));
        DisplayLook look;
        look.range = DisplayRange{0, 4};
        copied = copyOf(real, look);
        QCOMPARE(copied.picture.pixelColor(1, 0), QColor(64, 64, 64));
        // 12 bits in 16: white is 4,095, and white it is in the copy.
        ImageInfo info;
        info.whiteLevel = 4095;
        const Image twelve = makeImage<std::uint16_t>(
            PixelFormat::Gray16, {2, 1}, [](int x, int, int) { return std::uint16_t(x * 4095); },
            info);
        copied = copyOf(twelve, {});
        QCOMPARE(copied.bits, 8);
        QCOMPARE(copied.picture.pixelColor(1, 0), QColor(255, 255, 255));
        info.whiteLevel = 65535;
        copied = copyOf(twelve.withInfo(info), {});
        QVERIFY(copied.exact);
        QCOMPARE(copied.bits, 16);
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::LevelsTest)
#include "levels_test.moc"
