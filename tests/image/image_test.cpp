// Images: storage, conversion to 8 bits, statistics, the scene that the program makes.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <stop_token>
#include <thread>

#include "engine/image/content_hash.h"
#include "engine/image/convert.h"
#include "engine/image/image.h"
#include "engine/image/statistics.h"
#include "engine/image/storage_pool.h"
#include "engine/image/synthetic.h"
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

template <class T>
Image row(PixelFormat format, const std::vector<T>& samples, double white) {
    const int width = int(samples.size()) / channelCount(format);
    MutableImage made = MutableImage::create(format, {width, 1}).value();
    std::copy(samples.begin(), samples.end(), made.view<T>().row(0));
    ImageInfo info;
    info.whiteLevel = white;
    return std::move(made).freeze(std::move(info));
}

std::vector<int> bytesOf(const Image& image) {
    const auto view = image.view<std::uint8_t>();
    return {view.row(0), view.row(0) + view.samplesPerRow()};
}

}  // namespace

class ImageTest : public QObject {
    Q_OBJECT
  private slots:
    void sidesAreChecked() {
        for (const Size size :
             {Size{0, 1}, Size{1, 0}, Size{-1, 5}, Size{kMaxSide + 1, 1}, Size{1, kMaxSide + 1}}) {
            const auto made = MutableImage::create(PixelFormat::Gray8, size);
            REQUIRE_FAILS(made, ErrorCode::LimitExceeded, "");
        }
        QVERIFY(MutableImage::create(PixelFormat::Gray8, {kMaxSide, 1}));
        QVERIFY(MutableImage::create(PixelFormat::RgbaF32, {1, kMaxSide}));
    }
    void hugeImagesAreNoCrash() {
        // 2^40 pixels of 16 bytes: the arithmetic holds, the memory does not.
        QVERIFY(storageBytes(PixelFormat::RgbaF32, {kMaxSide, kMaxSide}).value() >= std::uint64_t(1)
                                                                                        << 44);
        const auto made = MutableImage::create(PixelFormat::RgbaF32, {kMaxSide, kMaxSide});
        REQUIRE_FAILS(made, ErrorCode::OutOfMemory, "");
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
    void largeStorageIsFoundAndWatched() {
        struct Watch final : StorageWatch {
            std::vector<StorageBlock> left;
            bool keeps = false;
            int waits = 0;
            bool leaving(const StorageBlock& block) noexcept override {
                left.push_back(block);
                return keeps;
            }
            void waitUntilGone() noexcept override { ++waits; }
        } watch;
        trimStorage();
        const std::byte* memory = nullptr;
        {
            const auto small = MutableImage::create(PixelFormat::Gray8, {300, 256});
            QVERIFY(!largeStorageAt(small->bytes()));
            addStorageWatch(watch);
            auto large = MutableImage::create(PixelFormat::Rgba8, {1000, 1000}).value();
            memory = large.bytes();
            const Image image = std::move(large).freeze({});
            for (const Image& part : {image, image.crop({700, 999, 300, 1})}) {
                const auto block = largeStorageAt(part.bytes());
                QVERIFY(block);
                QCOMPARE(block->memory, memory);
                QVERIFY(block->bytes >= image.byteCount());
            }
            QVERIFY(watch.left.empty());
        }
        trimStorage();
        QCOMPARE(watch.left.size(), std::size_t(1));
        QCOMPARE(watch.left[0].memory, memory);
        QVERIFY(!largeStorageAt(memory));
        QCOMPARE(watch.waits, 1);

        // Another watch does not matter to what one keeps.
        Watch other;
        addStorageWatch(other);
        watch.keeps = true;
        { auto kept = MutableImage::create(PixelFormat::Rgba8, {1000, 1000}).value(); }
        trimStorage();
        QCOMPARE(watch.left.size(), std::size_t(2));
        QCOMPARE(other.left.size(), std::size_t(1));
        const StorageBlock kept = watch.left[1];
        std::fill_n(kept.memory, kept.bytes, std::byte{1});  // it is still there
        endStorage(kept);

        // Two that keep it, as those of backends that follow each other may: it goes with the last.
        other.keeps = true;
        { auto both = MutableImage::create(PixelFormat::Rgba8, {1000, 1000}).value(); }
        trimStorage();
        QCOMPARE(watch.left.size(), std::size_t(3));
        const StorageBlock both = watch.left[2];
        endStorage(both);
        std::fill_n(both.memory, both.bytes, std::byte{2});
        endStorage(both);
        removeStorageWatch(other);
        removeStorageWatch(watch);
        { const auto another = MutableImage::create(PixelFormat::Rgba8, {1000, 1000}); }
        trimStorage();
        QCOMPARE(watch.left.size(), std::size_t(3));
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
        std::stop_source stop;
        QVERIFY(contentHash(a, stop.get_token()) == contentHash(a));
        stop.request_stop();
        QVERIFY(!contentHash(a, stop.get_token()));
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
        const ImageInfo spread = derivedInfo(info, PixelFormat::Rgba8, PixelFormat::Rgba8, true);
        QCOMPARE(spread.whiteLevel, 255.0);
        QVERIFY(spread.hasAlpha);
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

    void sixteenToEightIsTheNearest() {
        // (v 255 + 32,895) >> 16 is v / 257 rounded, for all 65,536 values.
        for (int v = 0; v < 65536; ++v)
            QCOMPARE(int(narrowSample(std::uint16_t(v))), int(std::floor(v / 257.0 + 0.5)));
    }
    void sixteenBitImages() {
        const Image image =
            row<std::uint16_t>(PixelFormat::Gray16, {0, 128, 129, 32896, 65535}, 65535);
        QCOMPARE(bytesOf(toEightBit(image, CpuContext{}).value()),
                 (std::vector<int>{0, 0, 1, 128, 255}));
    }
    void whiteLevelOf4095() {
        const Image image = row<std::uint16_t>(PixelFormat::Gray16, {0, 2048, 4095, 5000}, 4095);
        QCOMPARE(bytesOf(toEightBit(image, naturalRange(image), CpuContext{}).value()),
                 (std::vector<int>{0, 128, 255, 255}));
        const Image narrow = toEightBit(image, CpuContext{}).value();
        QCOMPARE(bytesOf(narrow), (std::vector<int>{0, 128, 255, 255}));
        QCOMPARE(narrow.info().whiteLevel, 255.0);
        // Alpha of the file ends at the white level too; one that a reader filled in is larger.
        const Image color =
            row<std::uint16_t>(PixelFormat::Rgba16, {0, 2048, 4095, 4095, 4095, 0, 0, 65535}, 4095);
        QCOMPARE(bytesOf(toEightBit(color, CpuContext{}).value()),
                 (std::vector<int>{0, 128, 255, 255, 255, 0, 0, 255}));
    }
    void floatClampsAndNanIsZero() {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float inf = std::numeric_limits<float>::infinity();
        const Image image =
            row<float>(PixelFormat::GrayF32, {-1.f, 0.f, 0.5f, 1.f, 7.f, nan, inf, -inf}, 1);
        QCOMPARE(bytesOf(toEightBit(image, CpuContext{}).value()),
                 (std::vector<int>{0, 0, 128, 255, 255, 0, 255, 0}));
    }
    void rangeLeavesAlphaAlone() {
        const Image image = row<std::uint8_t>(PixelFormat::Rgba8, {10, 20, 30, 128}, 255);
        QCOMPARE(bytesOf(toEightBit(image, {10, 30}, CpuContext{}).value()),
                 (std::vector<int>{0, 128, 255, 128}));
    }
    void eightBitsAreShared() {
        const Image image = row<std::uint8_t>(PixelFormat::Gray8, {1, 2, 3}, 255);
        QCOMPARE(toEightBit(image, CpuContext{}).value().id(), image.id());
        const Image dim = row<std::uint8_t>(PixelFormat::Gray8, {1, 50, 100}, 100);
        QCOMPARE(toEightBit(dim, CpuContext{}).value().id(), dim.id());
    }
    void emptyRange() {
        const Image image = row<std::uint8_t>(PixelFormat::Gray8, {1, 2, 3}, 255);
        QCOMPARE(bytesOf(toEightBit(image, {2, 2}, CpuContext{}).value()),
                 (std::vector<int>{0, 0, 255}));
    }
    void sumsUseTheirOwnRange() {
        const Image image =
            row<std::uint64_t>(PixelFormat::Gray64, {0, 5'000'000'000, 10'000'000'000}, 1e19);
        QCOMPARE(bytesOf(toEightBit(image, CpuContext{}).value()), (std::vector<int>{0, 128, 255}));
    }

    void agreesWithTheFormula() {
        std::mt19937 random(5);
        MutableImage made = MutableImage::create(PixelFormat::Rgba16, {201, 333}).value();
        const auto view = made.view<std::uint16_t>();
        std::vector<long double> sum(4), squares(4);
        for (int y = 0; y < view.height; ++y)
            for (int i = 0; i < view.samplesPerRow(); ++i) {
                const auto v = std::uint16_t(random() % (1000 * unsigned(i % 4 + 1)));
                view.row(y)[i] = v;
                sum[std::size_t(i % 4)] += v;
                squares[std::size_t(i % 4)] += (long double)(v)*v;
            }
        const Image image = std::move(made).freeze({});
        const auto result = computeStatistics(image, CpuContext{}).value();
        QCOMPARE(result.size(), std::size_t(4));
        for (std::size_t c = 0; c < 4; ++c) {
            const long double n = 201.0L * 333.0L, mean = sum[c] / n;
            QCOMPARE(result[c].count, std::uint64_t(201 * 333));
            QVERIFY(std::abs(result[c].mean - double(mean)) < 1e-9);
            QVERIFY(std::abs(result[c].standardDeviation -
                             double(std::sqrt(squares[c] / n - mean * mean))) < 1e-6);
            QCOMPARE(result[c].minimum, 0.0);
        }
    }
    void threadsDoNotMatter() {
        std::mt19937 random(6);
        MutableImage made = MutableImage::create(PixelFormat::GrayF32, {100, 1000}).value();
        for (int y = 0; y < 1000; ++y)
            for (int x = 0; x < 100; ++x) made.view<float>().row(y)[x] = float(random()) * 1e-9f;
        const Image image = std::move(made).freeze({});
        const auto one = computeStatistics(image, CpuContext{Threading::Single, {}, {}}).value();
        const auto all = computeStatistics(image, CpuContext{Threading::AllCores, {}, {}}).value();
        QCOMPARE(one[0].mean, all[0].mean);
        QCOMPARE(one[0].standardDeviation, all[0].standardDeviation);
    }
    void notFiniteIsCountedApart() {
        MutableImage made = MutableImage::create(PixelFormat::GrayF32, {4, 1}).value();
        float* row = made.view<float>().row(0);
        row[0] = std::numeric_limits<float>::quiet_NaN();
        row[1] = -std::numeric_limits<float>::infinity();
        row[2] = 2.0f;
        row[3] = -4.0f;
        const auto result = computeStatistics(std::move(made).freeze({}), CpuContext{}).value();
        QCOMPARE(result[0].notFinite, std::uint64_t(2));
        QCOMPARE(result[0].count, std::uint64_t(2));
        QCOMPARE(result[0].minimum, -4.0);
        QCOMPARE(result[0].maximum, 2.0);
        QCOMPARE(result[0].mean, -1.0);
        QCOMPARE(result[0].standardDeviation, 3.0);
    }
    void onlyNan() {
        MutableImage made = MutableImage::create(PixelFormat::GrayF32, {1, 1}).value();
        made.view<float>().row(0)[0] = std::numeric_limits<float>::quiet_NaN();
        const auto result = computeStatistics(std::move(made).freeze({}), CpuContext{}).value();
        QCOMPARE(result[0].count, std::uint64_t(0));
        QCOMPARE(result[0].minimum, 0.0);
    }

    void sameBitsEverywhere() {
        // Pinned: figures and shipped results name this image by its hash.
        const Image scene = makeScene({320, 200}, true, 1, CpuContext{}).value();
        QCOMPARE(QString::number(contentHash(scene), 16), QStringLiteral("104a99593b76a637"));
    }
    void threadsDoNotMatterForTheScene() {
        const Image one =
            makeScene({131, 77}, true, 3, CpuContext{Threading::Single, {}, {}}).value();
        const Image all =
            makeScene({131, 77}, true, 3, CpuContext{Threading::AllCores, {}, {}}).value();
        QVERIFY(sameSamples(one, all));
    }
    void seedsDiffer() {
        QVERIFY(!sameSamples(makeScene({64, 64}, true, 1, CpuContext{}).value(),
                             makeScene({64, 64}, true, 2, CpuContext{}).value()));
    }
    void grayIsTheLuminance() {
        const Image color = makeScene({65, 43}, true, 1, CpuContext{}).value();
        const Image gray = makeScene({65, 43}, false, 1, CpuContext{}).value();
        for (int y = 0; y < 43; ++y)
            for (int x = 0; x < 65; ++x) {
                const std::uint8_t* p = color.view<std::uint8_t>().row(y) + 4 * x;
                QCOMPARE(int(gray.view<std::uint8_t>().row(y)[x]),
                         int((19595u * p[0] + 38470u * p[1] + 7471u * p[2] + 32768u) >> 16));
                QCOMPARE(int(p[3]), 255);
            }
    }
    void exercisesTheTools() {
        const auto statistics =
            computeStatistics(makeScene({960, 640}, true, 1, CpuContext{}).value(), CpuContext{})
                .value();
        for (int c = 0; c < 3; ++c) {
            QVERIFY(statistics[std::size_t(c)].minimum <= 2);     // deep shadows
            QCOMPARE(statistics[std::size_t(c)].maximum, 255.0);  // clipped lights
            QVERIFY(statistics[std::size_t(c)].standardDeviation > 40);
        }
    }
    void smallestAndOddSizes() {
        for (const Size size : {Size{1, 1}, Size{1, 500}, Size{500, 1}, Size{37, 53}})
            QVERIFY(makeScene(size, true, 1, CpuContext{}));
        QVERIFY(!makeScene({0, 5}, true, 1, CpuContext{}));
    }
};

WARPSCOPE_TEST(ImageTest)
#include "image_test.moc"
