// What the canvas does with mouse, wheel and keys.
#include "gui/canvas/canvas.h"

#include <QPushButton>
#include <QStyleHints>
#include <QWheelEvent>
#include <QtTest>
#include <cmath>

#include "gui/canvas/view_transform.h"
#include "gui/widgets/theme.h"
#include "gui_canvas/pictures.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

class CanvasTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        Theme::instance().setChoice(ThemeChoice::Dark);
        m_source = pyramidOf(noisyImage({800, 600}, 1));
        m_result = pyramidOf(noisyImage({800, 600}, 2));
    }

    void init() {
        m_canvas = std::make_unique<Canvas>();
        m_canvas->resize(400, 300);
        m_canvas->setSource(m_source);
        m_canvas->setResult(m_result);
        m_canvas->show();
        m_canvas->activateWindow();
        m_canvas->setFocus();
        QVERIFY(QTest::qWaitForWindowActive(m_canvas.get()));
        QTRY_VERIFY(m_canvas->hasFocus());
    }

    void cleanup() { m_canvas.reset(); }

    void opensFitted() {
        QVERIFY(m_canvas->isFitted());
        QCOMPARE(m_canvas->zoom(), 0.5 * m_canvas->devicePixelRatioF());
        QCOMPARE(m_canvas->viewport().visible, (Rect{0, 0, 800, 600}));
        m_canvas->resize(800, 600);
        QCOMPARE(m_canvas->zoom(), 1.0 * m_canvas->devicePixelRatioF());
    }

    void wheelKeepsThePointUnderTheCursor() {
        const QPointF at(311, 83);
        const QPointF before = m_canvas->imagePosition(at);
        for (int i = 0; i < 12; ++i) {
            const double zoom = m_canvas->zoom();
            wheel(at, 120);
            QVERIFY(m_canvas->zoom() > zoom);
            const QPointF off = (m_canvas->imagePosition(at) - before) * m_canvas->zoom();
            QVERIFY2(std::abs(off.x()) <= 1.0 + m_canvas->zoom() &&
                         std::abs(off.y()) <= 1.0 + m_canvas->zoom(),
                     qPrintable(QStringLiteral("%1, %2").arg(off.x()).arg(off.y())));
        }
        QVERIFY(!m_canvas->isFitted());
        for (int i = 0; i < 200; ++i) wheel(at, 120);
        QCOMPARE(m_canvas->zoom(), 64.0);
        for (int i = 0; i < 400; ++i) wheel(at, -120);
        QCOMPARE(m_canvas->zoom(), 16.0 / 800);
    }

    void fineWheelStepsAddUp() {
        wheel(middle(), 120);
        const double oneNotch = m_canvas->zoom();
        m_canvas->fit();
        for (int i = 0; i < 120; ++i) wheel(middle(), 1);
        QVERIFY(std::abs(m_canvas->zoom() / oneNotch - 1.0) < 1e-9);
    }

    void wheelStopsAtActualSize() {
        m_canvas->setZoom(0.93, middle());
        wheel(middle(), 120);
        QCOMPARE(m_canvas->zoom(), 1.0);
        wheel(middle(), 120);
        QVERIFY(m_canvas->zoom() > 1.1);
    }

    void shiftWheelPansSideways() {
        m_canvas->zoomToActual();
        const Rect before = m_canvas->viewport().visible;
        wheel(middle(), -120, Qt::ShiftModifier);
        const Rect after = m_canvas->viewport().visible;
        QVERIFY(after.x > before.x);
        QCOMPARE(after.y, before.y);
        QCOMPARE(m_canvas->zoom(), 1.0);
    }

    void dragPans() {
        m_canvas->zoomToActual();
        const QPointF held = m_canvas->imagePosition({150, 100});
        drag({150, 100}, {210, 80});
        const QPointF now = m_canvas->imagePosition({210, 80});
        QVERIFY(QLineF(held, now).length() < 1.01);
    }

    void spaceDragPansOverTheWipeLine() {
        m_canvas->setViewMode(ViewMode::Wipe);
        m_canvas->zoomToActual();
        const QPointF before = m_canvas->imagePosition({200, 60});
        QTest::keyPress(m_canvas.get(), Qt::Key_Space);
        drag({200, 60}, {240, 90});
        QTest::keyRelease(m_canvas.get(), Qt::Key_Space);
        QVERIFY(QLineF(before, m_canvas->imagePosition({240, 90})).length() < 1.01);
    }

    void doubleClickToggles() {
        const QPoint at(100, 200);
        const QPointF point = m_canvas->imagePosition(at);
        QTest::mouseDClick(m_canvas.get(), Qt::LeftButton, {}, at);
        QCOMPARE(m_canvas->zoom(), 1.0);
        QVERIFY(QLineF(point, m_canvas->imagePosition(at)).length() < 2.0);
        QTest::mouseDClick(m_canvas.get(), Qt::LeftButton, {}, at);
        QVERIFY(m_canvas->isFitted());
    }

    void keysZoom() {
        const double fitted = m_canvas->zoom();
        QTest::keyClick(m_canvas.get(), Qt::Key_Plus);
        QCOMPARE(m_canvas->zoom(), ViewTransform::nextZoomStep(fitted, true));
        QVERIFY(m_canvas->zoom() > fitted);
        QTest::keyClick(m_canvas.get(), Qt::Key_Minus);
        QVERIFY(m_canvas->zoom() <= fitted);
        QVERIFY(!m_canvas->isFitted());
        QTest::keyClick(m_canvas.get(), Qt::Key_F);
        QVERIFY(m_canvas->isFitted());
        m_canvas->setZoom(4.0, middle());
        const Rect before = m_canvas->viewport().visible;
        QTest::keyClick(m_canvas.get(), Qt::Key_Right);
        QVERIFY(m_canvas->viewport().visible.x > before.x);
        QTest::keyClick(m_canvas.get(), Qt::Key_Up);
        QVERIFY(m_canvas->viewport().visible.y < before.y);
    }

    void keysChooseTheView() {
        QSignalSpy spy(m_canvas.get(), &Canvas::viewModeChanged);
        QTest::keyClick(m_canvas.get(), Qt::Key_1);
        QCOMPARE(m_canvas->viewMode(), ViewMode::Source);
        QTest::keyClick(m_canvas.get(), Qt::Key_3);
        QCOMPARE(m_canvas->viewMode(), ViewMode::SideBySide);
        QTest::keyClick(m_canvas.get(), Qt::Key_4);
        QCOMPARE(m_canvas->viewMode(), ViewMode::Wipe);
        QTest::keyClick(m_canvas.get(), Qt::Key_2);
        QCOMPARE(m_canvas->viewMode(), ViewMode::Result);
        QCOMPARE(spy.count(), 4);
    }

    void keysOfTheWindowPass() {
        const double before = m_canvas->zoom();
        for (const Qt::Key key : {Qt::Key_0, Qt::Key_1, Qt::Key_Plus, Qt::Key_F})
            QTest::keyClick(m_canvas.get(), key, Qt::ControlModifier);
        QCOMPARE(m_canvas->zoom(), before);
        QCOMPARE(m_canvas->viewMode(), ViewMode::Result);
    }

    void shortcutOverrideOnlyForOwnKeys() {
        const auto taken = [this](int key, Qt::KeyboardModifiers modifiers = {}) {
            QKeyEvent event(QEvent::ShortcutOverride, key, modifiers);
            event.ignore();
            QApplication::sendEvent(m_canvas.get(), &event);
            return event.isAccepted();
        };
        QVERIFY(taken(Qt::Key_F));
        QVERIFY(taken(Qt::Key_Space));
        QVERIFY(!taken(Qt::Key_1, Qt::ControlModifier));
        QVERIFY(!taken(Qt::Key_A));
        QVERIFY(!taken(Qt::Key_Tab));
        QVERIFY(!taken(Qt::Key_T));  // only with a wipe line
        m_canvas->setSource(nullptr);
        QVERIFY(!taken(Qt::Key_F));
    }

    void viewSurvivesSameSize() {
        m_canvas->setZoom(3.0, {40, 250});
        const Viewport before = m_canvas->viewport();
        m_canvas->setResult(pyramidOf(noisyImage({800, 600}, 5)));
        m_canvas->setSource(pyramidOf(noisyImage({800, 600}, 6)));
        QCOMPARE(m_canvas->zoom(), 3.0);
        QCOMPARE(m_canvas->viewport().visible, before.visible);
    }

    void otherSizeFits() {
        m_canvas->setZoom(3.0, {40, 250});
        m_canvas->setSource(pyramidOf(noisyImage({100, 600}, 6)));
        QVERIFY(m_canvas->isFitted());
        QCOMPARE(m_canvas->viewport().visible, (Rect{0, 0, 100, 600}));
    }

    void cursorPixelFollowsTheMouse() {
        QSignalSpy spy(m_canvas.get(), &Canvas::cursorPixelChanged);
        m_canvas->setZoom(8.0, middle());
        move({120, 90});
        QVERIFY(!spy.isEmpty());
        const QPointF at = m_canvas->imagePosition({120.01, 90.01});
        QCOMPARE(spy.last()[0].toPoint(), QPoint(int(at.x()), int(at.y())));
        // Zooming under a resting mouse may bring another pixel there.
        m_canvas->setZoom(64.0, {0, 0});
        const QPointF then = m_canvas->imagePosition({120.01, 90.01});
        QCOMPARE(spy.last()[0].toPoint(), QPoint(int(then.x()), int(then.y())));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(m_canvas.get(), &leave);
        QCOMPARE(spy.last()[0].toPoint(), QPoint(-1, -1));
    }

    void clickIsReportedLate() {
        QSignalSpy spy(m_canvas.get(), &Canvas::pixelClicked);
        m_canvas->setZoom(8.0, middle());
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, {77, 66});
        QCOMPARE(spy.count(), 0);
        QTRY_COMPARE(spy.count(), 1);
        const QPointF at = m_canvas->imagePosition({77.01, 66.01});
        QCOMPARE(spy.last()[0].toPoint(), QPoint(int(at.x()), int(at.y())));
        // Neither a drag nor a double click is a click.
        drag({100, 100}, {150, 150});
        QTest::mouseDClick(m_canvas.get(), Qt::LeftButton, {}, {77, 66});
        QTest::qWait(QGuiApplication::styleHints()->mouseDoubleClickInterval() + 100);
        QCOMPARE(spy.count(), 1);
    }

    void pixelCursor() {
        QSignalSpy moved(m_canvas.get(), &Canvas::cursorPixelChanged);
        QSignalSpy clicked(m_canvas.get(), &Canvas::pixelClicked);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(m_canvas.get(), &leave);
        m_canvas->setZoom(16.0, middle());
        QTest::keyClick(m_canvas.get(), Qt::Key_X);
        const QPoint start = moved.last()[0].toPoint();
        QTest::keyClick(m_canvas.get(), Qt::Key_Right);
        QCOMPARE(moved.last()[0].toPoint(), start + QPoint(1, 0));
        QTest::keyClick(m_canvas.get(), Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(moved.last()[0].toPoint(), start + QPoint(1, 10));
        // The view follows, and the image's edge ends it.
        for (int i = 0; i < 100; ++i)
            QTest::keyClick(m_canvas.get(), Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(moved.last()[0].toPoint().x(), 799);
        const Rect seen = m_canvas->viewport().visible;
        QVERIFY(seen.x + seen.width == 800);
        QTest::keyClick(m_canvas.get(), Qt::Key_Return);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.last()[0].toPoint(), moved.last()[0].toPoint());
        QTest::keyClick(m_canvas.get(), Qt::Key_Escape);
        QCOMPARE(moved.last()[0].toPoint(), QPoint(-1, -1));
    }

    void shiftShowsTheSource() {
        QSignalSpy spy(m_canvas.get(), &Canvas::showingSourceChanged);
        m_canvas->zoomToActual();
        const QImage result = m_canvas->grab().toImage();
        QTest::keyPress(m_canvas.get(), Qt::Key_Shift);
        QCOMPARE(spy.count(), 0);
        QTRY_COMPARE(spy.count(), 1);
        QCOMPARE(spy.last()[0].toBool(), true);
        const QImage held = m_canvas->grab().toImage();
        QVERIFY(held.pixel(200, 150) != result.pixel(200, 150));
        QTest::keyRelease(m_canvas.get(), Qt::Key_Shift);
        QCOMPARE(spy.last()[0].toBool(), false);
        QCOMPARE(m_canvas->grab().toImage(), result);
    }

    void shiftThenWheelDoesNot() {
        QSignalSpy spy(m_canvas.get(), &Canvas::showingSourceChanged);
        QTest::keyPress(m_canvas.get(), Qt::Key_Shift);
        wheel(middle(), 120, Qt::ShiftModifier);
        QTest::qWait(250);
        QTest::keyRelease(m_canvas.get(), Qt::Key_Shift);
        QTest::keyPress(m_canvas.get(), Qt::Key_Shift);
        drag({100, 100}, {160, 100});
        QTest::qWait(250);
        QCOMPARE(spy.count(), 0);
    }

    void focusOutEndsShift() {
        QTest::keyPress(m_canvas.get(), Qt::Key_Shift);
        QTRY_VERIFY(m_canvas->showingHeldSource());
        m_canvas->clearFocus();
        QVERIFY(!m_canvas->showingHeldSource());
    }

    void wipeLineIsDragged() {
        m_canvas->setSource(pyramidOf(plainImage({400, 300}, 200, 0, 0)));
        m_canvas->setResult(pyramidOf(plainImage({400, 300}, 0, 0, 200)));
        m_canvas->setViewMode(ViewMode::Wipe);
        const double dpr = m_canvas->devicePixelRatioF();
        const auto colorAt = [&](const QPoint& at) {
            return m_canvas->grab().toImage().pixelColor((QPointF(at) * dpr).toPoint());
        };
        QCOMPARE(colorAt({150, 250}), QColor(200, 0, 0));
        QCOMPARE(colorAt({250, 250}), QColor(0, 0, 200));
        const Viewport view = m_canvas->viewport();
        QSignalSpy pixel(m_canvas.get(), &Canvas::cursorPixelChanged);
        drag({201, 40}, {101, 70});
        // The read-out goes with the cursor.
        const QPointF under = m_canvas->imagePosition({101, 70});
        QVERIFY(!pixel.isEmpty());
        QCOMPARE(pixel.last().first().toPoint(), QPoint(int(under.x()), int(under.y())));
        QCOMPARE(colorAt({150, 250}), QColor(0, 0, 200));
        QCOMPARE(colorAt({80, 250}), QColor(200, 0, 0));
        QCOMPARE(m_canvas->viewport().visible, view.visible);
        QTest::keyClick(m_canvas.get(), Qt::Key_BracketRight);
        QCOMPARE(colorAt({104, 250}), QColor(200, 0, 0));
        drag({109, 40}, {-500, 40});
        QCOMPARE(colorAt({20, 250}), QColor(0, 0, 200));
    }

    void wipeHandleTurns() {
        m_canvas->setSource(pyramidOf(plainImage({400, 300}, 200, 0, 0)));
        m_canvas->setResult(pyramidOf(plainImage({400, 300}, 0, 0, 200)));
        m_canvas->setViewMode(ViewMode::Wipe);
        const double dpr = m_canvas->devicePixelRatioF();
        const auto colorAt = [&](const QPoint& at) {
            return m_canvas->grab().toImage().pixelColor((QPointF(at) * dpr).toPoint());
        };
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, {200, 150});
        QCOMPARE(colorAt({300, 60}), QColor(200, 0, 0));
        QCOMPARE(colorAt({100, 240}), QColor(0, 0, 200));
        // The handle moves the line as well.
        drag({200, 150}, {200, 250});
        QCOMPARE(colorAt({100, 240}), QColor(200, 0, 0));
        QTest::keyClick(m_canvas.get(), Qt::Key_T);
        QCOMPARE(colorAt({390, 60}), QColor(0, 0, 200));
        // Away from the middle a click turns it where it is, and a second one back.
        drag({200, 60}, {80, 60});
        const QPoint handle(80, 250);
        for (const bool turned : {true, false}) {
            QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, handle);
            QCOMPARE(m_canvas->wipeLine().turned(), turned);
            QCOMPARE(colorAt(handle + QPoint(40, -40)),
                     turned ? QColor(200, 0, 0) : QColor(0, 0, 200));
            QCOMPARE(colorAt(handle + QPoint(-40, 14)),
                     turned ? QColor(0, 0, 200) : QColor(200, 0, 0));
        }
    }

    void sideBySidePanesAgree() {
        m_canvas->setViewMode(ViewMode::SideBySide);
        QVERIFY(m_canvas->isFitted());
        m_canvas->setZoom(4.0, {100, 150});
        // The right pane is as wide as the left and ends where the canvas ends.
        const double dpr = m_canvas->devicePixelRatioF();
        const double width = std::round(400 * dpr);
        const double half = std::floor((width - std::round(2 * dpr)) / 2);
        const QPointF at(60 + (width - half) / dpr, 90);
        const QPointF left = m_canvas->imagePosition({60, 90});
        const QPointF right = m_canvas->imagePosition(at);
        QVERIFY(QLineF(left, right).length() < 1e-9);
        // Zooming in one pane zooms both about that point.
        wheel(at, 120);
        QVERIFY(QLineF(m_canvas->imagePosition(at), right).length() * m_canvas->zoom() < 1.5);
        QVERIFY(QLineF(m_canvas->imagePosition({60, 90}), left).length() * m_canvas->zoom() < 1.5);
    }

    void emptyStateButtons() {
        m_canvas->setSource(nullptr);
        auto* open = m_canvas->findChild<QPushButton*>(QStringLiteral("openImage"));
        auto* sample = m_canvas->findChild<QPushButton*>(QStringLiteral("openSample"));
        QVERIFY(open && open->isVisible() && sample && sample->isVisible());
        QSignalSpy opened(m_canvas.get(), &Canvas::openRequested);
        QSignalSpy sampled(m_canvas.get(), &Canvas::sampleRequested);
        m_canvas->setFocus();
        QCOMPARE(QApplication::focusWidget(), open);
        QTest::keyClick(open, Qt::Key_Space);
        QTest::keyClick(open, Qt::Key_Return);
        QCOMPARE(opened.count(), 2);
        QTest::keyClick(open, Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), sample);
        QTest::mouseClick(sample, Qt::LeftButton);
        QCOMPARE(sampled.count(), 1);
        wheel(middle(), 120);
        m_canvas->setSource(m_source);
        QVERIFY(!open->isVisible());
        QVERIFY(m_canvas->hasFocus());
    }

    void viewportIsReported() {
        QSignalSpy viewports(m_canvas.get(), &Canvas::viewportChanged);
        QSignalSpy zooms(m_canvas.get(), &Canvas::zoomChanged);
        m_canvas->setZoom(2.0, {0, 0});
        QCOMPARE(viewports.count(), 1);
        QCOMPARE(zooms.count(), 1);
        QCOMPARE(zooms.last()[0].toDouble(), 2.0);
        const auto view = viewports.last()[0].value<Viewport>();
        QCOMPARE(view.zoom, 2.0);
        const double dpr = m_canvas->devicePixelRatioF();
        QVERIFY(std::abs(view.visible.width - 200 * dpr) <= 1);
        m_canvas->setZoom(2.0, {50, 50});
        QCOMPARE(viewports.count(), 1);
    }

  private:
    QPointF middle() const { return QRectF(m_canvas->rect()).center(); }
    void wheel(const QPointF& at, int angle, Qt::KeyboardModifiers modifiers = {}) {
        QWheelEvent event(at, m_canvas->mapToGlobal(at), {}, {0, angle}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_canvas.get(), &event);
    }

    void drag(const QPoint& from, const QPoint& to) {
        QTest::mousePress(m_canvas.get(), Qt::LeftButton, {}, from);
        move((from + to) / 2, Qt::LeftButton);
        move(to, Qt::LeftButton);
        QTest::mouseRelease(m_canvas.get(), Qt::LeftButton, {}, to);
    }

    // Not through the platform's cursor, which is shared with whoever looks at the screen.
    void move(const QPoint& to, Qt::MouseButtons held = {}) {
        QMouseEvent event(QEvent::MouseMove, to, m_canvas->mapToGlobal(to), Qt::NoButton, held, {});
        QApplication::sendEvent(m_canvas.get(), &event);
    }

    std::unique_ptr<Canvas> m_canvas;
    PyramidPtr m_source;
    PyramidPtr m_result;
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::CanvasTest)
#include "canvas_test.moc"
