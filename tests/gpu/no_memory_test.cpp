// Other programs hold the GPU's memory: the result is right, it is said where it was made, nothing
// is kept, and the GPU is used again when they let go.
#include <cuda_runtime_api.h>

#include "cuda_kernels/runtime/resources.h"
#include "engine/pipeline/executor.h"
#include "gpu_support.h"
#include "pipeline/chains.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// All that there is but `left` bytes or a little less.
class FilledMemory {
  public:
    explicit FilledMemory(std::size_t left) {
        void* kept = nullptr;
        if (left && cudaMalloc(&kept, left) != cudaSuccess) kept = nullptr;
        constexpr std::size_t kLeast = std::size_t(1) << 20;
        for (std::size_t bytes = std::size_t(32) << 30; bytes >= kLeast;) {
            void* block = nullptr;
            if (cudaMalloc(&block, bytes) == cudaSuccess)
                m_blocks.push_back(block);
            else
                bytes /= 2;
        }
        if (kept) (void)cudaFree(kept);
        (void)cudaGetLastError();
    }
    ~FilledMemory() {
        for (void* block : m_blocks) (void)cudaFree(block);
    }
    FilledMemory(const FilledMemory&) = delete;
    FilledMemory& operator=(const FilledMemory&) = delete;
    bool any() const { return !m_blocks.empty(); }

  private:
    std::vector<void*> m_blocks;
};

}  // namespace

class NoMemoryTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { REQUIRE_GPU(); }

    void anotherProgramHoldsIt_data() {
        QTest::addColumn<int>("leftMiB");
        QTest::newRow("all of it") << 0;
        QTest::newRow("all but room for bands") << 160;
    }
    void anotherProgramHoldsIt() {
        QFETCH(int, leftMiB);
        ExecuteRequest request;
        request.source = makePhotograph(PixelFormat::Rgba8, {6000, 5000});  // 114 MiB
        request.pipeline = chain({"gaussian_blur:sigma=2", "equalize", "median"});
        request.backend = BackendChoice::Cuda;
        Executor cpu(BackendSet::cpuOnly("none"), 1);
        const Image expected = orThrow(cpu.run(request, {})).image;

        BackendSet set = BackendSet::cpuOnly("");
        set.cuda = requireBackend();
        Backend& gpu = *set.cuda;
        {
            Executor executor(std::move(set), std::uint64_t(1) << 30);
            // What steps keep on the device from run to run is there then.
            compareSamples(expected, orThrow(executor.run(request, {})).image, "before");
            executor.clearCache();
            gpu.trim();
            const std::int64_t kept = cuda::liveResources().deviceBytes;
            {
                const FilledMemory others(std::size_t(leftMiB) << 20);
                QVERIFY(others.any());
                const ExecuteResult result = orThrow(executor.run(request, {}));
                compareSamples(expected, result.image, "without memory");
                bool said = false;
                for (const StepReport& step : result.steps) {
                    said = said || !step.fallbackReason.empty() || !step.notices.empty();
                    const bool onGpu = step.backend == BackendKind::Cuda;
                    const QString why = QString::fromStdString(step.fallbackReason);
                    qInfo("step %d: %s, %s%s", int(step.stepIndex) + 1, onGpu ? "GPU" : "CPU",
                          qPrintable(why),
                          step.notices.empty() ? "" : step.notices.front().c_str());
                    QCOMPARE(onGpu, why.isEmpty());
                    if (!onGpu) QVERIFY2(why.contains("not enough GPU memory"), qPrintable(why));
                    if (!onGpu) QVERIFY2(!why.contains("restart"), qPrintable(why));
                }
                QVERIFY(said);
                executor.clearCache();
                gpu.trim();
                constexpr std::int64_t kTables = 1 << 20;  // of the bands' plans
                QVERIFY(cuda::liveResources().deviceBytes <= kept + kTables);
            }
            const ExecuteResult again = orThrow(executor.run(request, {}));
            compareSamples(expected, again.image, "with memory");
            for (const StepReport& step : again.steps) {
                QCOMPARE(step.backend, BackendKind::Cuda);
                QCOMPARE(step.fallbackReason, std::string());
            }
        }
        QCOMPARE(cuda::liveResources(), cuda::LiveResources{});
    }
};

WARPSCOPE_TEST(NoMemoryTest)
#include "no_memory_test.moc"
