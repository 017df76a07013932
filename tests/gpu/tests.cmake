# Skipped, with the reason, where there is no usable GPU.
if(WARPSCOPE_HAVE_CUDA)
  warpscope_tests(gpu LABELS gpu LIBRARIES warpscope_cuda TIMEOUT 1200)

  # Times kernels; needs an idle GPU, so it is no test.
  add_executable(kernel_benchmark EXCLUDE_FROM_ALL gpu/kernel_benchmark.cpp)
  target_link_libraries(kernel_benchmark PRIVATE warpscope_engine warpscope_cuda fmt::fmt)
endif()
