// Whatever goes wrong while a file is saved, and whenever the program is killed: the old file or
// the new one stands there, and what was said is true.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <random>
#include <thread>

#include "engine/io/file_handle.h"
#include "support/random_seed.h"
#include "support/test_case.h"
#include "tests/io/faulty_file_calls.h"
#include "tests/io/io_helpers.h"
#include "tests/io/saving_folder.h"

using namespace warpscope;
using namespace io_test;

namespace {

// Several writes of at most kPiece each.
constexpr std::size_t kPiece = 30'000;
const std::string kOldText(50'000, 'o'), kNewText(100'000, 'n');

enum class Target { New, Existing, BehindLinks };

// "x" is saved; what it is before.
void prepareTarget(const SavingFolder& folder, Target target) {
    if (target == Target::New) return;
    folder.put(target == Target::BehindLinks ? "real" : "x", kOldText);
    if (target == Target::Existing) return;
    std::filesystem::create_symlink("between", folder.path("x"));
    std::filesystem::create_symlink("real", folder.path("between"));
}

std::string oldTextOf(Target target) {
    return target == Target::New ? std::string() : kOldText;
}

// In a process of its own, which returns what waitpid() tells.
template <class Body>
int inChild(Body&& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        body();
        ::_exit(0);
    }
    int status = -1;
    return ::waitpid(child, &status, 0) == child ? status : -1;
}

bool wasKilled(int status) {
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

}  // namespace

class SavingTest : public QObject {
    Q_OBJECT

    static void addTargets() {
        QTest::addColumn<int>("target");
        QTest::newRow("new") << int(Target::New);
        QTest::newRow("existing") << int(Target::Existing);
        QTest::newRow("behind links") << int(Target::BehindLinks);
    }

  private slots:
    void everyCallMayFail_data() { addTargets(); }
    void everyCallMayFail() {
        QFETCH(int, target);
        // Some file systems know no locks.
        const std::string harmless = "lock";
        std::set<std::string> seen, refused;
        int calls = 0;
        for (const int code : {EIO, ENOSPC, EDQUOT, EACCES, EROFS, EINVAL, EINTR, ENOMEM}) {
            for (int n = 0;; ++n) {
                const SavingFolder folder;
                prepareTarget(folder, Target(target));
                std::string failed;
                bool renamed = false;
                Result<std::vector<std::string>> done;
                {
                    const FaultyFileCalls faults(
                        [&](std::string_view name, int index) {
                            if (index == n) failed = name;
                            renamed = renamed || (name == "rename" && index != n);
                            return index == n ? code : 0;
                        },
                        kPiece);
                    done = folder.save("x", kNewText);
                }
                if (failed.empty()) break;  // the save has no n calls
                calls = std::max(calls, n);
                seen.insert(failed);
                const QByteArray at = QByteArray::fromStdString(
                    failed + ", call " + std::to_string(n) + ", " + io::systemReason(code) + ": " +
                    (done ? "saved" : done.error().message));
                QVERIFY2(folder.get("x") == (renamed ? kNewText : oldTextOf(Target(target))), at);
                QVERIFY2(folder.get("x") == kNewText || !done, at);
                if (Target(target) == Target::BehindLinks)
                    QVERIFY2(std::filesystem::is_symlink(folder.path("x")) &&
                                 std::filesystem::is_symlink(folder.path("between")),
                             at);
                if (!done) {
                    refused.insert(failed);
                    QVERIFY2(done.error().message.ends_with(io::systemReason(code)), at);
                    QVERIFY2(
                        !renamed || done.error().message.find(": saved, but") != std::string::npos,
                        at);
                    QVERIFY2(failed != harmless, at);
                }
                for (const std::string& name : folder.names())
                    QVERIFY2(!name.ends_with(".tmp"), at);
            }
        }
        qInfo("%d calls", calls + 1);
        std::set<std::string> wanted{"open", "write", "syncRange", "fsync", "fstat",
                                     "stat", "lstat", "duplicate", "close", "rename"};
        if (Target(target) != Target::New) wanted.insert({"fchmod", "mayWrite"});
        if (Target(target) == Target::BehindLinks) wanted.insert("readlink");
        for (const std::string& name : wanted)
            QVERIFY2(seen.contains(name) && refused.contains(name), name.c_str());
    }

    // What fails for good, as a disk that stays full, and cannot be tidied up either.
    void everyCallMayFailForGood() {
        for (int n = 0, calls = 1; n < calls; ++n) {
            const SavingFolder folder;
            folder.put("x", kOldText);
            bool renamed = false;
            Result<std::vector<std::string>> done;
            {
                const FaultyFileCalls faults(
                    [&](std::string_view name, int index) {
                        calls = std::max(calls, index + 1);
                        if (index >= n) return EIO;
                        renamed = renamed || name == "rename";
                        return 0;
                    },
                    kPiece);
                done = folder.save("x", kNewText);
            }
            const QByteArray at = QByteArray::number(n);
            QVERIFY2(folder.get("x") == (renamed ? kNewText : kOldText), at);
            QVERIFY2(renamed || !done, at);
            // Once the disk is well again, nothing is left.
            QVERIFY2(folder.becomes({"x", "sweeper"}), at);
        }
    }

