// After a fault of the device there is no CUDA in this run of the program, whoever asks.
#include "cuda_kernels/runtime/device_fault.h"

#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/pipeline/executor.h"
#include "pipeline/fake_backend.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::cuda;

namespace {

const Error kIllegalAddress{ErrorCode::DeviceFault, "median: an illegal memory access"};
const std::string kAnswer =
    "the GPU failed earlier (median: an illegal memory access): restart to use the GPU again";

}  // namespace

class DeviceFaultTest : public QObject {
    Q_OBJECT

  private slots:
    void cleanup() { forgetDeviceFault(); }

    void noBackendIsMadeAfterwards() {
        noteDeviceFault(kIllegalAddress);
        const auto made = makeCudaBackend();
        QVERIFY(!made);
        QCOMPARE(made.error().code, ErrorCode::DeviceFault);
        QCOMPARE(made.error().message, kAnswer);
        // Named or not.
        QCOMPARE(makeCudaBackend({"GPU-00000000-0000-0000-0000-000000000000"}).error().message,
                 kAnswer);
        const BackendSet set = makeBackends();
        QVERIFY(!set.cuda);
        QVERIFY(set.cpu && set.cpuSingle);
        QCOMPARE(set.cudaUnavailable, kAnswer);
    }

    void theFirstOneIsTold() {
        noteDeviceFault(kIllegalAddress);
        noteDeviceFault({ErrorCode::DeviceFault, "a later one"});
        QCOMPARE(earlierDeviceFault()->message, kAnswer);
    }

    void otherErrorsEndNothing() {
        for (const ErrorCode code : {ErrorCode::OutOfMemory, ErrorCode::Unsupported,
                                     ErrorCode::NotFound, ErrorCode::Internal})
            noteDeviceFault({code, "not the device"});
        QVERIFY(!earlierDeviceFault());
        QCOMPARE(makeBackends().cudaUnavailable, queryCuda().unavailable);
    }

    // What a person reads who asks for the GPU then; said once.
    void resultsSayIt() {
        noteDeviceFault(kIllegalAddress);
        Executor executor(makeBackends(), 1 << 20);
        ExecuteRequest request;
        request.source = test::makeNoise(PixelFormat::Gray8, {9, 7}, 1);
        request.pipeline.steps.push_back(makeStep("invert").value());
        request.backend = BackendChoice::Cuda;
        const auto result = executor.run(request, {});
        REQUIRE_OK(result);
        QCOMPARE(result->steps[0].backend, BackendKind::Cpu);
        QCOMPARE(result->steps[0].fallbackReason, kAnswer);

        // A backend made before that has failed as the first one did.
        test::FakeSet fakes(true);
        fakes.cuda->failure = {0, *earlierDeviceFault(), true};
        Executor other(fakes.set(), 1 << 20);
        QCOMPARE(other.run(request, {})->steps[0].fallbackReason, "step 1, invert: " + kAnswer);
    }
};

WARPSCOPE_TEST(DeviceFaultTest)
#include "device_fault_test.moc"
