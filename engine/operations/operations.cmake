# The operations of Warpscope, a line each, in the order in which lists show them. FOLDER/NAME stands for
#   engine/operations/FOLDER/NAME.h, NAME.cpp, NAME_cpu.cpp   description and plan; body for the CPU (further files: NAME_rows, NAME_published)
#   cuda_kernels/FOLDER/NAME.cu                               body for CUDA
#   tests/operations/FOLDER/NAME_test.cpp                     its own traps (what all operations share is tested from the list)
# NAME.cpp defines `const Operation& NAME_operation()`; NAME.cu defines `cudaRunner_NAME` (see cuda_kernels/runtime/runner.h).
set(WARPSCOPE_OPERATIONS
  tone/grayscale
  tone/invert
  tone/levels
  tone/curves
  tone/saturation
  tone/equalize
  tone/clahe
  tone/threshold
  tone/adaptive_threshold
  tone/extract_channel
  tone/false_colour
  smoothing/gaussian_blur
  smoothing/box_mean
  smoothing/median
  smoothing/nl_means
  smoothing/bilateral
  smoothing/guided_filter
  smoothing/unsharp_mask
  smoothing/difference_of_gaussians
  smoothing/despeckle
  edges/gradient
  edges/laplacian
  edges/canny
  edges/convolve
  morphology/morphology
  morphology/local_statistics
  morphology/connected_components
  morphology/components
  morphology/distance_transform
  analysis/integral_image
  noise/add_noise
  combine/blend
  geometry/crop
  geometry/flip_rotate
  geometry/resize
  geometry/rotate
  analysis/histogram
  analysis/statistics
)
