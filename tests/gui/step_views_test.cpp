// Small histograms on the cards, the values after each step, and the look at what one step gives,
// in the window.
#include <QMenu>
#include <QRegularExpression>

#include "gui/display/pixel_values.h"
#include "gui/inspector/step_values.h"
#include "gui/steps/step_card.h"
#include "gui/steps/step_list.h"
#include "gui/widgets/wrap_label.h"
#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

struct StepWindow : WindowFixture {
    explicit StepWindow(const QString& settingsPath = {}) : WindowFixture(settingsPath) {}
    StepList& list = *window.findChild<StepList*>();
    StepValues& values = *window.findChild<StepValues*>();

    bool openWith(std::initializer_list<const char*> steps) {
        if (!open(scene("a.png", {96, 64}))) return false;
        for (const char* step : steps)
            if (!addStep(step)) return false;
        return true;
    }
    Image result() { return bridge().result()->levels.front(); }
    // As by the card's menu.
    void chooseInMenu(int card, const QString& text) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, list.card(card)->rect().center(),
                                list.card(card)->mapToGlobal(list.card(card)->rect().center()));
        QApplication::sendEvent(list.card(card), &event);
        auto* menu = list.findChild<QMenu*>(QStringLiteral("stepMenu"));
        QVERIFY(menu);
        for (QAction* action : menu->actions())
            if (action->text() == text) {
                QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
                QTRY_VERIFY(!list.findChild<QMenu*>(QStringLiteral("stepMenu")));
                return;
            }
        QFAIL("no such entry");
    }
    bool same(const Image& a, const Image& b) {
        if (a.size() != b.size() || a.format() != b.format()) return false;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x)
                for (int c = 0; c < shownChannels(a); ++c)
                    if (shortSample(a, {x, y}, c) != shortSample(b, {x, y}, c)) return false;
        return true;
    }
};

}  // namespace

class StepViewsTest : public QObject {
    Q_OBJECT

  private slots:
    void histogramsComeWhenTheyAreWantedAndFollow() {
        QTemporaryDir kept;
        const QString path = kept.filePath(QStringLiteral("settings.ini"));
        {
            StepWindow f(path);
            QVERIFY(f.openWith({"invert", "gaussian_blur"}));
            QVERIFY(!f.list.card(0)->bars().isVisible());
            QVERIFY(!f.bridge().stepHistograms());
            f.window.actions().stepHistograms->trigger();
            for (int i = 0; i < 2; ++i) {
                QTRY_VERIFY(f.list.card(i)->bars().counts());
                QVERIFY(f.list.card(i)->bars().isVisible());
                QVERIFY(f.list.card(i)->bars().isCurrent());
                QCOMPARE(f.list.card(i)->bars().counts()->channels.front().total(),
                         std::uint64_t(96 * 64));
            }
            const auto before = f.list.card(1)->bars().counts()->channels.front().bins;
            f.document().setStepEnabled(0, false);
            QTRY_VERIFY(f.bridge().stepHistogramsAreCurrent());
            QVERIFY(!f.list.card(0)->bars().counts());
            QVERIFY(f.list.card(1)->bars().counts()->channels.front().bins != before);
            f.window.close();
        }
        StepWindow f(path);
        QVERIFY(f.window.actions().stepHistograms->isChecked());
        QVERIFY(f.openWith({"invert"}));
        QTRY_VERIFY(f.list.card(0)->bars().counts());
        f.window.actions().stepHistograms->trigger();
        QVERIFY(!f.list.card(0)->bars().isVisible());
    }

