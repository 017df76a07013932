// Small text files and names: what cannot be read is said as it is.
#include "engine/io/text_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/io/image_reader.h"
#include "support/test_case.h"

using namespace warpscope;

class TextFileTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::filesystem::path at(const char* name) const {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }
    void write(const char* name, const QByteArray& bytes) {
        QFile file(QString::fromStdString(at(name).string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }

  private slots:
    void bytesAsTheyAre() {
        write("a.txt", QByteArray("a\r\n\0b\xff", 6));
        QCOMPARE(readTextFile(at("a.txt"), 100).value(), std::string("a\r\n\0b\xff", 6));
        write("empty.txt", {});
        QCOMPARE(readTextFile(at("empty.txt"), 100).value(), std::string());
    }

    void whatIsMissingDoesNotExist() {
        const auto missing = readTextFile(at("none.json"), 100);
        QVERIFY(!missing);
        QVERIFY(missing.error().code == ErrorCode::NotFound);
        QCOMPARE(missing.error().message, at("none.json").string() + ": does not exist");
        const auto image = readImage(at("none.png"));
        QCOMPARE(image.error().message, at("none.png").string() + ": does not exist");
    }

    void whatIsNoFile() {
        const auto folder = readTextFile(m_folder.path().toStdString(), 100);
        QVERIFY(folder.error().code == ErrorCode::Io);
        QVERIFY(folder.error().message.find("directory") != std::string::npos);
    }

    void theLimitIsNamed() {
        write("long.txt", QByteArray(101, 'x'));
        const auto over = readTextFile(at("long.txt"), 100);
        QVERIFY(over.error().code == ErrorCode::LimitExceeded);
        QVERIFY(over.error().message.find("100") != std::string::npos);
        QVERIFY(readTextFile(at("long.txt"), 101));
    }

    void extensionsAndFormats() {
        QCOMPARE(lowerExtension("a/b.TIFF"), std::string("tiff"));
        QCOMPARE(lowerExtension("archive.tar.GZ"), std::string("gz"));
        QCOMPARE(lowerExtension("none"), std::string());
        QCOMPARE(lowerExtension(".hidden"), std::string());
        QCOMPARE((*formatForSaving("x.JPEG"))->name, std::string("JPEG"));
        const auto unknown = formatForSaving("x.xyz");
        QVERIFY(unknown.error().code == ErrorCode::Unsupported);
        QVERIFY(unknown.error().message.find("png") != std::string::npos);
        QVERIFY(!formatForSaving("x.pbm"));  // read only
    }
};

WARPSCOPE_TEST(TextFileTest)
#include "text_file_test.moc"
