// Walks a pipeline on a backend: step cache, cancellation, conversion and fall-back policy. The
// only place where these decisions are made.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/pipeline/step_cache.h"

namespace warpscope {

class Executor {
  public:
    // `memoryBudgetBytes` bounds what the step cache keeps on each backend.
    Executor(BackendSet backends, std::uint64_t memoryBudgetBytes);
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    const BackendSet& backends() const { return m_backends; }
    void setMemoryBudget(std::uint64_t bytes) { m_cache.setBudget(bytes); }
    // What the cache keeps on the host, below that; and of which step, counted among the enabled
    // ones, its input is kept before everything else.
    void setHostLimit(std::uint64_t bytes) { m_cache.setHostLimit(bytes); }
    void keepInputOf(std::uint32_t step) { m_cache.setPreferred(step); }
    std::uint64_t cachedBytes() const { return m_cache.bytes(); }
    void clearCache();
    // Drops what was made from this image, as `source` or as `whole`.
    void forgetImage(std::uint64_t imageId) { m_cache.forgetImage(imageId); }

    // Resumes after the last cached step. Where the GPU has too little memory, what the cache holds
    // there goes; then steps are done one by one, in bands where they do not fit, said among their
    // notices. Falls back to all cores when the GPU is missing, does not support a step, has no
    // memory for a step's bands either or fails, and says so in the reports; after a DeviceFault
    // the GPU is not used again. Errors: Cancelled, OutOfMemory, Unsupported (no backend can do a
    // step), naming the step. A request that is moved in and uses no cache gives its source up: it
    // goes once a step has made something else of it, unless a GPU could still fail.
    Result<ExecuteResult> run(ExecuteRequest request, const RunContext& context);

    // The inputs of all enabled steps (cached where they are), for measureStep. Errors as run().
    Result<std::vector<StepInput>> stepInputs(const ExecuteRequest& request,
                                              const RunContext& context);

    // Does one analysis of an image, with the same fall-back as run(); never in bands.
    // Errors as run().
    Result<AnalyzeResult> analyze(const Image& image, const PlanPtr& plan, BackendChoice backend,
                                  const RunContext& context);
    // The same for all channels, without the details.
    Result<HistogramSet> histogram(const Image& image, BackendChoice backend,
                                   const RunContext& context);

    // Index in Pipeline::steps of the step at which the last run() or stepInputs() failed; nothing
    // if it did not fail, or not at a step.
    std::optional<std::size_t> failedStep() const { return m_failedStep; }

  private:
    template <class T>
    struct Outcome {
        Result<T> result;
        BackendKind ranOn = BackendKind::Cpu;
        std::string fallbackReason;  // why it did not run where asked
    };
    // The device copy of an image that was downloaded last: counting it needs no upload.
    struct Resident {
        std::uint64_t imageId = 0;
        std::weak_ptr<const Buffer> buffer;
    };

    enum class Memory { Enough, Scarce };
    // Does the job on the chosen backend, with the policy that run() promises when that fails.
    // `scarce`: the job can do with less memory of the GPU.
    template <class Job>
    auto withFallback(BackendChoice choice, const RunContext& context, bool scarce, Job job)
        -> Outcome<typename std::invoke_result_t<Job, Backend&, Memory>::value_type>;
    BackendSet::Pick pick(BackendChoice choice) const;
    Result<BufferPtr> bufferOf(const Image& image, Backend& backend, const RunContext& context);

    BackendSet m_backends;
    StepCache m_cache;
    FrozenPlans m_frozen;
    Resident m_resident;
    std::optional<std::size_t> m_failedStep;  // of the last walk
    std::string m_gpuFault;                   // set once the GPU has failed for good
};

// The default memory budget: a quarter of the machine's memory, at most 8 GiB.
std::uint64_t defaultMemoryBudget();

}  // namespace warpscope
