#include "engine/io/helper/sandbox.h"

#include <fmt/format.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "engine/io/file_handle.h"
#include "engine/io/helper/system_call_filter.h"

// GCC defines macros, Clang has features.
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WARPSCOPE_SANITIZED 1
#else
#define WARPSCOPE_SANITIZED 0
#endif

namespace warpscope::io {
namespace {

// One socket, one file, and a few images at a time.
constexpr rlim_t kMostOpen = 64;

void limit(__rlimit_resource_t what, rlim_t most) {
    rlimit now{};
    if (::getrlimit(what, &now) != 0) return;
    if (now.rlim_max == RLIM_INFINITY || now.rlim_max > most) now.rlim_max = most;
    now.rlim_cur = now.rlim_max;
    ::setrlimit(what, &now);
}

}  // namespace

bool limitsAddressSpace() {
    return WARPSCOPE_SANITIZED == 0;
}

SandboxState enterSandbox() {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, kMostOpen);
    if (WARPSCOPE_SANITIZED != 0) return {false, "this build has a sanitizer"};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return {false, fmt::format("the system refuses it: {}", systemReason(errno))};
    std::vector<sock_filter> code = systemCallFilter();
    if (code.empty()) return {false, "there is none for this architecture"};
    const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
    // TSYNC: threads that libraries have started already are filtered too.
    if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
        return {false, fmt::format("the kernel refuses it: {}", systemReason(errno))};
    return {true, {}};
}

}  // namespace warpscope::io
