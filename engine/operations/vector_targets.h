// Which instruction set the vector code of this folder uses. The best one of the machine, unless a
// test forces another: every one must give the same bits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpscope {

// Those that this machine can run, best first: "AVX3_VNNI" (AVX3 with byte permutes and dot
// products), "AVX3_VBMI" (with byte permutes), "AVX3", "AVX2", "SSE4", "SSSE3", "SCALAR" on x86.
std::vector<std::string> vectorTargets();

// From now on only `name` is used, one of vectorTargets(); empty for the best one again. Not to be
// called while an operation runs. False if the machine has no such target.
bool forceVectorTarget(std::string_view name);

// Whether byte permutes of AVX-512 VBMI are there and not forbidden by forceVectorTarget().
bool hasBytePermutes();
// The same of byte permutes together with the dot products of AVX-512 VNNI.
bool hasDotProducts();

}  // namespace warpscope
