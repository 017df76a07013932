// Results that lie over a part of the source, turned or mirrored: what goes where, then drawn.
#include <QSignalSpy>
#include <random>

#include "gui/canvas/pane_view.h"
#include "gui/canvas/region_editor.h"
#include "gui_canvas/turned_canvas.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

class PlacedResultTest : public QObject {
    Q_OBJECT

    Image m_image = noisyImage({301, 207}, 1);
    PyramidPtr m_source = pyramidOf(m_image);
    const Rect m_box{37, 45, 151, 83};
    using Shown = TurnedCanvas;

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void pixelsFaceEachOther_data() { everyTurn(); }
    void pixelsFaceEachOther() {
        QFETCH(int, how);
        const Turned turned{how, {3, 2, 7, 4}};
        const Size source{13, 9};
        const ResultPlace place{turned.size(), turned.map()};
        QVERIFY(place.sourceFromResult.keepsPixels());
        for (int y = -1; y < 10; ++y)
            for (int x = -1; x < 14; ++x) {
                const QPoint p(x, y);
                const bool inSource = QRect(0, 0, 13, 9).contains(p);
                const PixelPair of = pairOfSource(p, place, source);
                QCOMPARE(of.source, inSource ? p : kNoPixel);
                if (p != kNoPixel) QCOMPARE(of.result, turned.result(p));
                const bool inResult = QRect(0, 0, place.size.width, place.size.height).contains(p);
                const PixelPair back = pairOfResult(p, place, source);
                QCOMPARE(back.result, inResult ? p : kNoPixel);
                if (inResult) QCOMPARE(back.source, turned.source(p));
            }
        QVERIFY(pairOfSource(kNoPixel, place, source).isNone());
    }

    void enlargedResultsHaveSeveralPixelsForOne() {
        const ResultPlace place{{26, 18}, {0.5, 0, 0, 0, 0.5, 0}};
        QCOMPARE(lengthFactor(place.sourceFromResult), 0.5);
        QCOMPARE(pairOfResult({7, 5}, place, {13, 9}).source, QPoint(3, 2));
        QCOMPARE(pairOfResult({6, 4}, place, {13, 9}).source, QPoint(3, 2));
        QCOMPARE(pairOfSource({3, 2}, place, {13, 9}).result, QPoint(7, 5));
        QVERIFY(!laidOver(ViewTransform(), place));
    }

    // Under each device pixel the pixel of the result that faces the source's.
    void laidOverPixelOnPixel_data() { everyTurn(); }
    void laidOverPixelOnPixel() {
        QFETCH(int, how);
        std::mt19937 random(warpscope::test::freshSeed());
        const auto upTo = [&](int most) { return int(random() % unsigned(most + 1)); };
        for (int round = 0; round < 20; ++round) {
            const Size source{20 + upTo(40), 20 + upTo(40)};
            const Turned turned{how, {upTo(9), upTo(9), 3 + upTo(8), 3 + upTo(8)}};
            ViewTransform view;
            view.setImageSize(source);
            view.setPaneSize({60 + upTo(30), 50 + upTo(30)});
            // Odd ones: no pixel's edge falls on a device pixel's middle.
            const double zoom = (random() & 1) != 0 ? 1 + upTo(6) : 0.8021 + 0.4321 * upTo(9);
            view.setZoom(zoom, QPointF(upTo(50), upTo(40)));
            const auto over = laidOver(view, {turned.size(), turned.map()});
            QVERIFY(over.has_value());
            for (int y = 0; y < view.paneSize().height(); ++y)
                for (int x = 0; x < view.paneSize().width(); ++x) {
                    const QPointF at(x + 0.5, y + 0.5);
                    const QPoint pixel = view.pixelAt(at);
                    const QPointF upright = mapPoint(over->uprightFromPane, at);
                    QVERIFY(QRectF(QPointF(0, 0), over->upright.paneSize()).contains(upright));
                    if (pixel == kNoPixel) continue;
                    QCOMPARE(over->upright.pixelAt(upright), turned.result(pixel));
                    const QPoint shown = over->shown.pixelAt(at);
                    if (shown == kNoPixel) continue;
                    const QPointF own =
                        mapPoint(over->imageFromShown, {shown.x() + 0.5, shown.y() + 0.5});
                    QCOMPARE(QPoint(int(std::floor(own.x())), int(std::floor(own.y()))),
                             turned.result(pixel));
                }
        }
    }

