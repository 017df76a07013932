#include "support/test_case.h"
#include "tests/io/jpeg_files.h"

using namespace warpscope;
using namespace io_test;

namespace {

constexpr int kWidth = 45, kHeight = 38;

}  // namespace

class JpegTest : public QObject {
    Q_OBJECT

  private slots:
    void agreesWithLibjpeg_data() {
        QTest::addColumn<bool>("gray");
        QTest::addColumn<bool>("progressive");
        QTest::addColumn<bool>("subsampled");
        for (const bool gray : {false, true})
            for (const bool progressive : {false, true})
                for (const bool subsampled : {false, true})
                    QTest::addRow("%s%s%s", gray ? "gray" : "colour",
                                  progressive ? " progressive" : "",
                                  subsampled ? " subsampled" : "")
                        << gray << progressive << subsampled;
    }

    void agreesWithLibjpeg() {
        QFETCH(bool, gray);
        QFETCH(bool, progressive);
        QFETCH(bool, subsampled);
        const int channels = gray ? 1 : 3;
        const ByteBuffer file = makeJpeg({.width = kWidth,
                                          .height = kHeight,
                                          .channels = channels,
                                          .input = gray ? JCS_GRAYSCALE : JCS_RGB,
                                          .stored = gray ? JCS_GRAYSCALE : JCS_YCbCr,
                                          .progressive = progressive,
                                          .subsampled = subsampled},
                                         smoothRows(kWidth, kHeight, channels));
        const auto image = decode(file);
        REQUIRE_OK(image);
        QCOMPARE(image->format(), gray ? PixelFormat::Gray8 : PixelFormat::Rgba8);
        QVERIFY(!image->info().hasAlpha);
        QVERIFY(image->info().notices.empty());
        const ByteBuffer expected = jpegSamples(file, gray ? JCS_GRAYSCALE : JCS_RGB);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            return c == 3 ? 255 : int(expected[std::size_t((y * kWidth + x) * channels + c)]);
        }));
        QCOMPARE(image->info().sourceFormat.find("progressive") != std::string::npos, progressive);
    }

    void rgbWithoutTransform() {
        const ByteBuffer rows = smoothRows(kWidth, kHeight, 3);
        const auto image =
            decode(makeJpeg({.width = kWidth, .height = kHeight, .stored = JCS_RGB}, rows));
        REQUIRE_OK(image);
        QVERIFY(image->info().sourceFormat.find("RGB") != std::string::npos);
    }

    void inksKnowAdobe_data() {
        QTest::addColumn<bool>("adobe");
        QTest::addColumn<bool>("ycck");
        QTest::newRow("plain CMYK") << false << false;
        QTest::newRow("Adobe CMYK") << true << false;
        QTest::newRow("Adobe YCCK") << true << true;
    }

    void inksKnowAdobe() {
        QFETCH(bool, adobe);
        QFETCH(bool, ycck);
        const ByteBuffer file = makeJpeg({.width = kWidth,
                                          .height = kHeight,
                                          .channels = 4,
                                          .input = JCS_CMYK,
                                          .stored = ycck ? JCS_YCCK : JCS_CMYK,
                                          .adobeMarker = adobe},
                                         smoothRows(kWidth, kHeight, 4));
        const auto image = decode(file);
        REQUIRE_OK(image);
        QCOMPARE(image->info().rawLabel, "CMYK");
        QVERIFY(!image->info().hasAlpha);
        QVERIFY(anyContains(image->info().notices, "CMYK shown as RGB"));
        const ByteBuffer stored = jpegSamples(file, JCS_CMYK);
        const auto ink = [&](int x, int y, int c) {
            const int v = stored[std::size_t((y * kWidth + x) * 4 + c)];
            return adobe ? 255 - v : v;
        };
        REQUIRE_SAME(firstDifference(*image->info().raw, ink));
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            if (c == 3) return 255;
            return ((255 - ink(x, y, c)) * (255 - ink(x, y, 3)) * 2 + 255) / 510;
        }));
    }

    void metadataAndOrientation() {
        const ByteBuffer rows = smoothRows(kWidth, kHeight, 3);
        ByteBuffer profile = fakeProfile();
        profile.resize(100'000, 7);  // more than one marker holds
        const JpegSpec plain{.width = kWidth, .height = kHeight};
        JpegSpec spec = plain;
        spec.exif = exifBlock(8);
        spec.comment = "a comment";
        spec.profile = profile;
        const auto upright = decode(makeJpeg(spec, rows));
        const auto stored = decode(makeJpeg(plain, rows));
        REQUIRE_OK(upright);
        REQUIRE_OK(stored);
        QVERIFY((upright->size() == Size{kHeight, kWidth}));
        REQUIRE_SAME(firstDifference(*upright, [&](int x, int y, int c) {
            return sampleAt(*stored, kWidth - 1 - y, x, c);
        }));
        QCOMPARE(metadataOf(*upright, "camera model"), "Model 7");
        QCOMPARE(metadataOf(*upright, "comment"), "a comment");
        QVERIFY(upright->info().iccProfile && *upright->info().iccProfile == profile);
    }

    void extraneousBytesAreANoteOnly() {
        ByteBuffer file = makeJpeg({.width = kWidth, .height = kHeight, .comment = "c"},
                                   smoothRows(kWidth, kHeight, 3));
        const ByteBuffer plain = file;
        // Between two segments: behind the first (JFIF) one.
        const std::size_t end = 4 + std::size_t(file[4] << 8 | file[5]);
        file.insert(file.begin() + long(end), {1, 2, 3});
        const auto image = decode(file);
        REQUIRE_OK(image);
        QVERIFY(anyContains(image->info().notices, "extraneous bytes"));
        QVERIFY(sameSamples(*image, *decode(plain)));
    }

    void halfAPictureIsDamaged() {
        for (const bool progressive : {false, true}) {
            const ByteBuffer file =
                makeJpeg({.width = 200, .height = 200, .progressive = progressive},
                         packRows(integers(200 * 200 * 3, 8), 600, 8));
            const auto image =
                decode(ByteBuffer(file.begin(), file.begin() + long(file.size() / 2)));
            REQUIRE_FAILS(image, ErrorCode::Damaged, "damaged after row");
            REQUIRE_FAILS(image, ErrorCode::Damaged, "of 200: Premature end of JPEG file");
        }
    }

    void headersAreRefusedByArithmetic() {
        ByteBuffer file = makeJpeg({.width = 16, .height = 16}, smoothRows(16, 16, 3));
        const auto claim = [&](int width, int height, int precision) {
            ByteBuffer patched = file;
            for (std::size_t i = 0; i + 9 < patched.size(); ++i) {
                if (patched[i] != 0xFF || patched[i + 1] != 0xC0) continue;
                patched[i + 4] = std::uint8_t(precision);
                patched[i + 5] = std::uint8_t(height >> 8);
                patched[i + 6] = std::uint8_t(height);
                patched[i + 7] = std::uint8_t(width >> 8);
                patched[i + 8] = std::uint8_t(width);
                break;
            }
            return decode(patched);
        };
        auto image = claim(65'000, 65'000, 8);
        REQUIRE_FAILS(image, ErrorCode::LimitExceeded, "more than the limit of");
        image = claim(30'000, 30'000, 8);
        REQUIRE_FAILS(image, ErrorCode::Damaged, "the header promises");
        image = claim(0, 16, 8);
        QVERIFY(!image);
        image = claim(16, 16, 12);
        REQUIRE_FAILS(image, ErrorCode::Unsupported, "this kind of JPEG is not read");
    }

    void thousandsOfScansAreRefused() {
        const ByteBuffer file =
            makeJpeg({.width = 16, .height = 16, .progressive = true}, smoothRows(16, 16, 3));
        // The last scan (from its SOS marker to EOI), again and again.
        std::size_t scan = file.size();
        while (!(file[scan - 2] == 0xFF && file[scan - 1] == 0xDA)) --scan;
        const ByteBuffer last(file.begin() + long(scan) - 2, file.end() - 2);
        ByteBuffer bomb(file.begin(), file.end() - 2);
        for (int i = 0; i < 1000; ++i) bomb.insert(bomb.end(), last.begin(), last.end());
        bomb.push_back(0xFF);
        bomb.push_back(0xD9);
        const auto image = decode(bomb);
        QVERIFY(!image);
        QVERIFY2(image.error().code == ErrorCode::LimitExceeded ||
                     image.error().code == ErrorCode::Damaged,
                 image.error().message.c_str());
    }

    // Nothing is wrong in these but their number: a scan for every bit of every coefficient.
    void scansAreCounted() {
        std::vector<jpeg_scan_info> all;
        for (int c = 0; c < 3; ++c) all.push_back({1, {c, 0, 0, 0}, 0, 0, 0, 0});
        for (int c = 0; c < 3; ++c)
            for (int k = 1; k < 64; ++k)
                for (int bit = 10; bit >= 0; --bit)
                    all.push_back({1, {c, 0, 0, 0}, k, k, bit == 10 ? 0 : bit + 1, bit});
        for (const int count : {500, 501, 1000}) {
            const std::vector<jpeg_scan_info> scans(all.begin(), all.begin() + count);
            const auto image = decode(
                makeJpeg({.width = 16, .height = 16, .scans = scans}, smoothRows(16, 16, 3)));
            if (count <= 500) {
                REQUIRE_OK(image);
                QCOMPARE(image->size(), (Size{16, 16}));
            } else {
                REQUIRE_FAILS(image, ErrorCode::LimitExceeded, "more scans than the limit of 500");
            }
        }
    }
};

WARPSCOPE_TEST(JpegTest)
#include "jpeg_test.moc"
