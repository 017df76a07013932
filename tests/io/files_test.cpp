// The ways from and to the disk: what is not a file, what changes under way, and saving that leaves
// the old file or the new one. Small text files and names: what cannot be read is said as it is.
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/io/file_bytes.h"
#include "engine/io/image_reader.h"
#include "engine/io/text_file.h"
#include "support/test_case.h"
#include "tests/io/io_helpers.h"
#include "tests/io/ordinary_user.h"

using namespace warpscope;
using namespace io_test;
using namespace warpscope;

namespace fs = std::filesystem;

namespace {

const std::string_view kPgm = "P5 2 2 255\nabcd";

void writeFile(const fs::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary).write(text.data(), std::streamsize(text.size()));
}
std::string readFile(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
std::span<const std::uint8_t> bytesOf(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
int entriesIn(const fs::path& folder) {
    int count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder)) ++count;
    return count;
}

}  // namespace

// Both ends of a pipe; what is written goes in from a thread of its own.
class Pipe {
  public:
    Pipe() { m_open = ::pipe(m_ends) == 0; }
    ~Pipe() {
        // Without a reader the writer ends, wherever it is.
        if (m_open) ::close(m_ends[0]);
        m_writer = {};
        if (m_ends[1] >= 0) ::close(m_ends[1]);
    }
    int readEnd() const { return m_ends[0]; }
    // Pieces with pauses; closes its end behind the last unless it goes on for ever.
    void write(std::vector<std::string> pieces, bool close = true) {
        m_writer = std::jthread([this, pieces, close](std::stop_token stop) {
            ::signal(SIGPIPE, SIG_IGN);
            for (const std::string& piece : pieces) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                for (std::size_t done = 0; done < piece.size() && !stop.stop_requested();) {
                    const ssize_t put = ::write(m_ends[1], &piece[done], piece.size() - done);
                    if (put <= 0) return;
                    done += std::size_t(put);
                }
            }
            if (close) ::close(std::exchange(m_ends[1], -1));
        });
    }

  private:
    int m_ends[2] = {-1, -1};
    bool m_open = false;
    std::jthread m_writer;
};

// The exit code of this executable's test as the superuser of a name space that anybody may have;
// nothing where there is none.
std::optional<int> unshared(const QString& test) {
    QProcess process;
    process.start(QStringLiteral("unshare"),
                  {"--map-root-user", "--mount", "--", QCoreApplication::applicationFilePath(),
                   "files", test});
    if (!process.waitForFinished(kWaitMs)) return {};
    const QByteArray said = process.readAllStandardOutput();
    if (said.contains("SKIP") || !said.contains("Start testing")) return {};
    return process.exitCode();
}

class FilesTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_path;

  private slots:
    void init() {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = m_dir->path().toStdString();
    }
    void cleanup() { m_dir.reset(); }

    void contentDecidesNotTheExtension() {
        writeFile(m_path / "wrong.png", kPgm);
        const auto image = readImage(m_path / "wrong.png");
        REQUIRE_OK(image);
        QVERIFY(image->info().sourceFormat.starts_with("PGM"));
        QCOMPARE(sampleAt(*image, 1, 1), double('d'));
    }

    void whatIsNoImageIsNamed() {
        const auto says = [&](std::string_view content, const char* part) {
            writeFile(m_path / "x.png", content);
            const auto image = readImage(m_path / "x.png");
            REQUIRE_FAILS(image, ErrorCode::Unsupported, "not an image this program reads: ");
            REQUIRE_FAILS(image, ErrorCode::Unsupported, part);
            REQUIRE_FAILS(image, ErrorCode::Unsupported,
                          "it reads PNG, JPEG, TIFF, WebP, BMP, PNM");
            QVERIFY(image.error().message.starts_with((m_path / "x.png").string() + ": "));
        };
        says("", "the file is empty");
        says("hello\nworld", "it is text, \"hello world\"");
        says("GIF89a....", "it is a GIF");
        says("<?xml?><svg>", "it is an SVG drawing");
        says(std::string_view("\1\2\3\0\5", 5), "it begins with the bytes 01 02 03 00 05");
        says("\x89PNG", "it begins with the bytes 89 50 4e 47");
    }

    void whatIsNoFileIsRefused() {
        auto image = readImage(m_path);
        REQUIRE_FAILS(image, ErrorCode::Io, "it is a directory");
        image = readImage(m_path / "missing.png");
        REQUIRE_FAILS(image, ErrorCode::NotFound, "does not exist");
        image = readImage("/dev/zero");
        REQUIRE_FAILS(image, ErrorCode::Io, "it is a device");
        QCOMPARE(::mkfifo((m_path / "fifo").c_str(), 0600), 0);
        image = readImage(m_path / "fifo");  // nobody writes to it: opening would wait for ever
        REQUIRE_FAILS(image, ErrorCode::Io, "it is a FIFO");
        writeFile(m_path / "secret", kPgm);
        fs::permissions(m_path / "secret", fs::perms::none);
        {
            const OrdinaryUser user(m_path);
            image = readImage(m_path / "secret");
        }
        REQUIRE_FAILS(image, ErrorCode::Io, "permission denied");
        fs::permissions(m_path / "secret", fs::perms::owner_all);
    }

    void fileLimitIsNamed() {
        writeFile(m_path / "x.pgm", kPgm);
        ReadOptions options;
        options.limits.maxFileBytes = 10;
        const auto image = readImage(m_path / "x.pgm", options);
        REQUIRE_FAILS(image, ErrorCode::LimitExceeded, "more than the limit of 10 bytes");
    }

    void lineBreaksInNamesStayOutOfMessages() {
        writeFile(m_path / "a\nb.png", "text");
        const auto image = readImage(m_path / "a\nb.png");
        QVERIFY(!image);
        QVERIFY(image.error().message.find('\n') == std::string::npos);
    }

    // Between its front, which decides, and the rest.
    void aFileThatShrinksIsAnError_data() {
        QTest::addColumn<qint64>("becomes");
        QTest::addColumn<QString>("says");
        constexpr qint64 kSize = 10'000'000;
        QTest::newRow("cut within the front") << qint64(1000) << "became shorter";
        QTest::newRow("empty") << qint64(0) << "became shorter";
        QTest::newRow("a byte less") << kSize - 1 << "became shorter";
        QTest::newRow("a byte more") << kSize + 1 << "its size changed";
        QTest::newRow("as it was") << kSize << "";
    }
    void aFileThatShrinksIsAnError() {
        QFETCH(qint64, becomes);
        QFETCH(QString, says);
        const fs::path path = m_path / "big.bin";
        writeFile(path, std::string(10'000'000, 'x'));
        const auto bytes =
            io::readFileBytes(path, 1 << 30, {}, [&](io::Bytes, std::uint64_t) -> Result<void> {
                fs::resize_file(path, std::uintmax_t(becomes));
                return {};
            });
        if (says.isEmpty()) {
            REQUIRE_OK(bytes);
            QCOMPARE(bytes->size, std::size_t(10'000'000));
            QCOMPARE(bytes->data[bytes->size - 1], std::uint8_t('x'));
        } else {
            REQUIRE_FAILS(bytes, ErrorCode::Io, says.toStdString());
            REQUIRE_FAILS(bytes, ErrorCode::Io, "big.bin: ");
        }
    }

    void savesAndReplaces() {
        const fs::path path = m_path / "out.bin";
        REQUIRE_OK(writeFileAtomically(path, bytesOf("first")));
        QCOMPARE(readFile(path), "first");
        fs::permissions(path, fs::perms(0640));
        REQUIRE_OK(writeFileAtomically(path, bytesOf("second, longer")));
        QCOMPARE(readFile(path), "second, longer");
        QVERIFY(fs::status(path).permissions() == fs::perms(0640));
        REQUIRE_OK(writeFileAtomically(path, {}));
        QCOMPARE(readFile(path), "");
        QCOMPARE(entriesIn(m_path), 1);
        const auto image = decode(fromText(kPgm));
        const auto saved = saveImage(*image, m_path / "out.png");
        REQUIRE_OK(saved);
        QCOMPARE(saved->bytes, std::uint64_t(fs::file_size(m_path / "out.png")));
        QVERIFY(sameSamples(*readImage(m_path / "out.png"), *image));
    }

    void relativeNames() {
        const fs::path before = fs::current_path();
        fs::current_path(m_path);
        const auto ok = writeFileAtomically("plain.txt", bytesOf("x"));
        fs::current_path(before);
        REQUIRE_OK(ok);
        QCOMPARE(readFile(m_path / "plain.txt"), "x");
    }

    void protectedFilesAreKept() {
        const fs::path source = m_path / "source.pgm";
        writeFile(source, kPgm);
        fs::create_hard_link(source, m_path / "hard.pgm");
        fs::create_symlink(source, m_path / "soft.pgm");
        fs::create_symlink("soft.pgm", m_path / "softer.pgm");
        WriteOptions options{.protectedFiles = {m_path / "softer.pgm"}};
        for (const char* name : {"source.pgm", "hard.pgm", "soft.pgm", "softer.pgm"}) {
            const auto ok = writeFileAtomically(m_path / name, bytesOf("new"), options);
            REQUIRE_FAILS(ok, ErrorCode::InvalidArgument, "which is protected");
            QCOMPARE(readFile(source), std::string(kPgm));
        }
        REQUIRE_OK(writeFileAtomically(m_path / "other.pgm", bytesOf("new"), options));
        options.overwriteProtected = true;
        REQUIRE_OK(writeFileAtomically(m_path / "softer.pgm", bytesOf("new"), options));
        QVERIFY(fs::is_symlink(m_path / "softer.pgm") && fs::is_symlink(m_path / "soft.pgm"));
        QCOMPARE(readFile(source), "new");
        QCOMPARE(readFile(m_path / "hard.pgm"), std::string(kPgm));  // another name, the old file
    }

    void targetsThatAreNoFilesAreRefused() {
        fs::create_directory(m_path / "folder");
        auto ok = writeFileAtomically(m_path / "folder", bytesOf("x"));
        REQUIRE_FAILS(ok, ErrorCode::Io, "it is a directory");
        ok = writeFileAtomically(m_path / "folder/", bytesOf("x"));
        QVERIFY(!ok);
        ok = writeFileAtomically("/dev/null", bytesOf("x"));
        REQUIRE_FAILS(ok, ErrorCode::Io, "it is a device");
        struct stat status {};
        QVERIFY(::stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
        ok = writeFileAtomically(m_path / "missing" / "x.png", bytesOf("x"));
        REQUIRE_FAILS(ok, ErrorCode::Io, "no such file or folder");
        ok = writeFileAtomically(m_path / std::string(300, 'n'), bytesOf("x"));
        REQUIRE_FAILS(ok, ErrorCode::Io, "the name is too long");
        // As long as a name may be: the temporary file must not make it longer.
        REQUIRE_OK(writeFileAtomically(m_path / std::string(255, 'n'), bytesOf("x")));
        fs::create_symlink("loop", m_path / "loop");
        ok = writeFileAtomically(m_path / "loop", bytesOf("x"));
        REQUIRE_FAILS(ok, ErrorCode::Io, "too many symbolic links");
        QCOMPARE(entriesIn(m_path), 3);
    }

    void readOnlyFoldersAndFilesAreNamed() {
        const fs::path locked = m_path / "locked", open = m_path / "open";
        for (const auto& folder : {locked, open}) {
            fs::create_directory(folder);
            writeFile(folder / "x.bin", "old");
        }
        fs::permissions(locked / "x.bin", fs::perms(0666));
        fs::permissions(locked, fs::perms(0555));
        fs::permissions(open, fs::perms(0777));
        fs::permissions(open / "x.bin", fs::perms(0444));
        Result<void> folder, file;
        {
            const OrdinaryUser user(m_path);
            folder = writeFileAtomically(locked / "x.bin", bytesOf("new"));
            file = writeFileAtomically(open / "x.bin", bytesOf("new"));
        }
        fs::permissions(locked, fs::perms(0700));
        REQUIRE_FAILS(folder, ErrorCode::Io, "no file can be made in the folder");
        REQUIRE_FAILS(folder, ErrorCode::Io, "permission denied");
        REQUIRE_FAILS(file, ErrorCode::Io, "permission denied");
        QCOMPARE(readFile(locked / "x.bin"), "old");
        QCOMPARE(readFile(open / "x.bin"), "old");
    }

    void aLimitOnFileSizesLeavesTheOldFile() {
        const fs::path path = m_path / "x.bin";
        writeFile(path, "old");
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        rlimit small = before;
        small.rlim_cur = 4096;
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
        // Without a handler the signal of this limit would end the program.
        const auto ok = writeFileAtomically(path, bytesOf(std::string(100'000, 'n')));
        ::setrlimit(RLIMIT_FSIZE, &before);
        REQUIRE_FAILS(ok, ErrorCode::Io, "larger than the system allows");
        QCOMPARE(readFile(path), "old");
        QCOMPARE(entriesIn(m_path), 1);
    }

    void aFullDiskLeavesTheOldFile() {
        const fs::path disk = m_path / "disk";
        fs::create_directory(disk);
        if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0) {
            const bool tried = ::getuid() == 0;
            const auto code = tried ? std::nullopt : unshared("aFullDiskLeavesTheOldFile");
            if (!code) QSKIP("no small file system can be mounted here");
            QCOMPARE(*code, 0);
            return;
        }
        writeFile(disk / "x.bin", "old");
        const auto ok = writeFileAtomically(disk / "x.bin", bytesOf(std::string(200'000, 'n')));
        const std::string kept = readFile(disk / "x.bin");
        const int entries = entriesIn(disk);
        ::umount(disk.c_str());
        REQUIRE_FAILS(ok, ErrorCode::Io, "the disk is full");
        QCOMPARE(kept, "old");
        QCOMPARE(entries, 1);
    }

    void readersSeeTheOldOrTheNewFile() {
        const fs::path path = m_path / "x.bin";
        const std::string a(300'000, 'a'), b(500'000, 'b');
        writeFile(path, a);
        std::atomic<int> torn = 0;
        std::jthread reader([&](std::stop_token stop) {
            while (!stop.stop_requested()) {
                const std::string now = readFile(path);
                torn += now != a && now != b;
            }
        });
        for (int i = 0; i < 30; ++i) REQUIRE_OK(writeFileAtomically(path, bytesOf(i % 2 ? a : b)));
        reader.request_stop();
        reader.join();
        QCOMPARE(torn.load(), 0);
    }

    void bytesAsTheyAre() {
        writeFile(m_path / "a.txt", {"a\r\n\0b\xff", 6});
        QCOMPARE(readTextFile(m_path / "a.txt", 100).value(), std::string("a\r\n\0b\xff", 6));
        writeFile(m_path / "empty.txt", "");
        QCOMPARE(readTextFile(m_path / "empty.txt", 100).value(), std::string());
    }

    void whatIsMissingDoesNotExist() {
        const auto missing = readTextFile(m_path / "none.json", 100);
        QVERIFY(!missing);
        QVERIFY(missing.error().code == ErrorCode::NotFound);
        QCOMPARE(missing.error().message, (m_path / "none.json").string() + ": does not exist");
        const auto image = readImage(m_path / "none.png");
        QCOMPARE(image.error().message, (m_path / "none.png").string() + ": does not exist");
    }

    void whatIsNoFile() {
        const auto folder = readTextFile(m_path, 100);
        REQUIRE_FAILS(folder, ErrorCode::Io, "directory");
    }

    void theLimitIsNamed() {
        writeFile(m_path / "long.txt", std::string(101, 'x'));
        const auto over = readTextFile(m_path / "long.txt", 100);
        REQUIRE_FAILS(over, ErrorCode::LimitExceeded, "100");
        QVERIFY(readTextFile(m_path / "long.txt", 101));
    }

    void extensionsAndFormats() {
        QCOMPARE(lowerExtension("a/b.TIFF"), std::string("tiff"));
        QCOMPARE(lowerExtension("archive.tar.GZ"), std::string("gz"));
        QCOMPARE(lowerExtension("none"), std::string());
        QCOMPARE(lowerExtension(".hidden"), std::string());
        QCOMPARE((*formatForSaving("x.JPEG"))->name, std::string("JPEG"));
        const auto unknown = formatForSaving("x.xyz");
        REQUIRE_FAILS(unknown, ErrorCode::Unsupported, "png");
        QVERIFY(!formatForSaving("x.pbm"));  // read only
    }

    void imagesComeThroughPipes() {
        Pipe pipe;
        pipe.write({"P5 2", " 2 255", "\n", "ab", "cd"});
        const auto image = readImageFrom(pipe.readEnd(), "standard input");
        REQUIRE_OK(image);
        QCOMPARE(sampleAt(*image, 1, 1), double('d'));
        // Larger than the pipe and than the first block of memory.
        Pipe large;
        std::string samples(700 * 1000, 'x');
        samples.back() = 'y';
        large.write({"P5 1000 700 255\n", samples});
        const auto whole = readImageFrom(large.readEnd(), "standard input");
        REQUIRE_OK(whole);
        QCOMPARE(sampleAt(*whole, 999, 699), double('y'));
        QCOMPARE(sampleAt(*whole, 998, 699), double('x'));
    }

    // As with files: what has as many bytes as are allowed comes in, one more is refused.
    void theLimitOfAPipe() {
        for (const std::size_t size : {std::size_t(1), std::size_t(5000), std::size_t(1) << 16,
                                       std::size_t(1) << 17, std::size_t(200'001)})
            for (const bool more : {false, true}) {
                Pipe pipe;
                pipe.write({std::string(size, 'x')});
                const auto read = io::readDescriptorBytes(pipe.readEnd(), "standard input",
                                                          size - (more ? 1 : 0), {});
                if (more) {
                    REQUIRE_FAILS(read, ErrorCode::LimitExceeded,
                                  "than the limit of " + std::to_string(size - 1));
                } else {
                    REQUIRE_OK(read);
                    QCOMPARE(read->size, size);
                }
            }
    }

    void pipesThatAskForMuchAreRefused() {
        // Nobody closes this one: what is no image is refused by its first bytes.
        Pipe text;
        text.write({std::string(5000, 't')}, false);
        const auto refused1 = readImageFrom(text.readEnd(), "standard input");
        REQUIRE_FAILS(refused1, ErrorCode::Unsupported, "standard input: not an image");
        Pipe empty;
        empty.write({});
        const auto refused2 = readImageFrom(empty.readEnd(), "standard input");
        REQUIRE_FAILS(refused2, ErrorCode::Unsupported, "the file is empty");
        Pipe endless;
        endless.write({"P5 2 2 255\n", std::string(400'000, 'x')}, false);
        ReadOptions options;
        options.limits.maxDecodedBytes = 200'000;
        const auto refused3 = readImageFrom(endless.readEnd(), "standard input", options);
        REQUIRE_FAILS(refused3, ErrorCode::LimitExceeded, "more than the limit of");
        options.limits.maxFileBytes = 100'000;
        Pipe other;
        other.write({"P5 2 2 255\n", std::string(400'000, 'x')}, false);
        const auto refused4 = readImageFrom(other.readEnd(), "standard input", options);
        REQUIRE_FAILS(refused4, ErrorCode::LimitExceeded, "100000");
        Pipe silent;
        std::stop_source stop;
        options.stop = stop.get_token();
        std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            stop.request_stop();
        });
        const auto refused5 = readImageFrom(silent.readEnd(), "standard input", options);
        REQUIRE_FAILS(refused5, ErrorCode::Cancelled, "");
    }

    // In a process of its own, because no save succeeds afterwards.
    void abandonedSavesLeaveNothing() {
        const fs::path folder = m_path / "abandoned";
        fs::create_directory(folder);
        for (int round = 0; round < 8; ++round) {
            const pid_t child = ::fork();
            if (child == 0) {
                const std::vector<std::uint8_t> bytes(8 << 20, std::uint8_t(round));
                std::thread([&] {
                    for (int i = 0;; ++i)
                        (void)writeFileAtomically(folder / std::to_string(i % 3), bytes);
                }).detach();
                std::this_thread::sleep_for(std::chrono::milliseconds(3 + 9 * round));
                abandonSaves();
                ::_exit(0);
            }
            int status = -1;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QCOMPARE(status, 0);
            for (const auto& entry : fs::directory_iterator(folder)) {
                QVERIFY2(entry.path().filename().string().size() == 1, entry.path().c_str());
                QCOMPARE(entry.file_size(), std::uintmax_t(8 << 20));
            }
        }
    }
};

WARPSCOPE_TEST(FilesTest)
#include "files_test.moc"
