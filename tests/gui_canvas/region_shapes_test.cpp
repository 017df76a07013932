// Ellipses and what is drawn freehand: as values, by mouse and keys, and what the window counts.
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "gui/canvas/region_editor.h"
#include "gui/display/region_words.h"
#include "gui/window_fixture.h"
#include "gui_canvas/canvas_fixture.h"
#include "support/shapes.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

class RegionShapesTest : public QObject {
    Q_OBJECT

    using Kind = RegionShape::Kind;
    std::mt19937 m_random{warpscope::test::freshSeed()};
    PyramidPtr m_source = pyramidOf(noisyImage({800, 600}, 1));
    PyramidPtr m_result = pyramidOf(noisyImage({800, 600}, 2));

    int any(int low, int high) { return anyBetween(m_random, low, high); }

    static std::optional<RegionShape> lastOf(const QSignalSpy& edited) {
        return edited.last()[0].value<std::optional<RegionShape>>();
    }
    static void stroke(Canvas& canvas, const QList<QPoint>& points,
                       Qt::KeyboardModifiers held = Qt::ShiftModifier) {
        QTest::mousePress(&canvas, Qt::LeftButton, held, points.front());
        for (const QPoint& to : points) {
            QMouseEvent event(QEvent::MouseMove, to, canvas.mapToGlobal(to), Qt::NoButton,
                              Qt::LeftButton, held);
            QApplication::sendEvent(&canvas, &event);
        }
        QTest::mouseRelease(&canvas, Qt::LeftButton, held, points.back());
    }
    static QString caption(MainWindow& window) {
        return window.findChild<QLabel*>(QStringLiteral("histogramCaption"))->text();
    }
    static bool anyLabel(MainWindow& window, const QString& part) {
        for (const QLabel* label : window.findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(part)) return true;
        return false;
    }

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void ellipseByTheMouse() {
        CanvasFixture f;
        f.show(m_source, m_result);
        f.canvas.setDrawnShape(Kind::Ellipse);
        f.canvas.setZoom(2.0, {200, 150});
        QSignalSpy edited(&f.canvas, &Canvas::regionEdited);
        const QPointF from = f.canvas.imagePosition({101, 81});
        const QPointF to = f.canvas.imagePosition({221, 181});
        f.drag({101, 81}, {221, 181}, Qt::ShiftModifier);
        QVERIFY(!edited.isEmpty());
        const Rect box{int(from.x()), int(from.y()), int(to.x()) - int(from.x()) + 1,
                       int(to.y()) - int(from.y()) + 1};
        QCOMPARE(f.canvas.region().value(), box);
        QVERIFY(lastOf(edited) == RegionShape::ellipse(box));
        f.shot("ellipse");

        // A handle resizes its box, the middle moves it, as far as the image goes.
        f.canvas.setZoom(f.canvas.devicePixelRatioF(), {200, 150});
        f.canvas.setRegion(RegionShape::ellipse({360, 260, 100, 80}));
        const QPoint corner = f.place({460, 340});
        f.drag(corner, corner + QPoint(30, 20));
        const Rect grown = f.canvas.region().value();
        QVERIFY(grown.x == 360 && grown.y == 260 && std::abs(grown.width - 130) <= 1);
        QVERIFY(lastOf(edited) == RegionShape::ellipse(grown));
        f.canvas.setRegion(RegionShape::ellipse({360, 260, 100, 80}));
        const QPoint middle = f.place({410, 300});
        f.drag(middle, middle + QPoint(-24, 12));
        const Rect moved = f.canvas.region().value();
        QCOMPARE(moved.size(), (Size{100, 80}));
        QVERIFY(moved.x < 345 && moved.y > 268);
        QVERIFY(lastOf(edited) == RegionShape::ellipse(moved));
    }

