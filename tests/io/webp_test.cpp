#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "support/test_case.h"
#include "tests/io/io_helpers.h"

using namespace warpscope;
using namespace io_test;

namespace {

constexpr int kWebpWidth = 50, kWebpHeight = 41;

ByteBuffer taken(std::uint8_t* memory, std::size_t size) {
    ByteBuffer out(memory, memory + size);
    WebPFree(memory);
    return out;
}

// Lossless, and exact under full transparency.
ByteBuffer exactWebp(const ByteBuffer& rgba, int width, int height) {
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    WebPConfigInit(&config);
    WebPConfigLosslessPreset(&config, 2);
    config.exact = 1;
    WebPPictureInit(&picture);
    WebPMemoryWriterInit(&writer);
    picture.use_argb = 1;
    picture.width = width;
    picture.height = height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    WebPPictureImportRGBA(&picture, rgba.data(), width * 4);
    WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    ByteBuffer out(writer.mem, writer.mem + writer.size);
    WebPMemoryWriterClear(&writer);
    return out;
}

ByteBuffer rgbaRows(int seed) {
    ByteBuffer rows;
    for (const auto v : integers(kWebpWidth * kWebpHeight * 4, 8, std::uint32_t(seed)))
        rows.push_back(std::uint8_t(v));
    return rows;
}

}  // namespace

class WebpTest : public QObject {
    Q_OBJECT

