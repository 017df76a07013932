// Images whose memory is page-locked where it lies, so that the device copies from and to it
// without a copy by the processor in between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "cuda_kernels/runtime/cuda_api.h"
#include "engine/image/storage_pool.h"

namespace warpscope::cuda {

// Locking takes about as long as the copy that it saves: a block of the storage pool is locked when
// it is copied from or to for the second time, and stays so until it goes back to the system. The
// pool hands the same blocks out again and again, so that those of results soon are locked, and a
// source is when it is sent again. Thread-safe.
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

    void leaving(const StorageBlock& block) noexcept override;

    // What may be locked together, because it cannot be swapped out: a sixteenth of the machine's
    // memory, at most 2 GiB.
    static std::uint64_t mostBytes();

  private:
    struct Use {
        std::uint64_t bytes = 0;
        int copies = 0;
        bool locked = false;
        bool refused = false;
    };

    explicit PageLocks(int device) : m_device(device) {}
    bool tryLock(std::byte* memory, Use& use);
    void unlock(std::byte* memory, const Use& use) noexcept;

    int m_device;
    mutable std::mutex m_mutex;  // guards what follows
    std::map<std::byte*, Use> m_blocks;
    std::uint64_t m_bytes = 0;  // locked
    bool m_told = false;
};

}  // namespace warpscope::cuda
