// Page-locked memory that is no PinnedMemory, in the figures of liveResources().
#pragma once

#include <cstdint>

namespace warpscope::cuda {

void countPinned(std::int64_t moreBytes);

}  // namespace warpscope::cuda
