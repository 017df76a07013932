// NL-means as a text on non-local means with integral images in CUDA does it, made right at any
// size: borders are mirrored wherever a window ends, sums are unsigned 32-bit integers modulo 2^32
// (a patch's own sum is below that, so differences of four corners are exact however large the
// image), lines are summed in segments, and images are cut into bands that fit a memory budget.
#include <algorithm>

#include "cuda_kernels/nl_means_support.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128;

// The colours of a pixel; gray is one of them.
template <bool Color>
__device__ __forceinline__ std::uint32_t pixelAt(const DeviceImage& in, int x, int y) {
    const std::byte* row = in.data + in.pitch * mirrored(y, in.size.height);
    const int column = mirrored(x, in.size.width);
    if constexpr (Color)
        return reinterpret_cast<const std::uint32_t*>(row)[column] & 0xffffffu;
    else
        return std::uint32_t(row[column]);
}

template <bool Color>
__device__ __forceinline__ std::uint32_t squaredDifference(std::uint32_t a, std::uint32_t b) {
    if constexpr (Color) {
        const std::uint32_t apart = __vabsdiffu4(a, b);
        return __dp4a(apart, apart, 0u);
    } else {
        const int apart = int(a) - int(b);
        return std::uint32_t(apart * apart);
    }
}

template <bool Color>
struct Mean {
    static constexpr int kChannels = Color ? 3 : 1;
    float sums[kChannels] = {};
    float weights = 0;

    __device__ __forceinline__ void add(float weight, std::uint32_t pixel) {
        weights += weight;
#pragma unroll
        for (int c = 0; c < kChannels; ++c)
            sums[c] = fmaf(weight, float(byteOf(pixel, c)), sums[c]);
    }
    __device__ void store(const DeviceImage& in, const DeviceImage& out, int x, int y) const {
        std::byte* row = out.data + y * out.pitch;
        if constexpr (Color) {
            std::uint32_t pixel =
                reinterpret_cast<const std::uint32_t*>(in.data + y * in.pitch)[x] & 0xff000000u;
#pragma unroll
            for (int c = 0; c < kChannels; ++c) pixel |= levelOf(sums[c] / weights) << (8 * c);
            reinterpret_cast<std::uint32_t*>(row)[x] = pixel;
        } else {
            row[x] = std::byte(levelOf(sums[0] / weights));
        }
    }
};

struct Windows {
    int search = 0;
    int patch = 0;
    float exponent = 0;

    explicit Windows(const NlMeansPlan& plan)
        : search(plan.searchRadius), patch(plan.patchRadius), exponent(float(plan.exponent)) {}
    int offsets() const { return (2 * search + 1) * (2 * search + 1); }
};

// ---- direct: a thread a pixel, every sample of every patch ----

template <bool Color>
__global__ void __launch_bounds__(kThreads)
    directKernel(DeviceImage in, DeviceImage out, Windows windows, int firstPiece,
                 int piecesPerRow) {
    const int piece = firstPiece + int(blockIdx.x);
    const int y = piece / piecesPerRow;
    const int x = piece % piecesPerRow * int(kThreads) + int(threadIdx.x);
    if (x >= in.size.width) return;
    Mean<Color> mean;
    for (int dy = -windows.search; dy <= windows.search; ++dy)
        for (int dx = -windows.search; dx <= windows.search; ++dx) {
            std::uint32_t apart = 0;
            for (int v = -windows.patch; v <= windows.patch; ++v)
                for (int u = -windows.patch; u <= windows.patch; ++u)
                    apart += squaredDifference<Color>(pixelAt<Color>(in, x + u, y + v),
                                                      pixelAt<Color>(in, x + dx + u, y + dy + v));
            mean.add(exp2Approx(windows.exponent * float(apart)),
                     pixelAt<Color>(in, x + dx, y + dy));
        }
    mean.store(in, out, x, y);
}

template <bool Color>
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
                                   directKernel<Color>, in, out, windows, first, piecesPerRow);
                        });
}

// ---- integral images of squared differences ----

