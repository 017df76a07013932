# CudaBackend on a GPU that is none: the host side of cuda_kernels a second time, with a runtime and runners of the tests' own, for builds with and
# without CUDA. As objects with hidden names: the program that links them has this backend, while the shared libraries beside it keep theirs.
file(GLOB host_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cuda_kernels/runtime/*.cpp)
list(FILTER host_sources EXCLUDE REGEX "/no_cuda\\.cpp$")
file(GLOB fake_sources CONFIGURE_DEPENDS fake_cuda/*.cpp)
add_library(warpscope_fake_cuda OBJECT ${host_sources} ${fake_sources})
set_target_properties(warpscope_fake_cuda PROPERTIES CXX_VISIBILITY_PRESET hidden EXCLUDE_FROM_ALL ON)
target_include_directories(warpscope_fake_cuda PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/fake_cuda/include)
target_link_libraries(warpscope_fake_cuda PUBLIC warpscope_backend)

# The same functions under CUDA's own declarations: what differs from them does not compile.
if(WARPSCOPE_HAVE_CUDA)
  list(FILTER fake_sources EXCLUDE REGEX "/fake_runners\\.cpp$")
  add_library(warpscope_fake_cuda_check OBJECT ${fake_sources})
  target_include_directories(warpscope_fake_cuda_check PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(warpscope_fake_cuda_check PRIVATE warpscope_options)
endif()
