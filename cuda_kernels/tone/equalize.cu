// Equalization without the host: counting makes the tables (analysis/histogram.cu and _16.cu), what
// applies them follows on the same stream. Gray images of 8 bits: equalize_gray.cu. Some of a few
// megapixels: equalize_resident.cu.
#include "cuda_kernels/tone/equalize.cuh"

#include "cuda_kernels/runtime/pointwise.cuh"
#include "cuda_kernels/tone/equalize_resident.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kLevels8 = 256;

// Colour by its luma: every sample times t(Y) / Y.
template <class T>
struct LumaBody;

// R' = min(255, (2 R t + Y) / (2 Y)). The quotient is a product: the dividend is below 2^17 and
// f = ceil(2^32 / 2Y) is too large by less than 2Y / 2^32 of itself, so that the error stays below
// 2^17 2^9 / 2^32 of a step and the floor is exact.
template <>
struct LumaBody<std::uint8_t> : TableMap<std::uint8_t>::Tuning {
    static constexpr int kPixels = 4, kBytesIn = 16, kBytesOut = 16;
    static constexpr unsigned kCopies = 8;
    const std::uint8_t* table;
    const uint2* lane = nullptr;  // {2 t, f} of level k at k * kCopies

    explicit LumaBody(const std::uint8_t* levels) : table(levels) {}
    __device__ LumaBody begin() const {
        __shared__ uint2 shared[kLevels8 * kCopies];
        for (unsigned i = threadIdx.x; i < kLevels8 * kCopies; i += kThreads) {
            const std::uint32_t y = i / kCopies;
            const std::uint32_t factor = y ? 0xffffffffu / (2 * y) + 1 : 0;
            shared[i] = {2u * table[y], factor};
        }
        LumaBody begun = *this;
        begun.lane = shared + threadIdx.x % kCopies;
        return begun;
    }
    __device__ std::uint32_t pixel(std::uint32_t word) const {
        const std::uint32_t r = byteOf(word, 0), g = byteOf(word, 1), b = byteOf(word, 2);
        const std::uint32_t y = luma(r, g, b);
        const uint2 entry = lane[y * kCopies];
        const auto scaled = [&](std::uint32_t v) {
            return min(255u, __umulhi(v * entry.x + y, entry.y));
        };
        const std::uint32_t mapped =
            scaled(r) | scaled(g) << 8 | scaled(b) << 16 | (word & 0xff000000u);
        return y ? mapped : word;
    }
    __device__ void operator()(const std::uint32_t (&in)[4], std::uint32_t (&out)[4],
                               const PiecePlace&) const {
#pragma unroll
        for (int i = 0; i < kPixels; ++i) out[i] = pixel(in[i]);
    }
};

// R' = min(65,535, (2 R t + Y) / (2 Y)), which is min(65,535, floor((R t + floor(Y / 2)) / Y)): the
// half that is lost where Y is odd never reaches the next whole number. R t + Y / 2 fits in 32
// bits. Its quotient is a product with f = floor((2^32 - 1) / Y), which takes at most 1 off the
// true ratio, so that it is right or 1 too small.
template <>
struct LumaBody<std::uint16_t> : TableMap<std::uint16_t>::Tuning {
    static constexpr int kPixels = 2, kBytesIn = 16, kBytesOut = 16;
    const std::uint16_t* table;

    explicit LumaBody(const std::uint16_t* levels) : table(levels) {}
    __device__ uint2 pixel(const uint2& pixel) const {
        const std::uint32_t red = pixel.x & 0xffffu, green = pixel.x >> 16,
                            blue = pixel.y & 0xffffu;
        const std::uint32_t y = luma(red, green, blue);
        const std::uint32_t wanted = table[y];
        if (y == 0) return pixel;
        const std::uint32_t factor = 0xffffffffu / y;
        const auto scaled = [&](std::uint32_t value) {
            const std::uint32_t dividend = value * wanted + y / 2;
            const std::uint32_t quotient = __umulhi(dividend, factor);
            return min(65535u, dividend - quotient * y >= y ? quotient + 1 : quotient);
        };
        return {scaled(red) | scaled(green) << 16, scaled(blue) | (pixel.y & 0xffff0000u)};
    }
    __device__ void operator()(const std::uint32_t (&in)[4], std::uint32_t (&out)[4],
                               const PiecePlace&) const {
        const uint2 first = pixel({in[0], in[1]}), second = pixel({in[2], in[3]});
        out[0] = first.x, out[1] = first.y, out[2] = second.x, out[3] = second.y;
    }
};

// counted: just now, on the device.
template <class T>
void apply(KernelContext& context, const char* name, const DeviceImage& in, const DeviceImage& out,
           const T* tables, bool each, bool counted) {
    const TableMap<T> map{tables, 1 << (8 * sizeof(T))};
    if (isColor(in.format) && !each) {
        const LumaBody<T> body(tables);
        counted ? runPointwiseAgain(context, name, in, out, body)
                : runPointwise(context, name, in, out, body);
    } else {
        counted ? mapSamplesAgain<T>(context, name, in, out, map)
                : mapSamples<T>(context, name, in, out, map);
    }
}

// Tables taken from another image.
template <class T>
const T* frozenTables(KernelContext& context, const EqualizeTablesOf<T>& frozen) {
    return tablesOnDevice<T>(context, sizeof(T) == 1 ? "equalize" : "equalize 16 bits",
                             {&frozen.red, &frozen.green, &frozen.blue});
}

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& equalize = static_cast<const EqualizePlan&>(plan);
    const bool each = isColor(in.format) && equalize.channels == EqualizeChannels::Each;
    const ChannelSet channels = each ? ChannelSet{false, true, true, true} : ChannelSet{};
    const auto result = equalize.mapping == EqualizeMapping::Full ? CountingResult::FullTable
                                                                  : CountingResult::ClassicTable;
    if (isFloat(in.format)) return equalizeFloats(context, equalize, in, out, result);
    if (bytesPerSample(in.format) == 2) {
        const std::uint16_t* tables = equalize.frozen16
                                          ? frozenTables(context, *equalize.frozen16)
                                          : tablesOfSixteenBit(context, in, channels, result);
        apply(context, "equalize 16 bits", in, out, tables, each, !equalize.frozen16);
    } else {
        const bool full = equalize.mapping == EqualizeMapping::Full;
        if (!equalize.frozen && !each && equalizeResident(context, full, in, out)) return;
        if (!equalize.frozen && !isColor(in.format)) return equalizeGray(context, full, in, out);
        const std::uint8_t* tables = equalize.frozen ? frozenTables(context, *equalize.frozen)
                                                     : tablesOfEightBit(context, in, each, full);
        apply(context, "equalize", in, out, tables, each, !equalize.frozen);
    }
}

void loadKernels() {
    loadEqualizeGray();
    loadResidentEqualizing();
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(equalize, .run = run, .loadKernels = loadKernels);

}  // namespace warpscope::cuda
