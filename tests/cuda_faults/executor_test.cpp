// Every call of the CUDA runtime in the life of a backend is made to fail, one after the other and
// with each kind of code, while an executor works with it: the result has the CPU's bits, the
// reports say where it was made and why, the next work goes on, and nothing stays behind. On a fake
// runtime: needs neither a GPU nor CUDA.
#include <optional>
#include <random>
#include <set>
#include <thread>

#include "cuda_faults/faulty_life.h"
#include "cuda_faults/large_runs.h"
#include "cuda_faults/part_runs.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

// With the address and thread sanitizers every block goes back to the system, so that no result is
// ever page-locked.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static constexpr bool kStorageIsKept = false;
#else
static constexpr bool kStorageIsKept = true;
#endif

class ExecutorTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        setFakeGpu({});
        QCOMPARE(whatIsLeft(), std::string());
    }
    void cleanup() { setLogSink({}); }

    // The fake itself: without a fault everything runs on it and has the right bits.
    void withoutFaults_data() { addMachines(); }
    void withoutFaults() {
        const Job job = jobOfRow();
        FaultHook hook;
        int fellBack = 0;
        const std::string wrong = job.live(hook, -1, kKinds[0], fellBack);
        REQUIRE_SAME(wrong);
        QCOMPARE(fellBack, 0);
        QVERIFY(hook.calls() > 100);
    }

    void everyCall_data() { addKinds(true); }
    void everyCall() {
        QFETCH(int, kind);
        const FaultKind& fault = kKinds[kind];
        const Job job = jobOfRow();
        FaultHook hook;
        int ignored = 0;
        REQUIRE_SAME(job.live(hook, -1, fault, ignored));
        const int calls = hook.calls();
        int hits = 0;
        int fellBack = 0;
        for (int n = 0; n < calls; ++n) {
            if (leftOut()) continue;
            REQUIRE_SAME(job.live(hook, n, fault, fellBack));
            ++hits;
        }
        qInfo("%d of %d calls failed, %d runs fell back", hits, calls, fellBack);
        // Where memory lacks once, it is asked for again but while a backend is being made; where
        // only some calls fail, those may not be among them.
        const bool triedAgain = fault.isMemory() && fault.lasting == Lasting::Once;
        const int least = !triedAgain ? hits / 5 : hits == calls ? 1 : 0;
        QVERIFY(fellBack >= least);
    }

    // One backend and one executor for all: what a fault leaves behind must not come up later.
    void oneAfterTheOther_data() { addKinds(false); }
    void oneAfterTheOther() {
        QFETCH(int, kind);
        const FaultKind& fault = kKinds[kind];
        const Job job = jobOfRow();
        FaultHook hook;
        {
            Executor executor(fakeBackends(), kFaultsBudget);
            QVERIFY(executor.backends().cuda);
            int n = 0;
            int fellBack = 0;
            do {
                executor.clearCache();
                hook.arm(n, fault.code, fault.lasting);
                const std::string wrong =
                    job.checkRun(executor, hook, fault, job.pipeline(), job.expected(), fellBack);
                const auto hit = hook.hit();
                hook.disarm();
                QVERIFY2(wrong.empty(), ((hit ? hit->text() : "no fault") + ": " + wrong).c_str());
                if (!hit) break;
            } while (++n);
            QVERIFY(n > 50);
            executor.clearCache();
            const auto last = executor.run(job.request(job.pipeline()), {});
            QCOMPARE(last->steps.back().backend, BackendKind::Cuda);
            compareSamples(job.expected(), last->image, "after all of them");
        }
        QCOMPARE(whatIsLeft(), std::string());
    }

    // Several pieces of page-locked memory are on their way at once, or the images themselves are
    // page-locked: a call fails. Images take turns, so that what an earlier one left there shows.
    void largeTransfers_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("inPlace");
        for (std::size_t i = 0; i < std::size(kKinds); ++i)
            if (kKinds[i].lasting == Lasting::Once)
                for (const bool inPlace : {false, true})
                    QTest::addRow("%s, %s", kKinds[i].name, inPlace ? "in place" : "in pieces")
                        << int(i) << inPlace;
    }
    void largeTransfers() {
        QFETCH(int, kind);
        QFETCH(bool, inPlace);
        const FaultKind& fault = kKinds[kind];
        const LargeRuns runs(inPlace);
        FaultHook hook;
        {
            Executor executor(fakeBackends(), kFaultsBudget);
            const std::int64_t pieces = cuda::liveResources().pinnedBytes;
            for (int i = 0; inPlace && i < 8; ++i)
                QCOMPARE(runs.check(executor, i % 2, BackendKind::Cuda), std::string());
            QCOMPARE(cuda::liveResources().pinnedBytes > pieces, inPlace);
            int n = 0;
            for (; n == 0 || hook.hit(); ++n) {
                const int i = n % 2;
                hook.arm(n, fault.code, fault.lasting);
                std::string wrong = runs.check(executor, i, std::nullopt);
                hook.disarm();
                if (wrong.empty()) wrong = runs.check(executor, 1 - i, BackendKind::Cuda);
                const std::string where = hook.hit() ? hook.hit()->text() : "no fault";
                QVERIFY2(wrong.empty(), (where + ": " + wrong).c_str());
            }
            QVERIFY(n > (inPlace ? 10 : 30));
            QCOMPARE(cuda::liveResources().pinnedBytes > pieces, inPlace);
        }
        QCOMPARE(whatIsLeft(), std::string());
    }

    // Copies and work of parts are side by side, in three streams: a call fails.
    void parts_data() {
        QTest::addColumn<int>("kind");
        for (std::size_t i = 0; i < std::size(kKinds); ++i)
            if (!kKinds[i].isForEver()) QTest::newRow(kKinds[i].name) << int(i);
    }
    void parts() {
        QFETCH(int, kind);
        const FaultKind& fault = kKinds[kind];
        const PartRuns job;
        QCOMPARE(job.parts(), 2);
        FaultHook hook;
        {
            const BackendPtr gpu = fakeBackends().cuda;
            QVERIFY(gpu);
            int runs = 0;
            for (int i = 0; i < 6; ++i) QCOMPARE(job.check(*gpu, i % 2, runs), std::string());
            QCOMPARE(runs, kStorageIsKept ? job.parts() : 1);
            int n = 0;
            for (; n == 0 || hook.hit(); ++n) {
                const int i = n % 2;
                hook.arm(n, fault.code, fault.lasting);
                std::string wrong = job.check(*gpu, i, runs, true);
                hook.disarm();
                if (wrong.empty()) wrong = job.check(*gpu, 1 - i, runs);
                const std::string where = hook.hit() ? hook.hit()->text() : "no fault";
                QVERIFY2(wrong.empty(), (where + ": " + wrong).c_str());
            }
            QVERIFY(n > 20);
            QCOMPARE(runs, kStorageIsKept ? job.parts() : 1);
        }
        QCOMPARE(whatIsLeft(), std::string());
    }

    // Memory that the system does not lock is used as it is; what is locked is unlocked before the
    // system gets it back, by whichever thread.
    void pageLocks() {
        const LargeRuns runs(true);
        FaultHook hook;
        {
            Executor executor(fakeBackends(), kFaultsBudget);
            const std::int64_t pieces = cuda::liveResources().pinnedBytes;
            hook.armAt("cudaHostRegister", cudaErrorMemoryAllocation, Lasting::SamePlace);
            const Log log;
            for (int i = 0; i < 8; ++i)
                QCOMPARE(runs.check(executor, i % 2, BackendKind::Cuda), std::string());
            QVERIFY(hook.hit());
            QVERIFY(log.tells("not page-locked"));
            QCOMPARE(cuda::liveResources().pinnedBytes, pieces);
            hook.disarm();

            std::optional<LargeRuns> others(std::in_place, true);
            for (int i = 0; i < 8; ++i)
                QCOMPARE(others->check(executor, i % 2, BackendKind::Cuda), std::string());
            QVERIFY(cuda::liveResources().pinnedBytes > pieces);
            std::thread([&] {
                others.reset();
                trimStorage();
            }).join();
            QCOMPARE(cuda::liveResources().pinnedBytes, pieces);
        }
        QCOMPARE(whatIsLeft(), std::string());
    }

    // With all kernels launched once, as the programs make it: a call of each place, and others.
    void warmUp() {
        FaultHook hook;
        hook.arm(-1, cudaSuccess, Lasting::Once);
        QVERIFY(makeBackends().cuda);
        std::mt19937 random(freshSeed());
        const std::set<int> chosen = hook.someOfEachPlace(random, 20);
        qInfo("%d calls, %d fail", hook.calls(), int(chosen.size()));
        int missing = 0;
        for (const int n : chosen) {
            if (leftOut()) continue;
            const FaultKind& fault = kKinds[random() % std::size(kKinds)];
            const Log log;
            hook.arm(n, fault.code, fault.lasting);
            bool there = false;
            {
                const BackendSet set = makeBackends();
                there = set.cuda != nullptr;
                m_reason = set.cudaUnavailable;
            }
            hook.disarm();
            const auto hit = hook.hit();
            QVERIFY2(hit, m_reason.c_str());
            missing += !there;
            if (!there)
                QVERIFY2(explainsMissing(m_reason, fault) || explains(m_reason, fault),
                         (hit->text() + ": " + m_reason).c_str());
            else
                QVERIFY2(hit->quiet || hit->call == "cudaRuntimeGetVersion" || fault.isMemory(),
                         hit->text().c_str());
            const std::string left = whatIsLeft();
            QVERIFY2(left.empty(), (hit->text() + ": " + left).c_str());
        }
        QVERIFY(missing > 0);
    }

    // Truly too little, as another program leaves it, until that ends.
    void littleMemory() {
        FakeGpu gpu;
        gpu.memory = 3 << 20;
        setFakeGpu(gpu);
        {
            Executor executor(fakeBackends(), kFaultsBudget);
            ExecuteRequest request;
            request.source = makeNoise(PixelFormat::Rgba8, {1000, 1000}, 5);
            request.pipeline = chain({"median", "equalize"});
            request.backend = BackendChoice::Cuda;
            Executor cpu(BackendSet::cpuOnly("none"), kFaultsBudget);
            const Image expected = cpu.run(request, {}).value().image;
            const auto without = executor.run(request, {});
            QVERIFY(without);
            compareSamples(expected, without->image, "without memory");
            for (const StepReport& step : without->steps)
                if (step.backend != BackendKind::Cuda)
                    QVERIFY2(explains(step.fallbackReason, kKinds[1]), step.fallbackReason.c_str());
            gpu.memory = std::uint64_t(256) << 20;
            setFakeGpu(gpu);
            executor.clearCache();
            const auto with = executor.run(request, {});
            for (const StepReport& step : with->steps) {
                QCOMPARE(step.backend, BackendKind::Cuda);
                QCOMPARE(step.fallbackReason, std::string());
            }
            compareSamples(expected, with->image, "with memory");
        }
        QCOMPARE(whatIsLeft(), std::string());
    }

    // One of two tells nothing of itself: it is named, and the other computes.
    void oneOfTwoCannotBeRead() {
        FakeGpu gpu;
        gpu.devices = 2;
        setFakeGpu(gpu);
        for (const std::size_t mute : {0u, 1u}) {
            cuda::setCallHook([mute, asked = 0u](const cuda::CallSite& site) mutable {
                const bool properties =
                    std::string_view(site.call).starts_with("cudaGetDeviceProperties");
                return properties && asked++ == mute ? cudaErrorUnknown : cudaSuccess;
            });
            {
                Executor executor(fakeBackends(), kFaultsBudget);
                const BackendSet& set = executor.backends();
                QVERIFY2(set.cuda, set.cudaUnavailable.c_str());
                QCOMPARE(set.gpus.size(), std::size_t(2));
                QCOMPARE(set.gpus[mute].name, "GPU " + std::to_string(mute));
                QVERIFY(contains(set.gpus[mute].whyNot, "its properties cannot be read"));
                QCOMPARE(set.gpus[1 - mute].whyNot, std::string());
                QCOMPARE(set.cuda->info().uuid, set.gpus[1 - mute].uuid);
                ExecuteRequest request;
                request.source = makeNoise(PixelFormat::Gray8, {53, 37}, 3);
                request.pipeline = chain({"invert"});
                request.backend = BackendChoice::Cuda;
                const auto done = executor.run(request, {});
                QVERIFY(done);
                QCOMPARE(done->steps[0].backend, BackendKind::Cuda);
                Executor cpu(BackendSet::cpuOnly("none"), kFaultsBudget);
                compareSamples(cpu.run(request, {}).value().image, done->image, "the other one");
            }
            cuda::setCallHook({});
            QCOMPARE(whatIsLeft(), std::string());
        }
    }

  private:
    std::string m_reason;  // why there is no GPU

    static void addMachines() {
        QTest::addColumn<bool>("pools");
        QTest::addColumn<int>("format");
        QTest::newRow("pools, 8 bits") << true << int(PixelFormat::Rgba8);
        QTest::newRow("own blocks, 16 bits") << false << int(PixelFormat::Gray16);
    }
    static void addKinds(bool forEver) {
        QTest::addColumn<bool>("pools");
        QTest::addColumn<int>("format");
        QTest::addColumn<int>("kind");
        for (const bool pools : {true, false})
            for (std::size_t i = 0; i < std::size(kKinds); ++i)
                if (forEver || !kKinds[i].isForEver())
                    QTest::addRow("%s, %s", kKinds[i].name, pools ? "pools" : "own blocks")
                        << pools << int(pools ? PixelFormat::Rgba8 : PixelFormat::Gray16) << int(i);
    }
    static Job jobOfRow() {
        QFETCH(bool, pools);
        QFETCH(int, format);
        FakeGpu gpu;
        gpu.pools = pools;
        setFakeGpu(gpu);
        return Job(PixelFormat(format));
    }
};

WARPSCOPE_TEST(ExecutorTest)
#include "executor_test.moc"
