// Sessions as text and as files: all that is in them comes back; what is broken, gone or somewhere
// else is named and takes nothing else with it.
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include "gui/gui_samples.h"
#include "gui/session/autosave.h"
#include "gui/session/session_file.h"
#include "random_session.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using Json = nlohmann::json;

class SessionFileTest : public QObject {
    Q_OBJECT

    static void overwrite(const QString& path, const QByteArray& bytes) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    // Every number of what was read is one that the window can have.
    static void checkSane(const Session& s) {
        QVERIFY(s.page >= 0);
        QVERIFY(s.step >= -1 && s.step < int(s.pipeline.steps.size()));
        QVERIFY(checkPipeline(s.pipeline));
        QVERIFY(int(s.mode) >= 0 && int(s.mode) <= int(ViewMode::Blink));
        QVERIFY(s.wipe.at() >= 0 && s.wipe.at() <= 1);
        QVERIFY(s.difference.gain >= 1);
        QVERIFY(std::isfinite(s.view.middle.x()) && std::isfinite(s.view.middle.y()));
        QVERIFY(!s.view.zoom || (*s.view.zoom > 0 && *s.view.zoom <= kMaxZoom));
        QVERIFY(std::abs(s.display.view.stops) <= kMostStops);
        QVERIFY(s.display.view.gamma >= kLeastGamma && s.display.view.gamma <= kMostGamma);
        for (const auto& range : s.display.manual) QVERIFY(!range || range->low < range->high);
        QVERIFY(!s.region || !s.region->box().empty());
        for (const QPoint& pin : s.pins) QVERIFY(pin.x() >= 0 && pin.y() >= 0);
        for (const SessionImage& image : s.list) QVERIFY(image.path.startsWith(QLatin1Char('/')));
        QVERIFY(s.kept.size() <= std::size_t(kMaxSessionImages));
        QVERIFY(!s.scene || (s.scene->size.width >= 1 && s.scene->size.height >= 1));
    }
    // All places of a tree, as pointers.
    static void places(const Json& json, const Json::json_pointer& at,
                       std::vector<Json::json_pointer>& found) {
        found.push_back(at);
        if (json.is_object())
            for (const auto& [key, value] : json.items()) places(value, at / key, found);
        if (json.is_array())
            for (std::size_t i = 0; i < json.size(); ++i) places(json[i], at / i, found);
    }

  private slots:
    void everythingComesBack() {
        Chance chance;
        for (int i = 0; i < 200; ++i) {
            const Session session = randomSession(chance);
            const std::string text = toJson(session);
            const auto read = sessionFromJson(text);
            QVERIFY2(read, read ? "" : read.error().message.c_str());
            QCOMPARE(read->problems, QStringList());
            QCOMPARE(toJson(read->session), text);
            QCOMPARE(read->session.pipeline, session.pipeline);
            checkSane(read->session);
        }
        const std::string text = toJson(randomSession(chance));
        QVERIFY(text.ends_with("}\n"));
        QVERIFY(text.find("\n  \"display\"") < text.find("\n  \"images\""));
    }

    void aWrongValueIsNamedAndTheRestComesBack() {
        const std::vector<Json> nasty{nullptr,
                                      true,
                                      -1,
                                      18446744073709551615ull,
                                      -9223372036854775807ll,
                                      1e300,
                                      -1e300,
                                      "",
                                      "x",
                                      std::string(70000, 'a'),
                                      Json::array(),
                                      Json::object(),
                                      Json::array({1, 2, 3, 4, 5, 6, 7}),
                                      Json{{"a", Json{{"b", 1}}}},
                                      std::string("a\0b", 3)};
        Chance chance;
        for (int round = 0; round < 5; ++round) {
            const Json good = Json::parse(toJson(randomSession(chance)));
            std::vector<Json::json_pointer> at;
            places(good, Json::json_pointer(), at);
            for (const Json::json_pointer& place : at) {
                const Json& value = nasty[std::size_t(chance.below(int(nasty.size())))];
                Json broken = good;
                broken[place] = value;
                if (const auto read = sessionFromJson(broken.dump())) checkSane(read->session);
            }
        }
        Json broken = Json::parse(toJson(randomSession(chance)));
        broken["view"]["zoom"] = "large";
        broken["view"]["middle"] = Json{1, 2};
        broken["display"]["gamma"] = -3;
        broken["marks"]["pins"] = Json{Json{1, 2}, Json{3}, Json{-1, 4}};
        broken["pipeline"]["steps"][0]["operation"] = "no_such";
        const auto read = sessionFromJson(broken.dump());
        QVERIFY(read);
        QVERIFY(read->session.pipeline.steps.empty() && read->chainDamaged);
        QCOMPARE(read->session.step, -1);
        QCOMPARE(read->session.pins, std::vector<QPoint>({{1, 2}}));
        QCOMPARE(read->session.display.view.gamma, 1.0);
        QCOMPARE(read->problems.size(), 4);
        const QString all = read->problems.join(QLatin1Char('\n'));
        for (const char* named : {"view.zoom", "display.gamma", "marks.pins", "no_such"})
            QVERIFY2(all.contains(QLatin1String(named)), qPrintable(all));
    }

