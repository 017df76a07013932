#include "gui/document/settings.h"

#include <QDockWidget>
#include <QTemporaryDir>
#include <QTest>

#include "gui/app/command_line.h"
#include "gui/document/memory_budget.h"
#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class SettingsTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString file(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    static void write(const QString& path, const QByteArray& bytes) {
        QFile f(path);
        QVERIFY(f.open(QIODevice::WriteOnly));
        f.write(bytes);
    }

  private slots:
    void whatIsWrittenComesBack() {
        const QString path = file("roundtrip.ini");
        {
            Settings s(path);
            s.setTheme(ThemeChoice::Light);
            s.setBackend(BackendChoice::CpuSingle);
            s.setMemoryMiB(768);
            QVERIFY(!s.wrongVariants());
            s.setWrongVariants(true);
            s.setRecentFiles({QStringLiteral("/a, b.png"), QStringLiteral("/ü;\"c\".png")});
            s.setLastFolder(m_folder.path());
            s.setLayout(QByteArray("\0\1\2\xff", 4));
        }
        const Settings s(path);
        QCOMPARE(s.theme(), ThemeChoice::Light);
        QCOMPARE(s.backend(), BackendChoice::CpuSingle);
        QCOMPARE(s.memoryMiB(), std::optional(768));
        QVERIFY(s.wrongVariants());
        QCOMPARE(s.recentFiles(),
                 (QStringList{QStringLiteral("/a, b.png"), QStringLiteral("/ü;\"c\".png")}));
        QCOMPARE(s.lastFolder(), m_folder.path());
        QCOMPARE(s.layout(), QByteArray("\0\1\2\xff", 4));
        QVERIFY(s.setAsidePath().isEmpty());
    }

    void aCorruptFileIsSetAside_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("binary") << QByteArray("\x7f\x45\x4c\x46\0\0\0\0abc", 11);
        QTest::newRow("text of something else") << QByteArray("hello\nworld\n");
        QTest::newRow("no mark") << QByteArray("[window]\ntheme=light\n");
        QTest::newRow("a later version") << QByteArray("[warpscope]\nsettings=99\n");
        QTest::newRow("unclosed section") << QByteArray("[window\ntheme=light\n");
    }
    void aCorruptFileIsSetAside() {
        QFETCH(QByteArray, bytes);
        const QString path = file("corrupt.ini");
        write(path, bytes);
        Settings s(path);
        QCOMPARE(s.theme(), ThemeChoice::Dark);
        QCOMPARE(bytesOf(s.setAsidePath()), bytes);
        s.setTheme(ThemeChoice::Light);
        s.save();
        QCOMPARE(Settings(path).theme(), ThemeChoice::Light);
    }

    // Half a character: written by hand, or by a fault of the disk.
    void recentFilesThatAreNoTextAreDropped() {
        const QString path = file("surrogates.ini");
        write(path, R"([warpscope]
settings=1
[files]
recent=/a/\xd800.png, /a/one.png, /a/\xdc80.png, \xd800, "/a/\xd83d\xde00.png", /a/\xdc80\xd800
)");
        const QStringList whole{QStringLiteral("/a/one.png"), QStringLiteral("/a/\U0001F600.png")};
        QCOMPARE(Settings(path).recentFiles(), whole);
        WindowFixture f(path);
        QMenu* menu = f.window.files().recent().menu();
        QVERIFY(menu->actions().size() >= 2);
        QVERIFY(menu->actions()[0]->text().endsWith(QStringLiteral("one.png")));
        // Both are chosen, and neither is there.
        for (int entry : {1, 0}) {
            const int before = f.window.messages().count();
            menu->actions()[entry]->trigger();
            QTRY_VERIFY(f.window.messages().count() > before);
        }
    }

    void wrongValuesBecomeDefaults() {
        const QString path = file("values.ini");
        write(path,
              "[warpscope]\nsettings=1\n[window]\ntheme=17\n[compute]\nbackend=quantum\n"
              "[files]\nfolder=/no/such/folder\nrecent=a, b, a, , c\n");
        const Settings s(path);
        QVERIFY(s.setAsidePath().isEmpty());
        QCOMPARE(s.theme(), ThemeChoice::Dark);
        QCOMPARE(s.backend(), BackendChoice::Auto);
        QVERIFY(s.lastFolder() != QStringLiteral("/no/such/folder"));
        QVERIFY2(QFileInfo(s.lastFolder()).isDir(), qPrintable(s.lastFolder()));
        QCOMPARE(s.recentFiles(),
                 (QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}));
    }

    void memoryIsWithinItsLimitsOrTheDefault() {
        Settings s{QString()};
        QVERIFY(!s.memoryMiB());
        for (const int mib : {kLeastMemoryMiB, 4096, kMostMemoryMiB}) {
            s.setMemoryMiB(mib);
            QCOMPARE(s.memoryMiB(), std::optional(mib));
        }
        for (const int mib : {-1, 0, kLeastMemoryMiB - 1, kMostMemoryMiB + 1}) {
            s.setMemoryMiB(mib);
            QVERIFY(!s.memoryMiB());
        }
        s.setMemoryMiB(4096);
        s.setMemoryMiB(std::nullopt);
        QVERIFY(!s.memoryMiB());
        const QString path = file("memory.ini");
        write(path, "[warpscope]\nsettings=1\n[compute]\nmemory_mib=plenty\n");
        QVERIFY(!Settings(path).memoryMiB());
    }

    void theListOfRecentFilesIsLimited() {
        Settings s{QString()};
        QStringList many;
        for (int i = 0; i < 50; ++i) many << QString::number(i);
        s.setRecentFiles(many);
        QCOMPARE(s.recentFiles(), many.mid(0, Settings::kMaxRecentFiles));
    }

    void clearForgetsEverything() {
        const QString path = file("clear.ini");
        Settings s(path);
        s.setTheme(ThemeChoice::Light);
        s.clear();
        QCOMPARE(s.theme(), ThemeChoice::Dark);
        QVERIFY(Settings(path).setAsidePath().isEmpty());
    }

    void commandLine() {
        const auto parse = [](QStringList arguments) {
            return parseCommandLine(QStringList{QStringLiteral("warpscope")} + arguments);
        };
        QCOMPARE(parse({"a.png", "b.png"}).files, (QStringList{"a.png", "b.png"}));
        QVERIFY(parse({"--help"}).message.contains(QStringLiteral("--reset-settings")));
        QVERIFY(!parse({"--help"}).message.contains(QStringLiteral("--screenshot")));
        QCOMPARE(parse({"--version"}).exitCode, std::optional(0));
        QCOMPARE(parse({"--frobnicate"}).exitCode, std::optional(2));
        QCOMPARE(parse({"--theme", "pink"}).exitCode, std::optional(2));
        QCOMPARE(parse({"--size", "1x1"}).exitCode, std::optional(2));
        QCOMPARE(parse({"--size", "1024x640"}).size, QSize(1024, 640));
        QCOMPARE(parse({"--theme", "light"}).theme, std::optional(ThemeChoice::Light));
        QCOMPARE(parse({"--", "--odd-name.png"}).files, QStringList{"--odd-name.png"});

        const auto demo = [&](const char* what) {
            return parse({"--side-by-side", QLatin1String(what)}).sideBySide;
        };
        QCOMPARE(demo("median,4k"), std::optional<QString>(QStringLiteral("median,4k")));
        QCOMPARE(demo("auto"), std::optional<QString>(QString()));
        QVERIFY(!parse({}).sideBySide);
        QCOMPARE(parse({"--side-by-side", "auto", "--opponent", "h100.json"}).opponent,
                 QStringLiteral("h100.json"));
        QVERIFY(parse({"--wipe"}).wipe && !parse({}).wipe);
    }

    void sizesOfPanelsAreRemembered_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("hidden");
        QTest::newRow("shown") << QSize(1280, 800) << false;
        QTest::newRow("all hidden") << QSize(1280, 800) << true;
        QTest::newRow("larger than at the first start") << QSize(1800, 1100) << false;
    }
    void sizesOfPanelsAreRemembered() {
        QFETCH(QSize, size);
        QFETCH(bool, hidden);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("s.ini"));
        const QStringList names{QStringLiteral("stepsDock"), QStringLiteral("histogramDock"),
                                QStringLiteral("inspectorDock"), QStringLiteral("timingsDock")};
        const auto sizes = [&](MainWindow& window) {
            QList<QSize> found;
            for (const QString& name : names) found << window.findChild<QDockWidget*>(name)->size();
            return found;
        };
        QList<QSize> wanted;
        {
            WindowFixture f(path);
            f.window.resize(size);
            QTest::qWait(50);
            const auto dock = [&](int i) { return f.window.findChild<QDockWidget*>(names[i]); };
            f.window.resizeDocks({dock(0), dock(1)}, {400, 380}, Qt::Horizontal);
            f.window.resizeDocks({dock(1)}, {430}, Qt::Vertical);
            f.window.resizeDocks({dock(3)}, {290}, Qt::Vertical);
            QTRY_COMPARE(dock(0)->width(), 400);
            QTRY_VERIFY(dock(3)->height() > 250);  // and its tab
            wanted = sizes(f.window);
            if (hidden) f.window.actions().hideDocks->trigger();
            QCOMPARE(dock(0)->isHidden(), hidden);
            f.window.close();
        }
        // As the program does: shown in the size that is kept.
        Settings settings(path);
        MainWindow again(cpuBackends(), settings);
        again.show();
        QVERIFY(QTest::qWaitForWindowExposed(&again));
        QTRY_COMPARE(again.size(), size);
        QTRY_COMPARE(sizes(again), wanted);
        // An image, and what comes with it, changes none of it.
        again.files().openFiles(
            {writeScene(folder.path(), QStringLiteral("a.png"), {160, 120}, 1)});
        QTRY_VERIFY(again.bridge().resultIsCurrent());
        QTest::qWait(100);
        QCOMPARE(sizes(again), wanted);
    }
};

WARPSCOPE_TEST(SettingsTest)
#include "settings_test.moc"
