// Kernel times of the operations: microseconds a launch inside a CUDA graph of 20 runs, over inputs
// that together exceed every cache (512 x 512: one input, warm), median of 15 graphs. "gb/s" counts
// Plan::minimalBytes. Not a test: needs an idle GPU.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cuda_kernels/runtime/cuda_backend.h"
#include "cuda_kernels/runtime/runner.h"
#include "cuda_kernels/runtime/transfers.h"
#include "engine/image/synthetic.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/registry.h"

using namespace warpscope;
using namespace warpscope::cuda;

namespace {

constexpr int kRuns = 20;
constexpr int kGraphs = 15;
constexpr std::size_t kBeyondCaches = std::size_t(160) << 20;

struct Row {
    const char* operation;
    std::vector<std::pair<std::string, ParamValue>> parameters;
    PixelFormat format;
    const char* content;  // "scene", "constant"
};

template <class T>
T orExit(Result<T> result) {
    if (result) return std::move(*result);
    fmt::print(stderr, "{}\n", result.error().message);
    std::exit(1);
}

Image makeInput(const Row& row, Size size, std::uint32_t seed) {
    const bool color = isColor(row.format);
    if (std::string(row.content) == "scene") return orExit(makeScene(size, color, seed, {}));
    MutableImage image = orExit(MutableImage::create(row.format, size));
    for (int y = 0; y < size.height; ++y)
        std::fill_n(image.rowBytes(y), image.pitch(), std::byte{128});
    return std::move(image).freeze({});
}

class Timer {
  public:
    explicit Timer(int device)
        : m_device(std::make_shared<DeviceContext>(inOneLaunch(DeviceTraits::query(device)))),
          m_transfers(*m_device) {}

    // Median microseconds of one run; nothing if it does not fit.
    double measure(const Plan& plan, const std::vector<Image>& images, int copies) {
        const RunContext context;
        const auto info = std::make_shared<const ImageInfo>();
        std::vector<std::unique_ptr<DeviceBuffer>> inputs, outputs;
        for (int i = 0; i < copies; ++i) {
            const Image& image = images[std::size_t(i) % images.size()];
            inputs.push_back(
                std::make_unique<DeviceBuffer>(m_device, image.format(), image.size(), info));
            outputs.push_back(
                std::make_unique<DeviceBuffer>(m_device, plan.output, plan.outputSize, info));
            m_transfers.upload(image, inputs.back()->image(), context, {});
        }
        const CudaRunner& runner = *findRunner(plan.operation->description().id);
        const DeviceMemory bins(m_device->pool(), std::size_t(65536) * 4 * 8);
        const auto once = [&](int i) {
            KernelContext kernels(*m_device, context);
            const auto at = std::size_t(i % copies);
            if (runner.runOnTwo)
                runner.runOnTwo(kernels, plan, inputs[at]->image(),
                                inputs[std::size_t(i + 1) % inputs.size()]->image(),
                                outputs[at]->image());
            else if (runner.run)
                runner.run(kernels, plan, inputs[at]->image(), outputs[at]->image());
            else
                runner.analyze(kernels, plan, inputs[at]->image(), bins.as<unsigned long long>());
        };
        for (int i = 0; i < copies; ++i) once(i);
        cudaStream_t stream = m_device->stream();
        WARPSCOPE_CUDA(cudaStreamSynchronize(stream));
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        WARPSCOPE_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        for (int i = 0; i < kRuns; ++i) once(i);
        WARPSCOPE_CUDA(cudaStreamEndCapture(stream, &graph));
        WARPSCOPE_CUDA(cudaGraphInstantiate(&executable, graph, 0));
        Event start = Event::create(Event::Timing::On), end = Event::create(Event::Timing::On);
        std::vector<double> samples;
        for (int i = 0; i < kGraphs + 2; ++i) {
            start.record(stream);
            WARPSCOPE_CUDA(cudaGraphLaunch(executable, stream));
            end.record(stream);
            end.wait();
            float ms = 0;
            WARPSCOPE_CUDA(cudaEventElapsedTime(&ms, start.get(), end.get()));
            if (i >= 2) samples.push_back(double(ms) * 1e3 / kRuns);
        }
        WARPSCOPE_CUDA(cudaGraphExecDestroy(executable));
        WARPSCOPE_CUDA(cudaGraphDestroy(graph));
        std::sort(samples.begin(), samples.end());
        return samples[samples.size() / 2];
    }

