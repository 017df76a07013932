// Whether what a chain gives are numbers of objects.
#pragma once

#include "engine/pipeline/pipeline.h"

namespace warpscope::gui {

// False colour and what measures take labels; no step gives them on.
bool givesLabels(const Pipeline& pipeline);

}  // namespace warpscope::gui
