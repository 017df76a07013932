warpscope_tests(gui_languages WIDGETS LABELS gui LIBRARIES warpscope_gui)
if(TARGET gui_languages_tests)
  target_include_directories(gui_languages_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/gui)
  target_compile_definitions(gui_languages_tests PRIVATE WARPSCOPE_ROOT="${PROJECT_SOURCE_DIR}" WARPSCOPE_LUPDATE="$<TARGET_FILE:Qt6::lupdate>")
  # On screens with two and with three device pixels a unit.
  foreach(scale 2 3)
    if(TEST gui_languages.languages)
      add_test(NAME gui_languages.languages.scale${scale} COMMAND gui_languages_tests languages)
      set_tests_properties(gui_languages.languages.scale${scale} PROPERTIES TIMEOUT 2700 LABELS gui
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_SCALE_FACTOR=${scale}")
    endif()
  endforeach()
endif()
