// Filters of float samples: against their definitions in long double, on values that integers never
// have; and the same bits whatever the threads, the instruction set and the crop.
#include <sys/resource.h>

#include <QtTest>
#include <cmath>
#include <cstring>
#include <random>

#include "engine/operations/registry.h"
#include "engine/operations/smoothing/box_mean.h"
#include "engine/operations/smoothing/gaussian_blur.h"
#include "engine/operations/smoothing/median.h"
#include "engine/operations/tone/invert.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth_float.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr PixelFormat kFloatFormats[] = {PixelFormat::GrayF32, PixelFormat::RgbaF32};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Awkward images and fresh ones.
std::vector<NamedImage> imagesOf(PixelFormat format, std::int64_t mostPixels) {
    std::vector<NamedImage> images = awkwardImages(format);
    const std::uint32_t seed = warpscope::test::freshSeed();
    for (const Size size : {Size{23, 17}, Size{1, 29}, Size{37, 1}, Size{61, 33}})
        for (const Wild wild : {Wild::AroundWhite, Wild::AllMagnitudes})
            images.push_back(
                {"fresh wild of seed " + std::to_string(seed), makeWild(format, size, seed, wild)});
    std::erase_if(
        images, [&](const NamedImage& named) { return named.image.size().pixels() > mostPixels; });
    return images;
}

// `truthOf(image)` on every instruction set.
template <class TruthOf>
void compareWithTruth(const Operation& operation, const TextParameters& parameters,
                      PixelFormat format, double ulps, const TruthOf& truthOf,
                      std::int64_t mostPixels = 4000) {
    std::string name = operation.description().id;
    for (const auto& [key, value] : parameters) name += ", " + key + "=" + value;
    for (const NamedImage& named : imagesOf(format, mostPixels)) {
        const truth::Reals truth = truthOf(named.image);
        forEachVectorTarget([&](const std::string& target) {
            const std::string difference =
                truth::beyond(truth, runOn(operation, parameters, named.image), ulps);
            QVERIFY2(difference.empty(),
                     (name + ", " + target + ", " + named.name + ": " + difference).c_str());
        });
        if (QTest::currentTestFailed()) return;
    }
}

std::vector<const Operation*> floatFilters() {
    std::vector<const Operation*> filters;
    for (const Operation* operation : allOperations())
        if (operation->description().kind == OperationKind::Filter &&
            operation->description().acceptsFormat(PixelFormat::GrayF32))
            filters.push_back(operation);
    return filters;
}

// Defaults and every choice; numbers at a small value of their slider and at the default.
std::vector<TextParameters> fewParameters(const OperationDescription& description) {
    std::vector<TextParameters> sets = {{}};
    for (const ParamSpec& spec : description.parameters)
        for (const ChoiceSpec& choice : spec.choices) sets.push_back({{spec.id, choice.id}});
    if (description.findParameter("radius")) sets.push_back({{"radius", "5"}});
    if (description.findParameter("search_radius"))
        sets = {{{"patch_radius", "2"}, {"search_radius", "3"}}};
    return sets;
}

}  // namespace

class FloatSamplesTest : public QObject {
    Q_OBJECT

  private slots:
    void grayscaleIsItsDefinition() {
        const std::pair<const char*, GrayMethod> methods[] = {
            {"weighted601", GrayMethod::Weighted601},
            {"weighted709", GrayMethod::Weighted709},
            {"average", GrayMethod::Average},
            {"maximum", GrayMethod::Maximum}};
        for (const auto& [id, method] : methods)
            compareWithTruth(*findOperation("grayscale"), {{"method", id}}, PixelFormat::RgbaF32,
                             method == GrayMethod::Maximum ? 0 : 2, [&](const Image& image) {
                                 return truth::grayscaleFloat(image, method);
                             });
    }

    void invertIsItsDefinition() {
        for (const PixelFormat format : kFloatFormats)
            compareWithTruth(invert_operation(), {}, format, 1, truth::invertFloat);
    }

