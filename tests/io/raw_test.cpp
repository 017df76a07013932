// Camera RAW: a DNG written by hand, whose mosaic comes back sample by sample.
#include "support/test_case.h"
#include "tests/io/damage_checks.h"

using namespace warpscope;
using namespace io_test;

namespace {

constexpr int kWidth = 66, kHeight = 48;

struct DngSpec {
    std::vector<std::uint8_t> pattern{0, 1, 1, 2};
    std::uint32_t black = 64, white = 4095;
    int orientation = 1;
    // Instead of samples without compression.
    ByteBuffer losslessJpeg = {};
    bool saysDng = true;
};

// Little-endian, 16 bits.
ByteBuffer makeDng(const DngSpec& spec, const std::vector<std::uint32_t>& samples) {
    struct Entry {
        std::uint32_t tag, type, count;
        ByteBuffer value;
    };
    const auto numbers = [](std::initializer_list<std::uint32_t> values, int bytes) {
        ByteBuffer out;
        for (const std::uint32_t v : values)
            for (int i = 0; i < bytes; ++i) out.push_back(std::uint8_t(v >> 8 * i));
        return out;
    };
    const auto words = [&](std::uint32_t tag, std::initializer_list<std::uint32_t> v) {
        return Entry{tag, 3, std::uint32_t(v.size()), numbers(v, 2)};
    };
    const auto longs = [&](std::uint32_t tag, std::uint32_t v) {
        return Entry{tag, 4, 1, numbers({v}, 4)};
    };
    const auto text = [&](std::uint32_t tag, std::string value) {
        value += '\0';
        return Entry{tag, 2, std::uint32_t(value.size()), fromText(value)};
    };
    ByteBuffer stored = spec.losslessJpeg;
    if (stored.empty())
        for (const std::uint32_t v : samples) put16(stored, v);
    std::vector<Entry> entries{
        longs(254, 0),
        longs(256, kWidth),
        longs(257, kHeight),
        words(258, {16}),
        words(259, {spec.losslessJpeg.empty() ? 1u : 7u}),
        words(262, {32803}),
        text(271, "Warpscope"),
        text(272, "Model 7"),
        longs(273, 0),
        words(274, {std::uint32_t(spec.orientation)}),
        words(277, {1}),
        longs(278, kHeight),
        longs(279, std::uint32_t(stored.size())),
        words(33421, {2, 2}),
        {33422, 1, 4, spec.pattern},
        {spec.saysDng ? 50706u : 50707u, 1, 4, {1, 4, 0, 0}},
        text(50708, "Warpscope Model 7"),
        longs(50714, spec.black),
        longs(50717, spec.white),
        {50721, 10, 9, numbers({1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1}, 4)},
        words(50778, {21})};
    ByteBuffer out = fromText("II");
    put16(out, 42);
    put32(out, 8);
    put16(out, std::uint32_t(entries.size()));
    std::uint32_t next = 8 + 2 + std::uint32_t(entries.size()) * 12 + 4;
    ByteBuffer beyond;
    std::uint32_t data = next;
    for (const Entry& entry : entries)
        if (entry.value.size() > 4) data += std::uint32_t(entry.value.size() + 1) / 2 * 2;
    for (Entry& entry : entries) {
        if (entry.tag == 273) entry.value = numbers({data}, 4);
        put16(out, entry.tag);
        put16(out, entry.type);
        put32(out, entry.count);
        if (entry.value.size() > 4) {
            put32(out, next + std::uint32_t(beyond.size()));
            beyond.insert(beyond.end(), entry.value.begin(), entry.value.end());
            if (beyond.size() % 2 != 0) beyond.push_back(0);
        } else {
            ByteBuffer value = entry.value;
            value.resize(4);
            out.insert(out.end(), value.begin(), value.end());
        }
    }
    put32(out, 0);
    out.insert(out.end(), beyond.begin(), beyond.end());
    out.insert(out.end(), stored.begin(), stored.end());
    return out;
}

// Half the range everywhere: one code of one bit, which says that nothing changes. Two components
// side by side, as cameras write it.
ByteBuffer flatLosslessJpeg(int height) {
    ByteBuffer jpeg{0xFF, 0xD8, 0xFF, 0xC4, 0, 20, 0, 1};
    jpeg.resize(jpeg.size() + 16);
    for (const int byte :
         {0xFF, 0xC3, 0, 14, 12, 0, height, 0, kWidth / 2, 2, 1, 0x11, 0, 2, 0x11, 0})
        jpeg.push_back(std::uint8_t(byte));
    for (const int byte : {0xFF, 0xDA, 0, 10, 2, 1, 0, 2, 0, 1, 0, 0})
        jpeg.push_back(std::uint8_t(byte));
    jpeg.resize(jpeg.size() + std::size_t(kWidth * height / 8 + 16));
    return jpeg;
}

std::vector<std::uint32_t> mosaic(std::uint32_t seed = 1) {
    return integers(kWidth * kHeight, 12, seed);
}

}  // namespace

