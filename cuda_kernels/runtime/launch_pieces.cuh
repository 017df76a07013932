// Launches of some blocks of a grid at a time, where the rows that blocks need are too much for one
// launch: kernels add the number of the first block to their own.
#pragma once

#include <cstdint>
#include <numeric>

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/runtime/launch_model.h"

namespace warpscope::cuda {

inline LaunchLimits limitsOf(const KernelContext& context) {
    return {context.traits().bytesPerLaunch, context.traits().multiplicationsPerLaunch};
}

// As launch(), of blocks that may be none.
template <class... Expected, class... Given>
void launchRange(KernelContext& context, const char* name, const BlockRange& blocks,
                 unsigned threads, std::size_t sharedBytes, void (*kernel)(Expected...),
                 Given&&... arguments) {
    if (blocks.count)
        launch(context, name, blocks.count, threads, sharedBytes, kernel,
               std::forward<Given>(arguments)...);
}

// Calls launchPiece(first, last, pass, piece) for bands of rows that cover [0, rows), in each for
// the passes one after the other and for the pieces of each. A stop takes effect between bands, as
// of KernelContext::forEachBand, or between pieces where a pass has more than one.
template <std::size_t kPasses, class LaunchPiece>
void forEachPiece(KernelContext& context, int rows, int rowsPerBand, const int (&pieces)[kPasses],
                  LaunchPiece&& launchPiece) {
    const int each = std::accumulate(pieces, pieces + kPasses, 0);
    if (each == int(kPasses))
        return context.forEachBand(rows, rowsPerBand, [&](int first, int last) {
            for (int pass = 0; pass < int(kPasses); ++pass) launchPiece(first, last, pass, 0);
        });
    const int bands = int(divideUp(unsigned(rows), unsigned(rowsPerBand)));
    context.forEachBand(bands * each, 1, [&](int index, int) {
        const int first = index / each * rowsPerBand;
        int pass = 0, piece = index % each;
        while (piece >= pieces[pass]) piece -= pieces[pass++];
        launchPiece(first, first + std::min(rowsPerBand, rows - first), pass, piece);
    });
}

// Of one pass in bands of cut.rows; `blocks`: of such a band.
template <class LaunchPiece>
void forEachPiece(KernelContext& context, int rows, const LaunchCut& cut, std::int64_t blocks,
                  LaunchPiece&& launchPiece) {
    forEachPiece(context, rows, cut.rows, {cut.pieces(blocks)},
                 [&](int first, int last, int, int piece) { launchPiece(first, last, piece); });
}

}  // namespace warpscope::cuda
