// What is tried in a test strip, as a value.
#pragma once

#include <QString>

namespace warpscope::gui {

struct StripState {
    QString across;  // ids of parameters; empty: the first, or none
    int acrossCount = 9;
    QString down;
    int downCount = 3;
    bool wholeRange = false;
    bool laterSteps = true;
    friend bool operator==(const StripState&, const StripState&) = default;
};

}  // namespace warpscope::gui
