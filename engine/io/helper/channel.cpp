#include "engine/io/helper/channel.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

namespace warpscope::io {
namespace {

constexpr int kAllSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
// Page by page, memory that is written for the first time costs more than decoding many a file.
// What a header merely promises must not become memory, so this is bounded.
constexpr std::uint64_t kFilledAtOnce = std::uint64_t(64) << 20;
// From here on another thread fills it, ahead of the decoder.
constexpr std::uint64_t kFilledBeside = std::uint64_t(4) << 20;
// Of blocks that wait for the next image.
constexpr std::uint64_t kLeftBytes = 2 * kCopiedBytes;

FileHandle newMemory(unsigned flags) {
    return FileHandle(::memfd_create("warpscope", MFD_CLOEXEC | flags));
}

// Fills it, or gives the thread that does.
std::thread fill([[maybe_unused]] void* memory, [[maybe_unused]] std::uint64_t bytes) {
#ifdef MADV_POPULATE_WRITE
    if (bytes > kFilledAtOnce) return {};
    if (bytes >= kFilledBeside) {
        try {
            return std::thread([=] { ::madvise(memory, bytes, MADV_POPULATE_WRITE); });
        } catch (const std::system_error&) {  // no more threads
        }
    }
    ::madvise(memory, bytes, MADV_POPULATE_WRITE);
#endif
    return {};
}

}  // namespace

std::pair<FileHandle, FileHandle> packetSockets() {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return {};
    return {FileHandle(ends[0]), FileHandle(ends[1])};
}

bool sendPacket(int socket, std::span<const std::uint8_t> bytes, std::span<const int> files) {
    iovec part{const_cast<std::uint8_t*>(bytes.data()), bytes.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(kMostDescriptors * sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (!files.empty() && files.size() <= kMostDescriptors) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(files.size_bytes());
        cmsghdr* head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(files.size_bytes());
        std::memcpy(CMSG_DATA(head), files.data(), files.size_bytes());
    }
    ssize_t sent = -1;
    do sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == ssize_t(bytes.size());
}

std::optional<Packet> receivePacket(int socket, bool& gone) {
    gone = false;
    Packet packet;
    packet.bytes.resize(kMostMessageBytes);
    iovec part{packet.bytes.data(), packet.bytes.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(kMostDescriptors * sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t got = -1;
    do got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    for (cmsghdr* head = got >= 0 ? CMSG_FIRSTHDR(&message) : nullptr; head;
         head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int descriptor = -1;
            std::memcpy(&descriptor, CMSG_DATA(head) + i * sizeof(int), sizeof descriptor);
            packet.files.emplace_back(descriptor);
        }
    }
    gone = got <= 0;
    if (gone || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) return std::nullopt;
    packet.bytes.resize(std::size_t(got));
    return packet;
}

FileHandle memoryFile(std::span<const std::uint8_t> content) {
    FileHandle file = newMemory(0);
    for (std::size_t done = 0; file.isOpen() && done < content.size();) {
        const ssize_t put =
            ::pwrite(file.get(), content.data() + done, content.size() - done, off_t(done));
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return FileHandle();
        done += std::size_t(put);
    }
    return file;
}

std::optional<MessageBytes> contentOf(int file, std::uint64_t bytes) {
    struct stat status {};
    // Reading another kind of file might wait for ever.
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    if (std::uint64_t(status.st_size) != bytes || bytes > kMostContentBytes) return std::nullopt;
    MessageBytes content(std::size_t(bytes), 0);
    for (std::size_t done = 0; done < content.size();) {
        const ssize_t got =
            ::pread(file, content.data() + done, content.size() - done, off_t(done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return std::nullopt;
        done += std::size_t(got);
    }
    return content;
}

struct SharedBlocks::State {
    struct Block {
        FileHandle file;
        std::uint64_t bytes = 0;  // of the mapping
        std::thread filling;      // joined when the block is given back
    };
    std::mutex mutex;
    // Guarded by mutex.
    std::map<std::byte*, Block> taken;
    std::map<std::byte*, Block> left;
    std::uint64_t leftBytes = 0;

    // Of those that earlier images have left, one that is not much too large; null: none.
    std::byte* again(std::uint64_t bytes) {
        for (auto it = left.begin(); it != left.end(); ++it) {
            if (it->second.bytes < bytes || it->second.bytes > bytes + bytes / 4) continue;
            leftBytes -= it->second.bytes;
            return taken.insert(left.extract(it)).position->first;
        }
        return nullptr;
    }
};

SharedBlocks::SharedBlocks() : m_state(std::make_unique<State>()) {}

SharedBlocks::~SharedBlocks() {
    for (const auto& [block, kept] : m_state->left) ::munmap(block, kept.bytes);
}

std::byte* SharedBlocks::take(std::uint64_t bytes) {
    {
        const std::lock_guard lock(m_state->mutex);
        if (std::byte* block = m_state->again(bytes)) return block;
    }
    FileHandle file = newMemory(MFD_ALLOW_SEALING);
    if (!file.isOpen() || ::ftruncate(file.get(), off_t(bytes)) != 0) return nullptr;
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (memory == MAP_FAILED) return nullptr;
    State::Block made{std::move(file), bytes, fill(memory, bytes)};
    auto* block = static_cast<std::byte*>(memory);
    const std::lock_guard lock(m_state->mutex);
    m_state->taken.emplace(block, std::move(made));
    return block;
}

void SharedBlocks::give(std::byte* block, std::uint64_t) noexcept {
    const std::lock_guard lock(m_state->mutex);
    const auto found = m_state->taken.find(block);
    if (found == m_state->taken.end()) return;
    const std::uint64_t bytes = found->second.bytes;
    if (found->second.filling.joinable()) found->second.filling.join();
    if (bytes <= kCopiedBytes && m_state->leftBytes + bytes <= kLeftBytes) {
        m_state->left.insert(m_state->taken.extract(found));
        m_state->leftBytes += bytes;
        return;
    }
    m_state->taken.erase(found);
    ::munmap(block, bytes);
}

FileHandle SharedBlocks::fileOf(const std::byte* block) {
    const std::lock_guard lock(m_state->mutex);
    const auto found = m_state->taken.find(const_cast<std::byte*>(block));
    if (found == m_state->taken.end()) return FileHandle();
    return FileHandle(::fcntl(found->second.file.get(), F_DUPFD_CLOEXEC, 0));
}

bool sealFile(int file) {
    return ::fcntl(file, F_ADD_SEALS, kAllSeals) == 0;
}

bool readBlock(int file, std::byte* to, std::uint64_t bytes) {
    for (std::uint64_t done = 0; done < bytes;) {
        const ssize_t got = ::pread(file, to + done, std::size_t(bytes - done), off_t(done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        done += std::uint64_t(got);
    }
    return true;
}

SealedBlock::SealedBlock(FileHandle file) : m_file(std::move(file)) {}

std::byte* SealedBlock::take(std::uint64_t bytes) {
    FileHandle file = std::move(m_file);
    struct stat status {};
    // One that shrinks while it is mapped would end the program.
    const int seals = ::fcntl(file.get(), F_GET_SEALS);
    if (seals < 0 || (seals & kAllSeals) != kAllSeals) return nullptr;
    if (::fstat(file.get(), &status) != 0 || std::uint64_t(status.st_size) < bytes) return nullptr;
    // Private: who makes an image of it may set the bytes behind its last row.
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.get(), 0);
    return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

void SealedBlock::give(std::byte* block, std::uint64_t bytes) noexcept {
    ::munmap(block, bytes);
}

}  // namespace warpscope::io
