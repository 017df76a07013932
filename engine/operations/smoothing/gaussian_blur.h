// Separable Gaussian filter in fixed point.
#pragma once

#include <functional>
#include <vector>

#include "engine/operations/operation.h"

namespace warpscope {

inline constexpr int kMaxGaussianSize = 1001;
inline constexpr int kMaxDirectGaussianSize = 31;  // of the variant direct_2d

struct GaussianBlurPlan final : Plan {
    int radius = 0;
    // 2 radius + 1 symmetric weights; they sum to 65,536 exactly. A single tap is 65,536
    // (identity), which is why they are 32 bits wide.
    std::vector<std::uint32_t> taps;
    // Float samples: these instead, also 2 radius + 1 symmetric ones.
    std::vector<float> floatTaps;
};

// Weights for sigma (pixels) and an odd size, as the definition says: proportional to exp(-i^2 / 2
// sigma^2), rounded to 16-bit fixed point, residue added to the centre. Symmetric.
std::vector<std::uint32_t> gaussianTaps(double sigma, int size);

// The same for float samples: rounded to float, those below 2^-126 are 0; the centre is what the
// others leave of 1.
std::vector<float> gaussianTapsFloat(double sigma, int size);

// size 0 means automatic: 2 ceil(3 sigma) + 1, at most kMaxGaussianSize.
int gaussianSize(double sigma, int size);

const Operation& gaussian_blur_operation();
CpuBody<GaussianBlurPlan> runGaussianBlurCpu;

// What goes on with a blurred image, row by row while it is in the cache.
struct RowFinish {
    // Columns [x, x + width) of row y of the result are there. They may be changed; what lies
    // around them may not be there, or be finished already, and is not to be read. Every
    // pixel is in exactly one call, but after a stop, and calls come from several threads at once.
    std::function<void(int x, int width, int y)> row;
    double nanosecondsPerPixel = 0;  // of one thread, roughly
};
// As runGaussianBlurCpu(), for a plan that is no identity.
Result<void> blurAndFinish(const GaussianBlurPlan& plan, const Image& in, const MutableImage& out,
                           const CpuContext& context, const RowFinish& finish);
// The plan's variant, not automatic.
CpuBody<GaussianBlurPlan> runGaussianBlurPublished;
// Float samples, every variant.
CpuBody<GaussianBlurPlan> runGaussianBlurFloat;

}  // namespace warpscope
