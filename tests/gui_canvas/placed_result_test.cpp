// Results that lie over a part of the source, turned or mirrored: what goes where, then drawn and
// edited by mouse and keys. Truth is written down pixel by pixel, without the maps.
#include <QSignalSpy>
#include <random>

#include "gui/canvas/pane_view.h"
#include "gui/canvas/profile_chart.h"
#include "gui/canvas/region_editor.h"
#include "gui_canvas/canvas_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

namespace {

// The part `box` of the source, transposed (4) after it was mirrored across (1) and down (2).
struct Turned {
    int how = 0;
    Rect box;

    bool transposed() const { return (how & 4) != 0; }
    Size size() const {
        return transposed() ? Size{box.height, box.width} : Size{box.width, box.height};
    }
    QPoint source(const QPoint& result) const {
        const QPoint p = transposed() ? QPoint(result.y(), result.x()) : result;
        return {box.x + ((how & 1) != 0 ? box.width - 1 - p.x() : p.x()),
                box.y + ((how & 2) != 0 ? box.height - 1 - p.y() : p.y())};
    }
    QPoint result(const QPoint& source) const {
        const QPoint p = source - QPoint(box.x, box.y);
        if (!QRect(0, 0, box.width, box.height).contains(p)) return {-1, -1};
        const QPoint m((how & 1) != 0 ? box.width - 1 - p.x() : p.x(),
                       (how & 2) != 0 ? box.height - 1 - p.y() : p.y());
        return transposed() ? QPoint(m.y(), m.x()) : m;
    }
    PixelMap map() const {
        const double x = (how & 1) != 0 ? -1 : 1, y = (how & 2) != 0 ? -1 : 1;
        const double dx = box.x + (x < 0 ? box.width : 0), dy = box.y + (y < 0 ? box.height : 0);
        return transposed() ? PixelMap{0, x, dx, y, 0, dy} : PixelMap{x, 0, dx, 0, y, dy};
    }
    // Inverted, so that it can be told from the source.
    Image of(const Image& image) const {
        const auto view = image.view<std::uint8_t>();
        return makeImage<std::uint8_t>(PixelFormat::Rgba8, size(), [&](int x, int y, int c) {
            const QPoint from = source({x, y});
            const auto sample = view.row(from.y())[std::ptrdiff_t(from.x()) * 4 + c];
            return c == 3 ? sample : std::uint8_t(255 - sample);
        });
    }
};

QColor pixelOf(const Image& image, const QPoint& p) {
    const std::uint8_t* v = image.view<std::uint8_t>().row(p.y()) + std::ptrdiff_t(p.x()) * 4;
    return {v[0], v[1], v[2]};
}

void everyTurn() {
    QTest::addColumn<int>("how");
    for (int how = 0; how < 8; ++how)
        QTest::addRow("%s%s%s", (how & 4) != 0 ? "transposed " : "",
                      (how & 1) != 0 ? "across " : "", (how & 2) != 0 ? "down" : "")
            << how;
}

}  // namespace

class PlacedResultTest : public QObject {
    Q_OBJECT

    Image m_image = noisyImage({301, 207}, 1);
    PyramidPtr m_source = pyramidOf(m_image);
    const Rect m_box{37, 45, 151, 83};

    struct Shown : CanvasFixture {
        Turned turned;
        Image source, result;

        Shown(const PyramidPtr& pyramid, const Turned& how, ViewMode mode, QSize size = {501, 400})
            : CanvasFixture(size), turned(how), source(pyramid->levels.front()) {
            result = how.of(source);
            canvas.setSource(pyramid);
            canvas.setResult(pyramidOf(result), how.map());
            canvas.setViewMode(mode);
            canvas.setFocus();
        }
        // Of a source pixel, where it is in the last pane.
        QPoint placeInResult(const QPoint& pixel) const {
            return canvas.widgetPositionInResult(QPointF(pixel) + QPointF(0.5, 0.5)).toPoint();
        }
        QColor colorInResult(const QPoint& pixel) {
            const QPointF at = canvas.widgetPositionInResult(QPointF(pixel) + QPointF(0.5, 0.5)) *
                               canvas.devicePixelRatioF();
            return shot().pixelColor(int(std::floor(at.x())), int(std::floor(at.y())));
        }
        void wheel(const QPoint& at, int notches) {
            QWheelEvent event(at, canvas.mapToGlobal(at), {}, QPoint(0, 120 * notches),
                              Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&canvas, &event);
        }
    };

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
        std::mt19937 random(std::random_device{}());
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
        std::mt19937 random(std::random_device{}());
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

