// What canvas, inspector and histogram tell each other in the real window, by keys and mouse.
#include <QClipboard>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QSignalSpy>
#include <QTableWidget>
#include <cmath>

#include "engine/io/image_writer.h"
#include "engine/operations/tone/equalize.h"
#include "gui/app/compare_controller.h"
#include "gui/canvas/canvas_marks.h"
#include "gui/display/display_settings.h"
#include "gui/histogram/histogram_view.h"
#include "gui/histogram/mapping_curve.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/inspector/pinned_list.h"
#include "gui/inspector/pixel_readout.h"
#include "gui/window_fixture.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class WindowViewsTest : public QObject {
    Q_OBJECT

    static QString caption(MainWindow& window) {
        return window.findChild<QLabel*>(QStringLiteral("histogramCaption"))->text();
    }
    static bool anyLabel(MainWindow& window, const QString& part) {
        for (const QLabel* label : window.findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(part)) return true;
        return false;
    }
    static void drag(Canvas& canvas, const QPoint& from, const QPoint& to,
                     Qt::KeyboardModifiers modifiers) {
        const auto move = [&](const QPoint& at) {
            QMouseEvent event(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton,
                              Qt::LeftButton, modifiers);
            QApplication::sendEvent(&canvas, &event);
        };
        QTest::mousePress(&canvas, Qt::LeftButton, modifiers, from);
        move((from + to) / 2);
        move(to);
        QTest::mouseRelease(&canvas, Qt::LeftButton, modifiers, to);
    }
    static void keep(QWidget& widget, const char* name) {
        const QString folder = qEnvironmentVariable("WARPSCOPE_SHOTS");
        if (!folder.isEmpty()) widget.grab().save(QDir(folder).filePath(QLatin1String(name)));
    }
    // Shortcuts act in the window that has the keyboard; after a popup that takes a moment.
    static void awake(WindowFixture& f) {
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        f.window.canvas().setFocus();
        QTRY_VERIFY(f.window.canvas().hasFocus());
    }
    // As a person does: opens the palette, types, presses Return.
    static void runFromPalette(WindowFixture& f, const QString& typed) {
        awake(f);
        f.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = f.window.findChild<QDialog*>(QStringLiteral("commandPalette"));
        QVERIFY(palette && palette->isVisible());
        auto* edit = palette->findChild<QLineEdit*>();
        QTest::keyClicks(edit, typed);
        keep(*palette, "palette.png");
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(!palette->isVisible());
    }

  private slots:
    void regionLimitsHistogramAndStatistics() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        QVERIFY(f.addStep("gaussian_blur"));
        QTRY_VERIFY(f.bridge().histogramsAreCurrent());
        Canvas& canvas = f.window.canvas();
        const QPoint middle = canvas.rect().center();
        drag(canvas, middle, middle + QPoint(80, 60), Qt::ShiftModifier);
        QVERIFY(f.document().region().has_value());
        const Rect region = *f.document().region();
        QTRY_VERIFY(f.bridge().histogramsAreCurrent());
        QCOMPARE(f.bridge().histograms()->source.size, region.size());
        QCOMPARE(f.bridge().histograms()->result.find(HistogramChannel::Luma)->total(),
                 std::uint64_t(region.size().pixels()));
        const QString where = QStringLiteral("%1, %2").arg(region.x).arg(region.y);
        QTRY_VERIFY(caption(f.window).contains(QStringLiteral("region at ") + where));
        QTRY_VERIFY(anyLabel(f.window, QStringLiteral("Statistics of the region")));
        keep(f.window, "window_region.png");
        f.press(Qt::Key_Escape);
        QVERIFY(!f.document().region().has_value());
        QTRY_VERIFY(f.bridge().histogramsAreCurrent());
        QTRY_VERIFY(!caption(f.window).contains(QStringLiteral("region")));
        QTRY_VERIFY(anyLabel(f.window, QStringLiteral("Statistics of all samples")));
    }

    void rangeOfTheHistogramStandsOutInTheCanvas() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        QTRY_VERIFY(f.bridge().histogramsAreCurrent());
        auto* view = f.window.findChild<HistogramView*>(QStringLiteral("histogramView"));
        QTRY_VERIFY(view->isVisible());
        QTest::qWait(60);
        // Without its edge, which shows where the keyboard is.
        const auto shown = [&] {
            const QImage all = f.window.canvas().grab().toImage();
            return all.copy(all.rect().adjusted(8, 8, -8, -8));
        };
        const QImage before = shown();
        const double y = view->plotArea().center().y();
        const QPoint from = QPointF(view->pixelX(40), y).toPoint();
        const QPoint to = QPointF(view->pixelX(90), y).toPoint();
        QWidget* plot = view->viewport();
        QTest::mousePress(plot, Qt::LeftButton, {}, from);
        for (const QPoint& at : {(from + to) / 2, to}) {
            QMouseEvent event(QEvent::MouseMove, at, plot->mapToGlobal(at), Qt::NoButton,
                              Qt::LeftButton, {});
            QApplication::sendEvent(plot, &event);
        }
        QTest::mouseRelease(plot, Qt::LeftButton, {}, to);
        QVERIFY(view->selection().has_value());
        QVERIFY(shown() != before);
        keep(f.window, "window_highlight.png");
        // The read-out stands beside the chart, not over it, and whole on the screen.
        auto* said = view->findChild<QWidget*>(QStringLiteral("histogramReadout"));
        QVERIFY(said && said->isVisible());
        const QRect chart(view->mapToGlobal(QPoint(0, 0)), view->size());
        QVERIFY(!said->geometry().intersects(chart));
        QVERIFY(view->screen()->availableGeometry().contains(said->geometry()));
        QVERIFY(said->width() >= said->sizeHint().width());
        QTest::mouseClick(plot, Qt::LeftButton, {}, from);
        QTRY_COMPARE(shown(), before);
    }

    void equalizationShowsItsCurve() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        QVERIFY(f.addStep("equalize"));
        QTRY_VERIFY(f.bridge().histogramsAreCurrent());
        auto* view = f.window.findChild<HistogramView*>(QStringLiteral("histogramView"));
        QTRY_VERIFY(view->isVisible());
        // The curve is that of the table: it rises as the cumulative counts of the source do.
        MappingCurves wanted =
            mappingCurves(*f.document().source(), f.document().pipeline(), 0, {}).value();
        QCOMPARE(wanted.curves.size(), std::size_t(1));
        QVERIFY(!wanted.reduced);
        const Histogram* luma = f.bridge().histograms()->source.find(HistogramChannel::Luma);
        const auto table = equalizeTable(luma->bins, EqualizeMapping::Classic);
        for (std::size_t k = 0; k < 256; ++k)
            QCOMPARE(wanted.curves[0].points[k].y(), double(table[k]) / 255.0);
        QTRY_COMPARE(view->mapping().curves.size(), std::size_t(1));
        QVERIFY(view->mapping() == wanted);
        const QPolygonF line = view->mappingLine(wanted.curves[0]);
        QVERIFY(std::abs(line[128].x() - view->pixelX(128)) < 0.01);
        QTest::qWait(50);
        keep(f.window, "window_equalize.png");
        // Gone with the step; a step before it makes the curve one of a smaller copy.
        f.document().setStepEnabled(0, false);
        QTRY_VERIFY(view->mapping().curves.empty());
        Pipeline two = f.document().pipeline();
        two.steps[0].enabled = true;
        two.steps.insert(two.steps.begin(), makeStep("gaussian_blur").value());
        QCOMPARE(mappingStep(two, -1), std::optional<std::size_t>(1));
        const auto large = gui::pyramidOf(sceneOf({1600, 1200}));
        QVERIFY(mappingCurves(*large, two, 1, {}).value().reduced);
    }

    void openingSaysWhat() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("small.png", {160, 120})));
        QSignalSpy titles(&f.bridge(), &EngineBridge::openingTitleChanged);
        f.bridge().openScene({6000, 4000}, true, QStringLiteral("a large scene"));
        QCOMPARE(titles.count(), 1);
        QCOMPARE(f.bridge().openingTitle(), QStringLiteral("a large scene"));
        const QImage before = f.window.canvas().grab().toImage();
        bool said = false;
        while (f.bridge().opening()) {
            QTest::qWait(20);
            said = said || f.window.canvas().grab().toImage() != before;
            if (said && f.bridge().opening()) keep(f.window, "window_opening.png");
        }
        QVERIFY(said);
        QTRY_COMPARE(f.document().title(), QStringLiteral("a large scene"));
    }

    void oldValuesAreMarked() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {2400, 1800})));
        QTRY_VERIFY(f.bridge().histogramsAreCurrent());
        f.window.canvas().setFocus();
        // Nothing is computed while live update is off: what is shown is old, and says so.
        f.press(Qt::Key_P);
        f.document().insertStep(0, makeStep("gaussian_blur").value());
        QTRY_VERIFY(anyLabel(f.window, QStringLiteral("Result (stale)")));
        QTRY_VERIFY(anyLabel(f.window, QStringLiteral("(stale)")));
        QTest::qWait(50);  // layouts settle
        keep(f.window, "window_stale.png");
        f.press(Qt::Key_P);
        QTRY_VERIFY_WITH_TIMEOUT(f.bridge().histogramsAreCurrent(), 30000);
        QTRY_VERIFY(!anyLabel(f.window, QStringLiteral("(stale)")));
        QTRY_VERIFY(!anyLabel(f.window, QStringLiteral("(updating)")));
        // A slow step: the values of the old result are marked until the new ones are there.
        f.document().insertStep(1, makeStep("nl_means").value());
        const auto readouts = f.window.findChildren<PixelReadout*>();
        QTRY_VERIFY_WITH_TIMEOUT(std::any_of(readouts.begin(), readouts.end(),
                                             [](const PixelReadout* readout) {
                                                 return readout->accessibleName() ==
                                                        QStringLiteral("Result (updating)");
                                             }),
                                 20000);
        QVERIFY(caption(f.window).contains(QStringLiteral("(updating)")));
        f.bridge().cancel();
    }

    // Pixels beside each other: no badge hides another, or the cross of another pin.
    void labelsOfPinsLeaveEachOtherFree() {
        for (const QSizeF pane : {QSizeF(400, 300), QSizeF(120, 90)})
            for (const double apart : {0.0, 3.0, 9.0, 24.0})
                for (const QPointF start : {QPointF(60, 40), QPointF(2, 2),
                                            QPointF(pane.width() - 80, pane.height() - 3)}) {
                    std::vector<QPointF> crosses;
                    for (int i = 0; i < 8; ++i)
                        crosses.push_back(start + apart * QPointF(i % 4, i / 4));
                    const std::vector<QRectF> badges = pinBadges(crosses, 18, 6, pane);
                    QCOMPARE(badges.size(), crosses.size());
                    for (std::size_t i = 0; i < badges.size(); ++i) {
                        QVERIFY(QRectF({}, pane).contains(badges[i]));
                        for (std::size_t k = 0; k < i; ++k)
                            QVERIFY2(!badges[i].intersects(badges[k]),
                                     qPrintable(QStringLiteral("%1 and %2, %3 apart in %4")
                                                    .arg(i)
                                                    .arg(k)
                                                    .arg(apart)
                                                    .arg(pane.width())));
                        for (std::size_t k = 0; k < crosses.size(); ++k)
                            QVERIFY(k == i || !badges[i].contains(crosses[k]));
                    }
                }
        // One alone stands where it always did.
        const QRectF alone = pinBadges({QPointF(100, 100)}, 18, 6, QSizeF(400, 300)).front();
        QCOMPARE(alone.center(), QPointF(112, 88));
    }

    // A click pins: the list numbers the pixel, and so does a cross on it in every pane.
    void pinsAreMarked() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        Canvas& canvas = f.window.canvas();
        auto* pins = f.window.findChild<PinnedList*>();
        const QPoint pixels[] = {{100, 80}, {220, 160}};
        const auto at = [&](const QPoint& pixel) {
            return canvas.widgetPosition(QPointF(pixel) + QPointF(0.5, 0.5)).toPoint();
        };
        const QImage before = canvas.grab().toImage();
        for (const QPoint& pixel : pixels) {
            const std::size_t count = pins->pixels().size();
            QTest::mouseClick(&canvas, Qt::LeftButton, {}, at(pixel));
            QTRY_COMPARE(pins->pixels().size(), count + 1);
        }
        QCOMPARE(pins->topLevelItem(1)->text(0), QStringLiteral("2"));
        const QImage marked = canvas.grab().toImage();
        for (const QPoint& pixel : pins->pixels()) {
            const QPoint middle = at(pixel);
            int white = 0;
            for (int x = -4; x <= 4; ++x)
                for (int y = -1; y <= 1; ++y)
                    white += marked.pixelColor(middle + QPoint(x, y)) == QColor(Qt::white);
            QVERIFY2(white >= 9, qPrintable(QString::number(white)));
            // And its number above.
            const QRect beside(middle + QPoint(2, -18), QSize(14, 14));
            QVERIFY(before.copy(beside) != marked.copy(beside));
        }
        keep(f.window, "window_pins.png");
        pins->clearPins();
        QTest::mouseMove(&canvas, QPoint(1, 1));
        QCOMPARE(canvas.grab().toImage().pixelColor(at(pixels[0])),
                 before.pixelColor(at(pixels[0])));
    }

    // Escape leaves the cursor of the keys, and a comparison with a smaller image, and no pin goes.
    void escapeKeepsPins() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        auto* pins = f.window.findChild<PinnedList*>();
        f.window.canvas().setFocus();
        f.press(Qt::Key_X);
        f.press(Qt::Key_Return);
        f.press(Qt::Key_Right, Qt::ControlModifier);
        f.press(Qt::Key_Return);
        QTRY_COMPARE(pins->pixels().size(), std::size_t(2));
        const std::vector<QPoint> placed = pins->pixels();
        f.press(Qt::Key_Escape);
        QCOMPARE(pins->pixels(), placed);
        // The cursor is left: Return pins nothing.
        f.press(Qt::Key_Return);
        QTest::qWait(50);
        QCOMPARE(pins->pixels(), placed);
        f.window.comparing().compareWith(f.scene("small.png", {40, 30}));
        QTRY_VERIFY(f.window.canvas().comparison() != nullptr);
        f.press(Qt::Key_Escape);
        QTRY_VERIFY(!f.window.canvas().comparison());
        QCOMPARE(pins->pixels(), placed);
        QTest::keyClick(pins, Qt::Key_Escape);
        QCOMPARE(pins->pixels(), placed);
        // Two images both of which are smaller take the place of the document's.
        const Image small = sceneOf({40, 30}, 1);
        f.window.canvas().showDifference(small, sceneOf({40, 30}, 2), QStringLiteral("one"),
                                         QStringLiteral("two"));
        QTRY_VERIFY(f.window.canvas().comparison() != nullptr);
        QCOMPARE(pins->pixels(), placed);
        f.window.canvas().setFocus();
        f.press(Qt::Key_Escape);
        QTRY_VERIFY(!f.window.canvas().comparison());
        QCOMPARE(pins->pixels(), placed);
    }

    // A click on its row brings a pin into the middle, at the zoom that there is.
    void aPinInTheListIsGoneTo_data() {
        QTest::addColumn<ViewMode>("mode");
        QTest::newRow("result") << ViewMode::Result;
        QTest::newRow("side by side") << ViewMode::SideBySide;
    }
    void aPinInTheListIsGoneTo() {
        QFETCH(ViewMode, mode);
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        QVERIFY(f.addStep("gaussian_blur"));
        Canvas& canvas = f.window.canvas();
        canvas.setViewMode(mode);
        auto* inspector = f.window.findChild<InspectorPanel*>();
        auto* pins = f.window.findChild<PinnedList*>();
        const QPoint pixels[] = {{150, 110}, {170, 131}};
        for (const QPoint& pixel : pixels) inspector->togglePin(pixel);
        const auto place = [&](const QPoint& pixel) {
            return canvas.widgetPosition(QPointF(pixel) + QPointF(0.5, 0.5));
        };
        const auto click = [&](int row) {
            const QRect cell = pins->visualItemRect(pins->topLevelItem(row));
            QTest::mouseClick(pins->viewport(), Qt::LeftButton, {}, cell.center());
        };
        QTRY_VERIFY(pins->viewport()->height() >=
                    pins->visualItemRect(pins->topLevelItem(1)).bottom());
        // All of it is seen: nothing moves, the marker changes.
        const QImage before = canvas.grab().toImage();
        const QPointF fitted = place(pixels[0]);
        click(0);
        QVERIFY(canvas.isFitted());
        QCOMPARE(place(pixels[0]), fitted);
        QVERIFY(canvas.grab().toImage() != before);

        canvas.setZoom(12.0, QPointF(30, 30));
        const double width = mode == ViewMode::SideBySide ? canvas.width() / 2.0 : canvas.width();
        for (const int row : {1, 0}) {
            click(row);
            QCOMPARE(canvas.zoom(), 12.0);
            const QPointF at = place(pixels[row]);
            QVERIFY2(
                std::abs(at.x() - width / 2) < 13 && std::abs(at.y() - canvas.height() / 2.0) < 13,
                qPrintable(QStringLiteral("%1 %2").arg(at.x()).arg(at.y())));
        }
        // And by the arrow keys of the list.
        pins->setFocus();
        QTest::keyClick(pins, Qt::Key_Down);
        QVERIFY(std::abs(place(pixels[1]).x() - width / 2) < 13);
    }

    void blackAboveWhiteIsRefusedAloud() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        auto* black = f.window.findChild<QLineEdit*>(QStringLiteral("levelsBlack"));
        QTRY_VERIFY(black->isEnabled());
        black->setFocus();
        black->selectAll();
        QTest::keyClicks(black, "300");
        QCOMPARE(f.window.messages().count(), 0);
        QTest::keyClick(black, Qt::Key_Return);
        QCOMPARE(f.window.messages().count(), 1);
        QVERIFY2(f.window.messages().text().contains(QStringLiteral("300 is not below 255")),
                 qPrintable(f.window.messages().text()));
        QCOMPARE(black->text(), QStringLiteral("0"));
        QCOMPARE(f.window.display().choice(), RangeChoice::Natural);
        black->selectAll();
        QTest::keyClicks(black, "30");
        QTest::keyClick(black, Qt::Key_Return);
        QCOMPARE(f.window.display().choice(), RangeChoice::Manual);
        QCOMPARE(f.window.messages().count(), 0);
    }

    void givenImagesAreReadOut() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        QVERIFY(f.addStep("gaussian_blur"));
        const Image a = sceneOf({320, 240}, 1), b = sceneOf({320, 240}, 2);
        f.window.canvas().showDifference(a, b, QStringLiteral("GPU"), QStringLiteral("CPU"));
        Canvas& canvas = f.window.canvas();
        QTRY_VERIFY(canvas.comparison());
        QVERIFY(f.window.actions().viewDifference->isChecked());
        f.press(Qt::Key_N);
        const auto readouts = f.window.findChildren<PixelReadout*>();
        QCOMPARE(readouts.size(), 2);
        QCOMPARE(readouts[0]->accessibleName(), QStringLiteral("GPU"));
        QCOMPARE(readouts[1]->accessibleName(), QStringLiteral("CPU"));
        const QPoint pixel = canvas.comparison()->differing.front();
        const auto* p = a.view<std::uint8_t>().row(pixel.y()) + 4 * pixel.x();
        QVERIFY(readouts[0]->text().startsWith(QStringLiteral("R %1 (").arg(p[0])));
        keep(f.window, "window_given.png");
        f.press(Qt::Key_Escape);
        f.press(Qt::Key_Escape);
        QVERIFY(!canvas.comparison());
        QCOMPARE(readouts[0]->accessibleName(), QStringLiteral("Source"));
        QCOMPARE(canvas.viewMode(), ViewMode::Result);
    }

    void floatsAreShownCountedAndCopied() {
        WindowFixture f;
        auto made = MutableImage::create(PixelFormat::GrayF32, {64, 48});
        QVERIFY(made.has_value());
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x) made->view<float>().row(y)[x] = float(x) / 8 - 2;
        made->view<float>().row(3)[5] = std::nanf("");
        made->view<float>().row(4)[6] = INFINITY;
        made->view<float>().row(4)[7] = -INFINITY;
        ImageInfo info;
        info.whiteLevel = 1.0;
        f.bridge().openImage(std::move(*made).freeze(info), QStringLiteral("float"));
        QTRY_VERIFY(f.bridge().histogramsAreCurrent());
        auto* table = f.window.findChild<QTableWidget*>();
        for (auto* t : f.window.findChildren<QTableWidget*>())
            if (t->columnCount() == 6) table = t;
        QTRY_COMPARE(table->rowCount(), 2);
        QCOMPARE(table->item(0, 4)->text(), QStringLiteral("1"));
        QCOMPARE(table->item(0, 5)->text(), QStringLiteral("2"));
        runFromPalette(f, QStringLiteral("minimum to maximum"));
        QCOMPARE(f.window.display().choice(), RangeChoice::MinMax);
        QTRY_VERIFY(f.window.display().rangeFor(f.document().image()).has_value());
        keep(f.window, "window_float.png");
        // Black and white beside the picture: source and result, both float, share them.
        QVERIFY(f.addStep("equalize"));
        const auto* white = f.window.findChild<QLineEdit*>(QStringLiteral("levelsWhite"));
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QTRY_COMPARE(white->text(), QStringLiteral("5.875"));
        f.window.canvas().setViewMode(ViewMode::Source);
        QCOMPARE(white->text(), QStringLiteral("5.875"));
        f.window.canvas().setViewMode(ViewMode::Result);
        QCOMPARE(white->text(), QStringLiteral("5.875"));
        f.document().removeStep(0);
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        awake(f);
        f.press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(f.window.messages().text().contains(QStringLiteral("8 bits")));
        QVERIFY(f.window.messages().text().contains(QStringLiteral("minimum to maximum")));
        const QImage copied = QGuiApplication::clipboard()->image();
        QCOMPARE(copied.size(), QSize(64, 48));
        QVERIFY(std::abs(qGray(copied.pixel(32, 20)) - 130) <= 2);  // 2 between -2 and 5.875
        QVERIFY(copied.pixelColor(5, 3).red() == 255 && copied.pixelColor(5, 3).green() == 0);
    }

    void paletteAddsOpensAndShows() {
        WindowFixture f;
        const QString a = f.scene("first.png"), b = f.scene("second.png");
        QVERIFY(f.open(a));
        QVERIFY(f.open(b));
        runFromPalette(f, QStringLiteral("add gaussian"));
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        QCOMPARE(f.document().pipeline().steps[0].operation, std::string("gaussian_blur"));
        runFromPalette(f, QStringLiteral("blink"));
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Blink);
        runFromPalette(f, QStringLiteral("recent first"));
        QTRY_COMPARE(f.document().filePath(), a);
        runFromPalette(f, QStringLiteral("region"));
        QVERIFY(f.document().region().has_value());
    }
};

WARPSCOPE_TEST(WindowViewsTest)
#include "window_views_test.moc"
