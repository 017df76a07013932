// Memory of images. Blocks that were given back are kept for the next image of about that size: a
// fresh block of many megabytes comes from the system page by page, and those page faults would
// cost more than most filters (and be counted as theirs).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace warpscope {

// 64-byte aligned, not initialized; null when there is no memory, or less installed. Thread-safe.
std::byte* takeStorage(std::uint64_t bytes);
// `bytes` as it was asked for. Any thread.
void giveStorage(std::byte* block, std::uint64_t bytes);
// Bytes that are kept at the moment, and giving all of them back to the system: it has them when
// this returns, after waiting for whoever keeps a block a little longer.
std::uint64_t keptStorageBytes();
void trimStorage();

// A block of the pool of a megabyte and more: whole pages that nothing else shares.
struct StorageBlock {
    std::byte* memory = nullptr;
    std::uint64_t bytes = 0;
};
// The one that this byte of an image lies in, which must be there; nothing for smaller blocks and
// those of an origin. Thread-safe.
std::optional<StorageBlock> largeStorageAt(const std::byte* inside);

// Whoever has told the system or a device something about large blocks.
class StorageWatch {
  public:
    virtual ~StorageWatch() = default;
    // Just before the block goes back to the system. True: not yet, the watch hands it to
    // endStorage() later. Any thread, also such as must not wait; must not take or give storage.
    virtual bool leaving(const StorageBlock& block) noexcept = 0;
    // Returns when all that leaving() kept has gone.
    virtual void waitUntilGone() noexcept = 0;
};
// Borrowed until it is removed; then no function of it runs any more. Not from these.
void addStorageWatch(StorageWatch& watch);
void removeStorageWatch(StorageWatch& watch);
// Of a block for which leaving() was true, once for each watch that said so: the last gives it back
// to the system.
void endStorage(const StorageBlock& block);

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
