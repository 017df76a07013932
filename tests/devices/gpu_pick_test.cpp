// Which of several GPUs, from reports that are made up.
#include "cuda_kernels/runtime/gpu_pick.h"

#include "engine/backend/gpu_choice.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

CudaDevice card(const char* name, const char* uuid, const char* whyNot = "") {
    CudaDevice made;
    made.name = name;
    made.uuid = uuid;
    made.whyNot = whyNot;
    made.usable = made.whyNot.empty();
    return made;
}

constexpr const char* kOld = "GPU-0a000000-1111-2222-3333-444444444444";
constexpr const char* kOne = "GPU-1234abcd-1111-2222-3333-444444444444";
constexpr const char* kTwo = "GPU-12ff0000-1111-2222-3333-444444444444";

CudaReport threeCards() {
    CudaReport report;
    report.built = true;
    report.devices = {card("Old", kOld, "compute capability 6.1 is below 7.5"), card("One", kOne),
                      card("Two", kTwo)};
    return report;
}

}  // namespace

class GpuPickTest : public QObject {
    Q_OBJECT

  private slots:
    void namesAreUuidsOrTheirBeginnings() {
        for (const std::string good :
             {kOne, "GPU-1", "GPU-1234abcd", "GPU-1234abcd-", "GPU-1234abcd-11"})
            QCOMPARE(gpuNameFrom(good).value(), good);
        QCOMPARE(gpuNameFrom("gpu-12FF").value(), std::string("GPU-12ff"));
        for (const std::string bad :
             {"", "GPU-", "GPU", "0", "1", "GPU-xyz", "GPU-1234abcd1", "GPU-1234abc-", "MIG-1234",
              "GPU-1234abcd-1111-2222-3333-4444444444440", " GPU-12", "GPU-12 ", "GPU-12\n"}) {
            const auto name = gpuNameFrom(bad);
            QVERIFY2(!name, bad.c_str());
            QCOMPARE(name.error().code, ErrorCode::InvalidArgument);
            QVERIFY(name.error().message.find("'" + bad + "'") != std::string::npos);
        }
    }

    void theOneThatIsNamed() {
        const CudaReport report = threeCards();
        QVERIFY(pickGpu(report, "").uuid.empty());
        QVERIFY(pickGpu(report, "").notice.empty());
        for (const char* name : {kTwo, "GPU-12f", "GPU-12ff0000-1111"}) {
            QCOMPARE(pickGpu(report, name).uuid, std::string(kTwo));
            QCOMPARE(pickGpu(report, name).notice, std::string());
        }
    }

    void whatCannotBeHadIsReplacedAndSaid() {
        const CudaReport report = threeCards();
        const std::pair<std::string, std::string> cases[] = {
            {"GPU-99", "there is no GPU-99: taking One"},
            {"GPU-12", "GPU-12 stands for 2 GPUs: taking One"},
            {kOld, "Old cannot be used, compute capability 6.1 is below 7.5: taking One"}};
        for (const auto& [wanted, notice] : cases) {
            QCOMPARE(pickGpu(report, wanted).uuid, std::string());
            QCOMPARE(pickGpu(report, wanted).notice, notice);
        }
    }

    // A card that tells nothing of itself is named by nothing.
    void unreadableCards() {
        CudaReport report = threeCards();
        report.devices[1].uuid.clear();
        report.devices[1].usable = false;
        report.devices[1].whyNot = "its properties cannot be read";
        QCOMPARE(pickGpu(report, "GPU-12").uuid, std::string(kTwo));
        QCOMPARE(pickGpu(report, kOne).notice, "there is no " + std::string(kOne) + ": taking Two");
    }

    // Its own reason is said then.
    void noGpuAtAll() {
        CudaReport report;
        report.unavailable = "no NVIDIA driver is installed";
        QVERIFY(pickGpu(report, kOne).notice.empty());
        QVERIFY(gpusOf(report).empty());
    }

    void allAreListed() {
        const std::vector<GpuDevice> gpus = gpusOf(threeCards());
        QCOMPARE(gpus.size(), std::size_t(3));
        QVERIFY((gpus[0] == GpuDevice{kOld, "Old", "compute capability 6.1 is below 7.5"}));
        QVERIFY((gpus[2] == GpuDevice{kTwo, "Two", ""}));
    }

    // Wherever the machine has none of that name, what there is is used.
    void setsOfThisMachine() {
        const BackendSet set = makeBackends({"GPU-00000000-0000-0000-0000-000000000000"});
        QCOMPARE(set.cudaUnavailable, queryCuda().unavailable);
        QCOMPARE(set.gpus, gpusOf(queryCuda()));
        QCOMPARE(set.gpuNotice.empty(), !set.cuda);
    }
};

WARPSCOPE_TEST(GpuPickTest)
#include "gpu_pick_test.moc"
