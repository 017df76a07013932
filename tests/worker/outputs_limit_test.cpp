// What the outputs of steps may take beside an image.
#include "engine/worker/large_image.h"
#include "support/test_case.h"

using namespace warpscope;

class OutputsLimitTest : public QObject {
    Q_OBJECT

    // Its samples are nobody's business: memory that is never touched costs nothing.
    static Pyramid pyramid(PixelFormat format, Size size) {
        Pyramid made;
        for (; size.width > 100; size = {(size.width + 1) / 2, (size.height + 1) / 2})
            made.levels.push_back(MutableImage::create(format, size).value().freeze({}));
        return made;
    }

  private slots:
    // Drafts of what a screen shows fit, outputs of all of the image do not.
    void largeImages() {
        const Pyramid large = pyramid(PixelFormat::RgbaF32, {6000, 5000});
        QVERIFY(outputsLimit(large) >= 4 * 2560 * 1440 * 4);
        QVERIFY(outputsLimit(large) < large.levels.front().byteCount() / 2);
        const Pyramid least = pyramid(PixelFormat::Rgba8, {6000, 6000});
        QVERIFY(outputsLimit(least) < least.levels.front().byteCount());
    }

    // Five outputs of 4K colour fit, and some more.
    void smallImages() {
        const Pyramid small = pyramid(PixelFormat::Rgba8, {3840, 2160});
        QVERIFY(outputsLimit(small) >= 10 * small.levels.front().byteCount());
        QCOMPARE(outputsLimit({}), outputsLimit(small));
    }
};

WARPSCOPE_TEST(OutputsLimitTest)
#include "outputs_limit_test.moc"
