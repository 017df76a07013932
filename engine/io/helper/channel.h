// Packets with descriptors over a pair of Unix sockets, and memory that both ends map.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/image/storage_pool.h"
#include "engine/io/file_handle.h"
#include "engine/io/helper/protocol.h"

namespace warpscope::io {

struct Packet {
    MessageBytes bytes;
    std::vector<FileHandle> files;
};

// Both ends close themselves in programs that are started. Closed ones, with errno, on failure.
std::pair<FileHandle, FileHandle> packetSockets();
// False, with errno, if the other end is gone.
bool sendPacket(int socket, std::span<const std::uint8_t> bytes, std::span<const int> files = {});
// Waits. Nothing if the other end is gone or sent what does not fit; then `gone` tells which.
std::optional<Packet> receivePacket(int socket, bool& gone);

// A file in memory of this content; closed, with errno, where the system has none left.
FileHandle memoryFile(std::span<const std::uint8_t> content);
// All of it, if it is a file of just this size.
std::optional<MessageBytes> contentOf(int file, std::uint64_t bytes);

// Images up to this are copied out of the file that they come in: into a block that an earlier
// image has left, from one that the next image will use again, so that neither side waits for fresh
// memory page by page. Of larger ones there is no memory for two: the file is sealed and mapped.
inline constexpr std::uint64_t kCopiedBytes = std::uint64_t(64) << 20;

// Blocks in files in memory of their own. An image that was made in one can go to another process.
// A block up to kCopiedBytes that was given back is taken again: what its file holds must have been
// read by then.
class SharedBlocks final : public StorageOrigin {
  public:
    SharedBlocks();
    ~SharedBlocks() override;
    std::byte* take(std::uint64_t bytes) override;
    void give(std::byte* block, std::uint64_t bytes) noexcept override;
    // The file of a block, which stays when the block is given back; closed if it is none of ours.
    FileHandle fileOf(const std::byte* block);

  private:
    struct State;
    std::unique_ptr<State> m_state;
};
// Nobody can change it any more. False while a block of it is mapped.
bool sealFile(int file);

// The first bytes of a file that may change; false if there are not that many.
bool readBlock(int file, std::byte* to, std::uint64_t bytes);

// The one block of a sealed file, which is mapped when it is taken. A file that could still change
// or is too short gives none.
class SealedBlock final : public StorageOrigin {
  public:
    explicit SealedBlock(FileHandle file);
    std::byte* take(std::uint64_t bytes) override;
    void give(std::byte* block, std::uint64_t bytes) noexcept override;

  private:
    FileHandle m_file;
};

}  // namespace warpscope::io
