// The list of steps and adding to it, by keyboard and mouse.
#include <QInputDialog>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

#include "engine/image/synthetic.h"
#include "gui/steps/add_step_popup.h"
#include "gui/steps/operation_delegate.h"
#include "gui/steps/step_controls.h"
#include "gui/widgets/wrap_label.h"
#include "panel_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

namespace {
const QStringList kThree{QStringLiteral("grayscale"), QStringLiteral("gaussian_blur"),
                         QStringLiteral("equalize")};
}

class StepListTest : public QObject {
    Q_OBJECT
  private slots:
    void addByTyping() {
        PanelFixture f;
        // One button, in the same place with and without steps.
        auto* add = f.find<QPushButton>("addStep");
        QCOMPARE(f.panel.findChildren<QPushButton*>().size(), qsizetype(1));
        const QPoint place = add->mapTo(&f.panel, QPoint());
        f.click(*add, add->rect().center());
        auto* popup = f.find<AddStepPopup>("addStepPopup");
        QVERIFY(popup->isVisible());
        auto* field = f.find<QLineEdit>("addStepSearch");
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClicks(field, QStringLiteral("blur"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!popup->isVisible());
        QCOMPARE(f.order(), QStringList{QStringLiteral("gaussian_blur")});
        QCOMPARE(f.document.currentStep(), 0);
        QCOMPARE(add->mapTo(&f.panel, QPoint()), place);
        // The last step goes, and the focus with it: to where the next one comes from.
        f.list().focusCurrent();
        QTest::keyClick(&f.card(0), Qt::Key_Delete);
        QVERIFY(f.order().isEmpty());
        QTRY_VERIFY(add->hasFocus());
    }

    void addGoesAfterTheCurrentStep() {
        PanelFixture f;
        f.addSteps({"grayscale", "equalize"});
        f.document.setCurrentStep(0);
        f.list().focusCurrent();
        QTest::keyClick(&f.card(0), Qt::Key_A);
        auto* field = f.find<QLineEdit>("addStepSearch");
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClicks(field, QStringLiteral("gaussian"));
        QTest::keyClick(field, Qt::Key_Enter);
        QCOMPARE(f.order(), kThree);
        QCOMPARE(f.document.currentStep(), 1);
    }

    void arrowKeysSkipHeadingsAndEscapeCloses() {
        PanelFixture f;
        f.panel.showAddStep();
        auto* popup = f.find<AddStepPopup>("addStepPopup");
        auto* field = f.find<QLineEdit>("addStepSearch");
        auto* list = f.find<QListWidget>("addStepList");
        QStringList visited;
        for (int i = 0; i < list->count() + 2; ++i) {
            QVERIFY(!list->currentItem()->data(HeadingRole).toBool());
            const QString id = list->currentItem()->data(OperationIdRole).toString();
            if (!visited.contains(id)) visited << id;
            QTest::keyClick(field, Qt::Key_Down);
        }
        for (const Operation* operation : allOperations()) {
            const auto& description = operation->description();
            QCOMPARE(visited.contains(QString::fromStdString(description.id)),
                     description.kind == OperationKind::Filter);
        }
        QTest::keyClicks(field, QStringLiteral("xyzzy"));
        QVERIFY(f.find<WrapLabel>("addStepNothing")->isVisible());
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(popup->isVisible());
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!popup->isVisible());
        QVERIFY(f.order().isEmpty());
        // Opened again it starts afresh.
        f.panel.showAddStep();
        QVERIFY(field->text().isEmpty());
        QTest::keyClick(field, Qt::Key_Escape);
    }

