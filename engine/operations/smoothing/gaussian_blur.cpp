#include "engine/operations/smoothing/gaussian_blur.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace warpscope {
namespace {

constexpr std::uint32_t kUnity = 65536;
constexpr const char* kText =
    "A study of CUDA gray conversion, Gaussian filter and histogram equalization";

const char* zeroOrOdd(double value) {
    return value == 0 || std::fmod(value, 2.0) == 1.0 ? "" : "must be odd, or 0 for automatic";
}

OperationDescription describe() {
    return {.id = "gaussian_blur",
            .label = "Gaussian blur",
            .category = "Smoothing",
            .summary = "Smooths with a Gaussian kernel",
            .help =
                "Replaces each pixel by the mean of its neighbours, weighted by a bell curve of "
                "their distance. Takes away noise and fine texture alike; sigma says how coarse "
                "the detail is that stays. Alpha passes unchanged.",
            .formula =
                "Weights g(i) proportional to exp(-i^2 / (2 sigma^2)), rounded to 16-bit fixed "
                "point, the residue added to the centre so that they sum to 65,536.\n"
                "Row pass: (sum + 128) >> 8, kept in 16 bits (24 for 16-bit samples). Column pass: "
                "(sum + 2^23) >> 24.\n"
                "Float: weights rounded to float, those below 2^-126 are 0, the centre is what the "
                "others leave of 1; both passes add weight times sample in float from the first to "
                "the last.\n"
                "Beyond the border the edge pixel is repeated.",
            .source = kText,
            .parameters = {numberParameter("sigma", "Sigma", 1.0,
                                           {.unit = "px",
                                            .hardMin = 0.3,
                                            .hardMax = 100,
                                            .sliderMax = 20,
                                            .step = 0.1,
                                            .logarithmic = true},
                                           "Standard deviation of the bell curve"),
                           numberParameter("size", "Kernel size", 0,
                                           {.unit = "px",
                                            .hardMax = kMaxGaussianSize,
                                            .sliderMax = 121,
                                            .zeroIsAutomatic = true,
                                            .rule = zeroOrOdd},
                                           "Odd side of the kernel; 0 takes 2 ceil(3 sigma) + 1, "
                                           "which cuts nothing visible")},
            .variants = {automaticVariant(
                             "Separable: a row pass and a column pass, kept together in the cache"),
                         {"direct_2d", "Direct, two-dimensional",
                          "Every output pixel sums its whole square of neighbours, row by row: "
                          "size^2 multiplications a sample. Sizes up to 31. CPU: plain code, for "
                          "comparison",
                          kText},
                         {"separable_constant", "Separable, constant memory",
                          "A row pass into a 16-bit image in memory and a column pass, the weights "
                          "in constant memory: 2 size multiplications a sample. CPU: plain code, "
                          "for comparison",
                          kText}},
            .wrongVariants = {{"wrong_floor", "Wrong: floor",
                               "Both passes cut off what is below a level, as a conversion to an "
                               "integer does: about half of all samples come out one level too "
                               "dark, and every further blur darkens the image more. 8 and 16 "
                               "bits. CPU: plain code, for comparison",
                               kText}},
            .accepts = kFilterFormats};
}

Result<void> completePlan(const PlanRequest& request, GaussianBlurPlan& plan) {
    const double sigma = request.parameters.real("sigma");
    const int size = gaussianSize(sigma, int(request.parameters.integer("size")));
    if (request.variant == "direct_2d" && size > kMaxDirectGaussianSize)
        return fail(ErrorCode::Unsupported,
                    "gaussian_blur with the variant direct_2d takes sizes up to " +
                        std::to_string(kMaxDirectGaussianSize) + ", not " + std::to_string(size));
    if (request.variant == "wrong_floor" && isFloat(request.format))
        return fail(ErrorCode::Unsupported,
                    "gaussian_blur with the variant wrong_floor takes 8 and 16 bits: float samples "
                    "are not rounded to levels");
    const auto take = [&](auto& own, auto taps) {
        // Outer weights that were rounded to zero add nothing: without them the bits are the same
        // and the halo is smaller.
        const auto firstUsed =
            std::find_if(taps.begin(), taps.end(), [](auto tap) { return tap != 0; });
        own.assign(firstUsed, taps.end() - (firstUsed - taps.begin()));
        plan.radius = int(own.size() / 2);
    };
    if (isFloat(request.format))
        take(plan.floatTaps, gaussianTapsFloat(sigma, size));
    else
        take(plan.taps, gaussianTaps(sigma, size));
    plan.halo = plan.radius;
    plan.identity = plan.radius == 0;
    // Separable: two passes of a multiplication and an addition a tap.
    plan.work = plan.colorSamples() * 2 * 2 * (2 * plan.radius + 1);
    return {};
}

}  // namespace

int gaussianSize(double sigma, int size) {
    if (size != 0) return size;
    return std::min(2 * int(std::ceil(3.0 * sigma)) + 1, kMaxGaussianSize);
}

// The weights of the centre and of the taps beside it; they sum to 1 but for rounding.
static std::vector<double> bellOf(double sigma, int radius) {
    std::vector<double> bell(std::size_t(radius) + 1);
    for (int i = 0; i <= radius; ++i)
        bell[std::size_t(i)] = std::exp(-double(i) * double(i) / (2.0 * sigma * sigma));
    const double sum = bell[0] + 2.0 * std::accumulate(bell.begin() + 1, bell.end(), 0.0);
    for (double& weight : bell) weight /= sum;
    return bell;
}

std::vector<std::uint32_t> gaussianTaps(double sigma, int size) {
    const int radius = size / 2;
    const std::vector<double> bell = bellOf(sigma, radius);
    std::vector<std::uint32_t> taps(std::size_t(2 * radius + 1));
    std::uint32_t around = 0;
    for (int i = 1; i <= radius; ++i) {
        const auto tap = std::uint32_t(std::lround(bell[std::size_t(i)] * kUnity));
        taps[std::size_t(radius - i)] = tap;
        taps[std::size_t(radius + i)] = tap;
        around += 2 * tap;
    }
    // The rounding errors of all weights go to the centre. They stay far below the centre's own
    // weight over the whole range of sigma and size (a test walks it).
    taps[std::size_t(radius)] = kUnity - around;
    return taps;
}

std::vector<float> gaussianTapsFloat(double sigma, int size) {
    const int radius = size / 2;
    const std::vector<double> bell = bellOf(sigma, radius);
    std::vector<float> taps(std::size_t(2 * radius + 1));
    double around = 0;
    for (int i = 1; i <= radius; ++i) {
        auto tap = float(bell[std::size_t(i)]);
        if (tap < std::numeric_limits<float>::min()) tap = 0;
        taps[std::size_t(radius - i)] = tap;
        taps[std::size_t(radius + i)] = tap;
        around += 2.0 * double(tap);
    }
    taps[std::size_t(radius)] = float(1.0 - around);
    return taps;
}

const Operation& gaussian_blur_operation() {
    static const OperationOf<GaussianBlurPlan> operation(describe(), completePlan,
                                                         runGaussianBlurCpu);
    return operation;
}

}  // namespace warpscope
