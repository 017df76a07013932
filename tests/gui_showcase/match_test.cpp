// Two sides in turns: figures with a clock that moves only when told, failures, cancellation.
#include <QElapsedTimer>
#include <QTest>
#include <thread>

#include "gui/showcase/match_runner.h"
#include "gui_showcase/chain_of.h"
#include "pipeline/fake_backend.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using test::FakeBackend;
using test::FakeClock;
using test::FakeSet;

// Durations of a few milliseconds are no durations any more under the thread sanitizer.
#if defined(__SANITIZE_THREAD__)
#define SKIP_WHERE_TIME_IS_STRETCHED() QSKIP("figures are off under the thread sanitizer")
#else
#define SKIP_WHERE_TIME_IS_STRETCHED() static_cast<void>(0)
#endif

namespace {

MatchWork work(const char* step, Size size = {96, 64}) {
    MatchWork work;
    work.pipeline.steps.push_back(parseStep(step).value());
    work.size = size;
    return work;
}

MatchRunner::BackendFactory factoryOf(const BackendSet& set) {
    return [set] { return set; };
}

std::function<double(int)> always(double ms) {
    return [ms](int) { return ms; };
}

bool until(const MatchRunner& runner, const std::function<bool(const RunnerState&)>& there) {
    return waitedFor([&] { return there(runner.state()); }, test::kPatienceMs);
}

bool measured(const RunnerState& state) {
    return state.match.sides[0].times.frames >= 5 && state.match.sides[1].times.frames >= 5 &&
           state.match.agreement.has_value();
}

}  // namespace

class MatchTest : public QObject {
    Q_OBJECT
  private slots:
    void figuresComeOutRight();
    void neverAtTheSameTime();
    void longFramesAreSuspendedAndNotCharged();
    void lateThreadsAreWaitedForAndCharged();
    void warmUpIsLeftOut();
    void wrongPixelGivesNoSpeedup();
    void failureOfOneSideLeavesTheOther();
    void withoutGpuOneThreadAgainstAllCores();
    void leftSideCanBeOneThread();
    void pauseStopsBoth();
    void everyFrameDiffers();
    void otherWorkComesAtOnce();
    void problemsAreSaid();
    void leavingJoinsAndFrees();
    void turnsWaitForTheScreen();
};

void MatchTest::figuresComeOutRight() {
    SKIP_WHERE_TIME_IS_STRETCHED();
    FakeClock clock;
    const FakeSet set(true, &clock);
    set.cpu->kernelMs = always(40);
    set.cuda->kernelMs = always(5);
    set.cuda->uploadMs = 1;
    set.cuda->downloadMs = 2;
    MatchRunner runner(factoryOf(set.set()), nullptr, clock);
    runner.show(work("median"));
    const auto near = [](double value, double expected) {
        return std::abs(value - expected) <= 0.05 * expected;
    };
    // The first frames of a busy machine may be charged for a turn that ended late; medians get
    // over it, and wrong figures stay wrong.
    QVERIFY(until(runner, [&](const RunnerState& s) {
        const auto& [left, right] = s.match.sides;
        return measured(s) && near(left.times.framesPerSecond(), 25) &&
               near(right.times.framesPerSecond(), 125) && near(right.times.median.kernelMs, 5) &&
               near(right.times.median.uploadMs, 1) && near(right.times.median.downloadMs, 2) &&
               near(speedupOf(s.match).endToEnd.value, 5) &&
               near(speedupOf(s.match).kernelsOnly.value, 8);
    }));
    const MatchState state = runner.state().match;
    QCOMPARE(state.agreement->agreement.verdict, Verdict::Identical);
}

void MatchTest::neverAtTheSameTime() {
    FakeClock clock;
    const FakeSet set(true, &clock);
    std::atomic<int> inside{0}, most{0};
    const auto alone = [&](int) {
        most = std::max(most.load(), ++inside);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        --inside;
    };
    for (const auto& side : {set.cpu, set.cuda}) {
        side->kernelMs = always(7);
        side->duringRun = alone;
    }
    MatchRunner runner(factoryOf(set.set()), nullptr, clock);
    runner.show(work("grayscale"));
    QVERIFY(until(runner, [](const RunnerState& s) {
        return s.match.sides[0].frames > 30 && s.match.sides[1].frames > 30;
    }));
    QCOMPARE(most.load(), 1);
}

