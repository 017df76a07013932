// NL-means of gray images with everything between input and output on the multiprocessor.
//
// |P - Q|^2 = A(p) + A(q) - 2 P.Q, in integers. A row of two patches is one or two dp4a; a ring of
// running sums makes the sum over a patch slide down a column. Pixels are taken as v - 128: then
// A(q) - 2 P.Q stays between -2^22 and 2^22 for R up to 3, and adding the bits of 1.5 * 2^23 makes
// a float of it without a conversion. A(p) enters in the last addition before the exponential; its
// rounding is the same for all q, so it cancels when the weights are normalized.
//
// A thread has one column of a tile and takes the offsets in groups of 3 x 3, whose pixels it
// shares; sets of 128 threads take different groups and add up at the end.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cuda_kernels/smoothing/nl_means.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kColumns = 128;  // of a tile: threads of a set
constexpr int kMaxSets = 3;
constexpr int kGroup = 3;  // offsets of a group in each direction
constexpr int kTileRowsUnit = 8;
constexpr int kLargestRadius = 3;

constexpr int kMagicBits = 0x4B400000;
constexpr float kMagic = 12582912.0f;  // the float with these bits: 1.5 * 2^23

// Distances between rows are constants, so that addresses are too: for search radii up to 10, and
// for all.
constexpr int kNarrowRadius = 10;
template <bool Wide>
constexpr int kWordPitch = Wide ? 180 : 160;
template <bool Wide>
constexpr int kAreaPitch = Wide ? 172 : 152;

struct Tiling {
    int first = 0;   // tile of the first block
    int across = 0;  // tiles side by side
    int rows = 0;    // of a tile
    int sets = 0;
    int search = 0;  // radius
    int groups = 0;  // in each direction

    // Columns and rows that a tile needs beyond its own.
    __host__ __device__ int span() const { return kGroup * groups - 1; }
};

struct Energy {
    int area;     // kMagicBits + A(q)
    float value;  // v - 128
};

// Places in shared memory, in bytes.
template <int R, bool Wide>
struct Layout {
    int areas, sums, total;
    __host__ __device__ explicit Layout(const Tiling& tiling) {
        const int rows = tiling.rows + tiling.span();
        areas = (rows + 2 * R) * kWordPitch<Wide> * 4;
        sums = areas + rows * kAreaPitch<Wide> * int(sizeof(Energy));
        total = sums + tiling.sets * tiling.rows * kColumns * int(sizeof(float2));
    }
};

template <int R>
struct Patch {
    static constexpr int kRows = 2 * R + 1;
    static constexpr int kWords = (kRows + 3) / 4;
    static constexpr std::uint32_t kLastMask =
        kRows % 4 == 0 ? 0xffffffffu : (1u << (8 * (kRows % 4))) - 1u;

    // One row of a patch; what does not belong to it is zero.
    struct Row {
        int words[kWords];
        __device__ __forceinline__ explicit Row(const std::uint32_t* at) {
#pragma unroll
            for (int i = 0; i < kWords; ++i)
                words[i] = int(i == kWords - 1 ? at[4 * i] & kLastMask : at[4 * i]);
        }
    };

    // One row of three patches side by side; there are pixels of neighbours in it that do not
    // count, because a product with a Row leaves them out.
    struct Three {
        int words[kGroup][kWords];
        __device__ __forceinline__ void load(const std::uint32_t* at) {
            std::uint32_t four[kWords + 1];
#pragma unroll
            for (int i = 0; i <= kWords; ++i) four[i] = at[4 * i];
#pragma unroll
            for (int i = 0; i < kWords; ++i) {
                words[0][i] = int(four[i]);
                words[1][i] = int(__byte_perm(four[i], four[i + 1], 0x4321));
                words[2][i] = int(__byte_perm(four[i], four[i + 1], 0x5432));
            }
        }
    };

    __device__ __forceinline__ static int product(const Row& a, const int (&b)[kWords], int sum) {
#pragma unroll
        for (int i = 0; i < kWords; ++i) sum = __dp4a(a.words[i], b[i], sum);
        return sum;
    }
};

