// Kernels that begin while the launch before them ends: chains of them, one run after the other
// without waiting, whose images of between are written again and again. Images of the rounds
// differ, so that what a kernel read too early shows.
#include <deque>

#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

namespace {

struct Step {
    const char* operation;
    TextParameters parameters;
};
using Steps = std::vector<Step>;

const Step kInvert{"invert", {}};
const Step kSmallBlur{"gaussian_blur", {{"sigma", "1"}}};
const Step kBlur{"gaussian_blur", {{"sigma", "4"}}};
const Step kSharp{"unsharp_mask", {{"sigma", "1"}}};
const Step kSharper{"unsharp_mask", {{"sigma", "4"}}};
const Step kDifference{"difference_of_gaussians", {{"sigma_small", "1"}, {"sigma_large", "1.6"}}};
const Step kMedian{"median", {{"radius", "1"}}};
const Step kLarger{"resize", {{"method", "nearest"}, {"percent", "130"}}};
const Step kEdges{"canny", {}};
const Step kTurned{"rotate", {{"angle", "10"}, {"method", "nearest"}}};
const Step kEqualize{"equalize", {}};
const Step kSums{"integral_image", {}};
const Step kSmoothlyTurned{"rotate", {{"angle", "-35"}, {"method", "bilinear"}}};

}  // namespace

class EarlyLaunchesTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;

  private slots:
    void initTestCase() { REQUIRE_DEVICE(m_traits); }

    void chains_data() {
        QTest::addColumn<Steps>("steps");
        QTest::newRow("blurs") << Steps{kSmallBlur, kSharp, kBlur, kDifference};
        QTest::newRow("the same one") << Steps{kSmallBlur, kSmallBlur, kSmallBlur, kSmallBlur};
        QTest::newRow("sharpened") << Steps{kSharper, kSharper, kSharp};
        QTest::newRow("turned") << Steps{kInvert,         kTurned,    kInvert,
                                         kSmoothlyTurned, kSmallBlur, kTurned};
        QTest::newRow("medians") << Steps{kMedian, kInvert, kMedian, kLarger, kMedian};
        QTest::newRow("edges") << Steps{kSmallBlur, kEdges, kInvert, kSmallBlur, kEdges, kTurned};
        QTest::newRow("equalized")
            << Steps{kEqualize, kSmallBlur, kLarger, kEqualize, kEqualize, kInvert, kEqualize};
        QTest::newRow("summed up") << Steps{kInvert, kSmallBlur, kSums};
        QTest::newRow("all of them")
            << Steps{kLarger, kMedian,     kSharper, kTurned, kBlur, kSmoothlyTurned,
                     kSharp,  kDifference, kInvert,  kMedian, kEdges};
    }
    void chains() {
        QFETCH(Steps, steps);
        constexpr int kImages = 3, kRounds = 30;
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const Size size :
                 {Size{67, 45}, Size{517, 389}, Size{1201, 803}, Size{1280, 720}}) {
                std::vector<PlanPtr> plans;
                PixelFormat reached = format;
                Size at = size;
                for (const Step& step : steps) {
                    plans.push_back(
                        planFor(*findOperation(step.operation), step.parameters, reached, at));
                    reached = plans.back()->output;
                    at = plans.back()->outputSize;
                }
                std::vector<Image> images, expected;
                for (unsigned i = 0; i < kImages; ++i) {
                    images.push_back(makePhotograph(format, size, i + 1));
                    Image made = images.back();
                    for (const PlanPtr& plan : plans)
                        made = runPlan(*plan, made, Threading::AllCores);
                    expected.push_back(std::move(made));
                }
                const std::vector<Image> results = runRounds(plans, images, kRounds);
                for (std::size_t i = 0; i < results.size(); ++i) {
                    const std::string difference =
                        firstDifference(expected[i % kImages], results[i]);
                    QVERIFY2(difference.empty(),
                             qPrintable(QString("%1 x %2, round %3: %4")
                                            .arg(size.width)
                                            .arg(size.height)
                                            .arg(i)
                                            .arg(QString::fromStdString(difference))));
                }
            }
    }

  private:
    // Round i is of image i modulo their number. All rounds share what lies between.
    std::vector<Image> runRounds(const std::vector<PlanPtr>& plans,
                                 const std::vector<Image>& images, int rounds) const {
        const auto device = std::make_shared<DeviceContext>(m_traits);
        Transfers transfers(*device);
        const auto info = std::make_shared<const ImageInfo>();
        std::deque<DeviceBuffer> inputs, between, outputs;
        for (const Image& image : images) {
            inputs.emplace_back(device, image.format(), image.size(), info);
            transfers.upload(image, inputs.back().image(), {}, {});
        }
        const Plan& last = *plans.back();
        for (const PlanPtr& plan : plans)
            between.emplace_back(device, plan->output, plan->outputSize, info);
        for (int i = 0; i < rounds; ++i)
            outputs.emplace_back(device, last.output, last.outputSize, info);
        const RunContext context;
        for (int i = 0; i < rounds; ++i) {
            const DeviceImage* from = &inputs[std::size_t(i) % images.size()].image();
            for (std::size_t step = 0; step < plans.size(); ++step) {
                const DeviceImage& to = step + 1 < plans.size() ? between[step].image()
                                                                : outputs[std::size_t(i)].image();
                KernelContext kernels(*device, context);
                findRunner(plans[step]->operation->description().id)
                    ->run(kernels, *plans[step], *from, to);
                from = &to;
            }
        }
        std::vector<Image> results;
        for (const DeviceBuffer& output : outputs) {
            MutableImage result = orThrow(MutableImage::create(last.output, last.outputSize));
            transfers.download(output.image(), result, {}, {});
            results.push_back(std::move(result).freeze({}));
        }
        return results;
    }
};

WARPSCOPE_TEST(EarlyLaunchesTest)
#include "early_launches_test.moc"
