// Separable Gaussian on 16-bit samples: a row pass to planes of 24-bit sums in device memory, then
// a column pass with 64-bit sums.
//
// Both passes slide over the window from its two ends towards the centre: samples at the same
// distance have the same weight and are added before they are multiplied. A thread makes eight
// neighbouring outputs of a pass, so that each value it reads takes part in eight sums; the radius
// is rounded up to a multiple of eight, with weights of zero, so that whole groups of eight move
// through registers and the last one read is the centre.
//
// The planes hold a strip of columns at a time, which keeps them within a fixed budget whatever the
// size of the image: other columns of the row sums are nobody's business in a strip.
#include <algorithm>
#include <vector>

#include "cuda_kernels/smoothing/gaussian_blur.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kEach = 8;  // outputs of a thread

constexpr int roundUp(int n, int multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

// The weights of one side, outermost first, and of the centre.
struct HalfTaps {
    static constexpr int kMost = roundUp(kMaxGaussianSize / 2, kEach);
    alignas(16) std::uint32_t pairs[kMost] = {};
    std::uint32_t centre = 0;
    int radius = 0;  // a multiple of kEach; pairs from beyond the plan's radius weigh nothing

    explicit HalfTaps(const GaussianBlurPlan& plan)
        : centre(plan.taps[std::size_t(plan.radius)]), radius(roundUp(plan.radius, kEach)) {
        std::copy_n(plan.taps.begin(), plan.radius, pairs + radius - plan.radius);
    }
};

// Row sums of columns [x, x + columns) and rows [first, first + rows) of the image, a plane a
// colour.
struct Planes {
    std::uint32_t* sums = nullptr;
    int x = 0;
    int columns = 0;
    int pitch = 0;  // of rows, in sums: a multiple of kEach
    int first = 0;
    int rows = 0;

    __device__ std::uint32_t* at(int plane, int row) const {
        return sums + (std::int64_t(plane) * rows + row) * pitch;
    }
};

// kEach sums over windows that begin at neighbouring places. load(n, to) reads the values n to n +
// 7 of the thread, n a multiple of 8; value 0 is `radius` before the centre of the first window.
template <class Sum, class Load>
__device__ __forceinline__ void sumWindows(const HalfTaps& taps, Sum (&sums)[kEach],
                                           const Load& load) {
    std::uint32_t left[2 * kEach], right[2 * kEach];
    load(0, left);
    load(2 * taps.radius, right + kEach);
#pragma unroll 1
    for (int i = 0; i < taps.radius; i += kEach) {
        load(i + kEach, left + kEach);
        load(2 * taps.radius - i - kEach, right);
#pragma unroll
        for (int step = 0; step < kEach; ++step) {
            const std::uint32_t weight = taps.pairs[i + step];
#pragma unroll
            for (int k = 0; k < kEach; ++k)
                sums[k] += Sum(weight) * Sum(left[k + step] + right[kEach + k - step]);
        }
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            left[k] = left[kEach + k];
            right[kEach + k] = right[k];
        }
    }
#pragma unroll
    for (int k = 0; k < kEach; ++k) sums[k] += Sum(taps.centre) * Sum(left[k]);
}

constexpr int kRowWarps = 4;
constexpr int kSegment = 32 * kEach;  // outputs of a warp in the row pass
// Eight samples lie in twelve words of shared memory: the 16-byte reads of lanes that are eight
// samples apart then meet different banks.
constexpr int kGroupWords = 12;
__host__ __device__ constexpr int warpWords(int radius) {
    return (kSegment + 2 * radius) / kEach * kGroupWords;
}

// Rows [first, first + count) of the planes; a warp makes a segment of one row and colour. C:
// samples of a pixel.
template <int C>
__global__ void __launch_bounds__(32 * kRowWarps)
    rows16Kernel(DeviceImage in, Planes planes, int first, unsigned count, FastDivide perRow,
                 const __grid_constant__ HalfTaps taps) {
    constexpr unsigned kColors = C == 4 ? 3 : 1;
    extern __shared__ __align__(16) std::uint32_t shared[];
    const unsigned item = blockIdx.x * kRowWarps + threadIdx.x / 32;
    if (item >= count) return;
    const int lane = int(threadIdx.x % 32);
    const int row = int(perRow(item));
    const unsigned inRow = item - unsigned(row) * perRow.divisor;
    const int color = int(inRow % kColors);
    const int segment = int(inRow / kColors) * kSegment;

    std::uint32_t* samples = shared + int(threadIdx.x / 32) * warpWords(taps.radius);
    const auto* source =
        reinterpret_cast<const std::uint16_t*>(in.data + (first + row) * in.pitch) + color;
    const int start = planes.x + segment - taps.radius;
    for (int n = lane; n < kSegment + 2 * taps.radius; n += 32)
        samples[n / kEach * kGroupWords + n % kEach] =
            source[min(max(start + n, 0), in.size.width - 1) * C];
    __syncwarp();

    // At most 65,536 * 65,535 + 128: fits in 32 bits.
    std::uint32_t sums[kEach];
#pragma unroll
    for (std::uint32_t& sum : sums) sum = 128;
    sumWindows(taps, sums, [&](int n, std::uint32_t* to) {
        const auto* from =
            reinterpret_cast<const uint4*>(samples + (lane + n / kEach) * kGroupWords);
        const uint4 low = from[0], high = from[1];
        to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
        to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
    });
    const int column = segment + kEach * lane;
    if (column >= planes.pitch) return;
    auto* to = reinterpret_cast<uint4*>(planes.at(color, first - planes.first + row) + column);
    to[0] = {sums[0] >> 8, sums[1] >> 8, sums[2] >> 8, sums[3] >> 8};
    to[1] = {sums[4] >> 8, sums[5] >> 8, sums[6] >> 8, sums[7] >> 8};
}

