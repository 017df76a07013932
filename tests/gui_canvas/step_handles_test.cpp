// Crop and rotate by their handles in the picture, by mouse and keys, in the real window. Truth:
// what lies in the frame on the screen is what the result is.
#include <QAbstractButton>
#include <QSignalSpy>
#include <QUndoStack>
#include <cmath>

#include "gui/canvas/step_handles.h"
#include "gui/display/result_place.h"
#include "gui/window_fixture.h"
#include "support/random_seed.h"
#include "support/test_case.h"

namespace warpscope::gui {

class StepHandlesTest : public QObject {
    Q_OBJECT

    // Small enough to be seen at some units a pixel.
    static constexpr Size kSize{161, 103};

    struct Shown : WindowFixture {
        explicit Shown(const QString& before = {}, const char* added = "crop") {
            if (!open(scene("picture.png", kSize, test::freshSeed()))) qFatal("not opened");
            Pipeline pipeline;
            for (const QString& step : before.split(QLatin1Char(' '), Qt::SkipEmptyParts))
                pipeline.steps.push_back(parseStep(step.toStdString()).value());
            document().replacePipeline(pipeline, QStringLiteral("test"));
            document().addStep(added);
            canvas().setFocus();
            if (!settled() || !waitedFor([&] { return handled() && (!crops() || ready()); }))
                qFatal("no handles");
        }
        Canvas& canvas() { return window.canvas(); }
        QAction& shown() { return *window.actions().stepHandles; }
        const std::optional<HandledStep>& handled() { return canvas().handledStep(); }
        bool crops() { return handled()->kind == HandledStep::Kind::Crop; }
        bool ready() { return handled()->picture != nullptr; }
        bool settled() {
            return waitedFor([&] { return bridge().resultIsCurrent(); });
        }
        const Step& step() {
            return document().pipeline().steps[std::size_t(document().currentStep())];
        }
        Rect cropped() {
            const auto value = [&](const char* id) { return int(step().parameters.integer(id)); };
            return {value("x"), value("y"), value("width"), value("height")};
        }
        double angle() { return step().parameters.real("angle"); }
        int undoCount() { return document().undoStack().index(); }

        // Of a place in what the step is given, in the first pane.
        QPointF placeOf(double x, double y) {
            return canvas().widgetPosition(mapPoint(handled()->sourceFromInput, {x, y}));
        }
        QPointF middleOf(int x, int y) { return placeOf(x + 0.5, y + 0.5); }
        void move(const QPointF& to, Qt::MouseButtons held = {}, Qt::KeyboardModifiers keys = {}) {
            QMouseEvent event(QEvent::MouseMove, to, canvas().mapToGlobal(to), Qt::NoButton, held,
                              keys);
            QApplication::sendEvent(&canvas(), &event);
        }
        void grab(const QPointF& from, const QPointF& to, Qt::KeyboardModifiers keys = {}) {
            QTest::mousePress(&canvas(), Qt::LeftButton, keys, from.toPoint());
            move((from + to) / 2, Qt::LeftButton, keys);
            move(to, Qt::LeftButton, keys);
        }
        void drag(const QPointF& from, const QPointF& to, Qt::KeyboardModifiers keys = {}) {
            grab(from, to, keys);
            QTest::mouseRelease(&canvas(), Qt::LeftButton, keys, to.toPoint());
        }
        Image result() { return bridge().result()->levels.front(); }
        QColor seenAt(const QImage& picture, const QPointF& place) {
            const QPointF device = place * canvas().devicePixelRatioF();
            return picture.pixelColor(int(std::floor(device.x())), int(std::floor(device.y())));
        }
        QImage shot(const char* name = nullptr) {
            const QString shots = qEnvironmentVariable("WARPSCOPE_SHOTS");
            if (name && !shots.isEmpty())
                window.grab().save(QDir(shots).filePath(QStringLiteral("%1.png").arg(name)));
            return canvas().grab().toImage();
        }
        // Every few pixels in the frame on the screen are those of the result.
        bool frameIsResult() {
            const Rect frame = handled()->window;
            const QImage seen = shot();
            const Image made = result();
            if (made.size() != frame.size()) return false;
            // The handles hide what is under them.
            for (int y = 5; y < frame.height - 5; y += 3)
                for (int x = 5; x < frame.width - 5; x += 3) {
                    if (std::abs(2 * x - frame.width) < 12 && std::abs(2 * y - frame.height) < 12)
                        continue;
                    const auto* p = made.view<std::uint8_t>().row(y) + std::ptrdiff_t(x) * 4;
                    const QPointF at = middleOf(frame.x + x, frame.y + y);
                    if (at.y() < 40) continue;  // the caption
                    if (seenAt(seen, at) != QColor(p[0], p[1], p[2])) return false;
                }
            return true;
        }
        // Where the mouse over a straight line first becomes the turning one; nowhere: null.
        QPointF gripFrom(const QPointF& middle, const QPointF& direction) {
            for (int i = 12; i < 400; ++i) {
                move(middle + i * direction);
                if (canvas().cursor().shape() == Qt::BitmapCursor)
                    return middle + (i + 8) * direction;
            }
            return {};
        }
        QPointF turnMiddle() {
            return canvas().widgetPositionInResult(
                mapPoint(handled()->sourceFromInput,
                         {handled()->input.width / 2.0, handled()->input.height / 2.0}));
        }
    };

