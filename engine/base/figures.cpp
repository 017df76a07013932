#include "engine/base/figures.h"

#include <fmt/format.h>

#include <cmath>

namespace warpscope {
namespace {

// Result files can say anything; a figure stays short.
constexpr double kLongest = 1e9;

}  // namespace

std::string msText(double ms) {
    if (!(ms > 0) || !std::isfinite(ms)) return "-";
    if (ms < 0.01) return fmt::format("{:.4f}", ms);
    if (ms < 1) return fmt::format("{:.3f}", ms);
    if (ms < 100) return fmt::format("{:.2f}", ms);
    return ms < kLongest ? fmt::format("{:.0f}", ms) : fmt::format("{:.3g}", ms);
}

std::string ratioText(double factor) {
    return factor >= 1000 && factor < kLongest ? fmt::format("{:.0f}x", factor)
                                               : fmt::format("{:.3g}x", factor);
}

std::string threadsText(int threads) {
    return threads == 1 ? "1 thread" : fmt::format("{} threads", threads);
}

std::string aboutSeconds(double seconds) {
    if (seconds < 120) return fmt::format("{:.0f} s", std::ceil(seconds));
    if (seconds < 7200) return fmt::format("{:.0f} min", std::round(seconds / 60));
    return fmt::format("{:.0f} h", std::round(seconds / 3600));
}

int decimalsOfThreeDigits(double value) {
    if (!(value > 0) || !std::isfinite(value)) return 0;
    const int decimals = 2 - int(std::floor(std::log10(value)));
    // Rounding may carry into the next decade: 9.996 is "10.0", not "10.00".
    return std::round(value * std::pow(10.0, decimals)) >= 1000 ? decimals - 1 : decimals;
}

}  // namespace warpscope
