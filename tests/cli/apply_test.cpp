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
    // Beside what the program takes for a small image: the source, or what a step has made of it,
    // what the next one makes of that, and what both keep while they run.
    void fiveStepsInMemory() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers take memory of their own");
#endif
        constexpr qint64 kWidth = 5000, kHeight = 4000, kImageBytes = kWidth * kHeight * 4;
        QFile large(m_folder.filePath("large.ppm"));
        QVERIFY(large.open(QIODevice::WriteOnly));
        large.write("P6\n5000 4000\n255\n");
        QByteArray row(3 * kWidth, '\0');
        for (qint64 y = 0; y < kHeight; ++y) {
            for (qsizetype x = 0; x < row.size(); ++x) row[x] = char(x * 7 + y * 13);
            large.write(row);
        }
        large.close();
        writeFile(m_folder, "small.ppm", smallPpm());
        const auto peak = [&](const QString& name) {
            QStringList arguments{"apply", name, "-o", "out.ppm", "--backend", "cpu"};
            for (const char* step :
                 {"gaussian_blur:sigma=2", "median", "box_mean", "invert", "unsharp_mask"})
                arguments << "--step" << step;
            return peakBytes(arguments, m_folder.path());
        };
        const qint64 base = peak("small.ppm"), most = peak("large.ppm");
        QVERIFY(base > 0 && most > 0);
        qInfo("%lld MiB at most, %lld MiB for a small image, the image has %lld MiB",
              (long long)(most >> 20), (long long)(base >> 20), (long long)(kImageBytes >> 20));
        QVERIFY(most <= base + kImageBytes * 7 / 2);
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
    // What turning uncovers stays transparent in a file, also where the input had no alpha.
    void newAlphaIsSaved() {
        const QString color =
            writeFile(m_folder, "white.ppm", "P6\n9 9\n255\n" + QByteArray(9 * 9 * 3, char(255)));
        const QString gray =
            writeFile(m_folder, "white.pgm", "P5\n9 9\n255\n" + QByteArray(9 * 9, char(255)));
        const QString png = m_folder.filePath("turned.png"), npy = m_folder.filePath("turned.npy");
        const auto turned = [&](const QString& input, const QString& outside) {
            for (const QStringList& arguments : {QStringList{"apply", input, "-o", png, "--step",
                                                             "rotate:angle=45,outside=" + outside},
                                                 QStringList{"apply", png, "-o", npy}}) {
                const CliRun run = runCli(arguments);
                if (run.exitCode != 0) return run.err;
            }
            return readAll(npy);
        };
        for (const QString& input : {color, gray}) {
            const QByteArray made = turned(input, "transparent");
            QVERIFY2(made.contains("(9, 9, 4)"), made.left(200));
            const QByteArray samples = made.right(9 * 9 * 4);
            QCOMPARE(samples.left(4), QByteArray(4, '\0'));
            QCOMPARE(samples.mid((4 * 9 + 4) * 4, 4), QByteArray(4, char(255)));
        }
        QVERIFY(turned(color, "black").contains("(9, 9, 3)"));
    }

    void aShippedPresetIsAPipeline() {
        const QString input = m_folder.filePath("page.png");
        QCOMPARE(runCli({"scene", "-o", input, "--size", "90x70"}).exitCode, 0);
        const CliRun run = runCli({"apply", input, "-o", m_folder.filePath("preset.png"),
                                   "--pipeline", "preset:document-scan"});
        QVERIFY2(run.exitCode == 0, run.err);
        QCOMPARE(runCli({"apply", input, "-o", m_folder.filePath("step.png"), "--step",
                         "adaptive_threshold:radius=15,offset=20"})
                     .exitCode,
                 0);
        QCOMPARE(readAll(m_folder.filePath("preset.png")), readAll(m_folder.filePath("step.png")));
        const CliRun none = runCli(
            {"apply", input, "-o", m_folder.filePath("none.png"), "--pipeline", "preset:night"});
        QVERIFY(none.exitCode != 0);
        QVERIFY2(none.err.contains("there is no preset 'night'"), none.err);
    }
    void secondImage() {
        const auto pgm = [&](const char* name, int width, const QByteArray& samples) {
            return writeFile(
                m_folder, name,
                QByteArray("P5\n") + QByteArray::number(width) + " 1\n255\n" + samples);
        };
        const QString a = pgm("a2.pgm", 3, QByteArray("\x0A\x64\xFF", 3));
        const QString b = pgm("b2.pgm", 3, QByteArray("\x14\x64\x05", 3));
        const QString small = pgm("small2.pgm", 2, QByteArray("ab", 2));
        const QString out = m_folder.filePath("second.pgm");
        const auto apply = [&](const QStringList& more) {
            return runCli(QStringList{"apply", a, "-o", out} + more);
        };
        const CliRun run = apply({"--step", "blend:with=second", "--second", b});
        QVERIFY2(run.exitCode == 0, run.err);
        QCOMPARE(readAll(out).right(3), QByteArray("\x0A\x00\xFA", 3));
        // The input is not lost by it, and a chain may take what an earlier step gave.
        const CliRun both = apply({"--step", "invert:name=n", "--step", "blend:with=source",
                                   "--step", "blend:with=step:n,mode=minimum"});
        QVERIFY2(both.exitCode == 0, both.err);
        QCOMPARE(readAll(out).right(3), QByteArray("\xEB\x37\x00", 3));

        const CliRun sizes = apply({"--step", "blend:with=second", "--second", small});
        QCOMPARE(sizes.exitCode, 1);
        QVERIFY2(sizes.err.contains("step 1, blend") && sizes.err.contains("3 x 1") &&
                     sizes.err.contains("2 x 1"),
                 sizes.err);
        QCOMPARE(errorLines(sizes), 1);
        const CliRun missing = apply({"--step", "invert", "--step", "blend:with=second"});
        QCOMPARE(missing.exitCode, 2);
        QVERIFY2(missing.err.contains("step 2, blend") && missing.err.contains("--second"),
                 missing.err);
        QCOMPARE(apply({"--step", "blend:with=second", "--second", "no such file"}).exitCode, 1);
        // Neither of the files that are read is replaced.
        const CliRun same =
            runCli({"apply", a, "-o", b, "--step", "blend:with=second", "--second", b});
        QCOMPARE(same.exitCode, 1);
        QCOMPARE(readAll(b).right(3), QByteArray("\x14\x64\x05", 3));
        QCOMPARE(runPiped(readAll(a), {"apply", "-", "-o", out, "--second", "-"}).exitCode, 2);
        QCOMPARE(runPiped(readAll(b),
                          {"apply", a, "-o", out, "--step", "blend:with=second", "--second", "-"})
                     .exitCode,
                 0);
        QCOMPARE(readAll(out).right(3), QByteArray("\x0A\x00\xFA", 3));
    }
    // Each image of a batch with the same second one; --resume sees that it is another.
    void secondImageOfABatch() {
        const QByteArray head = "P5\n2 1\n255\n";
        const QString a = writeFile(m_folder, "batch-a.pgm", head + "\x10\x20");
        const QString b = writeFile(m_folder, "batch-b.pgm", head + "\x30\x40");
        const auto apply = [&](const QString& second) {
            const CliRun run =
                runCli({"apply", a, b, "-o", m_folder.filePath("done/{stem}.pgm"), "--step",
                        "blend:with=second,mode=add", "--second", second, "--resume"});
            return run.exitCode == 0 ? readAll(m_folder.filePath("done/batch-a.pgm")).right(2) +
                                           readAll(m_folder.filePath("done/batch-b.pgm")).right(2)
                                     : run.err;
        };
        QCOMPARE(apply(writeFile(m_folder, "batch-2.pgm", head + "\x01\x02")),
                 QByteArray("\x11\x22\x31\x42"));
        QCOMPARE(apply(writeFile(m_folder, "batch-3.pgm", head + "\x02\x01")),
                 QByteArray("\x12\x21\x32\x41"));
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
        QCOMPARE(report["schema"].toString(), QString("warpscope-timings/2"));
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
