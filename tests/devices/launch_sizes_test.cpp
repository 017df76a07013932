// How work is cut into launches, blocks and strips, and what is kept of each device: without a GPU.
#include <random>

#include "cuda_kernels/runtime/device_answers.h"
#include "cuda_kernels/runtime/launch_grid.h"
#include "cuda_kernels/runtime/tile_rows.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

class LaunchSizesTest : public QObject {
    Q_OBJECT

    static constexpr int kMultiprocessors = 132;

  private slots:
    // Small images are spread over all multiprocessors, and no item is left out.
    void launchGrids() {
        std::mt19937 random(freshSeed());
        for (int i = 0; i < 2000; ++i) {
            const auto items = std::uint32_t(1 + random() % (i % 2 ? 5000u : 10'000'000u));
            const unsigned most = 1 + random() % 4;
            const int multiprocessors = 1 + int(random() % 200);
            const LaunchGrid grid = launchGrid(items, multiprocessors, 256, most);
            const std::uint64_t block = std::uint64_t(grid.threads) * grid.each;
            QVERIFY(block * grid.blocks >= items && block * (grid.blocks - 1) < items);
            QVERIFY(grid.each >= 1 && grid.each <= most);
            QVERIFY(grid.threads == 64 || grid.threads == 128 || grid.threads == 256);
            QVERIFY(grid.threads == 64 || grid.blocks >= unsigned(multiprocessors));
        }
        // 16 bytes an item: 256 x 256 gray ones, 1024 x 1024 and 4K.
        QCOMPARE(launchGrid(4096, kMultiprocessors, 256, 4).blocks, 64u);
        QCOMPARE(launchGrid(65'536, kMultiprocessors, 256, 4).each, 1u);
        const LaunchGrid large = launchGrid(518'400, kMultiprocessors, 256, 4);
        QCOMPARE(large.each, 4u);
        QCOMPARE(large.threads, 256u);
    }

    // Strips of tiles are as high as leaves every multiprocessor work, and low tiles and few of
    // them are for small images.
    void tileRows() {
        std::mt19937 random(freshSeed());
        for (int i = 0; i < 2000; ++i) {
            const int across = 1 + int(random() % 40), height = 1 + int(random() % 20'000);
            const int multiprocessors = 1 + int(random() % 200);
            const int before = int(random() % 80), tile = random() % 2 ? 8 : 16;
            const int rows = tileRowsFor(tile, before, across, height, multiprocessors);
            QVERIFY(rows >= tile && rows <= 96 && rows % tile == 0);
            const int blocks = across * ((height + rows - 1) / rows);
            QVERIFY(rows == tile || blocks > 2 * multiprocessors);
            QCOMPARE(tilesFill(tile, across, height, multiprocessors),
                     across * height / double(tile) >= 2 * multiprocessors);
            QCOMPARE(tilesFill(tile, across, height, multiprocessors, kFewTiles),
                     across * height / double(tile) >= 0.75 * multiprocessors);
        }
        // 4K, gray and colour: three blocks a multiprocessor at most.
        QCOMPARE(tileRowsFor(16, 19, 8, 2160, kMultiprocessors), 48);
        QCOMPARE(tileRowsFor(16, 19, 17, 2160, kMultiprocessors), 96);
        QCOMPARE(tileRowsFor(8, 20, 17, 2160, kMultiprocessors), 96);
        QCOMPARE(tileRowsFor(12, 20, 8, 2160, kMultiprocessors, 24), 24);
        QCOMPARE(tileRowsFor(12, 20, 17, 2160, kMultiprocessors, 72), 72);
        QCOMPARE(tileRowsFor(12, 20, 3, 1024, kMultiprocessors, 24), 12);
        // 1920 x 1080 and less: a tile each.
        QCOMPARE(tileRowsFor(16, 19, 4, 1080, kMultiprocessors), 16);
        QCOMPARE(tileRowsFor(8, 19, 3, 1024, kMultiprocessors), 8);
        QVERIFY(tilesFill(16, 4, 1080, kMultiprocessors));
        QVERIFY(!tilesFill(16, 3, 1024, kMultiprocessors));
        // 512 x 512, 256 x 256.
        QVERIFY(tilesFill(8, 2, 512, kMultiprocessors, kFewTiles));
        QVERIFY(!tilesFill(8, 2, 512, kMultiprocessors));
        QVERIFY(!tilesFill(8, 1, 256, kMultiprocessors, kFewTiles));

        // Strips that slide: high ones for 4K, low ones for small images.
        QCOMPARE(slidingRowsFor(3, 16, 2160, kMultiprocessors), 8);
        QCOMPARE(slidingRowsFor(7, 16, 2160, kMultiprocessors), 12);
        QCOMPARE(slidingRowsFor(3, 3, 512, kMultiprocessors), 4);
        QCOMPARE(slidingRowsFor(3, 1, 1, kMultiprocessors), 4);
        QCOMPARE(slidingRowsFor(3, 3, 512, 1), 8);
    }

    // Each device is asked once, for itself.
    void deviceAnswers() {
        DeviceAnswers answers;
        constexpr int kDevices = 3;
        int asked[kDevices] = {};
        const auto ask = [&](int device) {
            return answers.of(device, [&asked, device] {
                ++asked[device];
                return device != 1;
            });
        };
        for (int turn = 0; turn < 3; ++turn)
            for (const int device : {1, 0, 2}) QCOMPARE(ask(device), device != 1);
        for (const int times : asked) QCOMPARE(times, 1);

        // What failed is asked again, and so are devices without a place.
        const int last = DeviceAnswers::kKept - 1;
        bool failed = false;
        try {
            answers.of(last, []() -> bool { throw 1; });
        } catch (int) {
            failed = true;
        }
        QVERIFY(failed && answers.of(last, [] { return true; }) &&
                answers.of(last, [] { return false; }));
        for (const int beyond : {-1, DeviceAnswers::kKept})
            QVERIFY(answers.of(beyond, [] { return true; }) &&
                    !answers.of(beyond, [] { return false; }));
    }
};

WARPSCOPE_TEST(LaunchSizesTest)
#include "launch_sizes_test.moc"
