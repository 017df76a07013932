warpscope_test(gpu backends LABELS unit LIBRARIES warpscope_cuda)
if(WARPSCOPE_HAVE_CUDA)
  warpscope_test(gpu device_query LABELS unit LIBRARIES warpscope_cuda)
  # Skipped, with the reason, where there is no usable GPU.
  foreach(name backend parity paths faults nl_means variants more_operations repeated_runs)
    warpscope_test(gpu ${name} LABELS gpu LIBRARIES warpscope_cuda)
  endforeach()
  set_tests_properties(gpu.parity PROPERTIES TIMEOUT 1200)

  # Times kernels; needs an idle GPU, so it is no test.
  add_executable(kernel_benchmark EXCLUDE_FROM_ALL gpu/kernel_benchmark.cpp)
  target_link_libraries(kernel_benchmark PRIVATE warpscope_engine warpscope_cuda fmt::fmt)
endif()
