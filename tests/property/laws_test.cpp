// Laws of filters and pipelines that hold for every input, on inputs that nobody chose.
#include <rapidcheck.h>

#include <cmath>
#include <map>
#include <numeric>

#include "engine/measure/agreement.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/registry.h"
#include "engine/operations/smoothing/gaussian_blur.h"
#include "engine/operations/tone/equalize.h"
#include "engine/operations/tone/grayscale.h"
#include "engine/pipeline/pipeline.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

int anyUpTo(int low, int high) {
    return *rc::gen::inRange(low, high + 1);
}

Image anyImage(PixelFormat format, Size largest) {
    const Size size{anyUpTo(1, largest.width), anyUpTo(1, largest.height)};
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    if (isFloat(format) && anyUpTo(0, 1) == 1) return makeWild(format, size, seed);
    switch (anyUpTo(0, 3)) {
        case 0:
            return makeNoise(format, size, seed);
        case 1:
            return misaligned(makePhotograph(format, size, seed));
        case 2:
            return makeRamp(format, size);
        default:
            return makeConstant(format, size, double(seed % 256));
    }
}

PixelFormat anyFormat() {
    return *rc::gen::element(PixelFormat::Gray8, PixelFormat::Rgba8);
}

// Over the whole hard range.
ParamValue anyValue(const ParamSpec& spec) {
    while (true) {
        ParamValue value;
        switch (spec.kind) {
            case ParamKind::Choice:
                return spec.choices[*rc::gen::inRange<std::size_t>(0, spec.choices.size())].id;
            case ParamKind::Integer:
                value = *rc::gen::inRange<std::int64_t>(std::int64_t(spec.hardMin),
                                                        std::int64_t(spec.hardMax) + 1);
                break;
            case ParamKind::Real: {
                const double t = double(*rc::gen::inRange<std::int64_t>(0, 1'000'000'001)) * 1e-9;
                value = std::lerp(spec.hardMin, spec.hardMax, t);
                break;
            }
            case ParamKind::Points: {
                PointList points;
                const int count = anyUpTo(spec.leastCount, spec.mostCount);
                const double step = (spec.hardMax - spec.hardMin) / count;
                for (int i = 0; i < count; ++i)
                    points.push_back({spec.hardMin + step * (i + anyUpTo(0, 999) / 1000.0),
                                      spec.hardMin + step * anyUpTo(0, count)});
                value = points;
                break;
            }
            case ParamKind::Matrix: {
                IntMatrix matrix;
                matrix.columns = 1 + 2 * anyUpTo(0, (spec.mostCount - 1) / 2);
                const int entries = matrix.columns * (1 + 2 * anyUpTo(0, (spec.mostCount - 1) / 2));
                for (int i = 0; i < entries; ++i)
                    matrix.values.push_back(anyUpTo(int(spec.hardMin), int(spec.hardMax)));
                value = matrix;
                break;
            }
            case ParamKind::Image:
                return std::string(*rc::gen::element("source", "second", "step:any_of-them1"));
        }
        if (checkParameter(spec, value)) return value;
    }
}

// Where the whole range would take more than a fraction of a second on the images of this test, or
// where most of it is refused by a variant: the largest value tried. Others that are in pixels go
// up to kMostPixels, beyond the size of the images.
constexpr int kMostPixels = 60;
const std::map<std::string, double, std::less<>> kMost = {{"clahe.tiles_x", 8},
                                                          {"clahe.tiles_y", 8},
                                                          {"crop.x", 4},
                                                          {"crop.y", 4},
                                                          {"crop.width", 4},
                                                          {"crop.height", 4},
                                                          {"gaussian_blur.sigma", 9},
                                                          {"gaussian_blur.size", 31},
                                                          {"nl_means.h", 60},
                                                          {"nl_means.patch_radius", 3},
                                                          {"nl_means.search_radius", 4},
                                                          {"resize.width", 60},
                                                          {"resize.height", 60},
                                                          {"resize.percent", 300}};

TextParameters anyParameters(const OperationDescription& description) {
    TextParameters parameters;
    for (ParamSpec spec : description.parameters) {
        const auto most = kMost.find(description.id + "." + spec.id);
        spec.hardMax = std::min(spec.hardMax, most != kMost.end() ? most->second
                                              : spec.spatial      ? kMostPixels
                                                                  : spec.hardMax);
        parameters.emplace_back(spec.id, toText(anyValue(spec)));
    }
    return parameters;
}

constexpr Size kLargest{89, 39};

double anySigma() {
    return double(anyUpTo(30, 1199)) / 100.0;
}

const Operation& operationOf(const char* id) {
    return *findOperation(id);
}

HistogramSet countAll(const Image& image) {
    const auto plan = planHistogram(ChannelSet::all(), image.format(), image.size());
    return *countCpu(static_cast<const HistogramPlan&>(**plan), image, CpuContext{});
}

TextParameters sigmaOf(double sigma) {
    return {{"sigma", toText(ParamValue(sigma))}};
}

TextParameters one(const char* id, int value) {
    return {{id, std::to_string(value)}};
}

// Every sample through `map`, alpha kept.
template <class Map>
Image mapped(const Image& image, Map&& map) {
    auto out = *MutableImage::create(image.format(), image.size());
    const int channels = channelCount(image.format());
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width() * channels; ++x) {
            const std::uint8_t value = image.view<std::uint8_t>().row(y)[x];
            out.view<std::uint8_t>().row(y)[x] =
                channels == 4 && x % 4 == 3 ? value : std::uint8_t(map(value));
        }
    return std::move(out).freeze(image.info());
}

Image mirrored(const Image& image) {
    auto out = *MutableImage::create(image.format(), image.size());
    const int channels = channelCount(image.format());
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < channels; ++c)
                out.view<std::uint8_t>().row(y)[(image.width() - 1 - x) * channels + c] =
                    image.view<std::uint8_t>().row(y)[x * channels + c];
    return std::move(out).freeze(image.info());
}

