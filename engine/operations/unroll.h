// WARPSCOPE_UNROLL, before a loop over no more than sixteen vectors or sums: an array of them stays
// in registers only where the loop is unrolled, which -O2 alone does not do.
#pragma once

#define WARPSCOPE_UNROLL _Pragma("GCC unroll 16")
