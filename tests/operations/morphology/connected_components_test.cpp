#include "engine/operations/morphology/connected_components.h"

#include <algorithm>

#include "operations/morphology/component_images.h"
#include "support/random_seed.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// One line that winds from the corner through every other column, and one between its turns.
Image spirals(Size size) {
    std::vector<double> samples(std::size_t(size.pixels()), 0.0);
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            const int ring = std::min({x, y, size.width - 1 - x, size.height - 1 - y});
            // Rings, each opened to the next one by a pixel.
            const bool opening = x == ring && y == ring + 1 && ring % 2 == 1;
            samples[std::size_t(y) * unsigned(size.width) + unsigned(x)] =
                ring % 2 == 0 || opening ? 200 : 0;
        }
    return makeImage(PixelFormat::Gray8, size, samples);
}

Image truthOf(const Image& image, int connectivity, std::size_t minArea) {
    return makeImage(PixelFormat::Gray32, image.size(), labelsOf(image, connectivity, minArea));
}

void compareAll(const Image& image, const std::string& name) {
    for (const int connectivity : {4, 8})
        for (const std::size_t minArea : {1, 2, 5, 40}) {
            const Image truth = truthOf(image, connectivity, minArea);
            for (const Threading threading : {Threading::Single, Threading::AllCores})
                compareSamples(
                    truth,
                    runOn(connected_components_operation(), componentRule(connectivity, minArea),
                          image, threading),
                    name + ", " + std::to_string(connectivity) + ", " + std::to_string(minArea));
        }
}

}  // namespace

class ConnectedComponentsTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruth_data() { addFilterFormats(); }
    void equalsTruth() {
        QFETCH(PixelFormat, format);
        for (const auto& [connectivity, minArea] : {std::pair{8, 1}, std::pair{4, 3}})
            compareWithTruth(connected_components_operation(),
                             componentRule(connectivity, std::size_t(minArea)), format,
                             [&](const Image& image) {
                                 return truthOf(image, connectivity, std::size_t(minArea));
                             });
    }

    void speckles_data() { addFilterFormats(); }
    void speckles() {
        QFETCH(PixelFormat, format);
        for (const double share : {0.02, 0.3, 0.5, 0.6, 0.98})
            for (const Size size : {Size{1, 1}, Size{1, 300}, Size{301, 1}, Size{64, 64},
                                    Size{129, 257}, Size{63, 5}}) {
                const std::uint32_t seed = freshSeed();
                compareAll(misaligned(speckle(format, size, share, seed)),
                           std::to_string(share) + ", " + std::to_string(size.width) + " x " +
                               std::to_string(size.height) + ", seed " + std::to_string(seed));
            }
    }

    // Components that cross every seam between bands, there and back.
    void spiralsAndCombs() {
        for (const Size size : {Size{301, 299}, Size{130, 514}, Size{67, 1025}})
            compareAll(spirals(size), "rings");
        std::vector<double> teeth;
        for (int y = 0; y < 700; ++y)
            for (int x = 0; x < 101; ++x) teeth.push_back(x % 2 == 0 || y == 699 ? 1 : 0);
        const Image comb = makeImage(PixelFormat::Gray8, {101, 700}, teeth);
        compareAll(comb, "comb");
    }

    // Numbers come after small ones are left out, and a threshold on area is exact.
    void smallOnesAreLeftOut() {
        const Image image = makeImage(PixelFormat::Gray8, {7, 2},
                                      {9, 0, 9, 9, 0, 9, 9,  //
                                       0, 0, 9, 0, 0, 0, 0});
        const auto run = [&](std::size_t minArea) {
            return runOn(connected_components_operation(), componentRule(8, minArea), image);
        };
        compareSamples(
            makeImage(PixelFormat::Gray32, {7, 2}, {1, 0, 2, 2, 0, 3, 3, 0, 0, 2, 0, 0, 0, 0}),
            run(1), "all");
        compareSamples(
            makeImage(PixelFormat::Gray32, {7, 2}, {0, 0, 1, 1, 0, 2, 2, 0, 0, 1, 0, 0, 0, 0}),
            run(2), "from 2 on");
        compareSamples(
            makeImage(PixelFormat::Gray32, {7, 2}, {0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}),
            run(3), "from 3 on");
        compareSamples(makeConstant(PixelFormat::Gray32, {7, 2}, 0), run(4), "none");
    }

    // A reduced copy has fewer pixels for the same area.
    void areaFollowsTheScale() {
        PlanRequest request = requestFor(connected_components_operation(), componentRule(8, 100),
                                         PixelFormat::Gray8, {50, 40});
        const auto areaOf = [&] {
            const PlanPtr plan = connected_components_operation().plan(request).value();
            return static_cast<const ConnectedComponentsPlan&>(*plan).rule.minArea;
        };
        QCOMPARE(areaOf(), std::uint64_t(100));
        request.place = Placement::reducedCopy({50, 40}, {200, 160}, 0.25);
        QCOMPARE(areaOf(), std::uint64_t(6));
        request.place = Placement::reducedCopy({50, 40}, {3200, 2560}, 1 / 64.0);
        QCOMPARE(areaOf(), std::uint64_t(1));
    }
};

WARPSCOPE_TEST(ConnectedComponentsTest)
#include "connected_components_test.moc"
