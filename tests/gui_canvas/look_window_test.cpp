// The look of the view in the real window: by keys, menu and mouse; black and white dragged on the
// histogram; the overview; a dark picture that says so.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QMenu>
#include <QPushButton>
#include <QTimer>
#include <QWheelEvent>

#include "engine/io/image_writer.h"
#include "gui/canvas/navigator.h"
#include "gui/display/display_settings.h"
#include "gui/histogram/histogram_view.h"
#include "gui/window_fixture.h"
#include "gui_canvas/pictures.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using namespace warpscope::test;

namespace {

void moveTo(QWidget& widget, const QPointF& at, Qt::MouseButtons held) {
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, held, {});
    QApplication::sendEvent(&widget, &event);
}

void dragIn(QWidget& widget, const QPointF& from, const QPointF& to) {
    QTest::mousePress(&widget, Qt::LeftButton, {}, from.toPoint());
    moveTo(widget, (from + to) / 2, Qt::LeftButton);
    moveTo(widget, to, Qt::LeftButton);
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, to.toPoint());
}

Image darkImage() {
    ImageInfo info;
    info.whiteLevel = 65535;
    return makeImage<std::uint16_t>(
        PixelFormat::Gray16, {400, 300},
        [](int x, int y, int) { return std::uint16_t(500 + (x * 7 + y * 3) % 2000); }, info);
}

QColor drawn(Canvas& canvas, const QPointF& pixel) {
    const QPointF at = canvas.widgetPosition(pixel) * canvas.devicePixelRatioF();
    return canvas.grab().toImage().pixelColor(int(at.x()), int(at.y()));
}

}  // namespace

class LookWindowTest : public QObject {
    Q_OBJECT

    static bool openDark(WindowFixture& f) {
        f.bridge().openImage(darkImage(), "dark");
        return waitedFor([&] {
            return f.bridge().histogramsAreCurrent() && f.bridge().resultIsCurrent() &&
                   f.bridge().histograms()->source.format == PixelFormat::Gray16;
        });
    }
    static void keep(QWidget& widget, const char* name) {
        const QString folder = qEnvironmentVariable("WARPSCOPE_SHOTS");
        if (!folder.isEmpty()) widget.grab().save(QDir(folder).filePath(QLatin1String(name)));
    }

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void aDarkPictureOffersPercentiles() {
        WindowFixture f;
        QVERIFY(openDark(f));
        QTRY_VERIFY(f.window.messages().text().contains(QStringLiteral("very dark")));
        QVERIFY(drawn(f.window.canvas(), {200.5, 150.5}).red() < 16);
        QPushButton* offer = nullptr;
        for (QPushButton* button : f.window.messages().findChildren<QPushButton*>())
            if (button->text().contains(QStringLiteral("percentiles"))) offer = button;
        QVERIFY(offer && offer->isVisible());
        QTest::mouseClick(offer, Qt::LeftButton);
        QCOMPARE(f.window.display().choice(), RangeChoice::Percentiles);
        QVERIFY(f.window.actions().rangePercentiles->isChecked());
        QTRY_VERIFY(f.window.display().rangeFor(f.document().image()).has_value());
        QVERIFY(!f.window.messages().text().contains(QStringLiteral("shows little")));
        QVERIFY(f.window.messages().text().isEmpty());
        // The histogram's axis shows the samples, too, and all of it again with the full range.
        auto* histogram = f.window.findChild<HistogramView*>();
        const auto end = [&] { return histogram->axisValueAt(histogram->plotArea().right()); };
        QTRY_VERIFY2(end() > 2400 && end() < 2800, qPrintable(QString::number(end())));
        // At once where that is wanted, for this picture alone.
        f.window.actions().rangeNatural->trigger();
        QTRY_VERIFY(end() > 65000);
        f.window.actions().rangeByItself->trigger();
        QVERIFY(openDark(f));
        QTRY_COMPARE(f.window.display().choice(), RangeChoice::Percentiles);
        QVERIFY(f.window.messages().text().contains(QStringLiteral("Shown by percentiles")));
        QVERIFY(f.open(f.scene("bright.png")));
        QCOMPARE(f.window.display().choice(), RangeChoice::Natural);
        QVERIFY(!f.window.messages().text().contains(QStringLiteral("percentiles")));
    }

