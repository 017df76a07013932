// A save that is cancelled while its bytes are made ends within a second, however large the image.
#include <QElapsedTimer>
#include <thread>

#include "engine/io/codec.h"
#include "support/images.h"
#include "support/test_case.h"
#include "tests/io/io_helpers.h"

using namespace warpscope;
using namespace io_test;

namespace {

using Encode = Result<EncodedImage> (*)(const Image&, std::string_view, const std::stop_token&);

constexpr Size kEightK{7680, 4320};

}  // namespace

class CancelledEncodingTest : public QObject {
    Q_OBJECT

    // Asks `afterMs` after the beginning. How long it took from there, or -1 where it was done
    // before; and what came of it.
    static std::pair<qint64, Result<EncodedImage>> cancelled(const Image& image, const char* name,
                                                             int afterMs) {
        std::stop_source stop;
        std::atomic<bool> done = false;
        QElapsedTimer sinceAsked;
        std::thread asker([&] {
            for (int ms = 0; ms < afterMs && !done; ++ms)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (done) return;
            sinceAsked.start();
            stop.request_stop();
        });
        auto encoded = encodeImage(image, name, stop.get_token());
        done = true;
        asker.join();
        return {sinceAsked.isValid() ? sinceAsked.elapsed() : -1, std::move(encoded)};
    }

  private slots:
    void everyWriterLooksAtTheToken_data() {
        QTest::addColumn<QString>("extension");
        for (const FormatInfo& format : imageFormats())
            for (const std::string& extension : format.extensions)
                if (format.writes) QTest::newRow(extension.c_str()) << extension.c_str();
    }
    // Past the look that all of them share at the beginning.
    void everyWriterLooksAtTheToken() {
        QFETCH(QString, extension);
        const std::string name = extension.toStdString();
        const auto format = formatForSaving("x." + name);
        REQUIRE_OK(format);
        const Encode encode = (*format)->name == "PNG"     ? &io::encodePng
                              : (*format)->name == "JPEG"  ? &io::encodeJpeg
                              : (*format)->name == "TIFF"  ? &io::encodeTiff
                              : (*format)->name == "WebP"  ? &io::encodeWebp
                              : (*format)->name == "BMP"   ? &io::encodeBmp
                              : (*format)->name == "NumPy" ? &io::encodeNpy
                                                           : &io::encodePnm;
        std::stop_source stop;
        const Image image = test::makeNoise(PixelFormat::Gray16, {300, 200}, 3);
        REQUIRE_OK(encode(image, name, stop.get_token()));
        stop.request_stop();
        REQUIRE_FAILS(encode(image, name, stop.get_token()), ErrorCode::Cancelled, "");
        for (const PixelFormat other :
             {PixelFormat::Gray8, PixelFormat::Gray32, PixelFormat::GrayF32})
            QVERIFY(!encode(test::makeNoise(other, {300, 200}, 3), name, stop.get_token()));
    }

  private:
    // Made once: it takes as long as many of the saves.
    const Image& eightK(PixelFormat format) {
        if (m_eightK.isNull() || m_eightK.format() != format) {
            ImageInfo info;
            info.whiteLevel = fullScale(format);  // no alpha: all formats take it
            m_eightK = {};
            m_eightK = test::makeNoise(format, kEightK, 5).withInfo(info);
        }
        return m_eightK;
    }
    Image m_eightK;

  private slots:
    void cleanupTestCase() { m_eightK = {}; }

    void withinASecond_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("format");
        QTest::addColumn<int>("afterMs");
        for (const char* name : {"x.png", "x.tif", "x.webp", "x.jpg", "x.ppm", "x.bmp", "x.npy"})
            for (const int afterMs : {20, 300})
                QTest::addRow("%s, 8 bits, %d ms", name, afterMs)
                    << QByteArray(name) << int(PixelFormat::Rgba8) << afterMs;
        for (const char* name : {"x.png", "x.tif", "x.pfm"})
            QTest::addRow("%s, float", name)
                << QByteArray(name) << int(PixelFormat::RgbaF32) << 100;
    }
    void withinASecond() {
        QFETCH(QByteArray, name);
        QFETCH(int, format);
        QFETCH(int, afterMs);
        if (leftOut()) QSKIP("in another run");
        const auto [ms, encoded] =
            cancelled(eightK(PixelFormat(format)), name.constData(), afterMs);
        qInfo("%s: %lld ms after it was asked", name.constData(), (long long)ms);
        if (ms < 0) {  // faster than that
            REQUIRE_OK(encoded);
            return;
        }
        QVERIFY2(ms < 1000 * kSlowdown, QByteArray::number(ms));
        if (!encoded) REQUIRE_FAILS(encoded, ErrorCode::Cancelled, "");
        // These take many seconds.
        if (name == "x.png" || name == "x.tif" || name == "x.webp") QVERIFY(!encoded);
    }

    // libwebp hears nothing for long stretches; what was left to it disturbs no later save.
    void webpWhereItHearsNothing() {
        const Image image = test::makeNoise(PixelFormat::Rgba8, {4000, 3000}, 5);
        for (const int afterMs : {900, 2000}) {
            const auto [ms, encoded] = cancelled(image, "x.webp", afterMs);
            // All of it takes two to four seconds: a fast machine may be done by the second time.
            if (ms < 0 && afterMs > 1000) {
                REQUIRE_OK(encoded);
                continue;
            }
            QVERIFY2(ms >= 0 && ms < 1000 * kSlowdown, QByteArray::number(ms));
            REQUIRE_FAILS(encoded, ErrorCode::Cancelled, "");
        }
        const Image small = test::makeNoise(PixelFormat::Rgba8, {200, 100}, 5);
        const auto encoded = encodeImage(small, "x.webp");
        REQUIRE_OK(encoded);
        QVERIFY(sameSamples(*decode(encoded->bytes), small));
    }
};

WARPSCOPE_TEST(CancelledEncodingTest)
#include "cancelled_encoding_test.moc"
