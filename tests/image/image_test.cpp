#include "engine/image/image.h"

#include <QTest>
#include <cstring>
#include <thread>

#include "engine/image/storage_pool.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

Image filled(PixelFormat format, Size size, int start) {
    MutableImage made = MutableImage::create(format, size).value();
    for (int y = 0; y < size.height; ++y)
        for (int i = 0; i < size.width * bytesPerPixel(format); ++i)
            made.rowBytes(y)[i] = std::byte((start + y * 31 + i) & 255);
    return std::move(made).freeze({});
}

}  // namespace

class ImageTest : public QObject {
    Q_OBJECT
  private slots:
    void sidesAreChecked() {
        for (const Size size :
             {Size{0, 1}, Size{1, 0}, Size{-1, 5}, Size{kMaxSide + 1, 1}, Size{1, kMaxSide + 1}}) {
            const auto made = MutableImage::create(PixelFormat::Gray8, size);
            QVERIFY(!made);
            QCOMPARE(made.error().code, ErrorCode::LimitExceeded);
        }
        QVERIFY(MutableImage::create(PixelFormat::Gray8, {kMaxSide, 1}));
        QVERIFY(MutableImage::create(PixelFormat::RgbaF32, {1, kMaxSide}));
    }
    void hugeImagesAreNoCrash() {
        // 2^40 pixels of 16 bytes: the arithmetic holds, the memory does not.
        QVERIFY(storageBytes(PixelFormat::RgbaF32, {kMaxSide, kMaxSide}).value() >= std::uint64_t(1)
                                                                                        << 44);
        const auto made = MutableImage::create(PixelFormat::RgbaF32, {kMaxSide, kMaxSide});
        QVERIFY(!made);
        QCOMPARE(made.error().code, ErrorCode::OutOfMemory);
    }
    void storageIsKeptWithinLimits() {
        trimStorage();
        QCOMPARE(keptStorageBytes(), std::uint64_t(0));
        { const auto made = MutableImage::create(PixelFormat::Gray8, {100, 100}); }
        QCOMPARE(keptStorageBytes(), std::uint64_t(0));  // small blocks are not ours to keep
        // What the allocator might give back to the system after each filter.
        { const auto made = MutableImage::create(PixelFormat::Gray8, {300, 256}); }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        QVERIFY(keptStorageBytes() >= 300 * 256);
        const std::uint64_t kept = keptStorageBytes();
        { const auto again = MutableImage::create(PixelFormat::Gray8, {300, 256}); }
        QCOMPARE(keptStorageBytes(), kept);
#endif
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([] {
                for (int i = 0; i < 50; ++i) {
                    const auto made = MutableImage::create(PixelFormat::Rgba8, {1000 + i, 1000});
                    made->rowBytes(999)[0] = std::byte(i);
                }
            });
        for (std::thread& thread : threads) thread.join();
        QVERIFY(keptStorageBytes() <= std::uint64_t(512) << 20);
        trimStorage();
        QCOMPARE(keptStorageBytes(), std::uint64_t(0));
    }
    void rowsAreAligned() {
        for (const PixelFormat format : kAllPixelFormats) {
            const MutableImage made = MutableImage::create(format, {17, 3}).value();
            QCOMPARE(made.pitch() % 64, std::ptrdiff_t(0));
            QCOMPARE(reinterpret_cast<std::uintptr_t>(made.bytes()) % 64, std::uintptr_t(0));
        }
    }
    void cropSharesSamples() {
        const Image image = filled(PixelFormat::Rgba8, {20, 10}, 3);
        const Image window = image.crop({4, 2, 7, 5});
        QCOMPARE(window.size(), (Size{7, 5}));
        QCOMPARE(window.rowBytes(0), image.rowBytes(2) + 16);
        QVERIFY(window.id() != image.id());
        QVERIFY(image.crop({0, 0, 20, 10}).id() == image.id());
        for (int y = 0; y < 5; ++y)
            QCOMPARE(std::memcmp(window.rowBytes(y), image.rowBytes(y + 2) + 16, 28), 0);
    }
    void sameSamplesIgnoresPadding() {
        const Image a = filled(PixelFormat::Gray16, {5, 4}, 0);
        const Image b = filled(PixelFormat::Gray16, {5, 4}, 0);
        QVERIFY(sameSamples(a, b));
        QCOMPARE(contentHash(a), contentHash(b));
        QVERIFY(!sameSamples(a, filled(PixelFormat::Gray16, {5, 4}, 1)));
        QVERIFY(!sameSamples(a, filled(PixelFormat::Gray16, {4, 5}, 0)));
        QVERIFY(contentHash(a) != contentHash(filled(PixelFormat::Gray16, {5, 4}, 1)));
        // A window has other padding than an image of its own.
        const Image window = filled(PixelFormat::Gray16, {9, 4}, 0).crop({0, 0, 5, 4});
        QVERIFY(sameSamples(a, window));
        QCOMPARE(contentHash(a), contentHash(window));
    }
    void freezeLikeKeepsWhatFits() {
        ImageInfo info;
        info.whiteLevel = 100;
        info.hasAlpha = true;
        info.sourceFormat = "PGM";
        const Image source = MutableImage::create(PixelFormat::Rgba8, {2, 2}).value().freeze(info);
        const Image same =
            MutableImage::create(PixelFormat::Rgba8, {2, 2}).value().freezeLike(source);
        QCOMPARE(same.info().whiteLevel, 100.0);
        QVERIFY(same.info().hasAlpha);
        const Image gray =
            MutableImage::create(PixelFormat::Gray8, {2, 2}).value().freezeLike(source);
        QVERIFY(!gray.info().hasAlpha);
        QCOMPARE(gray.info().whiteLevel, 100.0);  // samples of the same size
        const Image wide =
            MutableImage::create(PixelFormat::Gray32, {2, 2}).value().freezeLike(source);
        QCOMPARE(wide.info().whiteLevel, 4294967295.0);
        const Image spread =
            MutableImage::create(PixelFormat::Rgba8, {2, 2}).value().freezeLike(source, true);
        QCOMPARE(spread.info().whiteLevel, 255.0);
        QVERIFY(spread.info().hasAlpha);
    }
    void intersections() {
        QCOMPARE(intersect({0, 0, 10, 10}, {5, 5, 10, 10}), (Rect{5, 5, 5, 5}));
        QVERIFY(intersect({0, 0, 10, 10}, {10, 0, 5, 5}).empty());
        QCOMPARE(intersect({-5, -5, 2147483647, 2147483647}, {0, 0, 4, 4}), (Rect{0, 0, 4, 4}));
    }
    void rectanglesContain() {
        QVERIFY(contains({2, 3, 10, 10}, {2, 3, 10, 10}));
        QVERIFY(contains({2, 3, 10, 10}, {4, 5, 1, 1}));
        QVERIFY(!contains({2, 3, 10, 10}, {1, 5, 4, 4}));
        QVERIFY(!contains({2, 3, 10, 10}, {4, 5, 4, 9}));
    }
    void formatNamesReadBack() {
        for (const PixelFormat format : kAllPixelFormats)
            QCOMPARE(formatFromName(formatName(format)).value(), format);
        QVERIFY(!formatFromName("Gray7"));
    }
};

WARPSCOPE_TEST(ImageTest)
#include "image_test.moc"
