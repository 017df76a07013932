// JPEG XL and AVIF that other programs wrote, with pixels that are known without any decoder: see
// samples/README.md.
#include <QDir>
#include <QFile>

#include "support/test_case.h"
#include "tests/io/io_helpers.h"

using namespace warpscope;
using namespace io_test;

class MadeElsewhereTest : public QObject {
    Q_OBJECT

  private slots:
    void pixelsAreThoseThatWereCoded_data() {
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("white");
        QTest::newRow("rgb8.jxl") << 3 << 255;
        QTest::newRow("gray16.jxl") << 1 << 65535;
        QTest::newRow("rgb8.avif") << 3 << 255;
        QTest::newRow("rgba8.avif") << 4 << 255;
        QTest::newRow("gray8.avif") << 1 << 255;
    }

    void pixelsAreThoseThatWereCoded() {
        QFETCH(int, channels);
        QFETCH(int, white);
        const QDir samples(QStringLiteral(WARPSCOPE_IO_SAMPLES));
        if (!samples.exists()) QSKIP("the sources are not on this machine");
        QFile file(samples.filePath(QLatin1String(QTest::currentDataTag())));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray read = file.readAll();
        const auto image = decode(ByteBuffer(read.begin(), read.end()));
        if (!image && image.error().message.find("this build has no") != std::string::npos)
            QSKIP(image.error().message.c_str());
        REQUIRE_OK(image);
        QVERIFY((image->size() == Size{24, 18}));
        QCOMPARE(isColor(image->format()), channels > 1);
        QCOMPARE(bytesPerSample(image->format()), white > 255 ? 2 : 1);
        QCOMPARE(image->info().hasAlpha, channels == 4);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            if (c == 3 && channels < 4) return white;
            return (173 * x + 29 * x * y + 311 * y + 977 * c + 7 * x * x) % (white + 1);
        }));
    }
};

WARPSCOPE_TEST(MadeElsewhereTest)
#include "made_elsewhere_test.moc"
