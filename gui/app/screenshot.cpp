#include "gui/app/screenshot.h"

#include <QPixmap>
#include <QTextStream>
#include <QTimer>

#include "gui/app/actions.h"
#include "gui/app/benchmark_controller.h"
#include "gui/app/main_window.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/showcase/showcase.h"
#include "gui/showcase/showcase_window.h"
#include "gui/widgets/message_bar.h"

namespace warpscope::gui {
namespace {

constexpr int kLookMs = 50;
constexpr int kQuietLooks = 6;  // nothing to do for this long: layouts and paints are through
constexpr int kMaxLooks = 120 * 1000 / kLookMs;

}  // namespace

Screenshot::Screenshot(MainWindow& window, const QString& file, bool wipe)
    : QObject(&window), m_window(window), m_file(file), m_wipe(wipe) {
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, &Screenshot::look);
    timer->start(kLookMs);
}

void Screenshot::look() {
    EngineBridge& bridge = m_window.bridge();
    const bool image = m_window.document().source() != nullptr;
    // Without an image there is nothing to compare.
    if (image && std::exchange(m_wipe, false)) {
        m_window.actions().viewWipe->trigger();
        m_quietLooks = 0;
        return;
    }
    const Showcase& showcase = m_window.showcase();
    const BenchmarkWindow* benchmark = m_window.benchmark().window();
    const bool working =
        (benchmark && benchmark->busy()) || showcase.waiting() ||
        (showcase.shown() ? !showcase.shown()->content().settled
                          : bridge.opening() || bridge.openingSecond() || bridge.busy() ||
                                (image && !bridge.resultIsCurrent()));
    m_quietLooks = working ? 0 : m_quietLooks + 1;
    if (m_quietLooks == kQuietLooks || ++m_looks == kMaxLooks) {
        findChild<QTimer*>()->stop();
        grab();
    }
}

void Screenshot::grab() {
    QTextStream errors(stderr);
    QWidget* shown = m_window.showcase().shown();
    if (!shown) shown = m_window.benchmark().window();
    if (m_looks >= kMaxLooks) {
        errors << "warpscope: the work did not end in time\n";
        emit done(1);
    } else if (!(shown ? shown->grab() : m_window.grab()).save(m_file)) {
        errors << "warpscope: " << m_file << " could not be written\n";
        emit done(1);
    } else {
        emit done(0);
    }
}

}  // namespace warpscope::gui
