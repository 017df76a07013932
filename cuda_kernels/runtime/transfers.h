// Copies between images and device memory: at once where the image's memory is page-locked; else
// through page-locked memory, in chunks: while one chunk is on its way, the next is being packed or
// unpacked by all cores, and between chunks the stop token is looked at.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cuda_kernels/runtime/device_context.h"
#include "cuda_kernels/runtime/page_locks.h"

namespace warpscope::cuda {

class Transfers {
  public:
    // Allocates the page-locked memory. Throws CudaFailure.
    explicit Transfers(DeviceContext& device);

    // Called when the last copy of a transfer stands in the stream.
    using Queued = std::function<void()>;

    // Both return when the last chunk has been queued (upload) or has arrived (download). Throw
    // CudaFailure and Stopped.
    void upload(const Image& from, const DeviceImage& to, const RunContext& context,
                const Queued& queued);
    void download(const DeviceImage& from, const MutableImage& to, const RunContext& context,
                  const Queued& queued);

    // Small results; waits for them.
    void downloadBytes(const void* from, void* to, std::size_t bytes, const Queued& queued);

    // Whether copies between the two need no pieces, as far as is known without a copy.
    bool isInPlace(const std::byte* image, std::int64_t pitch, const DeviceImage& device) const;

    // Everything that was queued is done: images that were being read are let go of.
    void allDone() noexcept { m_reading.clear(); }

  private:
    struct Slot {
        PinnedMemory memory;
        Event done;  // the last copy from or to this slot
        bool used = false;
    };
    static constexpr int kSlots = 3;
    static constexpr std::size_t kChunkBytes = std::size_t(4) << 20;

    bool readyInPlace(const std::byte* image, std::int64_t pitch, const DeviceImage& device);
    void uploadInPlace(const Image& from, const DeviceImage& to, const Queued& queued);
    void downloadInPlace(const DeviceImage& from, const MutableImage& to, const Queued& queued);
    Slot& nextSlot(std::size_t bytes);
    void markUsed(Slot& slot);
    int rowsPerChunk(std::int64_t pitch, int height) const;

    DeviceContext& m_device;
    Slot m_slots[kSlots];
    int m_next = 0;
    std::shared_ptr<PageLocks> m_locks;
    Event m_arrived;
    // Their memory must stay theirs until the copies that were queued are done.
    std::vector<Image> m_reading;
};

}  // namespace warpscope::cuda
