// How long a folder of photographs takes, as figures in the output; nothing here depends on them.
// WARPSCOPE_FOLDER_FILES=2000 makes the folder that the figures of the documentation are of, with
// photographs of 3000 x 2000; by default it is a small one.
#include <QElapsedTimer>
#include <filesystem>

#include "gui/folder/folder_strip.h"
#include "support/test_case.h"
#include "tests/gui/window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class SpeedTest : public QObject {
    Q_OBJECT

    // The longest time in which the window's thread did not come back to its events.
    class Heartbeat {
      public:
        Heartbeat() {
            m_timer.setTimerType(Qt::PreciseTimer);
            QObject::connect(&m_timer, &QTimer::timeout, &m_timer,
                             [this] { m_longest = std::max(m_longest, m_since.restart()); });
            m_since.start();
            m_timer.start(1);
        }
        qint64 takeLongest() { return std::exchange(m_longest, 0); }

      private:
        QTimer m_timer;
        QElapsedTimer m_since;
        qint64 m_longest = 0;
    };

    // Which file the canvas has painted last.
    class Paints : public QObject {
      public:
        explicit Paints(MainWindow& window) : m_window(window) {
            window.canvas().installEventFilter(this);
        }
        bool eventFilter(QObject*, QEvent* event) override {
            if (event->type() == QEvent::Paint) path = m_window.document().filePath();
            return false;
        }
        QString path;

      private:
        MainWindow& m_window;
    };

    QTemporaryDir m_folder;
    int m_files = 0;

    static double ms(const QElapsedTimer& since) { return double(since.nsecsElapsed()) * 1e-6; }

  private slots:
    void initTestCase() {
        bool given = false;
        m_files = qEnvironmentVariableIntValue("WARPSCOPE_FOLDER_FILES", &given);
        const Size size = given ? Size{3000, 2000} : Size{600, 400};
        if (!given) m_files = 120;
        const int distinct = std::min(m_files, given ? 12 : 8);
        for (int i = 0; i < m_files; ++i) {
            const QString path = m_folder.filePath(QStringLiteral("photo %1.jpg").arg(i + 1));
            if (i < distinct)
                REQUIRE_OK(saveImage(sceneOf(size, quint32(i)), path.toStdString()));
            else  // another file as far as the program can tell
                std::filesystem::create_hard_link(
                    m_folder.filePath(QStringLiteral("photo %1.jpg").arg(i % distinct + 1))
                        .toStdString(),
                    path.toStdString());
        }
    }

    void openingAFolder() {
        Settings settings{QString()};
        QElapsedTimer clock;
        clock.start();
        MainWindow window(cpuBackends(), settings);
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        qInfo("window visible after %.0f ms", ms(clock));
        QTRY_VERIFY(window.bridge().backends());
        QTest::qWait(200);

        Paints paints(window);
        Heartbeat heart;
        clock.restart();
        window.files().openFiles({m_folder.path()});
        QVERIFY(waitedFor([&] { return !paints.path.isEmpty(); }));
        const double first = ms(clock);
        QTRY_VERIFY(window.strip().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(window.strip().complete(), 60000);
        const double strip = ms(clock);
        QTRY_VERIFY_WITH_TIMEOUT(!window.bridge().busy(), 60000);
        QCOMPARE(window.files().images().size(), m_files);
        qInfo(
            "%d files: first painted after %.0f ms, strip complete after %.0f ms, window's thread "
            "away for at most %lld ms",
            m_files, first, strip, (long long)heart.takeLongest());

        // Page by page: as fast as they are there, and once the next one was read ahead.
        window.canvas().setFocus();
        const int pages = std::min(20, (m_files - 1) / 2);
        for (const bool rested : {false, true}) {
            double longest = 0, sum = 0;
            for (int i = 0; i < pages; ++i) {
                const int next = window.files().imageIndex() + 1;
                const QString path = window.files().images()[next];
                if (rested) {
                    QTRY_VERIFY(window.bridge().images().holds({path}));
                    QTRY_VERIFY(!window.bridge().busy());
                }
                clock.restart();
                QTest::keyClick(&window.canvas(), Qt::Key_PageDown);
                QVERIFY(waitedFor([&] { return paints.path == path; }));
                longest = std::max(longest, ms(clock));
                sum += ms(clock);
            }
            qInfo(
                "Page Down to paint%s: %.0f ms in the mean, at most %.0f ms, window's thread away "
                "for at most %lld ms",
                rested ? ", read ahead" : "", sum / pages, longest, (long long)heart.takeLongest());
        }

        // Through the strip from end to end.
        QScrollBar* bar = window.strip().horizontalScrollBar();
        clock.restart();
        for (int i = 0; i <= 40; ++i) {
            bar->setValue(bar->maximum() * i / 40);
            QTest::qWait(20);
        }
        QTRY_VERIFY_WITH_TIMEOUT(window.strip().complete(), 60000);
        qInfo(
            "strip, end to end in 41 steps: complete after %.0f ms, window's thread away for at "
            "most "
            "%lld ms, %.1f MiB of thumbnails",
            ms(clock), (long long)heart.takeLongest(),
            double(window.strip().thumbnails().byteCount()) / (1 << 20));
    }
};

WARPSCOPE_TEST(SpeedTest)
#include "speed_test.moc"
