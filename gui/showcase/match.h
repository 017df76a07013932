// Two backends on the same pipeline and the same moving picture, each timed alone, in turns.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "engine/backend/backend.h"
#include "engine/measure/factor.h"
#include "gui/showcase/chain.h"
#include "gui/showcase/frame_source.h"
#include "gui/showcase/frame_times.h"
#include "gui/showcase/screen_picture.h"
#include "gui/showcase/turns.h"

namespace warpscope::gui {

// A right side whose times were taken elsewhere. Its frames are computed here, outside of any
// timing, and shown no faster than it made them.
struct RecordedOpponent {
    BackendInfo info;              // of that machine
    std::string origin;            // "NVIDIA H100 80GB HBM3, 2026-11-21, h100.json"
    FrameTimes times;              // medians
    SampleSummary total, kernels;  // their intervals, where they are known
    int threadsWorked = 0;         // of info.threads; 0: not known
    std::string note;              // why the picture is what it is; empty: nobody asked
    ChainAgreement agreement;      // as it was found there, with one thread
    std::string problem;           // why there is nothing to play; empty: there is
};

// What is known of one side at the moment.
struct SideState {
    BackendInfo backend;
    std::string failure;  // why it does nothing; empty: it does
    FrameStatistics::Summary times;
    std::uint64_t frames = 0;     // that were counted
    double frameMs = 0;           // of the frame at hand, so far
    double frameProgress = 0;     // 0 to 1, of the frame at hand
    Image picture;                // for the screen: Gray8 or Rgba8
    bool pictureIsSource = true;  // there is no result yet
    std::string recorded;         // RecordedOpponent::origin; empty: it runs here
    std::string note;             // RecordedOpponent::note
};

struct MatchState {
    std::array<SideState, 2> sides;           // left, right
    std::optional<ChainAgreement> agreement;  // right against left; empty: not compared yet
};

// Left over right; nothing unless both were measured (believably) and their results agree.
struct MatchSpeedup {
    Factor endToEnd;
    Factor kernelsOnly;      // where the right side is a GPU
    bool draw = false;       // see isDraw; endToEnd says how far apart
    bool unsure = false;     // too noisy for any factor
    bool oneThread = false;  // of all cores one did the work: there is nothing to compare
};
MatchSpeedup speedupOf(const MatchState& state);

class Match {
  public:
    // A turn lasts this long at least, and two counted frames where frames are short.
    static constexpr double kTurnMs = 33;
    // The first frame of a turn finds cold caches. It is not counted where frames are shorter.
    static constexpr double kShortFrameMs = 100;
    // The very first frame warms up and is not counted either, unless it alone lasts this long.
    static constexpr double kLongFrameMs = 1000;

    // Of very short frames so many are counted in a turn: how sure the medians are is learnt from
    // many turns, and figures of 4,096 frames are kept.
    static constexpr int kMostOfTurn = 256;

    // `left` and `right` are used by this object alone while it lives. `between` is called between
    // turns while both sides rest (see Turns). `look`: of the frames.
    Match(std::shared_ptr<Backend> left, std::shared_ptr<Backend> right, FrameSource source,
          Chain chain, Size pictureSize, const Clock& clock, Turns::Between between,
          std::optional<RecordedOpponent> recorded = {}, DisplayLook look = {});
    ~Match();  // ends both sides within a row band or a launch, and joins them
    Match(const Match&) = delete;
    Match& operator=(const Match&) = delete;

    // Both sides end; nothing is waited for. The token is theirs.
    void requestStop() { m_stop.request_stop(); }
    std::stop_token stopToken() const { return m_stop.get_token(); }
    void setPaused(bool paused) { m_turns.setPaused(paused); }
    void setPictureSize(Size size);  // device pixels of a half of the screen
    MatchState state() const;

  private:
    struct Side {
        std::shared_ptr<Backend> backend;
        std::atomic<double> progress{0};
        Rect lastRect;
        double lastMs = 0;
        bool warm = false;
        bool full = false;  // this turn has given enough figures
        // Guarded by m_mutex.
        std::string failure;
        FrameStatistics statistics;
        Image picture;
        bool pictureIsSource = true;
        std::optional<std::vector<StepProbe>> probes;
        // Of its own thread.
        Image result;
    };

    void run(int index);
    Result<void> turn(int index);
    Result<void> playRecorded();
    // Whether it was counted; `newRound`: it is the first of its turn that is.
    Result<bool> frame(int index, bool firstOfTurn, bool newRound = true);
    Result<void> probe(int index);
    Result<void> compare();
    Image toScreen(const Image& image) const;  // null if there is no place or no memory for it
    void publish(Side& side);

    std::stop_source m_stop;
    const FrameSource m_source;
    const Chain m_chain;
    const ScreenLook m_look;
    const std::optional<RecordedOpponent> m_recorded;
    double m_nextRecordedMs = 0;  // when its next frame is over; of its own thread
    Turns m_turns;
    mutable std::mutex m_mutex;
    Size m_pictureSize;                         // guarded by m_mutex
    std::optional<ChainAgreement> m_agreement;  // guarded by m_mutex
    std::array<Side, 2> m_sides;
    std::array<std::jthread, 2> m_threads;  // last: they use all of the above
};

}  // namespace warpscope::gui
