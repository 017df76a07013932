#include "support/random_seed.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>

namespace warpscope::test {
namespace {

std::mt19937 seriesOfSeeds() {
    const char* given = std::getenv("WARPSCOPE_SEED");
    const auto seed =
        given ? std::uint32_t(std::strtoul(given, nullptr, 10)) : std::random_device{}();
    std::fprintf(stderr, "WARPSCOPE_SEED=%u repeats what chance gives here\n", unsigned(seed));
    return std::mt19937(seed);
}

}  // namespace

std::uint32_t freshSeed() {
    static std::mutex mutex;  // guards seeds
    static std::mt19937 seeds = seriesOfSeeds();
    const std::lock_guard lock(mutex);
    return std::uint32_t(seeds());
}

QRandomGenerator* freshRandom() {
    static QRandomGenerator random(freshSeed());
    return &random;
}

}  // namespace warpscope::test
