// Figures of the GPU's driver, from a library of the test's own; and energy.
#include "engine/measure/nvml.h"

#include "engine/measure/energy.h"
#include "measure/fake_nvml.h"
#include "support/system_tree.h"
#include "support/test_case.h"

using namespace warpscope;

class NvmlTest : public QObject {
    Q_OBJECT
  private slots:
    void everyFigure() {
        const auto library = FakeNvml::make();
        FakeNvml::reasons = 0x4 | 0x40 | 0x1000;
        const auto device = NvmlDevice::find(library, "");
        QVERIFY(device.has_value());
        const GpuConditions gpu = device->conditions();
        GpuConditions wanted{"Fast GPU", "GPU-1", "555.1",     1001,        2001, 1002, 2002,
                             1500,       412.4,   700.0,       54,          {},   97,   true,
                             2,          0,       20ull << 30, 80ull << 30, false};
        wanted.slowedBy = {{"power cap", "heat (hardware)", "reason 0x1000"}};
        QVERIFY(gpu == wanted);
        FakeNvml::reasons = 0;
        QVERIFY(device->conditions().slowedBy->empty());
        FakeNvml::reasons = 1;
        QVERIFY(device->conditions().slowedBy == std::vector<std::string>{GpuConditions::kIdle});
    }
    void everyError() {
        const auto library = FakeNvml::make();
        FakeNvml::millijoules = 5;
        const auto device = NvmlDevice::find(library, "");
        for (const int error : {1, 3, 7, 15, 999, -1}) {
            FakeNvml::answer = error;
            QVERIFY(device->conditions() == GpuConditions());
            QVERIFY(!device->joules());
        }
    }
    void everyFunctionMissing() {
        NvmlFunctions few;
        QVERIFY(!NvmlDevice::find(std::make_shared<const NvmlFunctions>(few), ""));
        QVERIFY(!NvmlDevice::find(nullptr, ""));
        few.getHandleByIndex = FakeNvml::functions().getHandleByIndex;
        const auto device = NvmlDevice::find(std::make_shared<const NvmlFunctions>(few), "");
        QVERIFY(device.has_value());
        QVERIFY(device->conditions() == GpuConditions());
        QVERIFY(!device->joules());
    }
    void whichDevice() {
        const auto library = FakeNvml::make();
        const std::pair<const char*, const char*> names[] = {
            {"", "i0"}, {"3", "i3"}, {"0000:1b:00.0", "p0000:1b:00.0"}, {"GPU-ab", "uGPU-ab"}};
        for (const auto& [which, asked] : names) {
            QVERIFY(NvmlDevice::find(library, which).has_value());
            QCOMPARE(FakeNvml::asked, std::string(asked));
        }
        QVERIFY(!NvmlDevice::find(library, "99999999"));
    }
    void processes() {
        const auto device = NvmlDevice::find(FakeNvml::make(), "");
        const auto others = [&](std::vector<unsigned> pids) {
            FakeNvml::pids = std::move(pids);
            return device->conditions().otherProcesses;
        };
        const auto self = unsigned(getpid());
        const unsigned nobody = 4'194'304 + 7;
        QVERIFY(others({}) == 0);
        QVERIFY(others({self}) == 0);
        QVERIFY(others({self, 1}) == 1);
        QVERIFY(others({1}) == 1);
        QVERIFY(others({self, nobody}) == 1);
        // It may be this one, by the host's number.
        QVERIFY(!others({nobody}));
        QVERIFY(others({nobody, nobody + 1}) == 1);
        std::vector<unsigned> many(100, 1);
        many.push_back(self);
        QVERIFY(others(many) == 100);
    }
    void joulesOfTheGpu() {
        const auto library = FakeNvml::make();
        const SystemTree tree;
        FakeNvml::millijoules = 5'000'000;
        EnergyMeter meter("", tree.folders, library);
        FakeNvml::millijoules += 12'500;
        QCOMPARE(meter.gpuJoules().value(), 12.5);
        QVERIFY(!meter.cpuJoules());
        meter.begin();
        QCOMPARE(meter.gpuJoules().value(), 0.0);
        FakeNvml::millijoules = 3;
        QVERIFY(!meter.gpuJoules());
        FakeNvml::answer = 3;
        QVERIFY(!meter.gpuJoules());
        QVERIFY(!EnergyMeter("", tree.folders, nullptr).gpuJoules());
    }
    void joulesOfThePackages() {
        const SystemTree tree;
        const std::string root = "sys/class/powercap/";
        const auto put = [&](const char* zone, const char* name, std::uint64_t energy) {
            tree.put(root + zone + "/name", std::string(name) + "\n");
            tree.put(root + zone + "/energy_uj", std::to_string(energy) + "\n");
            tree.put(root + zone + "/max_energy_range_uj", "262143328850\n");
        };
        put("intel-rapl:0", "package-0", 1'000'000);
        put("intel-rapl:1", "package-1", 262'143'000'000);
        put("intel-rapl:0:0", "core", 7);
        put("intel-rapl:2", "psys", 7);
        put("intel-rapl-mmio:0", "package-0", 7);
        tree.put(root + "intel-rapl/enabled", "1\n");
        const EnergyMeter meter("", tree.folders, nullptr);
        QCOMPARE(meter.cpuJoules().value(), 0.0);
        put("intel-rapl:0", "package-0", 3'500'000);
        // It began again at its end.
        put("intel-rapl:1", "package-1", 671'150);
        put("intel-rapl:0:0", "core", 70'000'000);
        put("intel-rapl-mmio:0", "package-0", 70'000'000);
        QCOMPARE(meter.cpuJoules().value(), 3.5);
        // A range that cannot be right.
        tree.put(root + "intel-rapl:1/max_energy_range_uj", "12\n");
        QVERIFY(!meter.cpuJoules());
        tree.put(root + "intel-rapl:1/energy_uj", "garbage\n");
        QVERIFY(!meter.cpuJoules());
        tree.remove(root + "intel-rapl:1");
        QVERIFY(!meter.cpuJoules());
        QVERIFY(!EnergyMeter("", SystemTree().folders, nullptr).cpuJoules());
    }
    void thisMachineDoesNotFail() {
        const auto library = loadNvml();
        if (const auto device = NvmlDevice::find(library, "")) {
            const GpuConditions gpu = device->conditions();
            QVERIFY(!gpu.uuid.empty());
            QVERIFY(NvmlDevice::find(library, gpu.uuid)->conditions().name == gpu.name);
            QVERIFY(gpu.memoryTotal.value_or(1) > 0);
        }
        const EnergyMeter meter;
        QVERIFY(meter.cpuJoules().value_or(0) >= 0);
        QVERIFY(meter.gpuJoules().value_or(0) >= 0);
    }
};

WARPSCOPE_TEST(NvmlTest)
#include "nvml_test.moc"
