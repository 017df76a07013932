// Images whose white is below the full scale of their format: kept while samples keep their
// meaning, mapped where they become 8 bits, left behind where an operation fills the whole range.
#include <algorithm>
#include <cmath>

#include "engine/image/convert.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/executor.h"
#include "pipeline/chains.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using test::chain;

namespace {

Image withWhite(const Image& image, double white) {
    ImageInfo info = image.info();
    info.whiteLevel = white;
    return image.withInfo(info);
}

// Noise from 0 to `white`, both ends present.
template <class T>
Image dim(PixelFormat format, int white) {
    const Size size{67, 41};
    const Image noise = test::makeNoise(format, size, 11);
    std::vector<double> samples;
    for (int y = 0; y < size.height; ++y)
        for (int i = 0; i < noise.view<T>().samplesPerRow(); ++i)
            samples.push_back(double(noise.view<T>().row(y)[i] % (white + 1)));
    samples[0] = 0;
    samples[4] = white;
    return withWhite(test::makeImage(format, size, samples), white);
}

template <class T>
double largest(const Image& image) {
    double most = 0;
    for (int y = 0; y < image.height(); ++y) {
        const auto view = image.view<T>();
        for (int i = 0; i < view.samplesPerRow(); ++i)
            most = std::max(most, double(view.row(y)[i]));
    }
    return most;
}

ExecuteResult run(const Image& image, const Pipeline& pipeline) {
    Executor executor(BackendSet::cpuOnly(""), 64u << 20);
    ExecuteRequest request;
    request.source = image;
    request.pipeline = pipeline;
    request.backend = BackendChoice::Cpu;
    auto result = executor.run(request, {});
    if (!result) throw std::runtime_error(result.error().message);
    return *result;
}

}  // namespace

class WhiteLevelTest : public QObject {
    Q_OBJECT

  private slots:
    void eightBitsKeepTheirWhiteUnlessTheRangeIsFilled() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8}) {
            const Image image = dim<std::uint8_t>(format, 100);
            for (const Operation* operation : allOperations()) {
                const OperationDescription& d = operation->description();
                if (d.kind != OperationKind::Filter) continue;
                const Image result = run(image, chain({d.id})).image;
                const bool fills = test::planFor(*operation, {}, format, image.size())->fillsRange;
                if (d.id == "equalize" || d.id == "add_noise") QVERIFY2(fills, d.id.c_str());
                if (bytesPerSample(result.format()) != 1 || fills) {
                    QCOMPARE(result.info().whiteLevel, fullScale(result.format()));
                    continue;
                }
                QCOMPARE(result.info().whiteLevel, 100.0);
                QVERIFY2(largest<std::uint8_t>(result) <= 100, d.id.c_str());
            }
        }
    }

    void equalizedReachesFullScale() {
        const Image result =
            run(dim<std::uint8_t>(PixelFormat::Gray8, 100), chain({"equalize"})).image;
        QCOMPARE(largest<std::uint8_t>(result), 255.0);
        QCOMPARE(result.info().whiteLevel, 255.0);
    }

    // 12 bits in 16: white must not become 16 of 255. What a step without 16-bit code, display and
    // saving to 8 bits all go through.
    void twelveBitsFillEight() {
        const Image twelve = dim<std::uint16_t>(PixelFormat::Gray16, 4095);
        const Image narrow = toEightBit(twelve, CpuContext{}).value();
        QCOMPARE(narrow.format(), PixelFormat::Gray8);
        QCOMPARE(largest<std::uint8_t>(narrow), 255.0);
        QCOMPARE(narrow.info().whiteLevel, 255.0);
        for (int y = 0; y < twelve.height(); ++y) {
            for (int x = 0; x < twelve.width(); ++x) {
                const double exact = twelve.view<std::uint16_t>().row(y)[x] * 255.0 / 4095.0;
                QVERIFY(std::abs(narrow.view<std::uint8_t>().row(y)[x] - exact) <= 0.5 + 1e-9);
            }
        }
        // What comes after it in a chain sees 8 bits that reach their white.
        QCOMPARE(run(narrow, chain({"gaussian_blur"})).image.info().whiteLevel, 255.0);

        const Image sixteen = dim<std::uint16_t>(PixelFormat::Gray16, 65535);
        const Image rounded = toEightBit(sixteen, CpuContext{}).value();
        for (int x = 0; x < sixteen.width(); ++x)
            QCOMPARE(int(rounded.view<std::uint8_t>().row(5)[x]),
                     int((sixteen.view<std::uint16_t>().row(5)[x] * 255u + 32895u) >> 16));
    }

    // Every filter takes 16 bits as they are: nothing is lost, and nothing is said.
    void twelveBitsStayTwelveInFilters() {
        const Image twelve = dim<std::uint16_t>(PixelFormat::Gray16, 4095);
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            if (d.kind != OperationKind::Filter) continue;
            const ExecuteResult result = run(twelve, chain({d.id}));
            // False colours are made for the eye, 8 bits by definition.
            if (d.id == "false_colour")
                QCOMPARE(result.image.format(), PixelFormat::Rgba8);
            else
                QVERIFY2(bytesPerSample(result.image.format()) >= 2, d.id.c_str());
            QVERIFY2(result.steps[0].notices.empty(), d.id.c_str());
        }
    }

    void twelveBitColourStaysTwelveInGray() {
        const Image gray =
            run(dim<std::uint16_t>(PixelFormat::Rgba16, 4095), chain({"grayscale"})).image;
        QCOMPARE(gray.format(), PixelFormat::Gray16);
        QCOMPARE(gray.info().whiteLevel, 4095.0);
        QVERIFY(largest<std::uint16_t>(gray) <= 4095);
    }
};

WARPSCOPE_TEST(WhiteLevelTest)
#include "white_level_test.moc"
