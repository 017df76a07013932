#include "support/test_case.h"
#include "tests/io/io_helpers.h"

using namespace warpscope;
using namespace io_test;

namespace {

struct BmpSpec {
    int width = 0, height = 0, bits = 24;
    std::uint32_t compression = 0;
    std::uint32_t headerBytes = 40;
    std::vector<std::uint32_t> masks = {};    // R, G, B, A
    std::vector<std::uint32_t> palette = {};  // 0x00RRGGBB
};

// `rows` in the order of the file, padded.
ByteBuffer makeBmp(const BmpSpec& spec, const ByteBuffer& rows) {
    ByteBuffer b = fromText("BM");
    const bool core = spec.headerBytes == 12;
    const bool outside = !spec.masks.empty() && spec.headerBytes == 40;
    const std::uint32_t dataAt = 14 + spec.headerBytes +
                                 (outside ? std::uint32_t(spec.masks.size()) * 4 : 0) +
                                 std::uint32_t(spec.palette.size()) * (core ? 3 : 4);
    put32(b, dataAt + std::uint32_t(rows.size()));
    put32(b, 0);
    put32(b, dataAt);
    put32(b, spec.headerBytes);
    if (core) {
        put16(b, std::uint32_t(spec.width));
        put16(b, std::uint32_t(spec.height));
        put16(b, 1);
        put16(b, std::uint32_t(spec.bits));
    } else {
        put32(b, std::uint32_t(spec.width));
        put32(b, std::uint32_t(spec.height));
        put16(b, 1);
        put16(b, std::uint32_t(spec.bits));
        put32(b, spec.compression);
        put32(b, std::uint32_t(rows.size()));
        put32(b, 3780);
        put32(b, 3780);
        put32(b, std::uint32_t(spec.palette.size()));
        put32(b, 0);
        for (const auto mask : spec.masks) put32(b, mask);
        if (b.size() < 14 + spec.headerBytes) b.resize(14 + spec.headerBytes, 0);
    }
    for (const auto entry : spec.palette) {
        put16(b, entry & 0xFFFF);
        b.push_back(std::uint8_t(entry >> 16));
        if (!core) b.push_back(0);
    }
    b.insert(b.end(), rows.begin(), rows.end());
    return b;
}

ByteBuffer padded(const ByteBuffer& rows, int height) {
    const std::size_t rowBytes = rows.size() / std::size_t(height);
    ByteBuffer out;
    for (int y = 0; y < height; ++y) {
        out.insert(out.end(), rows.begin() + long(rowBytes) * y,
                   rows.begin() + long(rowBytes) * (y + 1));
        while (out.size() % 4 != 0) out.push_back(0xEE);
    }
    return out;
}

}  // namespace

class BmpTest : public QObject {
    Q_OBJECT

  private slots:
    void palettes_data() {
        QTest::addColumn<int>("bits");
        QTest::addColumn<bool>("topDown");
        QTest::addColumn<int>("headerBytes");
        for (const int bits : {1, 4, 8})
            for (const bool topDown : {false, true})
                for (const int headerBytes : {12, 40, 108})
                    if (headerBytes != 12 || !topDown)
                        QTest::addRow("%d bits, header %d%s", bits, headerBytes,
                                      topDown ? ", top-down" : "")
                            << bits << topDown << headerBytes;
    }

