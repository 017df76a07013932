warpscope_test(measure agreement LABELS unit threads)
warpscope_test(measure timing LABELS unit)
warpscope_test(measure report LABELS unit)
# It takes apart what was written.
target_link_libraries(measure_report_test PRIVATE nlohmann_json::nlohmann_json)
