// The file calls of saving, each of which a test may make fail before it is made.
#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <functional>
#include <limits>
#include <string_view>

#include "engine/io/file_calls.h"

namespace io_test {

// In place while it lives; one at a time.
class FaultyFileCalls {
  public:
    // Of the call with that name, the index-th since the beginning (from 0): 0, and it is made; or
    // an errno with which it fails. Called from the threads that save.
    using Judge = std::function<int(std::string_view name, int index)>;

    explicit FaultyFileCalls(Judge judge, std::size_t mostBytesAWrite = kAll)
        : m_judge(std::move(judge)), m_mostBytesAWrite(mostBytesAWrite) {
        s_inUse = this;
        warpscope::io::replaceFileCalls(&kCalls);
    }
    ~FaultyFileCalls() {
        warpscope::io::replaceFileCalls(nullptr);
        s_inUse = nullptr;
    }
    FaultyFileCalls(const FaultyFileCalls&) = delete;
    FaultyFileCalls& operator=(const FaultyFileCalls&) = delete;

    int count() const { return m_count; }

  private:
    static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    static inline FaultyFileCalls* s_inUse = nullptr;

    Judge m_judge;
    std::size_t m_mostBytesAWrite;
    std::atomic<int> m_count = 0;

    template <class Call>
    static auto judged(std::string_view name, Call&& call) -> decltype(call()) {
        const int code = s_inUse->m_judge(name, s_inUse->m_count++);
        if (code == 0) return call();
        errno = code;
        return -1;
    }
    static const warpscope::io::FileCalls& system() { return warpscope::io::systemFileCalls(); }

    static constexpr warpscope::io::FileCalls kCalls{
        .open =
            [](const char* path, int flags, mode_t mode) {
                return judged("open", [&] { return system().open(path, flags, mode); });
            },
        .lock = [](int file) { return judged("lock", [&] { return system().lock(file); }); },
        .write =
            [](int file, const void* bytes, std::size_t count) {
                return judged("write", [&] {
                    return system().write(file, bytes, std::min(count, s_inUse->m_mostBytesAWrite));
                });
            },
        .syncRange =
            [](int file, off_t first, off_t count, unsigned flags) {
                return judged("syncRange",
                              [&] { return system().syncRange(file, first, count, flags); });
            },
        .fchown =
            [](int file, uid_t owner, gid_t group) {
                return judged("fchown", [&] { return system().fchown(file, owner, group); });
            },
        .fchmod =
            [](int file, mode_t mode) {
                return judged("fchmod", [&] { return system().fchmod(file, mode); });
            },
        .fsync = [](int file) { return judged("fsync", [&] { return system().fsync(file); }); },
        .fstat =
            [](int file, struct stat* status) {
                return judged("fstat", [&] { return system().fstat(file, status); });
            },
        .stat =
            [](const char* path, struct stat* status) {
                return judged("stat", [&] { return system().stat(path, status); });
            },
        .lstat =
            [](const char* path, struct stat* status) {
                return judged("lstat", [&] { return system().lstat(path, status); });
            },
        .readlink =
            [](const char* path, char* target, std::size_t size) {
                return judged("readlink", [&] { return system().readlink(path, target, size); });
            },
        .mayWrite =
            [](const char* path) {
                return judged("mayWrite", [&] { return system().mayWrite(path); });
            },
        .duplicate =
            [](int file) { return judged("duplicate", [&] { return system().duplicate(file); }); },
        // A descriptor is closed whatever the answer is.
        .close =
            [](int file) {
                const int answer = system().close(file);
                return judged("close", [&] { return answer; });
            },
        .rename =
            [](const char* from, const char* to) {
                return judged("rename", [&] { return system().rename(from, to); });
            },
        .unlink =
            [](const char* path) {
                return judged("unlink", [&] { return system().unlink(path); });
            },
    };
};

}  // namespace io_test
