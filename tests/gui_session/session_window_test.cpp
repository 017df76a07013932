// Sessions in the real window: saved and opened by every way.
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <nlohmann/json.hpp>

#include "gui/app/compare_controller.h"
#include "gui/app/open_images.h"
#include "gui/app/session_actions.h"
#include "gui/display/display_settings.h"
#include "gui/histogram/histogram_panel.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/scopes/scopes_panel.h"
#include "gui/session/session_file.h"
#include "gui/teststrip/strip_grid.h"
#include "gui/teststrip/test_strip.h"
#include "gui/window_fixture.h"
#include "random_session.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class SessionWindowTest : public QObject {
    Q_OBJECT
    static constexpr Size kSize{200, 150};

    static QString sessionFile(const QTemporaryDir& folder) {
        return folder.filePath(QStringLiteral("s.warpscope-session"));
    }
    static bool save(WindowFixture& f, const QString& path) {
        f.window.session().saveTo(path);
        return waitedFor([&] { return !f.window.session().busy(); }) && QFile::exists(path);
    }
    static bool settled(WindowFixture& f, const QString& shown) {
        return waitedFor([&] {
            return !f.window.session().busy() && f.document().filePath() == shown &&
                   !f.bridge().openingSecond() && f.bridge().resultIsCurrent();
        });
    }
    // As text, without what depends on rounding, which is compared for itself.
    static QString comparable(Session session) {
        session.view = {};
        for (SessionKept& kept : session.kept) kept.view.reset();
        return QString::fromStdString(toJson(session));
    }
    static void compareSpots(const ViewSpot& a, const ViewSpot& b) {
        QCOMPARE(b.zoom.has_value(), a.zoom.has_value());
        if (!a.zoom) return;
        QVERIFY2(std::abs(*a.zoom - *b.zoom) < 1e-6,
                 qPrintable(QStringLiteral("%1 %2").arg(*a.zoom).arg(*b.zoom)));
        QVERIFY2((a.middle - b.middle).manhattanLength() < 2,
                 qPrintable(QStringLiteral("%1,%2 %3,%4")
                                .arg(a.middle.x())
                                .arg(a.middle.y())
                                .arg(b.middle.x())
                                .arg(b.middle.y())));
    }
    static QPushButton* button(WindowFixture& f, const char* name) {
        return f.window.findChild<QPushButton*>(QLatin1String(name));
    }

    // Steps, view and look of the window, as chance has it.
    static void change(WindowFixture& f, Chance& chance) {
        Session wanted = randomSession(chance);
        // A crop and a turn would move what is seen when their result comes.
        f.document().replacePipeline(wanted.pipeline, QStringLiteral("steps"));
        f.document().setCurrentStep(wanted.step);
        f.window.canvas().setViewMode(wanted.mode);
        f.window.canvas().setWipeLine(wanted.wipe);
        f.window.canvas().setDifferenceStyle(wanted.difference);
        f.window.display().setView(wanted.display.view);
        f.window.display().setLogarithmic(wanted.display.logarithmic);
        if (chance.flag()) f.window.display().setChoice(RangeChoice::MinMax);
        if (chance.flag())
            f.window.display().setManual(f.document().image(), {chance.between(-9, 99), 200});
        f.window.actions().profileShown->setChecked(wanted.display.profileShown);
        if (chance.flag()) {
            const Rect box{chance.below(90), chance.below(90), 5 + chance.below(40),
                           5 + chance.below(40)};
            f.document().setRegion(chance.flag() ? RegionShape::ellipse(box) : RegionShape(box));
        }
        auto* inspector = f.window.findChild<InspectorPanel*>();
        for (int i = chance.below(9); i > 0; --i)
            inspector->togglePin({chance.below(kSize.width), chance.below(kSize.height)});
        f.window.findChild<HistogramPanel*>()->setOptions(wanted.histogram);
        f.window.findChild<ScopesPanel*>()->setSwitches(wanted.scopes);
        if (chance.flag())
            f.window.canvas().setSpot(
                {chance.between(2, 30), {chance.between(20, 180), chance.between(20, 130)}});
        if (chance.flag()) f.window.canvas().setProfileLine(QLineF(3.5, 4.5, 20.5, 99.5));
    }

  private slots:
    void theWholeWindowComesBack() {
        Chance chance;
        QTemporaryDir folder;
        const QString a = writeScene(folder.path(), QStringLiteral("a.png"), kSize, 3);
        const QString b = writeScene(folder.path(), QStringLiteral("b.png"), kSize, 5);
        const QString c = writeScene(folder.path(), QStringLiteral("c.png"), kSize, 9);
        const QString path = sessionFile(folder);
        for (int round = 0; round < 3; ++round) {
            Session before;
            {
                WindowFixture f;
                QVERIFY(f.open(a));
                f.window.openImages().keepCurrent(true);
                f.window.canvas().setSpot({4.0, {50, 60}});
                QVERIFY(f.open(b));
                f.bridge().openSecondFile(c);
                if (!waitedFor([&] { return f.document().second() != nullptr; }))
                    qWarning() << f.window.messages().text() << f.bridge().openingSecond();
                QVERIFY(f.document().second());
                change(f, chance);
                QVERIFY(settled(f, b));
                f.window.messages().clear(MessageBar::Level::Error);  // it moves the picture
                before = f.window.session().session();
                QVERIFY(save(f, path));
                QCOMPARE(f.window.messages().level(), MessageBar::Level::Info);
                QVERIFY(f.document().undoStack().isClean());
            }
            WindowFixture f;
            f.window.files().openFiles({path});
            QVERIFY(settled(f, b));
            QCOMPARE(f.window.messages().level(), MessageBar::Level::Info);
            f.window.messages().clear(MessageBar::Level::Error);
            const Session after = f.window.session().session();
            QCOMPARE(comparable(after), comparable(before));
            compareSpots(before.view, after.view);
            QCOMPARE(after.kept.size(), std::size_t(1));
            compareSpots(*before.kept[0].view, *after.kept[0].view);
            QVERIFY(f.document().undoStack().isClean());
            QCOMPARE(f.settings.recentFiles().front(), path);
            // The kept image has its own place still.
            f.window.openImages().openNext(1);
            QVERIFY(settled(f, a));
            f.window.messages().clear(MessageBar::Level::Error);
            compareSpots({4.0, {50, 60}}, f.window.canvas().spot());
        }
    }

    void listAndComparisonComeBack() {
        QTemporaryDir folder, elsewhere;
        const QString a = writeScene(folder.path(), QStringLiteral("a.png"), kSize, 3);
        const QString b = writeScene(elsewhere.path(), QStringLiteral("b.png"), kSize, 5);
        const QString path = sessionFile(folder);
        {
            WindowFixture f;
            f.window.files().openFiles({a, b});
            QVERIFY(settled(f, a));
            QVERIFY(f.addStep("invert"));
            f.window.canvas().setViewMode(ViewMode::Blink);
            f.window.comparing().compareWith(b);
            QTRY_VERIFY(f.window.canvas().comparison());
            QVERIFY(save(f, path));
        }
        WindowFixture f;
        f.window.files().openFiles({path});
        QVERIFY(settled(f, a));
        QTRY_VERIFY(f.window.canvas().comparison());
        QCOMPARE(f.window.comparing().path(), b);
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Blink);
        QCOMPARE(f.window.files().images(), QStringList({a, b}));
    }

    void theTestStripIsOpenAgain() {
        QTemporaryDir folder;
        const QString a = writeScene(folder.path(), QStringLiteral("a.png"), kSize, 3);
        const QString path = sessionFile(folder);
        Chance chance;
        StripState wanted{
            QStringLiteral("sigma"), 3 + 2 * chance.below(4), {}, 5, chance.flag(), chance.flag()};
        {
            WindowFixture f;
            QVERIFY(f.open(a));
            QVERIFY(f.addStep("invert") && f.addStep("gaussian_blur"));
            f.window.testStrip().open(wanted);
            QTRY_VERIFY(f.window.testStrip().isVisible());
            QVERIFY(save(f, path));
        }
        WindowFixture f;
        f.window.files().openFiles({path});
        QVERIFY(settled(f, a));
        QTRY_VERIFY(f.window.testStrip().isVisible());
        QVERIFY(f.window.testStrip().state() == wanted);
        QTRY_COMPARE(int(f.window.testStrip().grid().cells().size()), wanted.acrossCount);
        // And closed where it was.
        f.window.testStrip().close();
        QVERIFY(save(f, path));
        f.window.testStrip().popUp();
        f.window.files().openFiles({path});
        QTRY_VERIFY(!f.window.testStrip().isVisible());
    }

    void whatIsGoneIsNamedInOneMessage() {
        QTemporaryDir folder;
        const QString a = writeScene(folder.path(), QStringLiteral("a.png"), kSize, 3);
        const QString b = writeScene(folder.path(), QStringLiteral("b.png"), kSize, 5);
        const QString path = sessionFile(folder);
        Chance chance;
        Pipeline chain;
        {
            WindowFixture f;
            QVERIFY(f.open(a));
            f.bridge().openSecondFile(b);
            QTRY_VERIFY(f.document().second());
            change(f, chance);
            chain = f.document().pipeline();
            QVERIFY(save(f, path));
        }
        QVERIFY(QFile::remove(a));
        QVERIFY(QFile::remove(b));
        WindowFixture f;
        f.window.files().openFiles({path});
        QTRY_COMPARE(f.window.messages().count(), 1);
        QCOMPARE(f.window.messages().level(), MessageBar::Level::Warning);
        const QString text = f.window.messages().text();
        QVERIFY2(text.contains(a) && text.contains(b), qPrintable(text));
        QCOMPARE(f.document().pipeline(), chain);
        QVERIFY(!f.document().source());
        QVERIFY(button(f, "messageAction")->isVisible());  // Locate…
        // And what is no session at all changes nothing.
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"schema\": [[[");
        file.close();
        f.window.files().openFiles({path});
        QTRY_COMPARE(f.window.messages().level(), MessageBar::Level::Error);
        QCOMPARE(f.document().pipeline(), chain);
    }

    // Of a name that is not clean too, as somebody may have written it by hand.
    void viewAndRegionComeBackUnderEveryName() {
        QTemporaryDir folder;
        const QString a = writeScene(folder.path(), QStringLiteral("a.png"), kSize, 3);
        const QString path = sessionFile(folder);
        Chance chance;
        const Rect region{chance.below(90), chance.below(90), 5 + chance.below(40), 30};
        {
            WindowFixture f;
            QVERIFY(f.open(a));
            f.document().setRegion(RegionShape::ellipse(region));
            QVERIFY(save(f, path));
        }
        for (const char* name : {"/./a.png", "/x/../a.png", "//a.png"}) {
            auto json = nlohmann::json::parse(bytesOf(path).toStdString());
            json["images"]["shown"].erase("relative");
            json["images"]["shown"]["path"] = folder.path().toStdString() + name;
            QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("x")));
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray::fromStdString(json.dump()));
            file.close();
            WindowFixture f;
            f.window.files().openFiles({path});
            QVERIFY(settled(f, a));
            QCOMPARE(f.window.messages().level(), MessageBar::Level::Info);
            QVERIFY(f.document().regionShape() == RegionShape::ellipse(region));
        }
    }

    void aDamagedChainLeavesThatOfTheWindow() {
        QTemporaryDir folder;
        const QString a = writeScene(folder.path(), QStringLiteral("a.png"), kSize, 3);
        const QString path = sessionFile(folder);
        WindowFixture f;
        QVERIFY(f.open(a));
        QVERIFY(f.addStep("invert"));
        f.document().setRegion(Rect{1, 2, 30, 40});
        QVERIFY(save(f, path));
        auto json = nlohmann::json::parse(bytesOf(path).toStdString());
        json["pipeline"]["steps"][0]["operation"] = "no_such";
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(json.dump()));
        file.close();
        QVERIFY(f.addStep("median"));
        f.document().setRegion(std::nullopt);
        const Pipeline present = f.document().pipeline();
        QVERIFY(!f.document().undoStack().isClean());
        f.window.messages().clear(MessageBar::Level::Error);
        f.window.files().openFiles({path});
        QTRY_COMPARE(f.window.messages().level(), MessageBar::Level::Warning);
        QVERIFY(settled(f, a));
        QVERIFY(f.window.messages().text().contains(QStringLiteral("no_such")));
        QCOMPARE(f.document().pipeline(), present);
        QVERIFY(!f.document().undoStack().isClean());
        QVERIFY(f.document().regionShape() == RegionShape(Rect{1, 2, 30, 40}));
    }

    // Moved where the session cannot know of: one image is shown by the person, those around it
    // follow; steps that were changed meanwhile stay.
    void missingImagesAreLocated() {
        QTemporaryDir folder, elsewhere;
        const QString a = writeScene(folder.path(), QStringLiteral("a.png"), kSize, 3);
        const QString b = writeScene(folder.path(), QStringLiteral("b.png"), kSize, 5);
        const QString path = sessionFile(folder);
        {
            WindowFixture f;
            QVERIFY(f.open(a));
            QVERIFY(f.addStep("invert"));
            f.bridge().openSecondFile(b);
            QTRY_VERIFY(f.document().second());
            f.window.canvas().setViewMode(ViewMode::Wipe);
            f.window.canvas().setFocus();
            f.document().setRegion(Rect{10, 20, 30, 40});
            QVERIFY(save(f, path));
        }
        const QString newA = elsewhere.filePath(QStringLiteral("renamed.png"));
        const QString newB = elsewhere.filePath(QStringLiteral("b.png"));
        QVERIFY(QFile::rename(a, newA) && QFile::rename(b, newB));
        WindowFixture f;
        f.window.files().openFiles({path});
        QTRY_VERIFY(button(f, "messageAction")->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(!f.window.session().busy(), 30000);
        QVERIFY(!f.document().source() && !f.document().second());
        f.document().insertStep(1, makeStep("grayscale").value());
        const Pipeline now = f.document().pipeline();
        QTest::mouseClick(button(f, "messageAction"), Qt::LeftButton);
        auto* dialog = f.window.findChild<QFileDialog*>();
        QVERIFY(dialog && dialog->windowTitle().contains(QStringLiteral("a.png")));
        emit dialog->filesSelected({newA});
        dialog->reject();
        QVERIFY(settled(f, newA));
        QTRY_COMPARE(f.document().secondPath(), newB);
        QCOMPARE(f.document().pipeline(), now);
        QCOMPARE(f.document().region(), std::optional(Rect{10, 20, 30, 40}));
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Wipe);
        QCOMPARE(f.window.messages().level(), MessageBar::Level::Info);
    }

    void theSampleSceneComesBackAndAPastedImageIsNamed() {
        QTemporaryDir folder;
        const QString path = sessionFile(folder);
        {
            WindowFixture f;
            f.bridge().openScene({64, 48}, false, QStringLiteral("Scene"));
            QTRY_VERIFY(f.bridge().resultIsCurrent());
            QVERIFY(save(f, path));
            QCOMPARE(f.window.messages().level(), MessageBar::Level::Info);
        }
        WindowFixture f;
        f.window.files().openFiles({path});
        QTRY_COMPARE(f.document().image().size(), (Size{64, 48}));
        QCOMPARE(f.document().image().format(), PixelFormat::Gray8);
        f.bridge().openImage(sceneOf({30, 20}), QStringLiteral("Pasted image"));
        QTRY_COMPARE(f.document().image().size(), (Size{30, 20}));
        QVERIFY(save(f, path));
        QTRY_COMPARE(f.window.messages().level(), MessageBar::Level::Warning);
        QVERIFY(f.window.messages().text().contains(QStringLiteral("Pasted image")));
        WindowFixture g;
        g.window.files().openFiles({path});
        QTRY_COMPARE(g.window.messages().level(), MessageBar::Level::Warning);
        QVERIFY(g.window.messages().text().contains(QStringLiteral("Pasted image")));
    }

    // Autosave would wait for ever for an image that does not come.
    void aCancelledOpeningEnds() {
        QTemporaryDir folder;
        const QString a = writeScene(folder.path(), QStringLiteral("a.png"), kSize, 3);
        const QString path = sessionFile(folder);
        {
            WindowFixture f;
            QVERIFY(f.open(a));
            QVERIFY(f.addStep("invert"));
            QVERIFY(save(f, path));
        }
        WindowFixture f;
        connect(&f.bridge(), &EngineBridge::openingTitleChanged, &f.bridge(),
                [&f] { f.bridge().cancelOpening(); });
        f.window.files().openFiles({path});
        QTRY_COMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        QTRY_VERIFY_WITH_TIMEOUT(!f.window.session().busy(), 30000);
        QVERIFY(!f.document().source());
    }

    void byMenuKeyAndDrop() {
        WindowFixture f;
        const QString a = f.scene("a.png"), path = f.folder.filePath("s.warpscope-session");
        QVERIFY(f.open(a));
        f.press(Qt::Key_S, Qt::ControlModifier | Qt::AltModifier);
        auto* dialog = f.window.findChild<QFileDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->acceptMode(), QFileDialog::AcceptSave);
        emit dialog->filesSelected({path});
        QTRY_VERIFY(QFile::exists(path));
        QTRY_VERIFY_WITH_TIMEOUT(!f.window.session().busy(), 30000);
        f.document().replacePipeline(Pipeline{{makeStep("invert").value()}}, QStringLiteral("x"));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDropEvent drop(QPointF(300, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QDragEnterEvent enter(QPoint(300, 200), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(&f.window, &enter);
        QApplication::sendEvent(&f.window, &drop);
        QTRY_VERIFY(f.document().pipeline().steps.empty());
        QVERIFY(settled(f, a));
    }
};

WARPSCOPE_TEST(SessionWindowTest)
#include "session_window_test.moc"
