// Steps with a second input: where it comes from, what is said where it does not fit, what is
// computed again, and that parts of a chain are those of the whole.
#include <random>

#include "engine/image/convert.h"
#include "engine/image/format_words.h"
#include "engine/pipeline/executor.h"
#include "pipeline/chains.h"
#include "pipeline/fake_backend.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr std::uint64_t kMemory = 256u << 20;
constexpr Size kShape{67, 41};

ExecuteRequest requestOf(const Image& image, Pipeline pipeline, const Image& second = {}) {
    ExecuteRequest request;
    request.source = image;
    request.pipeline = std::move(pipeline);
    request.backend = BackendChoice::Cpu;
    request.second = second;
    return request;
}

// One step by itself; `second` where it has a second input.
Image after(const Image& image, std::string_view text, const Image& second = {}) {
    const Step step = parseStep(text).value();
    const auto plan = findOperation(step.operation)
                          ->plan({step.parameters, step.variant, image.format(), image.size()})
                          .value();
    return runPlan(*plan, image, Threading::Single, second);
}

Rect anyWindow(std::mt19937& random, Size size) {
    const auto upTo = [&](int most) { return int(random() % unsigned(most + 1)); };
    Rect rect{upTo(size.width - 1), upTo(size.height - 1), 0, 0};
    rect.width = 1 + upTo(size.width - rect.x - 1);
    rect.height = 1 + upTo(size.height - rect.y - 1);
    return rect;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

class SecondInputTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};
    Image m_photo = makePhotograph(PixelFormat::Rgba8, kShape, m_random());
    Image m_other = makeNoise(PixelFormat::Rgba8, kShape, m_random());

    Result<ExecuteResult> run(const ExecuteRequest& request) {
        Executor executor(BackendSet::cpuOnly(""), kMemory);
        return executor.run(request, {});
    }

  private slots:
    // Each takes what the one before it gave: without a cache, too, every step runs once.
    void earlierStepsAreNotComputedAgain() {
        FakeSet fakes(false);
        Executor executor(fakes.set(), kMemory);
        constexpr int kSteps = 24;
        Pipeline pipeline = chain({"invert:name=s0"});
        for (int i = 1; i < kSteps; ++i)
            pipeline.steps.push_back(parseStep("blend:with=step:s" + std::to_string(i - 1) +
                                               ",mode=average,name=s" + std::to_string(i))
                                         .value());
        ExecuteRequest request = requestOf(m_photo, pipeline);
        request.useCache = false;
        const auto result = executor.run(request, {});
        REQUIRE_OK(result);
        QCOMPARE(fakes.cpu->runs.load(), kSteps);
    }

    // 12 bits beside 14: what comes from the second image lies within the white that is said.
    void whiteLevelCoversBoth() {
        const auto imageOf = [](double level, double white) {
            ImageInfo info;
            info.whiteLevel = white;
            return makeConstant(PixelFormat::Gray16, kShape, level).withInfo(info);
        };
        const auto result = run(requestOf(
            imageOf(100, 4095), chain({"blend:with=second,mode=normal"}), imageOf(16000, 16383)));
        REQUIRE_OK(result);
        QCOMPARE(result->image.info().whiteLevel, 16383.0);
        QCOMPARE(int(result->image.view<std::uint16_t>().row(0)[0]), 16000);
    }

    void comesFromWhereItIsNamed() {
        const Image soft = after(m_photo, "gaussian_blur:sigma=2");
        const Image last = after(soft, "median:radius=1");
        const auto check = [&](std::string_view blend, const Image& second) {
            const auto result = run(requestOf(
                m_photo, chain({"gaussian_blur:sigma=2,name=soft", "median:radius=1", blend}),
                m_other));
            REQUIRE_OK(result);
            compareSamples(after(last, blend, second), result->image, std::string(blend));
            for (const StepReport& step : result->steps) {
                QVERIFY(step.notices.empty());
                QVERIFY(step.problem.empty());
            }
        };
        check("blend", m_photo);
        check("blend:with=source,mode=subtract", m_photo);
        check("blend:with=step:soft,mode=signed_difference", soft);
        check("blend:with=second,mode=multiply,opacity=40", m_other);
    }

    // A step that is switched off gives what it is given.
    void stepsThatAreOff() {
        Pipeline pipeline = chain({"invert", "gaussian_blur:sigma=2,name=soft", "median:radius=1",
                                   "blend:with=step:soft"});
        pipeline.steps[1].enabled = false;
        const auto result = run(requestOf(m_photo, pipeline));
        REQUIRE_OK(result);
        const Image negative = after(m_photo, "invert");
        compareSamples(after(after(negative, "median:radius=1"), "blend", negative), result->image,
                       "off");
        // One that is off itself needs nothing.
        pipeline.steps[3].enabled = false;
        pipeline.steps[3].parameters.set("with", std::string("second"));
        REQUIRE_OK(run(requestOf(m_photo, pipeline)));
    }

    void inputsForTimings() {
        Executor executor(BackendSet::cpuOnly(""), kMemory);
        const auto inputs =
            executor.stepInputs(requestOf(m_photo, chain({"invert", "blend:with=source"})), {});
        REQUIRE_OK(inputs);
        QCOMPARE(inputs->size(), std::size_t(2));
        QVERIFY((*inputs)[0].second.isNull());
        compareSamples(m_photo, (*inputs)[1].second, "second");
        compareSamples(after(m_photo, "invert"), (*inputs)[1].image, "first");
    }

    void otherSizesAreAnError() {
        for (const auto& [blend, second] :
             {std::pair{"blend", Image()},
              std::pair{"blend:with=second", makeNoise(PixelFormat::Rgba8, {67, 41}, 1)}}) {
            const auto result =
                run(requestOf(m_photo, chain({"crop:width=20,height=10", blend}), second));
            REQUIRE_FAILS(result, ErrorCode::InvalidArgument, "step 2, blend: ");
            QVERIFY(contains(result.error().message, "20 x 10"));
            QVERIFY(contains(result.error().message, "67 x 41"));
        }
        const auto small = makeNoise(PixelFormat::Rgba8, {66, 41}, 1);
        const auto result = run(requestOf(m_photo, chain({"blend:with=second"}), small));
        REQUIRE_FAILS(result, ErrorCode::InvalidArgument, "66 x 41");
    }

    // Each with what its message must say.
    void whatIsNotThere() {
        struct Case {
            Pipeline pipeline;
            ErrorCode code;
            const char* said;
        };
        const std::vector<Case> cases = {
            {chain({"invert", "blend:with=second"}), ErrorCode::NotFound, "there is none"},
            {chain({"invert", "blend:with=step:gone"}), ErrorCode::NotFound, "'gone'"},
            {chain({"invert", "blend:with=step:me,name=me"}), ErrorCode::InvalidArgument,
             "is itself"},
            {chain({"invert", "blend:with=step:late", "median:radius=1,name=late"}),
             ErrorCode::InvalidArgument, "comes later"},
        };
        for (const Case& one : cases) {
            const auto failed = run(requestOf(m_photo, one.pipeline));
            REQUIRE_FAILS(failed, one.code, one.said);
            QVERIFY(failed.error().message.starts_with("step 2, blend: "));
        }
        for (const Case& one : cases) {
            ExecuteRequest request = requestOf(m_photo, one.pipeline);
            request.skipBrokenSteps = true;
            const auto result = run(request);
            REQUIRE_OK(result);
            QCOMPARE(result->steps.size(), one.pipeline.steps.size());
            QVERIFY(contains(result->steps[1].problem, one.said));
            Image rest = after(m_photo, "invert");
            if (one.pipeline.steps.size() > 2) rest = after(rest, "median:radius=1");
            compareSamples(rest, result->image, one.said);
        }
    }

    void brokenStepsArePassedOver() {
        for (int round = 0; round < 2; ++round) {
            ExecuteRequest request =
                requestOf(m_photo, chain({"crop:x=3,width=20,height=10", "blend", "invert"}));
            request.skipBrokenSteps = true;
            request.useCache = round;
            const auto result = run(request);
            REQUIRE_OK(result);
            compareSamples(after(after(m_photo, "crop:x=3,width=20,height=10"), "invert"),
                           result->image, "rest");
            QVERIFY(result->steps[0].problem.empty());
            QVERIFY(contains(result->steps[1].problem, "20 x 10"));
            QVERIFY(contains(result->steps[1].problem, "67 x 41"));
            QVERIFY(result->steps[2].problem.empty());
        }
    }

    // The problem is still told when all that follows comes from the cache, and goes when it does.
    void problemsAndTheCache() {
        Executor executor(BackendSet::cpuOnly(""), kMemory);
        ExecuteRequest request =
            requestOf(m_photo, chain({"blend:with=second,mode=add", "invert"}));
        request.skipBrokenSteps = true;
        for (int round = 0; round < 2; ++round) {
            const auto result = executor.run(request, {});
            REQUIRE_OK(result);
            QVERIFY(contains(result->steps[0].problem, "there is none"));
            compareSamples(after(m_photo, "invert"), result->image, "broken");
        }
        request.second = m_other;
        const auto mended = executor.run(request, {});
        REQUIRE_OK(mended);
        QVERIFY(mended->steps[0].problem.empty());
        compareSamples(after(after(m_photo, "blend:mode=add", m_other), "invert"), mended->image,
                       "mended");
        request.skipBrokenSteps = false;
        request.second = {};
        REQUIRE_FAILS(executor.run(request, {}), ErrorCode::NotFound, "there is none");
    }

    void renamedAndRemovedSteps() {
        Pipeline pipeline = chain(
            {"gaussian_blur:sigma=2,name=soft", "invert", "blend:with=step:soft,mode=average"});
        const auto before = run(requestOf(m_photo, pipeline));
        REQUIRE_OK(before);
        pipeline.steps[0].name = "softer";
        REQUIRE_FAILS(run(requestOf(m_photo, pipeline)), ErrorCode::NotFound, "'soft'");
        pipeline.steps[2].parameters.set("with", std::string("step:softer"));
        const auto renamed = run(requestOf(m_photo, pipeline));
        REQUIRE_OK(renamed);
        compareSamples(before->image, renamed->image, "renamed");
        pipeline.steps.erase(pipeline.steps.begin());
        REQUIRE_FAILS(run(requestOf(m_photo, pipeline)), ErrorCode::NotFound, "'softer'");
    }

    void isConvertedAndThatIsSaid() {
        const Image gray16 = makeNoise(PixelFormat::Gray16, kShape, m_random());
        const Image floats = makeNoise(PixelFormat::RgbaF32, kShape, m_random());
        for (const Image& source : {m_photo, gray16, floats})
            for (const Image& second : {m_other, gray16, floats}) {
                const auto result =
                    run(requestOf(source, chain({"blend:with=second,mode=average"}), second));
                REQUIRE_OK(result);
                const std::string from(formatWords(second.format())),
                    to(formatWords(source.format()));
                const bool deep =
                    bytesPerSample(second.format()) != bytesPerSample(source.format());
                const std::vector<std::string> said =
                    from == to ? std::vector<std::string>()
                               : std::vector<std::string>{
                                     "the second input was converted from " + from + " to " + to +
                                     (deep ? ", full white to full white" : "")};
                QCOMPARE(result->steps[0].notices, said);
                const Image converted = toFormat(second, source.format(), {}).value();
                compareSamples(after(source, "blend:mode=average", converted), result->image,
                               from + " to " + to);
            }
    }

    void changesAreComputedAgainAndNothingElse() {
        FakeSet fakes(false);
        Executor executor(fakes.set(), kMemory);
        const auto pipelineOf = [](const std::string& sigma, const std::string& radius,
                                   const std::string& with) {
            return chain({"gaussian_blur:name=soft,sigma=" + sigma, "median:radius=" + radius,
                          "blend:with=" + with, "invert"});
        };
        const auto runs = [&](const Pipeline& pipeline, const Image& second) {
            const int before = fakes.cpu->runs;
            const auto result = executor.run(requestOf(m_photo, pipeline, second), {});
            if (!result) throw std::runtime_error(result.error().message);
            const int now = fakes.cpu->runs - before;
            // What came from the cache is what a fresh run gives.
            compareSamples(run(requestOf(m_photo, pipeline, second))->image, result->image, "");
            return now;
        };
        QCOMPARE(runs(pipelineOf("2", "1", "step:soft"), m_other), 4);
        QCOMPARE(runs(pipelineOf("2", "1", "step:soft"), m_other), 0);
        const Image another = makeNoise(PixelFormat::Rgba8, kShape, m_random());
        // Nobody looks at the second image.
        QCOMPARE(runs(pipelineOf("2", "1", "step:soft"), another), 0);
        // The step between leaves the one before it as it was.
        QCOMPARE(runs(pipelineOf("2", "2", "step:soft"), another), 3);
        // The step that is named.
        QCOMPARE(runs(pipelineOf("3", "2", "step:soft"), another), 4);
        // Another second input, and another image of it.
        QCOMPARE(runs(pipelineOf("3", "2", "second"), another), 2);
        QCOMPARE(runs(pipelineOf("3", "2", "second"), m_other), 2);
        QCOMPARE(runs(pipelineOf("3", "2", "second"), another), 0);
        QCOMPARE(runs(pipelineOf("3", "2", "source"), another), 2);
        executor.forgetImage(another.id());
        QCOMPARE(runs(pipelineOf("3", "2", "source"), another), 0);
    }

    // A name that moves to another step means that step.
    void namesAreNotCached() {
        Executor executor(BackendSet::cpuOnly(""), kMemory);
        Pipeline pipeline =
            chain({"invert:name=a", "gaussian_blur:sigma=2", "blend:with=step:a,mode=normal"});
        compareSamples(after(m_photo, "invert"),
                       executor.run(requestOf(m_photo, pipeline), {})->image, "first");
        std::swap(pipeline.steps[0].name, pipeline.steps[1].name);
        compareSamples(after(after(m_photo, "invert"), "gaussian_blur:sigma=2"),
                       executor.run(requestOf(m_photo, pipeline), {})->image, "second");
    }

    void savedAndReadAgain() {
        const Pipeline pipeline = chain({"curves:points=0:0;100:180;255:255,name=bright_1",
                                         "blend:with=step:bright_1,mode=mask,opacity=12.5",
                                         "blend:with=second,name=last-one", "blend"});
        const auto read = pipelineFromJson(toJson(pipeline));
        REQUIRE_OK(read);
        QVERIFY(*read == pipeline);
        for (const Step& step : pipeline.steps) {
            const auto again = parseStep(toText(step));
            REQUIRE_OK(again);
            QVERIFY(*again == step);
        }
        QCOMPARE(toText(pipeline.steps[1]),
                 std::string("blend:mode=mask,opacity=12.5,with=step:bright_1"));
        for (const char* with : {"step:", "step:a b", "third", "", "source "})
            QVERIFY2(!parseStep(std::string("blend:with=") + with) ||
                         parseStep(std::string("blend:with=") + with)->parameters.choice("with") ==
                             "source",
                     with);
        Pipeline twice = chain({"invert:name=a", "blend:name=a"});
        REQUIRE_FAILS(checkPipeline(twice), ErrorCode::InvalidArgument, "'a'");
    }

    void partsAreThoseOfTheWhole() {
        const Size size{150, 110};
        const Image image = makePhotograph(PixelFormat::Rgba8, size, m_random());
        const Image second = makeNoise(PixelFormat::Gray16, size, m_random());
        const std::string crop = "crop:x=21,y=13,width=97,height=71";
        for (const Pipeline& pipeline :
             {chain({"gaussian_blur:sigma=2", "blend"}),
              chain({"gaussian_blur:sigma=2,name=soft", "median:radius=2",
                     "blend:with=step:soft,mode=signed_difference", crop, "box_mean:radius=3"}),
              chain({"invert", crop + ",name=cut", "gaussian_blur:sigma=1", "median:radius=2",
                     "blend:with=step:cut,mode=screen,opacity=60"}),
              chain({"blend:with=second,mode=average", crop, "gaussian_blur:sigma=1"}),
              chain({"median:radius=3,name=m", "blend:with=second,mode=multiply",
                     "gaussian_blur:sigma=2", "blend:with=step:m"})}) {
            const ExecuteRequest request = requestOf(image, pipeline, second);
            const auto whole = run(request);
            REQUIRE_OK(whole);
            const ChainShape shape = shapeOf(pipeline, image.format(), Placement::all(size));
            for (int i = 0; i < 12; ++i) {
                const Rect wanted = anyWindow(m_random, whole->image.size());
                const NeededParts needed = neededFor(shape, wanted);
                ExecuteRequest part = request;
                part.source = image.crop(needed.source);
                part.place = Placement::partOf(size, needed.source);
                if (!needed.second.empty()) {
                    part.second = second.crop(needed.second);
                    part.secondPlace = Placement::partOf(size, needed.second);
                }
                const auto made = run(part);
                REQUIRE_OK(made);
                const Rect got = made->place.part;
                QVERIFY(warpscope::contains(got, wanted));
                compareSamples(whole->image.crop(wanted),
                               made->image.crop({wanted.x - got.x, wanted.y - got.y, wanted.width,
                                                 wanted.height}),
                               toText(pipeline.steps.back()));
            }
        }
    }

    // What depends on all pixels takes them from both whole images.
    void statisticsOfTheWhole() {
        const Pipeline pipeline = chain({"blend:with=second,mode=average", "equalize"});
        const ExecuteRequest request = requestOf(m_photo, pipeline, m_other);
        const auto whole = run(request);
        REQUIRE_OK(whole);
        for (int i = 0; i < 8; ++i) {
            const Rect wanted = anyWindow(m_random, kShape);
            ExecuteRequest part = request;
            part.source = m_photo.crop(wanted);
            part.second = m_other.crop(wanted);
            part.place = part.secondPlace = Placement::partOf(kShape, wanted);
            part.whole = m_photo;
            part.wholeSecond = m_other;
            const auto made = run(part);
            REQUIRE_OK(made);
            compareSamples(whole->image.crop(wanted), made->image, "part");
        }
    }

    void theGpuGetsBoth() {
        FakeSet fakes(true);
        Executor executor(fakes.set(), kMemory);
        ExecuteRequest request =
            requestOf(m_photo, chain({"invert", "blend:with=second"}), m_other);
        request.backend = BackendChoice::Cuda;
        const auto result = executor.run(request, {});
        REQUIRE_OK(result);
        compareSamples(after(after(m_photo, "invert"), "blend", m_other), result->image, "GPU");
        QCOMPARE(fakes.cuda->uploads.load(), 2);
        QCOMPARE(fakes.cuda->runs.load(), 2);
        // Both stay there.
        request.pipeline = chain({"invert", "blend:with=second,mode=add"});
        REQUIRE_OK(executor.run(request, {}));
        QCOMPARE(fakes.cuda->uploads.load(), 2);
        QCOMPARE(fakes.cuda->runs.load(), 3);
    }
};

WARPSCOPE_TEST(SecondInputTest)
#include "second_input_test.moc"
