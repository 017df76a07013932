// Equalization of float samples without the host: one pass finds the range of the finite values,
// one counts them in 65,536 bins over it, tables are made as for 16 bits, one pass applies them.
#include "cuda_kernels/runtime/pointwise.cuh"
#include "cuda_kernels/tone/equalize.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;

struct Scratch {
    TableScratch tables;
    RangeKeys keys;
};

// The values of a pixel that have tables.
template <bool Color, bool Each>
struct Levels {
    static constexpr int kCount = Each ? 3 : 1;
    float value[kCount];

    __device__ Levels(const std::byte* row, std::uint32_t column) {
        if constexpr (Color) {
            const float4 pixel = reinterpret_cast<const float4*>(row)[column];
            if constexpr (Each) {
                value[0] = pixel.x;
                value[1] = pixel.y;
                value[2] = pixel.z;
            } else {
                value[0] = luma(pixel.x, pixel.y, pixel.z);
            }
        } else {
            value[0] = reinterpret_cast<const float*>(row)[column];
        }
    }
};

// Calls work(levels, valid) for a thread's pixels, all lanes of a warp together.
template <bool Color, bool Each, class Work>
__device__ void forPixels(const DeviceImage& in, const Pieces& pixels, const Work& work) {
    const std::uint32_t step = gridDim.x * kThreads;
    const std::uint32_t rounds = (pixels.count + step - 1) / step;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const std::uint32_t i = round * step + blockIdx.x * kThreads + threadIdx.x;
        const bool valid = i < pixels.count;
        const std::uint32_t row = valid ? pixels.perRow(i) : 0;
        const std::uint32_t column = valid ? i - row * pixels.perRow.divisor : 0;
        work(Levels<Color, Each>(in.data + row * in.pitch, column), valid);
    }
}

template <bool Color, bool Each>
__global__ void __launch_bounds__(kThreads)
    rangeKernel(DeviceImage in, Pieces pixels, RangeKeys* keys) {
    constexpr int kCount = Levels<Color, Each>::kCount;
    std::uint32_t low[kCount], high[kCount];
#pragma unroll
    for (int c = 0; c < kCount; ++c) {
        low[c] = 0xffffffffu;
        high[c] = 0;
    }
    forPixels<Color, Each>(in, pixels, [&](const Levels<Color, Each>& levels, bool valid) {
#pragma unroll
        for (int c = 0; c < kCount; ++c) {
            if (!valid || !isfinite(levels.value[c])) continue;
            const std::uint32_t key = RangeKeys::keyOf(levels.value[c]);
            low[c] = min(low[c], key);
            high[c] = max(high[c], key);
        }
    });
#pragma unroll
    for (int c = 0; c < kCount; ++c) {
#pragma unroll
        for (unsigned distance = 16; distance > 0; distance /= 2) {
            low[c] = min(low[c], __shfl_xor_sync(0xffffffffu, low[c], distance));
            high[c] = max(high[c], __shfl_xor_sync(0xffffffffu, high[c], distance));
        }
        if (threadIdx.x % 32 == 0) {
            atomicMin(&keys->low[c], low[c]);
            atomicMax(&keys->high[c], high[c]);
        }
    }
}

template <bool Color, bool Each>
__global__ void __launch_bounds__(kThreads)
    countFloatsKernel(DeviceImage in, Pieces pixels, const RangeKeys* keys,
                      unsigned long long* bins) {
    constexpr int kCount = Levels<Color, Each>::kCount;
    EqualizeRange range[kCount];
#pragma unroll
    for (int c = 0; c < kCount; ++c) range[c] = keys->range(c);
    forPixels<Color, Each>(in, pixels, [&](const Levels<Color, Each>& levels, bool valid) {
#pragma unroll
        for (int c = 0; c < kCount; ++c) {
            const float v = levels.value[c];
            const bool counts = valid && range[c].maps() && isfinite(v);
            addAggregated(bins + c * kBins16, counts ? range[c].bin(v) : 0, counts);
        }
    });
}

template <bool Color, bool Each>
struct FloatBody : TableMap<std::uint16_t>::Tuning {
    static constexpr int kPixels = Color ? 1 : 4, kBytesIn = 16, kBytesOut = 16;
    const std::uint16_t* tables;
    const RangeKeys* keys;  // null: the ranges are known
    EqualizeRange range[kMostTables];

