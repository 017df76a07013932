// The mean over a square from integral images of a band of rows. Differences of sums are right
// modulo 2^32 (2^64) although the sums themselves may not be.
#include "cuda_kernels/smoothing/box_mean.cuh"

#include <algorithm>

#include "cuda_kernels/analysis/integral_image.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;

// Division by the number of pixels, exact for dividends d below 2^64 / n: the factor is too large
// by less than n / 2^64 of itself.
struct CountDivide {
    std::uint64_t factor = 0;  // 0: divisor 1
    explicit CountDivide(std::uint32_t n) : factor(n == 1 ? 0 : ~std::uint64_t(0) / n + 1) {}
    __device__ std::uint32_t operator()(std::uint64_t d) const {
        return std::uint32_t(factor ? __umul64hi(d, factor) : d);
    }
};

template <class Sum>
struct Sums {
    const Sum* data;
    std::int64_t pitch;       // elements
    std::int64_t planePitch;  // elements
    int firstRow;             // of the image; sums begin with 0 above it
    Size size;                // of the image

    // How the columns of the window around x are weighted: those beyond an edge count as the edge.
    struct Window {
        int before;  // column left of the window, -1: none
        int last;
        std::uint32_t repeatFirst, repeatLast;  // how often an edge counts once more
    };
    __device__ static Window window(int at, int radius, int length) {
        return {max(at - radius - 1, -1), min(at + radius, length - 1),
                std::uint32_t(max(radius - at, 0)),
                std::uint32_t(max(at + radius - (length - 1), 0))};
    }

    // Weighted sum over the window's columns of all rows up to and with `row`.
    __device__ Sum upTo(int row, int plane, const Window& columns) const {
        if (row < firstRow) return 0;
        const Sum* at = data + plane * planePitch + std::int64_t(row - firstRow) * pitch;
        Sum sum = at[columns.last];
        if (columns.before >= 0) sum -= at[columns.before];
        if (columns.repeatFirst) sum += columns.repeatFirst * at[0];
        if (columns.repeatLast) {
            const int width = size.width;
            const Sum beforeLast = width > 1 ? at[width - 2] : Sum(0);
            sum += columns.repeatLast * (at[width - 1] - beforeLast);
        }
        return sum;
    }
    __device__ Sum over(int plane, const Window& columns, const Window& rows) const {
        Sum sum = upTo(rows.last, plane, columns) - upTo(rows.before, plane, columns);
        if (rows.repeatFirst) sum += rows.repeatFirst * upTo(0, plane, columns);
        if (rows.repeatLast)
            sum += rows.repeatLast *
                   (upTo(size.height - 1, plane, columns) - upTo(size.height - 2, plane, columns));
        return sum;
    }
};

template <class T>
struct Pixel4;
template <>
struct Pixel4<std::uint8_t> {
    using Packed = std::uint32_t;
    __device__ static Packed withAlphaOf(Packed of, const std::uint32_t (&rgb)[3]) {
        return rgb[0] | rgb[1] << 8 | rgb[2] << 16 | (of & 0xff000000u);
    }
};
template <>
struct Pixel4<std::uint16_t> {
    using Packed = uint2;
    __device__ static Packed withAlphaOf(Packed of, const std::uint32_t (&rgb)[3]) {
        return {rgb[0] | rgb[1] << 16, rgb[2] | (of.y & 0xffff0000u)};
    }
};

// One thread a pixel of the rows from `firstRow` of the image on, which are row 0 of in and out.
template <class T, bool Color, class Sum>
__global__ void __launch_bounds__(kThreads)
    boxMeanKernel(DeviceImage in, DeviceImage out, int firstRow, Sums<Sum> sums, int radius,
                  std::uint32_t half, CountDivide divide, FastDivide perRow, std::uint32_t count) {
    const std::uint32_t index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= count) return;
    const int row = int(perRow(index));
    const int x = int(index - unsigned(row) * perRow.divisor);
    const auto columns = Sums<Sum>::window(x, radius, sums.size.width);
    const auto rows = Sums<Sum>::window(firstRow + row, radius, sums.size.height);
    std::byte* to = out.data + row * out.pitch;
    if constexpr (Color) {
        using Packed = typename Pixel4<T>::Packed;
        std::uint32_t mean[3];
#pragma unroll
        for (int plane = 0; plane < 3; ++plane)
            mean[plane] = divide(std::uint64_t(sums.over(plane, columns, rows)) + half);
        const Packed pixel = reinterpret_cast<const Packed*>(in.data + row * in.pitch)[x];
        reinterpret_cast<Packed*>(to)[x] = Pixel4<T>::withAlphaOf(pixel, mean);
    } else {
        reinterpret_cast<T*>(to)[x] = T(divide(std::uint64_t(sums.over(0, columns, rows)) + half));
    }
}

