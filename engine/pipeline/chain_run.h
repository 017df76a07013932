// One walk along a pipeline on one backend: plans, cache, conversions, steps that the backend
// cannot do. What happens when the backend itself fails is the executor's business.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/clock.h"
#include "engine/pipeline/banded_run.h"
#include "engine/pipeline/chain_shape.h"
#include "engine/pipeline/span_times.h"
#include "engine/pipeline/step_cache.h"

namespace warpscope {

// An image between two steps: on the host, on a backend, or on both.
struct ChainValue {
    Image host;
    BufferPtr buffer;
    Backend* owner = nullptr;
    Placement place;

    PixelFormat format() const { return buffer ? buffer->format() : host.format(); }
    Size size() const { return buffer ? buffer->size() : host.size(); }
    const ImageInfo& info() const { return buffer ? buffer->info() : host.info(); }
    // Other samples, on the host alone; they lie where those before lay.
    void setHost(Image image) { *this = {std::move(image), nullptr, nullptr, place}; }
};

// Why a step or a chain did not run on a GPU that answered so.
std::string noGpuMemory(const Error& error);

// The key under which an uploaded source stays on a device.
CacheKey uploadKey(std::uint64_t imageId, BackendKind backend);

class ChainRun {
  public:
    // Everything is borrowed and must outlive the walk. `backend` runs what it supports, `cpu` the
    // rest. With `recording` the kernel times of a GPU go into the reports; only one walk may do
    // that at a time.
    ChainRun(Backend& backend, Backend& cpu, StepCache& cache, FrozenPlans& frozen,
             const ExecuteRequest& request, const RunContext& context, Recording recording);
    ~ChainRun();
    ChainRun(const ChainRun&) = delete;
    ChainRun& operator=(const ChainRun&) = delete;

    // The request's source, which nobody needs once a step has made something else of it. Only for
    // walks without cache.
    void giveUp(Image& source) { m_givenUp = &source; }

    // Before the walk, for a device whose memory did not suffice for it: nothing stays on it from
    // one step to the next, steps that do not fit run in bands, and those that do not fit in bands
    // either, or cannot be done in bands, run on the CPU.
    void saveMemory() { m_savesMemory = true; }

    // Walks all enabled steps, resuming after the last one that is cached. The result's totalMs is
    // left to the caller.
    Result<ExecuteResult> run();
    // Where the result is; its buffer is null if it was on the host all along.
    const ChainValue& finalValue() const { return m_value; }
    // Where the walk failed; nothing if it did not, or not at a step.
    std::optional<std::size_t> failedStep() const { return m_failedStep; }

    Result<std::vector<StepInput>> inputs();

  private:
    struct EnabledStep {
        std::size_t index = 0;
        const Operation* operation = nullptr;
        ParamSet parameters;  // scaled
        std::string variant;
        std::uint64_t hash = 0;  // of all enabled steps up to this one
        bool frozen = false;     // this or an earlier one takes statistics from `whole`
        // Or why there is none.
        Result<std::optional<SecondInput>> second;
    };
    // A step that is about to run on m_value.
    struct Prepared {
        PlanPtr plan;  // null: the step is passed over
        ChainValue second;
        StepReport report;
    };

    Result<void> walk(std::size_t count);
    Result<void> advance(std::size_t position);
    // Runs neighbours from `first` on, below `count`, as one table; how many, 0 if they are no such
    // tables.
    Result<std::size_t> advanceFused(std::size_t first, std::size_t count);
    bool mayFuse(std::size_t position) const;
    // Its result has another format.
    bool isLastOfFused(std::size_t position) const;
    // T: the samples. As advanceFused(), of the steps [first, end) or those that it can.
    template <class T>
    Result<std::size_t> runFused(std::size_t first, std::size_t end);
    StepReport beginReport(std::size_t position) const;
    Result<Prepared> prepared(std::size_t position);
    Result<void> finish(std::size_t position, Prepared step);
    bool takeCached(std::size_t depth);
    CacheKey keyFor(std::size_t depth) const;
    Result<void> takeTimes();
    void noteDevice(const Backend& backend);  // it is about to be given work
    Result<PlanPtr> makePlan(std::size_t position);
    Result<PlanPtr> frozenPlan(std::size_t position, const PlanRequest& request);
    // What the step is given in the chain of the whole images.
    Result<Image> wholeInputOf(std::size_t position);
    ExecuteRequest requestOnWhole() const;
    PartPlanner partPlanner(std::size_t position);
    // What `depth` steps give, m_value left as it is.
    Result<ChainValue> valueAt(std::size_t depth);
    // The second input, cut to the part of the image that both inputs have, as m_value is then.
    Result<ChainValue> secondValue(std::size_t position);
    Result<void> convertSecond(ChainValue& second, PixelFormat format, StepReport& report);
    Result<void> cutTo(ChainValue& value, const Rect& part);
    Result<void> execute(std::size_t position, Prepared& step);
    // The same with nothing else on the device. Errors: OutOfMemory too.
    Result<void> executeApart(std::size_t position, Prepared& step);
    Result<void> moveTo(ChainValue& value, Backend& backend);
    Result<void> bringToHost(ChainValue& value);
    void takeRunsOf(ChainRun& helper);
    // m_value is what `depth` steps give: kept as long as a later step asks for it.
    void keepNamed(std::size_t depth);
    RunContext stepContext(std::size_t position) const;
    CpuContext cpuContext() const;
    Error named(std::size_t position, Error error);  // says which step it was, and keeps it

    std::optional<std::size_t> m_failedStep;

    Backend& m_backend;
    Backend& m_cpu;
    StepCache& m_cache;
    FrozenPlans& m_frozen;
    const ExecuteRequest& m_request;
    const RunContext& m_context;

    std::vector<EnabledStep> m_steps;
    // Depth to the number of the last step that takes what is made there as its second input.
    std::map<std::size_t, std::size_t> m_lastUse;
    std::map<std::size_t, ChainValue> m_kept;
    ChainValue m_value;
    Image* m_givenUp = nullptr;
    bool m_savesMemory = false;
    // A step left the device for want of memory, which there may be the next time.
    bool m_ranOut = false;
    std::vector<StepReport> m_reports;
    std::vector<RunRecord> m_runs;  // on m_backend, where it records spans
    bool m_recording = false;
    const Stopwatch m_watch;      // since the walk began
    double m_deviceStartMs = -1;  // when the first work was queued on a recording backend
    std::vector<RunEvent> m_events;
};

}  // namespace warpscope
