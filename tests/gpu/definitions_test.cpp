// Integral image, box mean, median and noise on the GPU against what their definitions say, sample
// by sample; all variants; cut into many launches.
#include <algorithm>

#include "engine/operations/analysis/integral_image.h"
#include "kernel_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

namespace {

const char* const kIntegralVariants[] = {"automatic", "rows_then_columns", "blocked_4x4"};

PlanPtr planOf(const char* operation, const Image& image, const TextParameters& parameters,
               const char* variant = "automatic") {
    return planFor(*findOperation(operation), parameters, image.format(), image.size(), variant);
}

std::uint64_t sampleAt(const Image& image, int x, int y, int channel) {
    return visitSampleType(image.format(), [&]<class T>() {
        const T* row = image.view<T>().row(y);
        return std::uint64_t(row[x * channelCount(image.format()) + channel]);
    });
}

int clamped(int at, int length) {
    return std::clamp(at, 0, length - 1);
}

// "" if value(x, y, channel) is what `actual` holds everywhere.
template <class Value>
std::string disagreement(const Image& actual, Value&& value) {
    for (int y = 0; y < actual.height(); ++y)
        for (int x = 0; x < actual.width(); ++x)
            for (int c = 0; c < channelCount(actual.format()); ++c) {
                const std::uint64_t expected = value(x, y, c);
                const std::uint64_t found = sampleAt(actual, x, y, c);
                if (expected != found)
                    return "(" + std::to_string(x) + ", " + std::to_string(y) + ") channel " +
                           std::to_string(c) + ": " + std::to_string(expected) + " expected, " +
                           std::to_string(found);
            }
    return {};
}

// In the format of the definition and, where that has 32 bits, in 64.
std::string checkIntegral(KernelRun& device, const Image& image, const char* variant) {
    const Image expected = truth::integralImage(image);
    const PlanPtr plan = planOf("integral_image", image, {}, variant);
    std::string difference = test::firstDifference(expected, device.run(*plan, image));
    if (!difference.empty() || plan->output == PixelFormat::Gray64) return difference;
    auto wide = static_cast<const IntegralImagePlan&>(*plan);
    wide.output = PixelFormat::Gray64;
    difference = disagreement(device.run(wide, image),
                              [&](int x, int y, int) { return sampleAt(expected, x, y, 0); });
    return difference.empty() ? difference : "64 bits, " + difference;
}

// The truth adds every square up, which large radii leave no time for.
std::string checkBox(KernelRun& device, const Image& image, int radius) {
    const Image actual =
        device.run(*planOf("box_mean", image, {{"radius", std::to_string(radius)}}), image);
    const int width = image.width(), height = image.height();
    const int channels = channelCount(image.format());
    std::vector<std::uint64_t> across;  // sums over the window's columns
    across.reserve(std::size_t(width) * unsigned(height) * unsigned(channels));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c) {
                std::uint64_t sum = 0;
                for (int i = -radius; i <= radius; ++i)
                    sum += sampleAt(image, clamped(x + i, width), y, c);
                across.push_back(sum);
            }
    const std::uint64_t count = std::uint64_t(2 * radius + 1) * unsigned(2 * radius + 1);
    return disagreement(actual, [&](int x, int y, int c) {
        if (c == 3) return sampleAt(image, x, y, c);
        std::uint64_t sum = 0;
        for (int j = -radius; j <= radius; ++j)
            sum += across[(std::size_t(clamped(y + j, height)) * unsigned(width) + unsigned(x)) *
                              unsigned(channels) +
                          unsigned(c)];
        return (2 * sum + count) / (2 * count);
    });
}

// The truth sorts, which takes ten times as long.
std::string checkMedian(KernelRun& device, const Image& image, int radius) {
    const Image actual =
        device.run(*planOf("median", image, {{"radius", std::to_string(radius)}}), image);
    std::vector<std::uint64_t> window;
    return disagreement(actual, [&](int x, int y, int c) {
        if (c == 3) return sampleAt(image, x, y, c);
        window.clear();
        for (int j = -radius; j <= radius; ++j)
            for (int i = -radius; i <= radius; ++i)
                window.push_back(sampleAt(image, clamped(x + i, image.width()),
                                          clamped(y + j, image.height()), c));
        const auto middle = window.begin() + std::ptrdiff_t(window.size() / 2);
        std::nth_element(window.begin(), middle, window.end());
        return *middle;
    });
}

