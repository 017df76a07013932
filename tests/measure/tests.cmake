warpscope_test(measure agreement LABELS unit threads)
warpscope_test(measure timing LABELS unit)
warpscope_test(measure report LABELS unit LIBRARIES nlohmann_json::nlohmann_json)
warpscope_test(measure published LABELS unit)
