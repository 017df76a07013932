// What the outputs of steps may take beside an image.
#include "engine/worker/render_session.h"
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
    // With its reduced copies and the output of a step that runs: three and a half times its size,
    // and there is room for the input of the step that is being edited.
    void largeImages() {
        const Pyramid large = pyramid(PixelFormat::RgbaF32, {6000, 5000});
        const double image = double(large.levels.front().byteCount());
        double all = image + double(outputsLimit(large));
        for (const Image& level : large.levels) all += double(level.byteCount());
        QVERIFY(all <= 3.5 * image);
        QVERIFY(all >= 3.49 * image);
        QVERIFY(double(outputsLimit(large)) >= image);
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
