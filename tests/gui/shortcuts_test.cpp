// Other keys for the commands: given in the window for that, by key presses, in force at once and
// after a restart.
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTreeWidget>

#include "gui/app/help_windows.h"
#include "gui/app/shortcut_editor.h"
#include "gui/widgets/wrap_label.h"
#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

struct KeysWindow : WindowFixture {
    explicit KeysWindow(const QString& settingsPath = {}) : WindowFixture(settingsPath) {}
    ShortcutEditor* editor = nullptr;

    const Actions& actions() { return window.actions(); }
    bool openEditor() {
        actions().editShortcuts->trigger();
        editor = window.findChild<ShortcutEditor*>();
        return editor && QTest::qWaitForWindowActive(editor);
    }
    QTreeWidgetItem* rowOf(const QString& text) {
        auto* tree = editor->findChild<QTreeWidget*>();
        for (QTreeWidgetItem* item :
             tree->findItems(text, Qt::MatchExactly | Qt::MatchRecursive, 0))
            if (item->parent()) return item;
        return nullptr;
    }
    // A click on the command's row.
    bool choose(const QString& text) {
        auto* tree = editor->findChild<QTreeWidget*>();
        QTreeWidgetItem* item = rowOf(text);
        if (!item) return false;
        tree->scrollToItem(item);
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {},
                          tree->visualItemRect(item).center());
        return tree->currentItem() == item;
    }
    void type(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        auto* edit = editor->findChild<QKeySequenceEdit*>();
        edit->setFocus();
        QTest::keyClick(edit, key, modifiers);
    }
    QPushButton* button(const QString& text) {
        for (auto* found : editor->findChildren<QPushButton*>())
            if (found->text() == text) return found;
        return nullptr;
    }
    void click(const QString& text) { QTest::mouseClick(button(text), Qt::LeftButton); }
    QString said() { return editor->findChild<WrapLabel*>()->text(); }
    bool backToImage() {
        editor->close();
        window.activateWindow();
        if (!QTest::qWaitForWindowActive(&window)) return false;
        window.canvas().setFocus();
        return window.canvas().hasFocus();
    }
};

}  // namespace

class ShortcutsTest : public QObject {
    Q_OBJECT

