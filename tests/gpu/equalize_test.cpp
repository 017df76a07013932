// Equalization on the GPU where its definition is special.
#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class EqualizeTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { REQUIRE_GPU(); }

    // What the definition treats apart: a single level, luma 0 in pixels that are not black,
    // colours that are scaled beyond white, two levels at the ends of the range.
    void limits_data() { addFormatRows(); }
    void limits() {
        QFETCH(int, format);
        const PixelFormat wanted = PixelFormat(format);
        const Size size{61, 43};
        const double full = fullScale(wanted);
        const Operation& operation = *findOperation("equalize");
        const auto gpu = requireBackend();
        const auto compare = [&](const Image& image, const std::string& name) {
            for (const TextParameters& choices : choicesOf(operation.description())) {
                const PlanPtr plan = planFor(operation, choices, image.format(), image.size());
                const std::string difference =
                    test::firstDifference(runPlan(*plan, image), test::runOn(*gpu, *plan, image));
                QVERIFY2(difference.empty(), (name + ": " + difference).c_str());
            }
        };
        for (const double level : {0.0, 1.0, 2.0, std::floor(full / 2), full - 1, full})
            compare(makeConstant(wanted, size, level), "constant " + std::to_string(level));
        std::mt19937 random(3);
        const auto filled = [&](const std::function<double(int channel)>& sample) {
            const int channels = channelCount(wanted);
            std::vector<double> samples;
            for (std::int64_t i = 0; i < size.pixels(); ++i)
                for (int c = 0; c < channels; ++c) samples.push_back(sample(c));
            return makeImage(wanted, size, samples);
        };
        compare(filled([&](int c) { return c < 2 ? 0.0 : double(random() % 5); }), "luma 0");
        compare(filled([&](int) { return double(random() % 4); }), "dark");
        compare(filled([&](int) { return random() % 97 == 0 ? full : double(random() % 3); }),
                "dark and white");
        compare(filled([&](int) { return random() % 2 ? full : 0.0; }), "black and white");
        compare(filled([&](int c) { return c == 2 ? full : double(random() % 2); }), "blue");
        compare(filled([&](int) { return full - double(random() % 3); }), "bright");
    }

    // As images of a few megapixels are, in one launch that keeps them: on one
    // multiprocessor or several, or in two launches where these are too few for them. Three times
    // each: a launch leaves the counters as it finds them.
    void keptImages_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const Size size :
                 {Size{131, 67}, Size{301, 203}, Size{255, 257}, Size{10'001, 1}, Size{1, 10'001}})
                QTest::addRow("%s %dx%d", isColor(format) ? "colour" : "gray", size.width,
                              size.height)
                    << int(format) << size.width << size.height;
    }
    void keptImages() {
        QFETCH(int, format);
        QFETCH(int, width);
        QFETCH(int, height);
        cuda::DeviceTraits traits;
        REQUIRE_DEVICE(traits);
        const Size size{width, height};
        const Operation& operation = *findOperation("equalize");
        for (const int multiprocessors : {1, 6}) {
            traits.multiprocessors = multiprocessors;
            KernelRun device(traits);
            for (const TextParameters& choices : choicesOf(operation.description()))
                for (const Image& image : {makeNoise(PixelFormat(format), size, 5),
                                           makeConstant(PixelFormat(format), size, 7),
                                           makeNoise(PixelFormat(format), size, 6)}) {
                    const PlanPtr plan = planFor(operation, choices, image.format(), size);
                    const std::string difference =
                        test::firstDifference(runPlan(*plan, image), device.run(*plan, image));
                    QVERIFY2(difference.empty(), difference.c_str());
                }
        }
    }
};

WARPSCOPE_TEST(EqualizeTest)
#include "equalize_test.moc"
