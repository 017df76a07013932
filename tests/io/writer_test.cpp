// What is written can be read again, sample by sample, and what would be lost is said or refused.
// Alpha of files whose white level is below full scale: opaque stays opaque.
#include <cmath>

#include "engine/image/convert.h"
#include "engine/io/image_reader.h"
#include "engine/io/image_writer.h"
#include "engine/pipeline/executor.h"
#include "pipeline/chains.h"
#include "support/test_case.h"
#include "tests/io/jpeg_files.h"
#include "tests/io/png_files.h"
#include "tests/io/tiff_files.h"

using namespace warpscope;
using namespace io_test;
using namespace warpscope;

namespace {

// Random samples; alpha is opaque unless `info` has alpha.
Image makeImage(PixelFormat format, Size size, ImageInfo info, std::uint32_t most = ~0u) {
    auto image = MutableImage::create(format, size);
    visitSampleType(format, [&]<class T>() {
        const auto view = image->view<T>();
        std::uint32_t i = 0;
        for (int y = 0; y < size.height; ++y)
            for (int k = 0; k < view.samplesPerRow(); ++k) {
                const std::uint32_t v = mixed(i++);
                if constexpr (std::is_floating_point_v<T>) {
                    view.row(y)[k] = T(std::int32_t(v)) / T(1 << 20);
                    if (k % 4 == 3 && view.channels == 4 && !info.hasAlpha) view.row(y)[k] = 1;
                } else {
                    view.row(y)[k] = T(most == ~0u ? v : v % (most + 1));
                    if (k % 4 == 3 && view.channels == 4 && !info.hasAlpha)
                        view.row(y)[k] = std::numeric_limits<T>::max();
                }
            }
    });
    return std::move(*image).freeze(std::move(info));
}

ImageInfo infoFor(PixelFormat format, bool alpha = false) {
    ImageInfo info;
    info.whiteLevel = fullScale(format);
    info.hasAlpha = alpha;
    return info;
}

constexpr Size kSize{19, 13};

// Two pixels: opaque, and half transparent.
std::string pam(int maxval) {
    std::string bytes = "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL " + std::to_string(maxval) +
                        "\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
    for (const int wanted : {10, 20, 30, maxval, maxval, 0, 5, maxval / 2}) {
        const int v = std::min(wanted, maxval);
        if (maxval > 255) bytes += char(v >> 8);
        bytes += char(v & 255);
    }
    return bytes;
}

Image decoded(const std::string& bytes) {
    return decodeImage({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "a.pam")
        .value();
}

Image through(const Image& image, const char* name) {
    const auto encoded = encodeImage(image, name);
    return decodeImage(encoded.value().bytes, name).value();
}

int sample(const Image& image, int x, int channel) {
    return visitSampleType(image.format(),
                           [&]<class T>() { return int(image.view<T>().row(0)[4 * x + channel]); });
}

}  // namespace

class WriterTest : public QObject {
    Q_OBJECT
  private slots:
    void exactRoundTrips_data() {
        QTest::addColumn<QString>("extension");
        QTest::addColumn<int>("format");
        QTest::addColumn<bool>("alpha");
        const auto add = [](const char* extension, PixelFormat format, bool alpha) {
            QTest::addRow("%s %s%s", extension, std::string(formatName(format)).c_str(),
                          alpha ? " alpha" : "")
                << extension << int(format) << alpha;
        };
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16}) {
            for (const char* extension : {"png", "tif", "pgm", "pnm", "pam"})
                add(extension, format, false);
        }
        add("bmp", PixelFormat::Gray8, false);
        for (const bool alpha : {false, true}) {
            for (const char* extension : {"png", "TIFF", "webp", "bmp", "pam"})
                add(extension, PixelFormat::Rgba8, alpha);
            for (const char* extension : {"png", "tif", "pam"})
                add(extension, PixelFormat::Rgba16, alpha);
            add("tif", PixelFormat::RgbaF32, alpha);
        }
        for (const char* extension : {"ppm", "pnm"})
            for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Rgba16})
                add(extension, format, false);
        for (const char* extension : {"tif", "pfm"}) add(extension, PixelFormat::GrayF32, false);
        add("pfm", PixelFormat::RgbaF32, false);
        add("tif", PixelFormat::Gray32, false);
        for (const PixelFormat any : kAllPixelFormats) add("npy", any, false);
        for (const PixelFormat color :
             {PixelFormat::Rgba8, PixelFormat::Rgba16, PixelFormat::RgbaF32})
            add("npy", color, true);
    }

    void exactRoundTrips() {
        QFETCH(QString, extension);
        QFETCH(int, format);
        QFETCH(bool, alpha);
        const Image source =
            makeImage(PixelFormat(format), kSize, infoFor(PixelFormat(format), alpha));
        // A window into the image has another pitch than its width.
        for (const Image& image : {source, source.crop({2, 1, 7, 9})}) {
            const auto encoded = encodeImage(image, "x." + extension.toStdString());
            REQUIRE_OK(encoded);
            QVERIFY(encoded->notices.empty());
            const auto back = decode(encoded->bytes);
            REQUIRE_OK(back);
            QVERIFY(sameSamples(*back, image));
            QCOMPARE(back->info().hasAlpha, alpha);
            QCOMPARE(back->info().whiteLevel, image.info().whiteLevel);
        }
    }

    void otherLibrariesReadWhatIsWritten() {
        const Image rgb = makeImage(PixelFormat::Rgba8, kSize, infoFor(PixelFormat::Rgba8));
        // PNG through libpng's own reader.
        const auto png = encodeImage(rgb, "x.png");
        png_image control{};
        control.version = PNG_IMAGE_VERSION;
        QVERIFY(png_image_begin_read_from_memory(&control, png->bytes.data(), png->bytes.size()));
        QCOMPARE(control.format, png_uint_32(PNG_FORMAT_RGB));
        ByteBuffer rows(PNG_IMAGE_SIZE(control));
        QVERIFY(png_image_finish_read(&control, nullptr, rows.data(), 0, nullptr));
        REQUIRE_SAME(firstDifference(rgb, [&](int x, int y, int c) {
            return c == 3 ? 255 : int(rows[std::size_t((y * kSize.width + x) * 3 + c)]);
        }));
        // TIFF through libtiff's.
        const auto tif = encodeImage(rgb, "x.tif");
        TiffMemory memory{tif->bytes};
        TIFF* tiff = memory.open("r");
        QVERIFY(tiff);
        std::vector<std::uint32_t> raster(std::size_t(kSize.pixels()));
        QVERIFY(TIFFReadRGBAImageOriented(tiff, std::uint32_t(kSize.width),
                                          std::uint32_t(kSize.height), raster.data(),
                                          ORIENTATION_TOPLEFT, 1));
        TIFFClose(tiff);
        REQUIRE_SAME(firstDifference(rgb, [&](int x, int y, int c) {
            return raster[std::size_t(y * kSize.width + x)] >> (8 * c) & 255;
        }));
    }

    void jpegIsCloseAndNotSubsampled() {
        const auto file = decode(makeJpeg({.width = 64, .height = 64}, smoothRows(64, 64, 3)));
        const auto encoded = encodeImage(*file, "x.jpeg");
        REQUIRE_OK(encoded);
        const auto back = decode(encoded->bytes);
        REQUIRE_OK(back);
        double largest = 0;
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x)
                for (int c = 0; c < 3; ++c)
                    largest = std::max(
                        largest, std::abs(sampleAt(*back, x, y, c) - sampleAt(*file, x, y, c)));
        QVERIFY2(largest > 0 && largest < 40, std::to_string(largest).c_str());
        jpeg_decompress_struct jpeg;
        jpeg_error_mgr errors;
        jpeg.err = jpeg_std_error(&errors);
        jpeg_create_decompress(&jpeg);
        jpeg_mem_src(&jpeg, encoded->bytes.data(),
                     static_cast<unsigned long>(encoded->bytes.size()));
        jpeg_read_header(&jpeg, TRUE);
        for (int i = 0; i < 3; ++i) QCOMPARE(jpeg.comp_info[i].h_samp_factor, 1);
        QVERIFY(jpeg.quant_tbl_ptrs[0]->quantval[0] == 2);  // quality 95
        jpeg_destroy_decompress(&jpeg);
    }

    void conversionsToEightBitsAreSaid() {
        const Image wide = makeImage(PixelFormat::Rgba16, kSize, infoFor(PixelFormat::Rgba16));
        for (const char* name : {"x.webp", "x.bmp"}) {
            const auto encoded = encodeImage(wide, name);
            REQUIRE_OK(encoded);
            QVERIFY(anyContains(encoded->notices, "16 bits became 8"));
            const auto back = decode(encoded->bytes);
            REQUIRE_SAME(firstDifference(*back, [&](int x, int y, int c) {
                return narrowSample(std::uint16_t(sampleAt(wide, x, y, c)));
            }));
        }
        QVERIFY(anyContains(encodeImage(wide, "x.jpg")->notices, "16 bits became 8"));
        const Image real = makeImage(PixelFormat::GrayF32, kSize, infoFor(PixelFormat::GrayF32));
        for (const char* name : {"x.png", "x.jpg", "x.pgm"})
            QVERIFY(anyContains(encodeImage(real, name)->notices, "float became 8 bits"));
        const Image sums = makeImage(PixelFormat::Gray32, kSize, infoFor(PixelFormat::Gray32));
        QVERIFY(anyContains(encodeImage(sums, "x.png")->notices, "sums became 8 bits"));
        // Labels that fit keep their numbers.
        for (const auto& [largest, bits] : {std::pair(22u, 8), {255u, 8}, {256u, 16}, {65535u, 16}})
            for (const char* name : {"x.png", "x.pgm"}) {
                auto made = MutableImage::create(PixelFormat::Gray32, kSize);
                REQUIRE_OK(made);
                const View<std::uint32_t> view = made->view<std::uint32_t>();
                for (int y = 0; y < view.height; ++y)
                    for (int x = 0; x < view.width; ++x)
                        view.row(y)[x] =
                            (std::uint32_t(x) * 7919u + std::uint32_t(y)) % (largest + 1);
                view.row(0)[0] = largest;
                const Image labels = std::move(*made).freeze({});
                const auto kept = encodeImage(labels, name);
                REQUIRE_OK(kept);
                QVERIFY(anyContains(kept->notices, "the numbers are kept"));
                const auto back = decode(kept->bytes);
                QCOMPARE(8 * bytesPerSample(back->format()), bits);
                REQUIRE_SAME(firstDifference(*back, [&](int x, int y, int) {
                    return double(labels.view<std::uint32_t>().row(y)[x]);
                }));
            }
        // 12-bit data is brought to full scale where 8 bits are all there is.
        ImageInfo info;
        info.whiteLevel = 4095;
        const Image twelve = makeImage(PixelFormat::Gray16, kSize, info, 4095);
        const auto encoded = encodeImage(twelve, "x.bmp");
        REQUIRE_OK(encoded);
        QVERIFY(anyContains(encoded->notices, "the white level 4095 became 255"));
        const auto back = decode(encoded->bytes);
        REQUIRE_SAME(firstDifference(*back, [&](int x, int y, int) {
            return std::floor(sampleAt(twelve, x, y) * 255 / 4095 + 0.5);
        }));
    }

    void whiteLevelBecomesMaxval() {
        for (const double white : {100.0, 4095.0}) {
            const PixelFormat format = white < 256 ? PixelFormat::Rgba8 : PixelFormat::Rgba16;
            ImageInfo info;
            info.whiteLevel = white;
            const Image image = makeImage(format, kSize, info, std::uint32_t(white));
            const auto encoded = encodeImage(image, "x.ppm");
            REQUIRE_OK(encoded);
            const auto back = decode(encoded->bytes);
            REQUIRE_OK(back);
            QCOMPARE(back->info().whiteLevel, white);
            QVERIFY(sameSamples(*back, image));
            // Elsewhere the samples stay and the loss is said.
            QVERIFY(anyContains(encodeImage(image, "x.png")->notices, "no place for their white"));
        }
        ImageInfo info;
        info.whiteLevel = 100;
        const Image above = makeImage(PixelFormat::Gray8, kSize, info);
        const auto encoded = encodeImage(above, "x.pgm");
        QVERIFY(anyContains(encoded->notices, "above the white level"));
        QVERIFY(sameSamples(*decode(encoded->bytes), above));
    }

    void refusals() {
        const Image alpha = makeImage(PixelFormat::Rgba8, kSize, infoFor(PixelFormat::Rgba8, true));
        for (const char* name : {"x.jpg", "x.ppm", "x.pnm", "x.pfm"}) {
            const auto encoded = encodeImage(alpha, name);
            REQUIRE_FAILS(encoded, ErrorCode::Unsupported, "alpha");
        }
        // An alpha channel that is opaque everywhere may go.
        const Image opaque = makeImage(PixelFormat::Rgba8, kSize, infoFor(PixelFormat::Rgba8));
        ImageInfo info = infoFor(PixelFormat::Rgba8, true);
        REQUIRE_OK(encodeImage(opaque.withInfo(info), "x.jpg"));
        REQUIRE_OK(encodeImage(opaque.withInfo(info), "x.ppm"));
        auto encoded = encodeImage(opaque, "x.pgm");
        REQUIRE_FAILS(encoded, ErrorCode::Unsupported, "PGM has no colour");
        encoded = encodeImage(opaque, "x.gif");
        REQUIRE_FAILS(encoded, ErrorCode::Unsupported, "\"gif\"");
        REQUIRE_FAILS(encoded, ErrorCode::Unsupported, "png, jpg, jpeg");
        encoded = encodeImage(opaque, "noextension");
        REQUIRE_FAILS(encoded, ErrorCode::Unsupported, "has no extension");
        encoded = encodeImage(Image(), "x.png");
        QVERIFY(!encoded);
        const Image wide = makeImage(PixelFormat::Gray8, {70'000, 1}, infoFor(PixelFormat::Gray8));
        encoded = encodeImage(wide, "x.jpg");
        REQUIRE_FAILS(encoded, ErrorCode::Unsupported, "JPEG allows sides up to 65500");
        encoded = encodeImage(wide, "x.webp");
        REQUIRE_FAILS(encoded, ErrorCode::Unsupported, "WebP allows sides up to 16383");
        const Image sums = makeImage(PixelFormat::Gray64, kSize, infoFor(PixelFormat::Gray64));
        encoded = encodeImage(sums, "x.tif");
        REQUIRE_FAILS(encoded, ErrorCode::Unsupported, "64 bits");
    }

    void longThinImages() {
        for (const Size size : {Size{kMaxSide, 1}, Size{1, kMaxSide}}) {
            const Image image = makeImage(PixelFormat::Gray8, size, infoFor(PixelFormat::Gray8));
            for (const char* name : {"x.png", "x.tif", "x.bmp", "x.pgm"}) {
                const auto encoded = encodeImage(image, name);
                REQUIRE_OK(encoded);
                const auto back = decode(encoded->bytes);
                REQUIRE_OK(back);
                QVERIFY(sameSamples(*back, image));
            }
        }
    }

    void profilesAreKeptWhereTheyFit() {
        ImageInfo info = infoFor(PixelFormat::Rgba8);
        info.iccProfile = std::make_shared<const ByteBuffer>(fakeProfile("RGB "));
        const Image color = makeImage(PixelFormat::Rgba8, kSize, info);
        for (const char* name : {"x.jpg", "x.tif", "x.webp", "x.bmp"}) {
            const auto encoded = encodeImage(color, name);
            REQUIRE_OK(encoded);
            const auto back = decode(encoded->bytes);
            REQUIRE_OK(back);
            QVERIFY2(back->info().iccProfile && *back->info().iccProfile == *info.iccProfile, name);
        }
        // libpng looks into the profile; one that it refuses costs the profile, not the image.
        const auto png = encodeImage(color, "x.png");
        REQUIRE_OK(png);
        REQUIRE_OK(decode(png->bytes));
        QVERIFY(anyContains(encodeImage(color, "x.ppm")->notices, "profile was not kept"));
        info.iccProfile = std::make_shared<const ByteBuffer>(fakeProfile("GRAY"));
        QVERIFY(anyContains(encodeImage(color.withInfo(info), "x.tif")->notices, "does not fit"));
    }

    void formatListIsConsistent() {
        const Image image = makeImage(PixelFormat::Gray8, {3, 2}, infoFor(PixelFormat::Gray8));
        for (const auto& format : imageFormats()) {
            QVERIFY(!format.name.empty() && !format.extensions.empty());
            for (const auto& extension : format.extensions)
                QCOMPARE(encodeImage(image, "x." + extension).has_value(), format.writes);
        }
    }

    void exactThroughPam() {
        for (const int maxval : {1, 100, 254, 255, 1000, 65535}) {
            const Image image = decoded(pam(maxval));
            const Image again = through(image, "b.pam");
            QCOMPARE(again.info().whiteLevel, double(maxval));
            QVERIFY(image.info().hasAlpha && again.info().hasAlpha);
            QCOMPARE(sample(image, 0, 3), maxval);
            for (int x = 0; x < 2; ++x)
                for (int c = 0; c < 4; ++c) QCOMPARE(sample(again, x, c), sample(image, x, c));
        }
    }

    void opaqueStaysOpaqueInOtherFormats_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"a.png", "a.tif", "a.webp", "a.bmp"}) QTest::newRow(name) << name;
    }
    void opaqueStaysOpaqueInOtherFormats() {
        QFETCH(QString, name);
        const Image image = decoded(pam(100));
        const Image saved = through(image, name.toUtf8().constData());
        QVERIFY(saved.info().hasAlpha);
        QCOMPARE(sample(saved, 0, 3), 255);
        QCOMPARE(sample(saved, 1, 3), 128);  // 50 of 100
        QCOMPARE(sample(saved, 0, 0), 10);   // colour keeps its raw samples
        QCOMPARE(sample(saved, 1, 0), 100);
    }

    void stepsThatFillTheRangeKeepOpacity() {
        const Image image = decoded(pam(100));
        Executor executor(BackendSet::cpuOnly(""), 1 << 20);
        for (const char* step : {"equalize", "add_noise:amount=1"}) {
            ExecuteRequest request;
            request.source = image;
            request.pipeline = test::chain({step});
            request.backend = BackendChoice::CpuSingle;
            const auto result = executor.run(request, {});
            QVERIFY(result);
            QCOMPARE(result->image.info().whiteLevel, 255.0);
            QVERIFY2(sample(result->image, 0, 3) == 255, step);
            QVERIFY2(sample(result->image, 1, 3) == 128, step);
        }
        // One that keeps the white level keeps alpha as it was.
        ExecuteRequest blur;
        blur.source = image;
        blur.pipeline = test::chain({"gaussian_blur"});
        const auto kept = executor.run(blur, {});
        QCOMPARE(kept->image.info().whiteLevel, 100.0);
        QCOMPARE(sample(kept->image, 0, 3), 100);
        QCOMPARE(sample(kept->image, 1, 3), 50);
    }

    void nothingElseIsTouched() {
        const Image full = decoded(pam(255));
        QCOMPARE(fullScaleAlpha(full, {})->id(), full.id());
        const Image low = decoded(pam(1000));
        const Image scaled = fullScaleAlpha(low, {}).value();
        QCOMPARE(sample(scaled, 0, 3), 65535);
        QCOMPARE(sample(scaled, 1, 3), 32768);
        QCOMPARE(sample(scaled, 1, 0), 1000);
    }
};

WARPSCOPE_TEST(WriterTest)
#include "writer_test.moc"