// The pixels of a tile and of what lies around it, as words of four neighbours each, and for every
// pixel the energy of its patch.
template <int R, bool Wide>
__device__ void loadTile(const DeviceImage& in, const Tiling& tiling, int x0, int y0,
                         std::uint32_t* words, Energy* areas, std::uint8_t* bytes) {
    constexpr int kPitch = kWordPitch<Wide>;
    constexpr int kInFlight = 4;
    const int rows = tiling.rows + tiling.span() + 2 * R;
    const int columns = kColumns + tiling.span() + 2 * R;
    const int left = x0 - tiling.search - R;
    const int top = y0 - tiling.search - R;
    const int count = rows * kPitch;
    for (int i = int(threadIdx.x); i < count; i += kInFlight * int(blockDim.x)) {
        std::uint32_t loaded[kInFlight];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) {
            const int at = i + k * int(blockDim.x);
            const int row = at / kPitch, column = at - row * kPitch;
            loaded[k] = 128;
            if (at >= count || column >= columns) continue;
            const std::byte* from = in.data + in.pitch * mirrored(top + row, in.size.height);
            loaded[k] = std::uint32_t(from[mirrored(left + column, in.size.width)]);
        }
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) {
            const int at = i + k * int(blockDim.x);
            if (at < count) bytes[at] = std::uint8_t(loaded[k] ^ 128u);
        }
    }
    __syncthreads();
    const auto* aligned = reinterpret_cast<const std::uint32_t*>(bytes);
    for (int i = int(threadIdx.x); i < count; i += int(blockDim.x)) {
        const std::uint32_t low = aligned[i / 4], high = aligned[min(i / 4 + 1, count / 4 - 1)];
        words[i] = __funnelshift_r(low, high, unsigned(8 * (i % 4)));
    }
    __syncthreads();
    constexpr int kAreas = kAreaPitch<Wide>;
    const int areaRows = tiling.rows + tiling.span();
    for (int i = int(threadIdx.x); i < areaRows * kAreas; i += int(blockDim.x)) {
        const int row = i / kAreas, column = i - row * kAreas;
        const std::uint32_t* corner = words + row * kPitch + column;
        int energy = 0;
#pragma unroll
        for (int k = 0; k < 2 * R + 1; ++k) {
            const typename Patch<R>::Row line(corner + k * kPitch);
            energy = Patch<R>::product(line, line.words, energy);
        }
        const auto value = std::int8_t(corner[R * kPitch + R] & 255u);
        areas[i] = {kMagicBits + energy, float(value)};
    }
}

// All pixels of one column with one group of offsets.
template <int R, bool Wide, bool Masked>
__device__ __forceinline__ void addGroup(const Tiling& tiling, int ox, int oy,
                                         const std::uint32_t* words, const Energy* areas,
                                         float2* sums, int column, float exponent) {
    constexpr int kPitch = kWordPitch<Wide>;
    constexpr int kAreas = kAreaPitch<Wide>;
    constexpr int kRows = 2 * R + 1;
    // Sums over all rows so far; two of them that lie kRows apart make the sum over a patch. One
    // slot more than a patch has rows: no register is written before it has been read.
    constexpr int kSlots = kRows + 1;
    using Patch = Patch<R>;
    const std::uint32_t* ownRow = words + tiling.search * kPitch + tiling.search + column;
    const std::uint32_t* otherRow = words + oy * kPitch + ox + column;
    const Energy* own = areas + tiling.search * kAreas + tiling.search + column;
    const Energy* other = areas + oy * kAreas + ox + column;
    float2* sum = sums + column;

    int ring[kSlots][kGroup][kGroup];
#pragma unroll
    for (int i = 0; i < kGroup * kGroup; ++i) ring[kSlots - 1][i / kGroup][i % kGroup] = 0;
    typename Patch::Three lines[kGroup];
    lines[1].load(otherRow);
    lines[2].load(otherRow + kPitch);
    otherRow += 2 * kPitch;
    const auto step = [&](int slot) __attribute__((always_inline)) {
        lines[0] = lines[1];
        lines[1] = lines[2];
        lines[2].load(otherRow);
        const typename Patch::Row line(ownRow);
        otherRow += kPitch;
        ownRow += kPitch;
#pragma unroll
        for (int dy = 0; dy < kGroup; ++dy)
#pragma unroll
            for (int dx = 0; dx < kGroup; ++dx)
                ring[slot][dy][dx] = Patch::product(line, lines[dy].words[dx],
                                                    ring[(slot + kSlots - 1) % kSlots][dy][dx]);
    };
#pragma unroll
    for (int k = 0; k < kRows - 1; ++k) step(k);

    Energy energies[kGroup][kGroup];
#pragma unroll
    for (int dx = 0; dx < kGroup; ++dx) {
        energies[1][dx] = other[dx];
        energies[2][dx] = other[kAreas + dx];
    }
    other += 2 * kAreas;
    const float bias = -2.0f * kMagic * exponent;
    // The k-th row of a turn of the ring.
    const auto row = [&](int k) __attribute__((always_inline)) {
        const int slot = (k + kRows - 1) % kSlots;
        step(slot);
#pragma unroll
        for (int dx = 0; dx < kGroup; ++dx) {
            energies[0][dx] = energies[1][dx];
            energies[1][dx] = energies[2][dx];
            energies[2][dx] = other[dx];
        }
        other += kAreas;
        const float offset = fmaf(__int_as_float(own->area), exponent, bias);
        own += kAreas;
        float2 total = *sum;
#pragma unroll
        for (int dy = 0; dy < kGroup; ++dy)
#pragma unroll
            for (int dx = 0; dx < kGroup; ++dx) {
                const bool used =
                    !Masked || (ox + dx <= 2 * tiling.search && oy + dy <= 2 * tiling.search);
                const float distance =
                    __int_as_float(energies[dy][dx].area +
                                   2 * (ring[(slot + 1) % kSlots][dy][dx] - ring[slot][dy][dx]));
                const float weight = exp2Approx(fmaf(
                    distance, exponent, used ? offset : -std::numeric_limits<float>::infinity()));
                total.x = fmaf(weight, energies[dy][dx].value, total.x);
                total.y += weight;
            }
        *sum = total;
        sum += kColumns;
    };
    // Whole turns apart from the rest: a way out in the middle of a turn would make the compiler
    // move the ring from register to register.
    int y = 0;
#pragma unroll 1
    for (; y + kSlots <= tiling.rows; y += kSlots) {
#pragma unroll
        for (int k = 0; k < kSlots; ++k) row(k);
    }
    if constexpr (kTileRowsUnit % kSlots != 0) {
        const int rest = tiling.rows - y;
#pragma unroll
        for (int k = 0; k < kSlots - 1; ++k) {
            if (k >= rest) return;
            row(k);
        }
    }
}

