#include "cuda_kernels/runtime/device_context.h"

#include <algorithm>

#include "cuda_kernels/runtime/code_version.h"
#include "cuda_kernels/runtime/launch_model.h"
#include "engine/base/checked.h"

namespace warpscope::cuda {

static_assert(DeviceTraits{}.bytesPerLaunch == kBytesPerLaunch);

namespace {

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    WARPSCOPE_CUDA(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

std::size_t bufferBytes(std::int64_t pitch, Size size) {
    const auto bytes = checkedMultiply(std::uint64_t(pitch), std::uint64_t(size.height));
    // No device has such memory; said in the same way as any other lack of it.
    if (!bytes || *bytes > std::uint64_t(PTRDIFF_MAX))
        throw CudaFailure(cudaErrorMemoryAllocation, {"image size", __FILE__, __LINE__, false});
    return std::size_t(*bytes);
}

}  // namespace

DeviceTraits DeviceTraits::query(int index) {
    DeviceTraits traits;
    traits.index = index;
    traits.major = attribute(cudaDevAttrComputeCapabilityMajor, index);
    traits.minor = attribute(cudaDevAttrComputeCapabilityMinor, index);
    // Kernels are chosen by what is in them: bodies for later devices are empty in code that the
    // driver translates for those.
    if (const int code = codeVersion(); code < traits.major * 10 + traits.minor) {
        traits.major = code / 10;
        traits.minor = code % 10;
    }
    traits.multiprocessors = attribute(cudaDevAttrMultiProcessorCount, index);
    traits.multiplicationsPerLaunch = multiplicationsForLaunch(traits.multiprocessors);
    traits.sharedPerBlock = std::size_t(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, index));
    traits.l2Bytes = std::size_t(attribute(cudaDevAttrL2CacheSize, index));
    traits.driverPools = attribute(cudaDevAttrMemoryPoolsSupported, index) != 0;
    return traits;
}

std::int64_t devicePitch(PixelFormat format, Size size) {
    const std::int64_t row = std::int64_t(size.width) * bytesPerPixel(format);
    const std::int64_t alignment = row >= 1024 ? 256 : kMinPitchAlignment;
    return (row + alignment - 1) / alignment * alignment;
}

DeviceContext::DeviceContext(const DeviceTraits& traits)
    : m_traits(traits),
      m_stream(Stream::create()),
      m_pool(traits.index, m_stream.get(), traits.driverPools),
      m_counting(m_pool, sizeof(CountingScratch)) {
    WARPSCOPE_CUDA(
        cudaMemsetAsync(m_counting.as<void>(), 0, sizeof(CountingScratch), m_stream.get()));
}

CountingScratch* DeviceContext::counting() {
    return m_counting.as<CountingScratch>();
}

void DeviceContext::cleanCounting(cudaStream_t stream) {
    if (!countingDirty) return;
    WARPSCOPE_CUDA(cudaMemsetAsync(counting(), 0, sizeof(CountingScratch), stream));
    countingDirty = false;
}

// What outlives a run must not come from a graph that is being made.
void DeviceContext::requireNoCapture() const {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    WARPSCOPE_CUDA(cudaStreamIsCapturing(stream(), &status));
    if (status != cudaStreamCaptureStatusNone)
        throw CudaFailure(cudaErrorStreamCaptureUnsupported,
                          {"memory that is kept", __FILE__, __LINE__, false});
}

std::byte* DeviceContext::keep(const std::shared_ptr<DeviceMemory>& memory) {
    if (m_graphMemory) m_graphMemory->shared.push_back(memory);
    return memory->as();
}

DeviceContext::Capturing::Capturing(DeviceContext& device, cudaStream_t stream, GraphMemory& memory)
    : m_device(device) {
    device.m_capturing = stream;
    device.m_graphMemory = &memory;
    device.m_pool.keepReleased(&memory.released);
}

DeviceContext::Capturing::~Capturing() {
    m_device.m_pool.keepReleased(nullptr);
    m_device.m_graphMemory = nullptr;
    m_device.m_capturing = nullptr;
}

std::byte* DeviceContext::scratch(Scratch use, std::size_t bytes) {
    std::shared_ptr<DeviceMemory>& memory = m_scratch[std::size_t(use)];
    if (!memory || memory->bytes() < bytes) {
        requireNoCapture();
        memory.reset();  // first, so that both need not fit
        memory = std::make_shared<DeviceMemory>(m_pool, bytes);
    }
    return keep(memory);
}

const std::byte* DeviceContext::constants(const std::string& key,
                                          const std::function<std::vector<std::uint32_t>()>& make) {
    constexpr std::size_t kKept = 8;
    const auto found = std::find_if(m_constants.begin(), m_constants.end(),
                                    [&](const Constants& one) { return one.key == key; });
    if (found != m_constants.end()) {
        std::rotate(found, found + 1, m_constants.end());
        return keep(m_constants.back().memory);
    }
    requireNoCapture();
    const std::vector<std::uint32_t> values = make();
    Constants made{key, std::make_shared<DeviceMemory>(m_pool, values.size() * sizeof(values[0]))};
    // From pageable memory: the runtime has taken its copy when the call returns.
    WARPSCOPE_CUDA(cudaMemcpyAsync(made.memory->as<void>(), values.data(), made.memory->bytes(),
                                   cudaMemcpyHostToDevice, m_stream.get()));
    if (m_constants.size() >= kKept) m_constants.erase(m_constants.begin());
    m_constants.push_back(std::move(made));
    return keep(m_constants.back().memory);
}

DeviceBuffer::DeviceBuffer(std::shared_ptr<DeviceContext> context, PixelFormat format, Size size,
                           std::shared_ptr<const ImageInfo> info)
    : m_context(std::move(context)),
      m_memory(m_context->pool(), bufferBytes(devicePitch(format, size), size)),
      m_image{m_memory.as(), devicePitch(format, size), size, format},
      m_info(std::move(info)) {}

}  // namespace warpscope::cuda
