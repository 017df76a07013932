// What the files of the fake runtime share.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "fake_cuda/fake_gpu.h"

// Nodes in their order, and the memory that was allocated while they were recorded.
struct FakeGraph {
    std::vector<std::function<void()>> nodes;
    std::vector<std::byte*> blocks;
    ~FakeGraph();
};

struct CUstream_st {
    std::deque<std::function<void()>> queue;
    std::shared_ptr<FakeGraph> capture;  // null: none is under way
    bool captureBroken = false;
};

struct FakeEvent {
    cudaStream_t stream = nullptr;
    bool timing = true;
    bool captured = false;
    unsigned asked = 0;    // times that it was recorded
    unsigned reached = 0;  // the last of them that the stream has come to
    double ms = 0;
};
struct CUevent_st {
    std::shared_ptr<FakeEvent> state = std::make_shared<FakeEvent>();
};

struct CUgraph_st {
    std::shared_ptr<FakeGraph> graph;
};
struct CUgraphExec_st {
    std::shared_ptr<FakeGraph> graph;
};

struct CUmemPoolHandle_st {
    std::uint64_t used = 0;
    std::uint64_t reserved = 0;
    std::uint64_t threshold = 0;
};

namespace warpscope::test::fake {

struct Block {
    std::size_t bytes = 0;
    cudaMemPool_t pool = nullptr;  // of stream-ordered memory
    bool ofGraph = false;
    bool released = false;    // asked for; the stream has not come to it yet
    bool registered = false;  // the program's own memory, page-locked
};
using Blocks = std::map<std::byte*, Block>;

struct Runtime {
    // Recursive: a kernel that runs under it may be asked for by a graph that runs under it.
    std::recursive_mutex mutex;  // guards all that follows, and what the handles point to
    FakeGpu gpu;
    Blocks device;
    Blocks host;
    std::set<cudaStream_t> streams;
    std::set<cudaEvent_t> events;
    std::set<cudaMemPool_t> pools;
    std::set<cudaGraph_t> graphs;
    std::set<cudaGraphExec_t> executables;
    std::vector<std::string> misuse;
    double lastEventMs = 0;

    std::uint64_t reservedBytes() const;  // of the device's memory
};
Runtime& runtime();

// The code of a call, kept for cudaGetLastError() unless it is success.
cudaError_t keep(cudaError_t code);
template <class Call>
cudaError_t call(Call&& work) {
    const std::lock_guard lock(runtime().mutex);
    return keep(work());
}

// Writes down what was wrong.
cudaError_t misused(std::string what, cudaError_t code = cudaErrorInvalidValue);

// Whether the bytes lie in one block that is there.
bool lieIn(const Blocks& blocks, const void* data, std::size_t bytes);
void freeBlock(Blocks& blocks, std::byte* data);

// Into the stream, or into the graph that is being captured from it.
cudaError_t enqueue(cudaStream_t stream, std::function<void()> work);
void drain(cudaStream_t stream);
// For calls that wait: not while a graph is captured, which they break.
cudaError_t drainForWaiting(cudaStream_t stream);

}  // namespace warpscope::test::fake
