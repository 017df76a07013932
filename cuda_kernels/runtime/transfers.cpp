#include "cuda_kernels/runtime/transfers.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "cuda_kernels/runtime/queue_rows.h"
#include "engine/base/row_bands.h"

namespace warpscope::cuda {
namespace {

// Copies rows between two pitches on all cores.
void copyRows(std::byte* to, std::int64_t toPitch, const std::byte* from, std::int64_t fromPitch,
              std::int64_t rowBytes, int rows, const RunContext& context) {
    constexpr std::int64_t kBandBytes = 256 * 1024;
    const int rowsPerBand = int(std::clamp<std::int64_t>(kBandBytes / rowBytes, 1, rows));
    CpuContext cpu;
    cpu.stop = context.stop;
    const auto done = forEachRowBand(cpu, rows, rowsPerBand, [&](int first, int last) {
        if (toPitch == rowBytes && fromPitch == rowBytes) {
            std::memcpy(to + first * toPitch, from + first * fromPitch,
                        std::size_t(rowBytes * (last - first)));
            return;
        }
        for (int row = first; row < last; ++row)
            std::memcpy(to + row * toPitch, from + row * fromPitch, std::size_t(rowBytes));
    });
    if (done) return;
    if (done.error().code == ErrorCode::Cancelled) throw Stopped{};
    throw std::bad_alloc();
}

void checkStop(const RunContext& context) {
    if (context.stop.stop_requested()) throw Stopped{};
}

// Many short rows that lie apart are copied faster once they are packed.
bool hasCopyOf(std::int64_t pitch, const DeviceImage& device) {
    constexpr std::int64_t kShortRow = 1024;
    return pitch == device.pitch || device.rowBytes() >= kShortRow;
}

}  // namespace

Transfers::Transfers(DeviceContext& device)
    : m_device(device),
      m_locks(PageLocks::shared(device.traits().index)),
      m_arrived(Event::create(Event::Timing::Off)) {
    for (Slot& slot : m_slots) {
        slot.memory = PinnedMemory(kChunkBytes);
        slot.done = Event::create(Event::Timing::Off);
    }
}

bool Transfers::readyInPlace(const std::byte* image, std::int64_t pitch,
                             const DeviceImage& device) {
    return hasCopyOf(pitch, device) && m_locks->readyFor(image);
}

bool Transfers::isInPlace(const std::byte* image, std::int64_t pitch,
                          const DeviceImage& device) const {
    return hasCopyOf(pitch, device) && m_locks->isLocked(image);
}

void Transfers::uploadInPlace(const Image& from, const DeviceImage& to, const Queued& queued) {
    constexpr std::size_t kMostReading = 16;
    if (m_reading.size() >= kMostReading) {
        WARPSCOPE_CUDA(cudaStreamSynchronize(m_device.stream()));
        allDone();
    }
    m_reading.push_back(from);
    queueRows(to.data, to.pitch, from.bytes(), from.pitch(), to.rowBytes(), from.height(),
              cudaMemcpyHostToDevice, m_device.stream());
    if (queued) queued();
}

void Transfers::downloadInPlace(const DeviceImage& from, const MutableImage& to,
                                const Queued& queued) {
    try {
        queueRows(to.bytes(), to.pitch(), from.data, from.pitch, from.rowBytes(), from.size.height,
                  cudaMemcpyDeviceToHost, m_device.stream());
        if (queued) queued();
        m_arrived.record(m_device.stream());
        m_arrived.wait();
    } catch (...) {
        // Or the copy would meet the memory's next user.
        WARPSCOPE_CUDA_QUIET(cudaStreamSynchronize(m_device.stream()));
        throw;
    }
    allDone();
}

Transfers::Slot& Transfers::nextSlot(std::size_t bytes) {
    Slot& slot = m_slots[m_next];
    m_next = (m_next + 1) % kSlots;
    if (slot.used) slot.done.wait();
    slot.used = false;
    // Only a single row can be longer than a chunk.
    if (slot.memory.bytes() < bytes) slot.memory = PinnedMemory(bytes);
    return slot;
}

// The last copy from or to the slot is in the stream. Where that cannot be noted, nobody could wait
// for it later, and the slot's next user would meet it.
void Transfers::markUsed(Slot& slot) {
    try {
        slot.done.record(m_device.stream());
        slot.used = true;
    } catch (...) {
        WARPSCOPE_CUDA_QUIET(cudaStreamSynchronize(m_device.stream()));
        throw;
    }
}

int Transfers::rowsPerChunk(std::int64_t pitch, int height) const {
    return int(std::clamp<std::int64_t>(std::int64_t(kChunkBytes) / pitch, 1, height));
}

void Transfers::upload(const Image& from, const DeviceImage& to, const RunContext& context,
                       const Queued& queued) {
    checkStop(context);
    if (readyInPlace(from.bytes(), from.pitch(), to)) {
        uploadInPlace(from, to, queued);
        if (context.progress) context.progress(1);
        return;
    }
    const int height = from.height();
    const int step = rowsPerChunk(to.pitch, height);
    for (int first = 0; first < height; first += step) {
        checkStop(context);
        const int rows = std::min(step, height - first);
        const std::size_t bytes = std::size_t(to.pitch) * unsigned(rows);
        Slot& slot = nextSlot(bytes);
        copyRows(slot.memory.data(), to.pitch, from.rowBytes(first), from.pitch(), to.rowBytes(),
                 rows, context);
        WARPSCOPE_CUDA(cudaMemcpyAsync(to.data + first * to.pitch, slot.memory.data(), bytes,
                                       cudaMemcpyHostToDevice, m_device.stream()));
        markUsed(slot);
        if (context.progress) context.progress(double(first + rows) / double(height));
    }
    if (queued) queued();
}

void Transfers::download(const DeviceImage& from, const MutableImage& to, const RunContext& context,
                         const Queued& queued) {
    checkStop(context);
    if (readyInPlace(to.bytes(), to.pitch(), from)) {
        downloadInPlace(from, to, queued);
        if (context.progress) context.progress(1);
        return;
    }
    struct Chunk {
        Slot* slot = nullptr;
        int first = 0;
        int rows = 0;
    };
    const int height = from.size.height;
    const int step = rowsPerChunk(from.pitch, height);
    const auto unpack = [&](const Chunk& chunk) {
        chunk.slot->done.wait();
        chunk.slot->used = false;
        copyRows(to.rowBytes(chunk.first), to.pitch(), chunk.slot->memory.data(), from.pitch,
                 from.rowBytes(), chunk.rows, context);
        if (context.progress) context.progress(double(chunk.first + chunk.rows) / double(height));
    };
    // One chunk fewer than slots is under way while one is unpacked.
    Chunk waiting[kSlots - 1];
    int sent = 0;
    int unpacked = 0;
    for (int first = 0; first < height; first += step, ++sent) {
        checkStop(context);
        if (sent - unpacked == kSlots - 1) unpack(waiting[unpacked++ % (kSlots - 1)]);
        const int rows = std::min(step, height - first);
        const std::size_t bytes = std::size_t(from.pitch) * unsigned(rows);
        Slot& slot = nextSlot(bytes);
        WARPSCOPE_CUDA(cudaMemcpyAsync(slot.memory.data(), from.data + first * from.pitch, bytes,
                                       cudaMemcpyDeviceToHost, m_device.stream()));
        markUsed(slot);
        waiting[sent % (kSlots - 1)] = {&slot, first, rows};
    }
    if (queued) queued();
    while (unpacked < sent) unpack(waiting[unpacked++ % (kSlots - 1)]);
    // The last chunk came after whatever the stream read before.
    if (sent > 0) allDone();
}

void Transfers::downloadBytes(const void* from, void* to, std::size_t bytes, const Queued& queued) {
    auto* target = static_cast<std::byte*>(to);
    auto* source = static_cast<const std::byte*>(from);
    for (std::size_t done = 0; done < bytes; done += kChunkBytes) {
        const std::size_t part = std::min(kChunkBytes, bytes - done);
        Slot& slot = nextSlot(part);
        WARPSCOPE_CUDA(cudaMemcpyAsync(slot.memory.data(), source + done, part,
                                       cudaMemcpyDeviceToHost, m_device.stream()));
        markUsed(slot);
        if (done + part >= bytes && queued) queued();
        slot.done.wait();
        slot.used = false;
        std::memcpy(target + done, slot.memory.data(), part);
    }
    if (bytes > 0) allDone();
}

}  // namespace warpscope::cuda
