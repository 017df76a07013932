# The operations of Warpscope, a line each, in the order in which lists show them. A stem NAME stands for
#   engine/operations/NAME.h, NAME.cpp, NAME_cpu.cpp   description and plan; body for the CPU
#   cuda_kernels/NAME.cu                               body for CUDA
#   tests/operations/NAME_test.cpp                     its own traps (what all operations share is tested from the list)
# NAME.cpp defines `const Operation& NAME_operation()`; NAME.cu defines `cudaRunner_NAME` (see cuda_kernels/runner.h).
set(WARPSCOPE_OPERATIONS
  grayscale
  gaussian_blur
  equalize
  integral_image
  box_mean
  median
  nl_means
  add_noise
  histogram
)
