#include "gui/canvas/view_transform.h"
#include "support/test_case.h"

#include <QtTest>
#include <cmath>

namespace warpscope::gui {

static ViewTransform made(Size image, QSize pane) {
    ViewTransform t;
    t.setPaneSize(pane);
    t.setImageSize(image);
    return t;
}

class ViewTransformTest : public QObject {
    Q_OBJECT
  private slots:
    void fitsTheLongerSide() {
        const ViewTransform wide = made({400, 100}, {200, 200});
        QCOMPARE(wide.zoom(), 0.5);
        QCOMPARE(wide.imageRect(), QRect(0, 75, 200, 50));
        QVERIFY(wide.isFitted());
        QCOMPARE(made({1, 1}, {500, 400}).zoom(), kMaxZoom);
    }

    void anchorStays_data() {
        QTest::addColumn<double>("factor");
        QTest::addColumn<QPointF>("anchor");
        QTest::newRow("in") << 1.189 << QPointF(123.25, 77.5);
        QTest::newRow("far in") << 40.0 << QPointF(10, 280);
        QTest::newRow("out") << 0.5 << QPointF(200, 150);
    }

    void anchorStays() {
        QFETCH(double, factor);
        QFETCH(QPointF, anchor);
        ViewTransform t = made({1000, 800}, {400, 300});
        t.setZoom(1.0, {200, 150});
        const QPointF before = t.toImage(anchor);
        t.setZoom(t.zoom() * factor, anchor);
        const QPointF moved = (t.toImage(anchor) - before) * t.zoom();
        // The picture lies on whole device pixels before and after.
        const double slack = 0.5 + 0.5 * factor;
        QVERIFY2(std::abs(moved.x()) <= slack && std::abs(moved.y()) <= slack,
                 qPrintable(QStringLiteral("%1, %2").arg(moved.x()).arg(moved.y())));
    }

    void manySmallStepsComeBack() {
        ViewTransform t = made({1000, 800}, {400, 300});
        t.setZoom(1.0, {200, 150});
        const QPointF before = t.toImage({311, 47});
        for (int i = 0; i < 300; ++i) t.setZoom(t.zoom() * 1.01, {311, 47});
        for (int i = 0; i < 300; ++i) t.setZoom(t.zoom() / 1.01, {311, 47});
        QVERIFY(std::abs(t.zoom() - 1.0) < 1e-9);
        QVERIFY(QLineF(before, t.toImage({311, 47})).length() <= 1.0);
    }

    void zoomStaysInRange() {
        ViewTransform t = made({20000, 5000}, {400, 300});
        t.setZoom(1000, {0, 0});
        QCOMPARE(t.zoom(), 64.0);
        t.setZoom(1e-9, {0, 0});
        QCOMPARE(t.zoom(), 16.0 / 20000);
        t.setZoom(std::nan(""), {0, 0});
        QCOMPARE(t.zoom(), 16.0 / 20000);
        // A small image may be shown as it is, and is never made smaller than that.
        QCOMPARE(made({8, 8}, {400, 300}).minimumZoom(), 1.0);
    }

    void panningKeepsTheImageInSight() {
        ViewTransform t = made({1000, 800}, {400, 300});
        t.setZoom(1.0, {200, 150});
        t.panBy({1e7, -1e7});
        QVERIFY(!(t.imageRect() & QRect(0, 0, 400, 300)).isEmpty());
        QVERIFY(!t.isFitted());
        QVERIFY(t.visible().width > 0 && t.visible().height > 0);
    }

    void sameSizeKeepsTheView() {
        ViewTransform t = made({1000, 800}, {400, 300});
        t.setZoom(3.0, {17, 200});
        const QPoint offset = t.offset();
        t.setImageSize({1000, 800});
        QCOMPARE(t.zoom(), 3.0);
        QCOMPARE(t.offset(), offset);
        t.setImageSize({1001, 800});
        QVERIFY(t.isFitted());
    }

    void resizingKeepsTheMiddle() {
        ViewTransform t = made({1000, 800}, {400, 300});
        t.setZoom(2.0, {200, 150});
        const QPointF before = t.toImage({200, 150});
        t.setPaneSize({640, 500});
        QVERIFY(QLineF(before, t.toImage({320, 250})).length() <= 0.5);
        t.fit();
        t.setPaneSize({100, 100});
        QCOMPARE(t.zoom(), 0.1);
    }

    void visibleIsClipped() {
        ViewTransform t = made({1000, 800}, {400, 300});
        QCOMPARE(t.visible(), (Rect{0, 0, 1000, 800}));
        t.setZoom(1.0, {0, 0});
        t.panBy(QPointF(0, 0) - t.offset());
        QCOMPARE(t.visible(), (Rect{0, 0, 400, 300}));
        t.panBy({-950, -700});
        QCOMPARE(t.visible(), (Rect{950, 700, 50, 100}));
        QCOMPARE(ViewTransform().visible(), Rect{});
    }

    void pixelRectsTile() {
        ViewTransform t = made({100, 100}, {400, 300});
        for (const double zoom : {1.0, 1.7, 9.3, 33.4, 64.0}) {
            t.setZoom(zoom, {200, 150});
            for (int x = 0; x < 99; ++x) {
                const QRect here = t.pixelRect({x, 5});
                QVERIFY(!here.isEmpty());
                QCOMPARE(here.right() + 1, t.pixelRect({x + 1, 5}).left());
            }
            QCOMPARE(t.pixelRect({0, 0}).topLeft(), t.imageRect().topLeft());
            QCOMPARE(t.pixelRect({99, 99}).bottomRight(), t.imageRect().bottomRight());
        }
    }

