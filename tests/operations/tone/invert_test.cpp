#include "engine/operations/tone/invert.h"

#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// White minus each sample, alpha as it is.
template <class T>
Image negative(const Image& image) {
    const auto in = image.view<T>();
    std::vector<double> samples;
    for (int y = 0; y < in.height; ++y)
        for (int i = 0; i < in.samplesPerRow(); ++i)
            samples.push_back(in.channels == 4 && i % 4 == 3
                                  ? double(in.row(y)[i])
                                  : double(std::numeric_limits<T>::max()) - in.row(y)[i]);
    return makeImage(image.format(), image.size(), samples);
}

}  // namespace

class InvertTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruth_data() {
        QTest::addColumn<PixelFormat>("format");
        for (const PixelFormat format : kIntegerFormats)
            QTest::newRow(std::string(formatName(format)).c_str()) << format;
    }
    void equalsTruth() {
        QFETCH(PixelFormat, format);
        for (const NamedImage& named : awkwardImages(format)) {
            const Image truth = bytesPerSample(format) == 1 ? negative<std::uint8_t>(named.image)
                                                            : negative<std::uint16_t>(named.image);
            compareSamples(truth, runOn(invert_operation(), {}, named.image), named.name);
        }
    }

    // Large enough for results to be written past the cache.
    void pastTheCache() {
        for (const auto& [format, size] : {std::pair{PixelFormat::Gray8, Size{2051, 2047}},
                                           std::pair{PixelFormat::Rgba8, Size{1027, 1023}}}) {
            const Image image = makeNoise(format, size, 5);
            const Image truth = negative<std::uint8_t>(image);
            forEachVectorTarget([&](const std::string& target) {
                compareSamples(truth, runOn(invert_operation(), {}, image), target);
            });
        }
    }

    void twiceIsTheImage() {
        for (const PixelFormat format : kIntegerFormats) {
            const Image image = makeNoise(format, {61, 7}, 5);
            const Image once = runOn(invert_operation(), {}, image);
            compareSamples(image, runOn(invert_operation(), {}, once), "twice");
        }
    }

    // A file whose white is 100 gets a black of 255: the result says that it fills its format.
    void blackBecomesTheWhiteOfTheFormat() {
        QVERIFY(planFor(invert_operation(), {}, PixelFormat::Gray8, {4, 4})->fillsRange);
    }

    // M - v at every level; the first and the last are the ends.
    void curveFallsFromWhiteToBlack() {
        QVERIFY(invert_operation().description().mapsLevels);
        for (const PixelFormat format : kIntegerFormats) {
            PlanRequest request;
            request.format = format;
            request.size = {4, 4};
            const auto plan = invert_operation().plan(request);
            QVERIFY(plan.has_value());
            const auto curves = invert_operation().toneCurves(**plan);
            QCOMPARE(curves.size(), std::size_t(1));
            QCOMPARE(curves[0].channel, HistogramChannel::Luma);
            const int white = bytesPerSample(format) == 1 ? 255 : 65535;
            QCOMPARE(curves[0].outputs.size(), std::size_t(white) + 1);
            QCOMPARE(curves[0].outputs.front(), 1.0);
            QCOMPARE(curves[0].outputs.back(), 0.0);
            for (int level = 0; level <= white; ++level)
                QCOMPARE(std::lround(curves[0].outputs[std::size_t(level)] * white), white - level);
        }
    }
};

WARPSCOPE_TEST(InvertTest)
#include "invert_test.moc"
