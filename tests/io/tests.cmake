find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(TIFF REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(WEBP REQUIRED IMPORTED_TARGET libwebp libwebpdemux libwebpmux)
# Libraries that a build may lack: their formats are not tested then.
set(io_libraries "")
set(io_left_out "")
foreach(entry "OPENEXR exr OpenEXR" "CFITSIO fits cfitsio" "JXL jxl libjxl libjxl_threads"
              "HEIF heif libheif" "RAW raw libraw_r")
  string(REPLACE " " ";" entry ${entry})
  list(POP_FRONT entry name test)
  pkg_check_modules(WARPSCOPE_${name} QUIET ${entry})
  if(WARPSCOPE_${name}_FOUND)
    list(APPEND io_libraries ${WARPSCOPE_${name}_LINK_LIBRARIES})
    list(TRANSFORM WARPSCOPE_${name}_INCLUDE_DIRS PREPEND -isystem OUTPUT_VARIABLE includes)
    set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/${test}_test.cpp PROPERTIES COMPILE_OPTIONS "${includes}")
  else()
    list(APPEND io_left_out ${test})
  endif()
endforeach()
pkg_check_modules(WARPSCOPE_LCMS QUIET lcms2)
if(NOT WARPSCOPE_LCMS_FOUND)
  list(APPEND io_left_out screen_transform)
endif()
warpscope_tests(io LABELS unit ALSO tiff:threads EXCLUDE ${io_left_out}
                LIBRARIES PNG::PNG JPEG::JPEG TIFF::TIFF PkgConfig::WEBP ${io_libraries})

# A decoding process that does everything wrong, and the real one; both are found where they are built.
if(TARGET io_tests)
  add_executable(misbehaving-helper ${CMAKE_CURRENT_LIST_DIR}/misbehaving_helper.cpp)
  target_link_libraries(misbehaving-helper PRIVATE warpscope_io)
  add_dependencies(io_tests misbehaving-helper warpscope-decode)
  target_compile_definitions(io_tests PRIVATE WARPSCOPE_CORPUS="${PROJECT_SOURCE_DIR}/tests/fuzz/corpus"
                             WARPSCOPE_IO_SAMPLES="${CMAKE_CURRENT_LIST_DIR}/samples")
  # It compiles a source of the engine once more, with names that others have.
  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/missing_libraries_test.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endif()
