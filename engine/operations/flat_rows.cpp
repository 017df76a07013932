#include "engine/operations/flat_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/flat_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "engine/operations/rows_ahead.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

HWY_ATTR void flipWords(const std::byte* in, std::byte* out, std::size_t bytes,
                        std::uint64_t flipped, bool stream) {
    const hn::ScalableTag<std::uint64_t> d;
    const std::size_t step = hn::Lanes(d) * sizeof(std::uint64_t);
    const auto bits = hn::Set(d, flipped);
    const auto one = [&](std::size_t at) HWY_ATTR {
        if (stream) fetchAhead(in + at);
        const auto made =
            hn::Xor(hn::LoadU(d, reinterpret_cast<const std::uint64_t*>(in + at)), bits);
        auto* to = reinterpret_cast<std::uint64_t*>(out + at);
        if (stream)
            hn::Stream(made, d, to);
        else
            hn::StoreU(made, d, to);
    };
    std::size_t i = 0;
    for (; i + 4 * step <= bytes; i += 4 * step)
        for (std::size_t k = 0; k < 4; ++k) one(i + k * step);
    for (; i + step <= bytes; i += step) one(i);
    // What is left is shorter than a vector; its bits are those from a word's begin.
    for (; i < bytes; i += sizeof(flipped)) {
        const std::size_t count = bytes - i < sizeof(flipped) ? bytes - i : sizeof(flipped);
        std::uint64_t word = 0;
        std::memcpy(&word, in + i, count);
        word ^= flipped;
        std::memcpy(out + i, &word, count);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(flipWords);

void flipRow(const std::byte* in, std::byte* out, std::size_t bytes, std::uint64_t flipped,
             bool stream) {
    HWY_DYNAMIC_DISPATCH(flipWords)(in, out, bytes, flipped, stream);
}

}  // namespace warpscope

#endif  // HWY_ONCE
