// Frames a second while a slider is dragged, with histogram, scopes, read-outs and profile and
// without, as figures in the output; nothing here depends on them. WARPSCOPE_DRAG_SECONDS=5 drags
// that long on an image of 3840 x 2160, as for the figures of the documentation; by default it is a
// small image and a short drag.
#include <QDockWidget>
#include <QElapsedTimer>

#include "gui/widgets/value_slider.h"
#include "support/test_case.h"
#include "tests/gui/window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class SliderSpeedTest : public QObject {
    Q_OBJECT

    double m_seconds = 0.4;
    Size m_size{640, 480};

    // The image has the same size with them and without: an empty dock takes their place.
    static void showPanels(WindowFixture& f, QDockWidget& empty, bool shown) {
        auto* histogram = f.window.findChild<QDockWidget*>(QStringLiteral("histogramDock"));
        if (!shown) empty.setFixedWidth(histogram->width());
        empty.setVisible(!shown);
        for (const char* name : {"histogramDock", "inspectorDock", "scopesDock"})
            f.window.findChild<QDockWidget*>(QLatin1String(name))->setVisible(shown);
        f.window.actions().profileShown->setChecked(shown);
        f.window.canvas().setProfileLine(shown ? std::optional(QLineF(10, 20, 600, 400))
                                               : std::nullopt);
    }

    // Frames a second with a new draft or result, and the longest time between two.
    std::pair<double, double> drag(WindowFixture& f) {
        int frames = 0;
        double longest = 0;
        QElapsedTimer clock, since;
        const auto connection = connect(&f.window.canvas(), &Canvas::framePainted, this, [&] {
            ++frames;
            longest = std::max(longest, double(since.nsecsElapsed()) * 1e-6);
            since.start();
        });
        auto* slider = f.window.findChild<ValueSlider*>(QStringLiteral("sigma.slider"));
        const auto at = [&](int step) {
            const int room = slider->width() / 2, way = step % (2 * room);
            return QPoint(slider->width() / 4 + (way < room ? way : 2 * room - way),
                          slider->height() / 2);
        };
        QTest::mousePress(slider, Qt::LeftButton, {}, at(0));
        clock.start();
        since.start();
        // At least one, however slow the machine is.
        const auto goesOn = [&] {
            const qint64 ms = clock.elapsed();
            return ms < qint64(1000 * m_seconds) || (frames == 0 && ms < 60'000);
        };
        for (int step = 1; goesOn(); ++step) {
            QMouseEvent move(QEvent::MouseMove, at(step), slider->mapToGlobal(at(step)),
                             Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(slider, &move);
            // As often as a mouse reports.
            QTest::qWait(8);
        }
        const double fps = frames / (double(clock.nsecsElapsed()) * 1e-9);
        disconnect(connection);
        QTest::mouseRelease(slider, Qt::LeftButton, {}, at(0));
        return {fps, longest};
    }

  private slots:
    void initTestCase() {
        bool given = false;
        const int seconds = qEnvironmentVariableIntValue("WARPSCOPE_DRAG_SECONDS", &given);
        if (!given) return;
        m_seconds = seconds;
        m_size = {3840, 2160};
    }

    void withAndWithoutPanels() {
        WindowFixture f;
        f.window.resize(1600, 1000);
        QVERIFY(f.open(f.scene("a.png", m_size)));
        QVERIFY(f.addStep("gaussian_blur"));
        QDockWidget empty;
        f.window.addDockWidget(Qt::RightDockWidgetArea, &empty);
        // Turn and turn about: the machine may have other work for a while.
        for (int round = 0; round < 3; ++round)
            for (const bool panels : {false, true}) {
                showPanels(f, empty, panels);
                QTest::qWait(300);
                const auto [fps, longest] = drag(f);
                QVERIFY(fps > 0);
                qInfo("%s panels: %.1f frames a second, at most %.0f ms between two, image %d x %d",
                      panels ? "with" : "without", fps, longest, f.window.canvas().width(),
                      f.window.canvas().height());
                QTRY_VERIFY_WITH_TIMEOUT(f.bridge().resultIsCurrent(), 60000);
            }
    }
};

WARPSCOPE_TEST(SliderSpeedTest)
#include "slider_speed_test.moc"
