// What loops over vectors need and -O2 does not do by itself.
#pragma once

// Before a loop over no more than sixteen vectors or sums: an array of them stays in registers only
// where the loop is unrolled.
#define WARPSCOPE_UNROLL _Pragma("GCC unroll 16")

// After the parameters and HWY_ATTR of a lambda that works on one vector: called in two places it
// is else a function, which sets up its constants anew for each vector.
#define WARPSCOPE_INLINED __attribute__((always_inline))

// In #if, of the instruction set that is compiled for: whether vectors are registers of x86, and a
// byte permute takes the lower four bits of each index that is not negative.
#define WARPSCOPE_X86_VECTORS (HWY_ARCH_X86 && HWY_TARGET <= HWY_SSSE3)
