// A decoding process that crashes, hangs, lies or dies, as the person at the window sees it: one
// message that names the file and the reason. The picture, its steps and their result stay.
#include <QCoreApplication>

#include "engine/io/isolated_reader.h"
#include "gui/window_fixture.h"
#include "io/hostile_files.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

DecodeHelper misbehaving(const QByteArray& what) {
    DecodeHelper helper = standardDecodeHelper();
    helper.program = (QCoreApplication::applicationDirPath() + "/misbehaving-helper").toStdString();
    helper.arguments = {what.toStdString()};
    helper.processorSeconds = helper.wallSeconds = 2;
    if (what == "spins") helper.wallSeconds = 60;
    return helper;
}

}  // namespace

class DecoderTest : public QObject {
    Q_OBJECT

  private slots:
    void cleanup() { setDecodeHelper(standardDecodeHelper()); }

    void costsOneMessage_data() {
        QTest::addColumn<QString>("says");
        // A sanitizer takes the signal and ends the process by itself.
        QTest::newRow("crashes") << QString(kSlowdown > 1 ? "gave up (status " : "SIGSEGV");
        QTest::newRow("exits") << QStringLiteral("gave up (status 7)");
        QTest::newRow("is-killed") << QStringLiteral("ended from outside");
        QTest::newRow("spins") << QStringLiteral(
            "more than the limit of 2 seconds of processor time; WARPSCOPE_DECODE_SECONDS sets "
            "another");
        QTest::newRow("hangs") << QStringLiteral(
            "longer than the limit of 2 seconds; WARPSCOPE_DECODE_SECONDS sets another");
        for (const char* lie : {"garbage", "content-too-large", "impossible-size", "samples-cut"})
            QTest::newRow(lie) << QStringLiteral("an answer that makes no sense");
    }
    void costsOneMessage() {
        QFETCH(QString, says);
        WindowFixture f;
        // In a folder of its own, or it would be decoded ahead.
        const QTemporaryDir other;
        const QString good = f.scene("good.png");
        const QString bad = writeScene(other.path(), QStringLiteral("bad.png"), {90, 70}, 9);
        QVERIFY(f.open(good));
        QVERIFY(f.addStep("gaussian_blur"));
        const Pipeline steps = f.document().pipeline();
        const auto source = f.document().source();
        const auto result = f.bridge().result();
        QVERIFY(source && result);

        setDecodeHelper(misbehaving(QTest::currentDataTag()));
        f.window.files().openFiles({bad});
        QTRY_VERIFY_WITH_TIMEOUT(f.window.messages().count() > 0, 30'000);
        QCOMPARE(f.window.messages().count(), 1);
        const QString text = f.window.messages().text();
        QVERIFY2(text.contains(QStringLiteral("bad.png")), qPrintable(text));
        QVERIFY2(text.contains(says), qPrintable(text));
        QTRY_VERIFY(!f.bridge().opening() && f.bridge().resultIsCurrent());
        QCOMPARE(f.document().filePath(), good);
        QVERIFY(f.document().source() == source);
        QVERIFY(f.document().pipeline() == steps);
        QVERIFY(f.bridge().result() == result);

        // And the window goes on with a decoder that works.
        setDecodeHelper(standardDecodeHelper());
        QVERIFY(f.open(bad));
        QVERIFY(f.document().pipeline() == steps);
    }

    // What asks for much is read in a moment, or refused as the command line refuses it.
    void hostileFiles_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("refusal");
        // The limit itself may be another one here.
        for (const auto& file : hostile::files())
            QTest::newRow(file.name) << file.bytes << QString::fromLatin1(file.refusal).left(19);
    }
    void hostileFiles() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, refusal);
        WindowFixture f;
        const QTemporaryDir other;
        const QString good = f.scene("good.png");
        const QString path = other.filePath(QStringLiteral("asks.much"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        QVERIFY(f.open(good));
        QVERIFY(f.addStep("gaussian_blur"));
        const Pipeline steps = f.document().pipeline();
        const auto source = f.document().source();
        if (!refusal.isEmpty()) {
            f.window.files().openFiles({path});
            QTRY_COMPARE(f.window.messages().count(), 1);
            QCOMPARE(f.window.messages().level(), MessageBar::Level::Error);
            const QString said = f.window.messages().text();
            QVERIFY2(said.contains(QStringLiteral("asks.much")), qPrintable(said));
            QVERIFY2(said.contains(refusal), qPrintable(said));
            QTRY_VERIFY(!f.bridge().opening() && f.bridge().resultIsCurrent());
            QCOMPARE(f.document().filePath(), good);
            QVERIFY(f.document().source() == source);
        } else {
            QVERIFY2(f.open(path), qPrintable(f.window.messages().text()));
        }
        QVERIFY(f.document().pipeline() == steps);
    }
};

WARPSCOPE_TEST(DecoderTest)
#include "decoder_test.moc"