template <int R, bool Wide, bool Masked>
__global__ void __launch_bounds__(kColumns* kMaxSets, 1)
    fusedKernel(DeviceImage in, DeviceImage out, Tiling tiling, float exponent) {
    extern __shared__ uint4 shared[];
    const Layout<R, Wide> layout(tiling);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(shared);
    const auto* words = reinterpret_cast<const std::uint32_t*>(bytes);
    const auto* areas = reinterpret_cast<const Energy*>(bytes + layout.areas);
    auto* const sums = reinterpret_cast<float2*>(bytes + layout.sums);
    const int tile = tiling.first + int(blockIdx.x);
    const int y0 = tile / tiling.across * tiling.rows;
    const int x0 = tile % tiling.across * kColumns;
    loadTile<R, Wide>(in, tiling, x0, y0, reinterpret_cast<std::uint32_t*>(bytes),
                      reinterpret_cast<Energy*>(bytes + layout.areas), bytes + layout.sums);
    const int setSize = tiling.rows * kColumns;
    for (int i = int(threadIdx.x); i < tiling.sets * setSize; i += int(blockDim.x))
        sums[i] = {0, 0};
    __syncthreads();

    const int set = int(threadIdx.x) / kColumns;
    const int groups = tiling.groups * tiling.groups;
    for (int group = set; group < groups; group += tiling.sets) {
        const int oy = group / tiling.groups, ox = group - oy * tiling.groups;
        addGroup<R, Wide, Masked>(tiling, kGroup * ox, kGroup * oy, words, areas,
                                  sums + set * setSize, int(threadIdx.x) % kColumns, exponent);
    }
    __syncthreads();

    for (int i = int(threadIdx.x); i < setSize; i += int(blockDim.x)) {
        float2 total = sums[i];
        for (int k = 1; k < tiling.sets; ++k) {
            total.x += sums[i + k * setSize].x;
            total.y += sums[i + k * setSize].y;
        }
        const int x = x0 + i % kColumns, y = y0 + i / kColumns;
        if (x < out.size.width && y < out.size.height)
            out.data[y * out.pitch + x] = std::byte(levelOf<255>(128.0f + total.x / total.y));
    }
}

struct Choice {
    Tiling tiling;
    int shared = 0;  // bytes; 0: no choice fits
    double time = std::numeric_limits<double>::infinity();
};

