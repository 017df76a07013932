#include "engine/operations/vector_targets.h"

#include <hwy/highway.h>

#include <atomic>

namespace warpscope {
namespace {

// Highway 1.0.3 has VBMI in a target (AVX3_DL) whose compiler flags also allow the AVX encoding of
// VNNI, which processors with the AVX-512 one need not have; and it uses no instruction of VNNI. So
// both are looked for apart.
constexpr std::string_view kPermutes = "AVX3_VBMI";
constexpr std::string_view kProducts = "AVX3_VNNI";

bool machineHasPermutes() {
#if HWY_ARCH_X86
    static const bool has = (hwy::SupportedTargets() & HWY_TARGETS & HWY_AVX3) != 0 &&
                            __builtin_cpu_supports("avx512vbmi");
    return has;
#else
    return false;
#endif
}

bool machineHasProducts() {
#if HWY_ARCH_X86
    static const bool has = machineHasPermutes() && __builtin_cpu_supports("avx512vnni");
    return has;
#else
    return false;
#endif
}

std::atomic<bool> permutesAllowed{true};
std::atomic<bool> productsAllowed{true};

}  // namespace

std::vector<std::string> vectorTargets() {
    std::vector<std::string> names;
    if (machineHasProducts()) names.emplace_back(kProducts);
    if (machineHasPermutes()) names.emplace_back(kPermutes);
    // All, whatever forceVectorTarget() asked for.
    static const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
    for (const std::int64_t target : targets) names.emplace_back(hwy::TargetName(target));
    return names;
}

bool forceVectorTarget(std::string_view name) {
    vectorTargets();  // remembers the machine's before anything is forced
    hwy::SetSupportedTargetsForTest(0);
    productsAllowed = name.empty() || name == kProducts;
    permutesAllowed = productsAllowed || name == kPermutes;
    if (name.empty() || (name == kPermutes && machineHasPermutes()) ||
        (name == kProducts && machineHasProducts()))
        return true;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        if (hwy::TargetName(target) != name) continue;
        hwy::SetSupportedTargetsForTest(target);
        return true;
    }
    productsAllowed = permutesAllowed = true;
    return false;
}

bool hasBytePermutes() {
    return permutesAllowed && machineHasPermutes();
}

bool hasDotProducts() {
    return productsAllowed && machineHasProducts();
}

}  // namespace warpscope
