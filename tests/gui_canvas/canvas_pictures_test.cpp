// What is on the screen while pictures are drawn on a thread, and once they are there: compared
// with what grab() gives, which waits for them.
#include <QBackingStore>
#include <QPaintEvent>
#include <QtTest>
#include <random>

#include "gui/canvas/canvas.h"
#include "gui/widgets/theme.h"
#include "gui_canvas/pictures.h"
#include "support/random_seed.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

class CanvasPicturesTest : public QObject {
    Q_OBJECT

    // Device-independent area of the paint events that a widget got.
    struct PaintWatch : QObject {
        QRegion painted;
        bool eventFilter(QObject*, QEvent* event) override {
            if (event->type() == QEvent::Paint)
                painted += static_cast<QPaintEvent*>(event)->region();
            return false;
        }
    };

    std::unique_ptr<Canvas> m_canvas;

    static DraftReady draftOf(const Image& picture, const Rect& rect, std::uint64_t revision) {
        DraftReady draft;
        draft.revision = revision;
        draft.picture = picture;
        draft.rect = rect;
        draft.scale = double(picture.width()) / rect.width;
        return draft;
    }

    // What the window has given to the screen.
    QImage onScreen() const {
        const QPaintDevice* device = m_canvas->backingStore()->paintDevice();
        return static_cast<const QImage*>(device)->copy().convertToFormat(QImage::Format_RGB32);
    }
    QImage asItIs() const {
        return m_canvas->grab().toImage().convertToFormat(QImage::Format_RGB32);
    }
    void rest() {
        QTRY_VERIFY(m_canvas->picturesAreReady());
        // The paint that shows them.
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
    }

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void init() {
        m_canvas = std::make_unique<Canvas>();
        m_canvas->setAttribute(Qt::WA_ShowWithoutActivating);
        m_canvas->resize(400, 300);
        m_canvas->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
        m_canvas->clearFocus();
    }

    void restIsExact() {
        std::mt19937 random(freshSeed());
        const auto below = [&](int n) { return int(random() % unsigned(n)); };
        std::vector<PyramidPtr> images;
        for (int seed = 0; seed < 3; ++seed)
            images.push_back(pyramidOf(noisyImage({701, 503}, seed)));
        m_canvas->setSource(images[0]);
        m_canvas->setResult(images[1]);
        for (int round = 0; round < 60; ++round) {
            // Several changes before anybody looks, as of a hand that does not wait.
            for (int i = 0, n = 1 + below(4); i < n; ++i) {
                switch (below(8)) {
                    case 0:
                        m_canvas->setZoom(std::exp2(below(60) / 10.0 - 2), {200, 150});
                        break;
                    case 1:
                        m_canvas->fit();
                        break;
                    case 2:
                        m_canvas->setViewMode(ViewMode(below(5)));  // all but blinking
                        break;
                    case 3:
                        m_canvas->setResult(images[std::size_t(1 + below(2))]);
                        break;
                    case 4:
                        m_canvas->setDraft(draftOf(noisyImage({300, 200}, round),
                                                   {40, 30, 600, 400}, std::uint64_t(round)));
                        break;
                    case 5:
                        QTest::keyClick(m_canvas.get(), Qt::Key_Right);
                        break;
                    case 6:
                        QTest::keyClick(m_canvas.get(), Qt::Key_Up);
                        break;
                    case 7:
                        m_canvas->resize(300 + below(200), 250 + below(100));
                        break;
                }
                if (below(2) == 0) QCoreApplication::processEvents();
            }
            rest();
            const QImage shown = onScreen();
            QCOMPARE(shown, asItIs());
        }
    }

    // A picture that is moved or enlarged is not waited for: the last one stands in at its place.
    void lastPictureStandsIn() {
        m_canvas->setSource(pyramidOf(plainImage({400, 300}, 180, 30, 20)));
        m_canvas->setViewMode(ViewMode::Source);
        m_canvas->zoomToActual();
        rest();
        const QPoint middle(onScreen().width() / 2, onScreen().height() / 2);
        QCOMPARE(onScreen().pixelColor(middle), QColor(180, 30, 20));
        for (const double zoom : {2.0, 0.5, 0.75}) {
            m_canvas->setZoom(zoom, {200, 150});
            m_canvas->repaint();
            QCOMPARE(onScreen().pixelColor(middle), QColor(180, 30, 20));
        }
        rest();
        QCOMPARE(onScreen(), asItIs());
    }

