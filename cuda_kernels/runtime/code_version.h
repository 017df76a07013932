// For which devices the kernels were compiled that run on this one.
#pragma once

namespace warpscope::cuda {

// The compute capability whose instructions the code for the current device may use, 90 for 9.0:
// less than the device's own where the driver translates code that was made for earlier ones. The
// same for all kernels. Where it cannot be asked, that is logged, and the largest number.
int codeVersion();

}  // namespace warpscope::cuda
