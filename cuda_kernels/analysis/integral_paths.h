// The ways to an integral image. All give the same bits; integral_image.cu picks one.
#pragma once

#include "cuda_kernels/runtime/runner.h"
#include "engine/operations/analysis/integral_image.h"

namespace warpscope::cuda {

// Sums along the rows, then down the columns, one thread a line. Lines are cut into segments that
// carry on from what the one before them wrote.
void integralRowsThenColumns(KernelContext& context, const IntegralImagePlan& plan,
                             const DeviceImage& in, const DeviceImage& out);

// Blocks of four by four pixels in six steps. The image counts as padded with zeros up to whole
// blocks; nothing is stored there. Each band of rows continues below the one before it.
void integralBlocked4x4(KernelContext& context, const IntegralImagePlan& plan,
                        const DeviceImage& in, const DeviceImage& out);

}  // namespace warpscope::cuda
