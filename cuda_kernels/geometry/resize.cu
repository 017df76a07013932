// Resampling in two passes: rows into a middle image of the output's width, then columns. A thread
// makes one pixel of a pass; taps and weights come from the plan's tables. For every plan; most of
// 8-bit images go to resize_tiles.cu, enlarged ones to resize_enlarged.cu, doubled ones to
// resize_doubled.cu, exact halves to resize_half.cu, and where every pixel is one of the input to
// resize_nearest.cu.
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda_kernels/geometry/resize_cost.h"
#include "cuda_kernels/geometry/resize_doubled.cuh"
#include "cuda_kernels/geometry/resize_enlarged.cuh"
#include "cuda_kernels/geometry/resize_half.cuh"
#include "cuda_kernels/geometry/resize_nearest.cuh"
#include "cuda_kernels/geometry/resize_tiles.cuh"
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "engine/operations/geometry/resize.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = kResizeThreads;

// A ResizeAxis in device memory.
struct DeviceAxis {
    const std::int32_t* first;
    const std::int32_t* count;
    const std::int32_t* begin;
    const std::int32_t* weights;
    const double* realWeights;
};

// Between the passes: 8 bits more.
template <class T>
using ResizeMiddle =
    std::conditional_t<sizeof(T) == 1, std::uint16_t,
                       std::conditional_t<std::is_same_v<T, float>, float, std::uint32_t>>;

template <class T, int C>
struct alignas(sizeof(T) * C) ResizePixel {
    T samples[C];
};

__device__ __forceinline__ std::int64_t clamped(std::int64_t value, std::int64_t most) {
    return value < 0 ? 0 : value > most ? most : value;
}

// Sum of `count` taps, `pitch` bytes apart: rounded half up by `shift` bits and clamped; of floats
// in double.
template <class To, int C, class From>
__device__ __forceinline__ ResizePixel<To, C> resized(const std::byte* taps, std::int64_t pitch,
                                                      const DeviceAxis& axis, int i, int shift,
                                                      std::int64_t most) {
    using Given = ResizePixel<From, C>;
    const int count = axis.count[i], begin = axis.begin[i];
    taps += axis.first[i] * pitch;
    ResizePixel<To, C> made;
    if constexpr (std::is_same_v<From, float>) {
        double sums[C] = {};
        for (int k = 0; k < count; ++k, taps += pitch) {
            const Given tap = *reinterpret_cast<const Given*>(taps);
            const double weight = axis.realWeights[begin + k];
#pragma unroll
            for (int c = 0; c < C; ++c)
                sums[c] = __dadd_rn(sums[c], __dmul_rn(weight, double(tap.samples[c])));
        }
#pragma unroll
        for (int c = 0; c < C; ++c) made.samples[c] = float(sums[c]);
    } else {
        std::int64_t sums[C];
#pragma unroll
        for (int c = 0; c < C; ++c) sums[c] = std::int64_t(1) << (shift - 1);
        for (int k = 0; k < count; ++k, taps += pitch) {
            const Given tap = *reinterpret_cast<const Given*>(taps);
            const std::int64_t weight = axis.weights[begin + k];
#pragma unroll
            for (int c = 0; c < C; ++c) sums[c] += weight * std::int64_t(tap.samples[c]);
        }
#pragma unroll
        for (int c = 0; c < C; ++c) made.samples[c] = To(clamped(sums[c] >> shift, most));
    }
    return made;
}

// `middle` begins with row `firstRow`.
template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    resizeAcrossKernel(DeviceImage in, std::byte* middle, std::int64_t middlePitch, int firstRow,
                       FastDivide perRow, unsigned firstBlock, std::uint32_t count,
                       DeviceAxis axis) {
    const std::uint32_t i = (firstBlock + blockIdx.x) * kThreads + threadIdx.x;
    if (i >= count) return;
    const std::uint32_t row = perRow(i);
    const int x = int(i - row * perRow.divisor);
    const std::int64_t y = firstRow + std::int64_t(row);
    constexpr int kShift = sizeof(T) == 1 ? 8 : 22;
    constexpr std::int64_t kMost = (sizeof(T) == 1 ? 255 : 65535) << 8;
    using Middle = ResizePixel<ResizeMiddle<T>, C>;
    reinterpret_cast<Middle*>(middle + y * middlePitch)[x] = resized<ResizeMiddle<T>, C, T>(
        in.data + y * in.pitch, std::int64_t(sizeof(T)) * C, axis, x, kShift, kMost);
}

template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    resizeDownKernel(const std::byte* middle, std::int64_t middlePitch, DeviceImage out,
                     int firstRow, FastDivide perRow, unsigned firstBlock, std::uint32_t count,
                     DeviceAxis axis) {
    const std::uint32_t i = (firstBlock + blockIdx.x) * kThreads + threadIdx.x;
    if (i >= count) return;
    const std::uint32_t row = perRow(i);
    const int x = int(i - row * perRow.divisor);
    const int y = firstRow + int(row);
    constexpr int kShift = sizeof(T) == 1 ? 24 : 38;
    constexpr std::int64_t kMost = sizeof(T) == 1 ? 255 : 65535;
    using Middle = ResizePixel<ResizeMiddle<T>, C>;
    reinterpret_cast<ResizePixel<T, C>*>(out.data + y * out.pitch)[x] =
        resized<T, C, ResizeMiddle<T>>(middle + std::int64_t(x) * std::int64_t(sizeof(Middle)),
                                       middlePitch, axis, y, kShift, kMost);
}

