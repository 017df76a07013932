// The old file or the new one: bytes go to a temporary file beside the target, which replaces it
// by one rename after everything was flushed and compared in length.
#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <new>
#include <optional>
#include <vector>

#include "engine/io/decode_support.h"
#include "engine/io/file_calls.h"
#include "engine/io/temporary_file.h"

namespace warpscope {
namespace io {

std::string systemReason(int code) {
    switch (code) {
        case ENOSPC:
            return "the disk is full";
        case EDQUOT:
            return "the disk quota is used up";
        case EFBIG:
            return "the file would be larger than the system allows";
        case EROFS:
            return "the file system is read-only";
        case EACCES:
        case EPERM:
            return "permission denied";
        case ENAMETOOLONG:
            return "the name is too long";
        case ENOENT:
            return "no such file or folder";
        case ENOTDIR:
            return "a part of its path is not a folder";
        case ELOOP:
            return "too many symbolic links";
        case EIO:
            return "the disk reported an error";
        default: {
            char buffer[256] = "";
            return strerror_r(code, buffer, sizeof buffer);  // the GNU one, safe between threads
        }
    }
}

}  // namespace io

namespace {

namespace fs = std::filesystem;

// Between two looks at the stop token. What is on its way to the disk is never more than two, so
// that flushing the rest, which nothing interrupts, is short on slow disks too.
constexpr std::size_t kChunkBytes = 4 << 20;
constexpr int kMaxLinks = 40;  // as the kernel's own limit

// Writing beyond the limit on file sizes raises SIGXFSZ, which ends the program before it can say
// why. Held back in this thread, the write reports EFBIG instead.
class FileSizeSignalBlock {
  public:
    FileSizeSignalBlock() {
        sigemptyset(&m_signal);
        sigaddset(&m_signal, SIGXFSZ);
        pthread_sigmask(SIG_BLOCK, &m_signal, &m_before);
    }
    ~FileSizeSignalBlock() {
        const timespec now{0, 0};
        if (!sigismember(&m_before, SIGXFSZ))
            while (sigtimedwait(&m_signal, nullptr, &now) == SIGXFSZ) {
            }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    FileSizeSignalBlock(const FileSizeSignalBlock&) = delete;
    FileSizeSignalBlock& operator=(const FileSizeSignalBlock&) = delete;

  private:
    sigset_t m_signal, m_before;
};

// An interrupted call is made again.
template <class Call>
auto again(Call&& call) {
    auto answer = call();
    while (answer < 0 && errno == EINTR) answer = call();
    return answer;
}

class Saver {
  public:
    Saver(const fs::path& target, const WriteOptions& options)
        : m_name(io::cleanText(target.string(), 4096)), m_target(target), m_options(options) {}

    Result<std::vector<std::string>> save(std::span<const std::uint8_t> bytes) {
        if (auto ok = followLinks(); !ok) return fail(ok.error());
        if (auto ok = lookAtTarget(); !ok) return fail(ok.error());
        const fs::path folder = m_target.has_parent_path() ? m_target.parent_path() : fs::path(".");
        io::sweepTemporaries(folder);
        io::TemporaryFile file;
        // Nobody else may look into what replaces a private file, not even until it is complete.
        if (const int code = file.create(folder, m_old ? 0600 : 0666); code != 0)
            return refuse(ErrorCode::Io, fmt::format("no file can be made in the folder {}: {}",
                                                     io::cleanText(folder.string(), 4096),
                                                     io::systemReason(code)));
        if (auto ok = writeAll(file, bytes); !ok) return fail(ok.error());
        // Somebody may have made the target a link to a protected file meanwhile.
        if (auto ok = lookAtTarget(); !ok) return fail(ok.error());
        if (m_options.stop.stop_requested()) return cancelled();
        if (const int code = file.becomes(m_target); code != 0) return refuse(code);
        if (auto ok = flushFolder(folder); !ok) return fail(ok.error());
        if (m_old && m_old->st_nlink > 1)
            m_notices.emplace_back("other names of the old file (hard links) keep what it held");
        return std::move(m_notices);
    }

