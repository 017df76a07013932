// NL-means as a text on non-local means with integral images in CUDA does it, made right at any
// size: borders are mirrored wherever a window ends, sums are unsigned integers modulo 2^32, for
// 16-bit samples modulo 2^64 (a patch's own sum is below that, so differences of four corners are
// exact however large the image), and images are cut into bands that fit a memory budget.
#include <algorithm>

#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/smoothing/nl_means.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128;

template <class P>
__device__ __forceinline__ typename P::Pixel pixelAt(const DeviceImage& in, int x, int y) {
    return P::load(in.data + in.pitch * mirrored(y, in.size.height), mirrored(x, in.size.width));
}

template <class P>
__device__ void store(const Mean<P, typename P::Total>& mean, const DeviceImage& in,
                      const DeviceImage& out, int x, int y) {
    typename P::Total means[P::kChannels];
#pragma unroll
    for (int c = 0; c < P::kChannels; ++c) means[c] = mean.sums[c] / mean.weights;
    P::store(in.data + y * in.pitch, out.data + y * out.pitch, x, means);
}

struct Windows {
    int search = 0;
    int patch = 0;
    float exponent = 0;

    explicit Windows(const NlMeansPlan& plan)
        : search(plan.searchRadius), patch(plan.patchRadius), exponent(float(plan.exponent)) {}
    int offsets() const { return (2 * search + 1) * (2 * search + 1); }
};

// ---- direct: a thread a pixel, every sample of every patch ----

template <class P>
__global__ void __launch_bounds__(kThreads)
    directKernel(DeviceImage in, DeviceImage out, Windows windows, int firstPiece,
                 int piecesPerRow) {
    const int piece = firstPiece + int(blockIdx.x);
    const int y = piece / piecesPerRow;
    const int x = piece % piecesPerRow * int(kThreads) + int(threadIdx.x);
    if (x >= in.size.width) return;
    Mean<P, typename P::Total> mean;
    for (int dy = -windows.search; dy <= windows.search; ++dy)
        for (int dx = -windows.search; dx <= windows.search; ++dx) {
            typename P::Squares apart = 0;
            for (int v = -windows.patch; v <= windows.patch; ++v)
                for (int u = -windows.patch; u <= windows.patch; ++u)
                    apart += P::apart(pixelAt<P>(in, x + u, y + v),
                                      pixelAt<P>(in, x + dx + u, y + dy + v));
            mean.add(exp2Approx(windows.exponent * float(apart)), pixelAt<P>(in, x + dx, y + dy));
        }
    store<P>(mean, in, out, x, y);
}

template <class P>
void runDirect(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
               const DeviceImage& out) {
    const Windows windows(plan);
    const int patch = 2 * windows.patch + 1;
    const int piecesPerRow = int(divideUp(unsigned(in.size.width), kThreads));
    const std::int64_t perPiece =
        std::int64_t(windows.offsets()) * (patch * patch * 20 + 10) * kThreads;
    context.forEachBand(piecesPerRow * in.size.height, tilesPerLaunch(context, perPiece),
                        [&](int first, int last) {
                            launch(context, "NL-means, direct", unsigned(last - first), kThreads, 0,
                                   directKernel<P>, in, out, windows, first, piecesPerRow);
                        });
}

// ---- integral images of squared differences ----

// The rows of the image that are worked on together, and the integral images that this takes: one
// for each of `planes` horizontal offsets. They cover `patch` more pixels on each side and have a
// row and a column of zeros before the first sums.
template <class Sum>
struct Planes {
    int firstRow = 0, rows = 0;
    // Zeros included. Lines begin `pitch` sums apart.
    int width = 0, height = 0, pitch = 0;
    int count = 0;
    Sum* sums = nullptr;

    std::int64_t samples() const { return std::int64_t(pitch) * height; }
    __device__ Sum* at(int plane, int x, int y) const {
        return sums + (std::int64_t(plane) * height + y) * pitch + x;
    }
};

// Numbers threads over the columns and rows of the image: blocks of kThreads columns.
struct Place {
    int x, y;
    explicit __device__ Place(int width) {
        const unsigned across = divideUp(unsigned(width), kThreads);
        x = int(blockIdx.x % across * kThreads + threadIdx.x);
        y = int(blockIdx.x / across);
    }
};

