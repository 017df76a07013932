#include "engine/measure/rows.h"

#include <fmt/format.h>

#include <limits>

namespace warpscope {

StepTiming skippedRow(const Plan& plan, const ParamSet& parameters, std::string_view backend,
                      std::uint64_t imageHash, std::string_view why) {
    StepTiming row;
    row.operation = plan.operation->description().id;
    row.variant = plan.variant;
    row.parameters = parameters;
    row.backendRequested = backend;
    row.width = plan.size.width;
    row.height = plan.size.height;
    row.format = plan.input;
    row.bytesMoved = plan.minimalBytes;
    row.imageHash = imageHash;
    row.error = fmt::format("skipped: {}", why);
    return row;
}

Agreement ownAgreement(const Measured& measured) {
    if (measured.counts) return compareAnalyses(*measured.counts, *measured.counts);
    Agreement agreement;
    agreement.verdict = Verdict::Identical;
    agreement.psnrDb = std::numeric_limits<double>::infinity();
    agreement.samples = std::uint64_t(measured.output.size().pixels()) *
                        std::uint64_t(channelCount(measured.output.format()));
    return agreement;
}

}  // namespace warpscope