    void cursorIsReadInBoth_data() { everyTurn(); }
    void cursorIsReadInBoth() {
        QFETCH(int, how);
        Shown f(m_source, {how, m_box}, ViewMode::SideBySide, {701, 400});
        f.canvas.setZoom(2.0, f.place({112, 86}));
        QSignalSpy spy(&f.canvas, &Canvas::cursorPixelChanged);
        const auto pixels = [&] {
            return PixelPair{spy.last().at(0).toPoint(), spy.last().at(1).toPoint()};
        };
        const QPoint pixel(120, 90);
        f.move(f.place(QPointF(pixel) + QPointF(0.5, 0.5)), Qt::NoButton, {});
        QVERIFY((pixels() == PixelPair{pixel, f.turned.result(pixel)}));
        f.move({1, 1}, Qt::NoButton, {});
        f.move(f.placeInResult(pixel), Qt::NoButton, {});
        QVERIFY((pixels() == PixelPair{pixel, f.turned.result(pixel)}));
        // Beside the part that the result is.
        const QPoint beside(120, m_box.y - 3);
        f.move(f.place(QPointF(beside) + QPointF(0.5, 0.5)), Qt::NoButton, {});
        QVERIFY((pixels() == PixelPair{beside, kNoPixel}));
        // A pin is the source's pixel, whichever pane is clicked.
        QSignalSpy clicked(&f.canvas, &Canvas::pixelClicked);
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, f.placeInResult(pixel));
        QTRY_COMPARE(clicked.size(), 1);
        QCOMPARE(clicked.last().at(0).toPoint(), pixel);
        f.canvas.setPins({pixel, beside});
        f.shot(qPrintable(QStringLiteral("placed_pins_%1").arg(how)));
        // The pixel cursor goes to the right where it is shown.
        f.canvas.setViewMode(ViewMode::Result);
        f.move({-5, -5}, Qt::NoButton, {});
        f.press(Qt::Key_X);
        const QPoint before = pixels().result;
        f.press(Qt::Key_Right);
        QCOMPARE(pixels().result, before + QPoint(1, 0));
        QCOMPARE(pixels().source, f.turned.source(before + QPoint(1, 0)));
    }

    void regionIsDrawnInEitherPane_data() { everyTurn(); }
    void regionIsDrawnInEitherPane() {
        QFETCH(int, how);
        Shown f(m_source, {how, m_box}, ViewMode::SideBySide, {701, 400});
        f.canvas.setZoom(2.0, f.place({112, 86}));
        const QPoint a(100, 75), b(129, 94);
        const Rect wanted{100, 75, 30, 20};
        f.drag(f.placeInResult(a), f.placeInResult(b), Qt::ShiftModifier);
        QCOMPARE(f.canvas.region().value(), wanted);
        f.press(Qt::Key_Escape);
        f.drag(f.place(QPointF(a) + QPointF(0.5, 0.5)), f.place(QPointF(b) + QPointF(0.5, 0.5)),
               Qt::ShiftModifier);
        QCOMPARE(f.canvas.region().value(), wanted);
        // The source's corner at 130, 95 by its handle in the result's pane.
        const QPoint handle = f.canvas.widgetPositionInResult(QPointF(130, 95)).toPoint();
        f.drag(handle, f.placeInResult({140, 99}));
        QCOMPARE(f.canvas.region().value(), (Rect{100, 75, 41, 25}));
        f.shot(qPrintable(QStringLiteral("placed_region_%1").arg(how)));
        // Arrows go where they point on the screen.
        f.canvas.setViewMode(ViewMode::Result);
        const Rect before = mapped(inverse(f.turned.map()), *f.canvas.region());
        f.press(Qt::Key_Right);
        const Rect after = mapped(inverse(f.turned.map()), *f.canvas.region());
        QCOMPARE(after, (Rect{before.x + 1, before.y, before.width, before.height}));
    }

    void onlyWhatIsSeenIsAskedFor() {
        Shown f(m_source, {0, m_box}, ViewMode::Result, {400, 300});
        const double dpr = f.canvas.devicePixelRatioF();
        f.canvas.setZoom(8 * dpr, {200, 150});
        const Rect seen = f.canvas.viewport().visible;
        QVERIFY(contains(m_box, seen));
        QVERIFY(seen.width >= 50 && seen.width <= 52 && seen.height >= 37 && seen.height <= 40);
        const QPointF at = f.canvas.imagePosition({200, 150});
        QVERIFY(std::abs(seen.x + seen.width / 2.0 - at.x()) < 1.5);
        QCOMPARE(f.canvas.viewport().zoom, 8 * dpr);
        // Fitted: the part, and something around it for steps that cut off less.
        f.canvas.fit();
        QVERIFY(contains(f.canvas.viewport().visible, m_box));
        // Of a quarter turn the box is turned too.
        const Turned turned{5, {0, 0, 301, 207}};
        f.canvas.setResult(pyramidOf(turned.of(m_image)), turned.map());
        f.canvas.setZoom(8 * dpr, {200, 150});
        const Rect high = f.canvas.viewport().visible;
        QVERIFY(high.width >= 37 && high.width <= 40 && high.height >= 50 && high.height <= 52);
        // Side by side: what either pane shows.
        f.canvas.setViewMode(ViewMode::SideBySide);
        const Rect both = f.canvas.viewport().visible;
        QVERIFY(both.width >= 37 && both.height >= 37 && both.height <= 40);
        // An enlarged result needs the source as fine as the screen shows it.
        f.canvas.setResult(pyramidOf(noisyImage({602, 414}, 4)), {0.5, 0, 0, 0, 0.5, 0});
        f.canvas.setViewMode(ViewMode::Result);
        f.canvas.setZoom(2.0, {200, 150});
        QCOMPARE(f.canvas.viewport().zoom, 4.0);
    }

    void aDraftElsewhereTakesTheResultsPlace() {
        Shown f(m_source, {0, m_box}, ViewMode::Result, {400, 300});
        f.canvas.setZoom(2.0, {200, 150});
        const QImage before = f.shot();
        const QPointF middle = f.canvas.imagePosition({200, 150});
        // Of the same chain: it is drawn over the result.
        const Turned same{0, m_box};
        DraftReady draft;
        draft.place = {same.size(), same.map()};
        draft.picture = f.result;
        draft.rect = {0, 0, m_box.width, m_box.height};
        draft.exact = true;
        f.canvas.setDraft(draft);
        QCOMPARE(f.shot(), before);
        // Of another one: what was in the middle stays there.
        const Turned other{2, {30, 40, 170, 100}};
        draft.place = {other.size(), other.map()};
        draft.picture = other.of(m_image);
        draft.rect = {0, 0, 170, 100};
        f.canvas.setDraft(draft);
        QVERIFY(QLineF(f.canvas.imagePosition({200, 150}), middle).length() < 0.5);
        const QPoint pixel = middle.toPoint() + QPoint(10, 10);
        QCOMPARE(f.colorOf(pixel), pixelOf(draft.picture, other.result(pixel)));
        f.canvas.setResult(pyramidOf(draft.picture), other.map());
        QCOMPARE(f.colorOf(pixel), pixelOf(draft.picture, other.result(pixel)));
    }

    void profileOfAPartHasNothingBesideIt() {
        const Turned turned{3, m_box};
        Shown f(m_source, turned, ViewMode::SideBySide, {701, 400});
        f.press(Qt::Key_L);
        const auto* chart = f.canvas.findChild<ProfileChart*>();
        const QLineF line = f.canvas.profileLine().value();
        QCOMPARE(line.y1(), line.y2());
        QCOMPARE(chart->second().values.size(), chart->first().values.size());
        int there = 0;
        for (std::size_t i = 0; i < chart->second().values.size(); ++i) {
            const QPoint pixel(int(line.x1() + double(i)), int(line.y1()));
            const QPoint own = turned.result(pixel);
            const double value = chart->second().values[i];
            QCOMPARE(std::isnan(value), own == kNoPixel);
            if (own == kNoPixel) continue;
            const QColor c = pixelOf(f.result, own);
            QVERIFY(std::abs(value - (0.299 * c.red() + 0.587 * c.green() + 0.114 * c.blue())) <
                    1e-6);
            ++there;
        }
        QCOMPARE(there, m_box.width);
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::PlacedResultTest)
#include "placed_result_test.moc"
