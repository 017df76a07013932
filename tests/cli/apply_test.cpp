#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

class ApplyTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

  private slots:
    void grayscaleToTheBit() {
        const QString input = writeFile(m_folder, "in.ppm", smallPpm());
        const CliRun run =
            runCli({"apply", input, "-o", m_folder.filePath("out.pgm"), "--step", "grayscale"});
        QVERIFY2(run.exitCode == 0, run.err);
        // (19595 R + 38470 G + 7471 B + 32768) >> 16 of the six pixels.
        const QByteArray wanted = QByteArray("P5\n3 2\n255\n") + char(76) + char(150) + char(29) +
                                  char(18) + char(124) + char(255);
        QCOMPARE(readAll(m_folder.filePath("out.pgm")), wanted);
    }
    void noStepConvertsExactly() {
        const QByteArray sixteen =
            QByteArray("P5\n2 1\n65535\n") + char(0x12) + char(0x34) + char(0xFF) + char(0xFE);
        const QString input = writeFile(m_folder, "deep.pgm", sixteen);
        QCOMPARE(runCli({"apply", input, "-o", m_folder.filePath("deep.png")}).exitCode, 0);
        QCOMPARE(
            runCli({"apply", m_folder.filePath("deep.png"), "-o", m_folder.filePath("back.pgm")})
                .exitCode,
            0);
        QCOMPARE(readAll(m_folder.filePath("back.pgm")), sixteen);
    }
    void stepsAndPipelineFileGiveTheSame() {
        const QString input = m_folder.filePath("scene.png");
        QCOMPARE(runCli({"scene", "-o", input, "--size", "160x120"}).exitCode, 0);
        QVERIFY(runCli({"apply", input, "-o", m_folder.filePath("a.png"), "--step",
                        "grayscale:method=weighted709", "--step", "gaussian_blur:sigma=1.5,size=7",
                        "--step", "equalize:mapping=full"})
                    .exitCode == 0);
        const QString pipeline =
            writeFile(m_folder, "p.json", R"({"schema": "warpscope-pipeline/1", "steps": [
            {"operation": "grayscale", "variant": "automatic", "enabled": true, "parameters": {"method": "weighted709"}},
            {"operation": "gaussian_blur", "variant": "automatic", "enabled": true, "parameters": {"sigma": 1.5, "size": 7}},
            {"operation": "gaussian_blur", "variant": "automatic", "enabled": false, "parameters": {"sigma": 9}},
            {"operation": "equalize", "variant": "automatic", "enabled": true, "parameters": {"mapping": "full"}}]})");
        const CliRun run =
            runCli({"apply", input, "-o", m_folder.filePath("b.png"), "--pipeline", pipeline});
        QVERIFY2(run.exitCode == 0, run.err);
        QCOMPARE(readAll(m_folder.filePath("a.png")), readAll(m_folder.filePath("b.png")));
    }
    void backendsGiveTheSameBytes() {
        const QString input = m_folder.filePath("scene2.png");
        QCOMPARE(runCli({"scene", "-o", input, "--size", "333x97"}).exitCode, 0);
        for (const char* backend : {"auto", "cpu", "cpu-single", "cuda"})
            QCOMPARE(runCli({"apply", input, "-o",
                             m_folder.filePath(QString("r-%1.png").arg(backend)), "--step",
                             "gaussian_blur:sigma=3", "--step", "equalize", "--backend", backend})
                         .exitCode,
                     0);
        for (const char* backend : {"cpu", "cpu-single", "cuda"})
            QCOMPARE(readAll(m_folder.filePath(QString("r-%1.png").arg(backend))),
                     readAll(m_folder.filePath("r-auto.png")));
    }
    void cudaWithoutGpuSaysWhyInOneLine() {
        // The runtime then sees no device, on a machine that has one too.
        const auto before = qgetenv("CUDA_VISIBLE_DEVICES");
        qputenv("CUDA_VISIBLE_DEVICES", "");
        const auto restore = qScopeGuard([&] {
            before.isNull() ? qunsetenv("CUDA_VISIBLE_DEVICES")
                            : qputenv("CUDA_VISIBLE_DEVICES", before);
        });
        const QString input = writeFile(m_folder, "in2.ppm", smallPpm());
        const CliRun run = runCli({"apply", input, "-o", m_folder.filePath("o.png"), "--step",
                                   "grayscale", "--backend", "cuda"});
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(errorLines(run), 1);
        QVERIFY2(run.err.contains("running on"), run.err);
    }
    void timingsJson() {
        const QString input = m_folder.filePath("scene3.png");
        QCOMPARE(runCli({"scene", "-o", input, "--size", "256"}).exitCode, 0);
        const CliRun run = runCli({"apply", input, "-o", m_folder.filePath("t.png"), "--step",
                                   "grayscale", "--step", "equalize", "--timings", "json"});
        QCOMPARE(run.exitCode, 0);
        const QJsonObject report = QJsonDocument::fromJson(run.out).object();
        QCOMPARE(report["schema"].toString(), QString("warpscope-timings/1"));
        // What GB/s are set against was measured in the same run.
        const QJsonObject machine = report["machine"].toObject();
        for (const char* copies : {"copy_gbps_cpu", "copy_gbps_cpu_single"})
            QVERIFY2(machine[QLatin1String(copies)].toDouble() > 0, copies);
        QStringList seen;
        for (const auto& entry : report["results"].toArray()) {
            const QJsonObject row = entry.toObject();
            seen << row["operation"].toString() + "/" + row["backend_requested"].toString();
            if (row["backend"].toString() == "cpu") {
                QVERIFY(row["n"].toInt() >= 5);
                QVERIFY(row["median_ms"].toDouble() > 0);
                QVERIFY(row["p10_ms"].toDouble() <= row["median_ms"].toDouble());
                QVERIFY(row["p90_ms"].toDouble() >= row["median_ms"].toDouble());
                QCOMPARE(row["agreement"].toObject()["verdict"].toString(), QString("identical"));
            }
        }
        QCOMPARE(seen, (QStringList{"grayscale/cpu-single", "grayscale/cpu", "grayscale/cuda",
                                    "equalize/cpu-single", "equalize/cpu", "equalize/cuda"}));
    }
    void sixteenBitsStaySixteen() {
        QByteArray deep("P5\n9 9\n65535\n");
        for (int i = 0; i < 81; ++i) deep += QByteArray("\x12\x34", 2);
        const QString input = writeFile(m_folder, "deep2.pgm", deep);
        const CliRun run = runCli(
            {"apply", input, "-o", m_folder.filePath("d.pgm"), "--step", "gaussian_blur:sigma=2"});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.isEmpty(), run.err);
        // A constant image stays what it is, to the last of its 16 bits.
        QCOMPARE(readAll(m_folder.filePath("d.pgm")), deep);
    }
    // Steps compute with floats; the file alone has 8 bits, and what that costs is said.
    void floatIsReducedAloudWhenSaved() {
        const float samples[] = {0.25f, 1.5f};
        const QByteArray pfm =
            QByteArray("Pf\n2 1\n-1.0\n") + QByteArray(reinterpret_cast<const char*>(samples), 8);
        const QString input = writeFile(m_folder, "float.pfm", pfm);
        const CliRun run =
            runCli({"apply", input, "-o", m_folder.filePath("f.pgm"), "--step", "gaussian_blur"});
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(errorLines(run), 1);
        QVERIFY2(run.err.contains("f.pgm") && run.err.contains("8 bits"), run.err);
        QVERIFY2(run.err.contains("50.0 % of the samples were clipped"), run.err);
    }
    void sourceIsNotOverwritten() {
        const QByteArray before = smallPpm();
        const QString input = writeFile(m_folder, "keep.ppm", before);
        QFile::link(input, m_folder.filePath("link.ppm"));
        for (const QString& target : {input, m_folder.filePath("link.ppm")}) {
            const CliRun run = runCli({"apply", input, "-o", target, "--step", "grayscale"});
            QCOMPARE(run.exitCode, 1);
            QCOMPARE(errorLines(run), 1);
            QVERIFY2(run.err.contains("--overwrite-input"), run.err);
            QCOMPARE(readAll(input), before);
        }
        QCOMPARE(runCli({"apply", input, "-o", input, "--overwrite-input"}).exitCode, 0);
        QVERIFY(readAll(input).startsWith("P6"));
    }
};

WARPSCOPE_TEST(ApplyTest)
#include "apply_test.moc"
