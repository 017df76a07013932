# What a program without a usable GPU gets; needs none.
if(NOT WARPSCOPE_HAVE_CUDA)
  set(needs_cuda EXCLUDE device_query device_fault)
endif()
warpscope_tests(devices LABELS unit LIBRARIES warpscope_cuda ${needs_cuda})
if(TARGET devices_tests)
  target_compile_definitions(devices_tests PRIVATE WARPSCOPE_KERNELS="${PROJECT_SOURCE_DIR}/cuda_kernels")
endif()
