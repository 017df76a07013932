// Cursor, region, line and drafts over results that lie over a part of the source, turned or
// mirrored: by mouse and keys.
#include <QSignalSpy>
#include <random>

#include "gui/canvas/pane_view.h"
#include "gui/canvas/profile_chart.h"
#include "gui/canvas/region_editor.h"
#include "gui_canvas/turned_canvas.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

class PlacedEditsTest : public QObject {
    Q_OBJECT

    Image m_image = noisyImage({301, 207}, 1);
    PyramidPtr m_source = pyramidOf(m_image);
    const Rect m_box{37, 45, 151, 83};
    using Shown = TurnedCanvas;

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

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

WARPSCOPE_TEST(warpscope::gui::PlacedEditsTest)
#include "placed_edits_test.moc"
