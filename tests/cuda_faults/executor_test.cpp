// Every call of the CUDA runtime in the life of a backend is made to fail, one after the other and
// with each kind of code, while an executor works with it: the result has the CPU's bits, the
// reports say where it was made and why, the next work goes on, and nothing stays behind. On a fake
// runtime: needs neither a GPU nor CUDA.
#include <random>
#include <set>

#include "cuda_faults/faulty_life.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

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

    // Several pieces of page-locked memory are on their way at once: one of them fails. Images take
    // turns, so that what an earlier one left there shows.
    void largeTransfers_data() {
        QTest::addColumn<int>("kind");
        for (std::size_t i = 0; i < std::size(kKinds); ++i)
            if (kKinds[i].lasting == Lasting::Once) QTest::newRow(kKinds[i].name) << int(i);
    }
    void largeTransfers() {
        QFETCH(int, kind);
        const FaultKind& fault = kKinds[kind];
        constexpr Size kThreePieces{4096, 2100};
        ExecuteRequest requests[2];
        Image expected[2];
        Executor cpu(BackendSet::cpuOnly("none"), kFaultsBudget);
        for (const int i : {0, 1}) {
            requests[i].source = makeNoise(PixelFormat::Gray8, kThreePieces, unsigned(i));
            requests[i].pipeline = chain({"invert"});
            requests[i].backend = BackendChoice::Cuda;
            // Reading spans would wait for what a failed transfer left in the stream.
            requests[i].recording = Recording::Off;
            expected[i] = cpu.run(requests[i], {}).value().image;
        }
        FaultHook hook;
        {
            Executor executor(fakeBackends(), kFaultsBudget);
            int n = 0;
            for (; n == 0 || hook.hit(); ++n) {
                const int i = n % 2;
                executor.clearCache();
                hook.arm(n, fault.code, fault.lasting);
                const auto done = executor.run(requests[i], {});
                hook.disarm();
                const std::string where = hook.hit() ? hook.hit()->text() : "no fault";
                QVERIFY2(done, where.c_str());
                const std::string first = firstDifference(expected[i], done->image);
                QVERIFY2(first.empty(), (where + ": " + first).c_str());
                executor.clearCache();
                const auto again = executor.run(requests[1 - i], {});
                QVERIFY2(again, where.c_str());
                const std::string second = firstDifference(expected[1 - i], again->image);
                QVERIFY2(second.empty(), (where + ", then: " + second).c_str());
                QCOMPARE(again->steps[0].backend, BackendKind::Cuda);
            }
            QVERIFY(n > 30);
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
