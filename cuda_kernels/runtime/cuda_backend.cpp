#include "cuda_kernels/runtime/cuda_backend.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "cuda_kernels/runtime/arithmetic_peak.h"
#include "cuda_kernels/runtime/backend_count.h"
#include "cuda_kernels/runtime/cuda_chain.h"
#include "cuda_kernels/runtime/device_fault.h"
#include "cuda_kernels/runtime/device_query.h"
#include "cuda_kernels/runtime/gpu_pick.h"
#include "cuda_kernels/runtime/overlapped_parts.h"
#include "cuda_kernels/runtime/repeated_runs.h"
#include "cuda_kernels/runtime/runner.h"
#include "cuda_kernels/runtime/span_recorder.h"
#include "cuda_kernels/runtime/transfers.h"
#include "cuda_kernels/runtime/warm_up.h"
#include "engine/backend/backend_set.h"
#include "engine/base/log.h"
#include "engine/operations/registry.h"

namespace warpscope {
namespace cuda {
namespace {

// outputInfo(), shared with the input where it says the same.
std::shared_ptr<const ImageInfo> sharedOutputInfo(const DeviceBuffer& from, const Plan& plan) {
    const bool rawStays = !from.info().raw || !plan.movesPixels();
    const bool alphaStays = !plan.addsAlpha || from.info().hasAlpha;
    if (plan.input == plan.output && !plan.fillsRange && rawStays && alphaStays)
        return from.sharedInfo();
    return std::make_shared<const ImageInfo>(outputInfo(plan, from.info()));
}

class CudaBackend final : public Backend, public PartRunner, public ChainRunner {
  public:
    // Throws CudaFailure.
    CudaBackend(const CudaDevice& device, const CudaReport& cuda) {
        WARPSCOPE_CUDA(cudaSetDevice(device.index));
        m_device = std::make_shared<DeviceContext>(DeviceTraits::query(device.index));
        m_counted.emplace(device.index);
        m_transfers.emplace(*m_device);
        m_info.kind = BackendKind::Cuda;
        m_info.label = device.name;
        m_info.device = device.name;
        m_info.uuid = device.uuid;
        m_info.detail = fmt::format("compute capability {}.{}, driver for CUDA {}", device.major,
                                    device.minor, cuda.driverVersion);
        m_info.driver = cuda.driverName();
        m_info.toolkit = cuda.toolkitVersion;
    }

    ~CudaBackend() override {
        // Work that is still queued uses the page-locked memory and the buffers' memory.
        WARPSCOPE_CUDA_QUIET(cudaSetDevice(m_device->traits().index));
        WARPSCOPE_CUDA_QUIET(cudaStreamSynchronize(m_device->stream()));
    }

    const BackendInfo& info() const override { return m_info; }

    Result<void> supports(const Plan& plan) const override {
        if (m_fault) return fail(*m_fault);
        auto runner = runnerFor(plan);
        if (!runner) return fail(runner.error());
        return {};
    }

    Result<BufferPtr> upload(const Image& image, const RunContext& context) override {
        if (image.isNull()) return fail(ErrorCode::InvalidArgument, "there is no image to work on");
        return guarded("uploading the image", [&]() -> Result<BufferPtr> {
            auto buffer =
                std::make_shared<DeviceBuffer>(m_device, image.format(), image.size(),
                                               std::make_shared<const ImageInfo>(image.info()));
            SpanRecorder::Scope span(m_spans, m_device->stream(), SpanKind::Upload, "upload",
                                     image.byteCount());
            m_transfers->upload(image, buffer->image(), context, [&] { span.end(); });
            return BufferPtr(std::move(buffer));
        });
    }

    Result<BufferPtr> run(const Plan& plan, const StepBuffers& input,
                          const RunContext& context) override {
        return guarded(nameOf(plan), [&]() -> Result<BufferPtr> {
            auto runner = runnerFor(plan);
            if (!runner) return fail(runner.error());
            if (!(*runner)->givesImage())
                return fail(ErrorCode::Unsupported, nameOf(plan) + " gives no image");
            auto in = inputsFor(plan, input);
            if (!in) return fail(in.error());
            KernelContext kernels(*m_device, context);
            kernels.checkStop();
            if (plan.identity && plan.output == plan.input) return input.first;
            auto out = std::make_shared<DeviceBuffer>(m_device, plan.output, plan.outputSize,
                                                      sharedOutputInfo(*in->first, plan));
            SpanRecorder::Scope span(m_spans, m_device->stream(), SpanKind::Kernel, nameOf(plan),
                                     0);
            kernels.recordLaunches(span);
            runOn(**runner, kernels, plan, in->images(), out->image());
            span.end();
            return BufferPtr(std::move(out));
        });
    }