struct Noise {
    NoiseKind kind = NoiseKind::SaltPepper;
    double amount = 0.2;
    double sigma = 20 + 77 / 256.0;
    int x = 0, y = 0;    // of the image in the whole one
    int wholeWidth = 0;  // 0: of the image
};

std::string checkNoise(KernelRun& device, const Image& image, const Noise& noise) {
    constexpr std::uint32_t kSeed = 0xdeadbeefu;
    const int wholeWidth = noise.wholeWidth ? noise.wholeWidth : image.width();
    const Rect part{noise.x, noise.y, image.width(), image.height()};
    const PlanPtr plan =
        planForPart(*findOperation("add_noise"),
                    {{"kind", noise.kind == NoiseKind::SaltPepper ? "salt_pepper" : "gaussian"},
                     {"amount", toText(noise.amount)},
                     {"sigma", toText(noise.sigma)},
                     {"seed", std::to_string(kSeed)}},
                    image.format(), part, {wholeWidth, noise.y + image.height()});
    return test::firstDifference(
        truth::addNoise(image, noise.kind, noise.amount, noise.sigma, kSeed, part, wholeWidth),
        device.run(*plan, image));
}

}  // namespace

class DefinitionsTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;

    // Every operation with the parameters that reach its kernels; `largest`: radius of boxes.
    std::string everything(KernelRun& bench, const NamedImage& named, int largestBox,
                           int largestMedian) {
        const Image& image = named.image;
        std::string found;
        const auto no = [&](const std::string& what, const std::string& difference) {
            if (!difference.empty()) found = named.name + ", " + what + ": " + difference;
            return difference.empty();
        };
        for (const char* variant : kIntegralVariants)
            if (!no(std::string("integral ") + variant, checkIntegral(bench, image, variant)))
                return found;
        for (const int radius : {0, 1, 3, 20, 130, 500})
            if (radius <= largestBox &&
                !no("box " + std::to_string(radius), checkBox(bench, image, radius)))
                return found;
        for (int radius = 1; radius <= largestMedian; ++radius)
            if (!no("median " + std::to_string(radius), checkMedian(bench, image, radius)))
                return found;
        for (const NoiseKind kind : {NoiseKind::SaltPepper, NoiseKind::Gaussian})
            if (!no(kind == NoiseKind::Gaussian ? "gaussian" : "salt and pepper",
                    checkNoise(bench, image, {.kind = kind})))
                return found;
        return found;
    }

  private slots:
    void initTestCase() { REQUIRE_DEVICE(m_traits); }

    void awkwardSizes_data() { addFormatRows(); }
    void awkwardSizes() {
        QFETCH(int, format);
        KernelRun bench(m_traits);
        for (const NamedImage& named : awkwardImages(PixelFormat(format))) {
            // Windows larger than the image: on the small ones, where the loops here are quick.
            const bool tiny = named.image.size().pixels() < 600;
            REQUIRE_SAME(everything(bench, named, tiny ? 500 : 20, tiny ? 7 : 3));
        }
    }

    void contents_data() { addFormatRows(); }
    void contents() {
        QFETCH(int, format);
        KernelRun bench(m_traits);
        const auto as = PixelFormat(format);
        const Size size{211, 163};
        for (const NamedImage& named : {NamedImage{"photograph", makePhotograph(as, size)},
                                        NamedImage{"noise", makeNoise(as, size, freshSeed())},
                                        NamedImage{"black", makeConstant(as, size, 0)},
                                        NamedImage{"white", makeConstant(as, size, fullScale(as))},
                                        NamedImage{"ramp", makeRamp(as, size)}}) {
            REQUIRE_SAME(everything(bench, named, 130, 7));
        }
    }

    void widthsAroundTiles() {
        KernelRun bench(m_traits);
        for (const PixelFormat format : kGpuFormats) {
            for (const int width :
                 {15, 16, 17, 31, 33, 63, 65, 127, 128, 129, 131, 255, 256, 257, 385}) {
                const Image image = makeNoise(format, {width, 37}, std::uint32_t(width));
                const std::string difference =
                    everything(bench, {"width " + std::to_string(width), image}, 3, 3);
                QVERIFY2(difference.empty(), difference.c_str());
            }
        }
    }

    // More tiles than one step adds up by itself; tall tiles on small images; bands that carry on.
    void manyTiles_data() {
        QTest::addColumn<int>("bytesPerLaunch");
        QTest::addColumn<int>("multiprocessors");
        QTest::newRow("as it is") << 0 << 0;
        QTest::newRow("tall tiles") << 0 << 1;
        QTest::newRow("many launches") << 60'000 << 0;
        QTest::newRow("many launches, tall tiles") << 400'000 << 1;
    }
    void manyTiles() {
        QFETCH(int, bytesPerLaunch);
        QFETCH(int, multiprocessors);
        DeviceTraits traits = m_traits;
        if (bytesPerLaunch) traits.bytesPerLaunch = bytesPerLaunch;
        if (multiprocessors) traits.multiprocessors = multiprocessors;
        KernelRun bench(traits);
        for (const PixelFormat format : kGpuFormats) {
            for (const Size size : {Size{333, 217}, Size{4243, 40}, Size{35, 4300}, Size{3, 20'000},
                                    Size{20'000, 2}}) {
                const Image image = makeNoise(format, size, 11);
                const std::string difference =
                    everything(bench, {std::to_string(size.width), image}, 20, 2);
                QVERIFY2(difference.empty(), difference.c_str());
            }
        }
    }

    void largestRadii() {
        KernelRun bench(m_traits);
        for (const PixelFormat format : kGpuFormats) {
            const Image image = makeNoise(format, {151, 83}, 5);
            QCOMPARE(checkBox(bench, image, 500), std::string());
            QCOMPARE(checkMedian(bench, image, 7), std::string());
        }
    }

    // 255 w h beyond 2^32: 64-bit sums; box sums stay right modulo 2^32.
    void allWhiteAbove16Megapixels() {
        KernelRun bench(m_traits);
        const Image white = makeConstant(PixelFormat::Gray8, {4201, 4099}, 255);
        for (const char* variant : kIntegralVariants)
            QCOMPARE(checkIntegral(bench, white, variant), std::string());
        const PlanPtr plan = planOf("box_mean", white, {{"radius", "500"}});
        QCOMPARE(test::firstDifference(white, bench.run(*plan, white)), std::string());
    }

    void extremeShapes() {
        KernelRun bench(m_traits);
        for (const Size size : {Size{1, kMaxSide}, Size{kMaxSide, 1}, Size{kMaxSide, 3}}) {
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba16}) {
                const std::string difference =
                    everything(bench, {"extreme shape", makeNoise(format, size, 5)}, 3, 1);
                QVERIFY2(difference.empty(), difference.c_str());
            }
        }
    }

    void noiseDependsOnThePlaceAlone() {
        KernelRun bench(m_traits);
        for (const PixelFormat format : kGpuFormats) {
            const Image image = makeNoise(format, {45, 31}, 5);
            for (const NoiseKind kind : {NoiseKind::SaltPepper, NoiseKind::Gaussian}) {
                // Beyond 2^32 pixels.
                Noise noise{kind, 0.2, 20 + 77 / 256.0, 1003, 123'457, kMaxSide};
                QCOMPARE(checkNoise(bench, image, noise), std::string());
                noise.amount = 1;
                noise.sigma = 128;
                QCOMPARE(checkNoise(bench, image, noise), std::string());
                noise.amount = noise.sigma = 0;
                QCOMPARE(checkNoise(bench, image, noise), std::string());
            }
        }
    }

    void stopsBetweenLaunches() {
        KernelRun bench(inLaunchesOf(m_traits, 60'000, 2'000'000));
        const Image image = makeNoise(PixelFormat::Gray8, {1000, 1000}, 3);
        const auto stopped = [&](const PlanPtr& plan) {
            StopAt stop(2);
            try {
                bench.run(*plan, image, stop.context);
            } catch (const Stopped&) {
                return stop.launches == 2;
            }
            return false;
        };
        for (const char* variant : kIntegralVariants)
            QVERIFY(stopped(planOf("integral_image", image, {}, variant)));
        QVERIFY(stopped(planOf("box_mean", image, {{"radius", "3"}})));
        for (const char* radius : {"1", "2", "3"})
            QVERIFY(stopped(planOf("median", image, {{"radius", radius}})));
        QVERIFY(stopped(planOf("add_noise", image, {{"kind", "gaussian"}})));
    }
};

WARPSCOPE_TEST(DefinitionsTest)
#include "definitions_test.moc"