class RawTest : public QObject {
    Q_OBJECT

  private slots:
    void theMosaicIsExact() {
        const auto samples = mosaic();
        const auto image = decode(makeDng({}, samples));
        REQUIRE_OK(image);
        QCOMPARE(image->format(), PixelFormat::Gray16);
        QVERIFY((image->size() == Size{kWidth, kHeight}));
        REQUIRE_SAME(firstDifference(
            *image, [&](int x, int y, int) { return samples[std::size_t(y * kWidth + x)]; }));
        QCOMPARE(image->info().whiteLevel, 4095.0);
        QVERIFY(image->info().sourceFormat.starts_with("camera RAW"));
        QVERIFY(anyContains(image->info().notices, "one colour a pixel, RG/GB"));
        QVERIFY(anyContains(image->info().notices, "black is 64, white 4095"));
        QCOMPARE(metadataOf(*image, "camera model"), std::string("Model 7"));
        QCOMPARE(metadataOf(*image, "black level"), std::string("64"));
    }

    void patternAndTurnAreSaid() {
        const auto samples = mosaic(5);
        const auto image =
            decode(makeDng({.pattern = {2, 1, 1, 0}, .black = 100, .orientation = 6}, samples));
        REQUIRE_OK(image);
        // The mosaic stays as the sensor lies.
        QVERIFY((image->size() == Size{kWidth, kHeight}));
        QCOMPARE(sampleAt(*image, 3, 2), double(samples[2 * kWidth + 3]));
        QCOMPARE(metadataOf(*image, "colour filters"), std::string("BG/GR"));
        QVERIFY(anyContains(image->info().notices, "the camera was turned (90 degrees)"));
    }

    void samplesBeyondWhiteAreKept() {
        auto samples = mosaic(7);
        samples[77] = 60000;
        const auto image = decode(makeDng({}, samples));
        REQUIRE_OK(image);
        QCOMPARE(sampleAt(*image, 77 - kWidth, 1), 60000.0);
        QCOMPARE(image->info().whiteLevel, 65535.0);
    }

    // What the reader puts where no sample may come is not taken for one that came.
    void everyValueIsASample() {
        auto samples = mosaic(9);
        for (std::uint32_t i = 0; i < samples.size(); ++i)
            if (i % 5 == 0) samples[i] = i % 2 == 0 ? 0xA5C3 : 0x5A3C;
        const auto image = decode(makeDng({}, samples));
        REQUIRE_OK(image);
        REQUIRE_SAME(firstDifference(
            *image, [&](int x, int y, int) { return samples[std::size_t(y * kWidth + x)]; }));
    }

    void rowsThatNobodyStoredAreDamage_data() {
        QTest::addColumn<bool>("saysDng");
        QTest::newRow("DNG") << true;
        QTest::newRow("like a DNG") << false;
    }
    // The library ends in silence where the compressed samples do.
    void rowsThatNobodyStoredAreDamage() {
        QFETCH(bool, saysDng);
        const auto file = [&](ByteBuffer jpeg) {
            return makeDng({.losslessJpeg = std::move(jpeg), .saysDng = saysDng}, {});
        };
        const auto image = decode(file(flatLosslessJpeg(kHeight)));
        REQUIRE_OK(image);
        REQUIRE_SAME(firstDifference(*image, [](int, int, int) { return 2048; }));
        REQUIRE_FAILS(decode(file(flatLosslessJpeg(30))), ErrorCode::Damaged,
                      "damaged after row 30 of 48");
        REQUIRE_FAILS(decode(file(ByteBuffer(2 * kWidth * kHeight))), ErrorCode::Damaged,
                      "damaged after row 0");
    }

    void thereIsOnePage() {
        const ByteBuffer file = makeDng({}, mosaic());
        const auto pages = listPagesOf(file, "test file");
        REQUIRE_OK(pages);
        QCOMPARE(pages->size(), std::size_t(1));
        ReadOptions options;
        options.page = 1;
        REQUIRE_FAILS(decode(file, options), ErrorCode::InvalidArgument, "the file has 1");
    }

    void damageAndLimits() {
        const ByteBuffer file = makeDng({}, mosaic());
        REQUIRE_SAME(cutAtEveryByte(file));
        REQUIRE_SAME(bitsTurnedOver(file));
        ReadOptions options;
        options.limits.maxDecodedBytes = 1000;
        REQUIRE_FAILS(decode(file, options), ErrorCode::LimitExceeded, "66 x 48 pixels");
        options = {};
        std::stop_source source;
        source.request_stop();
        options.stop = source.get_token();
        REQUIRE_FAILS(decode(file, options), ErrorCode::Cancelled, "cancelled");
    }
};

WARPSCOPE_TEST(RawTest)
#include "raw_test.moc"
