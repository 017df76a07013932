warpscope_test(pipeline steps LABELS unit)
warpscope_test(pipeline json LABELS unit)

find_path(WARPSCOPE_RAPIDCHECK_INCLUDE rapidcheck.h)
find_library(WARPSCOPE_RAPIDCHECK_LIBRARY rapidcheck)
if(WARPSCOPE_RAPIDCHECK_INCLUDE AND WARPSCOPE_RAPIDCHECK_LIBRARY)
  warpscope_test(pipeline json_property LABELS property LIBRARIES ${WARPSCOPE_RAPIDCHECK_LIBRARY})
endif()
