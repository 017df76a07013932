#include "gui/app/benchmark_controller.h"

#include <utility>

#include "gui/app/actions.h"
#include "gui/app/main_window.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/demos/demo_menu.h"
#include "gui/demos/demo_panel.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/widgets/message_bar.h"

namespace warpscope::gui {

BenchmarkController::BenchmarkController(MainWindow& window, Settings& settings,
                                         BenchmarkThread::BackendFactory factory)
    : m_window(window), m_settings(settings), m_factory(std::move(factory)) {
    connect(window.actions().benchmark, &QAction::triggered, this, [this] { open(); });
}

BenchmarkController::~BenchmarkController() = default;

void BenchmarkController::open(const QStringList& files) {
    if (!m_benchmark) make();
    m_benchmark->show();
    m_benchmark->raise();
    m_benchmark->activateWindow();
    m_benchmark->openFiles(files);
}

void BenchmarkController::close() {
    if (m_benchmark) m_benchmark->close();
}

void BenchmarkController::make() {
    m_benchmark = std::make_unique<BenchmarkWindow>(m_factory, m_settings);
    // Without a parent, or window managers would keep it above the main window, where differences
    // are shown.
    m_benchmark->setWindowIcon(m_window.windowIcon());
    const auto showImage = [this] {
        const Document& document = m_window.document();
        m_benchmark->setImage(document.image(), document.title(), document.filePath());
    };
    const auto showBackends = [this] {
        if (const auto& backends = m_window.bridge().backends())
            m_benchmark->setBackends(*backends);
    };
    connect(&m_window.document(), &Document::sourceChanged, m_benchmark.get(), showImage);
    connect(&m_window.bridge(), &EngineBridge::backendsReady, m_benchmark.get(), showBackends);
    connect(m_benchmark.get(), &BenchmarkWindow::runningChanged, this,
            &BenchmarkController::onRunning);
    connect(m_benchmark.get(), &BenchmarkWindow::differenceReady, this,
            [this](const Image& other, const Image& reference, const QString& labelOther,
                   const QString& labelReference) {
                m_window.canvas().showDifference(other, reference, labelOther, labelReference);
                if (m_window.isMinimized()) m_window.showNormal();
                m_window.raise();
                m_window.activateWindow();
            });
    showImage();
    showBackends();
}

// Two things that compute at the same time would time each other.
void BenchmarkController::onRunning(bool running) {
    const Actions& actions = m_window.actions();
    if (running)
        m_message =
            m_benchmark->comparing()
                ? tr("The benchmark window computes a difference. Until it is done no filter runs "
                     "here and no image is opened.")
                : tr("The benchmark window measures. Until it is done no filter runs here and no "
                     "image is opened, so that nothing disturbs its figures.");
    if (running) {
        m_wasPaused = actions.pause->isChecked();
        actions.pause->setChecked(true);
        m_window.messages().show(
            {MessageBar::Level::Warning, m_message, {}, tr("Show benchmark"), [this] { open(); }});
    } else {
        m_window.messages().withdraw(m_message);
    }
    m_window.bridge().setHeld(running ? m_message : QString());
    for (QAction* action : {actions.pause, actions.measureTimings, actions.sideBySideDemo})
        action->setEnabled(!running);
    if (auto* demos = m_window.findChild<DemoMenu*>(QStringLiteral("demoMenu")))
        demos->setEnabled(!running);
    if (auto* panel = m_window.findChild<DemoPanel*>()) panel->setEnabled(!running);
    if (running) return;
    actions.measureTimings->setEnabled(!m_window.document().image().isNull());
    actions.pause->setChecked(m_wasPaused);
}

}  // namespace warpscope::gui
