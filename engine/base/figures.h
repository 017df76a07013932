// Figures as people read them, in tables, files and messages.
#pragma once

#include <string>

namespace warpscope {

std::string msText(double ms);             // "0.0123" to "1234"; "-" for 0 and infinity
std::string ratioText(double factor);      // "212x", "6.1x", "0.35x"
std::string threadsText(int threads);      // "1 thread", "16 threads"
std::string aboutSeconds(double seconds);  // rounded up: "95 s", "3 min", "2 h"

// How many digits stand behind the point of a value that is to have three significant digits; below
// 0 for 1,000 and more, 0 for what is not above 0 or not finite.
int decimalsOfThreeDigits(double value);

}  // namespace warpscope
