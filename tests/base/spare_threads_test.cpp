// Work that is suspended within its row bands keeps its threads; other work must not miss them.
#include <QTest>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/base/row_bands.h"
#include "engine/base/spare_threads.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

// Most threads that were within the body at once, over 200 bands that sleep.
int widest() {
    std::atomic<int> inside{0}, most{0};
    const auto done = forEachRowBand(CpuContext{}, 200, 1, [&](int, int) {
        const int now = ++inside;
        int before = most;
        while (now > before && !most.compare_exchange_weak(before, now)) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        --inside;
    });
    return done ? most.load() : -1;
}

}  // namespace

class SpareThreadsTest : public QObject {
    Q_OBJECT
  private slots:
    void noPieceOfWorkGetsMore();
    void suspendedWorkLeavesOthersTheirThreads();
};

void SpareThreadsTest::noPieceOfWorkGetsMore() {
    const int threads = CpuContext{}.threadCount();
    QCOMPARE(widest(), threads);
    const SpareThreads spare;
    QCOMPARE(CpuContext{}.threadCount(), threads);
    QCOMPARE(widest(), threads);
    int elsewhere = 0;
    std::thread([&] { elsewhere = widest(); }).join();
    QCOMPARE(elsewhere, threads);
}

void SpareThreadsTest::suspendedWorkLeavesOthersTheirThreads() {
    const int threads = CpuContext{}.threadCount();
    if (threads < 2) QSKIP("one processor");
    const SpareThreads spare;
    std::mutex mutex;
    std::condition_variable changed;
    int parked = 0;
    bool go = false;
    std::thread suspended([&] {
        CpuContext context;
        context.progress = [&](double) {
            std::unique_lock lock(mutex);
            ++parked;
            changed.notify_all();
            changed.wait(lock, [&] { return go; });
        };
        (void)forEachRowBand(context, 100, 1, [](int, int) {});
    });
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return parked == threads; });
    }
    const int others = widest();
    {
        const std::lock_guard lock(mutex);
        go = true;
    }
    changed.notify_all();
    suspended.join();
    QCOMPARE(others, threads);
}

WARPSCOPE_TEST(SpareThreadsTest)
#include "spare_threads_test.moc"
