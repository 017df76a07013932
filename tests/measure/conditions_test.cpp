// Under what conditions a run was: read from odd machines, described, warned of, written and read.
#include "engine/measure/conditions.h"

#include <nlohmann/json.hpp>
#include <random>

#include "engine/report/conditions_file.h"
#include "measure/fake_nvml.h"
#include "support/system_tree.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

void putMachine(const SystemTree& tree, int cpus) {
    tree.put("proc/sys/kernel/osrelease", "6.1.0-test\n");
    tree.put("sys/devices/system/cpu/online", fmt::format("0-{}\n", cpus - 1));
    tree.put("proc/self/status",
             fmt::format("Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-{}\n", cpus - 1));
    tree.put("proc/self/stat", "12 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0\n");
    tree.put("proc/stat", "cpu  1000 0 500 8000 100 0 0 400 0 0\ncpu0 1 2 3 4 5\n");
    tree.put("proc/loadavg", "0.25 1.50 2.75 3/456 789\n");
    tree.put("proc/meminfo",
             "MemTotal:       16777216 kB\nMemFree: 1 kB\nMemAvailable: 8388608 kB\n");
    tree.put("proc/cpuinfo",
             "processor\t: 0\nflags\t\t: fpu vme hypervisor\ncpu MHz\t\t: 1234.5\n");
    tree.put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    tree.put("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
    tree.put("sys/class/thermal/thermal_zone0/type", "acpitz\n");
    tree.put("sys/class/thermal/thermal_zone0/temp", "99000\n");
    tree.put("sys/class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
    tree.put("sys/class/thermal/thermal_zone1/temp", "54500\n");
    for (int cpu = 0; cpu < cpus; ++cpu) {
        tree.cpu(cpu, "cpufreq/scaling_cur_freq", std::to_string(2'100'000 + cpu * 1000));
        tree.cpu(cpu, "cpufreq/scaling_governor", "performance");
    }
}

Conditions read(const SystemTree& tree) {
    return readConditions("", tree.folders, nullptr);
}

bool has(const std::vector<std::string>& lines, const std::string& part) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return line.find(part) != std::string::npos;
    });
}

// Through JSON; the error where it cannot be read.
Result<Conditions> through(const nlohmann::ordered_json& json) {
    const auto root = nlohmann::json::parse(json.dump());
    std::optional<Error> error;
    std::optional<Conditions> back;
    Reader in(root, "", error);
    in.part("conditions", back);
    if (error) return fail(*error);
    return back.value_or(Conditions());
}
nlohmann::ordered_json written(const Conditions& conditions) {
    Writer out;
    out.part("conditions", std::optional(conditions));
    return out.object;
}

}  // namespace

