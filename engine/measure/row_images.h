// The two results behind one row of a benchmark, computed again to be looked at: a verdict names
// one pixel, the pictures show all of them.
#pragma once

#include "engine/measure/peers.h"
#include "engine/measure/timing.h"

namespace warpscope {

struct RowImages {
    Image reference;  // `automatic` on one thread
    Image other;      // the row's variant on the row's backend
};

// `row` is of a filter and was measured on this machine. `imageAtHand` is used where the row is of
// a named image; other inputs are made again as the benchmark made them.
// Errors: InvalidArgument for an analysis, which gives no image; NotFound where the input is not
// the one that was timed (by its hash) or the backend is not here; Cancelled; those of backends.
Result<RowImages> imagesOfRow(const BackendSet& backends, const PeerSet& peers,
                              const StepTiming& row, const Image& imageAtHand,
                              const RunContext& context);

}  // namespace warpscope
