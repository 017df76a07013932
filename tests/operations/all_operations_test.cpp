// What every operation owes, tested from the list: a new one gets this for nothing. On images of
// few columns and many rows, cost follows pixels and the bits are those of the truth.
#include <atomic>
#include <cmath>
#include <set>

#include "engine/base/band_threads.h"
#include "engine/measure/agreement.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/narrow_images.h"
#include "engine/operations/registry.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

bool isFilter(const Operation& operation) {
    return operation.description().kind == OperationKind::Filter;
}

// Parameter sets worth trying: defaults, every choice, both ends of every number's slider.
std::vector<TextParameters> parameterSets(const OperationDescription& description) {
    std::vector<TextParameters> sets = {{}};
    for (const ParamSpec& spec : description.parameters) {
        for (const ChoiceSpec& choice : spec.choices) sets.push_back({{spec.id, choice.id}});
        for (const PresetSpec& preset : spec.presets) sets.push_back({{spec.id, preset.id}});
        if (spec.kind != ParamKind::Integer && spec.kind != ParamKind::Real) continue;
        for (const double value : {spec.sliderMin, spec.sliderMax})
            sets.push_back({{spec.id, toText(ParamValue(value))}});
    }
    return sets;
}

const Size kSizes[] = {{1, 1}, {1, 67}, {67, 1}, {13, 11}, {49, 31}, {31, 16}};

const PixelFormat kFormats[] = {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16,
                                PixelFormat::Rgba16};

// The thread sanitizer looks at what threads share: for it, tests of one thread say nothing, and of
// cases that differ in parameters alone few are enough; at night it runs them 20 times.
#if defined(__SANITIZE_THREAD__)
constexpr bool kOnlyThreads = true;
#else
constexpr bool kOnlyThreads = false;
#endif
std::vector<Threading> threadings() {
    if (kOnlyThreads) return {Threading::AllCores};
    return {Threading::Single, Threading::AllCores};
}
bool leftToAnother() {
    return leftOut() || (kOnlyThreads && (leftOut() || leftOut()));
}
#define NEEDS_NO_THREADS() \
    if (kOnlyThreads) QSKIP("on one thread")

// Bands that work on one thread is cut into: progress is told once for each.
int bandsOf(const Plan& plan, const Image& image) {
    std::atomic<int> bands{0};
    const CpuContext context{Threading::Single, {}, [&](double) { ++bands; }};
    Result<void> done;
    if (plan.operation->description().kind == OperationKind::Analysis) {
        const auto found = plan.operation->analyzeCpu(plan, image, context);
        if (!found) done = fail(found.error());
    } else {
        auto out = MutableImage::create(plan.output, plan.outputSize);
        done = plan.operation->runCpu(plan, imagesFor(plan, image), *out, context);
    }
    return done ? bands.load() : -1;
}

}  // namespace

