// The negative of an image.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

struct InvertPlan final : Plan {};

const Operation& invert_operation();
CpuBody<InvertPlan> runInvertCpu;

}  // namespace warpscope
