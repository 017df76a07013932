// The published variants of histogram and Gaussian blur give the bits of `automatic`.
#include <QtTest>

#include "engine/operations/analysis/histogram.h"
#include "engine/operations/smoothing/gaussian_blur.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

PlanRequest requestFor(const Operation& operation, const ParamSet& given, const Image& image,
                       const std::string& variant) {
    PlanRequest request;
    auto parameters = resolveParameters(operation.description().parameters, given);
    if (!parameters) throw std::runtime_error(parameters.error().message);
    request.parameters = *parameters;
    request.format = image.format();
    request.size = image.size();
    request.variant = variant;
    return request;
}

std::vector<std::string> published(const Operation& operation) {
    std::vector<std::string> ids;
    for (const VariantSpec& variant : operation.description().variants)
        if (variant.id != kAutomaticVariant) ids.push_back(variant.id);
    return ids;
}

HistogramSet count(const Image& image, const std::string& variant,
                   Threading threading = Threading::Single, const char* channel = "all") {
    ParamSet given;
    given.set("channel", std::string(channel));
    const auto plan =
        histogram_operation().plan(requestFor(histogram_operation(), given, image, variant));
    if (!plan) throw std::runtime_error(plan.error().message);
    CpuContext context;
    context.threading = threading;
    auto counts = countCpu(static_cast<const HistogramPlan&>(**plan), image, context);
    if (!counts) throw std::runtime_error(counts.error().message);
    return *counts;
}

bool sameCounts(const HistogramSet& a, const HistogramSet& b) {
    if (a.channels.size() != b.channels.size()) return false;
    for (std::size_t i = 0; i < a.channels.size(); ++i)
        if (a.channels[i].channel != b.channels[i].channel ||
            a.channels[i].bins != b.channels[i].bins)
            return false;
    return a.low == b.low && a.high == b.high && a.notFinite == b.notFinite;
}

Result<PlanPtr> gaussianPlan(const Image& image, double sigma, int size,
                             const std::string& variant) {
    ParamSet given;
    given.set("sigma", sigma);
    given.set("size", std::int64_t(size));
    return gaussian_blur_operation().plan(
        requestFor(gaussian_blur_operation(), given, image, variant));
}

Image blur(const Image& image, double sigma, int size, const std::string& variant,
           Threading threading = Threading::Single) {
    const auto plan = gaussianPlan(image, sigma, size, variant);
    if (!plan) throw std::runtime_error(plan.error().message);
    return runPlan(**plan, image, threading);
}

}  // namespace

class VariantsTest : public QObject {
    Q_OBJECT

  private slots:
    void everyVariantSaysWhatItCostsAndWhereItComesFrom() {
        for (const Operation* operation : {&histogram_operation(), &gaussian_blur_operation()}) {
            const auto& variants = operation->description().variants;
            QVERIFY(variants.size() >= 3);
            for (const VariantSpec& variant : variants) {
                QVERIFY(!variant.label.empty() && variant.help.size() > 20);
                QCOMPARE(variant.source.empty(), variant.id == kAutomaticVariant);
            }
        }
    }

