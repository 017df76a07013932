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

// Blocks in files in memory of their own. An image that was made in one can go to another process
// without a copy.
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

bool isSealed(int file);
// The first bytes of a file; false if there are not that many.
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
