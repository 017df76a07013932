// NL-means of gray images by pairs of pixels, everything between input and output on the
// multiprocessor.
//
// What p counts for q is what q counts for p, so that half of the window is enough. |P - Q|^2 =
// A(p) + A(q) - 2 P.Q, in integers; pixels are taken as v - 128. A row of two patches is one or two
// dp4a; a ring of running sums makes the sum over a patch slide down a column. The bits of half of
// A(q), less P.Q, are a float without a conversion; A(p) enters in the last addition before the
// exponential.
//
// A thread has one column of a tile and takes seven offsets at a time that lie one below the other.
// Their pixels slide through its registers, and so do the sums of those pixels, of which one is
// complete after each row. A warp adds them, and those of its own column, to sums that no other
// warp touches; they come together at the end.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "cuda_kernels/smoothing/nl_means.cuh"
#include "cuda_kernels/smoothing/nl_means_choice.h"

namespace warpscope::cuda {
namespace {

constexpr int kGroup = 7;  // offsets of a group
constexpr int kTurn = 8;   // rows after which all rings are where they were
// Rows above the tile of which fewer and fewer offsets reach it.
constexpr int kLead = kGroup - 1;
constexpr int kSearch = kNlMeansPairsSearch;
constexpr int kSumPitch = 32 + kSearch;
// Groups of offsets: those far below, to both sides and straight down; then those beside, to the
// right and straight up and down.
constexpr int kFar = 2 * kSearch + 1;
constexpr int kGroups = kFar + kSearch + 1;
static_assert(kFar == 3 * kGroup);

// The float 2^23 + kOverArea; half of these bits are 2^-75 (2^23 + kOverArea / 2), from which half
// of an A can be taken away and less than three halves added.
constexpr int kOverArea = 917504;
constexpr int kAreaBits = 0x4B000000 + kOverArea;
constexpr double kHalfScale = 0x1p75;

template <int Across>
constexpr int kWordPitch = 32 * Across + 16;
template <int Across>
constexpr int kAreaPitch = 32 * Across + kSearch;
// What the rows of a tile are over whole turns. Known to the compiler: a way out in the middle of a
// turn would make it move rings from register to register, and rows for each number of them would
// be instructions that each multiprocessor has to fetch.
template <int Across>
constexpr int kRowsOver = Across == 4 ? 4 : 0;

struct Tiling {
    int first = 0;   // tile of the first block
    int across = 0;  // tiles side by side
    int rows = 0;    // of a tile
    int sets = 0;
};

// The weight of two pixels is exp2(half * factor + (area * exponent + bias)): `area` the float
// 2^23 + kOverArea + A(p), `half` 2^-75 (2^23 + kOverArea / 2 + floor(A(q) / 2) - P.Q).
struct Weighing {
    float exponent, factor, bias;

    explicit Weighing(double plans)
        : exponent(float(plans)),
          factor(float(2 * double(exponent) * kHalfScale)),
          // A(q) may be odd, which halves do not show: a quarter is right on average.
          bias(float(-double(exponent) * (3 * 0x1p23 + 2 * kOverArea - 0.5))) {}
};

template <int Across>
struct Layout {
    int areas, sums, total;
    __host__ __device__ Layout(const Tiling& tiling, int patch) {
        const int rows = tiling.rows + 2 * kSearch;
        areas = (rows + 2 * patch) * kWordPitch<Across> * 4;
        sums = (areas + rows * kAreaPitch<Across> * 4 + 15) / 16 * 16;
        total = sums + tiling.sets * Across * tiling.rows * kSumPitch * int(sizeof(float2));
    }
};

template <int R>
struct Patch {
    static constexpr int kRows = 2 * R + 1;
    static constexpr int kWords = (kRows + 3) / 4;
    static constexpr std::uint32_t kLastMask = (1u << (8 * (kRows % 4))) - 1u;

