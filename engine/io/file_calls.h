// The calls of the operating system that saving makes, as a table, so that a test can make any of
// them fail.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>

namespace warpscope::io {

// Each as POSIX has it: -1 and errno where it fails.
struct FileCalls {
    int (*open)(const char* path, int flags, mode_t mode);
    // Exclusively and without waiting: EWOULDBLOCK where somebody else holds it.
    int (*lock)(int descriptor);
    ssize_t (*write)(int descriptor, const void* bytes, std::size_t count);
    // sync_file_range().
    int (*syncRange)(int descriptor, off_t first, off_t count, unsigned flags);
    int (*fchown)(int descriptor, uid_t owner, gid_t group);
    int (*fchmod)(int descriptor, mode_t mode);
    int (*fsync)(int descriptor);
    int (*fstat)(int descriptor, struct stat* status);
    int (*stat)(const char* path, struct stat* status);
    int (*lstat)(const char* path, struct stat* status);
    ssize_t (*readlink)(const char* path, char* target, std::size_t size);
    // Whether this user may write the file: faccessat() with W_OK.
    int (*mayWrite)(const char* path);
    // The same open file, closed on exec: its lock lives until both are closed.
    int (*duplicate)(int descriptor);
    int (*close)(int descriptor);
    int (*rename)(const char* from, const char* to);
    int (*unlink)(const char* path);
};

const FileCalls& systemFileCalls();

// What saves use; the system's unless replaced.
const FileCalls& fileCalls();
// For tests: holds for all threads until the next call; null: the system's again. `calls` must
// outlive the saves that use it.
void replaceFileCalls(const FileCalls* calls);

}  // namespace warpscope::io