class AllOperationsTest : public QObject {
    Q_OBJECT
  private slots:
    void descriptionsAreComplete() {
        std::set<std::string> ids;
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            QCOMPARE(&d, &operation->description());
            QVERIFY(ids.insert(d.id).second);
            for (const std::string* text :
                 {&d.id, &d.label, &d.category, &d.summary, &d.help, &d.formula, &d.source})
                QVERIFY2(!text->empty(), d.id.c_str());
            PlanRequest shown;
            shown.parameters = d.exampleParameters();
            shown.format = PixelFormat::Rgba8;
            shown.size = {64, 64};
            const auto example = operation->plan(shown);
            QVERIFY2(example && !(*example)->identity, d.id.c_str());
            QVERIFY(!d.variants.empty() && d.variants[0].id == kAutomaticVariant);
            for (const VariantSpec& variant : d.variants) {
                QVERIFY2(!variant.label.empty() && variant.help.size() > 20, d.id.c_str());
                QCOMPARE(variant.source.empty(), variant.id == kAutomaticVariant);
            }
            QVERIFY(d.acceptsFormat(PixelFormat::Gray8) && d.acceptsFormat(PixelFormat::Rgba8));
            for (const ParamSpec& spec : d.parameters) {
                QVERIFY2(!spec.label.empty() && !spec.help.empty(), spec.id.c_str());
                QVERIFY2(checkParameter(spec, spec.defaultValue), spec.id.c_str());
                QCOMPARE(d.findParameter(spec.id), &spec);
                for (const ChoiceSpec& choice : spec.choices)
                    QVERIFY(!choice.id.empty() && !choice.label.empty() && !choice.help.empty());
                if (spec.kind == ParamKind::Choice) {
                    QVERIFY(spec.choices.size() > 1);
                    continue;
                }
                QVERIFY(spec.hardMin <= spec.sliderMin && spec.sliderMin < spec.sliderMax &&
                        spec.sliderMax <= spec.hardMax && spec.step > 0);
                if (spec.logarithmic) QVERIFY(spec.sliderMin > 0);
            }
        }
        QCOMPARE(findOperation("nothing"), nullptr);
        QVERIFY(!requireOperation("nothing"));
    }

    void everySizeAndParameter() {
        for (const Operation* operation : allOperations()) {
            if (!isFilter(*operation)) continue;
            const OperationDescription& d = operation->description();
            for (const PixelFormat format : d.accepts)
                for (const Size size : kSizes)
                    for (const TextParameters& parameters : parameterSets(d)) {
                        if (leftToAnother()) continue;
                        // A rectangle may lie beyond the image; defaults never do.
                        const auto request = requestFor(*operation, parameters, format, size);
                        if (!parameters.empty() && !operation->plan(request)) continue;
                        const Image image = makeNoise(format, size, 3);
                        const PlanPtr plan = planFor(*operation, parameters, format, size);
                        // A column that was made as wide as a window.
                        if (plan->outputSize.pixels() > 1 << 22) continue;
                        QCOMPARE(plan->operation, operation);
                        QCOMPARE(plan->size, size);
                        QVERIFY(plan->minimalBytes > 0);
                        // False colours are colours, whatever they are made of.
                        const bool gainsAlpha =
                            parameters == TextParameters{{"outside", "transparent"}};
                        QCOMPARE(isColor(plan->output), d.id == "false_colour" || gainsAlpha ||
                                                            (isColor(format) && !d.dropsAlpha));
                        const Image one = runPlan(*plan, image);
                        if (plan->identity) QVERIFY(sameSamples(one, image));
                        const Image all = runPlan(*plan, image, Threading::AllCores);
                        compareSamples(one, all, d.id);
                    }
        }
    }

    // A part of the output depends on the part of the input that the plan says, and on nothing
    // else.
    void neededInputIsEnough() {
        NEEDS_NO_THREADS();
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            if (!isFilter(*operation) || d.dependsOnWholeImage) continue;
            for (const TextParameters& parameters : parameterSets(d)) {
                if (leftOut()) continue;
                const Image image = makePhotograph(PixelFormat::Rgba8, {180, 170});
                const auto request =
                    requestFor(*operation, parameters, image.format(), image.size());
                if (!operation->plan(request)) continue;
                const Size size = (*operation->plan(request))->outputSize;
                comparePart(*operation, parameters, image,
                            intersect({size.width * 17 / 36, size.height * 8 / 17, 9, 7},
                                      {0, 0, size.width, size.height}));
            }
        }
    }

    void alphaIsUnchanged() {
        NEEDS_NO_THREADS();
        for (const Operation* operation : allOperations()) {
            if (!isFilter(*operation) || operation->description().dropsAlpha) continue;
            for (const TextParameters& parameters : parameterSets(operation->description())) {
                const Image image = makeNoise(PixelFormat::Rgba8, {83, 29}, 21);
                const auto plan = operation->plan(
                    requestFor(*operation, parameters, image.format(), image.size()));
                // Alpha moves with the pixels; that is for the operation's own test.
                if (!plan || (*plan)->inputFromOutput() != PixelMap() ||
                    (*plan)->outputSize != image.size())
                    continue;
                const Image result = runPlan(**plan, image);
                for (int y = 0; y < 29; ++y)
                    for (int x = 0; x < 83; ++x)
                        QCOMPARE(result.view<std::uint8_t>().row(y)[4 * x + 3],
                                 image.view<std::uint8_t>().row(y)[4 * x + 3]);
            }
        }
    }

    void sourceIsNotWritten() {
        for (const Operation* operation : allOperations()) {
            if (!isFilter(*operation)) continue;
            const Image image = makeNoise(PixelFormat::Rgba8, {131, 57}, 5);
            const std::uint64_t before = contentHash(image);
            runOn(*operation, {}, image, Threading::AllCores);
            QCOMPARE(contentHash(image), before);
        }
    }

    // On small images; property.laws tries more.
    void variantsAgree() {
        for (const Operation* operation : allOperations()) {
            if (!isFilter(*operation)) continue;
            const OperationDescription& d = operation->description();
            for (const PixelFormat format : d.accepts) {
                const Image image = makePhotograph(format, {37, 23});
                const Image expected = runOn(*operation, {}, image);
                for (const VariantSpec& variant : d.variants)
                    for (const Threading threading : threadings()) {
                        Image result;
                        try {
                            result = runVariant(*operation, variant.id, {}, image, threading);
                        } catch (const std::runtime_error&) {
                            // A variant may refuse floats, `automatic` may not.
                            QVERIFY(isFloat(format) && variant.id != kAutomaticVariant);
                            continue;
                        }
                        QVERIFY2(
                            compareImages(expected, result, d.agreementFor(format)).allowsSpeedup(),
                            (d.id + " " + variant.id).c_str());
                    }
            }
        }
    }

    void stopsBeforeTheFirstBand() {
        std::stop_source stop;
        stop.request_stop();
        for (const Operation* operation : allOperations()) {
            if (!isFilter(*operation)) continue;
            for (const VariantSpec& variant : operation->description().variants)
                for (const Threading threading : threadings()) {
                    const Image image = makeNoise(PixelFormat::Rgba8, {64, 64}, 1);
                    const PlanPtr plan =
                        planFor(*operation, {}, image.format(), image.size(), variant.id);
                    auto out = *MutableImage::create(plan->output, plan->outputSize);
                    const auto ran = operation->runCpu(*plan, imagesFor(*plan, image), out,
                                                       {threading, stop.get_token(), nullptr});
                    REQUIRE_FAILS(ran, ErrorCode::Cancelled, "");
                }
        }
    }

    void stopsInTheMiddle() {
        const Size size = kOnlyThreads ? Size{1000, 750} : Size{2000, 1500};
        const Image image = makeNoise(PixelFormat::Rgba8, size, 1);
        for (const Operation* operation : allOperations()) {
            if (!isFilter(*operation)) continue;
            for (const Threading threading : threadings()) {
                std::stop_source stop;
                std::atomic<bool> begun{false};
                CpuContext context{threading, stop.get_token(), [&](double done) {
                                       begun = true;
                                       QVERIFY(done > 0 && done <= 1);
                                       stop.request_stop();
                                   }};
                const PlanPtr plan = planFor(*operation, {}, image.format(), image.size());
                auto out = *MutableImage::create(plan->output, plan->outputSize);
                const auto ran = operation->runCpu(*plan, imagesFor(*plan, image), out, context);
                QVERIFY2(begun, operation->description().id.c_str());
                QVERIFY2(!ran, operation->description().id.c_str());
                QCOMPARE(ran.error().code, ErrorCode::Cancelled);
            }
        }
    }

    void progressEndsAtOne() {
        NEEDS_NO_THREADS();
        for (const Operation* operation : allOperations()) {
            if (!isFilter(*operation)) continue;
            std::atomic<double> last{0};
            CpuContext context{Threading::Single, {}, [&](double done) { last = done; }};
            const Image image = makeNoise(PixelFormat::Rgba8, {700, 500}, 1);
            const PlanPtr plan = planFor(*operation, {}, image.format(), image.size());
            auto out = *MutableImage::create(plan->output, plan->outputSize);
            QVERIFY(operation->runCpu(*plan, imagesFor(*plan, image), out, context));
            QCOMPARE(last.load(), 1.0);
        }
    }

    void refusesWhatItCannotDo() {
        for (const Operation* operation : allOperations()) {
            const PlanRequest request = requestFor(*operation, {}, PixelFormat::Gray8, {4, 4});
            QVERIFY(operation->plan(request));
            PlanRequest variant = request;
            variant.variant = "no_such_variant";
            QCOMPARE(operation->plan(variant).error().code, ErrorCode::InvalidArgument);
            for (const Size size : {Size{0, 4}, Size{4, -1}, Size{kMaxSide + 1, 1}}) {
                PlanRequest wrong = request;
                wrong.size = size;
                QCOMPARE(operation->plan(wrong).error().code, ErrorCode::LimitExceeded);
            }
            for (const PixelFormat format : kAllPixelFormats) {
                PlanRequest other = request;
                other.format = format;
                const auto plan = operation->plan(other);
                QCOMPARE(bool(plan), operation->description().acceptsFormat(format));
                if (!plan) QCOMPARE(plan.error().code, ErrorCode::Unsupported);
            }
        }
    }

    // What the histogram draws is what happens to the levels of a gray image.
    void toneCurvesAreTheResult() {
        NEEDS_NO_THREADS();
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16}) {
                const Image image = makePhotograph(format, {61, 47});
                const auto plan =
                    operation->freeze(requestFor(*operation, {}, format, image.size()), image, {});
                QVERIFY(plan);
                const auto curves = operation->toneCurves(**plan);
                QCOMPARE(curves.empty(), !d.mapsLevels);
                if (curves.empty()) continue;
                QCOMPARE(curves.size(), std::size_t(1));
                const double white = fullScale(format);
                QCOMPARE(double(curves[0].outputs.size()), white + 1);
                const Image result = runPlan(**plan, image);
                visitSampleType(format, [&]<class T>() {
                    for (int y = 0; y < image.height(); ++y)
                        for (int x = 0; x < image.width(); ++x) {
                            const double level = double(image.view<T>().row(y)[x]);
                            QCOMPARE(double(result.view<T>().row(y)[x]),
                                     std::round(curves[0].outputs[std::size_t(level)] * white));
                        }
                });
            }
        }
    }

    void onlyAnalysesAnalyze() {
        for (const Operation* operation : allOperations()) {
            const Image image = makeNoise(PixelFormat::Rgba8, {31, 9}, 2);
            const PlanPtr plan = planFor(*operation, {}, image.format(), image.size());
            const auto found = operation->analyzeCpu(*plan, imagesFor(*plan, image), {});
            const std::vector<std::uint64_t> words(plan->resultWords);
            const auto empty = operation->resultFrom(*plan, words);
            QCOMPARE(bool(found), !isFilter(*operation));
            // A table of as many rows as an image has components is found by the CPU alone.
            const bool hasWords =
                !isFilter(*operation) && operation->description().id != "components";
            QCOMPARE(bool(empty), hasWords);
            QCOMPARE(plan->resultWords > 0, hasWords);
            if (!found) QCOMPARE(found.error().code, ErrorCode::Unsupported);
        }
    }

    // What a device finds, word after word, is what the CPU finds.
    void countsFromWords() {
        const Image image = makeNoise(PixelFormat::Rgba16, {31, 9}, 2);
        const auto plan = planHistogram(ChannelSet::all(), image.format(), image.size());
        QVERIFY(plan);
        const Operation& operation = histogram_operation();
        const auto counts = std::get<HistogramSet>(*operation.analyzeCpu(**plan, image, {}));
        std::vector<std::uint64_t> words;
        for (const Histogram& channel : counts.channels)
            words.insert(words.end(), channel.bins.begin(), channel.bins.end());
        const auto made = std::get<HistogramSet>(*operation.resultFrom(**plan, words));
        QCOMPARE(made.size, counts.size);
        QCOMPARE(made.format, counts.format);
        QCOMPARE(made.high, counts.high);
        for (const Histogram& channel : counts.channels)
            QVERIFY(made.find(channel.channel)->bins == channel.bins);
        words.pop_back();
        QVERIFY(!operation.resultFrom(**plan, words));
    }

    // A band has tables to clear, buffers to make, threads to wake.
    void bandsFollowPixels() {
        NEEDS_NO_THREADS();
        for (const int width : {1, 2, 3})
            for (const PixelFormat format : kFormats) {
                const Image image =
                    makeNoise(format, {width, kSlowdown > 1 ? 1 << 15 : 1 << 18}, 5);
                for (const Operation* operation : allOperations())
                    for (const VariantSpec& variant : operation->description().variants) {
                        TextParameters given;  // windows that are quick even when taken literally
                        for (const char* id : {"patch_radius", "search_radius"})
                            if (operation->description().findParameter(id))
                                given.emplace_back(id, "1");
                        const auto plan = operation->plan(
                            requestFor(*operation, given, format, image.size(), variant.id));
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

    // Waking other threads takes longer than what there is to do.
    void littleWorkIsOneThreads() {
        if (kOnlyThreads) QSKIP("asks for one thread");
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8}) {
            const Image image = makePhotograph(format, {64, 64});
            for (const Operation* operation : allOperations()) {
                TextParameters given;  // windows of which a pixel takes less than 50 ns
                for (const char* id : {"radius", "patch_radius", "search_radius"})
                    if (operation->description().findParameter(id)) given.emplace_back(id, "1");
                const auto plan = operation->plan(requestFor(*operation, given, format, {64, 64}));
                if (!plan) continue;
                const CpuContext context{Threading::AllCores, {}, nullptr};
                const WorkedThreads worked;
                // More than once: others may come too late to take a band.
                for (int run = 0; run < 40; ++run) {
                    if (isFilter(*operation)) {
                        auto out = *MutableImage::create((*plan)->output, (*plan)->outputSize);
                        QVERIFY(operation->runCpu(**plan, imagesFor(**plan, image), out, context));
                    } else {
                        QVERIFY(operation->analyzeCpu(**plan, image, context));
                    }
                }
                QVERIFY2(worked.count() <= 1, operation->description().id.c_str());
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
                if (leftToAnother()) continue;
                const Image image = makeNoise(format, size, 7);
                const auto compare = [&](const char* id, const TextParameters& parameters,
                                         const Image& truth) {
                    forEachVectorTarget([&](const std::string& target) {
                        for (const Threading threading : threadings()) {
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
        NEEDS_NO_THREADS();
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

WARPSCOPE_TEST(AllOperationsTest)
#include "all_operations_test.moc"
