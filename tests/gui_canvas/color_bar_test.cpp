// The bar beside a picture whose colours a step has made: its values, its colours, and when it is
// there.
#include <algorithm>
#include <cmath>

#include "engine/operations/tone/color_maps.h"
#include "gui/canvas/color_bar.h"
#include "gui/display/display_settings.h"
#include "gui/window_fixture.h"
#include "gui_canvas/pictures.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using namespace warpscope::test;

namespace {

template <class T>
Image slopes(PixelFormat format, double scale) {
    ImageInfo info;
    info.whiteLevel = fullScale(format);
    return makeImage<T>(
        format, {333, 251}, [scale](int x, int y, int) { return T(scale * (x + y)); }, info);
}

Step colours(const char* map, double low, double high) {
    Step step = makeStep("false_colour").value();
    step.parameters.set("map", std::string(map));
    step.parameters.set("low", low);
    step.parameters.set("high", high);
    return step;
}

}  // namespace

class ColorBarTest : public QObject {
    Q_OBJECT

    static bool show(WindowFixture& f, const Image& image, const Pipeline& pipeline) {
        f.document().replacePipeline(pipeline, {});
        f.bridge().openImage(image, "slopes");
        return waitedFor([&] {
            return f.document().image().id() == image.id() && f.bridge().resultIsCurrent();
        });
    }

  private slots:
    // Samples without fractions have whole figures beside the bar.
    void figuresOfIntegersAreWhole() {
        const auto figures = [](PixelFormat format, double high) {
            return labelsOf(colorScaleOf({{colours("magma", 0, high)}}, format, {40, 30}).value());
        };
        QCOMPARE(figures(PixelFormat::Gray8, 255), (QStringList{"0", "64", "128", "191", "255"}));
        QCOMPARE(figures(PixelFormat::Rgba16, 255).back(), QStringLiteral("65535"));
        QCOMPARE(figures(PixelFormat::GrayF32, 255)[1], QStringLiteral("0.25"));
        // Closer together they would be the same.
        QCOMPARE(figures(PixelFormat::Gray8, 3)[1], QStringLiteral("0.75"));
    }

    void valuesAreThoseOfTheStepsInput() {
        const auto random = freshRandom();
        const double low = random->bounded(100), high = low + 4 + 4 * random->bounded(30);
        const auto valuesFor = [&](PixelFormat format) {
            return colorScaleOf({{colours("magma", low, high)}}, format, {40, 30}).value().values;
        };
        const auto check = [&](const std::array<double, 5>& values, double unit) {
            for (int i = 0; i < 5; ++i) {
                const double wanted = (low + (high - low) * i / 4) * unit;
                QVERIFY2(std::abs(values[std::size_t(i)] - wanted) <= 1e-9 * (1 + wanted),
                         qPrintable(QString::number(values[std::size_t(i)])));
            }
        };
        check(valuesFor(PixelFormat::Gray8), 1);
        check(valuesFor(PixelFormat::Rgba16), 257);
        check(valuesFor(PixelFormat::GrayF32), 1 / 255.0);
        check(valuesFor(PixelFormat::Gray32), 1);
    }

    void aBarOnlyWhereItsColoursAreTheResults() {
        const auto scaleOf = [](const Pipeline& pipeline) {
            return colorScaleOf(pipeline, PixelFormat::Gray8, {64, 48});
        };
        const Step blur = makeStep("gaussian_blur").value(), turn = makeStep("rotate").value();
        const Step step = colours("turbo", 10, 20), other = colours("hot", 0, 90);
        QVERIFY(!scaleOf({}) && !scaleOf({{blur}}));
        const auto scale = scaleOf({{blur, step}});
        QVERIFY(scale && scale->name == QStringLiteral("Turbo"));
        const ColorTable table = colorTable("turbo");
        for (std::size_t i = 0; i < 256; ++i)
            QCOMPARE(scale->colors[i].r | scale->colors[i].g << 8 | scale->colors[i].b << 16,
                     int(table[i]));
        QVERIFY(scaleOf({{step, turn}}) == scale);
        QVERIFY(!scaleOf({{step, blur}}));
        QCOMPARE(scaleOf({{step, other}})->name, QStringLiteral("Hot"));
        Step off = blur;
        off.enabled = false;
        QVERIFY(scaleOf({{step, off}}) == scale);
        off = other;
        off.enabled = false;
        QVERIFY(scaleOf({{step, off}}) == scale);
        QVERIFY(!scaleOf({{colours("labels", 0, 255)}}));
        // A step that cannot be computed is passed over.
        QVERIFY(!scaleOf({{colours("turbo", 20, 10)}}));
    }