// Sums are made in blocks: each thread sums up a few samples of a line, the sums of threads are
// carried on from one to the next, and each thread spreads what came before over its samples. The
// text takes a launch for each of these steps and global memory between them; here a block of
// threads takes them on a whole line at once, or on as much of it as it has samples for.

constexpr unsigned kWarp = 32;
constexpr int kFour = 4;
constexpr unsigned kMostRowThreads = 1024;

// Inclusive sum over the lanes of a warp that are `kFirst` apart.
template <unsigned kFirst = 1, class Sum>
__device__ __forceinline__ Sum sumOfLanes(Sum value) {
#pragma unroll
    for (unsigned distance = kFirst; distance < kWarp; distance *= 2) {
        const Sum below = __shfl_up_sync(0xffffffffu, value, distance);
        if (threadIdx.x % kWarp >= distance) value += below;
    }
    return value;
}

template <class Sum>
struct alignas(16) FourSums {
    Sum values[kFour];
};

// The assembler itself stays at as many registers for 8 bits, but then keeps values in memory.
template <class P>
constexpr BlocksByDevice kOfBytes{2, P::kChannels == 1 ? 2 : 0, 0};
template <class P>
constexpr int kResidentRows = sizeof(typename P::Squares) == 4
                                  ? blocksByDevice(kOfBytes<P>, int(kMostRowThreads))
                                  : 0;

// Squared differences and their sums along rows. `threadsPerRow` are whole warps of a block.
template <class P>
__global__ void __launch_bounds__(kMostRowThreads, kResidentRows<P>)
    sumRowsKernel(DeviceImage in, Planes<typename P::Squares> planes, int patch, int dx, int dy,
                  unsigned threadsPerRow) {
    using Sum = typename P::Squares;
    __shared__ Sum ofWarps[2][kMostRowThreads / kWarp];
    const unsigned warp = threadIdx.x / kWarp, warpsPerRow = threadsPerRow / kWarp;
    const unsigned rowInBlock = threadIdx.x / threadsPerRow;
    const unsigned firstWarp = rowInBlock * warpsPerRow;
    const unsigned line = blockIdx.x * (blockDim.x / threadsPerRow) + rowInBlock;
    const bool active = line < unsigned(planes.height) * unsigned(planes.count);
    const int plane = int(line / unsigned(planes.height));
    const int row = int(line % unsigned(planes.height));
    const int y = planes.firstRow + row - 1 - patch;
    const std::byte* own = in.data + in.pitch * mirrored(y, in.size.height);
    const std::byte* other = in.data + in.pitch * mirrored(y + dy, in.size.height);
    Sum carried = 0;
    int round = 0;
    for (int first = 0; first < planes.pitch; first += int(threadsPerRow) * kFour, round ^= 1) {
        const int column = first + int(threadIdx.x - rowInBlock * threadsPerRow) * kFour;
        FourSums<Sum> four = {};
        if (active && row > 0) {
#pragma unroll
            for (int i = 0; i < kFour; ++i) {
                const int x = column + i - 1 - patch;
                if (column + i > 0 && column + i < planes.width)
                    four.values[i] =
                        P::apart(P::load(own, mirrored(x, in.size.width)),
                                 P::load(other, mirrored(x + dx + plane, in.size.width)));
            }
        }
#pragma unroll
        for (int i = 1; i < kFour; ++i) four.values[i] += four.values[i - 1];
        const Sum inWarp = sumOfLanes(four.values[kFour - 1]);
        if (threadIdx.x % kWarp == kWarp - 1) ofWarps[round][warp] = inWarp;
        __syncthreads();
        Sum before = carried + inWarp - four.values[kFour - 1];
        for (unsigned w = firstWarp; w < firstWarp + warpsPerRow; ++w) {
            const Sum sum = ofWarps[round][w];
            if (w < warp) before += sum;
            carried += sum;
        }
        if (!active || column >= planes.pitch) continue;
#pragma unroll
        for (int i = 0; i < kFour; ++i) four.values[i] += before;
        *reinterpret_cast<FourSums<Sum>*>(planes.at(plane, column, row)) = four;
    }
}

// The sums of those down the columns: a block takes kColumns of them, a thread kStripRows rows.
constexpr unsigned kColumns = 8;
constexpr unsigned kColumnThreads = 512;
constexpr int kStripRows = 16;

