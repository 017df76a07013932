#include "engine/io/file_calls.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace warpscope::io {
namespace {

// Lambdas, because some of the names are more than one function or have attributes of their own.
constexpr FileCalls kSystem{
    .open = [](const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); },
    .lock = [](int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB); },
    .write = [](int descriptor, const void* bytes,
                std::size_t count) { return ::write(descriptor, bytes, count); },
    .syncRange = [](int descriptor, off_t first, off_t count,
                    unsigned flags) { return ::sync_file_range(descriptor, first, count, flags); },
    .fchown = [](int descriptor, uid_t owner,
                 gid_t group) { return ::fchown(descriptor, owner, group); },
    .fchmod = [](int descriptor, mode_t mode) { return ::fchmod(descriptor, mode); },
    .fsync = [](int descriptor) { return ::fsync(descriptor); },
    .fstat = [](int descriptor, struct stat* status) { return ::fstat(descriptor, status); },
    .stat = [](const char* path, struct stat* status) { return ::stat(path, status); },
    .lstat = [](const char* path, struct stat* status) { return ::lstat(path, status); },
    .readlink = [](const char* path, char* target,
                   std::size_t size) { return ::readlink(path, target, size); },
    .mayWrite = [](const char* path) { return ::faccessat(AT_FDCWD, path, W_OK, AT_EACCESS); },
    .duplicate = [](int descriptor) { return ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0); },
    .close = [](int descriptor) { return ::close(descriptor); },
    .rename = [](const char* from, const char* to) { return ::rename(from, to); },
    .unlink = [](const char* path) { return ::unlink(path); },
};

std::atomic<const FileCalls*> inUse = &kSystem;

}  // namespace

const FileCalls& systemFileCalls() {
    return kSystem;
}

const FileCalls& fileCalls() {
    return *inUse.load();
}

void replaceFileCalls(const FileCalls* calls) {
    inUse = calls ? calls : &kSystem;
}

}  // namespace warpscope::io
