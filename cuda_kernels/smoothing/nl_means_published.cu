// NL-means as a text on non-local means with integral images in CUDA does it, made right at any
// size: borders are mirrored wherever a window ends, sums are unsigned integers modulo 2^32, for
// 16-bit samples modulo 2^64 (a patch's own sum is below that, so differences of four corners are
// exact however large the image), lines are summed in segments, and images are cut into bands that
// fit a memory budget.
#include <algorithm>

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
    int width = 0, height = 0;  // zeros included
    int count = 0;
    Sum* sums = nullptr;

    std::int64_t samples() const { return std::int64_t(width) * height; }
    __device__ Sum* at(int plane, int x, int y) const {
        return sums + (std::int64_t(plane) * height + y) * width + x;
    }
};

// Numbers threads over the columns and rows of all planes: blocks of kThreads columns.
struct Place {
    int x, y, plane;
    __device__ Place(int width, int height) {
        const unsigned across = divideUp(unsigned(width), kThreads);
        const unsigned line = blockIdx.x / across;
        x = int(blockIdx.x % across * kThreads + threadIdx.x);
        y = int(line % unsigned(height));
        plane = int(line / unsigned(height));
    }
};
unsigned blocksFor(int width, int height, int planes) {
    return divideUp(unsigned(width), kThreads) * unsigned(height) * unsigned(planes);
}

template <class P>
__global__ void __launch_bounds__(kThreads)
    differencesKernel(DeviceImage in, Planes<typename P::Squares> planes, int patch, int dx,
                      int dy) {
    const Place place(planes.width, planes.height);
    if (place.x >= planes.width) return;
    typename P::Squares difference = 0;
    if (place.x > 0 && place.y > 0) {
        const int x = place.x - 1 - patch, y = planes.firstRow + place.y - 1 - patch;
        difference = P::apart(pixelAt<P>(in, x, y), pixelAt<P>(in, x + dx + place.plane, y + dy));
    }
    *planes.at(place.plane, place.x, place.y) = difference;
}

// One thread a row; columns [first, last), the sum before them is in the column before.
template <class Sum>
__global__ void __launch_bounds__(kThreads)
    scanRowsKernel(Planes<Sum> planes, int first, int last) {
    const unsigned line = blockIdx.x * kThreads + threadIdx.x;
    if (line >= unsigned(planes.height) * unsigned(planes.count)) return;
    Sum* row = planes.sums + std::int64_t(line) * planes.width;
    Sum sum = row[first - 1];
    for (int x = first; x < last; ++x) row[x] = sum += row[x];
}

// One thread a column; rows [first, last).
template <class Sum>
__global__ void __launch_bounds__(kThreads)
    scanColumnsKernel(Planes<Sum> planes, int first, int last) {
    const Place place(planes.width, 1);
    if (place.x >= planes.width) return;
    Sum* at = planes.at(place.plane, place.x, first);
    Sum sum = at[-planes.width];
    for (int y = first; y < last; ++y, at += planes.width) *at = sum += *at;
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
    const Place place(in.size.width, planes.rows);
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

// Lines are summed by one thread each; more elements than this in one launch could last too long.
constexpr int kSegment = 16384;
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
    const std::int64_t budget =
        std::min<std::int64_t>(kPlaneBytes, context.traits().bytesPerLaunch);
    // Bands much lower than their halo would mostly sum up halos: where lines are that long, fewer
    // offsets are taken together.
    const std::int64_t lowest = std::min(in.size.height, 4 * halo) + halo;
    const std::int64_t lineBytes = std::int64_t(planes.width) * std::int64_t(sizeof(Sum));
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
        launch(context, "NL-means, differences",
               blocksFor(planes.width, planes.height, planes.count), kThreads, 0,
               differencesKernel<P>, in, planes, windows.patch, dx, dy);
        for (int first = 1; first < planes.width; first += kSegment)
            launch(context, "NL-means, sums of rows",
                   divideUp(std::uint64_t(planes.height) * unsigned(planes.count), kThreads),
                   kThreads, 0, scanRowsKernel<Sum>, planes, first,
                   std::min(first + kSegment, planes.width));
        for (int first = 1; first < planes.height; first += kSegment)
            launch(context, "NL-means, sums of columns", blocksFor(planes.width, 1, planes.count),
                   kThreads, 0, scanColumnsKernel<Sum>, planes, first,
                   std::min(first + kSegment, planes.height));
        launch(context, "NL-means, weights", blocksFor(in.size.width, planes.rows, 1), kThreads, 0,
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
