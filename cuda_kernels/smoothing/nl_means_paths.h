// The ways to run NL-means; nl_means.cu picks one. All agree with the double-precision definition
// within 1 level of 8 bits, 4 levels of 16 bits.
#pragma once

#include "cuda_kernels/runtime/runner.h"
#include "engine/operations/smoothing/nl_means.h"

namespace warpscope::cuda {

// Nothing but input and output in device memory: 8-bit gray, patch radius 1 to 3.
bool canRunNlMeansFused(const DeviceTraits& traits, const NlMeansPlan& plan);
void runNlMeansFused(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                     const DeviceImage& out);

// The same for every plan of 8 bits, with sliding sums that are made once an offset.
void runNlMeansSliding(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                       const DeviceImage& out);

// The same for every plan of 16 bits.
void runNlMeansWide(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                    const DeviceImage& out);

// As published, for 8 and 16 bits, see nl_means_published.cu.
void runNlMeansDirect(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                      const DeviceImage& out);
void runNlMeansIntegralPerOffset(KernelContext& context, const NlMeansPlan& plan,
                                 const DeviceImage& in, const DeviceImage& out);
void runNlMeansIntegralRows(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                            const DeviceImage& out);

}  // namespace warpscope::cuda
