// JPEG XL: what was coded without loss comes back, whatever its width in bits.
#include <bit>

#include "support/test_case.h"
#include "tests/io/damage_checks.h"
#include "tests/io/jxl_files.h"

using namespace warpscope;
using namespace io_test;

class JxlTest : public QObject {
    Q_OBJECT

  private slots:
    void integersAreExact_data() {
        QTest::addColumn<int>("bits");
        QTest::addColumn<int>("channels");
        for (const int bits : {1, 2, 3, 4, 6, 8, 10, 12, 14, 16})
            for (const int channels : {1, 2, 3, 4})
                QTest::addRow("%d bits, %d channels", bits, channels) << bits << channels;
    }
    void integersAreExact() {
        QFETCH(int, bits);
        QFETCH(int, channels);
        const int width = 301, height = 43;
        const auto samples = integers(width * height * channels, bits, std::uint32_t(bits));
        const ByteBuffer file = makeJxl({.width = std::uint32_t(width),
                                         .height = std::uint32_t(height),
                                         .bits = std::uint32_t(bits),
                                         .channels = std::uint32_t(channels),
                                         .container = channels == 3},
                                        samples);
        QVERIFY(!file.empty());
        const auto image = decode(file);
        REQUIRE_OK(image);
        const bool replicated = bits == 1 || bits == 2 || bits == 4 || bits == 8;
        const std::uint32_t white = (1u << bits) - 1;
        QCOMPARE(image->info().whiteLevel, replicated ? 255.0 : double(white));
        QCOMPARE(image->info().hasAlpha, channels % 2 == 0);
        QVERIFY(!image->info().iccProfile);
        QCOMPARE(bytesPerSample(image->format()), bits > 8 ? 2 : 1);
        const auto sample = [&](int x, int y, int c) {
            const std::uint32_t v = samples[std::size_t((y * width + x) * channels + c)];
            return replicated ? v * 255 / white : v;
        };
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            if (c == 3 && channels % 2 != 0) return bits > 8 ? 65535u : 255u;
            return sample(x, y, channels <= 2 ? (c == 3 ? 1 : 0) : c);
        }));
    }

    void floatsAreExact() {
        const int width = 33, height = 20;
        std::vector<std::uint32_t> samples;
        for (int i = 0; i < width * height * 3; ++i)
            samples.push_back(std::bit_cast<std::uint32_t>(
                float(int(mixed(std::uint32_t(i)) % 2000000) - 500000) / 65536.0f));
        const ByteBuffer file = makeJxl({.width = std::uint32_t(width),
                                         .height = std::uint32_t(height),
                                         .bits = 32,
                                         .isFloat = true,
                                         .channels = 3},
                                        samples);
        QVERIFY(!file.empty());
        const auto image = decode(file);
        REQUIRE_OK(image);
        QCOMPARE(image->format(), PixelFormat::RgbaF32);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            return c == 3 ? 1.0f
                          : std::bit_cast<float>(samples[std::size_t((y * width + x) * 3 + c)]);
        }));
    }

    void framesArePages() {
        const auto samples = integers(9 * 5 * 3 * 3, 8);
        const ByteBuffer file =
            makeJxl({.width = 9, .height = 5, .channels = 3, .frames = 3}, samples);
        QVERIFY(!file.empty());
        const auto pages = listPagesOf(file, "test file");
        REQUIRE_OK(pages);
        QCOMPARE(pages->size(), std::size_t(3));
        QCOMPARE(pages->front().name, std::string("40 ms"));
        QVERIFY((pages->back().size == Size{9, 5}));
        ReadOptions options;
        for (options.page = 0; options.page < 3; ++options.page) {
            const auto image = decode(file, options);
            REQUIRE_OK(image);
            REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
                return c == 3 ? 255u
                              : samples[std::size_t(options.page * 135 + (y * 9 + x) * 3 + c)];
            }));
        }
        REQUIRE_FAILS(decode(file, options), ErrorCode::InvalidArgument, "the file has 3");
    }

    void orientationIsApplied() {
        const auto samples = integers(6 * 4, 8);
        const ByteBuffer file = makeJxl({.width = 6, .height = 4, .orientation = 6}, samples);
        const auto image = decode(file);
        REQUIRE_OK(image);
        QVERIFY((image->size() == Size{4, 6}));
        const auto pages = listPagesOf(file, "test file");
        REQUIRE_OK(pages);
        QVERIFY(pages->front().size == image->size());
        // Turned clockwise, the left column becomes the first row.
        REQUIRE_SAME(firstDifference(
            *image, [&](int x, int y, int) { return samples[std::size_t((3 - x) * 6 + y)]; }));
    }

    void damage() {
        for (const bool container : {false, true}) {
            const ByteBuffer file =
                makeJxl({.width = 12, .height = 9, .channels = 3, .container = container},
                        integers(12 * 9 * 3, 8));
            REQUIRE_SAME(cutAtEveryByte(file));
            REQUIRE_SAME(bitsTurnedOver(file));
        }
    }

    void limitsAndStops() {
        const ByteBuffer file = makeJxl({.width = 64, .height = 64}, integers(64 * 64, 8));
        ReadOptions options;
        options.limits.maxDecodedBytes = 64 * 64;
        REQUIRE_FAILS(decode(file, options), ErrorCode::LimitExceeded, "64 x 64 pixels");
        options = {};
        std::stop_source source;
        source.request_stop();
        options.stop = source.get_token();
        REQUIRE_FAILS(decode(file, options), ErrorCode::Cancelled, "cancelled");
        REQUIRE_FAILS(decode(ByteBuffer(file.begin(), file.end() - 9)), ErrorCode::Damaged,
                      "damaged after row");
    }
};

WARPSCOPE_TEST(JxlTest)
#include "jxl_test.moc"
