// Prepared chains on a fake runtime: the same bits as step by step on the CPU, whatever fails,
// stops or happens beside them, and nothing stays behind.
#include <functional>
#include <optional>
#include <random>
#include <thread>

#include "cuda_faults/faulty_life.h"
#include "engine/backend/prepared_chain.h"
#include "engine/operations/analysis/histogram.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// A chain of every kind of step, and what it gives for images that take turns.
class ChainJob {
  public:
    explicit ChainJob(Size size = {23, 17}) {
        add("grayscale", {}, PixelFormat::Rgba8, size);
        add("gaussian_blur", {{"sigma", "1"}}, PixelFormat::Gray8, size);
        add("crop", {{"width", "11"}, {"height", "9"}}, PixelFormat::Gray8, size);
        add("equalize", {}, PixelFormat::Gray8, m_filters.back()->outputSize);
        m_analysis =
            planHistogram(ChannelSet::all(), PixelFormat::Gray8, m_filters.back()->outputSize)
                .value();
        for (const unsigned i : {0u, 1u}) {
            Image image = makeNoise(PixelFormat::Rgba8, size, i);
            m_sources.push_back(image);
            for (const PlanPtr& plan : m_filters) image = runPlan(*plan, image);
            m_expected.push_back(image);
            m_counts.push_back(
                m_analysis->operation->analyzeCpu(*m_analysis, image, CpuContext{}).value());
        }
    }

    const std::vector<PlanPtr>& filters() const { return m_filters; }
    const PlanPtr& analysis() const { return m_analysis; }
    const Image& source(std::size_t i) const { return m_sources[i % 2]; }

    Result<ChainPtr> prepare(ChainRunner& runner, const RunContext& context = {}) const {
        return runner.prepareChain(m_filters, m_analysis, context);
    }

    // What is wrong with the results for source `i`; the error if one came up.
    struct Outcome {
        std::string wrong;
        std::optional<Error> error;
    };
    Outcome run(ChainRunner& runner, PreparedChain& chain, std::size_t i,
                const RunContext& context = {}) const {
        if (auto filled = runner.fillChain(chain, source(i), context); !filled)
            return {{}, filled.error()};
        auto found = runner.runChain(chain, context);
        if (!found) return {{}, found.error()};
        if (!*found) return {"nothing was found", {}};
        if (compareAnalyses(m_counts[i % 2], **found).verdict != Verdict::Identical)
            return {"other counts", {}};
        auto image = runner.downloadChain(chain, context);
        if (!image) return {{}, image.error()};
        return {firstDifference(m_expected[i % 2], *image), {}};
    }
    std::string wrongWith(ChainRunner& runner, PreparedChain& chain, std::size_t i) const {
        const Outcome outcome = run(runner, chain, i);
        return outcome.error ? "an error: " + outcome.error->message : outcome.wrong;
    }

  private:
    void add(const char* id, const TextParameters& parameters, PixelFormat format, Size size) {
        m_filters.push_back(planFor(*findOperation(id), parameters, format, size));
    }

    std::vector<PlanPtr> m_filters;
    PlanPtr m_analysis;
    std::vector<Image> m_sources, m_expected;
    std::vector<AnalysisResult> m_counts;
};

struct Gpu {
    BackendPtr backend = fakeBackends().cuda;
    ChainRunner* chains = dynamic_cast<ChainRunner*>(backend.get());
};

// Calls `act` before the `n`th call of the seam, counted from 0, that begins like `beginning`.
class ActAt {
  public:
    ActAt(std::string beginning, int n, std::function<void()> act)
        : m_beginning(std::move(beginning)), m_n(n), m_act(std::move(act)) {
        cuda::setCallHook([this](const cuda::CallSite& site) {
            if (std::string_view(site.call).starts_with(m_beginning) && m_seen++ == m_n) m_act();
            return cudaSuccess;
        });
    }
    ~ActAt() { cuda::setCallHook({}); }
    ActAt(const ActAt&) = delete;
    ActAt& operator=(const ActAt&) = delete;
    bool acted() const { return m_seen > m_n; }

  private:
    std::string m_beginning;
    int m_n;
    int m_seen = 0;
    std::function<void()> m_act;
};

void addPools() {
    QTest::addColumn<bool>("pools");
    QTest::newRow("pools of the driver") << true;
    QTest::newRow("blocks of our own") << false;
}
void setPools() {
    QFETCH(bool, pools);
    FakeGpu gpu;
    gpu.pools = pools;
    setFakeGpu(gpu);
}

}  // namespace

class ChainTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        setFakeGpu({});
        QCOMPARE(whatIsLeft(), std::string());
    }
    void cleanup() { cuda::setCallHook({}); }

    void changedPixels_data() { addPools(); }
    void changedPixels() {
        setPools();
        const ChainJob job;
        {
            const Gpu gpu;
            QVERIFY(gpu.chains);
            const ChainPtr chain = job.prepare(*gpu.chains).value();
            for (std::size_t i = 0; i < 6; ++i)
                QCOMPARE(job.wrongWith(*gpu.chains, *chain, i), std::string());
            // Again, on what it has.
            QVERIFY(gpu.chains->runChain(*chain, {}).value());
        }
        QCOMPARE(whatIsLeft(), std::string());
    }

    // A chain may outlive its backend, of which nothing is left then.
    void outlivesTheBackend() {
        const ChainJob job;
        {
            std::optional<Gpu> gpu(std::in_place);
            const ChainPtr chain = job.prepare(*gpu->chains).value();
            QCOMPARE(job.wrongWith(*gpu->chains, *chain, 0), std::string());
            gpu.reset();
        }
        QCOMPARE(whatIsLeft(), std::string());
    }

    void withoutOneOrTheOther() {
        const ChainJob job;
        {
            const Gpu gpu;
            const ChainPtr counts =
                gpu.chains
                    ->prepareChain(
                        {},
                        planHistogram(ChannelSet::all(), PixelFormat::Rgba8, job.source(0).size())
                            .value(),
                        {})
                    .value();
            QVERIFY(gpu.chains->fillChain(*counts, job.source(0), {}));
            QVERIFY(gpu.chains->runChain(*counts, {}).value());
            QCOMPARE(firstDifference(job.source(0), gpu.chains->downloadChain(*counts, {}).value()),
                     std::string());
            const ChainPtr pixels =
                gpu.chains->prepareChain({job.filters().front()}, nullptr, {}).value();
            QVERIFY(gpu.chains->fillChain(*pixels, job.source(1), {}));
            QVERIFY(!gpu.chains->runChain(*pixels, {}).value());
            QCOMPARE(firstDifference(runPlan(*job.filters().front(), job.source(1)),
                                     gpu.chains->downloadChain(*pixels, {}).value()),
                     std::string());
        }
        QCOMPARE(whatIsLeft(), std::string());
    }

    void everyCall_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("pools");
        for (std::size_t i = 0; i < std::size(kKinds); ++i)
            for (const bool pools : {true, false})
                QTest::addRow("%s, %s", kKinds[i].name, pools ? "pools" : "blocks")
                    << int(i) << pools;
    }
    void everyCall() {
        QFETCH(int, kind);
        setPools();
        const FaultKind& fault = kKinds[kind];
        const ChainJob job;
        int errors = 0, n = 0;
        FaultHook hook;
        for (; n == 0 || hook.hit(); ++n) {
            if (n > 0 && leftOut()) continue;
            std::string wrong;
            {
                const Gpu gpu;
                QVERIFY(gpu.chains);
                hook.arm(n, fault.code, fault.lasting);
                const Log log;
                wrong = lifeOf(job, gpu, hook, fault, errors);
            }
            const std::string where = hook.hit() ? hook.hit()->text() : "no fault";
            hook.disarm();
            if (wrong.empty()) wrong = whatIsLeft();
            QVERIFY2(wrong.empty(), (where + ": " + wrong).c_str());
        }
        qInfo("%d calls, %d errors", n - 1, errors);
        QVERIFY(n > 60);
        QVERIFY(errors > (fault.isMemory() && fault.lasting == Lasting::Once ? 0 : 20));
    }

    // Before each call in turn somebody asks to stop: it is heard, or all was done before.
    void stoppedWhilePreparing_data() { addPools(); }
    void stoppedWhilePreparing() {
        setPools();
        const ChainJob job;
        int cancelled = 0, n = 0;
        for (bool acted = true; acted; ++n) {
            {
                const Gpu gpu;
                std::stop_source stop;
                {
                    const ActAt at("", n, [&] { stop.request_stop(); });
                    const auto chain = job.prepare(*gpu.chains, {stop.get_token(), {}});
                    acted = at.acted();
                    if (!chain) {
                        QCOMPARE(chain.error().code, ErrorCode::Cancelled);
                        ++cancelled;
                    }
                }
                const ChainPtr chain = job.prepare(*gpu.chains).value();
                QCOMPARE(job.wrongWith(*gpu.chains, *chain, std::size_t(n)), std::string());
            }
            QCOMPARE(whatIsLeft(), std::string());
        }
        qInfo("%d of %d", cancelled, n);
        QVERIFY(cancelled > n / 2);
    }

    void stopsAreHeard() {
        const ChainJob job;
        {
            const Gpu gpu;
            const auto stoppedAt = [&](const char* call, auto&& work) {
                std::stop_source stop;
                const ActAt at(call, 0, [&] { stop.request_stop(); });
                const bool heard = work(RunContext{stop.get_token(), {}}) == ErrorCode::Cancelled;
                return heard && at.acted();
            };
            QVERIFY(stoppedAt("cudaStreamBeginCapture", [&](const RunContext& context) {
                const auto chain = job.prepare(*gpu.chains, context);
                return chain ? ErrorCode::Internal : chain.error().code;
            }));
            const ChainPtr chain = job.prepare(*gpu.chains).value();
            const auto runCode = [&](const RunContext& context) {
                const auto found = gpu.chains->runChain(*chain, context);
                return found ? ErrorCode::Internal : found.error().code;
            };
            QVERIFY(gpu.chains->fillChain(*chain, job.source(0), {}));
            QVERIFY(stoppedAt("cudaSetDevice", runCode));
            QVERIFY(stoppedAt("cudaGraphLaunch", runCode));
            QVERIFY(stoppedAt("cudaEventSynchronize", runCode));
            QCOMPARE(job.wrongWith(*gpu.chains, *chain, 1), std::string());
            // Of pixels that did not all come there is no result.
            std::stop_source stop;
            stop.request_stop();
            const RunContext stopped{stop.get_token(), {}};
            QCOMPARE(gpu.chains->fillChain(*chain, job.source(0), stopped).error().code,
                     ErrorCode::Cancelled);
            QCOMPARE(gpu.chains->runChain(*chain, {}).error().code, ErrorCode::InvalidArgument);
            QCOMPARE(gpu.chains->downloadChain(*chain, {}).error().code,
                     ErrorCode::InvalidArgument);
            QCOMPARE(job.wrongWith(*gpu.chains, *chain, 0), std::string());
        }
        QCOMPARE(whatIsLeft(), std::string());
    }

    // What the graph uses stays its own, whatever other steps need on the device.
    void othersRunInBetween_data() { addPools(); }
    void othersRunInBetween() {
        setPools();
        const ChainJob job;
        {
            const Gpu gpu;
            const ChainPtr chain = job.prepare(*gpu.chains).value();
            QCOMPARE(job.wrongWith(*gpu.chains, *chain, 0), std::string());
            // More constants than are kept, and more scratch memory.
            const Image large = makeNoise(PixelFormat::Gray8, {150, 100}, 3);
            const BufferPtr input = gpu.backend->upload(large, {}).value();
            for (const char* id : {"invert", "levels", "median", "box_mean", "threshold", "clahe",
                                   "curves", "unsharp_mask", "bilateral", "despeckle"}) {
                const PlanPtr plan = planFor(*findOperation(id), {}, large.format(), large.size());
                QVERIFY(gpu.backend->run(*plan, input, {}));
            }
            gpu.backend->trim();
            QCOMPARE(job.wrongWith(*gpu.chains, *chain, 1), std::string());
            // Two at a time.
            const ChainPtr other = job.prepare(*gpu.chains).value();
            QCOMPARE(job.wrongWith(*gpu.chains, *other, 0), std::string());
            QCOMPARE(job.wrongWith(*gpu.chains, *chain, 1), std::string());
        }
        QCOMPARE(whatIsLeft(), std::string());
    }

    // Another thread lets go of an image while the graph is made.
    void releasedMeanwhile_data() { addPools(); }
    void releasedMeanwhile() {
        setPools();
        const ChainJob job;
        {
            const Gpu gpu;
            BufferPtr dropped = gpu.backend->upload(job.source(0), {}).value();
            bool capturing = false;
            ChainPtr chain;
            cuda::setCallHook([&](const cuda::CallSite& site) {
                const std::string_view call(site.call);
                if (call.starts_with("cudaStreamBeginCapture")) capturing = true;
                // Where no lock is held.
                if (capturing && dropped && call.starts_with("cudaStreamIsCapturing"))
                    std::thread([&] { dropped.reset(); }).join();
                return cudaSuccess;
            });
            auto made = job.prepare(*gpu.chains);
            cuda::setCallHook({});
            QVERIFY(made);
            QVERIFY(!dropped);
            for (std::size_t i = 0; i < 3; ++i)
                QCOMPARE(job.wrongWith(*gpu.chains, **made, i), std::string());
        }
        QCOMPARE(whatIsLeft(), std::string());
    }

    void refused() {
        const ChainJob job;
        {
            const Gpu gpu, other;
            const auto codeOf = [&](const std::vector<PlanPtr>& filters, const PlanPtr& analysis) {
                const auto chain = gpu.chains->prepareChain(filters, analysis, {});
                return chain ? std::optional<ErrorCode>() : chain.error().code;
            };
            const PlanPtr& gray = job.filters()[0];
            QCOMPARE(codeOf({}, nullptr), ErrorCode::InvalidArgument);
            QCOMPARE(codeOf({gray, nullptr}, nullptr), ErrorCode::InvalidArgument);
            QCOMPARE(codeOf({gray, gray}, nullptr), ErrorCode::InvalidArgument);
            QCOMPARE(codeOf({gray}, job.analysis()), ErrorCode::InvalidArgument);
            QCOMPARE(codeOf({job.analysis()}, nullptr), ErrorCode::Unsupported);
            QCOMPARE(codeOf({gray}, job.filters()[1]), ErrorCode::Unsupported);
            const PlanPtr two =
                planFor(*findOperation("blend"), {}, gray->input, job.source(0).size());
            QCOMPARE(codeOf({two}, nullptr), ErrorCode::InvalidArgument);

            const ChainPtr chain = job.prepare(*gpu.chains).value();
            QCOMPARE(gpu.chains->runChain(*chain, {}).error().code, ErrorCode::InvalidArgument);
            QCOMPARE(gpu.chains->downloadChain(*chain, {}).error().code,
                     ErrorCode::InvalidArgument);
            for (const Image& image : {Image(), makeNoise(PixelFormat::Rgba8, {17, 23}, 1),
                                       makeNoise(PixelFormat::Gray8, job.source(0).size(), 1)})
                QCOMPARE(gpu.chains->fillChain(*chain, image, {}).error().code,
                         ErrorCode::InvalidArgument);
            QCOMPARE(other.chains->fillChain(*chain, job.source(0), {}).error().code,
                     ErrorCode::Internal);
            QCOMPARE(other.chains->runChain(*chain, {}).error().code, ErrorCode::Internal);
            QCOMPARE(job.wrongWith(*gpu.chains, *chain, 0), std::string());
        }
        QCOMPARE(whatIsLeft(), std::string());
    }

  private:
    // Two runs of a chain of which a call fails; then, with the fault over, all again.
    static std::string lifeOf(const ChainJob& job, const Gpu& gpu, FaultHook& hook,
                              const FaultKind& fault, int& errors) {
        auto chain = job.prepare(*gpu.chains);
        if (!chain)
            if (auto wrong = wrongError(chain.error(), hook, fault); !wrong.empty()) return wrong;
        errors += !chain;
        for (std::size_t i = 0; chain && i < 2; ++i) {
            const ChainJob::Outcome outcome = job.run(*gpu.chains, **chain, i);
            if (!outcome.wrong.empty()) return outcome.wrong;
            if (!outcome.error) continue;
            ++errors;
            if (auto wrong = wrongError(*outcome.error, hook, fault); !wrong.empty()) return wrong;
        }
        // For good, and known to the backend.
        if (cuda::earlierDeviceFault()) return fault.isForEver() ? "" : "a fault for good";
        hook.disarm();
        for (std::size_t i = 1; chain && i < 4; ++i)
            if (auto wrong = job.wrongWith(*gpu.chains, **chain, i); !wrong.empty())
                return "afterwards: " + wrong;
        auto anew = job.prepare(*gpu.chains);
        if (!anew) return "no chain afterwards: " + anew.error().message;
        return job.wrongWith(*gpu.chains, **anew, 0);
    }

    static std::string wrongError(const Error& error, const FaultHook& hook,
                                  const FaultKind& fault) {
        if (!hook.hit()) return "an error without a fault: " + error.message;
        const bool told = fault.isMemory() ? contains(error.message, "memory")
                                           : contains(error.message, cudaGetErrorName(fault.code));
        return told ? "" : "an error that does not explain: " + error.message;
    }
};

WARPSCOPE_TEST(ChainTest)
#include "chain_test.moc"
