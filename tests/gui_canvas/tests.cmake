warpscope_test(gui_canvas view_transform LABELS unit gui LIBRARIES warpscope_gui)
warpscope_test(gui_canvas sampler LABELS unit gui LIBRARIES warpscope_gui)
warpscope_test(gui_canvas canvas LABELS unit gui LIBRARIES warpscope_gui)
warpscope_test(gui_canvas canvas_drawing LABELS unit gui LIBRARIES warpscope_gui)
warpscope_test(gui_canvas inspector LABELS unit gui LIBRARIES warpscope_gui)

# The same tests on screens with two, and with one and a half device pixels a unit.
foreach(name canvas canvas_drawing inspector)
  foreach(scale 1.5 2)
    if(TARGET gui_canvas_${name}_test)
      add_test(NAME gui_canvas.${name}.scale${scale} COMMAND gui_canvas_${name}_test)
      set_tests_properties(gui_canvas.${name}.scale${scale} PROPERTIES TIMEOUT 300 LABELS "unit;gui"
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_SCALE_FACTOR=${scale}")
    endif()
  endforeach()
endforeach()
