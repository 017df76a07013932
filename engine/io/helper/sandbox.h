// What the decoding process gives up before it sees a byte of a file.
#pragma once

#include <string>

namespace warpscope::io {

struct SandboxState {
    // The kernel looks at every system call of every thread from now on.
    bool filtered = false;
    // Where it does not, why, in a few words.
    std::string whyNot;
};

// For good, for all threads: no core files, few descriptors, no new privileges, and a filter on
// system calls. Memory, threads, clocks, and reading and writing what is open stay allowed. Opening
// a file, by whatever name, is refused (EACCES): libraries ask for files of the system and can do
// without. Starting programs or processes, sockets, looking into other processes and calls of
// another architecture end the process (SIGSYS). Everything else, executable memory too, is refused
// (EPERM). Builds with a sanitizer, which needs files and address space, are not filtered.
SandboxState enterSandbox();

// False in builds with a sanitizer, which reserves more address space than any limit.
bool limitsAddressSpace();

}  // namespace warpscope::io
