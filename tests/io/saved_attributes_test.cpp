// What a saved file takes over from the one it replaces, what links to it become, and what killed
// programs have left in its folder.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/io/file_handle.h"
#include "support/test_case.h"
#include "tests/io/faulty_file_calls.h"
#include "tests/io/io_helpers.h"
#include "tests/io/ordinary_user.h"
#include "tests/io/saving_folder.h"

using namespace warpscope;
using namespace io_test;

namespace {

// As temporary files are named.
constexpr const char* kLeft = ".warpscope-1a2b-3-0123abcd.tmp";
constexpr uid_t kSomebody = 65534;

struct stat statusOf(const std::filesystem::path& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) status = {};
    return status;
}

unsigned modeOf(const std::filesystem::path& path) {
    return statusOf(path).st_mode & 07777;
}

}  // namespace

class SavedAttributesTest : public QObject {
    Q_OBJECT
  private slots:
    void permissionsAreKept() {
        const SavingFolder folder;
        for (const unsigned mode : {0600u, 0640u, 0664u, 0755u, 0200u}) {
            folder.put("x", "old");
            QCOMPARE(::chmod(folder.path("x").c_str(), mode), 0);
            QVERIFY(folder.save("x", "new"));
            QCOMPARE(modeOf(folder.path("x")), mode);
            std::filesystem::remove(folder.path("x"));
        }
        // A program that somebody made of it must not gain rights by our bytes.
        folder.put("x", "old");
        for (const unsigned mode : {06755u, 04755u, 02775u, 07777u}) {
            QCOMPARE(::chmod(folder.path("x").c_str(), mode), 0);
            QVERIFY(folder.save("x", "new"));
            QCOMPARE(modeOf(folder.path("x")), mode & 0777);
        }
        // A new one is as everybody's files are.
        const mode_t before = ::umask(027);
        const auto made = folder.save("y", "new");
        ::umask(before);
        REQUIRE_OK(made);
        QCOMPARE(modeOf(folder.path("y")), 0640u);
    }

    void whatIsPrivateIsSoWhileItIsWritten() {
        const SavingFolder folder;
        folder.put("x", "old");
        QCOMPARE(::chmod(folder.path("x").c_str(), 0600), 0);
        int looked = 0;
        const FaultyFileCalls calls([&](std::string_view name, int) {
            if (name != "write" && name != "fsync") return 0;
            for (const std::string& one : folder.names())
                if (one.ends_with(".tmp"))
                    looked += (modeOf(folder.path(one)) & 077) == 0 ? 1 : -1000;
            return 0;
        });
        QVERIFY(folder.save("x", "new"));
        QCOMPARE(looked, 2);
    }

    void theOwnerIsKeptWhereAllowed() {
        if (::geteuid() != 0) QSKIP("only the superuser may give files away");
        const SavingFolder folder;
        folder.put("x", "old");
        QCOMPARE(::chown(folder.path("x").c_str(), kSomebody, 12345), 0);
        const auto done = folder.save("x", "new");
        REQUIRE_OK(done);
        QVERIFY(done->empty());
        QCOMPARE(statusOf(folder.path("x")).st_uid, kSomebody);
        QCOMPARE(statusOf(folder.path("x")).st_gid, gid_t(12345));
    }

    void anOwnerThatCannotBeKeptIsSaid() {
        if (::geteuid() != 0) QSKIP("only the superuser may become somebody else");
        const SavingFolder folder;
        const auto path = folder.path("x");
        QCOMPARE(::chmod(folder.path().c_str(), 0777), 0);
        // What the group was allowed becomes what all are: another group takes its place.
        const std::pair<unsigned, unsigned> modes[] = {{0666, 0666}, {0676, 0666}, {0662, 0622}};
        for (const auto& [before, after] : modes) {
            folder.put("x", "old");
            QCOMPARE(::chown(path.c_str(), 4321, 12345), 0);
            QCOMPARE(::chmod(path.c_str(), before), 0);
            Result<std::vector<std::string>> done;
            {
                const OrdinaryUser user(folder.path());
                QCOMPARE(::seteuid(0), 0);  // the folder is open to all again
                QCOMPARE(::chmod(folder.path().c_str(), 0777), 0);
                QCOMPARE(::seteuid(kSomebody), 0);
                done = folder.save("x", "new");
            }
            REQUIRE_OK(done);
            QCOMPARE(done->size(), std::size_t(2));
            QVERIFY(anyContains(*done, "owner of the old file could not be kept"));
            QVERIFY(anyContains(*done, "group of the old file could not be kept"));
            QCOMPARE(folder.get("x"), "new");
            QCOMPARE(modeOf(path), after);
            QCOMPARE(statusOf(path).st_uid, kSomebody);
            std::filesystem::remove(path);
        }
    }

    void hardLinksKeepTheOldFileAndItIsSaid() {
        const SavingFolder folder;
        folder.put("x", "old");
        std::filesystem::create_hard_link(folder.path("x"), folder.path("other"));
        const auto first = folder.save("x", "new");
        REQUIRE_OK(first);
        QVERIFY(anyContains(*first, "hard links"));
        QCOMPARE(folder.get("x"), "new");
        QCOMPARE(folder.get("other"), "old");
        const auto second = folder.save("x", "newer");
        REQUIRE_OK(second);
        QVERIFY(second->empty());
    }