constexpr int kColumnWarps = 8;
constexpr int kTileColumns = 32;
// Warps of a block stand below each other, so that the rows they share stay in the first cache.
constexpr int kTileRows = kColumnWarps * kEach;

// Output rows [first, last) of the planes' columns. Rows beyond the planes' are those beyond the
// image, where its edge is repeated, or weigh nothing.
template <int C>
__global__ void __launch_bounds__(32 * kColumnWarps)
    columns16Kernel(DeviceImage in, DeviceImage out, Planes planes, int first, int last,
                    FastDivide across, const __grid_constant__ HalfTaps taps) {
    const int tile = int(across(blockIdx.x));
    const int column =
        int(blockIdx.x - unsigned(tile) * across.divisor) * kTileColumns + int(threadIdx.x % 32);
    const int y = first + tile * kTileRows + int(threadIdx.x / 32) * kEach;
    if (column >= planes.columns || y >= last) return;

    const int top = y - taps.radius - planes.first;
    const auto blurred = [&](int color, std::uint32_t(&levels)[kEach]) {
        const std::uint32_t* plane = planes.at(color, 0) + column;
        // 24 bits of value and 16 of weight.
        unsigned long long sums[kEach];
#pragma unroll
        for (unsigned long long& sum : sums) sum = 1u << 23;
        sumWindows(taps, sums, [&](int n, std::uint32_t* to) {
#pragma unroll
            for (int k = 0; k < kEach; ++k)
                to[k] = plane[min(max(top + n + k, 0), planes.rows - 1) * planes.pitch];
        });
#pragma unroll
        for (int k = 0; k < kEach; ++k) levels[k] = std::uint32_t(sums[k] >> 24);
    };

    const int x = planes.x + column;
    if constexpr (C == 1) {
        std::uint32_t levels[kEach];
        blurred(0, levels);
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            if (y + k >= last) return;
            reinterpret_cast<std::uint16_t*>(out.data + (y + k) * out.pitch)[x] =
                std::uint16_t(levels[k]);
        }
    } else {
        uint2 pixels[kEach] = {};
#pragma unroll 1
        for (int color = 0; color < 3; ++color) {
            std::uint32_t levels[kEach];
            blurred(color, levels);
#pragma unroll
            for (int k = 0; k < kEach; ++k) {
                pixels[k].x |= color == 0 ? levels[k] : color == 1 ? levels[k] << 16 : 0u;
                pixels[k].y = levels[k];  // blue comes last
            }
        }
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            if (y + k >= last) return;
            const std::uint32_t blueAndAlpha =
                reinterpret_cast<const uint2*>(in.data + (y + k) * in.pitch)[x].y;
            pixels[k].y |= blueAndAlpha & 0xffff0000u;
            reinterpret_cast<uint2*>(out.data + (y + k) * out.pitch)[x] = pixels[k];
        }
    }
}

// One launch: rows [first, last) of the planes, or of the output.
struct Part {
    Planes planes;
    bool output = false;
    int first = 0;
    int last = 0;
    double share = 0;  // of what one launch may take
};

// How the image is cut: columns and rows of the planes, rows of a launch.
class Cut {
  public:
    Cut(const KernelContext& context, const HalfTaps& taps, int radius, const DeviceImage& in)
        : m_size(in.size), m_radius(radius), m_colors(isColor(in.format) ? 3 : 1) {
        const DeviceTraits& traits = context.traits();
        const int unit = std::min(kSegment, roundUp(m_size.width, kEach));
        // The budget, 64 MiB, has room for 20,000 rows of a unit of colour, far more than two
        // radii. It shrinks with the limit of a launch, which tests make small.
        const std::int64_t most =
            std::min<std::int64_t>(DeviceContext::kMaxScratch, traits.bytesPerLaunch / 16) / 4;
        m_bandRows = int(
            std::clamp<std::int64_t>(most / (unit * m_colors) - 2 * radius, kTileRows, kMaxSide));
        m_bandRows = std::min(m_bandRows, m_size.height);
        const int planeRows = std::min(m_size.height, m_bandRows + 2 * radius);
        // Multiplications of a column and row in the column pass; those with a wide product count
        // twice.
        const std::int64_t work = std::int64_t(m_colors) * (2 * taps.radius + 1) * 2;
        std::int64_t columns = std::min(most / (std::int64_t(planeRows) * m_colors),
                                        traits.multiplicationsPerLaunch / (work * kEach));
        columns = std::max<std::int64_t>(unit, columns / unit * unit);
        const auto strips = int(divideUp(unsigned(m_size.width), std::uint64_t(columns)));
        m_columns = strips == 1 ? m_size.width
                                : roundUp(int(divideUp(unsigned(m_size.width), unsigned(strips))),
                                          kSegment);
        m_sums = std::size_t(roundUp(m_columns, kEach)) * unsigned(planeRows * m_colors);

        const std::int64_t bytes =
            m_columns * (std::int64_t(bytesPerPixel(in.format)) + 4 * m_colors);
        m_rowsRows = context.rowsPerLaunch(bytes, roundUp(m_columns, kSegment) * work / 2);
        m_columnsRows = context.rowsPerLaunch(bytes, roundUp(m_columns, kTileColumns) * work);
        // Whole tiles where there is one, else whole groups.
        const int group = m_columnsRows >= kTileRows ? kTileRows : kEach;
        m_columnsRows = std::max(kEach, m_columnsRows / group * group);
    }

