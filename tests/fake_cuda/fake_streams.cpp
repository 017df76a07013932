// Streams, copies, events and graphs.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "fake_cuda/fake_state.h"

namespace warpscope::test::fake {

void drain(cudaStream_t stream) {
    while (!stream->queue.empty()) {
        const std::function<void()> work = std::move(stream->queue.front());
        stream->queue.pop_front();
        work();
    }
}

cudaError_t drainForWaiting(cudaStream_t stream) {
    if (!runtime().streams.contains(stream))
        return misused("waiting for an unknown stream", cudaErrorInvalidResourceHandle);
    if (stream->capture) {
        stream->captureBroken = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    drain(stream);
    return cudaSuccess;
}

cudaError_t enqueue(cudaStream_t stream, std::function<void()> work) {
    if (!runtime().streams.contains(stream))
        return misused("work for an unknown stream", cudaErrorInvalidResourceHandle);
    if (stream->captureBroken) return cudaErrorStreamCaptureInvalidated;
    if (stream->capture)
        stream->capture->nodes.push_back(std::move(work));
    else
        stream->queue.push_back(std::move(work));
    return cudaSuccess;
}

namespace {

// Later at each call, by a microsecond at least.
double eventMs() {
    static const auto begin = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> since =
        std::chrono::steady_clock::now() - begin;
    double& last = runtime().lastEventMs;
    return last = std::max(last + 1e-3, since.count());
}

void copyIfThere(void* to, const void* from, std::size_t bytes, const Blocks& targets,
                 const Blocks& sources) {
    if (!lieIn(targets, to, bytes) || !lieIn(sources, from, bytes))
        misused("a queued copy finds its memory gone");
    else
        std::memmove(to, from, bytes);
}

}  // namespace
}  // namespace warpscope::test::fake

using namespace warpscope::test::fake;

namespace warpscope::test {

cudaError_t launchFakeKernel(cudaStream_t stream, std::function<void()> kernel) {
    return call([&] {
        const cudaError_t code = enqueue(stream, std::move(kernel));
        if (code == cudaSuccess && !stream->capture) drain(stream);
        return code;
    });
}

bool isFakeDeviceMemory(const void* data, std::size_t bytes) {
    const std::lock_guard lock(runtime().mutex);
    return lieIn(runtime().device, data, bytes);
}

bool isFakePageLocked(const void* data, std::size_t bytes) {
    const std::lock_guard lock(runtime().mutex);
    return lieIn(runtime().host, data, bytes);
}

}  // namespace warpscope::test

extern "C" {

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return call([&] {
        Runtime& now = runtime();
        const bool toDevice = kind != cudaMemcpyDeviceToHost;
        const bool fromDevice = kind != cudaMemcpyHostToDevice;
        if ((toDevice && !lieIn(now.device, to, bytes)) ||
            (fromDevice && !lieIn(now.device, from, bytes)))
            return misused("a copy beyond its block");
        const bool toPageable = !toDevice && !lieIn(now.host, to, bytes);
        const bool fromPageable = !fromDevice && !lieIn(now.host, from, bytes);
        if ((toPageable || fromPageable) && stream->capture) {
            stream->captureBroken = true;
            return cudaErrorStreamCaptureUnsupported;
        }
        if (toPageable) {
            const cudaError_t code = drainForWaiting(stream);
            if (code == cudaSuccess) std::memcpy(to, from, bytes);
            return code;
        }
        if (fromPageable) {
            // Taken over before the call returns.
            const auto* first = static_cast<const std::byte*>(from);
            return enqueue(stream, [to, taken = std::vector<std::byte>(first, first + bytes)] {
                if (!lieIn(runtime().device, to, taken.size()))
                    misused("a queued copy finds its memory gone");
                else
                    std::memcpy(to, taken.data(), taken.size());
            });
        }
        return enqueue(stream, [=] {
            Runtime& then = runtime();
            copyIfThere(to, from, bytes, toDevice ? then.device : then.host,
                        fromDevice ? then.device : then.host);
        });
    });
}

// Row by row, as so many copies.
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t toPitch, const void* from,
                              std::size_t fromPitch, std::size_t rowBytes, std::size_t rows,
                              cudaMemcpyKind kind, cudaStream_t stream) {
    if (rowBytes > toPitch || rowBytes > fromPitch)
        return call([] { return misused("rows longer than their pitch"); });
    for (std::size_t row = 0; row < rows; ++row) {
        const cudaError_t code = cudaMemcpyAsync(
            static_cast<std::byte*>(to) + row * toPitch,
            static_cast<const std::byte*>(from) + row * fromPitch, rowBytes, kind, stream);
        if (code != cudaSuccess) return code;
    }
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t stream) {
    return call([&] {
        if (!lieIn(runtime().device, data, bytes)) return misused("a memset beyond its block");
        return enqueue(stream, [=] {
            if (!lieIn(runtime().device, data, bytes))
                misused("a queued memset finds its memory gone");
            else
                std::memset(data, value, bytes);
        });
    });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    return call([&] {
        *stream = *runtime().streams.insert(new CUstream_st).first;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return call([&] {
        if (!runtime().streams.contains(stream)) return misused("an unknown stream is destroyed");
        if (stream->capture) misused("a stream is destroyed while a graph is captured from it");
        drain(stream);
        runtime().streams.erase(stream);
        delete stream;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return call([&] {
        const cudaError_t code = drainForWaiting(stream);
        if (code != cudaSuccess) return code;
        for (const cudaMemPool_t pool : runtime().pools)
            if (pool->reserved > pool->threshold) pool->reserved = pool->used;
        return code;
    });
}

// What the event stands behind is done when the stream comes by, if it has not been before.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return call([&] {
        if (!runtime().events.contains(event))
            return misused("a stream waits for an unknown event", cudaErrorInvalidResourceHandle);
        const std::shared_ptr<FakeEvent> state = event->state;
        if (state->captured || stream->capture)
            return misused("a stream waits within a graph", cudaErrorStreamCaptureUnsupported);
        return enqueue(stream, [state, number = state->asked] {
            if (state->reached >= number) return;
            if (!runtime().streams.contains(state->stream))
                misused("the stream of an event that is waited for is gone");
            else
                drain(state->stream);
        });
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return call([&] {
        *event = *runtime().events.insert(new CUevent_st).first;
        (*event)->state->timing = !(flags & cudaEventDisableTiming);
        return cudaSuccess;
    });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return call([&] {
        if (!runtime().events.erase(event)) return misused("an unknown event is destroyed");
        delete event;
        return cudaSuccess;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return call([&] {
        if (!runtime().events.contains(event))
            return misused("an unknown event is recorded", cudaErrorInvalidResourceHandle);
        const std::shared_ptr<FakeEvent> state = event->state;
        const cudaError_t code = enqueue(stream, [state, number = state->asked + 1] {
            state->reached = number;
            state->ms = eventMs();
        });
        if (code != cudaSuccess) return code;
        ++state->asked;
        state->stream = stream;
        state->captured = stream->capture != nullptr;
        return code;
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return call([&] {
        if (!runtime().events.contains(event))
            return misused("waiting for an unknown event", cudaErrorInvalidResourceHandle);
        const FakeEvent& state = *event->state;
        if (state.captured) return cudaErrorCapturedEvent;
        if (state.reached == state.asked) return cudaSuccess;
        return drainForWaiting(state.stream);
    });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
    return call([&] {
        if (!runtime().events.contains(start) || !runtime().events.contains(end))
            return misused("the time between unknown events", cudaErrorInvalidResourceHandle);
        for (const FakeEvent* state : {start->state.get(), end->state.get()}) {
            if (!state->timing || !state->asked || state->captured)
                return misused("the time of an event that has none",
                               cudaErrorInvalidResourceHandle);
            if (state->reached != state->asked) return cudaErrorNotReady;
        }
        *ms = float(end->state->ms - start->state->ms);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    return call([&] {
        if (!runtime().streams.contains(stream) || stream->capture)
            return misused("a capture from an unknown stream, or a second one",
                           cudaErrorIllegalState);
        stream->capture = std::make_shared<FakeGraph>();
        return cudaSuccess;
    });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return call([&] {
        if (!runtime().streams.contains(stream) || !stream->capture)
            return misused("the end of a capture that did not begin", cudaErrorIllegalState);
        const std::shared_ptr<FakeGraph> captured = std::exchange(stream->capture, nullptr);
        if (std::exchange(stream->captureBroken, false)) {
            *graph = nullptr;
            return cudaErrorStreamCaptureInvalidated;
        }
        *graph = *runtime().graphs.insert(new CUgraph_st{captured}).first;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return call([&] {
        if (!runtime().streams.contains(stream))
            return misused("the state of an unknown stream", cudaErrorInvalidResourceHandle);
        *status = !stream->capture        ? cudaStreamCaptureStatusNone
                  : stream->captureBroken ? cudaStreamCaptureStatusInvalidated
                                          : cudaStreamCaptureStatusActive;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long) {
    return call([&] {
        if (!runtime().graphs.contains(graph)) return misused("an unknown graph is instantiated");
        *executable = *runtime().executables.insert(new CUgraphExec_st{graph->graph}).first;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    return call([&] {
        if (!runtime().executables.contains(executable))
            return misused("an unknown graph is launched", cudaErrorInvalidResourceHandle);
        if (stream->capture) return misused("a graph is launched while one is captured");
        // At once, as a kernel by itself.
        const cudaError_t code = drainForWaiting(stream);
        if (code == cudaSuccess)
            for (const auto& node : executable->graph->nodes) node();
        return code;
    });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    return call([&] {
        if (!runtime().executables.erase(executable))
            return misused("an unknown executable graph is destroyed");
        delete executable;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return call([&] {
        if (!runtime().graphs.erase(graph)) return misused("an unknown graph is destroyed");
        delete graph;
        return cudaSuccess;
    });
}
}
