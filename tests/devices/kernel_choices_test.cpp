// Which kernel an image gets, by its size and kind and the device's: looked at without a GPU.
#include <array>
#include <random>

#include "cuda_kernels/smoothing/median_choice.h"
#include "cuda_kernels/smoothing/nl_means_choice.h"
#include "cuda_kernels/smoothing/window_costs.h"
#include "cuda_kernels/tone/equalize_resident_choice.h"
#include "support/test_case.h"
#include "tests/devices/planned.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

namespace {

constexpr int kOfAnH100 = 132;  // multiprocessors

}  // namespace

class KernelChoiceTest : public QObject {
    Q_OBJECT

  private slots:
    // Which images a device keeps while it equalizes them.
    void residentShapes() {
        constexpr std::size_t kLarge = 227 << 10, kSmall = 99 << 10;
        const auto shape = [](Size size, int bytes, int multiprocessors, std::size_t shared) {
            return residentShape(std::uint64_t(size.pixels()) * unsigned(bytes) / 16,
                                 multiprocessors, shared);
        };
        const Size uhd{3840, 2160}, hd{1920, 1080};
        QCOMPARE(shape(uhd, 1, 132, kLarge).pieces, 4u);
        QCOMPARE(shape(hd, 4, 132, kLarge).pieces, 4u);
        QCOMPARE(shape({1024, 1024}, 1, 132, kLarge).pieces, 1u);
        QCOMPARE(shape({16, 16}, 1, 132, kLarge).blocks, 1u);
        QCOMPARE(shape(uhd, 1, 132, kLarge).blocks, 132u);
        // Too large, and a device that has too little room.
        QCOMPARE(shape({4096, 4096}, 1, 132, kLarge).blocks, 0u);
        QCOMPARE(shape(uhd, 4, 132, kLarge).blocks, 0u);
        QCOMPARE(shape({1024, 1024}, 1, 84, kSmall).blocks, 0u);
        for (const Size size : {Size{1, 16}, Size{1000, 1000}, hd, uhd})
            for (const int multiprocessors : {1, 6, 84, 132}) {
                const ResidentShape kept = shape(size, 4, multiprocessors, kLarge);
                if (kept.blocks == 0) continue;
                QVERIFY(2 * (kept.sharedBytes() + kResidentStatic) <= kLarge);
                QVERIFY(kept.blocks <= unsigned(multiprocessors));
                QVERIFY(std::uint64_t(kept.pieces) * kept.blocks * kResidentThreads >=
                        std::uint64_t(size.pixels()) / 4);
            }
        QVERIFY(prefersResident(1024 * 1024, 132) && !prefersResident(512 * 512, 132));
    }

    void medians() {
        const Size small{512, 512}, middle{1024, 1024}, large{3840, 2160};
        const auto choice = [](int radius, PixelFormat format, Size size, int major = 9) {
            return medianKernels(radius, format, size, kOfAnH100, major);
        };
        using enum MedianBy;
        for (const bool colour : {false, true}) {
            const auto bytes = colour ? PixelFormat::Rgba8 : PixelFormat::Gray8;
            const auto words = colour ? PixelFormat::Rgba16 : PixelFormat::Gray16;
            for (const int major : {7, 8, 9, 12})
                for (const Size size : {Size{1, 1}, small, middle, large}) {
                    QCOMPARE(choice(1, bytes, size, major), Networks);
                    QCOMPARE(choice(1, words, size, major), Networks);
                    for (int radius = 3; radius <= kMaxMedianRadius; ++radius)
                        QCOMPARE(choice(radius, words, size, major), Tiles);
                    for (const int radius : {6, 7})
                        QCOMPARE(choice(radius, bytes, size, major), Columns);
                }
            for (int radius = 2; radius <= 5; ++radius) {
                const MedianBy before = radius == 2 ? Networks : Planes;
                const MedianBy some = radius == 5 ? Columns : before;
                QCOMPARE(choice(radius, bytes, {256, 256}), radius == 2 ? Networks : Columns);
                QCOMPARE(choice(radius, bytes, small), radius == 2 || colour ? some : Columns);
                QCOMPARE(choice(radius, bytes, middle), colour && radius == 4 ? Tiles : some);
                QCOMPARE(choice(radius, bytes, large), radius == 5 ? Columns : Tiles);
                for (const Size size : {small, large})
                    QCOMPARE(choice(radius, bytes, size, 8), before);
            }
            QCOMPARE(choice(2, words, small), Networks);
            QCOMPARE(choice(2, words, middle), colour ? Tiles : Networks);
            QCOMPARE(choice(2, words, large, 7), Tiles);
        }
        // An image is large for a device.
        QCOMPARE(medianKernels(3, PixelFormat::Gray8, {130, 64}, 1, 9), Planes);
        QCOMPARE(medianKernels(3, PixelFormat::Gray8, {130, 96}, 1, 9), Tiles);
    }

