// The reasons for having no GPU, without needing one.
#include "cuda_kernels/runtime/device_query.h"

#include <set>

#include "cuda_kernels/runtime/cuda_api.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::cuda;

namespace {

CudaDevice device(int major, int minor, const char* uuid) {
    CudaDevice made;
    made.name = "Some GPU";
    made.uuid = uuid;
    made.major = major;
    made.minor = minor;
    made.whyNot = whyNotUsable(made);
    made.usable = made.whyNot.empty();
    return made;
}

}  // namespace

class DeviceQueryTest : public QObject {
    Q_OBJECT

  private slots:
    void fourReasonsAreFour() {
        // What the runtime answers in each case.
        const std::string noDriver = whyUnavailable(0, 13000, cudaErrorInsufficientDriver, {});
        const std::string oldDriver = whyUnavailable(12020, 13000, cudaErrorInsufficientDriver, {});
        const std::string noDevice = whyUnavailable(13000, 13000, cudaErrorNoDevice, {});
        const std::string oldDevice =
            whyUnavailable(13000, 13000, cudaSuccess, {device(6, 1, "GPU-a")});
        QCOMPARE(std::set<std::string>({noDriver, oldDriver, noDevice, oldDevice}).size(),
                 std::size_t(4));
        QCOMPARE(noDriver, std::string("no NVIDIA driver is installed"));
        QVERIFY(oldDriver.find("12.2") != std::string::npos);
        QVERIFY(oldDriver.find("13.0") != std::string::npos);
        QVERIFY(oldDevice.find("compute capability 6.1 is below 7.5") != std::string::npos);
        QCOMPARE(whyUnavailable(13000, 13000, cudaSuccess, {}), noDevice);
        QVERIFY(!whyUnavailable(13000, 13000, cudaErrorUnknown, {}).empty());
    }

    void usableDeviceHasNoReason() {
        QCOMPARE(whyUnavailable(13000, 12080, cudaSuccess,
                                {device(6, 1, "GPU-a"), device(7, 5, "GPU-b")}),
                 std::string());
        QVERIFY(whyNotUsable(device(7, 0, "x")).find("7.0") != std::string::npos);
        QVERIFY(whyNotUsable(device(7, 5, "x")).empty());
        QVERIFY(whyNotUsable(device(12, 0, "x")).empty());
    }

    void choosesByUuid() {
        CudaReport report;
        report.built = true;
        report.devices = {device(6, 1, "GPU-a"), device(8, 6, "GPU-b"), device(9, 0, "GPU-c")};
        QCOMPARE(chooseDevice(report, "")->uuid, std::string("GPU-b"));
        QCOMPARE(chooseDevice(report, "GPU-c")->uuid, std::string("GPU-c"));
        QCOMPARE(chooseDevice(report, "GPU-a").error().code, ErrorCode::Unsupported);
        QCOMPARE(chooseDevice(report, "GPU-x").error().code, ErrorCode::NotFound);
        report.devices.clear();
        report.unavailable = "no NVIDIA GPU was found";
        QCOMPARE(chooseDevice(report, "").error().code, ErrorCode::NotFound);
        QCOMPARE(chooseDevice(report, "").error().message, report.unavailable);
    }

    // One of several whose properties cannot be read is named; the others stay.
    void unreadableDevicesHideNoOther() {
        setCallHook([](const CallSite& site) {
            return std::string_view(site.call).starts_with("cudaGetDeviceProperties")
                       ? cudaErrorUnknown
                       : cudaSuccess;
        });
        const std::vector<CudaDevice> unreadable = describeDevices(2);
        setCallHook({});
        QCOMPARE(unreadable.size(), std::size_t(2));
        QCOMPARE(unreadable[1].index, 1);
        QCOMPARE(unreadable[1].name, std::string("GPU 1"));
        QVERIFY(!unreadable[1].usable && !unreadable[1].readable());
        QVERIFY(unreadable[1].whyNot.find("properties cannot be read") != std::string::npos);

        CudaReport report;
        report.built = true;
        report.devices = {unreadable[0], device(8, 6, "GPU-b")};
        QCOMPARE(whyUnavailable(13000, 13000, cudaSuccess, report.devices), std::string());
        QCOMPARE(chooseDevice(report, "")->uuid, std::string("GPU-b"));
        report.devices.pop_back();
        report.unavailable = whyUnavailable(13000, 13000, cudaSuccess, report.devices);
        for (const char* part : {"cannot be used", "GPU 0", "properties cannot be read"})
            QVERIFY2(report.unavailable.find(part) != std::string::npos, part);
        QCOMPARE(chooseDevice(report, "").error().message, report.unavailable);
    }