template <class T, bool Color, class Sum>
class BoxMean {
  public:
    BoxMean(KernelContext& context, const BoxMeanPlan& plan, const DeviceImage& in,
            const DeviceImage& out)
        : m_context(context), m_plan(plan), m_in(in), m_out(out) {
        constexpr std::int64_t kMostBytes = std::int64_t(256) << 20;
        const int height = in.size.height;
        m_pitch = (std::int64_t(in.size.width) + 63) / 64 * 64;
        const std::int64_t rowBytes = m_pitch * kPlanes * std::int64_t(sizeof(Sum));
        // A band sums 2 radius + 1 rows beyond its own.
        const int beyond = 2 * plan.radius + 1;
        const std::int64_t byMemory =
            std::max<std::int64_t>(beyond, kMostBytes / rowBytes - beyond);
        const int byTime = context.rowsPerLaunch(rowBytes * 2 + in.pitch + out.pitch,
                                                 std::int64_t(in.size.width) * kPlanes * 24);
        m_bandRows = int(std::min<std::int64_t>(byMemory, byTime));
        m_sumRows = int(std::min<std::int64_t>(height, std::int64_t(m_bandRows) + beyond));
        const std::size_t bytes = std::size_t(rowBytes) * unsigned(m_sumRows);
        if (bytes <= DeviceContext::kMaxScratch) {
            m_data = context.device().scratch(DeviceContext::Scratch::Planes, bytes);
        } else {
            m_memory = context.allocate(bytes);
            m_data = m_memory.as();
        }
    }

    void run() {
        m_context.forEachBand(m_in.size.height, m_bandRows,
                              [&](int first, int last) { band(first, last); });
    }

  private:
    static constexpr int kPlanes = Color ? 3 : 1;

    void band(int first, int last) {
        const int from = std::max(0, first - m_plan.radius - 1);
        const int to = std::min(m_in.size.height, last + m_plan.radius);
        const std::int64_t pitchBytes = m_pitch * std::int64_t(sizeof(Sum));
        const std::int64_t planePitch = m_pitch * m_sumRows;
        const int perLaunch = rowsPerSumLaunch(m_context, m_in, kPlanes * int(sizeof(Sum)));
        for (int y = from; y < to;) {
            const int end = to - y > perLaunch ? y + perLaunch : to;
            m_context.checkStop();
            std::byte* at = m_data + (y - from) * pitchBytes;
            sumRows(m_context, Color ? SumOf::Planes : SumOf::Sample, rowsOf(m_in, y, end),
                    {at, pitchBytes, planePitch * std::int64_t(sizeof(Sum)), int(sizeof(Sum))},
                    y > from ? at - pitchBytes : nullptr);
            y = end;
        }
        const auto width = unsigned(m_in.size.width);
        const std::uint32_t count = width * unsigned(last - first);
        launch(
            m_context, "box mean", divideUp(count, kThreads), kThreads, 0,
            boxMeanKernel<T, Color, Sum>, rowsOf(m_in, first, last), rowsOf(m_out, first, last),
            first,
            Sums<Sum>{reinterpret_cast<const Sum*>(m_data), m_pitch, planePitch, from, m_in.size},
            m_plan.radius, m_plan.count / 2, CountDivide(m_plan.count), FastDivide(width), count);
    }

    KernelContext& m_context;
    const BoxMeanPlan& m_plan;
    DeviceImage m_in, m_out;
    DeviceMemory m_memory;
    std::byte* m_data = nullptr;
    std::int64_t m_pitch = 0;  // elements
    int m_bandRows = 1;
    int m_sumRows = 1;
};

template <class T, class Sum>
void runSums(KernelContext& context, const BoxMeanPlan& plan, const DeviceImage& in,
             const DeviceImage& out) {
    if (isColor(in.format))
        BoxMean<T, true, Sum>(context, plan, in, out).run();
    else
        BoxMean<T, false, Sum>(context, plan, in, out).run();
}

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& box = static_cast<const BoxMeanPlan&>(plan);
    // 16 bits: up to radius 127 the sum over a window fits in 32 bits.
    if (isFloat(in.format))
        boxMeanOfFloats(context, box, in, out);
    else if (bytesPerSample(in.format) == 1)
        runSums<std::uint8_t, std::uint32_t>(context, box, in, out);
    else if (std::uint64_t(box.count) * 65535u < (std::uint64_t(1) << 32))
        runSums<std::uint16_t, std::uint32_t>(context, box, in, out);
    else
        runSums<std::uint16_t, std::uint64_t>(context, box, in, out);
}

std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets(2);
    sets[0].set("radius", std::int64_t(3));
    sets[1].set("radius", std::int64_t(200));
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(box_mean, .run = run, .warmUps = warmUps, .loadKernels = loadSumKernels);

}  // namespace warpscope::cuda