    void linkedPanesHaveOneMiddle_data() { everyTurn(); }
    void linkedPanesHaveOneMiddle() {
        QFETCH(int, how);
        const Turned turned{how, m_box};
        ViewTransform view;
        view.setImageSize({301, 207});
        view.setPaneSize({200, 150});
        view.setZoom(3, {77, 31});
        const PaneView first(view);
        const PaneView second = first.linkedTo({turned.size(), turned.map()});
        QCOMPARE(second.sourceZoom(), 3.0);
        const auto near = [](const QPointF& a, const QPointF& b) {
            return QLineF(a, b).length() < 1.0;
        };
        QVERIFY(near(first.toSource(view.paneCenter()), second.toSource(view.paneCenter())));
        const PaneView back = second.linkedTo(first.place());
        QVERIFY(near(back.toPane({0, 0}), first.toPane({0, 0})));
        // A result of twice the pixels is shown half as large each.
        const PaneView doubled = first.linkedTo({{602, 414}, {0.5, 0, 0, 0, 0.5, 0}});
        QCOMPARE(doubled.transform().zoom(), 1.5);
        QCOMPARE(doubled.sourceZoom(), 3.0);
    }

    void handlesKeepTheirCorner() {
        const Turned turned{5, m_box};  // a quarter turn
        ViewTransform view;
        view.setImageSize({301, 207});
        view.setPaneSize({600, 600});
        view.setZoom(2, {0, 0});
        const PaneView pane = PaneView(view).linkedTo({turned.size(), turned.map()});
        RegionEditor editor;
        editor.setRegion(Rect{50, 60, 40, 30});
        QCOMPARE(editor.outline(pane).size(), QSizeF(60, 80));
        const QPointF corner = pane.toPane({50, 60});
        QVERIFY(editor.handleAt(corner, pane, 1) == RegionHandle::TopLeft);
        QVERIFY(editor.handleAt(pane.toPane({90, 75}), pane, 1) == RegionHandle::Right);
        QVERIFY(editor.handleAt(pane.toPane({70, 75}), pane, 1) == RegionHandle::Move);
        // The lower right corner of what is shown.
        const PixelMap shown = pane.imageFromSource();
        const Rect before = mapped(shown, *editor.region());
        QVERIFY(editor.resizeBy({3, 5}, {301, 207}, shown));
        const Rect after = mapped(shown, *editor.region());
        QCOMPARE(after, (Rect{before.x, before.y, before.width + 3, before.height + 5}));
    }

