// The old file or the new one: bytes go to a temporary file beside the target, which replaces it
// by one rename after everything was flushed and compared in length.
#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <mutex>
#include <optional>
#include <random>
#include <vector>

#include "engine/io/decode_support.h"
#include "engine/io/file_handle.h"

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

constexpr std::size_t kChunkBytes = 8 << 20;
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

// The temporary files that there are, for a program that ends before its saves do.
std::mutex temporariesMutex;
std::vector<fs::path> temporaries;  // guarded by temporariesMutex

// Removes the temporary file unless it became the target.
class TemporaryFile {
  public:
    // Creates it, unless `open` fails.
    template <class Open>
    TemporaryFile(fs::path path, Open&& open) : m_path(std::move(path)) {
        const std::lock_guard lock(temporariesMutex);
        if (!open(m_path)) return;
        temporaries.push_back(m_path);
        m_there = true;
    }
    ~TemporaryFile() {
        const std::lock_guard lock(temporariesMutex);
        if (!m_there) return;
        ::unlink(m_path.c_str());
        forget();
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    bool isThere() const { return m_there; }
    // 0, or an errno.
    int becomes(const fs::path& target) {
        const std::lock_guard lock(temporariesMutex);
        if (::rename(m_path.c_str(), target.c_str()) != 0) return errno;
        forget();
        return 0;
    }

  private:
    void forget() {
        std::erase(temporaries, m_path);
        m_there = false;
    }

    fs::path m_path;
    bool m_there = false;
};

class Saver {
  public:
    Saver(const fs::path& target, const WriteOptions& options)
        : m_name(io::cleanText(target.string(), 4096)), m_target(target), m_options(options) {}

    Result<void> save(std::span<const std::uint8_t> bytes) {
        if (auto ok = followLinks(); !ok) return ok;
        if (auto ok = lookAtTarget(); !ok) return ok;
        const fs::path folder = m_target.has_parent_path() ? m_target.parent_path() : fs::path(".");
        io::FileHandle file;
        std::optional<TemporaryFile> temporary;
        if (auto ok = createBeside(folder, file, temporary); !ok) return ok;
        if (auto ok = writeAll(file, bytes); !ok) return ok;
        // Somebody may have made the target a link to a protected file meanwhile.
        if (auto ok = lookAtTarget(); !ok) return ok;
        if (const int code = temporary->becomes(m_target); code != 0) return refuse(code);
        return flushFolder(folder);
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
        struct stat status {};
        for (int i = 0; i < kMaxLinks; ++i) {
            if (::lstat(m_target.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return {};
            std::error_code error;
            const fs::path next = fs::read_symlink(m_target, error);
            if (error) return refuse(error.value());
            m_target = next.is_absolute() ? next : m_target.parent_path() / next;
        }
        return refuse(ELOOP);
    }

    Result<void> lookAtTarget() {
        struct stat target {};
        if (::stat(m_target.c_str(), &target) != 0) {
            if (errno == ENOENT) {
                m_mode.reset();
                return {};
            }
            return refuse(errno);
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
        if (::faccessat(AT_FDCWD, m_target.c_str(), W_OK, AT_EACCESS) != 0) return refuse(errno);
        m_mode = target.st_mode & 07777;
        return {};
    }

    Result<void> createBeside(const fs::path& folder, io::FileHandle& file,
                              std::optional<TemporaryFile>& temporary) const {
        static std::atomic<unsigned> serial{0};
        std::random_device random;
        for (int attempt = 0; attempt < 100; ++attempt) {
            const auto open = [&](const fs::path& path) {
                file = io::FileHandle(::open(
                    path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
                return file.isOpen();
            };
            temporary.emplace(folder / fmt::format(".warpscope-{:x}-{:x}-{:08x}.tmp", ::getpid(),
                                                   serial.fetch_add(1), random()),
                              open);
            const int code = errno;
            if (temporary->isThere()) return {};
            if (code != EEXIST)
                return refuse(ErrorCode::Io, fmt::format("no file can be made in the folder {}: {}",
                                                         io::cleanText(folder.string(), 4096),
                                                         io::systemReason(code)));
        }
        return refuse(EEXIST);
    }

    Result<void> writeAll(io::FileHandle& file, std::span<const std::uint8_t> bytes) const {
        const FileSizeSignalBlock block;
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t put = ::write(file.get(), bytes.data() + done,
                                        std::min(kChunkBytes, bytes.size() - done));
            if (put < 0 && errno == EINTR) continue;
            if (put < 0) return refuse(errno);
            if (put == 0) return refuse(ENOSPC);
            done += std::size_t(put);
        }
        if (m_mode && ::fchmod(file.get(), *m_mode) != 0) return refuse(errno);
        if (::fsync(file.get()) != 0) return refuse(errno);
        struct stat status {};
        if (::fstat(file.get(), &status) != 0) return refuse(errno);
        if (std::uint64_t(status.st_size) != bytes.size()) {
            return refuse(ErrorCode::Io, fmt::format("{} of {} bytes reached the disk",
                                                     std::uint64_t(status.st_size), bytes.size()));
        }
        if (file.close() != 0) return refuse(errno);
        return {};
    }

    // So that the new name survives a power cut. Some file systems have no such call.
    Result<void> flushFolder(const fs::path& folder) const {
        const io::FileHandle handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (handle.isOpen() && ::fsync(handle.get()) != 0 && errno == EIO) {
            return fail(ErrorCode::Io, fmt::format("{}: saved, but the folder could not be flushed "
                                                   "to the disk: {}",
                                                   m_name, io::systemReason(EIO)));
        }
        return {};
    }

    std::string m_name;
    fs::path m_target;
    const WriteOptions& m_options;
    std::optional<mode_t> m_mode;  // of the file that is replaced
};

}  // namespace

Result<void> writeFileAtomically(const std::filesystem::path& target,
                                 std::span<const std::uint8_t> bytes, const WriteOptions& options) {
    if (!target.has_filename()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}: not saved, it is not the name of a file",
                                io::cleanText(target.string(), 4096)));
    }
    return Saver(target, options).save(bytes);
}

void abandonSaves() {
    // Never given back: a save that begins later must not leave anything either.
    temporariesMutex.lock();
    for (const fs::path& path : temporaries) ::unlink(path.c_str());
}

Result<SaveResult> saveImage(const Image& image, const std::filesystem::path& target,
                             const WriteOptions& options) {
    auto encoded = encodeImage(image, target);
    if (!encoded) return fail(encoded.error());
    if (auto ok = writeFileAtomically(target, encoded->bytes, options); !ok)
        return fail(ok.error());
    return SaveResult{std::move(encoded->notices), encoded->bytes.size()};
}

}  // namespace warpscope
