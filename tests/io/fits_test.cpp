// FITS against files written by hand.
#include <bit>

#include "support/test_case.h"
#include "tests/io/damage_checks.h"
#include "tests/io/fits_files.h"

using namespace warpscope;
using namespace io_test;

namespace {

constexpr int kWidth = 13, kHeight = 7;
using Cards = std::vector<std::pair<std::string, std::string>>;

Result<Image> page(const ByteBuffer& file, int number) {
    ReadOptions options;
    options.page = number;
    return decode(file, options);
}

}  // namespace

class FitsTest : public QObject {
    Q_OBJECT

  private slots:
    void samplesAreExact_data() {
        QTest::addColumn<int>("bitpix");
        QTest::addColumn<QByteArray>("zero");
        QTest::addColumn<int>("format");
        using enum PixelFormat;
        QTest::newRow("8") << 8 << QByteArray() << int(Gray8);
        QTest::newRow("8 signed") << 8 << QByteArray("-128") << int(GrayF32);
        QTest::newRow("16") << 16 << QByteArray("32768") << int(Gray16);
        QTest::newRow("16 signed") << 16 << QByteArray() << int(GrayF32);
        QTest::newRow("32") << 32 << QByteArray("2147483648") << int(Gray32);
        QTest::newRow("64") << 64 << QByteArray("9223372036854775808") << int(Gray64);
        QTest::newRow("float") << -32 << QByteArray() << int(GrayF32);
        QTest::newRow("double") << -64 << QByteArray() << int(GrayF32);
    }
    void samplesAreExact() {
        QFETCH(int, bitpix);
        QFETCH(QByteArray, zero);
        QFETCH(int, format);
        std::vector<std::uint64_t> stored;
        std::vector<double> truth;
        for (int i = 0; i < kWidth * kHeight; ++i) {
            std::uint64_t bits =
                mixed(std::uint32_t(i)) | std::uint64_t(mixed(std::uint32_t(i) + 5000)) << 32;
            if (bitpix == -64)
                bits = std::bit_cast<std::uint64_t>(
                    double(std::bit_cast<float>(mixed(std::uint32_t(i)))));
            stored.push_back(bits);
            // By the definition of the format: BZERO + the signed integer.
            const std::uint64_t half = bitpix > 0 ? std::uint64_t(1) << (bitpix - 1) : 0;
            const std::uint64_t mask = bitpix == 64 ? ~std::uint64_t(0) : 2 * half - 1;
            truth.push_back(bitpix == -32    ? double(std::bit_cast<float>(std::uint32_t(bits)))
                            : bitpix == -64  ? std::bit_cast<double>(bits)
                            : bitpix == 8    ? double(bits & 255)
                            : zero.isEmpty() ? double(std::int16_t(bits))
                                             : double(((bits & mask) + half) & mask));
        }
        Cards cards;
        if (!zero.isEmpty()) cards.push_back({"BZERO", zero.toStdString()});
        const ByteBuffer file =
            makeFits({{bitpix, {kWidth, kHeight}, bigEndian(stored, std::abs(bitpix) / 8), cards}});
        const auto image = decode(file);
        REQUIRE_OK(image);
        QCOMPARE(int(image->format()), format);
        // The first row of the file is the lowest.
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int) {
            return truth[std::size_t((kHeight - 1 - y) * kWidth + x)];
        }));
        QVERIFY(anyContains(image->info().notices, "the first row of the file is the lowest"));
        QCOMPARE(anyContains(image->info().notices, "value = -128 + 1 * sample"), zero == "-128");
        if (format == int(PixelFormat::Gray64)) {
            // Beyond what a double tells apart.
            for (int x = 0; x < kWidth; ++x)
                QCOMPARE(image->view<std::uint64_t>().row(kHeight - 1)[x],
                         stored[std::size_t(x)] ^ std::uint64_t(1) << 63);
        }
        REQUIRE_FAILS(decode(ByteBuffer(file.begin(), file.end() - 2881)), ErrorCode::Damaged,
                      "damaged after row");
    }

    void whatFloatCannotHoldIsRefused() {
        const auto read = [](int bitpix, std::uint64_t value) {
            return decode(
                makeFits({{bitpix, {1, 1}, bigEndian({value}, std::abs(bitpix) / 8), {}}}));
        };
        const auto exact = read(32, 0xFF000001u), exact64 = read(64, std::uint64_t(-1) << 40);
        REQUIRE_OK(exact);
        QCOMPARE(sampleAt(*exact, 0, 0), -16777215.0);
        REQUIRE_OK(exact64);
        QCOMPARE(sampleAt(*exact64, 0, 0), -std::ldexp(1.0, 40));
        for (const auto& [bitpix, value] : {std::pair<int, std::uint64_t>{32, 16777217},
                                            {64, 16777217},
                                            {64, ~std::uint64_t(0) >> 1},
                                            {-64, std::bit_cast<std::uint64_t>(0.1)}})
            REQUIRE_FAILS(read(bitpix, value), ErrorCode::Unsupported, "cannot hold exactly");
    }

    void imagesAndPlanesArePages() {
        const ByteBuffer cube = bigEndian({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 1);
        const ByteBuffer file = makeFits(
            {{8, {}, {}, {{"OBJECT", "'M 31    '"}}},
             {8, {3, 2, 2}, cube, {{"EXTNAME", "'SCI     '"}, {"BSCALE", "0.5"}, {"BLANK", "7"}}},
             {16, {2, 1}, bigEndian({1, 65535}, 2), {}}});
        const auto pages = listPagesOf(file, "test file");
        REQUIRE_OK(pages);
        QCOMPARE(pages->size(), std::size_t(3));
        QCOMPARE((*pages)[0].name, std::string("SCI [1]"));
        QCOMPARE((*pages)[1].name, std::string("SCI [2]"));
        QCOMPARE((*pages)[2].name, std::string("HDU 3"));
        QVERIFY(((*pages)[1].size == Size{3, 2}));
        QVERIFY((*pages)[2].format == PixelFormat::GrayF32);
        const auto plane = page(file, 1), last = page(file, 2);
        REQUIRE_OK(plane);
        REQUIRE_SAME(
            firstDifference(*plane, [](int x, int y, int) { return 7 + (1 - y) * 3 + x; }));
        QVERIFY(anyContains(plane->info().notices, "value = 0 + 0.5 * sample"));
        QVERIFY(anyContains(plane->info().notices, "stored samples of 7 stand for no value"));
        REQUIRE_OK(last);
        QCOMPARE(sampleAt(*last, 1, 0), -1.0);
        REQUIRE_FAILS(page(file, 3), ErrorCode::InvalidArgument, "no page 4: the file has 3");
        REQUIRE_FAILS(decode(makeFits({{8, {}, {}, {}}})), ErrorCode::Unsupported, "no image");
    }

    void damage() {
        const ByteBuffer file =
            makeFits({{16, {5, 4, 2}, bigEndian(std::vector<std::uint64_t>(40, 7), 2), {}}});
        // What fills the last block up is not needed.
        REQUIRE_SAME(cutAtEveryByte(file, 2880 - 80));
        REQUIRE_SAME(bitsTurnedOver(file, 2000));
    }

    void headersThatPromiseTooMuch() {
        REQUIRE_FAILS(decode(makeFits({{8, {1'000'000, 1'000'000}, {}, {}}})), ErrorCode::Damaged,
                      "damaged after row 0");
        REQUIRE_FAILS(decode(makeFits({{8, {2'000'000'000, 2}, {}, {}}})), ErrorCode::LimitExceeded,
                      "a side may have at most");
        ReadOptions options;
        options.limits.maxDecodedBytes = 100;
        REQUIRE_FAILS(decode(makeFits({{8, {5, 5}, ByteBuffer(25), {}}}), options),
                      ErrorCode::LimitExceeded, "5 x 5 pixels");
    }
};

WARPSCOPE_TEST(FitsTest)
#include "fits_test.moc"
