warpscope_tests(base LABELS unit ALSO mailbox:threads row_bands:threads band_threads:threads cpu_affinity:threads)

# The layers, as the linker sees them. The hyphen tells the bundle that this is no program.
if(BUILD_SHARED_LIBS AND (NOT WARPSCOPE_TEST_LABELS OR "unit" IN_LIST WARPSCOPE_TEST_LABELS))
  set(engine_files "")
  foreach(layer base image io operations measure report backend pipeline worker)
    list(APPEND engine_files $<TARGET_FILE:warpscope_${layer}>)
  endforeach()
  add_test(NAME base.engine-links COMMAND ${CMAKE_COMMAND} "-DLIBRARIES=${engine_files}" -P ${CMAKE_CURRENT_SOURCE_DIR}/base/engine_links.cmake)
  set_tests_properties(base.engine-links PROPERTIES LABELS unit)
endif()

if(NOT WARPSCOPE_TEST_LABELS OR "unit" IN_LIST WARPSCOPE_TEST_LABELS)
  add_test(NAME base.docs-links COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/base/docs_links.cmake)
  add_test(NAME base.gui-folders COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/base/gui_folders.cmake)
  set_tests_properties(base.docs-links base.gui-folders PROPERTIES LABELS unit)
endif()
