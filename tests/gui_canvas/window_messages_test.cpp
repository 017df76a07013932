// Where messages stand, and what the status bar says of the result.
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "gui/steps/step_card.h"
#include "gui/steps/step_list.h"
#include "gui/window_fixture.h"
#include "pipeline/fake_backend.h"
#include "support/test_case.h"

namespace warpscope::gui {

class WindowMessagesTest : public QObject {
    Q_OBJECT

    static void keep(QWidget& widget, const char* name) {
        const QString folder = qEnvironmentVariable("WARPSCOPE_SHOTS");
        if (!folder.isEmpty()) widget.grab().save(QDir(folder).filePath(QLatin1String(name)));
    }
    static bool anyLabel(QWidget& window, const QString& part) {
        for (const QLabel* label : window.findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(part)) return true;
        return false;
    }

  private slots:
    // A fitted picture is whole below a message, and moves no more than it must for that.
    void messagesCoverNothing_data() {
        QTest::addColumn<QSize>("image");
        QTest::newRow("there is room beside it") << QSize(640, 120);
        QTest::newRow("it fills the canvas") << QSize(320, 480);
    }

    void messagesCoverNothing() {
        QFETCH(const QSize, image);
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {image.width(), image.height()})));
        Canvas& canvas = f.window.canvas();
        MessageBar& bar = f.window.messages();
        const auto onScreen = [&](const QPointF& pixel) {
            return canvas.mapTo(&f.window, canvas.widgetPosition(pixel));
        };
        const auto whole = [&] {
            const Rect all{0, 0, image.width(), image.height()};
            const QPointF corner = canvas.widgetPosition({0, 0});
            const QPointF end =
                canvas.widgetPosition({double(image.width()), double(image.height())});
            return canvas.isFitted() && canvas.viewport().visible == all && corner.y() > -1 &&
                   end.y() < canvas.height() + 1 && corner.x() > -1 && end.x() < canvas.width() + 1;
        };
        QVERIFY(whole());
        const double zoom = canvas.zoom();
        const QPointF before = onScreen({150, 110});
        const auto stays = [&] { return (onScreen({150, 110}) - before).manhattanLength() <= 1; };
        bar.show({MessageBar::Level::Error,
                  QStringLiteral("Something that takes a good many words to say, so that it needs "
                                 "two lines in a narrow window")});
        QTest::qWait(50);
        QVERIFY(bar.isVisible());
        QVERIFY(bar.height() >= bar.heightForWidth(bar.width()));
        QCOMPARE(canvas.mapTo(&f.window, QPoint()).y(),
                 bar.mapTo(&f.window, QPoint(0, bar.height())).y());
        QVERIFY(whole());
        if (image.width() > image.height()) QVERIFY(stays());
        keep(f.window, "window_message.png");
        // Fit never ignores it.
        const double below = canvas.zoom();
        f.press(Qt::Key_F);
        QVERIFY(whole());
        QCOMPARE(canvas.zoom(), below);
        f.press(Qt::Key_1, Qt::ControlModifier);
        f.press(Qt::Key_0, Qt::ControlModifier);
        QVERIFY(whole());
        QCOMPARE(canvas.zoom(), below);
        // Nor does another window.
        f.window.resize(f.window.size() - QSize(0, 60));
        QTRY_VERIFY(whole());
        f.window.resize(f.window.size() + QSize(0, 60));
        QTRY_VERIFY(whole() && canvas.zoom() == below);
        QTest::mouseClick(bar.findChild<QToolButton*>(QStringLiteral("messageClose")),
                          Qt::LeftButton);
        QTest::qWait(50);
        QCOMPARE(canvas.y(), 0);
        QVERIFY(whole());
        QCOMPARE(canvas.zoom(), zoom);
        // One that was zoomed by hand stays where it is.
        canvas.setZoom(7, QRectF(canvas.rect()).center());
        const QPointF zoomed = onScreen({150, 60});
        const auto staysZoomed = [&] {
            return (onScreen({150, 60}) - zoomed).manhattanLength() <= 1;
        };
        bar.show({MessageBar::Level::Error, QStringLiteral("broken")});
        QTest::qWait(50);
        QVERIFY(canvas.y() > 0);
        QVERIFY(staysZoomed());
        bar.dismiss();
        QTest::qWait(50);
        QVERIFY(staysZoomed());
        QCOMPARE(canvas.zoom(), 7.0);
    }

    // What has just been done is said at the foot of the window, where it moves nothing.
    void notesMoveNothing() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {320, 480})));
        Canvas& canvas = f.window.canvas();
        MessageBar& bar = f.window.messages();
        auto* note = f.window.findChild<QLabel*>(QStringLiteral("statusNote"));
        const QRect place = canvas.geometry();
        const double zoom = canvas.zoom();
        const int foot = f.window.status().height();
        f.press(Qt::Key_C, Qt::ControlModifier);
        QTRY_VERIFY(note->isVisible());
        QVERIFY2(note->text().contains(QStringLiteral("copied")), qPrintable(note->text()));
        QVERIFY(note->width() >= note->sizeHint().width());
        QTest::qWait(50);
        QVERIFY(!bar.isVisible());
        QCOMPARE(canvas.geometry(), place);
        QCOMPARE(canvas.zoom(), zoom);
        QCOMPARE(f.window.status().height(), foot);
        keep(f.window, "window_note.png");
        // Beside a warning, which stays above the picture.
        bar.show({MessageBar::Level::Warning, QStringLiteral("of another kind")});
        QVERIFY(!note->isVisible());
        bar.show({MessageBar::Level::Info, QStringLiteral("Saved a")});
        QVERIFY(bar.isVisible() && note->isVisible());
        QCOMPARE(note->text(), QStringLiteral("Saved a"));
        QVERIFY(anyLabel(bar, QStringLiteral("of another kind")));
        QVERIFY(!anyLabel(bar, QStringLiteral("Saved a")));
        // A click takes it away, and the warning stays.
        QTest::mouseClick(note, Qt::LeftButton);
        QVERIFY(!note->isVisible());
        QCOMPARE(bar.text(), QStringLiteral("of another kind"));
        bar.dismiss();
        // What has no room there, and what is said while nobody sees that line, stands above.
        const QString longer = QStringLiteral("Saved ") + QString(400, QLatin1Char('w'));
        bar.show({MessageBar::Level::Info, longer});
        QVERIFY(bar.isVisible() && !note->isVisible());
        bar.dismiss();
        f.press(Qt::Key_F10);
        QTRY_VERIFY(!f.window.status().isVisible());
        bar.show({MessageBar::Level::Info, QStringLiteral("Saved b")});
        QVERIFY(bar.isVisible());
        QVERIFY(anyLabel(bar, QStringLiteral("Saved b")));
    }

    // Work that can be cancelled stays within reach.
    void notesLeaveRoomForWork() {
        WindowFixture f;
        StatusBar& status = f.window.status();
        auto* note = f.window.findChild<QLabel*>(QStringLiteral("statusNote"));
        auto* cancel = f.window.findChild<QToolButton*>(QStringLiteral("statusCancel"));
        QVERIFY(status.showNote(QStringLiteral("Saved a")));
        status.beginWork(QStringLiteral("Computing"));
        QTRY_VERIFY(cancel->isVisible() && !note->geometry().intersects(cancel->geometry()));
        QVERIFY(note->isVisible() && note->width() >= note->sizeHint().width());
        status.endWork();
        QTRY_COMPARE(note->width(), status.width());
        QVERIFY(!status.showNote(QString()));
        QVERIFY(!note->isVisible());
    }

    void aFailureIsSaidOnceAndGoes() {
        // No backend here can equalize.
        WindowFixture f({}, [] {
            BackendSet set = BackendSet::cpuOnly("test");
            for (BackendPtr* backend : {&set.cpuSingle, &set.cpu}) {
                auto fake = std::make_shared<test::FakeBackend>((*backend)->info().kind);
                fake->unsupported = "equalize";
                *backend = fake;
            }
            return set;
        });
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        QVERIFY(f.addStep("gaussian_blur"));
        MessageBar& bar = f.window.messages();
        f.document().insertStep(1, makeStep("equalize").value());
        for (int i = 1; i < 4; ++i) {
            QTRY_VERIFY(f.bridge().stepFailure() && bar.isVisible());
            QCOMPARE(bar.count(), 1);
            f.document().setParameter(0, "sigma", 1.0 + i, EditPhase::Single);
            QVERIFY(!f.bridge().stepFailure());
        }
        QTRY_VERIFY(f.bridge().stepFailure());
        QTest::mouseClick(bar.findChild<QToolButton*>(QStringLiteral("messageClose")),
                          Qt::LeftButton);
        QVERIFY(!bar.isVisible());
        f.document().setParameter(0, "sigma", 2.5, EditPhase::Single);
        QTRY_VERIFY(bar.isVisible());
        f.document().setStepEnabled(1, false);
        QTRY_VERIFY(!bar.isVisible());
        f.document().setStepEnabled(1, true);
        QTRY_VERIFY(bar.isVisible());
        f.document().removeStep(1);
        QTRY_VERIFY(!bar.isVisible());
    }

    // Its buttons are not to move away under the cursor that has just pressed one.
    void messagesLieOverTheEmptyCanvas() {
        WindowFixture f;
        auto* open = f.window.findChild<QPushButton*>(QStringLiteral("openImage"));
        const QPoint before = open->mapTo(&f.window, QPoint());
        f.window.messages().show({MessageBar::Level::Error, QStringLiteral("not an image")});
        QTest::qWait(50);
        QVERIFY(f.window.messages().isVisible());
        QCOMPARE(open->mapTo(&f.window, QPoint()), before);
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        QTRY_VERIFY(f.window.canvas().y() > 0);
    }

    void theStatusBarNamesTheSizeOfTheResult() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        const auto said = [&](const char* text) {
            return anyLabel(f.window.status(), QString::fromUtf8(text));
        };
        QVERIFY(f.addStep("crop"));
        QVERIFY(said("320 × 240") && !said("result "));
        f.document().setParameter(0, "width", std::int64_t{77}, EditPhase::Single);
        QTRY_VERIFY(said("result 77 × 240"));
        // A smaller image that the step does not fit: passed over, in words on its card alone.
        f.document().setParameter(0, "x", std::int64_t{200}, EditPhase::Single);
        QVERIFY(f.open(f.scene("b.png", {160, 120})));
        QTRY_VERIFY(f.bridge().histogramsAreCurrent());
        QVERIFY(!said("result "));
        QVERIFY(!f.window.messages().isVisible());
        QCOMPARE(f.bridge().histograms()->result.size, (Size{160, 120}));
        auto* list = f.window.findChild<StepList*>(QStringLiteral("stepList"));
        QTRY_VERIFY(list->card(0)->warningText().contains(QStringLiteral("160 x 120")));
        // Mended, it is computed again.
        f.document().setParameter(0, "x", std::int64_t{10}, EditPhase::Single);
        QTRY_VERIFY(said("result 77 × 120"));
        QTRY_VERIFY(list->card(0)->warningText().isEmpty());
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::WindowMessagesTest)
#include "window_messages_test.moc"
