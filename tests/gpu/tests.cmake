# Skipped, with the reason, where there is no usable GPU.
if(WARPSCOPE_HAVE_CUDA)
  warpscope_tests(gpu LABELS gpu LIBRARIES warpscope_cuda TIMEOUT 1200)

  # Faults the device on purpose, so it has a process of its own. The hyphens tell the bundle that this is no program of tests.
  if(TARGET gpu_tests)
    add_executable(illegal-address-program gpu/illegal_address.cpp gpu/illegal_address_kernel.cu)
    warpscope_kernels(illegal-address-program)
    target_link_libraries(illegal-address-program PRIVATE warpscope_engine warpscope_cuda fmt::fmt)
    add_dependencies(gpu_tests illegal-address-program)
    # Takes all memory of the GPU: others would see their own runs fall back.
    set_tests_properties(gpu.no_memory PROPERTIES RUN_SERIAL ON)
  endif()

  # Times kernels; needs an idle GPU, so it is no test.
  add_executable(kernel_benchmark EXCLUDE_FROM_ALL gpu/kernel_benchmark.cpp)
  target_link_libraries(kernel_benchmark PRIVATE warpscope_engine warpscope_cuda fmt::fmt)
endif()