  private:
    tl::unexpected<Error> refuse(ErrorCode code, std::string_view why) const {
        return fail(code, fmt::format("{}: not saved, {}", m_name, why));
    }
    tl::unexpected<Error> refuse(int code) const {
        return refuse(ErrorCode::Io, io::systemReason(code));
    }

    // A symbolic link stays one: what it points to is replaced.
    Result<void> followLinks() {
        for (int i = 0; i < kMaxLinks; ++i) {
            struct stat status {};
            if (m_calls.lstat(m_target.c_str(), &status) != 0) {
                if (errno == ENOENT) return {};
                return refuse(errno);  // it may be a link all the same
            }
            if (!S_ISLNK(status.st_mode)) return {};
            char next[PATH_MAX] = "";
            const ssize_t length = m_calls.readlink(m_target.c_str(), next, sizeof next);
            if (length < 0) return refuse(errno);
            const fs::path path(std::string(next, std::size_t(length)));
            m_target = path.is_absolute() ? path : m_target.parent_path() / path;
        }
        return refuse(ELOOP);
    }

    Result<void> lookAtTarget() {
        struct stat target {};
        if (m_calls.stat(m_target.c_str(), &target) != 0) {
            if (errno != ENOENT) return refuse(errno);
            m_old.reset();
            return {};
        }
        if (S_ISDIR(target.st_mode)) return refuse(ErrorCode::Io, "it is a directory");
        if (!S_ISREG(target.st_mode))
            return refuse(ErrorCode::Io, "it is a device, FIFO or socket, not a file");
        if (!m_options.overwriteProtected) {
            for (const auto& file : m_options.protectedFiles) {
                struct stat source {};
                if (::stat(file.c_str(), &source) == 0 && source.st_dev == target.st_dev &&
                    source.st_ino == target.st_ino)
                    return refuse(ErrorCode::InvalidArgument,
                                  fmt::format("it is the same file as {}, which is protected",
                                              io::cleanText(file.string(), 4096)));
            }
        }
        // A rename would replace a file that its owner made read-only.
        if (m_calls.mayWrite(m_target.c_str()) != 0) return refuse(errno);
        m_old = target;
        return {};
    }

    Result<void> writeAll(io::TemporaryFile& file, std::span<const std::uint8_t> bytes) {
        const FileSizeSignalBlock block;
        const int to = file.descriptor();
        std::size_t flushed = 0;  // from here on the disk may not have begun
        for (std::size_t done = 0; done < bytes.size();) {
            if (m_options.stop.stop_requested()) return cancelled();
            const std::size_t chunk = std::min(kChunkBytes, bytes.size() - done);
            const ssize_t put =
                again([&] { return m_calls.write(to, bytes.data() + done, chunk); });
            if (put < 0) return refuse(errno);
            if (put == 0) return refuse(ENOSPC);
            if (auto ok = flushBehind(to, flushed, done, std::size_t(put)); !ok) return ok;
            flushed = done;
            done += std::size_t(put);
        }
        if (auto ok = keepAttributes(to); !ok) return ok;
        if (again([&] { return m_calls.fsync(to); }) != 0) return refuse(errno);
        struct stat status {};
        if (m_calls.fstat(to, &status) != 0) return refuse(errno);
        if (std::uint64_t(status.st_size) != bytes.size()) {
            return refuse(ErrorCode::Io, fmt::format("{} of {} bytes reached the disk",
                                                     std::uint64_t(status.st_size), bytes.size()));
        }
        if (const int code = file.closeForWriting(); code != 0) return refuse(code);
        return {};
    }