Step anyStep() {
    std::vector<const Operation*> filters;
    for (const Operation* operation : allOperations())
        if (operation->description().kind == OperationKind::Filter) filters.push_back(operation);
    const auto& description =
        filters[*rc::gen::inRange<std::size_t>(0, filters.size())]->description();
    Step step = *makeStep(description.id);
    const auto& variants = description.variants;
    step.variant = variants[*rc::gen::inRange<std::size_t>(0, variants.size())].id;
    step.enabled = *rc::gen::arbitrary<bool>();
    for (const ParamSpec& spec : description.parameters)
        step.parameters.set(spec.id, anyValue(spec));
    return step;
}

}  // namespace

class LawsTest : public QObject {
    Q_OBJECT
  private slots:
    void everyWayToComputeAgrees() {
        for (const Operation* operation : allOperations()) {
            const OperationDescription& description = operation->description();
            if (description.kind != OperationKind::Filter) continue;
            QVERIFY2(
                rc::check(description.id,
                          [&] {
                              const auto format = *rc::gen::elementOf(std::vector<PixelFormat>(
                                  description.accepts.begin(), description.accepts.end()));
                              const Image image = anyImage(format, {70, 40});
                              const TextParameters parameters = anyParameters(description);
                              // A rectangle may lie beyond a small image.
                              RC_PRE(operation
                                         ->plan(requestFor(*operation, parameters, image.format(),
                                                           image.size()))
                                         .has_value());
                              Image reference;
                              forEachVectorTarget([&](const std::string& target) {
                                  for (const VariantSpec& variant : description.variants) {
                                      for (const Threading threading :
                                           {Threading::Single, Threading::AllCores}) {
                                          Image result;
                                          try {
                                              result = runVariant(*operation, variant.id,
                                                                  parameters, image, threading);
                                          } catch (const std::runtime_error&) {
                                              // A variant may refuse, `automatic` may not.
                                              RC_ASSERT(variant.id != kAutomaticVariant);
                                              continue;
                                          }
                                          if (reference.isNull()) reference = result;
                                          // Each may be off the exact value in so many samples,
                                          // and so two of them in twice as many.
                                          AgreementRule rule = description.agreementFor(format);
                                          rule.identicalFraction =
                                              1 - 2 * (1 - rule.identicalFraction);
                                          const Agreement agreement =
                                              compareImages(reference, result, rule);
                                          RC_LOG() << variant.id << " " << target << ": "
                                                   << describe(agreement);
                                          RC_ASSERT(agreement.allowsSpeedup());
                                      }
                                  }
                              });
                          }),
                description.id.c_str());
        }
    }

    void equalizationTablesRise() {
        QVERIFY(rc::check("tables rise and end at white", [] {
            auto counts = *rc::gen::container<std::vector<std::uint64_t>>(
                256, rc::gen::inRange<std::uint64_t>(0, 1ull << 32));
            ++counts[*rc::gen::inRange<std::size_t>(0, 256)];  // no image has no pixel
            for (const auto mapping : {EqualizeMapping::Classic, EqualizeMapping::Full}) {
                const auto table = equalizeTable(counts, mapping);
                RC_ASSERT(std::is_sorted(table.begin(), table.end()));
                RC_ASSERT(int(table.back()) == 255);
                const std::vector<int> wide(table.begin(), table.end());
                RC_ASSERT(wide == truth::levelTable(counts, mapping));
            }
        }));
    }

    void everyPixelIsCountedOnce() {
        QVERIFY(rc::check("counts sum to the pixels", [] {
            const Image image = anyImage(anyFormat(), kLargest);
            for (const Histogram& histogram : countAll(image).channels)
                RC_ASSERT(histogram.total() == std::uint64_t(image.size().pixels()));
        }));
    }

