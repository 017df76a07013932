// Arithmetic on sizes that says when it would overflow. All image sizes are computed with these.
#pragma once

#include <cstdint>
#include <optional>

namespace warpscope {

inline std::optional<std::uint64_t> checkedMultiply(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
    return product;
}

inline std::optional<std::uint64_t> checkedAdd(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
    return sum;
}

// Product of any number of factors, nothing if it does not fit in 64 bits.
template <class... Rest>
std::optional<std::uint64_t> checkedProduct(std::uint64_t first, Rest... rest) {
    std::optional<std::uint64_t> product = first;
    ((product = product ? checkedMultiply(*product, static_cast<std::uint64_t>(rest)) : product),
     ...);
    return product;
}

}  // namespace warpscope
