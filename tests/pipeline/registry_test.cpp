// What every operation must stand as a step, taken from the registry: a new one is tested by being
// listed.
#include "engine/pipeline/executor.h"
#include "pipeline/chains.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

constexpr std::uint64_t kRegistryBudget = 64u << 20;

ExecuteRequest requestFor(const Image& image, const Step& step, BackendChoice backend) {
    ExecuteRequest request;
    request.source = image;
    request.pipeline.steps = {step};
    request.backend = backend;
    return request;
}

}  // namespace

class RegistryTest : public QObject {
    Q_OBJECT

    void eachVariant() {
        QTest::addColumn<QString>("text");
        for (const Operation* operation : allOperations()) {
            const auto& description = operation->description();
            if (description.kind != OperationKind::Filter) continue;
            for (const VariantSpec& variant : description.variants) {
                const QString text =
                    QString::fromStdString(description.id + ":variant=" + variant.id);
                QTest::newRow(qPrintable(text)) << text;
            }
        }
    }

  private slots:
    void sizesAndFormats_data() { eachVariant(); }
    void sizesAndFormats() {
        QFETCH(QString, text);
        const Step step = *parseStep(text.toStdString());
        Executor executor(BackendSet::cpuOnly("none"), kRegistryBudget);
        for (const PixelFormat format : kAllPixelFormats) {
            for (const Size size :
                 {Size{1, 1}, Size{1, 37}, Size{41, 1}, Size{17, 13}, Size{31, 33}, Size{127, 5}}) {
                if (leftOut()) continue;
                const Image image = test::makePhotograph(format, size);
                const auto single =
                    executor.run(requestFor(image, step, BackendChoice::CpuSingle), {});
                const auto all = executor.run(requestFor(image, step, BackendChoice::Cpu), {});
                QCOMPARE(single.has_value(), all.has_value());
                if (!single) {
                    // Refused by name, never by accident.
                    QVERIFY2(single.error().code == ErrorCode::Unsupported,
                             single.error().message.c_str());
                    QVERIFY(single.error().message.starts_with("step 1, " + step.operation));
                    continue;
                }
                const auto pipeline = requestFor(image, step, BackendChoice::Cpu).pipeline;
                QCOMPARE(single->image.size(),
                         shapeOf(pipeline, format, Placement::all(size)).place.whole);
                QCOMPARE(single->image.format(), single->steps[0].output);
                QCOMPARE(test::firstDifference(single->image, all->image), std::string());
                const auto& description = findOperation(step.operation)->description();
                QCOMPARE(single->steps[0].notices.empty() ||
                             single->steps[0].notices[0].starts_with("alpha"),
                         description.acceptsFormat(format));
            }
        }
    }

    void cancelledBeforeItBegins_data() { eachVariant(); }
    void cancelledBeforeItBegins() {
        QFETCH(QString, text);
        const Step step = *parseStep(text.toStdString());
        const Image image = test::makePhotograph(PixelFormat::Rgba8, {300, 200});
        std::stop_source stop;
        stop.request_stop();
        for (const auto choice : {BackendChoice::CpuSingle, BackendChoice::Cpu}) {
            Executor executor(BackendSet::cpuOnly("none"), kRegistryBudget);
            const auto result =
                executor.run(requestFor(image, step, choice), {stop.get_token(), {}});
            QCOMPARE(result.error().code, ErrorCode::Cancelled);
            QCOMPARE(executor.cachedBytes(), std::uint64_t(0));
        }
    }

    // Stopping at the first sign of progress gives an error or the right image, nothing between.
    void cancelledInTheMiddle_data() { eachVariant(); }
    void cancelledInTheMiddle() {
        QFETCH(QString, text);
        const Step step = *parseStep(text.toStdString());
        const Image image = test::makePhotograph(PixelFormat::Rgba8, {260, 180});
        Executor executor(BackendSet::cpuOnly("none"), kRegistryBudget);
        const Image expected =
            executor.run(requestFor(image, step, BackendChoice::CpuSingle), {})->image;
        for (int round = 0; round < 5; ++round) {
            if (leftOut()) continue;
            std::stop_source stop;
            RunContext context{stop.get_token(), [&](double) { stop.request_stop(); }};
            ExecuteRequest request = requestFor(image, step, BackendChoice::Cpu);
            request.useCache = false;
            const auto result = executor.run(request, context);
            if (result)
                QCOMPARE(test::firstDifference(expected, result->image), std::string());
            else
                QCOMPARE(result.error().code, ErrorCode::Cancelled);
        }
    }

    void draftOfAWindowIsTheWindow_data() { eachVariant(); }
    void draftOfAWindowIsTheWindow() {
        QFETCH(QString, text);
        const Step step = *parseStep(text.toStdString());
        Executor executor(BackendSet::cpuOnly("none"), kRegistryBudget);
        const Image image = test::makePhotograph(PixelFormat::Rgba8, {120, 90});
        const Image full = executor.run(requestFor(image, step, BackendChoice::Cpu), {})->image;
        for (const Rect visible : {Rect{50, 40, 20, 10}, Rect{0, 0, 7, 9}, Rect{110, 85, 10, 5}}) {
            ExecuteRequest draft = requestFor(image, step, BackendChoice::Cpu);
            const ChainShape shape =
                shapeOf(draft.pipeline, image.format(), Placement::all(image.size()));
            const Rect seen = mapped(inverse(shape.sourceFromResult), visible);
            const Rect window = neededFor(shape, seen).source;
            draft.place = Placement::partOf(image.size(), window);
            draft.source = image.crop(window);
            draft.whole = image;
            const auto part = executor.run(draft, {});
            QVERIFY2(part.has_value(), part ? "" : part.error().message.c_str());
            const Rect made = part->place.part;
            const Image shown =
                part->image.crop({seen.x - made.x, seen.y - made.y, seen.width, seen.height});
            QCOMPARE(test::firstDifference(full.crop(seen), shown), std::string());
        }
    }
};

WARPSCOPE_TEST(RegistryTest)
#include "registry_test.moc"