    void aNewerVersionOpensAndSaysSo() {
        Chance chance;
        Json json = Json::parse(toJson(randomSession(chance)));
        json["schema"] = "warpscope-session/2";
        json["novelty"] = Json{{"a", 1}};
        const auto read = sessionFromJson(json.dump());
        QVERIFY(read);
        QCOMPARE(read->problems.size(), 1);
        QVERIFY(read->problems[0].contains(QStringLiteral("newer")));
        for (const char* schema : {"warpscope-session/", "warpscope-session/0",
                                   "warpscope-session/99999999999", "warpscope-pipeline/1", ""}) {
            json["schema"] = schema;
            QVERIFY(!sessionFromJson(json.dump()));
        }
    }

    void whatIsNoSessionIsRefused() {
        Chance chance;
        const std::string good = toJson(randomSession(chance));
        for (const std::string& text :
             {std::string(), std::string("[]"), std::string("null"), std::string("7"),
              std::string(1000, '['), good + "x", std::string(kMaxSessionBytes + 1, ' '),
              std::string("{\"schema\":\"warpscope-session/1\",\"view\":{\"zoom\":NaN}}")})
            QVERIFY(!sessionFromJson(text));
        for (int i = 0; i < 300; ++i) {
            QVERIFY(
                !sessionFromJson(good.substr(0, std::size_t(chance.below(int(good.size()) - 2)))));
            std::string flipped = good;
            flipped[std::size_t(chance.below(int(good.size())))] = char(chance.below(256));
            if (const auto read = sessionFromJson(flipped)) checkSane(read->session);
        }
    }

    void aMovedFolderOpens() {
        QTemporaryDir folder;
        QDir dir(folder.path());
        QVERIFY(dir.mkpath(QStringLiteral("before/images")));
        Session session;
        session.shown.path = writeScene(dir.filePath(QStringLiteral("before/images")),
                                        QStringLiteral("a.png"), {40, 30});
        session.kept.push_back({session.shown, ViewSpot{2.0, {3, 4}}, Rect{1, 2, 3, 4}});
        const QString name = QStringLiteral("/s.warpscope-session");
        QVERIFY(writeSession(session, dir.filePath(QStringLiteral("before")) + name, true));
        QVERIFY(dir.rename(QStringLiteral("before"), QStringLiteral("after")));
        const QString now = dir.filePath(QStringLiteral("after/images/a.png"));
        const auto check = [&](const QStringList& problems) {
            const auto read = readSession(dir.filePath(QStringLiteral("after")) + name);
            QVERIFY(read);
            QCOMPARE(read->session.shown.path, now);
            QCOMPARE(read->session.kept.size(), std::size_t(1));
            QCOMPARE(read->session.kept[0].image.path, now);
            QCOMPARE(read->problems, problems);
        };
        check({});
        // A copy is younger, and still the same.
        const QByteArray bytes = bytesOf(now);
        QFile copy(now);
        QVERIFY(copy.open(QIODevice::ReadWrite));
        QVERIFY(copy.setFileTime(QDateTime::currentDateTimeUtc().addDays(-3),
                                 QFileDevice::FileModificationTime));
        copy.close();
        check({});
        QByteArray other = bytes;
        other[other.size() / 2] = char(other[other.size() / 2] ^ 1);
        overwrite(now, other);
        QVERIFY(copy.open(QIODevice::ReadWrite));
        QVERIFY(copy.setFileTime(QDateTime::currentDateTimeUtc().addDays(-2),
                                 QFileDevice::FileModificationTime));
        copy.close();
        check({QStringLiteral("a.png has changed")});
    }