    void thinImageIsNotLost() {
        const ViewTransform t = made({1, 1'000'000}, {400, 300});
        QCOMPARE(t.imageRect().width(), 1);
        QCOMPARE(t.imageRect().height(), 300);
        QCOMPARE(t.visible(), (Rect{0, 0, 1, 1'000'000}));
    }

    void zoomSteps() {
        QCOMPARE(ViewTransform::nextZoomStep(1.0, true), 1.5);
        QCOMPARE(ViewTransform::nextZoomStep(1.5, true), 2.0);
        QCOMPARE(ViewTransform::nextZoomStep(1.0, false), 0.75);
        QCOMPARE(ViewTransform::nextZoomStep(0.75, false), 0.5);
        QCOMPARE(ViewTransform::nextZoomStep(0.333, true), 0.375);
        QCOMPARE(ViewTransform::nextZoomStep(0.333, false), 0.25);
        QCOMPARE(ViewTransform::nextZoomStep(2.0 - 1e-12, true), 3.0);
        QCOMPARE(ViewTransform::nextZoomStep(2.0 + 1e-12, false), 1.5);
    }

    void revealMovesLeast() {
        ViewTransform t = made({1000, 800}, {400, 300});
        t.setZoom(4.0, {200, 150});
        const QPoint before = t.offset();
        const Rect seen = t.visible();
        t.reveal({seen.x + 5, seen.y + 5});
        QCOMPARE(t.offset(), before);
        t.reveal({999, 799});
        QCOMPARE(t.pixelRect({999, 799}).bottomRight(), QPoint(399, 299));
        t.reveal({0, 0});
        QCOMPARE(t.pixelRect({0, 0}).topLeft(), QPoint(0, 0));
    }

    void pixelUnderAPlace() {
        ViewTransform t = made({100, 50}, {400, 300});
        t.setZoom(2.0, {0, 0});
        const QPoint corner = t.offset();
        QCOMPARE(t.pixelAt(QPointF(corner)), QPoint(0, 0));
        QCOMPARE(t.pixelAt(corner + QPointF(1.9, 2.1)), QPoint(0, 1));
        QCOMPARE(t.pixelAt(corner - QPointF(0.1, 0)), kNoPixel);
        QCOMPARE(t.pixelAt(corner + QPointF(199.9, 99.9)), QPoint(99, 49));
        QCOMPARE(t.pixelAt(corner + QPointF(200, 99)), kNoPixel);
        // The image goes on, the pane does not.
        t.setZoom(20.0, {0, 0});
        QCOMPARE(t.pixelAt({400, 280}), kNoPixel);
        QVERIFY(t.pixelAt({399, 280}) != kNoPixel);
        QCOMPARE(t.nearestPixel({-3, 49.99}), QPoint(0, 49));
        QCOMPARE(t.nearestPixel({100, 50}), QPoint(99, 49));
        QCOMPARE(t.nearestPixel({41.999, 0.5}), QPoint(41, 0));
    }

    void centersAPixel() {
        ViewTransform t = made({1000, 800}, {400, 300});
        t.centerOn({700, 100}, 8.0);
        QCOMPARE(t.zoom(), 8.0);
        QCOMPARE(t.pixelAt(t.paneCenter()), QPoint(700, 100));
        t.setZoom(20.0, {10, 10});
        t.centerOn({3, 600}, 8.0);
        QCOMPARE(t.zoom(), 20.0);  // large enough
        QCOMPARE(t.pixelAt(t.paneCenter()), QPoint(3, 600));
    }

    void fineZoomMeetsActualSize() {
        QCOMPARE(ViewTransform::zoomTimes(0.99, 1.02), 1.0);
        QCOMPARE(ViewTransform::zoomTimes(1.02, 0.5), 1.0);
        QCOMPARE(ViewTransform::zoomTimes(1.0, 1.5), 1.5);
        QCOMPARE(ViewTransform::zoomTimes(1.5, 2.0), 3.0);
        QCOMPARE(ViewTransform::zoomTimes(0.25, 2.0), 0.5);
    }

    void panesOfAWidget() {
        QCOMPARE(Panes().first(), QRect());
        const Panes one({301, 201}, 1.5, false);
        QCOMPARE(one.all(), (std::vector<QRect>{QRect(0, 0, 452, 302)}));
        QCOMPARE(one.toPane({200, 100}), QPointF(300, 150));
        const Panes two({301, 201}, 1.0, true);
        QCOMPARE(two.all(), (std::vector<QRect>{QRect(0, 0, 149, 201), QRect(152, 0, 149, 201)}));
        QCOMPARE(two.at({151, 10}), two.first());
        QCOMPARE(two.toPane({151, 10}), QPointF(151, 10));
        QCOMPARE(two.at({152, 10}), two.all().back());
        QCOMPARE(two.toPane({152, 10}), QPointF(0, 10));
        const Panes twice({301, 201}, 2.0, true);
        QCOMPARE(twice.all().back(), QRect(303, 0, 299, 402));
        QCOMPARE(twice.toPane({152, 10}), QPointF(1, 20));
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::ViewTransformTest)
#include "view_transform_test.moc"
