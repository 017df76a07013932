// A GPU with too little memory: steps run in bands with the bits of the whole, said; what cannot be
// done in bands, or does not fit in them either, runs on the CPU with the reason.
#include <set>

#include "engine/image/convert.h"
#include "engine/measure/agreement.h"
#include "engine/operations/registry.h"
#include "pipeline/chains.h"
#include "pipeline/fake_backend.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr std::uint64_t kHostBudget = 256u << 20;

// The example of the description, then every choice of every parameter, and each variant.
std::vector<Step> stepsWorthBanding(const OperationDescription& description) {
    Step plain = makeStep(description.id).value();
    plain.parameters = description.exampleParameters();
    for (const ParamSpec& spec : description.parameters)
        if (spec.kind == ParamKind::Image)
            plain.parameters.set(spec.id, parseParameter(spec, "second").value());
    std::vector<Step> steps{plain};
    for (const ParamSpec& spec : description.parameters)
        for (const ChoiceSpec& choice : spec.choices) {
            steps.push_back(plain);
            steps.back().parameters.set(spec.id, parseParameter(spec, choice.id).value());
        }
    for (const VariantSpec& variant : description.variants) {
        steps.push_back(plain);
        steps.back().variant = variant.id;
    }
    return steps;
}

// As a backend holds an image of that format.
std::uint64_t bytesOf(PixelFormat format, Size size) {
    return storageBytes(format, size).value();
}

ExecuteRequest requestOn(const Image& image, Pipeline pipeline, const Image& second = {}) {
    ExecuteRequest request;
    request.source = image;
    request.second = second;
    request.pipeline = std::move(pipeline);
    request.backend = BackendChoice::Cuda;
    return request;
}

int bandsIn(const StepReport& report) {
    for (const std::string& notice : report.notices) {
        const QString text = QString::fromStdString(notice);
        if (text.endsWith(" bands: GPU memory was too small"))
            return text.section(QChar(' '), 1, 1).toInt();
    }
    return 0;
}

}  // namespace

class BandedTest : public QObject {
    Q_OBJECT

    Image m_photo = makePhotograph(PixelFormat::Rgba8, {61, 149});

    Result<ExecuteResult> truth(ExecuteRequest request) const {
        request.backend = BackendChoice::CpuSingle;
        Executor executor(BackendSet::cpuOnly(""), kHostBudget);
        return executor.run(request, {});
    }