    void releaseOfTheKernelModule() {
        QCOMPARE(driverReleaseIn("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Thu "
                                 "Sep  4 11.5 UTC 2025\nGCC version: 12.2.0"),
                 std::string("580.159.04"));
        QCOMPARE(
            driverReleaseIn("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86 "),
            std::string("570.86"));
        QCOMPARE(driverReleaseIn("GCC 12"), std::string());
        QCOMPARE(driverReleaseIn(""), std::string());
        CudaReport report;
        QCOMPARE(report.driverName(), std::string());
        report.driverVersion = "13.0";
        QCOMPARE(report.driverName(), std::string("CUDA 13.0"));
        report.driverRelease = "580.159.04";
        QCOMPARE(report.driverName(), std::string("580.159.04 (CUDA 13.0)"));
    }

    // The query itself, with a runtime that answers as a machine without a GPU does.
    void queryTurnsCodesIntoReasons() {
        const auto queryWith = [](const char* call, cudaError_t code) {
            setCallHook([=](const CallSite& site) {
                return std::string_view(site.call) == call ? code : cudaSuccess;
            });
            const CudaReport report = queryCuda();
            setCallHook({});
            return report;
        };
        // Without a driver the version is 0, and no error.
        const CudaReport noAnswer = queryWith("cudaDriverGetVersion", cudaErrorInitializationError);
        QVERIFY(noAnswer.unavailable.starts_with("the NVIDIA driver reports: "));
        QVERIFY(noAnswer.driverVersion.empty());
        QVERIFY(noAnswer.built);
        for (const cudaError_t code : {cudaErrorNoDevice, cudaErrorUnknown}) {
            const CudaReport report = queryWith("cudaGetDeviceCount", code);
            QVERIFY(!report.unavailable.empty());
            QVERIFY(report.devices.empty());
        }
    }

    void codesBecomeErrors() {
        QCOMPARE(errorCodeFor(cudaErrorMemoryAllocation), ErrorCode::OutOfMemory);
        for (const cudaError_t sticky :
             {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorIllegalInstruction,
              cudaErrorMisalignedAddress, cudaErrorHardwareStackError, cudaErrorAssert,
              cudaErrorLaunchTimeout, cudaErrorECCUncorrectable, cudaErrorUnknown})
            QCOMPARE(errorCodeFor(sticky), ErrorCode::DeviceFault);
        QCOMPARE(errorCodeFor(cudaErrorInvalidValue), ErrorCode::Internal);
        // A graph that could not be made says nothing against the device.
        for (int code = cudaErrorStreamCaptureUnsupported;
             code <= cudaErrorStreamCaptureWrongThread; ++code)
            QCOMPARE(errorCodeFor(cudaError_t(code)), ErrorCode::Internal);
        QCOMPARE(errorCodeFor(cudaErrorNoKernelImageForDevice), ErrorCode::Unsupported);
    }

    void failureNamesCallAndPlace() {
        try {
            check({"cudaSomething(x)", "/a/b/file.cpp", 12, false},
                  [] { return cudaErrorInvalidValue; });
            QFAIL("nothing was thrown");
        } catch (const CudaFailure& failure) {
            const std::string text = failure.what();
            QCOMPARE(failure.code(), cudaErrorInvalidValue);
            for (const char* part : {"cudaSomething(x)", "file.cpp:12", "cudaErrorInvalidValue"})
                QVERIFY2(text.find(part) != std::string::npos, part);
            QVERIFY(text.find("/a/b") == std::string::npos);
        }
    }
};

WARPSCOPE_TEST(DeviceQueryTest)
#include "device_query_test.moc"
