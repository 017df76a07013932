// The pictures of the operations' pages: those in docs/ are what the program makes now.
#include "cli/cli_process.h"
#include "engine/io/image_reader.h"
#include "engine/measure/agreement.h"
#include "engine/operations/registry.h"
#include "engine/report/operation_pictures.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class PicturesTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QStringList pngsIn(const QString& folder) {
        return QDir(folder).entryList({"*.png"}, QDir::Files, QDir::Name);
    }
    static Image read(const QString& file) {
        return readImage(file.toStdString()).value_or(Image());
    }
    // How far two machines may be apart; to the bit for nearly all.
    static AgreementRule ruleOf(const QString& file) {
        const Operation* operation = findOperation(QFileInfo(file).baseName().toStdString());
        return operation ? operation->description().agreement : AgreementRule();
    }

  private slots:
    void initTestCase() {
        const CliRun run = runCli({"manual", "--pictures", m_folder.filePath("made")});
        QVERIFY2(run.exitCode == 0, run.err);
    }

    void oneOfEveryName() {
        QStringList names;
        for (const std::string& name : operationPictureNames())
            names << QString::fromStdString(name) + ".png";
        names.sort();
        QCOMPARE(pngsIn(m_folder.filePath("made")), names);
    }

    void everyOperationShowsWhatItDoes() {
        for (const Operation* operation : allOperations()) {
            const auto pictures = picturesOf(*operation);
            QVERIFY2(pictures, operation->description().id.c_str());
            const auto image = [&](const std::string& name) {
                return read(m_folder.filePath("made/" + QString::fromStdString(name) + ".png"));
            };
            const Image before = image(pictures->before), after = image(pictures->after);
            QVERIFY2(!before.isNull() && !after.isNull(), pictures->after.c_str());
            QVERIFY(std::max(after.width(), after.height()) <= 512);
            QVERIFY2(compareImages(before, after, {}).verdict == Verdict::Differs,
                     pictures->after.c_str());
        }
    }

    // Out of date? warpscope-cli manual --pictures docs/pictures
    void committedOnesAreThese() {
        const QString committed = QStringLiteral(WARPSCOPE_DOCS "/pictures/");
        QCOMPARE(pngsIn(committed), pngsIn(m_folder.filePath("made")));
        qint64 bytes = 0;
        for (const QString& file : pngsIn(committed)) {
            const Agreement agreement = compareImages(read(m_folder.filePath("made/" + file)),
                                                      read(committed + file), ruleOf(file));
            QVERIFY2(agreement.allowsSpeedup(),
                     qPrintable("docs/pictures/" + file +
                                " is out of date: " + QString::fromStdString(describe(agreement))));
            bytes += QFileInfo(committed + file).size();
        }
        QVERIFY(bytes < 1'500'000);
    }

    void thePagesShowThem() {
        const QByteArray pages = readAll(QStringLiteral(WARPSCOPE_DOCS "/operations.md"));
        for (const std::string& name : operationPictureNames())
            QVERIFY2(pages.contains("(pictures/" + QByteArray::fromStdString(name) + ".png)"),
                     name.c_str());
    }

    // Packages are the same to the byte.
    void bytesAreTheSameAgain() {
        QCOMPARE(runCli({"manual", "--pictures", m_folder.filePath("again")}).exitCode, 0);
        for (const QString& file : pngsIn(m_folder.filePath("made")))
            QCOMPARE(readAll(m_folder.filePath("again/" + file)),
                     readAll(m_folder.filePath("made/" + file)));
    }

    void aFolderThatCannotBe() {
        const QString file = writeFile(m_folder, "file", "no folder");
        const CliRun run = runCli({"manual", "--pictures", file});
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(errorLines(run), 1);
    }
};

WARPSCOPE_TEST(PicturesTest)
#include "pictures_test.moc"