// The slow side's clock jumps at the start of its frame; at its first row band it is suspended, and
// what the other side does then is not charged to it.
void MatchTest::longFramesAreSuspendedAndNotCharged() {
    FakeClock clock;
    const FakeSet set(true, &clock);
    set.cpu->kernelMs = always(5000);
    set.cuda->kernelMs = always(20);
    MatchRunner runner(factoryOf(set.set()), nullptr, clock);
    runner.show(work("gaussian_blur", {256, 256}));
    QVERIFY(until(runner, [](const RunnerState& s) {
        return s.match.sides[0].frames >= 4 && s.match.sides[1].frames > 4;
    }));
    const MatchState state = runner.state().match;
    QCOMPARE(state.sides[0].times.median.totalMs, 5000.0);
    QCOMPARE(state.sides[1].times.median.totalMs, 20.0);
}

// A frame on two threads: one notices that the turn is over, the other is in a row band for 100 ms
// more. The other side waits for it, and the frame is charged half of it.
void MatchTest::lateThreadsAreWaitedForAndCharged() {
    FakeClock clock;
    std::stop_source stop;
    Turns turns(clock, {2, 1}, stop.get_token(), nullptr);
    turns.pass(1);  // which is first
    QVERIFY(turns.wait(0));
    turns.beginFrame(0);
    turns.breathe(0);  // not yet
    clock.advanceMs(400);
    std::atomic<bool> otherBegan{false};
    std::thread first([&] { turns.breathe(0); });
    std::thread other([&] {
        if (turns.wait(1)) otherBegan = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    QVERIFY(!otherBegan);
    QCOMPARE(turns.frameMs(0), 400.0);
    clock.advanceMs(100);
    std::thread second([&] { turns.breathe(0); });
    other.join();
    QVERIFY(otherBegan);
    QCOMPARE(turns.frameMs(0), 450.0);
    clock.advanceMs(7000);  // the other side's time
    turns.pass(1);
    first.join();
    second.join();
    clock.advanceMs(5);
    QCOMPARE(turns.endFrame(0), 455.0);

    // Threads that never come, because nothing is left for them, are not waited for without end.
    turns.beginFrame(0);
    clock.advanceMs(1000);
    std::thread alone([&] { turns.breathe(0); });
    QVERIFY(turns.wait(1));
    stop.request_stop();
    alone.join();
    QVERIFY(!turns.wait(0));
}

void MatchTest::warmUpIsLeftOut() {
    FakeClock clock;
    const FakeSet set(true, &clock);
    set.cpu->kernelMs = [](int run) { return run == 0 ? 900.0 : 10.0; };
    set.cuda->kernelMs = [](int run) { return run == 0 ? 500.0 : 4.0; };
    MatchRunner runner(factoryOf(set.set()), nullptr, clock);
    runner.show(work("median"));
    QVERIFY(until(runner, measured));
    const MatchState state = runner.state().match;
    QCOMPARE(state.sides[0].times.median.totalMs, 10.0);
    QCOMPARE(state.sides[1].times.median.totalMs, 4.0);
    // Not even among the samples.
    QVERIFY(state.sides[0].frames < std::uint64_t(set.cpu->runs.load()));
}

void MatchTest::wrongPixelGivesNoSpeedup() {
    FakeClock clock;
    const FakeSet set(true, &clock);
    for (const auto& side : {set.cpu, set.cuda}) side->kernelMs = always(8);
    set.cuda->wrongPixel = true;
    MatchRunner runner(factoryOf(set.set()), nullptr, clock);
    runner.show(work("median"));
    QVERIFY(until(runner, measured));
    const MatchState state = runner.state().match;
    QCOMPARE(state.agreement->agreement.verdict, Verdict::Differs);
    QCOMPARE(state.agreement->agreement.differing, std::uint64_t(1));
    QCOMPARE(state.agreement->agreement.firstY, 32);
    QCOMPARE(speedupOf(state).endToEnd.value, 0.0);
    QCOMPARE(speedupOf(state).kernelsOnly.value, 0.0);
    // The next operation is compared anew.
    const auto next = runner.show(work("grayscale"));
    QVERIFY(until(runner, [&](const RunnerState& s) { return s.work == next && measured(s); }));
    QCOMPARE(runner.state().match.agreement->step, std::string("grayscale"));
}

void MatchTest::failureOfOneSideLeavesTheOther() {
    FakeClock clock;
    const FakeSet set(true, &clock);
    for (const auto& side : {set.cpu, set.cuda}) side->kernelMs = always(8);
    set.cuda->unsupported = "grayscale";
    set.cuda->failure =
        FakeBackend::Failure{40, {ErrorCode::OutOfMemory, "no memory left on the GPU"}, true};
    MatchRunner runner(factoryOf(set.set()), nullptr, clock);
    runner.show(work("median"));
    QVERIFY(until(runner, [](const RunnerState& s) { return !s.match.sides[1].failure.empty(); }));
    QCOMPARE(runner.state().match.sides[1].failure, std::string("no memory left on the GPU"));
    const auto before = runner.state().match.sides[0].frames;
    QVERIFY(
        until(runner, [&](const RunnerState& s) { return s.match.sides[0].frames > before + 20; }));
    QVERIFY(runner.state().match.sides[0].failure.empty());
    QCOMPARE(speedupOf(runner.state().match).endToEnd.value, 0.0);

    const auto next = runner.show(work("grayscale"));
    QVERIFY(until(runner, [&](const RunnerState& s) {
        return s.work == next && !s.match.sides[1].failure.empty();
    }));
    QCOMPARE(runner.state().match.sides[1].failure, std::string("grayscale has no fake kernel"));
}

void MatchTest::withoutGpuOneThreadAgainstAllCores() {
    SKIP_WHERE_TIME_IS_STRETCHED();
    FakeClock clock;
    const FakeSet set(false, &clock);
    set.cpuSingle->kernelMs = always(30);
    set.cpu->kernelMs = always(10);
    MatchRunner runner(factoryOf(set.set()), nullptr, clock);
    runner.show(work("median"));
    // A factor needs more frames than being measured does.
    QVERIFY(until(runner, [](const RunnerState& s) {
        return measured(s) && speedupOf(s.match).endToEnd.value > 0;
    }));
    const RunnerState state = runner.state();
    QVERIFY(!state.hasGpu);
    QCOMPARE(state.noGpu, std::string("no NVIDIA driver is installed"));
    QCOMPARE(state.left->kind, BackendKind::CpuSingle);
    QCOMPARE(state.right->kind, BackendKind::Cpu);
    QCOMPARE(speedupOf(state.match).endToEnd.value, 3.0);
    QCOMPARE(speedupOf(state.match).kernelsOnly.value, 0.0);
}

void MatchTest::leftSideCanBeOneThread() {
    FakeClock clock;
    const FakeSet set(true, &clock);
    for (const auto& side : {set.cpuSingle, set.cpu, set.cuda}) side->kernelMs = always(6);
    MatchRunner runner(factoryOf(set.set()), nullptr, clock);
    MatchWork single = work("median");
    single.left = BackendKind::CpuSingle;
    runner.show(single);
    QVERIFY(until(runner, measured));
    QCOMPARE(runner.state().left->kind, BackendKind::CpuSingle);
    QCOMPARE(runner.state().right->kind, BackendKind::Cuda);
    QCOMPARE(set.cpu->runs.load(), 0);
}

void MatchTest::pauseStopsBoth() {
    FakeClock clock;
    const FakeSet set(true, &clock);
    for (const auto& side : {set.cpu, set.cuda}) side->kernelMs = always(8);
    MatchRunner runner(factoryOf(set.set()), nullptr, clock);
    runner.show(work("median"));
    QVERIFY(until(runner, measured));
    runner.setPaused(true);
    QVERIFY(test::comesToRest([&] { return set.cpu->runs + set.cuda->runs; }));
    const int runs = set.cpu->runs + set.cuda->runs;
    clock.advanceMs(60000);  // a minute that belongs to no frame
    runner.setPaused(false);
    QVERIFY(
        waitedFor([&] { return set.cpu->runs + set.cuda->runs > runs + 40; }, test::kPatienceMs));
    QCOMPARE(runner.state().match.sides[0].times.median.totalMs, 8.0);
}

void MatchTest::everyFrameDiffers() {
    // A backend that remembers what it was given, by content.
    class Remembering final : public Backend {
      public:
        explicit Remembering(BackendKind kind) : m_inner(makeCpuBackend(Threading::Single)) {
            m_info = m_inner->info();
            m_info.kind = kind;
        }
        std::atomic<int> frames{0};
        std::atomic<int> repeated{0};
        const BackendInfo& info() const override { return m_info; }
        Result<void> supports(const Plan&) const override { return {}; }
        Result<BufferPtr> upload(const Image& image, const RunContext& c) override {
            const std::uint64_t hash = contentHash(image);
            if (hash == m_last) ++repeated;
            m_last = hash;
            ++frames;
            return m_inner->upload(image, c);
        }
        Result<BufferPtr> run(const Plan& plan, const StepBuffers& in,
                              const RunContext& c) override {
            return m_inner->run(plan, in, c);
        }
        Result<AnalysisResult> analyze(const Plan& plan, const StepBuffers& in,
                                       const RunContext& c) override {
            return m_inner->analyze(plan, in, c);
        }
        Result<Image> download(const BufferPtr& b, const RunContext& c) override {
            return m_inner->download(b, c);
        }
        Result<void> synchronize() override { return {}; }
        void setRecording(Recording) override {}
        Result<std::vector<Span>> takeSpans() override { return std::vector<Span>(); }
        std::uint64_t memoryAvailable() const override { return 0; }

      private:
        std::unique_ptr<Backend> m_inner;
        BackendInfo m_info;
        std::uint64_t m_last = 0;
    };
    auto single = std::make_shared<Remembering>(BackendKind::CpuSingle);
    auto cores = std::make_shared<Remembering>(BackendKind::Cpu);
    MatchRunner runner(factoryOf({single, cores, nullptr, "no GPU in this test"}), nullptr);
    runner.show(work("grayscale", {64, 64}));
    QVERIFY(
        waitedFor([&] { return single->frames > 300 && cores->frames > 300; }, test::kPatienceMs));
    QCOMPARE(single->repeated.load(), 0);
    QCOMPARE(cores->repeated.load(), 0);
}

void MatchTest::otherWorkComesAtOnce() {
    MatchRunner runner(factoryOf(BackendSet::cpuOnly("no GPU in this test")), nullptr);
    // A frame of minutes on one thread.
    runner.show(work("nl_means:search_radius=20,patch_radius=7", {2048, 2048}));
    QVERIFY(until(runner, [](const RunnerState& s) { return s.match.sides[0].frameMs > 200; }));
    QVERIFY(until(runner, [](const RunnerState& s) { return s.match.sides[1].frameMs > 200; }));
    QVERIFY(until(runner, [](const RunnerState& s) { return s.match.sides[0].frameProgress > 0; }));
    QElapsedTimer watch;
    watch.start();
    const auto next = runner.show(work("grayscale", {64, 64}));
    QVERIFY(until(runner, [&](const RunnerState& s) {
        return s.work == next && s.phase == RunnerState::Phase::Running;
    }));
    qInfo("other work after %lld ms", static_cast<long long>(watch.elapsed()));
    QVERIFY(watch.elapsed() < 30000);  // of minutes
}

void MatchTest::problemsAreSaid() {
    MatchRunner runner(factoryOf(BackendSet::cpuOnly("no GPU in this test")), nullptr);
    MatchWork none = work("median");
    none.pipeline.steps[0].enabled = false;
    runner.show(none);
    QVERIFY(
        until(runner, [](const RunnerState& s) { return s.phase == RunnerState::Phase::Failed; }));
    QVERIFY(!runner.state().problem.empty());
    runner.show(work("median", {kMaxSide, kMaxSide}));
    QVERIFY(until(runner, [](const RunnerState& s) {
        return s.work == 2 && s.phase == RunnerState::Phase::Failed;
    }));
    runner.show(work("median"));
    QVERIFY(until(runner, [](const RunnerState& s) {
        return s.work == 3 && s.match.sides[0].times.frames > 0;
    }));
    QVERIFY(runner.state().problem.empty());
}

void MatchTest::leavingJoinsAndFrees() {
    FakeClock clock;
    std::weak_ptr<Backend> cpu, cuda;
    std::shared_ptr<FakeBackend> kept;
    {
        FakeSet set(true, &clock);
        for (const auto& side : {set.cpu, set.cuda}) side->kernelMs = always(8);
        cpu = set.cpu;
        cuda = set.cuda;
        kept = set.cuda;
        BackendSet backends = set.set();
        set.cpu.reset();
        set.cpuSingle.reset();
        set.cuda.reset();
        // Given away: the runner has the only ones.
        MatchRunner runner([&backends] { return std::exchange(backends, {}); }, nullptr, clock);
        runner.show(work("median"));
        QVERIFY(until(runner, measured));
    }
    QVERIFY(cpu.expired());
    QCOMPARE(kept.use_count(), 1L);
    QCOMPARE(kept->trims, 1);
    QVERIFY(!kept->recording());
    // Also while a frame of minutes is under way, before backends are there, and at once.
    {
        MatchRunner runner(factoryOf(BackendSet::cpuOnly("none")), nullptr);
        runner.show(work("nl_means:search_radius=20,patch_radius=7", {2048, 2048}));
        QVERIFY(until(runner, [](const RunnerState& s) { return s.match.sides[0].frameMs > 50; }));
        runner.setPaused(true);
    }
    QElapsedTimer watch;
    watch.start();
    {
        MatchRunner runner(factoryOf(BackendSet::cpuOnly("none")), nullptr);
        runner.show(work("median", {7680, 4320}));
    }
    { MatchRunner runner(factoryOf(BackendSet::cpuOnly("none")), nullptr); }
    QVERIFY(watch.elapsed() < 30000);  // of minutes
}

void MatchTest::turnsWaitForTheScreen() {
    FakeClock clock;
    const FakeSet set(true, &clock);
    for (const auto& side : {set.cpu, set.cuda}) side->kernelMs = always(20);
    std::atomic<int> news{0};
    std::atomic<int> inside{0};
    std::atomic<int> disturbed{0};
    for (const auto& side : {set.cpu, set.cuda}) {
        side->duringRun = [&](int) {
            ++inside;
            std::this_thread::sleep_for(std::chrono::microseconds(100));
            --inside;
        };
    }
    MatchRunner runner(
        factoryOf(set.set()), [&] { ++news; }, clock);
    runner.setPictureSize({40, 30});
    runner.show(work("median"));
    // A screen that is drawn on another thread, as the window does it.
    std::uint64_t drawn = 0;
    QElapsedTimer watch;
    watch.start();
    while (runner.state().match.sides[1].frames < 40 && watch.elapsed() < test::kPatienceMs) {
        const std::uint64_t drawing = runner.state().drawing;
        if (drawing == drawn) continue;
        // Until it is drawn nobody computes.
        int seen = 0;
        const qint64 before = watch.elapsed();
        for (int i = 0; i < 20; ++i) seen += inside;
        // Unless this thread slept so long that they were right to go on.
        if (watch.elapsed() - before < 20) disturbed += seen;
        runner.drawn(drawn = drawing);
    }
    QVERIFY(runner.state().match.sides[1].frames >= 40);
    QVERIFY(news > 10);
    QCOMPARE(disturbed.load(), 0);
    const MatchState state = runner.state().match;
    for (const SideState& side : state.sides) {
        QVERIFY(!side.pictureIsSource);
        QCOMPARE(side.picture.size(), (Size{40, 30}));
    }
}

WARPSCOPE_TEST(MatchTest)
#include "match_test.moc"
