// Shipped presets are chosen by mouse and keys, and make their steps as one undo entry.
#include <QListWidget>
#include <QMenu>
#include <QToolButton>

#include "engine/pipeline/preset_fit.h"
#include "engine/pipeline/shipped_presets.h"
#include "gui/steps/step_card.h"
#include "support/images.h"
#include "support/random_seed.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

// In the menu bar's Edit menu.
QMenu* editMenuOf(WindowFixture& f) {
    for (QObject* place : f.window.actions().removeStep->associatedObjects())
        if (auto* menu = qobject_cast<QMenu*>(place))
            if (menu->findChild<QMenu*>(QStringLiteral("shippedPresets"))) return menu;
    return nullptr;
}

}  // namespace

class ShippedPresetsWindowTest : public QObject {
    Q_OBJECT
    // Opens the menu of the panel and clicks on the entry.
    void clickEntry(WindowFixture& f, const QString& name) {
        auto* button = f.window.findChild<QToolButton*>(QStringLiteral("presetsButton"));
        QVERIFY(button && button->isVisible());
        bool clicked = false;
        QTimer poll;
        connect(&poll, &QTimer::timeout, &poll, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (!menu) return;
            poll.stop();
            for (QAction* action : menu->actions())
                if (action->objectName() == name) {
                    clicked = true;
                    QTest::mouseClick(menu, Qt::LeftButton, {},
                                      menu->actionGeometry(action).center());
                }
            if (!clicked) menu->close();
        });
        poll.start(10);
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(!poll.isActive());
        QVERIFY2(clicked, qPrintable(name));
    }

  private slots:
    void theMenuOfThePanelMakesTheSteps() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        for (const ShippedPreset& preset : shippedPresets()) {
            const Pipeline before = f.document().pipeline();
            const int index = f.document().undoStack().index();
            clickEntry(f, QStringLiteral("preset/") + QString::fromStdString(preset.id));
            const Pipeline fitted =
                fittedTo(preset.pipeline, f.document().source()->levels.front());
            QTRY_VERIFY(f.document().pipeline() == fitted);
            QCOMPARE(f.document().undoStack().index(), index + 1);
            f.window.activateWindow();  // the menu has gone
            QTRY_COMPARE(QApplication::activeWindow(), &f.window);
            f.window.canvas().setFocus();
            f.press(Qt::Key_Z, Qt::ControlModifier);
            QVERIFY(f.document().pipeline() == before);
            f.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(f.document().pipeline() == fitted);
            QTRY_VERIFY(f.bridge().resultIsCurrent());
            // Steps are there now: the next one replaces them.
        }
    }
    // Beside the time of the chain, in one line with it, in a small window too.
    void theButtonStaysInReach_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1024, 640), QSize(1280, 800)})
            QTest::addRow("%d", size.width()) << size;
    }
    void theButtonStaysInReach() {
        QFETCH(QSize, size);
        WindowFixture f;
        f.window.resize(size);
        QVERIFY(f.open(f.scene("a.png")));
        auto* button = f.window.findChild<QToolButton*>(QStringLiteral("presetsButton"));
        QVERIFY(button->isVisible());
        QCOMPARE(button->toolButtonStyle(), Qt::ToolButtonTextOnly);
        for (int steps = 1; steps <= 3; ++steps) {
            QVERIFY(f.addStep("invert"));
            QTest::qWait(20);
            auto* time = f.window.findChild<QWidget*>(QStringLiteral("chainTime"));
            QVERIFY(button->isVisible() && time->isVisible());
            QVERIFY2(std::abs(button->geometry().center().y() - time->geometry().center().y()) < 4,
                     qPrintable(QStringLiteral("%1 %2").arg(button->y()).arg(time->y())));
            QCOMPARE(button->accessibleName(), QStringLiteral("Presets"));
        }
    }
    // All levels from black to white are used: the step says that it gives back what comes in.
    void whereThereIsNothingToStretchTheStepSaysSo() {
        WindowFixture f;
        std::mt19937 random(test::freshSeed());
        std::vector<double> values(100 * 80);
        // A tenth is black and a tenth white: more than the few pixels that may be clipped.
        for (double& value : values) value = std::clamp(double(random() % 320) - 32.0, 0.0, 255.0);
        const Image image = test::makeImage(PixelFormat::Gray8, {100, 80}, values);
        f.bridge().openImage(image, QStringLiteral("noise"));
        QTRY_COMPARE(f.document().image().id(), image.id());
        clickEntry(f, QStringLiteral("preset/microscopy-contrast"));
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        const auto said = [&] { return f.window.findChild<StepCard*>()->statusText(); };
        QTRY_VERIFY2(said().startsWith(QStringLiteral("0 to 255: changes nothing")),
                     qPrintable(said()));
        f.document().setParameter(0, "black", 20.0, EditPhase::Single);
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QTRY_VERIFY2(!said().contains(QStringLiteral("changes nothing")), qPrintable(said()));
        // So does a crop of the whole.
        f.document().removeStep(0);
        QVERIFY(f.addStep("crop"));
        QTRY_VERIFY2(said().startsWith(QStringLiteral("changes nothing")), qPrintable(said()));
    }
    void theMenuAppendsWhereThereAreSteps() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("invert"));
        Pipeline both = f.document().pipeline();
        const Pipeline edges = shippedPreset("edges-for-print").value();
        both.steps.insert(both.steps.end(), edges.steps.begin(), edges.steps.end());
        clickEntry(f, QStringLiteral("presetAppend/edges-for-print"));
        QTRY_VERIFY(f.document().pipeline() == both);
        f.document().undoStack().undo();
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        // Without steps there is nothing to append to.
        f.document().undoStack().undo();
        auto* menu = f.window.findChild<QToolButton*>(QStringLiteral("presetsButton"))->menu();
        for (const QAction* action : menu->actions())
            QCOMPARE(action->isVisible(),
                     action->objectName().startsWith(QLatin1String("preset/")));
    }
    // As the command line names them: warpscope --pipeline preset:NAME.
    void theyOpenByName() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        const ShippedPreset& preset = shippedPresets().back();
        const Pipeline fitted = fittedTo(preset.pipeline, f.document().source()->levels.front());
        f.window.files().openPipelineFrom(
            QStringLiteral("preset:%1").arg(QString::fromStdString(preset.id)));
        QVERIFY(f.document().pipeline() == fitted);
        f.window.files().openPipelineFrom(QStringLiteral("preset:no_such"));
        QVERIFY(f.document().pipeline() == fitted);
        QVERIFY(f.window.messages().text().contains(QStringLiteral("document-scan")));
    }

    // At the start of the program the steps are there before the image is.
    void theyAreFittedToTheImageThatComesLater() {
        WindowFixture f;
        const Pipeline shipped = shippedPreset("microscopy-contrast").value();
        f.window.files().openPipelineFrom(QStringLiteral("preset:microscopy-contrast"));
        QVERIFY(f.document().pipeline() == shipped);
        QVERIFY(f.open(f.scene("a.png")));
        const Pipeline fitted = fittedTo(shipped, f.document().source()->levels.front());
        QVERIFY(fitted != shipped);
        QVERIFY(f.document().pipeline() == fitted);
        QCOMPARE(f.document().undoStack().index(), 1);
        // Another image is not what it was chosen for.
        QVERIFY(f.open(f.scene("b.png", {40, 30})));
        QVERIFY(f.document().pipeline() == fitted);
        f.document().undoStack().undo();
        QVERIFY(f.document().pipeline().steps.empty());
    }
    void whatSomebodyChangedMeanwhileStays() {
        WindowFixture f;
        f.window.files().openPipelineFrom(QStringLiteral("preset:night-photo"));
        f.document().removeStep(0);
        const Pipeline own = f.document().pipeline();
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.document().pipeline() == own);
    }

    void thePaletteReplacesAndAppends() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("invert"));
        const Pipeline own = f.document().pipeline();
        QString chosen;
        const auto choose = [&](const char* typed) {
            f.window.activateWindow();
            QTRY_COMPARE(QApplication::activeWindow(), &f.window);
            f.window.canvas().setFocus();
            f.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
            auto* palette = f.window.findChild<QDialog*>(QStringLiteral("commandPalette"));
            QVERIFY(palette->isVisible());
            auto* edit = palette->findChild<QLineEdit*>();
            QTest::keyClicks(edit, QLatin1String(typed));
            auto* list = palette->findChild<QListWidget*>();
            QVERIFY2(list->currentItem(), qPrintable(edit->text()));
            chosen = list->currentItem()->text();
            QTest::keyClick(edit, Qt::Key_Return);
        };
        const Pipeline night = shippedPreset("night-photo").value();
        choose("preset night");
        QVERIFY2(f.document().pipeline() == fittedTo(night, f.document().source()->levels.front()),
                 qPrintable(chosen));
        f.document().undoStack().undo();
        QVERIFY(f.document().pipeline() == own);
        choose("append preset night");
        Pipeline both = own;
        both.steps.insert(both.steps.end(), night.steps.begin(), night.steps.end());
        QVERIFY2(f.document().pipeline() == both, qPrintable(chosen));
        f.document().undoStack().undo();
        QVERIFY(f.document().pipeline() == own);
    }
    void theEditMenuHasThem() {
        WindowFixture f;
        QMenu* edit = editMenuOf(f);
        QVERIFY(edit);
        auto* menu = edit->findChild<QMenu*>(QStringLiteral("shippedPresets"));
        menu->popup(f.window.mapToGlobal(QPoint(50, 50)));
        QTRY_VERIFY(menu->isVisible());
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
        QVERIFY(f.document().pipeline() == shippedPresets().front().pipeline);
    }
};

WARPSCOPE_TEST(ShippedPresetsWindowTest)
#include "shipped_presets_test.moc"
