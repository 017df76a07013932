#include "cuda_kernels/runtime/warpgroups.h"

namespace warpscope::cuda {

bool hasWarpgroupProducts(const DeviceTraits& traits) {
#ifdef WARPSCOPE_HAVE_SM90A
    return traits.major == 9 && traits.minor == 0;
#else
    (void)traits;
    return false;
#endif
}

}  // namespace warpscope::cuda
