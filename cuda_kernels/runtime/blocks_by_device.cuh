// How many blocks of a kernel are to be resident on a multiprocessor, for __launch_bounds__. More
// of them leave each thread fewer registers; 0 leaves the number to the assembler.
#pragma once

namespace warpscope {

// `measured` on compute capability 9.0, where trials found it to be fastest, even if the assembler
// then keeps a few values of a thread in memory, or where it takes no more registers than the
// assembler would by itself. For newer devices, of which the assembler needs more registers for the
// same kernel, and for older ones: numbers, or 0, with which it keeps fewest there
// (installer/known-spills.txt); nobody has measured them.
struct BlocksByDevice {
    int older;
    int measured;
    int newer;
    int newest = newer;  // compute capability 12.0
};
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 900
constexpr int blocksByDevice(BlocksByDevice blocks) {
    return blocks.measured;
}
#elif __CUDA_ARCH__ < 900
constexpr int blocksByDevice(BlocksByDevice blocks) {
    return blocks.older;
}
#elif __CUDA_ARCH__ < 1200
constexpr int blocksByDevice(BlocksByDevice blocks) {
    return blocks.newer;
}
#else
constexpr int blocksByDevice(BlocksByDevice blocks) {
    return blocks.newest;
}
#endif

// Of so many threads; 0 where a multiprocessor does not hold that many blocks of them.
constexpr int blocksByDevice(BlocksByDevice blocks, int threads) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    constexpr int kHeld = 1024;
#elif defined(__CUDA_ARCH__) && \
    ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200)
    constexpr int kHeld = 1536;
#else
    constexpr int kHeld = 2048;
#endif
    const int chosen = blocksByDevice(blocks);
    return chosen * threads <= kHeld ? chosen : 0;
}

}  // namespace warpscope
