// The system's clock is set while the window works: nothing waits for it, nothing is given up.
#include <QElapsedTimer>
#include <QTime>

#include <dlfcn.h>
#include <sys/time.h>
#include <atomic>
#include <chrono>
#include <ctime>

#include "gui/window_fixture.h"
#include "support/test_case.h"

namespace {

// What the clock is off by, in seconds, in this program.
std::atomic<long> clockIsOff = 0;

template <class Function>
Function realCall(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// A program's own functions come before those of its libraries. Sanitizers put theirs there.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t id,
                                                                    timespec* now) noexcept {
    static const auto real = realCall<int (*)(clockid_t, timespec*)>("clock_gettime");
    const int answer = real(id, now);
    if (answer == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
        now->tv_sec += clockIsOff;
    return answer;
}
extern "C" __attribute__((visibility("default"))) time_t time(time_t* where) noexcept {
    static const auto real = realCall<time_t (*)(time_t*)>("time");
    const time_t now = real(nullptr) + clockIsOff;
    if (where) *where = now;
    return now;
}
extern "C" __attribute__((visibility("default"))) int gettimeofday(timeval* now,
                                                                   void* zone) noexcept {
    static const auto real = realCall<int (*)(timeval*, void*)>("gettimeofday");
    const int answer = real(now, zone);
    if (answer == 0) now->tv_sec += clockIsOff;
    return answer;
}
#endif

using namespace warpscope;
using namespace warpscope::gui;

class MovedClockTest : public QObject {
    Q_OBJECT

    static constexpr long kDay = 86'400;

  private slots:
    void cleanup() { clockIsOff = 0; }

    void itIsMoved() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers have the clock");
#endif
        using Wall = std::chrono::system_clock;
        const auto before = Wall::now();
        const QDateTime shown = QDateTime::currentDateTimeUtc();
        clockIsOff = 10 * kDay;
        QVERIFY(Wall::now() - before > std::chrono::hours(239));
        QVERIFY(shown.daysTo(QDateTime::currentDateTimeUtc()) >= 9);
        // Waiting goes by the other clock.
        QElapsedTimer timer;
        timer.start();
        QTest::qWait(10);
        QVERIFY(timer.elapsed() < 60'000 * kSlowdown);
    }

    void theWindowWorksOn_data() {
        QTest::addColumn<qint64>("seconds");
        QTest::newRow("an hour back") << qint64(-3600);
        QTest::newRow("thirty years back") << qint64(-30 * 365 * kDay);
        QTest::newRow("a year on") << qint64(365 * kDay);
        QTest::newRow("to and fro") << qint64(0);
    }
    void theWindowWorksOn() {
        QFETCH(qint64, seconds);
        WindowFixture f;
        const QStringList images{f.scene("a.png", {300, 200}), f.scene("b.png", {200, 300}, 9)};
        QVERIFY(f.open(images[0]));
        QVERIFY(f.addStep("gaussian_blur"));
        for (int i = 0; i < 20; ++i) {
            clockIsOff = long(seconds != 0 ? seconds : (i % 2 ? kDay : -kDay) * i);
            QElapsedTimer timer;
            timer.start();
            f.document().beginInteraction();
            f.document().setParameter(0, "sigma", 0.5 + i / 4.0, EditPhase::Drag);
            QTest::qWait(5);
            f.document().endInteraction();
            QTRY_VERIFY(f.bridge().resultIsCurrent());
            if (i % 5 == 0) {
                QVERIFY(f.open(images[(i / 5) % 2]));
                const QString path = f.folder.filePath(QStringLiteral("%1.png").arg(i));
                f.window.files().saveResultTo(path);
                QTRY_VERIFY(!f.window.files().savesUnfinished());
                QVERIFY(QFile::exists(path));
            }
            // Hints leave by themselves, and figures are no negative numbers.
            QVERIFY2(timer.elapsed() < 60'000 * kSlowdown,
                     qPrintable(QString::number(timer.elapsed())));
        }
        QTRY_VERIFY(f.bridge().timingsComplete());
        for (const StepReport& step : f.bridge().stepReports())
            QVERIFY(step.ms >= 0 && step.ms < 60'000);
    }
};

WARPSCOPE_TEST(MovedClockTest)
#include "moved_clock_test.moc"
