// What loops over vectors need and -O2 does not do by itself.
#pragma once

// Before a loop over no more than sixteen vectors or sums: an array of them stays in registers only
// where the loop is unrolled.
#define WARPSCOPE_UNROLL _Pragma("GCC unroll 16")

// After the parameters and HWY_ATTR of a lambda that works on one vector: called in two places it
// is else a function, which sets up its constants anew for each vector.
#define WARPSCOPE_INLINED __attribute__((always_inline))
