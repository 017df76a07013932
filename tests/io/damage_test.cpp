// Every format, cut at every byte and with random bits turned over: never a crash, never success
// with other pixels unless the file has no way of telling.
#include <webp/encode.h>

#include <algorithm>
#include <random>

#include "support/test_case.h"
#include "tests/io/jpeg_files.h"
#include "tests/io/png_files.h"
#include "tests/io/tiff_files.h"

using namespace warpscope;
using namespace io_test;

namespace {

ByteBuffer makeWebp(int width, int height, bool lossless) {
    ByteBuffer rows = smoothRows(width, height, 4);
    std::uint8_t* memory = nullptr;
    const std::size_t size =
        lossless ? WebPEncodeLosslessRGBA(rows.data(), width, height, width * 4, &memory)
                 : WebPEncodeRGBA(rows.data(), width, height, width * 4, 80, &memory);
    ByteBuffer out(memory, memory + size);
    WebPFree(memory);
    return out;
}

ByteBuffer makeRleBmp() {
    ByteBuffer b = fromText("BM");
    for (const std::uint32_t v : {0u, 0u, 54u + 16u, 40u, 6u, 3u}) put32(b, v);
    put16(b, 1);
    put16(b, 8);
    for (const std::uint32_t v : {1u, 0u, 0u, 0u, 4u, 0u}) put32(b, v);
    for (std::uint32_t i = 0; i < 4; ++i) put32(b, i * 0x304050);
    const ByteBuffer codes{6, 1, 0, 0, 0, 3, 1, 2, 3, 0, 3, 2, 0, 0, 2, 1, 4, 3, 0, 1};
    b.insert(b.end(), codes.begin(), codes.end());
    return b;
}

struct Sample {
    std::string name;
    ByteBuffer file;
    int tail = 0;  // bytes at the end whose loss changes no pixel and goes unnoticed
};

std::vector<Sample> samples() {
    std::vector<Sample> all;
    const auto add = [&](std::string name, ByteBuffer file, int tail = 0) {
        all.push_back({std::move(name), std::move(file), tail});
    };
    const auto rgb = integers(9 * 7 * 3, 8);
    add("PNG",
        makePng({.width = 9, .height = 7, .colorType = PNG_COLOR_TYPE_RGB, .comment = "text"},
                packRows(rgb, 27, 8)));
    PngSpec palette{.width = 9,
                    .height = 7,
                    .bits = 4,
                    .colorType = PNG_COLOR_TYPE_PALETTE,
                    .interlaced = true};
    for (int i = 0; i < 16; ++i) palette.palette.push_back({png_byte(i), 1, 2});
    palette.paletteAlpha = {7, 8};
    add("PNG palette", makePng(palette, packRows(integers(63, 4), 9, 4)));
    add("JPEG", makeJpeg({.width = 20,
                          .height = 18,
                          .exif = exifBlock(3),
                          .comment = "c",
                          .profile = fakeProfile()},
                         smoothRows(20, 18, 3)));
    add("JPEG progressive",
        makeJpeg({.width = 20, .height = 18, .progressive = true}, smoothRows(20, 18, 3)));
    add("JPEG CMYK", makeJpeg({.width = 9,
                               .height = 9,
                               .channels = 4,
                               .input = JCS_CMYK,
                               .stored = JCS_YCCK,
                               .adobeMarker = true},
                              smoothRows(9, 9, 4)));
    for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                  COMPRESSION_PACKBITS, COMPRESSION_JPEG, COMPRESSION_CCITTFAX4}) {
        const bool bits = compression == COMPRESSION_CCITTFAX4;
        for (const bool tiled : {false, true}) {
            const int bit = bits ? 1 : 8, channels = bits ? 1 : 3;
            add("TIFF " + std::to_string(compression) + (tiled ? " tiles" : " strips"),
                makeTiff({.width = 20,
                          .height = 18,
                          .bits = bit,
                          .channels = channels,
                          .photometric = bits ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_RGB,
                          .compression = compression,
                          .tile = tiled ? 16u : 0u,
                          .rowsPerStrip = 8},
                         tiffPlanes(integers(20 * 18 * channels, bit), 20, channels, bit, false)));
        }
    }
    add("TIFF float", makeTiff({.width = 4,
                                .height = 3,
                                .bits = 64,
                                .sampleFormat = SAMPLEFORMAT_IEEEFP,
                                .mode = "wb8"},
                               {rawBytes(std::vector<double>(12, 0.5))}));
    add("WebP lossless", makeWebp(20, 18, true));
    add("WebP lossy", makeWebp(20, 18, false));
    add("BMP run lengths", makeRleBmp());
    for (const char* extension : {"bmp", "pgm", "ppm", "pam", "pfm", "tif", "webp", "npy"}) {
        const auto source =
            decode(fromText("P5 6 5 255\n"
                            "abcdefghijklmnopqrstuvwxyzABCD"));
        auto encoded = encodeImage(*source, std::string("x.") + extension);
        // The padding of the last row of a BMP is not needed.
        add(std::string("written ") + extension, std::move(encoded->bytes),
            std::string(extension) == "bmp" ? 2 : 0);
    }
    add("PBM", fromText("P4 9 3\n\x11\x80\x22\x80\x33\x80"));
    add("plain PPM", fromText("P3 # c\n2 2 99\n1 2 3  4 5 6\n7 8 9 10 11 12\n"), 3);
    add("plain PBM", fromText("P1\n3 2\n101\n0 1 1\n"), 1);
    return all;
}

}  // namespace

class DamageTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        TIFFSetWarningHandler(nullptr);
        TIFFSetErrorHandler(nullptr);
    }

    void cutAtEveryByte_data() { formats(); }

    void cutAtEveryByte() {
        QFETCH(int, index);
        const Sample sample = samples()[std::size_t(index)];
        const auto whole = decode(sample.file);
        REQUIRE_OK(whole);
        int successes = 0;
        for (std::size_t size = 0; size < sample.file.size(); ++size) {
            // Memory of exactly this size, so that a sanitizer sees any step beyond it.
            const ByteBuffer cut(sample.file.begin(), sample.file.begin() + long(size));
            const auto image = decode(cut);
            if (!image) {
                QVERIFY(image.error().code != ErrorCode::Internal);
                QVERIFY(image.error().message.starts_with("test file: "));
                QVERIFY(image.error().message.find('\n') == std::string::npos);
                continue;
            }
            ++successes;
            const std::string where = "cut to " + std::to_string(size) + " of " +
                                      std::to_string(sample.file.size()) + " bytes";
            QVERIFY2(size + std::size_t(sample.tail) >= sample.file.size(), where.c_str());
            if (sample.name != "plain PPM") QVERIFY2(sameSamples(*image, *whole), where.c_str());
        }
        QVERIFY(successes <= sample.tail);
    }

    void bitsTurnedOver_data() { formats(); }

    void bitsTurnedOver() {
        QFETCH(int, index);
        const Sample sample = samples()[std::size_t(index)];
        std::mt19937 random(std::uint32_t(index) + 1);
        ReadOptions options;
        options.limits.maxDecodedBytes = 64 << 20;  // a side that grew is refused, not allocated
        const auto whole = decode(sample.file);
        REQUIRE_OK(whole);
        const bool checksummed = sample.name.starts_with("PNG");
        for (int round = 0; round < 600; ++round) {
            ByteBuffer broken = sample.file;
            const int flips = 1 + int(random() % 3);
            for (int i = 0; i < flips; ++i) {
                // Half of them in the header, where they do most.
                const std::size_t range =
                    random() % 2 ? broken.size() : std::min<std::size_t>(64, broken.size());
                broken[random() % range] ^= std::uint8_t(1u << random() % 8);
            }
            if (broken == sample.file) continue;
            const auto image = decode(broken, options);
            if (!image) {
                QVERIFY2(image.error().code != ErrorCode::Internal, image.error().message.c_str());
                QVERIFY(image.error().message.starts_with("test file: "));
                continue;
            }
            QVERIFY(!image->size().empty());
            QVERIFY(image->info().whiteLevel > 0);
            if (checksummed) QVERIFY(sameSamples(*image, *whole));
        }
    }

    void rubbishAfterEverySignature() {
        std::mt19937 random(7);
        const std::vector<std::string> fronts{
            "\x89PNG\r\n\x1a\n",
            "\xFF\xD8\xFF",
            std::string("II*\0\x08\0\0\0", 8),
            std::string("MM\0+\0\x08\0\0\0\0\0\0\0\0\0\x10", 16),
            "RIFF\x20\x01\x01\x01WEBPVP8L",
            std::string("BM\x30\x01\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", 18),
            "P5 12 9 255\n",
            "P7\nWIDTH 4\nHEIGHT 4\nDEPTH 3\nMAXVAL 255\nENDHDR\n",
            "PF 3 3 -1.0\n"};
        ReadOptions options;
        options.limits.maxDecodedBytes = 64 << 20;
        for (const auto& front : fronts) {
            for (int round = 0; round < 200; ++round) {
                ByteBuffer file = fromText(front);
                for (std::uint32_t i = random() % 300; i > 0; --i)
                    file.push_back(std::uint8_t(random()));
                const auto image = decode(file, options);
                if (!image) QVERIFY(image.error().code != ErrorCode::Internal);
            }
        }
    }

  private:
    void formats() {
        QTest::addColumn<int>("index");
        int index = 0;
        for (const auto& sample : samples()) QTest::newRow(sample.name.c_str()) << index++;
    }
};

WARPSCOPE_TEST(DamageTest)
#include "damage_test.moc"