    // Counting both bytes read and bytes written.
    double copyGbPerSecond() {
        const std::size_t bytes = std::size_t(1) << 30;
        const DeviceMemory from(m_device->pool(), bytes), to(m_device->pool(), bytes);
        Event start = Event::create(Event::Timing::On), end = Event::create(Event::Timing::On);
        float best = 1e9f;
        for (int i = 0; i < 5; ++i) {
            start.record(m_device->stream());
            WARPSCOPE_CUDA(cudaMemcpyAsync(to.as<void>(), from.as<void>(), bytes,
                                           cudaMemcpyDeviceToDevice, m_device->stream()));
            end.record(m_device->stream());
            end.wait();
            float ms = 0;
            WARPSCOPE_CUDA(cudaEventElapsedTime(&ms, start.get(), end.get()));
            best = std::min(best, ms);
        }
        return 2.0 * double(bytes) / double(best) * 1e-6;
    }

  private:
    // Bands wait for each other, which a graph cannot.
    static DeviceTraits inOneLaunch(DeviceTraits traits) {
        traits.multiplicationsPerLaunch = INT64_MAX;
        return traits;
    }

    std::shared_ptr<DeviceContext> m_device;
    Transfers m_transfers;
};

std::vector<Row> rows() {
    std::vector<Row> list;
    const auto add = [&](const char* operation,
                         std::vector<std::pair<std::string, ParamValue>> parameters,
                         PixelFormat format, const char* content = "scene") {
        list.push_back({operation, std::move(parameters), format, content});
    };
    const auto gray = PixelFormat::Gray8, color = PixelFormat::Rgba8;
    add("grayscale", {}, color);
    for (const PixelFormat format : {gray, color}) {
        for (const char* content : {"scene", "constant"}) {
            add("histogram", {{"channel", std::string("luma")}}, format, content);
            if (format == color)
                add("histogram", {{"channel", std::string("all")}}, format, content);
        }
        add("equalize", {}, format);
        if (format == color) add("equalize", {{"channels", std::string("each")}}, format);
        for (const std::int64_t size : {5, 15})
            add("gaussian_blur", {{"sigma", double(size) / 5}, {"size", size}}, format);
        for (const double sigma : {5.0, 10.0, 20.0, 100.0})
            add("gaussian_blur", {{"sigma", sigma}}, format);
    }
    return list;
}

}  // namespace

int main() try {
    const CudaReport report = queryCuda();
    if (!report.unavailable.empty()) {
        fmt::print(stderr, "{}\n", report.unavailable);
        return 1;
    }
    WARPSCOPE_CUDA(cudaSetDevice(0));
    Timer timer(0);
    fmt::print("device,{},driver {},toolkit {},copy {:.0f} GB/s\n", report.devices[0].name,
               report.driverVersion, report.toolkitVersion, timer.copyGbPerSecond());
    fmt::print("operation,parameters,format,content,width,height,us,gb/s\n");
    for (const Size size : {Size{512, 512}, Size{3840, 2160}, Size{7680, 4320}}) {
        for (const Row& row : rows()) {
            const Operation& operation = *findOperation(row.operation);
            ParamSet given;
            std::string text;
            for (const auto& [id, value] : row.parameters) {
                given.set(id, value);
                text += (text.empty() ? "" : " ") + id + "=" + toText(value);
            }
            PlanRequest request;
            request.parameters =
                orExit(resolveParameters(operation.description().parameters, given));
            request.format = row.format;
            request.size = size;
            const PlanPtr plan = orExit(operation.plan(request));
            const std::size_t bytes =
                std::size_t(size.pixels()) * std::size_t(bytesPerPixel(row.format));
            const int copies =
                size.width <= 512
                    ? 1
                    : int(std::clamp<std::size_t>(kBeyondCaches / bytes + 1, 2, kRuns));
            const std::vector<Image> images = {makeInput(row, size, 1)};
            const double us = timer.measure(*plan, images, copies);
            fmt::print("{},{},{},{},{},{},{:.2f},{:.0f}\n", row.operation, text,
                       formatName(row.format), row.content, size.width, size.height, us,
                       double(plan->minimalBytes) / us * 1e-3);
            std::fflush(stdout);
        }
    }
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
}
