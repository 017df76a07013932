// Kernels are chosen by what the program was compiled for, where that is less than the device.
#include <limits>

#include "cuda_kernels/runtime/device_context.h"
#include "fake_cuda/fake_gpu.h"
#include "support/test_case.h"

using namespace warpscope;
using cuda::DeviceTraits;

class CodeVersionTest : public QObject {
    Q_OBJECT

  private slots:
    void cleanup() { test::setFakeGpu({}); }

    void isNoLaterThanTheDeviceAndTheCode_data() {
        QTest::addColumn<int>("major");
        QTest::addColumn<int>("minor");
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("usable");
        QTest::addColumn<bool>("integerMma");
        QTest::newRow("made for it") << 9 << 0 << 90 << 90 << true;
        QTest::newRow("made for an earlier one of its kind") << 8 << 9 << 80 << 80 << true;
        QTest::newRow("translated") << 9 << 0 << 75 << 75 << false;
        QTest::newRow("translated for a later one") << 12 << 0 << 100 << 100 << true;
        QTest::newRow("not known") << 7 << 5 << std::numeric_limits<int>::max() << 75 << false;
    }
    void isNoLaterThanTheDeviceAndTheCode() {
        QFETCH(int, major);
        QFETCH(int, minor);
        QFETCH(int, code);
        QFETCH(int, usable);
        QFETCH(bool, integerMma);
        test::FakeGpu gpu;
        gpu.major = major;
        gpu.minor = minor;
        gpu.code = code;
        test::setFakeGpu(gpu);
        const DeviceTraits traits = DeviceTraits::query(0);
        QCOMPARE(traits.major * 10 + traits.minor, usable);
        QCOMPARE(traits.hasIntegerMma(), integerMma);
    }
};

WARPSCOPE_TEST(CodeVersionTest)
#include "code_version_test.moc"
