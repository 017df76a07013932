// Images whose memory is page-locked where it lies, so that the device copies from and to it
// without a copy by the processor in between.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "cuda_kernels/runtime/cuda_api.h"
#include "engine/image/storage_pool.h"

namespace warpscope::cuda {

// Locking takes about as long as the copy that it saves: a block of the storage pool is locked when
// it is copied from or to for the second time, and stays so until it goes back to the system. The
// pool hands the same blocks out again and again, so that those of results soon are locked, and a
// source is when it is sent again. Locks, which take tens of milliseconds to end, end in a thread
// of their own: the last owner of an image may be a thread that must not wait, or works with
// another device. Thread-safe.
class PageLocks final : public StorageWatch {
  public:
    // One for all backends of the program: memory is locked once, for all devices. Locks end with
    // the last backend.
    static std::shared_ptr<PageLocks> shared(int device);
    ~PageLocks() override;
    PageLocks(const PageLocks&) = delete;
    PageLocks& operator=(const PageLocks&) = delete;

    // Before a copy from or to an image that has this byte: whether its memory is locked. Where it
    // cannot be, that is not tried again; the first time it is logged.
    bool readyFor(const std::byte* inside);
    // As it is; no copy follows that would count.
    bool isLocked(const std::byte* inside) const;

    bool leaving(const StorageBlock& block) noexcept override;
    void waitUntilGone() noexcept override;

    // What may be locked together, because it cannot be swapped out: a sixteenth of the machine's
    // memory, at most 2 GiB.
    static std::uint64_t mostBytes();

  private:
    enum class State { Free, Locking, Locked, Unlocking };
    struct Use {
        std::uint64_t bytes = 0;
        int copies = 0;
        State state = State::Free;
        bool refused = false;
        bool left = false;  // the pool waits for it
    };
    using Uses = std::map<std::byte*, Use>;

    explicit PageLocks(int device);
    bool mayLock(Use& use, std::uint64_t bytes);
    State lock(const StorageBlock& block, bool& refused) noexcept;
    void tell(const StorageBlock& block, const CudaFailure& failure) noexcept;
    void endLocks() noexcept;
    void end(std::unique_lock<std::mutex>& held, Uses::iterator at) noexcept;

    const int m_device;
    std::atomic<bool> m_told{false};
    // Never held while CUDA is called.
    mutable std::mutex m_mutex;  // guards what follows
    std::condition_variable m_changed;
    Uses m_blocks;
    std::uint64_t m_bytes = 0;  // locked, or being so
    int m_left = 0;             // blocks that the pool waits for
    bool m_ending = false;
    std::thread m_thread;  // last: it uses everything above
};

}  // namespace warpscope::cuda
