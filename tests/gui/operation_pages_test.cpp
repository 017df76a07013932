// Help > Operations: a page of every operation, with pictures, by keys and from a step's menu.
#include <QImageReader>
#include <QListWidget>
#include <QMenu>
#include <QScrollBar>
#include <QTextBrowser>

#include "engine/operations/registry.h"
#include "engine/report/operation_pictures.h"
#include "gui/app/help_windows.h"
#include "gui/app/operation_pages.h"
#include "gui/steps/step_card.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class OperationPagesTest : public QObject {
    Q_OBJECT
  private slots:
    void everyOperationHasAPage() {
        WindowFixture f;
        f.window.actions().operationsHelp->trigger();
        auto* pages = f.window.findChild<OperationPages*>();
        QVERIFY(pages && pages->isVisible());
        auto* list = pages->findChild<QListWidget*>();
        auto* page = pages->findChild<QTextBrowser*>();
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Home);
        std::size_t seen = 0;
        QString before;
        for (; seen < allOperations().size(); ++seen) {
            const QString id = list->currentItem()->data(Qt::UserRole).toString();
            const Operation* operation = findOperation(id.toStdString());
            QVERIFY2(operation, qPrintable(id));
            const OperationDescription& d = operation->description();
            QVERIFY(page->toPlainText() != before);
            before = page->toPlainText();
            QVERIFY2(before.contains(QString::fromStdString(d.label)), qPrintable(id));
            for (const ParamSpec& spec : d.parameters)
                QVERIFY2(before.contains(QString::fromStdString(spec.label)), qPrintable(id));
            const auto pictures = picturesOf(*operation);
            QVERIFY2(pictures, qPrintable(id));
            QCOMPARE(pictures->legend.empty(), d.kind == OperationKind::Filter);
            const auto shown = [&](const std::string& name) {
                const QString source = QStringLiteral("picture:") + QString::fromStdString(name);
                return page->toHtml().contains(QLatin1Char('"') + source + QLatin1Char('"'))
                           ? page->loadResource(QTextDocument::ImageResource, QUrl(source))
                                 .value<QImage>()
                           : QImage();
            };
            const QImage given = shown(pictures->before), made = shown(pictures->after);
            QVERIFY2(!given.isNull() && !made.isNull(), qPrintable(id));
            QVERIFY2(given != made.convertToFormat(given.format()), qPrintable(id));
            QCOMPARE(page->horizontalScrollBar()->maximum(), 0);
            if (pictures->second) QVERIFY2(!shown(*pictures->second).isNull(), qPrintable(id));
            QTest::keyClick(list, Qt::Key_Down);
        }
    }
    // Made with the program, not by the window.
    void picturesAreFiles() {
        for (const std::string& name : operationPictureNames()) {
            const QString file = operationPictureFile(QString::fromStdString(name));
            QVERIFY2(QImageReader(file).canRead(),
                     (name + ".png is made when warpscope-cli is built").c_str());
        }
        QVERIFY(operationPictureFile(QStringLiteral("no such")).isEmpty());
    }
    void searchingGoesToTheFirstThatFits() {
        WindowFixture f;
        f.window.actions().operationsHelp->trigger();
        auto* pages = f.window.findChild<OperationPages*>();
        auto* list = pages->findChild<QListWidget*>();
        auto* search = pages->findChild<QLineEdit*>();
        QTest::keyClicks(search, QStringLiteral("non-local"));
        QCOMPARE(list->currentItem()->data(Qt::UserRole).toString(), QStringLiteral("nl_means"));
        pages->showOperation("invert");
        QVERIFY(search->text().isEmpty());
        QCOMPARE(list->currentItem()->data(Qt::UserRole).toString(), QStringLiteral("invert"));
    }
    void theMenuOpensAtTheSelectedStep() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("nl_means"));
        QVERIFY(f.addStep("clahe"));
        const auto shown = [&] {
            f.window.actions().operationsHelp->trigger();
            auto* list = f.window.findChild<OperationPages*>()->findChild<QListWidget*>();
            return list->currentItem()->data(Qt::UserRole).toString();
        };
        QCOMPARE(shown(), QStringLiteral("clahe"));
        f.document().setCurrentStep(0);
        QCOMPARE(shown(), QStringLiteral("nl_means"));
    }
    void choicesStandApartAndTheDefaultIsSaid() {
        const QString html = operationHtml(findOperation("grayscale")->description());
        QVERIFY2(html.contains(QStringLiteral("<b>Weighted, BT.601 (default)</b>")),
                 qPrintable(html));
        QVERIFY2(html.contains(QStringLiteral("<br><b>Weighted, BT.709</b>")), qPrintable(html));
        // One default each, and it is the description's.
        for (const Operation* operation : allOperations())
            for (const ParamSpec& spec : operation->description().parameters) {
                if (spec.kind != ParamKind::Choice) continue;
                const QString page = operationHtml(operation->description());
                const ChoiceSpec* choice = spec.findChoice(toText(spec.defaultValue));
                QVERIFY2(
                    choice && page.contains(QString::fromStdString(choice->label).toHtmlEscaped() +
                                            QStringLiteral(" (default)")),
                    spec.id.c_str());
            }
    }
    void aStepLeadsToItsPage() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("clahe"));
        auto* card = f.window.findChild<StepCard*>();
        QVERIFY(card);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(5, 5),
                                card->mapToGlobal(QPoint(5, 5)));
        QApplication::sendEvent(card, &event);
        auto* menu = f.window.findChild<QMenu*>(QStringLiteral("stepMenu"));
        QVERIFY(menu);
        QTRY_VERIFY(menu->isVisible());
        QTest::keyClick(menu, Qt::Key_Up);  // the last entry
        QTest::keyClick(menu, Qt::Key_Return);
        QTRY_VERIFY(f.window.findChild<OperationPages*>());
        auto* pages = f.window.findChild<OperationPages*>();
        QCOMPARE(pages->findChild<QListWidget*>()->currentItem()->data(Qt::UserRole).toString(),
                 QStringLiteral("clahe"));
    }
};

WARPSCOPE_TEST(OperationPagesTest)
#include "operation_pages_test.moc"
