warpscope_tests(gui_steps WIDGETS LABELS unit gui LIBRARIES warpscope_gui)
