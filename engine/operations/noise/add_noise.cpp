#include "engine/operations/noise/add_noise.h"

#include <cmath>

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "add_noise",
        .label = "Add noise",
        .category = "Noise",
        .summary = "Salt and pepper or Gaussian noise",
        .help =
            "Spoils an image in a way that is known exactly, to see what filters make of it. Salt "
            "and pepper turns single pixels white or black, all colours together; Gaussian noise "
            "shifts every sample by a little. The same seed gives the same noise on every machine, "
            "and a pixel's noise depends on its place in the whole image only. Alpha passes "
            "unchanged.",
        .formula =
            "Words of Philox 4x32-10 with key (seed, 0) and counter (index low, index high, 0, 0), "
            "index = y w + x in the whole image.\n"
            "Salt and pepper: T = round(amount 2^32); where word 0 < T the pixel is white if bit 0 "
            "of word 1 is set, else black.\n"
            "Gaussian: words 0, 1, 2 for R, G, B; q = table of 4096 normal quantiles at (word >> "
            "20), in 1/4096; v + ((q round(256 sigma) + 2^19) >> 20), clamped. 16 bits: the "
            "product times 257. Float: white is 1, black 0; v + q s with s = round(256 sigma) / "
            "(256 x 4096 x 255) in float, not clamped.",
        .source =
            "J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy "
            "as 1, 2, 3, 2011",
        .parameters =
            {choiceParameter(
                 "kind", "Kind",
                 {{"salt_pepper", "Salt and pepper", "Single pixels become white or black"},
                  {"gaussian", "Gaussian", "A normally distributed value is added to each sample"}},
                 "Which noise is made"),
             numberParameter("amount", "Amount", 0.05, {.sliderMax = 0.5, .step = 0.01},
                             "Salt and pepper: the share of pixels that are hit"),
             numberParameter(
                 "sigma", "Sigma", 20.0, {.unit = "grey levels", .hardMax = 128, .sliderMax = 64},
                 "Gaussian: the standard deviation, in grey levels of 8 bits at every depth"),
             numberParameter("seed", "Seed", 1, {.hardMax = 4294967295.0, .sliderMax = 999},
                             "Another seed gives other noise of the same kind")},
        .variants = {automaticVariant(
            "Every pixel makes its own random words from its index: no state, so "
            "any number of threads and any crop give the same noise")},
        .accepts = kFilterFormats};
}

Result<void> completePlan(const PlanRequest& request, AddNoisePlan& plan) {
    plan.fillsRange = true;
    plan.kind = request.parameters.choice("kind") == "gaussian" ? NoiseKind::Gaussian
                                                                : NoiseKind::SaltPepper;
    plan.seed = std::uint32_t(request.parameters.integer("seed"));
    plan.threshold = std::uint64_t(std::llround(request.parameters.real("amount") * 4294967296.0));
    plan.sigma256 = std::int32_t(std::lround(request.parameters.real("sigma") * 256.0));
    plan.floatStep = float(plan.sigma256 / (256.0 * 4096.0 * 255.0));
    const Rect window = plan.place.window();
    plan.wholeWidth = plan.place.whole.width;
    plan.originX = window.x;
    plan.originY = window.y;
    // Philox, once a pixel: ten rounds of two products, four bitwise operations and two sums. Then
    // two comparisons; or for each sample a look-up, a product, two sums and two limits.
    plan.work = plan.pixels() * (10 * 8) +
                (plan.kind == NoiseKind::SaltPepper ? 2 * plan.pixels() : 6 * plan.colorSamples());
    plan.identity = plan.kind == NoiseKind::SaltPepper ? plan.threshold == 0 : plan.sigma256 == 0;
    return {};
}

}  // namespace

const Operation& add_noise_operation() {
    static const OperationOf<AddNoisePlan> operation(describe(), completePlan, runAddNoiseCpu);
    return operation;
}

}  // namespace warpscope
