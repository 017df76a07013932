// A monkey at the window: whatever it does, the program goes on, writes nowhere but where it was
// told to, and starts nothing. WARPSCOPE_SEED repeats its chance, WARPSCOPE_MONKEY_EVENTS says for
// how many events instead of for 20 s, WARPSCOPE_MONKEY_LOG prints them.
#include <fcntl.h>
#include <sys/wait.h>

#include <QDesktopServices>
#include <cerrno>

#include "engine/io/file_calls.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/window_fixture.h"
#include "monkey.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

constexpr int kShortMs = 20'000;

// Saves outside of the folder fail and are counted.
std::string savesBelong;
std::atomic<int> strangeSaves = 0;

bool belongs(const char* path) {
    if (std::string(path).starts_with(savesBelong)) return true;
    ++strangeSaves;
    fprintf(stderr, "would have written %s\n", path);
    errno = EACCES;
    return false;
}

const io::FileCalls& confined() {
    static io::FileCalls calls = io::systemFileCalls();
    calls.open = [](const char* path, int flags, mode_t mode) {
        if ((flags & O_ACCMODE) != O_RDONLY && !belongs(path)) return -1;
        return io::systemFileCalls().open(path, flags, mode);
    };
    calls.rename = [](const char* from, const char* to) {
        return belongs(to) ? io::systemFileCalls().rename(from, to) : -1;
    };
    return calls;
}

// What a person would find changed.
QStringList filesOfTheMachine() {
    QStringList names;
    for (const QString& folder : {QDir::homePath(), QDir::currentPath(), QDir::rootPath()})
        for (const QString& name :
             QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot))
            if (!name.startsWith(QStringLiteral(".qttest"))) names << folder + u'/' + name;
    return names;
}

// Chance does not come twice: what there is to see of a window that does not do its work.
QString stateOf(WindowFixture& f) {
    QStringList shown;
    for (const QWidget* top : QApplication::topLevelWidgets())
        if (top->isVisible())
            shown << QStringLiteral("%1 \"%2\"%3")
                         .arg(QLatin1String(top->metaObject()->className()), top->windowTitle(),
                              top->isModal() ? QStringLiteral(" (modal)") : QString());
    QStringList steps;
    for (const auto& step : f.document().pipeline().steps)
        steps << QString::fromStdString(step.operation);
    return QStringLiteral(
               "image %1, result %2, paused %3, steps [%4], message \"%5\", held: %6, shown: %7")
        .arg(f.document().filePath())
        .arg(f.bridge().resultIsCurrent())
        .arg(f.bridge().paused())
        .arg(steps.join(u' '), f.window.statusBar()->currentMessage(), f.bridge().held(),
             shown.join(QStringLiteral(", ")));
}

}  // namespace

// Takes what would be opened with other programs.
class LinkTaker : public QObject {
    Q_OBJECT
  public:
    int taken = 0;
  public slots:
    void take(const QUrl&) { ++taken; }
};

class MonkeyTest : public QObject {
    Q_OBJECT

  private slots:
    // The process that decodes files would be one that the monkey did not start.
    void initTestCase() { qputenv("WARPSCOPE_DECODE", "off"); }
    void goesOn() {
        const bool isLong = qEnvironmentVariableIsSet("WARPSCOPE_MONKEY_EVENTS");
        const int events = isLong ? qEnvironmentVariableIntValue("WARPSCOPE_MONKEY_EVENTS")
                                  : std::numeric_limits<int>::max();
        const qint64 ms = isLong ? std::numeric_limits<qint64>::max() : kShortMs;
        QVERIFY(events > 0);
        LinkTaker links;
        for (const char* scheme : {"http", "https", "file", "mailto"})
            QDesktopServices::setUrlHandler(QLatin1String(scheme), &links, "take");
        QApplication::setQuitOnLastWindowClosed(false);
        const QStringList before = filesOfTheMachine();
        QElapsedTimer timer;
        {
            WindowFixture f;
            f.bridge().setMemoryBudget(std::uint64_t(512) << 20);
            const QStringList images{f.scene("a.png", {160, 120}), f.scene("b.png", {90, 130}, 9),
                                     f.scene("c.tif", {200, 40}, 11)};
            savesBelong = f.folder.path().toStdString();
            io::replaceFileCalls(&confined());
            f.settings.setLastFolder(f.folder.path());
            QVERIFY(f.open(images[0]));
            for (const char* step : {"gaussian_blur", "equalize", "median"})
                QVERIFY(f.addStep(step));

            Monkey monkey(f.window, f.folder.path(), images, test::freshSeed());
            monkey.start(events, ms);
            while (!monkey.finished()) {
                QTest::qWait(50);
                QVERIFY(f.document().pipeline().steps.size() <= kMaxSteps);
                // Not even one that has ended.
                QCOMPARE(::waitpid(-1, nullptr, WNOHANG), -1);
                QCOMPARE(errno, ECHILD);
            }
            qInfo("%d events, %d file dialogs, %d links, the longest took %lld ms", monkey.sent(),
                  monkey.dialogs(), links.taken, (long long)monkey.longestMs());
            QVERIFY(monkey.sent() > 100);
            QVERIFY2(monkey.longestMs() < 20'000 * kSlowdown, "it hung");

            // While somebody measures nothing is opened, and it may have begun to.
            for (QWidget* top : QApplication::topLevelWidgets())
                if (auto* benchmark = qobject_cast<BenchmarkWindow*>(top)) benchmark->cancel();
            QVERIFY2(waitedFor([&] { return f.bridge().held().isEmpty(); }),
                     qPrintable(stateOf(f)));

            // It still does what it is for.
            f.bridge().setPaused(false);
            f.document().replacePipeline({}, QStringLiteral("again"));
            f.window.files().openFiles({images[1]});
            const bool doesIt = waitedFor(
                [&] {
                    return f.document().filePath() == images[1] && f.bridge().resultIsCurrent();
                },
                60'000);
            QVERIFY2(doesIt, qPrintable(stateOf(f)));
            timer.start();
        }
        QVERIFY2(timer.elapsed() < 20'000 * kSlowdown,
                 qPrintable(QString::number(timer.elapsed())));
        io::replaceFileCalls(nullptr);
        QCOMPARE(strangeSaves.load(), 0);
        QCOMPARE(filesOfTheMachine(), before);
    }
};

WARPSCOPE_TEST(MonkeyTest)
#include "monkey_test.moc"