    // Blocks of columns cover a row, none lies beyond it, and all that are resident fit.
    void medianBlocks() {
        std::mt19937 random(freshSeed());
        for (int i = 0; i < 2000; ++i) {
            const Size size{1 + int(random() % (i % 2 ? 3000u : unsigned(kMaxSide))), 100};
            const int radius = kLeastColumnsRadius + i % 5;
            const std::size_t shared = std::array{48u, 64u, 99u, 163u, 227u}[random() % 5] << 10;
            const auto made = medianColumns(size, i % 7 ? 1 : 3, radius, 1 + i % 200, shared);
            QVERIFY(made.threads > 0 && made.threads % 32 == 0 && made.rows > 0);
            QVERIFY(made.threads <= kMedianColumnThreads);
            QVERIFY(made.resident > 0 &&
                    made.resident * made.threads <= kMedianColumnBlocks * kMedianColumnThreads);
            const std::size_t bytes = std::size_t(made.threads) * 2 * kMedianColumnBytes;
            QVERIFY(bytes <= 48 << 10 && made.resident * (bytes + 1024) <= shared + 1024);
            const std::int64_t each = 2 * (made.threads - medianColumnsBeside(radius));
            QVERIFY(each * made.across >= size.width && each * (made.across - 1) < size.width);
        }
        const auto measured = medianColumns({3840, 2160}, 1, 7, kOfAnH100, 227 << 10);
        QCOMPARE(measured.resident, 6);
        QCOMPARE(measured.across, 16);
        QCOMPARE(measured.threads, 128);
        QCOMPARE(measured.rows, 45);
    }

    // The windows that people use have kernels of their own; what else there is runs as before.
    void nlMeansChoice() {
        const auto plan = [](PixelFormat format, const char* patch, const char* search) {
            return planned<NlMeansPlan>(
                "nl_means", {{"patch_radius", patch}, {"search_radius", search}}, format, {64, 64});
        };
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8}) {
            QVERIFY(fitsNlMeansSmall(*plan(format, "1", "1")));
            QVERIFY(fitsNlMeansSmall(*plan(format, "1", "2")));
            QVERIFY(!fitsNlMeansSmall(*plan(format, "1", "0")));
            QVERIFY(!fitsNlMeansSmall(*plan(format, "1", "3")));
            QVERIFY(!fitsNlMeansSmall(*plan(format, "0", "2")));
            QVERIFY(!fitsNlMeansSmall(*plan(format, "2", "2")));
        }
        QVERIFY(!fitsNlMeansSmall(*plan(PixelFormat::Gray16, "1", "2")));
        for (const char* patch : {"1", "2", "3"}) {
            QVERIFY(fitsNlMeansProducts(*plan(PixelFormat::Rgba8, patch, "4"), true));
            QVERIFY(fitsNlMeansProducts(*plan(PixelFormat::Rgba8, patch, "20"), true));
            QVERIFY(!fitsNlMeansProducts(*plan(PixelFormat::Rgba8, patch, "10"), false));
            QVERIFY(!fitsNlMeansProducts(*plan(PixelFormat::Rgba8, patch, "2"), true));
            QVERIFY(!fitsNlMeansProducts(*plan(PixelFormat::Gray8, patch, "10"), true));
        }
        QVERIFY(fitsNlMeansProducts(*plan(PixelFormat::Rgba8, "3", "3"), true));
        QVERIFY(!fitsNlMeansProducts(*plan(PixelFormat::Rgba8, "2", "3"), true));
        QVERIFY(!fitsNlMeansProducts(*plan(PixelFormat::Rgba8, "0", "10"), true));
        QVERIFY(!fitsNlMeansProducts(*plan(PixelFormat::Rgba8, "4", "10"), true));
        QVERIFY(!fitsNlMeansProducts(*plan(PixelFormat::Rgba16, "3", "10"), true));

        // Pairs: the defaults, and what is as exact as they are.
        QVERIFY(fitsNlMeansPairs(*plan(PixelFormat::Gray8, "3", "10"), true));
        QVERIFY(!fitsNlMeansPairs(*plan(PixelFormat::Gray8, "3", "10"), false));
        QVERIFY(!fitsNlMeansPairs(*plan(PixelFormat::Gray8, "3", "9"), true));
        QVERIFY(!fitsNlMeansPairs(*plan(PixelFormat::Gray8, "2", "10"), true));
        QVERIFY(!fitsNlMeansPairs(*plan(PixelFormat::Rgba8, "3", "10"), true));
        QVERIFY(!fitsNlMeansPairs(*plan(PixelFormat::Gray16, "3", "10"), true));
        const auto pairs = [](const char* h, const char* patch) {
            return fitsNlMeansPairs(
                *planned<NlMeansPlan>("nl_means",
                                      {{"h", h}, {"patch_radius", patch}, {"search_radius", "10"}},
                                      PixelFormat::Gray8, {64, 64}),
                true);
        };
        QVERIFY(!pairs("9.8", "3"));
        QVERIFY(pairs("200", "3"));
        QVERIFY(!pairs("13.8", "2"));
        QVERIFY(pairs("13.9", "2"));
        QVERIFY(!pairs("200", "1"));
        QVERIFY(!pairs("200", "4"));
    }
};

WARPSCOPE_TEST(KernelChoiceTest)
#include "kernel_choices_test.moc"
