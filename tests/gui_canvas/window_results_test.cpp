// Steps that cut off or turn, in the real window: panes, read-outs, regions and drafts.
#include <QLabel>
#include <QSignalSpy>

#include "gui/display/result_place.h"
#include "gui/inspector/pinned_list.h"
#include "gui/inspector/pixel_readout.h"
#include "gui/window_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

class WindowResultsTest : public QObject {
    Q_OBJECT

    struct Shown : WindowFixture {
        explicit Shown(const char* chain, Size size = {640, 480}) {
            steps = QString::fromLatin1(chain);
            if (!open(scene("picture.png", size))) qFatal("not opened");
            Pipeline pipeline;
            for (const QString& step : steps.split(QLatin1Char(' ')))
                pipeline.steps.push_back(parseStep(step.toStdString()).value());
            document().replacePipeline(pipeline, QStringLiteral("test"));
            if (!waitedFor([&] { return bridge().resultIsCurrent(); })) qFatal("no result");
        }
        QString steps;

        Canvas& canvas() { return window.canvas(); }
        Image result() { return bridge().result()->levels.front(); }
        void move(const QPointF& to, Qt::MouseButtons held = {}, Qt::KeyboardModifiers keys = {}) {
            QMouseEvent event(QEvent::MouseMove, to, canvas().mapToGlobal(to), Qt::NoButton, held,
                              keys);
            QApplication::sendEvent(&canvas(), &event);
        }
        void drag(const QPointF& from, const QPointF& to, Qt::KeyboardModifiers keys = {}) {
            QTest::mousePress(&canvas(), Qt::LeftButton, keys, from.toPoint());
            move((from + to) / 2, Qt::LeftButton, keys);
            move(to, Qt::LeftButton, keys);
            QTest::mouseRelease(&canvas(), Qt::LeftButton, keys, to.toPoint());
        }
        QPointF inSource(int x, int y) { return canvas().widgetPosition({x + 0.5, y + 0.5}); }
        QPointF inResult(int x, int y) {
            return canvas().widgetPositionInResult({x + 0.5, y + 0.5});
        }
        bool says(const QString& part) {
            for (const QLabel* label : window.findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(part)) return true;
            return false;
        }
        void keep(const char* name) {
            const QString shots = qEnvironmentVariable("WARPSCOPE_SHOTS");
            if (!shots.isEmpty()) window.grab().save(QDir(shots).filePath(QLatin1String(name)));
        }
        bool counted() {
            return waitedFor([&] { return bridge().histogramsAreCurrent(); });
        }
    };

    static void chains() {
        QTest::addColumn<QByteArray>("chain");
        const QByteArray crop = "crop:x=101,y=53,width=301,height=203";
        QTest::newRow("crop") << crop;
        for (const char* how : {"rotate_90", "rotate_180", "rotate_270", "flip_horizontal",
                                "flip_vertical", "transpose", "transverse"}) {
            const QByteArray turn = QByteArray("flip_rotate:operation=") + how;
            QTest::newRow(how) << turn;
            QTest::addRow("crop %s", how) << crop + " " + turn;
        }
    }

  private slots:
    void readOutInBoth_data() { chains(); }
    void readOutInBoth() {
        QFETCH(QByteArray, chain);
        Shown f(chain.constData());
        f.canvas().setViewMode(ViewMode::SideBySide);
        f.canvas().setZoom(2.0, f.inSource(251, 154));
        const auto readouts = f.window.findChildren<PixelReadout*>();
        QCOMPARE(readouts.size(), 2);
        const auto text = [](const Image& image, const QPoint& pixel) {
            const std::uint8_t* p =
                image.view<std::uint8_t>().row(pixel.y()) + std::ptrdiff_t(pixel.x()) * 4;
            return QStringLiteral("R %1 ").arg(p[0]);
        };
        for (const bool overResult : {false, true}) {
            const QPoint pixel = overResult ? QPoint(260, 160) : QPoint(240, 150);
            f.move(overResult ? f.inResult(pixel.x(), pixel.y())
                              : f.inSource(pixel.x(), pixel.y()));
            const PixelPair pair =
                pairOfSource(pixel, f.canvas().resultPlace(), f.document().image().size());
            const auto at = [](const char* side, const QPoint& p) {
                return QStringLiteral("%1 x %2   y %3")
                    .arg(QLatin1String(side))
                    .arg(p.x())
                    .arg(p.y());
            };
            QVERIFY(f.says(at("source", pixel)));
            QVERIFY(f.says(at("result", pair.result)));
            QVERIFY(readouts[0]->text().startsWith(text(f.document().image(), pixel)));
            QVERIFY(readouts[1]->text().startsWith(text(f.result(), pair.result)));
            // Nothing computes: a turned pixel is the pixel.
            QCOMPARE(readouts[0]->text(), readouts[1]->text());
        }
        f.canvas().setRegion(Rect{200, 120, 80, 60});
        f.keep(qPrintable(
            QStringLiteral("window_%1.png").arg(QLatin1String(QTest::currentDataTag()))));
    }

