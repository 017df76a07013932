warpscope_test(base row_bands LABELS unit threads)
warpscope_test(base checked LABELS unit)
warpscope_test(base utf8 LABELS unit)
warpscope_test(base spare_threads LABELS unit threads)

# The layers, as the linker sees them. The hyphen tells the bundle that this is no program.
if(BUILD_SHARED_LIBS AND (NOT WARPSCOPE_TEST_LABELS OR "unit" IN_LIST WARPSCOPE_TEST_LABELS))
  set(engine_files "")
  foreach(layer base image io operations clock measure backend pipeline worker)
    list(APPEND engine_files $<TARGET_FILE:warpscope_${layer}>)
  endforeach()
  add_test(NAME base.engine-links COMMAND ${CMAKE_COMMAND} "-DLIBRARIES=${engine_files}" -P ${CMAKE_CURRENT_SOURCE_DIR}/base/engine_links.cmake)
  set_tests_properties(base.engine-links PROPERTIES LABELS unit)
endif()
