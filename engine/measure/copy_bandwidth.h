// How fast a machine can copy its own memory: what GB/s of operations are set against.
#pragma once

#include <stop_token>

#include "engine/base/clock.h"
#include "engine/measure/timing_report.h"

namespace warpscope {

// GB/s (10^9 bytes) of copying a block far larger than every cache to another, on one thread, all
// cores or inside the GPU's memory; the median of several copies. Bytes count as for operations:
// each byte read once and written once, two bytes moved a byte copied; what the memory moves beyond
// that (reading a line before it is written) is not counted. 0 where it cannot be measured or was
// stopped.
double copyGbpsCpu(Threading threading, std::stop_token stop, const Clock& clock = steadyClock());
double copyGbpsDevice(Backend& device, const RunContext& context);
// Cache sizes and, which takes about a second, all of these.
void measureMachine(MachineInfo& machine, const BackendSet& backends, bool copies,
                    const RunContext& context, const Clock& clock = steadyClock());

}  // namespace warpscope
