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
    // A message that comes or goes leaves the picture as it is on the screen, fitted or not;
    // fitted anew it is seen whole in what is left.
    void messagesMoveNothing() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        Canvas& canvas = f.window.canvas();
        MessageBar& bar = f.window.messages();
        QVERIFY(canvas.isFitted());
        const auto onScreen = [&](const QPointF& pixel) {
            return canvas.mapTo(&f.window, canvas.widgetPosition(pixel));
        };
        const auto show = [&] {
            bar.show({MessageBar::Level::Error,
                      QStringLiteral("Something that takes a good many words to say, so "
                                     "that it needs two lines in a narrow window"),
                      {},
                      {},
                      {}});
        };
        const auto say = [&] {
            show();
            QTest::qWait(50);
        };
        // A message that comes with an image is there before anybody looks: that is fitted below.
        const auto coming = connect(&f.document(), &Document::sourceChanged, &bar, show);
        QVERIFY(f.open(f.scene("b.png", {640, 480})));
        disconnect(coming);
        QVERIFY(bar.isVisible());
        QVERIFY(canvas.viewport().visible == (Rect{0, 0, 640, 480}));
        QVERIFY(onScreen({320, 0}).y() >= canvas.y());
        QTest::qWait(1100);
        bar.dismiss();
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        QTest::qWait(1100);
        const double zoom = canvas.zoom();
        QPointF before = onScreen({150, 110});
        const auto stays = [&] { return (onScreen({150, 110}) - before).manhattanLength() <= 1; };
        say();
        QVERIFY(bar.isVisible());
        QVERIFY(canvas.y() >= bar.geometry().bottom() + 1);
        QVERIFY(canvas.isFitted());
        QCOMPARE(canvas.zoom(), zoom);
        QVERIFY(stays());
        QVERIFY(bar.height() >= bar.heightForWidth(bar.width()));
        keep(f.window, "window_message.png");
        bar.dismiss();
        QTest::qWait(50);
        QCOMPARE(canvas.y(), 0);
        QCOMPARE(canvas.zoom(), zoom);
        QVERIFY(stays());
        QVERIFY(canvas.viewport().visible == (Rect{0, 0, 320, 240}));
        // F brings all of it below the message, and it stays there when that goes.
        say();
        f.press(Qt::Key_F);
        QVERIFY(canvas.isFitted());
        QVERIFY(canvas.zoom() < zoom);
        QVERIFY(canvas.viewport().visible == (Rect{0, 0, 320, 240}));
        QVERIFY(onScreen({160, 0}).y() >= bar.mapTo(&f.window, bar.rect().bottomLeft()).y());
        const double below = canvas.zoom();
        before = onScreen({150, 110});
        bar.dismiss();
        QTest::qWait(50);
        QCOMPARE(canvas.zoom(), below);
        QVERIFY(stays());
        // Another size of the window fits it as ever.
        f.window.resize(f.window.size() + QSize(40, 0));
        QTRY_VERIFY(canvas.zoom() >= zoom);
        QVERIFY((canvas.widgetPosition({160, 120}) - QRectF(canvas.rect()).center())
                    .manhattanLength() <= 2);
        canvas.setZoom(7, {100, 100});
        before = onScreen({150, 110});
        say();
        QVERIFY(canvas.y() > 0);
        QVERIFY((onScreen({150, 110}) - before).manhattanLength() <= 1);
        bar.dismiss();
        QTest::qWait(50);
        QVERIFY((onScreen({150, 110}) - before).manhattanLength() <= 1);
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