  private slots:
    void aNewKeyActsAtOnceAndTheOldOneNoMore() {
        KeysWindow f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.openEditor());
        QVERIFY(f.choose(QStringLiteral("Source")));
        f.type(Qt::Key_Q);
        QCOMPARE(f.actions().viewSource->shortcut(), QKeySequence(Qt::Key_Q));
        QCOMPARE(f.rowOf(QStringLiteral("Source"))->text(1), QStringLiteral("Q"));
        QVERIFY(f.actions().viewSource->toolTip().endsWith(QStringLiteral("(Q)")));
        QVERIFY(shortcutsHtml(f.actions()).contains(QStringLiteral(">Q<")));
        QVERIFY(f.backToImage());
        f.press(Qt::Key_2);
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Result);
        f.press(Qt::Key_1);
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Result);
        f.press(Qt::Key_Q);
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Source);
    }

    void aKeyThatIsTakenIsNamedAndCanBeSwapped() {
        KeysWindow f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("invert"));  // "Undo: ..." is still the command Undo
        QVERIFY(f.openEditor());
        QVERIFY(f.choose(QStringLiteral("Undo")));
        f.type(Qt::Key_O, Qt::ControlModifier);
        QVERIFY2(f.said().contains(QStringLiteral("Ctrl+O")) &&
                     f.said().contains(QStringLiteral("Open")),
                 qPrintable(f.said()));
        QCOMPARE(f.actions().undo->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Z));
        QVERIFY(f.button(QStringLiteral("Swap keys"))->isEnabled());
        f.click(QStringLiteral("Swap keys"));
        QCOMPARE(f.actions().undo->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_O));
        QCOMPARE(f.actions().open->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Z));
        QVERIFY(!f.button(QStringLiteral("Swap keys"))->isEnabled());
        // Taking it back leaves the other one without.
        f.click(QStringLiteral("Reset"));
        QCOMPARE(f.actions().undo->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Z));
        QVERIFY(f.actions().open->shortcut().isEmpty());
        f.click(QStringLiteral("Reset all"));
        QCOMPARE(f.actions().open->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_O));
    }

    void keysOfTheImageAndTheMenusStayTheirs() {
        KeysWindow f;
        QVERIFY(f.openEditor());
        QVERIFY(f.choose(QStringLiteral("Undo")));
        for (const auto& [key, modifiers] :
             {std::pair<Qt::Key, Qt::KeyboardModifiers>{Qt::Key_F, Qt::NoModifier},
              {Qt::Key_Minus, Qt::NoModifier},
              {Qt::Key_Left, Qt::ShiftModifier},
              {Qt::Key_F, Qt::AltModifier},
              {Qt::Key_C, Qt::ControlModifier}}) {
            f.type(key, modifiers);
            QVERIFY2(f.said().contains(QStringLiteral("fixed")), qPrintable(f.said()));
            QCOMPARE(f.actions().undo->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Z));
        }
    }

    void aCommandCanBeWithoutKey() {
        KeysWindow f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.openEditor());
        QVERIFY(f.choose(QStringLiteral("Select region")));
        f.click(QStringLiteral("No key"));
        QVERIFY(f.actions().selectRegion->shortcuts().isEmpty());
        QVERIFY(f.backToImage());
        f.press(Qt::Key_R);
        QVERIFY(!f.document().region());
        // Somebody else may have it then.
        QVERIFY(f.openEditor());
        QVERIFY(f.choose(QStringLiteral("Wipe")));
        f.type(Qt::Key_R);
        QVERIFY(f.backToImage());
        f.press(Qt::Key_R);
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Wipe);
        QVERIFY(!f.document().region());
    }

    void keysOfControlsActOnTheImageAlone() {
        KeysWindow f;
        QVERIFY(f.openEditor());
        QVERIFY(f.choose(QStringLiteral("Undo")));
        f.type(Qt::Key_Home);
        QCOMPARE(f.actions().undo->shortcut(), QKeySequence(Qt::Key_Home));
        QCOMPARE(f.actions().undo->shortcutContext(), Qt::WidgetShortcut);
        f.type(Qt::Key_F9);
        QCOMPARE(f.actions().undo->shortcutContext(), Qt::WindowShortcut);
    }

    void theNextStartHasThem() {
        QTemporaryDir kept;
        const QString path = kept.filePath(QStringLiteral("settings.ini"));
        {
            KeysWindow f(path);
            QVERIFY(f.openEditor());
            QVERIFY(f.choose(QStringLiteral("Source")));
            f.type(Qt::Key_J);
            QVERIFY(f.choose(QStringLiteral("Redo")));
            f.click(QStringLiteral("No key"));
            f.window.close();
        }
        {
            KeysWindow f(path);
            QCOMPARE(f.actions().viewSource->shortcut(), QKeySequence(Qt::Key_J));
            QVERIFY(f.actions().redo->shortcuts().isEmpty());
            QVERIFY(f.openEditor());
            f.click(QStringLiteral("Reset all"));
            f.window.close();
        }
        KeysWindow f(path);
        QCOMPARE(f.actions().viewSource->shortcut(), QKeySequence(Qt::Key_1));
        QCOMPARE(f.actions().redo->shortcuts().size(), 2);
    }

    void whatMakesNoSenseInTheFileIsPassedOver() {
        QTemporaryDir kept;
        const QString path = kept.filePath(QStringLiteral("settings.ini"));
        {
            KeysWindow f(path);
            f.window.close();
        }
        {
            QSettings store(path, QSettings::IniFormat);
            store.setValue(QStringLiteral("keys/undo"), QStringLiteral("=F"));  // the image's
            store.setValue(QStringLiteral("keys/redo"), QStringLiteral("nothing of ours"));
            store.setValue(QStringLiteral("keys/open"), QStringLiteral("=Ctrl+Q"));
            store.setValue(QStringLiteral("keys/paste"), QStringLiteral("=Ctrl+Q"));
            store.setValue(QStringLiteral("keys/nobody"), QStringLiteral("=Ctrl+J"));
        }
        KeysWindow f(path);
        QCOMPARE(f.actions().undo->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Z));
        QCOMPARE(f.actions().redo->shortcuts().size(), 2);
        // One of three has it.
        int owners = 0;
        for (const QAction* action : {f.actions().open, f.actions().paste, f.actions().quit})
            owners += int(action->shortcuts().contains(QKeySequence(Qt::CTRL | Qt::Key_Q)));
        QCOMPARE(owners, 1);
        QCOMPARE(f.actions().open->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Q));
    }

    // What keys alone did before: in a menu, and so in the list of commands and with keys of one's
    // own; only where they do something.
    void keysOfComparisonsAreCommandsToo() {
        KeysWindow f;
        QVERIFY(f.open(f.scene("a.png")));
        Canvas& canvas = f.window.canvas();
        const Actions& a = f.actions();
        QVERIFY(!a.turnWipe->isEnabled() && !a.stepUp->isEnabled());
        QVERIFY(a.pixelCursor->isEnabled());
        canvas.setFocus();
        f.press(Qt::Key_4);
        QCOMPARE(canvas.viewMode(), ViewMode::Wipe);
        QVERIFY(a.turnWipe->isEnabled() && a.stepUp->isEnabled() && a.stepDown->isEnabled());
        const WipeLine upright = canvas.wipeLine();
        a.turnWipe->trigger();
        const WipeLine turned = canvas.wipeLine();
        QVERIFY(turned != upright);
        a.stepUp->trigger();
        const WipeLine moved = canvas.wipeLine();
        QVERIFY(moved != turned);
        // The key does the same, once.
        f.press(Qt::Key_BracketLeft);
        QVERIFY(std::abs(canvas.wipeLine().at() - turned.at()) < 1e-9);
        f.press(Qt::Key_T);
        f.press(Qt::Key_BracketRight);
        a.stepDown->trigger();
        f.press(Qt::Key_2);
        QVERIFY(!a.turnWipe->isEnabled() && !a.stepUp->isEnabled());
        QVERIFY(!a.nextDifference->isEnabled());
        QVERIFY(f.openEditor());
        for (const char* name : {"Turn the wipe", "Cursor from pixel to pixel"})
            QVERIFY2(f.rowOf(QLatin1String(name)), name);
    }

    void theSearchFindsCommandsAndKeys() {
        KeysWindow f;
        QVERIFY(f.openEditor());
        auto* filter = f.editor->findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
        QTest::keyClicks(filter, QStringLiteral("wipe"));
        QVERIFY(!f.rowOf(QStringLiteral("Wipe"))->isHidden());
        QVERIFY(f.rowOf(QStringLiteral("Undo"))->isHidden());
        filter->clear();
        QTest::keyClicks(filter, QStringLiteral("ctrl+z"));
        QVERIFY(!f.rowOf(QStringLiteral("Undo"))->isHidden());
        QVERIFY(f.rowOf(QStringLiteral("Wipe"))->isHidden());
    }
};

WARPSCOPE_TEST(ShortcutsTest)
#include "shortcuts_test.moc"
