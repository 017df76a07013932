// Histogram equalization.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/operations/operation.h"

namespace warpscope {

enum class EqualizeChannels { Luma, Each };
enum class EqualizeMapping { Classic, Full };

// One table a channel: new value for each of the 256 or 65,536 old ones. Luma uses red only; gray
// images use red only.
template <class T>
struct EqualizeTablesOf {
    std::vector<T> red, green, blue;
};
using EqualizeTables = EqualizeTablesOf<std::uint8_t>;
using EqualizeTables16 = EqualizeTablesOf<std::uint16_t>;

// Float: the finite values of a channel. Nothing is mapped unless there are two of them.
struct EqualizeRange {
    float low = 0;
    float high = 0;

    constexpr bool maps() const { return low < high; }
    // Of a number, infinite ones included, where maps(). In double, so that every machine finds the
    // same bin.
    constexpr std::uint32_t bin(float v) const {
        const double at = (double(v) - double(low)) * 65536.0 / (double(high) - double(low));
        return at >= 65535.0 ? 65535u : at > 0.0 ? std::uint32_t(at) : 0u;
    }
};
// `t` is the new luma in 1/65535 of white, `luma` and `v` the old luma and colour.
constexpr float equalizedColor(float v, std::uint32_t t, float luma) {
    constexpr float kMost = std::numeric_limits<float>::max();
    const float wanted = float(t) / 65535.0f;
    if (luma == 0.0f) return v;
    if (luma > kMost || luma < -kMost) return v > kMost || v < -kMost ? wanted : 0.0f;
    return v * wanted / luma;
}

struct EqualizeTablesFloat {
    bool each = false;
    // Red, green, blue, or the one of luma or gray.
    std::vector<std::uint16_t> table[3];
    EqualizeRange range[3];

    // The function of one channel.
    struct Map {
        const std::uint16_t* table;
        EqualizeRange range;
        float operator()(float v) const {
            return v == v && range.maps() ? float(table[range.bin(v)]) / 65535.0f : v;
        }
    };
    Map of(int channel) const { return {table[channel].data(), range[channel]}; }
};

struct EqualizePlan final : Plan {
    EqualizeChannels channels = EqualizeChannels::Luma;
    EqualizeMapping mapping = EqualizeMapping::Classic;
    // Set by freeze(): tables taken from another image; nothing is counted then and the plan works
    // on crops. The one of the plan's sample type.
    std::optional<EqualizeTables> frozen;
    std::optional<EqualizeTables16> frozen16;
    std::optional<EqualizeTablesFloat> frozenFloat;
};

// t(k) for all k from the counts (256 of them; 65,536 for 16 bits), in integers as the definition
// says. Counts may exceed 2^32.
template <class T = std::uint8_t>
std::vector<T> equalizeTable(const std::vector<std::uint64_t>& counts, EqualizeMapping mapping);

const Operation& equalize_operation();
CpuBody<EqualizePlan> runEqualizeCpu;
// Float samples.
CpuBody<EqualizePlan> runEqualizeFloat;

// Counts `image` (which has plan.input, any size) and makes the tables that plan asks for. Errors:
// Cancelled. T is the sample type of the image.
template <class T>
Result<EqualizeTablesOf<T>> equalizeTablesCpu(const EqualizePlan& plan, const Image& image,
                                              const CpuContext& context);

// The same for float samples.
Result<EqualizeTablesFloat> equalizeTablesFloat(const EqualizePlan& plan, const Image& image,
                                                const CpuContext& context);

// What they are made of: the finite values of luma or gray, or of each colour.
struct FloatCounts {
    EqualizeRange range[3];
    // 65,536 bins over it; of a channel that is not counted none.
    std::vector<std::uint64_t> counts[3];
};
// Errors: Cancelled.
Result<FloatCounts> countFloats(const Image& image, bool each, const CpuContext& context);

// min(L - 1, (2 v mapped + luma) / (2 luma)) for the colours v of each pixel, v itself where luma
// is 0; alpha stays. Any combination of values is exact, also those that no pixel of such a luma
// has.
void scaleByLuma(const std::uint8_t* rgba, const std::uint8_t* luma, const std::uint8_t* mapped,
                 std::uint8_t* out, int width);
void scaleByLuma(const std::uint16_t* rgba, const std::uint16_t* luma, const std::uint16_t* mapped,
                 std::uint16_t* out, int width);

}  // namespace warpscope
