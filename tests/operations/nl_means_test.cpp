#include "engine/operations/nl_means.h"

#include <QtTest>
#include <chrono>
#include <cmath>
#include <thread>

#include "engine/operations/nl_means_tile.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/truth_nl_means.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

struct Windows {
    double h = 10;
    int patch = 3;
    int search = 10;
};

PlanPtr planOf(const Image& image, const Windows& w, const std::string& variant) {
    PlanRequest request;
    ParamSet given;
    given.set("h", w.h);
    given.set("patch_radius", std::int64_t{w.patch});
    given.set("search_radius", std::int64_t{w.search});
    request.parameters = *resolveParameters(nl_means_operation().description().parameters, given);
    request.variant = variant;
    request.format = image.format();
    request.size = image.size();
    return *nl_means_operation().plan(request);
}

Image denoise(const Image& image, const Windows& w, const std::string& variant = "automatic",
              Threading threading = Threading::Single) {
    return runPlan(*planOf(image, w, variant), image, threading);
}

std::vector<std::string> variants() {
    std::vector<std::string> ids;
    for (const VariantSpec& v : nl_means_operation().description().variants) ids.push_back(v.id);
    return ids;
}

void compareWithTruth(const Image& image, const Windows& w, const std::string& name,
                      const std::vector<std::string>& which = variants()) {
    const Image expected = truth::nlMeans(image, w.h, w.patch, w.search);
    for (const std::string& variant : which) {
        const std::string wrong = truth::nlMeansDisagreement(expected, denoise(image, w, variant));
        QVERIFY2(wrong.empty(), qPrintable(QString("%1 %2 %3x%4, h %5, patch %6, search %7: %8")
                                               .arg(name.c_str(), variant.c_str())
                                               .arg(image.width())
                                               .arg(image.height())
                                               .arg(w.h)
                                               .arg(w.patch)
                                               .arg(w.search)
                                               .arg(wrong.c_str())));
    }
}

constexpr PixelFormat kFormats[] = {PixelFormat::Gray8, PixelFormat::Rgba8};

}  // namespace

class NlMeansTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruthOnAwkwardImages() {
        for (const PixelFormat format : kFormats)
            for (const NamedImage& named : awkwardImages(format)) {
                compareWithTruth(named.image, {20, 1, 3}, named.name);
                if (QTest::currentTestFailed()) return;
            }
    }

    void everyPatchAndSearchRadius() {
        for (const PixelFormat format : kFormats) {
            for (int patch = 0; patch <= kMaxPatchRadius; ++patch)
                compareWithTruth(makePhotograph(format, {37, 18}), {12, patch, 4}, "photograph");
            for (int search = 0; search <= kMaxSearchRadius; search += search < 3 ? 1 : 6)
                compareWithTruth(makePhotograph(format, {41, 13}), {12, 1, search}, "photograph");
            compareWithTruth(makeNoise(format, {23, 9}, 3), {60, 7, 20}, "noise");
            if (QTest::currentTestFailed()) return;
        }
    }

    // Large enough for the share of identical samples to count, and wider than one tile.
    void nearlyAllSamplesAreIdentical() {
        compareWithTruth(makePhotograph(PixelFormat::Gray8, {96, 64}), {}, "photograph");
        compareWithTruth(makePhotograph(PixelFormat::Rgba8, {64, 32}), {}, "photograph");
        compareWithTruth(makePhotograph(PixelFormat::Gray8, {1101, 33}), {25, 1, 4}, "wide");
        compareWithTruth(makeNoise(PixelFormat::Gray8, {67, 309}, 2), {90, 2, 2}, "tall");
    }

    void everyStrength() {
        for (const double h : {0.1, 0.7, 3.0, 30.0, 200.0})
            for (const PixelFormat format : kFormats) {
                compareWithTruth(makePhotograph(format, {71, 61}), {h, 2, 3}, "photograph");
                compareWithTruth(makeNoise(format, {71, 61}, 4), {h, 1, 3}, "noise");
                compareWithTruth(makeRamp(format, {71, 61}), {h, 1, 3}, "ramp");
            }
    }

    void equalsTruthOnEveryTarget() {
        forEachVectorTarget([&](const std::string& name) {
            for (const PixelFormat format : kFormats)
                for (const int patch : {0, 1, 2, 3, 5, 6}) {
                    compareWithTruth(makePhotograph(format, {45, 17}), {15, patch, 3}, name,
                                     {"automatic"});
                    compareWithTruth(misaligned(makeNoise(format, {81, 67}, 6)), {70, 1, 2}, name,
                                     {"automatic"});
                }
        });
    }

    void oneThreadAndAllCoresAgree() {
        for (const PixelFormat format : kFormats)
            for (const std::string& variant : variants()) {
                const Image image = makePhotograph(format, {531, 277});
                const Windows w{10, 1, 3};
                QVERIFY(sameSamples(denoise(image, w, variant),
                                    denoise(image, w, variant, Threading::AllCores)));
            }
    }

    void constantStaysConstant() {
        for (const double level : {0.0, 1.0, 127.0, 254.0, 255.0})
            for (const std::string& variant : variants()) {
                const Image image = makeConstant(PixelFormat::Rgba8, {67, 40}, level);
                QVERIFY(sameSamples(image, denoise(image, {10, 3, 10}, variant)));
                QVERIFY(sameSamples(image, denoise(image, {200, 0, 10}, variant)));
            }
    }

    void searchOfOnePixelIsTheIdentity() {
        const Image image = makeNoise(PixelFormat::Rgba8, {37, 11}, 9);
        const PlanPtr plan = planOf(image, {10, 3, 0}, "automatic");
        QVERIFY(plan->identity);
        QCOMPARE(plan->halo, 0);
        for (const std::string& variant : variants())
            QVERIFY(sameSamples(image, denoise(image, {10, 3, 0}, variant)));
    }

    // The integral images of the source text lie in 32 bits: beyond 66,051 pixels of the largest
    // difference they overflow, which must not show.
    void trapIntegralImageOverflow() {
        std::vector<double> samples;
        for (int i = 0; i < 512 * 140; ++i) samples.push_back(i % 2 ? 255 : 0);
        const Image image = makeImage(PixelFormat::Gray8, {512, 140}, samples);
        QVERIFY(512.0 * 140 * 255 * 255 > 4294967296.0);
        const Image best = denoise(image, {30, 1, 1});
        for (const std::string& variant : variants())
            QCOMPARE(truth::nlMeansDisagreement(best, denoise(image, {30, 1, 1}, variant)),
                     std::string());
    }

    // It also takes sides that are multiples of a block for granted.
    void trapOddSizes() {
        for (int width = 29; width <= 36; ++width)
            compareWithTruth(makePhotograph(PixelFormat::Gray8, {width, width - 13}), {10, 2, 5},
                             "odd size");
    }

    void mirrorsAgainAndAgain() {
        const int expected[] = {0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1};
        for (int i = 0; i < 15; ++i) QCOMPARE(mirroredIndex(i - 7, 3), expected[i]);
        for (int i = -9; i < 9; ++i) QCOMPARE(mirroredIndex(i, 1), 0);
        for (const Size size : {Size{1, 1}, Size{2, 1}, Size{1, 3}, Size{3, 2}, Size{5, 4}})
            for (const PixelFormat format : kFormats)
                compareWithTruth(makeNoise(format, size, 4), {80, 3, 10}, "small");
    }

    void noiseBecomesLess() {
        const Size size{128, 96};
        std::vector<double> samples;
        const Image noise = makeNoise(PixelFormat::Gray8, size, 8);
        for (int y = 0; y < 96; ++y)
            for (int x = 0; x < 128; ++x)
                samples.push_back(110 + noise.view<std::uint8_t>().row(y)[x] % 21);
        const Image noisy = makeImage(PixelFormat::Gray8, size, samples);
        const auto spread = [](const Image& image) {
            double sum = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    sum += std::pow(image.view<std::uint8_t>().row(y)[x] - 120.0, 2);
            return std::sqrt(sum / double(image.size().pixels()));
        };
        QVERIFY(spread(noisy) > 5.5);
        QVERIFY(spread(denoise(noisy, {10, 3, 10})) < 0.2 * spread(noisy));
    }

    // The largest windows on a wide image: a stop is heard between pieces of a tile.
    void stopsSoon() {
        const Image image = makePhotograph(PixelFormat::Rgba8, {7680, 300});
        for (const std::string& variant : variants()) {
            const PlanPtr plan = planOf(image, {10, 7, 20}, variant);
            auto out = *MutableImage::create(plan->output, plan->size);
            std::stop_source stop;
            std::chrono::steady_clock::time_point asked;
            std::jthread asker([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(120));
                asked = std::chrono::steady_clock::now();
                stop.request_stop();
            });
            const auto ran = nl_means_operation().runCpu(
                *plan, image, out, {Threading::AllCores, stop.get_token(), {}});
            const auto ended = std::chrono::steady_clock::now();
            asker.join();
            QVERIFY(!ran);
            QCOMPARE(ran.error().code, ErrorCode::Cancelled);
            const double late = std::chrono::duration<double, std::milli>(ended - asked).count();
            qInfo("%s: stopped after %.1f ms", variant.c_str(), late);
            // 200 ms on an idle machine; tests share theirs with others.
            QVERIFY2(late < 1000, qPrintable(QString::number(late)));
        }
    }
};

QTEST_GUILESS_MAIN(NlMeansTest)
#include "nl_means_test.moc"
