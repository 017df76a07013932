// Steps one after the other that are made ready once and then run again and again on other pixels
// of the same shape: what a host does for each launch is then done once for all of them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/image/image.h"
#include "engine/operations/operation.h"

namespace warpscope {

struct RunContext;

// What the steps need on their backend: the source's pixels, those of each step, the result. Of
// one backend, which runs one at a time.
class PreparedChain {
  public:
    virtual ~PreparedChain() = default;
};
using ChainPtr = std::unique_ptr<PreparedChain>;

// What a chain may take on its device, in ms: a stop is heard before a run of it and after, not
// within.
inline constexpr double kMostChainMs = 20;

// What a backend is besides where it can. One thread at a time, as the backend. Errors: as
// Backend::run(), DeviceFault among them, after which the backend does nothing more; others leave
// it and the chain usable.
class ChainRunner {
  public:
    virtual ~ChainRunner() = default;

    // `filters`: each takes what the one before it gives, the first one the source; `analysis`
    // takes what the last one gives, or is null. Not both none. Runs them, on black, to see how
    // long they take. Errors: InvalidArgument for plans that do not fit each other or take a second
    // image; Unsupported for what takes longer than kMostChainMs or cannot be prepared.
    virtual Result<ChainPtr> prepareChain(const std::vector<PlanPtr>& filters,
                                          const PlanPtr& analysis, const RunContext& context) = 0;

    // Gives a chain the pixels of its next runs. Errors: InvalidArgument for another shape.
    virtual Result<void> fillChain(PreparedChain& chain, const Image& source,
                                   const RunContext& context) = 0;

    // Runs all steps and waits for them. What the analysis found; nothing without one. Errors:
    // InvalidArgument for a chain that was never filled.
    virtual Result<std::optional<AnalysisResult>> runChain(PreparedChain& chain,
                                                           const RunContext& context) = 0;

    // What the last filter made in the last run, where that came to its end, stopped or not;
    // without filters the source. Errors: InvalidArgument where it did not, or there was none.
    virtual Result<Image> downloadChain(PreparedChain& chain, const RunContext& context) = 0;
};

}  // namespace warpscope