template <class Sum>
__global__ void __launch_bounds__(kColumnThreads) sumColumnsKernel(Planes<Sum> planes) {
    constexpr unsigned kWarps = kColumnThreads / kWarp;
    constexpr int kRowsTogether = int(kColumnThreads / kColumns) * kStripRows;
    __shared__ Sum ofWarps[2][kWarps][kColumns];
    const unsigned warp = threadIdx.x / kWarp, column = threadIdx.x % kColumns;
    const unsigned groups = unsigned(planes.pitch) / kColumns;
    Sum* const top =
        planes.at(int(blockIdx.x / groups), int(blockIdx.x % groups * kColumns + column), 0);
    Sum carried = 0;
    int round = 0;
    for (int first = 0; first < planes.height; first += kRowsTogether, round ^= 1) {
        const int firstOfStrip = first + int(threadIdx.x / kColumns) * kStripRows;
        Sum* const strip = top + std::int64_t(firstOfStrip) * planes.pitch;
        Sum sums[kStripRows];
#pragma unroll
        for (int i = 0; i < kStripRows; ++i)
            sums[i] = firstOfStrip + i < planes.height ? strip[std::int64_t(i) * planes.pitch] : 0;
#pragma unroll
        for (int i = 1; i < kStripRows; ++i) sums[i] += sums[i - 1];
        const Sum inWarp = sumOfLanes<kColumns>(sums[kStripRows - 1]);
        if (threadIdx.x % kWarp >= kWarp - kColumns) ofWarps[round][warp][column] = inWarp;
        __syncthreads();
        Sum before = carried + inWarp - sums[kStripRows - 1];
#pragma unroll
        for (unsigned w = 0; w < kWarps; ++w) {
            const Sum sum = ofWarps[round][w][column];
            if (w < warp) before += sum;
            carried += sum;
        }
#pragma unroll
        for (int i = 0; i < kStripRows; ++i)
            if (firstOfStrip + i < planes.height)
                strip[std::int64_t(i) * planes.pitch] = sums[i] + before;
    }
}

template <class Sum>
__device__ __forceinline__ float weightAt(const Planes<Sum>& planes, const Windows& windows,
                                          int plane, int x, int y) {
    const int side = 2 * windows.patch + 1;
    const Sum* top = planes.at(plane, x, y);
    const Sum* bottom = planes.at(plane, x, y + side);
    const Sum apart = bottom[side] - bottom[0] - top[side] + top[0];
    return exp2Approx(windows.exponent * float(apart));
}

// What is summed up between offsets, a plane each: weights, then weighted colours.
template <class Total>
struct Totals {
    Total* values = nullptr;
    std::int64_t plane = 0;  // values in a plane
};

// Offsets (dx, dy), (dx + 1, dy), ...: as many as there are planes.
template <class P>
__global__ void __launch_bounds__(kThreads)
    addKernel(DeviceImage in, DeviceImage out, Planes<typename P::Squares> planes, Windows windows,
              Totals<typename P::Total> totals, int dx, int dy, bool firstOffset, bool lastOffset) {
    const Place place(in.size.width);
    if (place.x >= in.size.width) return;
    const int y = planes.firstRow + place.y;
    typename P::Total* total = totals.values + std::int64_t(place.y) * in.size.width + place.x;
    Mean<P, typename P::Total> mean;
    if (!firstOffset) {
        mean.weights = total[0];
#pragma unroll
        for (int c = 0; c < P::kChannels; ++c) mean.sums[c] = total[(c + 1) * totals.plane];
    }
    for (int plane = 0; plane < planes.count; ++plane)
        mean.add(weightAt(planes, windows, plane, place.x, place.y),
                 pixelAt<P>(in, place.x + dx + plane, y + dy));
    if (lastOffset) {
        store<P>(mean, in, out, place.x, y);
        return;
    }
    total[0] = mean.weights;
#pragma unroll
    for (int c = 0; c < P::kChannels; ++c) total[(c + 1) * totals.plane] = mean.sums[c];
}

// What the planes of a band may take.
constexpr std::int64_t kPlaneBytes = std::int64_t(512) << 20;
// Reading and writing a byte of the planes as often as this does, in multiplications.
constexpr std::int64_t kCostPerByte = 64;