// The rows of the image that are worked on together, and the integral images that this takes: one
// for each of `planes` horizontal offsets. They cover `patch` more pixels on each side and have a
// row and a column of zeros before the first sums.
struct Planes {
    int firstRow = 0, rows = 0;
    int width = 0, height = 0;  // zeros included
    int count = 0;
    std::uint32_t* sums = nullptr;

    std::int64_t samples() const { return std::int64_t(width) * height; }
    __device__ std::uint32_t* at(int plane, int x, int y) const {
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

template <bool Color>
__global__ void __launch_bounds__(kThreads)
    differencesKernel(DeviceImage in, Planes planes, int patch, int dx, int dy) {
    const Place place(planes.width, planes.height);
    if (place.x >= planes.width) return;
    std::uint32_t difference = 0;
    if (place.x > 0 && place.y > 0) {
        const int x = place.x - 1 - patch, y = planes.firstRow + place.y - 1 - patch;
        difference = squaredDifference<Color>(pixelAt<Color>(in, x, y),
                                              pixelAt<Color>(in, x + dx + place.plane, y + dy));
    }
    *planes.at(place.plane, place.x, place.y) = difference;
}

// One thread a row; columns [first, last), the sum before them is in the column before.
__global__ void __launch_bounds__(kThreads) scanRowsKernel(Planes planes, int first, int last) {
    const unsigned line = blockIdx.x * kThreads + threadIdx.x;
    if (line >= unsigned(planes.height) * unsigned(planes.count)) return;
    std::uint32_t* row = planes.sums + std::int64_t(line) * planes.width;
    std::uint32_t sum = row[first - 1];
    for (int x = first; x < last; ++x) row[x] = sum += row[x];
}

// One thread a column; rows [first, last).
__global__ void __launch_bounds__(kThreads) scanColumnsKernel(Planes planes, int first, int last) {
    const Place place(planes.width, 1);
    if (place.x >= planes.width) return;
    std::uint32_t* at = planes.at(place.plane, place.x, first);
    std::uint32_t sum = at[-planes.width];
    for (int y = first; y < last; ++y, at += planes.width) *at = sum += *at;
}

__device__ __forceinline__ float weightAt(const Planes& planes, const Windows& windows, int plane,
                                          int x, int y) {
    const int side = 2 * windows.patch + 1;
    const std::uint32_t* top = planes.at(plane, x, y);
    const std::uint32_t* bottom = planes.at(plane, x, y + side);
    const std::uint32_t apart = bottom[side] - bottom[0] - top[side] + top[0];
    return exp2Approx(windows.exponent * float(apart));
}

// What is summed up between offsets, a plane each: weights, then weighted colours.
struct Totals {
    float* values = nullptr;
    std::int64_t plane = 0;  // values in a plane
};

// Offsets (dx, dy), (dx + 1, dy), ...: as many as there are planes.
template <bool Color>
__global__ void __launch_bounds__(kThreads)
    addKernel(DeviceImage in, DeviceImage out, Planes planes, Windows windows, Totals totals,
              int dx, int dy, bool firstOffset, bool lastOffset) {
    const Place place(in.size.width, planes.rows);
    if (place.x >= in.size.width) return;
    const int y = planes.firstRow + place.y;
    float* total = totals.values + std::int64_t(place.y) * in.size.width + place.x;
    Mean<Color> mean;
    if (!firstOffset) {
        mean.weights = total[0];
#pragma unroll
        for (int c = 0; c < Mean<Color>::kChannels; ++c)
            mean.sums[c] = total[(c + 1) * totals.plane];
    }
    for (int plane = 0; plane < planes.count; ++plane)
        mean.add(weightAt(planes, windows, plane, place.x, place.y),
                 pixelAt<Color>(in, place.x + dx + plane, y + dy));
    if (lastOffset) {
        mean.store(in, out, place.x, y);
        return;
    }
    total[0] = mean.weights;
#pragma unroll
    for (int c = 0; c < Mean<Color>::kChannels; ++c) total[(c + 1) * totals.plane] = mean.sums[c];
}

// Lines are summed by one thread each; more elements than this in one launch could last too long.
constexpr int kSegment = 16384;
// What the planes of a band may take.
constexpr std::int64_t kPlaneBytes = std::int64_t(512) << 20;
// Reading and writing a byte of the planes as often as this does, in multiplications.
constexpr std::int64_t kCostPerByte = 64;

template <bool Color>
void runIntegral(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                 const DeviceImage& out, bool wholeRows) {
    const Windows windows(plan);
    const int side = 2 * windows.search + 1;
    const int halo = 2 * windows.patch + 1;
    Planes planes;
    planes.width = in.size.width + halo;
    const std::int64_t budget =
        std::min<std::int64_t>(kPlaneBytes, context.traits().bytesPerLaunch);
    // Bands much lower than their halo would mostly sum up halos: where lines are that long, fewer
    // offsets are taken together.
    const std::int64_t lowest = std::min(in.size.height, 4 * halo) + halo;
    const std::int64_t lineBytes = std::int64_t(planes.width) * 4;
    const int together =
        wholeRows ? int(std::clamp<std::int64_t>(budget / (lowest * lineBytes), 1, side)) : 1;
    const std::int64_t byMemory =
        budget / (together * lineBytes + std::int64_t(in.size.width) * 16) - halo;
    const std::int64_t byWork = context.rowsPerLaunch(0, together * lineBytes * kCostPerByte);
    const int bandRows =
        int(std::clamp<std::int64_t>(std::min(byMemory, byWork), 1, in.size.height));
    const int bands = int(divideUp(unsigned(in.size.height), unsigned(bandRows)));
    planes.height = bandRows + halo;
    const DeviceMemory sums =
        context.allocate(std::size_t(planes.samples()) * unsigned(together) * 4);
    planes.sums = sums.as<std::uint32_t>();
    Totals totals;
    totals.plane = std::int64_t(bandRows) * in.size.width;
    const DeviceMemory values =
        context.allocate(std::size_t(totals.plane) * (1 + Mean<Color>::kChannels) * 4);
    totals.values = values.as<float>();

    const int groups = int(divideUp(unsigned(side), unsigned(together)));  // of a row of offsets
    const int steps = side * groups;
    const std::int64_t perStep = planes.samples() * together * 4 * kCostPerByte;
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
               differencesKernel<Color>, in, planes, windows.patch, dx, dy);
        for (int first = 1; first < planes.width; first += kSegment)
            launch(context, "NL-means, sums of rows",
                   divideUp(std::uint64_t(planes.height) * unsigned(planes.count), kThreads),
                   kThreads, 0, scanRowsKernel, planes, first,
                   std::min(first + kSegment, planes.width));
        for (int first = 1; first < planes.height; first += kSegment)
            launch(context, "NL-means, sums of columns", blocksFor(planes.width, 1, planes.count),
                   kThreads, 0, scanColumnsKernel, planes, first,
                   std::min(first + kSegment, planes.height));
        launch(context, "NL-means, weights", blocksFor(in.size.width, planes.rows, 1), kThreads, 0,
               addKernel<Color>, in, out, planes, windows, totals, dx, dy, offset == 0,
               offset == steps - 1);
    };
    context.forEachBand(bands * steps, tilesPerLaunch(context, perStep), [&](int first, int last) {
        for (int index = first; index < last; ++index) step(index);
    });
}

}  // namespace

void runNlMeansDirect(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                      const DeviceImage& out) {
    if (isColor(in.format))
        runDirect<true>(context, plan, in, out);
    else
        runDirect<false>(context, plan, in, out);
}

void runNlMeansIntegralPerOffset(KernelContext& context, const NlMeansPlan& plan,
                                 const DeviceImage& in, const DeviceImage& out) {
    if (isColor(in.format))
        runIntegral<true>(context, plan, in, out, false);
    else
        runIntegral<false>(context, plan, in, out, false);
}

void runNlMeansIntegralRows(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                            const DeviceImage& out) {
    if (isColor(in.format))
        runIntegral<true>(context, plan, in, out, true);
    else
        runIntegral<false>(context, plan, in, out, true);
}

}  // namespace warpscope::cuda
