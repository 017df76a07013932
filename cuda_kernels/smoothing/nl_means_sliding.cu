// NL-means for every plan: 8 and 16 bits, gray and colour, all radii. A thread has one column of
// eight rows; for three offsets at a time the sum of squared differences over the patch slides down
// the column: a row of the patch comes in, one goes out. Everything between input and output is in
// shared memory and registers.
#include <algorithm>

#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/smoothing/nl_means.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kThreadRows = 8;
constexpr int kMaxSets = 4;  // of as many threads as a tile has columns, one below the other
constexpr int kGroup = 3;    // offsets side by side

// Beyond: columns after those of the last patch that are read and do not count.
template <int Columns, int Beyond>
struct Tiling {
    static constexpr int kColumns = Columns;
    int first = 0;   // tile of the first block
    int across = 0;  // tiles side by side
    int sets = 0;
    int search = 0;
    int patch = 0;

    __host__ __device__ int reach() const { return search + patch; }
    __host__ __device__ int pitch() const { return kColumns + 2 * reach() + Beyond; }
    __host__ __device__ int rows() const { return kThreadRows * sets + 2 * reach(); }
};

// ---- 8 bits ----

// Three columns belong to the last word of four pixels, two to offsets of a row's last group that
// do not exist.
using Tiling8 = Tiling<128, 3 + kGroup - 1>;

// Squared differences of the patch rows of three offsets. Gray: a word has four neighbouring
// pixels, and there is one for every pixel; colour: a word is a pixel without alpha.
template <bool Color>
struct RowDistance {
    int words;
    std::uint32_t lastMask;

    __device__ explicit RowDistance(int patch) {
        const int pixels = 2 * patch + 1;
        words = Color ? pixels : (pixels + 3) / 4;
        lastMask = Color ? 0xffffffffu : 0xffffffffu >> (8 * (4 * words - pixels));
    }

    __device__ __forceinline__ static std::uint32_t word(std::uint32_t a, std::uint32_t b,
                                                         std::uint32_t sum) {
        const std::uint32_t apart = __vabsdiffu4(a, b);
        return __dp4a(apart, apart, sum);
    }

    template <bool Subtract>
    __device__ __forceinline__ void add(const std::uint32_t* own, const std::uint32_t* other,
                                        std::uint32_t (&sums)[kGroup]) const {
        std::uint32_t row[kGroup] = {};
        if constexpr (Color) {
            std::uint32_t q[kGroup] = {other[0], other[1], 0};
#pragma unroll 3
            for (int i = 0; i < words; ++i) {
                const std::uint32_t p = own[i];
                q[2] = other[i + 2];
#pragma unroll
                for (int k = 0; k < kGroup; ++k) row[k] = word(p, q[k], row[k]);
                q[0] = q[1];
                q[1] = q[2];
            }
        } else {
            for (int i = 0; i < words; ++i) {
                const std::uint32_t mask = i == words - 1 ? lastMask : 0xffffffffu;
                const std::uint32_t p = own[4 * i] & mask;
#pragma unroll
                for (int k = 0; k < kGroup; ++k) row[k] = word(p, other[4 * i + k] & mask, row[k]);
            }
        }
#pragma unroll
        for (int k = 0; k < kGroup; ++k) sums[k] += Subtract ? 0u - row[k] : row[k];
    }
};

template <bool Color>
__device__ void loadWords(const DeviceImage& in, const Tiling8& tiling, int x0, int y0,
                          std::uint32_t* words) {
    const int pitch = tiling.pitch();
    const int left = x0 - tiling.reach(), top = y0 - tiling.reach();
    for (int row = 0; row < tiling.rows(); ++row) {
        const std::byte* from = in.data + in.pitch * mirrored(top + row, in.size.height);
        for (int i = int(threadIdx.x); i < pitch; i += int(blockDim.x)) {
            std::uint32_t word = 0;
            if constexpr (Color) {
                const int x = mirrored(left + i, in.size.width);
                word = reinterpret_cast<const std::uint32_t*>(from)[x] & 0xffffffu;
            } else {
#pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const int x = mirrored(left + i + k, in.size.width);
                    word |= std::uint32_t(from[x]) << (8 * k);
                }
            }
            words[row * pitch + i] = word;
        }
    }
}

// Of gray on newer devices the assembler itself stays at as many registers, but then keeps values
// in memory.
template <bool Color>
constexpr int kResident8 = Color ? 0 : blocksByDevice({0, 0, 2});

