// An owned file descriptor and the words for what the operating system refuses.
#pragma once

#include <unistd.h>

#include <string>
#include <utility>

namespace warpscope::io {

class FileHandle {
  public:
    FileHandle() = default;
    explicit FileHandle(int descriptor) : m_descriptor(descriptor) {}
    ~FileHandle() { close(); }
    FileHandle(FileHandle&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    FileHandle& operator=(FileHandle&& other) noexcept {
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }

    bool isOpen() const { return m_descriptor >= 0; }
    int get() const { return m_descriptor; }
    // Somebody else closes it.
    int release() { return std::exchange(m_descriptor, -1); }
    // 0, or -1 with errno: the last chance of a file system to report a failed write.
    int close() { return isOpen() ? ::close(std::exchange(m_descriptor, -1)) : 0; }

  private:
    int m_descriptor = -1;
};

// "the disk is full", "permission denied", ...; `code` is an errno.
std::string systemReason(int code);

}  // namespace warpscope::io