    void aMissingImageIsNamed() {
        QTemporaryDir folder;
        Session session;
        session.shown.path = folder.filePath(QStringLiteral("gone.png"));
        session.second.path = writeScene(folder.path(), QStringLiteral("b.png"), {9, 9});
        session.list = {session.shown, session.second};
        session.pipeline.steps = {makeStep("invert").value()};
        const QString file = folder.filePath(QStringLiteral("s.warpscope-session"));
        QVERIFY(writeSession(session, file, true));
        const auto read = readSession(file);
        QVERIFY(read);
        QVERIFY(read->session.shown.path.isEmpty());
        QCOMPARE(read->session.second.path, session.second.path);
        QCOMPARE(read->session.list.size(), std::size_t(1));
        QCOMPARE(read->session.pipeline, session.pipeline);
        QCOMPARE(read->problems.size(), 1);
        QVERIFY(read->problems[0].contains(session.shown.path));
    }

    // One file under many names is read once, and with what is asked for no more than a limit.
    void hashesAreBounded() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("s.warpscope-session"));
        const QString large = folder.filePath(QStringLiteral("large.png"));
        QFile sparse(large);
        QVERIFY(sparse.open(QIODevice::WriteOnly));
        QVERIFY(sparse.resize(200 << 20));
        sparse.close();
        Session session;
        session.shown.path = large;
        for (int i = 0; i < 500; ++i)
            session.kept.push_back({{.path = large}, ViewSpot{1.0, {double(i), 0}}, {}});
        // 100 GB would take minutes, which the test may not.
        QVERIFY(writeSession(session, file, true));
        auto read = readSession(file);
        QVERIFY(read);
        QCOMPARE(read->problems, QStringList());
        QVERIFY(!read->session.shown.sha256.isEmpty());
        for (const SessionKept& kept : read->session.kept)
            QCOMPARE(kept.image.sha256, read->session.shown.sha256);
        // Different files: what is beyond the limit may have changed.
        session.kept.clear();
        for (int i = 0; i < 4; ++i) {
            const QString copy = folder.filePath(QStringLiteral("%1.png").arg(i));
            QFile other(copy);
            QVERIFY(other.open(QIODevice::WriteOnly));
            QVERIFY(other.resize(200 << 20));
            session.kept.push_back({{.path = copy}, {}, {}});
        }
        QVERIFY(writeSession(session, file, true));
        read = readSession(file);
        QVERIFY(read);
        const auto hashed = std::ranges::count_if(read->session.kept, [](const SessionKept& kept) {
            return !kept.image.sha256.isEmpty();
        });
        QCOMPARE(hashed, 1);  // and the one that is shown
        // Each has a hash now, and a time of its own.
        Json json = Json::parse(bytesOf(file).toStdString());
        for (Json& kept : json["images"]["kept"]) {
            kept["sha256"] = json["images"]["shown"]["sha256"];
            kept["changedMs"] = 1;
        }
        overwrite(file, QByteArray::fromStdString(json.dump()));
        read = readSession(file);
        QVERIFY(read);
        QCOMPARE(read->problems, QStringList({QStringLiteral("2.png may have changed"),
                                              QStringLiteral("3.png may have changed")}));
    }

    void aStopLeavesHashesOut() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("s.warpscope-session"));
        Session session;
        session.shown.path = writeScene(folder.path(), QStringLiteral("a.png"), {40, 30});
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(writeSession(session, file, true, {}, stop.get_token()));
        const auto read = readSession(file);
        QVERIFY(read);
        QCOMPARE(read->session.shown.path, session.shown.path);
        QVERIFY(read->session.shown.sha256.isEmpty());
        QVERIFY(read->session.shown.bytes > 0);
        const auto stopped = readSession(file, stop.get_token());
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
    }

    void whatCouldNotBeOpenedIsNotWritten() {
        QTemporaryDir folder;
        Chance chance;
        const QString file = folder.filePath(QStringLiteral("s.warpscope-session"));
        Session session = randomSession(chance);
        QVERIFY(writeSession(session, file, true));
        const QByteArray before = bytesOf(file);
        std::vector<PixelCorner> corners;
        for (int i = 0; i < 100'000; ++i)
            corners.push_back({10'000 + chance.below(1000), 10'000 + i % 8});
        const RegionShape drawn = RegionShape::polygon(corners);
        QVERIFY(isBounded(drawn));
        session.kept.clear();
        for (int i = 0; i < 4; ++i) session.kept.push_back({{.path = file}, {}, drawn});
        QVERIFY(writeSession(session, file, true));
        QVERIFY(bytesOf(file) != before);
        const QByteArray fits = bytesOf(file);
        QVERIFY(readSession(file));
        while (session.kept.size() < 12) session.kept.push_back({{.path = file}, {}, drawn});
        const auto refused = writeSession(session, file, true);
        REQUIRE_FAILS(refused, ErrorCode::LimitExceeded, "8 MiB");
        QCOMPARE(bytesOf(file), fits);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    void pathsAreCleaned() {
        QTemporaryDir folder;
        QDir dir(folder.path());
        QVERIFY(dir.mkpath(QStringLiteral("a")) && dir.mkpath(QStringLiteral("deep/below")));
        const QString image = writeScene(folder.path(), QStringLiteral("b.png"), {9, 9});
        const QString inDeep =
            writeScene(dir.filePath(QStringLiteral("deep")), QStringLiteral("c.png"), {9, 9});
        QVERIFY(QFile::link(dir.filePath(QStringLiteral("deep/below")),
                            dir.filePath(QStringLiteral("link"))));
        const QString file = dir.filePath(QStringLiteral("s.warpscope-session"));
        Session session;
        session.shown.path = dir.filePath(QStringLiteral("a/../b.png"));
        session.second.path = dir.filePath(QStringLiteral("./b.png"));
        session.compared.path = dir.filePath(QStringLiteral("link/../c.png"));
        session.kept = {{{.path = dir.filePath(QStringLiteral("a//..//b.png"))}, {}, {}}};
        QVERIFY(writeSession(session, file, Chance().flag()));
        const auto read = readSession(file);
        QVERIFY(read);
        QCOMPARE(read->problems, QStringList());
        QCOMPARE(read->session.shown.path, image);
        QCOMPARE(read->session.second.path, image);
        QCOMPARE(read->session.kept[0].image.path, image);
        QCOMPARE(read->session.compared.path, QFileInfo(inDeep).canonicalFilePath());
    }

    void aSessionIsWrittenInOnePiece() {
        QTemporaryDir folder;
        const QString image = writeScene(folder.path(), QStringLiteral("a.png"), {9, 9});
        const QByteArray before = bytesOf(image);
        Chance chance;
        WriteOptions options;
        options.protectedFiles = {image.toStdString()};
        QVERIFY(!writeSession(randomSession(chance), image, true, options));
        QCOMPARE(bytesOf(image), before);
        QVERIFY(
            !writeSession(randomSession(chance), folder.filePath(QStringLiteral("no/s.x")), true));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    // --- autosave ---

    void theLivingAreNotLost() {
        QTemporaryDir folder;
        Chance chance;
        const QDir dir(folder.path());
        {
            Autosave first(folder.path()), second(folder.path());
            first.write(Session{});
            QVERIFY(first.file().isEmpty());
            first.write(randomSession(chance));
            second.write(randomSession(chance));
            QTRY_VERIFY_WITH_TIMEOUT(!first.busy() && !second.busy(), 30000);
            QVERIFY(QFile::exists(first.file()) && QFile::exists(second.file()));
            QVERIFY(first.file() != second.file());
            QCOMPARE(first.takeLost(), QStringList());
            QCOMPARE(Autosave(folder.path()).takeLost(), QStringList());
            // Closed again: nothing to lose.
            first.write(Session{});
            QTRY_VERIFY(!QFile::exists(first.file()));
        }
        QCOMPARE(dir.entryList(QDir::Files | QDir::Hidden), QStringList());
        Autosave nowhere{QString()};
        nowhere.write(randomSession(chance));
        QVERIFY(!nowhere.busy());
        QCOMPARE(nowhere.takeLost(), QStringList());
    }

    void theDeadAreOfferedOnce() {
        QTemporaryDir folder;
        // A process that is no more.
        QProcess dead;
        dead.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("read x")});
        QVERIFY(dead.waitForStarted());
        const qint64 pid = dead.processId();
        dead.closeWriteChannel();
        QVERIFY(dead.waitForFinished());
        Chance chance;
        const QString file = folder.filePath(QStringLiteral("old.warpscope-session"));
        const Session session = randomSession(chance);
        QVERIFY(writeSession(session, file, false));
        const QByteArray lock =
            QByteArray::number(pid) + "\nsh\n" + QSysInfo::machineHostName().toLocal8Bit() + "\n" +
            QSysInfo::machineUniqueId() + "\n" + QSysInfo::bootUniqueId() + "\n";
        overwrite(file + QStringLiteral(".lock"), lock);
        {
            Autosave first(folder.path()), second(folder.path());
            QCOMPARE(first.takeLost(), QStringList{file});
            QCOMPARE(second.takeLost(), QStringList());
        }
        // Nobody has decided: it is still there.
        Autosave third(folder.path());
        QCOMPARE(third.takeLost(), QStringList{file});
        third.remove(file);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList());
    }
};

WARPSCOPE_TEST(SessionFileTest)
#include "session_file_test.moc"
