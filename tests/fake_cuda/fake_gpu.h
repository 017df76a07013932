// A GPU for tests, made of a few lists and the host's memory: what stands behind the functions of
// include/cuda_runtime_api.h. Copies, clears and releases wait in their stream until somebody waits
// for them, as late as a device may be; a kernel is a function of the host and runs when it is
// launched, after what waits, because a plan need not outlive the launch. Memory is rubbish at both
// ends when it is handed out. Everything is counted, and what CUDA forbids is written down.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warpscope::test {

// What the runtime tells of the machine. Set it while nothing is alive.
struct FakeGpu {
    int devices = 1;
    int major = 9;
    int minor = 0;
    int code = 90;      // what kernels are compiled for, 90 for 9.0
    bool pools = true;  // stream-ordered allocation
    std::uint64_t memory = std::uint64_t(256) << 20;
};
void setFakeGpu(const FakeGpu& gpu);
FakeGpu fakeGpu();

struct FakeAlive {
    int streams = 0;
    int events = 0;
    int pools = 0;
    int graphs = 0;
    int executables = 0;
    int deviceBlocks = 0;
    int hostBlocks = 0;  // page-locked

    friend bool operator==(const FakeAlive&, const FakeAlive&) = default;
};
FakeAlive fakeAlive();
// "1 streams, 2 events" of what is alive; empty if nothing is.
std::string describeAlive();

// What was done that CUDA forbids, since the last call: memory that was given back twice or while a
// copy to it was queued, copies beyond their block, handles that are none, ...
std::vector<std::string> takeFakeMisuse();
void noteFakeMisuse(std::string what);

// Whether the bytes lie in one block of device memory.
bool isFakeDeviceMemory(const void* data, std::size_t bytes);
// The same of page-locked memory of the host.
bool isFakePageLocked(const void* data, std::size_t bytes);

// A kernel. Between the beginning and the end of a capture it goes into the graph: it must then
// live as long as the graph is launched.
cudaError_t launchFakeKernel(cudaStream_t stream, std::function<void()> kernel);

}  // namespace warpscope::test
