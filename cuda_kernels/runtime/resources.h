// Owners of CUDA things: move-only, destructors log and never throw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "cuda_kernels/runtime/cuda_api.h"

namespace warpscope::cuda {

// What owners, those below and others, hold at the moment, in the whole program. Tests look for
// leaks with it.
struct LiveResources {
    std::int64_t streams = 0;
    std::int64_t events = 0;
    std::int64_t pinnedBytes = 0;
    std::int64_t deviceBytes = 0;
    std::int64_t graphs = 0;
    friend bool operator==(const LiveResources&, const LiveResources&) = default;
};
LiveResources liveResources();
void countGraphs(std::int64_t more);

class Stream {
  public:
    Stream() = default;
    static Stream create();  // non-blocking
    ~Stream() { reset(); }
    Stream(Stream&& other) noexcept : m_stream(std::exchange(other.m_stream, nullptr)) {}
    Stream& operator=(Stream&& other) noexcept {
        if (this != &other) {
            reset();
            m_stream = std::exchange(other.m_stream, nullptr);
        }
        return *this;
    }
    cudaStream_t get() const { return m_stream; }

  private:
    void reset() noexcept;
    cudaStream_t m_stream = nullptr;
};

class Event {
  public:
    Event() = default;
    enum class Timing { On, Off };
    static Event create(Timing timing);
    ~Event() { reset(); }
    Event(Event&& other) noexcept : m_event(std::exchange(other.m_event, nullptr)) {}
    Event& operator=(Event&& other) noexcept {
        if (this != &other) {
            reset();
            m_event = std::exchange(other.m_event, nullptr);
        }
        return *this;
    }
    explicit operator bool() const { return m_event != nullptr; }
    cudaEvent_t get() const { return m_event; }
    void record(cudaStream_t stream);
    void wait() const;  // blocks the host

  private:
    void reset() noexcept;
    cudaEvent_t m_event = nullptr;
};

// Page-locked host memory.
class PinnedMemory {
  public:
    PinnedMemory() = default;
    explicit PinnedMemory(std::size_t bytes);
    ~PinnedMemory() { reset(); }
    PinnedMemory(PinnedMemory&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0)) {}
    PinnedMemory& operator=(PinnedMemory&& other) noexcept {
        if (this != &other) {
            reset();
            m_data = std::exchange(other.m_data, nullptr);
            m_bytes = std::exchange(other.m_bytes, 0);
        }
        return *this;
    }
    std::byte* data() const { return m_data; }
    std::size_t bytes() const { return m_bytes; }

  private:
    void reset() noexcept;
    std::byte* m_data = nullptr;
    std::size_t m_bytes = 0;
};

// Device memory whose allocation and release are ordered by one stream, so that neither
// synchronizes. Freed blocks stay for reuse until trim(). Uses the driver's stream-ordered pools
// where the device has them, lists of blocks of our own elsewhere (one stream makes immediate reuse
// safe). Thread-safe, because the last owner of an image may let go of it on any thread.
class KeptBlocks;
class DevicePool {
  public:
    DevicePool(int device, cudaStream_t stream, bool driverPools);
    ~DevicePool();
    DevicePool(const DevicePool&) = delete;
    DevicePool& operator=(const DevicePool&) = delete;

    // Throws CudaFailure (cudaErrorMemoryAllocation after pooled memory was given back and the
    // allocation tried again).
    void* allocate(std::size_t bytes);
    void release(void* data, std::size_t bytes) noexcept;
    // What is released from now on, by whichever thread, goes there. Null: back to the pool again.
    void keepReleased(KeptBlocks* kept) noexcept;
    void trim() noexcept;                        // waits for the stream
    std::uint64_t pooledBytes() const noexcept;  // held, but not handed out
    std::uint64_t liveBytes() const;

  private:
    void* tryAllocate(std::size_t bytes);
    void trimLocked() noexcept;
    static std::size_t rounded(std::size_t bytes);

    int m_device;
    cudaStream_t m_stream;
    cudaMemPool_t m_pool = nullptr;  // null: blocks of our own
    mutable std::mutex m_mutex;      // guards what follows
    std::multimap<std::size_t, void*> m_freeBlocks;
    std::uint64_t m_freeBytes = 0;
    std::uint64_t m_liveBytes = 0;
    KeptBlocks* m_kept = nullptr;
};

// Blocks that were released while they were kept here: their memory is nobody else's as long as
// this lives. The pool must outlive it.
class KeptBlocks {
  public:
    explicit KeptBlocks(DevicePool& pool) : m_pool(pool) {}
    ~KeptBlocks() {
        for (const Block& block : m_blocks) m_pool.release(block.data, block.bytes);
    }
    KeptBlocks(const KeptBlocks&) = delete;
    KeptBlocks& operator=(const KeptBlocks&) = delete;

  private:
    friend class DevicePool;
    struct Block {
        void* data;
        std::size_t bytes;
    };
    DevicePool& m_pool;
    std::vector<Block> m_blocks;
};

class DeviceMemory {
  public:
    DeviceMemory() = default;
    DeviceMemory(DevicePool& pool, std::size_t bytes)
        : m_pool(&pool), m_data(pool.allocate(bytes)), m_bytes(bytes) {}
    ~DeviceMemory() { reset(); }
    DeviceMemory(DeviceMemory&& other) noexcept
        : m_pool(other.m_pool),
          m_data(std::exchange(other.m_data, nullptr)),
          m_bytes(std::exchange(other.m_bytes, 0)) {}
    DeviceMemory& operator=(DeviceMemory&& other) noexcept {
        if (this != &other) {
            reset();
            m_pool = other.m_pool;
            m_data = std::exchange(other.m_data, nullptr);
            m_bytes = std::exchange(other.m_bytes, 0);
        }
        return *this;
    }
    template <class T = std::byte>
    T* as() const {
        return static_cast<T*>(m_data);
    }
    std::size_t bytes() const { return m_bytes; }

  private:
    void reset() noexcept {
        if (m_data) m_pool->release(std::exchange(m_data, nullptr), m_bytes);
    }
    DevicePool* m_pool = nullptr;
    void* m_data = nullptr;
    std::size_t m_bytes = 0;
};

}  // namespace warpscope::cuda
