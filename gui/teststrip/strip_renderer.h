// Computes the cells of a test strip, one after the other, on a thread and an executor of its own,
// on the CPU. What the cells have in common is computed once: it stays in the executor's cache.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "engine/base/mailbox.h"
#include "engine/worker/render_request.h"

namespace warpscope::gui {

struct StripJob {
    std::uint64_t revision = 0;
    PyramidPtr source;
    PyramidPtr second;            // may be null
    std::vector<Pipeline> cells;  // checked; in the order in which they are wanted
    std::size_t step = 0;         // in each of them, whose values differ
    // What is seen of the source, and at which zoom: cells are drafts of that.
    Viewport viewport;
    std::stop_token stop = {};
};

struct StripPicture {
    std::uint64_t revision = 0;
    std::size_t index = 0;
    Image picture;        // null: see problem
    std::string problem;  // why the step cannot be computed with these values
};

class StripRenderer {
  public:
    using Sink = std::function<void(StripPicture)>;  // called on the thread

    StripRenderer(Sink sink, std::uint64_t memoryBudgetBytes);
    ~StripRenderer();

    void start(StripJob job);  // in place of what is under way
    void cancel();

  private:
    void compute(const StripJob& job);
    Image cropFor(const Image& level, const Rect& rect);

    Sink m_sink;
    Executor m_executor;
    std::uint64_t m_sourceId = 0;
    // The part of a level that the cells are made of: as long as it is the same image, so is what
    // the executor keeps for it.
    Image m_crop;
    std::uint64_t m_cropLevel = 0;
    Rect m_cropRect;
    std::mutex m_mutex;
    std::stop_source m_stop;  // guarded by m_mutex
    Mailbox<StripJob> m_jobs{{}, Mailbox<StripJob>::always};
    std::jthread m_thread;  // last: joined before the rest goes
};

}  // namespace warpscope::gui