    void eachPaneIsUprightAndLinked_data() { everyTurn(); }
    void eachPaneIsUprightAndLinked() {
        QFETCH(int, how);
        Shown f(m_source, {how, m_box}, ViewMode::SideBySide, {701, 400});
        const auto agrees = [&](const QPoint& pixel) {
            QCOMPARE(f.colorOf(pixel), pixelOf(f.source, pixel));
            QCOMPARE(f.colorInResult(pixel), pixelOf(f.result, f.turned.result(pixel)));
            // Upright: one to the right in the result is one to the right on the screen.
            const QPoint own = f.turned.result(pixel);
            const QPoint next = f.turned.source(own + QPoint(1, 0));
            const QPoint by = f.placeInResult(next) - f.placeInResult(pixel);
            QVERIFY(by.x() > 0 && std::abs(by.y()) <= 1);
        };
        // All of both is in sight to begin with.
        QVERIFY(f.canvas.isFitted());
        const QRectF left(0, 0, 349.5, 400), right(351.5, 0, 349.5, 400);
        for (const QPointF& corner : {QPointF(0, 0), QPointF(301, 207)})
            QVERIFY(left.adjusted(-1, -1, 1, 1).contains(f.canvas.widgetPosition(corner)));
        for (const QPointF& corner :
             {QPointF(m_box.x, m_box.y), QPointF(m_box.x + m_box.width, m_box.y + m_box.height)})
            QVERIFY(right.adjusted(-1, -1, 1, 1).contains(f.canvas.widgetPositionInResult(corner)));

        f.canvas.setZoom(4.0, f.place({112, 86}));
        const QPoint pixel = f.canvas.imagePosition({175, 200}).toPoint();
        agrees(pixel);
        // A drag in the result's pane moves what is under the mouse, and the other pane with it.
        const QPoint from = f.placeInResult(pixel);
        f.drag(from, from + QPoint(31, -17));
        QVERIFY((f.placeInResult(pixel) - from - QPoint(31, -17)).manhattanLength() <= 1);
        agrees(pixel);
        const auto middles = [&] {
            return QLineF(f.canvas.imagePosition({174.75, 200}),
                          f.canvas.imagePosition({351.5 + 174.75, 200}))
                .length();
        };
        QVERIFY(middles() < 0.5);
        // So does one in the source's pane, and the wheel in either.
        const QPoint place = f.place(QPointF(pixel) + QPointF(0.5, 0.5));
        f.drag(place, place + QPoint(-20, 12));
        agrees(pixel);
        for (const bool inResult : {true, false}) {
            const QPoint at =
                inResult ? f.placeInResult(pixel) : f.place(QPointF(pixel) + QPointF(0.5, 0.5));
            f.wheel(at, 4);
            const QPoint now =
                inResult ? f.placeInResult(pixel) : f.place(QPointF(pixel) + QPointF(0.5, 0.5));
            QVERIFY((now - at).manhattanLength() <= 8);
            QVERIFY(middles() < 0.5);
        }
        QCOMPARE(f.canvas.zoom(), 16.0);
        f.shot(qPrintable(QStringLiteral("placed_side_%1").arg(how)));
    }

    void wipeAndBlinkLayItOver_data() { everyTurn(); }
    void wipeAndBlinkLayItOver() {
        QFETCH(int, how);
        Shown f(m_source, {how, m_box}, ViewMode::Wipe);
        f.canvas.zoomToActual();
        const QImage wiped = f.shot(qPrintable(QStringLiteral("placed_wipe_%1").arg(how)));
        const QColor around = Theme::instance().colors().canvas;
        int inside = 0, outside = 0;
        std::mt19937 random(warpscope::test::freshSeed());
        for (int i = 0; i < 4000; ++i) {
            const QPoint pixel(int(random() % 301), int(random() % 207));
            const QPointF at = f.canvas.widgetPosition(QPointF(pixel) + QPointF(0.5, 0.5));
            if (std::abs(at.x() - 250) < 16) continue;  // line and handle
            if (at.y() < 120) continue;                 // captions
            const QPoint own = f.turned.result(pixel);
            const QColor seen = f.colorIn(wiped, pixel);
            if (at.x() < 250) {
                QCOMPARE(seen, pixelOf(f.source, pixel));
            } else if (own == kNoPixel) {
                QCOMPARE(seen, QColor(around.rgb()));
                ++outside;
            } else {
                QCOMPARE(seen, pixelOf(f.result, own));
                ++inside;
            }
        }
        QVERIFY(inside > 5 && outside > 5);
        // With edges and values in it.
        f.canvas.setZoom(40, f.place({180, 100}));
        f.shot(qPrintable(QStringLiteral("placed_values_%1").arg(how)));
        // The source in turn.
        f.canvas.setViewMode(ViewMode::Blink);
        f.canvas.zoomToActual();
        const QPoint pixel(180, 100);
        QTRY_COMPARE(f.colorOf(pixel), pixelOf(f.source, pixel));
        QTRY_COMPARE(f.colorOf(pixel), pixelOf(f.result, f.turned.result(pixel)));
    }

