// What this process has computed, whatever else the machine does.
#pragma once

#include <QtGlobal>
#include <ctime>

namespace warpscope::test {

// Milliseconds of all threads together.
inline qint64 processorMs() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return qint64(used.tv_sec) * 1000 + used.tv_nsec / 1'000'000;
}

}  // namespace warpscope::test
