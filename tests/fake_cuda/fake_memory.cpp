// The device, its memory, and what is alive.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

#include "fake_cuda/fake_state.h"

namespace warpscope::test::fake {

Runtime& runtime() {
    static Runtime all;
    return all;
}

std::uint64_t Runtime::reservedBytes() const {
    std::uint64_t bytes = 0;
    for (const cudaMemPool_t pool : pools) bytes += pool->reserved;
    for (const auto& [data, block] : device)
        if (!block.pool) bytes += block.bytes;
    return bytes;
}

cudaError_t misused(std::string what, cudaError_t code) {
    runtime().misuse.push_back(std::move(what));
    return code;
}

bool lieIn(const Blocks& blocks, const void* data, std::size_t bytes) {
    auto* const first = const_cast<std::byte*>(static_cast<const std::byte*>(data));
    auto after = blocks.upper_bound(first);
    if (after == blocks.begin()) return false;
    const auto& [start, block] = *--after;
    return std::size_t(first - start) + bytes <= block.bytes;
}

void freeBlock(Blocks& blocks, std::byte* data) {
    std::free(data);
    blocks.erase(data);
}

namespace {

constexpr std::size_t kAlignment = 256;
constexpr int kRubbish = 0xa5;
// How much of a block is rubbish at either end: filling the megabytes that a backend keeps for
// copies, of which most tests use a corner, took half of their time.
constexpr std::size_t kRubbishBytes = std::size_t(512) << 10;

cudaError_t allocate(Blocks& blocks, void** data, const Block& block) {
    if (block.bytes == 0) return misused("an allocation of nothing");
    void* memory = nullptr;
    if (posix_memalign(&memory, kAlignment, block.bytes)) return cudaErrorMemoryAllocation;
    auto* const bytes = static_cast<std::byte*>(memory);
    const std::size_t head = std::min(block.bytes, kRubbishBytes);
    const std::size_t tail = std::min(block.bytes - head, kRubbishBytes);
    std::memset(bytes, kRubbish, head);
    std::memset(bytes + block.bytes - tail, kRubbish, tail);
    blocks.emplace(static_cast<std::byte*>(memory), block);
    *data = memory;
    return cudaSuccess;
}

bool isDevice(int device) {
    return device >= 0 && device < runtime().gpu.devices;
}

thread_local int currentDevice = 0;

}  // namespace
}  // namespace warpscope::test::fake

using namespace warpscope::test;
using namespace warpscope::test::fake;

FakeGraph::~FakeGraph() {
    for (std::byte* data : blocks) {
        const Block& block = runtime().device.at(data);
        if (!block.released) noteFakeMisuse("a graph ends with memory that it did not give back");
        block.pool->used -= block.bytes;
        freeBlock(runtime().device, data);
    }
}

