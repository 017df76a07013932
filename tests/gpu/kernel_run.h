// Runs kernels without a backend, on a device context of the test's making: as an older device sees
// them, or cut into many launches.
#pragma once

#include "cuda_kernels/runtime/runner.h"
#include "cuda_kernels/runtime/transfers.h"
#include "gpu_support.h"

// First thing in initTestCase where kernels are run.
#define REQUIRE_DEVICE(traits)                              \
    do {                                                    \
        REQUIRE_GPU();                                      \
        WARPSCOPE_CUDA(cudaSetDevice(0));                   \
        (traits) = warpscope::cuda::DeviceTraits::query(0); \
    } while (false)

namespace warpscope::test {

// A device that takes so much in one launch; 0: what it takes by itself.
inline cuda::DeviceTraits inLaunchesOf(cuda::DeviceTraits traits, std::int64_t bytes,
                                       std::int64_t multiplications = 0) {
    if (bytes) traits.bytesPerLaunch = bytes;
    if (multiplications) traits.multiplicationsPerLaunch = multiplications;
    return traits;
}

// Stops a run after so many launches, which are counted.
class StopAt {
  public:
    explicit StopAt(int last)
        : context{m_stop.get_token(), [this, last](double) {
                      if (++launches == last) m_stop.request_stop();
                  }} {}
    StopAt(const StopAt&) = delete;
    StopAt& operator=(const StopAt&) = delete;

  private:
    std::stop_source m_stop;

  public:
    int launches = 0;
    RunContext context;
};

// Columns and rows for devices unlike this machine's: fewer abilities, smaller launches, so few
// multiprocessors that the images of tests take what else large ones do.
inline void addDeviceRows() {
    QTest::addColumn<int>("major");
    QTest::addColumn<int>("sharedKiB");
    QTest::addColumn<bool>("pools");
    QTest::addColumn<int>("bytesPerLaunch");
    QTest::addColumn<int>("multiprocessors");
    QTest::newRow("as it is") << 0 << 0 << true << 0 << 0;
    QTest::newRow("no tensor units, own pool") << 7 << 64 << false << 0 << 0;
    QTest::newRow("little shared memory") << 8 << 99 << true << 0 << 0;
    QTest::newRow("many launches") << 0 << 0 << true << 60'000 << 0;
    QTest::newRow("many launches, no tensor units") << 7 << 64 << true << 60'000 << 0;
    QTest::newRow("one multiprocessor") << 0 << 0 << true << 0 << 1;
}
// The device of the row at hand.
inline cuda::DeviceTraits deviceOfRow(cuda::DeviceTraits traits) {
    QFETCH(int, major);
    QFETCH(int, sharedKiB);
    QFETCH(bool, pools);
    QFETCH(int, bytesPerLaunch);
    QFETCH(int, multiprocessors);
    if (major) traits.major = std::min(major, traits.major);
    if (sharedKiB)
        traits.sharedPerBlock =
            std::min<std::size_t>(traits.sharedPerBlock, std::size_t(sharedKiB) << 10);
    traits.driverPools = traits.driverPools && pools;
    if (bytesPerLaunch) traits.bytesPerLaunch = bytesPerLaunch;
    // Images of tests are too large for such a cache, as others are for a real one.
    if (bytesPerLaunch || multiprocessors) traits.l2Bytes = 0;
    if (multiprocessors) traits.multiprocessors = multiprocessors;
    return traits;
}

class KernelRun {
  public:
    explicit KernelRun(const cuda::DeviceTraits& traits)
        : m_device(std::make_shared<cuda::DeviceContext>(traits)), m_transfers(*m_device) {}

    Image run(const Plan& plan, const Image& image, const RunContext& context = {}) {
        const cuda::CudaRunner& runner = *cuda::findRunner(plan.operation->description().id);
        const auto info = std::make_shared<const ImageInfo>();
        const cuda::DeviceBuffer in(m_device, image.format(), image.size(), info);
        const cuda::DeviceBuffer out(m_device, plan.output, plan.outputSize, info);
        // What a kernel reads beyond the image, or forgets to write, shows.
        WARPSCOPE_CUDA(cudaMemsetAsync(in.image().data, 0x5a, in.byteCount(), m_device->stream()));
        WARPSCOPE_CUDA(
            cudaMemsetAsync(out.image().data, 0xa5, out.byteCount(), m_device->stream()));
        m_transfers.upload(image, in.image(), {}, {});
        cuda::KernelContext kernels(*m_device, context);
        if (auto can = cuda::canRun(runner, plan); !can)
            throw std::runtime_error(can.error().message);
        if (plan.takesSecond) {
            const Image other = imagesFor(plan, image).second;
            const cuda::DeviceBuffer second(m_device, image.format(), image.size(), info);
            m_transfers.upload(other, second.image(), {}, {});
            runner.runOnTwo(kernels, plan, in.image(), second.image(), out.image());
        } else {
            runner.run(kernels, plan, in.image(), out.image());
        }
        MutableImage result = orThrow(MutableImage::create(plan.output, plan.outputSize));
        m_transfers.download(out.image(), result, {}, {});
        return std::move(result).freeze({});
    }

    // Counts of the plan's channels, one after the other.
    std::vector<std::uint64_t> count(const HistogramPlan& plan, const Image& image, int channels,
                                     const RunContext& context = {}) {
        const auto info = std::make_shared<const ImageInfo>();
        const cuda::DeviceBuffer in(m_device, image.format(), image.size(), info);
        m_transfers.upload(image, in.image(), {}, {});
        cuda::KernelContext kernels(*m_device, context);
        std::vector<std::uint64_t> bins(std::size_t(channels) * std::size_t(plan.binCount));
        const cuda::DeviceMemory device = kernels.allocate(bins.size() * 8);
        cuda::findRunner("histogram")
            ->analyze(kernels, plan, in.image(), device.as<unsigned long long>());
        m_transfers.downloadBytes(device.as<void>(), bins.data(), bins.size() * 8, {});
        return bins;
    }

  private:
    std::shared_ptr<cuda::DeviceContext> m_device;
    cuda::Transfers m_transfers;
};

}  // namespace warpscope::test
