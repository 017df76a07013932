// Memory of images. Blocks that were given back are kept for the next image of about that size: a
// fresh block of many megabytes comes from the system page by page, and those page faults would
// cost more than most filters (and be counted as theirs).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace warpscope {

// 64-byte aligned, not initialized; null when there is no memory, or less installed. Thread-safe.
std::byte* takeStorage(std::uint64_t bytes);
// `bytes` as it was asked for. Any thread.
void giveStorage(std::byte* block, std::uint64_t bytes);
// Bytes that are kept at the moment, and giving all of them back to the system.
std::uint64_t keptStorageBytes();
void trimStorage();

// Memory of images that is not the pool's: mappings that two processes share.
class StorageOrigin {
  public:
    virtual ~StorageOrigin() = default;
    // As takeStorage, 64-byte aligned. May be called by several threads.
    virtual std::byte* take(std::uint64_t bytes) = 0;
    // A block of take(), with the size that was asked for. Any thread.
    virtual void give(std::byte* block, std::uint64_t bytes) noexcept = 0;
};

// While it lives, blocks that its thread takes are the origin's; they go back to it, whenever and
// from wherever that is, and keep it alive until then.
class StorageFrom {
  public:
    explicit StorageFrom(std::shared_ptr<StorageOrigin> origin);
    ~StorageFrom();
    StorageFrom(const StorageFrom&) = delete;
    StorageFrom& operator=(const StorageFrom&) = delete;

  private:
    std::shared_ptr<StorageOrigin> m_origin;
    const std::shared_ptr<StorageOrigin>* m_before;
};

}  // namespace warpscope
