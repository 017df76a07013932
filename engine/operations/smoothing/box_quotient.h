// Means of 16-bit samples by products instead of quotients.
#pragma once

#include <cstdint>
#include <optional>

namespace warpscope {

// (s + n / 2) / n, of a sum s of n samples of 16 bits, n odd, as (s + addend) factor / 2^bits.
struct BoxQuotient {
    std::uint32_t addend = 0;
    std::uint32_t factor = 0;
    int bits = 0;

    // With t = s + n / 2 and error e, either of two is the same whole number as t / n:
    // factor n = 2^bits + e, which is t e / (n 2^bits) too much: less than the 1 / n that there is
    // up to the next whole number if t e < 2^bits; or factor n = 2^bits - e and t + 1 in place of
    // t, which adds 1 / n and takes (t + 1) e / (n 2^bits) away: not more if (t + 1) e <= 2^bits.
    // Empty where t + 1 does not fit 32 bits (n above 65,535) and for n = 1.
    static constexpr std::optional<BoxQuotient> of16(std::uint32_t n) {
        const std::uint64_t most = std::uint64_t(n) * 65535 + n / 2;
        if (n < 3 || n % 2 == 0 || (most + 1) >> 32) return std::nullopt;
        int bits = 32;
        while (n >> (bits - 31)) ++bits;
        const std::uint64_t one = std::uint64_t(1) << bits;
        const std::uint64_t down = one / n, over = (down + 1) * n - one, under = one - down * n;
        if (!((down + 1) >> 32) && most * over < one)
            return BoxQuotient{n / 2, std::uint32_t(down + 1), bits};
        if ((most + 1) * under <= one) return BoxQuotient{n / 2 + 1, std::uint32_t(down), bits};
        return std::nullopt;
    }

    constexpr std::uint32_t of(std::uint32_t sum) const {
        return std::uint32_t((std::uint64_t(sum + addend) * factor) >> bits);
    }
};

}  // namespace warpscope
