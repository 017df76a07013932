#include "engine/image/storage_pool.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <list>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

namespace warpscope {
namespace {

// Smaller blocks are the allocator's business: from 128 KiB it may give every block back to the
// system at once, and an image of 256 x 256 then pays for page faults at each filter, or, worse, at
// some of them. Larger ones than this are not worth keeping resident.
constexpr std::uint64_t kSmallest = std::uint64_t(64) << 10;
constexpr std::uint64_t kLarge = std::uint64_t(1) << 20;  // in large pages
constexpr std::uint64_t kLargest = std::uint64_t(256) << 20;
constexpr std::uint64_t kMostKept = std::uint64_t(512) << 20;
constexpr std::size_t kMostBlocks = 256;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kHugePage = std::uint64_t(2) << 20;

// GCC defines macros, Clang has features.
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// A kept block would hide a use after free from the sanitizers.
constexpr bool kKeep = false;
#else
constexpr bool kKeep = true;
#endif

using Block = StorageBlock;

struct Large {
    Block block;
    int keepers = 0;  // watches that have not ended it, and whoever still asks them
};

struct Pool {
    std::mutex mutex;
    std::list<Block> blocks;  // guarded by mutex; most recently given first
    std::uint64_t kept = 0;   // guarded by mutex
    // Handed out or kept; guarded by mutex.
    std::map<const std::byte*, Large> large;
    // On their way to the system; guarded by mutex.
    std::map<const std::byte*, Large> leaving;
};

// Never destroyed: images with static lifetime may outlive it otherwise.
Pool& pool() {
    static Pool* const instance = new Pool;
    return *instance;
}

struct Watches {
    // Shared by those who only tell: one that waits must hold up none that must not.
    std::shared_mutex mutex;
    std::vector<StorageWatch*> all;  // guarded by mutex
};

// Never destroyed, as the pool.
Watches& watches() {
    static Watches* const instance = new Watches;
    return *instance;
}

std::uint64_t roundedSize(std::uint64_t bytes) {
    const std::uint64_t unit = bytes >= kLarge ? kHugePage : bytes >= kSmallest ? kPage : 64;
    return (bytes + unit - 1) / unit * unit;
}

void noteLarge(const Block& block) {
    const std::lock_guard lock(pool().mutex);
    try {
        pool().large.emplace(block.memory, Large{block});
    } catch (const std::bad_alloc&) {
        // It is not found then, and used like a small one.
    }
}

// False: nobody knows of it.
bool beginLeaving(const Block& block) {
    const std::lock_guard lock(pool().mutex);
    auto entry = pool().large.extract(block.memory);
    if (entry.empty()) return false;
    entry.mapped().keepers = 1;  // the caller
    pool().leaving.insert(std::move(entry));
    return true;
}

void addKeeper(const Block& block) {
    const std::lock_guard lock(pool().mutex);
    ++pool().leaving.find(block.memory)->second.keepers;
}

void backToSystem(const Block& block) {
    if (block.bytes < kHugePage || !beginLeaving(block)) return std::free(block.memory);
    {
        const std::shared_lock lock(watches().mutex);
        for (StorageWatch* watch : watches().all) {
            // Before it is asked: it may end the block at once, from another thread.
            addKeeper(block);
            if (!watch->leaving(block)) endStorage(block);
        }
    }
    endStorage(block);
}

// Systems that promise more than they have would let an image be made that ends the process when it
// is filled.
std::uint64_t installedMemory() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageBytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || pageBytes <= 0) return ~std::uint64_t(0);
    return std::uint64_t(pages) * std::uint64_t(pageBytes);
}

// Blocks of origins, by address.
struct Foreign {
    std::mutex mutex;
    std::map<std::byte*, std::shared_ptr<StorageOrigin>> blocks;  // guarded by mutex
    // So that a program without any asks nothing more.
    std::atomic<std::size_t> count{0};
};

// Never destroyed, as the pool.
Foreign& foreign() {
    static Foreign* const instance = new Foreign;
    return *instance;
}

thread_local const std::shared_ptr<StorageOrigin>* originOfThread = nullptr;

std::byte* takeFrom(const std::shared_ptr<StorageOrigin>& origin, std::uint64_t bytes) {
    std::byte* memory = origin->take(bytes);
    if (!memory) return nullptr;
    const std::lock_guard lock(foreign().mutex);
    foreign().blocks.emplace(memory, origin);
    ++foreign().count;
    return memory;
}

