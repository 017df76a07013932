#include "engine/base/row_bands.h"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>

#include "engine/base/band_threads.h"

#if WARPSCOPE_ROW_BANDS_STD_THREAD
#include <mutex>
#include <vector>
#else
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace warpscope {
namespace {

struct BandState {
    const CpuContext& context;
    const RowBody& body;
    int rows;
    int bandRows;
    int bandCount;
    std::atomic<int> done{0};
    std::atomic<bool> stopped{false};
    std::atomic<bool> outOfMemory{false};

    void runBand(int band) {
        if (stopped.load(std::memory_order_relaxed)) return;
        if (context.stopRequested()) {
            stopped.store(true, std::memory_order_relaxed);
            return;
        }
        const int first = band * bandRows;
        const int last = first + std::min(bandRows, rows - first);
        WorkedThreads::note();
        try {
            body(first, last);
        } catch (const std::bad_alloc&) {
            outOfMemory.store(true, std::memory_order_relaxed);
            stopped.store(true, std::memory_order_relaxed);
            return;
        }
        const int finished = done.fetch_add(1, std::memory_order_relaxed) + 1;
        if (context.progress) context.progress(double(finished) / double(bandCount));
    }
};

#if WARPSCOPE_ROW_BANDS_STD_THREAD

// The thread sanitizer does not understand how TBB hands work over and reports races that are none,
// so its build runs the same bands on plain threads.
void runParallel(BandState& state, int threads) {
    std::atomic<int> next{0};
    const auto loop = [&] {
        for (int band = next++; band < state.bandCount; band = next++) state.runBand(band);
    };
    const PinnedPool* pinned = PinnedPool::ofThisThread();
    std::vector<std::jthread> pool;
    for (int i = 1; i < std::min(threads, state.bandCount); ++i)
        pool.emplace_back([&, i] {
            if (pinned) pinned->pinThisThread(i);
            loop();
        });
    loop();
}

#else

void runParallel(BandState& state, int /*threads*/) {
    // simple_partitioner: the caller has chosen the band; TBB must not glue bands together.
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<int>(0, state.bandCount, 1),
        [&](const oneapi::tbb::blocked_range<int>& range) {
            for (int band = range.begin(); band != range.end(); ++band) state.runBand(band);
        },
        oneapi::tbb::simple_partitioner());
}

#endif

int poolThreads() {
#if WARPSCOPE_ROW_BANDS_STD_THREAD
    static const int count = std::max(2, int(std::thread::hardware_concurrency()));
#else
    static const int count = oneapi::tbb::this_task_arena::max_concurrency();
#endif
    return count;
}

}  // namespace

int CpuContext::threadCount() const {
    return threading == Threading::Single ? 1 : poolThreads();
}

Result<void> forEachRowBand(const CpuContext& context, int rows, int rowsPerBand,
                            const RowBody& body) {
    if (rows <= 0) return {};
    const int bandRows = std::clamp(rowsPerBand, 1, rows);
    const int bandCount = rows / bandRows + (rows % bandRows != 0);
    BandState state{context, body, rows, bandRows, bandCount};
    const int threads = context.threadCount();
    if (threads == 1 || bandCount == 1) {
        for (int band = 0; band < bandCount && !state.stopped; ++band) state.runBand(band);
    } else {
        runParallel(state, threads);
    }
    if (state.outOfMemory) return fail(ErrorCode::OutOfMemory, "not enough memory for this step");
    if (state.stopped) return cancelled();
    return {};
}

int rowsPerBand(const CpuContext& context, int rows, std::uint64_t bytesPerRow, int minRows,
                std::uint64_t targetBytes) {
    const std::uint64_t fitting = targetBytes / std::max<std::uint64_t>(bytesPerRow, 1);
    const int bands = 4 * context.threadCount();
    const int fair = context.threading == Threading::Single ? rows : (rows + bands - 1) / bands;
    const auto wanted = std::min<std::uint64_t>(std::max<std::uint64_t>(fitting, 1),
                                                std::uint64_t(std::max(fair, 1)));
    return std::clamp(int(wanted), std::min(minRows, rows), std::max(rows, 1));
}

}  // namespace warpscope
