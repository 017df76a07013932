// Histogram equalization.
#pragma once

#include <cstdint>
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

struct EqualizePlan final : Plan {
    EqualizeChannels channels = EqualizeChannels::Luma;
    EqualizeMapping mapping = EqualizeMapping::Classic;
    // Set by freeze(): tables taken from another image; nothing is counted then and the plan works
    // on crops. The one of the plan's sample type.
    std::optional<EqualizeTables> frozen;
    std::optional<EqualizeTables16> frozen16;
};

// t(k) for all k from the counts (256 of them; 65,536 for 16 bits), in integers as the definition
// says. Counts may exceed 2^32.
template <class T = std::uint8_t>
std::vector<T> equalizeTable(const std::vector<std::uint64_t>& counts, EqualizeMapping mapping);

const Operation& equalize_operation();
CpuBody<EqualizePlan> runEqualizeCpu;

// Counts `image` (which has plan.input, any size) and makes the tables that plan asks for. Errors:
// Cancelled. T is the sample type of the image.
template <class T>
Result<EqualizeTablesOf<T>> equalizeTablesCpu(const EqualizePlan& plan, const Image& image,
                                              const CpuContext& context);

// min(L - 1, (2 v mapped + luma) / (2 luma)) for the colours v of each pixel, v itself where luma
// is 0; alpha stays. Any combination of values is exact, also those that no pixel of such a luma
// has.
void scaleByLuma(const std::uint8_t* rgba, const std::uint8_t* luma, const std::uint8_t* mapped,
                 std::uint8_t* out, int width);
void scaleByLuma(const std::uint16_t* rgba, const std::uint16_t* luma, const std::uint16_t* mapped,
                 std::uint16_t* out, int width);

}  // namespace warpscope
