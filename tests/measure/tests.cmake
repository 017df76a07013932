warpscope_tests(measure LABELS unit ALSO agreement:threads benchmark:threads benchmark_stops:threads LIBRARIES nlohmann_json::nlohmann_json)
if(TARGET measure_tests)
  target_compile_definitions(measure_tests PRIVATE WARPSCOPE_TIMINGS="${PROJECT_SOURCE_DIR}/resources/timings")
endif()
