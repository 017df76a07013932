find_package(CLI11 REQUIRED)
warpscope_tests(cli LABELS cli LIBRARIES CLI11::CLI11 nlohmann_json::nlohmann_json warpscope_cuda)
if(TARGET cli_tests)
  # What bench understands is asked without a process, too.
  foreach(part bench_options bench_plan common sizes)
    target_sources(cli_tests PRIVATE ${PROJECT_SOURCE_DIR}/cli/${part}.cpp)
    # Qt's words (signals) are names there.
    set_source_files_properties(${PROJECT_SOURCE_DIR}/cli/${part}.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
  target_include_directories(cli_tests PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(cli_tests PRIVATE WARPSCOPE_CLI="$<TARGET_FILE:warpscope-cli>"
                             WARPSCOPE_TIMINGS="${PROJECT_SOURCE_DIR}/resources/timings"
                             WARPSCOPE_DOCS="${PROJECT_SOURCE_DIR}/docs")
  add_dependencies(cli_tests warpscope-cli)
endif()