    void besideACropItSaysSo() {
        // At more than 200%: the middle of a pixel is that pixel, however the mouse is rounded.
        Shown f("crop:x=50,y=50,width=60,height=45", {150, 120});
        f.canvas().setViewMode(ViewMode::SideBySide);
        QVERIFY(std::abs(f.inSource(1, 0).x() - f.inSource(0, 0).x()) >= 2);
        f.move(f.inSource(25, 30));
        QVERIFY(f.says(QStringLiteral("source x 25   y 30\noutside the result")));
        f.keep("window_crop_outside.png");
        // Pins are the source's pixels; the result has one where it has the pixel.
        QTest::mouseClick(&f.canvas(), Qt::LeftButton, {}, f.inSource(25, 30).toPoint());
        auto* pins = f.window.findChild<PinnedList*>();
        QTRY_COMPARE(pins->pixels().size(), std::size_t(1));
        QTest::mouseClick(&f.canvas(), Qt::LeftButton, {}, f.inResult(75, 75).toPoint());
        QTRY_COMPARE(pins->pixels().size(), std::size_t(2));
        QCOMPARE(pins->pixels()[1], QPoint(75, 75));
        QCOMPARE(pins->topLevelItem(0)->text(3), QStringLiteral("–"));
        QCOMPARE(pins->topLevelItem(1)->text(3), pins->topLevelItem(1)->text(2));
    }

    void figuresAreOfTheRegionInTheResult() {
        Shown f("crop:x=200,y=150,width=120,height=90");
        f.canvas().setViewMode(ViewMode::SideBySide);
        f.drag(f.inResult(210, 160), f.inResult(249, 179), Qt::ShiftModifier);
        QVERIFY(f.document().region().has_value());
        const Rect region = *f.document().region();
        QVERIFY(std::abs(region.x - 210) <= 1 && std::abs(region.width - 40) <= 2);
        QVERIFY(f.counted());
        const auto& ready = f.bridge().histograms();
        QCOMPARE(ready->result.size, region.size());
        QCOMPARE(ready->result.find(HistogramChannel::Luma)->bins,
                 ready->source.find(HistogramChannel::Luma)->bins);
        f.keep("window_crop_region.png");
        // Half of it inside.
        f.document().setRegion(Rect{180, 160, 40, 20});
        QVERIFY(f.counted());
        QCOMPARE(f.bridge().histograms()->result.size, (Size{20, 20}));
        // None of it.
        f.document().setRegion(Rect{10, 20, 40, 20});
        QVERIFY(f.counted());
        QVERIFY(ready->regionOutside && ready->result.channels.empty());
        QCOMPARE(ready->source.size, (Size{40, 20}));
        QTRY_VERIFY(f.says(QStringLiteral("; the region lies outside the result")));
        QTRY_VERIFY(f.says(QStringLiteral("The region lies outside the result")));
        // Timings are of all the step is given: it keeps nothing of the region.
        QTRY_VERIFY(f.bridge().timingsComplete());
        QVERIFY(f.bridge().timingsProblem().isEmpty() && !f.window.messages().isVisible());
        f.keep("window_crop_region_outside.png");
        f.document().setRegion(std::nullopt);
        QVERIFY(f.counted());
        QCOMPARE(f.bridge().histograms()->result.size, (Size{120, 90}));
    }

