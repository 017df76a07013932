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

PageLocks::PageLocks(int device) : m_device(device), m_thread([this] { endLocks(); }) {}

PageLocks::~PageLocks() {
    {
        const std::lock_guard held(m_mutex);
        m_ending = true;
    }
    m_changed.notify_all();
    m_thread.join();
    // After that: until here a block that leaves is kept until its lock has ended.
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
    Uses::iterator at;
    {
        const std::lock_guard held(m_mutex);
        at = m_blocks.try_emplace(block->memory).first;
        if (at->second.state != State::Free) return at->second.state == State::Locked;
        if (!mayLock(at->second, block->bytes)) return false;
    }
    // The image that is copied keeps the block here meanwhile, and this its entry.
    bool refused = false;
    const State state = lock(*block, refused);
    const std::lock_guard held(m_mutex);
    at->second.state = state;
    at->second.refused = refused;
    if (state == State::Locked) return true;
    m_bytes -= block->bytes;
    return false;
}

bool PageLocks::isLocked(const std::byte* inside) const {
    const auto block = largeStorageAt(inside);
    if (!block) return false;
    const std::lock_guard held(m_mutex);
    const auto found = m_blocks.find(block->memory);
    return found != m_blocks.end() && found->second.state == State::Locked;
}

// If so, it is being locked from then on.
bool PageLocks::mayLock(Use& use, std::uint64_t bytes) {
    static const std::uint64_t most = mostBytes();
    if (use.refused || use.copies++ < kCopiesBefore || m_bytes + bytes > most) return false;
    use.bytes = bytes;
    use.state = State::Locking;
    m_bytes += bytes;
    return true;
}

PageLocks::State PageLocks::lock(const StorageBlock& block, bool& refused) noexcept {
    // Between fork() and exec() the first write would give this process another page than the one
    // that the device has.
    madvise(block.memory, block.bytes, MADV_DONTFORK);
    try {
        WARPSCOPE_CUDA(cudaHostRegister(block.memory, block.bytes, cudaHostRegisterPortable));
    } catch (const CudaFailure& failure) {
        madvise(block.memory, block.bytes, MADV_DOFORK);
        // By the locks of earlier backends, which are ending: the next copy tries again.
        if (failure.code() == cudaErrorHostMemoryAlreadyRegistered) return State::Free;
        // A fault of the device comes up again in the copy that follows.
        refused = true;
        tell(block, failure);
        return State::Free;
    } catch (...) {
        // There is not even memory to say what failed.
        madvise(block.memory, block.bytes, MADV_DOFORK);
        refused = true;
        return State::Free;
    }
    // Again: a lock of earlier backends may have ended in between.
    madvise(block.memory, block.bytes, MADV_DONTFORK);
    countPinned(std::int64_t(block.bytes));
    return State::Locked;
}

void PageLocks::tell(const StorageBlock& block, const CudaFailure& failure) noexcept {
    if (m_told.exchange(true)) return;
    try {
        logMessage(LogLevel::Warning,
                   fmt::format("{} MiB of images are not page-locked, and copied more slowly: {}",
                               block.bytes >> 20, failure.what()));
    } catch (...) {
        // Nothing depends on it.
    }
}

// What m_thread does.
void PageLocks::endLocks() noexcept {
    const auto isDue = [&](const Uses::value_type& one) { return m_ending || one.second.left; };
    std::unique_lock held(m_mutex);
    while (true) {
        m_changed.wait(held, [&] { return m_ending || m_left > 0; });
        const auto at = std::find_if(m_blocks.begin(), m_blocks.end(), isDue);
        if (at == m_blocks.end()) return;
        end(held, at);
    }
}

void PageLocks::end(std::unique_lock<std::mutex>& held, Uses::iterator at) noexcept {
    const StorageBlock block{at->first, at->second.bytes};
    if (at->second.state == State::Locked) {
        at->second.state = State::Unlocking;
        held.unlock();
        // No device copies any more. First, because backends made anew may lock it right after.
        madvise(block.memory, block.bytes, MADV_DOFORK);
        WARPSCOPE_CUDA_QUIET(cudaSetDevice(m_device));
        WARPSCOPE_CUDA_QUIET(cudaHostUnregister(block.memory));
        countPinned(-std::int64_t(block.bytes));
        held.lock();
        m_bytes -= block.bytes;
    }
    const bool left = at->second.left;
    m_blocks.erase(at);
    if (!left) return;
    held.unlock();
    endStorage(block);
    held.lock();
    --m_left;
    m_changed.notify_all();
}

bool PageLocks::leaving(const StorageBlock& block) noexcept {
    {
        const std::lock_guard held(m_mutex);
        const auto found = m_blocks.find(block.memory);
        if (found == m_blocks.end()) return false;
        if (found->second.state == State::Free) {
            m_blocks.erase(found);
            return false;
        }
        found->second.left = true;
        ++m_left;
    }
    m_changed.notify_all();
    return true;
}

void PageLocks::waitUntilGone() noexcept {
    std::unique_lock held(m_mutex);
    m_changed.wait(held, [&] { return m_left == 0; });
}

}  // namespace warpscope::cuda
