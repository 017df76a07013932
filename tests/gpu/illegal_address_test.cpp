// A kernel that writes where no memory is: see illegal_address.cpp, the program that is started.
#include <QCoreApplication>
#include <QProcess>

#include "gpu_support.h"
#include "support/test_case.h"

using namespace warpscope;

class IllegalAddressTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { REQUIRE_GPU(); }

    void theProcessGoesOnAndEnds() {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(
            QCoreApplication::applicationDirPath() + QStringLiteral("/illegal-address-program"),
            {});
        QVERIFY2(process.waitForStarted(), qPrintable(process.errorString()));
        QVERIFY(process.waitForFinished(120000));
        const QByteArray said = process.readAll();
        qInfo("%s", said.constData());
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QVERIFY2(process.exitCode() == 0, said.constData());
        QVERIFY(said.contains("the backends are gone"));
    }

    // This process has its own context: the GPU is as good as before.
    void othersKeepTheGpu() {
        const auto backend = test::requireBackend();
        const Image image = test::makePhotograph(PixelFormat::Rgba8, {300, 200});
        const PlanPtr plan =
            test::planFor(*findOperation("median"), {}, image.format(), image.size());
        test::compareSamples(test::runPlan(*plan, image), test::runOn(*backend, *plan, image),
                             "after another process's fault");
    }
};

WARPSCOPE_TEST(IllegalAddressTest)
#include "illegal_address_test.moc"
