// What a CudaBackend and its buffers share: device, stream, memory pool and small scratch areas.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cuda_kernels/runtime/resources.h"
#include "engine/backend/backend.h"
#include "engine/image/image.h"

namespace warpscope::cuda {

struct DeviceTraits {
    int index = 0;
    int major = 0;
    int minor = 0;
    int multiprocessors = 0;
    std::size_t sharedPerBlock = 0;  // what a kernel may ask for after opting in
    std::size_t l2Bytes = 0;
    bool driverPools = false;
    // What one launch may move and do so that it lasts well under 50 ms even on the slowest
    // supported device: some 100 GB/s; 64 integer multiplications a cycle and multiprocessor at 1
    // GHz, a quarter of which is reached. Smaller in tests, which then see many bands.
    std::int64_t bytesPerLaunch = std::int64_t(1) << 30;
    std::int64_t multiplicationsPerLaunch = 0;

    // `index`: the current device's.
    static DeviceTraits query(int index);
    // mma.sync on 8-bit integers with a depth of 32.
    bool hasIntegerMma() const { return major >= 8; }
};

// Samples in device memory, rows `pitch` bytes apart. Does not own them. Padding between a row's
// end and the next row is allocated: kernels may read and write it, whatever it holds.
struct DeviceImage {
    std::byte* data = nullptr;
    std::int64_t pitch = 0;
    Size size;
    PixelFormat format = PixelFormat::Gray8;

    std::int64_t rowBytes() const { return std::int64_t(size.width) * bytesPerPixel(format); }
};

// Rows start at multiples of this, so that 16-byte accesses to four pixels of any format stay
// inside.
inline constexpr std::int64_t kMinPitchAlignment = 64;
std::int64_t devicePitch(PixelFormat format, Size size);

// Device memory that kernels keep between launches. The counters are zero whenever no counting is
// under way: whoever adds last clears them, which saves a memset each time.
struct CountingScratch {
    static constexpr int kChannels = 4;  // luma, red, green, blue
    static constexpr int kBins = 256;
    unsigned long long counters[kChannels * kBins];
    unsigned int ticket;
    unsigned int padding[31];
    unsigned long long totals[kBins];  // counts that the next launch makes use of
    std::uint8_t tables[kChannels * kBins];
};

// Device memory that a graph uses.
struct GraphMemory {
    explicit GraphMemory(DevicePool& pool) : released(pool) {}
    KeptBlocks released;  // while it was made
    // Scratch memory and constants: that of other runs may take their place in the context.
    std::vector<std::shared_ptr<const DeviceMemory>> shared;
};

class DeviceContext {
  public:
    // Throws CudaFailure.
    explicit DeviceContext(const DeviceTraits& traits);
    DeviceContext(const DeviceContext&) = delete;
    DeviceContext& operator=(const DeviceContext&) = delete;

    const DeviceTraits& traits() const { return m_traits; }
    // Where work is queued.
    cudaStream_t stream() const { return m_capturing ? m_capturing : m_stream.get(); }
    DevicePool& pool() { return m_pool; }
    CountingScratch* counting();

    // Device memory with what `make` gives for `key`, kept for the next runs of the same plan (the
    // last few keys). Host memory is copied before this returns. Throws CudaFailure; so it does
    // where a graph is made and the key is not there yet: memory and copy would be the graph's, and
    // end with it.
    const std::byte* constants(const std::string& key,
                               const std::function<std::vector<std::uint32_t>()>& make);

    // Device memory for intermediates of the run at hand; whatever it holds is lost at the next
    // call for the same use. Kept and grown, so that asking costs nothing; for up to kMaxScratch
    // bytes, more is better allocated. Throws CudaFailure; so it does where it must grow while a
    // graph is made.
    static constexpr std::size_t kMaxScratch = std::size_t(64) << 20;
    enum class Scratch { Small, Planes };
    std::byte* scratch(Scratch use, std::size_t bytes);

    // While it lives, what is queued goes into `stream`, from which a graph is captured, and the
    // memory that it uses stays `memory`'s. Memory is allocated and released beside the graph, so
    // that other threads may do so meanwhile. What outlives a run is there from a run before, or
    // the capture fails.
    class Capturing {
      public:
        Capturing(DeviceContext& device, cudaStream_t stream, GraphMemory& memory);
        ~Capturing();
        Capturing(const Capturing&) = delete;
        Capturing& operator=(const Capturing&) = delete;

      private:
        DeviceContext& m_device;
    };

    // True while the counters may hold something (a count that was stopped between two launches).
    bool countingDirty = false;
    // Queues clearing of the counters if so. Throws CudaFailure.
    void cleanCounting(cudaStream_t stream);

  private:
    void requireNoCapture() const;
    // The same, which the graph that is made keeps, if one is.
    std::byte* keep(const std::shared_ptr<DeviceMemory>& memory);

    DeviceTraits m_traits;
    Stream m_stream;
    DevicePool m_pool;
    DeviceMemory m_counting;
    std::shared_ptr<DeviceMemory> m_scratch[2];
    struct Constants {
        std::string key;
        std::shared_ptr<DeviceMemory> memory;
    };
    std::vector<Constants> m_constants;  // most recently used last
    cudaStream_t m_capturing = nullptr;
    GraphMemory* m_graphMemory = nullptr;
};

class DeviceBuffer final : public Buffer {
  public:
    // Samples are not initialized. Throws CudaFailure.
    DeviceBuffer(std::shared_ptr<DeviceContext> context, PixelFormat format, Size size,
                 std::shared_ptr<const ImageInfo> info);

    PixelFormat format() const override { return m_image.format; }
    Size size() const override { return m_image.size; }
    std::uint64_t byteCount() const override { return m_memory.bytes(); }
    const ImageInfo& info() const override { return *m_info; }

    const DeviceImage& image() const { return m_image; }
    const std::shared_ptr<const ImageInfo>& sharedInfo() const { return m_info; }
    const DeviceContext* context() const { return m_context.get(); }

  private:
    std::shared_ptr<DeviceContext> m_context;  // outlives the memory
    DeviceMemory m_memory;
    DeviceImage m_image;
    std::shared_ptr<const ImageInfo> m_info;
};

}  // namespace warpscope::cuda
