// The threads of row bands: pinned and free again, and counted.
#include "engine/base/band_threads.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "engine/base/row_bands.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

// Runs bands until `wanted` threads have met within them, or for ten seconds; the CPUs of each.
class Meeting {
  public:
    std::map<pid_t, std::vector<int>> threads(int wanted) {
        (void)forEachRowBand(CpuContext{}, 200, 1, [&](int, int) {
            std::unique_lock lock(m_mutex);
            m_cpus[gettid()] = allowedCpus();
            m_changed.notify_all();
            m_changed.wait_until(lock, m_end, [&] { return int(m_cpus.size()) >= wanted; });
        });
        return m_cpus;
    }

  private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<pid_t, std::vector<int>> m_cpus;
    std::chrono::steady_clock::time_point m_end =
        std::chrono::steady_clock::now() + std::chrono::seconds(10);
};

// Threads of this process that may run on fewer CPUs than this one.
int pinnedThreads() {
    const auto free = CpuMask::ofThread();
    int pinned = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        const auto mask = CpuMask::ofThread(std::stoi(entry.path().filename().string()));
        if (mask && mask->cpus().size() < free->cpus().size()) ++pinned;
    }
    return pinned;
}

}  // namespace

class BandThreadsTest : public QObject {
    Q_OBJECT
  private slots:
    void everyThreadHasItsCpu() {
        const int threads = CpuContext{}.threadCount();
        const auto before = CpuMask::ofThread();
        for (int run = 0; run < 5; ++run) {
            {
                const PinnedPool pool;
                QVERIFY(pool.ok());
                QVERIFY(allowedCpus() == std::vector<int>{pool.cpus().front()});
                const auto met = Meeting().threads(threads);
                QCOMPARE(int(met.size()), threads);
                std::set<int> used;
                for (const auto& [thread, cpus] : met) {
                    QCOMPARE(cpus.size(), std::size_t(1));
                    used.insert(cpus.front());
                }
                QVERIFY(met.at(gettid()).front() == pool.cpus().front());
                QCOMPARE(used.size(), std::min(met.size(), pool.cpus().size()));
                QVERIFY(pool.ok());
            }
            QVERIFY(CpuMask::ofThread() == before);
            QCOMPARE(pinnedThreads(), 0);
            // They are as many as before, and free.
            for (const auto& [thread, cpus] : Meeting().threads(threads))
                QVERIFY(cpus == before->cpus());
        }
    }
    void othersWorkMeanwhile() {
        // Pools come and go while another thread has the same workers run its bands.
        const auto before = CpuMask::ofThread();
        std::atomic<bool> stop{false};
        std::atomic<int> wrong{0};
        std::thread other([&] {
            while (!stop) {
                std::atomic<int> rows{0};
                (void)forEachRowBand(CpuContext{}, 64, 1,
                                     [&](int first, int last) { rows += last - first; });
                if (rows != 64) ++wrong;
            }
        });
        for (int run = 0; run < 50; ++run) {
            const PinnedPool pool(before->cpus());
            std::atomic<int> rows{0};
            (void)forEachRowBand(CpuContext{}, 100, 1,
                                 [&](int first, int last) { rows += last - first; });
            if (rows != 100) ++wrong;
        }
        QCOMPARE(pinnedThreads(), 0);
        stop = true;
        other.join();
        QCOMPARE(wrong.load(), 0);
        QVERIFY(CpuMask::ofThread() == before);
        QCOMPARE(pinnedThreads(), 0);
    }
    void threadsBegunMeanwhileAreFreedToo() {
        std::mutex mutex;
        mutex.lock();
        std::thread sleeping;
        {
            const PinnedPool pool;
            sleeping = std::thread([&] { const std::lock_guard lock(mutex); });
        }
        const int pinned = pinnedThreads();
        mutex.unlock();
        sleeping.join();
        QCOMPARE(pinned, 0);
    }
    void saysWhatIsPinned() {
        const int threads = CpuContext{}.threadCount();
        const PinnedPool pool(allowedCpus());
        const std::string text = pool.describe();
        QVERIFY2(text.starts_with(fmt::format("{} threads on CPU", threads)) || threads == 1,
                 text.c_str());
        const PinnedPool second(allowedCpus());
        QVERIFY(!second.ok());
        QCOMPARE(second.describe(), std::string("threads are not pinned"));
    }
    void noSuchCpu() {
        const auto before = CpuMask::ofThread();
        for (const std::vector<int>& cpus : {std::vector<int>{}, std::vector<int>{8191}}) {
            const PinnedPool pool(cpus);
            QVERIFY(!pool.ok());
            QVERIFY(CpuMask::ofThread() == before);
            QVERIFY(forEachRowBand(CpuContext{}, 100, 1, [](int, int) {}).has_value());
        }
        QCOMPARE(pinnedThreads(), 0);
    }

    void countsThreadsThatWorked() {
        const int threads = CpuContext{}.threadCount();
        CpuContext single;
        single.threading = Threading::Single;
        const WorkedThreads none;
        QCOMPARE(none.count(), 0);
        (void)forEachRowBand(single, 50, 1, [](int, int) {});
        QCOMPARE(none.count(), 1);
        (void)forEachRowBand(CpuContext{}, 1, 1, [](int, int) {});
        QCOMPARE(none.count(), 1);
        const WorkedThreads second;
        QCOMPARE(second.count(), 0);
        const auto met = Meeting().threads(threads);
        QCOMPARE(int(met.size()), threads);
        QCOMPARE(none.count(), threads);
    }
    void everyCountBeginsAnew() {
        const int threads = CpuContext{}.threadCount();
        for (int run = 0; run < 20; ++run) {
            const WorkedThreads worked;
            QCOMPARE(worked.count(), 0);
            const int wanted = 1 + run % threads;
            const auto met = Meeting().threads(wanted);
            QVERIFY(int(met.size()) >= wanted);
            QCOMPARE(worked.count(), int(met.size()));
        }
    }
    void nobodyWorkedWhereNothingBegan() {
        std::stop_source source;
        source.request_stop();
        CpuContext context;
        context.stop = source.get_token();
        const WorkedThreads worked;
        (void)forEachRowBand(context, 50, 1, [](int, int) {});
        QCOMPARE(worked.count(), 0);
    }
};

WARPSCOPE_TEST(BandThreadsTest)
#include "band_threads_test.moc"
