// Computes what several chains make of a part of an image, one after the other, on a thread and an
// executor of its own, on the CPU. What the chains have in common is computed once: it stays in the
// executor's cache.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/mailbox.h"
#include "engine/worker/draft_plan.h"

namespace warpscope::gui {

struct ChainJob {
    std::uint64_t revision = 0;
    PyramidPtr source;
    PyramidPtr second;            // may be null
    std::vector<Pipeline> cells;  // checked; in the order in which they are wanted
    std::size_t step = 0;         // in each of them, in which they differ
    // What is seen of the source, and at which zoom: cells are drafts of that.
    Viewport viewport;
    // Those whose step takes longer come later.
    bool quickFirst = false;
    // Cells are made of one part of the source as long as that has no more pixels than this; what
    // needs more has a part of its own.
    std::int64_t mostSharedPixels = std::numeric_limits<std::int64_t>::max();
    // A cell that needs more of the source, or shows more, is computed on a smaller copy.
    std::int64_t mostPixels = std::numeric_limits<std::int64_t>::max();
    // A cell that takes longer is given up, unless it is without the step: what comes before that
    // is kept for all others.
    std::optional<std::chrono::milliseconds> mostTime = {};
    std::stop_token stop = {};
};

struct ChainPicture {
    std::uint64_t revision = 0;
    std::size_t index = 0;
    Image picture;        // null: see problem and gaveUp
    std::string problem;  // why the step cannot be computed
    bool gaveUp = false;  // it took too long
};

class ChainRenderer {
  public:
    using Sink = std::function<void(ChainPicture)>;  // called on the thread

    ChainRenderer(Sink sink, std::uint64_t memoryBudgetBytes);
    ~ChainRenderer();

    // In place of what is under way. Without a source: what is kept of the last one goes.
    void start(ChainJob job);
    void cancel();

  private:
    struct Cell {
        std::size_t index = 0;
        Pipeline pipeline;
        DraftPlan plan;
        std::string problem;
        bool hasStep = false;
        double cost = 0;  // a guess, to compare them
        Rect part;        // of the level, which it is made of
    };
    struct Crop {
        std::uint64_t level = 0;  // id of the level's image
        Rect rect;
        Image image;
    };

    void compute(const ChainJob& job);
    static Cell planned(const ChainJob& job, std::size_t index);
    static void share(const ChainJob& job, std::vector<Cell>& cells);
    ChainPicture pictureOf(const ChainJob& job, const Cell& cell, int wholeLevel);
    Image cropFor(const Image& level, const Rect& rect);
    void forget();

    Sink m_sink;
    Executor m_executor;
    std::uint64_t m_sourceId = 0;
    // The parts of levels that cells were made of, oldest first: as long as one is the same image,
    // so is what the executor keeps for it.
    std::vector<Crop> m_crops;
    std::mutex m_mutex;
    std::stop_source m_stop;  // guarded by m_mutex
    Mailbox<ChainJob> m_jobs{{}, Mailbox<ChainJob>::always};
    std::jthread m_thread;  // last: joined before the rest goes
};

}  // namespace warpscope::gui
