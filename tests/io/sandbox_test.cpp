// What the filter on system calls lets through, refuses and ends, tried in processes of their own.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <thread>

#include "engine/io/helper/sandbox.h"
#include "support/test_case.h"

using namespace warpscope::io;

namespace {

// How a process ends that enters the sandbox and does this; its exit status is what `act` returns.
int statusOf(const std::function<int()>& act) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (!enterSandbox().filtered) ::_exit(200);
        ::_exit(act());
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return status;
}

int triedOpen() {
    return ::open("/etc/passwd", O_RDONLY | O_CLOEXEC) < 0 ? errno : 0;
}

}  // namespace

class SandboxTest : public QObject {
    Q_OBJECT

    void compareExit(const std::function<int()>& act, int expected) {
        const int status = statusOf(act);
        QVERIFY(WIFEXITED(status));
        if (WEXITSTATUS(status) == 200) QSKIP("this kernel, or this build, does not filter");
        QCOMPARE(WEXITSTATUS(status), expected);
    }
    void compareEnd(const std::function<int()>& act, int signal) {
        const int status = statusOf(act);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 200)
            QSKIP("this kernel, or this build, does not filter");
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(WTERMSIG(status), signal);
    }

  private slots:
    void refusesFiles() {
        compareExit(triedOpen, EACCES);
        compareExit([] { return ::access("/etc/passwd", R_OK) < 0 ? errno : 0; }, EACCES);
        compareExit([] { return ::syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY) < 0 ? errno : 0; },
                    EACCES);
    }

    void refusesAlsoInThreads() {
        compareExit(
            [] {
                int code = 0;
                std::thread([&] { code = triedOpen(); }).join();
                return code;
            },
            EACCES);
    }

    void refusesTheRest() {
        compareExit([] { return ::unlink("/nowhere") < 0 ? errno : 0; }, EPERM);
        compareExit(
            [] {
                return ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                              0) == MAP_FAILED
                           ? errno
                           : 0;
            },
            EPERM);
        compareExit(
            [] {
                const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
                return ::setrlimit(RLIMIT_AS, &all) < 0 ? errno : 0;
            },
            EPERM);
        compareExit([] { return ::fcntl(0, F_SETOWN, 1) < 0 ? errno : 0; }, EPERM);
        compareExit([] { return ::prctl(22 /* PR_SET_SECCOMP */, 0) < 0 ? errno : 0; }, EPERM);
    }

    void endsBreakouts_data() {
        QTest::addColumn<int>("number");
        QTest::newRow("socket") << int(SYS_socket);
        QTest::newRow("execve") << int(SYS_execve);
        QTest::newRow("execveat") << int(SYS_execveat);
        QTest::newRow("ptrace") << int(SYS_ptrace);
        QTest::newRow("clone, a process") << int(SYS_clone);
        QTest::newRow("kill") << int(SYS_kill);
#ifdef SYS_fork
        QTest::newRow("fork") << int(SYS_fork);
        QTest::newRow("vfork") << int(SYS_vfork);
#endif
#if defined(__x86_64__)
        QTest::newRow("x32") << int(SYS_read | 0x40000000);
#endif
    }
    void endsBreakouts() {
        QFETCH(int, number);
        compareEnd([&] { return int(::syscall(number, 0, 0, 0, 0, 0, 0)); }, SIGSYS);
    }

    void letsWork() {
        compareExit(
            [] {
                // Threads, memory and clocks, in amounts.
                std::vector<std::thread> threads;
                std::vector<std::vector<char>> blocks(16);
                for (auto& block : blocks)
                    threads.emplace_back([&] { block.assign(5'000'000, 'x'); });
                for (auto& thread : threads) thread.join();
                rlimit limit{};
                return ::getrlimit(RLIMIT_AS, &limit) == 0 && blocks[7][4'999'999] == 'x' ? 42 : 1;
            },
            42);
    }

    void endsByAbort() {
        compareEnd(
            []() -> int {
                // QtTest's handler would start a debugger, which ends otherwise here.
                ::signal(SIGABRT, SIG_DFL);
                std::abort();
            },
            SIGABRT);
    }
};

WARPSCOPE_TEST(SandboxTest)
#include "sandbox_test.moc"
