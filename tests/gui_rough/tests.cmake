# Rough handling: saves that fail or are cancelled, a monkey at the window, a soak. In their short forms here; the long ones are
# `ctest -C nightly -L nightly`.
warpscope_tests(gui_rough WIDGETS LABELS gui LIBRARIES warpscope_gui)
if(TARGET gui_rough_tests)
  target_sources(gui_rough_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/monkey.cpp)
  add_test(NAME gui_rough.monkey_long CONFIGURATIONS nightly COMMAND gui_rough_tests monkey)
  add_test(NAME gui_rough.soak_long CONFIGURATIONS nightly COMMAND gui_rough_tests soak)
  set_tests_properties(gui_rough.monkey_long gui_rough.soak_long PROPERTIES LABELS nightly TIMEOUT 7200)
  set_tests_properties(gui_rough.monkey_long PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=7000000;WARPSCOPE_MONKEY_EVENTS=10000")
  set_tests_properties(gui_rough.soak_long PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=7000000;WARPSCOPE_SOAK_SECONDS=1800")
endif()
