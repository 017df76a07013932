// What the canvas shows, compared with the samples it was given. WARPSCOPE_SHOTS=FOLDER keeps the
// pictures.
#include <QDir>
#include <QElapsedTimer>
#include <QtTest>
#include <cmath>

#include "gui/canvas/canvas.h"
#include "gui/widgets/theme.h"
#include "gui_canvas/pictures.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

static QColor sampleColor(const Image& image, const QPoint& pixel) {
    const auto view = image.view<std::uint8_t>();
    const std::uint8_t* p = view.row(pixel.y()) + pixel.x() * view.channels;
    return view.channels == 4 ? QColor(p[0], p[1], p[2]) : QColor(p[0], p[0], p[0]);
}

static DraftReady draftOf(const Image& picture, const Rect& rect, bool exact = false) {
    DraftReady draft;
    draft.picture = picture;
    draft.rect = rect;
    draft.scale = double(picture.width()) / rect.width;
    draft.exact = exact;
    return draft;
}

class CanvasDrawingTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void init() {
        m_canvas = std::make_unique<Canvas>();
        m_canvas->setAttribute(Qt::WA_ShowWithoutActivating);
        m_canvas->resize(400, 300);
        m_canvas->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
        m_canvas->clearFocus();  // its frame covers pixels
    }

    void actualSizeIsExact_data() {
        QTest::addColumn<bool>("gray");
        QTest::addColumn<QSize>("size");
        QTest::newRow("colour, larger than the view") << false << QSize(701, 503);
        QTest::newRow("colour, smaller") << false << QSize(33, 21);
        QTest::newRow("gray") << true << QSize(701, 503);
    }

    void actualSizeIsExact() {
        QFETCH(bool, gray);
        QFETCH(QSize, size);
        const Size sides{size.width(), size.height()};
        const Image image = gray ? makeImage<std::uint8_t>(
                                       PixelFormat::Gray8, sides,
                                       [](int x, int y, int c) { return hashSample(x, y, c, 9); })
                                 : noisyImage(sides, 9);
        m_canvas->setSource(pyramidOf(image));
        m_canvas->setViewMode(ViewMode::Source);
        m_canvas->zoomToActual();
        const QImage picture = shot();
        const Rect seen = m_canvas->viewport().visible;
        int compared = 0;
        for (int y = seen.y; y < seen.y + seen.height; ++y) {
            for (int x = seen.x; x < seen.x + seen.width; ++x) {
                const QPointF at = m_canvas->widgetPosition({x + 0.5, y + 0.5});
                // Labels cover the corners.
                if (at.y() < 40 || at.y() > m_canvas->height() - 40) continue;
                QCOMPARE(shownAt(picture, {x, y}), sampleColor(image, {x, y}));
                ++compared;
            }
        }
        QVERIFY(compared > 500);
    }

    void enlargedPixelsAreExact() {
        const Image image = noisyImage({300, 200}, 4);
        m_canvas->setSource(pyramidOf(image));
        m_canvas->setViewMode(ViewMode::Source);
        for (const double zoom : {1.5, 2.0, 5.7, 8.0}) {
            m_canvas->setZoom(zoom, {200, 150});
            const QImage picture = shot();
            const Rect seen = m_canvas->viewport().visible;
            for (int y = seen.y + 1; y < seen.y + seen.height - 1; ++y)
                for (int x = seen.x + 1; x < seen.x + seen.width - 1; ++x)
                    if (m_canvas->widgetPosition(QPointF(x, y)).y() > 40 &&
                        m_canvas->widgetPosition(QPointF(x, y)).y() < 260)
                        QCOMPARE(shownAt(picture, {x, y}), sampleColor(image, {x, y}));
        }
    }

    void sideBySideShowsBoth() {
        m_canvas->setSource(pyramidOf(plainImage({100, 100}, 180, 30, 20)));
        m_canvas->setResult(pyramidOf(plainImage({100, 100}, 10, 60, 190)));
        m_canvas->setViewMode(ViewMode::SideBySide);
        const QImage picture = shot("side_by_side");
        QCOMPARE(picture.pixelColor(picture.width() / 4, picture.height() / 2),
                 QColor(180, 30, 20));
        QCOMPARE(picture.pixelColor(picture.width() * 3 / 4, picture.height() / 2),
                 QColor(10, 60, 190));
    }

    void draftThenExact() {
        m_canvas->setSource(pyramidOf(plainImage({400, 300}, 200, 0, 0)));
        m_canvas->setResult(pyramidOf(plainImage({400, 300}, 0, 0, 200)));
        m_canvas->setDraft(draftOf(plainImage({50, 40}, 0, 200, 0), {100, 80, 200, 160}));
        const QImage draft = shot("draft");
        QCOMPARE(shownAt(draft, {150, 150}), QColor(0, 200, 0));
        QCOMPARE(shownAt(draft, {101, 81}), QColor(0, 200, 0));
        QCOMPARE(shownAt(draft, {298, 238}), QColor(0, 200, 0));
        QCOMPARE(shownAt(draft, {98, 150}), QColor(0, 0, 200));
        QCOMPARE(shownAt(draft, {302, 150}), QColor(0, 0, 200));
        m_canvas->setResult(pyramidOf(plainImage({400, 300}, 0, 0, 90)));
        const QImage exact = shot();
        QCOMPARE(shownAt(exact, {150, 150}), QColor(0, 0, 90));
    }

    void draftAtFullScaleIsSharp() {
        const Image picture = noisyImage({60, 50}, 8);
        m_canvas->setSource(pyramidOf(plainImage({400, 300}, 0, 0, 0)));
        m_canvas->setDraft(draftOf(picture, {30, 20, 60, 50}));
        m_canvas->setZoom(4.0, {0, 0});
        const QImage shown = shot();
        for (int y = 12; y < 40; ++y)
            for (int x = 0; x < 40; ++x)
                QCOMPARE(shownAt(shown, {30 + x, 20 + y}), sampleColor(picture, {x, y}));
    }

    void marks() {
        m_canvas->setSource(pyramidOf(plainImage({400, 300}, 90, 90, 90)));
        m_canvas->setResult(pyramidOf(plainImage({400, 300}, 90, 90, 90)));
        const auto corner = [&](const QImage& image) {
            const int w = image.width(), h = image.height();
            return image.copy(w * 3 / 4, h * 7 / 8, w / 4, h / 8);
        };
        const QImage plain = corner(shot());
        m_canvas->setStale(true);
        QTRY_VERIFY(corner(shot("stale")) != plain);
        const QImage stale = corner(shot());
        m_canvas->setDraft(draftOf(plainImage({400, 300}, 90, 90, 90), {0, 0, 400, 300}));
        QVERIFY(corner(shot()) != plain);
        QVERIFY(corner(shot()) != stale);
        m_canvas->setStale(false);
        m_canvas->setDraft(draftOf(plainImage({400, 300}, 90, 90, 90), {0, 0, 400, 300}, true));
        QCOMPARE(corner(shot()), plain);
    }

    void sourceStandsInForAMissingResult() {
        m_canvas->setSource(pyramidOf(plainImage({400, 300}, 200, 0, 0)));
        const QImage none = shot("no_result");
        QCOMPARE(shownAt(none, {150, 150}), QColor(200, 0, 0));
        m_canvas->setResult(pyramidOf(plainImage({400, 300}, 0, 0, 200)));
        QCOMPARE(shownAt(shot(), {150, 150}), QColor(0, 0, 200));
        m_canvas->setSource(pyramidOf(plainImage({400, 300}, 90, 0, 0)));
        QCOMPARE(shownAt(shot(), {150, 150}), QColor(90, 0, 0));
    }

    void pannedPictureIsTheSameAsADrawnOne() {
        ImageInfo info;
        info.hasAlpha = true;
        const Image image = makeImage<std::uint8_t>(
            PixelFormat::Rgba8, {900, 700},
            [](int x, int y, int c) { return hashSample(x, y, c, 6); }, info);
        const PyramidPtr pyramid = pyramidOf(image);
        m_canvas->setSource(pyramid);
        for (const double zoom : {0.37, 0.8, 1.0, 2.3}) {
            m_canvas->setZoom(zoom, {200, 150});
            for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Down, Qt::Key_Left,
                                      Qt::Key_Up, Qt::Key_Left, Qt::Key_Left, Qt::Key_Left}) {
                QTest::keyClick(m_canvas.get(), key);
                const QImage moved = shot();
                // The same pyramid under another address cannot be served from what was drawn.
                m_canvas->setSource(std::make_shared<const Pyramid>(*pyramid));
                QCOMPARE(shot(), moved);
            }
        }
    }

    void gridAboveEightHundredPercent() {
        m_canvas->setSource(pyramidOf(plainImage({150, 100}, 60, 60, 60)));
        m_canvas->setViewMode(ViewMode::Source);
        const auto lineCount = [&] {
            const QImage picture = shot("grid");
            int lines = 0;
            for (int x = 0; x < picture.width(); ++x)
                lines += picture.pixelColor(x, picture.height() / 2 + 3).red() == 20;
            return lines;
        };
        m_canvas->setZoom(8.0, {200, 150});
        QCOMPARE(lineCount(), 0);
        m_canvas->setZoom(12.0, {200, 150});
        QVERIFY(std::abs(lineCount() - 400 * m_canvas->devicePixelRatioF() / 12) <= 2);
    }

    // Around the middle greys, lines that were now darker and now lighter looked like a torn grid.
    void gridKeepsItsContrast() {
        m_canvas->setSource(
            pyramidOf(makeImage<std::uint8_t>(PixelFormat::Gray8, {60, 60}, [](int x, int y, int) {
                return std::uint8_t(100 + (x * 31 + y * 17) % 60);
            })));
        m_canvas->setViewMode(ViewMode::Source);
        m_canvas->setZoom(16.0, {200, 150});
        const QImage picture = shot("grid_middle");
        for (int x = 25; x < 36; ++x)
            for (int y = 25; y < 36; ++y) {
                const QPointF at =
                    m_canvas->widgetPosition(QPointF(x, y)) * m_canvas->devicePixelRatioF();
                const QColor cell = picture.pixelColor(int(at.x()) + 8, int(at.y()) + 8);
                const QColor edge = picture.pixelColor(int(std::lround(at.x())), int(at.y()) + 8);
                QCOMPARE(edge.red(), cell.red() - 40);
            }
    }

    void valuesInsidePixels() {
        m_canvas->resize(640, 480);
        m_canvas->setSource(pyramidOf(noisyImage({50, 50}, 12)));
        m_canvas->setViewMode(ViewMode::Source);
        m_canvas->setZoom(28.0, {320, 240});
        const auto coloursIn = [&](const QImage& picture, const QPoint& pixel) {
            const QPointF first = m_canvas->widgetPosition(pixel) * m_canvas->devicePixelRatioF();
            QSet<QRgb> colours;
            for (int y = 2; y < 26; ++y)
                for (int x = 2; x < 26; ++x)
                    colours.insert(picture.pixel(int(first.x()) + x, int(first.y()) + y));
            return colours.size();
        };
        QCOMPARE(coloursIn(shot(), {25, 25}), 1);
        m_canvas->setZoom(64.0, {320, 240});
        QVERIFY(coloursIn(shot("values_6400"), {25, 25}) > 5);
        m_canvas->setZoom(32.0, {320, 240});
        shot("values_3200");
        m_canvas->setSource(pyramidOf(makeImage<std::uint16_t>(
            PixelFormat::Gray16, {50, 50},
            [](int x, int y, int) { return std::uint16_t(x * 1300 + y * 7); },
            [] {
                ImageInfo info;
                info.whiteLevel = 65535;
                return info;
            }())));
        m_canvas->setZoom(40.0, {320, 240});
        shot("values_16");
    }

    // Many fine wheel steps end a little below 3,200%, which is what the status bar says then.
    void valuesFromThirtyTwoHundred() {
        m_canvas->resize(640, 480);
        m_canvas->setSource(pyramidOf(plainImage({50, 50}, 60, 60, 60)));
        m_canvas->setViewMode(ViewMode::Source);
        const auto inks = [&](double zoom) {
            m_canvas->setZoom(zoom, {320, 240});
            const QImage picture = shot();
            const QPointF first =
                m_canvas->widgetPosition({25, 25}) * m_canvas->devicePixelRatioF();
            QSet<QRgb> seen;
            for (int y = 2; y < 29; ++y)
                for (int x = 2; x < 29; ++x)
                    seen.insert(picture.pixel(int(first.x()) + x, int(first.y()) + y));
            return seen.size();
        };
        QCOMPARE(inks(31.9), 1);
        QVERIFY(inks(32.0 - 1e-9) > 3);
        QVERIFY(inks(32.0) > 3);
    }

    void framePaintedOncePerFrame() {
        QSignalSpy spy(m_canvas.get(), &Canvas::framePainted);
        m_canvas->setSource(pyramidOf(plainImage({40, 30}, 1, 2, 3)));
        shot();
        QCOMPARE(spy.count(), 0);
        m_canvas->setResult(pyramidOf(plainImage({40, 30}, 3, 2, 1)));
        shot();
        shot();
        QCOMPARE(spy.count(), 1);
        m_canvas->setDraft(draftOf(plainImage({40, 30}, 3, 2, 1), {0, 0, 40, 30}));
        QTRY_COMPARE(spy.count(), 2);
        // A frame that is not shown was not painted, nor is it when somebody looks later.
        QSignalSpy missed(m_canvas.get(), &Canvas::frameMissed);
        m_canvas->setViewMode(ViewMode::Source);
        m_canvas->setDraft(draftOf(plainImage({40, 30}, 3, 2, 1), {0, 0, 40, 30}));
        shot();
        QCOMPARE(spy.count(), 2);
        QCOMPARE(missed.count(), 1);
        m_canvas->setViewMode(ViewMode::Result);
        shot();
        QCOMPARE(spy.count(), 2);
        // No paint event comes to a hidden one.
        m_canvas->hide();
        m_canvas->setDraft(draftOf(plainImage({40, 30}, 3, 2, 1), {0, 0, 40, 30}));
        QCOMPARE(missed.count(), 2);
        m_canvas->show();
        shot();
        QCOMPARE(spy.count(), 2);
    }

    void focusFrame() {
        m_canvas->setSource(pyramidOf(plainImage({40, 30}, 1, 2, 3)));
        m_canvas->clearFocus();
        const QColor accent = Theme::instance().colors().accent;
        QVERIFY(shot().pixelColor(0, 0) != accent);
        m_canvas->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_canvas.get()));
        m_canvas->setFocus();
        QCOMPARE(shot().pixelColor(0, 0), accent);
    }

    void largePyramidPaints() {
        const PyramidPtr large = pyramidOf(
            makeImage<std::uint8_t>(PixelFormat::Rgba8, {20000, 5000}, [](int x, int y, int c) {
                return std::uint8_t(c == 3 ? 255 : (x * (c + 1) + y) / 64);
            }));
        m_canvas->resize(1920, 1080);
        m_canvas->setSource(large);
        m_canvas->setResult(large);
        shot();
        QElapsedTimer clock;
        const auto report = [&](const char* what, const std::function<void()>& change) {
            std::vector<double> ms;
            for (int i = 0; i < 9; ++i) {
                change();
                clock.start();
                m_canvas->grab();
                ms.push_back(double(clock.nsecsElapsed()) / 1e6);
            }
            std::sort(ms.begin(), ms.end());
            qInfo("20,000 x 5,000 on 1920 x 1080, %s: median %.1f ms, at worst %.1f ms", what,
                  ms[4], ms[8]);
        };
        report("fitted", [&] { m_canvas->setSource(std::make_shared<const Pyramid>(*large)); });
        m_canvas->setResult(large);
        report("zooming out", [&] { m_canvas->setZoom(m_canvas->zoom() * 1.05, {700, 500}); });
        report("panning", [&] { QTest::keyClick(m_canvas.get(), Qt::Key_Right); });
        m_canvas->setViewMode(ViewMode::SideBySide);
        report("side by side", [&] { m_canvas->setZoom(m_canvas->zoom() * 1.05, {700, 500}); });
        m_canvas->setViewMode(ViewMode::Result);
        double zoom = 32;
        report("values at 3,200%", [&] { m_canvas->setZoom(zoom += 0.01, {700, 500}); });
    }

    void lightTheme() {
        m_canvas->resize(640, 400);
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            Theme::instance().setChoice(choice);
            const QString name =
                choice == ThemeChoice::Light ? QStringLiteral("light") : QStringLiteral("dark");
            m_canvas->setSource(nullptr);
            keep(shot(), name + QStringLiteral("_empty"));
            m_canvas->setSource(pyramidOf(noisyImage({200, 150}, 3)));
            m_canvas->setResult(pyramidOf(plainImage({200, 150}, 90, 100, 110)));
            m_canvas->zoomToActual();
            m_canvas->setViewMode(ViewMode::Wipe);
            const QImage picture = shot();
            keep(picture, name + QStringLiteral("_wipe"));
            QCOMPARE(picture.pixelColor(picture.width() - 9, picture.height() / 2),
                     Theme::instance().colors().canvas);
            m_canvas->setViewMode(ViewMode::Result);
        }
    }

  private:
    QImage shot(const char* name = nullptr) {
        const QImage image = m_canvas->grab().toImage();
        if (name) keep(image, QString::fromLatin1(name));
        return image;
    }

    void keep(const QImage& image, const QString& name) const {
        const QString folder = qEnvironmentVariable("WARPSCOPE_SHOTS");
        if (!folder.isEmpty()) image.save(QDir(folder).filePath(name + QStringLiteral(".png")));
    }

    // Shown at the centre of an image pixel (first pane).
    QColor shownAt(const QImage& picture, const QPoint& pixel) const {
        const QPointF at = m_canvas->widgetPosition(QPointF(pixel) + QPointF(0.5, 0.5)) *
                           m_canvas->devicePixelRatioF();
        return picture.pixelColor(int(std::floor(at.x())), int(std::floor(at.y())));
    }

    std::unique_ptr<Canvas> m_canvas;
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::CanvasDrawingTest)
#include "canvas_drawing_test.moc"