    std::size_t planeBytes() const { return m_sums * sizeof(std::uint32_t); }

    std::vector<Part> parts(std::uint32_t* sums) const {
        std::vector<Part> parts;
        const auto add = [&](const Planes& planes, bool output, int from, int to, int rows) {
            for (int first = from; first < to; first += std::min(rows, to - first)) {
                const int last = first + std::min(rows, to - first);
                parts.push_back({planes, output, first, last, double(last - first) / rows});
            }
        };
        for (int x = 0; x < m_size.width; x += m_columns)
            for (int y = 0; y < m_size.height; y += m_bandRows) {
                const int end = std::min(m_size.height, y + m_bandRows);
                Planes planes;
                planes.sums = sums;
                planes.x = x;
                planes.columns = std::min(m_columns, m_size.width - x);
                planes.pitch = roundUp(planes.columns, kEach);
                planes.first = std::max(0, y - m_radius);
                planes.rows = std::min(m_size.height, end + m_radius) - planes.first;
                add(planes, false, planes.first, planes.first + planes.rows, m_rowsRows);
                add(planes, true, y, end, m_columnsRows);
            }
        return parts;
    }

  private:
    Size m_size;
    int m_radius;
    int m_colors;
    int m_columns = 0;      // of the planes
    int m_bandRows = 0;     // of output, from one filling of the planes
    int m_rowsRows = 0;     // of a launch of the row pass
    int m_columnsRows = 0;  // of a launch of the column pass
    std::size_t m_sums = 0;
};

// Ends of runs of parts that together take no more than one launch may: between these it is worth
// looking whether to stop.
std::vector<std::size_t> groupsOf(const std::vector<Part>& parts) {
    std::vector<std::size_t> ends;
    double filled = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (filled > 0 && filled + parts[i].share > 1) {
            ends.push_back(i);
            filled = 0;
        }
        filled += parts[i].share;
    }
    ends.push_back(parts.size());
    return ends;
}

template <int C>
void launchPart(KernelContext& context, const HalfTaps& taps, const Part& part,
                const DeviceImage& in, const DeviceImage& out) {
    constexpr unsigned kColors = C == 4 ? 3 : 1;
    const unsigned rows = unsigned(part.last - part.first);
    const unsigned columns = unsigned(part.planes.columns);
    if (part.output) {
        const unsigned across = divideUp(columns, kTileColumns);
        launch(context, "Gaussian columns, 16 bits", across * divideUp(rows, kTileRows),
               32 * kColumnWarps, 0, columns16Kernel<C>, in, out, part.planes, part.first,
               part.last, FastDivide(across), taps);
    } else {
        const unsigned perRow = divideUp(columns, kSegment) * kColors;
        const unsigned items = perRow * rows;
        launch(context, "Gaussian rows, 16 bits", divideUp(items, kRowWarps), 32 * kRowWarps,
               std::size_t(warpWords(taps.radius)) * kRowWarps * sizeof(std::uint32_t),
               rows16Kernel<C>, in, part.planes, part.first, items, FastDivide(perRow), taps);
    }
}

template <int C>
void runChannels(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                 const DeviceImage& out) {
    const HalfTaps taps(plan);
    const Cut cut(context, taps, plan.radius, in);
    std::byte* memory = context.device().scratch(DeviceContext::Scratch::Planes, cut.planeBytes());
    const std::vector<Part> parts = cut.parts(reinterpret_cast<std::uint32_t*>(memory));
    const std::vector<std::size_t> ends = groupsOf(parts);
    std::size_t next = 0;
    context.forEachBand(int(ends.size()), 1, [&](int group, int) {
        for (; next < ends[std::size_t(group)]; ++next)
            launchPart<C>(context, taps, parts[next], in, out);
    });
}

}  // namespace

void runGaussian16(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                   const DeviceImage& out) {
    if (isColor(in.format))
        runChannels<4>(context, plan, in, out);
    else
        runChannels<1>(context, plan, in, out);
}

}  // namespace warpscope::cuda
