#include "engine/operations/smoothing/nl_means.h"

#include <chrono>
#include <cmath>
#include <thread>

#include "engine/measure/agreement.h"
#include "engine/operations/smoothing/nl_means_rows.h"
#include "engine/pipeline/executor.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

struct Windows {
    double h = 10;
    int patch = 3;
    int search = 10;
};

PlanPtr planOf(const Image& image, const Windows& w, const std::string& variant) {
    return planFor(nl_means_operation(),
                   {{"h", toText(w.h)},
                    {"patch_radius", std::to_string(w.patch)},
                    {"search_radius", std::to_string(w.search)}},
                   image.format(), image.size(), variant);
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

// `w` and `name` say in a failure what was compared.
void compareWith(const Image& expected, const Image& image, const Windows& w,
                 const std::string& name, const std::vector<std::string>& which = variants()) {
    for (const std::string& variant : which) {
        const std::string wrong = truth::nlMeansDisagreement(expected, denoise(image, w, variant));
        QVERIFY2(
            wrong.empty(),
            qPrintable(QString("%1 %2 %3 %4x%5, h %6, patch %7, search %8: %9")
                           .arg(name.c_str(), variant.c_str())
                           .arg(QString::fromStdString(std::string(formatName(image.format()))))
                           .arg(image.width())
                           .arg(image.height())
                           .arg(w.h)
                           .arg(w.patch)
                           .arg(w.search)
                           .arg(wrong.c_str())));
    }
}

void compareWithTruth(const Image& image, const Windows& w, const std::string& name,
                      const std::vector<std::string>& which = variants()) {
    compareWith(truth::nlMeans(image, w.h, w.patch, w.search), image, w, name, which);
}

double alphaAt(const Image& image, int x, int y) {
    return visitSampleType(image.format(),
                           [&]<class T>() { return double(image.view<T>().row(y)[4 * x + 3]); });
}

constexpr PixelFormat k16BitFormats[] = {PixelFormat::Gray16, PixelFormat::Rgba16};

}  // namespace

class NlMeansTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruthOnAwkwardImages() {
        for (const PixelFormat format : kIntegerFormats)
            for (const NamedImage& named : awkwardImages(format)) {
                compareWithTruth(named.image, {20, 1, 3}, named.name);
                if (QTest::currentTestFailed()) return;
            }
    }

    void everyPatchAndSearchRadius() {
        for (const PixelFormat format : kIntegerFormats) {
            for (int patch = 0; patch <= kMaxPatchRadius; ++patch)
                if (!leftOut())
                    compareWithTruth(makePhotograph(format, {37, 18}), {12, patch, 4},
                                     "photograph");
            for (int search = 0; search <= kMaxSearchRadius; search += search < 3 ? 1 : 6)
                if (!leftOut())
                    compareWithTruth(makePhotograph(format, {41, 13}), {12, 1, search},
                                     "photograph");
            if (!leftOut()) compareWithTruth(makeNoise(format, {23, 9}, 3), {60, 7, 20}, "noise");
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
            for (const PixelFormat format : kIntegerFormats) {
                if (leftOut()) continue;
                compareWithTruth(makePhotograph(format, {71, 61}), {h, 2, 3}, "photograph");
                compareWithTruth(makeNoise(format, {71, 61}, 4), {h, 1, 3}, "noise");
                compareWithTruth(makeRamp(format, {71, 61}), {h, 1, 3}, "ramp");
            }
    }

    void equalsTruthOnEveryTarget() {
        const auto onEveryTarget = [](const Image& image, const Windows& w) {
            const Image expected = truth::nlMeans(image, w.h, w.patch, w.search);
            forEachVectorTarget([&](const std::string& name) {
                compareWith(expected, image, w, name, {"automatic"});
            });
        };
        for (const PixelFormat format : kIntegerFormats) {
            onEveryTarget(misaligned(makeNoise(format, {81, 67}, 6)), {70, 1, 2});
            for (const int patch : {0, 1, 2, 3, 5, 6})
                if (!leftOut()) onEveryTarget(makePhotograph(format, {45, 17}), {15, patch, 3});
        }
    }

    void oneThreadAndAllCoresAgree() {
        for (const PixelFormat format : kIntegerFormats)
            for (const std::string& variant : variants()) {
                const Image image = makePhotograph(format, {531, 277});
                const Windows w{10, 1, 3};
                QVERIFY(sameSamples(denoise(image, w, variant),
                                    denoise(image, w, variant, Threading::AllCores)));
            }
    }

    void constantStaysConstant() {
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Rgba16})
            for (const double level :
                 {0.0, 1.0, 127.0, 254.0, 255.0, 32765.0, 32768.0, 65533.0, 65535.0})
                for (const std::string& variant : variants()) {
                    if (level > fullScale(format)) continue;
                    const Image image = makeConstant(format, {43, 21}, level);
                    QVERIFY(sameSamples(image, denoise(image, {10, 3, 10}, variant)));
                    QVERIFY(sameSamples(image, denoise(image, {200, 0, 20}, variant)));
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
            for (const PixelFormat format : kIntegerFormats)
                compareWithTruth(makeNoise(format, size, 4), {80, 3, 10}, "small");
    }

    // Where the sums of 16-bit samples are largest: squares of 2^32 over the largest patch, weights
    // near 1 over the largest window, one pixel that is the opposite of all others.
    void trapWideSumsOverflow() {
        for (const PixelFormat format : k16BitFormats) {
            const int step = channelCount(format);
            std::vector<double> stripes, one;
            for (int i = 0; i < 47 * 44; ++i)
                for (int c = 0; c < step; ++c) {
                    stripes.push_back(i % 47 % 2 ? 65535 : 0);
                    one.push_back(i == 22 * 47 + 23 ? 3 : 65533);
                }
            const std::vector<std::string> best = {"automatic", "integral_rows"};
            compareWithTruth(makeImage(format, {47, 44}, stripes), {200, 7, 3}, "stripes", best);
            compareWithTruth(makeImage(format, {47, 44}, stripes), {200, 0, 20}, "stripes", best);
            compareWithTruth(makeImage(format, {47, 44}, one), {200, 1, 20}, "one pixel", best);
        }
    }

    // The low eight bits count: levels that are one in 8 bits are told apart by a small h, and are
    // averaged without being rounded to it.
    void sixteenBitsAreNotEight() {
        std::vector<double> samples;
        for (int i = 0; i < 64 * 20; ++i) samples.push_back(i % 64 < 32 ? 30000 : 30120);
        const Image image = makeImage(PixelFormat::Gray16, {64, 20}, samples);
        const Image kept = denoise(image, {0.1, 1, 2});
        const Image mixed = denoise(image, {50, 0, 20});
        QVERIFY(sameSamples(image, kept));
        const int left = mixed.view<std::uint16_t>().row(10)[31];
        QVERIFY2(left > 30050 && left < 30070, qPrintable(QString::number(left)));
    }

    // Weights of 8-bit samples and of the same ones times 257 are the same: h is in grey levels of
    // 8 bits.
    void strengthMeansTheSameAtEveryDepth() {
        const Image narrow = makePhotograph(PixelFormat::Gray8, {61, 33});
        std::vector<double> samples;
        for (int y = 0; y < 33; ++y)
            for (int x = 0; x < 61; ++x)
                samples.push_back(257.0 * narrow.view<std::uint8_t>().row(y)[x]);
        const Image wide = makeImage(PixelFormat::Gray16, {61, 33}, samples);
        const Image a = denoise(narrow, {15, 2, 5});
        const Image b = denoise(wide, {15, 2, 5});
        for (int y = 0; y < 33; ++y)
            for (int x = 0; x < 61; ++x)
                QVERIFY(std::abs(257 * a.view<std::uint8_t>().row(y)[x] -
                                 b.view<std::uint16_t>().row(y)[x]) <= 129 + 257);
    }

    void alphaIsUntouched() {
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Rgba16})
            for (const std::string& variant : variants()) {
                const Image image = makeNoise(format, {77, 39}, 12);
                const Image result = denoise(image, {60, 1, 4}, variant);
                for (int y = 0; y < 39; ++y)
                    for (int x = 0; x < 77; ++x)
                        QVERIFY(alphaAt(image, x, y) == alphaAt(result, x, y));
            }
    }

    void pipelineKeepsSixteenBits() {
        for (const PixelFormat format : k16BitFormats) {
            const Image image = makePhotograph(format, {40, 31});
            Executor executor(BackendSet::cpuOnly(""), 64u << 20);
            ExecuteRequest request;
            request.source = image;
            request.pipeline.steps.push_back(makeStep("nl_means").value());
            request.pipeline.steps[0].parameters.set("search_radius", std::int64_t{3});
            request.backend = BackendChoice::Cpu;
            const auto result = executor.run(request, {});
            QVERIFY(result.has_value());
            QCOMPARE(result->image.format(), format);
            QVERIFY(result->steps.at(0).notices.empty());
            QVERIFY(sameSamples(result->image, denoise(image, {10, 3, 3})));
        }
    }

    void ruleOfAgreementFollowsTheDepth() {
        const OperationDescription& d = nl_means_operation().description();
        const auto verdict = [&](PixelFormat format, double by) {
            const Image a = makeConstant(format, {80, 60}, 100);
            const Image b = makeConstant(format, {80, 60}, 100 + by);
            return compareImages(a, b, d.agreementFor(format)).verdict;
        };
        QCOMPARE(verdict(PixelFormat::Gray8, 1), Verdict::Differs);  // everywhere: too many
        QCOMPARE(verdict(PixelFormat::Gray16, 4), Verdict::WithinRule);
        QCOMPARE(verdict(PixelFormat::Rgba16, 5), Verdict::Differs);
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
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Rgba16})
            stopsSoonOn(makePhotograph(format, {7680, 300}));
    }

  private:
    void stopsSoonOn(const Image& image) {
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
            REQUIRE_FAILS(ran, ErrorCode::Cancelled, "");
            const double late = std::chrono::duration<double, std::milli>(ended - asked).count();
            qInfo("%s: stopped after %.1f ms", variant.c_str(), late);
            // 200 ms on an idle machine; tests share theirs with others.
            QVERIFY2(late < 1000, qPrintable(QString::number(late)));
        }
    }
};

WARPSCOPE_TEST(NlMeansTest)
#include "nl_means_test.moc"
