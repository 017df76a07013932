#include "support/test_case.h"
#include "tests/io/tiff_files.h"

#include <cmath>
#include <limits>

using namespace warpscope;
using namespace io_test;

namespace {

std::uint32_t widenedTiff(std::uint32_t v, int bits) {
    return bits == 1 || bits == 2 || bits == 4 ? v * 255 / ((1u << bits) - 1) : v;
}

struct DeflatedBlock {
    bool tiled = false;
    int bits = 8;
    int predictor = PREDICTOR_NONE;
};

// A strip or tile of 16 rows, in the other byte order, that holds `rows`.
void deflateOfRows(const DeflatedBlock& block, int rows) {
    const auto [tiled, bits, predictor] = block;
    TiffMemory memory;
    TIFF* tiff = memory.open("wb");
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 16);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 16);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    if (bits == 32) TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, predictor);
    if (tiled) TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
    TIFFSetField(tiff, tiled ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP, 16);
    // Every value, and that which the reader looks for at the end.
    const auto byte = [](int i) { return (i + 0xA6) & 255; };
    const auto stored = [&](int i) {
        return bits == 8 ? byte(i) : byte(2 * i) << 8 | byte(2 * i + 1);
    };
    const auto value = [&](int x, int y) {
        int sum = 0;
        for (int i = predictor == PREDICTOR_NONE ? x : 0; i <= x; ++i) sum += stored(16 * y + i);
        return sum & ((1 << bits) - 1);
    };
    QByteArray samples;
    for (int i = 0; i < 16 * rows * bits / 8; ++i) samples += char(byte(i));
    QByteArray deflated = qCompress(samples, 0).mid(4);
    const auto written = tiled ? TIFFWriteRawTile(tiff, 0, deflated.data(), deflated.size())
                               : TIFFWriteRawStrip(tiff, 0, deflated.data(), deflated.size());
    TIFFClose(tiff);
    QCOMPARE(written, tmsize_t(deflated.size()));
    const auto image = decode(memory.bytes);
    if (rows != 16) {
        REQUIRE_FAILS(image, ErrorCode::Damaged, "damaged after row 0 of 16");
        return;
    }
    REQUIRE_OK(image);
    // Of floats the bytes are differences, which no value shows.
    if (bits == 32) return;
    REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int) { return value(x, y); }));
}

}  // namespace

class TiffTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        // libtiff's own notes on the files that are made wrong on purpose.
        TIFFSetWarningHandler(nullptr);
        TIFFSetErrorHandler(nullptr);
    }

    void readsUnsignedSamples_data() {
        QTest::addColumn<int>("bits");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("compression");
        QTest::addColumn<bool>("separate");
        QTest::addColumn<bool>("tiled");
        const auto add = [](int bits, int channels, int compression, bool separate, bool tiled) {
            QTest::addRow("%d bits %d channels compression %d %s %s", bits, channels, compression,
                          separate ? "separate" : "together", tiled ? "tiles" : "strips")
                << bits << channels << compression << separate << tiled;
        };
        for (const int compression :
             {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS})
            for (const bool tiled : {false, true})
                for (const int bits : {1, 2, 4, 8, 12, 16}) add(bits, 1, compression, false, tiled);
        for (const int compression : {COMPRESSION_NONE, COMPRESSION_ADOBE_DEFLATE})
            for (const bool separate : {false, true})
                for (const bool tiled : {false, true})
                    for (const int channels : {2, 3, 4})
                        for (const int bits : {4, 8, 12, 16})
                            add(bits, channels, compression, separate, tiled);
        for (const int bits : {3, 5, 7, 10, 15}) add(bits, 1, COMPRESSION_NONE, false, false);
    }

    void readsUnsignedSamples() {
        QFETCH(int, bits);
        QFETCH(int, channels);
        QFETCH(int, compression);
        QFETCH(bool, separate);
        QFETCH(bool, tiled);
        const auto samples = integers(kTiffWidth * kTiffHeight * channels, bits);
        TiffSpec spec{.bits = bits,
                      .channels = channels,
                      .photometric = channels >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK,
                      .compression = compression,
                      .separate = separate,
                      .tile = tiled ? 16u : 0u,
                      .extraSample = channels % 2 == 0 ? EXTRASAMPLE_UNASSALPHA : -1};
        const auto image =
            decode(makeTiff(spec, tiffPlanes(samples, kTiffWidth, channels, bits, separate)));
        REQUIRE_OK(image);
        const double full = bits > 8 ? 65535 : 255;
        const bool repeats = bits == 1 || bits == 2 || bits == 4;
        QCOMPARE(image->info().whiteLevel, repeats ? 255.0 : std::ldexp(1, bits) - 1);
        QCOMPARE(image->info().hasAlpha, channels % 2 == 0);
        QCOMPARE(bytesPerSample(image->format()), bits > 8 ? 2 : 1);
        QCOMPARE(isColor(image->format()), channels > 1);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            const auto at = [&](int i) {
                return double(
                    widenedTiff(samples[std::size_t((y * kTiffWidth + x) * channels + i)], bits));
            };
            if (channels == 3 && c == 3) return full;
            return channels == 2 ? at(c == 3 ? 1 : 0) : at(c);
        }));
    }

    void readsBothByteOrdersAndBigTiff() {
        const auto samples = integers(kTiffWidth * kTiffHeight * 3, 16);
        for (const char* mode : {"wl", "wb", "wl8", "wb8"}) {
            const auto image = decode(makeTiff({.bits = 16,
                                                .channels = 3,
                                                .photometric = PHOTOMETRIC_RGB,
                                                .compression = COMPRESSION_LZW,
                                                .predictor = 2,
                                                .mode = mode},
                                               tiffPlanes(samples, kTiffWidth, 3, 16, false)));
            REQUIRE_OK(image);
            REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
                return c == 3 ? 65535u : samples[std::size_t((y * kTiffWidth + x) * 3 + c)];
            }));
        }
    }

    void whiteIsZero() {
        for (const int bits : {1, 4, 8, 12, 16}) {
            const auto samples = integers(kTiffWidth * kTiffHeight, bits);
            const auto image =
                decode(makeTiff({.bits = bits, .photometric = PHOTOMETRIC_MINISWHITE},
                                tiffPlanes(samples, kTiffWidth, 1, bits, false)));
            REQUIRE_OK(image);
            REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int) {
                return widenedTiff((1u << bits) - 1 - samples[std::size_t(y * kTiffWidth + x)],
                                   bits);
            }));
        }
    }

    void palettesBecomeColour() {
        for (const int bits : {1, 2, 4, 8}) {
            for (const int scale : {257, 256, 1, 100}) {  // 100: neither 8 bits nor their multiples
                TiffSpec spec{.bits = bits, .photometric = PHOTOMETRIC_PALETTE};
                const int last = (1 << bits) - 1;
                for (int i = 0; i <= last; ++i) {
                    spec.red.push_back(std::uint16_t(i * scale));
                    spec.green.push_back(std::uint16_t((255 - i) * scale));
                    spec.blue.push_back(std::uint16_t(((i * 7) & 255) * scale));
                }
                const auto samples = integers(kTiffWidth * kTiffHeight, bits);
                const auto image =
                    decode(makeTiff(spec, tiffPlanes(samples, kTiffWidth, 1, bits, false)));
                REQUIRE_OK(image);
                QCOMPARE(image->format(), scale == 100 ? PixelFormat::Rgba16 : PixelFormat::Rgba8);
                const int kept = scale == 100 ? 100 : 1;
                REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
                    const int i = int(samples[std::size_t(y * kTiffWidth + x)]);
                    const int rgb[3] = {i * kept, (255 - i) * kept, ((i * 7) & 255) * kept};
                    return c == 3 ? (kept == 1 ? 255 : 65535) : rgb[c];
                }));
            }
        }
    }

    void signedSamplesBecomeFloat() {
        std::vector<std::int16_t> values;
        for (int i = 0; i < 12; ++i) values.push_back(std::int16_t(i * 5957 - 32768));
        const auto image =
            decode(makeTiff({.width = 4, .height = 3, .bits = 16, .sampleFormat = SAMPLEFORMAT_INT},
                            {rawBytes(values)}));
        REQUIRE_OK(image);
        QCOMPARE(image->format(), PixelFormat::GrayF32);
        QCOMPARE(image->info().whiteLevel, 32767.0);
        REQUIRE_SAME(firstDifference(
            *image, [&](int x, int y, int) { return values[std::size_t(y * 4 + x)]; }));
    }

    void float32KeepsEveryBit() {
        std::vector<float> values{0.0f,
                                  -0.0f,
                                  1e-45f,
                                  3.5f,
                                  -2e38f,
                                  std::numeric_limits<float>::infinity(),
                                  -std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN(),
                                  0.1f};
        for (const int compression : {COMPRESSION_NONE, COMPRESSION_ADOBE_DEFLATE}) {
            const auto image =
                decode(makeTiff({.width = 3,
                                 .height = 3,
                                 .bits = 32,
                                 .sampleFormat = SAMPLEFORMAT_IEEEFP,
                                 .compression = compression,
                                 .predictor = compression == COMPRESSION_NONE ? 0 : 3},
                                {rawBytes(values)}));
            REQUIRE_OK(image);
            QCOMPARE(image->format(), PixelFormat::GrayF32);
            for (int y = 0; y < 3; ++y)
                QVERIFY(std::memcmp(image->rowBytes(y), &values[std::size_t(y * 3)], 12) == 0);
        }
    }

    void halvesBecomeFloat() {
        const std::vector<std::uint16_t> halves{0x0000, 0x8000, 0x3C00, 0xC000,
                                                0x0001, 0x03FF, 0x7BFF, 0x7C00};
        const double expected[] = {0,
                                   -0.0,
                                   1,
                                   -2,
                                   std::ldexp(1, -24),
                                   1023 * std::ldexp(1, -24),
                                   65504,
                                   std::numeric_limits<double>::infinity()};
        const auto image = decode(
            makeTiff({.width = 8, .height = 1, .bits = 16, .sampleFormat = SAMPLEFORMAT_IEEEFP},
                     {rawBytes(halves)}));
        REQUIRE_OK(image);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int, int) { return expected[x]; }));
    }

    void doublesAreExactOrRefused() {
        std::vector<double> values{1.5, -0.25, 1e30f, std::nan(""), 16777216.0, 0.0};
        const TiffSpec spec{
            .width = 3, .height = 2, .bits = 64, .sampleFormat = SAMPLEFORMAT_IEEEFP};
        auto image = decode(makeTiff(spec, {rawBytes(values)}));
        REQUIRE_OK(image);
        REQUIRE_SAME(firstDifference(
            *image, [&](int x, int y, int) { return values[std::size_t(y * 3 + x)]; }));
        for (const double odd : {0.1, 16777217.0, 1e300, -1e-60}) {
            values[4] = odd;
            image = decode(makeTiff(spec, {rawBytes(values)}));
            REQUIRE_FAILS(image, ErrorCode::Unsupported, "row 1 has 64-bit samples");
        }
    }

    void unsigned32IsExactOrRefused() {
        const std::vector<std::uint32_t> values{0, 1, 16777217, 4294967295u};
        const auto gray =
            decode(makeTiff({.width = 2, .height = 2, .bits = 32}, {rawBytes(values)}));
        REQUIRE_OK(gray);
        QCOMPARE(gray->format(), PixelFormat::Gray32);
        REQUIRE_SAME(firstDifference(
            *gray, [&](int x, int y, int) { return values[std::size_t(y * 2 + x)]; }));
        TiffSpec spec{
            .width = 1, .height = 1, .bits = 32, .channels = 3, .photometric = PHOTOMETRIC_RGB};
        auto color = decode(makeTiff(spec, {rawBytes(std::vector<std::uint32_t>{5, 1u << 31, 9})}));
        REQUIRE_OK(color);
        QCOMPARE(color->format(), PixelFormat::RgbaF32);
        QCOMPARE(sampleAt(*color, 0, 0, 1), 2147483648.0);
        color = decode(makeTiff(spec, {rawBytes(std::vector<std::uint32_t>{5, 16777217, 9})}));
        REQUIRE_FAILS(color, ErrorCode::Unsupported, "cannot hold exactly");
    }

    void kindsThatAreNotReadAreNamed_data() {
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("bits");
        QTest::addColumn<int>("format");
        QTest::addColumn<int>("photometric");
        QTest::addColumn<QString>("named");
        QTest::newRow("5 channels")
            << 5 << 8 << SAMPLEFORMAT_UINT << PHOTOMETRIC_RGB << "5 channels where 3 are expected";
        QTest::newRow("gray of 4") << 4 << 8 << SAMPLEFORMAT_UINT << PHOTOMETRIC_MINISBLACK
                                   << "4 channels where 1 are expected";
        QTest::newRow("24 bits") << 1 << 24 << SAMPLEFORMAT_UINT << PHOTOMETRIC_MINISBLACK
                                 << "unsigned samples of 24 bits";
        QTest::newRow("64 bits") << 1 << 64 << SAMPLEFORMAT_UINT << PHOTOMETRIC_MINISBLACK
                                 << "unsigned samples of 64 bits";
        QTest::newRow("complex") << 1 << 64 << SAMPLEFORMAT_COMPLEXIEEEFP << PHOTOMETRIC_MINISBLACK
                                 << "complex samples";
        QTest::newRow("Lab") << 3 << 8 << SAMPLEFORMAT_UINT << PHOTOMETRIC_CIELAB << "L*a*b*";
        QTest::newRow("float, 0 is white")
            << 1 << 32 << SAMPLEFORMAT_IEEEFP << PHOTOMETRIC_MINISWHITE << "where 0 is white";
        QTest::newRow("sensor") << 1 << 16 << SAMPLEFORMAT_UINT << PHOTOMETRIC_CFA
                                << "colour filter array";
    }

    void kindsThatAreNotReadAreNamed() {
        QFETCH(int, channels);
        QFETCH(int, bits);
        QFETCH(int, format);
        QFETCH(int, photometric);
        QFETCH(QString, named);
        const ByteBuffer rows(std::size_t(6 * channels * bits / 8), 1);
        const auto image = decode(makeTiff({.width = 3,
                                            .height = 2,
                                            .bits = bits,
                                            .channels = channels,
                                            .sampleFormat = format,
                                            .photometric = photometric},
                                           {rows}));
        REQUIRE_FAILS(image, ErrorCode::Unsupported, named.toStdString());
    }

    void inksBecomeRgbAndStayInRaw() {
        for (const int bits : {8, 16}) {
            const std::uint32_t full = (1u << bits) - 1;
            const std::vector<std::uint32_t> samples{0, 0,    0, 0,    full, 0,  0,  0,
                                                     0, full, 0, full, 10,   20, 30, 40};
            const auto image = decode(makeTiff({.width = 2,
                                                .height = 2,
                                                .bits = bits,
                                                .channels = 4,
                                                .photometric = PHOTOMETRIC_SEPARATED,
                                                .inkSet = INKSET_CMYK},
                                               tiffPlanes(samples, 2, 4, bits, false)));
            REQUIRE_OK(image);
            QVERIFY(!image->info().hasAlpha);
            QCOMPARE(image->info().rawLabel, "CMYK");
            QVERIFY(anyContains(image->info().notices, "CMYK shown as RGB"));
            REQUIRE_SAME(firstDifference(*image->info().raw, [&](int x, int y, int c) {
                return samples[std::size_t((y * 2 + x) * 4 + c)];
            }));
            REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
                if (c == 3) return double(full);
                const auto* inks = &samples[std::size_t((y * 2 + x) * 4)];
                return std::round(double(full - inks[c]) * double(full - inks[3]) / full);
            }));
        }
    }

    void jpegCompressionAgreesWithLibtiff() {
        for (const int photometric : {PHOTOMETRIC_YCBCR, PHOTOMETRIC_RGB}) {
            ByteBuffer rows;
            for (int y = 0; y < 48; ++y)
                for (int x = 0; x < 64; ++x)
                    for (const int v : {x * 4, y * 5, (x + y) * 2}) rows.push_back(std::uint8_t(v));
            const ByteBuffer file = makeTiff({.width = 64,
                                              .height = 48,
                                              .channels = 3,
                                              .photometric = photometric,
                                              .compression = COMPRESSION_JPEG,
                                              .rowsPerStrip = 16},
                                             {rows});
            const auto image = decode(file);
            REQUIRE_OK(image);
            TiffMemory memory{file};
            TIFF* tiff = memory.open("r");
            TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
            ByteBuffer expected(64 * 48 * 3);
            for (std::uint32_t y = 0; y < 48; ++y)
                QCOMPARE(TIFFReadScanline(tiff, &expected[y * 64 * 3], y, 0), 1);
            TIFFClose(tiff);
            REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
                return c == 3 ? 255 : int(expected[std::size_t((y * 64 + x) * 3 + c)]);
            }));
            QVERIFY(std::abs(sampleAt(*image, 30, 20, 0) - 120) < 12);
        }
    }

    void alphaKinds() {
        const std::vector<std::uint32_t> samples{50, 100, 25, 128, 9, 8, 7, 0, 1, 2, 3, 255};
        TiffSpec spec{.width = 3,
                      .height = 1,
                      .channels = 4,
                      .photometric = PHOTOMETRIC_RGB,
                      .extraSample = EXTRASAMPLE_ASSOCALPHA};
        const auto planes = tiffPlanes(samples, 3, 4, 8, false);
        auto image = decode(makeTiff(spec, planes));
        REQUIRE_OK(image);
        QVERIFY(anyContains(image->info().notices, "multiplied by alpha"));
        const int expected[] = {100, 199, 50, 128, 9, 8, 7, 0, 1, 2, 3, 255};
        REQUIRE_SAME(
            firstDifference(*image, [&](int x, int, int c) { return expected[x * 4 + c]; }));
        spec.extraSample = EXTRASAMPLE_UNSPECIFIED;
        image = decode(makeTiff(spec, planes));
        REQUIRE_OK(image);
        QVERIFY(image->info().hasAlpha);
        QVERIFY(anyContains(image->info().notices, "taken as alpha"));
        QCOMPARE(sampleAt(*image, 0, 0, 1), 100.0);
    }

    void everyOrientation() {
        const auto samples = integers(6, 8);
        for (int orientation = 1; orientation <= 8; ++orientation) {
            const auto image =
                decode(makeTiff({.width = 3, .height = 2, .orientation = orientation},
                                tiffPlanes(samples, 3, 1, 8, false)));
            REQUIRE_OK(image);
            QVERIFY((image->size() == (orientation >= 5 ? Size{2, 3} : Size{3, 2})));
            REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int) {
                // Where row 0 and column 0 of the file are to be seen, as the TIFF text says it.
                const int w = 3, h = 2;
                const int sx[] = {0, x, w - 1 - x, w - 1 - x, x, y, y, w - 1 - y, w - 1 - y};
                const int sy[] = {0, y, y, h - 1 - y, h - 1 - y, x, h - 1 - x, h - 1 - x, x};
                return samples[std::size_t(sy[orientation] * 3 + sx[orientation])];
            }));
            QCOMPARE(anyContains(image->info().notices, "upright"), orientation > 1);
        }
    }

    // libtiff calls it good and leaves the block as it was.
    void deflateBeyondItsBlockIsDamage() {
        for (const bool tiled : {false, true})
            for (const int rows : {16, 17, 32}) {
                for (const int predictor : {PREDICTOR_NONE, PREDICTOR_HORIZONTAL})
                    for (const int bits : {8, 16}) deflateOfRows({tiled, bits, predictor}, rows);
                deflateOfRows({tiled, 32, PREDICTOR_FLOATINGPOINT}, rows);
            }
    }

    // Some programs store as many rows in the last strip as in the others.
    void lastStripMayBeStoredWhole() {
        constexpr int kWidth = 61, kHeight = 24, kRows = 16;
        TiffMemory memory;
        TIFF* tiff = memory.open("w");
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, kWidth);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, kHeight);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, kRows);
        // Repeats itself, also where the image ends.
        const auto value = [](int x, int y) { return (7 * x + y % 2) & 255; };
        for (std::uint32_t strip = 0; strip < 2; ++strip) {
            QByteArray samples;
            for (int i = 0; i < kWidth * kRows; ++i)
                samples += char(value(i % kWidth, int(strip) * kRows + i / kWidth));
            QByteArray stored = qCompress(samples, 9).mid(4);
            QCOMPARE(TIFFWriteRawStrip(tiff, strip, stored.data(), stored.size()),
                     tmsize_t(stored.size()));
        }
        TIFFClose(tiff);
        const auto image = decode(memory.bytes);
        REQUIRE_OK(image);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int) { return value(x, y); }));
    }

    void profileAndDescriptionAreKept() {
        const auto image = decode(makeTiff({.width = 3, .height = 2, .profile = fakeProfile()},
                                           tiffPlanes(integers(6, 8), 3, 1, 8, false)));
        REQUIRE_OK(image);
        QVERIFY(image->info().iccProfile && *image->info().iccProfile == fakeProfile());
    }
};

WARPSCOPE_TEST(TiffTest)
#include "tiff_test.moc"
