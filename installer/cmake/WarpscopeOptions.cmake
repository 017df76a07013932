# Compiler options that every target of ours takes, as one interface library.
add_library(warpscope_options INTERFACE)
target_include_directories(warpscope_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(warpscope_options INTERFACE WARPSCOPE_VERSION="${PROJECT_VERSION}")
set(cxx_only "$<COMPILE_LANGUAGE:CXX>")
target_compile_options(warpscope_options INTERFACE
  $<${cxx_only}:-Wall> $<${cxx_only}:-Wextra> $<${cxx_only}:-Wshadow> $<${cxx_only}:-Wnon-virtual-dtor>
  $<${cxx_only}:-Woverloaded-virtual> $<${cxx_only}:-ffp-contract=off>)
if(BUILD_SHARED_LIBS)
  # Nobody replaces our functions from outside: calls within a library may be inlined and bound at once. A layer that uses what it
  # does not link against fails here and not on somebody's machine (the sanitizers' own symbols come with the program).
  target_compile_options(warpscope_options INTERFACE $<${cxx_only}:-fno-semantic-interposition>)
  if(NOT WARPSCOPE_SANITIZE)
    target_link_options(warpscope_options INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:-Wl,--no-undefined,-Bsymbolic-functions>)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(warpscope_options INTERFACE $<${cxx_only}:-Wno-restrict>
    # GCC 12 cries wolf over std::string, more so when its header comes precompiled.
    $<${cxx_only}:-Wno-array-bounds> $<${cxx_only}:-Wno-stringop-overflow> $<${cxx_only}:-Wno-stringop-overread>)
endif()
if(WARPSCOPE_REPRODUCIBLE)
  # The same commit gives the same bytes in any folder. SOURCE_DATE_EPOCH, which installer/bundle and installer/deb set, does it for times.
  target_compile_options(warpscope_options INTERFACE $<${cxx_only}:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=/usr/src/warpscope>)
endif()
if(WARPSCOPE_HARDENED)
  include(WarpscopeHardening)
endif()
if(WARPSCOPE_WERROR)
  target_compile_options(warpscope_options INTERFACE $<${cxx_only}:-Werror>)
endif()
if(WARPSCOPE_SANITIZE)
  # What a sanitizer adds hides from the compiler what is set when.
  target_compile_options(warpscope_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>
    $<${cxx_only}:-fsanitize=${WARPSCOPE_SANITIZE}> $<${cxx_only}:-fno-omit-frame-pointer> $<${cxx_only}:-fno-sanitize-recover=all>)
  # These look at every access, which takes a third of what compiling takes. The address sanitizer tells of null pointers too; at night both
  # are there.
  if(WARPSCOPE_SANITIZE MATCHES "undefined" AND NOT WARPSCOPE_SANITIZE_ALL)
    target_compile_options(warpscope_options INTERFACE $<${cxx_only}:-fno-sanitize=null,alignment>)
  endif()
  if(WARPSCOPE_SANITIZE MATCHES "undefined")
    target_compile_options(warpscope_options INTERFACE $<$<AND:${cxx_only},$<BOOL:$<TARGET_PROPERTY:WARPSCOPE_TESTS_ONLY>>>:-fno-sanitize=undefined>)
  endif()
  target_link_options(warpscope_options INTERFACE -fsanitize=${WARPSCOPE_SANITIZE})
endif()

# Vector code is compiled once an instruction set, four times in all and once without vectors. Left out are:
#  - own, in a build for this machine: SSSE3, which SSE4 takes the place of. AVX-512 is compiled on a machine without it, too: what does not
#    compile there must not wait for somebody else's.
#  - with a sanitizer: what it looks for shows in the widest set that this machine runs, and without vectors, which every machine has. With
#    every check, at night, AVX2 too; for threads it stands for the widest.
#  - for fuzzers: they read files and texts, and which vectors the operations would use is nothing to them.
set(left_out "")
set(processor "")
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo processor LIMIT_COUNT 1 REGEX "^flags")
endif()
if(WARPSCOPE_FUZZ)
  set(left_out HWY_SSSE3 HWY_SSE4 HWY_AVX2 HWY_AVX3)
elseif(WARPSCOPE_SANITIZE STREQUAL "thread")
  set(left_out HWY_SSSE3 HWY_SSE4 HWY_AVX3)
elseif(WARPSCOPE_SANITIZE AND WARPSCOPE_SANITIZE_ALL)
  set(left_out HWY_SSSE3 HWY_SSE4)
elseif(WARPSCOPE_SANITIZE)
  set(left_out HWY_SSSE3 HWY_SSE4 HWY_AVX2)
  if(NOT processor MATCHES " avx512vl")
    set(left_out HWY_SSSE3 HWY_SSE4 HWY_AVX3)
  endif()
elseif(WARPSCOPE_VECTORS STREQUAL "own")
  # Highway's SSE4 has AES and products without carry.
  if(processor MATCHES " sse4_2" AND processor MATCHES " aes" AND processor MATCHES " pclmulqdq")
    set(left_out HWY_SSSE3)
  endif()
endif()
if(left_out)
  list(JOIN left_out "|" left_out)
  target_compile_definitions(warpscope_options INTERFACE "HWY_DISABLED_TARGETS=(${left_out})")
endif()

# Compiles the C++ files of a target in groups of a folder's files, at most `size` at a time: most of what a file costs are the headers
# and templates that its neighbours use too. Names in anonymous namespaces must then be unique within a folder. -DWARPSCOPE_UNITY=OFF
# compiles each file by itself, which is quicker for someone who changes one again and again.
option(WARPSCOPE_UNITY "Compile the files of a folder together" ON)
function(warpscope_unity target size)
  if(NOT WARPSCOPE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(SORT sources)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(MD5 key "${folder}")
    if(NOT DEFINED count_${key})
      set(count_${key} 0)
    endif()
    math(EXPR group "${count_${key}} / ${size}")
    math(EXPR count_${key} "${count_${key}} + 1")
    get_filename_component(name ${folder} NAME)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${name}_${group}")
  endforeach()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A file of the group is included, and so taken for a header, where anonymous names in types would be suspicious.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
