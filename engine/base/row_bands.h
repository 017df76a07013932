// The one place where CPU work is spread over threads, cancelled and counted. Operations hand over
// a body for rows [first, last).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <stop_token>

#include "engine/base/result.h"

namespace warpscope {

// 0 to 1; called from any thread, must be cheap. Empty where nobody looks.
using ProgressSink = std::function<void(double)>;

enum class Threading { Single, AllCores };

// How a piece of CPU work may run. Cheap to copy; constant while the work runs.
struct CpuContext {
    Threading threading = Threading::AllCores;
    std::stop_token stop;
    ProgressSink progress;

    int threadCount() const;  // 1, or the number of threads of the pool
    bool stopRequested() const { return stop.stop_requested(); }
};

using RowBody = std::function<void(int firstRow, int lastRow)>;

// Calls `body` for bands that together cover [0, rows) exactly once each, every band at most
// `rowsPerBand` rows (the caller picks it so that a band's working set fits its cache and lasts a
// few milliseconds at most, because cancellation is looked at between bands). Bands of one call may
// run side by side in any order. Work is left on the calling thread, bands top to bottom, where
// context.threading is Single or there is only one band. Errors: Cancelled when stop was requested
// before the last band began; OutOfMemory when the body threw std::bad_alloc.
Result<void> forEachRowBand(const CpuContext& context, int rows, int rowsPerBand,
                            const RowBody& body);

// Band height so that a band holds about `targetBytes` (default: half a usual L2 cache) of
// `bytesPerRow` each; at least minRows. Chosen so that all threads get several bands where the
// image allows it.
int rowsPerBand(const CpuContext& context, int rows, std::uint64_t bytesPerRow, int minRows = 1,
                std::uint64_t targetBytes = 256 * 1024);

}  // namespace warpscope