    void keysChangeTheLookAndOneTakesItBack() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        DisplaySettings& display = f.window.display();
        f.press(Qt::Key_E);
        f.press(Qt::Key_E);
        f.press(Qt::Key_D);
        QCOMPARE(display.view().stops, 0.5);
        f.press(Qt::Key_G);
        QCOMPARE(display.view().gamma, 1.1);
        f.press(Qt::Key_C);
        QCOMPARE(display.view().channel, ViewChannel::Red);
        f.press(Qt::Key_M);
        f.press(Qt::Key_M);
        QCOMPARE(display.view().map, ColorMap::Viridis);
        QVERIFY(f.window.actions().mapGroup->actions()[2]->isChecked());
        f.press(Qt::Key_U);
        QVERIFY(display.view().zebra && f.window.actions().zebra->isChecked());
        const auto* map = f.window.findChild<QComboBox*>(QStringLiteral("lookMap"));
        QCOMPARE(map->currentIndex(), int(ColorMap::Viridis));
        keep(f.window, "look_window.png");
        f.press(Qt::Key_0);
        QVERIFY(display.isNatural());
        QVERIFY(!f.window.actions().zebra->isChecked());
        QVERIFY(f.window.actions().channelGroup->actions()[0]->isChecked());
        // Through the inspector's field; through the menu.
        auto* stops = f.window.findChild<QDoubleSpinBox*>(QStringLiteral("lookExposure"));
        stops->setFocus();
        stops->selectAll();
        QTest::keyClicks(stops, QStringLiteral("-1.25"));
        QTest::keyClick(stops, Qt::Key_Return);
        QCOMPARE(display.view().stops, -1.25);
        f.window.actions().mapGroup->actions()[4]->trigger();
        QCOMPARE(display.view().map, ColorMap::Fire);
        QCOMPARE(display.view().stops, -1.25);
    }

    // A gray picture has no red, green or blue to be shown alone; one of colour has.
    void channelsAreOfferedWhereThereAreAny() {
        WindowFixture f;
        QVERIFY(openDark(f));
        auto* combo = f.window.findChild<QComboBox*>(QStringLiteral("lookChannel"));
        const auto offered = [&] {
            int count = 0;
            for (const QAction* action : f.window.actions().channelGroup->actions())
                count += action->isEnabled();
            return count;
        };
        QTRY_COMPARE(offered(), 1);
        QVERIFY(!combo->isEnabled());
        f.window.canvas().setFocus();
        f.press(Qt::Key_C);
        QCOMPARE(f.window.display().view().channel, ViewChannel::All);
        QVERIFY(f.open(f.scene("a.png")));
        QTRY_COMPARE(offered(), 5);
        QVERIFY(combo->isEnabled());
        f.press(Qt::Key_C);
        QCOMPARE(f.window.display().view().channel, ViewChannel::Red);
    }

    // By percentiles the result is shown over its own samples where it is alone; side by side both
    // have one black and white, the source's. Marks and axis of the histogram go along.
    void percentilesFollowWhatIsShown() {
        WindowFixture f;
        QVERIFY(openDark(f));
        auto* view = f.window.findChild<HistogramView*>(QStringLiteral("histogramView"));
        DisplaySettings& display = f.window.display();
        f.window.actions().rangePercentiles->trigger();
        QVERIFY(f.addStep("equalize"));
        f.window.canvas().setFocus();
        const auto white = [&] {
            const auto range = display.rangeFor(f.bridge().result()->levels.front());
            return range ? range->high : 0;
        };
        const Image source = f.document().image(), result = f.bridge().result()->levels.front();
        const double ofSource = percentilesOf(source)->high, ofResult = percentilesOf(result)->high;
        QVERIFY(ofSource < 3000 && ofResult > 60000);
        QTRY_COMPARE(white(), ofResult);
        QTRY_COMPARE(view->levels()->high, ofResult);
        QVERIFY(view->axisValueAt(view->plotArea().right()) > ofResult * 0.99);
        for (const auto& [key, wanted] : {std::pair{Qt::Key_1, ofSource},
                                          {Qt::Key_2, ofResult},
                                          {Qt::Key_3, ofSource},
                                          {Qt::Key_2, ofResult}}) {
            f.press(key);
            QTRY_COMPARE(white(), wanted);
            QTRY_COMPARE(view->levels()->high, wanted);
            QTRY_VERIFY(view->axisValueAt(view->plotArea().right()) < wanted * 1.2);
        }
        // What is drawn is that: the brightest of the result are white, not all of it.
        const QColor middle = drawn(f.window.canvas(), {200.5, 150.5});
        const int sample = result.view<std::uint16_t>().row(150)[200];
        QVERIFY(std::abs(middle.red() - sample / 257) <= 3);
    }

    void blackAndWhiteAreDragged() {
        WindowFixture f;
        QVERIFY(openDark(f));
        auto* view = f.window.findChild<HistogramView*>(QStringLiteral("histogramView"));
        QTRY_VERIFY(view->levels().has_value());
        QTRY_COMPARE(view->levels()->high, 65535.0);
        QTRY_VERIFY(view->plotArea().width() > 50);
        // White from the right end to the middle.
        const QPointF middle(view->plotArea().center().x(), view->gripRect(true).center().y());
        dragIn(*view->viewport(), view->gripRect(true).center(), middle);
        QCOMPARE(f.window.display().choice(), RangeChoice::Manual);
        const double white = f.window.display().rangeFor(f.document().image())->high;
        QVERIFY(std::abs(white - 32768) < 65536 / view->plotArea().width() * 2);
        QCOMPARE(white, std::round(white));
        QVERIFY(!view->selection());
        // Farther around than it is drawn the mouse takes it, and its shape says so.
        const auto shapeAt = [&](double away) {
            const QPointF at = view->gripRect(true).center() + QPointF(away, 0);
            QMouseEvent event(QEvent::MouseMove, at, view->viewport()->mapToGlobal(at),
                              Qt::NoButton, Qt::NoButton, {});
            QApplication::sendEvent(view->viewport(), &event);
            return view->viewport()->cursor().shape();
        };
        for (const double away : {-8.0, 8.0}) QCOMPARE(shapeAt(away), Qt::SizeHorCursor);
        QCOMPARE(shapeAt(16), Qt::CrossCursor);
        dragIn(*view->viewport(), view->gripRect(true).center() + QPointF(8, 0),
               view->gripRect(true).center() + QPointF(40, 0));
        QVERIFY(f.window.display().rangeFor(f.document().image())->high > white);
        QVERIFY(!view->selection());
        f.window.display().setManual(
            f.document().image(), {f.window.display().rangeFor(f.document().image())->low, white});
        // Black does not pass it.
        const QPointF beyond(view->plotArea().right(), middle.y());
        dragIn(*view->viewport(), view->gripRect(false).center(), beyond);
        QCOMPARE(f.window.display().rangeFor(f.document().image())->low, white - 1);
        // By keys: a bin at a time.
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(f.window.display().rangeFor(f.document().image())->low, white - 257);
        QTest::keyClick(view, Qt::Key_Right, Qt::AltModifier | Qt::ShiftModifier);
        QCOMPARE(f.window.display().rangeFor(f.document().image())->high, white + 256);
        // Elsewhere in the plot a drag still selects.
        dragIn(*view->viewport(), view->plotArea().center(),
               view->plotArea().center() + QPointF(30, 0));
        QVERIFY(view->selection().has_value());
    }

    void overviewShowsAndMoves() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {900, 700})));
        Canvas& canvas = f.window.canvas();
        auto* overview = canvas.findChild<Navigator*>(QStringLiteral("navigator"));
        canvas.fit();
        QVERIFY(!overview->isVisible());
        canvas.setZoom(4, QRectF(canvas.rect()).center());
        QVERIFY(overview->isVisible());
        keep(f.window, "overview.png");
        const Rect before = canvas.viewport().visible;
        QVERIFY(std::abs(overview->seen().x() - before.x) <= 1);
        QVERIFY(std::abs(overview->seen().width() - before.width) <= 2);
        const double zoom = canvas.zoom();
        dragIn(*overview, overview->place({450, 350}), overview->place({600, 500}));
        const Rect after = canvas.viewport().visible;
        QVERIFY(std::abs(after.x + after.width / 2.0 - 600) < 10);
        QVERIFY(std::abs(after.y + after.height / 2.0 - 500) < 10);
        QCOMPARE(canvas.zoom(), zoom);
        f.press(Qt::Key_V);
        QVERIFY(!overview->isVisible());
        f.press(Qt::Key_V);
        QVERIFY(overview->isVisible());
    }

    void regionFillsTheView() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {900, 700})));
        Canvas& canvas = f.window.canvas();
        canvas.fit();
        f.document().setRegion(Rect{610, 120, 60, 40});
        f.press(Qt::Key_Z);
        const Rect seen = canvas.viewport().visible;
        QVERIFY(contains(seen, Rect{610, 120, 60, 40}));
        QVERIFY(seen.width < 120 && std::abs(seen.x + seen.width / 2.0 - 640) < 2);
        QVERIFY(std::abs(seen.y + seen.height / 2.0 - 140) < 2);
    }

    void oneSideMovesAlone() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {900, 700})));
        Canvas& canvas = f.window.canvas();
        canvas.setViewMode(ViewMode::SideBySide);
        canvas.setZoom(2, canvas.widgetPosition({450, 350}));
        const auto held = Qt::ControlModifier | Qt::ShiftModifier;
        const auto drag = [&](const QPoint& from, const QPoint& by, Qt::KeyboardModifiers keys) {
            QTest::mousePress(&canvas, Qt::LeftButton, keys, from);
            for (const QPoint& at : {from + by / 2, from + by}) {
                QMouseEvent event(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton,
                                  Qt::LeftButton, keys);
                QApplication::sendEvent(&canvas, &event);
            }
            QTest::mouseRelease(&canvas, Qt::LeftButton, keys, from + by);
        };
        const auto places = [&] {
            return std::pair(canvas.widgetPosition({450, 350}),
                             canvas.widgetPositionInResult({450, 350}));
        };
        const QPoint left(canvas.width() / 4, canvas.height() / 2);
        const QPoint right(canvas.width() * 3 / 4, canvas.height() / 2);
        const auto near = [](const QPointF& a, const QPointF& b) {
            return (a - b).manhattanLength() <= 2;
        };
        auto before = places();
        drag(right, {40, 24}, held);
        auto after = places();
        QVERIFY(near(after.first, before.first));
        QVERIFY(near(after.second, before.second + QPointF(40, 24)));
        QVERIFY(!f.document().region());  // Shift alone would have made one
        before = after;
        drag(left, {-30, 10}, held);
        after = places();
        QVERIFY(near(after.first, before.first + QPointF(-30, 10)));
        QVERIFY(near(after.second, before.second));
        // Let go, both move together and stay apart.
        before = after;
        drag(right, {-20, 30}, {});
        after = places();
        QVERIFY(near(after.first, before.first + QPointF(-20, 30)));
        QVERIFY(near(after.second, before.second + QPointF(-20, 30)));
        const double zoom = canvas.zoom();
        QWheelEvent wheel(right, canvas.mapToGlobal(right), {}, QPoint(0, 240), Qt::NoButton, held,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas, &wheel);
        QCOMPARE(canvas.zoom(), zoom);
        const double between = canvas.widgetPositionInResult({500, 350}).x() -
                               canvas.widgetPositionInResult({450, 350}).x();
        const double inFirst =
            canvas.widgetPosition({500, 350}).x() - canvas.widgetPosition({450, 350}).x();
        QVERIFY(between > 1.3 * inFirst);
        canvas.fit();
        const double half =
            canvas.widgetPositionInResult({450, 350}).x() - canvas.widgetPosition({450, 350}).x();
        QVERIFY(std::abs(half - canvas.width() / 2.0) < 4);
    }

    void rightClickOpensAMenu() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        Canvas& canvas = f.window.canvas();
        bool open = false;
        QTimer look;
        connect(&look, &QTimer::timeout, this, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (!menu) return;
            look.stop();
            open = menu->objectName() == QStringLiteral("canvasMenu") &&
                   menu->actions().contains(f.window.actions().resetLook);
            menu->setActiveAction(f.window.actions().viewSource);
            QTest::keyClick(menu, Qt::Key_Return);
        });
        look.start(20);
        QContextMenuEvent event(QContextMenuEvent::Mouse, canvas.rect().center(),
                                canvas.mapToGlobal(canvas.rect().center()));
        QApplication::sendEvent(&canvas, &event);
        QVERIFY(open);
        QCOMPARE(canvas.viewMode(), ViewMode::Source);
    }
};

WARPSCOPE_TEST(LookWindowTest)
#include "look_window_test.moc"
