// How the window feels: a slider of gaussian_blur is dragged over a 4K image by real mouse events,
// posted 125 times a second from another thread, and stalls of the window and the time from input
// to paint are printed. Asserts nothing. Options: [SECONDS] [WIDTHxHEIGHT].
#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "engine/base/clock.h"
#include "engine/image/synthetic.h"
#include "gui/app/latency_meter.h"
#include "gui/app/main_window.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/document/settings.h"
#include "gui/widgets/value_slider.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

double percentile(std::vector<double> values, double p) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[std::size_t(p * double(values.size() - 1) + 0.5)];
}

void print(const char* what, const std::vector<double>& ms) {
    std::printf("%-34s n %5zu   median %7.1f ms   p95 %7.1f ms   largest %7.1f ms\n", what,
                ms.size(), percentile(ms, 0.5), percentile(ms, 0.95), percentile(ms, 1.0));
}

// Time from the posting of a mouse move to its delivery: what a stalled window adds before anything
// is stamped.
class DeliveryWatch : public QObject {
  public:
    std::vector<double> delaysMs;

  protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::MouseMove) {
            const double now = double(steadyClock().nowNs()) * 1e-6;
            delaysMs.push_back(now - double(static_cast<QMouseEvent*>(event)->timestamp()) * 1e-3);
        }
        return false;
    }
};

void postMoves(ValueSlider* slider, double fromX, double toX, double seconds,
               std::atomic<bool>& done) {
    const double y = slider->height() / 2.0;
    const QPoint origin = slider->mapToGlobal(QPoint(0, 0));
    const Stopwatch watch;
    for (int tick = 0; watch.elapsedMs() < seconds * 1000; ++tick) {
        // To and fro, 1.5 s each way.
        const double phase = std::abs(std::fmod(watch.elapsedMs() / 1500.0, 2.0) - 1.0);
        const QPointF at(fromX + (toX - fromX) * phase, y);
        auto* move = new QMouseEvent(QEvent::MouseMove, at, at + origin, Qt::NoButton,
                                     Qt::LeftButton, Qt::NoModifier);
        move->setTimestamp(
            quint64(steadyClock().nowNs() / 1000));  // microseconds, for the watch above
        QCoreApplication::postEvent(slider, move);
        std::this_thread::sleep_for(std::chrono::milliseconds(8));
    }
    done = true;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const double seconds = argc > 1 ? std::atof(argv[1]) : 6.0;
    Size size{3840, 2160};
    if (argc > 2) std::sscanf(argv[2], "%dx%d", &size.width, &size.height);

    Settings settings{QString()};
    MainWindow window([] { return BackendSet::cpuOnly("the benchmark looks at the CPU"); },
                      settings);
    window.resize(1600, 1000);
    window.show();
    EngineBridge& bridge = window.bridge();
    bridge.openImage(makeScene(size, true, 1, CpuContext{}).value(), "scene");
    if (!QTest::qWaitFor([&] { return window.document().source() != nullptr; }, 60'000)) return 1;
    window.document().insertStep(0, makeStep("gaussian_blur").value());
    window.document().setParameter(0, "sigma", 2.0, EditPhase::Single);
    if (!QTest::qWaitFor([&] { return bridge.resultIsCurrent() && bridge.histograms(); }, 60'000))
        return 1;

    ValueSlider* slider = nullptr;
    for (ValueSlider* candidate : window.findChildren<ValueSlider*>())
        if (candidate->isVisible() && candidate->accessibleName().contains("igma"))
            slider = candidate;
    auto* meter = window.findChild<LatencyMeter*>();
    if (!slider || !meter) {
        std::fprintf(stderr, "no slider of sigma, or no latency meter\n");
        return 1;
    }
    // Let the timings of the idle worker end, so that the drag starts from rest.
    QTest::qWait(3000);

    DeliveryWatch deliveries;
    slider->installEventFilter(&deliveries);
    std::vector<double> latencies, gaps;
    QObject::connect(meter, &LatencyMeter::measured, [&](double ms) { latencies.push_back(ms); });
    Stopwatch sinceBeat;
    QTimer heart;
    heart.setTimerType(Qt::PreciseTimer);
    QObject::connect(&heart, &QTimer::timeout, [&] {
        gaps.push_back(sinceBeat.elapsedMs());
        sinceBeat.restart();
    });

    const double from = slider->xOf(1.7), to = slider->xOf(2.4);
    QTest::mousePress(slider, Qt::LeftButton, {},
                      QPoint(int(slider->xOf(2.0)), slider->height() / 2));
    heart.start(1);
    sinceBeat.restart();
    std::atomic<bool> done{false};
    std::thread poster(postMoves, slider, from, to, seconds, std::ref(done));
    if (!QTest::qWaitFor([&] { return done.load(); }, int(seconds * 1000) + 20'000)) return 1;
    poster.join();
    heart.stop();

    const Stopwatch released;
    QTest::mouseRelease(slider, Qt::LeftButton, {},
                        QPoint(int(slider->xOf(2.0)), slider->height() / 2));
    double fullMs = -1, histogramMs = -1;
    QObject::connect(&bridge, &EngineBridge::fullReady, [&] {
        if (fullMs < 0) fullMs = released.elapsedMs();
    });
    QObject::connect(&bridge, &EngineBridge::histogramsReady, [&] {
        if (histogramMs < 0) histogramMs = released.elapsedMs();
    });
    if (!QTest::qWaitFor([&] { return histogramMs >= 0; }, 30'000)) return 1;

    std::printf(
        "gaussian_blur sigma about 2 on %d x %d colour, window 1600 x 1000, %d threads, dragged "
        "for %.0f s\n",
        size.width, size.height, CpuContext{}.threadCount(), seconds);
    print("window's event loop, gap", gaps);
    print("mouse move, posted to delivered", deliveries.delaysMs);
    print("edit to paint", latencies);
    std::printf("frames painted a second            %.1f\n", double(latencies.size()) / seconds);
    std::printf("after release: full result %.0f ms, histogram %.0f ms\n", fullMs, histogramMs);
    return 0;
}