    static QPoint chance(const Rect& within) {
        QRandomGenerator* random = test::freshRandom();
        return {random->bounded(within.x, within.x + within.width),
                random->bounded(within.y, within.y + within.height)};
    }

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void cropsBehind_data() {
        QTest::addColumn<QString>("before");
        QTest::newRow("nothing") << QString();
        QTest::newRow("another crop") << QStringLiteral("crop:x=23,y=11,width=121,height=83");
        for (const char* how :
             {"rotate_90", "rotate_180", "rotate_270", "flip_horizontal", "transpose"})
            QTest::newRow(how) << QStringLiteral("flip_rotate:operation=%1").arg(how);
        QTest::newRow("rotate") << QStringLiteral("rotate:angle=17.5");
        QTest::newRow("crop, turn, filter") << QStringLiteral(
            "crop:x=23,y=11,width=121,height=83 "
            "flip_rotate:operation=rotate_270 invert");
    }

    void cropsBehind() {
        QFETCH(QString, before);
        Shown f(before);
        const Size input = f.handled()->input;
        // All of it at first, and nothing is darker.
        QCOMPARE(f.handled()->window, (Rect{0, 0, input.width, input.height}));
        QCOMPARE(f.canvas().viewMode(), ViewMode::Result);
        QVERIFY(f.frameIsResult());
        const int undo = f.undoCount();
        const QPoint near = chance({8, 8, 16, 12});
        const QPoint far = chance({input.width - 24, input.height - 20, 16, 12});
        f.drag(f.placeOf(0, 0), f.middleOf(near.x(), near.y()));
        QCOMPARE(f.cropped(), (Rect{near.x(), near.y(), 0, 0}));  // on to the edge by itself
        QCOMPARE(f.undoCount(), undo + 1);
        f.drag(f.placeOf(input.width, input.height), f.middleOf(far.x(), far.y()));
        const Rect wanted{near.x(), near.y(), far.x() - near.x() + 1, far.y() - near.y() + 1};
        QCOMPARE(f.cropped(), wanted);
        QCOMPARE(f.undoCount(), undo + 2);
        QVERIFY(f.settled());
        QVERIFY(f.frameIsResult());
        f.shot(
            qPrintable(QStringLiteral("handles_%1").arg(QLatin1String(QTest::currentDataTag()))));
        // Hidden, and shown again after the step was off.
        f.shown().setChecked(false);
        f.document().setStepEnabled(f.document().currentStep(), false);
        QVERIFY(f.settled());
        f.document().setStepEnabled(f.document().currentStep(), true);
        f.shown().setChecked(true);
        QVERIFY(f.settled());
        QTRY_VERIFY(f.handled() && f.ready());
        QVERIFY(f.frameIsResult());
        f.document().undoStack().undo();
        f.document().undoStack().undo();
        f.document().undoStack().undo();
        f.document().undoStack().undo();
        QCOMPARE(f.cropped(), (Rect{0, 0, 0, 0}));
        QCOMPARE(f.handled()->window, (Rect{0, 0, input.width, input.height}));
    }