    void weightsSumToOne() {
        QVERIFY(rc::check("taps", [] {
            const double sigma = double(*rc::gen::inRange(300, 100001)) / 1000.0;
            const int size = gaussianSize(sigma, *rc::gen::inRange(0, 501) * 2 + 1);
            const auto taps = gaussianTaps(sigma, size);
            RC_ASSERT(int(taps.size()) == size);
            RC_ASSERT(std::accumulate(taps.begin(), taps.end(), 0u) == 65536u);
            RC_ASSERT(std::equal(taps.begin(), taps.end(), taps.rbegin()));
            RC_ASSERT(std::is_sorted(taps.begin(), taps.begin() + size / 2));
        }));
    }

    void constantImagesStayUnderGaussian() {
        QVERIFY(rc::check("constant", [] {
            const Image image = makeConstant(anyFormat(), Size{anyUpTo(1, 89), anyUpTo(1, 39)},
                                             double(anyUpTo(0, 255)));
            RC_ASSERT(
                sameSamples(image, runOn(gaussian_blur_operation(), sigmaOf(anySigma()), image)));
        }));
    }

    void gaussianStaysWithinTheRangeOfItsInput() {
        QVERIFY(rc::check("no overshoot", [] {
            const Image image = anyImage(PixelFormat::Gray8, kLargest);
            const Image result = runOn(gaussian_blur_operation(), sigmaOf(anySigma()), image);
            const auto range = [](const Image& of) {
                std::uint8_t low = 255, high = 0;
                for (int y = 0; y < of.height(); ++y)
                    for (int x = 0; x < of.width(); ++x) {
                        low = std::min(low, of.view<std::uint8_t>().row(y)[x]);
                        high = std::max(high, of.view<std::uint8_t>().row(y)[x]);
                    }
                return std::pair(low, high);
            };
            RC_ASSERT(range(image).first <= range(result).first);
            RC_ASSERT(range(result).second <= range(image).second);
        }));
    }

    void everyTargetAndThreadCountAgrees() {
        QVERIFY(rc::check("targets agree", [] {
            const Image image = anyImage(anyFormat(), kLargest);
            const TextParameters sigma = sigmaOf(anySigma());
            std::vector<Image> first;
            forEachVectorTarget([&](const std::string&) {
                for (const Threading threading : {Threading::Single, Threading::AllCores}) {
                    const std::vector<Image> results = {
                        runOn(gaussian_blur_operation(), sigma, image, threading),
                        runOn(equalize_operation(), {}, image, threading),
                        runOn(equalize_operation(), {{"channels", "each"}}, image, threading),
                        runOn(grayscale_operation(), {}, image, threading)};
                    if (first.empty()) first = results;
                    for (std::size_t i = 0; i < results.size(); ++i)
                        RC_ASSERT(sameSamples(first[i], results[i]));
                }
            });
        }));
    }

    void blurEqualsTruth() {
        QVERIFY(rc::check("blur is its definition", [] {
            const Image image = anyImage(anyFormat(), kLargest);
            const double sigma = double(*rc::gen::inRange(30, 250)) / 100.0;
            const Image truth =
                truth::gaussianBlur(image, sigma, truth::automaticGaussianSize(sigma));
            RC_ASSERT(firstDifference(
                          truth, runOn(gaussian_blur_operation(), sigmaOf(sigma), image)) == "");
        }));
    }

    void sumsGiveThePixelsBack() {
        QVERIFY(rc::check("four sums make a pixel", [] {
            const Image image = anyImage(PixelFormat::Gray8, {90, 50});
            const Image sums = runOn(operationOf("integral_image"), {}, image);
            RC_ASSERT(sums.format() == PixelFormat::Gray32);
            const auto at = [&](int x, int y) {
                return x < 0 || y < 0 ? 0u : sums.view<std::uint32_t>().row(y)[x];
            };
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    RC_ASSERT(at(x, y) - at(x - 1, y) - at(x, y - 1) + at(x - 1, y - 1) ==
                              unsigned(image.view<std::uint8_t>().row(y)[x]));
        }));
    }

    void meansAndMediansAreTheirDefinitions() {
        QVERIFY(rc::check("box_mean and median equal the truth", [] {
            const Image image = anyImage(anyFormat(), {40, 30});
            const int mean = anyUpTo(0, 45);  // larger than the image among them
            RC_ASSERT(firstDifference(truth::boxMean(image, mean),
                                      runOn(operationOf("box_mean"), one("radius", mean), image)) ==
                      "");
            const int median = anyUpTo(1, 7);
            RC_ASSERT(firstDifference(truth::median(image, median),
                                      runOn(operationOf("median"), one("radius", median), image)) ==
                      "");
        }));
    }

