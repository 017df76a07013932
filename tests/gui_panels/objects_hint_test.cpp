// The table of objects opens by itself where objects are numbered, and says when the ground was
// counted instead of them.
#include <QDockWidget>
#include <QListWidget>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include "gui/objects/objects_panel.h"
#include "gui/objects/polarity_hint.h"
#include "gui/window_fixture.h"
#include "support/images.h"
#include "support/random_seed.h"
#include "support/test_case.h"

namespace warpscope::gui {
namespace {

constexpr int kDiscs = 12;

// Discs on a ground, that many levels brighter (darker).
Image discs(int brighter) {
    std::vector<double> values;
    for (int y = 0; y < 120; ++y)
        for (int x = 0; x < 160; ++x) {
            const int dx = x % 40 - 20, dy = y % 40 - 20;
            const bool object = dx * dx + dy * dy < 100;
            values.push_back(120 + (object ? brighter : 0) +
                             double(test::freshRandom()->bounded(10)));
        }
    return test::makeImage(PixelFormat::Gray8, {160, 120}, values);
}

struct HintWindow : WindowFixture {
    using WindowFixture::WindowFixture;
    QDockWidget& dock = *window.findChild<QDockWidget*>(QStringLiteral("objectsDock"));
    ObjectsPanel& panel = *window.findChild<ObjectsPanel*>();
    PolarityHint& hint = *window.findChild<PolarityHint*>();

    bool openPicture(const Image& image) {
        bridge().openImage(image, QStringLiteral("discs"));
        return waitedFor(
            [&] { return document().image().id() == image.id() && bridge().resultIsCurrent(); });
    }
    void choose(const char* typed) {
        window.activateWindow();
        window.canvas().setFocus();
        press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* edit =
            window.findChild<QDialog*>(QStringLiteral("commandPalette"))->findChild<QLineEdit*>();
        QTest::keyClicks(edit, QLatin1String(typed));
        QTest::keyClick(edit, Qt::Key_Return);
    }
    bool counted() {
        return waitedFor([&] { return bridge().resultIsCurrent() && panel.isCurrent(); });
    }
    QPushButton& mend() { return *window.findChild<QPushButton*>(QStringLiteral("polarityMend")); }
    QString operations() {
        QStringList list;
        for (const Step& step : document().pipeline().steps)
            list << QString::fromStdString(step.operation) +
                        (step.enabled ? QString() : QStringLiteral(" (off)"));
        return list.join(QLatin1Char(' '));
    }
};

}  // namespace

class ObjectsHintTest : public QObject {
    Q_OBJECT
  private slots:
    void aStepThatNumbersOpensTheTable() {
        HintWindow f;
        QVERIFY(f.openPicture(discs(60)));
        f.choose("add invert");
        QVERIFY(f.dock.isHidden());
        f.choose("add connected components");
        QCOMPARE(f.operations(), QStringLiteral("invert connected_components"));
        QVERIFY(!f.dock.isHidden());
        QVERIFY(f.counted());
        QVERIFY(!f.panel.isAncestorOf(QApplication::focusWidget()));
        // Whoever has put it away is not shown it again, until they ask for it.
        f.window.activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), &f.window);
        f.window.canvas().setFocus();
        f.press(Qt::Key_J, Qt::ControlModifier);
        QVERIFY(f.dock.isHidden());
        f.document().removeStep(1);
        f.choose("add connected components");
        QVERIFY(f.dock.isHidden());
        QTest::mouseClick(f.window.findChild<QAbstractButton*>(QStringLiteral("objectsOfStep")),
                          Qt::LeftButton);
        QVERIFY(!f.dock.isHidden());
        // By the cross of the panel, too.
        f.dock.close();
        f.document().removeStep(1);
        f.choose("add connected components");
        QVERIFY(f.dock.isHidden());
    }
    void soDoesAPreset() {
        HintWindow f;
        QVERIFY(f.openPicture(discs(60)));
        f.choose("preset night");
        QVERIFY(f.dock.isHidden());
        f.choose("preset count cells");
        QVERIFY(!f.dock.isHidden());
        QVERIFY(f.counted());
        QCOMPARE(f.panel.model().rowCount(), kDiscs);
        QVERIFY(f.hint.text().isEmpty());
        QVERIFY(f.operations().contains(QStringLiteral("invert (off)")));
    }
    void thePresetCountsDarkThings() {
        HintWindow f;
        QVERIFY(f.openPicture(discs(-60)));
        f.choose("preset count cells");
        QVERIFY(f.counted());
        QCOMPARE(f.panel.model().rowCount(), kDiscs);
        QVERIFY(f.hint.text().isEmpty());
        QVERIFY(!f.operations().contains(QStringLiteral("(off)")));
    }
    // A button brings the objects, and another click, or undo, the ground again.
    void aCountedGroundIsSaidAndMended() {
        HintWindow f;
        QVERIFY(f.openPicture(discs(-60)));
        f.choose("add threshold");
        f.choose("add connected components");
        QVERIFY(f.counted());
        QVERIFY2(f.hint.text().startsWith(QStringLiteral("One object covers 8")),
                 qPrintable(f.hint.text()));
        QVERIFY(f.hint.isVisible());
        QCOMPARE(f.panel.model().rowCount(), 1);
        const int index = f.document().undoStack().index();
        QTest::mouseClick(&f.mend(), Qt::LeftButton);
        QCOMPARE(f.operations(), QStringLiteral("threshold invert connected_components"));
        QCOMPARE(f.document().undoStack().index(), index + 1);
        QCOMPARE(f.document().currentStep(), 2);
        QVERIFY(f.counted());
        QCOMPARE(f.panel.model().rowCount(), kDiscs);
        QVERIFY(f.hint.text().isEmpty());
        // A step that is there is switched over.
        f.document().setStepEnabled(1, false);
        QVERIFY(f.counted());
        QVERIFY(!f.hint.text().isEmpty());
        QTest::mouseClick(&f.mend(), Qt::LeftButton);
        QCOMPARE(f.operations(), QStringLiteral("threshold invert connected_components"));
        QVERIFY(f.counted());
        QVERIFY(f.hint.text().isEmpty());
    }
    void withoutAThresholdOneIsAdded() {
        HintWindow f;
        QVERIFY(f.openPicture(discs(60)));
        f.choose("add connected components");
        QVERIFY(f.counted());
        QVERIFY(f.hint.text().contains(QStringLiteral("100%")));
        QTest::mouseClick(&f.mend(), Qt::LeftButton);
        QCOMPARE(f.operations(), QStringLiteral("threshold connected_components"));
        QVERIFY(f.counted());
        QCOMPARE(f.panel.model().rowCount(), kDiscs);
        QVERIFY(f.hint.text().isEmpty());
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::ObjectsHintTest)
#include "objects_hint_test.moc"
