#include "cuda_kernels/runtime/page_locks.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "cuda_kernels/runtime/pinned_count.h"
#include "engine/base/log.h"

namespace warpscope::cuda {
namespace {

constexpr int kCopiesBefore = 1;
// Larger blocks are not kept by the storage pool: nothing would come back to them.
constexpr std::uint64_t kLargestBlock = std::uint64_t(256) << 20;

}  // namespace

std::shared_ptr<PageLocks> PageLocks::shared(int device) {
    static std::mutex mutex;
    static std::weak_ptr<PageLocks> known;
    const std::lock_guard lock(mutex);
    if (auto there = known.lock()) return there;
    std::shared_ptr<PageLocks> made(new PageLocks(device));
    addStorageWatch(*made);
    known = made;
    return made;
}

PageLocks::~PageLocks() {
    {
        const std::lock_guard lock(m_mutex);
        for (const auto& [memory, use] : m_blocks) unlock(memory, use);
        m_blocks.clear();
    }
    // After that: until here a block that leaves waits for its lock to end.
    removeStorageWatch(*this);
}

std::uint64_t PageLocks::mostBytes() {
    constexpr std::uint64_t kMost = std::uint64_t(2) << 30;
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageBytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || pageBytes <= 0) return kMost / 16;
    return std::min(kMost, std::uint64_t(pages) * std::uint64_t(pageBytes) / 16);
}

bool PageLocks::readyFor(const std::byte* inside) {
    const auto block = largeStorageAt(inside);
    if (!block || block->bytes > kLargestBlock) return false;
    const std::lock_guard lock(m_mutex);
    Use& use = m_blocks[block->memory];
    if (use.locked) return true;
    if (use.refused || use.copies++ < kCopiesBefore) return false;
    use.bytes = block->bytes;
    return tryLock(block->memory, use);
}

bool PageLocks::isLocked(const std::byte* inside) const {
    const auto block = largeStorageAt(inside);
    if (!block) return false;
    const std::lock_guard lock(m_mutex);
    const auto found = m_blocks.find(block->memory);
    return found != m_blocks.end() && found->second.locked;
}

bool PageLocks::tryLock(std::byte* memory, Use& use) {
    static const std::uint64_t most = mostBytes();
    if (m_bytes + use.bytes > most) return false;
    // Between fork() and exec() the first write would give this process another page than the one
    // that the device has.
    madvise(memory, use.bytes, MADV_DONTFORK);
    try {
        WARPSCOPE_CUDA(cudaHostRegister(memory, use.bytes, cudaHostRegisterPortable));
    } catch (const CudaFailure& failure) {
        // A fault of the device comes up again in the copy that follows.
        madvise(memory, use.bytes, MADV_DOFORK);
        use.refused = true;
        if (m_told) return false;
        m_told = true;
        logMessage(LogLevel::Warning,
                   fmt::format("{} MiB of images are not page-locked, and copied more slowly: {}",
                               use.bytes >> 20, failure.what()));
        return false;
    }
    use.locked = true;
    m_bytes += use.bytes;
    countPinned(std::int64_t(use.bytes));
    return true;
}

void PageLocks::unlock(std::byte* memory, const Use& use) noexcept {
    if (!use.locked) return;
    // The last owner of an image may be on a thread that never used this device.
    WARPSCOPE_CUDA_QUIET(cudaSetDevice(m_device));
    WARPSCOPE_CUDA_QUIET(cudaHostUnregister(memory));
    madvise(memory, use.bytes, MADV_DOFORK);
    m_bytes -= use.bytes;
    countPinned(-std::int64_t(use.bytes));
}

void PageLocks::leaving(const StorageBlock& block) noexcept {
    const std::lock_guard lock(m_mutex);
    const auto found = m_blocks.find(block.memory);
    if (found == m_blocks.end()) return;
    unlock(found->first, found->second);
    m_blocks.erase(found);
}

}  // namespace warpscope::cuda