    void noiseIsItsDefinition() {
        struct Case {
            const char *kind, *amount, *sigma, *seed;
        };
        for (const Case& c :
             {Case{"salt_pepper", "0.3", "0", "4294967295"}, Case{"salt_pepper", "1", "0", "3"},
              Case{"gaussian", "0", "128", "1"}, Case{"gaussian", "0", "0.3", "77"}})
            for (const PixelFormat format : kFloatFormats)
                compareWithTruth(
                    *findOperation("add_noise"),
                    {{"kind", c.kind}, {"amount", c.amount}, {"sigma", c.sigma}, {"seed", c.seed}},
                    format, 2, [&](const Image& image) {
                        return truth::addNoiseFloat(
                            image, c.kind[0] == 'g' ? NoiseKind::Gaussian : NoiseKind::SaltPepper,
                            std::stod(c.amount), std::stod(c.sigma),
                            std::uint32_t(std::stoul(c.seed)));
                    });
    }

    void equalizeIsItsDefinition() {
        for (const PixelFormat format : kFloatFormats)
            for (const auto channels : {EqualizeChannels::Luma, EqualizeChannels::Each})
                for (const auto mapping : {EqualizeMapping::Classic, EqualizeMapping::Full})
                    compareWithTruth(
                        equalize_operation(),
                        {{"channels", channels == EqualizeChannels::Each ? "each" : "luma"},
                         {"mapping", mapping == EqualizeMapping::Full ? "full" : "classic"}},
                        format, 3, [&](const Image& image) {
                            return truth::equalizeFloat(image, channels, mapping);
                        });
    }

    void boxMeanIsItsDefinition() {
        for (const PixelFormat format : kFloatFormats)
            for (const int radius : {1, 3, 9, 40})
                compareWithTruth(
                    box_mean_operation(), {{"radius", std::to_string(radius)}}, format, 0.6,
                    [&](const Image& image) { return truth::boxMeanFloat(image, radius); },
                    radius > 9 ? 70 : 1000);
    }

    void medianIsItsDefinition() {
        for (const PixelFormat format : kFloatFormats)
            for (const int radius : {1, 2, 3, 7})
                compareWithTruth(
                    median_operation(), {{"radius", std::to_string(radius)}}, format, 0,
                    [&](const Image& image) { return truth::medianFloat(image, radius); },
                    radius > 2 ? 500 : 1500);
    }

    void gaussianBlurIsItsDefinition() {
        struct Case {
            const char *sigma, *size;
            int taps;
        };
        for (const Case& c : {Case{"0.3", "0", 3}, Case{"1", "0", 7}, Case{"2.3", "0", 15},
                              Case{"0.3", "31", 31}, Case{"30", "41", 41}})
            for (const PixelFormat format : kFloatFormats)
                compareWithTruth(
                    gaussian_blur_operation(), {{"sigma", c.sigma}, {"size", c.size}}, format,
                    4 + c.taps / 8.0,
                    [&](const Image& image) {
                        return truth::gaussianBlurFloat(image, std::stod(c.sigma), c.taps);
                    },
                    c.taps > 7 ? 300 : 1500);
    }

    void gaussianTapsSumToOne() {
        for (const double sigma : {0.3, 0.7, 1.0, 5.0, 33.3, 100.0})
            for (const int size : {1, 3, 31, 601, 1001}) {
                const std::vector<float> taps = gaussianTapsFloat(sigma, size);
                QCOMPARE(taps.size(), std::size_t(size));
                double sum = 0;
                for (std::size_t i = 0; i < taps.size(); ++i) {
                    QCOMPARE(taps[i], taps[taps.size() - 1 - i]);
                    sum += double(taps[i]);
                }
                QVERIFY(std::abs(sum - 1) < 1e-7);
            }
        // A constant stays, but for the rounding of sums.
        const Image flat = makeConstant(PixelFormat::RgbaF32, {71, 33}, 0.7);
        const Image blurred = runOn(gaussian_blur_operation(), {{"sigma", "4"}}, flat);
        for (int i = 0; i < 4 * 71; ++i)
            QVERIFY(std::abs(blurred.view<float>().row(9)[i] - 0.7f) < 1e-6f);
    }

