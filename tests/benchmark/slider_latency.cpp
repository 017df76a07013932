// How the window feels: a slider is dragged over an image by real mouse events, posted 125 times a
// second from another thread, and stalls of the window and the time from input to paint are
// printed. Asserts nothing; --help says what can be chosen. With `--operation all` a table of all
// operations that have a slider.
#include <QApplication>
#include <QCommandLineParser>
#include <QEventLoop>
#include <QMouseEvent>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/base/clock.h"
#include "engine/image/synthetic.h"
#include "engine/operations/registry.h"
#include "gui/app/latency_meter.h"
#include "gui/app/main_window.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/document/settings.h"
#include "gui/widgets/value_slider.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

struct Options {
    double seconds = 6;
    Size size{3840, 2160};
    std::string format = "rgba8";
    std::string parameter;         // empty: the operation's first one with a slider
    std::optional<double> around;  // share of the slider's way; nothing: the default value
    bool gpu = false;
    bool untilRest = false;  // also what follows the release: result, figures and all timings
};

struct Figures {
    std::string parameter;
    std::vector<double> gaps, deliveries, latencies;
    std::vector<double> busy;  // of the gaps: processor time of the window's thread
    double framesPerSecond = 0;
    double windowCpuMs = 0;          // of the window's thread, during the drag
    std::vector<double> computed;    // drafts that came from no cache: how long they took
    std::vector<double> reductions;  // of the drafts: image pixels a draft's pixel is long
    int edits = 0;
    double fullMs = -1, histogramMs = -1;
    // From the release to an idle worker.
    std::vector<double> gapsToRest, busyToRest;
    double restMs = -1, windowCpuToRestMs = 0;
};

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

void postMoves(ValueSlider* slider, double fromX, double toX, double seconds, QEventLoop* moving) {
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
    QMetaObject::invokeMethod(moving, "quit", Qt::QueuedConnection);
}

