#include "gui/document/label_result.h"

#include <algorithm>

namespace warpscope::gui {

bool givesLabels(const Pipeline& pipeline) {
    const auto last = std::find_if(pipeline.steps.rbegin(), pipeline.steps.rend(),
                                   [](const Step& step) { return step.enabled; });
    return last != pipeline.steps.rend() && last->operation == "connected_components";
}

}  // namespace warpscope::gui
