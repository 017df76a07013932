// Rows of another library: how many there are, and that none keeps a stop waiting.
#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>
#include <filesystem>
#include <set>

#include "engine/measure/benchmark.h"
#include "engine/measure/peers.h"
#include "engine/report/peer_table.h"
#include "engine/report/report_text.h"
#include "measure/sleeping_backend.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// Another library as a test wants it: what it takes, and as long as it is said to take.
class SleepingPeer final : public PeerBackend {
  public:
    SleepingPeer(BackendKind kind, FakeClock& clock) : m_inner(kind, clock) {
        m_inner.kernelMs = [this](int) { return nsPerPixel * double(m_pixels) * 1e-6; };
    }

    // What a test sets.
    double nsPerPixel = 10;
    std::set<std::string> known;  // operations
    std::function<void()> duringRun;

    int runs = 0;
    double longestCallMs = 0;

    void setParameters(const ParamSet&) override {}
    const BackendInfo& info() const override { return m_inner.info(); }
    std::uint64_t cacheBytes() const override { return m_inner.cacheBytes(); }
    Result<void> supports(const Plan& plan) const override {
        if (known.contains(plan.operation->description().id)) return {};
        return fail(ErrorCode::Unsupported, "nothing alike");
    }
    Result<BufferPtr> upload(const Image& image, const RunContext& context) override {
        return m_inner.upload(image, context);
    }
    // Deaf: the context goes nowhere.
    Result<BufferPtr> run(const Plan& plan, const StepBuffers& input, const RunContext&) override {
        note(plan);
        return m_inner.run(plan, input, {});
    }
    Result<AnalysisResult> analyze(const Plan& plan, const StepBuffers& input,
                                   const RunContext&) override {
        note(plan);
        return m_inner.analyze(plan, input, {});
    }
    Result<Image> download(const BufferPtr& buffer, const RunContext& context) override {
        return m_inner.download(buffer, context);
    }
    Result<void> synchronize() override { return m_inner.synchronize(); }
    void setRecording(Recording recording) override { m_inner.setRecording(recording); }
    Result<std::vector<Span>> takeSpans() override { return m_inner.takeSpans(); }
    std::uint64_t memoryAvailable() const override { return 0; }

  private:
    void note(const Plan& plan) {
        ++runs;
        m_pixels = plan.size.pixels();
        longestCallMs = std::max(longestCallMs, nsPerPixel * double(m_pixels) * 1e-6);
        if (duringRun) duringRun();
    }

    SleepingBackend m_inner;
    std::int64_t m_pixels = 0;
};

// A library on a GPU: results come from our code, times from the test.
std::shared_ptr<SleepingPeer> sleepingGpu(FakeClock& clock, const std::set<std::string>& known) {
    auto gpu = std::make_shared<SleepingPeer>(BackendKind::Cuda, clock);
    gpu->known = known;
    return gpu;
}

struct SleepingPeers {
    std::shared_ptr<SleepingPeer> single;
    std::shared_ptr<SleepingPeer> cores;
    SleepingPeers(FakeClock& clock, const std::set<std::string>& known)
        : single(std::make_shared<SleepingPeer>(BackendKind::CpuSingle, clock)),
          cores(std::make_shared<SleepingPeer>(BackendKind::Cpu, clock)) {
        single->known = cores->known = known;
    }
    PeerSet set() const { return {{{"other", "Other 1.0", single, cores, nullptr}}}; }
};

BenchmarkPlan planWithPeers() {
    BenchmarkPlan plan;
    plan.operations = {"median", "histogram", "equalize"};
    plan.sizes = {{64, 48}, {32, 32}};
    plan.sampling = {1, 5, 5, 0};
    plan.copyBandwidth = plan.energy = false;
    plan.peers = true;
    return plan;
}

std::vector<StepTiming> rowsOf(const BenchmarkResult& result, Place backend) {
    std::vector<StepTiming> rows;
    for (const StepTiming& row : result.report.results)
        if (row.backendRequested == backend) rows.push_back(row);
    return rows;
}

}  // namespace

