#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QXmlStreamReader>
#include <cstring>
#include <filesystem>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

class AnalysisTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_image;

    QByteArray sums(const QByteArray& image, const QStringList& more = {}) {
        const QString input = writeFile(m_folder, "in.pgm", image);
        const QString output = m_folder.filePath("sums.npy");
        QFile::remove(output);
        const CliRun run = runCli(QStringList{"integral", input, "-o", output} + more);
        return run.exitCode == 0 ? readAll(output) : run.err;
    }

  private slots:
    void initTestCase() { m_image = writeFile(m_folder, "in.ppm", smallPpm()); }

    void histogramCsv() {
        const CliRun run = runCli({"histogram", m_image, "--format", "csv"});
        QVERIFY2(run.exitCode == 0, run.err);
        const QList<QByteArray> lines = run.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 257);
        QCOMPARE(lines[0], QByteArray("value,luma,red,green,blue"));
        QCOMPARE(lines[1 + 0], QByteArray("0,0,2,2,2"));
        QCOMPARE(lines[1 + 76], QByteArray("76,1,0,0,0"));
        QCOMPARE(lines[1 + 255], QByteArray("255,1,2,2,2"));
    }
    void histogramJsonOfOneChannel() {
        const CliRun run = runCli({"histogram", m_image, "--format", "json", "--channel", "red",
                                   "--backend", "cpu-single"});
        QCOMPARE(run.exitCode, 0);
        const QJsonObject json = QJsonDocument::fromJson(run.out).object();
        QCOMPARE(json["width"].toInt(), 3);
        QCOMPARE(json["height"].toInt(), 2);
        QCOMPARE(json["channels"].toObject().keys(), QStringList{"red"});
        const QJsonArray red = json["channels"].toObject()["red"].toArray();
        QCOMPARE(red.size(), 256);
        QCOMPARE(red[200].toInt(), 1);
        double total = 0;
        for (const auto& count : red) total += count.toDouble();
        QCOMPARE(total, 6.0);
    }
    void histogramPictureIsXml() {
        const QString picture = m_folder.filePath("h.svg");
        QCOMPARE(runCli({"histogram", m_image, "--picture", picture}).exitCode, 0);
        QXmlStreamReader reader(readAll(picture));
        int paths = 0;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement &&
                reader.name() == QLatin1String("path"))
                ++paths;
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY(paths > 5);
    }
    void pictureIsNotWrittenOverTheInput() {
        const QString input = writeFile(m_folder, "image.svg", smallPpm());
        QVERIFY(QFile::link(input, m_folder.filePath("symbolic.svg")));
        std::filesystem::create_hard_link(input.toStdString(),
                                          m_folder.filePath("hard.svg").toStdString());
        for (const char* name : {"image.svg", "symbolic.svg", "hard.svg"}) {
            const CliRun run = runCli({"histogram", input, "--picture", m_folder.filePath(name)});
            QVERIFY2(run.exitCode == 1, name);
            QVERIFY2(errorLines(run) == 1, run.err);
            QCOMPARE(readAll(input), smallPpm());
        }
        QCOMPARE(runCli({"histogram", input, "--picture", m_folder.filePath("H.SVG")}).exitCode, 0);
    }
    void info() {
        const CliRun run = runCli({"info", m_image, "--format", "json"});
        QCOMPARE(run.exitCode, 0);
        const QJsonObject json = QJsonDocument::fromJson(run.out).object();
        QCOMPARE(json["width"].toInt(), 3);
        QCOMPARE(json["format"].toString(), QString("Rgba8"));
        QCOMPARE(json["has_alpha"].toBool(), false);
        const QJsonObject red = json["statistics"].toObject()["red"].toObject();
        QCOMPARE(red["mean"].toDouble(), 120.0);
        QVERIFY(runCli({"info", m_image}).out.contains("3 x 2 pixels"));
    }
    void opsListEverything() {
        const QJsonArray ops =
            QJsonDocument::fromJson(runCli({"ops", "--format", "json"}).out).array();
        QStringList ids;
        for (const auto& entry : ops) {
            const QJsonObject op = entry.toObject();
            ids << op["id"].toString();
            QVERIFY(!op["summary"].toString().isEmpty());
            QVERIFY(!op["formula"].toString().isEmpty());
            QVERIFY(!op["source"].toString().isEmpty());
            QCOMPARE(op["variants"].toArray()[0].toObject()["id"].toString(), QString("automatic"));
            for (const auto& variant : op["variants"].toArray())
                QVERIFY(!variant.toObject()["id"].toString().startsWith("wrong_"));
            for (const auto& variant : op["wrong_variants"].toArray())
                QVERIFY(variant.toObject()["id"].toString().startsWith("wrong_"));
        }
        for (const char* form : {"table", "markdown"}) {
            const QByteArray text = runCli({"ops", "--format", form}).out;
            const auto heading = text.toLower().indexOf("wrong on purpose, for teaching");
            QVERIFY(heading > 0 && heading < text.indexOf("wrong_floor"));
        }
        for (const char* id : {"grayscale", "gaussian_blur", "equalize", "histogram"})
            QVERIFY(ids.contains(id));
        const QByteArray table = runCli({"ops"}).out,
                         markdown = runCli({"ops", "--format", "markdown"}).out;
        for (const QString& id : ids) {
            QVERIFY(table.contains(id.toUtf8()));
            QVERIFY(markdown.contains("(`" + id.toUtf8() + "`)"));
        }
        // Out of date? warpscope-cli ops --format markdown > docs/operations.md
        QVERIFY2(readAll(QStringLiteral(WARPSCOPE_DOCS "/operations.md")) == markdown,
                 "docs/operations.md is out of date: it is what ops --format markdown prints");
        // Two spaces keep the end of a line in Markdown.
        for (const auto& entry : ops) {
            const QString formula = entry.toObject()["formula"].toString();
            QVERIFY(markdown.contains(QString(formula).replace("\n", "  \n").toUtf8()));
        }
    }
    void devices() {
        const QJsonObject json =
            QJsonDocument::fromJson(runCli({"devices", "--format", "json"}).out).object();
        QVERIFY(!json["cpu"].toObject()["name"].toString().isEmpty());
        QVERIFY(json["cpu"].toObject()["threads"].toInt() >= 1);
        // A GPU, or the reason why there is none.
        QVERIFY(json["gpus"].toArray().isEmpty() ==
                !json["cuda"].toObject()["unavailable"].toString().isEmpty());
    }
    void benchFillsEveryCell() {
        const QString file = m_folder.filePath("bench.json");
        const CliRun run = runCli({"bench", "--sizes", "64,100x30", "--budget-ms", "5", "--rounds",
                                   "1", "--most-rounds", "1", "--format", "json", "-o", file});
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY(run.out.isEmpty());
        const QJsonObject report = QJsonDocument::fromJson(readAll(file)).object();
        const QJsonArray rows = report["results"].toArray();
        const auto operations =
            QJsonDocument::fromJson(runCli({"ops", "--format", "json"}).out).array().size();
        QVERIFY(operations >= 4);
        QCOMPARE(rows.size(), operations * 2 * 3);
        for (const auto& entry : rows) {
            const QJsonObject row = entry.toObject();
            if (row["backend"].toString().isEmpty()) {
                QVERIFY2(row["fallback_reason"].toString().startsWith("skipped: "),
                         qPrintable(row["fallback_reason"].toString()));
            } else {
                QVERIFY(row["n"].toInt() >= 5);
                QVERIFY(row["gb_per_s"].toDouble() > 0);
            }
        }
    }
    void benchForms() {
        for (const char* form : {"table", "csv", "markdown"}) {
            const CliRun run = runCli({"bench", "--ops", "grayscale", "--sizes", "64",
                                       "--budget-ms", "2", "--backends", "cpu", "--format", form});
            QVERIFY2(run.exitCode == 0, run.err);
            QVERIFY2(run.out.contains("grayscale"), form);
            QVERIFY2(!run.out.contains("cpu-single"), form);
        }
    }

    void exactSums() {
        const QByteArray npy = sums("P2\n3 2\n255\n1 2 3\n4 5 6\n");
        QVERIFY2(npy.startsWith(QByteArray("\x93NUMPY\x01\x00", 8)), npy);
        QVERIFY(npy.contains("'descr': '<u4'"));
        QVERIFY(npy.contains("'shape': (2, 3)"));
        QCOMPARE((npy.size() - 24) % 64, qsizetype(0));
        const std::uint32_t wanted[] = {1, 3, 6, 5, 12, 21};
        QCOMPARE(npy.right(24), QByteArray(reinterpret_cast<const char*>(wanted), 24));
    }
    void variantsGiveTheSameFile() {
        QByteArray image("P5\n37 29\n255\n");
        for (int i = 0; i < 37 * 29; ++i) image += char(i * 7919 >> 3);
        const QByteArray automatic = sums(image);
        for (const char* variant : {"rows_then_columns", "blocked_4x4"})
            QCOMPARE(sums(image, {"--variant", variant}), automatic);
        QCOMPARE(sums(image, {"--backend", "cpu-single"}), automatic);
    }
    // A 32-bit table would wrap at 16.8 million white pixels.
    void whiteAbove32BitsNeeds64() {
        constexpr int kSide = 4112;
        const QByteArray npy =
            sums(QByteArray("P5\n4112 4112\n255\n") + QByteArray(kSide * kSide, char(255)));
        QVERIFY(npy.contains("'descr': '<u8'"));
        std::uint64_t last = 0;
        std::memcpy(&last, npy.constData() + npy.size() - 8, 8);
        QCOMPARE(last, std::uint64_t(255) * kSide * kSide);
    }
    void nameMustBeNpy() {
        const QString input = writeFile(m_folder, "in.pgm", "P2\n1 1\n255\n9\n");
        const CliRun run = runCli({"integral", input, "-o", m_folder.filePath("sums.png")});
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(errorLines(run), 1);
    }
};

WARPSCOPE_TEST(AnalysisTest)
#include "analysis_test.moc"