    Result<AnalysisResult> analyze(const Plan& plan, const StepBuffers& input,
                                   const RunContext& context) override {
        return guarded(nameOf(plan), [&]() -> Result<AnalysisResult> {
            auto runner = runnerFor(plan);
            if (!runner) return fail(runner.error());
            if (!(*runner)->analyze)
                return fail(ErrorCode::Unsupported, nameOf(plan) + " is no analysis");
            auto in = inputsFor(plan, input);
            if (!in) return fail(in.error());
            KernelContext kernels(*m_device, context);
            kernels.checkStop();
            return found(kernels, **runner, plan, in->first->image());
        });
    }

    Result<Image> download(const BufferPtr& buffer, const RunContext& context) override {
        return guarded("downloading the image", [&]() -> Result<Image> {
            auto own = ownBuffer(buffer);
            if (!own) return fail(own.error());
            return downloaded((*own)->image(), (*own)->info(), context);
        });
    }

    Result<Image> runParts(const Plan& plan, const std::vector<PartRun>& parts, const Image& input,
                           const RunContext& context) override {
        return guarded(nameOf(plan), [&]() -> Result<Image> {
            auto runner = runnerFor(plan);
            for (std::size_t i = 0; runner && i < parts.size(); ++i)
                runner = runnerFor(*parts[i].plan);
            if (!runner) return fail(runner.error());
            auto image = MutableImage::create(plan.output, plan.outputSize);
            if (!image) return fail(image.error());
            if (!(*runner)->run ||
                !m_transfers->isInPlace(input.bytes(), input.pitch(),
                                        shapeOf(plan.input, plan.size)) ||
                !m_transfers->isInPlace(image->bytes(), image->pitch(),
                                        shapeOf(plan.output, plan.outputSize)))
                return fail(ErrorCode::Unsupported, "memory that is not page-locked");
            if (!m_parts) m_parts.emplace(*m_device);
            KernelContext kernels(*m_device, context);
            m_parts->run(parts, input, *image, context, m_spans,
                         [&](const Plan& part, const DeviceImage& in, const DeviceImage& out) {
                             SpanRecorder::Scope span(m_spans, m_device->stream(), SpanKind::Kernel,
                                                      nameOf(plan), 0);
                             kernels.recordLaunches(span);
                             (*runner)->run(kernels, part, in, out);
                             span.end();
                         });
            return std::move(*image).freeze(outputInfo(plan, input.info()));
        });
    }

    Result<ChainPtr> prepareChain(const std::vector<PlanPtr>& filters, const PlanPtr& analysis,
                                  const RunContext& context) override {
        return guarded("preparing a chain", [&]() -> Result<ChainPtr> {
            auto chain = CudaChain::make(m_device, filters, analysis, context);
            if (!chain) return fail(chain.error());
            return ChainPtr(std::move(*chain));
        });
    }

    Result<void> fillChain(PreparedChain& chain, const Image& source,
                           const RunContext& context) override {
        return guarded("uploading the image", [&]() -> Result<void> {
            auto own = ownChain(chain);
            if (!own) return fail(own.error());
            const DeviceImage& input = (*own)->input();
            if (source.isNull() || source.format() != input.format || source.size() != input.size)
                return fail(ErrorCode::InvalidArgument, "an image of another shape than the chain");
            (*own)->beginFilling();
            SpanRecorder::Scope span(m_spans, m_device->stream(), SpanKind::Upload, "upload",
                                     source.byteCount());
            m_transfers->upload(source, input, context, [&] { span.end(); });
            (*own)->endFilling(source.info());
            return {};
        });
    }

