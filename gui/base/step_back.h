// For threads whose work can wait.
#pragma once

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace warpscope::gui {

// The calling thread runs when the others leave room.
inline void stepBack() {
#ifdef __linux__
    setpriority(PRIO_PROCESS, id_t(gettid()), 10);
#endif
}

}  // namespace warpscope::gui
