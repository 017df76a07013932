warpscope_tests(gui_languages WIDGETS LABELS gui LIBRARIES warpscope_gui)
if(TARGET gui_languages_tests)
  target_compile_definitions(gui_languages_tests PRIVATE WARPSCOPE_ROOT="${PROJECT_SOURCE_DIR}" WARPSCOPE_LUPDATE="$<TARGET_FILE:Qt6::lupdate>")
endif()
