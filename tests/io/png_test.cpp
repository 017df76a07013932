#include "support/test_case.h"
#include "tests/io/png_files.h"

using namespace warpscope;
using namespace io_test;

namespace {

constexpr int kPngWidth = 13, kPngHeight = 11;  // no multiple of 8: packed rows end inside a byte

std::uint32_t widened(std::uint32_t v, int bits) {
    return bits < 8 ? v * 255 / ((1u << bits) - 1) : v;
}

std::uint32_t crc(const std::uint8_t* data, std::size_t size) {
    std::uint32_t c = ~0u;
    for (std::size_t i = 0; i < size; ++i) {
        c ^= data[i];
        for (int k = 0; k < 8; ++k) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    }
    return ~c;
}

ByteBuffer chunk(const char* type, const ByteBuffer& body) {
    ByteBuffer out;
    const auto put = [&](std::uint32_t v) {
        for (int s = 24; s >= 0; s -= 8) out.push_back(std::uint8_t(v >> s));
    };
    put(std::uint32_t(body.size()));
    putText(out, type);
    out.insert(out.end(), body.begin(), body.end());
    put(crc(out.data() + 4, body.size() + 4));
    return out;
}

// Signature and IHDR alone.
ByteBuffer bareHeader(std::uint32_t width, std::uint32_t height, int bits = 8, int type = 2) {
    ByteBuffer out = fromText("\x89PNG\r\n\x1a\n");
    ByteBuffer body;
    for (const std::uint32_t v : {width, height})
        for (int s = 24; s >= 0; s -= 8) body.push_back(std::uint8_t(v >> s));
    for (const int v : {bits, type, 0, 0, 0}) body.push_back(std::uint8_t(v));
    const ByteBuffer header = chunk("IHDR", body);
    out.insert(out.end(), header.begin(), header.end());
    return out;
}

}  // namespace

class PngTest : public QObject {
    Q_OBJECT

  private slots:
    void readsEveryKind_data() {
        QTest::addColumn<int>("colorType");
        QTest::addColumn<int>("bits");
        QTest::addColumn<bool>("interlaced");
        for (const bool interlaced : {false, true}) {
            const auto row = [&](const char* name, int type, int bits) {
                QTest::addRow("%s %d bits%s", name, bits, interlaced ? " interlaced" : "")
                    << type << bits << interlaced;
            };
            for (const int bits : {1, 2, 4, 8, 16}) row("gray", PNG_COLOR_TYPE_GRAY, bits);
            for (const int bits : {8, 16}) {
                row("gray alpha", PNG_COLOR_TYPE_GRAY_ALPHA, bits);
                row("RGB", PNG_COLOR_TYPE_RGB, bits);
                row("RGBA", PNG_COLOR_TYPE_RGBA, bits);
            }
        }
    }

