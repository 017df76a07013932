// The explicit list of operations. Made from engine/operations/operations.cmake at configure time;
// no static initializers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/operations/operation.h"

namespace warpscope {

// All operations, filters and analyses, in the order of operations.cmake. They live as long as the
// program.
const std::vector<const Operation*>& allOperations();

// Null if there is none of that id.
const Operation* findOperation(std::string_view id);

// As findOperation; the error (NotFound) names the ids there are.
Result<const Operation*> requireOperation(std::string_view id);

}  // namespace warpscope
