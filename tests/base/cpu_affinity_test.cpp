// Lists of CPUs, their order for work, and threads that stay on one.
#include "engine/base/cpu_affinity.h"

#include <sched.h>

#include <numeric>
#include <random>
#include <set>
#include <thread>

#include "support/system_tree.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

using Cpus = std::vector<int>;

Cpus firstCpus(int count) {
    Cpus cpus(std::size_t(count), 0);
    std::iota(cpus.begin(), cpus.end(), 0);
    return cpus;
}

// Hardware thread i and i + cores are of one core; packages share the cores evenly.
void putTopology(const SystemTree& tree, int cores, int packages) {
    for (int cpu = 0; cpu < 2 * cores; ++cpu) {
        const int core = cpu % cores;
        tree.cpu(cpu, "topology/thread_siblings_list", fmt::format("{},{}", core, core + cores));
        tree.cpu(cpu, "topology/core_id", std::to_string(core % (cores / packages)));
        tree.cpu(cpu, "topology/physical_package_id", std::to_string(core / (cores / packages)));
    }
}

}  // namespace

class CpuAffinityTest : public QObject {
    Q_OBJECT
  private slots:
    void listsOfCpus() {
        QVERIFY(cpusFromList("0-3,8,10-11") == Cpus({0, 1, 2, 3, 8, 10, 11}));
        QVERIFY(cpusFromList("5") == Cpus({5}));
        QVERIFY(cpusFromList("3,1,1-2") == Cpus({1, 2, 3}));
        QVERIFY(cpusFromList("")->empty());
        for (const char* wrong : {"x", "1-", "-1", "3-1", "0-99999999", "1, 2", "1,,2", "0-3 "})
            QVERIFY2(!cpusFromList(wrong), wrong);
        std::mt19937 random{warpscope::test::freshSeed()};
        for (int run = 0; run < 100; ++run) {
            std::set<int> some;
            for (int i = 0; i < 40; ++i) some.insert(int(random() % 90));
            const Cpus cpus(some.begin(), some.end());
            QVERIFY(cpusFromList(cpuListText(cpus)) == cpus);
        }
        QCOMPARE(cpuListText({4, 2, 3, 0, 9}), std::string("0,2-4,9"));
        QCOMPARE(cpuListText({}), std::string());
    }
    void oneThreadOfEachCoreFirst() {
        const SystemTree tree;
        putTopology(tree, 4, 1);
        QVERIFY(cpuWorkOrder(firstCpus(8), {}, tree.folders) == firstCpus(8));
        QVERIFY(cpuWorkOrder({1, 2, 5, 6}, {}, tree.folders) == Cpus({1, 2, 5, 6}));
        // Siblings side by side.
        const SystemTree pairs;
        for (int cpu = 0; cpu < 6; ++cpu)
            pairs.cpu(cpu, "topology/thread_siblings_list",
                      fmt::format("{}-{}", cpu / 2 * 2, cpu / 2 * 2 + 1));
        QVERIFY(cpuWorkOrder(firstCpus(6), {}, pairs.folders) == Cpus({0, 2, 4, 1, 3, 5}));
        // Without lists of siblings: by the numbers of cores.
        const SystemTree numbers;
        for (int cpu = 0; cpu < 4; ++cpu) {
            numbers.cpu(cpu, "topology/core_id", std::to_string(cpu / 2));
            numbers.cpu(cpu, "topology/physical_package_id", "0");
        }
        QVERIFY(cpuWorkOrder(firstCpus(4), {}, numbers.folders) == Cpus({0, 2, 1, 3}));
    }
    void quietCoresFirst() {
        const SystemTree tree;
        putTopology(tree, 4, 1);
        // CPU 0 is busy: its sibling 4 takes its place, after the cores that are quiet.
        QVERIFY(cpuWorkOrder(firstCpus(8), {{0, 0.9}, {1, 0.05}}, tree.folders) ==
                Cpus({1, 2, 3, 4, 5, 6, 7, 0}));
    }
    void packagesAndNodesOneAfterTheOther() {
        const SystemTree tree;
        putTopology(tree, 4, 2);
        QVERIFY(cpuWorkOrder(firstCpus(8), {{0, 1.0}}, tree.folders) ==
                Cpus({2, 3, 1, 4, 6, 7, 5, 0}));
        const SystemTree nodes;
        putTopology(nodes, 4, 1);
        nodes.put("sys/devices/system/node/online", "0-1\n");
        nodes.put("sys/devices/system/node/node0/cpulist", "0,2,4,6\n");
        nodes.put("sys/devices/system/node/node1/cpulist", "1,3,5,7\n");
        QVERIFY(cpuWorkOrder(firstCpus(8), {}, nodes.folders) == Cpus({0, 2, 1, 3, 4, 6, 5, 7}));
    }
    void oddTopologyLosesNoCpu() {
        const SystemTree none;
        QVERIFY(cpuWorkOrder(firstCpus(300), {}, none.folders) == firstCpus(300));
        QVERIFY(cpuWorkOrder({}, {}, none.folders).empty());
        const SystemTree odd;
        std::mt19937 random{warpscope::test::freshSeed()};
        const char* texts[] = {"", "\xff\xfe", "-1", "0-", "7-9", "99999999999999999999", "0-299"};
        for (int cpu = 0; cpu < 300; ++cpu)
            for (const char* name : {"thread_siblings_list", "core_id", "physical_package_id"})
                if (random() % 4)
                    odd.cpu(cpu, std::string("topology/") + name, texts[random() % 7]);
        Cpus order = cpuWorkOrder(firstCpus(300), {{7, 0.5}}, odd.folders);
        std::sort(order.begin(), order.end());
        QVERIFY(order == firstCpus(300));
    }
    void ticks() {
        const SystemTree tree;
        QVERIFY(cpuTicks(tree.folders).empty());
        tree.put("proc/stat",
                 "cpu  10 2 30 400 5 6 7 8 99 99\ncpu0 1 2 3 4\ncpu1 1 2 x 4 5\ncpux 1 2 3 4 5 6 7 "
                 "8\ncpu99999999 1 2 3 4 5\ncpu299 1 1 1 1 1 1 1 1 1\nintr 1 2 3 4 5\ncpu3\n");
        const auto ticks = cpuTicks(tree.folders);
        QCOMPARE(ticks.size(), std::size_t(3));
        QVERIFY(ticks.at(kAllCpus) == (CpuTicks{55, 405, 8}));
        QVERIFY(ticks.at(0) == (CpuTicks{6, 4, 0}));
        QVERIFY(ticks.at(299) == (CpuTicks{5, 2, 1}));
        const auto parts = cpuBusyParts(std::chrono::milliseconds(1), tree.folders);
        QCOMPARE(parts.size(), std::size_t(2));
        QCOMPARE(parts.at(0), 0.0);
    }
    void thisMachine() {
        const Cpus allowed = allowedCpus();
        QVERIFY(!allowed.empty());
        Cpus order = quietCpuOrder();
        std::sort(order.begin(), order.end());
        QVERIFY(order == allowed);
    }
    void aThreadStaysAndIsFreeAgain() {
        const auto before = CpuMask::ofThread();
        QVERIFY(before.has_value());
        for (const int cpu : before->cpus()) {
            {
                const ThisThreadPinned pinned(cpu);
                QVERIFY(pinned.ok());
                QVERIFY(allowedCpus() == Cpus({cpu}));
                QCOMPARE(sched_getcpu(), cpu);
            }
            QVERIFY(CpuMask::ofThread() == before);
        }
        for (const int cpu : {-1, 8191, 100'000}) {
            const ThisThreadPinned pinned(cpu);
            QVERIFY(!pinned.ok());
            QVERIFY(CpuMask::ofThread() == before);
        }
    }
};

WARPSCOPE_TEST(CpuAffinityTest)
#include "cpu_affinity_test.moc"
