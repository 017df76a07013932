// Squares on 8-bit images, both directions in one launch.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// What is made of a square. Difference: the largest sample less the smallest.
enum class SquareOf { Least, Most, Difference };

// Calls work.operator()<what>().
template <class Work>
void forSquareOf(SquareOf what, Work&& work) {
    switch (what) {
        case SquareOf::Least:
            return work.template operator()<SquareOf::Least>();
        case SquareOf::Most:
            return work.template operator()<SquareOf::Most>();
        case SquareOf::Difference:
            return work.template operator()<SquareOf::Difference>();
    }
}

// Whether runSquare() takes that radius on images of this format.
bool fitsSquare(const KernelContext& context, PixelFormat format, int radius, SquareOf what);

// Alpha stays as it is. `out` must not be `in`.
void runSquare(KernelContext& context, int radius, SquareOf what, const DeviceImage& in,
               const DeviceImage& out);

}  // namespace warpscope::cuda
