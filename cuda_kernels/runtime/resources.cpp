#include "cuda_kernels/runtime/resources.h"

#include <algorithm>
#include <atomic>

#include "cuda_kernels/runtime/pinned_count.h"

namespace warpscope::cuda {
namespace {

struct Counters {
    std::atomic<std::int64_t> streams{0}, events{0}, pinnedBytes{0}, deviceBytes{0}, graphs{0};
};
Counters& counters() {
    static Counters all;
    return all;
}

}  // namespace

LiveResources liveResources() {
    const Counters& now = counters();
    return {now.streams, now.events, now.pinnedBytes, now.deviceBytes, now.graphs};
}

void countGraphs(std::int64_t more) {
    counters().graphs += more;
}

void countPinned(std::int64_t moreBytes) {
    counters().pinnedBytes += moreBytes;
}

Stream Stream::create() {
    Stream stream;
    WARPSCOPE_CUDA(cudaStreamCreateWithFlags(&stream.m_stream, cudaStreamNonBlocking));
    ++counters().streams;
    return stream;
}

void Stream::reset() noexcept {
    if (!m_stream) return;
    WARPSCOPE_CUDA_QUIET(cudaStreamDestroy(m_stream));
    m_stream = nullptr;
    --counters().streams;
}

Event Event::create(Timing timing) {
    Event event;
    const unsigned flags = timing == Timing::On ? cudaEventDefault : cudaEventDisableTiming;
    WARPSCOPE_CUDA(cudaEventCreateWithFlags(&event.m_event, flags));
    ++counters().events;
    return event;
}

void Event::reset() noexcept {
    if (!m_event) return;
    WARPSCOPE_CUDA_QUIET(cudaEventDestroy(m_event));
    m_event = nullptr;
    --counters().events;
}

void Event::record(cudaStream_t stream) {
    WARPSCOPE_CUDA(cudaEventRecord(m_event, stream));
}

void Event::wait() const {
    WARPSCOPE_CUDA(cudaEventSynchronize(m_event));
}

PinnedMemory::PinnedMemory(std::size_t bytes) {
    void* data = nullptr;
    WARPSCOPE_CUDA(cudaHostAlloc(&data, bytes, cudaHostAllocDefault));
    m_data = static_cast<std::byte*>(data);
    m_bytes = bytes;
    counters().pinnedBytes += std::int64_t(bytes);
}

void PinnedMemory::reset() noexcept {
    if (!m_data) return;
    WARPSCOPE_CUDA_QUIET(cudaFreeHost(m_data));
    counters().pinnedBytes -= std::int64_t(m_bytes);
    m_data = nullptr;
    m_bytes = 0;
}

DevicePool::DevicePool(int device, cudaStream_t stream, bool driverPools)
    : m_device(device), m_stream(stream) {
    if (!driverPools) return;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    WARPSCOPE_CUDA(cudaMemPoolCreate(&m_pool, &properties));
    // By default the pool gives memory back at every synchronization, and the next frame pays for
    // mapping it again.
    std::uint64_t keep = UINT64_MAX;
    WARPSCOPE_CUDA_QUIET(cudaMemPoolSetAttribute(m_pool, cudaMemPoolAttrReleaseThreshold, &keep));
}

DevicePool::~DevicePool() {
    trim();
    if (m_pool) WARPSCOPE_CUDA_QUIET(cudaMemPoolDestroy(m_pool));
}

std::size_t DevicePool::rounded(std::size_t bytes) {
    // Coarse steps, so that images of nearly the same size reuse each other's blocks.
    const std::size_t step = bytes < (std::size_t(1) << 20) ? 4096 : std::size_t(1) << 20;
    return (std::max<std::size_t>(bytes, 1) + step - 1) / step * step;
}

void* DevicePool::tryAllocate(std::size_t bytes) {
    void* data = nullptr;
    if (m_pool) {
        WARPSCOPE_CUDA(cudaMallocFromPoolAsync(&data, bytes, m_pool, m_stream));
        return data;
    }
    const std::size_t size = rounded(bytes);
    const auto found = m_freeBlocks.find(size);
    if (found != m_freeBlocks.end()) {
        data = found->second;
        m_freeBlocks.erase(found);
        m_freeBytes -= size;
        return data;
    }
    WARPSCOPE_CUDA(cudaMalloc(&data, size));
    return data;
}

void* DevicePool::allocate(std::size_t bytes) {
    const std::lock_guard lock(m_mutex);
    void* data = nullptr;
    try {
        data = tryAllocate(bytes);
    } catch (const CudaFailure& failure) {
        if (failure.code() != cudaErrorMemoryAllocation) throw;
        trimLocked();
        data = tryAllocate(bytes);
    }
    m_liveBytes += bytes;
    counters().deviceBytes += std::int64_t(bytes);
    return data;
}

void DevicePool::release(void* data, std::size_t bytes) noexcept {
    const std::lock_guard lock(m_mutex);
    if (m_kept) {
        try {
            m_kept->m_blocks.push_back({data, bytes});
        } catch (...) {
            // A block that is lost is better than one that two use.
        }
        return;
    }
    m_liveBytes -= bytes;
    counters().deviceBytes -= std::int64_t(bytes);
    // The last owner of an image may be on a thread that never used this device.
    WARPSCOPE_CUDA_QUIET(cudaSetDevice(m_device));
    if (m_pool) {
        WARPSCOPE_CUDA_QUIET(cudaFreeAsync(data, m_stream));
        return;
    }
    try {
        m_freeBlocks.emplace(rounded(bytes), data);
        m_freeBytes += rounded(bytes);
    } catch (...) {
        WARPSCOPE_CUDA_QUIET(cudaFree(data));
    }
}

void DevicePool::keepReleased(KeptBlocks* kept) noexcept {
    const std::lock_guard lock(m_mutex);
    m_kept = kept;
}

void DevicePool::trim() noexcept {
    const std::lock_guard lock(m_mutex);
    trimLocked();
}

void DevicePool::trimLocked() noexcept {
    WARPSCOPE_CUDA_QUIET(cudaStreamSynchronize(m_stream));
    if (m_pool) WARPSCOPE_CUDA_QUIET(cudaMemPoolTrimTo(m_pool, 0));
    for (const auto& [size, data] : m_freeBlocks) WARPSCOPE_CUDA_QUIET(cudaFree(data));
    m_freeBlocks.clear();
    m_freeBytes = 0;
}

std::uint64_t DevicePool::liveBytes() const {
    const std::lock_guard lock(m_mutex);
    return m_liveBytes;
}

std::uint64_t DevicePool::pooledBytes() const noexcept {
    if (!m_pool) {
        const std::lock_guard lock(m_mutex);
        return m_freeBytes;
    }
    std::uint64_t reserved = 0;
    std::uint64_t used = 0;
    if (!WARPSCOPE_CUDA_QUIET(
            cudaMemPoolGetAttribute(m_pool, cudaMemPoolAttrReservedMemCurrent, &reserved)) ||
        !WARPSCOPE_CUDA_QUIET(
            cudaMemPoolGetAttribute(m_pool, cudaMemPoolAttrUsedMemCurrent, &used)))
        return 0;
    return reserved > used ? reserved - used : 0;
}

}  // namespace warpscope::cuda
