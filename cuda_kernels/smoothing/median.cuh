// One of the ways to a median, which all give the same bits.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/smoothing/median.h"

namespace warpscope::cuda {

// Selection networks in registers on pairs of samples. Radius 1 and 2, 8 and 16 bits.
void medianByNetwork(KernelContext& context, int radius, const DeviceImage& in,
                     const DeviceImage& out);

// Loads those that no tiny image reaches. Throws CudaFailure.
void loadMedianNetworks();

// What a median replaces: samples that differ from it by more than `threshold`, above it (bright),
// below it (dark).
struct SpeckleRule {
    int threshold;  // 0 to 255
    bool bright, dark;
};
// The same networks, and only speckles are replaced. Radius 1 and 2, 8 bits.
void despeckleByNetwork(KernelContext& context, int radius, const SpeckleRule& rule,
                        const DeviceImage& in, const DeviceImage& out);
void loadDespeckleNetworks();

// Tiles of 4 x 4 pixels, whose windows' common samples are sorted once: of 8 bits radius 2 to 4, of
// gray 5, on devices of compute capability 9.0 and later; of 16 bits radius 2 to 7.
void medianByTiles8(KernelContext& context, int radius, const DeviceImage& in,
                    const DeviceImage& out);
void medianByTiles16(KernelContext& context, int radius, const DeviceImage& in,
                     const DeviceImage& out);
// What the latter does from radius 6 on.
void medianByLargeTiles16(KernelContext& context, int radius, const DeviceImage& in,
                          const DeviceImage& out);
void loadMedianTiles8();
void loadMedianTiles16();

// Bits of 32 pixels at once. Radius 3 to 5, 8 bits.
void medianByPlanes(KernelContext& context, int radius, const DeviceImage& in,
                    const DeviceImage& out);
void loadMedianPlanes();

// Counts of columns that slide down. Radius 3 to 7, 8 bits.
void medianByColumns(KernelContext& context, int radius, const DeviceImage& in,
                     const DeviceImage& out);

// Keys of float samples: sorted columns for radius 1 and 2, by counting for larger ones.
void medianOfFloats(KernelContext& context, int radius, const DeviceImage& in,
                    const DeviceImage& out);

}  // namespace warpscope::cuda
