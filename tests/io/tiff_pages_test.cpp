// Pages, limits and threads; the samples are in tiff_test.cpp.
#include "support/test_case.h"
#include "tests/io/tiff_files.h"

#include <sys/resource.h>

#include <cmath>
#include <limits>
#include <thread>

using namespace warpscope;
using namespace io_test;

class TiffPagesTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        // libtiff's own notes on the files that are made wrong on purpose.
        TIFFSetWarningHandler(nullptr);
        TIFFSetErrorHandler(nullptr);
    }

    void eachPage() {
        TiffMemory memory;
        TIFF* tiff = memory.open("wb");
        std::vector<std::vector<std::uint32_t>> truth;
        const int bits[] = {8, 16, 8, 12}, channels[] = {1, 1, 3, 1};
        for (std::uint32_t page = 0; page < 4; ++page) {
            const int width = 5 + int(page), height = 3;
            truth.push_back(integers(width * height * channels[page], bits[page], page + 1));
            const std::string name = "part " + std::to_string(page);
            if (page > 0) TIFFSetField(tiff, TIFFTAG_PAGENAME, name.c_str());
            writeTiffPage(
                tiff,
                {.width = std::uint32_t(width),
                 .height = std::uint32_t(height),
                 .bits = bits[page],
                 .channels = channels[page],
                 .photometric = channels[page] == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK},
                tiffPlanes(truth.back(), width, channels[page], bits[page], false));
        }
        TIFFClose(tiff);
        const auto pages = listPagesOf(memory.bytes, "test file");
        REQUIRE_OK(pages);
        QCOMPARE(pages->size(), std::size_t(4));
        QCOMPARE((*pages)[0].name, std::string());
        QCOMPARE((*pages)[3].name, std::string("part 3"));
        ReadOptions options;
        for (options.page = 0; options.page < 4; ++options.page) {
            const auto image = decode(memory.bytes, options);
            REQUIRE_OK(image);
            const auto& listed = (*pages)[std::size_t(options.page)];
            QVERIFY(listed.size == image->size() && listed.format == image->format());
            QVERIFY(listed.problem.empty());
            const auto& samples = truth[std::size_t(options.page)];
            const int n = channels[options.page];
            const auto difference = firstDifference(*image, [&](int x, int y, int c) {
                return c == 3 ? 255u : samples[std::size_t((y * image->width() + x) * n + c)];
            });
            QVERIFY2(difference.empty(), difference.c_str());
            QVERIFY(anyContains(image->info().notices,
                                options.page == 0
                                    ? std::string("1 of 4 pages")
                                    : "page " + std::to_string(options.page + 1) + " of 4"));
        }
        REQUIRE_FAILS(decode(memory.bytes, options), ErrorCode::InvalidArgument,
                      "there is no page 5: the file has 4");
        options.page = -1;
        REQUIRE_FAILS(decode(memory.bytes, options), ErrorCode::InvalidArgument, "no page 0");
        // Formats that hold one image have one page.
        const ByteBuffer pgm = fromText("P5 1 1 255\nx");
        const auto one = listPagesOf(pgm, "test file");
        REQUIRE_OK(one);
        QCOMPARE(one->size(), std::size_t(1));
        options.page = 1;
        REQUIRE_FAILS(decode(pgm, options), ErrorCode::InvalidArgument, "the file has 1");
    }
    void pagesAndLoops() {
        const auto planes = tiffPlanes(integers(6, 8), 3, 1, 8, false);
        ByteBuffer file = makeTiff({.width = 3, .height = 2, .pages = 12}, planes);
        auto image = decode(file);
        REQUIRE_OK(image);
        QVERIFY(anyContains(image->info().notices, "1 of 12 pages"));
        // The first directory follows itself.
        file = makeTiff({.width = 3, .height = 2, .mode = "wl"}, planes);
        const std::uint32_t at = file[4] | std::uint32_t(file[5]) << 8;
        const std::uint32_t entries = file[at] | std::uint32_t(file[at + 1]) << 8;
        file[at + 2 + entries * 12] = std::uint8_t(at);
        file[at + 2 + entries * 12 + 1] = std::uint8_t(at >> 8);
        image = decode(file);
        if (image) QVERIFY(anyContains(image->info().notices, "further pages is damaged"));
        if (!image) QVERIFY(image.error().code == ErrorCode::Damaged);
    }

    void headersAreRefusedByArithmetic() {
        // 1 x 1, then the sides are patched to what no file of this size can hold.
        const auto patched = [](std::uint32_t width, std::uint32_t height, int compression) {
            ByteBuffer file = makeTiff({.width = 0x1111,
                                        .height = 1,
                                        .compression = compression,
                                        .rowsPerStrip = 0x2222,
                                        .mode = "wl"},
                                       {ByteBuffer(0x1111, 0)});
            const std::uint32_t at = file[4] | std::uint32_t(file[5]) << 8;
            const std::uint32_t entries = file[at] | std::uint32_t(file[at + 1]) << 8;
            for (std::uint32_t i = 0; i < entries; ++i) {
                std::uint8_t* entry = &file[at + 2 + i * 12];
                const int tag = entry[0] | entry[1] << 8;
                if (tag != TIFFTAG_IMAGEWIDTH && tag != TIFFTAG_IMAGELENGTH) continue;
                entry[2] = 4;  // LONG
                const std::uint32_t v = tag == TIFFTAG_IMAGEWIDTH ? width : height;
                for (int b = 0; b < 4; ++b) entry[8 + b] = std::uint8_t(v >> (8 * b));
            }
            return file;
        };
        auto image = decode(patched(1u << 31, 1, COMPRESSION_NONE));
        REQUIRE_FAILS(image, ErrorCode::LimitExceeded, "a side may have at most");
        image = decode(patched(1'000'000, 1'000'000, COMPRESSION_NONE));
        REQUIRE_FAILS(image, ErrorCode::LimitExceeded, "more than the limit of");
        image = decode(patched(80'000, 80'000, COMPRESSION_LZW));
        REQUIRE_FAILS(image, ErrorCode::Damaged, "the header promises");
        image = decode(patched(50'000, 50'000, COMPRESSION_NONE));
        REQUIRE_FAILS(image, ErrorCode::Damaged, "the header promises");
        image = decode(patched(0, 7, COMPRESSION_NONE));
        QVERIFY(!image);
    }

    // 1 x 1 pixels in one tile of 2^29 x 16 pixels of one bit.
    void tilesFarLargerThanTheImage() {
        const auto file = [](std::uint32_t tileWidth, std::uint32_t tileHeight) {
            ByteBuffer bytes = {'I', 'I', 42, 0, 8, 0, 0, 0};
            const auto put = [&](std::uint32_t v, int count) {
                for (int b = 0; b < count; ++b) bytes.push_back(std::uint8_t(v >> (8 * b)));
            };
            const std::pair<int, std::uint32_t> entries[] = {
                {TIFFTAG_IMAGEWIDTH, 1},
                {TIFFTAG_IMAGELENGTH, 1},
                {TIFFTAG_BITSPERSAMPLE, 1},
                {TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE},
                {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK},
                {TIFFTAG_SAMPLESPERPIXEL, 1},
                {TIFFTAG_TILEWIDTH, tileWidth},
                {TIFFTAG_TILELENGTH, tileHeight},
                {TIFFTAG_TILEOFFSETS, 8},
                {TIFFTAG_TILEBYTECOUNTS, 8}};
            put(std::uint32_t(std::size(entries)), 2);
            for (const auto& [tag, value] : entries) {
                put(std::uint32_t(tag), 2);
                put(4, 2);  // LONG
                put(1, 4);
                put(value, 4);
            }
            put(0, 4);
            return bytes;
        };
        const auto peakKiB = [] {
            rusage usage{};
            getrusage(RUSAGE_SELF, &usage);
            return usage.ru_maxrss;
        };
        const long before = peakKiB();
        auto image = decode(file(1u << 29, 16));
        REQUIRE_FAILS(image, ErrorCode::LimitExceeded, "far larger than the image");
        image = decode(file(16, 1u << 29));
        REQUIRE_FAILS(image, ErrorCode::LimitExceeded, "far larger than the image");
        QVERIFY(peakKiB() - before < 64 * 1024);
        // As large as tiles are made, whatever the image: only the data is wrong here.
        image = decode(file(4096, 4096));
        REQUIRE_FAILS(image, ErrorCode::Damaged, "damaged after row 0");
    }

    void threadsReadAtOnce() {
        const ByteBuffer good =
            makeTiff({.width = 3, .height = 2}, tiffPlanes(integers(6, 8), 3, 1, 8, false));
        const ByteBuffer cut(good.begin(), good.end() - 20);
        std::atomic<int> wrong = 0;
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 200; ++i)
                    wrong += decode(t % 2 ? good : cut).has_value() != (t % 2 == 1);
            });
        threads.clear();
        QCOMPARE(wrong.load(), 0);
    }
};

WARPSCOPE_TEST(TiffPagesTest)
#include "tiff_pages_test.moc"