  private slots:
    void losslessIsExact() {
        const ByteBuffer rows = rgbaRows(1);  // with alpha 0 among them
        const auto image = decode(exactWebp(rows, kWebpWidth, kWebpHeight));
        REQUIRE_OK(image);
        QVERIFY(image->info().hasAlpha);
        QVERIFY(image->info().sourceFormat.find("lossless") != std::string::npos);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            return rows[std::size_t((y * kWebpWidth + x) * 4 + c)];
        }));
    }

    void lossyAgreesWithLibwebp_data() {
        QTest::addColumn<bool>("alpha");
        QTest::newRow("RGB") << false;
        QTest::newRow("RGBA") << true;
    }

    void lossyAgreesWithLibwebp() {
        QFETCH(bool, alpha);
        ByteBuffer rows = rgbaRows(2);
        std::uint8_t* memory = nullptr;
        const std::size_t size =
            alpha
                ? WebPEncodeRGBA(rows.data(), kWebpWidth, kWebpHeight, kWebpWidth * 4, 70, &memory)
                : WebPEncodeRGB(rows.data(), kWebpWidth, kWebpHeight, kWebpWidth * 4, 70, &memory);
        const ByteBuffer file = taken(memory, size);
        const auto image = decode(file);
        REQUIRE_OK(image);
        QCOMPARE(image->info().hasAlpha, alpha);
        int width = 0, height = 0;
        std::uint8_t* decoded = WebPDecodeRGBA(file.data(), file.size(), &width, &height);
        const ByteBuffer expected = taken(decoded, std::size_t(width * height * 4));
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            return expected[std::size_t((y * kWebpWidth + x) * 4 + c)];
        }));
    }

    void animationsGiveEachFrame() {
        const ByteBuffer first = exactWebp(rgbaRows(3), kWebpWidth, kWebpHeight);
        const ByteBuffer second = exactWebp(rgbaRows(4), kWebpWidth, kWebpHeight);
        WebPMux* mux = WebPMuxNew();
        for (const ByteBuffer* frame : {&first, &second}) {
            WebPMuxFrameInfo info{};
            info.bitstream = {frame->data(), frame->size()};
            info.id = WEBP_CHUNK_ANMF;
            info.x_offset = 4;
            info.y_offset = 2;
            info.duration = 100;
            QCOMPARE(WebPMuxPushFrame(mux, &info, 1), WEBP_MUX_OK);
        }
        const WebPMuxAnimParams params{0xFFFFFFFFu, 0};
        QCOMPARE(WebPMuxSetAnimationParams(mux, &params), WEBP_MUX_OK);
        QCOMPARE(WebPMuxSetCanvasSize(mux, kWebpWidth + 10, kWebpHeight + 6), WEBP_MUX_OK);
        WebPData assembled{};
        QCOMPARE(WebPMuxAssemble(mux, &assembled), WEBP_MUX_OK);
        const ByteBuffer file(assembled.bytes, assembled.bytes + assembled.size);
        WebPDataClear(&assembled);
        WebPMuxDelete(mux);
        const auto image = decode(file);
        REQUIRE_OK(image);
        QVERIFY(anyContains(image->info().notices, "1 of 2 frames"));
        QVERIFY((image->size() == Size{kWebpWidth + 10, kWebpHeight + 6}));
        const ByteBuffer rows = rgbaRows(3);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            const int fx = x - 4, fy = y - 2;
            if (fx < 0 || fy < 0 || fx >= kWebpWidth || fy >= kWebpHeight) return 0;
            return int(rows[std::size_t((fy * kWebpWidth + fx) * 4 + c)]);
        }));
        const auto pages = listPagesOf(file, "test file");
        REQUIRE_OK(pages);
        QCOMPARE(pages->size(), std::size_t(2));
        QCOMPARE(pages->back().name, std::string("100 ms"));
        QVERIFY(pages->back().size == image->size());
        ReadOptions options;
        options.page = 1;
        const auto next = decode(file, options);
        REQUIRE_OK(next);
        QVERIFY(anyContains(next->info().notices, "frame 2 of 2"));
        const ByteBuffer nextRows = rgbaRows(4);
        REQUIRE_SAME(
            firstDifference(next->crop({4, 2, kWebpWidth, kWebpHeight}), [&](int x, int y, int c) {
                return nextRows[std::size_t((y * kWebpWidth + x) * 4 + c)];
            }));
        options.page = 2;
        REQUIRE_FAILS(decode(file, options), ErrorCode::InvalidArgument, "the file has 2");
        const auto cut = decode(ByteBuffer(file.begin(), file.end() - 30));
        REQUIRE_FAILS(cut, ErrorCode::Damaged, "damaged after row");
    }

    void profileAndOrientation() {
        const ByteBuffer rows = rgbaRows(5), picture = exactWebp(rows, kWebpWidth, kWebpHeight);
        const ByteBuffer profile = fakeProfile(), exif = exifBlock(3);
        WebPMux* mux = WebPMuxNew();
        const WebPData image{picture.data(), picture.size()}, icc{profile.data(), profile.size()},
            block{exif.data(), exif.size()};
        WebPMuxSetImage(mux, &image, 1);
        WebPMuxSetChunk(mux, "ICCP", &icc, 1);
        WebPMuxSetChunk(mux, "EXIF", &block, 1);
        WebPData assembled{};
        QCOMPARE(WebPMuxAssemble(mux, &assembled), WEBP_MUX_OK);
        const ByteBuffer file(assembled.bytes, assembled.bytes + assembled.size);
        WebPDataClear(&assembled);
        WebPMuxDelete(mux);
        const auto upright = decode(file);
        REQUIRE_OK(upright);
        QVERIFY(upright->info().iccProfile && *upright->info().iccProfile == profile);
        QCOMPARE(metadataOf(*upright, "camera make"), "Warpscope");
        REQUIRE_SAME(firstDifference(*upright, [&](int x, int y, int c) {
            return rows[std::size_t(((kWebpHeight - 1 - y) * kWebpWidth + kWebpWidth - 1 - x) * 4 +
                                    c)];
        }));
    }

    void halfAPictureNamesTheRow() {
        ByteBuffer rows = rgbaRows(6);
        std::uint8_t* memory = nullptr;
        const std::size_t size =
            WebPEncodeRGB(rows.data(), kWebpWidth, kWebpHeight, kWebpWidth * 4, 70, &memory);
        const ByteBuffer file = taken(memory, size);
        const auto image =
            decode(ByteBuffer(file.begin(), file.begin() + long(file.size() * 3 / 4)));
        REQUIRE_FAILS(image, ErrorCode::Damaged, "of 41: the file ends early");
    }
};

WARPSCOPE_TEST(WebpTest)
#include "webp_test.moc"