template <bool Color>
__global__ void __launch_bounds__(Tiling8::kColumns* kMaxSets, kResident8<Color>)
    sliding8Kernel(DeviceImage in, DeviceImage out, Tiling8 tiling, float exponent) {
    constexpr int kChannels = Color ? 3 : 1;
    extern __shared__ std::uint32_t words[];
    const int tile = tiling.first + int(blockIdx.x);
    const int x0 = tile % tiling.across * Tiling8::kColumns;
    const int y0 = tile / tiling.across * (kThreadRows * tiling.sets);
    loadWords<Color>(in, tiling, x0, y0, words);
    __syncthreads();

    const int pitch = tiling.pitch();
    const int column = int(threadIdx.x) % Tiling8::kColumns;
    const int row = int(threadIdx.x) / Tiling8::kColumns * kThreadRows;
    const RowDistance<Color> distance(tiling.patch);
    // The first pixel of the patch around this thread's first pixel.
    const std::uint32_t* const own = words + (row + tiling.search) * pitch + column + tiling.search;
    const int centre = tiling.patch * (pitch + 1);

    float sums[kThreadRows][kChannels] = {};
    float weights[kThreadRows] = {};
    for (int dy = -tiling.search; dy <= tiling.search; ++dy) {
        for (int dx = -tiling.search; dx <= tiling.search; dx += kGroup) {
            const std::uint32_t* a = own;
            const std::uint32_t* b = own + dy * pitch + dx;
            std::uint32_t apart[kGroup] = {};
            for (int k = 0; k <= 2 * tiling.patch; ++k)
                distance.template add<false>(a + k * pitch, b + k * pitch, apart);
#pragma unroll
            for (int y = 0; y < kThreadRows; ++y) {
#pragma unroll
                for (int k = 0; k < kGroup; ++k) {
                    if (dx + k > tiling.search) continue;
                    const float weight = exp2Approx(exponent * float(apart[k]));
                    const std::uint32_t value = b[centre + k];
                    weights[y] += weight;
#pragma unroll
                    for (int c = 0; c < kChannels; ++c)
                        sums[y][c] = fmaf(weight, float(byteOf(value, c)), sums[y][c]);
                }
                if (y + 1 == kThreadRows) break;
                distance.template add<true>(a, b, apart);
                const int next = (2 * tiling.patch + 1) * pitch;
                distance.template add<false>(a + next, b + next, apart);
                a += pitch;
                b += pitch;
            }
        }
    }

    const int x = x0 + column;
    if (x >= out.size.width) return;
#pragma unroll
    for (int y = 0; y < kThreadRows; ++y) {
        if (y0 + row + y >= out.size.height) break;
        std::byte* to = out.data + (y0 + row + y) * out.pitch;
        if constexpr (Color) {
            const std::byte* from = in.data + (y0 + row + y) * in.pitch;
            std::uint32_t pixel = reinterpret_cast<const std::uint32_t*>(from)[x] & 0xff000000u;
#pragma unroll
            for (int c = 0; c < kChannels; ++c)
                pixel |= levelOf<255>(sums[y][c] / weights[y]) << (8 * c);
            reinterpret_cast<std::uint32_t*>(to)[x] = pixel;
        } else {
            to[x] = std::byte(levelOf<255>(sums[y][0] / weights[y]));
        }
    }
}

// ---- 16 bits ----
//
// A patch's sum of squares takes up to 42 bits and is kept in 64. Weighted samples are floats, a
// row of offsets by itself first: a sum is made in at most 82 additions, each wrong by 2^-24 of it.
// Together with the sum of weights a mean is wrong by less than two thirds of a level. Where all
// samples are alike, weights are 1, their sum and those of a row are exact, and the result is that
// level.

using Tiling16 = Tiling<64, kGroup - 1>;

// Adds or takes away one row of the patches of three offsets.
template <class P, bool Subtract>
__device__ __forceinline__ void slide(const typename P::Pixel* own, const typename P::Pixel* other,
                                      int taps, typename P::Squares (&sums)[kGroup]) {
    typename P::Squares row[kGroup] = {};
    typename P::Pixel q[kGroup] = {other[0], other[1], other[1]};
#pragma unroll 3
    for (int i = 0; i < taps; ++i) {
        const typename P::Pixel p = own[i];
        q[2] = other[i + 2];
#pragma unroll
        for (int k = 0; k < kGroup; ++k) row[k] += P::apart(p, q[k]);
        q[0] = q[1];
        q[1] = q[2];
    }
#pragma unroll
    for (int k = 0; k < kGroup; ++k) sums[k] += Subtract ? 0 - row[k] : row[k];
}

// As many as the assembler itself chooses, with values in memory, for gray on compute capability
// 9.0; on older devices one less.
template <class P>
constexpr int kResident16 = P::kChannels == 1 ? blocksByDevice({2, 3, 0}) : 0;