    void writesInPiecesAndInterrupted() {
        const SavingFolder folder;
        {
            bool interrupted = false;
            const FaultyFileCalls faults(
                [&](std::string_view name, int) {
                    interrupted = name == "write" && !interrupted;
                    return interrupted ? EINTR : 0;
                },
                7);
            QVERIFY(folder.save("x", kNewText));
        }
        QVERIFY(folder.get("x") == kNewText);
    }

    // A file system that says yes and keeps less.
    void whatDidNotReachTheDiskIsRefused() {
        const SavingFolder folder;
        folder.put("x", kOldText);
        static int lost;
        lost = 0;
        io::FileCalls calls = io::systemFileCalls();
        calls.write = [](int file, const void* bytes, std::size_t count) {
            if (++lost > 1) return ssize_t(count);
            return io::systemFileCalls().write(file, bytes, std::min(count, kPiece));
        };
        io::replaceFileCalls(&calls);
        const auto done = folder.save("x", kNewText);
        io::replaceFileCalls(nullptr);
        REQUIRE_FAILS(done, ErrorCode::Io, "30000 of 100000 bytes reached the disk");
        QVERIFY(folder.get("x") == kOldText);
        QCOMPARE(folder.names(), std::set<std::string>{"x"});
    }

    void killedBeforeAnyCall_data() { addTargets(); }
    void killedBeforeAnyCall() {
        QFETCH(int, target);
        int killed = 0;
        for (bool more = true; more;) {
            const SavingFolder folder;
            prepareTarget(folder, Target(target));
            std::set<std::string> names = folder.names();
            const int status = inChild([&] {
                const FaultyFileCalls faults(
                    [&](std::string_view, int index) {
                        if (index == killed) ::raise(SIGKILL);
                        return 0;
                    },
                    kPiece);
                if (!folder.save("x", kNewText)) ::_exit(1);
            });
            more = wasKilled(status);
            if (more)
                ++killed;
            else
                QCOMPARE(status, 0);
            const std::string now = folder.get("x");
            QVERIFY2(now == kNewText || (more && now == oldTextOf(Target(target))),
                     QByteArray::number(killed));
            if (!now.empty()) names.insert("x");
            names.insert("sweeper");
            QVERIFY2(folder.becomes(names), QByteArray::number(killed));
        }
        QVERIFY2(killed > 10, QByteArray::number(killed));
    }

    void killedAtAnyMoment() {
        const SavingFolder folder;
        const std::string a(3'000'000, 'a'), b(2'000'000, 'b');
        folder.put("x", a);
        std::mt19937 random(test::freshSeed());
        int left = 0;
        for (int round = 0; round < 25; ++round) {
            // Two programs that save the same file.
            pid_t children[2];
            for (const bool second : {false, true}) {
                children[second] = ::fork();
                if (children[second] != 0) continue;
                for (int i = second;; ++i) (void)folder.save("x", i % 2 ? b : a);
            }
            std::this_thread::sleep_for(std::chrono::microseconds(500 + random() % 20'000));
            for (const pid_t child : children) {
                ::kill(child, SIGKILL);
                int status = 0;
                QCOMPARE(::waitpid(child, &status, 0), child);
                QVERIFY(wasKilled(status));
            }
            const std::string now = folder.get("x");
            QVERIFY(now == a || now == b);
            left += int(folder.names().size()) - 1;
        }
        qInfo("%d temporary files stood there after 25 rounds", left);
        QVERIFY(folder.becomes({"x", "sweeper"}));
    }

    void aSaveIsCancelledBetweenPieces() {
        // More than one piece between two looks at the token.
        const std::string large(20 << 20, 'n');
        for (const char* when : {"open", "write", "syncRange", "fsync", "fstat"}) {
            const SavingFolder folder;
            folder.put("x", kOldText);
            std::stop_source stop;
            Result<std::vector<std::string>> done;
            {
                const FaultyFileCalls faults([&](std::string_view name, int) {
                    if (name == when) stop.request_stop();
                    return 0;
                });
                done = folder.save("x", large, {.stop = stop.get_token()});
            }
            REQUIRE_FAILS(done, ErrorCode::Cancelled, "");
            QVERIFY2(folder.get("x") == kOldText, when);
            QCOMPARE(folder.names(), std::set<std::string>{"x"});
        }
        // Too late: the new file is there, and that is said.
        const SavingFolder folder;
        std::stop_source stop;
        const FaultyFileCalls faults([&](std::string_view name, int) {
            if (name == "rename") stop.request_stop();
            return 0;
        });
        QVERIFY(folder.save("x", kNewText, {.stop = stop.get_token()}));
        QVERIFY(folder.get("x") == kNewText);
    }

    void savesSideBySide() {
        const SavingFolder folder;
        std::atomic<int> failed = 0;
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 4; ++t)
                threads.emplace_back([&, t] {
                    for (int i = 0; i < 25; ++i)
                        failed += !folder.save(
                            "x", std::string(std::size_t(1000 * (t + 1)), char('a' + t)));
                });
        }
        QCOMPARE(failed.load(), 0);
        const std::string now = folder.get("x");
        QCOMPARE(now, std::string(std::size_t(1000 * (now[0] - 'a' + 1)), now[0]));
        QCOMPARE(folder.names(), std::set<std::string>{"x"});
    }
};

WARPSCOPE_TEST(SavingTest)
#include "saving_test.moc"
