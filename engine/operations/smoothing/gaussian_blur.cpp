#include "engine/operations/smoothing/gaussian_blur.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/operations/smoothing/gaussian_blur_cpu.h"
#include "engine/operations/smoothing/gaussian_variants_cpu.h"

namespace warpscope {
namespace {

constexpr std::uint32_t kUnity = 65536;
constexpr const char* kText =
    "A study of CUDA gray conversion, Gaussian filter and histogram equalization";

const char* zeroOrOdd(double value) {
    return value == 0 || std::fmod(value, 2.0) == 1.0 ? "" : "must be 0 (automatic) or odd";
}

OperationDescription describe() {
    OperationDescription d;
    d.id = "gaussian_blur";
    d.label = "Gaussian blur";
    d.category = "Smoothing";
    d.summary = "Smooths with a Gaussian kernel";
    d.help =
        "Replaces each pixel by the mean of its neighbours, weighted by a bell curve of their "
        "distance. Takes away noise and fine texture alike; sigma says how coarse the detail is "
        "that stays. Alpha passes unchanged.";
    d.formula =
        "Weights g(i) proportional to exp(-i^2 / (2 sigma^2)), rounded to 16-bit fixed point, the "
        "residue added to the centre so that they sum to 65,536.\n"
        "Row pass: (sum + 128) >> 8, kept in 16 bits (24 for 16-bit samples). Column pass: (sum + "
        "2^23) >> 24.\n"
        "Beyond the border the edge pixel is repeated.";
    d.source = kText;
    ParamSpec sigma;
    sigma.id = "sigma";
    sigma.label = "Sigma";
    sigma.unit = "px";
    sigma.kind = ParamKind::Real;
    sigma.defaultValue = 1.0;
    sigma.hardMin = 0.3;
    sigma.hardMax = 100;
    sigma.sliderMin = 0.3;
    sigma.sliderMax = 20;
    sigma.step = 0.1;
    sigma.logarithmic = true;
    sigma.spatial = true;
    sigma.help = "Standard deviation of the bell curve";
    ParamSpec size;
    size.id = "size";
    size.label = "Kernel size";
    size.unit = "px";
    size.kind = ParamKind::Integer;
    size.defaultValue = std::int64_t{0};
    size.hardMin = 0;
    size.hardMax = kMaxGaussianSize;
    size.sliderMin = 0;
    size.sliderMax = 121;
    size.step = 1;
    size.spatial = true;
    size.zeroIsAutomatic = true;
    size.rule = &zeroOrOdd;
    size.help = "Odd side of the kernel; 0 takes 2 ceil(3 sigma) + 1, which cuts nothing visible";
    d.parameters = {sigma, size};
    d.variants = {{std::string(kAutomaticVariant), "Automatic",
                   "Separable: a row pass and a column pass, kept together in the cache", ""},
                  {"direct_2d", "Direct, two-dimensional",
                   "Every output pixel sums its whole square of neighbours, row by row: size^2 "
                   "multiplications a sample. Sizes up to 31",
                   kText},
                  {"separable_constant", "Separable, constant memory",
                   "A row pass into a 16-bit image in memory and a column pass, the weights in "
                   "constant memory: 2 size multiplications a sample",
                   kText}};
    d.accepts = {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16};
    return d;
}

class GaussianBlur final : public Operation {
  public:
    const OperationDescription& description() const override {
        static const OperationDescription constant = describe();
        return constant;
    }

    Result<PlanPtr> plan(const PlanRequest& request) const override {
        auto plan = std::make_shared<GaussianBlurPlan>();
        if (auto begun = beginPlan(*this, request, *plan); !begun) return fail(begun.error());
        const double sigma = request.parameters.real("sigma");
        const int size = gaussianSize(sigma, int(request.parameters.integer("size")));
        if (request.variant == "direct_2d" && size > kMaxDirectGaussianSize)
            return fail(ErrorCode::Unsupported,
                        "gaussian_blur with the variant direct_2d takes sizes up to " +
                            std::to_string(kMaxDirectGaussianSize) + ", not " +
                            std::to_string(size));
        plan->taps = gaussianTaps(sigma, size);
        // Outer weights that were rounded to zero add nothing: without them the bits are the same
        // and the halo is smaller.
        const auto firstUsed = std::find_if(plan->taps.begin(), plan->taps.end(),
                                            [](std::uint32_t tap) { return tap != 0; });
        const auto unused = firstUsed - plan->taps.begin();
        plan->taps.erase(plan->taps.end() - unused, plan->taps.end());
        plan->taps.erase(plan->taps.begin(), firstUsed);
        plan->radius = int(plan->taps.size() / 2);
        plan->halo = plan->radius;
        plan->identity = plan->radius == 0;
        return plan;
    }

    Result<void> runCpu(const Plan& plan, const Image& in, const MutableImage& out,
                        const CpuContext& context) const override {
        if (plan.variant != kAutomaticVariant)
            return runGaussianPublishedCpu(static_cast<const GaussianBlurPlan&>(plan), in, out,
                                           context);
        return runGaussianBlurCpu(static_cast<const GaussianBlurPlan&>(plan), in, out, context);
    }
};

}  // namespace

int gaussianSize(double sigma, int size) {
    if (size != 0) return size;
    return std::min(2 * int(std::ceil(3.0 * sigma)) + 1, kMaxGaussianSize);
}

std::vector<std::uint32_t> gaussianTaps(double sigma, int size) {
    const int radius = size / 2;
    std::vector<double> bell(std::size_t(radius) + 1);
    for (int i = 0; i <= radius; ++i)
        bell[std::size_t(i)] = std::exp(-double(i) * double(i) / (2.0 * sigma * sigma));
    const double sum = bell[0] + 2.0 * std::accumulate(bell.begin() + 1, bell.end(), 0.0);

    std::vector<std::uint32_t> taps(std::size_t(2 * radius + 1));
    std::uint32_t around = 0;
    for (int i = 1; i <= radius; ++i) {
        const auto tap = std::uint32_t(std::lround(bell[std::size_t(i)] / sum * kUnity));
        taps[std::size_t(radius - i)] = tap;
        taps[std::size_t(radius + i)] = tap;
        around += 2 * tap;
    }
    // The rounding errors of all weights go to the centre. They stay far below the centre's own
    // weight over the whole range of sigma and size (a test walks it).
    taps[std::size_t(radius)] = kUnity - around;
    return taps;
}

const Operation& gaussian_blur_operation() {
    static const GaussianBlur operation;
    return operation;
}

}  // namespace warpscope
