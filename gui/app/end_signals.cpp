#include "gui/app/end_signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QSocketNotifier>
#include <cerrno>
#include <csignal>

#include "engine/base/log.h"
#include "gui/app/main_window.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

// A save, a benchmark and the steps ask once each.
constexpr int kQuestions = 3;
int s_pipe[2] = {-1, -1};

// Nothing but write() may be called here; the event loop reads it.
void onEndSignal(int signal) {
    const int before = errno;
    const char number = char(signal);
    (void)!write(s_pipe[1], &number, 1);
    errno = before;
}

void end(MainWindow& window) {
    for (int i = 0; i <= kQuestions && !window.close(); ++i) {
    }
    QCoreApplication::exit(0);
}

}  // namespace

void endOnSignals(MainWindow& window) {
    if (pipe2(s_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;
    auto* arrived = new QSocketNotifier(s_pipe[0], QSocketNotifier::Read, &window);
    QObject::connect(arrived, &QSocketNotifier::activated, &window, [&window] {
        char number = 0;
        if (read(s_pipe[0], &number, 1) != 1) return;
        logMessage(LogLevel::Info, tr("Ended by signal %1").arg(int(number)).toStdString());
        end(window);
    });
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        struct sigaction old = {};
        if (sigaction(signal, nullptr, &old) != 0 || old.sa_handler == SIG_IGN) continue;
        struct sigaction act = {};
        act.sa_handler = onEndSignal;
        act.sa_flags = SA_RESTART | SA_RESETHAND;
        sigaction(signal, &act, nullptr);
    }
}

}  // namespace warpscope::gui
