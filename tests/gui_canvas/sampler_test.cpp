#include "gui/display/sampler.h"

#include <QtTest>
#include <cmath>

#include "gui_canvas/pictures.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

static double channelAt(const Image& image, int x, int y, int c) {
    const auto view = image.view<std::uint8_t>();
    x = std::clamp(x, 0, image.width() - 1);
    y = std::clamp(y, 0, image.height() - 1);
    return view.row(y)[x * view.channels + (view.channels == 1 ? 0 : c)];
}

static void scales() {
    QTest::addColumn<double>("scale");
    QTest::addColumn<bool>("gray");
    for (const double scale : {0.51, 0.75, 1.0, 1.5, 2.0, 7.3, 33.37}) {
        QTest::addRow("color %g", scale) << scale << false;
        QTest::addRow("gray %g", scale) << scale << true;
    }
}

static Image sampleImage(bool gray) {
    if (!gray) return noisyImage({61, 37}, 3);
    return makeImage<std::uint8_t>(PixelFormat::Gray8, {61, 37},
                                   [](int x, int y, int c) { return hashSample(x, y, c, 4); });
}

class SamplerTest : public QObject {
    Q_OBJECT
  private slots:
    void nearestIsTheSampleUnderTheCentre_data() { scales(); }

    void nearestIsTheSampleUnderTheCentre() {
        QFETCH(double, scale);
        QFETCH(bool, gray);
        const Image image = sampleImage(gray);
        QImage target(200, 120, QImage::Format_RGB32);
        drawSamples(target, target.rect(), image, {{-7, 3}, scale, scale}, Filter::Nearest,
                    nullptr);
        for (int y = 0; y < target.height(); ++y) {
            for (int x = 0; x < target.width(); ++x) {
                const int sx = int(std::floor((x + 0.5 + 7) / scale));
                const int sy = int(std::floor((y + 0.5 - 3) / scale));
                const QRgb shown = target.pixel(x, y);
                QCOMPARE(double(qRed(shown)), channelAt(image, sx, sy, 0));
                QCOMPARE(double(qGreen(shown)), channelAt(image, sx, sy, 1));
                QCOMPARE(double(qBlue(shown)), channelAt(image, sx, sy, 2));
            }
        }
    }

    void smoothAgreesWithDoubles_data() { scales(); }

    void smoothAgreesWithDoubles() {
        QFETCH(double, scale);
        QFETCH(bool, gray);
        const Image image = sampleImage(gray);
        QImage target(90, 70, QImage::Format_RGB32);
        drawSamples(target, target.rect(), image, {{4, -9}, scale, scale}, Filter::Smooth, nullptr);
        for (int y = 0; y < target.height(); ++y) {
            for (int x = 0; x < target.width(); ++x) {
                const double px = std::clamp((x + 0.5 - 4) / scale - 0.5, 0.0, 60.0);
                const double py = std::clamp((y + 0.5 + 9) / scale - 0.5, 0.0, 36.0);
                const int ix = int(px), iy = int(py);
                const double fx = px - ix, fy = py - iy;
                for (int c = 0; c < 3; ++c) {
                    const double wanted = (channelAt(image, ix, iy, c) * (1 - fx) +
                                           channelAt(image, ix + 1, iy, c) * fx) *
                                              (1 - fy) +
                                          (channelAt(image, ix, iy + 1, c) * (1 - fx) +
                                           channelAt(image, ix + 1, iy + 1, c) * fx) *
                                              fy;
                    const QRgb shown = target.pixel(x, y);
                    const int got = c == 0 ? qRed(shown) : c == 1 ? qGreen(shown) : qBlue(shown);
                    // Weights have 8 bits.
                    QVERIFY2(std::abs(got - wanted) <= 1.6,
                             qPrintable(QStringLiteral("%1 for %2").arg(got).arg(wanted)));
                }
            }
        }
    }

