// HEIF and AVIF written without loss by libheif's encoders come back as they were; a machine
// without an encoder leaves that out.
#include <libheif/heif.h>

#include <memory>

#include "support/test_case.h"
#include "tests/io/damage_checks.h"

using namespace warpscope;
using namespace io_test;

namespace {

struct HeifSpec {
    heif_compression_format compression = heif_compression_AV1;
    int width = 1, height = 1, bits = 8;
    int channels = 1;
    int images = 1;
};

// Interleaved samples of each image. Empty where there is no encoder for it.
ByteBuffer makeHeif(const HeifSpec& spec, const std::vector<std::uint32_t>& samples) {
    heif_context* context = heif_context_alloc();
    const std::shared_ptr<void> freeing(
        context, [](void* c) { heif_context_free(static_cast<heif_context*>(c)); });
    heif_encoder* encoder = nullptr;
    if (heif_context_get_encoder_for_format(context, spec.compression, &encoder).code !=
        heif_error_Ok)
        return {};
    const std::shared_ptr<void> releasing(
        encoder, [](void* e) { heif_encoder_release(static_cast<heif_encoder*>(e)); });
    heif_encoder_set_lossless(encoder, 1);
    if (spec.channels > 1) heif_encoder_set_parameter_string(encoder, "chroma", "444");
    const std::size_t perImage = samples.size() / std::size_t(spec.images);
    for (int i = 0; i < spec.images; ++i) {
        const bool gray = spec.channels == 1;
        heif_image* picture = nullptr;
        heif_image_create(spec.width, spec.height,
                          gray ? heif_colorspace_monochrome : heif_colorspace_RGB,
                          gray                 ? heif_chroma_monochrome
                          : spec.channels == 4 ? heif_chroma_interleaved_RGBA
                                               : heif_chroma_interleaved_RGB,
                          &picture);
        const std::shared_ptr<void> letting(
            picture, [](void* p) { heif_image_release(static_cast<heif_image*>(p)); });
        const heif_channel channel = gray ? heif_channel_Y : heif_channel_interleaved;
        heif_image_add_plane(picture, channel, spec.width, spec.height, spec.bits);
        int stride = 0;
        std::uint8_t* plane = heif_image_get_plane(picture, channel, &stride);
        const int perRow = spec.width * spec.channels;
        for (int y = 0; y < spec.height; ++y)
            for (int x = 0; x < perRow; ++x) {
                const std::uint32_t v =
                    samples[perImage * std::size_t(i) + std::size_t(y * perRow + x)];
                if (spec.bits > 8) {
                    const auto wide = std::uint16_t(v);
                    std::memcpy(plane + stride * y + 2 * x, &wide, 2);
                } else {
                    plane[stride * y + x] = std::uint8_t(v);
                }
            }
        heif_color_profile_nclx* colors = heif_nclx_color_profile_alloc();
        colors->matrix_coefficients = heif_matrix_coefficients_RGB_GBR;
        colors->full_range_flag = 1;
        heif_encoding_options* options = heif_encoding_options_alloc();
        options->macOS_compatibility_workaround_no_nclx_profile = 0;
        if (!gray) options->output_nclx_profile = colors;
        const auto error = heif_context_encode_image(context, picture, encoder, options, nullptr);
        heif_encoding_options_free(options);
        heif_nclx_color_profile_free(colors);
        if (error.code != heif_error_Ok) {
            qInfo("libheif does not write it: %s", error.message);
            return {};
        }
    }
    ByteBuffer out;
    heif_writer writer{1, [](heif_context*, const void* data, std::size_t size, void* to) {
                           const auto* bytes = static_cast<const std::uint8_t*>(data);
                           static_cast<ByteBuffer*>(to)->assign(bytes, bytes + size);
                           return heif_error{heif_error_Ok, heif_suberror_Unspecified, ""};
                       }};
    heif_context_write(context, &writer, &out);
    return out;
}

}  // namespace

