#include "engine/io/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/clock.h"
#include "engine/io/file_calls.h"
#include "engine/io/image_writer.h"

namespace warpscope {
namespace io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".warpscope-", kSuffix = ".tmp";

// The temporary files that there are, for a program that ends before its saves do.
std::mutex temporariesMutex;
std::vector<fs::path> temporaries;  // guarded by temporariesMutex

// The parts are process, number of the save and chance, in hexadecimal digits.
std::string temporaryName() {
    static std::atomic<unsigned> serial{0};
    std::random_device random;
    return fmt::format("{}{:x}-{:x}-{:08x}{}", kPrefix, ::getpid(), serial.fetch_add(1), random(),
                       kSuffix);
}

bool isTemporaryName(std::string_view name) {
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return false;
    name.remove_prefix(kPrefix.size());
    name.remove_suffix(kSuffix.size());
    const auto allowed = [](char c) {
        return c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    };
    return std::ranges::all_of(name, allowed) && std::ranges::count(name, '-') == 2 &&
           name.find("--") == name.npos && name.front() != '-' && name.back() != '-';
}

bool sameFile(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void removeIfLeft(const fs::path& path) {
    const FileCalls& calls = fileCalls();
    struct stat named {
    }, opened{};
    const auto mayBeOurs = [](const struct stat& status) {
        return S_ISREG(status.st_mode) && status.st_nlink == 1 &&
               (status.st_uid == ::geteuid() || ::geteuid() == 0);
    };
    // Looked at before it is opened: what is no file may do things when it is.
    if (calls.lstat(path.c_str(), &named) != 0 || !mayBeOurs(named)) return;
    const FileHandle file(
        calls.open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0));
    if (!file.isOpen() || calls.lock(file.get()) != 0) return;
    // Its save may have finished between the two: then the name is gone, or another file's.
    if (calls.fstat(file.get(), &opened) != 0 || calls.lstat(path.c_str(), &named) != 0) return;
    if (mayBeOurs(named) && sameFile(named, opened)) calls.unlink(path.c_str());
}

// How much of the time of many saves into one large folder may go into looking through it.
constexpr std::int64_t kShareOfTime = 50;
constexpr std::size_t kMostFolders = 256;

std::mutex sweptMutex;
std::map<fs::path, std::int64_t> nextSweepNs;  // guarded by sweptMutex

}  // namespace

TemporaryFile::~TemporaryFile() {
    const std::lock_guard lock(temporariesMutex);
    if (m_there) remove();
}

void TemporaryFile::remove() {
    fileCalls().unlink(m_path.c_str());
    std::erase(temporaries, m_path);
    m_there = false;
}

// Another program may take it for one that was left, until it is locked.
bool TemporaryFile::isOurs() {
    struct stat status {};
    const FileCalls& calls = fileCalls();
    // Some file systems know no locks; nobody sweeps there either.
    if (calls.lock(m_file.get()) != 0 && errno == EWOULDBLOCK) return false;
    return calls.fstat(m_file.get(), &status) != 0 || status.st_nlink > 0;
}

bool TemporaryFile::createOnce(const fs::path& path, mode_t mode) {
    const std::lock_guard lock(temporariesMutex);
    temporaries.push_back(path);
    m_path = path;
    m_file = FileHandle(
        fileCalls().open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
    if (!m_file.isOpen()) {
        const int code = errno;
        std::erase(temporaries, path);
        errno = code;
        return false;
    }
    m_there = true;
    if (isOurs()) return true;
    remove();
    errno = EEXIST;
    return false;
}

int TemporaryFile::create(const fs::path& folder, mode_t mode) {
    constexpr int kAttempts = 100;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        if (createOnce(folder / temporaryName(), mode)) {
            m_locked = FileHandle(fileCalls().duplicate(m_file.get()));
            return m_locked.isOpen() ? 0 : errno;
        }
        if (errno != EEXIST && errno != EINTR) return errno;
    }
    return EEXIST;
}

int TemporaryFile::closeForWriting() {
    // Closed whatever the answer is. An interrupted one has nothing to say about the bytes, which
    // are on the disk by then.
    return fileCalls().close(m_file.release()) == 0 || errno == EINTR ? 0 : errno;
}

int TemporaryFile::becomes(const fs::path& target) {
    const std::lock_guard lock(temporariesMutex);
    if (fileCalls().rename(m_path.c_str(), target.c_str()) != 0) return errno;
    std::erase(temporaries, m_path);
    m_there = false;
    return 0;
}

void sweepTemporaries(const fs::path& folder) {
    const std::unique_lock lock(sweptMutex, std::try_to_lock);
    if (!lock) return;  // another save looks just now
    std::error_code error;
    const fs::path key = fs::absolute(folder, error);
    const std::int64_t begin = steadyClock().nowNs();
    const auto known = nextSweepNs.find(key);
    if (known != nextSweepNs.end() && begin < known->second) return;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (isTemporaryName(at->path().filename().native())) removeIfLeft(at->path());
    if (nextSweepNs.size() >= kMostFolders) nextSweepNs.clear();
    const std::int64_t now = steadyClock().nowNs();
    nextSweepNs[key] = now + kShareOfTime * (now - begin);
}

}  // namespace io

void abandonSaves() {
    // Never given back: a save that begins later must not leave anything either.
    io::temporariesMutex.lock();
    for (const std::filesystem::path& path : io::temporaries) ::unlink(path.c_str());
}

}  // namespace warpscope