class PeersTest : public QObject {
    Q_OBJECT
  private slots:
    // What is said before the start is what comes.
    void rowsAreCountedAsTheyCome_data() {
        QTest::addColumn<bool>("peers");
        QTest::addColumn<bool>("cold");
        QTest::addColumn<bool>("variants");
        QTest::addColumn<int>("rows");
        // 2 sizes of 3 operations on 3 backends, and 2 of them on one thread and all cores of the
        // other library.
        QTest::newRow("none") << false << false << false << 18;
        QTest::newRow("warm") << true << false << false << 18 + 8;
        QTest::newRow("both") << true << true << false << 2 * (18 + 8);
        // A variant of ours is not theirs.
        QTest::newRow("variants") << true << false << true << 18 + 8 + 6;
    }
    void rowsAreCountedAsTheyCome() {
        QFETCH(bool, peers);
        QFETCH(bool, cold);
        QFETCH(bool, variants);
        QFETCH(int, rows);
        SleepingSet fakes;
        SleepingPeers others(fakes.clock, {"median", "histogram"});
        BenchmarkPlan plan = planWithPeers();
        plan.peers = peers;
        plan.cold = cold;
        if (variants) plan.variants["histogram"] = {"automatic", "global_atomics"};
        const auto cases = casesOf(plan);
        REQUIRE_OK(cases);
        QCOMPARE(int(rowCount(plan, *cases, others.set())), rows);
        // Where this build has none, none is counted.
        QCOMPARE(int(rowCount(plan, *cases)), (variants ? 24 : 18) * (cold ? 2 : 1));
        BenchmarkRunner runner(fakes.set(), {}, others.set(), fakes.clock);
        QCOMPARE(int(runner.run(plan, {})->report.results.size()), rows);
    }

    void placesHaveNames() {
        for (const char* id :
             {"", "cpu-single", "cpu", "cuda", "other-single", "other", "other-cuda"})
            QCOMPARE(Place::fromId(id).id(), std::string(id));
        QCOMPARE(Place::fromId("other-cuda").kind(), BackendKind::Cuda);
        QCOMPARE(Place::fromId("other").kind(), BackendKind::Cpu);
        QVERIFY(Place::fromId("other-single").oneThread());
        QVERIFY(!Place::fromId("other-cuda").oneThread());
        QVERIFY(!Place::fromId("").oneThread());
        QVERIFY(Place::fromId("other-cuda").isPeer());
        QVERIFY(!Place::fromId("cuda").isPeer());
    }

    // A library on the CPU and one on the GPU in one run, each against ours in its place.
    void aGpuHasItsPeers() {
        SleepingSet fakes;
        SleepingPeers others(fakes.clock, {"median"});
        const auto gpu = sleepingGpu(fakes.clock, {"histogram", "median"});
        gpu->nsPerPixel = 1000;
        PeerSet set = others.set();
        set.peers.push_back({"third", "Third 2.0", nullptr, nullptr, gpu});
        BenchmarkPlan plan = planWithPeers();
        const auto cases = casesOf(plan);
        REQUIRE_OK(cases);
        BenchmarkRunner runner(fakes.set(), {}, set, fakes.clock);
        const auto result = *runner.run(plan, {});
        QCOMPARE(rowCount(plan, *cases, set), result.report.results.size());
        const auto rows = rowsOf(result, Place::fromId("third-cuda"));
        QCOMPARE(rows.size(), std::size_t(4));
        for (const StepTiming& row : rows) {
            QVERIFY2(row.measured(), row.error.c_str());
            QCOMPARE(row.peer, std::string("Third 2.0"));
            QVERIFY(row.ofGpu());
            QCOMPARE(row.time.medianMs, 1e-3 * row.width * row.height);
            // How an image comes to it is not its affair.
            QCOMPARE(row.endToEndMs, row.time.medianMs);
            QVERIFY(row.endToEndSamples.ms.empty());
            QCOMPARE(row.agreement.verdict, Verdict::Identical);
        }
        QCOMPARE(rowsOf(result, Place::fromId("other")).size(), std::size_t(2));

        const TextTable table = peerTable(result.report);
        // Three operations of two sizes.
        QCOMPARE(table.lines.size(), std::size_t(1 + 6));
        for (std::size_t i = 1; i < table.lines.size(); ++i) {
            const Cells& line = table.lines[i];
            QCOMPARE(line.size(), table.lines.front().size());
            const bool median = line[0] == "median", histogram = line[0] == "histogram";
            QCOMPARE(!line[5].empty(), median);                // one thread of Other
            QCOMPARE(!line[11].empty(), median || histogram);  // Third
            QCOMPARE(line[14].find("Third 2.0: identical") != std::string::npos,
                     median || histogram);
            QCOMPARE(line[14].find("Other 1.0: identical") != std::string::npos, median);
        }
        // Nothing where nobody else was timed.
        plan.peers = false;
        QVERIFY(peerTable(runner.run(plan, {})->report).lines.empty());
    }