class ConditionsTest : public QObject {
    Q_OBJECT
  private slots:
    void aMachineOf300Cpus() {
        const SystemTree tree;
        putMachine(tree, 300);
        tree.cpu(7, "cpufreq/scaling_governor", "powersave");
        const CpuConditions cpu = read(tree).cpu;
        QCOMPARE(cpu.kernel, std::string("6.1.0-test"));
        QVERIFY(cpu.onlineCpus == 300);
        QCOMPARE(cpu.allowedCpus, std::string("0-299"));
        QCOMPARE(cpu.governor, std::string("performance, powersave"));
        QVERIFY(cpu.clockLowMhz == 2100.0 && cpu.clockHighMhz == 2399.0);
        QVERIFY(cpu.clockMedianMhz == 2249.5);
        QVERIFY(cpu.load1 == 0.25 && cpu.load5 == 1.5 && cpu.load15 == 2.75);
        QVERIFY(cpu.running == 3);
        QVERIFY(cpu.ticks == (CpuTicks{1500, 8100, 400}));
        QVERIFY(cpu.ownTicks == 200u);
        QVERIFY(cpu.memoryTotal == 16ull << 30 && cpu.memoryAvailable == 8ull << 30);
        QVERIFY(cpu.virtualMachine == true);
        QVERIFY(cpu.boost == true);
        QVERIFY(cpu.celsius == 54.5);
        QCOMPARE(cpu.hugePages, std::string("madvise"));
        QVERIFY(!cpu.quotaCpus && !cpu.throttledCount && !cpu.throttledSeconds);
    }
    void onlyAllowedCpusCount() {
        const SystemTree tree;
        putMachine(tree, 8);
        tree.put("proc/self/status", "Cpus_allowed_list:\t2,5\n");
        tree.cpu(7, "cpufreq/scaling_governor", "powersave");
        CpuConditions cpu = read(tree).cpu;
        QCOMPARE(cpu.governor, std::string("performance"));
        QVERIFY(cpu.clockLowMhz == 2102.0 && cpu.clockHighMhz == 2105.0);
        // Without cpufreq: what the processor's list says.
        tree.remove("sys/devices/system/cpu/cpu2/cpufreq");
        tree.remove("sys/devices/system/cpu/cpu5/cpufreq");
        tree.put(
            "proc/cpuinfo",
            "processor : 0\ncpu MHz : 1.0\nprocessor : 2\ncpu MHz : 2000.5\nprocessor : 5\ncpu "
            "MHz : 3000\nprocessor : 6\ncpu MHz : x\n");
        cpu = read(tree).cpu;
        QVERIFY(cpu.clockLowMhz == 2000.5 && cpu.clockMedianMhz == 2500.25);
        QVERIFY(cpu.clockHighMhz == 3000.0);
        QVERIFY(cpu.governor.empty());
        QVERIFY(!cpu.virtualMachine);
    }
    void nothingThereIsNotKnown() {
        const SystemTree none;
        const Conditions now = read(none);
        QVERIFY(now.cpu == CpuConditions());
        QVERIFY(!now.gpu);
        QVERIFY(now.time.size() == 20 && now.time.ends_with("Z"));
        QVERIFY(has(describeConditions(now, now), "CPU clock not known"));
        QVERIFY(has(describeConditions(now, now), "steal and other work not known"));
        QVERIFY(warnings(now, now).empty());
    }
    void garbageIsNotKnown() {
        const char* texts[] = {"",
                               "\n",
                               "garbage",
                               "-5\n",
                               "\xff\xfe\x00",
                               "18446744073709551616",
                               "nan nan nan nan/nan",
                               "1e999 inf",
                               ": : :",
                               "))))",
                               "[]][",
                               "0::/../..\n"};
        const char* files[] = {"proc/sys/kernel/osrelease",
                               "proc/self/status",
                               "proc/self/stat",
                               "proc/stat",
                               "proc/loadavg",
                               "proc/meminfo",
                               "proc/cpuinfo",
                               "proc/self/cgroup",
                               "sys/fs/cgroup/cpu.max",
                               "sys/fs/cgroup/cpu.stat",
                               "sys/devices/system/cpu/online",
                               "sys/devices/system/cpu/cpufreq/boost",
                               "sys/class/thermal/thermal_zone1/temp",
                               "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq",
                               "sys/kernel/mm/transparent_hugepage/enabled"};
        for (const char* text : texts) {
            const SystemTree tree;
            putMachine(tree, 1);
            for (const char* file : files) tree.put(file, text);
            CpuConditions cpu = read(tree).cpu;
            QVERIFY2(!cpu.load1 && !cpu.running && !cpu.ticks && !cpu.ownTicks, text);
            QVERIFY2(!cpu.memoryTotal && !cpu.virtualMachine && !cpu.quotaCpus, text);
            QVERIFY2(!cpu.celsius && !cpu.onlineCpus && !cpu.clockLowMhz, text);
            QVERIFY2(cpu.allowedCpus.empty() && cpu.hugePages.empty(), text);
        }
        std::mt19937 random{warpscope::test::freshSeed()};
        for (int run = 0; run < 50; ++run) {
            const SystemTree tree;
            putMachine(tree, 2);
            std::string noise(random() % 300, ' ');
            for (char& one : noise) one = char(random());
            tree.put(files[random() % std::size(files)], noise);
            const Conditions now = read(tree);
            (void)describeConditions(now, now);
        }
    }
    void controlGroupsOfBothVersions() {
        const SystemTree two;
        two.put("proc/self/cgroup", "0::/a/b\n");
        two.put("sys/fs/cgroup/cpu.stat", "usage_usec 5\n");
        two.put("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
        two.put("sys/fs/cgroup/a/cpu.stat",
                "usage_usec 5\nnr_throttled 9\nthrottled_usec 2500000\n");
        two.put("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        two.put("sys/fs/cgroup/a/b/cpu.stat", "nr_throttled 1\nthrottled_usec 7\n");
        CpuConditions cpu = read(two).cpu;
        QVERIFY(cpu.quotaCpus == 1.5 && cpu.throttledCount == 9u && cpu.throttledSeconds == 2.5);
        two.put("sys/fs/cgroup/a/b/cpu.max", "50000 100000\n");
        cpu = read(two).cpu;
        QVERIFY(cpu.quotaCpus == 0.5 && cpu.throttledCount == 1u);
        QVERIFY(std::abs(*cpu.throttledSeconds - 7e-6) < 1e-12);
        // The namespace begins below: what is mounted is the own group.
        two.put("proc/self/cgroup", "0::/../../x\n");
        two.put("sys/fs/cgroup/cpu.max", "300000 100000\n");
        QVERIFY(read(two).cpu.quotaCpus == 3.0);

        const SystemTree one;
        one.put("proc/self/cgroup", "5:memory:/m\n4:cpu,cpuacct:/docker/x\n0::/\n");
        one.put("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "250000\n");
        one.put("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n");
        one.put("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.stat",
                "nr_periods 4\nnr_throttled 3\nthrottled_time 1500000000\n");
        cpu = read(one).cpu;
        QVERIFY(cpu.quotaCpus == 2.5 && cpu.throttledCount == 3u && cpu.throttledSeconds == 1.5);
        one.put("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "-1\n");
        cpu = read(one).cpu;
        QVERIFY(!cpu.quotaCpus && cpu.throttledCount == 3u);
    }
    void describes() {
        const SystemTree tree;
        putMachine(tree, 16);
        Conditions before = read(tree);
        Conditions after = before;
        after.cpu.ticks->busy += 500;
        after.cpu.ticks->idle += 497;
        after.cpu.ticks->steal += 3;
        *after.cpu.ownTicks += 480;
        after.cpu.clockHighMhz = 3400;
        after.cpu.clockMedianMhz = 3300;
        QCOMPARE(stealPart(before.cpu, after.cpu).value(), 0.003);
        QCOMPARE(otherWorkPart(before.cpu, after.cpu).value(), 0.02);
        QVERIFY(!stealPart(before.cpu, before.cpu));
        QVERIFY(!stealPart(after.cpu, before.cpu));
        const auto library = FakeNvml::make();
        FakeNvml::reasons = 4;
        FakeNvml::pids.push_back(1);
        after.gpu = NvmlDevice::find(library, "")->conditions();
        const std::vector<std::string> wanted = {
            "Linux 6.1.0-test, 16 CPUs (0-15), virtual machine",
            "CPU clock 2.10 to 3.40 GHz (median 3.30), governor performance, boost on, 54 °C",
            "load 0.25 before and 0.25 after",
            "steal 0.3%, other work 2.0% during the run",
            "8.0 of 16.0 GiB of memory free, huge pages madvise",
            "GPU 1001 of 2001 MHz, memory 1002 MHz, 412 W of 700, 54 °C; slowed down by: power cap",
            "GPU: Fast GPU, driver 555.1, state P2, 97% busy, 20.0 of 80.0 GiB used, persistence "
            "on, ECC off",
            "other processes on the GPU: 1"};
        const auto lines = describeConditions(before, after);
        for (std::size_t i = 0; i < std::min(lines.size(), wanted.size()); ++i)
            QCOMPARE(lines[i], wanted[i]);
        QCOMPARE(lines.size(), wanted.size());
        before.cpu.throttledCount = 4;
        after.cpu.throttledCount = 7;
        after.cpu.quotaCpus = 1.5;
        before.cpu.throttledSeconds = 1;
        after.cpu.throttledSeconds = 1.25;
        QVERIFY(has(
            describeConditions(before, after),
            "the control group may use the time of 1.5 CPUs, held back 3 times (0.25 s) during the "
            "run"));
    }
    void warnsOfWhatMakesFiguresDoubtful() {
        const SystemTree tree;
        putMachine(tree, 4);
        Conditions fine = read(tree);
        fine.gpu = NvmlDevice::find(FakeNvml::make(), "")->conditions();
        QVERIFY(warnings(fine, fine).empty());
        const auto only = [&](const char* part, auto change) {
            Conditions before = fine, after = fine;
            after.cpu.ticks->idle += 1000;
            change(before, after);
            const auto lines = warnings(before, after);
            if (lines.size() != (*part ? 1u : 0u)) return false;
            return lines.empty() || has(lines, part);
        };
        QVERIFY(only("", [](auto&, auto&) {}));
        QVERIFY(only("busy before", [](auto& a, auto&) { a.cpu.load1 = 0.6; }));
        QVERIFY(only("", [](auto&, auto& b) { b.cpu.load1 = 4; }));
        // Other work during the run, above a tenth of what all CPUs could do.
        const auto busy = [](double share) {
            return [share](auto& a, auto& b) {
                a.cpu.ownTicks = b.cpu.ownTicks = 0;
                b.cpu.ticks->busy += std::uint64_t(1000 * share);
                b.cpu.ticks->idle -= std::uint64_t(1000 * share);
            };
        };
        QVERIFY(only("", busy(0.09)));
        QVERIFY(
            only("the machine was busy during the run (other work 57.0%): figures are "
                 "doubtful; run it again on a quiet machine",
                 busy(0.57)));
        // That load is ours.
        QVERIFY(only("", [](auto& a, auto& b) {
            a.cpu.load1 = 1.2;
            a.cpu.ownTicks = b.cpu.ownTicks = 6000;
        }));
        QVERIFY(only("powersave", [](auto& a, auto& b) {
            a.cpu.governor = b.cpu.governor = "performance, powersave";
        }));
        QVERIFY(only("", [](auto&, auto& b) { b.cpu.ticks->steal += 10; }));
        QVERIFY(only("hypervisor took 2.0%", [](auto&, auto& b) {
            b.cpu.ticks->steal += 20;
            b.cpu.ticks->idle -= 20;
        }));
        QVERIFY(only("held the CPUs back 2 times", [](auto& a, auto& b) {
            a.cpu.throttledCount = 5;
            b.cpu.throttledCount = 7;
        }));
        QVERIFY(
            only("", [](auto& a, auto& b) { a.cpu.throttledCount = b.cpu.throttledCount = 5; }));
        QVERIFY(only("CPU clock went", [](auto&, auto& b) { *b.cpu.clockMedianMhz *= 0.8; }));
        QVERIFY(only("", [](auto&, auto& b) { *b.cpu.clockMedianMhz *= 0.95; }));
        QVERIFY(only("slowed down by: power cap, heat", [](auto& a, auto& b) {
            a.gpu->slowedBy = {{"idle", "power cap"}};
            b.gpu->slowedBy = {{"power cap", "heat"}};
        }));
        QVERIFY(only("other processes on the GPU: 3",
                     [](auto&, auto& b) { b.gpu->otherProcesses = 3; }));
        QVERIFY(only("GPU clock went", [](auto&, auto& b) { b.gpu->smMhz = 500; }));
        QVERIFY(only("", [](auto& a, auto&) {
            a.gpu->slowedBy = {{"idle"}};
            a.gpu->smMhz = 300;
        }));
        QVERIFY(only("", [](auto& a, auto& b) { a.gpu.reset(), b.gpu->slowedBy.reset(); }));
    }
    void throughAFile() {
        const SystemTree tree;
        putMachine(tree, 4);
        tree.put("proc/self/cgroup", "0::/\n");
        tree.put("sys/fs/cgroup/cpu.max", "150000 100000\n");
        tree.put("sys/fs/cgroup/cpu.stat", "nr_throttled 9\nthrottled_usec 2500000\n");
        const auto library = FakeNvml::make();
        FakeNvml::reasons = 5;
        const Conditions full = readConditions("", tree.folders, library);
        const auto json = written(full);
        // Nothing is unknown there.
        QCOMPARE(json["conditions"]["cpu"].size(), std::size_t(22));
        QCOMPARE(json["conditions"]["gpu"].size(), std::size_t(19));
        REQUIRE_OK(through(json));
        QVERIFY(*through(json) == full);
        Conditions none;
        QVERIFY(*through(written(none)) == none);
        none.gpu = GpuConditions();
        QVERIFY(*through(written(none)) == none);
        // Any one of them may be missing or null.
        for (const char* part : {"cpu", "gpu"})
            for (const auto& item : json["conditions"][part].items()) {
                auto fewer = json, null = json;
                fewer["conditions"][part].erase(item.key());
                null["conditions"][part][item.key()] = nullptr;
                REQUIRE_OK(through(fewer));
                REQUIRE_OK(through(null));
                QVERIFY(*through(fewer) == *through(null));
                QVERIFY2(!(*through(fewer) == full), item.key().c_str());
                auto wrong = json;
                wrong["conditions"][part][item.key()] = -1;
                REQUIRE_FAILS(through(wrong), ErrorCode::InvalidArgument,
                              fmt::format("conditions.{}.{}", part, item.key()));
            }
    }
    void thisMachine() {
        const Conditions now = readConditions();
        QVERIFY(!now.cpu.kernel.empty());
        QVERIFY(!now.cpu.allowedCpus.empty());
        QVERIFY(now.cpu.ticks && now.cpu.ownTicks && now.cpu.load1 && now.cpu.memoryTotal);
        for (const std::string& line : describeConditions(now, readConditions()))
            qInfo("%s", line.c_str());
    }
};

WARPSCOPE_TEST(ConditionsTest)
#include "conditions_test.moc"
