// The region and the line of a profile: edited as values, then by mouse and keys.
#include <QSignalSpy>

#include "gui/canvas/profile_chart.h"
#include "gui/canvas/region_editor.h"
#include "gui_canvas/canvas_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

class RegionTest : public QObject {
    Q_OBJECT

    PyramidPtr m_source;
    PyramidPtr m_result;

  private slots:
    void initTestCase() {
        Theme::instance().setChoice(ThemeChoice::Dark);
        m_source = pyramidOf(noisyImage({800, 600}, 1));
        m_result = pyramidOf(noisyImage({800, 600}, 2));
    }

    void editorResizesByHandles_data() {
        QTest::addColumn<RegionHandle>("handle");
        QTest::addColumn<QRect>("expected");
        QTest::newRow("top left") << RegionHandle::TopLeft << QRect(13, 17, 27, 43);
        QTest::newRow("top") << RegionHandle::Top << QRect(10, 17, 30, 43);
        QTest::newRow("top right") << RegionHandle::TopRight << QRect(10, 17, 4, 43);
        QTest::newRow("right") << RegionHandle::Right << QRect(10, 20, 4, 40);
        QTest::newRow("bottom right") << RegionHandle::BottomRight << QRect(10, 17, 4, 4);
        QTest::newRow("bottom") << RegionHandle::Bottom << QRect(10, 17, 30, 4);
        QTest::newRow("bottom left") << RegionHandle::BottomLeft << QRect(13, 17, 27, 4);
        QTest::newRow("left") << RegionHandle::Left << QRect(13, 20, 27, 40);
        QTest::newRow("move") << RegionHandle::Move << QRect(0, 10, 30, 40);
        QTest::newRow("new") << RegionHandle::None << QRect(13, 17, 13, 11);
    }

    // Each handle is pulled from (25, 27) to (13, 17); across the opposite side the region turns.
    void editorResizesByHandles() {
        QFETCH(RegionHandle, handle);
        QFETCH(QRect, expected);
        RegionEditor editor;
        editor.setRegion(Rect{10, 20, 30, 40});
        editor.grab(handle, {25, 27});
        QVERIFY(editor.dragTo({13, 17}, {100, 80}));
        const Rect r = editor.region().value();
        QCOMPARE(QRect(r.x, r.y, r.width, r.height), expected);
        QVERIFY(!editor.dragTo({13, 17}, {100, 80}));  // nothing more happens there
    }

    void editorStaysInTheImage() {
        const Size image{100, 80};
        RegionEditor editor;
        QVERIFY(!editor.moveBy({1, 0}, image) && !editor.resizeBy({1, 0}, image));
        QVERIFY(editor.takeMiddleOf({0, 0, 1, 1}, image));
        QCOMPARE(editor.region().value(), (Rect{0, 0, 1, 1}));
        QVERIFY(editor.edit(Rect{90, 70, 30, 30}, image));
        QCOMPARE(editor.region().value(), (Rect{90, 70, 10, 10}));
        QVERIFY(!editor.moveBy({5, 5}, image));
        QVERIFY(editor.moveBy({-200, 0}, image));
        QCOMPARE(editor.region().value(), (Rect{0, 70, 10, 10}));
        QCOMPARE(editor.cornerTowards({1, -1}), QPoint(9, 70));
        QVERIFY(editor.resizeBy({500, -500}, image));
        QCOMPARE(editor.region().value(), (Rect{0, 70, 100, 1}));
        QVERIFY(editor.edit(Rect{200, 200, 5, 5}, image));
        QVERIFY(!editor.region());
    }

