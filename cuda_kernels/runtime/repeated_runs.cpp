#include "cuda_kernels/runtime/repeated_runs.h"

#include "cuda_kernels/runtime/launch_graph.h"

namespace warpscope::cuda {

double msBetweenEvents(cudaStream_t stream, const std::function<void()>& work) {
    Event start = Event::create(Event::Timing::On);
    Event end = Event::create(Event::Timing::On);
    start.record(stream);
    work();
    end.record(stream);
    end.wait();
    float ms = 0;
    WARPSCOPE_CUDA(cudaEventElapsedTime(&ms, start.get(), end.get()));
    return double(ms);
}

RepeatedRuns timeRepeatedRuns(DeviceContext& device, int runs,
                              const std::function<void(int)>& enqueue) {
    const cudaStream_t stream = device.stream();
    // What a run leaves on the device for the next ones (tables, scratch memory) is made before the
    // capture: other steps may have taken its place since the last run of this one.
    enqueue(0);
    try {
        const LaunchGraph graph = LaunchGraph::capture(stream, [&] {
            for (int i = 0; i < runs; ++i) enqueue(i);
        });
        // The first launch brings the graph to the device.
        graph.launch(stream);
        WARPSCOPE_CUDA(cudaStreamSynchronize(stream));
        return {msBetweenEvents(stream, [&] { graph.launch(stream); }) / runs, true};
    } catch (const CudaFailure& failure) {
        if (errorCodeFor(failure.code()) == ErrorCode::DeviceFault) throw;
        (void)cudaGetLastError();
    }
    const double ms = msBetweenEvents(stream, [&] {
        for (int i = 0; i < runs; ++i) enqueue(i);
    });
    return {ms / runs, false};
}

std::vector<double> timeDeviceCopies(DeviceContext& device, std::uint64_t bytes, int repetitions,
                                     const RunContext& context) {
    const cudaStream_t stream = device.stream();
    const DeviceMemory from(device.pool(), std::size_t(bytes));
    const DeviceMemory to(device.pool(), std::size_t(bytes));
    WARPSCOPE_CUDA(cudaMemsetAsync(from.as<void>(), 1, std::size_t(bytes), stream));
    const auto copy = [&] {
        WARPSCOPE_CUDA(cudaMemcpyAsync(to.as<void>(), from.as<void>(), std::size_t(bytes),
                                       cudaMemcpyDeviceToDevice, stream));
    };
    copy();  // maps the memory
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) {
        if (context.stop.stop_requested()) throw Stopped{};
        times.push_back(msBetweenEvents(stream, copy));
    }
    return times;
}

}  // namespace warpscope::cuda