// Weights in double come first, where they are aligned.
std::vector<std::uint32_t> wordsOf(const ResizePlan& plan) {
    std::vector<std::uint32_t> words;
    for (const ResizeAxis* axis : {&plan.across, &plan.down}) {
        const std::size_t at = words.size();
        words.resize(at + 2 * axis->realWeights.size());
        if (!axis->realWeights.empty())
            std::memcpy(words.data() + at, axis->realWeights.data(),
                        axis->realWeights.size() * sizeof(double));
    }
    for (const ResizeAxis* axis : {&plan.across, &plan.down})
        for (const auto* list : {&axis->first, &axis->count, &axis->begin, &axis->weights})
            for (const std::int32_t value : *list) words.push_back(std::uint32_t(value));
    return words;
}

template <class T, int C>
void run(KernelContext& context, const ResizePlan& plan, const DeviceImage& in,
         const DeviceImage& out) {
    const auto* words = reinterpret_cast<const std::int32_t*>(
        context.device().constants(plan.key, [&] { return wordsOf(plan); }));
    DeviceAxis axes[2];
    const ResizeAxis* given[2] = {&plan.across, &plan.down};
    for (int i = 0; i < 2; ++i) {
        axes[i].realWeights = reinterpret_cast<const double*>(words);
        words += 2 * given[i]->realWeights.size();
    }
    for (int i = 0; i < 2; ++i) {
        const std::size_t length = given[i]->first.size();
        axes[i].first = words;
        axes[i].count = words + length;
        axes[i].begin = words + 2 * length;
        axes[i].weights = words + 3 * length;
        words += 3 * length + given[i]->weights.size();
    }
    const std::int64_t width = out.size.width;
    const std::int64_t pixelBytes = std::int64_t(sizeof(ResizeMiddle<T>)) * C;
    const std::int64_t middlePitch = width * pixelBytes;
    const DeviceMemory memory = context.allocate(std::size_t(middlePitch * in.size.height));
    std::byte* middle = memory.as();
    const FastDivide perRow{unsigned(width)};
    const auto tapsOf = [&](int i) {
        const ResizeAxis& axis = *given[i];
        return std::int64_t(axis.weights.size() + axis.realWeights.size()) /
                   std::int64_t(axis.first.size()) +
               1;
    };
    const auto pass = [&](int rows, const RowsCost& cost, const auto& launchBlocks) {
        const LaunchCut cut = cutRows(limitsOf(context), cost);
        forEachPiece(context, rows, cut, cost.blocks, [&](int first, int last, int piece) {
            const std::uint32_t count = perRow.divisor * unsigned(last - first);
            launchBlocks(first, count, BlockRange(cut, piece, divideUp(count, kThreads)));
        });
    };
    pass(in.size.height, resizePassCost(width, C, in.pitch + middlePitch, tapsOf(0)),
         [&](int first, std::uint32_t count, const BlockRange& blocks) {
             launchRange(context, "resize rows", blocks, kThreads, 0, resizeAcrossKernel<T, C>, in,
                         middle, middlePitch, first, perRow, blocks.first, count, axes[0]);
         });
    pass(out.size.height, resizePassCost(width, C, out.pitch + middlePitch * tapsOf(1), tapsOf(1)),
         [&](int first, std::uint32_t count, const BlockRange& blocks) {
             launchRange(context, "resize columns", blocks, kThreads, 0, resizeDownKernel<T, C>,
                         static_cast<const std::byte*>(middle), middlePitch, out, first, perRow,
                         blocks.first, count, axes[1]);
         });
}

// Looking at all taps takes longer than the kernels do: the last choice is kept.
struct ResizeChoice {
    std::string key;
    int multiprocessors = 0;
    bool isNearest = false, isHalf = false;
    std::optional<Doubling> doubled;
    std::optional<Enlargement> enlarged;
    std::optional<ResizeTiles> tiles;
};

const ResizeChoice& choiceFor(const ResizePlan& plan, int multiprocessors) {
    thread_local ResizeChoice last;
    if (last.key != plan.key || last.multiprocessors != multiprocessors)
        last = {plan.key,
                multiprocessors,
                isSelection(plan),
                isExactHalf(plan),
                doublingFor(plan, multiprocessors),
                enlargementFor(plan, multiprocessors),
                resizeTilesFor(plan, multiprocessors)};
    return last;
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const ResizePlan&>(given);
    const ResizeChoice& choice = choiceFor(plan, context.traits().multiprocessors);
    if (choice.isNearest) return runResizeNearest(context, plan, in, out);
    if (choice.isHalf) return runResizeHalf(context, in, out);
    if (choice.doubled) return runResizeDoubled(context, plan, *choice.doubled, in, out);
    if (choice.enlarged) return runResizeEnlarged(context, plan, *choice.enlarged, in, out);
    if (choice.tiles) return runResizeTiles(context, plan, *choice.tiles, in, out);
    if (isFloat(in.format))
        return isColor(in.format) ? run<float, 4>(context, plan, in, out)
                                  : run<float, 1>(context, plan, in, out);
    forSamples(in.format, [&]<class T, int C>() { run<T, C>(context, plan, in, out); });
}

void loadKernels() {
    loadResizeNearest();
    loadResizeDoubled();
    loadResizeEnlarged();
    loadResizeTiles();
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(resize, .run = run, .loadKernels = loadKernels);

}  // namespace warpscope::cuda