    Result<std::optional<AnalysisResult>> runChain(PreparedChain& chain,
                                                   const RunContext& context) override {
        return guarded("a chain", [&]() -> Result<std::optional<AnalysisResult>> {
            auto own = ownChain(chain);
            if (!own) return fail(own.error());
            if (!(*own)->isFilled())
                return fail(ErrorCode::InvalidArgument, "a chain without pixels");
            KernelContext kernels(*m_device, context);
            kernels.checkStop();
            SpanRecorder::Scope span(m_spans, m_device->stream(), SpanKind::Kernel, "chain", 0);
            (*own)->launch();
            span.end();
            (*own)->wait();
            kernels.checkStop();
            return (*own)->found();
        });
    }

    Result<Image> downloadChain(PreparedChain& chain, const RunContext& context) override {
        return guarded("downloading the image", [&]() -> Result<Image> {
            auto own = ownChain(chain);
            if (!own) return fail(own.error());
            const ImageInfo* info = (*own)->outputInfo();
            if (!info) return fail(ErrorCode::InvalidArgument, "a chain that has not run");
            return downloaded((*own)->output(), *info, context);
        });
    }

    Result<void> synchronize() override {
        return guarded("waiting for the GPU", [&]() -> Result<void> {
            WARPSCOPE_CUDA(cudaStreamSynchronize(m_device->stream()));
            m_transfers->allDone();
            return {};
        });
    }

    void setRecording(Recording recording) override { m_spans.set(recording); }

    Result<std::vector<Span>> takeSpans() override {
        return guarded("reading the timings", [&]() -> Result<std::vector<Span>> {
            WARPSCOPE_CUDA(cudaStreamSynchronize(m_device->stream()));
            m_transfers->allDone();
            return m_spans.take();
        });
    }

    std::uint64_t memoryAvailable() const override {
        if (m_fault) return 0;
        std::size_t free = 0;
        std::size_t total = 0;
        if (!WARPSCOPE_CUDA_QUIET(cudaSetDevice(m_device->traits().index)) ||
            !WARPSCOPE_CUDA_QUIET(cudaMemGetInfo(&free, &total)))
            return 0;
        return free + m_device->pool().pooledBytes();
    }

    void trim() override {
        if (m_fault) return;
        if (WARPSCOPE_CUDA_QUIET(cudaSetDevice(m_device->traits().index))) m_device->pool().trim();
    }

    std::uint64_t cacheBytes() const override { return m_device->traits().l2Bytes; }

    Result<std::vector<double>> copyMs(std::uint64_t bytes, int repetitions,
                                       const RunContext& context) override {
        return guarded("timing copies", [&]() -> Result<std::vector<double>> {
            return timeDeviceCopies(*m_device, bytes, repetitions, context);
        });
    }

    Result<ArithmeticPeak> arithmeticPeak(const RunContext& context) override {
        return guarded("timing arithmetic", [&]() -> Result<ArithmeticPeak> {
            return measureArithmeticPeak(*m_device, context);
        });
    }

    Result<RepeatedRuns> timeRepeated(const Plan& plan, const std::vector<StepBuffers>& inputs,
                                      std::size_t first, int runs,
                                      const RunContext& context) override {
        return guarded(nameOf(plan), [&]() -> Result<RepeatedRuns> {
            auto runner = runnerFor(plan);
            if (!runner) return fail(runner.error());
            std::vector<StepDeviceImages> images;
            for (const StepBuffers& input : inputs) {
                auto in = inputsFor(plan, input);
                if (!in) return fail(in.error());
                images.push_back(in->images());
            }
            // A plan that changes nothing has no kernels, not even for its format.
            if (images.empty() || runs < 1 || (plan.identity && plan.output == plan.input))
                return fail(ErrorCode::InvalidArgument, "nothing to repeat");
            return repeat(**runner, plan, images, first, runs, context);
        });
    }

  private:
    // Of the device memory that such an image takes.
    static DeviceImage shapeOf(PixelFormat format, Size size) {
        return {nullptr, devicePitch(format, size), size, format};
    }

    Result<const DeviceBuffer*> ownBuffer(const BufferPtr& buffer) const {
        const auto* own = dynamic_cast<const DeviceBuffer*>(buffer.get());
        if (own && own->context() == m_device.get()) return own;
        return fail(ErrorCode::Internal, "a buffer of another backend");
    }

