warpscope_tests(gui_session WIDGETS LABELS gui LIBRARIES warpscope_gui nlohmann_json::nlohmann_json)
# Copied command lines are run as they are; the window's program is killed.
if(TARGET gui_session_tests)
  target_compile_definitions(gui_session_tests PRIVATE WARPSCOPE_CLI="$<TARGET_FILE:warpscope-cli>" WARPSCOPE_PROGRAM="$<TARGET_FILE:warpscope>")
  add_dependencies(gui_session_tests warpscope-cli warpscope)
endif()