    void draftIsDrawnElsewhere() {
        m_canvas->setSource(pyramidOf(plainImage({400, 300}, 180, 30, 20)));
        m_canvas->setResult(pyramidOf(plainImage({400, 300}, 20, 30, 180)));
        rest();
        QSignalSpy painted(m_canvas.get(), &Canvas::framePainted);
        m_canvas->setDraft(draftOf(plainImage({400, 300}, 20, 180, 30), {0, 0, 400, 300}, 7));
        QVERIFY(!m_canvas->picturesAreReady());
        m_canvas->repaint();  // shows what was there
        QCOMPARE(painted.count(), 0);
        QTRY_COMPARE(painted.count(), 1);
        QCOMPARE(painted[0][0].toULongLong(), 7u);
        QCOMPARE(onScreen(), asItIs());
        QCOMPARE(painted.count(), 1);
    }

    // Of many drafts the newest is shown, and each paint says which one it has shown.
    void latestDraftWins() {
        m_canvas->setSource(pyramidOf(plainImage({400, 300}, 180, 30, 20)));
        m_canvas->setResult(pyramidOf(plainImage({400, 300}, 20, 30, 180)));
        rest();
        QSignalSpy painted(m_canvas.get(), &Canvas::framePainted);
        for (int i = 1; i <= 40; ++i) {
            m_canvas->setDraft(draftOf(plainImage({400, 300}, std::uint8_t(5 * i), 180, 30),
                                       {0, 0, 400, 300}, std::uint64_t(i)));
            if (i % 5 == 0) QCoreApplication::processEvents();
        }
        QTRY_VERIFY(!painted.isEmpty() && painted.last()[0].toULongLong() == 40u);
        QCOMPARE(onScreen().pixelColor(onScreen().width() / 2, onScreen().height() / 2),
                 QColor(200, 180, 30));
        qulonglong before = 0;
        for (const QVariantList& frame : painted) {
            QVERIFY(frame[0].toULongLong() > before);
            before = frame[0].toULongLong();
        }
    }

    // Beside the image nothing changed, and nothing is painted.
    void onlyTheImageIsPainted() {
        m_canvas->setSource(pyramidOf(plainImage({400, 100}, 180, 30, 20)));
        m_canvas->setDraft(draftOf(plainImage({400, 100}, 20, 180, 30), {0, 0, 400, 100}, 1));
        rest();
        PaintWatch watch;
        m_canvas->installEventFilter(&watch);
        QSignalSpy painted(m_canvas.get(), &Canvas::framePainted);
        m_canvas->setDraft(draftOf(plainImage({400, 100}, 90, 180, 30), {0, 0, 400, 100}, 2));
        QTRY_COMPARE(painted.count(), 1);
        const QRect image(QPoint(0, 100), QSize(400, 100));
        QVERIFY(!watch.painted.isEmpty());
        QVERIFY2(image.adjusted(-1, -1, 1, 1).contains(watch.painted.boundingRect()),
                 qPrintable(QString::number(watch.painted.boundingRect().height())));
        QCOMPARE(onScreen(), asItIs());
    }

    // Large images are not kept by what has drawn them.
    void imagesAreLetGo() {
        PyramidPtr source = pyramidOf(plainImage({400, 300}, 180, 30, 20));
        PyramidPtr result = pyramidOf(plainImage({400, 300}, 20, 30, 180));
        const std::weak_ptr<const Pyramid> old = result;
        m_canvas->setSource(source);
        m_canvas->setResult(result);
        for (const ViewMode mode : {ViewMode::Difference, ViewMode::Wipe, ViewMode::Source}) {
            m_canvas->setViewMode(mode);
            rest();
        }
        result.reset();
        m_canvas->setResult(pyramidOf(plainImage({400, 300}, 20, 180, 30)));
        QTRY_VERIFY(old.expired());
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::CanvasPicturesTest)
#include "canvas_pictures_test.moc"