    void editorFindsItsHandles() {
        ViewTransform view;
        view.setPaneSize({400, 300});
        view.setImageSize({400, 300});
        RegionEditor editor;
        QCOMPARE(editor.handleAt({100, 100}, view, 1), RegionHandle::None);
        editor.setRegion(Rect{100, 100, 60, 30});
        QCOMPARE(editor.outline(view), QRectF(100, 100, 60, 30));
        QCOMPARE(editor.handleAt({93, 107}, view, 1), RegionHandle::TopLeft);
        // Caught at least 8 logical pixels around, the nearest of two.
        QCOMPARE(editor.handleAt({92, 92}, view, 1), RegionHandle::TopLeft);
        QCOMPARE(editor.handleAt({89, 107}, view, 1), RegionHandle::None);
        QCOMPARE(editor.handleAt({89, 107}, view, 2), RegionHandle::TopLeft);
        editor.setRegion(Rect{100, 100, 14, 12});
        QCOMPARE(editor.handleAt({108, 101}, view, 1), RegionHandle::TopRight);
        QCOMPARE(editor.handleAt({106, 111}, view, 1), RegionHandle::BottomLeft);
        editor.setRegion(Rect{100, 100, 60, 30});
        QCOMPARE(editor.handleAt({130, 100}, view, 1), RegionHandle::Top);
        // Too low for handles of its sides and of its middle.
        QCOMPARE(editor.handleAt({160, 115}, view, 1), RegionHandle::None);
        QCOMPARE(editor.handleAt({130, 115}, view, 1), RegionHandle::None);
        view.setZoom(2, {0, 0});
        QCOMPARE(editor.handleAt({320, 230}, view, 1), RegionHandle::Right);
        QCOMPARE(editor.handleAt({260, 230}, view, 1), RegionHandle::Move);
    }

    void shiftDragMakesOne() {
        CanvasFixture f;
        f.show(m_source, m_result);
        f.canvas.setZoom(2.0, {200, 150});
        QSignalSpy edited(&f.canvas, &Canvas::regionEdited);
        const Viewport before = f.canvas.viewport();
        const QPointF from = f.canvas.imagePosition({101, 81});
        const QPointF to = f.canvas.imagePosition({221, 181});
        f.drag({101, 81}, {221, 181}, Qt::ShiftModifier);
        QVERIFY(!edited.isEmpty());
        const Rect r = f.canvas.region().value();
        QCOMPARE(r, (Rect{int(from.x()), int(from.y()), int(to.x()) - int(from.x()) + 1,
                          int(to.y()) - int(from.y()) + 1}));
        QCOMPARE(f.canvas.viewport().visible, before.visible);  // no pan
        QVERIFY(edited.last()[0].value<std::optional<RegionShape>>() == RegionShape(r));
        f.shot("region");
        // Beyond the image it ends at the image.
        f.canvas.fit();
        f.drag({200, 150}, {900, 900}, Qt::ShiftModifier);
        const Rect clipped = f.canvas.region().value();
        QCOMPARE(clipped.x + clipped.width, 800);
        QCOMPARE(clipped.y + clipped.height, 600);
    }

    // Shift shows the source until the mouse is dragged: then it was meant for a region.
    void shiftAloneStillShowsTheSource() {
        CanvasFixture f;
        f.show(m_source, m_result);
        QTest::keyPress(&f.canvas, Qt::Key_Shift);
        QTRY_VERIFY(f.canvas.showingHeldSource());
        f.drag({100, 100}, {180, 160}, Qt::ShiftModifier);
        QVERIFY(!f.canvas.showingHeldSource());
        QVERIFY(f.canvas.region().has_value());
        QTest::keyRelease(&f.canvas, Qt::Key_Shift);
        const auto region = f.canvas.region();
        QTest::keyPress(&f.canvas, Qt::Key_Shift);
        QTRY_VERIFY(f.canvas.showingHeldSource());
        QTest::keyRelease(&f.canvas, Qt::Key_Shift);
        QVERIFY(!f.canvas.showingHeldSource());
        QCOMPARE(f.canvas.region(), region);
    }

    void handlesResizeAndMove() {
        CanvasFixture f;
        f.show(m_source, m_result);
        f.canvas.setZoom(f.canvas.devicePixelRatioF(), {200, 150});
        f.canvas.setRegion(Rect{360, 260, 100, 80});
        const QPoint corner = f.place({460, 340});
        f.drag(corner, corner + QPoint(30, 20));
        const Rect grown = f.canvas.region().value();
        QVERIFY(std::abs(grown.width - 130) <= 1);
        QCOMPARE(grown.x, 360);
        QCOMPARE(grown.y, 260);
        // The upper edge alone.
        f.canvas.setRegion(Rect{360, 260, 100, 80});
        const QPoint top = f.place({410, 260});
        f.drag(top, top + QPoint(15, -20));
        const Rect higher = f.canvas.region().value();
        QCOMPARE(higher.x, 360);
        QCOMPARE(higher.width, 100);
        QCOMPARE(higher.y + higher.height, 340);
        QVERIFY(higher.height > 95);
        // The middle moves it whole, as far as the image goes.
        f.canvas.setRegion(Rect{360, 260, 100, 80});
        const QPoint middle = f.place({410, 300});
        f.drag(middle, middle + QPoint(-24, 12));
        const Rect moved = f.canvas.region().value();
        QCOMPARE(moved.size(), (Size{100, 80}));
        QVERIFY(moved.x < 345 && moved.y > 268);
        // Elsewhere a drag pans as ever.
        f.canvas.setRegion(Rect{360, 260, 100, 80});
        const Viewport before = f.canvas.viewport();
        f.drag({30, 30}, {60, 50});
        QVERIFY(f.canvas.viewport().visible.x != before.visible.x);
        QCOMPARE(f.canvas.region().value(), (Rect{360, 260, 100, 80}));
    }