    // The ratio is theirs over ours, whatever the order of the rows.
    void ratiosAreTheirsOverOurs() {
        TimingReport report;
        const auto add = [&](const char* place, double ms, const char* peer) {
            StepTiming row;
            row.operation = "median";
            row.variant = kAutomaticVariant;
            row.backend = row.backendRequested = Place::fromId(place);
            row.peer = peer;
            row.width = 640;
            row.height = 480;
            row.time.n = 5;
            row.time.medianMs = ms;
            report.results.push_back(row);
        };
        add("other-cuda", 3, "Other 1.0");
        add("cuda", 2, "");
        add("third-single", 5, "Third 2.0");
        add("cpu-single", 20, "");
        const TextTable table = peerTable(report);
        QCOMPARE(table.lines.size(), std::size_t(2));
        QCOMPARE(table.lines[1][6], std::string("0.25x"));
        QCOMPARE(table.lines[1][12], std::string("1.5x"));
        QCOMPARE(table.lines[1][9], std::string());
        const Cells& heading = table.lines[0];
        const auto cell = [&](const char* of) {
            const auto at = std::find(heading.begin(), heading.end(), of) - heading.begin();
            return table.lines[1][std::size_t(at)];
        };
        QCOMPARE(cell("samples"), std::string("8, 16, float"));
        QCOMPARE(cell("CPU and GPU"), std::string("same bits"));
        QCOMPARE(cell("tested against"), std::string("OpenCV"));
        const std::string text = resultText(report, "table");
        QVERIFY(text.find("Other libraries") != std::string::npos);
        QVERIFY(text.find("1.5x") != std::string::npos);
    }

    // 10,000 ns a pixel: 0.66 s at 256 x 256, 2.6 s at 512 x 512.
    void callsAboveASecondAreSkipped() {
        SleepingSet fakes;
        SleepingPeers others(fakes.clock, {"median"});
        others.single->nsPerPixel = 10'000;
        others.cores->nsPerPixel = 1000;
        BenchmarkPlan plan = planWithPeers();
        plan.operations = {"median"};
        plan.sizes = {{512, 512}, {1024, 1024}};
        plan.longestRowSeconds = 1000;
        BenchmarkRunner runner(fakes.set(), {}, others.set(), fakes.clock);
        const auto result = *runner.run(plan, {});
        QVERIFY(result.report.complete);
        const auto single = rowsOf(result, Place::fromId("other-single"));
        QCOMPARE(single.size(), std::size_t(2));
        QCOMPARE(
            single[0].error,
            std::string("skipped: one call would take about 2.6 s and could not be cancelled"));
        QCOMPARE(single[1].error,
                 std::string("skipped: one call would take about 11 s and could not be cancelled"));
        QCOMPARE(single[0].peer, std::string("Other 1.0"));
        // Not even a trial lasts that long.
        QVERIFY2(others.single->longestCallMs < 1000,
                 qPrintable(QString::number(others.single->longestCallMs)));
        const auto cores = rowsOf(result, Place::fromId("other"));
        QVERIFY2(cores[0].measured(), cores[0].error.c_str());
        QCOMPARE(cores[0].time.medianMs, 262.144);
        QVERIFY(!cores[1].measured());  // 1.05 s
        // Ours can be cancelled within a row band: they may take longer.
        for (const StepTiming& row : rowsOf(result, BackendKind::CpuSingle))
            QVERIFY(row.measured());
        // Whoever waits gladly gets the figure.
        plan.longestPeerCallSeconds = 3;
        const auto patient = *runner.run(plan, {});
        QVERIFY(rowsOf(patient, Place::fromId("other-single"))[0].measured());
        QVERIFY(!rowsOf(patient, Place::fromId("other-single"))[1].measured());
        for (const StepTiming& row : rowsOf(patient, Place::fromId("other")))
            QVERIFY(row.measured());
    }

