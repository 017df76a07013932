// Values of parameters in JSON, for pipeline and timing files: numbers, texts, points as
// [[0, 0], [255, 255]], matrices as lists of rows.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/operations/parameters.h"

namespace warpscope {

nlohmann::ordered_json parameterToJson(const ParamValue& value);
// An object, in the set's order.
nlohmann::ordered_json parametersToJson(const ParamSet& parameters);

// What the JSON says, whatever parameter it is for. Rows of two are points: matrices have odd
// sides. Errors (InvalidArgument) without a place.
Result<ParamValue> parameterFromJson(const nlohmann::json& value);

}  // namespace warpscope
