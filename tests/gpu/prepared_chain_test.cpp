// Prepared chains on a real device: the bits of the CPU, again and again, with other pixels, after
// others' work and after faults.
#include <random>

#include "cuda_kernels/runtime/cuda_api.h"
#include "cuda_kernels/runtime/resources.h"
#include "engine/backend/prepared_chain.h"
#include "gpu_support.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// Filters with their parameters, each on what the one before gives, and the histogram of the last.
struct Steps {
    std::vector<PlanPtr> filters;
    PlanPtr analysis;

    Steps(const std::vector<std::pair<const char*, TextParameters>>& steps, PixelFormat format,
          Size size) {
        for (const auto& [id, parameters] : steps) {
            filters.push_back(planFor(*findOperation(id), parameters, format, size));
            format = filters.back()->output;
            size = filters.back()->outputSize;
        }
        analysis = orThrow(planHistogram(ChannelSet::all(), format, size));
    }
};
const std::vector<std::pair<const char*, TextParameters>> kChain = {
    {"grayscale", {}}, {"gaussian_blur", {{"sigma", "1"}}}, {"equalize", {}}};

// "" if a run of the chain gives what the CPU gives.
std::string difference(ChainRunner& runner, PreparedChain& chain, const Steps& steps,
                       const Image& source) {
    orThrow(runner.fillChain(chain, source, {}));
    const auto found = orThrow(runner.runChain(chain, {}));
    const Image made = orThrow(runner.downloadChain(chain, {}));
    Image expected = source;
    for (const PlanPtr& plan : steps.filters) {
        const Image next = runPlan(*plan, expected);
        expected = next;
    }
    if (auto wrong = firstDifference(expected, made); !wrong.empty()) return wrong;
    const auto counts =
        orThrow(steps.analysis->operation->analyzeCpu(*steps.analysis, expected, CpuContext{}));
    return firstDifference(std::get<HistogramSet>(counts), std::get<HistogramSet>(*found));
}

}  // namespace

class PreparedChainTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { REQUIRE_GPU(); }

    void changedPixels_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        std::mt19937 random(freshSeed());
        for (const Size size : {Size{1, 1}, Size{17, 1}, Size{3, 65}, Size{255, 257},
                                Size{512, 512}, Size{1024, 1024}, Size{1999, 1201},
                                Size{int(1 + random() % 900), int(1 + random() % 900)}})
            QTest::addRow("%d x %d", size.width, size.height) << size.width << size.height;
    }
    void changedPixels() {
        QFETCH(int, width);
        QFETCH(int, height);
        const Size size{width, height};
        const auto backend = requireBackend();
        auto& runner = dynamic_cast<ChainRunner&>(*backend);
        const Steps steps(kChain, PixelFormat::Rgba8, size);
        const ChainPtr chain = orThrow(runner.prepareChain(steps.filters, steps.analysis, {}));
        for (unsigned i = 0; i < 3; ++i)
            QCOMPARE(difference(runner, *chain, steps, makeNoise(PixelFormat::Rgba8, size, i)),
                     std::string());
        QCOMPARE(difference(runner, *chain, steps, makePhotograph(PixelFormat::Rgba8, size)),
                 std::string());
        // One launch after the other.
        for (int i = 0; i < 50; ++i) orThrow(runner.runChain(*chain, {}));
        QCOMPARE(difference(runner, *chain, steps, makePhotograph(PixelFormat::Rgba8, size)),
                 std::string());
    }

    void everyFilter_data() {
        QTest::addColumn<const Operation*>("operation");
        QTest::addColumn<int>("format");
        for (const Operation* operation : allOperations()) {
            if (operation->description().kind != OperationKind::Filter ||
                !isAskedFor(operation->description()))
                continue;
            for (const PixelFormat format : kGpuFormats)
                if (operation->description().acceptsFormat(format))
                    QTest::addRow("%s %s", operation->description().id.c_str(),
                                  std::string(formatName(format)).c_str())
                        << operation << int(format);
        }
    }
    // Between two of its kind of work: what takes a second image is refused.
    void everyFilter() {
        QFETCH(const Operation*, operation);
        QFETCH(int, format);
        const Size size{157, 93};
        const PixelFormat of = PixelFormat(format);
        const auto backend = requireBackend();
        auto& runner = dynamic_cast<ChainRunner&>(*backend);
        const auto plan =
            operation->plan({operation->description().exampleParameters(), "automatic", of, size});
        if (!plan || !backend->supports(**plan)) QSKIP("no plan, or no code");
        const cuda::LiveResources before = cuda::liveResources();
        {
            const auto chain = runner.prepareChain({*plan}, nullptr, {});
            if ((*plan)->takesSecond) {
                QCOMPARE(chain.error().code, ErrorCode::InvalidArgument);
                return;
            }
            if (!chain) {
                qInfo("%s", chain.error().message.c_str());
                QCOMPARE(chain.error().code, ErrorCode::Unsupported);
            }
            for (unsigned i = 0; chain && i < 3; ++i) {
                const Image image = i == 2 ? makePhotograph(of, size) : makeNoise(of, size, i);
                orThrow(runner.fillChain(**chain, image, {}));
                orThrow(runner.runChain(**chain, {}));
                QCOMPARE(resultDifference(**plan, runPlan(**plan, image),
                                          orThrow(runner.downloadChain(**chain, {}))),
                         std::string());
                // The same step by itself, which uses the same scratch memory.
                runOn(*backend, **plan, image);
            }
        }
        orThrow(backend->synchronize());
        const cuda::LiveResources after = cuda::liveResources();
        QCOMPARE(after.streams, before.streams);
        QCOMPARE(after.graphs, before.graphs);
    }

    // Each call of a run fails once, in a way that leaves the device: the next run is right, and so
    // are counts outside the chain, which share its counters.
    void afterFaults() {
        const Size size{301, 203};
        const auto backend = requireBackend();
        auto& runner = dynamic_cast<ChainRunner&>(*backend);
        const Steps steps(kChain, PixelFormat::Rgba8, size);
        const Image image = makePhotograph(PixelFormat::Rgba8, size);
        const Image gray = runPlan(*steps.filters[0], image);
        const PlanPtr counting = orThrow(planHistogram(ChannelSet::all(), gray.format(), size));
        const auto countsOf = [&] { return countOn(*backend, *counting, gray); };
        const HistogramSet counts = countsOf();
        ChainPtr chain = orThrow(runner.prepareChain(steps.filters, steps.analysis, {}));
        int n = 0;
        for (bool hit = true; hit; ++n) {
            int call = 0;
            hit = false;
            cuda::setCallHook([&](const cuda::CallSite& site) {
                if (site.quiet || call++ != n) return cudaSuccess;
                hit = true;
                return cudaErrorLaunchOutOfResources;
            });
            // Of a chain that is made as of one that is run.
            auto other = runner.prepareChain(steps.filters, steps.analysis, {});
            if (runner.fillChain(*chain, image, {})) (void)runner.runChain(*chain, {});
            (void)backend->run(*steps.filters[2], backend->upload(gray, {}).value_or(nullptr), {});
            cuda::setCallHook({});
            QCOMPARE(firstDifference(counts, countsOf()), std::string());
            QCOMPARE(difference(runner, *chain, steps, image), std::string());
            if (other) QCOMPARE(difference(runner, **other, steps, image), std::string());
        }
        QVERIFY(n > 30);
    }

    void longWorkIsRefused() {
        const auto backend = requireBackend();
        auto& runner = dynamic_cast<ChainRunner&>(*backend);
        const Size size{3000, 3000};
        const Steps steps({{"nl_means", {{"search_radius", "20"}, {"patch_radius", "7"}}}},
                          PixelFormat::Rgba8, size);
        const auto chain = runner.prepareChain(steps.filters, nullptr, {});
        QVERIFY(!chain);
        QCOMPARE(chain.error().code, ErrorCode::Unsupported);
        QVERIFY(chain.error().message.find("too long") != std::string::npos);
    }
};

WARPSCOPE_TEST(PreparedChainTest)
#include "prepared_chain_test.moc"
