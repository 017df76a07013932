// What a filter that was timed does to the scene, to be looked at.
#pragma once

#include <string>

#include "engine/backend/backend.h"
#include "engine/measure/timing_report.h"

namespace warpscope {

struct HtmlPicture {
    std::string operation;  // id
    std::string parameters;
    Size size;
    std::string before, after;  // PNG in base64; empty: there is no picture
    bool empty() const { return after.empty(); }
};

// Of the first filter of the report that was measured on the scene: computed by all cores on a
// scene of that format, at its size or, where that is larger, within 512 x 512. Empty where the
// report has none, and where it cannot be computed.
HtmlPicture pictureOf(const TimingReport& report, const RunContext& context);

}  // namespace warpscope