// The tile size and the number of sets with which the multiprocessors are done first: a taller tile
// repeats less of its neighbours' work, but leaves some multiprocessors idle in the last wave.
template <int R, bool Wide>
Choice choose(const DeviceTraits& traits, Size size, int search) {
    Choice best;
    for (const int rows : {32, 24, 16, kTileRowsUnit}) {
        for (int sets = kMaxSets; sets >= 1; --sets) {
            Tiling tiling;
            tiling.across = int(divideUp(unsigned(size.width), kColumns));
            tiling.rows = rows;
            tiling.sets = sets;
            tiling.search = search;
            tiling.groups = (2 * search + kGroup) / kGroup;
            const Layout<R, Wide> layout(tiling);
            if (std::size_t(layout.total) > traits.sharedPerBlock) continue;
            const int resident = std::min(
                kMaxSets / sets, int(traits.sharedPerBlock + 1024) / (layout.total + 1024));
            const double tiles =
                double(tiling.across) * divideUp(unsigned(size.height), unsigned(rows));
            const double waves = std::ceil(tiles / (double(traits.multiprocessors) * resident));
            const int groups = tiling.groups * tiling.groups;
            const double rounds = (groups + sets - 1) / sets;
            // Instructions of a thread, times the threads that share a multiprocessor. Fewer warps
            // than three a scheduler leave issue slots empty.
            const double perThread = rounds * (64.0 * rows + 30.0 * (rows + 2 * R)) +
                                     (rows + 3 * tiling.groups + 2 * R) * 160.0 * 50.0 / sets / 128;
            const double filled = std::min(1.0, 0.4 + 0.2 * sets * resident);
            const double time = waves * resident * sets * perThread / filled;
            if (time < best.time) best = {tiling, layout.total, time};
        }
    }
    return best;
}

template <int R, bool Wide, bool Masked>
void runTiles(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
              const DeviceImage& out) {
    const Choice choice = choose<R, Wide>(context.traits(), in.size, plan.searchRadius);
    const Tiling& tiling = choice.tiling;
    const int down = int(divideUp(unsigned(in.size.height), unsigned(tiling.rows)));
    const std::int64_t perTile =
        std::int64_t(tiling.rows) * kColumns * tiling.groups * tiling.groups * kGroup * kGroup * 8;
    context.forEachBand(
        tiling.across * down, tilesPerLaunch(context, perTile), [&](int first, int last) {
            Tiling now = tiling;
            now.first = first;
            launch(context, "NL-means", unsigned(last - first), unsigned(kColumns * tiling.sets),
                   std::size_t(choice.shared), fusedKernel<R, Wide, Masked>, in, out, now,
                   float(plan.exponent));
        });
}

template <int R>
void runRadius(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
               const DeviceImage& out) {
    const bool masked = (2 * plan.searchRadius + 1) % kGroup != 0;
    if (plan.searchRadius > kNarrowRadius)
        return masked ? runTiles<R, true, true>(context, plan, in, out)
                      : runTiles<R, true, false>(context, plan, in, out);
    return masked ? runTiles<R, false, true>(context, plan, in, out)
                  : runTiles<R, false, false>(context, plan, in, out);
}

}  // namespace

double nlMeansFusedTime(const DeviceTraits& traits, const NlMeansPlan& plan) {
    // Of the largest radius, which differs little.
    return plan.searchRadius > kNarrowRadius
               ? choose<kLargestRadius, true>(traits, plan.size, plan.searchRadius).time
               : choose<kLargestRadius, false>(traits, plan.size, plan.searchRadius).time;
}

bool canRunNlMeansFused(const DeviceTraits& traits, const NlMeansPlan& plan) {
    if (plan.input != PixelFormat::Gray8 || plan.patchRadius < 1 ||
        plan.patchRadius > kLargestRadius)
        return false;
    // The largest radius needs the most; what fits it fits the others.
    return plan.searchRadius > kNarrowRadius
               ? choose<kLargestRadius, true>(traits, plan.size, plan.searchRadius).shared != 0
               : choose<kLargestRadius, false>(traits, plan.size, plan.searchRadius).shared != 0;
}

void runNlMeansFused(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                     const DeviceImage& out) {
    switch (plan.patchRadius) {
        case 1:
            return runRadius<1>(context, plan, in, out);
        case 2:
            return runRadius<2>(context, plan, in, out);
        default:
            return runRadius<3>(context, plan, in, out);
    }
}

}  // namespace warpscope::cuda