    void imagesSayIt() {
        const SavingFolder folder;
        folder.put("x.pgm", "P5 2 2 255\nabcd");
        std::filesystem::create_hard_link(folder.path("x.pgm"), folder.path("other"));
        const auto saved = saveImage(readImage(folder.path("x.pgm")).value(), folder.path("x.pgm"));
        REQUIRE_OK(saved);
        QVERIFY(anyContains(saved->notices, "hard links"));
    }

    void symbolicLinksStay() {
        const SavingFolder folder;
        std::filesystem::create_directory(folder.path("below"));
        folder.put("below/real", "old");
        std::filesystem::create_symlink("below/next", folder.path("x"));
        std::filesystem::create_symlink("real", folder.path("below/next"));
        QVERIFY(folder.save("x", "new"));
        QVERIFY(std::filesystem::is_symlink(folder.path("x")));
        QVERIFY(std::filesystem::is_symlink(folder.path("below/next")));
        QVERIFY(S_ISREG(statusOf(folder.path("below/real")).st_mode));
        QCOMPARE(folder.get("below/real"), "new");
        // One that points to nothing yet.
        std::filesystem::create_symlink("below/made", folder.path("y"));
        QVERIFY(folder.save("y", "made"));
        QVERIFY(std::filesystem::is_symlink(folder.path("y")));
        QCOMPARE(folder.get("below/made"), "made");
        QCOMPARE(folder.names(), (std::set<std::string>{"below", "x", "y"}));
    }

    void whatKilledProgramsLeftIsSwept() {
        const SavingFolder folder;
        folder.put(kLeft, "half an image");
        folder.put(".warpscope-ffff-0-ffffffff.tmp", "");
        QVERIFY(folder.becomes({"sweeper"}));
    }

    void whatIsNotLeftStays() {
        const SavingFolder folder;
        const std::set<std::string> others{".warpscope-notes.tmp",   ".warpscope-1-2.tmp",
                                           ".warpscope-1-2-3-4.tmp", "warpscope-1-2-3.tmp",
                                           ".warpscope-1-2-3.png",   ".warpscope-.tmp"};
        for (const std::string& name : others) folder.put(name, "somebody's");
        // No files, and another name of one.
        std::filesystem::create_directory(folder.path(".warpscope-1-1-d0.tmp"));
        std::filesystem::create_symlink("x", folder.path(".warpscope-1-1-d1.tmp"));
        QCOMPARE(::mkfifo(folder.path(".warpscope-1-1-d2.tmp").c_str(), 0600), 0);
        folder.put("x", "precious");
        std::filesystem::create_hard_link(folder.path("x"), folder.path(".warpscope-1-1-d3.tmp"));
        // Of a save that lives, in whatever program.
        folder.put(kLeft, "so far");
        io::FileHandle owner(::open(folder.path(kLeft).c_str(), O_RDONLY | O_CLOEXEC));
        QCOMPARE(::flock(owner.get(), LOCK_EX | LOCK_NB), 0);
        std::set<std::string> all = folder.names();
        all.insert({"sweeper", "y"});
        // The second file shows that the folder was looked through.
        folder.put(".warpscope-2-2-0.tmp", "left");
        QVERIFY(folder.save("y", "z"));
        QVERIFY(folder.becomes(all));
        QCOMPARE(folder.get("x"), "precious");
        owner.close();
        all.erase(kLeft);
        QVERIFY(folder.becomes(all));
    }

    void filesOfOthersStay() {
        if (::geteuid() != 0) QSKIP("only the superuser may become somebody else");
        const SavingFolder folder;
        folder.put(kLeft, "of the superuser");
        QCOMPARE(::chmod(folder.path(kLeft).c_str(), 0666), 0);
        Result<std::vector<std::string>> done;
        {
            const OrdinaryUser user(folder.path());
            QCOMPARE(::seteuid(0), 0);
            QCOMPARE(::chmod(folder.path().c_str(), 0777), 0);
            QCOMPARE(::seteuid(kSomebody), 0);
            done = folder.save("x", "new");
        }
        REQUIRE_OK(done);
        QVERIFY(folder.names().contains(kLeft));
    }

    // Somebody sweeps in the moment between making a file and locking it.
    void aTemporaryFileThatIsSweptAwayIsMadeAgain() {
        const SavingFolder folder;
        int swept = 0;
        {
            const FaultyFileCalls calls([&](std::string_view name, int) {
                if (name != "lock" || swept == 2) return 0;
                for (const std::string& one : folder.names())
                    if (one.ends_with(".tmp")) std::filesystem::remove(folder.path(one));
                return ++swept == 1 ? 0 : EWOULDBLOCK;  // gone; being swept just now
            });
            QVERIFY(folder.save("x", "new"));
        }
        QCOMPARE(swept, 2);
        QCOMPARE(folder.get("x"), "new");
        QCOMPARE(folder.names(), std::set<std::string>{"x"});
    }
};

WARPSCOPE_TEST(SavedAttributesTest)
#include "saved_attributes_test.moc"
