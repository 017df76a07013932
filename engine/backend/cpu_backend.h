// The CPU as a backend: one thread or all cores.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/backend/backend.h"

namespace warpscope {

// upload() and download() share the samples and cost nothing. run() and analyze() do their work
// before they return.
std::unique_ptr<Backend> makeCpuBackend(Threading threading);

// "AVX3_ZEN4", "AVX2", ...: the instruction set that the vector code uses on this machine.
std::string cpuInstructionSet();
// Bytes of all last-level caches together; 0 where the system does not say.
std::uint64_t cpuCacheBytes();
// Of the threads of `context`, by the best vectors of the machine. Errors: Cancelled.
Result<ArithmeticPeak> cpuArithmeticPeak(const CpuContext& context);
std::string cpuModelName();  // as the system names the processor

}  // namespace warpscope