    void readsEveryKind() {
        QFETCH(int, colorType);
        QFETCH(int, bits);
        QFETCH(bool, interlaced);
        const int channels = pngChannels(colorType);
        const auto samples = integers(kPngWidth * kPngHeight * channels, bits);
        const ByteBuffer file = makePng({.width = kPngWidth,
                                         .height = kPngHeight,
                                         .bits = bits,
                                         .colorType = colorType,
                                         .interlaced = interlaced},
                                        packRows(samples, kPngWidth * channels, bits));
        const auto image = decode(file);
        REQUIRE_OK(image);
        const bool color = channels > 1;
        QCOMPARE(image->format(), bits == 16 ? (color ? PixelFormat::Rgba16 : PixelFormat::Gray16)
                                             : (color ? PixelFormat::Rgba8 : PixelFormat::Gray8));
        QCOMPARE(image->info().hasAlpha, channels == 2 || channels == 4);
        QCOMPARE(image->info().whiteLevel, bits == 16 ? 65535.0 : 255.0);
        QVERIFY(image->info().sourceFormat.starts_with("PNG, " + std::to_string(bits) + " bit"));
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            const auto at = [&](int i) {
                return widened(samples[std::size_t((y * kPngWidth + x) * channels + i)], bits);
            };
            if (c == 3 && channels == 3) return bits == 16 ? 65535u : 255u;
            if (channels == 2) return at(c == 3 ? 1 : 0);
            return at(c);
        }));
    }

    void looksUpPalettes_data() {
        QTest::addColumn<int>("bits");
        QTest::addColumn<bool>("interlaced");
        for (const int bits : {1, 2, 4, 8})
            for (const bool interlaced : {false, true})
                QTest::addRow("%d bits%s", bits, interlaced ? " interlaced" : "")
                    << bits << interlaced;
    }

    void looksUpPalettes() {
        QFETCH(int, bits);
        QFETCH(bool, interlaced);
        PngSpec spec{.width = kPngWidth,
                     .height = kPngHeight,
                     .bits = bits,
                     .colorType = PNG_COLOR_TYPE_PALETTE,
                     .interlaced = interlaced};
        for (int i = 0; i < 1 << bits; ++i)
            spec.palette.push_back({png_byte(i * 3), png_byte(255 - i), png_byte(i ^ 85)});
        spec.paletteAlpha = {0, 128};  // the others are opaque
        const auto samples = integers(kPngWidth * kPngHeight, bits);
        const auto image = decode(makePng(spec, packRows(samples, kPngWidth, bits)));
        REQUIRE_OK(image);
        QCOMPARE(image->format(), PixelFormat::Rgba8);
        QVERIFY(image->info().hasAlpha);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            const auto index = samples[std::size_t(y * kPngWidth + x)];
            const png_color color = spec.palette[index];
            const int rgba[4] = {color.red, color.green, color.blue,
                                 index == 0   ? 0
                                 : index == 1 ? 128
                                              : 255};
            return rgba[c];  // under alpha 0 too: the stored colour is kept
        }));
    }

    void indicesBeyondThePaletteAreSaid() {
        PngSpec spec{.width = 4, .height = 1, .bits = 8, .colorType = PNG_COLOR_TYPE_PALETTE};
        spec.palette = {{10, 20, 30}, {40, 50, 60}};
        ByteBuffer rows{0, 1, 0, 1};
        ByteBuffer file = makePng(spec, rows);
        // libpng refuses to write such a file, so the palette is cut afterwards.
        const std::string text(file.begin(), file.end());
        const std::size_t at = text.find("PLTE");
        const ByteBuffer shorter = chunk("PLTE", {10, 20, 30});
        file.erase(file.begin() + long(at) - 4, file.begin() + long(at) + 4 + 6 + 4);
        file.insert(file.begin() + long(at) - 4, shorter.begin(), shorter.end());
        const auto image = decode(file);
        REQUIRE_OK(image);
        QVERIFY(anyContains(image->info().notices, "2 pixels name a palette entry"));
        QCOMPARE(sampleAt(*image, 1, 0, 1), 0.0);
        QCOMPARE(sampleAt(*image, 2, 0, 1), 20.0);
    }

    void transparentValuesBecomeAlpha() {
        png_color_16 value{};
        value.gray = 5;
        const auto samples = integers(kPngWidth * kPngHeight, 4);
        const auto gray = decode(
            makePng({.width = kPngWidth, .height = kPngHeight, .bits = 4, .transparent = &value},
                    packRows(samples, kPngWidth, 4)));
        REQUIRE_OK(gray);
        QCOMPARE(gray->format(), PixelFormat::Rgba8);
        REQUIRE_SAME(firstDifference(*gray, [&](int x, int y, int c) {
            const auto v = samples[std::size_t(y * kPngWidth + x)];
            return c == 3 ? (v == 5 ? 0u : 255u) : v * 17;
        }));

        value.red = 1000;
        value.green = 2000;
        value.blue = 3000;
        auto wide = integers(3 * 3 * 3, 16);
        wide[9] = 1000;
        wide[10] = 2000;
        wide[11] = 3000;
        const auto rgb = decode(makePng({.width = 3,
                                         .height = 3,
                                         .bits = 16,
                                         .colorType = PNG_COLOR_TYPE_RGB,
                                         .transparent = &value},
                                        packRows(wide, 9, 16)));
        REQUIRE_OK(rgb);
        QCOMPARE(rgb->format(), PixelFormat::Rgba16);
        QCOMPARE(pixel(*rgb, 0, 1), pixel(*rgb, 0, 1));
        QCOMPARE(sampleAt(*rgb, 0, 1, 3), 0.0);
        QCOMPARE(sampleAt(*rgb, 0, 1, 2), 3000.0);
        QCOMPARE(sampleAt(*rgb, 1, 1, 3), 65535.0);
    }

    void orientationIsAppliedAndMetadataKept() {
        const auto samples = integers(6, 8);  // 3 x 2
        const ByteBuffer file = makePng({.width = 3,
                                         .height = 2,
                                         .exif = exifBlock(6),
                                         .comment = "first\nsecond",
                                         .pixelsPerMetre = 3937},
                                        packRows(samples, 3, 8));
        const auto image = decode(file);
        REQUIRE_OK(image);
        QVERIFY((image->size() == Size{2, 3}));
        REQUIRE_SAME(firstDifference(
            *image, [&](int x, int y, int) { return samples[std::size_t((1 - x) * 3 + y)]; }));
        QCOMPARE(metadataOf(*image, "camera make"), "Warpscope");
        QCOMPARE(metadataOf(*image, "exposure"), "1/250 s");
        QCOMPARE(metadataOf(*image, "date taken"), "2026:01:02 03:04:05");
        QCOMPARE(metadataOf(*image, "Comment"), "first second");
        QCOMPARE(metadataOf(*image, "resolution"), "99.9998 pixels/inch");
        QVERIFY(anyContains(image->info().notices, "upright"));
    }

    void animationsGiveTheirFirstPicture() {
        ByteBuffer file = makePng({.width = 2, .height = 2}, {1, 2, 3, 4});
        const ByteBuffer control = chunk("acTL", {0, 0, 0, 7, 0, 0, 0, 0});
        file.insert(file.begin() + 33, control.begin(), control.end());
        const auto image = decode(file);
        REQUIRE_OK(image);
        QVERIFY(anyContains(image->info().notices, "1 of 7 frames"));
    }

    void wrongChecksumsAreDamage() {
        const ByteBuffer file =
            makePng({.width = 40, .height = 40}, packRows(integers(1600, 8), 40, 8));
        const std::string text(file.begin(), file.end());
        for (const char* name : {"IHDR", "IDAT", "IEND"}) {
            ByteBuffer broken = file;
            const std::size_t at = text.find(name);
            const std::size_t length = std::size_t(file[at - 1]) | std::size_t(file[at - 2]) << 8;
            broken[at + 4 + length] ^= 1;  // first byte of the checksum
            const auto image = decode(broken);
            REQUIRE_FAILS(image, ErrorCode::Damaged, "damaged after row");
        }
    }

    void headersAreRefusedByArithmetic() {
        auto image = decode(bareHeader(0x80000000u, 10));
        REQUIRE_FAILS(image, ErrorCode::LimitExceeded, "a side may have at most 1048576");
        image = decode(bareHeader(0, 10));
        REQUIRE_FAILS(image, ErrorCode::Damaged, "a side of 0");
        image = decode(bareHeader(1'000'000, 1'000'000));
        REQUIRE_FAILS(image, ErrorCode::LimitExceeded, "more than the limit of 8192 MiB");
        // Within the limit, but deflate cannot make so much of so few bytes.
        ByteBuffer file = bareHeader(30'000, 30'000);
        const ByteBuffer data = chunk("IDAT", {0x78, 0x9c, 0x63, 0x00});
        file.insert(file.end(), data.begin(), data.end());
        image = decode(file);
        REQUIRE_FAILS(image, ErrorCode::Damaged, "the header promises");
        ReadOptions options;
        options.limits.maxDecodedBytes = 1000;
        image = decode(makePng({.width = 40, .height = 40}, packRows(integers(1600, 8), 40, 8)),
                       options);
        REQUIRE_FAILS(image, ErrorCode::LimitExceeded, "limit of 0 MiB");
    }

    void cutPixelsNameTheRow() {
        // Random samples do not compress, so half of the file is about half of the rows.
        const ByteBuffer file =
            makePng({.width = 200, .height = 200}, packRows(integers(40'000, 8), 200, 8));
        const auto image = decode(ByteBuffer(file.begin(), file.begin() + long(file.size() / 2)));
        QVERIFY(!image);
        int row = -1;
        QCOMPARE(std::sscanf(image.error().message.c_str(),
                             "test file: damaged after row %d of 200", &row),
                 1);
        QVERIFY2(row > 80 && row < 120, image.error().message.c_str());
    }

    void aStopRequestCancels() {
        std::stop_source source;
        source.request_stop();
        ReadOptions options;
        options.stop = source.get_token();
        const auto image = decode(makePng({.width = 2, .height = 2}, {1, 2, 3, 4}), options);
        QVERIFY(!image);
        QVERIFY(image.error().code == ErrorCode::Cancelled);
    }
};

WARPSCOPE_TEST(PngTest)
#include "png_test.moc"
