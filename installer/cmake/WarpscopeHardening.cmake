# What the compiler and the linker can do so that a fault in reading a hostile file ends the program instead of running somebody's code.
# installer/check-hardening looks at the built programs for each of these.
include(CheckPIESupported)
include(CheckCXXSourceCompiles)
check_pie_supported(LANGUAGES CXX)

# Level 3 also knows sizes that are computed at run time. It wants GCC 12 or Clang 9, and a C library that has it; level 2 is everywhere.
set(CMAKE_REQUIRED_FLAGS "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -Werror")
check_cxx_source_compiles("#include <string.h>
#if !defined(__USE_FORTIFY_LEVEL) || __USE_FORTIFY_LEVEL < 3
#error level 3 is not known
#endif
int main() { return 0; }" WARPSCOPE_FORTIFY_3)
set(CMAKE_REQUIRED_FLAGS "")
set(fortify $<IF:$<BOOL:${WARPSCOPE_FORTIFY_3}>,3,2>)

set(guards -fstack-protector-strong)
foreach(flag -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "WARPSCOPE_HAS${flag}" known)
  set(CMAKE_REQUIRED_FLAGS "${flag} -Werror")
  check_cxx_source_compiles("int main() { return 0; }" ${known})
  set(CMAKE_REQUIRED_FLAGS "")
  if(${known})
    list(APPEND guards ${flag})
  endif()
endforeach()

# The standard library's own checks ([] of a vector, an empty optional) come with it. A build without optimization has no fortified calls.
target_compile_options(warpscope_options INTERFACE
  "$<${cxx_only}:${guards};-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${fortify};-D_GLIBCXX_ASSERTIONS>")
string(REPLACE ";" "," guards_for_nvcc "${guards}")
target_compile_options(warpscope_options INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${guards_for_nvcc}>)
# All symbols are bound at the start and the table is read-only from then on; no stack runs code.
target_link_options(warpscope_options INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