    FloatBody(const std::uint16_t* levels, const RangeKeys* found) : tables(levels), keys(found) {}
    __device__ FloatBody begin() const {
        FloatBody begun = *this;
        if (keys)
            for (int c = 0; c < (Each ? 3 : 1); ++c) begun.range[c] = keys->range(c);
        return begun;
    }
    __device__ std::uint32_t level(float v, int channel) const {
        return tables[channel * kBins16 + int(range[channel].bin(v))];
    }
    __device__ std::uint32_t mapped(std::uint32_t sample, int channel) const {
        const float v = __uint_as_float(sample);
        if (v != v || !range[channel].maps()) return sample;
        return __float_as_uint(__fdiv_rn(float(level(v, channel)), 65535.0f));
    }
    __device__ void operator()(const std::uint32_t (&in)[4], std::uint32_t (&out)[4],
                               const PiecePlace&) const {
        if constexpr (!Color) {
#pragma unroll
            for (int i = 0; i < 4; ++i) out[i] = mapped(in[i], 0);
            return;
        }
        out[3] = in[3];
        if constexpr (Each) {
#pragma unroll
            for (int c = 0; c < 3; ++c) out[c] = mapped(in[c], c);
        } else {
            const float y =
                luma(__uint_as_float(in[0]), __uint_as_float(in[1]), __uint_as_float(in[2]));
            // Of a pixel with NaN all colours become NaN.
            const std::uint32_t t = y == y ? level(y, 0) : 0;
#pragma unroll
            for (int c = 0; c < 3; ++c)
                out[c] = range[0].maps()
                             ? __float_as_uint(equalizedColor(__uint_as_float(in[c]), t, y))
                             : in[c];
        }
    }
};

// Counts into scratch memory.
template <bool Color, bool Each>
Scratch* count(KernelContext& context, const DeviceImage& in) {
    auto* scratch = reinterpret_cast<Scratch*>(
        context.device().scratch(DeviceContext::Scratch::Small, sizeof(Scratch)));
    const auto clear = [&](void* at, int value, std::size_t bytes) {
        WARPSCOPE_CUDA(cudaMemsetAsync(at, value, bytes, context.stream()));
    };
    clear(scratch->tables.bins, 0, sizeof(scratch->tables.bins));
    clear(scratch->keys.low, 0xff, sizeof(scratch->keys.low));
    clear(scratch->keys.high, 0, sizeof(scratch->keys.high));
    const unsigned most = unsigned(context.traits().multiprocessors) * 8;
    const int bandRows = context.rowsPerLaunch(in.pitch * 4, std::int64_t(in.size.width) * 256);
    const auto forBands = [&](const auto& launchBand) {
        context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
            const Pieces pixels = Pieces::of(in.size.width, last - first, 1, isPacked(in));
            launchBand(min(most, divideUp(pixels.count, kThreads)), rowsOf(in, first, last),
                       pixels);
        });
    };
    forBands([&](unsigned blocks, const DeviceImage& rows, const Pieces& pixels) {
        launch(context, "range of floats", blocks, kThreads, 0, rangeKernel<Color, Each>, rows,
               pixels, &scratch->keys);
    });
    const RangeKeys* keys = &scratch->keys;
    unsigned long long* bins = scratch->tables.bins;
    forBands([&](unsigned blocks, const DeviceImage& rows, const Pieces& pixels) {
        launch(context, "count floats", blocks, kThreads, 0, countFloatsKernel<Color, Each>, rows,
               pixels, keys, bins);
    });
    return scratch;
}

template <bool Color, bool Each>
void run(KernelContext& context, const EqualizePlan& plan, const DeviceImage& in,
         const DeviceImage& out, CountingResult result) {
    constexpr int kTables = Each ? 3 : 1;
    if (plan.frozenFloat) {
        const auto& table = plan.frozenFloat->table;
        FloatBody<Color, Each> body(
            tablesOnDevice<std::uint16_t>(context, "equalize float",
                                          {&table[0], &table[1], &table[2]}),
            nullptr);
        for (int c = 0; c < kTables; ++c) body.range[c] = plan.frozenFloat->range[c];
        return runPointwise(context, "equalize floats", in, out, body);
    }
    Scratch* scratch = count<Color, Each>(context, in);
    makeTables(context, &scratch->tables, kTables, result);
    runPointwiseAgain(context, "equalize floats", in, out,
                      FloatBody<Color, Each>(scratch->tables.tables, &scratch->keys));
}

}  // namespace

FloatCountsOnDevice countFloatLuma(KernelContext& context, const DeviceImage& in) {
    const Scratch* scratch =
        isColor(in.format) ? count<true, false>(context, in) : count<false, false>(context, in);
    return {&scratch->keys, scratch->tables.bins};
}

void equalizeFloats(KernelContext& context, const EqualizePlan& plan, const DeviceImage& in,
                    const DeviceImage& out, CountingResult result) {
    if (!isColor(in.format))
        run<false, false>(context, plan, in, out, result);
    else if (plan.channels == EqualizeChannels::Each)
        run<true, true>(context, plan, in, out, result);
    else
        run<true, false>(context, plan, in, out, result);
}

}  // namespace warpscope::cuda
