// Alpha of files whose white level is below full scale: opaque stays opaque, whatever happens to
// the white level.
#include <QtTest>

#include "engine/image/convert.h"
#include "engine/io/image_reader.h"
#include "engine/io/image_writer.h"
#include "engine/pipeline/executor.h"
#include "pipeline/chains.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

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

class LowWhiteAlphaTest : public QObject {
    Q_OBJECT
  private slots:
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

WARPSCOPE_TEST(LowWhiteAlphaTest)
#include "low_white_alpha_test.moc"
