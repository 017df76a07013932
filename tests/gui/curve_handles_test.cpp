// The points of curves edited in the histogram, in the window, by mouse and keys.
#include "handles_window.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class CurveHandlesTest : public QObject {
    Q_OBJECT
    using Look = ValueHandle::Look;

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void curvesByMouse_data() { pictureFormats(); }
    void curvesByMouse() {
        QFETCH(PixelFormat, format);
        QFETCH(bool, logarithmic);
        HandlesWindow f;
        QVERIFY(f.openPicture(format));
        if (logarithmic) f.click("histogramLog");
        QVERIFY(f.add("curves"));
        QTRY_COMPARE(f.shown().size(), std::size_t(2));
        int before = f.undoCount();
        const QRectF plot = f.view.plotArea();
        const double row = 255 / plot.height();  // levels in a pixel
        // A click makes a point where it is.
        const QPoint place = f.at(80 + double(f.random() % 30), 150 + double(f.random() % 40));
        PanelFixture::move(f.ground(), place);
        PanelFixture::click(f.ground(), place);
        QCOMPARE(f.given().points("points").size(), std::size_t(3));
        const CurvePoint made = f.given().points("points")[1];
        QVERIFY(std::abs(made.x - f.view.axisValueAt(place.x()) / f.fullValue() * 255) <= 0.51);
        QVERIFY(std::abs(made.y - (plot.bottom() - place.y()) * row) <= 0.51);
        QCOMPARE(f.undoCount(), ++before);
        QVERIFY(!f.view.selection());
        QVERIFY(f.handle(Look::Point, 1)->hasFocus());
        QVERIFY(f.view.stepMarks().titles.first().contains(QStringLiteral("becomes")));
        QVERIFY(f.follows());
        // It is dragged, down as well.
        const QPoint by(30 + int(f.random() % 20), 9);
        const double right = f.levelsIn(by.x());
        f.drag(*f.handle(Look::Point, 1), by);
        const CurvePoint moved = f.given().points("points")[1];
        QVERIFY(std::abs(moved.x - made.x - right) <= 0.51);
        QVERIFY(std::abs(moved.y - made.y + 9 * row) <= 0.51);
        QCOMPARE(f.undoCount(), ++before);
        QVERIFY(f.follows());
        // The last one downwards: white gets darker.
        QTRY_COMPARE(f.shown().size(), std::size_t(3));
        f.drag(*f.handle(Look::Point, 2), {0, 12});
        QCOMPARE(f.given().points("points")[2].x, 255.0);
        QVERIFY(std::abs(f.given().points("points")[2].y - 255 + 12 * row) <= 0.51);
        QCOMPARE(f.undoCount(), ++before);
        // A right click takes a point away; the last two stay.
        const auto rightClick = [&](int which) {
            QTest::mouseClick(f.window.windowHandle(), Qt::RightButton, {},
                              PanelFixture::inWindow(f.ground(), HandlesWindow::centre(*f.handle(
                                                                     Look::Point, which))));
        };
        rightClick(1);
        QCOMPARE(f.given().points("points").size(), std::size_t(2));
        QCOMPARE(f.undoCount(), ++before);
        rightClick(0);
        QCOMPARE(f.given().points("points").size(), std::size_t(2));
        QCOMPARE(f.undoCount(), before);
        QVERIFY(f.follows());
    }

    // A range of the histogram is selected as ever, and dropping it makes no point.
    void aRangeIsNoPoint() {
        HandlesWindow f;
        QVERIFY(f.openPicture(PixelFormat::Gray8));
        QVERIFY(f.add("curves"));
        QTRY_COMPARE(f.shown().size(), std::size_t(2));
        const QPoint from = f.at(60, 200);
        PanelFixture::press(f.ground(), from);
        PanelFixture::move(f.ground(), from + QPoint(20, 0));
        PanelFixture::move(f.ground(), from + QPoint(40, 0));
        PanelFixture::release(f.ground(), from + QPoint(40, 0));
        QVERIFY(f.view.selection());
        PanelFixture::click(f.ground(), f.at(200, 60));
        QVERIFY(!f.view.selection());
        QCOMPARE(f.given().points("points").size(), std::size_t(2));
        PanelFixture::click(f.ground(), f.at(200, 60));
        QCOMPARE(f.given().points("points").size(), std::size_t(3));
    }

    void curvesByKeys() {
        HandlesWindow f;
        QVERIFY(f.openPicture(f.random() % 2 ? PixelFormat::Rgba8 : PixelFormat::Gray16));
        QVERIFY(f.add("curves"));
        QTRY_COMPARE(f.shown().size(), std::size_t(2));
        int before = f.undoCount();
        f.view.setFocus();
        f.press(Qt::Key_Tab);
        QVERIFY(f.handle(Look::Point, 0)->hasFocus());
        f.press(Qt::Key_Insert);
        QCOMPARE(f.given().points("points").size(), std::size_t(3));
        QCOMPARE(f.undoCount(), ++before);
        QVERIFY(f.handle(Look::Point, 1)->hasFocus());
        const CurvePoint made = f.given().points("points")[1];
        QVERIFY(std::abs(made.x - 127.5) < 1 && std::abs(made.y - 127.5) < 1);
        f.press(Qt::Key_Up, Qt::ShiftModifier);
        f.press(Qt::Key_Up);
        f.press(Qt::Key_Left, Qt::ShiftModifier);
        f.press(Qt::Key_Right);
        f.press(Qt::Key_Right);
        QCOMPARE(f.given().points("points")[1].y, made.y + 11);
        QCOMPARE(f.given().points("points")[1].x, made.x - 8);
        QCOMPARE(f.undoCount(), ++before);  // a burst
        f.press(Qt::Key_Tab);
        QVERIFY(f.handle(Look::Point, 2)->hasFocus());
        f.press(Qt::Key_Down);
        QCOMPARE(f.given().points("points")[2].y, 254.0);
        QCOMPARE(f.undoCount(), ++before);
        f.press(Qt::Key_Backtab, Qt::ShiftModifier);
        QVERIFY(f.handle(Look::Point, 1)->hasFocus());
        f.press(Qt::Key_Delete);
        QCOMPARE(f.given().points("points").size(), std::size_t(2));
        QCOMPARE(f.undoCount(), ++before);
        f.press(Qt::Key_Delete);
        QCOMPARE(f.given().points("points").size(), std::size_t(2));
        QVERIFY(f.follows());
        // In the chart itself: on the curve, at the value that is read out.
        f.document().undoStack().setIndex(1);
        QTRY_COMPARE(f.shown().size(), std::size_t(2));
        f.view.setFocus();
        f.press(Qt::Key_Home);
        for (int i = 0; i < 7; ++i) f.press(Qt::Key_PageDown);
        QVERIFY(f.view.hover());
        const double level = *f.view.hover() / f.fullValue() * 255;
        f.press(Qt::Key_Insert);
        QCOMPARE(f.given().points("points").size(), std::size_t(3));
        QVERIFY(std::abs(f.given().points("points")[1].x - level) <= 0.51);
        QVERIFY(std::abs(f.given().points("points")[1].y - level) <= 1.01);
        QVERIFY(f.follows());
    }

    // Points of a curve have the corners to themselves; black and white of the view stand above
    // the plot or, where that is low, nowhere.
    void gripsOfTheViewKeepAway() {
        HandlesWindow f;
        QVERIFY(f.openPicture(PixelFormat::Rgba8));
        QVERIFY(f.add("curves"));
        QTRY_COMPARE(f.shown().size(), std::size_t(2));
        QVERIFY(f.view.levels());
        const QSize before = f.view.size();
        for (const int height : {76, 89, 90, 120, 300}) {
            f.view.resize(before.width(), height);
            QTRY_COMPARE(f.view.height(), height);
            const QRectF plot = f.view.plotArea();
            QVERIFY(plot.height() > 10);
            for (const bool white : {false, true}) {
                const QRectF grip = f.view.gripRect(white);
                QCOMPARE(grip.isEmpty(), height < 90);
                if (grip.isEmpty()) continue;
                // Above the drawn point (8 pixels), below the line of text.
                QVERIFY(grip.bottom() <= plot.top() - 6);
                QVERIFY(grip.top() >= QFontMetrics(Theme::instance().figureFont()).height() + 1);
                // And can be dragged there.
                const double at = white ? f.view.levels()->high : f.view.levels()->low;
                const QPoint from = grip.center().toPoint() - QPoint(0, 2);
                const QPoint by(white ? -40 : 40, 0);
                PanelFixture::press(f.ground(), from);
                PanelFixture::move(f.ground(), from + by);
                PanelFixture::release(f.ground(), from + by);
                const double now = white ? f.view.levels()->high : f.view.levels()->low;
                QVERIFY(white ? now < at : now > at);
                QCOMPARE(f.given().points("points").size(), std::size_t(2));
            }
            // By keys in any case.
            const double white = f.view.levels()->high;
            QTest::keyClick(&f.view, Qt::Key_Left, Qt::AltModifier | Qt::ShiftModifier);
            QVERIFY(f.view.levels()->high < white);
        }
        // With another step they are where they were.
        f.view.resize(before.width(), 80);
        f.document().removeStep(0);
        QTRY_VERIFY(!f.view.gripRect(false).isEmpty());
    }
};

WARPSCOPE_TEST(CurveHandlesTest)
#include "curve_handles_test.moc"