    Result<CudaChain*> ownChain(PreparedChain& chain) const {
        auto* own = dynamic_cast<CudaChain*>(&chain);
        if (own && own->context() == m_device.get()) return own;
        return fail(ErrorCode::Internal, "a chain of another backend");
    }

    Result<Image> downloaded(const DeviceImage& from, const ImageInfo& info,
                             const RunContext& context) {
        auto image = MutableImage::create(from.format, from.size);
        if (!image) return fail(image.error());
        SpanRecorder::Scope span(m_spans, m_device->stream(), SpanKind::Download, "download",
                                 std::uint64_t(from.rowBytes()) * unsigned(from.size.height));
        m_transfers->download(from, *image, context, [&] { span.end(); });
        return std::move(*image).freeze(info);
    }

    struct StepDeviceImages {
        DeviceImage first;
        DeviceImage second;
    };
    struct Inputs {
        const DeviceBuffer* first = nullptr;
        const DeviceBuffer* second = nullptr;

        StepDeviceImages images() const {
            return {first->image(), second ? second->image() : DeviceImage{}};
        }
    };
    Result<Inputs> inputsFor(const Plan& plan, const StepBuffers& input) const {
        const auto first = inputFor(plan, input.first);
        if (!first) return fail(first.error());
        if (!plan.takesSecond) return Inputs{*first};
        const auto second = inputFor(plan, input.second);
        if (!second) return fail(second.error());
        return Inputs{*first, *second};
    }

    static void runOn(const CudaRunner& runner, KernelContext& kernels, const Plan& plan,
                      const StepDeviceImages& in, const DeviceImage& out) {
        if (plan.takesSecond)
            runner.runOnTwo(kernels, plan, in.first, in.second, out);
        else
            runner.run(kernels, plan, in.first, out);
    }

    Result<const DeviceBuffer*> inputFor(const Plan& plan, const BufferPtr& input) const {
        auto own = ownBuffer(input);
        if (own && ((*own)->format() != plan.input || (*own)->size() != plan.size))
            return fail(ErrorCode::Internal, "a plan made for an image of another shape");
        return own;
    }

    Result<AnalysisResult> found(KernelContext& kernels, const CudaRunner& runner, const Plan& plan,
                                 const DeviceImage& in) {
        std::vector<std::uint64_t> words(plan.resultWords);
        const std::size_t bytes = words.size() * sizeof(std::uint64_t);
        const DeviceMemory memory = kernels.allocate(bytes);
        {
            SpanRecorder::Scope span(m_spans, kernels.stream(), SpanKind::Kernel, nameOf(plan), 0);
            kernels.recordLaunches(span);
            runner.analyze(kernels, plan, in, memory.as<unsigned long long>());
            span.end();
        }
        SpanRecorder::Scope span(m_spans, kernels.stream(), SpanKind::Download, "download", bytes);
        m_transfers->downloadBytes(memory.as<void>(), words.data(), bytes, [&] { span.end(); });
        return plan.operation->resultFrom(plan, words);
    }

    // How many times the cache what takes turns must be to have left it when its turn comes.
    static constexpr std::uint64_t kColdCaches = 3;

    // Results are dropped. Where inputs take turns so that they are in no cache, results do too.
    RepeatedRuns repeat(const CudaRunner& runner, const Plan& plan,
                        const std::vector<StepDeviceImages>& images, std::size_t first, int runs,
                        const RunContext& context) {
        KernelContext kernels(*m_device, context);
        kernels.checkStop();
        const auto input = [&](int i) { return images[(first + std::size_t(i)) % images.size()]; };
        if (runner.analyze) {
            const DeviceMemory words = kernels.allocate(plan.resultWords * sizeof(std::uint64_t));
            return timeRepeatedRuns(*m_device, runs, [&](int i) {
                runner.analyze(kernels, plan, input(i).first, words.as<unsigned long long>());
            });
        }
        std::vector<std::unique_ptr<DeviceBuffer>> outputs;
        std::uint64_t bytes = 0;
        do {
            outputs.push_back(std::make_unique<DeviceBuffer>(m_device, plan.output, plan.outputSize,
                                                             std::make_shared<const ImageInfo>()));
            bytes += outputs.back()->byteCount();
        } while (outputs.size() < images.size() && bytes < kColdCaches * cacheBytes());
        return timeRepeatedRuns(*m_device, runs, [&](int i) {
            const auto at = (first + std::size_t(i)) % outputs.size();
            runOn(runner, kernels, plan, input(i), outputs[at]->image());
        });
    }

