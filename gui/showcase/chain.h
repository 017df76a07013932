// A pipeline planned for frames of one format and size, run on one backend and on no other: here a
// failure is to be seen, not to be fallen back from.
#pragma once

#include <string>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/measure/agreement.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope::gui {

struct ChainStep {
    PlanPtr plan;
    std::string name;  // "step 2, median"; the id alone where there is one step
};
using Chain = std::vector<ChainStep>;

// The enabled steps. Errors: InvalidArgument without any or where all leave the image as
// it is, those of plans, Unsupported where a step
// cannot take what the one before gives; they name the step.
Result<Chain> planChain(const Pipeline& pipeline, PixelFormat format, Size size);

// What went into a step and what came out, on the host.
struct StepProbe {
    Image input;
    Image output;
};

// From a frame on the host to a result on the host, everything done when it returns. With `probes`
// every step is brought to the host as well. Errors: what the backend reports, with the step's name
// where there are several.
Result<Image> runChain(Backend& backend, const Chain& chain, const Image& frame,
                       const RunContext& context, std::vector<StepProbe>* probes = nullptr);

// Whether two backends agree step by step, each by its operation's rule.
struct ChainAgreement {
    Agreement agreement;  // of the first step that differs; else of the last that is not identical
    std::string step;     // its name
};

// Where an earlier step left the two inputs of a step different (within its rule), the step is run
// once more on `backend`, from the reference's input. Errors as runChain.
Result<ChainAgreement> compareProbes(Backend& backend, const Chain& chain,
                                     const std::vector<StepProbe>& reference,
                                     const std::vector<StepProbe>& probes,
                                     const RunContext& context);

}  // namespace warpscope::gui
