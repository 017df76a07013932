// The window's program. Options that need no display are answered before Qt looks for one.
#include <QApplication>
#include <QLocale>
#include <cstdio>
#include <memory>

#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/backend/backend_set.h"
#include "engine/backend/gpu_choice.h"
#include "gui/app/benchmark_controller.h"
#include "gui/app/command_line.h"
#include "gui/app/end_signals.h"
#include "gui/app/file_controller.h"
#include "gui/app/kept_steps.h"
#include "gui/app/languages.h"
#include "gui/app/main_window.h"
#include "gui/app/screenshot.h"
#include "gui/app/session_actions.h"
#include "gui/base/file_name.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/demos/demo_runner.h"
#include "gui/document/settings.h"
#include "gui/showcase/recordings.h"
#include "gui/showcase/showcase.h"
#include "gui/showcase/showcase_window.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

// Names of files are bytes, which need not be text in the person's encoding.
QStringList argumentsOf(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments << nameFromBytes(argv[i]);
    return arguments;
}

}  // namespace

int main(int argc, char** argv) {
    QCoreApplication::setApplicationName(QStringLiteral("warpscope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(WARPSCOPE_VERSION));
    const CommandLine early = parseCommandLine(argumentsOf(argc, argv));
    if (early.exitCode == 0) {
        std::fputs(early.message.toLocal8Bit().constData(), stdout);
        return 0;
    }

    const QApplication application(argc, argv);
    QApplication::setApplicationDisplayName(QStringLiteral("Warpscope"));
    QGuiApplication::setDesktopFileName(QStringLiteral("warpscope"));
    // Again: Qt has now taken its own options (-platform and the like) out.
    const CommandLine line = parseCommandLine(argumentsOf(argc, argv));
    if (line.exitCode) {
        std::fputs(line.message.toLocal8Bit().constData(), stderr);
        return *line.exitCode;
    }

    // A picture for the manual neither reads nor changes what the person's window remembers.
    Settings settings(line.screenshot.isEmpty() ? Settings::defaultPath() : QString());
    if (line.resetSettings) settings.clear();
    if (line.theme) settings.setTheme(*line.theme);
    // Pictures for the manual are in its language.
    if (line.language || !line.screenshot.isEmpty())
        settings.setLanguage(line.language.value_or(QStringLiteral("en")));
    installLanguage(languageFor(settings.language(), QLocale::system().uiLanguages()));

    if (line.gpu) settings.setGpu(*line.gpu);
    const auto gpu = std::make_shared<GpuChoice>(settings.gpu().toStdString());
    MainWindow window([gpu] { return makeBackends({gpu->name()}); }, settings, gpu);
    endOnSignals(window);
    if (line.size.isValid()) window.resize(line.size);
    window.show();
    if (line.pipeline.isEmpty() && line.demo.isEmpty()) window.keptSteps().restore();
    window.session().begin();
    if (line.benchmark) {
        window.benchmark().open(line.files);
        window.benchmark().window()->showPage(benchmarkPageFrom(line.benchmarkPage));
        if (line.size.isValid()) window.benchmark().window()->resize(line.size);
    } else if (!line.files.isEmpty()) {
        window.files().openFiles(line.files);
    }
    if (!line.second.isEmpty()) window.files().openSecond(line.second);
    if (line.sample && (line.benchmark || line.files.isEmpty())) window.bridge().openSampleScene();
    if (!line.pipeline.isEmpty()) window.files().openPipelineFrom(line.pipeline);
    for (const PublishedExperiment& experiment : publishedExperiments())
        if (line.demo == QString::fromStdString(experiment.id)) window.demos().start(experiment);
    if (!line.opponent.isEmpty())
        QObject::connect(&window.showcase(), &Showcase::opened, &window, [&window, &line] {
            if (auto recording = readRecording(line.opponent))
                window.showcase().shown()->setOpponent(
                    std::make_shared<const RecordedRun>(std::move(*recording)));
        });
    // A picture of it has the size that was asked for; a person gets the whole screen.
    if (line.sideBySide) window.showcase().open(*line.sideBySide, line.size);
    if (!line.screenshot.isEmpty()) {
        auto* screenshot = new Screenshot(window, line.screenshot, line.wipe);
        QObject::connect(screenshot, &Screenshot::done, &application,
                         [](int code) { QCoreApplication::exit(code); });
    }
    return QApplication::exec();
}
