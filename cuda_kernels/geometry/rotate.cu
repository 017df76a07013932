// Rotation: kernels in rotate_nearest.cuh and rotate_bilinear.cuh, here the choice between them.
#include <algorithm>

#include "cuda_kernels/geometry/rotate_bilinear.cuh"
#include "cuda_kernels/geometry/rotate_nearest.cuh"

namespace warpscope::cuda {
namespace {

Rotation rotationOf(const RotatePlan& plan, Size tile) {
    const std::int64_t acrossX = (tile.width - 1) * plan.cosine;
    const std::int64_t acrossY = (tile.width - 1) * plan.sine;
    const std::int64_t downX = (tile.height - 1) * plan.sine;
    const std::int64_t downY = (tile.height - 1) * plan.cosine;
    // The nearest pixel is the one above and to the left of a place half a pixel further on; tiles
    // add half a weight's step to all places.
    const std::int64_t none = 0, half = (std::int64_t(1) << 31) - kHalfStep;
    const std::int64_t shift = plan.nearest ? half : none;
    return {plan.firstX(0) + shift,
            plan.firstY(0) + shift,
            plan.cosine,
            plan.sine,
            plan.place.part,
            plan.place.reduced,
            plan.outside,
            std::min(acrossX, none) + std::min(downX, none),
            std::max(acrossX, none) + std::max(downX, none),
            std::min(downY, none) - std::max(acrossY, none),
            std::max(downY, none) - std::min(acrossY, none)};
}

// Queues the kernel that is chosen. All of them begin early, which nearly all sizes gain from.
class Turned {
  public:
    using Kernel = void(DeviceImage, DeviceImage, int, int, FastDivide, Rotation);

    Turned(KernelContext& context, const RotatePlan& plan, const DeviceImage& in,
           const DeviceImage& out)
        : m_context(context), m_plan(plan), m_in(in), m_out(out) {}

    // Whether squares of 32 x 32 pixels are fewer than so many a multiprocessor.
    bool isBelow(int squares) const { return blocks({32, 32}) < squares * multiprocessors(); }
    std::int64_t blocks(Size tile) const {
        return std::int64_t(divideUp(unsigned(m_out.size.width), unsigned(tile.width))) *
               divideUp(unsigned(m_out.size.height), unsigned(tile.height));
    }
    std::int64_t multiprocessors() const { return m_context.traits().multiprocessors; }

    void inTiles(Size tile, Kernel* kernel, unsigned threads = kTileThreads) {
        const Rotation turn = rotationOf(m_plan, tile);
        const FastDivide across{divideUp(unsigned(m_out.size.width), unsigned(tile.width))};
        const int most =
            m_context.rowsPerLaunch(5 * m_out.pitch, std::int64_t(m_out.size.width) *
                                                         (32 + 8 * channelCount(m_out.format)));
        const int bandRows = most < tile.height ? tile.height : most / tile.height * tile.height;
        m_context.forEachBand(m_out.size.height, bandRows, [&](int first, int last) {
            launchEarly(m_context, "rotate",
                        across.divisor * divideUp(unsigned(last - first), unsigned(tile.height)),
                        threads, 0, kernel, m_in, m_out, first, last, across, turn);
        });
    }

  private:
    KernelContext& m_context;
    const RotatePlan& m_plan;
    const DeviceImage &m_in, &m_out;
};

// Fewer large tiles than multiprocessors can use are made small.
constexpr int kFew = 4, kSome = 24, kMany = 48;

void runGray(Turned& turned, bool nearest) {
    if (nearest) {
        if (turned.isBelow(kFew)) return turned.inTiles({32, 16}, nearestGrayKernel<32, 16>);
        if (turned.isBelow(kSome)) return turned.inTiles({32, 32}, nearestGrayKernel<32, 32>);
        return turned.inTiles({32, 64}, nearestGrayKernel<32, 64>);
    }
    if (turned.isBelow(kFew)) return turned.inTiles({32, 16}, bilinearGrayKernel<32, 16>);
    if (turned.isBelow(kSome)) return turned.inTiles({32, 32}, bilinearGrayKernel<32, 32>);
    if (turned.isBelow(kMany)) return turned.inTiles({64, 32}, bilinearGrayKernel<64, 32>);
    turned.inTiles({64, 64}, bilinearGrayKernel<64, 64>);
}

template <class T, int In, int C>
void runBilinear(Turned& turned) {
    if constexpr (sizeof(T) * C > 4) {
        turned.inTiles({kPixelWidth, kPixelHeight}, bilinearKernel<T, In, C>, kPixelThreads);
    } else {
        if (!turned.isBelow(kFew))
            return turned.inTiles({32, 32}, bilinearTileKernel<32, false, T, In, C>);
        // The quick kernel leaves room for twelve blocks on a multiprocessor.
        constexpr Size kSmall{16, 16};
        if (turned.blocks(kSmall) <= 12 * turned.multiprocessors())
            return turned.inTiles(kSmall, bilinearTileKernel<16, false, T, In, C>);
        turned.inTiles(kSmall, bilinearTileKernel<16, true, T, In, C>);
    }
}

template <class T, int In, int C>
void run(Turned& turned, bool nearest) {
    if constexpr (sizeof(T) * C == 1) {
        runGray(turned, nearest);
    } else if (nearest) {
        if (turned.isBelow(kFew))
            turned.inTiles({kNearestWidth, 16}, nearestKernel<16, T, In, C>);
        else
            turned.inTiles({kNearestWidth, 32}, nearestKernel<32, T, In, C>);
    } else {
        runBilinear<T, In, C>(turned);
    }
}

template <class T>
void run(Turned& turned, const RotatePlan& plan) {
    if (isColor(plan.input)) return run<T, 4, 4>(turned, plan.nearest);
    isColor(plan.output) ? run<T, 1, 4>(turned, plan.nearest) : run<T, 1, 1>(turned, plan.nearest);
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const RotatePlan&>(given);
    Turned turned(context, plan, in, out);
    if (isFloat(in.format)) return run<float>(turned, plan);
    bytesPerSample(in.format) == 2 ? run<std::uint16_t>(turned, plan)
                                   : run<std::uint8_t>(turned, plan);
}

// The defaults turn by nothing.
std::vector<ParamSet> rotateWarmUps() {
    std::vector<ParamSet> sets;
    for (const char* outside : {"edge", "transparent"}) {
        ParamSet one = rotate_operation().description().exampleParameters();
        one.set("outside", std::string(outside));
        sets.push_back(one);
    }
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(rotate, .run = run, .warmUps = rotateWarmUps);

}  // namespace warpscope::cuda
