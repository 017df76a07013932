warpscope_tests(gui_canvas WIDGETS LABELS gui LIBRARIES warpscope_gui)

# The same tests on screens with two, and with one and a half device pixels a unit.
foreach(name canvas canvas_drawing canvas_pictures canvas_formats inspector compare region step_handles)
  foreach(scale 1.5 2)
    if(TEST gui_canvas.${name})
      add_test(NAME gui_canvas.${name}.scale${scale} COMMAND gui_canvas_tests ${name})
      set_tests_properties(gui_canvas.${name}.scale${scale} PROPERTIES TIMEOUT 2700 LABELS gui
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_SCALE_FACTOR=${scale}")
    endif()
  endforeach()
endforeach()
