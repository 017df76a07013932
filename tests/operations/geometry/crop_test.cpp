#include "engine/operations/geometry/crop.h"

#include <QtTest>
#include <random>

#include "pipeline/chains.h"
#include "support/operation_run.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

TextParameters window(const Rect& rect) {
    return {{"x", std::to_string(rect.x)},
            {"y", std::to_string(rect.y)},
            {"width", std::to_string(rect.width)},
            {"height", std::to_string(rect.height)}};
}

}  // namespace

class CropTest : public QObject {
    Q_OBJECT

  private slots:
    void takesEveryFormat() {
        std::mt19937 random(warpscope::test::freshSeed());
        for (const PixelFormat format : kAllPixelFormats) {
            for (const Size size : {Size{1, 1}, Size{37, 23}, Size{130, 5}, Size{5, 130}}) {
                const Image image = makeNoise(format, size, random());
                for (int i = 0; i < 8; ++i) {
                    const Rect rect = anyRect(random, size);
                    compareSamples(image.crop(rect),
                                   runOn(crop_operation(), window(rect), image,
                                         i % 2 ? Threading::AllCores : Threading::Single),
                                   std::string(formatName(format)));
                }
            }
        }
    }

    void zeroReachesToTheEdge() {
        const Image image = makeNoise(PixelFormat::Rgba16, {37, 23}, 3);
        compareSamples(image.crop({30, 20, 7, 3}),
                       runOn(crop_operation(), {{"x", "30"}, {"y", "20"}}, image), "rest");
        QVERIFY(planFor(crop_operation(), {}, PixelFormat::Gray8, {9, 9})->identity);
    }

    // Large enough for results to be written past the cache.
    void pastTheCache() {
        for (const auto& [format, window] :
             {std::pair{PixelFormat::Gray8, Rect{5, 7, 2063, 2041}},
              std::pair{PixelFormat::Rgba16, Rect{3, 1, 727, 731}}}) {
            const Image image = makeNoise(format, {window.width + 9, window.height + 8}, 3);
            const TextParameters parameters = {{"x", std::to_string(window.x)},
                                               {"y", std::to_string(window.y)},
                                               {"width", std::to_string(window.width)},
                                               {"height", std::to_string(window.height)}};
            forEachVectorTarget([&](const std::string& target) {
                compareSamples(image.crop(window), runOn(crop_operation(), parameters, image),
                               target);
            });
        }
    }

    void refusesWhatLiesOutside() {
        for (const Rect& rect : {Rect{10, 0, 1, 1}, Rect{0, 8, 0, 0}, Rect{3, 3, 8, 1},
                                 Rect{0, 0, 1048576, 1}, Rect{1048576, 1048576, 1048576, 1}}) {
            PlanRequest request;
            for (const auto& [id, text] : window(rect))
                request.parameters.set(id, std::int64_t(std::stoll(text)));
            request.size = {10, 8};
            const auto plan = crop_operation().plan(request);
            QVERIFY(!plan);
            QCOMPARE(plan.error().code, ErrorCode::InvalidArgument);
            QVERIFY(plan.error().message.find("10 x 8") != std::string::npos);
            const bool beyond = rect.x >= 10 || rect.y >= 8;
            QCOMPARE(plan.error().message.find(rect.x >= 10
                                                   ? "beyond the right edge"
                                                   : "beyond the lower edge") != std::string::npos,
                     beyond);
        }
    }

    // What follows a crop repeats the edge of the rectangle, not the pixels that were dropped.
    void partsOfAChainAreThoseOfTheWhole() {
        std::mt19937 random(warpscope::test::freshSeed());
        const Size size{150, 110};
        const Image image = makePhotograph(PixelFormat::Rgba8, size, random());
        const std::string crop = "crop:x=21,y=13,width=97,height=71";
        for (const Pipeline& pipeline :
             {chain({crop, "gaussian_blur:sigma=2"}), chain({"gaussian_blur:sigma=2", crop}),
              chain({"gaussian_blur:sigma=2", crop, "median:radius=2"}),
              chain({crop, "add_noise:amount=0.3", "crop:x=5,y=6", "box_mean:radius=4"})}) {
            compareParts(pipeline, image, random);
        }
    }

    void aReducedCopyIsCutAlike() {
        PlanRequest request;
        request.parameters =
            resolveParameters(crop_operation().description().parameters,
                              parseStep("crop:x=21,y=13,width=97,height=71")->parameters)
                .value();
        request.size = {38, 28};
        request.place = Placement::reducedCopy(request.size, {150, 110}, 0.25);
        const PlanPtr plan = crop_operation().plan(request).value();
        QCOMPARE(plan->outputPlace.whole, (Size{97, 71}));
        QCOMPARE(plan->outputPlace.scale, 0.25);
        QCOMPARE(plan->outputSize, (Size{24, 18}));
        QCOMPARE(plan->neededInput({0, 0, 24, 18}), (Rect{5, 3, 24, 18}));
    }
};

WARPSCOPE_TEST(CropTest)
#include "crop_test.moc"
