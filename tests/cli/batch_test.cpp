// apply on many images: names, failures, reports, shards, and runs that go on where others stopped.
#include <signal.h>
#include <sys/stat.h>

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QTest>
#include <random>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

namespace {

QByteArray randomPgm(int width, int height) {
    static std::mt19937 random{warpscope::test::freshSeed()};
    QByteArray image =
        "P5\n" + QByteArray::number(width) + " " + QByteArray::number(height) + "\n255\n";
    for (int i = 0; i < width * height; ++i) image += char(random());
    return image;
}

QList<QJsonObject> linesOf(const QByteArray& report) {
    QList<QJsonObject> lines;
    for (const QByteArray& line : report.split('\n'))
        if (!line.isEmpty()) lines << QJsonDocument::fromJson(line).object();
    return lines;
}

QMap<QString, QByteArray> filesIn(const QString& folder) {
    QMap<QString, QByteArray> files;
    for (const QString& name : QDir(folder).entryList(QDir::Files))
        files[name] = readAll(folder + "/" + name);
    return files;
}

// What would be left of a save that did not end.
int unfinishedIn(const QString& folder) {
    return int(QDir(folder).entryList({".warpscope-*.tmp"}, QDir::Files | QDir::Hidden).size());
}

}  // namespace

class BatchTest : public QObject {
    Q_OBJECT
    QScopedPointer<QTemporaryDir> m_folder;

    QString path(const QString& name) const { return m_folder->filePath(name); }
    CliRun run(const QStringList& arguments, const QByteArray& input = {}) const {
        return runCli(arguments, m_folder->path(), 60'000, input);
    }
    void image(const QString& name, int width = 9, int height = 7) {
        QVERIFY(QDir(m_folder->path()).mkpath(QFileInfo(name).path()));
        QVERIFY(!writeFile(*m_folder, name, randomPgm(width, height)).isEmpty());
    }
    void images(int count, int width = 9, int height = 7) {
        for (int i = 0; i < count; ++i)
            image(QString("in/%1.pgm").arg(i, 3, 10, QLatin1Char('0')), width, height);
    }
    // The names below a folder, hidden ones apart.
    QStringList names(const QString& folder) const {
        return QDir(path(folder)).entryList(QDir::Files, QDir::Name);
    }

  private slots:
    void init() { m_folder.reset(new QTemporaryDir); }

    // The same as one call for each image, to the byte.
    void asSingleCalls() {
        images(7, 31, 23);
        const QStringList steps{"--step", "median:radius=2", "--step", "gaussian_blur:sigma=1.5",
                                "--step", "equalize"};
        const CliRun batch = run(QStringList{"apply", "in", "-o", "out", "--to", "png"} + steps);
        QVERIFY2(batch.exitCode == 0 && batch.err.isEmpty(), batch.err);
        QCOMPARE(names("out").size(), 7);
        for (const QString& name : names("in")) {
            const QString stem = QFileInfo(name).baseName();
            QCOMPARE(run(QStringList{"apply", "in/" + name, "-o", "one.png"} + steps).exitCode, 0);
            QCOMPARE(readAll(path("out/" + stem + ".png")), readAll(path("one.png")));
        }
        for (const char* jobs : {"1", "2", "9"}) {
            const QString folder = QString("jobs") + jobs;
            QCOMPARE(
                run(QStringList{"apply", "in", "-o", folder, "--to", "png", "--jobs", jobs} + steps)
                    .exitCode,
                0);
            QCOMPARE(filesIn(path(folder)), filesIn(path("out")));
        }
    }

    void inputsAndNames_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QStringList>("wanted");
        const auto add = [](const char* name, const QStringList& arguments,
                            const QStringList& wanted) {
            QTest::newRow(name) << arguments << wanted;
        };
        add("files", {"b.pgm", "a.pgm", "-o", "out"}, {"a.pgm", "b.pgm"});
        add("a folder, sorted, without what is below it", {"in", "-o", "out/{n}-{stem}.{ext}"},
            {"1-c.pgm", "2-d.pgm"});
        add("with what is below it", {"in", "--recursive", "-o", "out"},
            {"c.pgm", "d.pgm", "deep/c.pgm"});
        add("one into a folder", {"a.pgm", "-o", "out/"}, {"a.pgm"});
        add("another format", {"a.pgm", "b.pgm", "-o", "out", "--to", "tif"}, {"a.tif", "b.tif"});
        add("format of a pattern", {"a.pgm", "b.pgm", "-o", "out/{stem}_x.{ext}", "--to", "npy"},
            {"a_x.npy", "b_x.npy"});
        add("a list", {"@list", "-o", "out"}, {"a.pgm", "c.pgm", "d.pgm"});
        add("a list on standard input", {"@-", "-o", "out"}, {"a.pgm", "b.pgm"});
        add("numbers have equal lengths",
            {"a.pgm", "b.pgm", "a.pgm", "b.pgm", "a.pgm", "b.pgm", "a.pgm", "b.pgm", "a.pgm",
             "b.pgm", "-o", "out/{n}.pgm"},
            {"01.pgm", "02.pgm", "03.pgm", "04.pgm", "05.pgm", "06.pgm", "07.pgm", "08.pgm",
             "09.pgm", "10.pgm"});
        add("a shard", {"a.pgm", "b.pgm", "in", "-o", "out/{n}.pgm", "--shard", "2/3"}, {"2.pgm"});
        add("a shard without an image", {"a.pgm", "-o", "out/{n}.pgm", "--shard", "2/3"}, {});
    }
    void inputsAndNames() {
        QFETCH(QStringList, arguments);
        QFETCH(QStringList, wanted);
        for (const char* name : {"a.pgm", "b.pgm", "in/d.pgm", "in/c.pgm", "in/deep/c.pgm"})
            image(name);
        writeFile(*m_folder, "in/notes.txt", "no image");
        writeFile(*m_folder, "in/.hidden.pgm", "no image either");
        writeFile(*m_folder, "list", "a.pgm\r\n\nin\n");
        const CliRun made = run(QStringList{"apply"} + arguments, "a.pgm\nb.pgm\n");
        QVERIFY2(made.exitCode == 0 && made.err.isEmpty(), made.err);
        QStringList found = names("out");
        for (const QString& name : names("out/deep")) found << "deep/" + name;
        QCOMPARE(found, wanted);
    }

