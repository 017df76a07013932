// The controls of a crop: in pixels of what the step is given.
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "engine/image/synthetic.h"
#include "panel_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

class CropControlsTest : public QObject {
    Q_OBJECT

    static void open(PanelFixture& f) {
        const Image scene = makeScene({301, 203}, true, 3, CpuContext{}).value();
        f.document.setSource(
            std::make_shared<const Pyramid>(buildPyramid(scene, CpuContext{}).value()), {}, "s");
    }

  private slots:
    void cropSlidersReachAsFarAsTheImage() {
        PanelFixture f;
        open(f);
        f.addSteps({"crop"});
        ValueSlider &left = f.slider("x.slider"), &width = f.slider("width.slider");
        QCOMPARE(left.scale().high(), 300.0);
        QCOMPARE(f.slider("y.slider").scale().high(), 202.0);
        // To the edge is the most there is: at the right end, and from there it goes down by one.
        QCOMPARE(width.scale().high(), 301.0);
        QCOMPARE(width.xOf(0), width.xOf(301));
        width.setFocus();
        QTest::keyClick(&width, Qt::Key_Left);
        QCOMPARE(f.integer(0, "width"), 300);
        QTest::keyClick(&width, Qt::Key_Right);
        QCOMPARE(f.integer(0, "width"), 0);
        f.press(width, pointOf(width, 0));
        f.move(width, pointOf(width, 0) - QPoint(4, 0));
        QVERIFY(f.integer(0, "width") > 280);
        f.move(width, QPoint(-50, 5));
        QCOMPARE(f.integer(0, "width"), 1);
        f.move(width, QPoint(width.width() + 50, 5));
        f.release(width, QPoint(width.width() + 50, 5));
        QCOMPARE(f.integer(0, "width"), 0);
        // What one takes the other has no room for.
        left.setFocus();
        QTest::keyClick(&left, Qt::Key_End);
        QCOMPARE(f.integer(0, "x"), 300);
        QCOMPARE(width.scale().high(), 1.0);
        f.document.setParameter(0, "x", std::int64_t{100}, EditPhase::Single);
        f.document.setParameter(0, "width", std::int64_t{150}, EditPhase::Single);
        QCOMPARE(left.scale().high(), 151.0);
        QCOMPARE(width.scale().high(), 201.0);
        // The field takes any number of the parameter; the step is passed over then, in words.
        QLineEdit& edit = f.edit("width.value");
        edit.setFocus();
        QTest::keyClicks(&edit, "4000");
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(f.integer(0, "width"), 4000);
        QTRY_VERIFY(f.card(0).warningText().contains(QStringLiteral("301 x 203")));
        QVERIFY(!f.card(0).statusText().contains(QStringLiteral("ms")));
    }

    void cropTakesTheRegionInPixelsOfItsOwnInput() {
        PanelFixture f;
        open(f);
        f.addSteps({"crop", "crop"});
        auto* button = f.find<QPushButton>("cropFromRegion");
        QVERIFY(!button->isEnabled());
        QCOMPARE(f.edit("width.value").placeholderText(), QStringLiteral("to the edge (301 px)"));
        f.document.setParameter(0, "x", std::int64_t{40}, EditPhase::Single);
        f.document.setParameter(0, "y", std::int64_t{30}, EditPhase::Single);
        f.document.setCurrentStep(0);
        QCOMPARE(f.edit("width.value").placeholderText(), QStringLiteral("to the edge (261 px)"));
        f.document.setCurrentStep(1);
        f.document.setRegion(Rect{50, 20, 100, 60});
        QVERIFY(button->isEnabled());
        button->setFocus();
        const int before = f.undoCount();
        QTest::keyClick(button, Qt::Key_Space);
        QCOMPARE(f.undoCount(), before + 1);
        QCOMPARE(f.integer(1, "x"), 10);
        QCOMPARE(f.integer(1, "y"), 0);  // the region begins above what is left
        QCOMPARE(f.integer(1, "width"), 100);
        QCOMPARE(f.integer(1, "height"), 50);
        QSignalSpy refused(&f.document, &Document::refused);
        f.document.setRegion(Rect{0, 0, 20, 20});  // cropped away before
        QTest::keyClick(button, Qt::Key_Space);
        QCOMPARE(refused.count(), 1);
        QCOMPARE(f.undoCount(), before + 1);
        f.document.setRegion(std::nullopt);
        QVERIFY(!button->isEnabled());
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::CropControlsTest)
#include "crop_controls_test.moc"
