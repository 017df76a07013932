#include "engine/operations/morphology/connected_components.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <stop_token>
#include <thread>
#include <tuple>

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

Image halfOfThePixels(Size size) {
    auto made = MutableImage::create(PixelFormat::Gray8, size).value();
    std::uint64_t bits = 0x9e3779b97f4a7c15;
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
            made.view<std::uint8_t>().row(y)[x] = bits & 0x8000 ? 255 : 0;
        }
    return std::move(made).freeze({});
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

    // Wherever it is: joining and numbering millions of runs hear a stop, too. Told in processor
    // time of the thread that works, whatever else the machine does.
    void stopsSoon() {
        const Image image = halfOfThePixels({3000, 2000});
        const PlanPtr plan = planFor(connected_components_operation(), componentRule(8, 3),
                                     image.format(), image.size());
        clockid_t clock{};
        QCOMPARE(pthread_getcpuclockid(pthread_self(), &clock), 0);
        const auto now = [clock] {
            timespec spent{};
            clock_gettime(clock, &spent);
            return double(spent.tv_sec) * 1e3 + double(spent.tv_nsec) * 1e-6;
        };
        // What it took, and how much of it after the stop.
        const auto run = [&](double stopAfter) {
            auto out = *MutableImage::create(plan->output, plan->size);
            std::stop_source stop;
            const double begun = now();
            double asked = 0;
            std::jthread asker([&](const std::stop_token& over) {
                while (!over.stop_requested() && now() < begun + stopAfter)
                    std::this_thread::sleep_for(std::chrono::microseconds(200));
                stop.request_stop();
                asked = now();
            });
            (void)connected_components_operation().runCpu(
                *plan, image, out, {Threading::Single, stop.get_token(), {}});
            const double ended = now();
            asker = {};
            return std::tuple(ended - begun, std::max(0.0, ended - asked));
        };
        const double whole = std::get<0>(run(1e9));
        double latest = 0;
        constexpr int kMoments = 24;
        for (int i = 1; i < kMoments; ++i)
            latest = std::max(latest, std::get<1>(run(whole * i / kMoments)));
        qInfo("of %.0f ms at most %.1f after a stop", whole, latest);
        QVERIFY2(latest < whole / 12, qPrintable(QString::number(latest)));
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