template <class P>
__global__ void __launch_bounds__(Tiling16::kColumns* kMaxSets, kResident16<P>)
    sliding16Kernel(DeviceImage in, DeviceImage out, Tiling16 tiling, float exponent) {
    extern __shared__ uint4 shared[];
    auto* const pixels = reinterpret_cast<typename P::Pixel*>(shared);
    const int tile = tiling.first + int(blockIdx.x);
    const int x0 = tile % tiling.across * Tiling16::kColumns;
    const int y0 = tile / tiling.across * (kThreadRows * tiling.sets);
    const int pitch = tiling.pitch();
    for (int row = 0; row < tiling.rows(); ++row) {
        const int y = mirrored(y0 - tiling.reach() + row, in.size.height);
        for (int i = int(threadIdx.x); i < pitch; i += int(blockDim.x))
            pixels[row * pitch + i] =
                P::load(in.data + in.pitch * y, mirrored(x0 - tiling.reach() + i, in.size.width));
    }
    __syncthreads();

    const int column = int(threadIdx.x) % Tiling16::kColumns;
    const int row = int(threadIdx.x) / Tiling16::kColumns * kThreadRows;
    const int taps = 2 * tiling.patch + 1;
    // The first pixel of the patch around this thread's first pixel.
    const auto* const own = pixels + (row + tiling.search) * pitch + column + tiling.search;
    const int centre = tiling.patch * (pitch + 1);

    Mean<P, float> means[kThreadRows];
    for (int dy = -tiling.search; dy <= tiling.search; ++dy) {
        Mean<P, float> line[kThreadRows];
        for (int dx = -tiling.search; dx <= tiling.search; dx += kGroup) {
            const auto* a = own;
            const auto* b = own + dy * pitch + dx;
            typename P::Squares apart[kGroup] = {};
            for (int k = 0; k < taps; ++k)
                slide<P, false>(a + k * pitch, b + k * pitch, taps, apart);
#pragma unroll
            for (int y = 0; y < kThreadRows; ++y) {
#pragma unroll
                for (int k = 0; k < kGroup; ++k)
                    if (dx + k <= tiling.search)
                        line[y].add(exp2Approx(exponent * float(apart[k])), b[centre + k]);
                if (y + 1 == kThreadRows) break;
                slide<P, true>(a, b, taps, apart);
                slide<P, false>(a + taps * pitch, b + taps * pitch, taps, apart);
                a += pitch;
                b += pitch;
            }
        }
#pragma unroll
        for (int y = 0; y < kThreadRows; ++y) means[y].add(line[y]);
    }

    const int x = x0 + column;
    if (x >= out.size.width) return;
#pragma unroll
    for (int y = 0; y < kThreadRows; ++y) {
        const int at = y0 + row + y;
        if (at >= out.size.height) break;
        float mean[P::kChannels];
#pragma unroll
        for (int c = 0; c < P::kChannels; ++c) mean[c] = means[y].sums[c] / means[y].weights;
        P::store(in.data + at * in.pitch, out.data + at * out.pitch, x, mean);
    }
}

// perOffset: multiplications of a pixel and offset.
template <class Tiling>
void runTiles(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
              const DeviceImage& out, const char* name, std::size_t pixelBytes,
              std::int64_t perOffset, void (*kernel)(DeviceImage, DeviceImage, Tiling, float)) {
    Tiling tiling;
    tiling.across = int(divideUp(unsigned(in.size.width), Tiling::kColumns));
    tiling.search = plan.searchRadius;
    tiling.patch = plan.patchRadius;
    const auto sharedBytes = [&] {
        return std::size_t(tiling.pitch()) * unsigned(tiling.rows()) * pixelBytes;
    };
    // As many sets as fit, at the largest radii two (8 bits) or one (16 bits) in 64 KiB; but no
    // more than the image has rows for.
    tiling.sets = std::clamp(int(divideUp(unsigned(in.size.height), kThreadRows)), 1, kMaxSets);
    while (tiling.sets > 1 && sharedBytes() > context.traits().sharedPerBlock) --tiling.sets;
    const int tileRows = kThreadRows * tiling.sets;
    const int down = int(divideUp(unsigned(in.size.height), unsigned(tileRows)));
    const std::int64_t offsets =
        std::int64_t(2 * plan.searchRadius + 1) * (2 * plan.searchRadius + kGroup);
    context.forEachBand(tiling.across * down,
                        tilesPerLaunch(context, offsets * perOffset * Tiling::kColumns * tileRows),
                        [&](int first, int last) {
                            Tiling now = tiling;
                            now.first = first;
                            launch(context, name, unsigned(last - first),
                                   unsigned(Tiling::kColumns * tiling.sets), sharedBytes(), kernel,
                                   in, out, now, float(plan.exponent));
                        });
}

template <class P>
void run16(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
           const DeviceImage& out) {
    const int taps = 2 * plan.patchRadius + 1;
    const std::int64_t perOffset =
        12 + 4 * std::int64_t(P::kChannels) * taps * (2 * kThreadRows + taps) / kThreadRows;
    runTiles(context, plan, in, out, "NL-means, 16 bits", sizeof(typename P::Pixel), perOffset,
             sliding16Kernel<P>);
}

}  // namespace

void runNlMeansSliding(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                       const DeviceImage& out) {
    const bool color = isColor(in.format);
    if (bytesPerSample(in.format) == 2)
        return color ? run16<Rgba16Pixels>(context, plan, in, out)
                     : run16<Gray16Pixels>(context, plan, in, out);
    const int taps = 2 * plan.patchRadius + 1;
    const std::int64_t perOffset =
        8 + 4 * std::int64_t(color ? taps : taps / 4 + 1) * (2 * kThreadRows + taps) / kThreadRows;
    runTiles(context, plan, in, out, "NL-means, any radius", sizeof(std::uint32_t), perOffset,
             color ? sliding8Kernel<true> : sliding8Kernel<false>);
}

}  // namespace warpscope::cuda