    void palettes() {
        QFETCH(int, bits);
        QFETCH(bool, topDown);
        QFETCH(int, headerBytes);
        BmpSpec spec{.width = 13,
                     .height = topDown ? -5 : 5,
                     .bits = bits,
                     .headerBytes = std::uint32_t(headerBytes)};
        for (std::uint32_t i = 0; i < 1u << bits; ++i) spec.palette.push_back(mixed(i) & 0xFFFFFF);
        const auto samples = integers(65, bits);
        const auto image = decode(makeBmp(spec, padded(packRows(samples, 13, bits), 5)));
        REQUIRE_OK(image);
        QCOMPARE(image->format(), PixelFormat::Rgba8);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            const int row = topDown ? y : 4 - y;
            const std::uint32_t entry = spec.palette[samples[std::size_t(row * 13 + x)]];
            return c == 3 ? 255u : entry >> (16 - 8 * c) & 255;
        }));
        QVERIFY(metadataOf(*image, "resolution").empty() == (headerBytes == 12));
    }

    void grayPalettesAreGray() {
        BmpSpec spec{.width = 4, .height = 1, .bits = 1};
        spec.palette = {0x202020, 0xE0E0E0};
        const auto image = decode(makeBmp(spec, {0x50, 0, 0, 0}));
        REQUIRE_OK(image);
        QCOMPARE(image->format(), PixelFormat::Gray8);
        REQUIRE_SAME(firstDifference(*image, [](int x, int, int) { return x % 2 ? 0xE0 : 0x20; }));
    }

    void shortPalettesAreSaid() {
        BmpSpec spec{.width = 4, .height = 1, .bits = 8};
        spec.palette = {0x010203, 0x040506};
        const auto image = decode(makeBmp(spec, {0, 1, 2, 255}));
        REQUIRE_OK(image);
        QVERIFY(anyContains(image->info().notices, "2 pixels name a palette entry"));
        QCOMPARE(sampleAt(*image, 1, 0, 2), 6.0);
        QCOMPARE(sampleAt(*image, 3, 0, 2), 0.0);
    }

    void trueColour() {
        const auto samples = integers(5 * 3 * 3, 8);
        const auto image =
            decode(makeBmp({.width = 5, .height = 3}, padded(packRows(samples, 15, 8), 3)));
        REQUIRE_OK(image);
        QVERIFY(!image->info().hasAlpha);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            return c == 3 ? 255u : samples[std::size_t(((2 - y) * 5 + x) * 3 + 2 - c)];
        }));
    }

    void bitFields_data() {
        QTest::addColumn<int>("bits");
        QTest::addColumn<int>("headerBytes");
        QTest::addColumn<QList<uint>>("masks");
        QTest::newRow("5-5-5") << 16 << 40 << QList<uint>{};
        QTest::newRow("5-6-5") << 16 << 40 << QList<uint>{0xF800, 0x07E0, 0x001F};
        QTest::newRow("4-4-4-4") << 16 << 56 << QList<uint>{0x0F00, 0x00F0, 0x000F, 0xF000};
        QTest::newRow("1-5-5-5") << 16 << 108 << QList<uint>{0x7C00, 0x03E0, 0x001F, 0x8000};
        QTest::newRow("8-8-8") << 32 << 40 << QList<uint>{0x0000FF, 0x00FF00, 0xFF0000};
        QTest::newRow("8-8-8-8") << 32 << 124
                                 << QList<uint>{0xFF000000, 0x00FF0000, 0x0000FF00, 0x000000FF};
    }

    void bitFields() {
        QFETCH(int, bits);
        QFETCH(int, headerBytes);
        QFETCH(QList<uint>, masks);
        BmpSpec spec{.width = 7,
                     .height = 3,
                     .bits = bits,
                     .compression = masks.isEmpty() ? 0u : 3u,
                     .headerBytes = std::uint32_t(headerBytes)};
        spec.masks.assign(masks.begin(), masks.end());
        const auto samples = integers(21, bits);
        const auto image =
            decode(makeBmp(spec, padded(packRows(samples, 7, bits, Order::Little), 3)));
        REQUIRE_OK(image);
        if (masks.isEmpty()) masks = {0x7C00, 0x03E0, 0x001F};
        if (masks.size() == 3) masks.append(0);
        QCOMPARE(image->info().hasAlpha, masks[3] != 0);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            const uint mask = masks[c];
            if (mask == 0) return 255u;
            uint value = samples[std::size_t((2 - y) * 7 + x)] & mask, top = mask;
            while (!(top & 1)) {
                top >>= 1;
                value >>= 1;
            }
            // Bits repeated from the top until 8 are full.
            int width = 0;
            for (uint m = top; m; m >>= 1) ++width;
            uint wide = 0;
            for (int bit = 0; bit < 8; ++bit)
                wide = wide << 1 | (value >> (width - 1 - bit % width) & 1);
            return wide;
        }));
    }

    void unusedByteIsNotAlpha() {
        const auto image = decode(makeBmp({.width = 1, .height = 1, .bits = 32}, {30, 20, 10, 99}));
        REQUIRE_OK(image);
        QCOMPARE(sampleAt(*image, 0, 0, 3), 255.0);
        QCOMPARE(sampleAt(*image, 0, 0, 0), 10.0);
        QVERIFY(anyContains(image->info().notices, "fourth byte"));
    }

    void runLengths() {
        BmpSpec spec{.width = 6, .height = 3, .bits = 8, .compression = 1};
        spec.palette = {0x000000, 0x111111, 0x222222, 0x333333};
        // Runs, single values with padding, a jump, and the end.
        const auto eight = decode(
            makeBmp(spec, {6, 1, 0, 0, 0, 3, 1, 2, 3, 0, 3, 2, 0, 0, 0, 2, 2, 0, 4, 3, 0, 1}));
        REQUIRE_OK(eight);
        const int expected[3][6] = {{0, 0, 3, 3, 3, 3}, {1, 2, 3, 2, 2, 2}, {1, 1, 1, 1, 1, 1}};
        REQUIRE_SAME(
            firstDifference(*eight, [&](int x, int y, int) { return expected[y][x] * 0x11; }));
        QVERIFY(anyContains(eight->info().notices, "leaves out"));
        spec.bits = 4;
        spec.compression = 2;
        spec.palette[3] = 0x334455;  // colour
        const auto four = decode(makeBmp(
            spec, {6, 0x12, 0, 0, 0, 5, 0x12, 0x31, 0x20, 0, 1, 0x30, 0, 0, 6, 0x11, 0, 1}));
        REQUIRE_OK(four);
        const int nibbles[3][6] = {{1, 1, 1, 1, 1, 1}, {1, 2, 3, 1, 2, 3}, {1, 2, 1, 2, 1, 2}};
        REQUIRE_SAME(firstDifference(*four, [&](int x, int y, int c) {
            return c == 3 ? 255u : spec.palette[std::size_t(nibbles[y][x])] >> (16 - 8 * c) & 255;
        }));
    }

    void runsThatLeaveThePictureAreDamage() {
        BmpSpec spec{.width = 6, .height = 2, .bits = 8, .compression = 1};
        spec.palette = {0, 1, 2, 3};
        for (const ByteBuffer& codes :
             {ByteBuffer{7, 1, 0, 1}, ByteBuffer{0, 2, 7, 0, 0, 1}, ByteBuffer{0, 2, 0, 3, 0, 1},
              ByteBuffer{0, 0, 0, 0, 1, 1, 0, 1}, ByteBuffer{0, 8, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1},
              ByteBuffer{6, 1, 0, 0, 6, 1}, ByteBuffer{0, 0, 0, 0, 0, 0, 0, 1}}) {
            const auto image = decode(makeBmp(spec, codes));
            REQUIRE_FAILS(image, ErrorCode::Damaged, "damaged after row");
        }
    }

    void headersAreRefused() {
        const auto refused = [](const BmpSpec& spec) {
            return decode(makeBmp(spec, ByteBuffer(64, 0)));
        };
        auto image = refused({.width = 1, .height = int(0x80000000)});
        REQUIRE_FAILS(image, ErrorCode::LimitExceeded, "1 x 2147483648 pixels");
        image = refused({.width = -5, .height = 1});
        REQUIRE_FAILS(image, ErrorCode::Damaged, "the width is -5");
        image = refused({.width = 0, .height = 1});
        REQUIRE_FAILS(image, ErrorCode::Damaged, "a side of 0");
        image = refused({.width = 40'000, .height = 40'000});
        REQUIRE_FAILS(image, ErrorCode::Damaged, "the rows take 4800000000 bytes");
        image = refused({.width = 1'000'000, .height = 1'000'000});
        REQUIRE_FAILS(image, ErrorCode::LimitExceeded, "more than the limit");
        image = refused({.width = 4, .height = 4, .compression = 4});
        REQUIRE_FAILS(image, ErrorCode::Unsupported, "holds a JPEG");
        image = refused({.width = 4,
                         .height = 4,
                         .bits = 32,
                         .compression = 3,
                         .masks = {0x3FF00000, 0xFFC00, 0x3FF}});
        REQUIRE_FAILS(image, ErrorCode::Unsupported, "channels of 10 bits");
        image = refused(
            {.width = 4, .height = 4, .bits = 32, .compression = 3, .masks = {0xFF, 0xFF, 0xFF00}});
        REQUIRE_FAILS(image, ErrorCode::Damaged, "overlap");
        image = refused({.width = 4, .height = -4, .bits = 8, .compression = 1, .palette = {1}});
        REQUIRE_FAILS(image, ErrorCode::Damaged, "top-down");
        image = refused({.width = 4, .height = 4, .bits = 5});
        REQUIRE_FAILS(image, ErrorCode::Unsupported, "5 bits");
    }
};

WARPSCOPE_TEST(BmpTest)
#include "bmp_test.moc"
