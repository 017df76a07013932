// Images of few columns and many rows: cost follows pixels, and the bits are those of the truth.
#include "engine/operations/narrow_images.h"

#include <QtTest>
#include <atomic>

#include "engine/operations/analysis/histogram.h"
#include "engine/operations/registry.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"
#include "support/truth_filters.h"
#include "support/truth_nl_means.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

const PixelFormat kFormats[] = {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16,
                                PixelFormat::Rgba16};

// Bands that work on one thread is cut into: progress is told once for each.
int bandsOf(const Plan& plan, const Image& image) {
    std::atomic<int> bands{0};
    const CpuContext context{Threading::Single, {}, [&](double) { ++bands; }};
    Result<void> done;
    if (plan.operation->description().kind == OperationKind::Analysis) {
        const auto counts = countCpu(static_cast<const HistogramPlan&>(plan), image, context);
        if (!counts) done = fail(counts.error());
    } else {
        auto out = MutableImage::create(plan.output, plan.size);
        done = plan.operation->runCpu(plan, image, *out, context);
    }
    return done ? bands.load() : -1;
}

}  // namespace

class NarrowImagesTest : public QObject {
    Q_OBJECT

  private slots:
    // A band has tables to clear, buffers to make, threads to wake.
    void bandsFollowPixels() {
        for (const int width : {1, 2, 3})
            for (const PixelFormat format : kFormats) {
                const Image image = makeNoise(format, {width, 1 << 18}, 5);
                for (const Operation* operation : allOperations())
                    for (const VariantSpec& variant : operation->description().variants) {
                        PlanRequest request;
                        ParamSet given;  // windows that are quick even when taken literally
                        for (const char* id : {"patch_radius", "search_radius"})
                            if (operation->description().findParameter(id))
                                given.set(id, std::int64_t{1});
                        request.parameters =
                            *resolveParameters(operation->description().parameters, given);
                        request.variant = variant.id;
                        request.format = format;
                        request.size = image.size();
                        const auto plan = operation->plan(request);
                        if (!plan) continue;  // a variant of 8 bits
                        const int bands = bandsOf(**plan, image);
                        QVERIFY2(bands > 0 && bands <= image.size().pixels() / 256,
                                 qPrintable(QString("%1 %2 %3 bits, %4 columns: %5 bands")
                                                .arg(operation->description().id.c_str())
                                                .arg(variant.id.c_str())
                                                .arg(8 * bytesPerSample(format))
                                                .arg(width)
                                                .arg(bands)));
                    }
            }
    }

    void turnsThereAndBack() {
        for (const PixelFormat format : kAllPixelFormats) {
            const Image image = makeNoise(format, {5, 1000}, 6);
            auto turned = *MutableImage::create(format, {1000, 5});
            QVERIFY(turn(image, turned, {}));
            const Image across = std::move(turned).freezeLike(image);
            for (int y = 0; y < 1000; y += 37)
                for (int x = 0; x < 5; ++x)
                    QVERIFY(sameSamples(image.crop({x, y, 1, 1}), across.crop({y, x, 1, 1})));
            auto again = *MutableImage::create(format, image.size());
            QVERIFY(turn(across, again, {}));
            QVERIFY(sameSamples(image, std::move(again).freezeLike(image)));
        }
    }

    void equalTruth() {
        for (const PixelFormat format : kFormats)
            for (const Size size : {Size{1, 5000}, Size{3, 2501}, Size{10, 900}, Size{32, 300}}) {
                const Image image = makeNoise(format, size, 7);
                const auto compare = [&](const char* id, const TextParameters& parameters,
                                         const Image& truth) {
                    forEachVectorTarget([&](const std::string& target) {
                        for (const Threading threading : {Threading::Single, Threading::AllCores}) {
                            const Image result =
                                runOn(*findOperation(id), parameters, image, threading);
                            const std::string wrong = firstDifference(truth, result);
                            QVERIFY2(wrong.empty(), (target + " " + id + ": " + wrong).c_str());
                        }
                    });
                };
                compare("median", {{"radius", "1"}}, truth::median(image, 1));
                compare("median", {{"radius", "3"}}, truth::median(image, 3));
                compare("box_mean", {{"radius", "9"}}, truth::boxMean(image, 9));
                for (const char* sigma : {"0.8", "3", "12"})
                    compare("gaussian_blur", {{"sigma", sigma}},
                            truth::gaussianBlur(image, std::stod(sigma),
                                                truth::automaticGaussianSize(std::stod(sigma))));
                if (QTest::currentTestFailed()) return;
            }
    }

    void nlMeansAgreesWithTruth() {
        for (const PixelFormat format : kFormats)
            for (const Size size : {Size{1, 5000}, Size{7, 700}}) {
                const Image image = makePhotograph(format, size);
                const std::string wrong = truth::nlMeansDisagreement(
                    truth::nlMeans(image, 10, 2, 4),
                    runOn(*findOperation("nl_means"),
                          {{"patch_radius", "2"}, {"search_radius", "4"}}, image));
                QVERIFY2(wrong.empty(), wrong.c_str());
            }
    }
};
WARPSCOPE_TEST(NarrowImagesTest)
#include "narrow_images_test.moc"