  private slots:
    // Every filter, with memory for all but a little, for half and for a third; what is not its
    // example, for half alone.
    void everyOperationHasTheBitsOfTheWhole() {
        std::set<std::string> inBands, onCpu;
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            if (d.kind != OperationKind::Filter) continue;
            const std::vector<Step> steps = stepsWorthBanding(d);
            for (const Step& step : steps)
                for (const PixelFormat format : kFilterFormats)
                    for (const Size size : {Size{61, 149}, Size{131, 67}, Size{1, 97}}) {
                        const bool example = &step == &steps.front();
                        const bool always = example && format == PixelFormat::Gray8;
                        if ((leftOut() && !always) || !d.acceptsFormat(format)) continue;
                        if (!example && size.width != 61) continue;
                        const Image image = makePhotograph(format, size);
                        const Image second = makeNoise(format, size, 5);
                        const ExecuteRequest request = requestOn(image, Pipeline{{step}}, second);
                        const auto expected = truth(request);
                        if (!expected) continue;  // a rectangle beyond, a variant of other formats
                        const bool two = secondInputOf(step).has_value();
                        const std::uint64_t all =
                            bytesOf(format, size) * (two ? 2 : 1) +
                            bytesOf(expected->image.format(), expected->image.size());
                        for (const int percent : {97, 50, 34}) {
                            if (!example && percent != 50) continue;
                            FakeSet fakes(true);
                            fakes.cuda->memory = all * std::uint64_t(percent) / 100;
                            Executor executor(fakes.set(), kHostBudget);
                            const auto result = executor.run(request, {});
                            REQUIRE_OK(result);
                            const StepReport& report = result->steps.front();
                            const std::string name = toText(step) + ", " + std::to_string(percent) +
                                                     "%, " + std::to_string(size.width) +
                                                     " columns";
                            if (isFloat(expected->image.format()))
                                QVERIFY2(compareImages(expected->image, result->image,
                                                       d.agreementFor(format))
                                             .allowsSpeedup(),
                                         name.c_str());
                            else
                                compareSamples(expected->image, result->image, name);
                            if (QTest::currentTestFailed()) return;
                            if (report.backend == BackendKind::Cuda) {
                                QVERIFY2(fakes.cpu->runs == 0, name.c_str());
                                if (bandsIn(report) > 0) inBands.insert(d.id);
                            } else if (fakes.cpu->runs > 0) {
                                QCOMPARE(report.fallbackReason,
                                         std::string("not enough GPU memory (not enough memory on "
                                                     "fake)"));
                                QCOMPARE(bandsIn(report), 0);
                                onCpu.insert(d.id);
                            }
                        }
                    }
        }
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            if (d.kind != OperationKind::Filter) continue;
            const bool whole = d.dependsOnWholeImage && !d.mapsLevels;
            QVERIFY2(inBands.contains(d.id) != whole, d.id.c_str());
            if (whole) QVERIFY2(onCpu.contains(d.id), d.id.c_str());
        }
    }

    void onlyTheStepsThatNeedIt() {
        FakeSet fakes(true);
        const std::uint64_t one = bytesOf(PixelFormat::Rgba8, m_photo.size());
        const std::uint64_t gray = bytesOf(PixelFormat::Gray8, m_photo.size());
        fakes.cuda->memory = one + gray;
        fakes.cuda->kernelMs = [](int) { return 2.0; };
        Executor executor(fakes.set(), kHostBudget);
        ExecuteRequest request =
            requestOn(m_photo, chain({"gaussian_blur:sigma=2", "grayscale", "canny", "equalize"}));
        const auto expected = truth(request);
        const auto result = executor.run(request, {});
        REQUIRE_OK(result);
        compareSamples(expected->image, result->image, "chain");
        QCOMPARE(bandsIn(result->steps[0]), 2);
        // The time of both bands.
        QCOMPARE(result->steps[0].ms, 4.0);
        for (int i = 1; i < 4; ++i) QCOMPARE(bandsIn(result->steps[std::size_t(i)]), 0);
        for (const StepReport& step : result->steps) {
            QCOMPARE(step.backend, BackendKind::Cuda);
            QCOMPARE(step.fallbackReason, std::string());
        }
        QCOMPARE(fakes.cpu->runs.load(), 0);
        QVERIFY(!fakes.cuda->recording());

        // What can only be done whole is all that leaves the GPU.
        fakes.cuda->memory = gray + gray / 2;
        executor.clearCache();
        const auto less = executor.run(request, {});
        REQUIRE_OK(less);
        compareSamples(expected->image, less->image, "less");
        for (int i = 0; i < 4; ++i) {
            const StepReport& step = less->steps[std::size_t(i)];
            QCOMPARE(step.backend, i == 2 ? BackendKind::Cpu : BackendKind::Cuda);
            QCOMPARE(bandsIn(step) > 1, i != 2);
            QCOMPARE(step.fallbackReason.empty(), i != 2);
        }
    }

    // A band that does not fit is done in halves; what is done stays.
    void bandsGetSmallerOnTheWay() {
        FakeSet fakes(true);
        fakes.cuda->memory = bytesOf(PixelFormat::Rgba8, m_photo.size()) * 3 / 2;
        std::vector<int> heights;
        fakes.cuda->onPlan = [&](const Plan& plan) { heights.push_back(plan.outputSize.height); };
        fakes.cuda->duringRun = [&](int number) {
            if (number == 0) fakes.cuda->memory = bytesOf(PixelFormat::Rgba8, {61, 110});
        };
        Executor executor(fakes.set(), kHostBudget);
        const ExecuteRequest request = requestOn(m_photo, chain({"invert"}));
        const auto result = executor.run(request, {});
        REQUIRE_OK(result);
        compareSamples(truth(request)->image, result->image, "invert");
        QCOMPARE(heights, (std::vector<int>{75, 37, 37}));
        QCOMPARE(bandsIn(result->steps[0]), 3);
    }

    void theSmallestBandDoesNotFit() {
        FakeSet fakes(true);
        fakes.cuda->memory = 1000;
        Executor executor(fakes.set(), kHostBudget);
        const ExecuteRequest request = requestOn(m_photo, chain({"invert", "median"}));
        const auto result = executor.run(request, {});
        REQUIRE_OK(result);
        compareSamples(truth(request)->image, result->image, "on the CPU");
        for (const StepReport& step : result->steps) {
            QCOMPARE(step.backend, BackendKind::Cpu);
            QCOMPARE(step.fallbackReason,
                     std::string("not enough GPU memory (not enough memory on fake)"));
        }
        // The GPU is asked again the next time.
        fakes.cuda->memory = 0;
        executor.clearCache();
        QCOMPARE(executor.run(request, {})->steps[1].backend, BackendKind::Cuda);
    }

    void cancelledBetweenBands() {
        for (const int at : {0, 1, 3}) {
            FakeSet fakes(true);
            fakes.cuda->memory = bytesOf(PixelFormat::Rgba8, m_photo.size()) / 2;
            std::stop_source stop;
            fakes.cuda->duringRun = [&](int number) {
                if (number == at) stop.request_stop();
            };
            Executor executor(fakes.set(), kHostBudget);
            const auto result =
                executor.run(requestOn(m_photo, chain({"invert"})), {stop.get_token(), {}});
            REQUIRE_FAILS(result, ErrorCode::Cancelled, "");
            QCOMPARE(fakes.cuda->runs.load(), at + 1);
            QCOMPARE(fakes.cpu->runs.load(), 0);
            QVERIFY(!executor.failedStep());
        }
    }

    void aFaultInABandLeavesTheGpu() {
        FakeSet fakes(true);
        fakes.cuda->memory = bytesOf(PixelFormat::Rgba8, m_photo.size()) / 2;
        fakes.cuda->duringRun = [&](int number) {
            if (number == 1)
                fakes.cuda->failure = {0, {ErrorCode::DeviceFault, "the GPU is lost"}, true};
        };
        Executor executor(fakes.set(), kHostBudget);
        const ExecuteRequest request = requestOn(m_photo, chain({"invert"}));
        const auto result = executor.run(request, {});
        REQUIRE_OK(result);
        compareSamples(truth(request)->image, result->image, "after a fault");
        QCOMPARE(result->steps[0].backend, BackendKind::Cpu);
        QVERIFY(QString::fromStdString(result->steps[0].fallbackReason)
                    .endsWith("the GPU is lost; restart to use the GPU again"));
    }

    // A draft that shows a part takes its statistics from the whole.
    void drafts() {
        const Rect part{7, 20, 50, 90};
        ExecuteRequest request = requestOn(
            m_photo.crop(part), chain({"gaussian_blur", "equalize", "add_noise", "threshold"}));
        request.place = Placement::partOf(m_photo.size(), part);
        request.whole = m_photo;
        const auto expected = truth(request);
        FakeSet fakes(true);
        fakes.cuda->memory = bytesOf(PixelFormat::Rgba8, part.size()) * 9 / 10;
        Executor executor(fakes.set(), kHostBudget);
        for (int round = 0; round < 2; ++round) {
            const auto result = executor.run(request, {});
            REQUIRE_OK(result);
            compareSamples(expected->image, result->image, "draft");
            for (const StepReport& step : result->steps) QVERIFY(bandsIn(step) > 1);
        }
        // Places in a reduced copy are rounded: bands would have other noise.
        request.place = Placement::reducedCopy(request.source.size(), {100, 180}, 0.5);
        request.whole = {};
        const auto reduced = executor.run(request, {});
        REQUIRE_OK(reduced);
        compareSamples(truth(request)->image, reduced->image, "reduced");
        for (const StepReport& step : reduced->steps) {
            QCOMPARE(step.backend, BackendKind::Cpu);
            QCOMPARE(bandsIn(step), 0);
        }
    }

    // Wrong on purpose: its mistakes are those of the whole image.
    void wrongVariantsStayWhole() {
        int tried = 0;
        for (const Operation* operation : allOperations())
            for (const VariantSpec& variant : operation->description().wrongVariants) {
                if (operation->description().kind != OperationKind::Filter) continue;
                Step step = makeStep(operation->description().id).value();
                step.variant = variant.id;
                const ExecuteRequest request = requestOn(m_photo, Pipeline{{step}});
                const auto expected = truth(request);
                if (!expected) continue;
                FakeSet fakes(true);
                fakes.cuda->memory = bytesOf(PixelFormat::Rgba8, m_photo.size()) / 2;
                Executor executor(fakes.set(), kHostBudget);
                const auto result = executor.run(request, {});
                REQUIRE_OK(result);
                compareSamples(expected->image, result->image, variant.id);
                QCOMPARE(bandsIn(result->steps[0]), 0);
                ++tried;
            }
        QVERIFY(tried > 0);
    }

    void inputsForTimings() {
        FakeSet fakes(true);
        fakes.cuda->memory = bytesOf(PixelFormat::Rgba8, m_photo.size()) * 3 / 2;
        Executor executor(fakes.set(), kHostBudget);
        const ExecuteRequest request =
            requestOn(m_photo, chain({"invert:name=a", "median", "blend:with=step:a"}));
        const auto inputs = executor.stepInputs(request, {});
        REQUIRE_OK(inputs);
        Executor plain(BackendSet::cpuOnly(""), kHostBudget);
        const auto expected = plain.stepInputs(request, {});
        QCOMPARE(inputs->size(), expected->size());
        for (std::size_t i = 0; i < inputs->size(); ++i) {
            compareSamples((*expected)[i].image, (*inputs)[i].image, "input");
            if (!(*expected)[i].second.isNull())
                compareSamples((*expected)[i].second, (*inputs)[i].second, "second");
        }
        QCOMPARE(fakes.cpu->runs.load(), 0);
    }

    void withoutACache() {
        FakeSet fakes(true);
        fakes.cuda->memory = bytesOf(PixelFormat::Rgba8, m_photo.size()) * 3 / 2;
        Executor executor(fakes.set(), kHostBudget);
        ExecuteRequest request = requestOn(m_photo, chain({"invert", "levels:gamma=2", "median"}));
        request.useCache = false;
        double last = 0;
        const auto result = executor.run(request, {{}, [&](double done) {
                                                       QVERIFY(done >= 0 && done <= 1);
                                                       last = done;
                                                   }});
        REQUIRE_OK(result);
        compareSamples(truth(request)->image, result->image, "without a cache");
        for (const StepReport& step : result->steps) QVERIFY(bandsIn(step) >= 2);
        QCOMPARE(last, 1.0);
        QCOMPARE(executor.cachedBytes(), std::uint64_t(0));
    }
};

WARPSCOPE_TEST(BandedTest)
#include "banded_test.moc"