// Of the calling thread.
double threadCpuMs() {
    timespec spent{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return double(spent.tv_sec) * 1e3 + double(spent.tv_nsec) * 1e-6;
}

// Samples of 16 bits and floats have the 8-bit ones' shares of white.
Result<Image> sceneOf(const Options& options) {
    const bool color = options.format.rfind("rgba", 0) == 0;
    auto scene = makeScene(options.size, color, 1, CpuContext{});
    if (!scene || options.format == "rgba8" || options.format == "gray8") return scene;
    const auto deepened = [&]<class T>(PixelFormat format, T white) -> Result<Image> {
        auto deep = MutableImage::create(format, options.size);
        if (!deep) return fail(deep.error());
        const auto from = scene->view<std::uint8_t>();
        const auto to = deep->view<T>();
        for (int y = 0; y < from.height; ++y)
            for (int i = 0; i < from.samplesPerRow(); ++i)
                to.row(y)[i] = T(double(white) * from.row(y)[i] / 255.0);
        ImageInfo info;
        if (std::is_integral_v<T>) info.whiteLevel = double(white);
        return std::move(*deep).freeze(std::move(info));
    };
    if (options.format == "rgba16") return deepened(PixelFormat::Rgba16, std::uint16_t(65535));
    if (options.format == "gray16") return deepened(PixelFormat::Gray16, std::uint16_t(65535));
    if (options.format == "rgbaf32") return deepened(PixelFormat::RgbaF32, 1.0f);
    if (options.format == "grayf32") return deepened(PixelFormat::GrayF32, 1.0f);
    return fail(ErrorCode::InvalidArgument, "formats: gray8 rgba8 gray16 rgba16 grayf32 rgbaf32");
}

ValueSlider* sliderOf(MainWindow& window, const Operation& operation, std::string& parameter) {
    for (const ParamSpec& spec : operation.description().parameters) {
        if (!parameter.empty() && spec.id != parameter) continue;
        auto* slider = window.findChild<ValueSlider*>(QString::fromStdString(spec.id) +
                                                      QStringLiteral(".slider"));
        if (!slider || !slider->isVisible()) continue;
        parameter = spec.id;
        return slider;
    }
    return nullptr;
}

bool waitForFigures(MainWindow& window) {
    EngineBridge& bridge = window.bridge();
    return QTest::qWaitFor(
        [&] { return bridge.resultIsCurrent() && bridge.histogramsAreCurrent(); }, 300'000);
}

// Nothing where the operation has no such slider, or cannot do with the image.
std::optional<Figures> measure(MainWindow& window, const Operation& operation,
                               const Options& options) {
    EngineBridge& bridge = window.bridge();
    while (!window.document().pipeline().steps.empty()) window.document().removeStep(0);
    const auto step = makeStep(operation.description().id);
    if (!step) return std::nullopt;
    window.document().insertStep(0, *step);
    if (operation.description().id == "gaussian_blur")
        window.document().setParameter(0, "sigma", 2.0, EditPhase::Single);
    if (!waitForFigures(window)) return std::nullopt;
    Figures figures;
    figures.parameter = options.parameter;
    ValueSlider* slider = sliderOf(window, operation, figures.parameter);
    auto* meter = window.findChild<LatencyMeter*>();
    if (!slider || !meter) return std::nullopt;
    // Let the timings of the idle worker end, so that the drag starts from rest.
    bridge.cancel();
    QTest::qWait(1000);

    DeliveryWatch deliveries;
    slider->installEventFilter(&deliveries);
    QObject context;
    bool held = false;
    QObject::connect(meter, &LatencyMeter::measured, &context,
                     [&](double ms) { figures.latencies.push_back(ms); });
    QObject::connect(&bridge, &EngineBridge::draftReady, &context, [&](const DraftReady& draft) {
        if (!held) return;
        figures.reductions.push_back(1 / draft.scale);
        const auto kept = [](const StepReport& report) { return report.fromCache; };
        if (!std::ranges::all_of(draft.steps, kept)) figures.computed.push_back(draft.ms);
    });
    QObject::connect(&window.document(), &Document::pipelineChanged, &context, [&] {
        if (held) ++figures.edits;
    });
    Stopwatch sinceBeat;
    double cpuAtBeat = 0;
    QTimer heart;
    heart.setTimerType(Qt::PreciseTimer);
    QObject::connect(&heart, &QTimer::timeout, &context, [&] {
        figures.gaps.push_back(sinceBeat.elapsedMs());
        sinceBeat.restart();
        const double cpu = threadCpuMs();
        figures.busy.push_back(cpu - std::exchange(cpuAtBeat, cpu));
    });

    // A quarter of its way, around the value that is there.
    const double way = slider->width() / 8.0;
    const double wanted =
        options.around ? *options.around * slider->width() : slider->xOf(slider->value());
    const double middle = std::clamp(wanted, way + 8, slider->width() - way - 8);
    const QPoint rest(int(middle), slider->height() / 2);
    QTest::mousePress(slider, Qt::LeftButton, {}, rest);
    held = true;
    heart.start(1);
    sinceBeat.restart();
    cpuAtBeat = threadCpuMs();
    // The loop that the program itself has: QTest's waiting sleeps 10 ms between two looks at what
    // there is to do.
    QEventLoop moving;
    std::thread poster(postMoves, slider, middle - way, middle + way, options.seconds, &moving);
    const double cpuBefore = threadCpuMs();
    moving.exec();
    figures.windowCpuMs = threadCpuMs() - cpuBefore;
    poster.join();
    held = false;
    const std::vector<double> gaps = std::exchange(figures.gaps, {});
    const std::vector<double> busy = std::exchange(figures.busy, {});
    figures.framesPerSecond = double(figures.latencies.size()) / options.seconds;
    figures.deliveries = deliveries.delaysMs;

    const Stopwatch released;
    const double cpuAtRelease = threadCpuMs();
    QTest::mouseRelease(slider, Qt::LeftButton, {}, rest);
    QEventLoop resting;
    QTimer::singleShot(300'000, &resting, &QEventLoop::quit);
    QObject::connect(&bridge, &EngineBridge::fullReady, &context, [&] {
        if (figures.fullMs < 0) figures.fullMs = released.elapsedMs();
    });
    QObject::connect(&bridge, &EngineBridge::histogramsReady, &context, [&] {
        if (figures.histogramMs < 0) figures.histogramMs = released.elapsedMs();
        if (!options.untilRest) resting.quit();
    });
    QObject::connect(&bridge, &EngineBridge::busyChanged, &context, [&](bool working) {
        if (working) return;
        figures.restMs = released.elapsedMs();
        resting.quit();
    });
    resting.exec();
    figures.windowCpuToRestMs = threadCpuMs() - cpuAtRelease;
    figures.gapsToRest = std::exchange(figures.gaps, gaps);
    figures.busyToRest = std::exchange(figures.busy, busy);
    return figures;
}

void printOne(const Figures& figures) {
    print("window's event loop, gap", figures.gaps);
    print("  of it, the thread's own work", figures.busy);
    print("mouse move, posted to delivered", figures.deliveries);
    print("edit to paint", figures.latencies);
    print("draft, computed", figures.computed);
    print("draft's pixels, in image pixels", figures.reductions);
    std::printf("frames painted a second            %.1f, of %d edits in all\n",
                figures.framesPerSecond, figures.edits);
    const double frames = double(std::max<std::size_t>(figures.latencies.size(), 1));
    std::printf("window's thread, processor time     %.2f ms a frame\n",
                figures.windowCpuMs / frames);
    std::printf("after release: full result %.0f ms, histogram %.0f ms, all timings %.0f ms\n",
                figures.fullMs, figures.histogramMs, figures.restMs);
    print("until then, gap", figures.gapsToRest);
    print("  of it, the thread's own work", figures.busyToRest);
    std::printf("window's thread, processor time     %.0f ms until then\n",
                figures.windowCpuToRestMs);
}

void printRow(const std::string& operation, const Figures& figures) {
    // A parameter of few values is seldom another one: it can have no more frames than edits.
    std::printf(
        "| %-23s | %-17s | %6.1f | %5d | %4.0f | %6zu | %5.1f | %5.1f | %8.1f | %8.1f "
        "| %7.1f | %7.1f |\n",
        operation.c_str(), figures.parameter.c_str(), figures.framesPerSecond, figures.edits,
        percentile(figures.reductions, 0.5), figures.computed.size(),
        percentile(figures.computed, 0.5), percentile(figures.computed, 0.95),
        percentile(figures.latencies, 0.5), percentile(figures.latencies, 0.95),
        percentile(figures.gaps, 0.95), figures.fullMs);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    const auto option = [&](const char* name, const char* what, const char* value) {
        const QCommandLineOption made(QString::fromLatin1(name), QString::fromLatin1(what),
                                      QString::fromLatin1(name), QString::fromLatin1(value));
        parser.addOption(made);
        return made;
    };
    const auto operation = option(
        "operation", "id of an operation, several with commas between, or all", "gaussian_blur");
    const auto parameter =
        option("parameter",
               "whose slider is dragged, or each with all operations; else the first one", "");
    const auto around =
        option("around", "the middle of the drag, 0 to 1 of the slider; else the default", "");
    const auto backend = option("backend", "cpu or gpu", "cpu");
    const auto size = option("size", "of the image", "3840x2160");
    const auto format =
        option("format", "gray8, rgba8, gray16, rgba16, grayf32 or rgbaf32", "rgba8");
    const auto seconds = option("seconds", "that each drag lasts", "6");
    parser.process(application);
    Options options;
    options.seconds = parser.value(seconds).toDouble();
    options.format = parser.value(format).toStdString();
    options.parameter = parser.value(parameter).toStdString();
    if (const QString share = parser.value(around); !share.isEmpty())
        options.around = share.toDouble();
    options.gpu = parser.value(backend) == QLatin1String("gpu");
    const QByteArray sides = parser.value(size).toLatin1();
    if (std::sscanf(sides.constData(), "%dx%d", &options.size.width, &options.size.height) != 2)
        return 2;

    Settings settings{QString()};
    const auto backends = [gpu = options.gpu] {
        return gpu ? makeBackends() : BackendSet::cpuOnly("the benchmark looks at the CPU");
    };
    MainWindow window(backends, settings);
    window.resize(1600, 1000);
    window.show();
    auto scene = sceneOf(options);
    if (!scene) {
        std::fprintf(stderr, "%s\n", scene.error().message.c_str());
        return 2;
    }
    window.bridge().openImage(std::move(*scene), "scene");
    if (!QTest::qWaitFor([&] { return window.document().source() != nullptr; }, 60'000)) return 1;
    std::printf("%d x %d %s on the %s, window 1600 x 1000, %d threads, each dragged for %.0f s\n",
                options.size.width, options.size.height, options.format.c_str(),
                options.gpu ? "GPU" : "CPU", CpuContext{}.threadCount(), options.seconds);
    const QStringList chosen = parser.value(operation).split(QLatin1Char(','));
    const bool all = chosen == QStringList{QStringLiteral("all")};
    if (chosen.size() == 1 && !all) {
        options.untilRest = true;
        const Operation* wanted = findOperation(parser.value(operation).toStdString());
        const auto figures = wanted ? measure(window, *wanted, options) : std::nullopt;
        if (!figures) {
            std::fprintf(stderr, "no such operation, or no such slider for this image\n");
            return 1;
        }
        printOne(*figures);
        return 0;
    }
    std::printf(
        "| operation               | parameter         | frames | edits | 1/   | drafts |   p50 |  "
        " "
        "p95 | edit p50 | edit p95 | gap p95 | full ms |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const Operation* each : allOperations()) {
        if (!all && !chosen.contains(QString::fromStdString(each->description().id))) continue;
        std::vector<std::string> parameters{options.parameter};
        if (options.parameter == "each") {
            parameters.clear();
            for (const ParamSpec& spec : each->description().parameters)
                parameters.push_back(spec.id);
        }
        Options of = options;
        for (const std::string& name : parameters) {
            of.parameter = name;
            if (const auto figures = measure(window, *each, of))
                printRow(each->description().id, *figures);
        }
    }
    return 0;
}
