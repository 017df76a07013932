// Which pixels a draft needs.
#pragma once

#include <limits>

#include "engine/pipeline/chain_shape.h"
#include "engine/worker/render_request.h"

namespace warpscope {

struct DraftPlan {
    int level = 0;         // of the source's pyramid
    double scale = 1.0;    // its pixels per image pixel: 2^-level
    Rect visible;          // in pixels of the reduced result; what the picture shows
    Rect needed;           // of the level: what `visible` is made of
    Rect roomy;            // as needed, with a halo that changes rarely while a slider is dragged
    Rect covered;          // `visible` in pixels of the result
    int wholeLevel = -1;   // statistics of the whole image come from this level; -1: not needed
    bool exact = false;    // full scale, nothing approximated
    double guessedMs = 0;  // by the operations themselves

    bool empty() const { return visible.empty(); }
};

// The level whose image lies in the whole as a draft sees it.
Placement placementOfLevel(const Pyramid& source, int level);

// How long a draft may take, and what is known of how long it does.
struct DraftPace {
    double budgetMs = std::numeric_limits<double>::infinity();
    // Milliseconds that pass per millisecond that the operations guess, of chains like this one.
    double msPerGuess = 1.0;
    // The level of the draft before this one, of the same chain; -1: there was none.
    int lastLevel = -1;
};

// A draft works on the coarsest level that has a sample for each screen pixel, or, where that would
// take too long, on one that is coarser still, by three levels at most; few pixels are never made
// fewer. Statistics of the whole image are taken from a level of about half a megapixel.
DraftPlan planDraft(const Pyramid& source, const Pipeline& pipeline, const Viewport& viewport,
                    const DraftPace& pace = {});

}  // namespace warpscope
