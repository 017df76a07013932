// Rows of timing tables that stand for what was not measured, and the row of the reference.
#pragma once

#include <string>
#include <string_view>

#include "engine/measure/timing.h"

namespace warpscope {

// A row with names and no figures; `why` becomes "skipped: why".
StepTiming skippedRow(const Plan& plan, const ParamSet& parameters, std::string_view backend,
                      std::uint64_t imageHash, std::string_view why);

// The reference agrees with itself.
Agreement ownAgreement(const Measured& measured);

}  // namespace warpscope