    __device__ __forceinline__ static void load(const std::uint32_t* at, int (&words)[kWords]) {
#pragma unroll
        for (int i = 0; i < kWords; ++i) words[i] = int(at[4 * i]);
    }
    // What does not belong to it is zero.
    __device__ __forceinline__ static void loadOwn(const std::uint32_t* at, int (&words)[kWords]) {
        load(at, words);
        words[kWords - 1] &= int(kLastMask);
    }
    __device__ __forceinline__ static int product(const int (&a)[kWords], const int (&b)[kWords],
                                                  int sum) {
#pragma unroll
        for (int i = 0; i < kWords; ++i) sum = __dp4a(a[i], b[i], sum);
        return sum;
    }
    // Of the pixel in the middle, from the words of the row in the middle. Asked for by name, since
    // the compiler would rather convert a byte, in the unit that makes exponentials.
    __device__ __forceinline__ static float value(int word) {
        float made;
        const int value = word << (24 - 8 * R) >> 24;
        asm("cvt.rn.f32.s32 %0, %1;" : "=f"(made) : "r"(value));
        return made;
    }
};

template <int R, int Across>
__device__ __forceinline__ void loadTile(const DeviceImage& in, const Tiling& tiling, int x0,
                                         int y0, std::uint32_t* words, int* areas,
                                         std::uint8_t* bytes) {
    constexpr int kPitch = kWordPitch<Across>, kAreas = kAreaPitch<Across>;
    constexpr int kRows = Patch<R>::kRows;
    const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    const int warps = int(blockDim.x) / 32;
    const int rows = tiling.rows + 2 * kSearch + 2 * R;
    const int left = x0 - kSearch - R, top = y0 - kSearch - R;
#pragma unroll 2
    for (int row = warp; row < rows; row += warps) {
        const std::byte* from = in.data + in.pitch * mirrored(top + row, in.size.height);
#pragma unroll
        for (int i = 0; i < kPitch; i += 32)
            if (i + lane < kPitch)
                bytes[row * kPitch + i + lane] = std::uint8_t(
                    std::uint32_t(from[mirrored(left + i + lane, in.size.width)]) ^ 128u);
    }
    __syncthreads();
    const auto* aligned = reinterpret_cast<const std::uint32_t*>(bytes);
    const int quads = rows * (kPitch / 4);
    for (int i = int(threadIdx.x); i < quads; i += int(blockDim.x)) {
        const std::uint32_t low = aligned[i], high = aligned[min(i + 1, quads - 1)];
        reinterpret_cast<uint4*>(words)[i] = {low, __funnelshift_r(low, high, 8),
                                              __funnelshift_r(low, high, 16),
                                              __funnelshift_r(low, high, 24)};
    }
    __syncthreads();
    // A column in as many parts as there are threads for; sums slide down it.
    const int areaRows = tiling.rows + 2 * kSearch;
    const int parts = max(int(blockDim.x) / kAreas, 1), each = (areaRows + parts - 1) / parts;
    for (int i = int(threadIdx.x); i < parts * kAreas; i += int(blockDim.x)) {
        const int column = i % kAreas, first = i / kAreas * each;
        const std::uint32_t* from = words + first * kPitch + column;
        int* to = areas + first * kAreas + column;
        int ring[kRows] = {};
        int sum = 0;
        const int last = min(areaRows - first, each) + kRows - 1;
#pragma unroll 1
        for (int y = 0; y < last; y += kRows) {
#pragma unroll
            for (int k = 0; k < kRows; ++k) {
                if (y + k >= last) break;
                int line[Patch<R>::kWords];
                Patch<R>::loadOwn(from, line);
                from += kPitch;
                const int energy = Patch<R>::product(line, line, 0);
                sum += energy - ring[k];
                ring[k] = energy;
                if (y + k < kRows - 1) continue;
                *to = kAreaBits + sum;
                to += kAreas;
            }
        }
    }
}

// Calls f(0) to f(kCount - 1) with numbers that the compiler knows. It does not unroll loops of
// that size for all devices, and rings would then be memory.
template <int... kAt, class F>
__device__ __forceinline__ void callAll(std::integer_sequence<int, kAt...>, F& f) {
    (f(std::integral_constant<int, kAt>()), ...);
}
template <int kCount, class F>
__device__ __forceinline__ void repeat(F&& f) {
    callAll(std::make_integer_sequence<int, kCount>(), f);
}

// What lies in shared memory, from the pixel on that a thread has of the tile's first row, and from
// the ones that its offsets lead to.
struct Column {
    const std::uint32_t* words;
    const int* areas;
    float2* sums;  // of its warp
    int other;     // columns from a pixel to the others
};

// Pixels of one column and those that lie at kFirst rows below them and the next six, in its column
// of others.
template <int R, int Across, int kFirst>
__device__ __forceinline__ void addGroup(const Tiling& tiling, const Column& column,
                                         const Weighing& weighing) {
    // Rows of p before the tile's first and behind its last that reach it.
    constexpr int kBefore = kFirst + kGroup - 1, kBehind = kFirst < 0 ? -kFirst : 0;
    // Whether the first kLead rows, from which an offset after the other reaches the tile, are
    // above it.
    constexpr bool kLeads = kBefore > kLead;
    // Rows behind the last whole turn.
    constexpr int kTail = (kRowsOver<Across> + kBefore + kBehind) % kTurn;
    constexpr int kPitch = kWordPitch<Across>;
    constexpr int kAreas = kAreaPitch<Across>;
    constexpr int kRows = 2 * R + 1;
    // More slots than a patch has rows: no register is written before it has been read.
    constexpr int kSlots = kTurn, kOwnSlots = 4;
    static_assert(kSlots > kRows && kOwnSlots > R);
    using Patch = Patch<R>;
    int y = -kBefore;
    const int end = tiling.rows + kBehind;
    const std::uint32_t* ownRow = column.words + y * kPitch;
    const std::uint32_t* otherRow = column.words + (y + kFirst) * kPitch + column.other;
    const int* ownArea = column.areas + y * kAreas;
    const int* otherArea = column.areas + (y + kFirst) * kAreas + column.other;
    float2* ownSum = column.sums + y * kSumPitch;
    float2* otherSum = column.sums + (y + kFirst) * kSumPitch + column.other;

    int ring[kSlots][kGroup];
    int lines[kTurn][Patch::kWords];
    int middles[kOwnSlots];
    int halves[kTurn];
    float values[kTurn];
    float2 sums[kTurn];
    // The first row of p that offset j needs.
    const auto firstOf = [](int j) { return kLeads ? kGroup - 1 - j : 0; };
#pragma unroll
    for (int j = 0; j < kGroup; ++j) ring[(firstOf(j) + kSlots - 1) % kSlots][j] = 0;
#pragma unroll
    for (int j = 0; j < kGroup - 1; ++j) {
        Patch::load(otherRow + j * kPitch, lines[j]);
        values[j] = Patch::value(int(otherRow[(j + R) * kPitch]));
        halves[j] = otherArea[j * kAreas] >> 1;
        sums[j] = {0, 0};
    }
    // The k-th row of patches.
    const auto step = [&](auto k, auto leads) __attribute__((always_inline)) {
        int line[Patch::kWords];
        Patch::loadOwn(ownRow, line);
        ownRow += kPitch;
        middles[k % kOwnSlots] = line[0];
        Patch::load(otherRow + (kGroup - 1) * kPitch, lines[(k + kGroup - 1) % kTurn]);
        otherRow += kPitch;
#pragma unroll
        for (int j = 0; j < kGroup; ++j)
            if (!leads || k >= firstOf(j))
                ring[k % kSlots][j] = Patch::product(line, lines[(k + j) % kTurn],
                                                     ring[(k + kSlots - 1) % kSlots][j]);
    };
    repeat<kRows - 1>([&](auto k) __attribute__((always_inline)) { step(k, std::true_type()); });

    // The k-th row of pixels of a turn. leads: of the first kLead, above the tile.
    const auto row = [&](auto k, auto leads) __attribute__((always_inline)) {
        constexpr int now = k + kRows - 1, before = now + kSlots - kRows;
        const bool inside = !leads && unsigned(y) < unsigned(tiling.rows);
        const bool otherInside = unsigned(y + kFirst) < unsigned(tiling.rows);
        float2 total{0, 0}, stored{0, 0};
        if (otherInside) stored = *otherSum;
        if (inside) total = *ownSum;
        step(std::integral_constant<int, now>(), leads);
        const int last = (k + kGroup - 1) % kTurn;
        halves[last] = otherArea[(kGroup - 1) * kAreas] >> 1;
        values[last] = Patch::value(lines[(k + R + kGroup - 1) % kTurn][0]);
        otherArea += kAreas;
        const float value = Patch::value(middles[(k + R) % kOwnSlots]);
        const float offset = fmaf(__int_as_float(*ownArea), weighing.exponent, weighing.bias);
        ownArea += kAreas;
#pragma unroll
        for (int j = 0; j < kGroup; ++j) {
            const int at = (k + j) % kTurn;
            if (leads && k < firstOf(j)) continue;
            const float half =
                __int_as_float(halves[at] + ring[before % kSlots][j] - ring[now % kSlots][j]);
            const float weight = exp2Approx(fmaf(half, weighing.factor, offset));
            if (!leads) {
                total.x = fmaf(weight, values[at], total.x);
                total.y += weight;
            }
            if (j == kGroup - 1)
                sums[at] = {weight * value, weight};
            else
                sums[at] = {fmaf(weight, value, sums[at].x), sums[at].y + weight};
        }
        if (inside) *ownSum = total;
        ownSum += kSumPitch;
        if (otherInside) *otherSum = {stored.x + sums[k % kTurn].x, stored.y + sums[k % kTurn].y};
        otherSum += kSumPitch;
        ++y;
        // Another lane adds to the same sum at least three rows from here.
        if (k % 2 == 1) __syncwarp();
    };
    if constexpr (kLeads) {
        repeat<kTurn>([&](auto k) __attribute__((always_inline)) {
            row(k, std::bool_constant<(k < kLead)>());
        });
    }
#pragma unroll 1
    while (y + kTail < end) {
        repeat<kTurn>([&](auto k) __attribute__((always_inline)) { row(k, std::false_type()); });
    }
    repeat<kTail>([&](auto k) __attribute__((always_inline)) { row(k, std::false_type()); });
}

// Three warps a scheduler, which leave 168 registers.
constexpr int kWarps = 12;

template <int R, int Across>
__global__ void __launch_bounds__(32 * kWarps, 1)
    pairsKernel(DeviceImage in, DeviceImage out, Tiling tiling, Weighing weighing) {
    extern __shared__ uint4 shared[];
    const Layout<Across> layout(tiling, R);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(shared);
    const auto* words = reinterpret_cast<const std::uint32_t*>(bytes);
    const auto* areas = reinterpret_cast<const int*>(bytes + layout.areas);
    auto* const sums = reinterpret_cast<float2*>(bytes + layout.sums);
    constexpr int columns = 32 * Across - kSearch;
    const int tile = tiling.first + int(blockIdx.x);
    const int y0 = tile / tiling.across * tiling.rows;
    const int x0 = tile % tiling.across * columns;
    loadTile<R, Across>(in, tiling, x0, y0, reinterpret_cast<std::uint32_t*>(bytes),
                        reinterpret_cast<int*>(bytes + layout.areas), bytes + layout.sums);
    __syncthreads();
    const int warpSums = tiling.rows * kSumPitch;
    for (int i = int(threadIdx.x); i < tiling.sets * Across * warpSums / 2; i += int(blockDim.x))
        reinterpret_cast<float4*>(sums)[i] = {0, 0, 0, 0};
    __syncthreads();

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    // The same for all lanes, and known to be: else each __syncwarp() below has a way for lanes
    // that are not together.
    const int warp = int(__reduce_max_sync(0xffffffffu, threadIdx.x / 32));
#else
    const int warp = int(threadIdx.x) / 32;
#endif
    const int lane = int(threadIdx.x) % 32, set = warp / Across;
    for (int i = set; i < kGroups; i += tiling.sets) {
        __syncwarp();
        const int dx = i < kFar ? i - kSearch : i - kFar;
        // Those to the left begin further to the right.
        const int shift = dx < 0 ? kSearch : 0;
        const int at = warp % Across * 32 + lane + shift;
        const Column column{words + kSearch * kWordPitch<Across> + at,
                            areas + kSearch * kAreaPitch<Across> + at,
                            sums + warp * warpSums + lane + shift, dx};
        if (i < kFar) {
            addGroup<R, Across, kSearch - kGroup + 1>(tiling, column, weighing);
        } else {
            // Straight up and down each pair is met twice, and a pixel meets itself twice.
            Weighing now = weighing;
            if (dx == 0) now.bias -= 1;
            addGroup<R, Across, -(kGroup / 2)>(tiling, column, now);
        }
    }
    __syncthreads();

    for (int row = int(threadIdx.x) / 32; row < tiling.rows; row += int(blockDim.x) / 32)
#pragma unroll 1
        for (int c = kSearch + lane; c < 32 * Across; c += 32) {
            const int x = x0 + c - kSearch, y = y0 + row;
            if (x >= out.size.width || y >= out.size.height) continue;
            float2 total{0, 0};
            const float2* from = sums + c / 32 * warpSums + row * kSumPitch + c % 32;
            const bool shared = c % 32 < kSearch && c >= 32;
            for (int k = 0; k < tiling.sets; ++k, from += Across * warpSums) {
                total.x += from->x;
                total.y += from->y;
                if (!shared) continue;
                total.x += from[32 - warpSums].x;
                total.y += from[32 - warpSums].y;
            }
            out.data[y * out.pitch + x] =
                std::byte(levelOf<255>(128.0f + __fdividef(total.x, total.y)));
        }
}

template <int Across>
Tiling tilingOf(Size size, int rows) {
    Tiling tiling;
    tiling.across = int(divideUp(unsigned(size.width), unsigned(32 * Across - kSearch)));
    tiling.rows = rows;
    tiling.sets = kWarps / Across;
    return tiling;
}

struct Choice {
    int warpsAcross = 0;
    Tiling tiling;
    int shared = 0;  // bytes; 0: no choice fits
    double time = std::numeric_limits<double>::infinity();
};

// The shape of tiles with which the multiprocessors are done first: a taller tile has fewer rows
// above it, but leaves some of them idle in the last wave. Time as in nlMeansFusedTime().
template <int Across>
void consider(const DeviceTraits& traits, const NlMeansPlan& plan, int rows, Choice& best) {
    const Tiling tiling = tilingOf<Across>(plan.size, rows);
    const Layout<Across> layout(tiling, plan.patchRadius);
    if (std::size_t(layout.total) > traits.sharedPerBlock) return;
    const double tiles =
        double(tiling.across) * divideUp(unsigned(plan.size.height), unsigned(rows));
    const double waves = std::ceil(tiles / traits.multiprocessors);
    const double rounds = (kGroups + tiling.sets - 1) / tiling.sets;
    const double time =
        waves * (kWarps / 4 * rounds * (88 * (rows + 8.6) + 90) + 18 * Across * (rows + 26));
    if (time < best.time) best = {Across, tiling, layout.total, time};
}

Choice choose(const DeviceTraits& traits, const NlMeansPlan& plan) {
    Choice best;
    for (int turns = 5; turns > 0; --turns) {
        consider<4>(traits, plan, (turns - 1) * kTurn + kRowsOver<4>, best);
        consider<3>(traits, plan, turns * kTurn + kRowsOver<3>, best);
    }
    return best;
}

template <int R>
auto kernelFor(int warpsAcross) {
    return warpsAcross == 4 ? pairsKernel<R, 4> : pairsKernel<R, 3>;
}
auto kernelFor(int patch, int warpsAcross) {
    return patch == 3 ? kernelFor<3>(warpsAcross) : kernelFor<2>(warpsAcross);
}

}  // namespace

bool canRunNlMeansPairs(const DeviceTraits& traits, const NlMeansPlan& plan) {
    return fitsNlMeansPairs(plan, traits.major >= 8) &&
           choose(traits, plan).time < nlMeansFusedTime(traits, plan);
}

void runNlMeansPairs(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                     const DeviceImage& out) {
    const Choice choice = choose(context.traits(), plan);
    const Tiling& tiling = choice.tiling;
    const int down = int(divideUp(unsigned(in.size.height), unsigned(tiling.rows)));
    const std::int64_t perTile =
        std::int64_t(tiling.rows + kSearch) * 32 * choice.warpsAcross * kGroups * kGroup * 12;
    context.forEachBand(
        tiling.across * down, tilesPerLaunch(context, perTile), [&](int first, int last) {
            Tiling now = tiling;
            now.first = first;
            launch(context, "NL-means, pairs", unsigned(last - first), unsigned(32 * kWarps),
                   std::size_t(choice.shared), kernelFor(plan.patchRadius, choice.warpsAcross), in,
                   out, now, Weighing(plan.exponent));
        });
}

void loadNlMeansPairs() {
    for (const int patch : {2, 3})
        for (const int warpsAcross : {3, 4}) loadKernel(kernelFor(patch, warpsAcross));
}

}  // namespace warpscope::cuda