    // So slow that a part of 256 x 256 would be too long to try: 100 us a pixel.
    void trialsAreShort() {
        SleepingSet fakes;
        SleepingPeers others(fakes.clock, {"median"});
        others.single->nsPerPixel = others.cores->nsPerPixel = 100'000;
        BenchmarkPlan plan = planWithPeers();
        plan.operations = {"median"};
        // Below 512 x 512 nothing of ours is tried before it is run.
        plan.sizes = {{32, 32}, {200, 200}, {600, 600}};
        BenchmarkRunner runner(fakes.set(), {}, others.set(), fakes.clock);
        const auto rows = rowsOf(*runner.run(plan, {}), Place::fromId("other-single"));
        QCOMPARE(rows.size(), std::size_t(3));
        QVERIFY2(rows[0].measured(), rows[0].error.c_str());  // 0.1 s
        QCOMPARE(
            rows[1].error,
            std::string("skipped: one call would take about 4.0 s and could not be cancelled"));
        QVERIFY(!rows[2].measured());
        QVERIFY(others.single->longestCallMs < 1000);
    }

    // At most the call at hand is waited for.
    void stopsAfterTheCallAtHand() {
        SleepingSet fakes;
        SleepingPeers others(fakes.clock, {"median"});
        others.single->nsPerPixel = others.cores->nsPerPixel = 100'000;
        BenchmarkPlan plan = planWithPeers();
        plan.operations = {"median"};
        for (const int at : {1, 3, 5, 8}) {
            std::stop_source stop;
            others.single->runs = 0;
            others.single->duringRun = [&] {
                if (others.single->runs == at) stop.request_stop();
            };
            BenchmarkRunner runner(fakes.set(), {}, others.set(), fakes.clock);
            const auto result = *runner.run(plan, stop.get_token());
            QVERIFY(!result.report.complete);
            QCOMPARE(others.single->runs, at);
        }
    }

    // As where a module was built with a newer C++ library than the program's.
    void oneThatCannotBeLoadedIsNamed() {
        const QTemporaryDir folder;
        QFile broken(folder.filePath(QStringLiteral("warpscope-peer-npp.so")));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("no module") > 0);
        broken.close();
        const std::filesystem::path here = folder.path().toStdString();
        const PeerSet alone = loadPeers({here});
        QVERIFY(!alone.available());
        QVERIFY(alone.unavailable.starts_with("warpscope-peer-npp.so cannot be loaded: "));
        // Each of two.
        const QTemporaryDir other;
        for (const char* name : {"warpscope-peer-npp.so", "warpscope-peer-opencv.so"})
            QVERIFY(QFile::copy(broken.fileName(), other.filePath(QLatin1String(name))));
        const std::string none = loadPeers({other.path().toStdString()}).unavailable;
        QVERIFY(none.find("warpscope-peer-opencv.so cannot be loaded: ") != none.npos);
        QVERIFY(none.find("warpscope-peer-npp.so cannot be loaded: ") != none.npos);
        const auto lib = std::filesystem::path(QCoreApplication::applicationDirPath().toStdString())
                             .parent_path() /
                         "lib";
        if (!std::filesystem::exists(lib / "warpscope-peer-opencv.so"))
            QSKIP("built without OpenCV");
        const PeerSet both = loadPeers({here, lib});
        QVERIFY(both.label().starts_with("OpenCV"));
        QCOMPARE(both.unavailable, alone.unavailable);
    }
};

WARPSCOPE_TEST(PeersTest)
#include "peers_test.moc"
