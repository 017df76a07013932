// What is compared: wipe line and pair as values; difference, blink and two given images by keys.
#include <QLabel>
#include <QPainter>
#include <QPixmap>
#include <QToolButton>
#include <cmath>
#include <limits>

#include "gui/canvas/canvas_marks.h"
#include "gui_canvas/canvas_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

static Image patched(Size size, int value, const std::vector<QPoint>& at, int other) {
    return makeImage<std::uint8_t>(PixelFormat::Gray8, size, [&](int x, int y, int) {
        const bool hit = std::find(at.begin(), at.end(), QPoint(x, y)) != at.end();
        return std::uint8_t(hit ? other : value);
    });
}

class CompareTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void wipeLineAsAValue() {
        using Part = WipeLine::Part;
        const QSizeF widget(400, 300);
        WipeLine wipe;
        QCOMPARE(wipe.line(widget), QLineF(200, 0, 200, 300));
        QCOMPARE(wipe.partAt({208, 20}, widget), Part::Line);
        QCOMPARE(wipe.partAt({192, 20}, widget), Part::Line);
        QCOMPARE(wipe.partAt({209, 20}, widget), Part::None);
        QCOMPARE(wipe.partAt({211, 150}, widget), Part::Handle);
        wipe.dragTo({100, 299}, widget);
        QCOMPARE(wipe.at(), 0.25);
        QCOMPARE(wipe.split({0, 0, 801, 600}),
                 std::pair(QRect(0, 0, 200, 600), QRect(200, 0, 601, 600)));
        // It turns about its handle: that stays under the mouse, and turns it back.
        const QRectF handle = wipe.handle(widget);
        QCOMPARE(handle.center(), QPointF(100, 150));
        wipe.turn();
        QVERIFY(wipe.turned());
        QCOMPARE(wipe.line(widget), QLineF(0, 150, 400, 150));
        QCOMPARE(wipe.handle(widget), handle);
        QCOMPARE(wipe.partAt({10, 145}, widget), Part::Line);
        QCOMPARE(wipe.split({0, 0, 801, 600}),
                 std::pair(QRect(0, 0, 801, 300), QRect(0, 300, 801, 300)));
        wipe.turn();
        QCOMPARE(wipe.line(widget), QLineF(100, 0, 100, 300));
        wipe.turn();
        wipe.dragTo({0, 900}, widget);
        QCOMPARE(wipe.at(), 1.0);
        QVERIFY(wipe.split({0, 0, 8, 6}).second.isEmpty());
        wipe.step(true);
        QCOMPARE(wipe.at(), 1.0);
        wipe.step(false);
        QCOMPARE(wipe.at(), 0.98);
    }

    void pairKnowsItsSides() {
        ComparedPair pair;
        QVERIFY(pair.isEmpty());
        const Image source = plainImage({4, 3}, 1, 2, 3), result = plainImage({4, 3}, 4, 2, 3);
        pair.setSource(pyramidOf(source));
        QVERIFY(!pair.isEmpty() && pair.second().isNull());
        QVERIFY(pair.obstacleText().contains(QStringLiteral("no result")));
        QVERIFY(pair.secondCaption() != pair.secondLabel());  // says that there is none
        pair.setResult(pyramidOf(result));
        QCOMPARE(pair.obstacleText(), QString());
        QCOMPARE(pair.secondCaption(), pair.secondLabel());
        QCOMPARE(pair.difference().image().id(), result.id());
        QVERIFY(pair.setDifferenceStyle({DifferenceKind::Signed, 1000}));
        QCOMPARE(pair.differenceStyle().gain, 256);
        QVERIFY(!pair.setDifferenceStyle({DifferenceKind::Signed, 256}));
        QCOMPARE(pair.differenceCaption(), QStringLiteral("Result − source × 256"));
        pair.setResult(pyramidOf(patched({4, 3}, 9, {}, 0)));
        QVERIFY(pair.obstacleText().contains(QStringLiteral("in grey")));
        QVERIFY(pair.difference().isNull());
    }

    void pairStandsInForTwoGivenImages() {
        ComparedPair pair;
        pair.setSource(pyramidOf(plainImage({4, 3}, 1, 2, 3)));
        const std::vector<QPoint> wrong{{3, 0}, {1, 2}};
        const Image a = patched({9, 5}, 70, {}, 0), b = patched({9, 5}, 70, wrong, 90);
        auto ready = prepareComparison(a, b, QStringLiteral("CPU"), QStringLiteral("GPU"), {});
        QVERIFY(ready.has_value());
        QVERIFY(!pair.nextDiffering());
        pair.begin(std::move(*ready));
        QVERIFY(pair.given());
        QCOMPARE(pair.first().image().id(), a.id());
        QCOMPARE(pair.second().image().id(), b.id());
        QCOMPARE(pair.difference().image().id(), a.id());  // first minus second
        QVERIFY(pair.differenceCaption().startsWith(QStringLiteral("|CPU − GPU| × 1 · ")));
        for (const QPoint& pixel : {wrong[0], wrong[1], wrong[0]})
            QCOMPARE(pair.nextDiffering().value(), pixel);
        pair.end();
        QVERIFY(!pair.given() && pair.second().isNull());
        QCOMPARE(pair.first().image().size(), (Size{4, 3}));
        QCOMPARE(pair.firstLabel(), QStringLiteral("Source"));
    }

    void differenceOfKnownPixels() {
        CanvasFixture f;
        f.show(pyramidOf(plainImage({40, 30}, 100, 50, 200)),
               pyramidOf(plainImage({40, 30}, 103, 50, 190)));
        f.press(Qt::Key_5);
        QCOMPARE(f.canvas.viewMode(), ViewMode::Difference);
        QCOMPARE(f.colorOf({20, 5}), QColor(3, 0, 10));
        f.press(Qt::Key_BracketRight);
        f.press(Qt::Key_BracketRight);
        QCOMPARE(f.canvas.differenceStyle().gain, 4);
        QCOMPARE(f.colorOf({20, 5}), QColor(12, 0, 40));
        for (int i = 0; i < 10; ++i) f.press(Qt::Key_BracketRight);
        QCOMPARE(f.canvas.differenceStyle().gain, 256);
        QCOMPARE(f.colorOf({20, 5}), QColor(255, 0, 255));
        for (int i = 0; i < 10; ++i) f.press(Qt::Key_BracketLeft);
        QCOMPARE(f.canvas.differenceStyle().gain, 1);
        // Result minus source: red rose, blue fell.
        f.press(Qt::Key_BracketRight);
        f.press(Qt::Key_S);
        QCOMPARE(f.colorOf({20, 5}), QColor(131, 128, 118));
        f.press(Qt::Key_S);
        QCOMPARE(f.colorOf({20, 5}), QColor(6, 0, 20));
    }

    void amplifiesAsFarAsTheDepth() {
        const auto plain = [](std::uint16_t v) {
            ImageInfo info;
            info.whiteLevel = 65535;
            return pyramidOf(makeImage<std::uint16_t>(
                PixelFormat::Gray16, {40, 30}, [v](int, int, int) { return v; }, info));
        };
        CanvasFixture f;
        f.show(plain(30000), plain(30001));
        f.press(Qt::Key_5);
        QCOMPARE(f.colorOf({20, 5}), QColor(0, 0, 0));
        for (int i = 0; i < 20; ++i) f.press(Qt::Key_BracketRight);
        QCOMPARE(f.canvas.differenceStyle().gain, 65536);
        QCOMPARE(f.colorOf({20, 5}), QColor(255, 255, 255));
        f.press(Qt::Key_BracketLeft);
        QCOMPARE(f.colorOf({20, 5}), QColor(128, 128, 128));  // 255 x 32,768 / 65,535
        // 8 bits have no such depth.
        f.show(pyramidOf(plainImage({40, 30}, 1, 1, 1)), pyramidOf(plainImage({40, 30}, 2, 2, 2)));
        QCOMPARE(f.canvas.differenceStyle().gain, 256);
    }

    void controlOnTheCanvas() {
        CanvasFixture f;
        f.show(pyramidOf(plainImage({40, 30}, 1, 1, 1)), pyramidOf(plainImage({40, 30}, 2, 2, 2)));
        auto* more = f.canvas.findChild<QToolButton*>(QStringLiteral("differenceMore"));
        auto* less = f.canvas.findChild<QToolButton*>(QStringLiteral("differenceLess"));
        auto* sign = f.canvas.findChild<QToolButton*>(QStringLiteral("differenceSign"));
        QVERIFY(more && less && sign && !more->isVisible());
        f.press(Qt::Key_5);
        QVERIFY(more->isVisible() && !less->isEnabled());
        QTest::mouseClick(more, Qt::LeftButton);
        QTest::mouseClick(more, Qt::LeftButton);
        QCOMPARE(f.canvas.differenceStyle().gain, 4);
        QTest::mouseClick(less, Qt::LeftButton);
        QCOMPARE(f.canvas.differenceStyle().gain, 2);
        QTest::mouseClick(sign, Qt::LeftButton);
        QCOMPARE(f.canvas.differenceStyle().kind, DifferenceKind::Signed);
        QVERIFY(f.canvas.hasFocus());  // the keys still act
        f.shot("difference_bar");
        f.press(Qt::Key_2);
        QVERIFY(!more->isVisible());
    }

    void differenceKnowsNaN() {
        const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
        const float before[] = {nan, nan, inf, inf, 0.5f};
        const float after[] = {nan, 0.5f, inf, -inf, 0.75f};
        const auto row = [](const float* samples) {
            return pyramidOf(makeImage<float>(PixelFormat::GrayF32, {5, 1},
                                              [=](int x, int, int) { return samples[x]; }));
        };
        CanvasFixture f;
        f.show(row(before), row(after));
        f.press(Qt::Key_5);
        const QColor mark(kNaNColor.r, kNaNColor.g, kNaNColor.b);
        f.canvas.setZoom(8.0, {200, 150});
        QCOMPARE(f.colorOf({0, 0}), QColor(0, 0, 0));
        QCOMPARE(f.colorOf({1, 0}), mark);
        QCOMPARE(f.colorOf({2, 0}), QColor(0, 0, 0));
        QCOMPARE(f.colorOf({3, 0}), mark);
        QCOMPARE(f.colorOf({4, 0}), QColor(64, 64, 64));
        f.canvas.setZoom(64.0, {200, 150});
        f.shot("difference_values");
    }

    void sixteenBitsOverTheirScale() {
        const auto flat = [](int v) {
            ImageInfo info;
            info.whiteLevel = 65535;
            return pyramidOf(makeImage<std::uint16_t>(
                PixelFormat::Gray16, {40, 30}, [v](int, int, int) { return std::uint16_t(v); },
                info));
        };
        CanvasFixture f;
        f.show(flat(1000), flat(1000 + 257 * 9));
        f.press(Qt::Key_5);
        QCOMPARE(f.colorOf({7, 7}), QColor(9, 9, 9));
    }

    // Sums have smaller levels of 8 bits, each over its own range: they must not be subtracted.
    void sumsSubtractThemselves() {
        const auto sums = [](std::uint32_t extra) {
            return pyramidOf(makeImage<std::uint32_t>(
                PixelFormat::Gray32, {800, 600}, [extra](int x, int y, int) {
                    return std::uint32_t((x + 1) * (y + 1)) * 100 + (y > 300 ? extra : 0);
                }));
        };
        CanvasFixture f;
        f.show(sums(0), sums(4'800'000));  // a tenth of the range: 25 or 26 levels
        f.press(Qt::Key_5);
        QVERIFY(f.canvas.zoom() < 1.0 * f.canvas.devicePixelRatioF());
        QCOMPARE(f.colorOf({400, 100}), QColor(0, 0, 0));
        const int shown = f.colorOf({400, 400}).red();
        QVERIFY2(shown >= 22 && shown <= 26, qPrintable(QString::number(shown)));
    }

    void formatsThatDifferSayWhyNot() {
        CanvasFixture f;
        f.show(pyramidOf(plainImage({40, 30}, 9, 9, 9)), pyramidOf(patched({40, 30}, 30, {}, 0)));
        f.press(Qt::Key_5);
        const QImage said = f.shot("difference_formats");
        f.canvas.setResult(pyramidOf(plainImage({40, 30}, 9, 9, 9)));
        const QImage plain = f.shot();
        // In the middle there are words; with formats alike it is black.
        const auto colours = [](const QImage& image, int band) {
            QSet<QRgb> seen;
            for (int y = image.height() / 2 - band; y <= image.height() / 2 + band; ++y)
                for (int x = image.width() / 4; x < image.width() * 3 / 4; ++x)
                    seen.insert(image.pixel(x, y));
            return seen.size();
        };
        QVERIFY(colours(said, 8) > 4);
        QCOMPARE(colours(plain, 0), 1);
    }

    void draftsAreSubtractedToo() {
        CanvasFixture f;
        const PyramidPtr source = pyramidOf(plainImage({800, 600}, 100, 100, 100));
        f.show(source, source);
        f.press(Qt::Key_5);
        QCOMPARE(f.colorOf({300, 300}), QColor(0, 0, 0));
        DraftReady draft;
        draft.picture = plainImage({400, 300}, 100, 120, 100);
        draft.rect = {0, 0, 800, 600};
        draft.scale = 0.5;
        f.canvas.setDraft(draft);
        QCOMPARE(f.colorOf({300, 300}), QColor(0, 20, 0));
        // Absolute and signed agree on what is subtracted from what.
        f.press(Qt::Key_S);
        QCOMPARE(f.colorOf({300, 300}), QColor(128, 138, 128));
    }

    void blinkTurns() {
        CanvasFixture f;
        f.show(pyramidOf(plainImage({400, 300}, 200, 0, 0)),
               pyramidOf(plainImage({400, 300}, 0, 0, 200)));
        f.press(Qt::Key_6);
        QCOMPARE(f.canvas.viewMode(), ViewMode::Blink);
        for (int turn = 0; turn < 2; ++turn)
            for (const QColor& phase : {QColor(200, 0, 0), QColor(0, 0, 200)})
                QTRY_COMPARE(f.colorOf({300, 200}), phase);
        f.press(Qt::Key_2);
        QCOMPARE(f.colorOf({300, 200}), QColor(0, 0, 200));
        QTest::qWait(600);
        QCOMPARE(f.colorOf({300, 200}), QColor(0, 0, 200));
    }

    // Square by square in both panes and both phases, and nothing of one in the other.
    void twoGivenImagesInTheirPanesAndPhases() {
        constexpr Size kSize{120, 90};
        constexpr int kSquare = 15;
        const auto own = [](int seed, const QPoint& square) {
            const auto sample = [&](int c) { return hashSample(square.x(), square.y(), c, seed); };
            return QColor(sample(0), sample(1), sample(2));
        };
        const auto squares = [&](int seed) {
            return pyramidOf(
                makeImage<std::uint8_t>(PixelFormat::Rgba8, kSize, [seed](int x, int y, int c) {
                    return c == 3 ? std::uint8_t(255)
                                  : hashSample(x / kSquare, y / kSquare, c, seed);
                }));
        };
        for (const int scale : {1, 2, 3}) {
            // With room above and below for captions and the bar of a comparison.
            CanvasFixture f(QSize(2 * 120 * scale + 61, 90 * scale + 240));
            f.show(pyramidOf(plainImage(kSize, 9, 9, 9)), pyramidOf(plainImage(kSize, 7, 7, 7)));
            f.press(Qt::Key_3);
            f.canvas.compare(squares(5), squares(6), QStringLiteral("a"), QStringLiteral("b"));
            QTRY_VERIFY(f.canvas.comparison());
            QCOMPARE(f.canvas.viewMode(), ViewMode::SideBySide);
            f.canvas.clearFocus();
            const auto place = [&](const QPoint& square) {
                const QPointF middle = (QPointF(square) + QPointF(0.5, 0.5)) * kSquare;
                return (f.canvas.widgetPosition(middle) * f.canvas.devicePixelRatioF()).toPoint();
            };
            const auto differing = [&](const QImage& shot, int seed, int right) {
                int count = 0;
                for (int y = 0; y < kSize.height / kSquare; ++y)
                    for (int x = 0; x < kSize.width / kSquare; ++x)
                        count +=
                            shot.pixelColor(place({x, y}) + QPoint(right, 0)) != own(seed, {x, y});
                return count;
            };
            // Equally large panes with a gap show the same part.
            const int across = (f.shot().width() + 1) / 2;
            QVERIFY(place({7, 0}).x() < across && place({0, 0}).x() > 0);
            QTRY_COMPARE(differing(f.shot(), 5, 0), 0);
            QTRY_COMPARE(differing(f.shot(), 6, across), 0);
            f.press(Qt::Key_6);
            QCOMPARE(f.canvas.viewMode(), ViewMode::Blink);
            for (int turn = 0; turn < 2; ++turn)
                for (const int seed : {5, 6}) QTRY_COMPARE(differing(f.shot(), seed, 0), 0);
        }
    }

    void twoGivenImages() {
        CanvasFixture f;
        f.show(pyramidOf(noisyImage({800, 600}, 1)), pyramidOf(noisyImage({800, 600}, 2)));
        f.canvas.setViewMode(ViewMode::SideBySide);
        f.canvas.setZoom(3.0, {40, 250});
        const Viewport before = f.canvas.viewport();
        QSignalSpy changed(&f.canvas, &Canvas::comparisonChanged);
        QSignalSpy viewports(&f.canvas, &Canvas::viewportChanged);

        const std::vector<QPoint> wrong{{123, 45}, {700, 599}};
        f.canvas.showDifference(patched({1000, 700}, 80, {}, 0),
                                patched({1000, 700}, 80, wrong, 83), QStringLiteral("CPU"),
                                QStringLiteral("GPU"));
        QTRY_COMPARE(changed.count(), 1);
        const Comparison* shown = f.canvas.comparison();
        QVERIFY(shown);
        QCOMPARE(shown->agreement.differing, std::uint64_t(2));
        QCOMPARE(shown->agreement.maxDifference, 3.0);
        QCOMPARE(shown->differing, wrong);
        QCOMPARE(f.canvas.viewMode(), ViewMode::Difference);
        QCOMPARE(viewports.count(), 0);  // nothing for the worker
        f.shot("difference_given");

        // N walks through the pixels that differ, enlarged.
        QSignalSpy cursor(&f.canvas, &Canvas::cursorPixelChanged);
        f.press(Qt::Key_N);
        QCOMPARE(cursor.last()[0].toPoint(), wrong[0]);
        QVERIFY(f.canvas.zoom() >= 8.0);
        QCOMPARE(f.colorOf(wrong[0]), QColor(3, 3, 3));
        f.press(Qt::Key_N);
        QCOMPARE(cursor.last()[0].toPoint(), wrong[1]);
        // The other views are of these two as well.
        f.press(Qt::Key_1);
        QCOMPARE(f.colorOf(wrong[1]), QColor(80, 80, 80));
        f.press(Qt::Key_2);
        QCOMPARE(f.colorOf(wrong[1]), QColor(83, 83, 83));

        f.press(Qt::Key_Escape);  // the pixel cursor
        QVERIFY(f.canvas.comparison());
        f.press(Qt::Key_Escape);
        QVERIFY(!f.canvas.comparison());
        QCOMPARE(changed.count(), 2);
        QCOMPARE(f.canvas.viewMode(), ViewMode::SideBySide);
        QCOMPARE(f.canvas.zoom(), 3.0);
        QCOMPARE(f.canvas.viewport().visible, before.visible);
    }

    // A long name is whole where the other one leaves room for it.
    void captionsTakeTheRoomThatThereIs() {
        CanvasFixture f({400, 300});
        const auto plain = pyramidOf(plainImage({400, 300}, 90, 90, 90));
        f.show(plain, plain);
        f.canvas.setViewMode(ViewMode::Wipe);
        QString name = QStringLiteral("a");
        QPixmap sheet(1, 1);
        QPainter metrics(&sheet);
        metrics.setFont(f.canvas.font());
        while (signWidth(metrics, name) < 260) name.insert(1, QLatin1Char('m'));
        const auto captioned = [&](const QString& a, const QString& b, const QPoint& at) {
            const auto first = pyramidOf(plainImage({400, 300}, 90, 90, 90));
            f.canvas.compare(first, plain, a, b);
            if (!waitedFor(
                    [&] { return f.canvas.comparison() && f.canvas.comparison()->first == first; }))
                return false;
            f.canvas.clearFocus();
            return f.shot().pixelColor(at * f.canvas.devicePixelRatioF()) != QColor(90, 90, 90);
        };
        const QString other = QStringLiteral("b");
        QVERIFY(captioned(name, other, {230, 14}));
        QVERIFY(captioned(other, name, {170, 14}));
        // Two long ones share it evenly.
        QVERIFY(captioned(name, name, {150, 14}));
        QVERIFY(!captioned(name, name, {196, 14}));
    }

    void anotherSourceEndsTheComparison() {
        CanvasFixture f;
        f.show(pyramidOf(noisyImage({80, 60}, 1)), pyramidOf(noisyImage({80, 60}, 2)));
        f.canvas.showDifference(noisyImage({80, 60}, 3), noisyImage({80, 60}, 4),
                                QStringLiteral("a"), QStringLiteral("b"));
        QTRY_VERIFY(f.canvas.comparison());
        f.canvas.setSource(pyramidOf(noisyImage({90, 60}, 5)));
        QVERIFY(!f.canvas.comparison());
        QCOMPARE(f.canvas.viewport().visible, (Rect{0, 0, 90, 60}));
        // One that is still being prepared never comes.
        f.canvas.showDifference(noisyImage({80, 60}, 3), noisyImage({80, 60}, 4),
                                QStringLiteral("a"), QStringLiteral("b"));
        f.press(Qt::Key_Escape);
        QTest::qWait(100);
        QVERIFY(!f.canvas.comparison());
    }

    // Drawing works on what is seen: prints how long it takes, and draws the right thing.
    void largeImagesStayFluid() {
        ImageInfo info;
        const auto large = [](int seed) {
            return pyramidOf(makeImage<std::uint8_t>(
                PixelFormat::Gray8, {8000, 6000},
                [seed](int x, int y, int) { return std::uint8_t((x * seed + y) >> 3); }));
        };
        CanvasFixture f({1200, 800});
        f.show(large(1), large(2));
        f.press(Qt::Key_5);
        QElapsedTimer timer;
        double worst = 0;
        for (const double zoom : {0.11, 0.3, 1.0, 4.0, 0.15}) {
            f.canvas.setZoom(zoom, {600, 400});
            for (int i = 0; i < 4; ++i) {
                f.press(Qt::Key_Right);
                timer.restart();
                f.canvas.repaint();
                worst = std::max(worst, double(timer.nsecsElapsed()) * 1e-6);
            }
        }
        qInfo("slowest paint of a difference of 48 megapixels: %.1f ms", worst);
        const QPoint middle(4000, 3000);
        f.press(Qt::Key_F);
        f.canvas.setZoom(8.0, f.place(middle));
        const auto sample = [&](int seed) {
            return int(std::uint8_t((middle.x() * seed + middle.y()) >> 3));
        };
        const int apart = std::abs(sample(1) - sample(2));
        QVERIFY(apart > 0);
        QTRY_COMPARE(f.colorOf(middle), QColor(apart, apart, apart));
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::CompareTest)
#include "compare_test.moc"