    void histogramsOfAwkwardImages() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const NamedImage& named : awkwardImages(format)) {
                const HistogramSet expected = count(named.image, "automatic");
                for (const std::string& variant : published(histogram_operation()))
                    for (const Threading threading : {Threading::Single, Threading::AllCores})
                        QVERIFY2(sameCounts(expected, count(named.image, variant, threading)),
                                 (variant + ", " + named.name).c_str());
            }
    }

    void histogramsOfOneChannel() {
        const Image image = makePhotograph(PixelFormat::Rgba8, {301, 97});
        for (const char* channel : {"luma", "red", "green", "blue"})
            for (const std::string& variant : published(histogram_operation()))
                QVERIFY(sameCounts(count(image, "automatic", Threading::Single, channel),
                                   count(image, variant, Threading::AllCores, channel)));
    }

    // The OpenCL text's 8-bit counters overflow when a thread meets 256 equal pixels.
    void trap256EqualPixels() {
        for (const int width : {254, 255, 256, 257, 510, 511, 8192, 32640, 32641, 70000}) {
            const Image image = makeConstant(PixelFormat::Gray8, {width, 3}, 93);
            for (const std::string& variant : published(histogram_operation()))
                QCOMPARE(count(image, variant).channels[0].bins[93], std::uint64_t(width) * 3);
        }
    }

    // The CUDA text's blocks take 8,192 pixels and leave the remainder out.
    void trapSizesThatAreNotMultiplesOf8192() {
        for (const int width : {1, 63, 8191, 8192, 8193, 16385}) {
            const Image image = makeNoise(PixelFormat::Gray8, {width, 1}, 5);
            for (const std::string& variant : published(histogram_operation()))
                QVERIFY(count(image, variant).channels[0].bins ==
                        truth::histogram(image, HistogramChannel::Luma));
        }
    }

    // Launches of 256 threads: sizes on both sides of their multiples, and a remainder that is
    // padded by itself instead of by what is missing.
    void trapSizesThatAreNotMultiplesOf256() {
        for (const Size size : {Size{255, 1}, Size{257, 1}, Size{16, 17}, Size{100, 100},
                                Size{511, 3}, Size{769, 5}}) {
            const Image image = makeNoise(PixelFormat::Gray8, size, 11);
            for (const std::string& variant : published(histogram_operation()))
                QVERIFY(count(image, variant).channels[0].bins ==
                        truth::histogram(image, HistogramChannel::Luma));
        }
    }

    void publishedHistogramsTakeEightBits() {
        for (const PixelFormat format : {PixelFormat::Gray16, PixelFormat::GrayF32})
            for (const std::string& variant : published(histogram_operation())) {
                const auto plan = histogram_operation().plan(requestFor(
                    histogram_operation(), {}, makeConstant(format, {4, 4}, 0), variant));
                QVERIFY(!plan);
                QCOMPARE(plan.error().code, ErrorCode::Unsupported);
            }
    }

    void blursOfAwkwardImages() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const NamedImage& named : awkwardImages(format))
                for (const double sigma : {0.8, 2.3}) {
                    const Image expected = blur(named.image, sigma, 0, "automatic");
                    for (const std::string& variant : published(gaussian_blur_operation())) {
                        const std::string difference = firstDifference(
                            expected, blur(named.image, sigma, 0, variant, Threading::AllCores));
                        QVERIFY2(difference.empty(),
                                 (variant + ", " + named.name + ": " + difference).c_str());
                    }
                }
    }

    // Windows larger than the image, the largest direct size, and a size that cuts the bell.
    void blursOfAllSizes() {
        const Image image = makeNoise(PixelFormat::Rgba8, {37, 11}, 3);
        for (const int size : {1, 3, 5, 29, 31}) {
            const Image expected = blur(image, 5, size, "automatic");
            for (const std::string& variant : published(gaussian_blur_operation()))
                QCOMPARE(firstDifference(expected, blur(image, 5, size, variant)), std::string());
        }
        QCOMPARE(firstDifference(blur(image, 50, 0, "automatic"),
                                 blur(image, 50, 0, "separable_constant")),
                 std::string());
    }

    // Rows that are not rounded before the column pass give other bits: the direct variant
    // must round where the definition does.
    void trapDirectSumWithoutRoundedRows() {
        const Image image = makeNoise(PixelFormat::Gray8, {64, 64}, 9);
        QCOMPARE(
            firstDifference(truth::gaussianBlur(image, 1.5, 9), blur(image, 1.5, 9, "direct_2d")),
            std::string());
    }

    void directRefusesLargeSizes() {
        const Image image = makeNoise(PixelFormat::Gray8, {8, 8}, 1);
        QVERIFY(gaussianPlan(image, 5, 31, "direct_2d"));
        for (const int size : {33, 1001}) {
            const auto plan = gaussianPlan(image, 5, size, "direct_2d");
            QVERIFY(!plan);
            QCOMPARE(plan.error().code, ErrorCode::Unsupported);
            QVERIFY(plan.error().message.find(std::to_string(size)) != std::string::npos);
        }
        QVERIFY(!gaussianPlan(image, 50, 0, "direct_2d"));
        QVERIFY(gaussianPlan(image, 50, 0, "separable_constant"));
    }

    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        CpuContext context;
        context.stop = stop.get_token();
        const Image image = makeNoise(PixelFormat::Rgba8, {200, 200}, 1);
        for (const std::string& variant : published(gaussian_blur_operation())) {
            auto out = *MutableImage::create(image.format(), image.size());
            const auto plan = gaussianPlan(image, 2, 0, variant);
            const auto ran = gaussian_blur_operation().runCpu(**plan, image, out, context);
            QVERIFY(!ran);
            QCOMPARE(ran.error().code, ErrorCode::Cancelled);
        }
        for (const std::string& variant : published(histogram_operation())) {
            const auto plan =
                histogram_operation().plan(requestFor(histogram_operation(), {}, image, variant));
            const auto counts = countCpu(static_cast<const HistogramPlan&>(**plan), image, context);
            QVERIFY(!counts);
            QCOMPARE(counts.error().code, ErrorCode::Cancelled);
        }
    }
};

WARPSCOPE_TEST(VariantsTest)
#include "variants_test.moc"