    void medianFollowsEveryRisingMap() {
        QVERIFY(rc::check("median of the map is the map of the median", [] {
            const Image image = anyImage(anyFormat(), {80, 40});
            const TextParameters radius = one("radius", anyUpTo(1, 7));
            const int levels = anyUpTo(1, 255);
            const auto coarse = [&](int value) { return value / levels * levels; };
            const auto inverse = [](int value) { return 255 - value; };
            const Image result = runOn(operationOf("median"), radius, image);
            RC_ASSERT(firstDifference(mapped(result, coarse), runOn(operationOf("median"), radius,
                                                                    mapped(image, coarse))) == "");
            RC_ASSERT(firstDifference(
                          mapped(result, inverse),
                          runOn(operationOf("median"), radius, mapped(image, inverse))) == "");
        }));
    }

    void noiseHitsWholePixels() {
        QVERIFY(rc::check("salt and pepper", [] {
            const Image image = anyImage(anyFormat(), {90, 40});
            const int channels = channelCount(image.format());
            TextParameters parameters = {{"kind", "salt_pepper"},
                                         {"amount", "0"},
                                         {"seed", std::to_string(anyUpTo(0, 1 << 30))}};
            RC_ASSERT(firstDifference(image, runOn(operationOf("add_noise"), parameters, image)) ==
                      "");
            parameters[1].second = toText(ParamValue(double(anyUpTo(1, 100)) / 100.0));
            const Image noisy = runOn(operationOf("add_noise"), parameters, image);
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    const std::uint8_t* before = &image.view<std::uint8_t>().row(y)[x * channels];
                    const std::uint8_t* after = &noisy.view<std::uint8_t>().row(y)[x * channels];
                    const int colors = channels == 4 ? 3 : 1;
                    const bool same = std::equal(before, before + colors, after);
                    const bool hit = (after[0] == 0 || after[0] == 255) &&
                                     std::all_of(after, after + colors,
                                                 [&](int value) { return value == after[0]; });
                    RC_ASSERT(same || hit);
                    if (channels == 4) RC_ASSERT(before[3] == after[3]);
                }
        }));
    }

    void nlMeansStaysBetweenItsNeighboursAndHasNoSide() {
        QVERIFY(rc::check("range and mirror", [] {
            const Image image = anyImage(anyFormat(), {60, 30});
            const TextParameters parameters = {{"h", std::to_string(anyUpTo(1, 60))},
                                               {"patch_radius", std::to_string(anyUpTo(0, 3))},
                                               {"search_radius", std::to_string(anyUpTo(0, 4))}};
            const Operation& operation = operationOf("nl_means");
            const Image result = runOn(operation, parameters, image);
            // A pixel is a weighted mean of those around it.
            const int reach = std::stoi(parameters[2].second);
            const int channels = channelCount(image.format());
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    for (int c = 0; c < channels; ++c) {
                        int low = 255, high = 0;
                        for (int dy = -reach; dy <= reach; ++dy)
                            for (int dx = -reach; dx <= reach; ++dx) {
                                const auto fold = [](int at, int n) {
                                    at = ((at % (2 * n)) + 2 * n) % (2 * n);
                                    return at < n ? at : 2 * n - 1 - at;
                                };
                                const int value = image.view<std::uint8_t>().row(fold(
                                    y + dy,
                                    image.height()))[fold(x + dx, image.width()) * channels + c];
                                low = std::min(low, value);
                                high = std::max(high, value);
                            }
                        const int value = result.view<std::uint8_t>().row(y)[x * channels + c];
                        RC_ASSERT(low <= value);
                        RC_ASSERT(value <= high);
                    }
            RC_ASSERT(compareImages(mirrored(result), runOn(operation, parameters, mirrored(image)),
                                    operation.description().agreement)
                          .allowsSpeedup());
        }));
    }

    void pipelinesComeBack() {
        const bool held = rc::check("JSON round trip", [] {
            Pipeline pipeline;
            const int count = *rc::gen::inRange(0, 12);
            for (int i = 0; i < count; ++i) pipeline.steps.push_back(anyStep());
            const auto read = pipelineFromJson(toJson(pipeline));
            RC_ASSERT(read.has_value());
            RC_ASSERT(*read == pipeline);
            RC_ASSERT(toJson(*read) == toJson(pipeline));
        });
        QVERIFY(held);
    }

    void stepTextComesBack() {
        const bool held = rc::check("step text round trip", [] {
            Step step = anyStep();
            step.enabled = true;  // text has no word for it
            const auto read = parseStep(toText(step));
            RC_ASSERT(read.has_value());
            RC_ASSERT(*read == step);
            RC_ASSERT(hashStep(*read) == hashStep(step));
        });
        QVERIFY(held);
    }
};

WARPSCOPE_TEST(LawsTest)
#include "laws_test.moc"
