// What a program gets that asks for a GPU, on any machine and in any build.
#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/backend/backend_set.h"
#include "engine/operations/analysis/histogram.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;

class BackendsTest : public QObject {
    Q_OBJECT

  private slots:
    void queryGivesReasonOrDevice() {
        const CudaReport report = queryCuda();
        bool usable = false;
        for (const CudaDevice& device : report.devices) {
            usable = usable || device.usable;
            QCOMPARE(device.usable, device.whyNot.empty());
            if (!device.readable()) continue;
            QVERIFY(device.uuid.starts_with("GPU-"));
            QCOMPARE(device.uuid.size(), std::size_t(40));
        }
        QCOMPARE(report.unavailable.empty(), usable);
        QVERIFY(report.built == !report.toolkitVersion.empty());
        if (!report.built) QVERIFY(report.unavailable.find("without CUDA") != std::string::npos);
        if (report.unavailable.empty()) QVERIFY(!report.driverVersion.empty());
    }

    void makeBackendAgreesWithQuery() {
        const CudaReport report = queryCuda();
        const auto backend = makeCudaBackend();
        QCOMPARE(bool(backend), report.unavailable.empty());
        if (backend) return;
        QCOMPARE(backend.error().message, report.unavailable);
        QVERIFY(backend.error().code == ErrorCode::NotFound ||
                backend.error().code == ErrorCode::Unsupported);
    }

    void unknownDeviceIsNotFound() {
        const auto backend = makeCudaBackend({"GPU-00000000-0000-0000-0000-000000000000"});
        QVERIFY(!backend);
        QVERIFY(!backend.error().message.empty());
    }

    void cpuIsThereInAnyCase() {
        const BackendSet set = makeBackends();
        QVERIFY(set.cpu);
        QVERIFY(set.cpuSingle);
        QCOMPARE(bool(set.cuda), set.cudaUnavailable.empty());
        QCOMPARE(set.cudaUnavailable, queryCuda().unavailable);
        // The set works: a picked backend counts.
        const BackendSet::Pick pick = set.pick(BackendChoice::Cuda);
        QVERIFY(pick.backend);
        QCOMPARE(pick.fallbackReason, set.cudaUnavailable);
        const Image image = test::makeNoise(PixelFormat::Gray8, {37, 11}, 1);
        const auto plan = planHistogram({}, image.format(), image.size());
        QVERIFY(plan);
        const auto buffer = pick.backend->upload(image, {});
        QVERIFY(buffer);
        const auto counts = pick.backend->analyze(**plan, *buffer, {});
        QVERIFY(counts);
        QCOMPARE(std::get<HistogramSet>(*counts).channels.at(0).total(), std::uint64_t(37 * 11));
    }
};

WARPSCOPE_TEST(BackendsTest)
#include "backends_test.moc"
