# Measures; no test, and built only when asked for: it needs a quiet machine and an optimized build.
add_executable(warpscope_cpu_benchmark EXCLUDE_FROM_ALL benchmark/cpu_operations.cpp)
target_include_directories(warpscope_cpu_benchmark PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(warpscope_cpu_benchmark PRIVATE warpscope_engine warpscope_test_support)
if(TARGET warpscope_opencv)
  target_compile_definitions(warpscope_cpu_benchmark PRIVATE WARPSCOPE_HAVE_OPENCV=1 WARPSCOPE_HAVE_OPENCV_PHOTO=1)
  target_link_libraries(warpscope_cpu_benchmark PRIVATE warpscope_opencv)
endif()

add_executable(warpscope_operation_costs EXCLUDE_FROM_ALL benchmark/operation_costs.cpp)
target_include_directories(warpscope_operation_costs PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(warpscope_operation_costs PRIVATE warpscope_engine warpscope_test_support)

add_executable(warpscope_gpu_latency EXCLUDE_FROM_ALL benchmark/gpu_latency.cpp)
target_link_libraries(warpscope_gpu_latency PRIVATE warpscope_engine warpscope_cuda warpscope_options)

if(TARGET warpscope_gui)
  add_executable(warpscope_slider_latency EXCLUDE_FROM_ALL benchmark/slider_latency.cpp)
  target_link_libraries(warpscope_slider_latency PRIVATE warpscope_gui Qt6::Test)
endif()

# What profile-kernels makes of Nsight Compute's tables needs neither it nor a GPU. A name with a dash: see installer/CMakeLists.txt.
find_program(WARPSCOPE_PYTHON python3)
if(WARPSCOPE_PYTHON AND NOT WARPSCOPE_SANITIZE)
  add_test(NAME benchmark.try-profile-kernels COMMAND ${WARPSCOPE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/benchmark/try-profile-kernels)
  set_tests_properties(benchmark.try-profile-kernels PROPERTIES LABELS benchmark)
endif()
