// Laws of integral_image, box_mean, median, nl_means and add_noise, and one law of all operations:
// every variant, instruction set and number of threads gives what the agreement rule allows.
#include <rapidcheck.h>

#include <QtTest>

#include "engine/measure/agreement.h"
#include "engine/operations/registry.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth_filters.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

const Operation& operationOf(const char* id) {
    return *findOperation(id);
}

int anyUpTo(int low, int high) {
    return *rc::gen::inRange(low, high + 1);
}

Image anyImage(PixelFormat format, Size largest) {
    const Size size{anyUpTo(1, largest.width), anyUpTo(1, largest.height)};
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
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

// Parameters that take a fraction of a second on the images of these tests.
TextParameters anyParameters(const std::string& id) {
    const auto text = [](int value) { return std::to_string(value); };
    if (id == "gaussian_blur") {
        const auto sigma = toText(ParamValue(double(anyUpTo(30, 900)) / 100.0));
        const int size = anyUpTo(0, 15) * 2 + 1;  // what the direct variant takes, or automatic
        return {{"sigma", sigma}, {"size", text(size == 1 ? 0 : size)}};
    }
    if (id == "grayscale")
        return {{"method", *rc::gen::element<std::string>("weighted601", "weighted709", "average",
                                                          "maximum")}};
    if (id == "equalize")
        return {{"channels", *rc::gen::element<std::string>("luma", "each")},
                {"mapping", *rc::gen::element<std::string>("classic", "full")}};
    if (id == "box_mean") return one("radius", anyUpTo(0, 60));
    if (id == "median") return one("radius", anyUpTo(1, 7));
    if (id == "nl_means")
        return {{"h", text(anyUpTo(1, 60))},
                {"patch_radius", text(anyUpTo(0, 3))},
                {"search_radius", text(anyUpTo(0, 4))}};
    if (id == "add_noise")
        return {{"kind", *rc::gen::element<std::string>("salt_pepper", "gaussian")},
                {"amount", toText(ParamValue(double(anyUpTo(0, 100)) / 100.0))},
                {"sigma", text(anyUpTo(0, 128))},
                {"seed", text(anyUpTo(0, 1 << 30))}};
    return {};
}

}  // namespace

class FilterPropertiesTest : public QObject {
    Q_OBJECT

  private slots:
    void everyWayToComputeAgrees() {
        for (const Operation* operation : allOperations()) {
            const OperationDescription& description = operation->description();
            if (description.kind != OperationKind::Filter) continue;
            QVERIFY2(rc::check(description.id,
                               [&] {
                                   const Image image = anyImage(anyFormat(), {70, 40});
                                   const TextParameters parameters = anyParameters(description.id);
                                   Image reference;
                                   forEachVectorTarget([&](const std::string& target) {
                                       for (const VariantSpec& variant : description.variants) {
                                           for (const Threading threading :
                                                {Threading::Single, Threading::AllCores}) {
                                               Image result;
                                               try {
                                                   result =
                                                       runVariant(*operation, variant.id,
                                                                  parameters, image, threading);
                                               } catch (const std::runtime_error&) {
                                                   // A variant may refuse, `automatic` may not.
                                                   RC_ASSERT(variant.id != kAutomaticVariant);
                                                   continue;
                                               }
                                               if (reference.isNull()) reference = result;
                                               const Agreement agreement = compareImages(
                                                   reference, result, description.agreement);
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
            const TextParameters parameters = anyParameters("nl_means");
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
};

WARPSCOPE_TEST(FilterPropertiesTest)
#include "filters_test.moc"