    void keysEditTheList() {
        PanelFixture f;
        f.addSteps({"grayscale", "gaussian_blur", "equalize"});
        f.document.setCurrentStep(1);
        f.list().focusCurrent();
        const auto key = [&f](Qt::Key code, Qt::KeyboardModifiers modifiers = {}) {
            QTest::keyClick(QApplication::focusWidget(), code, modifiers);
            f.settle();
        };
        key(Qt::Key_Down);
        QCOMPARE(f.document.currentStep(), 2);
        key(Qt::Key_Down);  // the end
        QCOMPARE(f.document.currentStep(), 2);
        key(Qt::Key_Home);
        QCOMPARE(f.document.currentStep(), 0);
        QVERIFY(f.card(0).hasFocus());

        key(Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(f.order(), QStringList({kThree[1], kThree[0], kThree[2]}));
        QCOMPARE(f.document.currentStep(), 1);
        QVERIFY(f.card(1).hasFocus());
        key(Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(f.order(), kThree);

        key(Qt::Key_Space);
        QVERIFY(!f.document.pipeline().steps[0].enabled);
        key(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(f.order(), QStringList({kThree[0], kThree[0], kThree[1], kThree[2]}));
        QVERIFY(!f.document.pipeline().steps[1].enabled);
        QCOMPARE(f.document.currentStep(), 1);
        key(Qt::Key_Delete);
        QCOMPARE(f.order(), kThree);
        key(Qt::Key_Delete);
        key(Qt::Key_Delete);
        key(Qt::Key_Delete);
        QVERIFY(f.order().isEmpty());
        for (int i = 0; i < 4; ++i) f.document.undoStack().undo();
        QCOMPARE(f.order().size(), 4);
    }

    void switchTurnsOffAndOn() {
        PanelFixture f;
        f.addSteps({"grayscale"});
        auto* on = f.card(0).findChild<StepSwitch*>();
        f.click(*on, on->rect().center());
        QVERIFY(!f.document.pipeline().steps[0].enabled);
        QVERIFY(f.card(0).statusText().contains(QStringLiteral("Off")));
        QVERIFY(f.card(0).accessibleName().contains(QStringLiteral("off")));
        f.click(*on, on->rect().center());
        QVERIFY(f.document.pipeline().steps[0].enabled);
        f.document.undoStack().undo();
        QVERIFY(!on->isChecked());
    }

    void reorderByDragging_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("over");
        QTest::addColumn<bool>("lowerHalf");
        QTest::addColumn<int>("to");
        QTest::newRow("first to the end") << 0 << 2 << true << 2;
        QTest::newRow("last to the start") << 2 << 0 << false << 0;
        QTest::newRow("first between the others") << 0 << 1 << true << 1;
        QTest::newRow("onto itself") << 1 << 1 << true << 1;
        QTest::newRow("just before itself") << 1 << 0 << true << 1;
    }
    void reorderByDragging() {
        QFETCH(int, from);
        QFETCH(int, over);
        QFETCH(bool, lowerHalf);
        QFETCH(int, to);
        PanelFixture f;
        f.addSteps({"grayscale", "gaussian_blur", "equalize"});
        QStringList wanted = kThree;
        wanted.move(from, to);
        const int before = f.undoCount();
        const QPoint grip(60, 30);
        StepCard& card = f.card(from);
        const QPoint target =
            f.card(over).geometry().center() + QPoint(0, lowerHalf ? 12 : -12) - card.pos();
        f.press(card, grip);
        f.move(card, grip + QPoint(0, 4));
        f.move(card, (grip + target) / 2);
        f.move(card, target);
        QCOMPARE(f.order(), kThree);  // nothing happens before the drop
        f.release(card, target);
        QCOMPARE(f.order(), wanted);
        QCOMPARE(f.undoCount(), before + (from == to ? 0 : 1));
        if (from != to) {
            QCOMPARE(f.document.currentStep(), to);
            f.document.undoStack().undo();
            QCOMPARE(f.order(), kThree);
        }
    }

    void escapeCancelsADrag() {
        PanelFixture f;
        f.addSteps({"grayscale", "gaussian_blur", "equalize"});
        StepCard& card = f.card(0);
        const QPoint target = f.card(2).geometry().center() + QPoint(0, 12) - card.pos();
        f.press(card, QPoint(60, 30));
        f.move(card, QPoint(60, 60));
        f.move(card, target);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        f.move(card, target + QPoint(0, 3));
        f.release(card, target);
        QCOMPARE(f.order(), kThree);
    }

    void menuActs() {
        PanelFixture f;
        f.addSteps({"grayscale", "gaussian_blur"});
        auto* dots = f.card(0).findChild<MenuDots*>();
        f.click(*dots, dots->rect().center());
        auto* menu = f.find<QMenu>("stepMenu");
        QVERIFY(menu->isVisible());
        QCOMPARE(f.document.currentStep(), 0);
        bool moved = false;
        for (QAction* action : menu->actions()) {
            if (!action->text().startsWith(QStringLiteral("Move down"))) continue;
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
            moved = true;
            break;
        }
        QVERIFY(moved);
        QCOMPARE(f.order(), QStringList({kThree[1], kThree[0]}));
    }

    // A list that scrolls while the controls below it leave room makes nobody happy.
    void theListTakesTheRoomThatControlsLeave() {
        PanelFixture f;
        for (int i = 0; i < 6; ++i) f.addSteps({"invert", "invert"});
        auto* controls = f.find<QScrollArea>("stepControls");
        const int least = controls->minimumHeight();
        const auto free = [&] {
            return controls->height() -
                   std::max(least, f.find<StepControls>("stepControls")->contentHeight());
        };
        QTRY_VERIFY2(f.list().verticalScrollBar()->maximum() == 0 || free() <= 0,
                     qPrintable(QString::number(free())));
        QTRY_VERIFY(f.list().height() > f.panel.height() / 2);
        // A step with more of them gets room for them when it is chosen.
        f.addSteps({"nl_means"});
        const auto roomy = [&] {
            const int needed = f.find<StepControls>("stepControls")->contentHeight();
            return controls->height() >= std::min(needed, f.panel.height() / 3);
        };
        for (const int chosen : {12, 0, 12}) {
            f.document.setCurrentStep(chosen);
            QTRY_VERIFY(roomy() && (f.list().verticalScrollBar()->maximum() == 0 || free() <= 0));
        }
    }

    void aboutOpens() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        auto* header = f.find<QToolButton>("aboutHeader");
        auto* text = f.find<QTextBrowser>("aboutText");
        QVERIFY(!text->isVisible());
        header->setFocus();
        QTest::keyClick(header, Qt::Key_Space);
        QVERIFY(text->isVisible());
        // A formula keeps its lines.
        const std::string& formula = findOperation("gaussian_blur")->description().formula;
        const QStringList lines = QString::fromStdString(formula).split(QLatin1Char('\n'));
        QVERIFY(lines.size() > 1);
        for (const QString& line : lines)
            QVERIFY2(text->toPlainText().split(QLatin1Char('\n')).contains(line), qPrintable(line));
        QTest::keyClick(header, Qt::Key_Space);
        QVERIFY(!text->isVisible());
    }

    // With an image the cards say where the steps ran.
    void cardsShowRuns() {
        PanelFixture f;
        f.addSteps({"gaussian_blur", "equalize"});
        const Result<Image> scene = makeScene(Size{160, 120}, true, 3, CpuContext{});
        QVERIFY(scene);
        f.bridge.openImage(*scene, QStringLiteral("scene"));
        // Timed, it has the threads that found work in so small an image.
        const auto namesThreads = [](const QString& text) {
            return text.contains(QStringLiteral("All cores")) ||
                   text.contains(QRegularExpression(QStringLiteral("\\d+ of \\d+ threads")));
        };
        QTRY_VERIFY_WITH_TIMEOUT(namesThreads(f.card(1).statusText()), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(f.card(0).statusText().contains(QStringLiteral("ms")), 20000);
        QVERIFY(namesThreads(f.card(0).accessibleName()));
        // The chain's own time stands above, named, and says what it is.
        auto* chain = f.find<QLabel>("chainTime");
        QTRY_VERIFY2(chain->text().startsWith(QStringLiteral("chain ")), qPrintable(chain->text()));
        QVERIFY(chain->toolTip().contains(QStringLiteral("whole chain")));
        // None where the image is so small that one thread does the work.
        const QString speedup = f.card(0).speedupText().trimmed();
        QVERIFY(speedup.isEmpty() ||
                speedup.startsWith(QStringLiteral("all cores against 1 thread: ")));
        const int height = f.card(0).height();
        f.document.setParameter(0, "sigma", 3.0, EditPhase::Single);
        QTRY_VERIFY(f.card(0).speedupText().trimmed().isEmpty());
        f.settle();
        QCOMPARE(f.card(0).height(), height);  // nothing moves while it is measured again
        f.document.setParameter(1, "mapping", std::string("full"), EditPhase::Single);
        QTRY_VERIFY2(chain->text().endsWith(QStringLiteral("\n1 of 2 steps kept")),
                     qPrintable(chain->text()));
        QVERIFY2(chain->text().startsWith(QStringLiteral("chain ")), qPrintable(chain->text()));
        // Another list: figures of the old one are gone at once, not shown beside the wrong step.
        f.document.moveStep(0, 1);
        QVERIFY(!f.card(0).statusText().contains(QStringLiteral("ms")));
    }

    // Pressing chooses the card, which must not scroll away from under the cursor before release.
    // Cards grow when times and warnings come; the selected one is still read in full then.
    void theSelectedCardStaysInView() {
        PanelFixture f(QSize(230, 520));
        f.addSteps({"gaussian_blur", "invert", "gaussian_blur", "invert", "gaussian_blur"});
        const auto inView = [&](int index) {
            const QRect card(f.card(index).mapTo(f.list().viewport(), QPoint()),
                             f.card(index).size());
            return f.list().viewport()->rect().contains(card);
        };
        for (const int index : {4, 0, 3}) {
            f.document.setCurrentStep(index);
            QTRY_VERIFY2(inView(index), qPrintable(QString::number(index)));
        }
        RunInfo run;
        run.warnings = {QStringLiteral("a warning that is longer than a line of this narrow panel"),
                        QStringLiteral("and one more that nobody may have to guess at")};
        for (const int index : {0, 1, 2, 3}) f.card(index).setRun(run);
        QTRY_VERIFY(inView(3));
        QVERIFY(f.card(3).warningText().contains(run.warnings.last()));
        // With room for all of its lines.
        const auto labels = f.card(3).findChildren<WrapLabel*>();
        QTRY_VERIFY(std::any_of(labels.begin(), labels.end(), [&](const WrapLabel* label) {
            return label->text() == f.card(3).warningText() &&
                   label->visibleRegion().boundingRect().height() >=
                       label->heightForWidth(label->width());
        }));
        // Whoever scrolls away is not pulled back.
        const QPoint middle = f.list().viewport()->rect().center();
        for (int i = 0; i < 20; ++i) {
            QWheelEvent wheel(middle, f.list().viewport()->mapToGlobal(middle), {}, {0, 120},
                              Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(f.list().viewport(), &wheel);
        }
        QCOMPARE(f.list().verticalScrollBar()->value(), 0);
        run.warnings << QStringLiteral("a third");
        f.card(3).setRun(run);
        f.settle();
        QCOMPARE(f.list().verticalScrollBar()->value(), 0);
    }

    void switchOfAHalfVisibleCard() {
        PanelFixture f(QSize(280, 420));
        f.addSteps({"grayscale", "gaussian_blur", "equalize", "grayscale", "equalize",
                    "gaussian_blur", "equalize", "grayscale"});
        f.document.setCurrentStep(0);
        f.settle();
        f.list().verticalScrollBar()->setValue(0);
        const auto topOf = [&](int i) {
            return f.card(i).mapTo(f.list().viewport(), QPoint()).y();
        };
        int half = -1;  // its switch is seen, its lower end is not
        for (int i = 0; i < f.list().count(); ++i) {
            const int top = f.list().viewport()->height() - 24;
            if (topOf(i) + f.card(i).height() > top + 24 && half < 0) half = i;
        }
        QVERIFY(half > 0);
        f.list().verticalScrollBar()->setValue(topOf(half) + 34 - f.list().viewport()->height());
        if (topOf(half) + 34 != f.list().viewport()->height())
            f.panel.resize(f.panel.width(),
                           f.panel.height() + topOf(half) + 34 - f.list().viewport()->height());
        f.settle();
        auto* toggle = f.card(half).findChild<StepSwitch*>();
        const QPoint at = toggle->rect().center();
        QVERIFY(f.list().viewport()->rect().contains(toggle->mapTo(f.list().viewport(), at)));
        QVERIFY(topOf(half) + f.card(half).height() > f.list().viewport()->height());
        const QPoint place = PanelFixture::inWindow(*toggle, at);
        QWindow* window = f.panel.windowHandle();
        QTest::mousePress(window, Qt::LeftButton, {}, place);
        QTest::qWait(150);  // as long as a finger stays down
        QTest::mouseRelease(window, Qt::LeftButton, {}, place);
        QVERIFY(!f.document.pipeline().steps[std::size_t(half)].enabled);
        QCOMPARE(f.document.currentStep(), half);
        // Then all of it is shown.
        QTRY_VERIFY(topOf(half) + f.card(half).height() <= f.list().viewport()->height());
    }

    // Nothing is cut off and nothing scrolls sideways in the narrowest dock.
    void fitsNarrowDocks() {
        PanelFixture f(QSize(240, 600));
        f.addSteps({"grayscale", "gaussian_blur", "equalize"});
        for (int i = 0; i < 3; ++i) {
            f.document.setCurrentStep(i);
            f.settle();
            QCOMPARE(f.panel.width(), 240);
            for (const QWidget* child : f.panel.findChildren<QWidget*>()) {
                if (!child->isVisible()) continue;
                const QRect inPanel(child->mapTo(&f.panel, QPoint()), child->size());
                QVERIFY2(inPanel.left() >= 0 && inPanel.right() < 240,
                         qPrintable(child->objectName() +
                                    QLatin1String(child->metaObject()->className())));
                if (const auto* label = qobject_cast<const WrapLabel*>(child))
                    QVERIFY2(label->height() >= label->heightForWidth(label->width()),
                             qPrintable(label->text()));
            }
        }
    }

    void stepsAreNamedByKeysMouseAndMenu() {
        PanelFixture f;
        f.addSteps({"grayscale", "gaussian_blur"});
        f.list().focusCurrent();
        const auto answer = [&f](const QString& name) {
            auto* dialog = f.panel.findChild<QInputDialog*>(QStringLiteral("stepName"));
            if (!dialog) return false;
            auto* edit = dialog->findChild<QLineEdit*>();
            edit->selectAll();
            QTest::keyClicks(edit, name);
            QTest::keyClick(edit, Qt::Key_Return);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            return true;
        };
        const int before = f.undoCount();
        QTest::keyClick(&f.card(1), Qt::Key_F2);
        QVERIFY(answer(QStringLiteral("soft")));
        QCOMPARE(f.document.pipeline().steps[1].name, std::string("soft"));
        QCOMPARE(f.card(1).title(), QStringLiteral("Gaussian blur · soft"));
        QVERIFY(f.card(1).accessibleName().contains(QStringLiteral("soft")));
        QCOMPARE(f.undoCount(), before + 1);

        QSignalSpy refused(&f.document, &Document::refused);
        const QPoint middle(80, 14);
        QTest::mouseDClick(f.panel.windowHandle(), Qt::LeftButton, {},
                           f.inWindow(f.card(0), middle));
        QVERIFY(answer(QStringLiteral("soft")));  // taken
        QCOMPARE(refused.count(), 1);
        QTest::mouseDClick(f.panel.windowHandle(), Qt::LeftButton, {},
                           f.inWindow(f.card(0), middle));
        QVERIFY(answer(QStringLiteral("two words")));
        QCOMPARE(refused.count(), 2);
        QCOMPARE(f.document.pipeline().steps[0].name, std::string());

        // The copy of a step with a name has none: it would be ambiguous.
        f.document.duplicateStep(1);
        QCOMPARE(f.document.pipeline().steps[2].name, std::string());
        REQUIRE_OK(checkPipeline(f.document.pipeline()));
        f.document.undoStack().undo();
        f.document.undoStack().undo();
        QCOMPARE(f.card(1).title(), QStringLiteral("Gaussian blur"));
    }

    void whatCannotBeTakenThereIsRefusedByName() {
        PanelFixture f;
        const Image scene = makeScene({64, 48}, true, 3, CpuContext{}).value();
        f.document.setSource(
            std::make_shared<const Pyramid>(buildPyramid(scene, CpuContext{}).value()), {}, "s");
        f.addSteps({"grayscale", "integral_image"});
        const auto sums = f.document.formatAt(2);
        QVERIFY(sums && bytesPerSample(*sums) > 2);
        f.panel.showAddStep();
        auto* field = f.find<QLineEdit>("addStepSearch");
        auto* list = f.find<QListWidget>("addStepList");
        auto* popup = f.find<AddStepPopup>("addStepPopup");
        int refused = 0;
        for (int row = 0; row < list->count(); ++row) {
            const QListWidgetItem* item = list->item(row);
            const Operation* operation =
                findOperation(item->data(OperationIdRole).toString().toStdString());
            if (!operation) continue;
            const bool takes = operation->description().acceptsFormat(*sums);
            QCOMPARE(bool(item->flags() & Qt::ItemIsSelectable), takes);
            QCOMPARE(item->data(RefusalRole).toString().contains("takes no sums"), !takes);
            refused += !takes;
        }
        QVERIFY(refused > 3);
        QTest::keyClicks(field, QStringLiteral("median"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(popup->isVisible());
        QCOMPARE(f.order().size(), 2);
        // By mouse neither.
        const QRect place = list->visualItemRect(list->item(0));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, place.center());
        QCOMPARE(f.order().size(), 2);
        QTest::keyClick(field, Qt::Key_Escape);
        // Before the sums it can be.
        f.document.setCurrentStep(0);
        f.panel.showAddStep();
        QTest::keyClicks(field, QStringLiteral("median"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(f.order().value(1), QStringLiteral("median"));
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::StepListTest)
#include "step_list_test.moc"