namespace warpscope::test {

void setFakeGpu(const FakeGpu& gpu) {
    const std::lock_guard lock(runtime().mutex);
    runtime().gpu = gpu;
}

FakeGpu fakeGpu() {
    const std::lock_guard lock(runtime().mutex);
    return runtime().gpu;
}

FakeAlive fakeAlive() {
    const std::lock_guard lock(runtime().mutex);
    const Runtime& now = runtime();
    return {int(now.streams.size()), int(now.events.size()),      int(now.pools.size()),
            int(now.graphs.size()),  int(now.executables.size()), int(now.device.size()),
            int(now.host.size())};
}

std::string describeAlive() {
    const FakeAlive alive = fakeAlive();
    std::string text;
    const auto add = [&](int count, const char* what) {
        if (count) text += (text.empty() ? "" : ", ") + std::to_string(count) + ' ' + what;
    };
    add(alive.streams, "streams");
    add(alive.events, "events");
    add(alive.pools, "pools");
    add(alive.graphs, "graphs");
    add(alive.executables, "executable graphs");
    add(alive.deviceBlocks, "blocks of device memory");
    add(alive.hostBlocks, "blocks of page-locked memory");
    return text;
}

std::vector<std::string> takeFakeMisuse() {
    const std::lock_guard lock(runtime().mutex);
    return std::exchange(runtime().misuse, {});
}

void noteFakeMisuse(std::string what) {
    const std::lock_guard lock(runtime().mutex);
    misused(std::move(what));
}

}  // namespace warpscope::test

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
    return call([&] {
        *count = runtime().gpu.devices;
        return *count ? cudaSuccess : cudaErrorNoDevice;
    });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return call([&] {
        if (!isDevice(device)) return cudaErrorInvalidDevice;
        const FakeGpu& gpu = runtime().gpu;
        *properties = {};
        std::strcpy(properties->name, "Fake GPU");
        std::memset(properties->uuid.bytes, 0x10 + device, sizeof properties->uuid.bytes);
        properties->totalGlobalMem = gpu.memory;
        properties->major = gpu.major;
        properties->minor = gpu.minor;
        properties->multiProcessorCount = 4;
        properties->l2CacheSize = 1 << 20;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return call([&] {
        if (!isDevice(device)) return cudaErrorInvalidDevice;
        const FakeGpu& gpu = runtime().gpu;
        switch (attribute) {
            case cudaDevAttrComputeCapabilityMajor:
                *value = gpu.major;
                return cudaSuccess;
            case cudaDevAttrComputeCapabilityMinor:
                *value = gpu.minor;
                return cudaSuccess;
            case cudaDevAttrMultiProcessorCount:
                *value = 4;
                return cudaSuccess;
            case cudaDevAttrMaxSharedMemoryPerBlockOptin:
                *value = 99 << 10;
                return cudaSuccess;
            case cudaDevAttrL2CacheSize:
                *value = 1 << 20;
                return cudaSuccess;
            case cudaDevAttrMemoryPoolsSupported:
                *value = gpu.pools;
                return cudaSuccess;
            default:
                return misused("an attribute that the fake device has not");
        }
    });
}

cudaError_t cudaSetDevice(int device) {
    return call([&] {
        if (!isDevice(device)) return cudaErrorInvalidDevice;
        currentDevice = device;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDevice(int* device) {
    *device = currentDevice;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
    return call([&] {
        Runtime& now = runtime();
        if (now.reservedBytes() + bytes > now.gpu.memory) return cudaErrorMemoryAllocation;
        return allocate(now.device, data, {bytes});
    });
}

cudaError_t cudaFree(void* data) {
    return call([&] {
        Runtime& now = runtime();
        for (const cudaStream_t stream : now.streams) drain(stream);
        const auto found = now.device.find(static_cast<std::byte*>(data));
        if (found == now.device.end() || found->second.pool)
            return misused("cudaFree of what cudaMalloc did not give");
        freeBlock(now.device, found->first);
        return cudaSuccess;
    });
}

cudaError_t cudaHostAlloc(void** data, std::size_t bytes, unsigned) {
    return call([&] { return allocate(runtime().host, data, {bytes}); });
}

// Waits for nothing: a copy that is still queued finds its memory gone, and says so.
cudaError_t cudaFreeHost(void* data) {
    return call([&] {
        Runtime& now = runtime();
        const auto found = now.host.find(static_cast<std::byte*>(data));
        if (found == now.host.end() || found->second.registered)
            return misused("cudaFreeHost of what is not there");
        freeBlock(now.host, found->first);
        return cudaSuccess;
    });
}

cudaError_t cudaHostRegister(void* data, std::size_t bytes, unsigned) {
    return call([&] {
        auto* const first = static_cast<std::byte*>(data);
        Blocks& host = runtime().host;
        const auto after = host.lower_bound(first + bytes);
        if (after != host.begin()) {
            const auto& [start, block] = *std::prev(after);
            if (start == first && block.registered) return cudaErrorHostMemoryAlreadyRegistered;
            if (start + block.bytes > first) return misused("memory is page-locked twice");
        }
        Block block{bytes};
        block.registered = true;
        host.emplace(first, block);
        return cudaSuccess;
    });
}

// As cudaFreeHost: what is still queued finds its memory gone.
cudaError_t cudaHostUnregister(void* data) {
    return call([&] {
        Blocks& host = runtime().host;
        const auto found = host.find(static_cast<std::byte*>(data));
        if (found == host.end() || !found->second.registered)
            return misused("the end of a page lock that is none");
        host.erase(found);
        return cudaSuccess;
    });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return call([&] {
        *total = runtime().gpu.memory;
        *free = *total - runtime().reservedBytes();
        return cudaSuccess;
    });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    return call([&] {
        if (!isDevice(properties->location.id) || !runtime().gpu.pools)
            return misused("a pool on a device that has none");
        *pool = *runtime().pools.insert(new CUmemPoolHandle_st).first;
        return cudaSuccess;
    });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return call([&] {
        if (!runtime().pools.erase(pool)) return misused("an unknown pool is destroyed");
        for (const auto& [data, block] : runtime().device)
            if (block.pool == pool) misused("a pool is destroyed with memory in use");
        delete pool;
        return cudaSuccess;
    });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return call([&] {
        if (!runtime().pools.contains(pool) || attribute != cudaMemPoolAttrReleaseThreshold)
            return misused("an attribute of a pool that cannot be set");
        std::memcpy(&pool->threshold, value, sizeof pool->threshold);
        return cudaSuccess;
    });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return call([&] {
        const bool reserved = attribute == cudaMemPoolAttrReservedMemCurrent;
        if (!runtime().pools.contains(pool) ||
            (!reserved && attribute != cudaMemPoolAttrUsedMemCurrent))
            return misused("an attribute that the fake pool has not");
        std::memcpy(value, reserved ? &pool->reserved : &pool->used, sizeof pool->used);
        return cudaSuccess;
    });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytesToKeep) {
    return call([&] {
        if (!runtime().pools.contains(pool)) return misused("an unknown pool is trimmed");
        pool->reserved = std::max(pool->used, std::min<std::uint64_t>(pool->reserved, bytesToKeep));
        return cudaSuccess;
    });
}

cudaError_t cudaMallocFromPoolAsync(void** data, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    return call([&] {
        Runtime& now = runtime();
        if (!now.pools.contains(pool) || !now.streams.contains(stream))
            return misused("memory of an unknown pool or stream");
        if (stream->captureBroken) return cudaErrorStreamCaptureInvalidated;
        const std::uint64_t used = pool->used + bytes;
        const std::uint64_t more = used > pool->reserved ? used - pool->reserved : 0;
        if (now.reservedBytes() + more > now.gpu.memory) return cudaErrorMemoryAllocation;
        const bool ofGraph = stream->capture != nullptr;
        const cudaError_t code = allocate(now.device, data, {bytes, pool, ofGraph});
        if (code != cudaSuccess) return code;
        pool->used = used;
        pool->reserved += more;
        if (ofGraph) stream->capture->blocks.push_back(static_cast<std::byte*>(*data));
        return code;
    });
}

cudaError_t cudaFreeAsync(void* data, cudaStream_t stream) {
    return call([&] {
        Runtime& now = runtime();
        if (!now.streams.contains(stream)) return misused("memory is released in no stream");
        const auto found = now.device.find(static_cast<std::byte*>(data));
        if (found == now.device.end() || !found->second.pool || found->second.released)
            return misused("cudaFreeAsync of what a pool did not give, or for the second time");
        Block& block = found->second;
        if (block.ofGraph != (stream->capture != nullptr))
            return misused("memory of a graph is released outside of it, or other memory inside");
        block.released = true;
        if (block.ofGraph) return cudaSuccess;  // goes with the graph
        // The next allocation may have the bytes, since it stands behind this release.
        block.pool->used -= block.bytes;
        return enqueue(stream, [start = found->first] { freeBlock(runtime().device, start); });
    });
}
}
