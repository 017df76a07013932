// Histogram equalization.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/operations/operation.h"

namespace warpscope {

enum class EqualizeChannels { Luma, Each };
enum class EqualizeMapping { Classic, Full };

// One table a channel: new value for each of the 256 old ones. Luma uses red only; gray images use
// red only.
struct EqualizeTables {
    std::vector<std::uint8_t> red, green, blue;
};

struct EqualizePlan final : Plan {
    EqualizeChannels channels = EqualizeChannels::Luma;
    EqualizeMapping mapping = EqualizeMapping::Classic;
    // Set by freeze(): tables taken from another image; nothing is counted then and the plan works
    // on crops.
    std::optional<EqualizeTables> frozen;
};

// t(k) for all k from the counts (256 of them), in integers as the definition says. Counts may
// exceed 2^32.
std::vector<std::uint8_t> equalizeTable(const std::vector<std::uint64_t>& counts,
                                        EqualizeMapping mapping);

const Operation& equalize_operation();

}  // namespace warpscope