    // At 100% a draft of what is seen has the samples that the result has there.
    void draftsAreTheResult_data() { chains(); }
    void draftsAreTheResult() {
        QFETCH(QByteArray, chain);
        Shown f(QByteArray(chain + " gaussian_blur:sigma=1.5").constData(), {1600, 1200});
        for (const ViewMode mode : {ViewMode::Result, ViewMode::SideBySide, ViewMode::Wipe}) {
            f.canvas().setViewMode(mode);
            f.canvas().setZoom(6.0, f.canvas().rect().center());
            std::optional<DraftReady> draft;
            const auto link = connect(&f.bridge(), &EngineBridge::draftReady, this,
                                      [&](const DraftReady& ready) { draft = ready; });
            const int last = int(f.document().pipeline().steps.size()) - 1;
            f.document().beginInteraction();
            f.document().setParameter(last, "sigma", 2.0 + int(mode), EditPhase::Drag);
            QTRY_VERIFY(draft.has_value());
            disconnect(link);
            f.document().endInteraction();
            QTRY_VERIFY(f.bridge().resultIsCurrent());
            QVERIFY(draft->exact);
            const Image result = f.result();
            QCOMPARE(draft->place.size, result.size());
            QVERIFY(draft->rect.width < result.width() || draft->rect.height < result.height());
            const Image part = result.crop(draft->rect);
            QCOMPARE(draft->picture.size(), part.size());
            for (int y = 0; y < part.height(); ++y)
                QVERIFY(std::memcmp(draft->picture.rowBytes(y), part.rowBytes(y),
                                    std::size_t(part.width()) * 4) == 0);
        }
    }

    void aDraggedEdgeMovesNothing() {
        Shown f("crop:x=100,y=100,width=400,height=300");
        f.canvas().setViewMode(ViewMode::Result);
        f.canvas().setZoom(3.0, f.canvas().rect().center());
        const QPointF at = f.canvas().rect().center();
        const QPointF before = f.canvas().imagePosition(at);
        const auto color = [&] {
            return f.canvas().grab().toImage().pixelColor(
                (at * f.canvas().devicePixelRatioF()).toPoint());
        };
        const QColor seen = color();
        f.document().beginInteraction();
        for (const int left : {110, 127, 90}) {
            f.document().setParameter(0, "x", std::int64_t(left), EditPhase::Drag);
            // Until the draft is there nothing moves, and then what is seen does not either.
            QVERIFY(QLineF(f.canvas().imagePosition(at), before).length() < 0.5);
            QTRY_COMPARE(f.canvas().resultPlace().sourceFromResult.dx, double(left));
            QVERIFY(QLineF(f.canvas().imagePosition(at), before).length() < 0.5);
            QCOMPARE(color(), seen);
        }
        f.document().endInteraction();
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QCOMPARE(color(), seen);
        f.document().undoStack().undo();
        QTRY_COMPARE(f.canvas().resultPlace().sourceFromResult.dx, 100.0);
        QCOMPARE(color(), seen);
    }

    void viewsOfACrop() {
        Shown f("crop:x=200,y=150,width=240,height=180 invert");
        for (const auto& [mode, name] :
             {std::pair{ViewMode::Result, "window_crop_result.png"},
              std::pair{ViewMode::Wipe, "window_crop_wipe.png"},
              std::pair{ViewMode::Difference, "window_crop_difference.png"}}) {
            f.canvas().setViewMode(mode);
            f.canvas().fit();
            QTest::qWait(100);
            f.keep(name);
        }
        f.canvas().setViewMode(ViewMode::Result);
        // Fitted it is the crop that fills the view.
        const double dpr = f.canvas().devicePixelRatioF();
        QCOMPARE(f.canvas().zoom(),
                 std::min(f.canvas().width() * dpr / 240, f.canvas().height() * dpr / 180));
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::WindowResultsTest)
#include "window_results_test.moc"