    // CUDA codes and exceptions end here. After a fault of the device, which the runtime reports
    // for ever, this object does nothing more than say so.
    template <class Work>
    auto guarded(const std::string& what, Work&& work) -> decltype(work()) {
        // That of another backend ended CUDA for this one, too.
        if (!m_fault) m_fault = earlierDeviceFault();
        if (m_fault) return fail(*m_fault);
        try {
            WARPSCOPE_CUDA(cudaSetDevice(m_device->traits().index));
            return work();
        } catch (const CudaFailure& failure) {
            return fail(errorFrom(what, failure));
        } catch (const Stopped&) {
            return cancelled();
        } catch (const std::bad_alloc&) {
            return fail(ErrorCode::OutOfMemory, what + ": not enough memory");
        } catch (const std::exception& error) {
            return fail(ErrorCode::Internal, what + ": " + error.what());
        }
    }

    Error errorFrom(const std::string& what, const CudaFailure& failure) {
        const ErrorCode code = errorCodeFor(failure.code());
        if (code == ErrorCode::OutOfMemory) {
            m_device->pool().trim();
            return {code, fmt::format("{}: not enough memory on {}", what, m_info.device)};
        }
        Error error{code, fmt::format("{}: {}", what, failure.what())};
        if (code == ErrorCode::DeviceFault) {
            m_fault = error;
            noteDeviceFault(error);
            logMessage(LogLevel::Error, error.message);
        }
        return error;
    }

    BackendInfo m_info;
    std::shared_ptr<DeviceContext> m_device;
    std::optional<CountedBackend> m_counted;
    std::optional<Transfers> m_transfers;
    std::optional<OverlappedParts> m_parts;  // once it was needed
    SpanRecorder m_spans;
    std::optional<Error> m_fault;
};

}  // namespace
}  // namespace cuda

namespace {

Result<std::unique_ptr<Backend>> makeOn(const CudaDevice& device, const CudaReport& report,
                                        bool warmUp) {
    try {
        auto backend = std::make_unique<cuda::CudaBackend>(device, report);
        if (!warmUp) return std::unique_ptr<Backend>(std::move(backend));
        if (auto warm = cuda::warmUp(*backend); !warm) {
            if (warm.error().code != ErrorCode::Unsupported) return fail(warm.error());
            return fail(
                ErrorCode::Unsupported,
                fmt::format("this program has no code for {} (compute capability {}.{}): {}",
                            device.name, device.major, device.minor, warm.error().message));
        }
        return std::unique_ptr<Backend>(std::move(backend));
    } catch (const cuda::CudaFailure& failure) {
        const Error error{cuda::errorCodeFor(failure.code()),
                          fmt::format("{} cannot be used: {}", device.name, failure.what())};
        cuda::noteDeviceFault(error);
        return fail(error);
    } catch (const std::exception& error) {
        return fail(ErrorCode::OutOfMemory,
                    fmt::format("{} cannot be used: {}", device.name, error.what()));
    }
}

}  // namespace

Result<std::unique_ptr<Backend>> makeCudaBackend(const CudaOptions& options) {
    if (const auto fault = cuda::earlierDeviceFault()) return fail(*fault);
    const CudaReport report = queryCuda();
    const auto device = cuda::chooseDevice(report, options.uuid);
    if (!device) return fail(device.error());
    return makeOn(*device, report, options.warmUp);
}

BackendSet makeBackends(const CudaOptions& options) {
    if (const auto fault = cuda::earlierDeviceFault()) return BackendSet::cpuOnly(fault->message);
    const CudaReport report = queryCuda();
    const GpuPick pick = pickGpu(report, options.uuid);
    const auto device = cuda::chooseDevice(report, pick.uuid);
    auto cuda = device ? makeOn(*device, report, options.warmUp)
                       : Result<std::unique_ptr<Backend>>(fail(device.error()));
    BackendSet set = BackendSet::cpuOnly(cuda ? std::string{} : cuda.error().message);
    if (cuda) set.cuda = std::move(*cuda);
    set.gpus = gpusOf(report);
    set.gpuNotice = pick.notice;
    return set;
}

}  // namespace warpscope
