// How many blocks of a kernel are to be resident on a multiprocessor, for __launch_bounds__. More
// of them leave each thread fewer registers.
#pragma once

namespace warpscope {

// `measured` on compute capability 9.0, where trials found it to be fastest, even if the assembler
// then keeps a few values of a thread in memory. For newer devices, of which the assembler needs
// more registers for the same kernel, and for older ones: numbers with which it keeps fewest there
// (installer/known-spills.txt); nobody has measured them.
struct BlocksByDevice {
    int older;
    int measured;
    int newer;
};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr int blocksByDevice(BlocksByDevice blocks) {
    return blocks.older;
}
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ > 900
constexpr int blocksByDevice(BlocksByDevice blocks) {
    return blocks.newer;
}
#else
constexpr int blocksByDevice(BlocksByDevice blocks) {
    return blocks.measured;
}
#endif

}  // namespace warpscope
