// Whether a piece of work is worth more than one thread.
#pragma once

#include "engine/base/row_bands.h"
#include "engine/image/pixel_format.h"

namespace warpscope {

// Waking a worker costs 50 to 100 microseconds on a virtual machine; below this, all cores are
// slower than one.
inline constexpr double kWorthThreadsUs = 200.0;

// `context`, with one thread where all work of it is shorter than kWorthThreadsUs at
// `nanosecondsPerPixel` (of one thread, roughly).
inline CpuContext forWork(const CpuContext& context, Size size, double nanosecondsPerPixel) {
    CpuContext chosen = context;
    if (double(size.pixels()) * nanosecondsPerPixel < kWorthThreadsUs * 1000.0)
        chosen.threading = Threading::Single;
    return chosen;
}

}  // namespace warpscope
