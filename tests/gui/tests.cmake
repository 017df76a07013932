warpscope_tests(gui WIDGETS LABELS gui ALSO bridge:threads task_runner:threads LIBRARIES warpscope_gui)

# The whole window on screens with two and with three device pixels a unit.
foreach(name main_window inspector_width)
  warpscope_scaled(gui ${name} 2)
  warpscope_scaled(gui ${name} 3 nightly)
endforeach()

# It looks at the memory that an edit takes, which grew by chance beside two others.
if(TEST gui.large_image)
  set_tests_properties(gui.large_image PROPERTIES PROCESSORS 2)
endif()
