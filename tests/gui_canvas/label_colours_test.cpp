// Numbers of objects on the screen: a colour for each, at every zoom, until another map is chosen.
#include "gui/display/color_map.h"
#include "gui/display/display_levels.h"
#include "gui/display/display_settings.h"
#include "gui/window_fixture.h"
#include "gui_canvas/pictures.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using namespace warpscope::test;

namespace {

constexpr int kPitch = 40;
constexpr int kSide = 24;

bool inSquare(int x, int y) {
    return x % kPitch < kSide && y % kPitch < kSide;
}

// Squares in rows, light on dark: their numbers are in the order of reading.
Image squares() {
    return makeImage<std::uint8_t>(PixelFormat::Gray8, {400, 280}, [](int x, int y, int) {
        return std::uint8_t(inSquare(x, y) ? 200 : 30);
    });
}

ScreenColor colorAt(const Canvas& canvas, const QImage& drawn, const QPointF& pixel) {
    const QPointF at = canvas.widgetPosition(pixel) * canvas.devicePixelRatioF();
    const QColor color = drawn.pixelColor(int(at.x()), int(at.y()));
    return {std::uint8_t(color.red()), std::uint8_t(color.green()), std::uint8_t(color.blue())};
}

}  // namespace

class LabelColoursTest : public QObject {
    Q_OBJECT

  private slots:
    // A mean of two numbers would be a third object.
    void smallerLevelsKeepNumbers() {
        const auto random = freshRandom();
        const Image image =
            makeImage<std::uint32_t>(PixelFormat::Gray32, {301, 203}, [&](int, int, int) {
                return random->bounded(4) ? std::uint32_t(random->bounded(1, 2000)) : 0u;
            });
        DisplayLevels levels;
        levels.setPyramid(test::pyramidOf(image));
        DisplayLook look;
        look.view.map = ColorMap::Labels;
        look.range = DisplayRange{100, 300};
        levels.setLook(look);
        const auto& colors = colorsOf(ColorMap::Labels);
        for (const int level : {0, 1, 2}) {
            const int stride = 1 << level;
            const Rect whole{0, 0, image.width() / stride, image.height() / stride};
            const auto part = levels.part(level, whole);
            QVERIFY(part);
            const auto shown = part->samples.view<std::uint8_t>();
            QCOMPARE(shown.channels, 4);
            for (int y = 0; y < whole.height; ++y)
                for (int x = 0; x < whole.width; ++x) {
                    const std::uint32_t label =
                        image.view<std::uint32_t>().row(y * stride)[x * stride];
                    const std::uint8_t* p = shown.row(y) + std::ptrdiff_t(x) * 4;
                    const ScreenColor wanted = colors[label ? 1 + (label - 1) % 255 : 0];
                    QVERIFY2(
                        (ScreenColor{p[0], p[1], p[2]}) == wanted,
                        qPrintable(QStringLiteral("level %1, %2 %3").arg(level).arg(x).arg(y)));
                }
        }
    }

    void objectsHaveColoursUntilAMapIsChosen() {
        WindowFixture f;
        Step threshold = makeStep("threshold").value();
        f.document().replacePipeline({{threshold, makeStep("connected_components").value()}}, {});
        const Image image = squares();
        f.bridge().openImage(image, "squares");
        QVERIFY(waitedFor([&] {
            return f.document().image().id() == image.id() && f.bridge().resultIsCurrent();
        }));
        Canvas& canvas = f.window.canvas();
        canvas.setViewMode(ViewMode::Result);
        const auto& colors = colorsOf(ColorMap::Labels);
        const QPointF first(kSide / 2, kSide / 2), second(kPitch + kSide / 2, kSide / 2);
        const auto shown = [&](const QPointF& pixel) {
            return colorAt(canvas, canvas.grab().toImage(), pixel);
        };
        canvas.zoomTo(QRectF(0, 0, 2 * kPitch, kPitch));
        QTRY_VERIFY(shown(first) == colors[1]);
        QVERIFY(shown(second) == colors[2]);
        QVERIFY(shown({kSide + 8.0, kSide / 2.0}) == colors[0]);
        QVERIFY(f.window.display()
                    .describe(f.bridge().result()->levels.front())
                    .contains(nameOf(ColorMap::Labels)));

        // Numbers as levels, for those who want them.
        ViewLook grey;
        grey.map = ColorMap::Grey;
        f.window.display().setView(grey);
        QTRY_VERIFY(shown(first).r == shown(first).g && shown(first).g == shown(first).b);
        f.window.display().resetLook();
        QTRY_VERIFY(shown(first) == colors[1]);

        // No numbers, no colours of numbers.
        f.document().replacePipeline({{threshold}}, {});
        QVERIFY(waitedFor([&] { return f.bridge().resultIsCurrent(); }));
        QTRY_VERIFY((shown(first) == ScreenColor{255, 255, 255}));
    }
};

WARPSCOPE_TEST(LabelColoursTest)
#include "label_colours_test.moc"