// The origin of a block, which is forgotten; null for one of the pool.
std::shared_ptr<StorageOrigin> forgetOrigin(std::byte* block) {
    if (foreign().count == 0) return nullptr;
    const std::lock_guard lock(foreign().mutex);
    const auto found = foreign().blocks.find(block);
    if (found == foreign().blocks.end()) return nullptr;
    std::shared_ptr<StorageOrigin> origin = std::move(found->second);
    foreign().blocks.erase(found);
    --foreign().count;
    return origin;
}

}  // namespace

StorageFrom::StorageFrom(std::shared_ptr<StorageOrigin> origin)
    : m_origin(std::move(origin)), m_before(std::exchange(originOfThread, &m_origin)) {}

StorageFrom::~StorageFrom() {
    originOfThread = m_before;
}

std::byte* takeStorage(std::uint64_t bytes) {
    if (originOfThread) return takeFrom(*originOfThread, bytes);
    const std::uint64_t wanted = roundedSize(bytes);
    static const std::uint64_t most = installedMemory();
    if (wanted < bytes || wanted > most) return nullptr;
    if (kKeep && bytes >= kSmallest) {
        const std::lock_guard lock(pool().mutex);
        auto& blocks = pool().blocks;
        // Exact fits only: sizes repeat when filters run on one image, and nothing is wasted.
        const auto found = std::find_if(blocks.begin(), blocks.end(),
                                        [&](const Block& block) { return block.bytes == wanted; });
        if (found != blocks.end()) {
            std::byte* memory = found->memory;
            pool().kept -= found->bytes;
            blocks.erase(found);
            return memory;
        }
    }
    const bool large = bytes >= kLarge;
    auto* memory = static_cast<std::byte*>(std::aligned_alloc(large ? kHugePage : 64, wanted));
    if (!memory) {
        trimStorage();
        memory = static_cast<std::byte*>(std::aligned_alloc(large ? kHugePage : 64, wanted));
    }
    // Fewer page faults and address look-ups where the system has large pages; no harm where it has
    // not.
    if (memory && large) {
        madvise(memory, wanted, MADV_HUGEPAGE);
        noteLarge({memory, wanted});
    }
    return memory;
}

void giveStorage(std::byte* block, std::uint64_t bytes) {
    if (!block) return;
    if (const auto origin = forgetOrigin(block)) return origin->give(block, bytes);
    const std::uint64_t size = roundedSize(bytes);
    if (!kKeep || bytes < kSmallest || size > kLargest) return backToSystem({block, size});
    std::list<Block> dropped;
    {
        const std::lock_guard lock(pool().mutex);
        auto& blocks = pool().blocks;
        blocks.push_front({block, size});
        pool().kept += size;
        while (pool().kept > kMostKept || blocks.size() > kMostBlocks) {
            pool().kept -= blocks.back().bytes;
            dropped.splice(dropped.begin(), blocks, std::prev(blocks.end()));
        }
    }
    for (const Block& old : dropped) backToSystem(old);
}

std::uint64_t keptStorageBytes() {
    const std::lock_guard lock(pool().mutex);
    return pool().kept;
}

void trimStorage() {
    std::list<Block> dropped;
    {
        const std::lock_guard lock(pool().mutex);
        dropped.swap(pool().blocks);
        pool().kept = 0;
    }
    for (const Block& old : dropped) backToSystem(old);
#ifdef __GLIBC__
    // It keeps what was freed among what is still used, up to 32 MiB a piece.
    malloc_trim(0);
#endif
    const std::shared_lock lock(watches().mutex);
    for (StorageWatch* watch : watches().all) watch->waitUntilGone();
}

std::optional<StorageBlock> largeStorageAt(const std::byte* inside) {
    const std::lock_guard lock(pool().mutex);
    const auto& large = pool().large;
    auto after = large.upper_bound(inside);
    if (after == large.begin()) return std::nullopt;
    const StorageBlock& block = std::prev(after)->second.block;
    if (std::uint64_t(inside - block.memory) >= block.bytes) return std::nullopt;
    return block;
}

void addStorageWatch(StorageWatch& watch) {
    const std::lock_guard lock(watches().mutex);
    watches().all.push_back(&watch);
}

void removeStorageWatch(StorageWatch& watch) {
    const std::lock_guard lock(watches().mutex);
    std::erase(watches().all, &watch);
}

void endStorage(const StorageBlock& block) {
    {
        const std::lock_guard lock(pool().mutex);
        const auto found = pool().leaving.find(block.memory);
        if (--found->second.keepers > 0) return;
        pool().leaving.erase(found);
    }
    std::free(block.memory);
}

}  // namespace warpscope