    void standardInputIsOneOfThem() {
        image("a.pgm");
        const QByteArray image = randomPgm(4, 4);
        const CliRun made = run({"apply", "-", "a.pgm", "-o", "out"}, image);
        QVERIFY2(made.exitCode == 0, made.err);
        QCOMPARE(names("out"), (QStringList{"a.pgm", "stdin.pnm"}));
        QCOMPARE(readAll(path("out/stdin.pnm")), image);
    }

    // Nothing is computed where it could not be kept.
    void refusedBeforeAnything_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("part");
        const auto add = [](const char* name, const QStringList& arguments, int code,
                            const char* part) {
            QTest::newRow(name) << arguments << code << QByteArray(part);
        };
        add("the same name", {"in/a.pgm", "other/a.pgm", "-o", "out"}, 2,
            "in/a.pgm and other/a.pgm would both be written to out/a.pgm");
        add("the same after --to", {"in/a.pgm", "in/a.png", "-o", "out", "--to", "tif"}, 2,
            "would both be written");
        add("other ways to one folder",
            {"in/a.pgm", "other/a.pgm", "-o", "out/../out/./{stem}.pgm"}, 2,
            "would both be written");
        add("no pattern", {"in/a.pgm", "other/a.pgm", "-o", "out.png"}, 2, "{stem}");
        add("an input", {"in/a.pgm", "in/1.pgm", "-o", "in/{n}.pgm"}, 1, "same file");
        add("its own input", {"in/a.pgm", "-o", "in/"}, 1, "--overwrite-input");
        add("another's input", {"in/a.pgm", "in/1.pgm", "-o", "in/{n}.pgm", "--overwrite-input"}, 1,
            "same file");
        add("a format that is not written", {"in/a.pbm", "in/a.pgm", "-o", "out"}, 1, "--to");
        add("shard 0", {"other", "-o", "out/", "--shard", "0/2"}, 2, "--shard 0/2");
        add("shard 3/2", {"other", "-o", "out/", "--shard", "3/2"}, 2, "I/N");
        add("shard text", {"other", "-o", "out/", "--shard", "1/2x"}, 2, "I/N");
        add("an empty folder", {"empty", "-o", "out"}, 1, "no image in this folder");
        add("a list that is missing", {"@missing", "-o", "out"}, 1, "missing");
        add("an empty list", {"@nothing", "-o", "out"}, 1, "no image");
        add("a report over an input", {"in", "-o", "{n}.png", "--report", "in/a.pgm"}, 2,
            "--report");
        add("timings", {"in", "-o", "out", "--timings", "table"}, 2, "--timings");
        add("jobs", {"in", "-o", "out", "--jobs", "0"}, 2, "--jobs");
    }
    void refusedBeforeAnything() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QByteArray, part);
        for (const char* name : {"in/a.pgm", "other/a.pgm", "in/1.pgm", "in/a.png", "in/a.pbm"})
            image(name);
        QDir(m_folder->path()).mkdir("empty");
        writeFile(*m_folder, "nothing", "\n");
        const auto before = filesIn(path("in"));
        const CliRun made = run(QStringList{"apply"} + arguments);
        QVERIFY2(made.exitCode == code, made.err + QByteArray::number(made.exitCode));
        QVERIFY2(errorLines(made) == 1 && made.err.contains(part), made.err);
        QVERIFY(!QDir(path("out")).exists());
        QCOMPARE(filesIn(path("in")), before);
    }

    void ownInputsCanBeReplaced() {
        images(5);
        QCOMPARE(run({"apply", "in", "-o", "in", "--overwrite-input", "--step", "invert"}).exitCode,
                 0);
        QCOMPARE(names("in").size(), 5);
    }

    // A broken file among many is named, and the others are done.
    void brokenFiles() {
        images(6);
        writeFile(*m_folder, "in/002.pgm", "P5\n100 100\n255\ncut");
        writeFile(*m_folder, "in/004.pgm", "no image");
        const CliRun made =
            run({"apply", "in", "missing.png", "-o", "out", "--keep-going", "--report", "r.jsonl"});
        QCOMPARE(made.exitCode, 1);
        QCOMPARE(names("out"), (QStringList{"000.pgm", "001.pgm", "003.pgm", "005.pgm"}));
        QCOMPARE(errorLines(made), 4);
        QVERIFY2(made.err.startsWith("warpscope-cli: 3 of 7 images failed:\n"), made.err);
        for (const char* name : {"in/002.pgm: damaged", "in/004.pgm: ", "missing.png: does not"})
            QVERIFY2(made.err.contains(name), made.err);
        int failed = 0;
        for (const QJsonObject& line : linesOf(readAll(path("r.jsonl")))) {
            const bool bad = line["status"] == "failed";
            failed += bad;
            QCOMPARE(line["error"].isString(), bad);
            QCOMPARE(QFile::exists(path(line["output"].toString())), !bad);
        }
        QCOMPARE(failed, 3);

        // Without --keep-going the first failure ends it.
        const CliRun ended = run({"apply", "in", "-o", "ended", "--jobs", "1"});
        QCOMPARE(ended.exitCode, 1);
        QCOMPARE(names("ended"), (QStringList{"000.pgm", "001.pgm"}));
        QVERIFY2(ended.err.contains("in/002.pgm") && !ended.err.contains("in/004.pgm"), ended.err);
        QVERIFY2(ended.err.contains("--keep-going"), ended.err);
        // Failures stay where notices are silent.
        const CliRun quiet = run({"apply", "in", "-o", "quiet", "--jobs", "1", "-q"});
        QVERIFY2(errorLines(quiet) == 1 && quiet.err.contains("in/002.pgm"), quiet.err);
    }

    void outputThatCannotBeWritten() {
        images(3);
        writeFile(*m_folder, "out", "a file");
        const CliRun made = run({"apply", "in", "-o", "out/{stem}.pgm", "--keep-going"});
        QCOMPARE(made.exitCode, 1);
        QCOMPARE(errorLines(made), 4);
        QCOMPARE(readAll(path("out")), QByteArray("a file"));
    }

    void report() {
        images(4, 40, 30);
        const CliRun made = run({"apply", "in", "-o", "out", "--step", "median", "--backend",
                                 "cpu-single", "--report", "-"});
        QCOMPARE(made.exitCode, 0);
        QStringList inputs;
        for (const QJsonObject& line : linesOf(made.out)) {
            inputs << line["input"].toString();
            QCOMPARE(line["status"].toString(), QString("done"));
            QCOMPARE(line["backend"].toString(), QString("cpu-single"));
            QVERIFY(line["error"].isNull());
            for (const char* time : {"decode_ms", "compute_ms", "encode_ms"})
                QVERIFY(line[QLatin1String(time)].toDouble() > 0);
        }
        inputs.sort();
        QCOMPARE(inputs, (QStringList{"in/000.pgm", "in/001.pgm", "in/002.pgm", "in/003.pgm"}));
    }

    void shardsTogetherAreAll() {
        images(11);
        QCOMPARE(run({"apply", "in", "-o", "all", "--step", "invert"}).exitCode, 0);
        int done = 0;
        for (const char* shard : {"1/4", "2/4", "3/4", "4/4"}) {
            const CliRun made = run({"apply", "in", "-o", "shards", "--step", "invert", "--shard",
                                     shard, "--report", "-"});
            QCOMPARE(made.exitCode, 0);
            done += int(linesOf(made.out).size());
        }
        QCOMPARE(done, 11);
        QCOMPARE(filesIn(path("shards")), filesIn(path("all")));
    }

    void resumeJudges() {
        images(4);
        const QStringList command{"apply",  "in",       "-o",       "out", "--step",
                                  "median", "--resume", "--report", "-"};
        const auto statuses = [&](const QStringList& arguments) {
            QMap<QString, QString> found;
            for (const QJsonObject& line : linesOf(run(arguments).out))
                found[line["input"].toString().mid(3, 3)] = line["status"].toString();
            return found;
        };
        using Statuses = QMap<QString, QString>;
        const QString done = "done", skipped = "skipped";
        QCOMPARE(statuses(command),
                 (Statuses{{"000", done}, {"001", done}, {"002", done}, {"003", done}}));
        const auto outputs = filesIn(path("out"));
        QCOMPARE(
            statuses(command),
            (Statuses{{"000", skipped}, {"001", skipped}, {"002", skipped}, {"003", skipped}}));
        // One that changed, an output that is gone, one that somebody wrote over.
        image("in/000.pgm");
        QVERIFY(QFile::remove(path("out/001.pgm")));
        writeFile(*m_folder, "out/002.pgm", outputs["002.pgm"]);
        QCOMPARE(statuses(command),
                 (Statuses{{"000", done}, {"001", done}, {"002", done}, {"003", skipped}}));
        QCOMPARE(readAll(path("out/001.pgm")), outputs["001.pgm"]);
        QVERIFY(readAll(path("out/000.pgm")) != outputs["000.pgm"]);
        // Other steps; and the first ones again, whose outputs are gone.
        QStringList other = command;
        other[5] = "median:radius=2";
        QCOMPARE(statuses(other).values(), (QStringList{done, done, done, done}));
        QCOMPARE(statuses(other).values(), (QStringList{skipped, skipped, skipped, skipped}));
        QCOMPARE(statuses(command).values(), (QStringList{done, done, done, done}));
        // A default that is written out is the same step.
        other[5] = "median:radius=1";
        QCOMPARE(statuses(other).values(), (QStringList{skipped, skipped, skipped, skipped}));
        // A journal that was damaged costs work alone.
        QFile journal(path("out/.warpscope-batch.jsonl"));
        QVERIFY(journal.open(QIODevice::WriteOnly));
        journal.write("{\"output\": 3}\n[]\n\xff\xfe{{{\n{\"output\"");
        journal.close();
        QCOMPARE(statuses(command).values(), (QStringList{done, done, done, done}));
        QCOMPARE(filesIn(path("out"))["001.pgm"], outputs["001.pgm"]);
    }

    // Stopped at any moment, a batch leaves whole files alone, and going on gives the same.
    void stoppedAndResumed() {
        images(150, 300, 200);
        const QStringList command{"apply",           "in",     "--to",     "png", "--step",
                                  "median:radius=3", "--step", "equalize", "-o"};
        QCOMPARE(run(command + QStringList{"whole"}).exitCode, 0);
        std::mt19937 random{warpscope::test::freshSeed()};
        int stopped = 0;
        for (int round = 0; round < 40 && stopped < 15; ++round) {
            QProcess process;
            process.setWorkingDirectory(m_folder->path());
            process.start(cliProgram(), command + QStringList{"out", "--resume"});
            QVERIFY(process.waitForStarted());
            // Longer each time: a busy machine takes a while to begin, a fast one is soon done.
            if (process.waitForFinished(10 + int(random() % unsigned(40 + 15 * round)))) {
                QCOMPARE(process.exitCode(), 0);
                break;
            }
            const int signal = round % 2 ? SIGINT : SIGTERM;
            ::kill(pid_t(process.processId()), signal);
            // A second one does not wait for anything.
            if (round % 5 == 4) ::kill(pid_t(process.processId()), signal);
            QVERIFY(process.waitForFinished(kWaitMs));
            // It had not yet begun to listen.
            if (process.exitStatus() == QProcess::CrashExit) continue;
            if (process.exitCode() == 0) break;
            QVERIFY2(process.exitCode() == 128 + signal, process.readAllStandardError());
            ++stopped;
            QCOMPARE(unfinishedIn(path("out")), 0);
            const auto whole = filesIn(path("whole"));
            const auto part = filesIn(path("out"));
            for (auto file = part.begin(); file != part.end(); ++file)
                QVERIFY2(file.value() == whole[file.key()], qPrintable(file.key()));
        }
        QVERIFY(stopped > 0);
        const CliRun last = run(command + QStringList{"out", "--resume", "--report", "-"});
        QVERIFY2(last.exitCode == 0, last.err);
        QCOMPARE(linesOf(last.out).size(), 150);
        QCOMPARE(filesIn(path("out")), filesIn(path("whole")));
    }

    // No more than four images beside what the program takes for one small one.
    void fourImagesInMemory() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers take memory of their own");