    void valuesAfterEachStepAreOfThePixelUnderTheMouse() {
        StepWindow f;
        QVERIFY(f.openWith({"invert", "invert"}));
        QVERIFY(!f.values.isVisible());
        f.window.actions().probeSteps->trigger();
        Canvas& canvas = f.window.canvas();
        QTest::mouseMove(&canvas, canvas.rect().center());
        QTest::mouseMove(&canvas, canvas.rect().center() + QPoint(7, 5));
        QTRY_COMPARE(f.values.texts().size(), 2);
        QTRY_VERIFY(f.values.texts().join(QLatin1Char(' ')).contains(QLatin1Char('R')));
        const QStringList texts = f.values.texts();
        const auto numbers = [](const QString& text) {
            QList<int> found;
            for (const QString& word : text.split(QRegularExpression(QStringLiteral("[ \u00a0]"))))
                if (bool ok; word.toInt(&ok), ok && !text.startsWith(word)) found << word.toInt();
            return found;
        };
        const QList<int> first = numbers(texts[0].section(QLatin1String(": "), 1));
        const QList<int> second = numbers(texts[1].section(QLatin1String(": "), 1));
        QCOMPARE(first.size(), 3);
        for (int c = 0; c < 3; ++c) QCOMPARE(first[c] + second[c], 255);
        // A change of the chain asks again.
        f.document().setStepEnabled(0, false);
        QTRY_VERIFY(f.values.texts()[0].endsWith(QStringLiteral("–")));
        QTRY_COMPARE(numbers(f.values.texts()[1].section(QLatin1String(": "), 1)), first);
        f.window.actions().probeSteps->trigger();
        QVERIFY(!f.values.isVisible());
    }

    void oneStepsOutputIsShownUntilEscape() {
        StepWindow f;
        QVERIFY(f.openWith({"invert", "gaussian_blur", "flip_rotate"}));
        const Image all = f.result();
        f.chooseInMenu(0, QStringLiteral("Show what this step gives"));
        QTRY_VERIFY(f.bridge().peek() == 0 && f.bridge().resultIsCurrent());
        QVERIFY(!f.same(f.result(), all));
        QVERIFY(f.window.messages().text().contains(QStringLiteral("step 1")));
        QVERIFY(!f.list.card(0)->peekText().isEmpty());
        QVERIFY(f.list.card(1)->peekText().startsWith(QStringLiteral("Left out")));
        // The timings say that they leave it out, too.
        f.document().setCurrentStep(1);
        const auto said = [&] {
            for (const WrapLabel* label :
                 f.window.findChild<QWidget*>(QStringLiteral("timingsCard"))
                     ->findChildren<WrapLabel*>())
                if (label->text().contains(QStringLiteral("leaves this step out"))) return true;
            return false;
        };
        QTRY_VERIFY(said());
        // A parameter behind it changes nothing that is seen.
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(3));
        QVERIFY(f.document().pipeline().steps[1].enabled);
        f.window.activateWindow();
        f.window.canvas().setFocus();
        QTRY_VERIFY(f.window.canvas().hasFocus());
        f.document().setRegion(Rect{3, 4, 20, 10});
        f.press(Qt::Key_Escape);
        QVERIFY(!f.bridge().peek());
        QVERIFY(f.document().region().has_value());
        f.press(Qt::Key_Escape);
        QVERIFY(!f.document().region());
        QTRY_VERIFY(f.bridge().resultIsCurrent() && f.same(f.result(), all));
        QVERIFY(f.list.card(0)->peekText().isEmpty());
        QVERIFY(!f.window.messages().text().contains(QStringLiteral("step 1")));
    }

    void theMessageAndTheMenuEndItToo() {
        StepWindow f;
        QVERIFY(f.openWith({"invert", "gaussian_blur"}));
        QVERIFY(!f.window.actions().allSteps->isEnabled());
        f.bridge().setPeek(0);
        QVERIFY(f.window.actions().allSteps->isEnabled());
        f.window.actions().allSteps->trigger();
        QVERIFY(!f.bridge().peek());
        f.chooseInMenu(1, QStringLiteral("Show what this step gives"));
        QTRY_COMPARE(f.bridge().peek(), std::optional<int>(1));
        f.chooseInMenu(1, QStringLiteral("Show what all steps give"));
        QTRY_VERIFY(!f.bridge().peek());
    }

    void movingOrRemovingTheStepEndsIt() {
        StepWindow f;
        QVERIFY(f.openWith({"invert", "gaussian_blur", "median"}));
        f.bridge().setPeek(1);
        f.document().setStepEnabled(0, false);
        QCOMPARE(f.bridge().peek(), std::optional<int>(1));
        f.document().removeStep(2);
        QCOMPARE(f.bridge().peek(), std::optional<int>(1));
        f.document().moveStep(1, 0);
        QVERIFY(!f.bridge().peek());
        f.bridge().setPeek(1);
        f.document().removeStep(1);
        QVERIFY(!f.bridge().peek());
        QTRY_VERIFY(f.bridge().resultIsCurrent());
    }
};

WARPSCOPE_TEST(StepViewsTest)
#include "step_views_test.moc"