    void whatIsOutsideIsDarker() {
        Shown f;
        const QPoint pixel = chance({5, 5, 20, 90});
        const QColor bright = f.seenAt(f.shot(), f.middleOf(pixel.x(), pixel.y()));
        f.drag(f.placeOf(0, kSize.height / 2.0), f.middleOf(40, 50));
        QCOMPARE(f.cropped(), (Rect{40, 0, 0, 0}));
        const QColor dark = f.seenAt(f.shot(), f.middleOf(pixel.x(), pixel.y()));
        QVERIFY(dark.red() <= bright.red() * 0.6 && dark.green() <= bright.green() * 0.6);
    }

    void theMiddleMovesAndKeysDo() {
        Shown f;
        f.document().setStepValues(0, parseStep("crop:x=30,y=20,width=80,height=60")->parameters,
                                   f.step().variant, QStringLiteral("test"));
        f.move(f.placeOf(70, 50));
        QCOMPARE(f.canvas().cursor().shape(), Qt::SizeAllCursor);
        f.move(f.placeOf(110, 50));
        QCOMPARE(f.canvas().cursor().shape(), Qt::SizeHorCursor);
        f.move(f.placeOf(30, 20));
        QCOMPARE(f.canvas().cursor().shape(), Qt::SizeFDiagCursor);
        f.drag(f.middleOf(69, 49), f.middleOf(79, 43));
        QCOMPARE(f.cropped(), (Rect{40, 14, 80, 60}));
        const int undo = f.undoCount();
        f.press(Qt::Key_Right);
        f.press(Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(f.cropped(), (Rect{41, 24, 80, 60}));
        f.press(Qt::Key_Left, Qt::ControlModifier);
        f.press(Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(f.cropped(), (Rect{41, 24, 79, 70}));
        QCOMPARE(f.undoCount(), undo + 4);
        for (int i = 0; i < 9; ++i) f.press(Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(f.cropped(), (Rect{kSize.width - 79, 24, 79, 70}));
        QVERIFY(f.settled());
        QVERIFY(f.frameIsResult());
        // Elsewhere a drag moves the picture.
        f.canvas().setZoom(f.canvas().zoom() * 2, f.placeOf(100, 60));
        const Rect seen = f.canvas().viewport().visible;
        f.drag(f.placeOf(100, 45), f.placeOf(96, 40));
        QVERIFY(f.canvas().viewport().visible != seen);
        QCOMPARE(f.cropped(), (Rect{kSize.width - 79, 24, 79, 70}));
    }

    void zoomedIn() {
        Shown f(QStringLiteral("crop:x=23,y=11,width=121,height=83"));
        f.document().setStepValues(1, parseStep("crop:x=30,y=20,width=50,height=40")->parameters,
                                   f.step().variant, QStringLiteral("test"));
        f.canvas().setZoom(24 * f.canvas().devicePixelRatioF(), f.placeOf(30, 20));
        const auto seen = f.canvas().viewport().visible;
        const QPoint to = chance({26, 17, 9, 7});
        f.drag(f.placeOf(30, 20), f.middleOf(to.x(), to.y()));
        QCOMPARE(f.cropped(), (Rect{to.x(), to.y(), 80 - to.x(), 60 - to.y()}));
        QCOMPARE(f.canvas().viewport().visible, seen);
        // The corner that a key moves comes into sight.
        f.press(Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(f.cropped(), (Rect{to.x(), to.y(), 81 - to.x(), 60 - to.y()}));
        QVERIFY(contains(f.canvas().viewport().visible, {23 + 80, 11 + 59, 1, 1}));
    }

    // A frame that is turned against the source, whole in sight.
    void turnedOverTheSource() {
        Shown f(QStringLiteral("rotate:angle=31,canvas=expand"));
        f.canvas().setViewMode(ViewMode::Source);
        const Size input = f.handled()->input;
        for (const QPoint& corner : {QPoint(0, 0), QPoint(input.width, 0),
                                     QPoint(input.width, input.height), QPoint(0, input.height)})
            QVERIFY(f.canvas().rect().contains(f.placeOf(corner.x(), corner.y()).toPoint()));
        f.drag(f.placeOf(0, 0), f.middleOf(40, 30));
        QCOMPARE(f.cropped(), (Rect{40, 30, 0, 0}));
        f.press(Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(f.cropped(), (Rect{40, 30, 0, 0}));  // there is no more
        f.press(Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(f.cropped(), (Rect{40, 30, input.width - 41, 0}));
        QVERIFY(f.settled());
        f.canvas().setViewMode(ViewMode::Result);
        QVERIFY(f.frameIsResult());
    }

    void arrowsGoWhereTheyPoint() {
        Shown f(QStringLiteral("flip_rotate:operation=rotate_90"));
        f.document().setStepValues(1, parseStep("crop:x=30,y=20,width=50,height=60")->parameters,
                                   f.step().variant, QStringLiteral("test"));
        f.press(Qt::Key_Right);
        QCOMPARE(f.cropped(), (Rect{31, 20, 50, 60}));
        // Over the source they point elsewhere: its upper side is the result's right one.
        f.canvas().setViewMode(ViewMode::Source);
        f.press(Qt::Key_Right);
        QCOMPARE(f.cropped(), (Rect{31, 21, 50, 60}));
        f.press(Qt::Key_Up);
        QCOMPARE(f.cropped(), (Rect{32, 21, 50, 60}));
        f.press(Qt::Key_Right, Qt::ControlModifier);  // the far corner, as it is shown
        QCOMPARE(f.cropped(), (Rect{32, 21, 50, 61}));
        f.press(Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(f.cropped(), (Rect{31, 21, 51, 61}));
    }

    void escapeRestoresThenLeaves() {
        Shown f;
        const int undo = f.undoCount();
        f.grab(f.placeOf(kSize.width, kSize.height), f.middleOf(90, 60));
        QCOMPARE(f.cropped(), (Rect{0, 0, 91, 61}));  // at once
        QVERIFY(f.document().interacting());
        f.press(Qt::Key_Escape);
        QCOMPARE(f.cropped(), (Rect{0, 0, 0, 0}));
        QCOMPARE(f.undoCount(), undo);
        QVERIFY(!f.document().interacting());
        f.move(f.middleOf(70, 50), Qt::LeftButton);
        QTest::mouseRelease(&f.canvas(), Qt::LeftButton, {}, f.middleOf(70, 50).toPoint());
        QCOMPARE(f.cropped(), (Rect{0, 0, 0, 0}));
        f.drag(f.placeOf(kSize.width, kSize.height), f.middleOf(90, 60));
        QVERIFY(f.settled());
        QVERIFY(f.shown().isChecked());
        f.press(Qt::Key_Escape);
        QVERIFY(!f.shown().isChecked() && !f.handled());
        QCOMPARE(f.canvas().view().transform().imageSize(), (Size{91, 61}));
        f.press(Qt::Key_H);
        QVERIFY(f.handled().has_value());
        QCOMPARE(f.canvas().view().transform().imageSize(), kSize);
        f.press(Qt::Key_Return);
        QVERIFY(!f.handled());
    }

    void theyComeAndGo() {
        Shown f;
        QVERIFY(f.shown().isEnabled() && f.shown().isChecked());
        auto* button = f.window.findChild<QAbstractButton*>(QStringLiteral("stepHandles"));
        QVERIFY(button && button->isChecked());
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!f.handled() && !button->isChecked());
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(f.handled().has_value() && button->isChecked());
        QVERIFY(f.canvas().hasFocus());
        // Another step has none; back at the crop they are here again.
        f.document().addStep("invert");
        QVERIFY(!f.handled() && !f.shown().isEnabled());
        f.document().setCurrentStep(0);
        QVERIFY(f.handled().has_value());
        f.document().setStepEnabled(0, false);
        QVERIFY(!f.handled());
        f.document().setStepEnabled(0, true);
        QVERIFY(f.handled().has_value());
        f.bridge().setPeek(0);
        QVERIFY(!f.handled());
        f.bridge().setPeek(std::nullopt);
        QVERIFY(f.handled().has_value());
        // Without the step, and without the image of before.
        const QString other = f.scene("other.png", {90, 200}, 3);
        QVERIFY(f.open(other));
        QTRY_VERIFY(f.handled() && f.handled()->input == (Size{90, 200}));
        f.document().removeStep(0);
        QVERIFY(!f.handled());
        f.document().undoStack().undo();
        QVERIFY(f.handled().has_value());
        // A step that came by other ways does not bring them.
        f.shown().setChecked(false);
        f.document().duplicateStep(0);
        QVERIFY(!f.handled());
        f.document().addStep("rotate");
        QVERIFY(f.handled().has_value());
    }

    void overTheSourceToo() {
        Shown f(QStringLiteral("crop:x=23,y=11,width=121,height=83"));
        for (const ViewMode mode : {ViewMode::Source, ViewMode::SideBySide, ViewMode::Wipe}) {
            f.document().resetStep(1);
            QVERIFY(f.settled());
            f.canvas().setViewMode(mode);
            f.drag(f.placeOf(0, 0), f.middleOf(30, 20));
            QCOMPARE(f.cropped(), (Rect{30, 20, 0, 0}));
            QVERIFY(f.settled());
            f.shot(qPrintable(QStringLiteral("handles_view_%1").arg(int(mode))));
            // The pane of the result has none.
            if (mode != ViewMode::SideBySide) continue;
            f.move(f.canvas().widgetPositionInResult({23 + 30, 11 + 20}));
            QVERIFY(f.canvas().cursor().shape() != Qt::SizeFDiagCursor);
        }
    }

    void aCropBeyondTheImageIsBroughtBack() {
        Shown f;
        f.document().setStepValues(0, parseStep("crop:x=100,y=50,width=500,height=30")->parameters,
                                   f.step().variant, QStringLiteral("test"));
        QCOMPARE(f.handled()->window, (Rect{100, 50, kSize.width - 100, 30}));
        f.press(Qt::Key_Up);
        QCOMPARE(f.cropped(), (Rect{100, 49, kSize.width - 100, 30}));
        QVERIFY(f.settled());
        QCOMPARE(f.result().size(), (Size{kSize.width - 100, 30}));
    }

    void pixelsAreReadWhereTheyAre() {
        Shown f(QStringLiteral("flip_rotate:operation=rotate_180"));
        f.drag(f.placeOf(0, 0), f.middleOf(40, 30));
        QVERIFY(f.settled());
        QSignalSpy spy(&f.canvas(), &Canvas::cursorPixelChanged);
        f.move(f.middleOf(60, 50));
        QCOMPARE(spy.last()[0].toPoint(), QPoint(kSize.width - 61, kSize.height - 51));
        QCOMPARE(spy.last()[1].toPoint(), QPoint(20, 20));
        f.move(f.middleOf(20, 20));
        QCOMPARE(spy.last()[0].toPoint(), QPoint(kSize.width - 21, kSize.height - 21));
        QCOMPARE(spy.last()[1].toPoint(), kNoPixel);
    }

    void rotatesByItsGrip() {
        Shown f({}, "rotate");
        const int undo = f.undoCount();
        const QPointF middle = f.turnMiddle();
        const QPointF top = f.gripFrom(middle, {0, -1});
        QVERIFY(!top.isNull());
        const double arm = middle.y() - top.y();
        // Not so little that Shift puts it back where it was: that is no step to undo.
        const auto random = test::freshRandom();
        const double turn = (random->bounded(2) ? 1 : -1) * random->bounded(100, 1700) / 10.0;
        const auto to = [&](double degrees) {
            const double a = degrees * std::numbers::pi / 180;
            return middle + arm * QPointF(std::sin(a), -std::cos(a));
        };
        // By several moves, as a hand does it.
        QTest::mousePress(&f.canvas(), Qt::LeftButton, {}, top.toPoint());
        for (int i = 1; i <= 20; ++i) f.move(to(turn * i / 20), Qt::LeftButton);
        QVERIFY2(std::abs(f.angle() - turn) < 1.5,
                 qPrintable(QStringLiteral("%1 for %2").arg(f.angle()).arg(turn)));
        QCOMPARE(f.angle(), std::round(f.angle() * 10) / 10);
        f.shot("handles_rotate");
        f.move(to(turn), Qt::LeftButton, Qt::ShiftModifier);
        QCOMPARE(f.angle(), 15 * std::round(f.angle() / 15));
        QVERIFY(std::abs(f.angle() - turn) <= 9);
        QTest::mouseRelease(&f.canvas(), Qt::LeftButton, {}, to(turn).toPoint());
        QCOMPARE(f.undoCount(), undo + 1);
        QVERIFY(f.settled());
        // The grip is where the picture's top is now.
        const double held = f.angle();
        QVERIFY(!f.gripFrom(f.turnMiddle(), (to(held) - middle) / arm).isNull());
        f.press(Qt::Key_Right);
        QCOMPARE(f.angle(), held + 1);
        f.press(Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(f.angle(), held - 9);
        f.press(Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(f.angle(), held - 8.9);
        for (int i = 0; i < 4; ++i) f.document().undoStack().undo();
        QCOMPARE(f.angle(), 0.0);
        QVERIFY(f.settled());
        // Escape takes a drag back.
        QTest::mousePress(&f.canvas(), Qt::LeftButton, {}, top.toPoint());
        f.move(to(45), Qt::LeftButton);
        QVERIFY(f.angle() > 40);
        f.press(Qt::Key_Escape);
        QCOMPARE(f.angle(), 0.0);
        QCOMPARE(f.undoCount(), undo);
        QTest::mouseRelease(&f.canvas(), Qt::LeftButton, {}, to(45).toPoint());
        QCOMPARE(f.angle(), 0.0);
    }

    // Pure values: whatever turns the picture before and after, the grip goes with the mouse.
    void theGripFollowsTheMouse() {
        ViewTransform transform;
        transform.setPaneSize({400, 400});
        transform.setImageSize({200, 200});
        transform.fit();
        const PixelMap maps[] = {{},
                                 {0, 1, 0, -1, 0, 200},
                                 {-1, 0, 200, 0, 1, 0},
                                 {0.5, 0, 0, 0, 0.5, 0},
                                 {0.8, 0.6, -40, -0.6, 0.8, 80}};
        for (const PixelMap& map : maps) {
            HandledStep step;
            step.kind = HandledStep::Kind::Rotate;
            step.input = {200, 200};
            step.resultFromOutput = map;
            StepHandles handles;
            handles.set(step);
            const StepHandles::Pane pane{PaneView(transform), true, 1};
            const auto gripAt = [&](double degrees) {
                const double a = degrees * std::numbers::pi / 180;
                QPointF to = mapVector(map, {std::sin(a), -std::cos(a)});
                to *= 128 / std::hypot(to.x(), to.y());
                return QPointF(200, 200) + to;
            };
            QVERIFY(handles.isAt(gripAt(0), pane) && !handles.isAt(gripAt(30), pane));
            handles.grab(gripAt(0), pane);
            QVERIFY(handles.dragTo(gripAt(37.4), pane, false));
            QCOMPARE(handles.step()->angle, 37.4);
            QVERIFY(handles.dragTo(gripAt(-172.6), pane, false));
            QCOMPARE(handles.step()->angle, -172.6);
            QVERIFY(handles.dragTo(gripAt(-172.6), pane, true));
            QCOMPARE(handles.step()->angle, 15 * std::round(-172.6 / 15));
            QVERIFY(handles.restore());
            QCOMPARE(handles.step()->angle, 0.0);
            handles.release();
            QVERIFY(!handles.dragTo(gripAt(10), pane, false));
        }
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::StepHandlesTest)
#include "step_handles_test.moc"
