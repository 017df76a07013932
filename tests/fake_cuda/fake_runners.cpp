// What stands in for the kernels: every filter and every count, by its code for the CPU, on the
// fake device's memory and through the seam. A run uses all kinds of memory that a runner has, and
// its result passes through them: what was not there, or not done in time, shows in the pixels.
#include <cstring>
#include <list>
#include <stdexcept>

#include "cuda_kernels/runtime/arithmetic_peak.h"
#include "cuda_kernels/runtime/runner.h"
#include "engine/operations/analysis/statistics.h"
#include "engine/operations/registry.h"
#include "fake_cuda/fake_gpu.h"

namespace warpscope::cuda {
namespace {

constexpr std::uint32_t kMask = 0x5c;

void launch(KernelContext& context, const char* name, std::function<void()> kernel) {
    context.beginLaunch(name);
    check({name, __FILE__, __LINE__, false},
          [&] { return test::launchFakeKernel(context.stream(), std::move(kernel)); });
    context.endLaunch();
}

std::size_t bytesOf(const DeviceImage& image) {
    return std::size_t(image.pitch) * unsigned(image.size.height);
}

bool isThere(const void* data, std::size_t bytes) {
    const bool there = test::isFakeDeviceMemory(data, bytes);
    if (!there) test::noteFakeMisuse("a kernel finds its memory gone");
    return there;
}

Image toHost(const DeviceImage& from) {
    if (!isThere(from.data, bytesOf(from))) return {};
    MutableImage made = MutableImage::create(from.format, from.size).value();
    for (int y = 0; y < from.size.height; ++y)
        std::memcpy(made.rowBytes(y), from.data + y * from.pitch, std::size_t(from.rowBytes()));
    return std::move(made).freeze({});
}

// What the CPU makes of the inputs.
void compute(const Plan& plan, const DeviceImage& in, const DeviceImage& second,
             const DeviceImage& to, const std::byte* mask) {
    const StepImages images(toHost(in), second.data ? toHost(second) : Image());
    MutableImage made = MutableImage::create(plan.output, plan.outputSize).value();
    const CpuContext oneThread{Threading::Single, {}, {}};
    if (const auto done = plan.operation->runCpu(plan, images, made, oneThread); !done)
        throw std::runtime_error(done.error().message);
    if (!isThere(to.data, bytesOf(to)) || !isThere(mask, sizeof kMask)) return;
    for (int y = 0; y < to.size.height; ++y)
        for (std::int64_t i = 0; i < to.rowBytes(); ++i)
            to.data[y * to.pitch + i] = made.rowBytes(y)[i] ^ *mask;
}

void copyMasked(const std::byte* from, std::byte* to, std::size_t bytes, std::byte mask) {
    if (!isThere(from, bytes) || !isThere(to, bytes)) return;
    for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i] ^ mask;
}

void runOnTwo(KernelContext& context, const Plan& plan, const DeviceImage& in,
              const DeviceImage& second, const DeviceImage& out) {
    context.checkStop();
    const std::byte* mask = context.device().constants(
        plan.operation->description().id, [] { return std::vector<std::uint32_t>{kMask}; });
    const std::size_t bytes = bytesOf(out);
    const DeviceMemory first = context.allocate(bytes);
    std::byte* const scratch = context.device().scratch(DeviceContext::Scratch::Planes, bytes);
    const DeviceImage made{first.as(), out.pitch, out.size, out.format};
    launch(context, "compute",
           [&plan, in, second, made, mask] { compute(plan, in, second, made, mask); });
    launch(context, "to scratch memory",
           [from = first.as(), scratch, bytes] { copyMasked(from, scratch, bytes, std::byte{0}); });
    constexpr int kBands = 3;
    context.forEachBand(
        out.size.height, (out.size.height + kBands - 1) / kBands, [&](int firstRow, int lastRow) {
            const std::size_t begin = std::size_t(firstRow * out.pitch);
            const std::size_t count = std::size_t((lastRow - firstRow) * out.pitch);
            launch(context, "to the result",
                   [=] { copyMasked(scratch + begin, out.data + begin, count, std::byte{kMask}); });
        });
}

void runOnOne(KernelContext& context, const Plan& plan, const DeviceImage& in,
              const DeviceImage& out) {
    runOnTwo(context, plan, in, {}, out);
}

// Of 8 and 16 bits, in the order that histogram and statistics share.
std::vector<std::uint64_t> count(const HistogramPlan& plan, const Image& image) {
    const CpuContext oneThread{Threading::Single, {}, {}};
    std::vector<std::uint64_t> words;
    const HistogramSet set = countCpu(plan, image, oneThread).value();
    for (const Histogram& histogram : set.channels)
        words.insert(words.end(), histogram.bins.begin(), histogram.bins.end());
    if (words.size() == plan.resultWords) return words;
    const std::size_t colours = words.size();
    words.resize(plan.resultWords);
    const auto alpha = countAlphaCpu(image, oneThread, std::span(words).subspan(colours));
    if (!alpha) throw std::runtime_error(alpha.error().message);
    return words;
}

// As the histogram's.
bool writesWordsOnce(const Plan& plan) {
    return plan.variant == kAutomaticVariant && plan.input == PixelFormat::Gray8;
}

void analyze(KernelContext& context, const Plan& plan, const DeviceImage& in,
             unsigned long long* words) {
    context.checkStop();
    launch(context, "count", [&plan, in, words] {
        const auto counts = count(static_cast<const HistogramPlan&>(plan), toHost(in));
        const std::size_t bytes = counts.size() * sizeof *words;
        const bool onHost = plan.operation == &histogram_operation() && writesWordsOnce(plan) &&
                            test::isFakePageLocked(words, bytes);
        if (onHost || isThere(words, bytes)) std::copy(counts.begin(), counts.end(), words);
    });
}

std::vector<const CudaRunner*> makeRunners() {
    static std::list<CudaRunner> made;
    std::vector<const CudaRunner*> list;
    for (const Operation* operation : allOperations()) {
        const OperationDescription& description = operation->description();
        CudaRunner& runner = made.emplace_back();
        runner.operation = description.id.c_str();
        runner.variantsNeedOneWarmUp = true;
        if (description.kind == OperationKind::Filter) {
            runner.run = runOnOne;
            runner.runOnTwo = runOnTwo;
        } else if (operation == &histogram_operation() || operation == &statistics_operation()) {
            runner.analyze = analyze;
            if (operation == &histogram_operation()) runner.writesWordsOnce = writesWordsOnce;
        } else {
            continue;
        }
        list.push_back(&runner);
    }
    return list;
}

}  // namespace

const std::vector<const CudaRunner*>& allRunners() {
    static const std::vector<const CudaRunner*> list = makeRunners();
    return list;
}

int codeVersion() {
    return test::fakeGpu().code;
}

ArithmeticPeak measureArithmeticPeak(DeviceContext& device, const RunContext& run) {
    KernelContext context(device, run);
    context.checkStop();
    launch(context, "multiply-adds", [] {});
    WARPSCOPE_CUDA(cudaStreamSynchronize(context.stream()));
    return {1, 0};
}

}  // namespace warpscope::cuda
