warpscope_tests(gui_benchmark WIDGETS LABELS gui LIBRARIES warpscope_gui)
# Copied command lines are run as they are.
if(TARGET gui_benchmark_tests)
  target_compile_definitions(gui_benchmark_tests PRIVATE WARPSCOPE_CLI="$<TARGET_FILE:warpscope-cli>")
  add_dependencies(gui_benchmark_tests warpscope-cli)
endif()