    void smoothKeepsConstants() {
        for (const int v : {0, 1, 127, 254, 255}) {
            const auto sample = std::uint8_t(v);
            QImage target(64, 64, QImage::Format_RGB32);
            drawSamples(target, target.rect(), plainImage({50, 50}, sample, sample, sample),
                        {{0, 0}, 0.77, 0.77}, Filter::Smooth, nullptr);
            for (int y = 0; y < 64; ++y)
                for (int x = 0; x < 64; ++x) QCOMPARE(target.pixel(x, y), qRgb(v, v, v));
        }
    }

    void onlyTheAreaIsWritten() {
        QImage target(40, 30, QImage::Format_RGB32);
        target.fill(Qt::magenta);
        const QRect area(10, 5, 100, 7);
        drawSamples(target, area, plainImage({8, 8}, 1, 2, 3), {{0, 0}, 4, 4}, Filter::Nearest,
                    nullptr);
        for (int y = 0; y < 30; ++y)
            for (int x = 0; x < 40; ++x)
                QCOMPARE(target.pixelColor(x, y),
                         area.contains(x, y) ? QColor(1, 2, 3) : QColor(Qt::magenta));
    }

    void alphaOverCheckerboard() {
        const Image image =
            makeImage<std::uint8_t>(PixelFormat::Rgba8, {3, 1}, [](int x, int, int c) {
                const std::uint8_t alpha[] = {0, 128, 255};
                return c == 3 ? alpha[x] : std::uint8_t(200);
            });
        const Checkerboard board{qRgb(100, 100, 100), qRgb(40, 40, 40), 4, {0, 0}};
        QImage target(24, 8, QImage::Format_RGB32);
        drawSamples(target, target.rect(), image, {{0, 0}, 8, 8}, Filter::Nearest, &board);
        QCOMPARE(target.pixel(1, 1), qRgb(100, 100, 100));
        QCOMPARE(target.pixel(5, 1), qRgb(40, 40, 40));
        QCOMPARE(target.pixel(5, 5), qRgb(100, 100, 100));
        // 200 at 128/255 over 100: 150.2.
        QCOMPARE(target.pixel(9, 1), qRgb(150, 150, 150));
        QCOMPARE(target.pixel(17, 1), qRgb(200, 200, 200));
        // Without a checkerboard the stored colour is shown, whatever alpha says.
        drawSamples(target, target.rect(), image, {{0, 0}, 8, 8}, Filter::Nearest, nullptr);
        QCOMPARE(target.pixel(1, 1), qRgb(200, 200, 200));
    }

    void hiddenColourDoesNotShineThrough() {
        // Fully transparent white beside opaque black, drawn smoothly over black: nothing lights
        // up.
        const Image image =
            makeImage<std::uint8_t>(PixelFormat::Rgba8, {2, 1}, [](int x, int, int c) {
                return c == 3 ? std::uint8_t(x == 0 ? 0 : 255) : std::uint8_t(x == 0 ? 255 : 0);
            });
        const Checkerboard board{qRgb(0, 0, 0), qRgb(0, 0, 0), 4, {0, 0}};
        QImage target(32, 4, QImage::Format_RGB32);
        drawSamples(target, target.rect(), image, {{0, 0}, 16, 4}, Filter::Smooth, &board);
        for (int x = 0; x < 32; ++x) QCOMPARE(target.pixel(x, 1), qRgb(0, 0, 0));
    }

    void hugeOffsets() {
        const Image image = makeImage<std::uint8_t>(
            PixelFormat::Gray8, {1'000'000, 1}, [](int x, int, int) { return std::uint8_t(x); });
        QImage target(100, 1, QImage::Format_RGB32);
        const double zoom = 60.0;
        const double offset = -std::floor(999'990.0 * zoom);
        drawSamples(target, target.rect(), image, {{offset, 0}, zoom, zoom}, Filter::Nearest,
                    nullptr);
        QCOMPARE(qRed(target.pixel(0, 0)), 999'990 & 255);
        QCOMPARE(qRed(target.pixel(59, 0)), 999'990 & 255);
        QCOMPARE(qRed(target.pixel(60, 0)), 999'991 & 255);
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::SamplerTest)
#include "sampler_test.moc"
