// Rows in bands over threads. Work that is suspended within its bands keeps its threads; other work
// must not miss them.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "engine/base/row_bands.h"
#include "engine/base/spare_threads.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

// Most threads that were within the body at once. The first ones wait until `expected` are, however
// late a busy machine starts them, and long enough for one too many; in vain for a minute.
int widest(int expected) {
    std::mutex mutex;
    std::condition_variable changed;
    int inside = 0, most = 0;
    bool enough = false;
    const auto done = forEachRowBand(CpuContext{}, 20 * expected, 1, [&](int, int) {
        std::unique_lock lock(mutex);
        most = std::max(most, ++inside);
        if (most >= expected) {
            enough = true;
            changed.notify_all();
        }
        if (!changed.wait_for(lock, std::chrono::minutes(1), [&] { return enough; })) enough = true;
        lock.unlock();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        lock.lock();
        --inside;
    });
    return done ? most : -1;
}

}  // namespace

class RowBandsTest : public QObject {
    Q_OBJECT
  private slots:
    void everyRowOnce_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("band");
        for (const int rows : {1, 2, 7, 64, 1000, 1'048'576})
            for (const int band : {1, 3, 64, 5000})
                if (rows / band < 100'000)
                    QTest::addRow("%d rows by %d", rows, band) << rows << band;
    }
    void everyRowOnce() {
        QFETCH(int, rows);
        QFETCH(int, band);
        for (const Threading threading : {Threading::Single, Threading::AllCores}) {
            CpuContext context;
            context.threading = threading;
            std::vector<std::uint8_t> seen(std::size_t(rows), 0);
            std::atomic<bool> tooHigh{false};
            const auto done = forEachRowBand(context, rows, band, [&](int first, int last) {
                if (last - first > band || last <= first) tooHigh = true;
                for (int y = first; y < last; ++y) ++seen[std::size_t(y)];
            });
            QVERIFY(done.has_value());
            QVERIFY(!tooHigh);
            for (const std::uint8_t count : seen) QCOMPARE(int(count), 1);
        }
    }
    void singleStaysOnThisThread() {
        CpuContext context;
        context.threading = Threading::Single;
        const auto self = std::this_thread::get_id();
        bool elsewhere = false;
        QVERIFY(forEachRowBand(context, 100, 1, [&](int, int) {
            if (std::this_thread::get_id() != self) elsewhere = true;
        }));
        QVERIFY(!elsewhere);
    }
    void stopsBetweenBands() {
        for (const Threading threading : {Threading::Single, Threading::AllCores}) {
            std::stop_source source;
            CpuContext context;
            context.threading = threading;
            context.stop = source.get_token();
            std::atomic<int> bands{0}, atStop{0};
            const auto done = forEachRowBand(context, 100'000, 1, [&](int, int) {
                if (++bands != 10) return;
                source.request_stop();
                atStop = bands.load();
            });
            REQUIRE_FAILS(done, ErrorCode::Cancelled, "");
            // Each thread may be inside one more band.
            QVERIFY(bands <= atStop + 2 * context.threadCount());
        }
    }
    void stoppedBeforeTheStartDoesNothing() {
        std::stop_source source;
        source.request_stop();
        CpuContext context;
        context.stop = source.get_token();
        int bands = 0;
        QVERIFY(!forEachRowBand(context, 5, 1, [&](int, int) { ++bands; }));
        QCOMPARE(bands, 0);
    }
    void noMemoryIsAnError() {
        CpuContext context;
        const auto done = forEachRowBand(context, 50, 1, [](int, int) { throw std::bad_alloc(); });
        REQUIRE_FAILS(done, ErrorCode::OutOfMemory, "");
    }
    void progressEndsAtOne() {
        CpuContext context;
        std::atomic<double> most{0};
        context.progress = [&](double fraction) {
            double before = most;
            while (fraction > before && !most.compare_exchange_weak(before, fraction)) {
            }
        };
        QVERIFY(forEachRowBand(context, 97, 5, [](int, int) {}));
        QCOMPARE(double(most), 1.0);
    }
    void bandsFitTheImage() {
        CpuContext context;
        QCOMPARE(rowsPerBand(context, 1, 1ull << 40), 1);
        QVERIFY(rowsPerBand(context, 10, 1) <= 10);
        QVERIFY(rowsPerBand(context, 100'000, 1024, 1, 64 * 1024) <= 64);
        QVERIFY(rowsPerBand(context, 100'000, 1ull << 30, 8) >= 8);
    }

    void noPieceOfWorkGetsMore();
    void suspendedWorkLeavesOthersTheirThreads();
};

void RowBandsTest::noPieceOfWorkGetsMore() {
    const int threads = CpuContext{}.threadCount();
    QCOMPARE(widest(threads), threads);
    const SpareThreads spare;
    QCOMPARE(CpuContext{}.threadCount(), threads);
    QCOMPARE(widest(threads), threads);
    int elsewhere = 0;
    std::thread([&] { elsewhere = widest(threads); }).join();
    QCOMPARE(elsewhere, threads);
}

void RowBandsTest::suspendedWorkLeavesOthersTheirThreads() {
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
        (void)forEachRowBand(context, 20 * threads, 1, [](int, int) {});
    });
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return parked == threads; });
    }
    const int others = widest(threads);
    {
        const std::lock_guard lock(mutex);
        go = true;
    }
    changed.notify_all();
    suspended.join();
    QCOMPARE(others, threads);
}

WARPSCOPE_TEST(RowBandsTest)
#include "row_bands_test.moc"