    // The part is subtracted where it came from, and nothing beside it.
    void aPartIsSubtractedInItsPlace() {
        Shown f(m_source, {0, m_box}, ViewMode::Difference);
        f.canvas.setZoom(2.0, f.canvas.rect().center());
        const QPoint pixel(m_box.x + 31, m_box.y + 47);
        const QColor in = pixelOf(f.source, pixel);
        const QColor wanted(std::abs(255 - 2 * in.red()), std::abs(255 - 2 * in.green()),
                            std::abs(255 - 2 * in.blue()));
        QTRY_COMPARE(f.colorOf(pixel), wanted);
        QCOMPARE(f.colorOf({m_box.x - 2, m_box.y + 40}).rgb(),
                 Theme::instance().colors().canvas.rgb());
        f.shot("placed_difference");
        // Another part, and the same again.
        const Turned other{0, {11, 12, 201, 150}};
        f.canvas.setResult(pyramidOf(other.of(m_image)), other.map());
        QTRY_COMPARE(f.colorOf(pixel), wanted);
        QTRY_VERIFY(f.colorOf({m_box.x - 2, m_box.y + 40}).rgb() !=
                    Theme::instance().colors().canvas.rgb());
        f.canvas.setResult(m_source);
        QCOMPARE(f.colorOf(pixel), QColor(Qt::black));
    }

    void whatCannotBeLaidOverSaysSo() {
        Shown f(m_source, {0, m_box}, ViewMode::Wipe);
        const QRect middle(150, 170, 200, 60);
        const auto notice = [&] { return f.shot().copy(middle); };
        const QImage none = notice();
        f.canvas.setResult(pyramidOf(noisyImage({150, 103}, 3)), {2, 0, 0, 0, 2, 0});
        f.shot("placed_notice");
        QVERIFY(notice() != none);
        f.canvas.setViewMode(ViewMode::Difference);
        f.shot("placed_no_difference");
        QVERIFY(notice() != none);
        // Mirrored in place it has the source's size, and still other pixels.
        const Turned mirrored{1, {0, 0, 301, 207}};
        f.canvas.setViewMode(ViewMode::Difference);
        f.canvas.setResult(m_source);
        const QImage zero = f.shot();
        f.canvas.setResult(pyramidOf(mirrored.of(m_image)), mirrored.map());
        QVERIFY(f.shot() != zero);
        f.shot("placed_mirrored_difference");
    }

    void resultAloneIsUprightAndHasItsOwnSize_data() { everyTurn(); }
    void resultAloneIsUprightAndHasItsOwnSize() {
        QFETCH(int, how);
        Shown f(m_source, {how, m_box}, ViewMode::Result, {400, 300});
        const Size size = f.turned.size();
        QCOMPARE(f.canvas.zoom(),
                 std::min(400.0 / size.width, 300.0 / size.height) * f.canvas.devicePixelRatioF());
        f.canvas.setZoom(3.0, {200, 150});
        const QPoint pixel = f.canvas.imagePosition({200, 150}).toPoint();
        QCOMPARE(f.colorOf(pixel), pixelOf(f.result, f.turned.result(pixel)));
        // The source is where the result was, its middle at least.
        const QPointF middle = f.canvas.imagePosition({200, 150});
        f.canvas.setViewMode(ViewMode::Source);
        QVERIFY(QLineF(f.canvas.imagePosition({200, 150}), middle).length() < 0.5);
        QCOMPARE(f.canvas.zoom(), 3.0);
        QCOMPARE(f.colorOf(pixel), pixelOf(f.source, pixel));
        f.canvas.setViewMode(ViewMode::Result);
        QVERIFY(QLineF(f.canvas.imagePosition({200, 150}), middle).length() < 0.5);
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::PlacedResultTest)
#include "placed_result_test.moc"
