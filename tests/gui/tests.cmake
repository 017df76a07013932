warpscope_tests(gui WIDGETS LABELS gui ALSO bridge:threads task_runner:threads LIBRARIES warpscope_gui)

# The whole window on screens with two and with three device pixels a unit.
foreach(name main_window inspector_width)
  foreach(scale 2 3)
    if(TEST gui.${name})
      add_test(NAME gui.${name}.scale${scale} COMMAND gui_tests ${name})
      set_tests_properties(gui.${name}.scale${scale} PROPERTIES TIMEOUT 2700 LABELS gui
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_SCALE_FACTOR=${scale}")
    endif()
  endforeach()
endforeach()