    // Lets the disk begin with the newest bytes and waits for those before. Where it cannot be
    // asked, flushing at the end does the same; but a fault that was told here is told only once.
    Result<void> flushBehind(int file, std::size_t before, std::size_t newest, std::size_t count) {
        const auto fault = [](int code) {
            return code == EIO || code == ENOSPC || code == EDQUOT || code == ENOMEM;
        };
        constexpr unsigned kWait =
            SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
        if (m_calls.syncRange(file, off_t(newest), off_t(count), SYNC_FILE_RANGE_WRITE) != 0 &&
            fault(errno))
            return refuse(errno);
        if (newest > before &&
            m_calls.syncRange(file, off_t(before), off_t(newest - before), kWait) != 0 &&
            fault(errno))
            return refuse(errno);
        return {};
    }

    // Of the file that is replaced: owner and group where the system lets us, and permissions.
    Result<void> keepAttributes(int file) {
        if (!m_old) return {};
        struct stat mine {};
        if (m_calls.fstat(file, &mine) != 0) return refuse(errno);
        mode_t mode = m_old->st_mode & 0777;  // never that the program runs as somebody else
        constexpr uid_t kSame = uid_t(-1);
        const bool otherOwner = mine.st_uid != m_old->st_uid;
        bool otherGroup = mine.st_gid != m_old->st_gid;
        if (otherGroup && m_calls.fchown(file, kSame, m_old->st_gid) == 0) otherGroup = false;
        if (otherGroup) {
            m_notices.emplace_back("the group of the old file could not be kept");
            // What that group was allowed is no business of another one.
            mode &= mode_t(0707 | (mode & 07) << 3);
        }
        if (otherOwner && m_calls.fchown(file, m_old->st_uid, kSame) != 0)
            m_notices.emplace_back("the owner of the old file could not be kept");
        if (m_calls.fchmod(file, mode) != 0) return refuse(errno);
        return {};
    }

    // So that the new name survives a power cut. Some file systems have no such call.
    Result<void> flushFolder(const fs::path& folder) const {
        const int opened = again(
            [&] { return m_calls.open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); });
        const io::FileHandle handle(opened);
        if (handle.isOpen() && again([&] { return m_calls.fsync(opened); }) != 0 && errno == EIO) {
            return fail(ErrorCode::Io, fmt::format("{}: saved, but the folder could not be flushed "
                                                   "to the disk: {}",
                                                   m_name, io::systemReason(EIO)));
        }
        return {};
    }

    const io::FileCalls& m_calls = io::fileCalls();
    std::string m_name;
    fs::path m_target;
    const WriteOptions& m_options;
    std::optional<struct stat> m_old;  // the file that is replaced
    std::vector<std::string> m_notices;
};

}  // namespace

Result<std::vector<std::string>> replaceFile(const std::filesystem::path& target,
                                             std::span<const std::uint8_t> bytes,
                                             const WriteOptions& options) try {
    if (!target.has_filename()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}: not saved, it is not the name of a file",
                                io::cleanText(target.string(), 4096)));
    }
    return Saver(target, options).save(bytes);
} catch (const std::bad_alloc&) {
    return fail(ErrorCode::OutOfMemory, "not enough memory");
}

Result<void> writeFileAtomically(const std::filesystem::path& target,
                                 std::span<const std::uint8_t> bytes, const WriteOptions& options) {
    if (auto done = replaceFile(target, bytes, options); !done) return fail(done.error());
    return {};
}

Result<SaveResult> saveImage(const Image& image, const std::filesystem::path& target,
                             const WriteOptions& options) {
    auto encoded = encodeImage(image, target, options.stop);
    if (!encoded) return fail(encoded.error());
    auto written = replaceFile(target, encoded->bytes, options);
    if (!written) return fail(written.error());
    std::vector<std::string> notices = std::move(encoded->notices);
    notices.insert(notices.end(), written->begin(), written->end());
    return SaveResult{std::move(notices), encoded->bytes.size()};
}

}  // namespace warpscope
