// What this program was built from and how: figures without it cannot be repeated.
#pragma once

#include <string>

namespace warpscope {

std::string buildCommit();   // "1a2b3c4d5e6f"; with "+" where the source was changed; may be empty
std::string buildOptions();  // build type and options of the compiler: "-O2", "Release"

}  // namespace warpscope