#endif
        constexpr int kSide = 3000;
        constexpr qint64 kImageBytes = qint64(kSide) * kSide * 4;
        QByteArray flat = "P6\n" + QByteArray::number(kSide) + " " + QByteArray::number(kSide) +
                          "\n255\n" + QByteArray(3 * kSide * kSide, '\x50');
        QVERIFY(QDir(m_folder->path()).mkpath("in"));
        writeFile(*m_folder, "source.ppm", flat);
        QCOMPARE(run({"apply", "source.ppm", "-o", "in/0.png"}).exitCode, 0);
        for (int i = 1; i < 8; ++i)
            QFile::copy(path("in/0.png"), path(QString("in/%1.png").arg(i)));
        image("small/0.pgm");
        image("small/1.pgm");
        const QStringList steps{"--step", "invert", "--step",    "box_mean",
                                "--step", "invert", "--backend", "cpu"};
        const auto peak = [&](const QString& input) {
            return peakBytes(QStringList{"apply", input, "-o", "out-" + input} + steps,
                             m_folder->path());
        };
        const qint64 base = peak("small");
        const qint64 large = peak("in");
        QVERIFY(base > 0 && large > 0);
        qInfo("%lld MiB at most, %lld MiB for small images, an image has %lld MiB",
              (long long)(large >> 20), (long long)(base >> 20), (long long)(kImageBytes >> 20));
        // With the bytes of files, which compress well here, and what codecs keep.
        QVERIFY(large <= base + kImageBytes * 4);
    }

    // A FIFO that nobody reads yet does not keep a signal from being heard; once somebody does, the
    // lines come.
    void reportIntoFifo() {
        images(3);
        QCOMPARE(::mkfifo(QFile::encodeName(path("fifo")).constData(), 0600), 0);
        const QStringList arguments{"apply",  "in",       "-o",   "out",       "--step",
                                    "median", "--report", "fifo", "--backend", "cpu-single"};
        const auto start = [&](QProcess& process) {
            process.setWorkingDirectory(m_folder->path());
            process.start(cliProgram(), arguments);
            return process.waitForStarted() && process.waitForReadyRead(20'000);
        };
        QProcess ended;
        ended.setReadChannel(QProcess::StandardError);
        QVERIFY(start(ended));
        QVERIFY(ended.readAllStandardError().contains("waiting for somebody who reads it"));
        ::kill(pid_t(ended.processId()), SIGINT);
        QVERIFY(ended.waitForFinished(20'000));
        QCOMPARE(ended.exitCode(), 130);
        QVERIFY(!QFile::exists(path("out")));

        QProcess done;
        done.setReadChannel(QProcess::StandardError);
        QVERIFY(start(done));
        const CliRun reader = runProgram("cat", {"fifo"}, m_folder->path());
        QVERIFY(done.waitForFinished(20'000));
        QCOMPARE(done.exitCode(), 0);
        QCOMPARE(linesOf(reader.out).size(), 3);
    }

    // Who goes away has read enough; the images are made all the same.
    void reportToAReaderThatGoesAway() {
        images(40);
        const CliRun run =
            runProgram("bash",
                       {"-c",
                        "\"$0\" apply in -o out --step median --backend cpu-single --jobs 1 "
                        "--report - | true; exit ${PIPESTATUS[0]}",
                        cliProgram()},
                       m_folder->path());
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY2(run.err.isEmpty(), run.err);
        QCOMPARE(filesIn(path("out")).size(), 40);
    }

    // The recipe of the manual.
    void gnuParallel() {
        const QString parallel = QStandardPaths::findExecutable("parallel");
        if (parallel.isEmpty()) QSKIP("parallel is not installed");
        images(9, 40, 30);
        QCOMPARE(run({"apply", "in", "-o", "whole", "--step", "median"}).exitCode, 0);
        const CliRun made = runProgram(
            "sh",
            {"-c",
             "ls in/*.pgm | parallel --will-cite --pipe -N 4 \"$0\" apply @- -o out/ --step median",
             cliProgram()},
            m_folder->path());
        QVERIFY2(made.exitCode == 0, made.err);
        QCOMPARE(filesIn(path("out")), filesIn(path("whole")));
    }
};

WARPSCOPE_TEST(BatchTest)
#include "batch_test.moc"
