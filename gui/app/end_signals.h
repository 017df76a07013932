// SIGTERM, SIGINT and SIGHUP end the program as closing its window does: settings and steps are
// kept, nothing is left that looks like a crash.
#pragma once

namespace warpscope::gui {

class MainWindow;

// Once, from the thread of the window, which must live as long as events are handled. A signal
// that is ignored by now stays so (nohup); the second of a kind ends the program at once.
void endOnSignals(MainWindow& window);

}  // namespace warpscope::gui
