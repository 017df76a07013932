// The program that the kernel runs on each system call of the decoding process.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace warpscope::io {

// Empty for architectures that it was not written for. Of the calling process: it may send signals
// to itself, which is how abort() ends it.
std::vector<sock_filter> systemCallFilter();

}  // namespace warpscope::io
