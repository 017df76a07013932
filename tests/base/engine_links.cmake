# The engine knows neither Qt nor CUDA: what its shared libraries ask the loader for, directly, says so.
#   cmake -DLIBRARIES=a.so;b.so -P engine_links.cmake
find_program(READELF readelf REQUIRED)
foreach(library IN LISTS LIBRARIES)
  execute_process(COMMAND ${READELF} -d ${library} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  if(NOT dynamic MATCHES "NEEDED")
    message(FATAL_ERROR "${library} needs nothing: this is no shared library")
  endif()
  string(REGEX MATCHALL "NEEDED[^\n]*(Qt[0-9]|cuda|warpscope_gui)[^\n]*" forbidden "${dynamic}")
  if(forbidden)
    message(FATAL_ERROR "${library}: ${forbidden}")
  endif()
  # CUDA's runtime is linked statically: it would then be among the library's own symbols.
  execute_process(COMMAND ${READELF} --symbols -W ${library} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  if(symbols MATCHES " (cuda[A-Z][A-Za-z]*|cuInit|_Z[A-Za-z0-9_]*QString[A-Za-z0-9_]*)")
    message(FATAL_ERROR "${library} uses ${CMAKE_MATCH_1}")
  endif()
endforeach()
