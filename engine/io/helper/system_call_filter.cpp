// Classic BPF: one accumulator, jumps forward only. Each rule that does not answer leaves the
// number of the call in the accumulator.
#include "engine/io/helper/system_call_filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#if defined(__x86_64__)
#define WARPSCOPE_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define WARPSCOPE_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

// Newer than some headers.
#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif
#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#endif
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

namespace warpscope::io {

#ifndef WARPSCOPE_AUDIT_ARCH

std::vector<sock_filter> systemCallFilter() {
    return {};
}

#else

namespace {

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW, kEnd = SECCOMP_RET_KILL_PROCESS;
constexpr std::uint32_t refusal(int code) {
    return SECCOMP_RET_ERRNO | (std::uint32_t(code) & SECCOMP_RET_DATA);
}

class Filter {
  public:
    void load(std::size_t offset) {
        m_code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, std::uint32_t(offset)));
    }
    void loadCall() { load(offsetof(seccomp_data, nr)); }
    // The lower half: both architectures are little-endian, and these arguments are 32 bits.
    void loadArgument(int index) {
        load(offsetof(seccomp_data, args) + std::size_t(index) * sizeof(std::uint64_t));
    }
    void answer(std::uint32_t what) { m_code.push_back(BPF_STMT(BPF_RET | BPF_K, what)); }
    // Passes over the next `count` instructions unless the accumulator is `value`, or has a bit.
    void unlessEqual(std::uint32_t value, std::uint8_t count) {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count));
    }
    void unlessBits(std::uint32_t bits, std::uint8_t count) {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, count));
    }
    // Passes over the next `count` if it is `value`.
    void unlessOther(std::uint32_t value, std::uint8_t count) {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, count, 0));
    }
    void calls(std::initializer_list<long> numbers, std::uint32_t what) {
        for (const long number : numbers) {
            unlessEqual(std::uint32_t(number), 1);
            answer(what);
        }
    }
    // `number` with an argument that is one of `values` is allowed, any other refused.
    void callWith(long number, int argument, std::initializer_list<std::uint32_t> values) {
        unlessEqual(std::uint32_t(number), std::uint8_t(2 * values.size() + 2));
        loadArgument(argument);
        for (const std::uint32_t value : values) {
            unlessEqual(value, 1);
            answer(kAllow);
        }
        answer(refusal(EPERM));
    }
    // Allowed where a pointer is null, else refused.
    void callWithNull(long number, int argument) {
        unlessEqual(std::uint32_t(number), 6);
        loadArgument(argument);
        unlessEqual(0, 3);
        load(offsetof(seccomp_data, args) + std::size_t(argument) * sizeof(std::uint64_t) +
             sizeof(std::uint32_t));
        unlessEqual(0, 1);
        answer(kAllow);
        answer(refusal(EPERM));
    }
    // With any of these bits in an argument one answer, else the other.
    void callByBits(long number, int argument, std::uint32_t bits, std::uint32_t with,
                    std::uint32_t without) {
        unlessEqual(std::uint32_t(number), 4);
        loadArgument(argument);
        unlessBits(bits, 1);
        answer(with);
        answer(without);
    }
    std::vector<sock_filter> take() && { return std::move(m_code); }

  private:
    std::vector<sock_filter> m_code;
};

void allowWork(Filter& filter) {
    filter.calls({SYS_read,
                  SYS_pread64,
                  SYS_readv,
                  SYS_write,
                  SYS_pwrite64,
                  SYS_writev,
                  SYS_lseek,
                  SYS_fstat,
                  SYS_close,
                  SYS_dup,
                  SYS_ftruncate,
                  SYS_memfd_create,
                  SYS_recvmsg,
                  SYS_sendmsg,
                  SYS_ppoll,
                  SYS_eventfd2,
#ifdef SYS_poll
                  SYS_poll,
#endif
                  SYS_munmap,
                  SYS_mremap,
                  SYS_madvise,
                  SYS_brk,
                  SYS_membarrier,
                  SYS_futex,
                  SYS_sched_yield,
                  SYS_sched_getaffinity,
                  SYS_sched_getparam,
                  SYS_sched_getscheduler,
                  SYS_getcpu,
                  SYS_set_robust_list,
                  SYS_set_tid_address,
#ifdef SYS_rseq
                  SYS_rseq,
#endif
                  SYS_clock_gettime,
                  SYS_clock_getres,
                  SYS_gettimeofday,
                  SYS_clock_nanosleep,
                  SYS_nanosleep,
                  SYS_getrandom,
                  SYS_getpid,
                  SYS_gettid,
                  SYS_uname,
                  SYS_sysinfo,
                  SYS_rt_sigaction,
                  SYS_rt_sigprocmask,
                  SYS_rt_sigreturn,
                  SYS_sigaltstack,
                  SYS_restart_syscall,
                  SYS_exit,
                  SYS_exit_group},
                 kAllow);
}

void refuseFiles(Filter& filter) {
    filter.calls(
        {
#ifdef SYS_open
            SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_creat,
#endif
#ifdef SYS_openat2
            SYS_openat2,
#endif
#ifdef SYS_faccessat2
            SYS_faccessat2,
#endif
            SYS_openat, SYS_faccessat, SYS_readlinkat, SYS_statx, SYS_getcwd},
        refusal(EACCES));
    // Of an open file that is fstat(); else the file system is asked, which tells nothing of
    // content.
    filter.callByBits(SYS_newfstatat, 3, AT_EMPTY_PATH, kAllow, refusal(EACCES));
}

void endBreakouts(Filter& filter) {
    filter.calls(
        {
#ifdef SYS_fork
            SYS_fork, SYS_vfork,
#endif
            SYS_execve, SYS_execveat, SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen,
            SYS_accept, SYS_accept4, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
            SYS_kill, SYS_tkill},
        kEnd);
    // Threads are made, processes are not. The newer call has its flags where no filter can look:
    // the C library falls back to the older one.
    filter.callByBits(SYS_clone, 0, CLONE_THREAD, kAllow, kEnd);
#ifdef SYS_clone3
    filter.calls({SYS_clone3}, refusal(ENOSYS));
#endif
}

}  // namespace

std::vector<sock_filter> systemCallFilter() {
    Filter filter;
    // Another architecture, or x32, has other numbers.
    filter.load(offsetof(seccomp_data, arch));
    filter.unlessOther(WARPSCOPE_AUDIT_ARCH, 1);
    filter.answer(kEnd);
    filter.loadCall();
#if defined(__x86_64__)
    constexpr std::uint32_t kX32 = 0x40000000;
    filter.unlessBits(kX32, 1);
    filter.answer(kEnd);
#endif
    allowWork(filter);
    filter.callByBits(SYS_mmap, 2, PROT_EXEC, refusal(EPERM), kAllow);
    filter.callByBits(SYS_mprotect, 2, PROT_EXEC, refusal(EPERM), kAllow);
    filter.callWith(SYS_fcntl, 1,
                    {F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_ADD_SEALS, F_GET_SEALS});
    filter.callWith(SYS_prctl, 0, {PR_SET_NAME, PR_SET_VMA});
    filter.callWithNull(SYS_prlimit64, 2);  // limits are asked for, not set
    filter.callWith(SYS_tgkill, 0, {std::uint32_t(::getpid())});
    refuseFiles(filter);
    endBreakouts(filter);
    filter.answer(refusal(EPERM));
    return std::move(filter).take();
}

#endif

}  // namespace warpscope::io