template <class P>
void runIntegral(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                 const DeviceImage& out, bool wholeRows) {
    using Sum = typename P::Squares;
    using Total = typename P::Total;
    const Windows windows(plan);
    const int side = 2 * windows.search + 1;
    const int halo = 2 * windows.patch + 1;
    Planes<Sum> planes;
    planes.width = in.size.width + halo;
    planes.pitch = int(divideUp(unsigned(planes.width), kColumns) * kColumns);
    const std::int64_t budget =
        std::min<std::int64_t>(kPlaneBytes, context.traits().bytesPerLaunch);
    // Bands much lower than their halo would mostly sum up halos: where lines are that long, fewer
    // offsets are taken together.
    const std::int64_t lowest = std::min(in.size.height, 4 * halo) + halo;
    const std::int64_t lineBytes = std::int64_t(planes.pitch) * std::int64_t(sizeof(Sum));
    const int together =
        wholeRows ? int(std::clamp<std::int64_t>(budget / (lowest * lineBytes), 1, side)) : 1;
    const std::int64_t byMemory =
        budget /
            (together * lineBytes + std::int64_t(in.size.width) * 4 * std::int64_t(sizeof(Total))) -
        halo;
    const std::int64_t byWork = context.rowsPerLaunch(0, together * lineBytes * kCostPerByte);
    const int bandRows =
        int(std::clamp<std::int64_t>(std::min(byMemory, byWork), 1, in.size.height));
    const int bands = int(divideUp(unsigned(in.size.height), unsigned(bandRows)));
    planes.height = bandRows + halo;
    const DeviceMemory sums =
        context.allocate(std::size_t(planes.samples()) * unsigned(together) * sizeof(Sum));
    planes.sums = sums.as<Sum>();
    Totals<Total> totals;
    totals.plane = std::int64_t(bandRows) * in.size.width;
    const DeviceMemory values =
        context.allocate(std::size_t(totals.plane) * (1 + P::kChannels) * sizeof(Total));
    totals.values = values.as<Total>();

    // As many threads as a row has fours, and rows enough for a block of some size.
    const unsigned threadsPerRow = std::min(
        divideUp(unsigned(planes.pitch), unsigned(kFour) * kWarp) * kWarp, kMostRowThreads);
    const unsigned rowsPerBlock = std::max(1u, kThreads / threadsPerRow);
    const int groups = int(divideUp(unsigned(side), unsigned(together)));  // of a row of offsets
    const int steps = side * groups;
    const std::int64_t perStep =
        planes.samples() * together * std::int64_t(sizeof(Sum)) * kCostPerByte;
    const auto step = [&](int index) {
        const int band = index / steps, offset = index % steps;
        planes.firstRow = band * bandRows;
        planes.rows = std::min(bandRows, in.size.height - planes.firstRow);
        planes.height = planes.rows + halo;
        const int dy = offset / groups - windows.search;
        const int dx = offset % groups * together - windows.search;
        planes.count = std::min(together, windows.search + 1 - dx);
        launch(context, "NL-means, sums of rows",
               divideUp(std::uint64_t(planes.height) * unsigned(planes.count), rowsPerBlock),
               threadsPerRow * rowsPerBlock, 0, sumRowsKernel<P>, in, planes, windows.patch, dx, dy,
               threadsPerRow);
        launch(context, "NL-means, sums of columns",
               unsigned(planes.pitch) / kColumns * unsigned(planes.count), kColumnThreads, 0,
               sumColumnsKernel<Sum>, planes);
        launch(context, "NL-means, weights",
               divideUp(unsigned(in.size.width), kThreads) * unsigned(planes.rows), kThreads, 0,
               addKernel<P>, in, out, planes, windows, totals, dx, dy, offset == 0,
               offset == steps - 1);
    };
    context.forEachBand(bands * steps, tilesPerLaunch(context, perStep), [&](int first, int last) {
        for (int index = first; index < last; ++index) step(index);
    });
}

}  // namespace

void runNlMeansDirect(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                      const DeviceImage& out) {
    withPixelsOf(in.format,
                 [&](auto pixels) { runDirect<decltype(pixels)>(context, plan, in, out); });
}

void runNlMeansIntegralPerOffset(KernelContext& context, const NlMeansPlan& plan,
                                 const DeviceImage& in, const DeviceImage& out) {
    withPixelsOf(in.format, [&](auto pixels) {
        runIntegral<decltype(pixels)>(context, plan, in, out, false);
    });
}

void runNlMeansIntegralRows(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                            const DeviceImage& out) {
    withPixelsOf(in.format,
                 [&](auto pixels) { runIntegral<decltype(pixels)>(context, plan, in, out, true); });
}

}  // namespace warpscope::cuda