    // Within 10^-4 of the largest magnitude in the window, which is at most so many units.
    void nlMeansIsItsDefinition() {
        struct Case {
            const char *h, *patch, *search;
        };
        for (const Case& c : {Case{"10", "1", "2"}, Case{"200", "0", "4"}, Case{"0.1", "2", "1"},
                              Case{"40", "3", "3"}, Case{"10", "7", "1"}})
            for (const PixelFormat format : kFloatFormats)
                compareWithTruth(
                    *findOperation("nl_means"),
                    {{"h", c.h}, {"patch_radius", c.patch}, {"search_radius", c.search}}, format,
                    800,
                    [&](const Image& image) {
                        return truth::nlMeansFloat(image, std::stod(c.h), std::stoi(c.patch),
                                                   std::stoi(c.search));
                    },
                    120);
        const Image flat = makeConstant(PixelFormat::GrayF32, {70, 41}, 0.1);
        const Image result = runOn(*findOperation("nl_means"), {}, flat);
        for (int x = 0; x < 70; ++x)
            QVERIFY(std::abs(result.view<float>().row(20)[x] - 0.1f) < 1e-6f);
    }

    void nlMeansDirectIsItsDefinition() {
        for (const PixelFormat format : kFloatFormats)
            for (const NamedImage& named : imagesOf(format, 120)) {
                const TextParameters parameters = {{"patch_radius", "2"}, {"search_radius", "3"}};
                const std::string difference = truth::beyond(
                    truth::nlMeansFloat(named.image, 10, 2, 3),
                    runVariant(*findOperation("nl_means"), "direct", parameters, named.image), 4);
                QVERIFY2(difference.empty(), (named.name + ": " + difference).c_str());
            }
    }

    // Sums of samples that only just are finite are not; means are.
    void nlMeansOfTheLargestFloats() {
        constexpr float kMost = std::numeric_limits<float>::max();
        const TextParameters parameters = {{"patch_radius", "1"}, {"search_radius", "4"}};
        std::mt19937 random(warpscope::test::freshSeed());
        for (const PixelFormat format : kFloatFormats) {
            auto image = *MutableImage::create(format, {37, 23});
            const float values[] = {kMost, 3e38f, -kMost, 0.25f};
            for (int y = 0; y < 23; ++y)
                for (int i = 0; i < image.view<float>().samplesPerRow(); ++i)
                    image.view<float>().row(y)[i] =
                        y < 18 ? values[y / 6] : values[random() % std::size(values)];
            image.view<float>().row(3)[8] = kNan;
            const Image made = std::move(image).freeze({});
            const truth::Reals truth = truth::nlMeansFloat(made, 10, 1, 4);
            forEachVectorTarget([&](const std::string& target) {
                for (const char* variant : {"automatic", "direct"}) {
                    const std::string difference = truth::beyond(
                        truth, runVariant(*findOperation("nl_means"), variant, parameters, made),
                        800);
                    QVERIFY2(difference.empty(),
                             (std::string(variant) + ", " + target + ": " + difference).c_str());
                }
            });
        }
    }

