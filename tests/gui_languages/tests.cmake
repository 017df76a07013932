warpscope_tests(gui_languages WIDGETS LABELS gui LIBRARIES warpscope_gui)
if(TARGET gui_languages_tests)
  target_include_directories(gui_languages_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/gui)
  target_compile_definitions(gui_languages_tests PRIVATE WARPSCOPE_ROOT="${PROJECT_SOURCE_DIR}" WARPSCOPE_LUPDATE="$<TARGET_FILE:Qt6::lupdate>")
  # On screens with two and with three device pixels a unit.
  warpscope_scaled(gui_languages languages 2)
  warpscope_scaled(gui_languages languages 3 nightly)
endif()
