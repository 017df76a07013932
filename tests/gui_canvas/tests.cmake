warpscope_tests(gui_canvas WIDGETS LABELS gui LIBRARIES warpscope_gui)

# The same tests on screens with two, and with one and a half device pixels a unit.
foreach(name canvas canvas_drawing canvas_pictures canvas_formats inspector compare region step_handles)
  warpscope_scaled(gui_canvas ${name} 1.5)
  warpscope_scaled(gui_canvas ${name} 2)
endforeach()
