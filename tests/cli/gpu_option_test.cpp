// --gpu: which of several, on whatever machine this runs.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "cli/cli_process.h"
#include "cli/common.h"
#include "cuda_kernels/runtime/cuda_backend.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

const QString kNobody = QStringLiteral("GPU-00000000-0000-0000-0000-000000000000");

// Every command that computes on a GPU, as far as the option.
QList<QStringList> commands(const QString& image) {
    return {
        {"apply", image, "-o", image + ".png", "--step", "invert"},
        {"histogram", image},
        {"analyze", image, "--op", "statistics"},
        {"integral", image, "-o", image + ".npy"},
        {"bench", "--ops", "invert", "--sizes", "16", "--backends", "cpu,cuda", "--rounds", "1"}};
}

}  // namespace

class GpuOptionTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_image;
    QString m_none;  // why there is no GPU to use; empty if there is one

  private slots:
    void initTestCase() {
        m_image = writeFile(m_folder, "in.ppm", smallPpm());
        const CliRun devices = runCli({"devices", "--format", "json"});
        const QJsonObject found = QJsonDocument::fromJson(devices.out).object();
        m_none = found["cuda"].toObject()["unavailable"].toString();
    }

    void whatIsNoUuidIsWrongUsage() {
        for (const QStringList& command : commands(m_image))
            for (const char* wrong : {"", "0", "GPU-", "GPU-xyz", "MIG-1234", "H100",
                                      "GPU-00000000-0000-0000-0000-0000000000000"}) {
                const CliRun run = runCli(command + QStringList{"--gpu", wrong});
                QCOMPARE(run.exitCode, 2);
                QVERIFY2(run.err.contains("--gpu"), run.err);
                QCOMPARE(errorLines(run), 1);
            }
    }

    void allCommandsSayIt() {
        for (const QStringList& command : commands(m_image)) {
            const CliRun help = runCli({command.first(), "--help"});
            QVERIFY2(help.out.contains("--gpu UUID"), command.first().toUtf8());
        }
        QVERIFY(runCli({"manual", "apply"}).out.contains("\\-\\-gpu"));
    }

    void theWarmUpCanBeLeftOut() {
        const auto restored = qScopeGuard([before = qgetenv("WARPSCOPE_WARM_UP")] {
            before.isEmpty() ? qunsetenv("WARPSCOPE_WARM_UP")
                             : qputenv("WARPSCOPE_WARM_UP", before);
        });
        qunsetenv("WARPSCOPE_WARM_UP");
        QVERIFY(cli::cudaOptions("GPU-1").warmUp);
        qputenv("WARPSCOPE_WARM_UP", "on");
        QVERIFY(cli::cudaOptions("GPU-1").warmUp);
        qputenv("WARPSCOPE_WARM_UP", "off");
        QVERIFY(!cli::cudaOptions("GPU-1").warmUp);
        QCOMPARE(cli::cudaOptions("GPU-1").uuid, std::string("GPU-1"));
    }

    // One that has gone: what there is computes, and one line says so.
    void aGpuThatIsNotThere() {
        const QByteArray reason =
            m_none.isEmpty() ? "there is no " + kNobody.toUtf8() + ": taking " : m_none.toUtf8();
        for (const QStringList& command : commands(m_image)) {
            const CliRun run = runCli(command + QStringList{"--gpu", kNobody});
            QVERIFY2(run.exitCode == 0, run.err);
            if (command.first() == "bench") {  // its rows say why they are skipped
                QVERIFY2((run.err + run.out).contains(reason), run.err + run.out);
                QVERIFY(errorLines(run) <= 1);
                continue;
            }
            QVERIFY2(run.err.contains(reason), run.err);
            QCOMPARE(errorLines(run), 1);
            const CliRun required =
                runCli(command + QStringList{"--gpu", kNobody, "--require-backend"});
            QCOMPARE(required.exitCode, 1);
            QCOMPARE(errorLines(required), 1);
            QVERIFY2(required.err.contains(reason), required.err);
        }
    }

    void itChangesNothingOnTheCpu() {
        const CliRun run = runCli({"histogram", m_image, "--backend", "cpu", "--gpu", "gpu-12AB"});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.contains("--gpu changes nothing"), run.err);
        QCOMPARE(errorLines(run), 1);
        QCOMPARE(run.out, runCli({"histogram", m_image}).out);
    }

    // On a machine that has one, it is found by its own name.
    void theGpuOfThisMachine() {
        if (!m_none.isEmpty()) QSKIP(qPrintable("no GPU: " + m_none));
        const CliRun devices = runCli({"devices", "--format", "json"});
        const QJsonArray all = QJsonDocument::fromJson(devices.out).object()["gpus"].toArray();
        for (const auto& one : all) {
            const QJsonObject gpu = one.toObject();
            if (!gpu["usable"].toBool()) continue;
            const CliRun run =
                runCli({"bench", "--ops", "invert", "--sizes", "16", "--backends", "cuda",
                        "--format", "json", "--gpu", gpu["uuid"].toString()});
            QCOMPARE(run.exitCode, 0);
            const QJsonObject machine =
                QJsonDocument::fromJson(run.out).object()["machine"].toObject();
            QCOMPARE(machine["gpu"], gpu["name"]);
            QCOMPARE(machine["gpu_uuid"], gpu["uuid"]);
        }
    }
};

WARPSCOPE_TEST(GpuOptionTest)
#include "gpu_option_test.moc"
