// Ours and other libraries beside each other, and the GPU beside its own copying: a line for each
// operation, parameters, image and temperature.
#pragma once

#include "engine/measure/timing_report.h"
#include "engine/report/text_table.h"

namespace warpscope {

// Lines of the variant `automatic` that have a figure of ours. Ratios are a peer's median over
// ours: above 1x ours is faster; a noisy one is a range. No lines where no peer was timed.
TextTable peerTable(const TimingReport& report);
// What a reader must know, a line each.
std::vector<std::string> peerNotes();

}  // namespace warpscope
