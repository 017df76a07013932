// The second image: opened by menu, drop and command line, closed, failed, cancelled; and cropping
// to the region by its key.
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QInputDialog>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>

#include "gui/app/command_line.h"
#include "gui/steps/image_row.h"
#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class SecondImageTest : public QObject {
    Q_OBJECT

    static QWidget& corner(MainWindow& window) {
        return *window.findChild<QWidget*>(QStringLiteral("dropCorner"));
    }
    // Dragged in, to that place and dropped there; the file stays where it is, whatever is offered.
    static void drop(MainWindow& window, QMimeData& data, const QPoint& at) {
        QDragEnterEvent enter(QPoint(300, 200), Qt::CopyAction | Qt::MoveAction, &data,
                              Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QVERIFY(corner(window).isVisible());
        QDragMoveEvent move(at, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton,
                            Qt::NoModifier);
        QApplication::sendEvent(&window, &move);
        QVERIFY(move.isAccepted());
        QDropEvent event(QPointF(at), Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton,
                         Qt::NoModifier);
        QApplication::sendEvent(&window, &event);
        QVERIFY(event.isAccepted());
        QCOMPARE(event.dropAction(), Qt::CopyAction);
        QVERIFY(!corner(window).isVisible());
    }
    static QPoint middleOfCorner(MainWindow& window) {
        // Where it will be once something is dragged over the window.
        const QRect area = window.centralWidget()->geometry();
        return {area.center().x(), area.bottom() - 40};
    }

  private slots:
    void aDropOnTheCornerIsTheSecondImage() {
        WindowFixture f;
        const QString first = f.scene("first.png"), second = f.scene("second.png", {90, 70}, 11);
        QVERIFY(f.open(first));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(second)});
        drop(f.window, data, middleOfCorner(f.window));
        QTRY_VERIFY(f.document().second());
        QCOMPARE(f.document().filePath(), first);
        QCOMPARE(f.document().secondTitle(), QStringLiteral("second.png"));
        QVERIFY(sameSamples(f.document().second()->levels.front(), sceneOf({90, 70}, 11)));
        QVERIFY(f.window.windowTitle().contains(QStringLiteral("second.png")));
        QVERIFY(f.window.actions().closeSecond->isEnabled());
        // Elsewhere it is the first.
        drop(f.window, data, QPoint(300, 200));
        QTRY_COMPARE(f.document().filePath(), second);
        QCOMPARE(f.document().secondTitle(), QStringLiteral("second.png"));

        f.window.actions().closeSecond->trigger();
        QVERIFY(!f.document().second());
        QVERIFY(!f.window.actions().closeSecond->isEnabled());
        QCOMPARE(f.window.windowTitle().count(QStringLiteral("second.png")), 1);
    }

    void aDragThatLeavesLeavesNothing() {
        WindowFixture f;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(f.scene("a.png"))});
        QDragEnterEvent enter(QPoint(300, 200), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&f.window, &enter);
        QVERIFY(corner(f.window).isVisible());
        QDragLeaveEvent leave;
        QApplication::sendEvent(&f.window, &leave);
        QVERIFY(!corner(f.window).isVisible());
    }

    void theMenuAsksForAFile() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("first.png")));
        const QString second = f.scene("second.png", {90, 70}, 11);
        f.press(Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
        auto* dialog = f.window.findChild<QFileDialog*>();
        QVERIFY(dialog);
        emit dialog->filesSelected({second});
        dialog->reject();
        QTRY_COMPARE(f.document().secondTitle(), QStringLiteral("second.png"));
        QCOMPARE(f.document().secondPath(), second);
    }

    void aBadFileKeepsTheSecondImageAndSaysWhy() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("first.png")));
        f.window.files().openSecond(f.scene("second.png", {90, 70}));
        QTRY_VERIFY(f.document().second());
        const auto before = f.document().second();
        const QString bad = f.folder.filePath(QStringLiteral("bad.png"));
        QFile file(bad);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no picture") == 10);
        file.close();
        f.window.files().openSecond(bad);
        QTRY_COMPARE(f.window.messages().count(), 1);
        QCOMPARE(f.window.messages().level(), MessageBar::Level::Error);
        QVERIFY(f.window.messages().text().contains(QStringLiteral("bad.png")));
        QCOMPARE(f.document().second(), before);
        // It goes with the next one that opens.
        f.window.files().openSecond(f.scene("third.png", {50, 40}));
        QTRY_COMPARE(f.document().secondTitle(), QStringLiteral("third.png"));
        QCOMPARE(f.window.messages().count(), 0);
    }

    void bothOpenBesideEachOther() {
        WindowFixture f;
        const QString first = f.scene("first.png", {800, 600});
        f.window.files().openFiles({first});
        f.window.files().openSecond(f.scene("second.png", {700, 600}));
        QVERIFY(f.bridge().opening() && f.bridge().openingSecond());
        QTRY_VERIFY(f.document().second());
        QTRY_COMPARE(f.document().filePath(), first);
    }

    void cancelLeavesNoTrace() {
        WindowFixture f;
        QSignalSpy changed(&f.document(), &Document::secondChanged);
        QSignalSpy failed(&f.bridge(), &EngineBridge::openSecondFailed);
        f.window.files().openSecond(f.scene("second.png", {900, 700}));
        QVERIFY(f.window.actions().cancel->isEnabled());
        f.press(Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(!f.bridge().openingSecond());
        QTest::qWait(200);
        QCOMPARE(changed.count() + failed.count(), 0);
    }

    // A step of two images begins with something to see, says what it is, and offers another.
    void aNewBlendIsNoBlackPicture() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("first.png")));
        const auto blend = [&] { return f.document().pipeline().steps.back().parameters; };
        f.document().addStep("blend");
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QVERIFY(sameSamples(f.bridge().result()->levels.front(), f.document().image()));
        QVERIFY(f.window.messages().text().contains(QStringLiteral("Half of each")));
        auto* offer = f.window.findChild<QPushButton*>(QStringLiteral("messageAction"));
        QVERIFY(offer->isVisible());
        QTest::mouseClick(offer, Qt::LeftButton);
        auto* dialog = f.window.findChild<QFileDialog*>();
        QVERIFY(dialog);
        emit dialog->filesSelected({f.scene("second.png", {160, 120}, 11)});
        dialog->reject();
        QTRY_VERIFY(f.document().second());
        QCOMPARE(blend().choice("with"), std::string("second"));
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QVERIFY(!sameSamples(f.bridge().result()->levels.front(), f.document().image()));
        QCOMPARE(f.window.messages().count(), 0);
        // With one open the next begins with it.
        f.document().addStep("blend");
        QCOMPARE(blend().choice("with"), std::string("second"));
        QCOMPARE(blend().choice("mode"), std::string("average"));
        QVERIFY(f.window.messages().text().contains(QStringLiteral("second.png")));
        // Others begin as they are, and say nothing.
        f.window.messages().clear(MessageBar::Level::Error);
        f.document().addStep("median");
        QCOMPARE(f.window.messages().count(), 0);
        QVERIFY(blend() == makeStep("median")->parameters);
    }

    // Beside the field, in the controls of the step, means the field.
    void aDropBesideTheFieldIsForTheField() {
        WindowFixture f;
        const QString first = f.scene("first.png"), second = f.scene("second.png", {160, 120}, 11);
        QVERIFY(f.open(first));
        QVERIFY(f.addStep("blend"));
        auto* row = f.window.findChild<ImageRow*>();
        QVERIFY(row && row->isVisible());
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(second)});
        const auto dropAt = [&](QWidget& widget, const QPoint& at) {
            // As the desktop does: to the innermost widget that takes drops, and on to its parents.
            QWidget* target = &widget;
            QPoint place = at;
            while (target && !target->acceptDrops()) {
                place = target->mapToParent(place);
                target = target->parentWidget();
            }
            QVERIFY(target);
            QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, {});
            QApplication::sendEvent(target, &enter);
            QVERIFY(enter.isAccepted());
            QDropEvent drop(QPointF(place), Qt::CopyAction, &data, Qt::LeftButton, {});
            QApplication::sendEvent(target, &drop);
        };
        QWidget* around = row->parentWidget()->parentWidget();
        dropAt(*around, QPoint(3, around->height() - 3));
        QTRY_COMPARE(f.document().secondPath(), second);
        QCOMPARE(f.document().filePath(), first);
        QCOMPARE(f.document().pipeline().steps[0].parameters.choice("with"), std::string("second"));
        // A step of one image: the window opens it.
        QVERIFY(f.addStep("median"));
        QWidget* controls = f.window.findChild<QWidget*>(QStringLiteral("stepControls"));
        dropAt(*controls, QPoint(20, 20));
        QTRY_COMPARE(f.document().filePath(), second);
    }

    void f2NamesTheSelectedStepFromAnywhere() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("first.png")));
        QVERIFY(!f.window.actions().nameStep->isEnabled());
        QVERIFY(f.addStep("invert") && f.addStep("median"));
        f.document().setCurrentStep(0);
        f.window.canvas().setFocus();
        f.press(Qt::Key_F2);
        QInputDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = f.window.findChild<QInputDialog*>(QStringLiteral("stepName"))));
        dialog->setTextValue(QStringLiteral("soft"));
        dialog->accept();
        QTRY_COMPARE(f.document().pipeline().steps[0].name, std::string("soft"));
    }

    void itsFileIsNotReplacedUnasked() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("first.png")));
        const QString second = f.scene("second.png", {90, 70});
        f.window.files().openSecond(second);
        QTRY_VERIFY(f.document().second());
        const QByteArray before = bytesOf(second);
        f.window.files().saveResultTo(second);
        QTRY_COMPARE(f.window.messages().count(), 1);
        QCOMPARE(f.window.messages().level(), MessageBar::Level::Warning);
        QCOMPARE(bytesOf(second), before);
    }

    void theCommandLineNamesIt() {
        const CommandLine line =
            parseCommandLine({"warpscope", "a.png", "--second", "mask.png", "b.png"});
        QVERIFY(!line.exitCode);
        QCOMPARE(line.second, QStringLiteral("mask.png"));
        QCOMPARE(line.files, (QStringList{"a.png", "b.png"}));
        QVERIFY(parseCommandLine({"warpscope", "--help"}).message.contains("--second"));
        QCOMPARE(parseCommandLine({"warpscope", "--second"}).exitCode, 2);
    }

    void theRegionIsCroppedByItsKey() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {160, 120})));
        QVERIFY(!f.window.actions().cropToRegion->isEnabled());
        f.document().setRegion(Rect{20, 10, 64, 48});
        f.press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QCOMPARE(f.bridge().result()->levels.front().size(), (Size{64, 48}));
        // The region stands in source pixels: once more it changes nothing but the first column.
        f.document().setRegion(Rect{21, 10, 200, 200});
        f.press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QCOMPARE(f.bridge().result()->levels.front().size(), (Size{63, 48}));
        f.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
    }

    void namesFollowTheirReferences() {
        Document d;
        d.insertStep(0, makeStep("gaussian_blur").value());
        d.insertStep(1, makeStep("median").value());
        QSignalSpy refused(&d, &Document::refused);
        d.setStepName(0, QStringLiteral("soft"));
        d.setStepName(1, QStringLiteral("soft"));
        d.setStepName(1, QStringLiteral("söft"));
        d.setStepName(1, QString(65, QLatin1Char('a')));
        QCOMPARE(refused.count(), 3);
        QCOMPARE(d.undoStack().count(), 3);
        d.setStepName(0, QString());
        QCOMPARE(d.pipeline().steps[0].name, std::string());
        d.undoStack().undo();
        QCOMPARE(d.pipeline().steps[0].name, std::string("soft"));
    }
};

WARPSCOPE_TEST(SecondImageTest)
#include "second_image_test.moc"
