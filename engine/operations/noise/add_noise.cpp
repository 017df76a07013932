#include "engine/operations/noise/add_noise.h"

#include <cmath>

#include "engine/operations/noise/add_noise_cpu.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    OperationDescription d;
    d.id = "add_noise";
    d.label = "Add noise";
    d.category = "Noise";
    d.summary = "Salt and pepper or Gaussian noise";
    d.help =
        "Spoils an image in a way that is known exactly, to see what filters make of it. Salt and "
        "pepper turns single pixels white or black, all colours together; Gaussian noise shifts "
        "every sample by a little. The same seed gives the same noise on every machine, and a "
        "pixel's noise depends on its place in the whole image only. Alpha passes unchanged.";
    d.formula =
        "Words of Philox 4x32-10 with key (seed, 0) and counter (index low, index high, 0, 0), "
        "index = y w + x in the whole image.\n"
        "Salt and pepper: T = round(amount 2^32); where word 0 < T the pixel is white if bit 0 of "
        "word 1 is set, else black.\n"
        "Gaussian: words 0, 1, 2 for R, G, B; q = table of 4096 normal quantiles at (word >> 20), "
        "in 1/4096; v + ((q round(256 sigma) + 2^19) >> 20), clamped. 16 bits: the product times "
        "257.";
    d.source =
        "J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as "
        "1, 2, 3, 2011";

    ParamSpec kind;
    kind.id = "kind";
    kind.label = "Kind";
    kind.kind = ParamKind::Choice;
    kind.defaultValue = std::string("salt_pepper");
    kind.choices = {
        {"salt_pepper", "Salt and pepper", "Single pixels become white or black"},
        {"gaussian", "Gaussian", "A normally distributed value is added to each sample"}};
    kind.help = "Which noise is made";

    ParamSpec amount;
    amount.id = "amount";
    amount.label = "Amount";
    amount.kind = ParamKind::Real;
    amount.defaultValue = 0.05;
    amount.hardMin = 0;
    amount.hardMax = 1;
    amount.sliderMin = 0;
    amount.sliderMax = 0.5;
    amount.step = 0.01;
    amount.help = "Salt and pepper: the share of pixels that are hit";

    ParamSpec sigma;
    sigma.id = "sigma";
    sigma.label = "Sigma";
    sigma.unit = "grey levels";
    sigma.kind = ParamKind::Real;
    sigma.defaultValue = 20.0;
    sigma.hardMin = 0;
    sigma.hardMax = 128;
    sigma.sliderMin = 0;
    sigma.sliderMax = 64;
    sigma.step = 1;
    sigma.help = "Gaussian: the standard deviation, in grey levels of 8 bits at every depth";

    ParamSpec seed;
    seed.id = "seed";
    seed.label = "Seed";
    seed.kind = ParamKind::Integer;
    seed.defaultValue = std::int64_t{1};
    seed.hardMin = 0;
    seed.hardMax = 4294967295.0;
    seed.sliderMin = 0;
    seed.sliderMax = 999;
    seed.step = 1;
    seed.help = "Another seed gives other noise of the same kind";

    d.parameters = {kind, amount, sigma, seed};
    d.variants = {{std::string(kAutomaticVariant), "Automatic",
                   "Every pixel makes its own random words from its index: no state, so any number "
                   "of threads and any crop give the same noise",
                   ""}};
    d.accepts = {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16};
    return d;
}

class AddNoise final : public Operation {
  public:
    const OperationDescription& description() const override {
        static const OperationDescription constant = describe();
        return constant;
    }

    Result<PlanPtr> plan(const PlanRequest& request) const override {
        auto plan = std::make_shared<AddNoisePlan>();
        if (auto begun = beginPlan(*this, request, *plan); !begun) return fail(begun.error());
        plan->fillsRange = true;
        plan->kind = request.parameters.choice("kind") == "gaussian" ? NoiseKind::Gaussian
                                                                     : NoiseKind::SaltPepper;
        plan->seed = std::uint32_t(request.parameters.integer("seed"));
        plan->threshold =
            std::uint64_t(std::llround(request.parameters.real("amount") * 4294967296.0));
        plan->sigma256 = std::int32_t(std::lround(request.parameters.real("sigma") * 256.0));
        plan->wholeWidth = request.wholeSize.empty() ? request.size.width : request.wholeSize.width;
        if (!request.window.empty()) {
            plan->originX = request.window.x;
            plan->originY = request.window.y;
        }
        plan->identity =
            plan->kind == NoiseKind::SaltPepper ? plan->threshold == 0 : plan->sigma256 == 0;
        return plan;
    }

    Result<void> runCpu(const Plan& plan, const Image& in, const MutableImage& out,
                        const CpuContext& context) const override {
        return runAddNoiseCpu(static_cast<const AddNoisePlan&>(plan), in, out, context);
    }
};

}  // namespace

const Operation& add_noise_operation() {
    static const AddNoise operation;
    return operation;
}

}  // namespace warpscope
