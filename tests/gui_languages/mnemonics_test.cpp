// Alt and a letter, or the letter alone in an open menu, chooses one entry and no other.
#include <QContextMenuEvent>
#include <QMenu>
#include <QMenuBar>

#include "every_widget.h"
#include "gui/app/languages.h"
#include "gui/steps/step_card.h"
#include "gui/steps/step_list.h"
#include "support/test_case.h"

namespace warpscope::gui {
namespace {

// "g: Open as second ima&ge…, Previous open ima&ge", a line for each letter that several entries of
// these have.
QStringList sharedLetters(const QList<QAction*>& entries, int* letters) {
    QMap<QString, QStringList> named;
    for (const QAction* entry : entries)
        if (const auto keys = QKeySequence::mnemonic(entry->text());
            entry->isVisible() && !entry->isSeparator() && !keys.isEmpty())
            named[keys.toString()] << entry->text();
    *letters += int(named.size());
    QStringList shared;
    for (auto it = named.cbegin(); it != named.cend(); ++it)
        if (it->size() > 1) shared << it.key() + QStringLiteral(": ") + it->join(u", ");
    return shared;
}

}  // namespace

class MnemonicsTest : public QObject {
    Q_OBJECT

  private slots:
    void cleanup() { installLanguage(QStringLiteral("en")); }

    void chooseOneEntry_data() {
        QTest::addColumn<QString>("language");
        for (const Language& language : languages())
            QTest::newRow(qPrintable(language.id)) << language.id;
    }

    void chooseOneEntry() {
        QFETCH(const QString, language);
        installLanguage(language);
        EverythingOpen everything;
        QVERIFY(everything.ok);
        MainWindow& window = everything.f.window;
        const std::unique_ptr<QMenu> canvas(window.actions().canvasMenu(&window));
        auto* list = window.findChild<StepList*>();
        QVERIFY(list->count() > 0);
        const QPoint middle = list->card(0)->rect().center();
        QContextMenuEvent asked(QContextMenuEvent::Mouse, middle,
                                list->card(0)->mapToGlobal(middle));
        QApplication::sendEvent(list->card(0), &asked);
        QVERIFY(window.findChild<QMenu*>(QStringLiteral("stepMenu")));

        QStringList wrong;
        int letters = 0, menus = 0;
        const auto look = [&](const QString& where, const QList<QAction*>& entries) {
            for (const QString& letter : sharedLetters(entries, &letters))
                wrong << where + QStringLiteral(": ") + letter;
            ++menus;
        };
        look(QStringLiteral("menu bar"), window.menuBar()->actions());
        for (QWidget* top : QApplication::topLevelWidgets()) {
            QList<QMenu*> all = top->findChildren<QMenu*>();
            if (auto* menu = qobject_cast<QMenu*>(top)) all << menu;
            for (QMenu* menu : all) {
                emit menu->aboutToShow();
                look(menu->title() + menu->objectName(), menu->actions());
            }
        }
        window.findChild<QMenu*>(QStringLiteral("stepMenu"))->close();
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
        QVERIFY2(menus > 20 && letters > 90, qPrintable(QString::number(letters)));
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::MnemonicsTest)
#include "mnemonics_test.moc"
