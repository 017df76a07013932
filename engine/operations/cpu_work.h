// What the CPU bodies of operations share.
#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <new>

#include "engine/base/row_bands.h"
#include "engine/image/image.h"

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

// Memory for vectors. Throws std::bad_alloc.
template <class T>
hwy::AlignedFreeUniquePtr<T[]> alignedSamples(std::size_t count) {
    auto memory = hwy::AllocateAligned<T>(count);
    if (!memory) throw std::bad_alloc();
    return memory;
}

template <class T>
hwy::AlignedFreeUniquePtr<T[]> alignedZeros(std::size_t count) {
    auto memory = alignedSamples<T>(count);
    std::fill_n(memory.get(), count, T{});
    return memory;
}

// The alpha of row y as it was: where every sample was filtered, or all but alpha.
template <class T>
void keepAlpha(const View<const T>& in, const View<T>& out, int y) {
    if (in.channels == 1) return;
    for (int i = 3; i < in.samplesPerRow(); i += 4) out.row(y)[i] = in.row(y)[i];
}

}  // namespace warpscope