    void theCanvasDrawsIt() {
        WindowFixture f;
        Canvas& canvas = f.window.canvas();
        QVERIFY(show(f, slopes<std::uint16_t>(PixelFormat::Gray16, 20), {}));
        QVERIFY(!canvas.colorScale());
        f.document().insertStep(0, colours("viridis", 10, 50));
        QTRY_VERIFY(f.bridge().resultIsCurrent() && canvas.colorScale());
        QCOMPARE(canvas.colorScale()->values[0], 2570.0);
        QCOMPARE(canvas.colorScale()->values[4], 12850.0);
        const auto drawn = [&] {
            const ColorScale scale = *canvas.colorScale();
            const QImage shot = canvas.grab().toImage();
            const QRectF bar = colorBarPlace(canvas.size(), scale);
            const double dpr = canvas.devicePixelRatioF();
            for (const double up : {0.01, 0.3, 0.62, 0.99}) {
                const QColor at = shot.pixelColor(int(bar.center().x() * dpr),
                                                  int((bar.bottom() - up * bar.height()) * dpr));
                // A row of the bar stands for more than one entry.
                bool found = false;
                for (int i = -4; i <= 4; ++i) {
                    const int index = std::clamp(int(up * 256) + i, 0, 255);
                    const ScreenColor c = scale.colors[std::size_t(index)];
                    found = found ||
                            (std::abs(at.red() - c.r) <= 4 && std::abs(at.green() - c.g) <= 4 &&
                             std::abs(at.blue() - c.b) <= 4);
                }
                if (!found) return false;
            }
            return true;
        };
        QVERIFY(drawn());
        const QString folder = qEnvironmentVariable("WARPSCOPE_SHOTS");
        if (!folder.isEmpty()) f.window.grab().save(folder + QStringLiteral("/color_bar.png"));
        // Other values, other numbers.
        f.document().setParameter(0, "high", 90.0, EditPhase::Single);
        QTRY_VERIFY(canvas.colorScale() && canvas.colorScale()->values[4] == 90.0 * 257);
        // The source has none of these colours, nor has a difference.
        canvas.setFocus();
        f.press(Qt::Key_1);
        QCOMPARE(canvas.viewMode(), ViewMode::Source);
        QVERIFY(!canvas.colorScale());
        f.press(Qt::Key_5);
        QVERIFY(!canvas.colorScale());
        f.press(Qt::Key_3);
        QVERIFY(canvas.colorScale());
        f.press(Qt::Key_2);
        QVERIFY(canvas.colorScale() && drawn());
        // Darker on the screen, and so is the bar.
        const ColorScale before = *canvas.colorScale();
        f.press(Qt::Key_D);
        QVERIFY(canvas.colorScale()->colors != before.colors);
        QCOMPARE(canvas.colorScale()->values, before.values);
        QVERIFY(drawn());
        f.press(Qt::Key_0);
        QVERIFY(*canvas.colorScale() == before);
        // The view's own colours take the place of the step's.
        f.press(Qt::Key_M);
        f.press(Qt::Key_M);
        QCOMPARE(f.window.display().view().map, ColorMap::Viridis);
        QCOMPARE(canvas.colorScale()->values[4], 255.0);
        QVERIFY(canvas.colorScale()->name.isEmpty() && drawn());
        f.press(Qt::Key_0);
        f.document().removeStep(0);
        QTRY_VERIFY(f.bridge().resultIsCurrent() && !canvas.colorScale());
    }
};

WARPSCOPE_TEST(ColorBarTest)
#include "color_bar_test.moc"