class HeifTest : public QObject {
    Q_OBJECT

  private slots:
    void samplesAreExact_data() {
        QTest::addColumn<int>("bits");
        QTest::addColumn<int>("channels");
        for (const int bits : {8, 10, 12}) QTest::addRow("gray, %d", bits) << bits << 1;
        QTest::newRow("RGB") << 8 << 3;
        QTest::newRow("RGBA") << 8 << 4;
    }
    void samplesAreExact() {
        QFETCH(int, bits);
        QFETCH(int, channels);
        const int width = 34, height = 26;
        const auto samples = integers(width * height * channels, bits, std::uint32_t(bits));
        const ByteBuffer file = makeHeif(
            {.width = width, .height = height, .bits = bits, .channels = channels}, samples);
        if (file.empty()) QSKIP("libheif has no AV1 encoder here");
        const auto image = decode(file);
        REQUIRE_OK(image);
        QVERIFY(image->info().sourceFormat.starts_with("AVIF"));
        QCOMPARE(image->info().whiteLevel, double((1u << bits) - 1));
        QCOMPARE(image->info().hasAlpha, channels == 4);
        QCOMPARE(isColor(image->format()), channels > 1);
        // libheif writes colours as YCbCr without loss; there and back is a level or two.
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            if (c >= channels) return 255.0;
            const double written = samples[std::size_t((y * width + x) * channels + c)];
            const double got = sampleAt(*image, x, y, c);
            return channels > 1 && c < 3 && std::abs(got - written) <= 2 ? got : written;
        }));
    }

    void imagesArePages() {
        const int width = 16, height = 16, count = width * height;
        const auto samples = integers(count * 3, 8);
        const ByteBuffer file = makeHeif({.width = width, .height = height, .images = 3}, samples);
        if (file.empty()) QSKIP("libheif has no AV1 encoder here");
        const auto pages = listPagesOf(file, "test file");
        REQUIRE_OK(pages);
        QCOMPARE(pages->size(), std::size_t(3));
        QVERIFY(((*pages)[1].size == Size{width, height}));
        std::vector<int> seen;
        ReadOptions options;
        for (options.page = 0; options.page < 3; ++options.page) {
            const auto image = decode(file, options);
            REQUIRE_OK(image);
            for (int i = 0; i < 3; ++i)
                if (firstDifference(*image, [&](int x, int y, int) {
                        return samples[std::size_t(i * count + y * width + x)];
                    }).empty())
                    seen.push_back(i);
        }
        // The primary image comes first.
        std::sort(seen.begin(), seen.end());
        QVERIFY((seen == std::vector<int>{0, 1, 2}));
        REQUIRE_FAILS(decode(file, options), ErrorCode::InvalidArgument, "the file has 3");
    }

    void hevcIsRead() {
        const auto samples = integers(64 * 64, 8);
        const ByteBuffer file =
            makeHeif({.compression = heif_compression_HEVC, .width = 64, .height = 64}, samples);
        if (file.empty()) QSKIP("libheif has no HEVC encoder here");
        const auto image = decode(file);
        REQUIRE_OK(image);
        QVERIFY(image->info().sourceFormat.starts_with("HEIF, 8 bits"));
        REQUIRE_SAME(firstDifference(
            *image, [&](int x, int y, int) { return samples[std::size_t(y * 64 + x)]; }));
    }

    void damageAndLimits() {
        const ByteBuffer file = makeHeif({.width = 16, .height = 16}, integers(256, 8));
        if (file.empty()) QSKIP("libheif has no AV1 encoder here");
        REQUIRE_SAME(cutAtEveryByte(file, 1));
        REQUIRE_SAME(bitsTurnedOver(file));
        ReadOptions options;
        options.limits.maxDecodedBytes = 500;
        REQUIRE_FAILS(decode(file, options), ErrorCode::LimitExceeded, "16 x 16 pixels");
    }
};

WARPSCOPE_TEST(HeifTest)
#include "heif_test.moc"
