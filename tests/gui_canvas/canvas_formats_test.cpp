// Sample formats as the canvas shows them: 16 bits, floats with NaN, sums, white levels, alpha.
#include <limits>

#include "gui_canvas/canvas_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

class CanvasFormatsTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void whiteLevelIsShownAsWhite() {
        CanvasFixture f;
        f.canvas.clearFocus();  // its frame covers pixels
        ImageInfo info;
        info.whiteLevel = 100;
        f.canvas.setSource(pyramidOf(makeImage<std::uint8_t>(
            PixelFormat::Gray8, {400, 300},
            [](int x, int, int) { return std::uint8_t(x < 200 ? 100 : 50); }, info)));
        for (const double zoom : {0.25, 1.0, 3.0}) {
            f.canvas.setZoom(zoom, {200, 150});
            const QImage picture = f.shot();
            QCOMPARE(f.colorIn(picture, {180, 150}), QColor(255, 255, 255));
            QVERIFY(std::abs(f.colorIn(picture, {220, 150}).red() - 127.5) < 1);
        }
    }

    void sixteenBits() {
        CanvasFixture f;
        f.canvas.clearFocus();  // its frame covers pixels
        ImageInfo info;
        info.whiteLevel = 65535;
        const Image image = makeImage<std::uint16_t>(
            PixelFormat::Rgba16, {900, 700},
            [](int x, int y, int c) {
                return c == 3 ? std::uint16_t(65535) : std::uint16_t(hashSample(x, y, c, 2) * 257);
            },
            info);
        f.canvas.setSource(pyramidOf(image));
        f.canvas.setViewMode(ViewMode::Source);
        f.canvas.zoomToActual();
        // The converted part moves with the view.
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Left, Qt::Key_Left}) {
            for (int i = 0; i < 5; ++i) QTest::keyClick(&f.canvas, key);
            const QImage picture = f.shot();
            const Rect seen = f.canvas.viewport().visible;
            const int margin = int(40 * f.canvas.devicePixelRatioF());
            for (int y = seen.y + margin; y < seen.y + seen.height - margin; y += 3)
                for (int x = seen.x; x < seen.x + seen.width; x += 3)
                    QCOMPARE(f.colorIn(picture, {x, y}),
                             QColor(hashSample(x, y, 0, 2), hashSample(x, y, 1, 2),
                                    hashSample(x, y, 2, 2)));
        }
    }

    void floatsWithNaN() {
        CanvasFixture f;
        f.canvas.clearFocus();  // its frame covers pixels
        ImageInfo info;
        info.whiteLevel = 1.0;
        const float samples[] = {
            0.0f, 1.0f, 0.5f, 7.0f, -3.0f, std::nanf(""), std::numeric_limits<float>::infinity(),
            0.25f};
        f.canvas.setSource(pyramidOf(makeImage<float>(
            PixelFormat::GrayF32, {8, 1}, [&](int x, int, int) { return samples[x]; }, info)));
        f.canvas.setViewMode(ViewMode::Source);
        f.canvas.setZoom(20.0, {200, 150});
        const QImage picture = f.shot();
        const int wanted[] = {0, 255, 128, 255, 0, -1, -1, 64};
        for (int x = 0; x < 8; ++x)
            if (wanted[x] >= 0)
                QCOMPARE(f.colorIn(picture, {x, 0}), QColor(wanted[x], wanted[x], wanted[x]));
        QCOMPARE(f.colorIn(picture, {5, 0}), QColor(kNaNColor.r, kNaNColor.g, kNaNColor.b));
        QCOMPARE(f.colorIn(picture, {6, 0}), QColor(kInfColor.r, kInfColor.g, kInfColor.b));
        f.canvas.setZoom(48.0, {200, 150});
        const QImage large = f.shot("float_values");
        // The cell of the NaN says so.
        const auto inks = [&](const QPoint& pixel) {
            const QPointF first = f.canvas.widgetPosition(pixel) * f.canvas.devicePixelRatioF();
            QSet<QRgb> seen;
            for (int y = 4; y < 44; ++y)
                for (int x = 4; x < 44; ++x)
                    seen.insert(large.pixel(int(first.x()) + x, int(first.y()) + y));
            return seen.size();
        };
        QVERIFY(inks({0, 0}) > 5);
        QVERIFY(inks({5, 0}) > 5);
    }

    void sumsOverTheirRange() {
        CanvasFixture f;
        f.canvas.clearFocus();  // its frame covers pixels
        f.canvas.setSource(pyramidOf(
            makeImage<std::uint32_t>(PixelFormat::Gray32, {100, 100}, [](int x, int y, int) {
                return std::uint32_t(x + 1) * std::uint32_t(y + 1) * 1000u;
            })));
        f.canvas.setViewMode(ViewMode::Source);
        for (const double zoom : {0.3, 2.0}) {
            f.canvas.setZoom(zoom, {200, 150});
            const QImage picture = f.shot();
            QVERIFY(f.colorIn(picture, {97, 97}).red() > 240);
            QVERIFY(f.colorIn(picture, {2, 2}).red() < 10);
            QVERIFY(std::abs(f.colorIn(picture, {49, 97}).red() - 125) < 6);
        }
    }

    void checkerboardOnlyWithAlpha() {
        CanvasFixture f;
        f.canvas.clearFocus();  // its frame covers pixels
        const auto made = [](bool hasAlpha) {
            ImageInfo info;
            info.hasAlpha = hasAlpha;
            return pyramidOf(makeImage<std::uint8_t>(
                PixelFormat::Rgba8, {200, 150},
                [](int x, int, int c) { return std::uint8_t(c == 3 ? (x < 100 ? 0 : 255) : 77); },
                info));
        };
        f.canvas.setSource(made(true));
        f.canvas.zoomToActual();
        const QImage alpha = f.shot("alpha");
        const ThemeColors& colors = Theme::instance().colors();
        QSet<QRgb> under;
        for (int x = 5; x < 95; ++x) under.insert(f.colorIn(alpha, {x, 75}).rgb());
        QCOMPARE(under, (QSet<QRgb>{colors.checkerLight.rgb(), colors.checkerDark.rgb()}));
        QCOMPARE(f.colorIn(alpha, {150, 75}), QColor(77, 77, 77));
        f.canvas.setSource(made(false));
        QCOMPARE(f.colorIn(f.shot(), {50, 75}), QColor(77, 77, 77));
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::CanvasFormatsTest)
#include "canvas_formats_test.moc"
