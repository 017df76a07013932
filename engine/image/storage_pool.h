// Memory of images. Blocks that were given back are kept for the next image of about that size: a
// fresh block of many megabytes comes from the system page by page, and those page faults would
// cost more than most filters (and be counted as theirs).
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

// 64-byte aligned, not initialized; null when there is no memory, or less installed. Thread-safe.
std::byte* takeStorage(std::uint64_t bytes);
// `bytes` as it was asked for. Any thread.
void giveStorage(std::byte* block, std::uint64_t bytes);
// Bytes that are kept at the moment, and giving all of them back to the system.
std::uint64_t keptStorageBytes();
void trimStorage();

}  // namespace warpscope
