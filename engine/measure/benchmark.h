// A benchmark: operations x variants x sizes x backends, each cold and/or warm, as one run that can
// be watched, paused and stopped. The command line and the window use the same one.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/backend/backend_set.h"
#include "engine/base/clock.h"
#include "engine/measure/energy.h"
#include "engine/measure/peers.h"
#include "engine/measure/timing.h"
#include "engine/measure/timing_report.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope {

// Of the scene that the program makes. Automatic: gray, and colour for operations to which gray
// says nothing (grayscale).
enum class BenchmarkPixels { Automatic, Gray, Color, Both };

// An operation with parameters of its own.
struct BenchmarkStep {
    std::string operation;
    ParamSet parameters;                // defaults fill what is missing
    std::vector<std::string> variants;  // ids
};

// What somebody asks for. A value.
struct BenchmarkPlan {
    // Ids, filters and analyses; empty: all, or none where there is a chain.
    std::vector<std::string> operations;
    // Of an operation that is timed and listed here, these are timed alone, in this order.
    std::vector<BenchmarkStep> steps;
    // Every enabled step of it is timed on what the steps before make of each image.
    Pipeline chain;
    // Operation id to variant ids; an operation that is not here is timed with `automatic`, or with
    // all of its variants if allVariants.
    std::map<std::string, std::vector<std::string>> variants;
    bool allVariants = false;
    std::map<std::string, ParamSet> parameters;  // by operation id; defaults fill what is missing

    std::vector<Size> sizes;  // of the program's own scene
    BenchmarkPixels pixels = BenchmarkPixels::Automatic;
    Image image;            // the image at hand, timed in its own size and format; null: none
    std::string imageName;  // for people: its file name
    std::string imageFile;  // its path, for benchCommand() alone; empty: it is no file
    // What steps of the chain can name as their second input beside `image`; may be null.
    Image second;
    // Adds the experiments of the source texts (published.h), each row with its size, noise and
    // parameters.
    bool published = false;

    std::vector<BackendKind> backends{BackendKind::CpuSingle, BackendKind::Cpu, BackendKind::Cuda};
    bool warm = true;
    bool cold = false;
    bool peers = false;  // other libraries, where this build has them
    // In rounds: every row gives one burst, then every row another, until its figure is steady.
    SamplingOptions sampling = {.minRounds = 9, .maxRounds = 60, .freshMemory = true};
    bool pinThreads = true;  // each thread that works to a core of its own
    bool energy = true;      // of GPU rows, where the device counts it; about half a second a row
    // A row that would last longer has fewer rounds; one with less than three of them is not begun:
    // its error says "skipped: would take about 95 s".
    // Judged from smaller sizes, or from a part of the image where none was measured yet.
    double longestRowSeconds = 15;
    // One call of a peer, which nobody can interrupt: so long a stop may take. Longer ones are not
    // begun.
    double longestPeerCallSeconds = 1;
    bool copyBandwidth = true;  // measure the machine's copy bandwidth first, about a second
};

// One operation with one variant on one input: gives a row for each backend, peer and temperature.
struct BenchmarkCase {
    const Operation* operation = nullptr;
    std::string variant{kAutomaticVariant};
    ParamSet parameters;  // resolved
    Size size;
    PixelFormat format = PixelFormat::Gray8;  // of the input
    bool ofImage = false;                     // the plan's image instead of the scene
    std::string experiment = {};              // id of a published experiment; else empty
    // Steps that make its input, from a scene of that size and format.
    std::vector<std::string> before = {};
    Size sceneSize = {};
    PixelFormat sceneFormat = PixelFormat::Gray8;
    // Of the CPU alone, because a variant of a GPU is timed and its speedup needs the best there
    // is.
    bool baseline = false;
    bool ofChain = false;       // its input is what the plan's chain makes up to this step
    std::size_t stepIndex = 0;  // in that chain
    int rows = 0;               // of our backends; rowCount() knows of peers
};

// All cases in the order in which they run: small images first. Errors (NotFound, InvalidArgument)
// for what does not exist: operations, variants, parameters; for a plan that asks for nothing.
Result<std::vector<BenchmarkCase>> casesOf(const BenchmarkPlan& plan);
// The case as it runs. Errors: those of the operation.
Result<PlanPtr> planCase(const BenchmarkCase& one);
// How many places of a peer give rows for the case, too: `automatic` alone is compared with it.
// Sets its parameters.
int peerPlaces(const Peer& peer, const BenchmarkCase& one, const Plan& planned);
// How many rows all cases give; those of peers are among them where the plan asks for peers.
std::size_t rowCount(const BenchmarkPlan& plan, const std::vector<BenchmarkCase>& cases,
                     const PeerSet& peers = {});

struct BenchmarkProgress {
    std::size_t done = 0;     // bursts of rows
    std::size_t total = 0;    // grows where rows are noisy and get more rounds
    std::size_t rows = 0;     // of the table
    int round = 1;            // the one that runs
    double secondsLeft = -1;  // without pauses; below 0: not known yet
    std::string what;         // the row that runs: "gaussian_blur 512 x 512, cpu, cold"
    bool paused = false;
    // All rows have the rounds that were asked for; noisy ones get more, how many nobody knows.
    bool onlyNoisy = false;
};

// Called on the thread of run(), between samples and never inside one.
struct BenchmarkCallbacks {
    // Once, before the first row: machine, date, copy bandwidths, conditions; no results.
    std::function<void(const TimingReport& head)> onHead;
    // After each round of a row: first in the order of `index`, which counts from 0; then again
    // with what is known better.
    std::function<void(std::size_t index, const StepTiming& row)> onRow;
    std::function<void(const BenchmarkProgress& progress)> onProgress;
};

struct BenchmarkResult {
    // In the order of onRow; of a run that was stopped those with a round at least, and
    // TimingReport::complete says that it was.
    TimingReport report;
};

// Runs plans, one at a time. Backends are used by the thread of run() alone while it runs. While a
// benchmark runs, nothing else should.
class BenchmarkRunner {
  public:
    // `head` says program, compiler, date and machine; run() adds copy bandwidths and cache sizes.
    BenchmarkRunner(BackendSet backends, TimingReport head, PeerSet peers = {},
                    const Clock& clock = steadyClock(), EnergyCounters energy = {});
    ~BenchmarkRunner();
    BenchmarkRunner(const BenchmarkRunner&) = delete;
    BenchmarkRunner& operator=(const BenchmarkRunner&) = delete;

    // Blocks until the plan is done or `stop` is requested, which takes effect within a row band of
    // the CPU, a launch of the GPU, or one call of a peer (see
    // longestPeerCallSeconds). The burst at hand is then dropped. A backend
    // that is missing or fails gives rows whose `error` says why. Errors: those of casesOf,
    // OutOfMemory for the input images; never Cancelled.
    Result<BenchmarkResult> run(const BenchmarkPlan& plan, std::stop_token stop,
                                const BenchmarkCallbacks& callbacks = {});

    // From any thread. A pause begins after the sample at hand; its time is in no figure, in no
    // budget and not in the remaining time. After it, one sample is taken and dropped, because
    // caches and clocks went cold. A stop ends a pause.
    void pause();
    void resume();
    bool isPaused() const;

  private:
    class Run;
    BackendSet m_backends;  // constant after construction
    TimingReport m_head;    // constant after construction
    PeerSet m_peers;        // constant after construction
    const Clock* m_clock;   // constant after construction
    const EnergyCounters m_energy;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_resumed;
    bool m_paused = false;  // guarded by m_mutex
};

}  // namespace warpscope
