// Black, white and gamma: tables of integers, the formula for float.
#include "engine/operations/tone/levels.h"

#include "cuda_kernels/runtime/pointwise.cuh"

namespace warpscope::cuda {
namespace {

struct LevelsMap {
    // A power of doubles.
    struct Tuning : PointwiseBody {
        static constexpr int kWork = 384;
    };
    SampleLevels levels;
    bool changes[3];

    __device__ float operator()(float v, int channel) const {
        return changes[channel] ? levels(v) : v;
    }
};

template <class T>
TableMap<T> mapOf(KernelContext& context, const LevelsPlan& plan, const std::vector<T>& table) {
    if (plan.changesAll()) return {tablesOnDevice<T>(context, "levels", {&table}), 0};
    static const std::vector<T> unchanged = unchangedLevels<T>();
    const auto of = [&](int c) { return plan.changes[c] ? &table : &unchanged; };
    return {tablesOnDevice<T>(context, "levels", {of(0), of(1), of(2)}), 1 << (8 * sizeof(T))};
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const LevelsPlan&>(given);
    if (isFloat(in.format))
        mapSamples<float>(
            context, "levels", in, out,
            LevelsMap{plan.samples, {plan.changes[0], plan.changes[1], plan.changes[2]}});
    else if (bytesPerSample(in.format) == 1)
        mapSamples<std::uint8_t>(context, "levels", in, out, mapOf(context, plan, plan.table));
    else
        mapSamples<std::uint16_t>(context, "levels 16 bits", in, out,
                                  mapOf(context, plan, plan.table16));
}

// The parameters by default change nothing in integers, and no kernel runs.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets(2);
    for (ParamSet& set : sets) set.set("gamma", 2.0);
    sets[1].set("channels", std::string("red"));
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(levels, .run = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
