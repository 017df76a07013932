// Steps in parts of rows whose copies and work are side by side: together they are the whole.
#include <cstring>
#include <optional>
#include <set>

#include "engine/backend/cpu_backend.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/overlapped_run.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr Size kTwoParts{2048, 1400};  // two parts of gray samples of 8 bits

PlanPtr planOf(const Operation& operation, const ParamSet& parameters, const Image& image,
               const std::optional<Placement>& place = {}) {
    PlanRequest request;
    request.parameters = parameters;
    request.format = image.format();
    request.size = place ? place->part.size() : image.size();
    request.place = place;
    auto plan = operation.plan(request);
    return plan ? *plan : nullptr;
}

std::vector<PartRun> partsOf(const Operation& operation, const ParamSet& parameters,
                             const Image& image) {
    return overlappingParts(*planOf(operation, parameters, image),
                            [&](const Placement& place) -> Result<PlanPtr> {
                                PlanPtr plan = planOf(operation, parameters, image, place);
                                if (!plan) return fail(ErrorCode::Unsupported, "no part");
                                return plan;
                            });
}

// Each part by itself, as a device does it.
class PartsOnCpu final : public Backend, public PartRunner {
  public:
    explicit PartsOnCpu(bool able) : m_able(able) {}

    Result<Image> runParts(const Plan& plan, const std::vector<PartRun>& parts, const Image& input,
                           const RunContext& context) override {
        if (!m_able) return fail(ErrorCode::Unsupported, "not today");
        MutableImage whole = MutableImage::create(plan.output, plan.outputSize).value();
        int row = 0;
        for (const PartRun& part : parts) {
            const Image own = input.crop({0, part.firstIn, input.width(), part.plan->size.height});
            int runs = 0;
            const auto made = runAndFetch(*m_cpu, *part.plan, own, context, runs);
            if (!made) return fail(made.error());
            if (part.firstOut != row) return fail(ErrorCode::Internal, "a gap between parts");
            for (int y = 0; y < part.rows; ++y)
                std::memcpy(whole.rowBytes(row++), made->rowBytes(part.firstMade + y),
                            std::size_t(made->width()) * bytesPerPixel(made->format()));
        }
        if (row != plan.outputSize.height) return fail(ErrorCode::Internal, "not all rows");
        return std::move(whole).freeze(outputInfo(plan, input.info()));
    }

    const BackendInfo& info() const override { return m_cpu->info(); }
    Result<void> supports(const Plan& plan) const override { return m_cpu->supports(plan); }
    Result<BufferPtr> upload(const Image& image, const RunContext& context) override {
        return m_cpu->upload(image, context);
    }
    Result<BufferPtr> run(const Plan& plan, const StepBuffers& input,
                          const RunContext& context) override {
        return m_cpu->run(plan, input, context);
    }
    Result<AnalysisResult> analyze(const Plan& plan, const StepBuffers& input,
                                   const RunContext& context) override {
        return m_cpu->analyze(plan, input, context);
    }
    Result<Image> download(const BufferPtr& buffer, const RunContext& context) override {
        return m_cpu->download(buffer, context);
    }
    Result<void> synchronize() override { return {}; }
    void setRecording(Recording) override {}
    Result<std::vector<Span>> takeSpans() override { return std::vector<Span>{}; }
    std::uint64_t memoryAvailable() const override { return 0; }

  private:
    std::unique_ptr<Backend> m_cpu = makeCpuBackend(Threading::AllCores);
    bool m_able;
};

}  // namespace

class OverlappedTest : public QObject {
    Q_OBJECT

  private slots:
    // Of the filters that are quick on a CPU, by their example.
    void partsAreTheWhole() {
        constexpr double kQuickMs = 12;
        const Image image = makeNoise(PixelFormat::Gray8, kTwoParts, 3);
        PartsOnCpu backend(true);
        std::set<std::string> cut;
        for (const Operation* operation : allOperations()) {
            const OperationDescription& description = operation->description();
            const ParamSet parameters = description.exampleParameters();
            const PlanPtr plan = planOf(*operation, parameters, image);
            if (!plan || plan->guessedMsPerMegapixel > kQuickMs) continue;
            const auto parts = partsOf(*operation, parameters, image);
            if (parts.empty()) continue;
            cut.insert(description.id);
            int runs = 0;
            const Image made = runOverlapped(backend, *plan, parts, image, {}, runs).value();
            QCOMPARE(runs, int(parts.size()));
            int whole = 0;
            const Image expected = runAndFetch(backend, *plan, image, {}, whole).value();
            const std::string different = firstDifference(expected, made);
            QVERIFY2(different.empty(), (description.id + ": " + different).c_str());
        }
        for (const char* id : {"invert", "median", "levels"}) QVERIFY2(cut.contains(id), id);
    }

    void notWhereItWouldNotHelp() {
        const Image large = makeNoise(PixelFormat::Gray8, kTwoParts, 1);
        const auto parts = [&](const char* id, const Image& image,
                               const TextParameters& given = {}) {
            const Operation& operation = *findOperation(id);
            const PlanPtr plan = planFor(operation, given, image.format(), image.size());
            return overlappingParts(*plan, [&](const Placement& place) -> Result<PlanPtr> {
                return planForPart(operation, given, image.format(), place.part, place.whole);
            });
        };
        QCOMPARE(parts("invert", large).size(), std::size_t(2));
        QVERIFY(parts("invert", makeNoise(PixelFormat::Gray8, {500, 500}, 1)).empty());
        QVERIFY(parts("equalize", large).empty());
        QVERIFY(parts("blend", large).empty());
        QVERIFY(parts("flip_rotate", large).empty());
        QVERIFY(parts("gaussian_blur", large, {{"sigma", "90"}}).empty());
    }

    void asAWholeWhereTheBackendCannot() {
        const Image image = makeNoise(PixelFormat::Gray8, kTwoParts, 2);
        const Operation& invert = *findOperation("invert");
        const PlanPtr plan = planOf(invert, invert.description().exampleParameters(), image);
        const auto parts = partsOf(invert, invert.description().exampleParameters(), image);
        PartsOnCpu unable(false);
        int runs = 0;
        const Image made = runOverlapped(unable, *plan, parts, image, {}, runs).value();
        QCOMPARE(runs, 1);
        compareSamples(runAndFetch(unable, *plan, image, {}, runs).value(), made, "as a whole");
    }
};

WARPSCOPE_TEST(OverlappedTest)
#include "overlapped_test.moc"
