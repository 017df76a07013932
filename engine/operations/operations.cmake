# The operations of Warpscope, a line each, in the order in which lists show them. FOLDER/NAME stands for
#   engine/operations/FOLDER/NAME.h, NAME.cpp, NAME_cpu.cpp   description and plan; body for the CPU (further files: NAME_rows, NAME_published)
#   cuda_kernels/FOLDER/NAME.cu                               body for CUDA
#   tests/operations/FOLDER/NAME_test.cpp                     its own traps (what all operations share is tested from the list)
# NAME.cpp defines `const Operation& NAME_operation()`; NAME.cu defines `cudaRunner_NAME` (see cuda_kernels/runtime/runner.h).
set(WARPSCOPE_OPERATIONS
  tone/grayscale
  tone/invert
  tone/curves
  tone/levels
  tone/saturation
  tone/extract_channel
  tone/false_colour
  tone/threshold
  tone/adaptive_threshold
  smoothing/gaussian_blur
  tone/equalize
  tone/clahe
  analysis/integral_image
  smoothing/box_mean
  smoothing/median
  smoothing/nl_means
  edges/gradient
  edges/laplacian
  edges/canny
  edges/convolve
  smoothing/unsharp_mask
  smoothing/difference_of_gaussians
  smoothing/despeckle
  morphology/morphology
  morphology/local_statistics
  noise/add_noise
  combine/blend
  geometry/crop
  geometry/flip_rotate
  analysis/histogram
  analysis/statistics
)