    void keysMoveAndDropIt() {
        CanvasFixture f;
        f.show(m_source, m_result);
        f.canvas.setDrawnShape(Kind::Ellipse);
        QSignalSpy edited(&f.canvas, &Canvas::regionEdited);
        f.press(Qt::Key_R);
        QVERIFY(lastOf(edited) == RegionShape::ellipse({200, 150, 400, 300}));
        f.press(Qt::Key_Right);
        f.press(Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(lastOf(edited) == RegionShape::ellipse({201, 160, 400, 300}));
        f.press(Qt::Key_Left, Qt::ControlModifier);
        QVERIFY(lastOf(edited) == RegionShape::ellipse({201, 160, 399, 300}));
        // Another shape of the same box, and back; what is drawn freehand stays what it is.
        f.canvas.setDrawnShape(Kind::Rectangle);
        QVERIFY(lastOf(edited) == RegionShape(Rect{201, 160, 399, 300}));
        f.canvas.setDrawnShape(Kind::Ellipse);
        QVERIFY(lastOf(edited) == RegionShape::ellipse({201, 160, 399, 300}));
        f.press(Qt::Key_Escape);
        QVERIFY(!lastOf(edited) && !f.canvas.region());
        const RegionShape drawn = anyShape(m_random, {800, 600});
        f.canvas.setRegion(drawn);
        if (drawn.kind() == Kind::Polygon) {
            const auto before = edited.count();
            f.canvas.setDrawnShape(Kind::Rectangle);
            QCOMPARE(edited.count(), before);
        }
    }

    void freehandByTheMouse() {
        CanvasFixture f;
        f.show(m_source, m_result);
        f.canvas.setDrawnShape(Kind::Polygon);
        for (int round = 0; round < 5; ++round) {
            f.canvas.setRegion(std::nullopt);
            f.canvas.fit();
            f.canvas.setZoom(f.canvas.zoom() * any(1, 6), {double(any(50, 350)), 150});
            QSignalSpy edited(&f.canvas, &Canvas::regionEdited);
            // Three that hold something, and any others.
            QList<QPoint> points{{any(20, 60), any(20, 60)},
                                 {any(300, 380), any(20, 80)},
                                 {any(150, 250), any(200, 280)}};
            for (int i = any(0, 12); i > 0; --i) points << QPoint(any(5, 395), any(5, 295));
            std::vector<PixelCorner> corners;
            for (const QPoint& point : points) {
                const QPointF at = f.canvas.imagePosition(point);
                const PixelCorner corner{std::clamp(int(std::lround(at.x())), 0, 800),
                                         std::clamp(int(std::lround(at.y())), 0, 600)};
                if (corners.empty() || corners.back() != corner) corners.push_back(corner);
            }
            const Viewport before = f.canvas.viewport();
            stroke(f.canvas, points);
            QVERIFY(!edited.isEmpty());
            const RegionShape drawn = lastOf(edited).value();
            QCOMPARE(drawn.kind(), Kind::Polygon);
            // Points that a straight stroke passes may be left out.
            const RegionShape wanted = RegionShape::polygon(corners);
            for (int y = 0; y < 600; y += 3)
                for (int x = 0; x < 800; x += 3)
                    QCOMPARE(belongs(drawn, x, y), belongs(wanted, x, y));
            QCOMPARE(f.canvas.viewport().visible, before.visible);
            if (round == 0) f.shot("freehand");
        }
    }

    void freehandIsStretchedAndMoved() {
        CanvasFixture f;
        f.show(m_source, m_result);
        f.canvas.setZoom(f.canvas.devicePixelRatioF(), {200, 150});
        const RegionShape shape =
            RegionShape::polygon({{360, 260}, {460, 280}, {410, 300}, {460, 340}, {380, 340}});
        f.canvas.setRegion(shape);
        QSignalSpy edited(&f.canvas, &Canvas::regionEdited);
        const QPoint corner = f.place({460, 340});
        f.drag(corner, corner + QPoint(30, 20));
        QVERIFY(!edited.isEmpty());
        const Rect grown = f.canvas.region().value();
        QVERIFY(grown.x == 360 && grown.y == 260 && std::abs(grown.width - 130) <= 1);
        QVERIFY(lastOf(edited) == fitted(shape, grown));
        f.canvas.setRegion(shape);
        f.press(Qt::Key_Left, Qt::ShiftModifier);
        f.press(Qt::Key_Up);
        QVERIFY(lastOf(edited) == mapped(PixelMap{1, 0, -10, 0, 1, -1}, shape));
        // A stroke without any pixel in it makes none.
        f.canvas.setRegion(std::nullopt);
        f.canvas.setDrawnShape(Kind::Polygon);
        edited.clear();
        stroke(f.canvas, {{100, 100}, {140, 100}, {180, 100}});
        QVERIFY(edited.isEmpty() && !f.canvas.region());
        f.canvas.setRegion(shape);
        f.press(Qt::Key_Escape);
        QVERIFY(!f.canvas.region());
    }

    // Pixels count whose middles the outline holds, wherever and however large it is shown.
    void outlineHoldsTheMiddlesOfItsPixels() {
        for (int i = 0; i < 30; ++i) {
            const Size size{any(4, 70), any(4, 70)};
            RegionEditor editor;
            const RegionShape shape = anyShape(m_random, size);
            editor.setRegion(shape);
            ViewTransform transform;
            transform.setPaneSize({300, 200});
            transform.setImageSize(i % 2 ? Size{size.height, size.width} : size);
            transform.setZoom(any(1, 20), {double(any(0, 300)), double(any(0, 200))});
            // Upright, or turned by a quarter.
            const PixelMap map = i % 2 ? PixelMap{0, 1, 0, -1, 0, double(size.height)} : PixelMap{};
            const PaneView view(transform, map);
            const QPainterPath path = editor.path(view);
            QPainterPathStroker wide;
            wide.setWidth(0.02 * transform.zoom());
            const QPainterPath edge = wide.createStroke(path);
            for (int y = 0; y < size.height; ++y)
                for (int x = 0; x < size.width; ++x) {
                    const QPointF middle = view.toPane(QPointF(x + 0.5, y + 0.5));
                    if (!edge.contains(middle))
                        QCOMPARE(path.contains(middle), belongs(shape, x, y));
                }
        }
    }

    // Also where the ellipse is large and seen closely.
    void outlineOfALargeEllipse() {
        const Size size{9000, 9000};
        for (int i = 0; i < 20; ++i) {
            const Rect box{any(0, 500), any(0, 500), any(2000, 8000), any(2000, 8000)};
            const RegionShape shape = RegionShape::ellipse(box);
            RegionEditor editor;
            editor.setRegion(shape);
            ViewTransform transform;
            transform.setPaneSize({300, 200});
            transform.setImageSize(size);
            transform.setZoom(16, {150, 100});
            const PaneView view(transform);
            const QPainterPath path = editor.path(view);
            const RegionRows rows(shape, {0, 0, size.width, size.height});
            for (int k = 0; k < 40; ++k) {
                const int y = box.y + any(0, box.height - 1);
                for (const PixelRun& run : rows.row(y))
                    for (const int x : {run.first - 1, run.first, run.last - 1, run.last}) {
                        const double dx = (x + 0.5 - box.x) / box.width * 2 - 1;
                        const double dy = (y + 0.5 - box.y) / box.height * 2 - 1;
                        // A hundredth of a pixel is nothing that is seen.
                        const int side = std::min(box.width, box.height);
                        if (std::abs(dx * dx + dy * dy - 1) * side / 4 < 0.01) continue;
                        QCOMPARE(path.contains(view.toPane(QPointF(x + 0.5, y + 0.5))),
                                 x >= run.first && x < run.last);
                    }
            }
        }
    }

    // And it is drawn there: what changes in the picture lies at the outline, its box and handles.
    void outlineIsDrawn() {
        CanvasFixture f;
        f.show(m_source, m_result);
        f.canvas.setZoom(f.canvas.devicePixelRatioF(), {200, 150});
        const QImage before = f.shot();
        const RegionShape shape = RegionShape::ellipse({340, 240, 120, 90});
        f.canvas.setRegion(shape);
        const QImage after = f.shot("ellipse_outline");
        const double dpr = f.canvas.devicePixelRatioF();
        for (double turn = 0.1; turn < 6.28; turn += 0.2) {
            const QPointF at =
                f.canvas.widgetPosition({400 + 60 * std::cos(turn), 285 + 45 * std::sin(turn)});
            const QPoint pixel = (at * dpr).toPoint();
            bool changed = false;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    changed = changed || before.pixel(pixel + QPoint(dx, dy)) !=
                                             after.pixel(pixel + QPoint(dx, dy));
            QVERIFY(changed);
            // Halfway to the middle nothing is drawn, nor is it beyond the box.
            const QPointF inside =
                f.canvas.widgetPosition({400 + 30 * std::cos(turn), 285 + 22 * std::sin(turn)});
            const QPoint still = (inside * dpr).toPoint();
            QCOMPARE(before.pixel(still), after.pixel(still));
        }
    }

    // R cannot make an outline: the next drag draws it, without Shift. The shape is said, and kept
    // for the next start.
    void rBeginsTheChosenShape() {
        QTemporaryDir folder;
        const QString settings = folder.filePath(QStringLiteral("warpscope.ini"));
        {
            WindowFixture f(settings);
            QVERIFY(f.open(f.scene("a.png", {320, 240})));
            Canvas& canvas = f.window.canvas();
            canvas.setFocus();
            const QPoint middle = canvas.rect().center();
            const QRect foot(middle.x() - 40, canvas.height() * 7 / 8 - 10, 80, 20);
            const QImage plain = canvas.grab(foot).toImage();
            QTest::keyClick(&canvas, Qt::Key_O);
            QVERIFY(canvas.grab(foot).toImage() != plain);
            QTest::keyClick(&canvas, Qt::Key_O);
            QCOMPARE(canvas.drawnShape(), Kind::Polygon);
            QTest::keyClick(&canvas, Qt::Key_R);
            QVERIFY(!f.document().region());
            // Escape leaves it: the drag moves the picture.
            QTest::keyClick(&canvas, Qt::Key_Escape);
            stroke(canvas, {middle, middle + QPoint(40, 0), middle + QPoint(40, 40)}, {});
            QVERIFY(!f.document().region());
            QTest::keyClick(&canvas, Qt::Key_R);
            QCOMPARE(canvas.cursor().shape(), Qt::CrossCursor);
            stroke(canvas, {middle, middle + QPoint(40, 0), middle + QPoint(40, 40)}, {});
            QVERIFY(f.document().regionShape());
            QCOMPARE(f.document().regionShape()->kind(), Kind::Polygon);
            // Once: the next drag does not.
            const RegionShape drawn = *f.document().regionShape();
            stroke(canvas, {middle + QPoint(-80, 60), middle + QPoint(-40, 60)}, {});
            QVERIFY(*f.document().regionShape() == drawn);
            QVERIFY(f.window.close());
        }
        WindowFixture f(settings);
        QCOMPARE(f.window.canvas().drawnShape(), Kind::Polygon);
        auto* freehand = f.window.findChild<QAction*>(QStringLiteral("regionFreehand"));
        QVERIFY(freehand && freehand->isChecked());
    }

    void windowCountsTheEllipse() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        QVERIFY(f.addStep("flip_rotate"));
        Canvas& canvas = f.window.canvas();
        canvas.setFocus();
        canvas.setViewMode(ViewMode::Source);
        QCOMPARE(canvas.drawnShape(), Kind::Rectangle);
        QTest::keyClick(&canvas, Qt::Key_O);
        QCOMPARE(canvas.drawnShape(), Kind::Ellipse);
        auto* ellipse = f.window.findChild<QAction*>(QStringLiteral("regionEllipse"));
        QVERIFY(ellipse && ellipse->isChecked());
        const QPoint middle = canvas.rect().center();
        stroke(canvas, {middle, middle + QPoint(30, 30), middle + QPoint(90, 60)});
        const RegionShape shape = f.document().regionShape().value();
        QCOMPARE(shape.kind(), Kind::Ellipse);
        const Rect box = shape.box();
        const auto pixels = RegionRows(shape, box).pixels();
        QVERIFY(pixels < std::uint64_t(box.size().pixels()));
        QTRY_VERIFY(f.bridge().histogramsAreCurrent() &&
                    f.bridge().histograms()->source.channels[0].total() == pixels);
        QCOMPARE(f.bridge().histograms()->result.channels[0].total(), pixels);
        QCOMPARE(f.bridge().histograms()->source.size, box.size());
        const QString where = QStringLiteral("in the ellipse at %1, %2 of %3 × %4")
                                  .arg(box.x)
                                  .arg(box.y)
                                  .arg(box.width)
                                  .arg(box.height);
        const QString count = QStringLiteral(", %1 pixels").arg(groupedCount(pixels));
        QTRY_VERIFY2(caption(f.window).contains(where) && caption(f.window).contains(count),
                     qPrintable(caption(f.window)));
        QTRY_VERIFY(anyLabel(f.window, QStringLiteral("Statistics ") + where + count));
        // The crop takes its box; what is left of it afterwards counts.
        f.document().cropToRegion();
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(2));
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QCOMPARE(exactImage(f.bridge().result()).size().pixels(), box.size().pixels());
        QTRY_VERIFY(f.bridge().histogramsAreCurrent());
        QCOMPARE(f.bridge().histograms()->result.channels[0].total(), pixels);
        const QString folder = qEnvironmentVariable("WARPSCOPE_SHOTS");
        if (!folder.isEmpty())
            f.window.grab().save(QDir(folder).filePath(QStringLiteral("window_ellipse.png")));
        canvas.setFocus();
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QVERIFY(!f.document().region());
        QTRY_VERIFY(!caption(f.window).contains(QStringLiteral("ellipse")));
    }

    // What is drawn further is left out, and the region stays one that a session can hold.
    void drawingIsBounded() {
        const Size image{400, 1 << 17};
        RegionEditor editor;
        editor.setDrawn(Kind::Polygon);
        editor.grab(RegionHandle::None, {0, 0}, {0, 0});
        for (int i = 1; i < 100; ++i)
            editor.dragTo({}, image, {double(i), i % 2 ? double(image.height) : 0});
        QVERIFY(editor.shape() && isBounded(*editor.shape()));
        QVERIFY(editor.shape()->corners().size() > 20 && editor.shape()->corners().size() < 40);
        QVERIFY(regionFromText(regionText(*editor.shape())));
        // Many edges that are short so far do not become long ones.
        std::vector<PixelCorner> corners;
        for (int i = 0; i < 2000; ++i) corners.push_back({any(0, 300), i % 2 ? any(5, 9) : 0});
        const RegionShape drawn = RegionShape::polygon(corners);
        editor.setRegion(drawn);
        QVERIFY(!editor.resizeBy({0, image.height / 2}, image));
        QVERIFY(editor.shape() == drawn);
        QVERIFY(editor.resizeBy({0, 10}, image));
    }

    void documentKeepsWhatHoldsPixels() {
        Document document;
        document.setSource(m_source, {}, QStringLiteral("test"));
        const RegionShape shape = anyShape(m_random, {800, 600});
        document.setRegion(shape);
        QVERIFY(document.regionShape() == shape);
        QCOMPARE(document.region().value(), shape.box());
        document.setRegion(RegionShape::polygon({{5, 5}, {90, 5}, {40, 5}}));
        QVERIFY(!document.region());
        document.setRegion(RegionShape::ellipse({900, 10, 50, 50}));
        QVERIFY(!document.region());
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::RegionShapesTest)
#include "region_shapes_test.moc"
