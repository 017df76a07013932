// Runs one match after the other, with backends of its own, on threads of its own. Knows nothing of
// the window.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/backend/backend_set.h"
#include "engine/base/clock.h"
#include "engine/base/mailbox.h"
#include "gui/showcase/busy_meter.h"
#include "gui/showcase/match.h"

namespace warpscope::gui {

// What both sides do.
struct MatchWork {
    Pipeline pipeline;  // checked
    Size size;          // of frames from the program's own scene; ignored with an image
    Image image;        // frames are made from it, in its own size; null: from the scene
    // Against a GPU or a recorded opponent: all cores, or one thread.
    BackendKind left = BackendKind::Cpu;
    bool gray = false;                              // the scene; ignored with an image
    std::optional<RecordedOpponent> recorded = {};  // in place of this machine's right side
    DisplayLook look = {};                          // of `image`
};

struct RunnerState {
    enum class Phase { Starting, Preparing, Running, Failed };
    Phase phase = Phase::Starting;  // Starting: backends are being made
    std::string problem;            // Failed: why
    double prepared = 0;            // Preparing: 0 to 1
    std::uint64_t work = 0;         // number that show() gave
    std::uint64_t drawing = 0;      // for drawn()
    bool hasGpu = false;
    std::string noGpu;  // why there is none
    // Of `work`, as far as they are known.
    std::optional<BackendInfo> left;
    std::optional<BackendInfo> right;
    PixelFormat format = PixelFormat::Rgba8;  // of the frames
    PixelFormat result = PixelFormat::Rgba8;  // of what is made of them
    Size size;
    MatchState match;                 // Running
    std::optional<double> otherWork;  // see BusyMeter
};

class MatchRunner {
  public:
    using BackendFactory = std::function<BackendSet()>;

    // `factory` is called once, on a thread of this object; the backends go with it. `onNews` is
    // called from any thread when state() has changed and somebody should draw it; after each turn
    // the next one waits for drawn(), because drawing takes a processor away, but no longer than
    // 100 ms. Null: nobody draws.
    MatchRunner(BackendFactory factory, std::function<void()> onNews,
                const Clock& clock = steadyClock());
    ~MatchRunner();  // ends within a row band or a launch; memory of the GPU is free then
    MatchRunner(const MatchRunner&) = delete;
    MatchRunner& operator=(const MatchRunner&) = delete;

    // Takes the place of what runs; never waits. Without a GPU one thread is set against all cores,
    // else work.left against the GPU.
    std::uint64_t show(MatchWork work);
    void setPaused(bool paused);
    void setPictureSize(Size size);  // device pixels of one half
    RunnerState state() const;
    void drawn(std::uint64_t drawing);  // RunnerState::drawing of what is on the screen now

  private:
    struct Order {
        MatchWork work;
        std::uint64_t number = 0;
        std::stop_token stop;  // of its preparation
    };

    void run(const std::stop_token& stop);
    void stopMatch();
    std::unique_ptr<Match> takeMatch();
    void play(const BackendSet& backends, const MatchWork& work, std::stop_token stop);
    Result<FrameSource> sourceFor(const MatchWork& work, std::stop_token stop);
    void betweenTurns(std::stop_token stop);
    void giveUp(const std::string& problem);
    void tell() const;

    const BackendFactory m_factory;
    const std::function<void()> m_onNews;
    const Clock& m_clock;

    // Of the thread that calls show().
    std::uint64_t m_lastWork = 0;
    std::stop_source m_preparing;  // of the last order

    Mailbox<Order> m_orders{{}, Mailbox<Order>::always};
    std::atomic<double> m_prepared{0};

    mutable std::mutex m_mutex;  // guards what follows
    std::condition_variable_any m_drawnMore;
    RunnerState m_state;  // without its match
    std::uint64_t m_drawn = 0;
    Size m_pictureSize;
    bool m_paused = false;
    std::unique_ptr<Match> m_match;

    BusyMeter m_busy;  // between turns, of which there is one at a time

    // Of the thread.
    FrameSource m_source;
    std::uint64_t m_sourceImage = 0;  // 0: the scene

    std::jthread m_thread;  // last: it uses all of the above
};

}  // namespace warpscope::gui