    void keysMoveItAndEscapeDropsIt() {
        CanvasFixture f;
        f.show(m_source, m_result);
        f.press(Qt::Key_R);
        const Rect made = f.canvas.region().value();
        QCOMPARE(made, (Rect{200, 150, 400, 300}));
        QSignalSpy edited(&f.canvas, &Canvas::regionEdited);
        f.press(Qt::Key_Right);
        f.press(Qt::Key_Up);
        QCOMPARE(f.canvas.region().value(), (Rect{201, 149, 400, 300}));
        f.press(Qt::Key_Down, Qt::ShiftModifier);
        f.press(Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(f.canvas.region().value(), (Rect{191, 159, 400, 300}));
        f.press(Qt::Key_Right, Qt::ControlModifier);
        f.press(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(f.canvas.region().value(), (Rect{191, 159, 401, 290}));
        QCOMPARE(edited.count(), 6);
        // The image's edge ends it without making it smaller.
        for (int i = 0; i < 60; ++i) f.press(Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(f.canvas.region().value(), (Rect{0, 159, 401, 290}));
        f.press(Qt::Key_Escape);
        QVERIFY(!f.canvas.region().has_value());
        QVERIFY(!edited.last()[0].value<std::optional<RegionShape>>());
        // Arrows pan again.
        f.canvas.setZoom(4.0, {200, 150});
        const Rect seen = f.canvas.viewport().visible;
        f.press(Qt::Key_Right);
        QVERIFY(f.canvas.viewport().visible.x > seen.x);
    }

    void inTheSecondPaneToo() {
        CanvasFixture f({600, 300});
        f.show(m_source, m_result);
        f.canvas.setViewMode(ViewMode::SideBySide);
        f.drag({420, 100}, {520, 200}, Qt::ShiftModifier);
        const Rect right = f.canvas.region().value();
        f.canvas.setRegion(std::nullopt);
        const double dpr = f.canvas.devicePixelRatioF();
        const double half = std::floor((std::round(600 * dpr) - std::round(2 * dpr)) / 2);
        const QPoint back(int(std::lround((std::round(600 * dpr) - half) / dpr)), 0);
        f.drag(QPoint(420, 100) - back, QPoint(520, 200) - back, Qt::ShiftModifier);
        const Rect left = f.canvas.region().value();
        QVERIFY(std::abs(left.x - right.x) <= 4 && std::abs(left.width - right.width) <= 4);
        QCOMPARE(left.y, right.y);
        f.shot("region_side_by_side");
    }

    // What is measured of two compared images is framed in them, pixel for pixel, and can be moved;
    // of images of another size it is not measured, and not framed.
    void framesWhatIsMeasuredOfTwoImages_data() {
        QTest::addColumn<ViewMode>("mode");
        for (const auto& [name, mode] : {std::pair{"side by side", ViewMode::SideBySide},
                                         {"wipe", ViewMode::Wipe},
                                         {"blink", ViewMode::Blink},
                                         {"difference", ViewMode::Difference}})
            QTest::newRow(name) << mode;
    }
    void framesWhatIsMeasuredOfTwoImages() {
        QFETCH(ViewMode, mode);
        CanvasFixture f({600, 400});
        const auto plain = pyramidOf(plainImage({120, 80}, 90, 90, 90));
        f.show(plain, plain);
        f.canvas.setRegion(Rect{30, 20, 40, 30});
        const auto compare = [&](Size size) {
            const auto made = pyramidOf(plainImage(size, 90, 90, 90));
            f.canvas.compare(made, pyramidOf(plainImage(size, 90, 90, 90)), QStringLiteral("one"),
                             QStringLiteral("two"));
            return waitedFor([&] {
                const Comparison* given = f.canvas.comparison();
                return given && given->first == made;
            });
        };
        QVERIFY(compare({120, 80}));
        f.canvas.setViewMode(mode);
        f.canvas.fit();
        // Its outer edges are light, wherever it is drawn.
        const auto framed = [&] {
            const QImage shot = f.shot();
            const double dpr = f.canvas.devicePixelRatioF();
            const auto lightAt = [&](const QPointF& at) {
                bool light = false;
                for (int dy = -2; dy <= 1; ++dy)
                    light = light || shot.pixelColor((at * dpr).toPoint() + QPoint(0, dy)) ==
                                         QColor(Qt::white);
                return light;
            };
            return lightAt(f.canvas.widgetPosition({40, 20})) &&
                   lightAt(f.canvas.widgetPositionInResult({40, 20}));
        };
        QVERIFY(framed());
        QSignalSpy edited(&f.canvas, &Canvas::regionEdited);
        f.press(Qt::Key_Right);
        QCOMPARE(edited.count(), 1);
        QCOMPARE(f.canvas.region(), (Rect{31, 20, 40, 30}));
        f.canvas.setRegion(Rect{30, 20, 40, 30});
        QVERIFY(compare({100, 90}));
        QVERIFY(!framed());
    }

    void profileAlongALine() {
        const Image image = makeImage<std::uint8_t>(
            PixelFormat::Gray8, {100, 50}, [](int x, int y, int) { return std::uint8_t(x + y); });
        const LineProfile level = profileAlong(image, QLineF(10.5, 20.5, 60.5, 20.5));
        QCOMPARE(level.values.size(), std::size_t(51));
        QCOMPARE(level.values.front(), 30.0);
        QCOMPARE(level.values.back(), 80.0);
        QCOMPARE(level.values[7], 37.0);
        const LineProfile upright = profileAlong(image, QLineF(5.5, 0.5, 5.5, 49.5));
        QCOMPARE(upright.values.back(), 54.0);
        const LineProfile color =
            profileAlong(plainImage({4, 4}, 100, 200, 50), QLineF(0, 0, 3, 0));
        QVERIFY(std::abs(color.values[1] - (29.9 + 117.4 + 5.7)) < 1e-9);
        QCOMPARE(profileAlong(image, QLineF(0.5, 0.5, 99.5, 0.5), 10).values.size(),
                 std::size_t(10));
        QVERIFY(profileAlong(Image(), QLineF(0, 0, 1, 1)).values.empty());
    }

    void lineByKeysAndMouse() {
        CanvasFixture f;
        f.show(m_source, m_result);
        auto* chart = f.canvas.findChild<ProfileChart*>();
        QVERIFY(chart && !chart->isVisible());
        f.press(Qt::Key_L);
        QVERIFY(chart->isVisible());
        QCOMPARE(f.canvas.profileLine()->y1(), 300.5);
        QCOMPARE(chart->first().values.size(), std::size_t(800));
        f.canvas.setZoom(2.0, {200, 150});
        const QPointF from = f.canvas.imagePosition({60, 40});
        const QPointF to = f.canvas.imagePosition({260, 90});
        const Viewport before = f.canvas.viewport();
        f.drag({60, 40}, {260, 90});
        QCOMPARE(f.canvas.viewport().visible, before.visible);
        const QLineF line = f.canvas.profileLine().value();
        QVERIFY(QLineF(line.p1(), from).length() < 1 && QLineF(line.p2(), to).length() < 1);
        QCOMPARE(chart->second().values, profileAlong(m_result->levels.front(), line).values);
        QVERIFY(chart->first().values != chart->second().values);
        f.shot("profile");
        // It follows the result.
        const PyramidPtr next = pyramidOf(noisyImage({800, 600}, 9));
        f.canvas.setResult(next);
        QCOMPARE(chart->second().values, profileAlong(next->levels.front(), line).values);
        f.press(Qt::Key_L);
        QVERIFY(!chart->isVisible() && !f.canvas.profileLine());
        f.press(Qt::Key_L);
        f.press(Qt::Key_Escape);
        QVERIFY(!chart->isVisible());
        const Rect seen = f.canvas.viewport().visible;
        f.drag({100, 100}, {150, 130});
        QVERIFY(f.canvas.viewport().visible.x != seen.x);
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::RegionTest)
#include "region_test.moc"
