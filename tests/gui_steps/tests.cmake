warpscope_tests(gui_steps WIDGETS LABELS gui LIBRARIES warpscope_gui)
