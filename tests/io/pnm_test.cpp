#include <cmath>
#include <limits>

#include "support/test_case.h"
#include "tests/io/io_helpers.h"

using namespace warpscope;
using namespace io_test;

namespace {

Result<Image> decodeText(std::string_view text, const ReadOptions& options = {}) {
    return decode(fromText(text), options);
}

ByteBuffer with(std::string_view header, const ByteBuffer& samples) {
    ByteBuffer file = fromText(header);
    file.insert(file.end(), samples.begin(), samples.end());
    return file;
}

}  // namespace

class PnmTest : public QObject {
    Q_OBJECT

  private slots:
    void everyMaxvalKeepsRawValues_data() {
        QTest::addColumn<int>("maxval");
        for (const int maxval : {1, 2, 100, 254, 255, 256, 4095, 65534, 65535})
            QTest::addRow("%d", maxval) << maxval;
    }

    void everyMaxvalKeepsRawValues() {
        QFETCH(int, maxval);
        for (const int channels : {1, 3}) {
            std::vector<std::uint32_t> samples;
            for (int i = 0; i < 5 * 4 * channels; ++i)
                samples.push_back(mixed(std::uint32_t(i)) % (std::uint32_t(maxval) + 1));
            samples[0] = std::uint32_t(maxval);
            const std::string sizes = "\n5 4\n" + std::to_string(maxval) + "\n";
            const ByteBuffer binary = with((channels == 1 ? "P5" : "P6") + sizes,
                                           packRows(samples, 5 * channels, maxval < 256 ? 8 : 16));
            std::string plain = (channels == 1 ? "P2" : "P3") + sizes;
            for (const auto v : samples) plain += std::to_string(v) + "\n";
            for (const ByteBuffer& file : {binary, fromText(plain)}) {
                const auto image = decode(file);
                REQUIRE_OK(image);
                QCOMPARE(bytesPerSample(image->format()), maxval < 256 ? 1 : 2);
                QCOMPARE(image->info().whiteLevel, double(maxval));
                QVERIFY(!image->info().hasAlpha);
                REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
                    if (c == 3) return maxval < 256 ? 255u : 65535u;
                    return samples[std::size_t((y * 5 + x) * channels + c)];
                }));
            }
        }
    }

    void bitmaps() {
        const auto samples = integers(11 * 3, 1);
        std::string plain = "P1 #comment\n11 3\n";
        for (const auto v : samples) plain += std::to_string(v);  // no space between
        for (const ByteBuffer& file :
             {with("P4\n11 3\n", packRows(samples, 11, 1)), fromText(plain)}) {
            const auto image = decode(file);
            REQUIRE_OK(image);
            QCOMPARE(image->format(), PixelFormat::Gray8);
            QCOMPARE(image->info().whiteLevel, 255.0);
            REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int) {
                return samples[std::size_t(y * 11 + x)] ? 0 : 255;
            }));
        }
    }

    void pamKinds() {
        for (int channels = 1; channels <= 4; ++channels) {
            const char* types[] = {"", "GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"};
            const auto samples = integers(4 * 3 * channels, 8);
            const std::string header = "P7\n# c\nWIDTH 4\nHEIGHT 3\nDEPTH " +
                                       std::to_string(channels) + "\nMAXVAL 255\nTUPLTYPE " +
                                       types[channels] + "\nENDHDR\n";
            const auto image = decode(with(header, packRows(samples, 4 * channels, 8)));
            REQUIRE_OK(image);
            QCOMPARE(image->info().hasAlpha, channels % 2 == 0);
            REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
                const auto* p = &samples[std::size_t((y * 4 + x) * channels)];
                if (channels <= 2) return c == 3 ? p[1] : p[0];
                return c == 3 && channels == 3 ? 255u : p[c];
            }));
        }
        auto image = decodeText("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\nabcde");
        REQUIRE_FAILS(image, ErrorCode::Unsupported, "depth 5");
        image = decodeText("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE XYZ\nENDHDR\nabc");
        REQUIRE_FAILS(image, ErrorCode::Unsupported, "\"XYZ\"");
    }

    void floatMaps() {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const std::vector<float> values{
            0.5f, -3.0f, nan, 1e30f, std::numeric_limits<float>::infinity(), -0.0f};
        for (const bool little : {true, false}) {
            ByteBuffer samples(24);
            for (std::size_t i = 0; i < 6; ++i)
                for (std::size_t b = 0; b < 4; ++b) {
                    std::uint32_t bits;
                    std::memcpy(&bits, &values[i], 4);
                    samples[i * 4 + (little ? b : 3 - b)] = std::uint8_t(bits >> (8 * b));
                }
            const std::string scale = little ? "-1.0" : "1.0";
            const auto gray = decode(with("Pf\n3 2\n" + scale + "\n", samples));
            REQUIRE_OK(gray);
            QCOMPARE(gray->format(), PixelFormat::GrayF32);
            REQUIRE_SAME(firstDifference(*gray, [&](int x, int y, int) {
                return values[std::size_t((1 - y) * 3 + x)];  // the lowest row comes first
            }));
            const auto color = decode(with("PF\n1 2\n" + scale + "\n", samples));
            REQUIRE_OK(color);
            QCOMPARE(color->format(), PixelFormat::RgbaF32);
            REQUIRE_SAME(firstDifference(*color, [&](int, int y, int c) {
                return c == 3 ? 1.0f : values[std::size_t((1 - y) * 3 + c)];
            }));
        }
    }

    void headersAreRefusedByArithmetic_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* text, const char* reason) {
            QTest::addRow("%s", QString(text).simplified().toUtf8().constData())
                << QString(text) << QString(reason);
        };
        row("P5 99999999 99999999 255\n", "a side may have at most 1048576");
        row("P5 1000000 1000000 255\nx", "more than the limit of 8192 MiB");
        row("P2\n15000 15000\n255\n1 2 3 4 5 6 7 8 9 10 11", "need at least 449999999 bytes");
        row("P1 4 4\n101", "need at least 16 bytes");
        row("P5 50000 50000 255\nabc", "damaged after row 0 of 50000");
        row("P5 0 5 255\nabc", "a side of 0");
        row("P5 5 0 255\nabc", "a side of 0");
        row("P5 3 1 0\nabc", "maxval 0 is not between 1 and 65535");
        row("P5 3 1 65536\nabcabc", "maxval 65536 is not between");
        row("P5 -3 1 255\nabc", "width or height is missing");
        row("P5 3", "width or height is missing");
        row("P5 3 1", "the maxval is missing");
        row("P5 3 1 255", "the file ends inside its header");
        row("P5 99999999999999999999 1 255\n", "width or height is missing");
        row("P2 2 1 255\n1 256", "a sample is above the maxval");
        row("P2 2 1 255\n1 x", "a sample is not a number");
        row("P5 1 1 100\ne", "a sample is above the maxval");
        row("P1 2 1\n12", "a sample is not a number");
        row("Pf 1 1 0\nabcd", "the scale is missing, 0 or not a number");
        row("Pf 1 1 1e999\nabcd", "the scale is missing");
        row("P7\nWIDTH 1\n", "the file ends inside its header");
        row("P7\nCOLOUR 1\n", "unknown header line");
    }

    void headersAreRefusedByArithmetic() {
        QFETCH(QString, text);
        QFETCH(QString, reason);
        const auto image = decodeText(text.toStdString());
        QVERIFY(!image);
        QVERIFY2(image.error().message.find(reason.toStdString()) != std::string::npos,
                 image.error().message.c_str());
        QVERIFY(image.error().code == ErrorCode::Damaged ||
                image.error().code == ErrorCode::LimitExceeded);
    }

    void cutFilesNameTheRow() {
        const auto image = decodeText("P5 4 4 255\nabcdefghij");
        REQUIRE_FAILS(image, ErrorCode::Damaged, "damaged after row 2 of 4");
        const auto plain = decodeText("P2 2 3 255\n1 2 3 4           ");
        REQUIRE_FAILS(plain, ErrorCode::Damaged, "damaged after row 2 of 3");
    }

    void severalImagesAndRests() {
        auto image = decodeText("P5 1 1 255\nxP5 2 1 255\nabP6 1 1 255\nabc");
        REQUIRE_OK(image);
        QVERIFY(anyContains(image->info().notices, "1 of 3 images"));
        image = decodeText("P5 1 1 255\nxyz");
        REQUIRE_OK(image);
        QVERIFY(anyContains(image->info().notices, "2 bytes after the last sample were"));
        image = decodeText("P5 1 1 255\nxy");
        REQUIRE_OK(image);
        QVERIFY(anyContains(image->info().notices, "1 byte after the last sample was"));
    }

    void commentsAnywhere() {
        const auto image = decodeText("P5#one\n#two\n 2#three\n#four\n1 #five\n255#six\nab");
        REQUIRE_OK(image);
        QVERIFY((image->size() == Size{2, 1}));
        QCOMPARE(sampleAt(*image, 0, 0), double('a'));
    }
};

WARPSCOPE_TEST(PnmTest)
#include "pnm_test.moc"