    // Columns are worked on in parts; what a part needs of the next one is there.
    void boxMeanOfWideImages() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (const PixelFormat format : kFloatFormats)
            for (const int radius : {1, 7, 20}) {
                if (leftOut()) continue;
                const Size size{radius == 7 ? 16'384 : 17'001 + int(seed % 97), 3};
                const Image image = makeWild(format, size, seed, Wild::AllMagnitudes);
                const TextParameters parameters = {{"radius", std::to_string(radius)}};
                const std::string difference =
                    truth::beyond(truth::boxMeanFloat(image, radius),
                                  runOn(box_mean_operation(), parameters, image), 2);
                QVERIFY2(difference.empty(),
                         (difference + ", seed " + std::to_string(seed)).c_str());
                const Image result = runOn(box_mean_operation(), parameters, image);
                forEachVectorTarget([&](const std::string& target) {
                    compareSamples(result, runOn(box_mean_operation(), parameters, image), target);
                });
            }
    }

    // Memory beside the image does not grow with it.
    void boxMeanOfAVeryWideImageInLittleMemory() {
        const Image image = makeConstant(PixelFormat::GrayF32, {kMaxSide, 3}, 0.5);
        const auto peakKiB = [] {
            rusage usage{};
            getrusage(RUSAGE_SELF, &usage);
            return usage.ru_maxrss;
        };
        const Image first = runOn(invert_operation(), {}, image);
        const long before = peakKiB();
        const Image result = runOn(box_mean_operation(), {{"radius", "30"}}, image);
        // The result has 12 MiB; sums of whole rows would have 8 MiB each, and there are dozens.
        // Sanitizers keep what was given back.
        if (kSlowdown == 1)
            QVERIFY2(peakKiB() - before < 64 * 1024, std::to_string(peakKiB() - before).c_str());
        QCOMPARE(result.view<float>().row(1)[kMaxSide / 2], 0.5f);
    }

    // Sums of squared floats slide from patch to patch in integral images and would not be exact.
    void nlMeansRefusesIntegralImagesOfFloats() {
        for (const char* variant : {"integral_per_offset", "integral_rows"})
            for (const PixelFormat format : kFloatFormats) {
                PlanRequest request;
                request.parameters =
                    *resolveParameters(findOperation("nl_means")->description().parameters, {});
                request.variant = variant;
                request.size = {9, 9};
                request.format = format;
                const auto plan = findOperation("nl_means")->plan(request);
                QVERIFY(!plan);
                QCOMPARE(plan.error().code, ErrorCode::Unsupported);
            }
    }

    // The published Gaussians have the bits of the best one.
    void gaussianVariantsAreIdentical() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (const PixelFormat format : kFloatFormats)
            for (const char* variant : {"direct_2d", "separable_constant"})
                for (const char* sigma : {"0.3", "1", "4"}) {
                    const Image image = makeWild(format, {93, 47}, seed);
                    compareSamples(runOn(gaussian_blur_operation(), {{"sigma", sigma}}, image),
                                   runVariant(gaussian_blur_operation(), variant,
                                              {{"sigma", sigma}}, image, Threading::AllCores),
                                   std::string(variant) + ", seed " + std::to_string(seed));
                }
    }

    // Windows larger than what the threads share.
    void wideGaussianInTwoPasses() {
        const Image image = makeWild(PixelFormat::GrayF32, {301, 203}, 8, Wild::AllMagnitudes);
        const TextParameters wide = {{"sigma", "100"}, {"size", "1001"}};
        compareSamples(runOn(gaussian_blur_operation(), wide, image),
                       runOn(gaussian_blur_operation(), wide, image, Threading::AllCores), "wide");
    }

    // Every way to compute gives the same bits; NaN has only one.
    void oneThreadAllCoresAndEveryTargetAgree() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (const Operation* operation : floatFilters())
            for (const PixelFormat format : kFloatFormats)
                for (const TextParameters& parameters : fewParameters(operation->description())) {
                    if (leftOut()) continue;
                    const Image image = makeWild(format, {211, 157}, seed);
                    const Image expected = runOn(*operation, parameters, image);
                    forEachVectorTarget([&](const std::string& target) {
                        for (const Threading threading : {Threading::Single, Threading::AllCores})
                            compareSamples(expected,
                                           runOn(*operation, parameters, image, threading),
                                           operation->description().id + ", " + target + ", seed " +
                                               std::to_string(seed));
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    // Taller than the bands of one pass and wider than its chunks.
    void largeImagesAgree() {
        for (const Operation* operation : floatFilters()) {
            if (operation->description().id == "nl_means") continue;
            const Image image = makeWild(PixelFormat::RgbaF32, {1301, 777}, 5);
            compareSamples(runOn(*operation, {}, image),
                           runOn(*operation, {}, image, Threading::AllCores),
                           operation->description().id);
        }
    }

    // What lies outside the window does not matter, be it NaN or larger than everything else.
    void nothingLeaksBeyondTheWindow() {
        for (const Operation* operation : floatFilters()) {
            const OperationDescription& d = operation->description();
            if (d.dependsOnWholeImage) continue;
            for (const PixelFormat format : kFloatFormats)
                for (const TextParameters& parameters : fewParameters(d)) {
                    const Size size{120, 110};
                    const Image image = makePhotograph(format, size);
                    const PlanPtr plan = planFor(*operation, parameters, format, size);
                    if (plan->outputSize != size || plan->movesPixels()) continue;
                    const int halo = plan->halo;
                    for (const float intruder : {kNan, kInfinity, -kInfinity, 1e30f}) {
                        auto spoiled = *MutableImage::create(format, size);
                        for (int y = 0; y < size.height; ++y)
                            std::copy_n(image.view<float>().row(y),
                                        image.view<float>().samplesPerRow(),
                                        spoiled.view<float>().row(y));
                        const int channels = channelCount(format);
                        for (int c = 0; c < channels; ++c)
                            spoiled.view<float>().row(55)[60 * channels + c] = intruder;
                        const Image result =
                            runOn(*operation, parameters, std::move(spoiled).freeze({}));
                        const Image clean = runOn(*operation, parameters, image);
                        for (int y = 0; y < size.height; ++y)
                            for (int x = 0; x < size.width; ++x) {
                                if (std::abs(x - 60) <= halo && std::abs(y - 55) <= halo) continue;
                                const int bytes = bytesPerPixel(result.format());
                                if (std::memcmp(result.rowBytes(y) + x * bytes,
                                                clean.rowBytes(y) + x * bytes,
                                                std::size_t(bytes)) != 0)
                                    QFAIL(qPrintable(
                                        QString("%1 at %2, %3").arg(d.id.c_str()).arg(x).arg(y)));
                            }
                    }
                }
        }
    }

    void equalizeKeepsOneLevelAndBlackLuma() {
        for (const PixelFormat format : kFloatFormats)
            for (const char* channels : {"luma", "each"}) {
                const Image flat = makeConstant(format, {19, 7}, 0.25);
                compareSamples(flat, runOn(equalize_operation(), {{"channels", channels}}, flat),
                               "one level");
                const Image none = makeConstant(format, {19, 7}, double(kNan));
                compareSamples(none, runOn(equalize_operation(), {{"channels", channels}}, none),
                               "no number");
            }
        const Image image = makeImage(PixelFormat::RgbaF32, {3, 1},
                                      {0, 0, 0, 0.5, 1, 1, 1, 0.25, double(kInfinity), 2, 3, 7});
        const float* row = nullptr;
        const Image result = runOn(equalize_operation(), {{"mapping", "full"}}, image);
        row = result.view<float>().row(0);
        const float expected[] = {0, 0, 0, 0.5f, 1, 1, 1, 0.25f, 1, 0, 0, 7};
        for (int i = 0; i < 12; ++i) QCOMPARE(row[i], expected[i]);
    }

    void equalizeFrozenOnACrop() {
        for (const PixelFormat format : kFloatFormats)
            for (const char* channels : {"luma", "each"}) {
                const Image whole = makeWild(format, {211, 157}, 4);
                const Rect window{31, 17, 101, 67};
                PlanRequest request;
                ParamSet given;
                given.set("channels", channels);
                request.parameters =
                    *resolveParameters(equalize_operation().description().parameters, given);
                request.format = format;
                request.size = window.size();
                const auto plan = equalize_operation().freeze(request, whole, CpuContext{});
                QVERIFY(plan);
                compareSamples(
                    runOn(equalize_operation(), {{"channels", channels}}, whole).crop(window),
                    runPlan(**plan, whole.crop(window)), channels);
                const auto curves = equalize_operation().toneCurves(**plan);
                QCOMPARE(curves.size(), std::size_t(isColor(format) && *channels == 'e' ? 3 : 1));
                QVERIFY(std::is_sorted(curves[0].outputs.begin(), curves[0].outputs.end()));
            }
    }

    // Sums of an integral image of floats would not be exact.
    void integralImageRefusesFloat() {
        PlanRequest request;
        request.size = {4, 4};
        request.format = PixelFormat::RgbaF32;
        const auto plan = findOperation("integral_image")->plan(request);
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, ErrorCode::Unsupported);
        QVERIFY2(plan.error().message.find("float colour") != std::string::npos,
                 plan.error().message.c_str());
    }
};

WARPSCOPE_TEST(FloatSamplesTest)
#include "float_samples_test.moc"
