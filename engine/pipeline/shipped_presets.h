// Chains that many people want, shipped as pipeline files: resources/presets/ID.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/pipeline/pipeline.h"

namespace warpscope {

struct ShippedPreset {
    std::string id;  // "document-scan"
    std::string label;
    std::string summary;  // what it is for, and what to set
    Pipeline pipeline;
};

// In the order in which they are offered.
const std::vector<ShippedPreset>& shippedPresets();

// "document-scan". Errors: NotFound, which names those that there are.
Result<Pipeline> shippedPreset(std::string_view id);

}  // namespace warpscope
