// Integral image, box mean, median and noise on the GPU against what their definitions say,
// computed here sample by sample; all variants; cut into many launches.
#include <algorithm>

#include "engine/operations/analysis/integral_image.h"
#include "engine/operations/noise/add_noise.h"
#include "engine/operations/smoothing/box_mean.h"
#include "engine/operations/smoothing/median.h"
#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

namespace warpscope::cuda {
extern const CudaRunner cudaRunner_integral_image;
extern const CudaRunner cudaRunner_box_mean;
extern const CudaRunner cudaRunner_median;
extern const CudaRunner cudaRunner_add_noise;
}  // namespace warpscope::cuda

namespace {

const char* const kIntegralVariants[] = {"automatic", "rows_then_columns", "blocked_4x4"};

std::uint64_t sampleAt(const Image& image, int x, int y, int channel) {
    const int index = x * channelCount(image.format()) + channel;
    switch (bytesPerSample(image.format())) {
        case 1:
            return image.view<std::uint8_t>().row(y)[index];
        case 2:
            return image.view<std::uint16_t>().row(y)[index];
        case 4:
            return image.view<std::uint32_t>().row(y)[index];
        default:
            return image.view<std::uint64_t>().row(y)[index];
    }
}

int clamped(int at, int length) {
    return std::clamp(at, 0, length - 1);
}

// "" if value(x, y, channel) is what `actual` holds everywhere.
template <class Value>
std::string disagreement(const Image& actual, Value&& value) {
    const int channels = channelCount(actual.format());
    for (int y = 0; y < actual.height(); ++y) {
        for (int x = 0; x < actual.width(); ++x) {
            for (int c = 0; c < channels; ++c) {
                const std::uint64_t expected = value(x, y, c);
                const std::uint64_t found = sampleAt(actual, x, y, c);
                if (expected != found)
                    return "(" + std::to_string(x) + ", " + std::to_string(y) + ") channel " +
                           std::to_string(c) + ": " + std::to_string(expected) + " expected, " +
                           std::to_string(found);
            }
        }
    }
    return {};
}

template <class P>
P basicPlan(const Image& image) {
    P plan;
    plan.input = plan.output = image.format();
    plan.size = image.size();
    return plan;
}

std::string checkIntegral(KernelRun& bench, const Image& image, const char* variant,
                          bool forceWide = false) {
    auto plan = basicPlan<IntegralImagePlan>(image);
    const bool color = plan.fromColor = isColor(image.format());
    const std::uint64_t white = bytesPerSample(image.format()) == 1 ? 255 : 65535;
    const bool wide = forceWide || white * std::uint64_t(image.size().pixels()) >> 32 != 0;
    plan.output = wide ? PixelFormat::Gray64 : PixelFormat::Gray32;
    plan.variant = variant;
    const Image actual = bench.run(cudaRunner_integral_image, plan, image);
    std::vector<std::uint64_t> above(std::size_t(image.width()), 0);
    std::uint64_t row = 0;
    return disagreement(actual, [&](int x, int y, int) {
        if (x == 0) row = 0;
        row += !color ? sampleAt(image, x, y, 0)
                      : (19595 * sampleAt(image, x, y, 0) + 38470 * sampleAt(image, x, y, 1) +
                         7471 * sampleAt(image, x, y, 2) + 32768) >>
                            16;
        return above[std::size_t(x)] += row;
    });
}

std::string checkBox(KernelRun& bench, const Image& image, int radius) {
    auto plan = basicPlan<BoxMeanPlan>(image);
    plan.radius = radius;
    plan.count = std::uint32_t(2 * radius + 1) * std::uint32_t(2 * radius + 1);
    const Image actual = bench.run(cudaRunner_box_mean, plan, image);
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
    return disagreement(actual, [&](int x, int y, int c) {
        if (c == 3) return sampleAt(image, x, y, c);
        std::uint64_t sum = 0;
        for (int j = -radius; j <= radius; ++j)
            sum += across[(std::size_t(clamped(y + j, height)) * unsigned(width) + unsigned(x)) *
                              unsigned(channels) +
                          unsigned(c)];
        return (2 * sum + plan.count) / (2 * std::uint64_t(plan.count));
    });
}

std::string checkMedian(KernelRun& bench, const Image& image, int radius) {
    auto plan = basicPlan<MedianPlan>(image);
    plan.radius = radius;
    const Image actual = bench.run(cudaRunner_median, plan, image);
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

AddNoisePlan noisePlan(const Image& image, NoiseKind kind) {
    auto plan = basicPlan<AddNoisePlan>(image);
    plan.kind = kind;
    plan.seed = 0xdeadbeefu;
    plan.threshold = (std::uint64_t(1) << 32) / 5;
    plan.sigma256 = 20 * 256 + 77;
    plan.wholeWidth = image.width();
    return plan;
}

std::string checkNoise(KernelRun& bench, const Image& image, const AddNoisePlan& plan) {
    const Image actual = bench.run(cudaRunner_add_noise, plan, image);
    const bool wide = bytesPerSample(image.format()) == 2;
    const std::int64_t white = wide ? 65535 : 255;
    return disagreement(actual, [&](int x, int y, int c) {
        const std::uint64_t value = sampleAt(image, x, y, c);
        if (c == 3) return value;
        const std::int64_t index =
            (std::int64_t(plan.originY) + y) * plan.wholeWidth + plan.originX + x;
        const PhiloxWords words = philox(std::uint64_t(index), plan.seed);
        if (plan.kind == NoiseKind::SaltPepper) {
            if (words.word[0] >= plan.threshold) return value;
            return words.word[1] & 1 ? std::uint64_t(white) : std::uint64_t(0);
        }
        const std::int64_t product =
            std::int64_t(kNormalQuantiles[words.word[c] >> 20]) * plan.sigma256 * (wide ? 257 : 1);
        const std::int64_t noisy = std::int64_t(value) + ((product + (1 << 19)) >> 20);
        return std::uint64_t(std::clamp<std::int64_t>(noisy, 0, white));
    });
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
            for (const bool wide : {false, true})
                if (!no(std::string("integral ") + variant + (wide ? ", 64 bits" : ""),
                        checkIntegral(bench, image, variant, wide)))
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
                    checkNoise(bench, image, noisePlan(image, kind))))
                return found;
        return found;
    }

  private slots:
    void initTestCase() {
        REQUIRE_GPU();
        WARPSCOPE_CUDA(cudaSetDevice(0));
        m_traits = DeviceTraits::query(0);
    }

    void awkwardSizes_data() { addFormatRows(); }
    void awkwardSizes() {
        QFETCH(int, format);
        KernelRun bench(m_traits);
        for (const NamedImage& named : awkwardImages(PixelFormat(format))) {
            // Windows larger than the image: on the small ones, where the loops here are quick.
            const bool tiny = named.image.size().pixels() < 600;
            const std::string difference = everything(bench, named, tiny ? 500 : 20, tiny ? 7 : 3);
            QVERIFY2(difference.empty(), difference.c_str());
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
            const std::string difference = everything(bench, named, 130, 7);
            QVERIFY2(difference.empty(), difference.c_str());
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
        auto plan = basicPlan<BoxMeanPlan>(white);
        plan.radius = 500;
        plan.count = 1001 * 1001;
        QCOMPARE(test::firstDifference(white, bench.run(cudaRunner_box_mean, plan, white)),
                 std::string());
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
                AddNoisePlan plan = noisePlan(image, kind);
                plan.wholeWidth = kMaxSide;
                plan.originX = 1003;
                plan.originY = 123'457;  // beyond 2^32 pixels
                QCOMPARE(checkNoise(bench, image, plan), std::string());
                plan.threshold = std::uint64_t(1) << 32;
                plan.sigma256 = 128 * 256;
                QCOMPARE(checkNoise(bench, image, plan), std::string());
                plan.threshold = 0;
                plan.sigma256 = 0;
                QCOMPARE(test::firstDifference(image, bench.run(cudaRunner_add_noise, plan, image)),
                         std::string());
            }
        }
    }

    void stopsBetweenLaunches() {
        DeviceTraits traits = m_traits;
        traits.bytesPerLaunch = 60'000;
        traits.multiplicationsPerLaunch = 2'000'000;
        KernelRun bench(traits);
        const Image image = makeNoise(PixelFormat::Gray8, {1000, 1000}, 3);
        const auto stopped = [&](const CudaRunner& runner, const Plan& plan) {
            std::stop_source stop;
            RunContext context;
            context.stop = stop.get_token();
            int launches = 0;
            context.progress = [&](double) {
                if (++launches == 2) stop.request_stop();
            };
            try {
                bench.run(runner, plan, image, context);
            } catch (const Stopped&) {
                return launches == 2;
            }
            return false;
        };
        auto integral = basicPlan<IntegralImagePlan>(image);
        integral.output = PixelFormat::Gray32;
        for (const char* variant : kIntegralVariants) {
            integral.variant = variant;
            QVERIFY(stopped(cudaRunner_integral_image, integral));
        }
        auto box = basicPlan<BoxMeanPlan>(image);
        box.radius = 3;
        box.count = 49;
        QVERIFY(stopped(cudaRunner_box_mean, box));
        auto median = basicPlan<MedianPlan>(image);
        for (median.radius = 1; median.radius <= 3; ++median.radius)
            QVERIFY(stopped(cudaRunner_median, median));
        QVERIFY(stopped(cudaRunner_add_noise, noisePlan(image, NoiseKind::Gaussian)));
    }
};

WARPSCOPE_TEST(DefinitionsTest)
#include "definitions_test.moc"
