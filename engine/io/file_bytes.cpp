// Files come in with read, never mmap: a mapped file that shrinks is a signal, not an error.
#include "engine/io/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "engine/io/decode_support.h"
#include "engine/io/text_file.h"

namespace warpscope {
namespace io {
namespace {

constexpr std::size_t kChunkBytes = 8 << 20, kFrontBytes = 128 << 10;
// Of a stream, which may be slow.
constexpr std::size_t kStreamFrontBytes = 4096, kFirstRoom = 1 << 16;

const char* kindOfFile(mode_t mode) {
    if (S_ISDIR(mode)) return "a directory";
    if (S_ISFIFO(mode)) return "a FIFO";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
    if (S_ISSOCK(mode)) return "a socket";
    return "not a regular file";
}

}  // namespace

Result<FileHandle> openFile(const std::filesystem::path& file) {
    const std::string name = cleanText(file.string(), 4096);
    const auto refuse = [&](ErrorCode code, std::string_view why) {
        return fail(code, fmt::format("{}: {}", name, why));
    };
    // Looked at before it is opened: opening a device can have effects of its own.
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) {
        const int code = errno;
        const bool missing = code == ENOENT || code == ENOTDIR;
        return refuse(missing ? ErrorCode::NotFound : ErrorCode::Io,
                      code == ENOENT ? std::string("does not exist") : systemReason(code));
    }
    if (!S_ISREG(status.st_mode))
        return refuse(ErrorCode::Io,
                      fmt::format("it is {}, not a file", kindOfFile(status.st_mode)));
    // O_NONBLOCK so that a FIFO put in its place meanwhile does not hang.
    FileHandle handle(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!handle.isOpen()) return refuse(ErrorCode::Io, systemReason(errno));
    if (::fstat(handle.get(), &status) != 0) return refuse(ErrorCode::Io, systemReason(errno));
    if (!S_ISREG(status.st_mode))
        return refuse(ErrorCode::Io,
                      fmt::format("it is {}, not a file", kindOfFile(status.st_mode)));
    return handle;
}

Result<FileBytes> readFileBytes(const std::filesystem::path& file, std::uint64_t most,
                                const std::stop_token& stop, const AcceptFile& accept) {
    const auto handle = openFile(file);
    if (!handle) return fail(handle.error());
    return readOpenFile(handle->get(), cleanText(file.string(), 4096), most, stop, accept);
}

Result<FileBytes> readOpenFile(int descriptor, const std::string& name, std::uint64_t most,
                               const std::stop_token& stop, const AcceptFile& accept) {
    const auto refuse = [&](ErrorCode code, std::string_view why) {
        return fail(code, fmt::format("{}: {}", name, why));
    };
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return refuse(ErrorCode::Io, systemReason(errno));
    const auto size = std::uint64_t(status.st_size);
    if (size > most) {
        return refuse(
            ErrorCode::LimitExceeded,
            fmt::format("{} bytes are more than the limit of {} bytes for a file", size, most));
    }
    FileBytes bytes;
    bytes.data.reset(new (std::nothrow) std::uint8_t[std::max<std::size_t>(size, 1)]);
    if (!bytes.data)
        return refuse(ErrorCode::OutOfMemory, fmt::format("not enough memory for {} bytes", size));
    // Not all at once: memory that nothing is written to costs nothing.
    const std::size_t front = std::min<std::size_t>(kFrontBytes, size);
    bool accepted = !accept;
    while (bytes.size < size || !accepted) {
        if (stop.stop_requested()) return cancelled();
        if (bytes.size == front && !accepted) {
            if (auto ok = accept({bytes.data.get(), front}, size); !ok)
                return refuse(ok.error().code, ok.error().message);
            accepted = true;
            continue;
        }
        const std::size_t end = accepted ? size : front;
        const ssize_t got =
            ::pread(descriptor, bytes.data.get() + bytes.size,
                    std::min<std::size_t>(kChunkBytes, end - bytes.size), off_t(bytes.size));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return refuse(ErrorCode::Io, systemReason(errno));
        if (got == 0) {
            return refuse(ErrorCode::Io, fmt::format("it became shorter while it was read, {} of "
                                                     "{} bytes",
                                                     bytes.size, size));
        }
        bytes.size += std::size_t(got);
    }
    // Somebody is still writing it, or replaced what was read first.
    if (::fstat(descriptor, &status) != 0 || std::uint64_t(status.st_size) != size)
        return refuse(ErrorCode::Io, "its size changed while it was read");
    return bytes;
}

Result<FileBytes> readDescriptorBytes(int descriptor, const std::string& name, std::uint64_t most,
                                      const std::stop_token& stop, const AcceptFile& accept) {
    const auto refuse = [&](ErrorCode code, std::string_view why) {
        return fail(code, fmt::format("{}: {}", name, why));
    };
    FileBytes bytes;
    std::size_t room = 0;
    bool accepted = !accept, ended = false;
    while (!ended) {
        if (stop.stop_requested()) return cancelled();
        if (bytes.size > most)
            return refuse(ErrorCode::LimitExceeded,
                          fmt::format("there are more bytes than the limit of {}", most));
        if (bytes.size == room) {
            // One more than the limit: what is beyond it must show.
            room =
                std::size_t(std::min<std::uint64_t>(most, std::max(kFirstRoom, 2 * room) - 1)) + 1;
            std::unique_ptr<std::uint8_t[]> larger(new (std::nothrow) std::uint8_t[room]);
            if (!larger)
                return refuse(ErrorCode::OutOfMemory,
                              fmt::format("not enough memory for {} bytes", room));
            if (bytes.size > 0) std::memcpy(larger.get(), bytes.data.get(), bytes.size);
            bytes.data = std::move(larger);
        }
        pollfd ready{descriptor, POLLIN, 0};
        constexpr int kBeatMs = 50;
        if (const int there = ::poll(&ready, 1, kBeatMs); there <= 0) {
            if (there < 0 && errno != EINTR) return refuse(ErrorCode::Io, systemReason(errno));
            continue;
        }
        const ssize_t got = ::read(descriptor, bytes.data.get() + bytes.size,
                                   std::min(kChunkBytes, room - bytes.size));
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got < 0) return refuse(ErrorCode::Io, systemReason(errno));
        ended = got == 0;
        bytes.size += std::size_t(got);
        if (accepted || (!ended && bytes.size < kStreamFrontBytes)) continue;
        if (auto ok = accept({bytes.data.get(), std::min(bytes.size, kStreamFrontBytes)}, 0); !ok)
            return refuse(ok.error().code, ok.error().message);
        accepted = true;
    }
    return bytes;
}

}  // namespace io

Result<std::string> readTextFile(const std::filesystem::path& file, std::uint64_t most) {
    auto bytes = io::readFileBytes(file, most, {});
    if (!bytes) return fail(bytes.error());
    return std::string(reinterpret_cast<const char*>(bytes->data.get()), bytes->size);
}

}  // namespace warpscope
